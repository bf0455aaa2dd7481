//! **What:** alltoall on fat trees and Clos networks by addition digit by digit, whatever the numbers of children.
//!
//! **Promise:** N − 1 steps where every switch has as many ways up as down, the floor; else ⌈children / parents⌉ passes a
//! level and row.
//!
//! **Construction:** as `cls`, with addition modulo the number of children in the place of exclusive or: in row l terminal T
//! sends to the terminal whose every digit is that of T and that of l, added. Any group of permutations that the network
//! realises makes a Latin square of them: Z_N makes `lls`, Z₂ⁿ `cls`, and Z_M₁ × Z_M₂ × … this one. Where there is one pass
//! and no parallel link the group acts on the network, and the messages of one terminal stand for all.
//!
//! **Source:** ours, after V. W. Liu, C. Chen, R. B. Chen, J. Comb. Optim. 14, 2007 (d-ary multistage networks)
//!
//! **Example:** `gft:3,5,5`, 624 steps

use crate::up_down::{few_enough, has_automorphisms, passes, square, square_of_orbits};
use construct::{Builder, Claim, Construction, Control, Scope};
use kernel::{Certificate, Network};
use topologies::levels::Levels;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "digits",
    about: "fat trees: all additions digit by digit, one a step",
    source: "ours, after Liu, Chen, Chen, J. Comb. Optim. 14, 2007",
    promise: "(N-1) ceil(M/W)^(H-1)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "gft:2,3,3",
        "gft:3,3,3",
        "gft:2,6,6",
        "gft:1,7,7",
        "gft:2,2,3",
        "gft:2,3,5",
        "gft:3,5,5",
        "gft:2,3,2",
        "gft:5,4,4",
        "fat-tree:4",
        "opened:gft:2,3,3",
        "opened:gft:2,3,2",
        "clos:3,3,4",
        "clos:5,3,4",
        "clos:2,3,2",
        "xgft:2,3,4;1,2,3",
        "xgft:4,2,2;1,4,2",
        "pgft:3,3;1,3;1,1",
        "pgft:2,2,2;1,1,2;1,2,1",
        "pgft:3,2;1,1;1,3",
    ],
    make: |request| {
        let levels = request.levels().filter(|levels| has_automorphisms(levels) || few_enough(levels))?;
        Some(Box::new(Digits(levels)))
    },
};

struct Digits(Levels);

impl Builder for Digits {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.terminals() - 1) * passes(&self.0))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !has_automorphisms(&self.0) {
            return square(network, &self.0, control, |row, source| self.added(row, source));
        }
        let images = |level| {
            let of = self.0.children(level);
            let next: Box<dyn Fn(u32) -> u32> = Box::new(move |digit| (digit + 1) % of);
            vec![(of, next)]
        };
        square_of_orbits(network, &self.0, control, images, std::iter::once(0), |row, source| self.added(row, source))
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(crate::up_down::floor(network, &self.0))
    }
}

impl Digits {
    /// The sum of two numbers digit by digit, without carries.
    fn added(&self, mut a: u32, mut b: u32) -> u32 {
        let (mut sum, mut scale) = (0, 1);
        for level in 1..=self.0.height() {
            let of = self.0.children(level);
            sum += scale * ((a % of + b % of) % of);
            (a, b, scale) = (a / of, b / of, scale * of);
        }
        sum
    }
}
