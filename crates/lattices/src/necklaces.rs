//! **What:** allgather on a hypercube of n dimensions by a tree that is written down: a step brings in the n rotations of a word.
//!
//! **Promise:** ⌈(2ⁿ−1)/n⌉ steps, the floor: every node has 2ⁿ − 1 messages to receive by n channels.
//!
//! **Construction:** nodes are words of n bits, and the tree of node 0 is moved by all exclusive-ors. A word is *primitive* if no rotation but by n leaves it as it is.
//! By ascending weight, the n rotations of each primitive word make a step: if a word comes from that without its bit b, its rotation by i
//! comes from that rotated by i, without bit b + i, so each dimension is used once. A bit can be chosen that leaves a primitive word, which has
//! been brought in by then. Words that are not primitive come last, n a step: without, or with, any one bit more they are primitive, so
//! any dimension can bring any of them in.
//!
//! **Facts** ([proofs](../../../docs/constructions.md#allgather-on-hypercubes-rotations-of-words)): changing one bit of a word that is not primitive makes it so; and of two words that come from
//! one primitive word by taking one bit away, one at least is primitive.
//!
//! **Source:** ours.
//!
//! **Example:** `hypercube:8`, 32 steps; `hypercube:16`, 4096 steps

use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, OrbitClaim, Pattern, PortUse, Scope, number};
use kernel::{Channel, Message, Network, Node, Schedule, Switching};

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "necklace-tree",
    about: "one tree moved to all nodes of a hypercube, a step of which is a word with all its rotations",
    source: "rotations of words, those of a period last",
    promise: "ceil((2^D - 1) / D)",
    scope: Scope {
        pattern: Pattern::Allgather,
        switching: &[Switching::StoreAndForward, Switching::Wormhole],
        ports: PortUse::Any,
        half_duplex: false,
    },
    is_automatic: true,
    examples: &[
        "hypercube:1",
        "hypercube:2",
        "hypercube:3",
        "hypercube:4",
        "hypercube:6",
        "hypercube:9",
        "hypercube:12",
    ],
    make: |request| {
        let dimensions =
            number(request.parameters_of(&["hypercube"])?).filter(|d| (1..=MOST_DIMENSIONS).contains(d))?;
        Some(Box::new(NecklaceTree { dimensions }))
    },
};

/// Twenty million transfers.
const MOST_DIMENSIONS: u32 = 24;

struct NecklaceTree {
    dimensions: u32,
}

impl NecklaceTree {
    /// The word turned by one.
    fn turned(&self, word: u32) -> u32 {
        (word << 1 | word >> (self.dimensions - 1)) & ((1 << self.dimensions) - 1)
    }

    /// All rotations of a word, itself first, each once.
    fn rotations(&self, word: u32) -> impl Iterator<Item = u32> {
        let turn = move |at: &u32| Some(self.turned(*at)).filter(|next| *next != word);
        std::iter::successors(Some(word), turn)
    }

    fn is_primitive(&self, word: u32) -> bool {
        self.rotations(word).count() == self.dimensions as usize
    }

    /// The bit without which a primitive word is primitive or nothing.
    fn last_bit(&self, word: u32) -> Option<u32> {
        let mut bits = (0..self.dimensions).filter(|bit| word >> bit & 1 == 1);
        bits.find(|bit| word == 1 << bit || self.is_primitive(word ^ 1 << bit))
    }
}

impl Builder for NecklaceTree {
    fn promise(&self) -> Option<u64> {
        Some(((1 << self.dimensions) - 1u64).div_ceil(self.dimensions.into()))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let (n, nodes) = (self.dimensions, 1u32 << self.dimensions);
        let lattice = Lattice::new(&vec![2; n as usize])?;
        let generators = lattice.translations(network)?;
        let channel = |to: u32, bit: u32| -> Option<Channel> {
            let from = network.outgoing(Node(to ^ 1 << bit));
            from.iter().copied().find(|c| network.to(*c) == Node(to))
        };
        // The least rotation stands for all of them.
        let mut least: Vec<u32> = (1..nodes).filter(|word| self.rotations(*word).all(|other| other >= *word)).collect();
        control.work(least.len())?;
        least.sort_by_key(|word| word.count_ones());
        let (primitive, others): (Vec<u32>, Vec<u32>) = least.into_iter().partition(|word| self.is_primitive(*word));
        let mut tree = Schedule::new();
        for word in primitive {
            tree.begin_step();
            let bit = self.last_bit(word)?;
            for (turn, rotation) in (0..).zip(self.rotations(word)) {
                control.tick()?;
                tree.send(Message(0), &[channel(rotation, (bit + turn) % n)?]);
            }
        }
        let others: Vec<u32> = others.into_iter().flat_map(|word| self.rotations(word)).collect();
        for words in others.chunks(n as usize) {
            tree.begin_step();
            for (bit, word) in (0..).zip(words) {
                tree.send(Message(0), &[channel(*word, bit)?]);
            }
        }
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, tree)))
    }
}
