//! **What:** all permutations that a fat tree realises with straight switches on the way up, parted into Latin squares.
//!
//! **Promise:** N steps for each square; one with the identity among its rows would need one less. Numbers of children must be
//! powers of two, and every switch has as many ways up as down.
//!
//! **Construction:** any states of the switches at the top and on the way down realise a permutation. Exclusive or of every
//! stage's states with one digit of l makes N of them, the rows of a Latin square, and a coset of the group of all such
//! steps. A coset has exactly one member whose first switch of every stage is straight: that is its representative, so
//! there is a square for each choice of states of all other switches, and together they hold every permutation once.
//!
//! **Source:** F. Magliocca, thesis, Rome 2021, section 5.1.3. Erratum: its representatives, numbers in binary by columns, are not
//! zero in the first row; on `gft:2,2,2` they make 128 different squares where there are 512.
//!
//! **Example:** `--method partition --seed I` takes square I.

use crate::claim::Claim;
use crate::construction::{Builder, Construction, Control, Scope};
use crate::transfers::Transfers;
use crate::up_down::{few_enough, fits, passes, up_down_path, up_path};
use kernel::Network;
use topologies::levels::Levels;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "partition",
    about: "fat trees: one of the Latin squares that all permutations part into, chosen by --seed",
    source: "Magliocca, thesis, Rome 2021, section 5.1.3, corrected",
    promise: "N",
    scope: Scope::wormhole(),
    is_automatic: false,
    examples: &["gft:2,2,2", "gft:1,4,4", "gft:3,2,2", "fat-tree:8", "xgft:2,4;1,2"],
    make: |request| Some(Box::new(Partition::new(request.levels()?)?)),
};

/// The Latin squares of one tree.
#[derive(Clone, Debug)]
pub struct Partition(Levels);

impl Partition {
    /// The squares of a tree; `None` where the construction does not apply.
    pub fn new(levels: Levels) -> Option<Self> {
        let plain = (1..=levels.height()).all(|x| levels.cables(x) == 1 && levels.children(x).is_power_of_two())
            && (1..levels.height()).all(|x| levels.children(x) == levels.parents(x + 1))
            && levels.up_ports(0) == 1;
        (plain && passes(&levels) == 1 && few_enough(&levels)).then_some(Partition(levels))
    }

    /// Number of squares: states of all switches on the way down but the first of each stage; `None` beyond 2^128.
    pub fn squares(&self) -> Option<u128> {
        (1..=self.0.height()).try_fold(1u128, |count, level| {
            let others = u32::try_from(self.0.nodes_of(level) - 1).ok()?;
            count.checked_mul(u128::from(self.0.children(level)).checked_pow(others)?)
        })
    }

    /// The states of the representative of a square, stage by stage from the top down: the square's number in binary, read
    /// from the last switch of the leaves upwards.
    pub fn representative(&self, square: u128) -> Vec<Vec<u32>> {
        let mut rest = square;
        let mut stages: Vec<Vec<u32>> = Vec::new();
        for level in 1..=self.0.height() {
            let of = u128::from(self.0.children(level));
            let count = usize::try_from(self.0.nodes_of(level)).expect("the network fits into memory");
            let mut states = vec![0; count];
            for state in states[1..].iter_mut().rev() {
                *state = u32::try_from(rest % of).expect("below the number of children");
                rest /= of;
            }
            stages.push(states);
        }
        stages.reverse();
        stages
    }

    /// Where every terminal's message comes to, with such states and all stages turned on by the digits of `row`.
    pub fn permutation(&self, states: &[Vec<u32>], row: u32) -> Vec<u32> {
        let levels = &self.0;
        let destination = |from: u32| {
            let ports = up_path(levels, from).ports;
            let mut root = ports.iter().zip(1..).fold(0, |root, (port, level)| root * levels.parents(level) + port);
            let mut input = from / levels.terminals_below(levels.height() - 1);
            let mut subtree = 0;
            for (stage, level) in (1..=levels.height()).rev().enumerate() {
                let at = (subtree * levels.roots(level) + root) as usize;
                let digit = row / levels.terminals_below(level - 1) % levels.children(level);
                subtree = subtree * levels.children(level) + (input ^ states[stage][at] ^ digit);
                input = root % levels.parents(level);
                root /= levels.parents(level);
            }
            subtree
        };
        (0..levels.terminals()).map(destination).collect()
    }
}

impl Builder for Partition {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.terminals()))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.0, network) {
            return None;
        }
        let seed = u128::from(control.seed);
        let square = self.squares().map_or(seed, |count| seed % count);
        let states = self.representative(square);
        let mut transfers = Transfers::new(network, control);
        for row in 0..self.0.terminals() {
            for (from, to) in (0u32..).zip(self.permutation(&states, row)) {
                if from != to {
                    let path = up_down_path(&self.0, &up_path(&self.0, from).ports, from, to);
                    transfers.send_by(u64::from(row), from, from, path)?;
                }
            }
        }
        transfers.claim(u64::from(self.0.terminals()), Vec::new())
    }
}
