//! **What:** alltoall on fat trees and Clos networks by rotations, the rows of the left Latin square.
//!
//! **Promise:** N − 1 steps where every switch has as many ways up as down, the floor; else ⌈children / parents⌉ passes a
//! level and rotation: (N − 1)·⌈M/W⌉^(H−1) on `gft:H,M,W`.
//!
//! **Construction:** in rotation k terminal T sends to T − k. The lowest digits of T tell those of T − k, so all messages
//! climb by the digits of their sources and pass without conflict. The module `settings` has the same as states of switches,
//! which is how the source puts it.
//!
//! **Source:** F. Magliocca, Realizzazione di comunicazione all-to-all in sistemi multiprocessore attraverso reti Fat Tree, Rome
//! 2021, chapter 4. Errata: its algorithms 1 and 2 are right only after the corrections that `settings` lists, and three
//! levels of slimmed switches take ⌈M/W⌉ passes a level, not in all: with ⌈M/W⌉ passes only half of the messages of
//! `gft:3,4,2` arrive.
//!
//! **Example:** `gft:2,4,4`, 63 steps

use crate::up_down::{few_enough, passes, square};
use construct::{Builder, Claim, Construction, Control, Scope};
use kernel::{Certificate, Network};
use topologies::levels::Levels;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "lls",
    about: "fat trees: all rotations, one a step",
    source: "Magliocca, thesis, Rome 2021, chapter 4, corrected",
    promise: "(N-1) ceil(M/W)^(H-1)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "gft:2,2,2",
        "gft:2,2,3",
        "gft:2,4,2",
        "gft:3,3,2",
        "gft:1,5,2",
        "fat-tree:16",
        "opened:gft:2,2,2",
        "clos:3,3,4",
        "clos:2,3,2",
        "xgft:2,3,4;1,2,3",
        "pgft:4,4;1,2;1,2",
        "pgft:2,2,2;1,1,2;1,2,1",
    ],
    make: |request| {
        let levels = request.levels().filter(few_enough)?;
        Some(Box::new(Lls(levels)))
    },
};

struct Lls(Levels);

impl Builder for Lls {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.terminals() - 1) * passes(&self.0))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let n = self.0.terminals();
        square(network, &self.0, control, |k, source| (source + n - k) % n)
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(crate::up_down::floor(network, &self.0))
    }
}
