//! **What:** the bound of a node without which the network falls apart: what certificates of kind `articulation` prove.
//!
//! **Theory.** Under store-and-forward whatever goes from one of the parts to another is received by the node and then sent on by it. A *passage* is a message
//! with a part that has destinations, while other parts, or the node, have origins (contributors). It takes a transfer of its own by the node, the last
//! one of the message into that part. Before that, the node has received the message by a transfer from each of the other parts that contribute, and the farthest contribution has come to it. So a passage is
//! made in step a + 1 or later, where a is the most of these transfers over what the node receives in a step, and of these distances. Of J passages, let at most E be made in
//! the first θ steps; then no schedule has fewer than θ + ⌈(J − E) / s⌉ steps, where s is what the node sends in a step.
//!
//! E is at most s · θ; at most the number of passages with a < θ; and of messages whose passages need a transfer to the node, at most as many passages as the transfers
//! of the first θ − 1 steps allow: where a message has at most e passages with a < θ, and each needs m transfers or more, it has e/m for each.
//!
//! Backwards the same holds for the first transfers by which parts give something to the node.

use super::{Refused, exists};
use crate::{Model, Node, Problem, Switching};
use std::collections::{BTreeMap, BTreeSet};

/// Most origins and destinations of all messages: they are not written down in a file one by one.
const MOST: u64 = 1 << 24;

/// No part: the node itself.
const NONE: usize = usize::MAX;

/// Steps that what passes the node takes, forwards or backwards, whichever are more.
pub(super) fn articulation(problem: &Problem, node: Node) -> Result<u64, Refused> {
    exists(problem, node)?;
    let Model { switching, combining } = problem.model();
    if switching != Switching::StoreAndForward || combining {
        return Err(Refused::NotApplicable {
            kind: "articulation",
            why: "only under store-and-forward without combining does each message stop at the node by itself",
        });
    }
    if !is_small(problem) {
        return Err(Refused::NotApplicable {
            kind: "articulation",
            why: "messages have more than 2^24 origins and destinations, which are looked at one by one",
        });
    }
    let part_of = parts(problem, node);
    Ok([true, false]
        .map(|forwards| Passages::new(problem, node, &part_of, forwards).steps())
        .into_iter()
        .max()
        .unwrap_or(0))
}

/// Whether the messages have few enough origins (contributors) and destinations.
fn is_small(problem: &Problem) -> bool {
    let collective = problem.collective();
    let ends = |m| collective.contributors(m).len() as u64 + collective.destinations(m).len() as u64;
    let few = |sum: u64, m| Some(sum + ends(m)).filter(|sum| *sum <= MOST);
    collective.is_numbered() && collective.messages().try_fold(0, few).is_some()
}

/// The part of each node without this one, whatever the direction of channels.
fn parts(problem: &Problem, without: Node) -> Vec<usize> {
    let network = problem.network();
    let mut part_of = vec![NONE; network.node_count()];
    for first in network.nodes().filter(|v| *v != without) {
        if part_of[first.index()] != NONE {
            continue;
        }
        part_of[first.index()] = first.index();
        let mut queue = vec![first];
        while let Some(v) = queue.pop() {
            let on = network.outgoing(v).iter().map(|c| network.to(*c));
            for next in on.chain(network.incoming(v).iter().map(|c| network.from(*c))) {
                if next != without && part_of[next.index()] == NONE {
                    part_of[next.index()] = first.index();
                    queue.push(next);
                }
            }
        }
    }
    part_of
}

/// A passage: the step after which it may be made, and the transfers that it needs before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Passage {
    after: u64,
    needs: u64,
}

/// All passages in one direction of time.
struct Passages {
    /// What the node takes, and gives, in a step.
    takes: u64,
    gives: u64,
    /// How many messages have the same passages, of each kind so many: no message has more than four kinds.
    of_messages: BTreeMap<Vec<(Passage, u64)>, u64>,
}

impl Passages {
    fn new(problem: &Problem, node: Node, part_of: &[usize], forwards: bool) -> Self {
        let (network, collective) = (problem.network(), problem.collective());
        let rates = [network.receive_capacity(node), network.send_capacity(node)];
        let [takes, gives] = if forwards { rates } else { [rates[1], rates[0]] };
        let far = distances(problem, node, forwards);
        let mut of_messages = BTreeMap::new();
        for message in collective.messages() {
            let ends = [collective.contributors(message), collective.destinations(message)];
            let [from, to] = if forwards { ends } else { [ends[1], ends[0]] };
            // Of each part that something comes from, how far the farthest of that is; the node itself is no part.
            let mut farthest: BTreeMap<usize, u64> = BTreeMap::new();
            for v in from {
                let most = farthest.entry(part_of[v.index()]).or_insert(0);
                *most = far[v.index()].max(*most);
            }
            let parts: BTreeSet<usize> = to.iter().map(|v| part_of[v.index()]).filter(|part| *part != NONE).collect();
            let mut by_distance: Vec<(u64, usize)> = farthest.iter().map(|(part, far)| (*far, *part)).collect();
            by_distance.sort_unstable();
            let sources = farthest.keys().filter(|part| **part != NONE).count() as u64;
            let mut passages: BTreeMap<Passage, u64> = BTreeMap::new();
            for part in parts {
                // Of the others the farthest.
                let Some(&(far, _)) = by_distance.iter().rev().find(|(_, other)| *other != part) else { continue };
                let needs = sources - u64::from(farthest.contains_key(&part));
                let passage = Passage { after: far.max(needs.div_ceil(takes.max(1))), needs };
                *passages.entry(passage).or_insert(0) += 1;
            }
            if !passages.is_empty() {
                *of_messages.entry(passages.into_iter().collect()).or_insert(0) += 1;
            }
        }
        Passages { takes, gives, of_messages }
    }

    fn steps(&self) -> u64 {
        let afters: BTreeSet<u64> = self.of_messages.keys().flatten().map(|(passage, _)| passage.after).collect();
        let first = [0].into_iter().chain(afters.into_iter().flat_map(|after| [after, after + 1]));
        first.map(|first| self.steps_with(first)).max().unwrap_or(0)
    }

    /// Steps where the first ones are looked at by themselves.
    fn steps_with(&self, first: u64) -> u64 {
        let sum =
            |alike: &mut dyn Iterator<Item = &(Passage, u64)>| alike.map(|(_, many)| u128::from(*many)).sum::<u128>();
        let all: u128 = self.of_messages.iter().map(|(each, count)| sum(&mut each.iter()) * u128::from(*count)).sum();
        // Passages that need no transfer before, and others; of these the most for a transfer, as a fraction.
        let (mut free, mut others, mut best) = (0u128, 0u128, (0u128, 1u128));
        for (passages, count) in &self.of_messages {
            let early = || passages.iter().filter(|(passage, _)| passage.after < first);
            let (made, needs) = (sum(&mut early()), early().map(|(passage, _)| passage.needs).min());
            match needs.unwrap_or(0) {
                0 => free += made * u128::from(*count),
                needs => {
                    others += made * u128::from(*count);
                    if made * best.1 > best.0 * u128::from(needs) {
                        best = (made, u128::from(needs));
                    }
                }
            }
        }
        let taken = u128::from(self.takes) * u128::from(first.saturating_sub(1));
        let early = (free + others.min(taken * best.0 / best.1)).min(u128::from(self.gives) * u128::from(first));
        match all - early {
            0 => 0,
            late => u64::try_from(u128::from(first) + late.div_ceil(u128::from(self.gives.max(1)))).unwrap_or(u64::MAX),
        }
    }
}

/// Channels from each node to this one, or (backwards) from this one to each: 0 where there is no way, which proves no less than there is.
fn distances(problem: &Problem, node: Node, forwards: bool) -> Vec<u64> {
    let network = problem.network();
    let mut far = vec![0; network.node_count()];
    let (mut level, mut steps) = (vec![node], 0);
    let mut is_seen = vec![false; network.node_count()];
    is_seen[node.index()] = true;
    while !level.is_empty() {
        let mut next = Vec::new();
        for v in level {
            far[v.index()] = steps;
            let ends: Vec<Node> = match forwards {
                true => network.incoming(v).iter().map(|c| network.from(*c)).collect(),
                false => network.outgoing(v).iter().map(|c| network.to(*c)).collect(),
            };
            next.extend(ends.into_iter().filter(|v| !std::mem::replace(&mut is_seen[v.index()], true)));
        }
        (level, steps) = (next, steps + 1);
    }
    far
}
