//! **What:** broadcast on a network that a group of translations takes from any node to any other: the informed nodes of every
//! step are a subgroup.
//!
//! **Promise:** none that is proved. With all ports, a step can multiply the informed nodes by channels of a node + 1 at most. The
//! order of the group is written as a product of as few factors of that size as its primes allow, one a step: D / ⌊log₂(D + 1)⌋
//! steps, rounded up, on a hypercube of D dimensions. Of 136 tori whose sizes have no prime above 5, half are at the floor ⌈log₅ nodes⌉, the
//! others up to two steps above it, which `broadcast-levels` finds on networks that it has the memory for.
//!
//! **Construction:** let the nodes of a subgroup H be informed, and K be the next subgroup. H moves everything alike, so
//! one step is a set of paths from node 0 in the quotient by H, one to each other coset of K in it, that share no channel there:
//! a flow. Each path is moved by all of H. The subgroups are found from the last on: characters of the group are drawn at random,
//! a subgroup is where some of them are 1, and of several draws that with the fewest hops counts.
//!
//! **Source:** ours; for hypercubes, chains of codes: Ho and Kao, IEEE Transactions on Parallel and Distributed Systems 6, 1995.
//!
//! **Example:** `hypercube:20`, 5 steps

mod chain;
mod quotient;

use crate::lattice::Lattice;
use chain::Chain;
use construct::{Builder, Claim, Construction, Control, Pattern, PortUse, Scope};
use kernel::{Channel, Message, Network, Node, Schedule};

/// The construction's line in the registry.
#[rustfmt::skip]
pub const CONSTRUCTION: Construction = Construction {
    name: "coset-broadcast",
    about: "broadcast to a growing chain of subgroups, the same in every coset",
    source: "chains of codes, with a flow in the quotient a step",
    promise: "no promised number of",
    scope: Scope { pattern: Pattern::Broadcast, ..Scope::wormhole().with(PortUse::All) },
    is_automatic: true,
    examples: &[
        "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5", "hypercube:7", "hypercube:10", "hypercube:12", "torus:5x5", "torus:4x4",
        "torus:2x4", "torus:10x10", "torus:25x25", "torus:3x4x5", "torus:6x6x6", "torus:1x6x2", "ring:9", "ring:3", "ring-uni:8",
        "complete:7", "generalized-hypercube:3,2", "generalized-hypercube:4,3", "circulant:8;1,3", "circulant:16;±1,±4",
        "circulant:125;±1,±7", "kring:15;1,4", "midimew:24", "spidergon:16", "product:complete:3,ring:9",
    ],
    make: |request| {
        let (root, network) = (request.root()?, request.network()?);
        let sizes = request.topology()?.translations()?;
        let nodes = u32::try_from(network.node_count()).ok().filter(|nodes| *nodes <= MOST_NODES)?;
        let factors = chain::factors(nodes, network.outgoing(root).len())?;
        (request.messages()? == 1).then(|| Box::new(CosetBroadcast { root, sizes, factors }) as Box<dyn Builder>)
    },
};

/// Draws of the whole chain before it is given up.
const CHAINS: u64 = 8;

/// Most nodes: all transfers are written down.
const MOST_NODES: u32 = 1 << 22;

struct CosetBroadcast {
    root: Node,
    sizes: Vec<u32>,
    /// By how much the informed grow in each step, the last step first, as primes.
    factors: Vec<Vec<u32>>,
}

impl Builder for CosetBroadcast {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = Lattice::new(&self.sizes)?;
        if lattice.nodes() as usize != network.node_count() || network.terminals().len() != network.node_count() {
            return None;
        }
        let classes = Classes::new(network, &lattice);
        let steps = (0..CHAINS).find_map(|draw| Chain::new(&lattice, &classes, draw).steps(&self.factors, control))?;
        let mut informed = vec![self.root];
        let mut schedule = Schedule::new();
        for paths in steps {
            schedule.begin_step();
            for at in 0..informed.len() {
                let from = informed[at];
                for path in &paths {
                    control.work(path.len())?;
                    let (to, channels) = classes.walk(&lattice, network, from, path)?;
                    informed.push(to);
                    schedule.send(Message(0), &channels);
                }
            }
        }
        Some(Claim::Plain(schedule))
    }
}

/// The channels of node 0, each of which stands for its images under all translations.
struct Classes {
    /// Where each leads from node 0.
    ends: Vec<u32>,
    /// Of each, how many before it lead to the same node.
    parallel: Vec<usize>,
    /// Of each, the dimensions along which it leads, and how far.
    legs: Vec<Vec<(usize, i64)>>,
}

impl Classes {
    fn new(network: &Network, lattice: &Lattice) -> Self {
        let ends: Vec<u32> = network.outgoing(Node(0)).iter().map(|c| network.to(*c).0).collect();
        let parallel = (0..ends.len()).map(|at| ends[..at].iter().filter(|end| **end == ends[at]).count()).collect();
        let dimensions = 0..lattice.sizes().len();
        let legs_to = |end: u32| dimensions.clone().map(move |d| (d, i64::from(lattice.digit(end, d))));
        let legs = ends.iter().map(|end| legs_to(*end).filter(|(_, by)| *by > 0).collect()).collect();
        Classes { ends, parallel, legs }
    }

    fn count(&self) -> usize {
        self.ends.len()
    }

    /// The node to which a channel of this class leads from `node`.
    fn next(&self, lattice: &Lattice, node: u32, class: usize) -> u32 {
        self.legs[class].iter().fold(node, |node, (dimension, by)| lattice.moved(node, *dimension, *by))
    }

    /// The end and the channels of a path of classes; `None` where the network has none of a class there.
    fn walk(&self, lattice: &Lattice, network: &Network, from: Node, path: &[usize]) -> Option<(Node, Vec<Channel>)> {
        let mut at = from;
        let mut channels = Vec::with_capacity(path.len());
        for class in path {
            let to = Node(self.next(lattice, at.0, *class));
            let mut there = network.outgoing(at).iter().filter(|c| network.to(**c) == to);
            channels.push(*there.nth(self.parallel[*class])?);
            at = to;
        }
        Some((at, channels))
    }
}
