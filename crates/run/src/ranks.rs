//! **What:** several processes that share one run, each a rank, and what they say to each other.
//!
//! **Facts:** all ranks run the same program on the same problem and meet in [`Ranks::exchange`], all equally often. Whatever
//! decides how a search goes on (a clock, an interruption) is told there, so that all decide alike.

use std::sync::{Mutex, PoisonError};

/// The processes of a run.
pub trait Ranks: Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many there are, at least 1.
    fn count(&self) -> usize;

    /// Gives `outgoing[r]` to rank `r`, for all ranks; returns what each of them gives to this one, when all have done so.
    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Tells all others, without a meeting, that a task of a round is done and those after it are of no use.
    fn announce(&self, round: u32, position: u32) {
        let _ = (round, position);
    }

    /// The first task of a round that anybody has [announced](Ranks::announce), as far as it is known here.
    fn announced(&self, round: u32) -> Option<u32> {
        let _ = round;
        None
    }
}

/// What has been announced, for those who implement [`Ranks`].
#[derive(Debug, Default)]
pub struct Announced(Mutex<Option<(u32, u32)>>);

impl Announced {
    /// Takes down what somebody announces.
    pub fn note(&self, round: u32, position: u32) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = match *known {
            Some((later, first)) if later > round => Some((later, first)),
            Some((same, first)) if same == round => Some((same, first.min(position))),
            _ => Some((round, position)),
        };
    }

    /// The first task of a round that was announced.
    pub fn first(&self, round: u32) -> Option<u32> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.filter(|(of, _)| *of == round).map(|(_, position)| position)
    }
}

/// A process without others.
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        outgoing
    }
}

/// Gives rank 0 what each rank has; the others get nothing.
pub fn gather(ranks: &dyn Ranks, own: Vec<u8>) -> Vec<Vec<u8>> {
    let mut outgoing = vec![Vec::new(); ranks.count()];
    outgoing[0] = own;
    ranks.exchange(outgoing)
}

/// The number that rank 0 gives, at every rank.
pub fn agree(ranks: &dyn Ranks, number: u64) -> u64 {
    let told = ranks.exchange(vec![number.to_le_bytes().to_vec(); ranks.count()]);
    Reader(&told[0]).u64()
}

/// The items of rank `rank` of `count` when `items` are dealt out in runs, as evenly as may be.
pub fn share(items: usize, rank: usize, count: usize) -> std::ops::Range<usize> {
    items * rank / count..items * (rank + 1) / count
}

/// Numbers taken off the front of a message; zeros beyond its end, so that a damaged message does no harm.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    /// The next so many bytes, or all that are left.
    pub fn bytes(&mut self, count: usize) -> &[u8] {
        let (front, rest) = self.0.split_at(self.0.len().min(count));
        self.0 = rest;
        front
    }

    /// The next byte.
    pub fn u8(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (front, rest) = self.0.split_at(self.0.len().min(N));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..front.len()].copy_from_slice(front);
        bytes
    }

    /// The next u16.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    /// The next u32.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// The next u64.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// The next f64.
    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }
}
