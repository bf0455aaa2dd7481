//! **What:** a network of switches taken apart from the terminals inwards, so that a route becomes a list of choices.
//!
//! **Facts.** The *boundary* of a part are the nodes at which paths enter and leave it; at first the terminals. What is
//! inside falls into connected *planes*. A path from one boundary node to another that goes in must enter one plane and leave
//! the same, over a channel of each of the two nodes. So channels into and out of the planes are given numbers, *slots*, of
//! which the plane can be told: two boundary nodes that choose the same slot meet in the same plane, and the channels' other
//! ends are its boundary. In a fat tree the planes under a leaf switch are its parents with everything above them; in a Clos
//! network they are the middle switches; in a Beneš network the upper and the lower half.

use kernel::{Channel, Network, Node};
use run::Budget;
use std::collections::BTreeMap;

/// The channels of every node by slot; nothing where a node has none of that slot, and no slots at nodes of no boundary.
pub(super) struct Slots {
    /// Channels that lead inwards.
    pub inwards: Vec<Vec<Option<Channel>>>,
    /// Channels that come from inside.
    pub outwards: Vec<Vec<Option<Channel>>>,
}

/// Boundaries within each other that are looked for.
const DEEPEST: usize = 64;
/// A channel of larger capacity counts as so many parallel ones.
const MOST_CABLES: u32 = 64;

impl Slots {
    /// The slots of a network; `None` where the budget ends first.
    pub(super) fn new(network: &Network, budget: &mut Budget<'_>) -> Option<Self> {
        let nodes = network.node_count();
        let mut slots = Slots { inwards: vec![Vec::new(); nodes], outwards: vec![Vec::new(); nodes] };
        let mut inside: Vec<bool> = network.nodes().map(|v| !network.is_terminal(v) && network.is_transit(v)).collect();
        // Boundary nodes with the part that they belong to.
        let mut boundary: Vec<(Node, u32)> = network.terminals().iter().map(|&t| (t, 0)).collect();
        for _ in 0..DEEPEST {
            if !budget.spend(4 * (nodes + network.channel_count()) as u64) {
                return None;
            }
            if boundary.is_empty() || !slots.fill(network, &planes(network, &inside), &boundary) {
                break;
            }
            let part = planes(network, &inside);
            let inner = boundary.iter().flat_map(|(v, _)| {
                let heads = slots.inwards[v.index()].iter().flatten().map(|&c| network.to(c));
                heads.chain(slots.outwards[v.index()].iter().flatten().map(|&c| network.from(c)))
            });
            let mut next: Vec<(Node, u32)> = inner.map(|v| (v, part[v.index()])).collect();
            next.sort_unstable();
            next.dedup();
            next.iter().for_each(|(v, _)| inside[v.index()] = false);
            boundary = next;
        }
        Some(slots)
    }

    /// Numbers the channels between a boundary and the planes inside; `false` where that would waste too much memory, as
    /// planes that few of the boundary's nodes reach do.
    fn fill(&mut self, network: &Network, plane: &[u32], boundary: &[(Node, u32)]) -> bool {
        // For each part, its planes by rank, and the most channels that one node has to one plane.
        let mut ranks: BTreeMap<u32, (BTreeMap<u32, usize>, usize)> = BTreeMap::new();
        let ways = |v: Node| {
            let cables = |c: Channel| (0..network.capacity(c).min(MOST_CABLES)).map(move |_| c);
            let known = |(p, c): (u32, Channel)| (p != OUTSIDE).then_some((p, c));
            let to = network.outgoing(v).iter().flat_map(move |&c| cables(c));
            let from = network.incoming(v).iter().flat_map(move |&c| cables(c));
            let to: Vec<_> = to.filter_map(|c| known((plane[network.to(c).index()], c))).collect();
            let from: Vec<_> = from.filter_map(|c| known((plane[network.from(c).index()], c))).collect();
            [to, from]
        };
        for &(v, part) in boundary {
            let (known, most) = ranks.entry(part).or_default();
            for list in ways(v) {
                let mut cables: BTreeMap<u32, usize> = BTreeMap::new();
                for (p, _) in list {
                    let next = known.len();
                    known.entry(p).or_insert(next);
                    *cables.entry(p).or_default() += 1;
                }
                *most = cables.into_values().max().unwrap_or(0).max(*most);
            }
        }
        let entries: usize = boundary.iter().map(|(_, part)| ranks[part].0.len() * ranks[part].1).sum();
        if entries > 1024 + 8 * network.channel_count() {
            return false;
        }
        for &(v, part) in boundary {
            let (known, most) = &ranks[&part];
            for (list, slots) in ways(v).into_iter().zip([&mut self.inwards, &mut self.outwards]) {
                let mut row = vec![None; known.len() * most];
                let mut cables = vec![0; known.len()];
                for (p, channel) in list {
                    let rank = known[&p];
                    row[cables[rank] * known.len() + rank] = Some(channel);
                    cables[rank] += 1;
                }
                slots[v.index()] = row;
            }
        }
        true
    }
}

/// The plane of a node that is not inside.
const OUTSIDE: u32 = u32::MAX;

/// The connected parts of what is inside, named by their smallest nodes.
fn planes(network: &Network, inside: &[bool]) -> Vec<u32> {
    let mut plane = vec![OUTSIDE; inside.len()];
    for first in network.nodes().filter(|v| inside[v.index()]) {
        if plane[first.index()] != OUTSIDE {
            continue;
        }
        plane[first.index()] = first.0;
        let mut queue = vec![first];
        while let Some(at) = queue.pop() {
            let to = network.outgoing(at).iter().map(|&c| network.to(c));
            for next in to.chain(network.incoming(at).iter().map(|&c| network.from(c))) {
                if inside[next.index()] && plane[next.index()] == OUTSIDE {
                    plane[next.index()] = first.0;
                    queue.push(next);
                }
            }
        }
    }
    plane
}
