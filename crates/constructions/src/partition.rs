//! **What:** all permutations that a fat tree realises with straight switches on the way up, parted into Latin squares.
//!
//! **Promise:** N steps for each square, times the passes of slimmed trees; one with the identity among its rows would need
//! one less. Of multistage networks `stage_partition` makes the squares.
//!
//! **Construction:** any states of the switches at the top and on the way down realise a permutation, where a state takes a
//! message's digit d to d ⊕ state, or to d + state where the number of children is no power of two. Turning every stage's
//! states on by one digit of l makes N permutations, the rows of a Latin square, and a coset of the group of all such
//! steps. A coset has exactly one member whose first switch of every stage is straight: that is its representative, so
//! there is a square for each choice of states of all other switches, and together they hold every permutation once.
//! In a slimmed tree each pass brings other digits to the same switches: their states say in all passes where a digit goes,
//! so those of the first pass fix the others. Switches that straight ways up never lead to, in fattened trees, do not count.
//!
//! **Source:** F. Magliocca, thesis, Rome 2021, sections 5.1.3 and 5.2.3. Errata: its representatives, numbers in binary by
//! columns, are not zero in the first row; on `gft:2,2,2` they make 128 different squares where there are 512. Of slimmed trees
//! it divides the number of permutations by the passes, which is too few.
//!
//! **Example:** `--method partition --seed I` takes square I.

use crate::stage_partition::StagePartition;
use crate::up_down::{few_enough, fits, passes, up_down_path, up_path};
use construct::{Builder, Claim, Construction, Control, Scope, Transfers};
use kernel::Network;
use topologies::Topology;
use topologies::levels::Levels;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "partition",
    about: "fat trees and multistage networks: one of the Latin squares into which all permutations divide, chosen by --seed",
    source: "Magliocca, thesis, Rome 2021, sections 3.2.4 and 5.1.3, corrected",
    promise: "N ceil(M/W)^(H-1)",
    scope: Scope::wormhole(),
    is_automatic: false,
    examples: &[
        "gft:2,2,2",
        "gft:1,4,4",
        "gft:3,2,2",
        "gft:2,4,2",
        "gft:3,2,1",
        "gft:2,3,2",
        "gft:2,2,3",
        "gft:2,3,3",
        "fat-tree:8",
        "xgft:2,4;1,2",
        "clos:4,4,4",
        "omega:8",
        "omega:27,3",
        "butterfly:16",
        "baseline:16,4",
    ],
    make: |request| {
        if let Some(stages) = request.stages() {
            return Some(Box::new(StagePartition::new(stages)?));
        }
        Some(Box::new(Partition::new(request.levels()?)?))
    },
};

/// Latin squares that hold every permutation of a network's states once.
pub trait Squares {
    /// Number of squares; `None` beyond 2^128.
    fn squares(&self) -> Option<u128>;

    /// The states of all switches that the square of that number is made from, stage by stage.
    fn representative(&self, square: u128) -> Vec<Vec<u32>>;

    /// Where every terminal's message comes to, with such states and all stages turned on by the digits of `row`.
    fn permutation(&self, states: &[Vec<u32>], row: u32) -> Vec<u32>;
}

/// The squares of a network; `None` where its permutations are not parted.
pub fn squares_of(family: &dyn Topology) -> Option<Box<dyn Squares>> {
    if let Some(stages) = family.stages() {
        return Some(Box::new(StagePartition::new(stages)?));
    }
    Some(Box::new(Partition::new(family.levels()?)?))
}

/// The number that `--seed` chooses.
pub(crate) fn chosen(squares: &dyn Squares, seed: u64) -> u128 {
    let seed = u128::from(seed);
    squares.squares().map_or(seed, |count| seed % count)
}

/// The Latin squares of one tree.
#[derive(Clone, Debug)]
pub struct Partition(Levels);

impl Partition {
    /// The squares of a tree; `None` of trees with parallel links, and of those too large.
    pub fn new(levels: Levels) -> Option<Self> {
        let plain = levels.up_ports(0) == 1 && (1..=levels.height()).all(|x| levels.cables(x) == 1);
        (plain && few_enough(&levels)).then_some(Partition(levels))
    }

    /// Ways up from a level that straight switches use.
    fn ways(&self, level: usize) -> u32 {
        self.0.children(level).min(self.0.parents(level + 1))
    }

    /// Roots of a subtree that straight switches lead to.
    fn roots(&self, level: usize) -> u32 {
        (1..level).map(|x| self.ways(x)).product()
    }

    /// Switches of a level with work.
    fn switches(&self, level: usize) -> u32 {
        self.0.terminals() / self.0.terminals_below(level) * self.roots(level)
    }
}

impl Squares for Partition {
    /// States of all switches on the way down but the first of each stage.
    fn squares(&self) -> Option<u128> {
        (1..=self.0.height()).try_fold(1u128, |count, level| {
            let states = u128::from(self.0.children(level));
            count.checked_mul(states.checked_pow(self.switches(level) - 1)?)
        })
    }

    /// From the top down: the square's number in binary, read from the last switch of the leaves upwards.
    fn representative(&self, square: u128) -> Vec<Vec<u32>> {
        let mut rest = square;
        let mut stages: Vec<Vec<u32>> = Vec::new();
        for level in 1..=self.0.height() {
            let of = u128::from(self.0.children(level));
            let mut states = vec![0; self.switches(level) as usize];
            for state in states[1..].iter_mut().rev() {
                *state = u32::try_from(rest % of).expect("below the number of children");
                rest /= of;
            }
            stages.push(states);
        }
        stages.reverse();
        stages
    }

    fn permutation(&self, states: &[Vec<u32>], row: u32) -> Vec<u32> {
        let levels = &self.0;
        let destination = |from: u32| {
            let ports = up_path(levels, from).ports;
            let mut subtree = 0;
            for (stage, level) in (1..=levels.height()).rev().enumerate() {
                let root = (1..level).fold(0, |root, x| root * self.ways(x) + ports[x]);
                let at = (subtree * self.roots(level) + root) as usize;
                let of = levels.children(level);
                let digit = |number: u32| number / levels.terminals_below(level - 1) % of;
                subtree = subtree * of + turned(of, turned(of, digit(from), states[stage][at]), digit(row));
            }
            subtree
        };
        (0..levels.terminals()).map(destination).collect()
    }
}

/// Where a state of a switch takes a digit.
fn turned(of: u32, digit: u32, by: u32) -> u32 {
    if of.is_power_of_two() { digit ^ by } else { (digit + by) % of }
}

impl Builder for Partition {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.terminals()) * passes(&self.0))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.0, network) {
            return None;
        }
        let states = self.representative(chosen(self, control.seed));
        let mut transfers = Transfers::new(network, control);
        for row in 0..self.0.terminals() {
            for (from, to) in (0u32..).zip(self.permutation(&states, row)) {
                if from != to {
                    let up = up_path(&self.0, from);
                    let step = u64::from(row) * passes(&self.0) + u64::from(up.pass);
                    transfers.send_by(step, from, from, up_down_path(&self.0, &up.ports, from, to))?;
                }
            }
        }
        transfers.claim(u64::from(self.0.terminals()) * passes(&self.0), Vec::new())
    }
}
