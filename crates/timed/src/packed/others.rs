//! **What:** transfers between other nodes than the trees say, since they can be made sooner.
//!
//! **Method.** Away from a root, a path that is idle, from a node that holds a chunk to one that is to get it, takes over the most urgent of these transfers, if the chunk comes sooner by it than it
//! came before. Towards a root it is the same backwards in time: an idle path, from a node that has all it waits for to one that has not sent yet, takes over what the first would send elsewhere, if
//! the second still waits for others or need not send later for it than it did before. Either way no channel comes to need more time, for its work and the latencies beside it, than about the one that
//! needs most, and what is behind the transfer in its tree stays there.

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

/// Which transfers may be hung up anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anew {
    /// Those that lead away from roots.
    Away,
    /// Those that lead towards them as well. By turns with the other it comes to shorter schedules than alone.
    Both,
}

/// Who holds what and wants what.
pub(super) struct Others<'a> {
    anew: Anew,
    /// The paths out of every node.
    out: Vec<Vec<usize>>,
    /// Away from roots, and towards them.
    sides: [Side; 2],
    /// The transfers of each message that begin at its root, where what leads towards it waits for others.
    from_root: HashMap<Message, Vec<usize>>,
    /// When each transfer arrived before, and when it began.
    before: &'a [u64],
    began: Vec<u64>,
    /// Paths that may have become of use.
    looks: Vec<usize>,
}

/// Transfers that lead away from roots, or those that lead towards them. The outer end of one is farther from the root.
struct Side {
    /// The messages that each node could send now.
    holds: Vec<Vec<u64>>,
    /// Those that could be sent to it: it has not got them, or has not sent them on.
    wants: Vec<Vec<u64>>,
    /// The transfer of a message whose outer end is a node; none where that is the root.
    of: HashMap<(Message, Node), usize>,
}

/// One that is taken over.
struct Taken {
    at: usize,
    inner: Option<usize>,
}

impl Side {
    fn new(nodes: usize, words: usize) -> Self {
        let none = || vec![vec![0; words]; nodes];
        Side { holds: none(), wants: none(), of: HashMap::new() }
    }

    /// The messages that a node holds and another wants.
    fn both(&self, from: Node, to: Node) -> impl Iterator<Item = Message> {
        let both = self.holds[from.index()].iter().zip(&self.wants[to.index()]).map(|(a, b)| a & b);
        both.enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| Message::new(word * 64 + bit))
        })
    }
}

impl<'a> Others<'a> {
    /// `None` where there is too much to keep.
    pub(super) fn new(net: &Net<'_>, tasks: &[Task], paths: &Paths, anew: Anew, before: &'a [u64]) -> Option<Self> {
        let words = tasks.iter().map(|one| one.message.index() / 64 + 1).max().unwrap_or(0);
        let nodes = net.network.node_count();
        if words * 64 * nodes > LARGEST {
            return None;
        }
        let mut others = Others {
            anew,
            out: vec![Vec::new(); nodes],
            sides: [Side::new(nodes, words), Side::new(nodes, words)],
            from_root: HashMap::new(),
            before,
            began: tasks.iter().zip(before).map(|(one, held)| held.saturating_sub(one.way.takes())).collect(),
            looks: Vec::new(),
        };
        for (path, [from, _]) in paths.ends.iter().enumerate() {
            others.out[from.index()].push(path);
        }
        let may_be_hung_up = |one: &Task| anew == Anew::Both || !one.inwards;
        for (at, one) in tasks.iter().enumerate().filter(|(_, one)| may_be_hung_up(one)) {
            let [from, to] = paths.ends[paths.of[at]];
            let side = &mut others.sides[usize::from(one.inwards)];
            let outer = if one.inwards { from } else { to };
            side.of.insert((one.message, outer), at);
            set(&mut side.wants[outer.index()], one.message);
            match one.inner {
                None if one.inwards => set(&mut side.wants[to.index()], one.message),
                None => others.from_root.entry(one.message).or_default().push(at),
                Some(_) => {}
            }
        }
        Some(others)
    }

    pub(super) fn until(&self) -> u64 {
        self.before.iter().copied().max().unwrap_or(0)
    }

    /// A node could send a message from now on.
    fn hold(&mut self, message: Message, node: Node, inwards: bool) {
        set(&mut self.sides[usize::from(inwards)].holds[node.index()], message);
        self.looks.extend(&self.out[node.index()]);
    }

    /// A channel may be idle.
    pub(super) fn free(&mut self, paths: &Paths, channel: Channel) {
        self.looks.extend(&paths.through[channel.index()]);
    }

    /// The most urgent transfer that a path can take over.
    fn best(&self, paths: &Paths, path: usize, tick: u64, urgent: &[u64], waits: &[usize]) -> Option<Taken> {
        let [from, to] = paths.ends[path];
        let held = tick + paths.ways[path].takes();
        let [away, towards] = &self.sides;
        let sooner = away.both(from, to).filter_map(|message| {
            let at = away.of[&(message, to)];
            (held < self.before[at]).then(|| Taken { at, inner: away.of.get(&(message, from)).copied() })
        });
        let in_time = towards.both(from, to).filter_map(|message| {
            let inner = towards.of.get(&(message, to)).copied();
            let is_in_time = inner.is_none_or(|inner| held <= self.began[inner] || waits[inner] > 0);
            is_in_time.then(|| Taken { at: towards.of[&(message, from)], inner })
        });
        sooner.chain(in_time).max_by_key(|taken| (urgent[taken.at], std::cmp::Reverse(taken.at)))
    }
}

impl List<'_> {
    /// Lets paths that are idle take over transfers that come sooner by them than they did.
    pub(super) fn take_over(&mut self, tick: u64, now: &mut Vec<usize>) {
        let Some(mut others) = self.others.take() else { return };
        for &at in now.iter() {
            self.begins(&mut others, at);
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
            if let Some(taken) = others.best(&self.paths, index, tick, self.order.urgent, &self.waits) {
                self.hang(taken.at, index, taken.inner);
                if self.tasks.0[taken.at].inwards {
                    self.hang_towards(&mut others, &taken, tick);
                }
                self.take(taken.at, tick);
                self.begins(&mut others, taken.at);
                now.push(taken.at);
            }
        }
        self.others = Some(others);
    }

    /// A transfer goes by another path, next to another in its tree.
    pub(super) fn hang(&mut self, at: usize, path: usize, inner: Option<usize>) {
        self.paths.of[at] = path;
        let one = &mut self.tasks.0[at];
        for channel in &one.way.path {
            self.left[channel.index()] -= self.net.busy[channel.index()];
            self.needed[channel.index()] -= self.net.busy[channel.index()];
        }
        (one.way, one.inner) = (self.paths.ways[path].clone(), inner);
        for channel in &one.way.path {
            self.left[channel.index()] += self.net.busy[channel.index()];
            self.needed[channel.index()] += self.net.busy[channel.index()];
        }
    }

    /// What waited for a transfer towards a root waits for it no longer, but its new receiver does before it sends.
    fn hang_towards(&mut self, others: &mut Others<'_>, taken: &Taken, tick: u64) {
        let message = self.tasks.0[taken.at].message;
        let after = match taken.inner {
            Some(inner) => vec![inner],
            None => others.from_root.get(&message).cloned().unwrap_or_default(),
        };
        for &next in &after {
            self.waits[next] += 1;
        }
        for next in std::mem::replace(&mut self.next[taken.at], after) {
            self.waits[next] -= 1;
            if self.waits[next] == 0 {
                self.will_be_ready(next, tick);
            }
        }
        if let Some(inner) = taken.inner {
            self.open[inner] = false;
            let sender = self.net.network.from(self.tasks.0[inner].way.path[0]);
            clear(&mut others.sides[1].holds[sender.index()], message);
        }
    }

    /// A transfer begins.
    fn begins(&self, others: &mut Others<'_>, at: usize) {
        let one = &self.tasks.0[at];
        let [away, towards] = &mut others.sides;
        if one.inwards {
            let sender = self.net.network.from(one.way.path[0]);
            clear(&mut towards.wants[sender.index()], one.message);
            clear(&mut towards.holds[sender.index()], one.message);
        } else {
            let receiver = self.net.network.to(*one.way.path.last().expect("paths have channels"));
            clear(&mut away.wants[receiver.index()], one.message);
        }
    }

    /// Notes who could send what from now on: receivers of what has arrived, roots of trees whose transfers are ready, and senders towards roots.
    pub(super) fn hold(&mut self, arrived: &[usize], ready: &[usize]) {
        let Some(others) = &mut self.others else { return };
        let network = &self.net.network;
        for &at in arrived {
            let one = &self.tasks.0[at];
            if !one.inwards {
                let receiver = network.to(*one.way.path.last().expect("paths have channels"));
                others.hold(one.message, receiver, false);
            }
        }
        for &at in ready {
            let one = &self.tasks.0[at];
            let may_send = if one.inwards { others.anew == Anew::Both } else { one.inner.is_none() };
            if may_send {
                others.hold(one.message, network.from(one.way.path[0]), one.inwards);
            }
        }
    }
}

/// Adds a message to a set of them.
pub(super) fn set(bits: &mut [u64], message: Message) {
    bits[message.index() / 64] |= 1 << (message.index() % 64);
}

/// Takes it out.
pub(super) fn clear(bits: &mut [u64], message: Message) {
    bits[message.index() / 64] &= !(1 << (message.index() % 64));
}
