//! **What:** processes that share a search: each works on some of the configurations, then all know what every one came to.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Gives bytes to all others, and returns what each has given, in order of their numbers, when all have done so.
pub(super) type Tell<'a> = dyn Fn(Vec<u8>) -> Vec<Vec<u8>> + Sync + 'a;

/// This process among others that search for the same, from the same state.
#[derive(Clone, Copy)]
pub struct Peers<'a> {
    rank: usize,
    count: usize,
    tell: &'a Tell<'a>,
}

/// What a process tells the others after its share.
#[derive(Serialize, Deserialize)]
struct News<T> {
    /// Whether it was stopped: then all end.
    stopped: bool,
    done: Vec<T>,
}

impl<'a> Peers<'a> {
    /// Nobody else.
    pub fn alone() -> Peers<'static> {
        Peers { rank: 0, count: 1, tell: &|own| vec![own] }
    }

    /// Process `rank` of `count`, from 0.
    pub fn new(rank: usize, count: usize, tell: &'a Tell<'a>) -> Self {
        Peers { rank, count: count.max(1), tell }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Those of a list that are this process's share, with their places in the list.
    pub(super) fn share<T>(&self, all: Vec<T>) -> Vec<(usize, T)> {
        all.into_iter().enumerate().filter(|(place, _)| place % self.count == self.rank).collect()
    }

    /// What all have done, in order of the list that was shared, and whether any was stopped.
    pub(super) fn gather<T: Serialize + DeserializeOwned>(&self, done: Vec<T>, stopped: bool) -> (Vec<T>, bool) {
        if self.count == 1 {
            return (done, stopped);
        }
        // Plain data always has a JSON form; what cannot be read is as if that process had been stopped.
        let own = serde_json::to_vec(&News { stopped, done }).unwrap_or_default();
        let news: Vec<Option<News<T>>> =
            (self.tell)(own).iter().map(|told| serde_json::from_slice(told).ok()).collect();
        let stopped = news.len() < self.count || news.iter().any(|n| n.as_ref().is_none_or(|n| n.stopped));
        let mut shares: Vec<_> = news.into_iter().map(|n| n.map_or_else(Vec::new, |n| n.done).into_iter()).collect();
        let mut all = Vec::new();
        loop {
            let before = all.len();
            all.extend(shares.iter_mut().filter_map(Iterator::next));
            if all.len() == before {
                return (all, stopped);
            }
        }
    }
}
