//! **What:** what happens in a cycle, and cycles in a row.
//!
//! **A cycle:** what is under way comes; the source hears of deliveries and sends; nodes give flits to their routers; every router that
//! has flits grants virtual channels, then its switch. Routers tell each other nothing within a cycle, so their order does not matter.

use crate::inject::NODE;
use crate::packets::{NONE, Slot};
use crate::simulator::{End, Halt, Simulator};
use crate::source::Source;
use crate::wheel::TO_NODE;
use std::cmp::Reverse;

/// Cycles between two searches for packets that wait for each other while others move.
pub(crate) const BETWEEN_SEARCHES: u64 = 1 << 14;
/// Cycles between two looks at whether to stop.
const BETWEEN_LOOKS: u64 = 1 << 10;

impl Simulator<'_> {
    /// Runs until the source has nothing to send and nothing is under way, until cycle `until` begins, or until `stop` says so, which is
    /// asked every thousand cycles.
    ///
    /// # Errors
    /// Packets that wait for each other for ever, or a routing that knows no way.
    pub fn run<S: Source + ?Sized>(
        &mut self,
        source: &mut S,
        until: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<End, Halt> {
        for look in 0u64.. {
            if self.now >= until {
                return Ok(End::Cycles);
            }
            if look.is_multiple_of(BETWEEN_LOOKS) && stop() {
                return Ok(End::Stopped);
            }
            if self.is_idle() {
                // Nothing happens before the next event, so those cycles are left out.
                let events = self.wheel.next(self.now).into_iter().chain(self.circuits.peek().map(|c| c.0.0));
                match events.chain(source.next(self.now)).chain(self.is_heard().then_some(self.now)).min() {
                    None if self.packets.count() == 0 => return Ok(End::Finished),
                    // Who is left waits for room that nobody makes.
                    None => return self.deadlock().map_or(Ok(End::Finished), |deadlock| Err(Halt::Deadlock(deadlock))),
                    Some(next) if next > self.now => {
                        self.now = next.min(until);
                        continue;
                    }
                    Some(_) => {}
                }
            }
            self.step(source)?;
        }
        Ok(End::Stopped)
    }

    /// One cycle.
    ///
    /// # Errors
    /// As of [`Simulator::run`].
    pub fn step<S: Source + ?Sized>(&mut self, source: &mut S) -> Result<(), Halt> {
        self.moved = false;
        self.arrivals();
        for delivery in self.deliveries.drain(..) {
            source.delivered(&delivery);
        }
        self.create(source);
        for word in 0..self.nodes.words.len() {
            let mut bits = self.nodes.words[word];
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.inject(node);
            }
        }
        for word in 0..self.routers.words.len() {
            let mut bits = self.routers.words[word];
            while bits != 0 {
                let router = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.allocate(router);
            }
        }
        self.now += 1;
        if let Some(halt) = self.halt.take() {
            return Err(halt);
        }
        self.watch()
    }

    /// Looks for packets that wait for each other, when nothing has moved for as long as anything may take, and now and then.
    fn watch(&mut self) -> Result<(), Halt> {
        self.quiet =
            if self.moved || self.wheel.pending() > 0 || !self.circuits.is_empty() { 0 } else { self.quiet + 1 };
        let longest = self.settings.routing_delay.max(self.settings.vc_delay).max(self.slowest) + 2;
        let is_still = self.quiet > longest && self.packets.count() > 0;
        if is_still || self.now >= self.next_search {
            self.next_search = self.now + BETWEEN_SEARCHES;
            self.quiet = 0;
            if let Some(deadlock) = self.deadlock() {
                return Err(Halt::Deadlock(deadlock));
            }
        }
        Ok(())
    }

    fn arrivals(&mut self) {
        let slot = self.wheel.take(self.now);
        self.moved |= !slot.flits.is_empty();
        for credit in &slot.credits {
            let vc = &mut self.output_vcs[*credit as usize];
            vc.credits += 1;
            if vc.credits == 1 && vc.owner < NODE {
                let owner = vc.owner;
                self.go_on(owner, *credit);
            }
        }
        for arrival in &slot.flits {
            if arrival.target == TO_NODE {
                self.reach_node(arrival.flit, NONE);
            } else {
                self.arrive(arrival.target, arrival.flit);
            }
        }
        self.wheel.give_back(self.now, slot);
        while let Some(Reverse((cycle, input))) = self.circuits.peek().copied()
            && cycle <= self.now
        {
            self.circuits.pop();
            self.end_circuit(input);
            self.moved = true;
        }
    }

    /// There is room again for what the virtual channel `output` carries.
    #[inline]
    fn go_on(&mut self, input: u32, output: u32) {
        let vc = &mut self.input_vcs[input as usize];
        if vc.is_stalled {
            vc.is_stalled = false;
            self.output_ports[(output >> self.layout.shift) as usize].blocked += self.now - vc.ready;
            vc.ready = self.now;
            self.set_ready(input);
        }
    }

    fn create<S: Source + ?Sized>(&mut self, source: &mut S) {
        if source.next(self.now).is_none_or(|next| next > self.now) {
            return;
        }
        let mut created = std::mem::take(&mut self.created);
        source.inject(self.now, &mut created);
        for packet in created.drain(..) {
            let random = self.next_random();
            let via = self.routes.via(&packet, random).map_or(NONE, |node| node.0);
            let slot = Slot { packet, via, random, hops: 0, next: NONE, created: self.now, injected: 0 };
            let place = self.packets.add(slot);
            let queue = &mut self.queues[packet.source.index()];
            match std::mem::replace(&mut queue.last, place) {
                NONE => queue.first = place,
                last => self.packets.get_mut(last).next = place,
            }
            self.nodes.set(packet.source.index());
        }
        self.created = created;
    }

    /// SplitMix64.
    fn next_random(&mut self) -> u32 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from(mixed >> 32).expect("32 bits")
    }

    /// Whether no packet waits or is in a buffer.
    fn is_idle(&self) -> bool {
        self.routers.is_empty() && self.nodes.is_empty()
    }

    /// Whether deliveries wait to be told.
    fn is_heard(&self) -> bool {
        !self.deliveries.is_empty()
    }
}
