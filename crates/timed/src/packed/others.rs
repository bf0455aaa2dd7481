//! **What:** transfers that another sender makes than the tree says, since it can make them sooner.
//!
//! **Method.** A path that is idle, from a node that holds a chunk to one that is to get it, takes over the most urgent of these transfers, if the chunk comes sooner by it than it
//! came before and no channel needs more time for its work and the latencies beside it than about the one that needs most. The tree is hung up anew there: what leads away from the receiver stays.

use super::list::{List, Paths};
use super::net::Net;
use super::tasks::Task;
use kernel::{Channel, Message, Node};
use std::collections::HashMap;

/// Bits of all messages at all nodes that are kept.
const LARGEST: usize = 1 << 28;
/// Taking over may bring channels beyond what the one that needs most time needs by this part of it.
const BEYOND: u64 = 50;

/// What no channel may come to need where transfers are taken over and so much is the most that one needs: paths that are idle early would be filled at the cost of what comes late.
pub(super) fn most(needed: u64) -> u64 {
    needed.saturating_add(needed / BEYOND)
}

/// Who holds what and wants what.
pub(super) struct Others<'a> {
    /// The paths out of every node.
    out: Vec<Vec<usize>>,
    holds: Vec<Vec<u64>>,
    wants: Vec<Vec<u64>>,
    /// The transfer that brings a message to a node.
    to: HashMap<(Message, Node), usize>,
    /// The transfer that brought it, of those that have begun; none where its tree begins.
    by: HashMap<(Message, Node), Option<usize>>,
    /// When each transfer arrived before.
    before: &'a [u64],
    /// Paths that may have become of use.
    looks: Vec<usize>,
}

/// One that is taken over.
struct Taken {
    at: usize,
    inner: Option<usize>,
}

impl<'a> Others<'a> {
    /// `None` where there is too much to keep.
    pub(super) fn new(net: &Net<'_>, tasks: &[Task], paths: &Paths, before: &'a [u64]) -> Option<Self> {
        let words = tasks.iter().map(|one| one.message.index() / 64 + 1).max().unwrap_or(0);
        let nodes = net.network.node_count();
        if words * 64 * nodes > LARGEST {
            return None;
        }
        let mut others = Others {
            out: vec![Vec::new(); nodes],
            holds: vec![vec![0; words]; nodes],
            wants: vec![vec![0; words]; nodes],
            to: HashMap::new(),
            by: HashMap::new(),
            before,
            looks: Vec::new(),
        };
        for (path, [from, _]) in paths.ends.iter().enumerate() {
            others.out[from.index()].push(path);
        }
        for (at, one) in tasks.iter().enumerate().filter(|(_, one)| !one.inwards) {
            let [_, to] = paths.ends[paths.of[at]];
            others.to.insert((one.message, to), at);
            set(&mut others.wants[to.index()], one.message);
        }
        Some(others)
    }

    pub(super) fn until(&self) -> u64 {
        self.before.iter().copied().max().unwrap_or(0)
    }

    /// A node holds a message from now on.
    fn hold(&mut self, message: Message, node: Node, by: Option<usize>) {
        if self.by.insert((message, node), by).is_none() {
            set(&mut self.holds[node.index()], message);
            self.looks.extend(&self.out[node.index()]);
        }
    }

    /// A channel may be idle.
    pub(super) fn free(&mut self, paths: &Paths, channel: Channel) {
        self.looks.extend(&paths.through[channel.index()]);
    }

    /// The most urgent transfer that comes sooner by a path.
    fn best(&self, paths: &Paths, path: usize, tick: u64, urgent: &[u64]) -> Option<Taken> {
        let (way, [from, to]) = (&paths.ways[path], &paths.ends[path]);
        let held = tick + way.takes();
        let both = self.holds[from.index()].iter().zip(&self.wants[to.index()]).map(|(a, b)| a & b);
        let bits = both.enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Message::new(word * 64 + bit))
        });
        let sooner = bits.map(|message| (message, self.to[&(message, *to)])).filter(|(_, at)| held < self.before[*at]);
        let (message, at) = sooner.max_by_key(|(_, at)| (urgent[*at], std::cmp::Reverse(*at)))?;
        Some(Taken { at, inner: self.by[&(message, *from)] })
    }
}

impl List<'_> {
    /// Lets paths that are idle take over transfers that come sooner by them than they did.
    pub(super) fn take_over(&mut self, tick: u64, now: &mut Vec<usize>) {
        let Some(mut others) = self.others.take() else { return };
        for &at in now.iter() {
            self.wanted_no_more(&mut others, at);
        }
        let mut looks = std::mem::take(&mut others.looks);
        looks.sort_unstable();
        looks.dedup();
        for index in looks {
            let way = &self.paths.ways[index];
            let full = |c: &Channel| {
                let more = self.net.busy[c.index()];
                tick + self.left[c.index()] + more > self.until
                    || self.needed[c.index()].saturating_add(more) > self.most
            };
            if !self.may_begin(way, tick) || way.path.iter().any(full) || self.room(way, tick).is_some() {
                continue;
            }
            if let Some(taken) = others.best(&self.paths, index, tick, self.order.urgent) {
                self.paths.of[taken.at] = index;
                let one = &mut self.tasks.0[taken.at];
                for channel in &one.way.path {
                    self.left[channel.index()] -= self.net.busy[channel.index()];
                    self.needed[channel.index()] -= self.net.busy[channel.index()];
                }
                (one.way, one.inner) = (self.paths.ways[index].clone(), taken.inner);
                for channel in &one.way.path {
                    self.left[channel.index()] += self.net.busy[channel.index()];
                    self.needed[channel.index()] += self.net.busy[channel.index()];
                }
                self.take(taken.at, tick);
                self.wanted_no_more(&mut others, taken.at);
                now.push(taken.at);
            }
        }
        self.others = Some(others);
    }

    fn wanted_no_more(&self, others: &mut Others<'_>, at: usize) {
        let one = &self.tasks.0[at];
        if !one.inwards {
            let receiver = self.net.network.to(*one.way.path.last().expect("paths have channels"));
            clear(&mut others.wants[receiver.index()], one.message);
        }
    }

    /// Notes who holds what from now on: receivers of what has arrived, and roots of trees whose transfers are ready.
    pub(super) fn hold(&mut self, arrived: &[usize], ready: &[usize]) {
        let Some(others) = &mut self.others else { return };
        let network = &self.net.network;
        for &at in arrived {
            let one = &self.tasks.0[at];
            if !one.inwards {
                let receiver = network.to(*one.way.path.last().expect("paths have channels"));
                others.hold(one.message, receiver, Some(at));
            }
        }
        for &at in ready {
            let one = &self.tasks.0[at];
            if !one.inwards && one.inner.is_none() {
                others.hold(one.message, network.from(one.way.path[0]), None);
            }
        }
    }
}

fn set(bits: &mut [u64], message: Message) {
    bits[message.index() / 64] |= 1 << (message.index() % 64);
}

fn clear(bits: &mut [u64], message: Message) {
    bits[message.index() / 64] &= !(1 << (message.index() % 64));
}
