//! **What:** allgather on a network that a group of automorphisms takes from any node to any other in one way each, a Cayley network:
//! one tree, moved by the whole group.
//!
//! **Promise:** none that is proved. All cases tried take max(⌈(nodes − 1) / channels of a node⌉, diameter) steps, which are no more than
//! any schedule takes hop by hop: a node receives nodes − 1 messages, as many a step as it has channels.
//!
//! **Construction:** each channel of node 0 stands for its images, the channels of its class. The tree of node 0 uses each class
//! once a step, so all translates of the tree run together and use every channel once. In a step, channels of different
//! classes bring in different new nodes from nodes of the tree. Of the nodes that a class can bring in, those that the fewest
//! classes can come first, then the nearest to node 0: of each class as many as there are classes, which are matched by
//! augmenting paths, classes of few nodes first. Of equals the lower number comes first, and where that misses the steps above, the
//! higher: of 520 tori tried, `torus:2x2x3` needs that. Of abelian groups one tree is the schedule, as an orbit; of others all images are
//! written down.
//!
//! **Source:** ours; trees rotated on hypercubes: Johnsson and Ho, IEEE Transactions on Computers 38, 1989.
//!
//! **Example:** `torus:8x8`, 16 steps

mod classes;
mod matching;

use crate::claim::{Claim, OrbitClaim, divided, fewest_ports};
use crate::construction::{Builder, Construction, Control, MOST_USES, PortUse, Scope};
use crate::lattice::Lattice;
use crate::request::{Pattern, Request};
use crate::transfers::generator;
use classes::Classes;
use graph::distances::{Way, hops};
use kernel::orbits::{Generator, Translations};
use kernel::{Channel, Message, Network, Node, Schedule, Switching};
use matching::Matching;
use run::Budget;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The construction's line in the registry.
#[rustfmt::skip]
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "translated-tree",
    about: "allgather along one tree that all translations move",
    source: "rotated trees, grown by matching new nodes to classes of channels",
    promise: "no promised number of",
    scope: Scope {
        pattern: Pattern::Allgather,
        switching: &[Switching::StoreAndForward, Switching::Wormhole, Switching::Tdm { hop: 1, cyclic: true }],
        ports: PortUse::Any,
        half_duplex: true,
    },
    is_automatic: true,
    examples: &[
        "torus:8x8", "torus:2x4", "torus:5x7", "torus:2x3x4", "torus:1x6x2", "torus:4x4x4", "hypercube:1", "hypercube:3", "hypercube:5",
        "hypercube:8", "ring:3", "ring:8", "ring:9", "ring-uni:6", "complete:7", "generalized-hypercube:3,2", "generalized-hypercube:4,3",
        "circulant:8;1,3", "circulant:16;±1,±4", "circulant:13;±1,±5", "circulant:100;±1,±10", "kring:15;1,4", "midimew:24",
        "multiring:4,13", "spidergon:20", "ccc:3", "ccc:4", "star:3", "star:4", "star:5", "pancake:3", "pancake:4", "pancake:5",
        "product:complete:3,ring:4", "product:star:3,ring:5", "product:circulant:5;1,2,ring-uni:3",
    ],
    make: |request| {
        let member = request.topology()?;
        let nodes = member.closed_forms().nodes;
        let is_half_duplex = request.is_half_duplex();
        if is_half_duplex && !request.network()?.half_duplex().iter().all(|group| is_link(request, group)) {
            return None;
        }
        if let Some(sizes) = member.translations() {
            let is_cube = is_half_duplex && request.parameters_of(&["hypercube"]).is_some();
            let group = if is_cube { Group::of_cube(sizes.len())? } else { Group { sizes, is_gray: false } };
            let pace = Pace::of(request);
            let fits = !pace.is_slotted() || nodes * nodes <= MOST_USES;
            return fits.then(|| Box::new(TranslatedTree { group, pace }) as Box<dyn Builder>);
        }
        // The others known have channels that their group takes to the channel back.
        member.product(0, 0).filter(|_| !is_half_duplex)?;
        let (spec, pace) = (member.spec(), Pace::of(request));
        (nodes * nodes <= MOST_USES).then(|| Box::new(AllTrees { spec, pace }) as Box<dyn Builder>)
    },
};

/// Most channels of the network times channels of a node: what the classes look at.
const MOST_LOOKS: usize = 1 << 28;

/// How the tree grows under a model.
#[derive(Clone, Copy)]
struct Pace {
    /// Steps after that in which a node receives a message until it may send it on.
    delay: usize,
    /// Steps behind the last one, in which it still travels.
    after: usize,
}

impl Pace {
    fn of(request: &Request<'_>) -> Self {
        let Some(slots) = request.model().switching.slots() else { return Pace { delay: 1, after: 0 } };
        let hop = slots.hop as usize;
        Pace { delay: hop + 1, after: if slots.cyclic { 0 } else { hop } }
    }

    fn is_slotted(self) -> bool {
        self.delay > 1
    }
}

/// Whether a half-duplex group is a channel and the one back.
fn is_link(request: &Request<'_>, group: &[u32]) -> bool {
    let ends = |c: &u32| request.network().and_then(|network| network.data().channels.get(*c as usize)).copied();
    match group {
        [one, other] => ends(one).is_some() && ends(one) == ends(other).map(|(a, b)| (b, a)),
        _ => false,
    }
}

/// A group of translations.
struct Group {
    /// The sizes of its dimensions.
    sizes: Vec<u32>,
    /// Whether a dimension is a ring of four, of which two bits of a node's number are the places in Gray's order.
    is_gray: bool,
}

impl Group {
    /// A hypercube as a torus of rings of four, whose links no translation turns round; none of an odd number of dimensions.
    fn of_cube(dimensions: usize) -> Option<Self> {
        dimensions.is_multiple_of(2).then(|| Group { sizes: vec![4; dimensions / 2], is_gray: true })
    }

    fn generators(&self, network: &Network) -> Option<Vec<Generator>> {
        let lattice = Lattice::new(&self.sizes)?;
        if !self.is_gray {
            return lattice.translations(network);
        }
        // 0, 1, 3, 2 and round again.
        let turned = |v: u32, d: usize| {
            let place = 2 * d;
            v & !(3 << place) | [1, 3, 0, 2][(v >> place & 3) as usize] << place
        };
        let fits = network.node_count() == lattice.nodes() as usize;
        (0..self.sizes.len()).map(|d| generator(network, 4, |v| turned(v, d)).filter(|_| fits)).collect()
    }
}

struct TranslatedTree {
    group: Group,
    pace: Pace,
}

impl Builder for TranslatedTree {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let classes = network.outgoing(Node(0)).len();
        if network.channel_count().checked_mul(classes)? > MOST_LOOKS {
            return None;
        }
        control.check()?;
        let generators = self.group.generators(network)?;
        let translations = Translations::new(network, generators.clone()).ok()?;
        control.check()?;
        let classes = Classes::of_translations(network, &translations)?;
        let tree = best_tree(&classes, self.pace, control)?;
        if self.pace.is_slotted() {
            // Orbits have steps, not slots.
            return classes.all_images(&tree, control).map(Claim::Plain);
        }
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, tree)))
    }
}

/// Of a group that need not be abelian.
struct AllTrees {
    /// The network's specification.
    spec: String,
    pace: Pace,
}

impl Builder for AllTrees {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let member = topologies::topology(&self.spec).ok()?;
        control.check()?;
        let classes = Classes::of_product(network, |one, other| member.product(one.0, other.0).map(Node))?;
        let tree = best_tree(&classes, self.pace, control)?;
        let tree = match fewest_ports(network).filter(|_| !self.pace.is_slotted()) {
            Some(ports) => divided(&tree, ports),
            None => tree,
        };
        classes.all_images(&tree, control).map(Claim::Plain)
    }
}

/// The tree of node 0 in few steps.
fn best_tree(classes: &Classes<'_>, pace: Pace, control: &Control<'_>) -> Option<Schedule> {
    let tree = Tree::new(classes)?;
    let least = tree.least_steps(pace)?;
    let schedule = tree.grown(false, pace, control)?;
    if schedule.step_count() <= least {
        return Some(schedule);
    }
    let other = Tree::new(classes)?.grown(true, pace, control)?;
    Some(if other.step_count() < schedule.step_count() { other } else { schedule })
}

/// A node that a class can bring in; the least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// Classes that could bring the node in when this was written down; they become no fewer.
    ways: u32,
    /// From node 0.
    distance: u32,
    /// The node's number, counted from the last where these come first.
    rank: u32,
    /// The class, and its channel that leads to the node.
    class: u32,
    channel: Channel,
}

/// The tree of node 0 as it grows.
struct Tree<'a> {
    classes: &'a Classes<'a>,
    /// Classes of which one is used in a step.
    rivals: Vec<Vec<usize>>,
    distances: Vec<u32>,
    is_in: Vec<bool>,
    from_last: bool,
    /// Classes that could bring each node in.
    ways: Vec<u32>,
    /// What each class could bring in, and perhaps some that are in by now.
    offers: Vec<BinaryHeap<Reverse<Offer>>>,
}

impl<'a> Tree<'a> {
    /// Nothing but node 0; `None` where it does not reach all.
    fn new(classes: &'a Classes<'a>) -> Option<Self> {
        let network = classes.network;
        let count = network.node_count();
        if network.terminals().len() != count {
            return None;
        }
        let distances = hops(network, &[Node(0)], Way::On, |_| true, &mut Budget::unlimited())?;
        if distances.contains(&u32::MAX) {
            return None;
        }
        let offers = vec![BinaryHeap::new(); classes.count];
        let rivals = classes.rivals();
        Some(Tree {
            classes,
            rivals,
            distances,
            is_in: vec![false; count],
            from_last: false,
            ways: vec![0; count],
            offers,
        })
    }

    /// Steps that it has at least where transfers take one channel and of rivals one is used a step; none where no class can be used.
    fn least_steps(&self, pace: Pace) -> Option<usize> {
        let farthest = self.distances.iter().max().map_or(0, |far| *far as usize);
        let others = self.distances.len() - 1;
        if others > 0 && self.rivals.is_empty() {
            return None;
        }
        // After the first step nothing new can be sent on until the delay is over.
        let busy = others.div_ceil(self.rivals.len().max(1));
        let waits = pace.delay - 1;
        let idle = if busy > 1 { waits } else { 0 };
        Some((busy + idle).max(farthest + farthest.saturating_sub(1) * waits) + pace.after)
    }

    /// The transfers of the message of node 0, step by step; of equals the last node first where `from_last`.
    fn grown(mut self, from_last: bool, pace: Pace, control: &Control<'_>) -> Option<Schedule> {
        let network = self.classes.network;
        self.from_last = from_last;
        let mut matching = Matching::new(network.node_count());
        let mut schedule = Schedule::new();
        let mut missing = network.node_count() - 1;
        // Nodes that cannot send on yet, with the steps from which on they can.
        let mut waiting = VecDeque::new();
        // Slots cannot be divided afterwards, as steps can.
        let ports = fewest_ports(network).filter(|_| pace.is_slotted()).unwrap_or(usize::MAX);
        self.bring_in(Node(0), control)?;
        while missing > 0 {
            while let Some((_, node)) = waiting.front().copied().filter(|(ready, _)| *ready <= schedule.step_count()) {
                waiting.pop_front();
                self.bring_in(node, control)?;
            }
            let offers: Vec<Vec<Offer>> =
                (0..self.rivals.len()).map(|at| self.best_of_rivals(at, control)).collect::<Option<_>>()?;
            let nodes: Vec<Vec<u32>> =
                offers.iter().map(|list| list.iter().map(|offer| self.node(offer).0).collect()).collect();
            let taken = matching.of(&nodes);
            schedule.begin_step();
            let mut new = Vec::new();
            for (list, taken) in offers.into_iter().zip(taken) {
                for (at, offer) in list.into_iter().enumerate() {
                    match taken == Some(at) && new.len() < ports {
                        true => new.push(offer),
                        false => self.offers[offer.class as usize].push(Reverse(offer)),
                    }
                }
            }
            // Where nobody waits, the node nearest to node 0 can be brought in, so there is one.
            missing = missing.checked_sub(new.len()).filter(|_| !new.is_empty() || !waiting.is_empty())?;
            for offer in new {
                let node = self.node(&offer);
                schedule.send(Message(0), &[offer.channel]);
                match pace.delay {
                    1 => self.bring_in(node, control)?,
                    delay => {
                        self.is_in[node.index()] = true;
                        waiting.push_back((schedule.step_count() - 1 + delay, node));
                    }
                }
            }
        }
        (0..pace.after).for_each(|_| schedule.begin_step());
        Some(schedule)
    }

    /// The node that an offer brings in.
    fn node(&self, offer: &Offer) -> Node {
        self.classes.network.to(offer.channel)
    }

    /// Takes a node into the tree, for the steps to come.
    fn bring_in(&mut self, node: Node, control: &Control<'_>) -> Option<()> {
        self.is_in[node.index()] = true;
        for (class, offers) in (0u32..).zip(&mut self.offers) {
            let channel = self.classes.at(node, class as usize);
            let next = self.classes.network.to(channel);
            control.tick()?;
            if !self.is_in[next.index()] {
                let ways = &mut self.ways[next.index()];
                *ways += 1;
                let rank = if self.from_last { u32::MAX - next.0 } else { next.0 };
                let distance = self.distances[next.index()];
                offers.push(Reverse(Offer { ways: *ways, distance, rank, class, channel }));
            }
        }
        Some(())
    }

    /// The first nodes that one of some rivals can bring in, taken off their lists.
    fn best_of_rivals(&mut self, at: usize, control: &Control<'_>) -> Option<Vec<Offer>> {
        let mut best = Vec::new();
        for rival in 0..self.rivals[at].len() {
            best.extend(self.best_of(self.rivals[at][rival], control)?);
        }
        best.sort_unstable();
        Some(best)
    }

    /// The first nodes that a class can bring in, no more than there are classes, taken off its list.
    fn best_of(&mut self, class: usize, control: &Control<'_>) -> Option<Vec<Offer>> {
        let mut best = Vec::new();
        while let Some(Reverse(mut offer)) = self.offers[class].pop() {
            control.tick()?;
            let node = self.node(&offer);
            let ways = self.ways[node.index()];
            if self.is_in[node.index()] {
                continue;
            }
            if offer.ways < ways {
                offer.ways = ways;
                self.offers[class].push(Reverse(offer));
                continue;
            }
            best.push(offer);
            if best.len() == self.classes.count {
                break;
            }
        }
        Some(best)
    }
}
