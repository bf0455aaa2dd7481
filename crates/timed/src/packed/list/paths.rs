//! **What:** the different paths of transfers, of each those that are ready for it, and of each channel the paths that wait for it.

use super::Key;
use crate::packed::net::Net;
use crate::packed::tasks::{Task, Way};
use kernel::{Channel, Node};
use std::collections::{BinaryHeap, HashMap};

/// Paths with what a chunk takes along them: no two are alike.
pub(in crate::packed) struct Paths {
    pub ways: Vec<Way>,
    /// Where each begins, and where it ends.
    pub ends: Vec<[Node; 2]>,
    /// The paths through every channel, and those that begin with it.
    pub through: Vec<Vec<usize>>,
    pub from: Vec<Vec<usize>>,
    /// The path of every transfer.
    pub of: Vec<usize>,
    /// Those that wait for each path, the first one on top, among them some that have begun.
    waiting: Vec<BinaryHeap<Key>>,
    /// Whether a transfer is among those that wait.
    waits: Vec<bool>,
    /// The paths that wait for each channel, the one with the most urgent transfer on top, among them some that have been tried since.
    queues: Vec<BinaryHeap<Queued>>,
    /// How often each path has been tried.
    tries: Vec<u32>,
}

/// A path that waits for a channel, as urgent as its first transfer was when it had been tried so often.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Queued {
    key: Key,
    path: usize,
    tries: u32,
}

impl Paths {
    pub(in crate::packed) fn new(net: &Net<'_>, tasks: &[Task]) -> Self {
        let channels = net.network.channel_count();
        let mut paths = Paths {
            ways: Vec::new(),
            ends: Vec::new(),
            through: vec![Vec::new(); channels],
            from: vec![Vec::new(); channels],
            of: Vec::with_capacity(tasks.len()),
            waiting: Vec::new(),
            waits: vec![false; tasks.len()],
            queues: std::iter::repeat_with(BinaryHeap::new).take(channels).collect(),
            tries: Vec::new(),
        };
        let mut known: HashMap<(&[Channel], u64, u64), usize> = HashMap::new();
        for Task { way, .. } in tasks {
            let index = *known.entry((&way.path, way.lasts, way.rate)).or_insert_with(|| paths.add(net, way.clone()));
            paths.of.push(index);
        }
        paths
    }

    /// One more path, unlike those before; its number.
    pub(in crate::packed) fn add(&mut self, net: &Net<'_>, way: Way) -> usize {
        let (first, last) = (way.path[0], way.path[way.path.len() - 1]);
        let index = self.ways.len();
        way.path.iter().for_each(|c| self.through[c.index()].push(index));
        self.from[first.index()].push(index);
        self.ends.push([net.network.from(first), net.network.to(last)]);
        self.ways.push(way);
        self.waiting.push(BinaryHeap::new());
        self.tries.push(0);
        index
    }

    /// A transfer waits for its path.
    pub(super) fn wait(&mut self, at: usize, key: Key) {
        if !std::mem::replace(&mut self.waits[at], true) {
            self.waiting[self.of[at]].push(key);
        }
    }

    /// The most urgent transfer that waits for a path; those that are not open any more wait no longer.
    pub(super) fn first(&mut self, path: usize, open: &[bool]) -> Option<usize> {
        let waiting = &mut self.waiting[path];
        while let Some(key) = waiting.peek() {
            let at = key.1.0;
            if open[at] {
                return Some(at);
            }
            self.waits[at] = false;
            waiting.pop();
        }
        None
    }

    /// A path is tried, and waits for no channel meanwhile.
    pub(super) fn begin_try(&mut self, path: usize) {
        self.tries[path] += 1;
    }

    /// A path waits for a channel, and for no other.
    pub(super) fn queue(&mut self, path: usize, channel: Channel, key: Key) {
        self.tries[path] += 1;
        self.queues[channel.index()].push(Queued { key, path, tries: self.tries[path] });
    }

    /// Takes the path with the most urgent transfer of those that wait for a channel.
    pub(super) fn first_of(
        &mut self,
        channel: Channel,
        open: &[bool],
        key: impl Fn(usize) -> Key,
    ) -> Option<(Key, usize)> {
        while let Some(Queued { path, tries, .. }) = self.queues[channel.index()].pop() {
            if tries != self.tries[path] {
                continue;
            }
            let Some(at) = self.first(path, open) else { continue };
            // Transfers become less urgent, or begin, while the path waits, so what is still more urgent than the next one was is the most urgent of all.
            let key = key(at);
            let queue = &mut self.queues[channel.index()];
            if queue.peek().is_none_or(|next| key >= next.key) {
                return Some((key, path));
            }
            queue.push(Queued { key, path, tries });
        }
        None
    }
}
