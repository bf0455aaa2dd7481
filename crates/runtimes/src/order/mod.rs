//! **What:** the order that threads keep whatever their speed: matches pushes with pops and signals with waits, and finds waits without end, and accesses to one
//! cell that nothing orders.
//!
//! **Facts:** instructions are nodes; arcs go from one to those that begin after it has ended: the next of its thread, those that wait for it, the n-th pop after the
//! n-th push, the n-th wait after the n-th signal. With room for K messages the (n + K)-th push comes after the n-th pop. A circle never ends, and without a
//! circle no order of running gets stuck. Room orders no accesses: more room may be had.

mod arcs;
mod matching;
mod races;

use crate::Finding;
use crate::threads::{At, Threads};
use arcs::{Arcs, Pair};

/// The arcs of a program.
pub(crate) struct Order<'t> {
    threads: &'t Threads,
    bases: Vec<u32>,
    /// Where each node stands.
    at: Vec<At>,
    arcs: Arcs,
    sorted: Vec<u32>,
    /// Signals, and waits, of one counter by several threads, that have to be ordered.
    turns: Vec<Pair>,
}

/// How often something happens to a queue or counter, and where.
#[derive(Default, Clone)]
struct Uses {
    gives: Vec<u32>,
    takes: Vec<u32>,
}

impl<'t> Order<'t> {
    /// The order with room for so many messages in a queue.
    pub(crate) fn of(threads: &'t Threads, capacity: usize) -> Result<Self, Vec<Finding>> {
        let (mut bases, mut at) = (Vec::new(), Vec::new());
        for (thread, of) in (0u32..).zip(&threads.threads) {
            bases.push(at.len() as u32);
            at.extend((0..of.instructions.len() as u32).map(|instruction| At { thread, instruction }));
        }
        let mut order = Order { threads, bases, at, arcs: Arcs::of(0, &[]), sorted: Vec::new(), turns: Vec::new() };
        let (queues, counters) = order.uses();
        let mut findings = Vec::new();
        order.matched(&queues, &counters, &mut findings);
        if !findings.is_empty() {
            return Err(findings);
        }
        let mut all = order.own(false);
        order.between(&queues, &counters, true, &mut all);
        for uses in &queues {
            let freed = uses.gives.iter().skip(capacity).zip(&uses.takes);
            all.extend(freed.map(|(push, pop)| Pair { from: *pop, to: *push }));
        }
        let arcs = Arcs::of(order.at.len(), &all);
        let sorted = arcs.sort();
        if sorted.len() < order.at.len() {
            return Err(vec![order.circle(&arcs, &sorted)]);
        }
        let mut ordering = order.own(true);
        order.between(&queues, &counters, false, &mut ordering);
        order.arcs = Arcs::of(order.at.len(), &ordering);
        order.sorted = sorted;
        for uses in &counters {
            for side in [&uses.gives, &uses.takes] {
                let pairs = side.windows(2).map(|pair| Pair { from: pair[0], to: pair[1] });
                order.turns.extend(
                    pairs.filter(|pair| order.at[pair.from as usize].thread != order.at[pair.to as usize].thread),
                );
            }
        }
        Ok(order)
    }

    /// Every instruction after those that it comes after.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = At> + '_ {
        self.sorted.iter().map(|node| self.at[*node as usize])
    }

    fn node(&self, thread: u32, instruction: u32) -> u32 {
        self.bases[thread as usize] + instruction
    }

    fn uses(&self) -> (Vec<Uses>, Vec<Uses>) {
        let mut queues = vec![Uses::default(); self.threads.queues.len()];
        let mut counters = vec![Uses::default(); self.threads.counters.len()];
        for (node, at) in (0u32..).zip(&self.at) {
            let of = &self.threads.threads[at.thread as usize].instructions[at.instruction as usize];
            if let Some(queue) = of.pop {
                queues[queue as usize].takes.push(node);
            }
            if let Some(queue) = of.push {
                queues[queue as usize].gives.push(node);
            }
            of.signals.iter().for_each(|of| counters[of.counter as usize].gives.push(node));
            of.waits.iter().for_each(|of| counters[of.counter as usize].takes.push(node));
        }
        (queues, counters)
    }

    fn say(&self, rule: &'static str, node: u32, text: String) -> Finding {
        self.threads.finding(rule, self.at[node as usize], text)
    }

    /// Arcs inside threads; of loose ones, where only memory is looked at, through what orders it.
    fn own(&self, memory: bool) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (thread, of) in (0u32..).zip(&self.threads.threads) {
            let (mut last, mut since) = (None, Vec::new());
            for (at, instruction) in (0u32..).zip(&of.instructions) {
                let to = self.node(thread, at);
                if !memory || !of.loose {
                    pairs.extend(at.checked_sub(1).map(|_| Pair { from: to - 1, to }));
                } else if instruction.orders {
                    pairs.extend(since.drain(..).chain(last).map(|from| Pair { from, to }));
                    last = Some(to);
                } else {
                    pairs.extend(last.map(|from| Pair { from, to }));
                    since.push(to);
                }
                pairs.extend(instruction.after.iter().map(|(of, step)| Pair { from: self.node(*of, *step), to }));
            }
        }
        pairs
    }

    /// Arcs between threads.
    fn between(&self, queues: &[Uses], counters: &[Uses], relaxed: bool, pairs: &mut Vec<Pair>) {
        for uses in queues {
            pairs.extend(uses.gives.iter().zip(&uses.takes).map(|(from, to)| Pair { from: *from, to: *to }));
        }
        for (at, (uses, counter)) in counters.iter().zip(&self.threads.counters).enumerate() {
            let late = uses.takes.iter().skip(counter.initial as usize);
            let strict = |node: u32, signal: bool| {
                let place = self.at[node as usize];
                let of = &self.threads.threads[place.thread as usize].instructions[place.instruction as usize];
                let side = if signal { &of.signals } else { &of.waits };
                relaxed || side.iter().any(|of| of.counter as usize == at && !of.relaxed)
            };
            let matched = uses.gives.iter().zip(late).filter(|(from, to)| strict(**from, true) && strict(**to, false));
            pairs.extend(matched.map(|(from, to)| Pair { from: *from, to: *to }));
        }
    }

    /// Messages that must follow each other: the longest chain of pushes.
    pub(crate) fn depth(&self) -> u32 {
        let mut depth = vec![0u32; self.at.len()];
        let mut most = 0;
        for node in &self.sorted {
            let at = self.at[*node as usize];
            let of = &self.threads.threads[at.thread as usize].instructions[at.instruction as usize];
            let own = depth[*node as usize] + u32::from(of.push.is_some());
            most = most.max(own);
            self.arcs.from(*node).iter().for_each(|to| depth[*to as usize] = depth[*to as usize].max(own));
        }
        most
    }
}
