//! **What:** broadcast of X messages on the Swapped Dragonfly by trees that headers with a counter of hops describe.
//!
//! **Promise:** `shallow-tree` X + 2 steps, `chained-trees` about 3X/M, `streamed-trees` ⌈X/(M − 1)⌉ + 4.
//!
//! **Construction:** from the root (c, d, p)
//! - the shallow tree has the hops of (3; \*; \*, \*): to all of the drawer, by all global ports, to all of the drawers.
//!   A message enters it in every step: its three levels use different channels, since the own drawer has all after the first.
//! - the tree of place x has those of (4; \*; \*, \*) from (c, d, x), to which the root delegates: all global ports, to all of the
//!   drawers, the swap alone, to all of the drawers. The M trees of a batch of M messages share no channel in any step. With
//!   batches that start in steps 0 and 1 of every six, all channels used in a step are local for the one and global for
//!   the other.
//! - The M − 1 trees of the places x ≠ d share no channel at all, since their second level uses local channels of routers of
//!   place d and their fourth those of place x, their first level global channels of the own drawer and their third those
//!   of others. So all start a message in every step. One channel needs care: the tree of the root's own place would bring the
//!   own drawer its message by the local channels over which the root delegates the others; instead it comes by global
//!   port 1 from the cabinet before, a step after the fourth level. With one cabinet that tree is left out.
//!
//! Of a tree every router takes the first copy it can get; the trees as published deliver some routers twice.
//!
//! **Source:** Draper, Broadcast Swapped Dragonfly: the first two. That the M trees share no channel holds in each step only; the
//! one of place d shares channels with all others. Streams are ours.
//!
//! **Example:** `swapped-dragonfly:3,4`, root 1, 30 messages: 32, 24, 14 steps

use super::{Broadcast, BroadcastForm};
use kernel::{Channel, Message, Network, Node, Schedule};
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Port, Router};

/// Schedules of more transfers are not written down.
const MOST_TRANSFERS: u64 = 1 << 26;

/// One tree of three hops.
pub const SHALLOW: Broadcast = Broadcast {
    name: "shallow-tree",
    about: "one tree of local, global and local hops; a message enters it in every step",
    source: "Draper, Broadcast Swapped Dragonfly",
    promise: "X+2",
    make: |spec| made(spec, |_, _| true, |d3, root| vec![shallow(d3, root)], |batch| batch),
};

/// M trees, batches chained in pairs.
pub const CHAINED: Broadcast = Broadcast {
    name: "chained-trees",
    about: "M trees of four hops from the routers of the root's drawer, two batches of messages in six steps",
    source: "Draper, Broadcast Swapped Dragonfly",
    promise: "6 steps for every 2M messages; about 3X/M",
    make: |spec| {
        let trees = |d3: SwappedDragonfly, root| (0..d3.drawers()).map(|x| deep(d3, root, x, false)).collect();
        made(spec, |_, _| true, trees, |batch| 6 * (batch / 2) + batch % 2)
    },
};

/// Trees that share no channel.
pub const STREAMED: Broadcast = Broadcast {
    name: "streamed-trees",
    about: "M-1 trees of four hops that share no channel; a message enters each in every step",
    source: "ours, after Draper",
    promise: "X/(M-1)+4, rounded up",
    make: |spec| {
        let usable = |d3: SwappedDragonfly, [_, d, p]: Router, x: u32| x != d && (x != p || d3.cabinets() > 1);
        let some = move |d3: SwappedDragonfly, root| (0..d3.drawers()).any(|x| usable(d3, root, x));
        let trees = move |d3: SwappedDragonfly, root: Router| {
            let places = (0..d3.drawers()).filter(|x| usable(d3, root, *x));
            places.map(|x| deep(d3, root, x, x == root[2])).collect()
        };
        made(spec, some, trees, |batch| batch)
    },
};

/// Hops of one message, each with the step after the message's start.
type Tree = Vec<(u32, Router, Port)>;

struct Trees<F, G, H> {
    d3: SwappedDragonfly,
    /// Whether there are trees from a root.
    some: F,
    /// The trees from a root.
    trees: G,
    /// The step in which a batch starts, a message a tree.
    start: H,
}

fn made(
    spec: &str,
    some: impl Fn(SwappedDragonfly, Router) -> bool + Sync + 'static,
    trees: impl Fn(SwappedDragonfly, Router) -> Vec<Tree> + Sync + 'static,
    start: impl Fn(u32) -> u32 + Sync + 'static,
) -> Option<Box<dyn BroadcastForm>> {
    let (k, m) = spec.strip_prefix("swapped-dragonfly:")?.split_once(',')?;
    let d3 = SwappedDragonfly::new(k.parse().ok()?, m.parse().ok()?).ok()?;
    Some(Box::new(Trees { d3, some, trees, start }))
}

impl<F, G, H> Trees<F, G, H>
where
    F: Fn(SwappedDragonfly, Router) -> bool + Sync,
    G: Fn(SwappedDragonfly, Router) -> Vec<Tree> + Sync,
    H: Fn(u32) -> u32 + Sync,
{
    fn nodes(&self) -> u32 {
        self.d3.cabinets() * self.d3.drawers() * self.d3.drawers()
    }

    /// The trees, where there are any and the schedule is not too large.
    fn planned(&self, root: Node, messages: u32) -> Option<Vec<Tree>> {
        let fits = u64::from(messages) * u64::from(self.nodes()) <= MOST_TRANSFERS && root.0 < self.nodes();
        let router = self.d3.router(root.0);
        (fits && messages > 0 && (self.some)(self.d3, router)).then(|| (self.trees)(self.d3, router))
    }

    /// The tree and the first step of every message.
    fn starts(&self, trees: usize, messages: u32) -> impl Iterator<Item = (usize, u32)> {
        (0..messages as usize).map(move |i| {
            let batch = u32::try_from(i / trees).expect("no more batches than messages");
            (i % trees, (self.start)(batch))
        })
    }
}

impl<F, G, H> BroadcastForm for Trees<F, G, H>
where
    F: Fn(SwappedDragonfly, Router) -> bool + Sync,
    G: Fn(SwappedDragonfly, Router) -> Vec<Tree> + Sync,
    H: Fn(u32) -> u32 + Sync,
{
    fn steps(&self, root: Node, messages: u32) -> Option<u64> {
        let trees = self.planned(root, messages)?;
        let depth: Vec<u32> = trees.iter().map(|t| t.iter().map(|hop| hop.0 + 1).max().unwrap_or(0)).collect();
        self.starts(trees.len(), messages).map(|(tree, start)| u64::from(start + depth[tree])).max()
    }

    fn schedule(&self, network: &Network, root: Node, messages: u32) -> Option<Schedule> {
        let trees = self.planned(root, messages)?;
        if network.node_count() != self.nodes() as usize {
            return None;
        }
        let channel = |(after, from, port): &(u32, Router, Port)| {
            let to = Node(self.d3.node(port.leads(self.d3, *from)));
            let outgoing = network.outgoing(Node(self.d3.node(*from)));
            Some((*after, *outgoing.iter().find(|c| network.to(**c) == to)?))
        };
        let trees: Vec<Vec<(u32, Channel)>> =
            trees.iter().map(|tree| tree.iter().map(channel).collect()).collect::<Option<_>>()?;
        let mut steps: Vec<Vec<(Message, Channel)>> = Vec::new();
        for (message, (tree, start)) in (0u32..).zip(self.starts(trees.len(), messages)) {
            for (after, channel) in &trees[tree] {
                let step = (start + after) as usize;
                steps.resize(steps.len().max(step + 1), Vec::new());
                steps[step].push((Message(message), *channel));
            }
        }
        let mut schedule = Schedule::new();
        for step in steps {
            schedule.begin_step();
            step.into_iter().for_each(|(message, channel)| schedule.send(message, &[channel]));
        }
        Some(schedule)
    }
}

/// A tree as it grows: where its copies are, and who has one.
struct Growing {
    d3: SwappedDragonfly,
    met: Vec<bool>,
    /// Where the copies of the last level are; a copy stays where a port leads nowhere.
    copies: Vec<Router>,
    tree: Tree,
}

impl Growing {
    fn new(d3: SwappedDragonfly, root: Router) -> Self {
        let mut met = vec![false; (d3.cabinets() * d3.drawers() * d3.drawers()) as usize];
        met[d3.node(root) as usize] = true;
        Growing { d3, met, copies: vec![root], tree: Vec::new() }
    }

    /// A hop, unless its end has the message.
    fn hop(&mut self, after: u32, from: Router, port: Port) -> Router {
        let to = port.leads(self.d3, from);
        if !std::mem::replace(&mut self.met[self.d3.node(to) as usize], true) {
            self.tree.push((after, from, port));
        }
        to
    }

    /// All copies go on by all of these ports.
    fn level(&mut self, after: u32, ports: impl Iterator<Item = Port> + Clone) {
        for from in std::mem::take(&mut self.copies) {
            for port in ports.clone() {
                let to = self.hop(after, from, port);
                self.copies.push(to);
            }
        }
    }

    fn locals(&self) -> impl Iterator<Item = Port> + Clone + use<> {
        (0..self.d3.drawers()).map(Port::Local)
    }

    fn globals(&self) -> impl Iterator<Item = Port> + Clone + use<> {
        (0..self.d3.cabinets()).map(Port::Global)
    }
}

fn shallow(d3: SwappedDragonfly, root: Router) -> Tree {
    let mut grown = Growing::new(d3, root);
    grown.level(0, grown.locals());
    grown.level(1, grown.globals());
    grown.level(2, grown.locals());
    grown.tree
}

/// The tree of place x. Where `round` it is that of the root's own place, which starts at once and reaches the own drawer last,
/// from another cabinet.
fn deep(d3: SwappedDragonfly, root: Router, x: u32, round: bool) -> Tree {
    let ([c, d, p], m) = (root, d3.drawers());
    let mut grown = Growing::new(d3, root);
    let delegate = grown.hop(0, root, Port::Local((x + m - p) % m));
    grown.copies = vec![delegate];
    let begin = u32::from(!round);
    grown.level(begin, grown.globals());
    grown.level(begin + 1, grown.locals());
    grown.level(begin + 2, [Port::Global(0)].into_iter());
    if !round {
        grown.level(begin + 3, grown.locals());
        return grown.tree;
    }
    grown.copies.retain(|r| *r != root);
    grown.level(begin + 3, grown.locals());
    let before = (c + d3.cabinets() - 1) % d3.cabinets();
    for z in 0..m {
        grown.hop(begin + 4, [before, z, d], Port::Global(1));
    }
    grown.tree
}

#[cfg(test)]
mod tests {
    use super::super::BROADCASTS;
    use super::*;
    use kernel::{Collective, Model, Problem, verify};
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use topologies::Topology;
    use topologies::source_vector::{Synchronised, Vector};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_root_and_number_of_messages((k, m) in (1u32..4, 2u32..6), root in any::<prop::sample::Index>(), messages in 1u32..24) {
            let d3 = SwappedDragonfly::new(k, m).unwrap();
            let network = d3.network();
            let root = Node(root.index(network.node_count()) as u32);
            let collective = Collective::broadcast(root, network.terminals()).in_chunks(messages);
            let problem = Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap();
            for construction in BROADCASTS {
                let form = (construction.make)(&d3.spec()).unwrap();
                let Some(steps) = form.steps(root, messages) else {
                    prop_assert_eq!((construction.name, k, m), ("streamed-trees", 1, 2));
                    continue;
                };
                let schedule = form.schedule(&network, root, messages).unwrap();
                // Every router takes every message once.
                prop_assert_eq!(schedule.transfer_count() as u32, messages * (k * m * m - 1), "{}", construction.name);
                let verified = verify(&problem, schedule);
                prop_assert!(verified.is_ok(), "{}: {:?}", construction.name, verified.err());
                prop_assert_eq!(verified.unwrap().steps() as u64, steps, "{}", construction.name);
                let (x, m) = (u64::from(messages), u64::from(m));
                let promised = match construction.name {
                    "shallow-tree" => x + 2,
                    "chained-trees" => 6 * (x.div_ceil(m) - 1).div_euclid(2) + (x.div_ceil(m) - 1) % 2 + 5,
                    _ if k > 1 || d3.router(root.0)[1] == d3.router(root.0)[2] => x.div_ceil(m - 1) + 4,
                    _ => x.div_ceil(m - 2) + 4,
                };
                prop_assert!(steps <= promised, "{}: {} of {}", construction.name, steps, promised);
            }
        }
    }

    /// Published trees count hops that are not needed: routers they deliver twice.
    #[test]
    fn trees_as_published_are_none() {
        let d3 = SwappedDragonfly::new(3, 4).unwrap();
        let vectors = (0..3).flat_map(|global| (0..16).map(move |i| Vector { global, first: i / 4, last: i % 4 }));
        let walks = vectors.map(|vector| Synchronised { hops: 4, vector }.walk(d3, [0, 0, 1]));
        let channels: BTreeSet<Vec<Router>> =
            walks.flat_map(|walk| walk.windows(2).map(<[Router]>::to_vec).collect::<Vec<_>>()).collect();
        let needed = deep(d3, [0, 0, 1], 1, false).len();
        assert_eq!((channels.len(), needed), (57, 47));
    }

    #[test]
    fn only_the_tree_of_the_roots_drawer_shares_channels() {
        for (k, m) in [(3, 4), (2, 5), (2, 3)] {
            let d3 = SwappedDragonfly::new(k, m).unwrap();
            let root = [0, 0, 1];
            let channels = |x: u32| deep(d3, root, x, x == 1).into_iter().map(|(_, r, port)| (r, port.leads(d3, r)));
            let all: Vec<BTreeSet<(Router, Router)>> = (0..m).map(|x| channels(x).collect()).collect();
            for x in 0..m as usize {
                for y in 0..x {
                    assert_eq!(all[x].is_disjoint(&all[y]), y != 0, "({k}, {m}): {x} and {y}");
                }
            }
        }
    }
}
