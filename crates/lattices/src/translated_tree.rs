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
//! Run backwards, and backwards and then forwards, it is reduce_scatter and allreduce (the methods see to that).
//!
//! **Source:** ours; trees rotated on hypercubes: Johnsson and Ho, IEEE Transactions on Computers 38, 1989.
//!
//! **Example:** `torus:8x8`, 16 steps

mod classes;
mod group;
mod matching;
mod tree;

use classes::Classes;
use construct::{
    Builder, Claim, Construction, Control, MOST_USES, OrbitClaim, Pattern, PortUse, Request, Scope, divided,
    fewest_ports,
};
use group::Group;
use kernel::orbits::Translations;
use kernel::{Network, Node, Switching};
use tree::{Pace, best_tree};

/// The construction's line in the registry.
#[rustfmt::skip]
pub const CONSTRUCTION: Construction = Construction {
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
            let pace = Pace::of(request)?;
            let fits = !pace.is_slotted() || nodes * nodes <= MOST_USES;
            return fits.then(|| Box::new(TranslatedTree { group, pace }) as Box<dyn Builder>);
        }
        // The others known have channels that their group takes to the channel back.
        member.product(0, 0).filter(|_| !is_half_duplex)?;
        let (spec, pace) = (member.spec(), Pace::of(request)?);
        (nodes * nodes <= MOST_USES).then(|| Box::new(AllTrees { spec, pace }) as Box<dyn Builder>)
    },
};

/// Most channels of the network: the classes list them all.
const MOST_CHANNELS: usize = 1 << 26;

/// Whether a half-duplex group is a channel and the one back.
fn is_link(request: &Request<'_>, group: &[u32]) -> bool {
    let ends = |c: &u32| request.network().and_then(|network| network.data().channels.get(*c as usize)).copied();
    match group {
        [one, other] => ends(one).is_some() && ends(one) == ends(other).map(|(a, b)| (b, a)),
        _ => false,
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
        if network.channel_count() > MOST_CHANNELS {
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
