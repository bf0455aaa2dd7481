//! **What:** the order that threads keep whatever their speed: matches pushes with pops and signals with waits, and finds waits without end, and accesses to one
//! cell that nothing orders.
//!
//! **Facts:** instructions are nodes; arcs go from one to those that begin after it has ended: the next of its thread, those that wait for it, the n-th pop after the
//! n-th push, the n-th wait after the n-th signal. With room for K messages the (n + K)-th push comes after the n-th pop. A circle never ends, and without a
//! circle no order of running gets stuck. Room orders no accesses: more room may be had. Of the accesses to a cell, sorted along the arcs, only neighbours are compared, one of
//! which writes; whether a path leads from one to the other is found for 64 sources at once.

use crate::Finding;
use crate::threads::{At, Threads};
use std::collections::HashMap;

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

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pair {
    from: u32,
    to: u32,
}

struct Arcs {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Arcs {
    fn of(nodes: usize, pairs: &[Pair]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        pairs.iter().for_each(|pair| starts[pair.from as usize + 1] += 1);
        (0..nodes).for_each(|at| starts[at + 1] += starts[at]);
        let (mut next, mut ends) = (starts.clone(), vec![0; pairs.len()]);
        for pair in pairs {
            ends[next[pair.from as usize] as usize] = pair.to;
            next[pair.from as usize] += 1;
        }
        Arcs { starts, ends }
    }

    fn from(&self, node: u32) -> &[u32] {
        &self.ends[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// All nodes along the arcs, or as many as can be.
    fn sort(&self) -> Vec<u32> {
        let nodes = self.starts.len() - 1;
        let mut waits = vec![0u32; nodes];
        self.ends.iter().for_each(|to| waits[*to as usize] += 1);
        let mut sorted: Vec<u32> = (0..nodes as u32).filter(|node| waits[*node as usize] == 0).collect();
        let mut next = 0;
        while next < sorted.len() {
            for to in self.from(sorted[next]) {
                waits[*to as usize] -= 1;
                if waits[*to as usize] == 0 {
                    sorted.push(*to);
                }
            }
            next += 1;
        }
        sorted
    }
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

    /// Every push has a pop of as many chunks, every wait a signal.
    fn matched(&self, queues: &[Uses], counters: &[Uses], findings: &mut Vec<Finding>) {
        let count = |node: u32| {
            let at = self.at[node as usize];
            self.threads.threads[at.thread as usize].instructions[at.instruction as usize].moves[0].count
        };
        for (uses, queue) in queues.iter().zip(&self.threads.queues) {
            let (gives, takes) = (uses.gives.len(), uses.takes.len());
            let text = format!("{}: {gives} messages are sent and {takes} received", queue.name);
            match gives.cmp(&takes) {
                std::cmp::Ordering::Less => findings.push(self.say("receive", uses.takes[gives], text)),
                std::cmp::Ordering::Greater => findings.push(self.say("send", uses.gives[takes], text)),
                std::cmp::Ordering::Equal => {}
            }
            if let Some((give, take)) =
                uses.gives.iter().zip(&uses.takes).find(|(give, take)| count(**give) != count(**take))
            {
                let text = format!("{}: receives {} chunks where {} are sent", queue.name, count(*take), count(*give));
                findings.push(self.say("count", *take, text));
            }
        }
        for (uses, counter) in counters.iter().zip(&self.threads.counters) {
            let given = uses.gives.len() + counter.initial as usize;
            if uses.gives.len() > uses.takes.len() {
                let text = format!(
                    "{}: {} signals and {} waits, so the next run would begin too early",
                    counter.name,
                    uses.gives.len(),
                    uses.takes.len()
                );
                findings.push(self.say("signal", uses.gives[uses.takes.len()], text));
            }
            if uses.takes.len() > given {
                let text = format!("{}: {} waits and {given} signals", counter.name, uses.takes.len());
                findings.push(self.say("wait", uses.takes[given], text));
            }
        }
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

    /// Instructions that wait for each other.
    fn circle(&self, arcs: &Arcs, sorted: &[u32]) -> Finding {
        let mut open = vec![true; self.at.len()];
        sorted.iter().for_each(|node| open[*node as usize] = false);
        let mut before = vec![u32::MAX; self.at.len()];
        for node in (0..self.at.len() as u32).filter(|node| open[*node as usize]) {
            arcs.from(node).iter().for_each(|to| before[*to as usize] = node);
        }
        let mut node = (0..self.at.len() as u32).find(|node| open[*node as usize]).expect("some are left");
        let mut seen = vec![false; self.at.len()];
        while !seen[node as usize] {
            seen[node as usize] = true;
            node = before[node as usize];
        }
        let mut circle = vec![node];
        let mut next = before[node as usize];
        while next != node {
            circle.push(next);
            next = before[next as usize];
        }
        let name = |node: &u32| {
            let at = self.at[*node as usize];
            let thread = &self.threads.threads[at.thread as usize];
            format!(
                "gpu {} tb {} step {}",
                thread.rank, thread.block, thread.instructions[at.instruction as usize].step
            )
        };
        let names: Vec<String> = circle.iter().skip(1).take(6).map(name).collect();
        let more = if circle.len() > 7 { format!(", … ({} in all)", circle.len()) } else { String::new() };
        self.say("deadlock", node, format!("waits for itself, by way of {}{more}", names.join(", ")))
    }

    /// Accesses to one cell that nothing orders; at most so many.
    pub(crate) fn races(&self, most: usize) -> Vec<Finding> {
        struct Last {
            write: Option<u32>,
            reads: Vec<u32>,
        }
        let mut position = vec![0u32; self.at.len()];
        (0u32..).zip(&self.sorted).for_each(|(at, node)| position[*node as usize] = at);
        let mut cells: HashMap<u32, Last> = HashMap::new();
        let mut asked: HashMap<Pair, u32> = HashMap::new();
        for node in &self.sorted {
            let at = self.at[*node as usize];
            let of = &self.threads.threads[at.thread as usize].instructions[at.instruction as usize];
            let mut ask = |from: u32, cell: u32| {
                if from != *node {
                    asked.entry(Pair { from, to: *node }).or_insert(cell);
                }
            };
            let spans = |bases: fn(&crate::threads::Move) -> &Vec<u32>| {
                of.moves
                    .iter()
                    .flat_map(move |of| bases(of).iter().flat_map(|base| *base..base + of.count))
                    .collect::<Vec<u32>>()
            };
            for cell in spans(|of| &of.sources) {
                let last = cells.entry(cell).or_insert(Last { write: None, reads: Vec::new() });
                last.write.iter().for_each(|from| ask(*from, cell));
                last.reads.push(*node);
            }
            for cell in spans(|of| &of.targets) {
                let last = cells.entry(cell).or_insert(Last { write: None, reads: Vec::new() });
                last.write.iter().chain(&last.reads).for_each(|from| ask(*from, cell));
                *last = Last { write: Some(*node), reads: Vec::new() };
            }
        }
        let mut races = self.unordered(&position, asked.keys().copied().chain(self.turns.iter().copied()).collect());
        races.sort_unstable_by_key(|pair| position[pair.from as usize]);
        races.truncate(most);
        let name = |node: u32| {
            let at = self.at[node as usize];
            let thread = &self.threads.threads[at.thread as usize];
            let step = thread.instructions[at.instruction as usize].step;
            format!("gpu {}, thread block {}, step {step}", thread.rank, thread.block)
        };
        let say = |pair: &Pair| match asked.get(pair) {
            Some(cell) => {
                let text = format!("uses {} at the same time as {}", self.threads.place(*cell), name(pair.to));
                self.say("race", pair.from, text)
            }
            None => self.say("race", pair.from, format!("signals or waits at the same time as {}", name(pair.to))),
        };
        races.iter().map(say).collect()
    }

    /// Pairs without a path from one to the other.
    fn unordered(&self, position: &[u32], mut pairs: Vec<Pair>) -> Vec<Pair> {
        let strict = |pair: &Pair| {
            let (from, to) = (self.at[pair.from as usize], self.at[pair.to as usize]);
            from.thread == to.thread
                && from.instruction < to.instruction
                && !self.threads.threads[from.thread as usize].loose
        };
        pairs.retain(|pair| !strict(pair) && !self.arcs.from(pair.from).contains(&pair.to));
        pairs.sort_unstable_by_key(|pair| (position[pair.from as usize], position[pair.to as usize]));
        let mut found = Vec::new();
        let mut reached = vec![0u64; self.at.len()];
        let mut rest = &pairs[..];
        while let Some(first) = rest.first() {
            let mut sources: Vec<u32> = Vec::new();
            let mut count = 0;
            for pair in rest {
                if sources.last() != Some(&pair.from) {
                    if sources.len() == 64 {
                        break;
                    }
                    sources.push(pair.from);
                }
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            rest = later;
            let start = position[first.from as usize] as usize;
            let end = now.iter().map(|pair| position[pair.to as usize]).max().unwrap_or(0) as usize;
            let span = &self.sorted[start..=end.max(start)];
            span.iter().for_each(|node| reached[*node as usize] = 0);
            (0u32..).zip(&sources).for_each(|(bit, node)| reached[*node as usize] |= 1 << bit);
            for node in span {
                let mask = reached[*node as usize];
                if mask != 0 {
                    for to in self.arcs.from(*node).iter().filter(|to| position[**to as usize] as usize <= end) {
                        reached[*to as usize] |= mask;
                    }
                }
            }
            let mut bit = 0;
            for (at, pair) in now.iter().enumerate() {
                if at > 0 && now[at - 1].from != pair.from {
                    bit += 1;
                }
                if reached[pair.to as usize] >> bit & 1 == 0 {
                    found.push(*pair);
                }
            }
        }
        found
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
