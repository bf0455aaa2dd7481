//! **What:** when paths in slots may be how long, and who looks for them: drawn anew for each attempt.

use super::Filling;
use graph::distances::{Distances, Way};
use kernel::Node;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Messages, at most, that a receiver is sent in each of the last slots before others are filled.
const MOST_LAST: u64 = 8;

/// Slots, at most, with paths of any length before those.
const MOST_LATE: usize = 6;

/// Nodes and channels that are looked at to see how far it is from the origins, at most.
const MOST_LOOKED_AT: usize = 1 << 22;

/// How much longer than the shortest paths may be.
pub(super) struct Near<'a> {
    slack: Option<u32>,
    /// What paths that holders look for may be longer, in this attempt.
    pub detour: u32,
    to: Distances<'a>,
    from: Distances<'a>,
    /// How far it is from any origin to any node, where origins are few.
    pub farthest: Option<u32>,
}

impl<'a> Near<'a> {
    pub(super) fn new(filling: &Filling<'a>, slack: Option<u32>, budget: &mut Budget<'_>) -> Option<Self> {
        let problem = filling.problem;
        let (to, from) = (Distances::new(problem, Way::Back), Distances::new(problem, Way::On));
        let origins = filling.copies.origins(problem);
        let network = problem.network();
        let are_few = origins.len() < network.terminals().len() / 2
            && origins.len().saturating_mul(network.node_count() + network.channel_count()) <= MOST_LOOKED_AT;
        let mut near = Near { slack, detour: 0, to, from, farthest: are_few.then_some(0) };
        for origin in origins.into_iter().filter(|_| are_few) {
            let far = near.from.of(origin, budget)?.iter().filter(|far| **far != u32::MAX).max().copied();
            near.farthest = near.farthest.max(far);
        }
        Some(near)
    }

    /// What a path may be longer than the distance, and all distances from or to a node; nothing where it may have any length. `None` where the budget ends.
    pub(super) fn longest(&mut self, node: Node, way: Way, budget: &mut Budget<'_>) -> Option<Option<(u32, &[u32])>> {
        let slack = match way {
            Way::Back => self.slack,
            Way::On => Some(self.slack.map_or(self.detour, |slack| slack.min(self.detour))),
        };
        let Some(slack) = slack else { return Some(None) };
        let distances = if way == Way::On { &mut self.from } else { &mut self.to };
        Some(Some((slack, distances.of(node, budget)?)))
    }
}

/// A node that looks for a path of that length to send something, or to receive it.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub node: Node,
    pub way: Way,
    pub length: usize,
}

/// When and how long paths may be, in one attempt.
pub(super) struct Policy {
    /// Slots at the beginning, and at the end, with paths of any length.
    pub early: usize,
    pub late: usize,
    /// Longest path in the other slots.
    pub between: usize,
    /// Long paths first in the early slots.
    pub far_first: bool,
    /// Where that is of use, holders look for receivers while they are fewer.
    pub pushes: bool,
    /// Messages for each receiver, and the longest of their paths, in the slots from which all comes after the period: where that
    /// must be from origins, these are filled before all others.
    pub last: u64,
    pub longest_last: usize,
}

impl Policy {
    pub(super) fn new(filling: &Filling<'_>, near: &Near<'_>, period: usize, random: &mut Pcg64Mcg) -> Self {
        let network = filling.problem.network();
        let (table, rest) = (&filling.table, filling.rest);
        let most = network.nodes().map(|v| network.receive_capacity(v)).max().unwrap_or(0).min(MOST_LAST);
        // Where relays may not wrap round, long paths of many messages find little in the end.
        let is_short = rest.wraps_from_origins && near.farthest.is_none();
        let late = if is_short { period.min(table.duration(1) + MOST_LATE) } else { period };
        Policy {
            early: random.random_range(0..=table.duration(1) + 2),
            late: random.random_range(0..=late),
            between: random.random_range(1..=3),
            far_first: random.random(),
            pushes: near.farthest.is_some() && random.random(),
            last: if rest.wraps_from_origins { random.random_range(0..=most) } else { 0 },
            longest_last: if rest.wraps_from_origins { random.random_range(1..=3) } else { 0 },
        }
    }
}
