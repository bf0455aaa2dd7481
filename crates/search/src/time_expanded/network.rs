//! **What:** the hops each message may take: a small acyclic graph of places, from its origin to its destination.
//!
//! **Facts.** A place is a node together with the hops by which the message is behind its shortest way there; a hop leads to a place
//! nearer the destination, or further behind. So every way through the graph has at most `slack` hops more than the
//! shortest, and places listed by hops behind, then by distance, come after all that lead to them.

use crate::resources::Resources;
use graph::distances::{Way, hops};
use kernel::{Node, Switching};
use run::Budget;
use std::collections::BTreeMap;

/// A node on the way of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Hops from the origin: the first step (counted from 0) in which the message may leave.
    pub earliest: u32,
    /// Hops still to go at least.
    pub left: u32,
    /// Where the hops to this place end in [`HopGraphs::hops`]; they begin where those of the place before end.
    hops_end: u32,
}

/// A hop to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// The position of the place before, among those of the message.
    pub from: u32,
    pub lane: u32,
}

/// The ends of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub origin: Node,
    pub destination: Node,
}

/// How long ways may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Hops beyond the shortest.
    pub slack: u32,
    /// Hops in all.
    pub steps: u32,
}

/// A place in the order of places: hops behind, then the furthest first; the destination is one place, after all others.
type Key = (u32, u32, Node);

/// The graphs of many messages.
#[derive(Default)]
pub(super) struct HopGraphs {
    /// By message, one after another; the first place of each is its origin, the last its destination.
    pub places: Vec<Place>,
    hops: Vec<Hop>,
    /// Where the places of each message end.
    ends: Vec<u32>,
}

/// What messages may use.
struct Open<'a, L> {
    resources: &'a Resources<'a>,
    /// Whether hops may take a lane.
    usable: L,
}

impl<L: Fn(u32) -> bool> Open<'_, L> {
    /// Whether messages get past a node: they wait at terminals under store-and-forward; otherwise paths pass.
    fn passes(&self, node: Node) -> bool {
        let problem = self.resources.problem;
        match problem.model().switching {
            Switching::StoreAndForward => problem.network().is_terminal(node),
            Switching::Wormhole | Switching::Tdm { .. } => problem.path_passes(node),
        }
    }
}

impl HopGraphs {
    /// The graphs of messages with these ends, over the lanes that are `usable`; `None` where there is no way for one of them, the
    /// graphs have more than `most` hops together, or the budget ends.
    pub(super) fn new(
        resources: &Resources<'_>,
        pairs: &[Pair],
        lengths: Lengths,
        most: usize,
        usable: impl Fn(u32) -> bool,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let open = Open { resources, usable };
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&i| (pairs[i].destination, i));
        let (mut distance, mut target, mut sum) = (Vec::new(), None, 0);
        let mut found: Vec<Option<HopGraphs>> = std::iter::repeat_with(|| None).take(pairs.len()).collect();
        for i in order {
            let destination = pairs[i].destination;
            if target != Some(destination) {
                target = Some(destination);
                let network = resources.problem.network();
                let passes = |node| open.passes(node);
                distance = hops(network, &[destination], Way::Back, passes, &mut Budget::unlimited())?;
            }
            let one = open.graph(pairs[i], &distance, lengths)?;
            sum += one.hops.len();
            if sum > most || !budget.spend(one.hops.len() as u64) {
                return None;
            }
            found[i] = Some(one);
        }
        let mut all = HopGraphs::default();
        for one in found.into_iter().flatten() {
            let before = u32::try_from(all.hops.len()).ok()?;
            all.places.extend(one.places.into_iter().map(|p| Place { hops_end: p.hops_end + before, ..p }));
            all.hops.extend(one.hops);
            all.ends.push(u32::try_from(all.places.len()).ok()?);
        }
        Some(all)
    }

    /// Hops of all graphs.
    pub(super) fn hop_count(&self) -> usize {
        self.hops.len()
    }

    /// The places of a message, as a range.
    pub(super) fn of(&self, message: usize) -> std::ops::Range<usize> {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[message] as usize
    }

    /// The hops to a place.
    pub(super) fn hops_to(&self, place: usize) -> &[Hop] {
        let start = place.checked_sub(1).map_or(0, |before| self.places[before].hops_end);
        &self.hops[start as usize..self.places[place].hops_end as usize]
    }

    /// Hops of a shortest way.
    pub(super) fn length(&self, message: usize) -> u32 {
        self.places[self.of(message).start].left
    }

    /// The most places of a message.
    pub(super) fn widest(&self) -> usize {
        (0..self.ends.len()).map(|m| self.of(m).len()).max().unwrap_or(0)
    }
}

impl<L: Fn(u32) -> bool> Open<'_, L> {
    /// The graph of one message, by the distances to its destination over all lanes.
    fn graph(&self, pair: Pair, distance: &[u32], lengths: Lengths) -> Option<HopGraphs> {
        let Pair { origin, destination } = pair;
        let length = distance[origin.index()];
        let slack = lengths.slack.min(lengths.steps.checked_sub(length)?);
        let key = |node: Node, behind: u32| -> Key {
            match node == destination {
                true => (u32::MAX, u32::MAX, node),
                false => (behind, u32::MAX - distance[node.index()], node),
            }
        };
        let mut reached: BTreeMap<Key, Vec<(Key, u32)>> = BTreeMap::new();
        reached.insert(key(origin, 0), Vec::new());
        // In the order of the map, all hops to a place are known when its turn comes.
        let mut at = Some(key(origin, 0));
        while let Some(here) = at {
            let (behind, _, node) = here;
            if node == origin || (node != destination && self.passes(node)) {
                for &lane in self.resources.out[node.index()].iter().filter(|&&lane| (self.usable)(lane)) {
                    let next = self.resources.ends[lane as usize].1;
                    let far = distance[next.index()];
                    // A node that lets nothing pass is near the destination for its own messages only.
                    let dead_end = next != destination && !self.passes(next);
                    if far == u32::MAX || next == origin || dead_end {
                        continue;
                    }
                    // Distances to the destination fall by at most one a hop.
                    let later = behind.saturating_add(far + 1 - distance[node.index()]);
                    if later <= slack {
                        reached.entry(key(next, later)).or_default().push((here, lane));
                    }
                }
            }
            at = reached.range((std::ops::Bound::Excluded(here), std::ops::Bound::Unbounded)).next().map(|(k, _)| *k);
        }
        // Lanes that are not usable may cut it off.
        reached.last_key_value().filter(|(last, _)| last.2 == destination)?;
        let position: BTreeMap<Key, u32> = reached.keys().copied().zip(0u32..).collect();
        let mut graph = HopGraphs::default();
        for (&(behind, _, node), from) in &reached {
            graph.hops.extend(from.iter().map(|(before, lane)| Hop { from: position[before], lane: *lane }));
            let left = distance[node.index()];
            let behind = if node == destination { 0 } else { behind };
            let hops_end = u32::try_from(graph.hops.len()).ok()?;
            graph.places.push(Place { earliest: length + behind - left, left, hops_end });
        }
        Some(graph)
    }
}
