//! **What:** the ranks of messages: those of a higher rank go first where several wait for the same lane.
//!
//! **Method.** A hop that is left counts as much as [`A_HOP`], and each message has a rank of its own beside it, which is drawn. From attempt to attempt the ranks of a
//! few messages are drawn anew, and kept if the steps are no more, nor what the last step holds that was filled. Where that has not made them fewer for long, all are drawn anew.
//!
//! **Why.** The hops that are left alone send what goes far before all else, from either end. Then those who receive have nothing to do at first, and some of what goes a short way should
//! come before it, but which and how much of it depends on the network.

use super::filling::Filled;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// What a hop that is left adds to a rank.
pub(super) const A_HOP: u32 = 256;

/// Attempts without fewer steps after which all ranks are drawn anew.
const PATIENCE: u32 = 500;

/// Most hops that a message's own rank counts as much as.
const MOST_HOPS: u32 = 4;

/// Of the messages whose ranks are drawn anew, the most: so many, and one in so many of all.
const FEW: usize = 5;
const ONE_IN: usize = 256;

/// Steps, and hops in the last of them that was filled.
type Cost = (usize, usize);

/// The ranks with which steps were fewest.
pub(super) struct Ranks {
    of: Vec<u32>,
    /// Of these ranks, once they were tried.
    cost: Option<Cost>,
    /// Attempts since the cost has become less.
    since: u32,
}

impl Ranks {
    /// Of so many messages: those with equally many hops left in any order.
    pub(super) fn new(messages: usize, random: &mut Pcg64Mcg) -> Self {
        Ranks { of: draw(messages, 1, random), cost: None, since: 0 }
    }

    /// All are drawn anew if that should be tried; whether they were.
    pub(super) fn renew(&mut self, random: &mut Pcg64Mcg) -> bool {
        let is_stuck = self.since >= PATIENCE;
        if is_stuck {
            let hops = random.random_range(1..=MOST_HOPS);
            *self = Ranks { of: draw(self.of.len(), hops, random), cost: None, since: 0 };
        }
        is_stuck
    }

    /// The ranks to be tried next.
    pub(super) fn next(&mut self, random: &mut Pcg64Mcg) -> Vec<u32> {
        let mut next = self.of.clone();
        self.since += 1;
        if self.cost.is_some() && !next.is_empty() {
            for _ in 0..random.random_range(1..=FEW + next.len() / ONE_IN) {
                let at = random.random_range(0..next.len());
                next[at] = random.random_range(0..MOST_HOPS * A_HOP);
            }
        }
        next
    }

    /// More steps than this are of no use.
    pub(super) fn limit(&self) -> usize {
        self.cost.map_or(usize::MAX, |(steps, _)| steps)
    }

    /// With these ranks the steps were filled in this way.
    pub(super) fn take(&mut self, ranks: Vec<u32>, filled: &Filled) {
        let cost = (filled.steps.len(), filled.last);
        if self.cost.is_none_or(|known| cost < known) {
            self.since = 0;
        }
        if self.cost.is_none_or(|known| cost <= known) {
            (self.of, self.cost) = (ranks, Some(cost));
        }
    }
}

/// Ranks of messages that count as much as so many hops.
fn draw(messages: usize, hops: u32, random: &mut Pcg64Mcg) -> Vec<u32> {
    (0..messages).map(|_| random.random_range(0..hops * A_HOP)).collect()
}
