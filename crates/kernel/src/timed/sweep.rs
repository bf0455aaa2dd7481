//! **What:** what is used at which time, and where that is more than there is: a sweep over the beginnings and ends of uses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A use of something limited, from a tick until before another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// Which channel, group or node.
    pub key: u32,
    pub from: u64,
    pub until: u64,
    pub amount: u64,
}

/// More is used than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overload {
    pub key: u32,
    /// The tick from which it is so.
    pub tick: u64,
    pub used: u128,
    pub limit: u64,
}

/// Tells of every time from which more is used than the limit of a key; what has no limit is not looked at.
pub(super) fn overloads(mut uses: Vec<Use>, limit: impl Fn(u32) -> Option<u64>, mut tell: impl FnMut(Overload)) {
    uses.sort_unstable_by_key(|one| (one.key, one.from));
    for of in uses.chunk_by(|a, b| a.key == b.key) {
        let key = of[0].key;
        let Some(limit) = limit(key) else { continue };
        let (mut used, mut over) = (0u128, false);
        let mut ends: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
        for beginning in of.chunk_by(|a, b| a.from == b.from) {
            let tick = beginning[0].from;
            while let Some(Reverse((_, amount))) = ends.peek().copied().filter(|Reverse((until, _))| *until <= tick) {
                ends.pop();
                used -= u128::from(amount);
            }
            over &= used > limit.into();
            for one in beginning {
                used += u128::from(one.amount);
                ends.push(Reverse((one.until, one.amount)));
            }
            if used > limit.into() && !std::mem::replace(&mut over, true) {
                tell(Overload { key, tick, used, limit });
            }
        }
    }
}
