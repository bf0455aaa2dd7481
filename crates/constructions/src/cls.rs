//! **What:** alltoall on fat trees and Clos networks by exclusive or, the rows of the canonical Latin square.
//!
//! **Promise:** N − 1 steps where every switch has as many ways up as down, the floor; else ⌈children / parents⌉ passes a
//! level and row. Numbers of children must be powers of two; `digits` is for all others.
//!
//! **Construction:** in row l terminal T sends to T ⊕ l: every switch of a level is in the state that sends input i to output
//! i ⊕ (the digit of l for that level). Exclusive or acts on the network, so without parallel links the messages of one
//! terminal stand for all that exclusive ors of the ports lead to: all terminals where there is one pass; else, where W is a
//! power of two, those of its pass.
//!
//! **Source:** F. Magliocca, thesis, Rome 2021, chapter 5; A. Massini, All-to-all personalized communication on multistage
//! interconnection networks, Discrete Applied Mathematics 128, 2003. Errata: in slimmed trees the state of pass p is the
//! digit ⊕ W·p, not their sum, and ⌈M/W⌉ passes are needed a level, not in all.
//!
//! **Example:** `gft:5,4,4`, 4095 steps

use crate::up_down::{few_enough, passes, square, square_of_orbits};
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope};
use kernel::{Certificate, Network};
use topologies::levels::Levels;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "cls",
    about: "fat trees: all exclusive ors, one a step; numbers of children are powers of 2",
    source: "Magliocca, thesis, Rome 2021, chapter 5; Massini, DAM 128, 2003",
    promise: "(N-1) ceil(M/W)^(H-1)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "gft:1,2,2",
        "gft:2,2,2",
        "gft:4,2,2",
        "gft:3,4,4",
        "gft:2,4,2",
        "gft:3,4,2",
        "gft:2,2,4",
        "fat-tree:64",
        "opened:gft:2,4,4",
        "opened:gft:2,4,2",
        "clos:4,4,4",
        "pgft:4,4;1,2;1,2",
    ],
    make: |request| {
        let levels = request.levels()?;
        let powers = (1..=levels.height()).all(|x| levels.children(x).is_power_of_two());
        let cls = powers.then_some(Cls(levels))?;
        (cls.uses_of_bases() <= MOST_USES || few_enough(&cls.0)).then(|| Box::new(cls) as Box<dyn Builder>)
    },
};

/// What to take instead where some number of children is no power of two.
pub(crate) fn hint(spec: &str) -> Option<String> {
    let levels = topologies::topology(spec).ok()?.levels()?;
    let odd = (1..=levels.height()).map(|x| levels.children(x)).find(|m| !m.is_power_of_two())?;
    Some(format!(
        "exclusive or needs numbers of children that are powers of 2, not {odd}; `digits`, digit-wise addition, works for any"
    ))
}

struct Cls(Levels);

impl Cls {
    /// Lowest bits of a level's digits whose exclusive ors keep a message's pass and turn its ports alike.
    fn bits(&self, level: usize) -> u32 {
        let (levels, all) = (&self.0, self.0.children(level).ilog2());
        if (1..=levels.height()).any(|x| levels.cables(x) != 1) {
            return 0;
        }
        match level < levels.height() && levels.parents(level + 1) < levels.children(level) {
            true => levels.parents(level + 1).trailing_zeros(),
            false => all,
        }
    }

    /// These bits of all levels, in a terminal's number.
    fn free_bits(&self) -> u32 {
        let bits = |level| (self.0.terminals_below(level - 1) << self.bits(level)) - self.0.terminals_below(level - 1);
        (1..=self.0.height()).map(bits).sum()
    }

    /// Channel uses of the terminals that stand for all.
    fn uses_of_bases(&self) -> u64 {
        let (n, free) = (u64::from(self.0.terminals()), self.free_bits().count_ones());
        (n >> free).saturating_mul(n).saturating_mul(2 * self.0.height() as u64)
    }
}

impl Builder for Cls {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.terminals() - 1) * passes(&self.0))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let row = |row: u32, source: u32| source ^ row;
        if self.free_bits() == 0 {
            return square(network, &self.0, control, row);
        }
        let images = |level| {
            let flip = |bit: u32| (2, Box::new(move |digit| digit ^ (1u32 << bit)) as Box<dyn Fn(u32) -> u32>);
            (0..self.bits(level)).map(flip).collect()
        };
        let free = self.free_bits();
        let bases = (0..self.0.terminals()).filter(|terminal| terminal & free == 0);
        square_of_orbits(network, &self.0, control, images, bases, row)
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(crate::up_down::floor(network, &self.0))
    }
}
