//! **What:** packets that wait for each other for ever, and the circle of channels that they hold and wait for.
//!
//! **Method.** Every virtual channel with flits can go on in the end if something it waits for is there or can go on itself: a free virtual
//! channel or one whose holder can go on; room in the next buffer or a next buffer that can go on; flits that are still to come
//! from one that can go on. What can go on by no such chain is deadlocked, whatever else moves; from each of these a step to one that it
//! waits for stays among them, so following leads into a circle.
//!
//! **Source:** W. J. Dally, C. L. Seitz, IEEE Transactions on Computers 36, 1987; for choices, where one free way is enough, J. Duato, 1993

use crate::inject::{NODE, bits};
use crate::packets::{self, NONE};
use crate::ports::State;
use crate::settings::Flow;
use crate::simulator::Simulator;
use crate::source::Choice;
use crate::wheel::TO_NODE;
use kernel::{Channel, Node};
use std::fmt;

/// A virtual channel in a circle: held by a packet that holds or waits for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The channel.
    pub channel: Channel,
    /// Where it leads.
    pub node: Node,
    /// Which of its virtual channels.
    pub vc: u32,
    /// Where the packet that holds it comes from, and where it goes, if its flits are in the buffer.
    pub packet: Option<Ends>,
}

/// The ends of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Where it comes from.
    pub source: Node,
    /// Where it goes.
    pub destination: Node,
}

/// Packets that wait for each other for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The cycle in which it was found.
    pub cycle: u64,
    /// Virtual channels that can never go on.
    pub stuck: usize,
    /// Each is held by a packet that holds or waits for the next, and the last for the first.
    pub circle: Vec<Held>,
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "deadlock in cycle {}: {} virtual channels are permanently blocked; a cycle of waits:",
            self.cycle, self.stuck
        )?;
        for (number, held) in self.circle.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma} channel {} to node {} (virtual channel {})", held.channel, held.node, held.vc)?;
        }
        Ok(())
    }
}

impl Simulator<'_> {
    /// A circle of packets that wait for each other, if there is one.
    pub fn deadlock(&mut self) -> Option<Deadlock> {
        let count = self.input_vcs.len();
        let is_held = |input: usize| self.input_vcs[input].state != State::Idle;
        let mut goes_on: Vec<bool> = (0..count).map(|input| !is_held(input)).collect();
        // What is under way changes something where it comes.
        for slot in self.wheel.slots() {
            slot.flits.iter().filter(|a| a.target != TO_NODE).for_each(|a| goes_on[a.target as usize] = true);
            for credit in &slot.credits {
                if let Some(owner) = goes_on.get_mut(self.output_vcs[*credit as usize].owner as usize) {
                    *owner = true;
                }
            }
        }
        let circuits: Vec<u32> = self.circuits.iter().map(|circuit| circuit.0.1).collect();
        for place in circuits {
            self.held_by(place).into_iter().for_each(|input| goes_on[input as usize] = true);
        }
        let mut waits: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (input, waits) in (0u32..).zip(&mut waits) {
            if !goes_on[input as usize] {
                match self.waits_for(input) {
                    Some(list) => *waits = list,
                    None => goes_on[input as usize] = true,
                }
            }
        }
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (input, list) in (0u32..).zip(&waits) {
            list.iter().for_each(|other| back[*other as usize].push(input));
        }
        let mut open: Vec<u32> =
            (0u32..).zip(&goes_on).filter(|(_, goes_on)| **goes_on).map(|(input, _)| input).collect();
        while let Some(input) = open.pop() {
            for &other in &back[input as usize] {
                if !std::mem::replace(&mut goes_on[other as usize], true) {
                    open.push(other);
                }
            }
        }
        let stuck = goes_on.iter().filter(|goes_on| !**goes_on).count();
        let mut at = u32::try_from(goes_on.iter().position(|goes_on| !goes_on)?).expect("inputs have 32-bit numbers");
        let mut seen = vec![NONE; count];
        let mut path = Vec::new();
        loop {
            let begun = std::mem::replace(&mut seen[at as usize], u32::try_from(path.len()).expect("inputs"));
            if begun != NONE {
                return Some(Deadlock { cycle: self.now, stuck, circle: self.circle(&path[begun as usize..]) });
            }
            path.push(at);
            at = *waits[at as usize].first()?;
        }
    }

    /// The channels of a circle of inputs: those that are entered from their own holder. Whoever waits at the end of one waits for
    /// the next, and the inputs between are of its holder.
    fn circle(&self, path: &[u32]) -> Vec<Held> {
        let before = path.last().into_iter().chain(path);
        let is_entered = |(before, input): &(&u32, &u32)| {
            let vc = &self.input_vcs[**before as usize];
            vc.state == State::Active && self.next_input(vc.output) == Some(**input)
        };
        before.zip(path).filter(is_entered).filter_map(|(_, input)| self.held(*input)).collect()
    }

    /// The inputs of which one must go on before `input` can; `None` where it can by itself.
    fn waits_for(&mut self, input: u32) -> Option<Vec<u32>> {
        let vc = self.input_vcs[input as usize];
        match vc.state {
            State::Idle => None,
            State::Sink => self.flits_from(input),
            State::Active => {
                if vc.count == 0 && self.settings.flow != Flow::Circuit {
                    return self.flits_from(input);
                }
                let has_room = self.output_vcs[vc.output as usize].credits > 0;
                let next = self.next_input(vc.output)?;
                if has_room && vc.count > 0 { None } else { Some(vec![next]) }
            }
            State::Waiting if vc.ready == u64::MAX => self.flits_from(input),
            State::Waiting => self.ways_of(input),
        }
    }

    /// Flits are still to come from the input before this one.
    fn flits_from(&self, input: u32) -> Option<Vec<u32>> {
        let shift = self.layout.shift;
        let output = self.input_ports[(input >> shift) as usize].comes_from;
        let owner = self.output_vcs[((output << shift) | (input & ((1 << shift) - 1))) as usize].owner;
        (owner != NODE && owner != NONE).then(|| vec![owner])
    }

    /// Who holds what a waiting head may have.
    fn ways_of(&mut self, input: u32) -> Option<Vec<u32>> {
        let shift = self.layout.shift;
        let place = packets::place(self.front(input));
        let flits = self.packets.get(place).packet.flits;
        let at = self.position(input, place);
        let mut choices = Vec::new();
        if at.node == at.target {
            return None;
        }
        self.routes.choices(&at, &mut choices);
        let mut waits = Vec::new();
        for Choice { channel, vcs, .. } in choices {
            let output = self.layout.output_of[channel.index()];
            let vcs = bits(vcs).filter(|vc| *vc < self.settings.virtual_channels);
            for vc in vcs.map(|vc| (output << shift) | vc) {
                let taken = &self.output_vcs[vc as usize];
                let must_fit = matches!(self.settings.flow, Flow::CutThrough | Flow::StoreAndForward);
                match taken.owner {
                    NONE if !must_fit || taken.credits >= flits => return None,
                    NONE => waits.push(self.next_input(vc)?),
                    owner => waits.push(owner),
                }
            }
        }
        Some(waits)
    }

    /// The input at the other end of an output's virtual channel, `None` where it leads to a node.
    fn next_input(&self, vc: u32) -> Option<u32> {
        let leads_to = self.output_ports[(vc >> self.layout.shift) as usize].leads_to;
        (leads_to != TO_NODE).then(|| (leads_to << self.layout.shift) | (vc & ((1 << self.layout.shift) - 1)))
    }

    fn held(&self, input: u32) -> Option<Held> {
        let port = input >> self.layout.shift;
        let channel = self.layout.channel_in[port as usize];
        let packet = (self.input_vcs[input as usize].count > 0).then(|| {
            let packet = self.packets.get(packets::place(self.front(input))).packet;
            Ends { source: packet.source, destination: packet.destination }
        });
        (channel != NONE).then(|| Held {
            channel: Channel(channel),
            node: Node(self.layout.router[port as usize]),
            vc: input & ((1 << self.layout.shift) - 1),
            packet,
        })
    }
}
