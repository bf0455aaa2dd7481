//! **What:** the hops each message may take: a small acyclic graph of places, from its origin to its destination.
//!
//! A place is a node together with the hops by which the message is behind its shortest way there; a hop leads to a place
//! nearer the destination, or further behind. So every way through the graph has at most `slack` hops more than the
//! shortest, and places listed by hops behind, then by distance, come after all that lead to them.

use crate::packing::lanes::Lanes;
use kernel::{Node, Problem, Switching};
use run::Budget;
use std::collections::BTreeMap;

/// A node on the way of one message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Hops from the origin: the first step (counted from 0) in which the message may leave.
    pub earliest: u32,
    /// Hops still to go at least.
    pub left: u32,
    /// Where the hops to this place end in [`Ways::hops`]; they begin where those of the place before end.
    pub hops_end: u32,
}

/// The places of one message, and the hops to them: `(position of the place before, lane)`.
type One = (Vec<Place>, Vec<(u32, u32)>);

/// A place in the order of places: hops behind, then the furthest first; the destination is one place, after all others.
type Key = (u32, u32, Node);

/// What messages may use.
struct Open<L, N> {
    /// Whether hops may take a lane.
    usable: L,
    /// Whether messages get past a node.
    passes: N,
}

/// The ways of many messages.
#[derive(Default)]
pub(super) struct Ways {
    /// By message, one after another; the first place of each is its origin, the last its destination.
    pub places: Vec<Place>,
    /// `(position among the places of the message, lane)`.
    pub hops: Vec<(u32, u32)>,
    /// Where the places of each message end.
    ends: Vec<u32>,
}

impl Ways {
    /// Ways of at most `steps` hops for messages with these ends, over the lanes that `usable` allows; `None` where there
    /// is no such way, the ways have more than `most` hops together, or the budget ends.
    pub fn new(
        (problem, lanes): (&Problem, &Lanes),
        ends: &[(Node, Node)],
        (slack, steps): (u32, u32),
        most: usize,
        usable: impl Fn(u32) -> bool,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        // A message waits at terminals under store-and-forward; otherwise paths pass.
        let open = Open {
            usable,
            passes: |v| match problem.model().switching {
                Switching::StoreAndForward => problem.network().is_terminal(v),
                Switching::Wormhole | Switching::Tdm { .. } => problem.path_passes(v),
            },
        };
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.sort_by_key(|&i| (ends[i].1, i));
        let mut distance = Vec::new();
        let mut found: Vec<Option<One>> = vec![None; ends.len()];
        let (mut target, mut sum) = (None, 0);
        for i in order {
            if target != Some(ends[i].1) {
                target = Some(ends[i].1);
                distance = distances(lanes, ends[i].1, &open);
            }
            let one = ways(lanes, ends[i], &distance, (slack, steps), &open)?;
            sum += one.1.len();
            if sum > most || !budget.spend(one.1.len() as u64) {
                return None;
            }
            found[i] = Some(one);
        }
        let mut all = Ways::default();
        for (places, hops) in found.into_iter().flatten() {
            let before = u32::try_from(all.hops.len()).ok()?;
            all.places.extend(places.into_iter().map(|p| Place { hops_end: p.hops_end + before, ..p }));
            all.hops.extend(hops);
            all.ends.push(u32::try_from(all.places.len()).ok()?);
        }
        Some(all)
    }

    /// The places of a message, as a range.
    pub fn of(&self, message: usize) -> std::ops::Range<usize> {
        let start = message.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[message] as usize
    }

    /// The hops to a place.
    pub fn hops_to(&self, place: usize) -> &[(u32, u32)] {
        let start = place.checked_sub(1).map_or(0, |before| self.places[before].hops_end);
        &self.hops[start as usize..self.places[place].hops_end as usize]
    }

    /// Hops of a shortest way.
    pub fn length(&self, message: usize) -> u32 {
        self.places[self.of(message).start].left
    }

    /// The most places of a message.
    pub fn widest(&self) -> usize {
        (0..self.ends.len()).map(|m| self.of(m).len()).max().unwrap_or(0)
    }
}

/// Hops to `target` over what is `open`; `u32::MAX` where there is no way.
fn distances(lanes: &Lanes, target: Node, open: &Open<impl Fn(u32) -> bool, impl Fn(Node) -> bool>) -> Vec<u32> {
    let mut distance = vec![u32::MAX; lanes.into.len()];
    distance[target.index()] = 0;
    let mut queue = vec![target];
    let mut head = 0;
    while let Some(&node) = queue.get(head) {
        head += 1;
        if node != target && !(open.passes)(node) {
            continue;
        }
        for &lane in lanes.into[node.index()].iter().filter(|&&l| (open.usable)(l)) {
            let from = lanes.ends[lane as usize].0;
            if distance[from.index()] == u32::MAX {
                distance[from.index()] = distance[node.index()] + 1;
                queue.push(from);
            }
        }
    }
    distance
}

/// The places and hops of one message; places count their hops from 0.
fn ways(
    lanes: &Lanes,
    (origin, destination): (Node, Node),
    distance: &[u32],
    (slack, steps): (u32, u32),
    open: &Open<impl Fn(u32) -> bool, impl Fn(Node) -> bool>,
) -> Option<One> {
    let length = distance[origin.index()];
    let slack = slack.min(steps.checked_sub(length)?);
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
        if node == origin || (node != destination && (open.passes)(node)) {
            for &lane in lanes.out[node.index()].iter().filter(|&&l| (open.usable)(l)) {
                let next = lanes.ends[lane as usize].1;
                let far = distance[next.index()];
                // A node that lets nothing pass is near the destination for its own messages only.
                let dead_end = next != destination && !(open.passes)(next);
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
    let position: BTreeMap<Key, u32> = reached.keys().copied().zip(0u32..).collect();
    let mut hops = Vec::new();
    let mut places = Vec::with_capacity(reached.len());
    for (&(behind, _, node), from) in &reached {
        hops.extend(from.iter().map(|(before, lane)| (position[before], *lane)));
        let left = distance[node.index()];
        let behind = if node == destination { 0 } else { behind };
        let hops_end = u32::try_from(hops.len()).ok()?;
        places.push(Place { earliest: length + behind - left, left, hops_end });
    }
    Some((places, hops))
}
