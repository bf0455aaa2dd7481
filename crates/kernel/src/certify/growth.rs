//! **What:** what the kind `growth` proves: how fast what one node has can spread, and what one node must get can gather.

use crate::certify::gather::Gather;
use crate::node_set::Universe;
use crate::{Message, Node, Problem, Semantics};
use problem::Whom;
use std::cmp::Reverse;
use std::collections::HashMap;

/// What spreads from one node: in a step the terminals that have any of its messages grow by no more than they can send. The
/// best case informs the terminals that can send most. What ends at one node gathers as a copy spreads, with time reversed,
/// and so do the contributions of a chunk; under time-division [`Gather`] counts them.
pub(super) fn growth(problem: &Problem) -> u64 {
    let (network, collective) = (problem.network(), problem.collective());
    let rates = |rate: &dyn Fn(Node) -> u64| network.terminals().iter().map(|v| rate(*v)).collect();
    let (send, receive) = (|v| network.send_capacity(v), |v| network.receive_capacity(v));
    let (spread, backwards) = (Spread::new(rates(&send)), Spread::new(rates(&receive)));
    // Under time-division a copy sent in slot s is absorbed `hop` slots later at the earliest and sent on after that, and
    // without wrap-round all that must happen within the period.
    let (delay, rest) = match problem.model().switching.slots() {
        Some(slots) => (slots.hop as usize, if slots.cyclic { 0 } else { u64::from(slots.hop) }),
        None => (0, 0),
    };
    // Many nodes are alike.
    let mut gather = problem.model().switching.slots().map(|slots| Gather::new(backwards.largest(), slots));
    let (mut spread, mut backwards) = (Known::new(spread, delay), Known::new(backwards, 0));
    let mut spreads = |origin: Node, others: u64| match spread.steps(send(origin), others) {
        0 => 0,
        slots => slots + rest,
    };
    let mut gathers = |end: Node, others: u64| match &mut gather {
        Some(gather) => gather.slots(receive(end), others),
        None => backwards.steps(receive(end), others),
    };
    // Of `count` messages that one node must all send, the last leaves it when so many steps have passed, and spreads from then on;
    // of those that it must all receive, the first to be complete is so as many steps before the end.
    let single = !problem.model().combining && problem.model().switching.slots().is_none();
    let passed = |count: u64, rate: u64| if single { count.div_ceil(rate.max(1)).saturating_sub(1) } else { 0 };
    let mut best = 0;
    if let Some(chunks) = collective.as_reduction() {
        let others = chunks.members().len() as u64 - 1;
        let receivers = if chunks.whom() == Whom::All { others } else { 1 };
        for &node in chunks.members() {
            let leaves = passed(problem.must_send(node), send(node)) + spreads(node, receivers);
            let comes = passed(problem.must_receive(node), receive(node)) + gathers(node, others);
            best = best.max(leaves).max(comes);
        }
        return best;
    }
    if collective.semantics() == Semantics::Reduce {
        let universe = Universe::new(network.node_count());
        let (mut leaving, mut coming) = (HashMap::new(), HashMap::new());
        for message in collective.messages() {
            let (contributors, destinations) = (collective.contributors(message), collective.destinations(message));
            let (from, to) = (universe.set(contributors), universe.set(destinations));
            let others = |list: &[Node], set, not| list.len() as u64 - u64::from(universe.has(set, not));
            for &node in contributors {
                Run::of(&mut leaving, node).add(spreads(node, others(destinations, &to, node)));
            }
            for &node in destinations {
                Run::of(&mut coming, node).add(gathers(node, others(contributors, &from, node)));
            }
        }
        let last = |runs: &HashMap<Node, Run>, rate: &dyn Fn(Node) -> u64| {
            runs.iter().map(|(node, run)| run.most.max(passed(run.count, rate(*node)) + run.least)).max().unwrap_or(0)
        };
        return last(&leaving, &send).max(last(&coming, &receive));
    }
    if let Some(allgather) = collective.as_allgather() {
        let others = allgather.members().len() as u64 - 1;
        for &node in allgather.members() {
            best = best.max(spreads(node, others)).max(gathers(node, others));
        }
        return best;
    }
    // All messages of an origin count together: a transfer tells at most one more terminal anything of it.
    let mut order: Vec<Message> = collective.messages().collect();
    order.sort_by_key(|m| collective.origin(*m));
    let mut told_by = vec![None; network.node_count()];
    let mut origins_of = vec![0u64; network.node_count()];
    for messages in order.chunk_by(|a, b| collective.origin(*a) == collective.origin(*b)) {
        let origin = collective.origin(messages[0]);
        let mut told = 0;
        let others = |m: &Message| collective.destinations(*m).iter().filter(|to| **to != origin).count() as u64;
        let several = messages.len() > 1 && single;
        let counts: Vec<u64> =
            if several { messages.iter().map(others).filter(|n| *n > 0).collect() } else { Vec::new() };
        if let Some(&least) = counts.iter().min() {
            best = best.max(passed(counts.len() as u64, send(origin)) + spreads(origin, least));
        }
        for &to in messages.iter().flat_map(|m| collective.destinations(*m)).filter(|&&to| to != origin) {
            if told_by[to.index()].replace(origin) != Some(origin) {
                told += 1;
                origins_of[to.index()] += 1;
            }
        }
        best = best.max(spreads(origin, told));
    }
    let ends = network.nodes().filter(|v| origins_of[v.index()] > 0);
    ends.map(|v| gathers(v, origins_of[v.index()])).fold(best, u64::max)
}

/// Chunks that one node must send, or receive.
#[derive(Clone, Copy, Default)]
struct Run {
    /// How many.
    count: u64,
    /// The steps that one of them takes alone, at least and at most.
    least: u64,
    most: u64,
}

impl Run {
    fn of(runs: &mut HashMap<Node, Run>, node: Node) -> &mut Run {
        runs.entry(node).or_default()
    }

    /// One more, where it takes steps.
    fn add(&mut self, steps: u64) {
        if steps > 0 {
            self.least = if self.count == 0 { steps } else { self.least.min(steps) };
            self.most = self.most.max(steps);
            self.count += 1;
        }
    }
}

/// Steps that are known, by the root's rate and the number of others.
struct Known {
    spread: Spread,
    delay: usize,
    steps: HashMap<(u64, u64), u64>,
}

impl Known {
    fn new(spread: Spread, delay: usize) -> Self {
        Known { spread, delay, steps: HashMap::new() }
    }

    fn steps(&mut self, rate: u64, others: u64) -> u64 {
        let (spread, delay) = (&self.spread, self.delay);
        *self.steps.entry((rate, others)).or_insert_with(|| spread.steps(rate, others, delay))
    }
}

/// How fast a message can spread over terminals with given rates.
struct Spread {
    /// Rates of all terminals, largest first.
    rates: Vec<u64>,
    /// `sums[k]`: what the k terminals of largest rate send together in a step.
    sums: Vec<u64>,
}

impl Spread {
    fn new(mut rates: Vec<u64>) -> Self {
        rates.sort_unstable_by_key(|r| Reverse(*r));
        let mut sums = vec![0];
        sums.extend(rates.iter().scan(0, |sum, rate| {
            *sum += rate;
            Some(*sum)
        }));
        Spread { rates, sums }
    }

    /// The largest rate.
    fn largest(&self) -> u64 {
        self.rates.first().copied().unwrap_or(0)
    }

    /// What the root, sending at `rate`, and the `helpers` largest other terminals send together.
    fn together(&self, rate: u64, helpers: usize) -> u64 {
        // The root is one of the terminals; of equal rates it may be taken for the first.
        let root = self.rates.partition_point(|r| *r > rate);
        let others = helpers.min(self.rates.len() - 1);
        if others > root { self.sums[others + 1] } else { rate + self.sums[others] }
    }

    /// Steps until `others` terminals beside the root are informed, if the root sends at `rate` and whoever is informed
    /// sends on `delay` steps later than in the next.
    fn steps(&self, rate: u64, others: u64, delay: usize) -> u64 {
        // Informed before each step.
        let mut informed = vec![1u64];
        while informed[informed.len() - 1] < 1 + others {
            let last = informed.len() - 1;
            let holders = informed[last.saturating_sub(delay)];
            let helpers = usize::try_from(holders - 1).unwrap_or(usize::MAX);
            match self.together(rate, helpers) {
                // A well-posed problem lets its root send.
                0 => break,
                grows => informed.push(informed[last] + grows),
            }
        }
        informed.len() as u64 - 1
    }
}
