//! **What:** how soon a message can be somewhere, by transfers along paths of any length and copies on the way.
//!
//! A message is held by a terminal, or flies: its first bytes have come to a node on the path of a transfer. To fly on over a channel takes its latency; to be
//! held takes the duration of the transfer once, which is that of its slowest channel. So there is a layer of flight for each bandwidth: over
//! channels of at least that much, and with its duration at the end. Of more than [`LAYERS`] bandwidths some share a layer, with the
//! channels of the smallest and the duration of the largest: what is found is then earlier, never later.

use super::TimedProblem;
use crate::{Channel, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most layers of flight.
const LAYERS: usize = 32;

/// Where a message is at first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// A terminal holds it.
    Held { node: Node },
    /// Its last bytes come to a node at a tick, on a path that goes on or ends there.
    Arriving { node: Node, tick: u64 },
}

/// The earliest ticks at which nodes hold a message, and at which it flies by; `None` for never.
pub(super) struct Earliest {
    pub held: Vec<Option<u64>>,
    flying: Vec<Option<u64>>,
}

impl Earliest {
    /// The earliest tick at which a channel can be used.
    pub(super) fn at(&self, problem: &TimedProblem, channel: Channel) -> Option<u64> {
        let tail = problem.network().from(channel);
        let flying = self.flying[tail.index()].filter(|_| problem.network().is_transit(tail));
        [self.held[tail.index()], flying].into_iter().flatten().min()
    }
}

/// Channels of at least some bandwidth, and the duration of a transfer over them.
struct Layer {
    least: u64,
    lasts: u64,
}

/// The layers of a problem, narrow ones first.
pub(super) struct Layers(Vec<Layer>);

pub(super) fn layers(problem: &TimedProblem) -> Layers {
    let mut all: Vec<u64> = problem.network().channels().map(|c| problem.bandwidth(c)).collect();
    all.sort_unstable();
    all.dedup();
    let size = all.len().div_ceil(LAYERS).max(1);
    let layer = |of: &[u64]| {
        let lasts = problem.duration_in_units(1, of[of.len() - 1]).unwrap_or(u64::MAX);
        Layer { least: of[0], lasts }
    };
    Layers(all.chunks(size).map(layer).collect())
}

/// The earliest tick at which each node can hold a message that one node starts with; `None` where it cannot.
#[must_use]
pub fn earliest_from(problem: &TimedProblem, from: Node) -> Vec<Option<u64>> {
    earliest(problem, &[Start::Held { node: from }], |_| true).held
}

/// Nodes and what they are reached in, by tick. Many channels have no latency, so what comes at the tick at hand needs no order.
#[derive(Default)]
struct Queue {
    tick: u64,
    now: Vec<(Node, usize)>,
    later: BinaryHeap<Reverse<(u64, Node, usize)>>,
}

impl Queue {
    fn push(&mut self, tick: u64, (node, state): (Node, usize)) {
        match tick == self.tick {
            true => self.now.push((node, state)),
            false => self.later.push(Reverse((tick, node, state))),
        }
    }

    fn pop(&mut self) -> Option<(u64, (Node, usize))> {
        if let Some(next) = self.now.pop() {
            return Some((self.tick, next));
        }
        let Reverse((tick, node, state)) = self.later.pop()?;
        self.tick = tick;
        Some((tick, (node, state)))
    }
}

/// As [`earliest_in`], of one search.
pub(super) fn earliest(problem: &TimedProblem, starts: &[Start], within: impl Fn(Node) -> bool) -> Earliest {
    earliest_in(problem, &layers(problem), starts, within)
}

/// Dijkstra's search over nodes and layers (1959), within a set of nodes.
pub(super) fn earliest_in(
    problem: &TimedProblem,
    Layers(layers): &Layers,
    starts: &[Start],
    within: impl Fn(Node) -> bool,
) -> Earliest {
    const HELD: usize = 0;
    const ARRIVING: usize = 1;
    let network = problem.network();
    let (nodes, states) = (network.node_count(), layers.len() + 2);
    let mut ticks: Vec<Option<u64>> = vec![None; nodes * states];
    let mut queue = Queue::default();
    let mut reach = |node: Node, state: usize, tick: u64, queue: &mut Queue| {
        let known = &mut ticks[node.index() * states + state];
        if known.is_none_or(|known| tick < known) {
            *known = Some(tick);
            queue.push(tick, (node, state));
        }
    };
    for start in starts {
        match *start {
            Start::Held { node } => reach(node, HELD, 0, &mut queue),
            Start::Arriving { node, tick } => reach(node, ARRIVING, tick, &mut queue),
        }
    }
    let mut earliest = Earliest { held: vec![None; nodes], flying: vec![None; nodes] };
    let mut done = vec![false; nodes * states];
    while let Some((tick, (node, state))) = queue.pop() {
        if std::mem::replace(&mut done[node.index() * states + state], true) {
            continue;
        }
        let first = if state == HELD { &mut earliest.held } else { &mut earliest.flying };
        first[node.index()].get_or_insert(tick);
        // What arrives has had its duration; what is held sets out in every layer.
        let flights = match state {
            HELD => 2..states,
            _ => state..state + 1,
        };
        if state != HELD && network.is_terminal(node) {
            let lasts = if state == ARRIVING { 0 } else { layers[state - 2].lasts };
            reach(node, HELD, tick.saturating_add(lasts), &mut queue);
        }
        if state != HELD && !network.is_transit(node) {
            continue;
        }
        for flight in flights {
            let least = if flight == ARRIVING { 0 } else { layers[flight - 2].least };
            let wide = |channel: &&Channel| problem.bandwidth(**channel) >= least && within(network.to(**channel));
            for &channel in network.outgoing(node).iter().filter(wide) {
                reach(network.to(channel), flight, tick.saturating_add(problem.latency(channel)), &mut queue);
            }
        }
    }
    earliest
}

/// Of every node, the least latencies from it to a terminal, itself included; `None` where there is no way.
pub(super) fn to_a_terminal(problem: &TimedProblem) -> Vec<Option<u64>> {
    let network = problem.network();
    let mut ticks: Vec<Option<u64>> = vec![None; network.node_count()];
    let mut queue: BinaryHeap<_> = network.terminals().iter().map(|node| Reverse((0, *node))).collect();
    while let Some(Reverse((tick, node))) = queue.pop() {
        if ticks[node.index()].is_some() {
            continue;
        }
        ticks[node.index()] = Some(tick);
        for &channel in network.incoming(node) {
            let before = network.from(channel);
            if network.is_transit(before) && ticks[before.index()].is_none() {
                queue.push(Reverse((tick.saturating_add(problem.latency(channel)), before)));
            }
        }
    }
    ticks
}
