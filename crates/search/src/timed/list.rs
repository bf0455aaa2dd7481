//! **What:** when each transfer of the trees begins: list scheduling by events.
//!
//! **Method.** A transfer is ready when its sender holds the chunk. At each tick at which something is ready or a channel is free again, transfers are tried in the
//! order of what they have still to go: their own time and the longest chain of transfers behind them, and the work left on the busiest channel of their path.
//! One that finds a channel busy waits for that channel, and is tried again when it is free. After that, a transfer that begins at this tick is taken back where it is in
//! the way of a sender that would be idle, if its own sender can begin another instead: so ports of switches are used as a matching would.

use super::Demand;
use super::net::Net;
use super::trees::Tree;
use kernel::{Channel, Message};
use run::Run;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Transfers of a sender that are tried in the place of others.
const TRIES: usize = 8;

/// Looks at a queue for the first one.
const LOOKS: usize = 32;

/// A transfer that has a beginning.
#[derive(Clone, Debug)]
pub(super) struct Begun {
    pub message: Message,
    pub path: Vec<Channel>,
    pub tick: u64,
    /// When its receiver holds the chunk.
    pub held: u64,
}

/// A transfer that waits.
struct Waiting<'a> {
    message: Message,
    path: &'a [Channel],
    lasts: u64,
    rate: u64,
    latency: u64,
    /// Its own time and that of the longest chain behind it.
    rest: u64,
    /// The transfers that it makes ready.
    next: Vec<usize>,
}

/// A channel's bandwidth that is taken from a tick until before another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Taken {
    from: u64,
    until: u64,
    rate: u64,
}

/// What is to go first is largest.
type Key = (u64, Reverse<usize>);

struct List<'a> {
    net: &'a Net<'a>,
    all: Vec<Waiting<'a>>,
    taken: Vec<Vec<Taken>>,
    /// Ticks of work that each channel has before it.
    left: Vec<u64>,
    /// Those that wait for a channel, the first ones on top.
    queues: Vec<BinaryHeap<Key>>,
    /// The channels that are free again, and the transfers that are ready, by tick.
    events: BTreeMap<u64, Events>,
    /// Of every channel, those that wait and leave their sender by it, with what they have still to go.
    senders: Vec<BTreeSet<(u64, usize)>>,
    /// Whether a transfer waits: it is ready and has not begun.
    waits: Vec<bool>,
}

#[derive(Default)]
struct Events {
    ready: Vec<usize>,
    free: Vec<Channel>,
}

/// The beginnings of all transfers; `None` where the run is stopped.
pub(super) fn begin(net: &Net<'_>, demands: &[Demand], trees: &[Tree], run: &Run<'_>) -> Option<Vec<Begun>> {
    let mut list = List::new(net, demands, trees);
    let mut begun = Vec::with_capacity(list.all.len());
    while let Some((tick, events)) = list.events.pop_first() {
        if run.stopped() {
            return None;
        }
        list.tick(tick, events, &mut begun);
    }
    Some(begun)
}

impl<'a> List<'a> {
    fn new(net: &'a Net<'a>, demands: &[Demand], trees: &'a [Tree]) -> Self {
        let channels = net.network.channel_count();
        let mut all: Vec<Waiting<'a>> = Vec::new();
        let mut left = vec![0; channels];
        let mut first = Vec::new();
        for (demand, tree) in demands.iter().zip(trees) {
            let base = all.len();
            for hop in tree {
                let (lasts, rate) = net.transfer(&hop.path);
                let latency = net.latency(&hop.path);
                hop.path.iter().for_each(|c| left[c.index()] += net.busy[c.index()]);
                let (message, rest) = (demand.message, latency + lasts);
                all.push(Waiting { message, path: &hop.path, lasts, rate, latency, rest, next: Vec::new() });
            }
            // Parents stand before their children.
            for (at, hop) in tree.iter().enumerate().rev() {
                match hop.after {
                    None => first.push(base + at),
                    Some(after) => {
                        let chain = all[base + at].rest + all[base + after].latency + all[base + after].lasts;
                        all[base + after].rest = all[base + after].rest.max(chain);
                        all[base + after].next.push(base + at);
                    }
                }
            }
        }
        let taken = vec![Vec::new(); channels];
        let queues = vec![BinaryHeap::new(); channels];
        let events = BTreeMap::from([(0, Events { ready: first, free: Vec::new() })]);
        let (senders, waits) = (vec![BTreeSet::new(); channels], vec![false; all.len()]);
        List { net, all, taken, left, queues, events, senders, waits }
    }

    fn key(&self, at: usize) -> Key {
        let one = &self.all[at];
        let busiest = one.path.iter().map(|c| self.left[c.index()]).max().unwrap_or(0);
        (one.rest + busiest, Reverse(at))
    }

    /// Takes the first one out of a channel's queue. Keys only become less while they wait, so the first one by its key of now is found by
    /// looking at those that are first by older keys; after some looks the best of these will do.
    fn first_of(&mut self, channel: Channel) -> Option<Key> {
        let mut best: Option<Key> = None;
        let mut others = Vec::new();
        while others.len() < LOOKS {
            let queue = &mut self.queues[channel.index()];
            if queue.peek().is_none_or(|next| best.is_some_and(|best| best >= *next)) {
                break;
            }
            let Some((_, Reverse(at))) = queue.pop().filter(|(_, Reverse(at))| self.waits[*at]) else { continue };
            let key = self.key(at);
            if best.is_none_or(|best| key > best) {
                others.extend(best.replace(key));
            } else {
                others.push(key);
            }
        }
        self.queues[channel.index()].extend(others);
        best
    }

    fn tick(&mut self, tick: u64, events: Events, begun: &mut Vec<Begun>) {
        for &at in &events.ready {
            self.waits[at] = true;
            self.senders[self.all[at].path[0].index()].insert((self.all[at].rest, at));
        }
        let mut tries: BinaryHeap<(Key, Option<Channel>)> =
            events.ready.iter().map(|at| (self.key(*at), None)).collect();
        for channel in events.free {
            self.taken[channel.index()].retain(|taken| taken.until > tick);
            tries.extend(self.first_of(channel).map(|key| (key, Some(channel))));
        }
        let mut now = Vec::new();
        while let Some(((_, Reverse(at)), from)) = tries.pop() {
            let blocked = if self.waits[at] { self.blocked(at, tick) } else { None };
            match blocked {
                None if self.waits[at] => {
                    self.take(at, tick);
                    now.push(at);
                }
                // It has begun in the place of another.
                None => {}
                Some(channel) => {
                    let key = self.key(at);
                    self.queues[channel.index()].push(key);
                }
            }
            // The next one of the same channel, unless it is that channel that has no room.
            if let Some(channel) = from.filter(|channel| blocked != Some(*channel)) {
                tries.extend(self.first_of(channel).map(|key| (key, Some(channel))));
            }
        }
        self.exchange(tick, &mut now);
        for at in now {
            self.begin(at, tick, begun);
        }
    }

    /// Where a sender is idle since one that begins now is in the way of what it could send: takes that one back, if its sender can begin
    /// another instead.
    fn exchange(&mut self, tick: u64, now: &mut Vec<usize>) {
        let mut open: Vec<Channel> =
            self.net.network.channels().filter(|c| !self.senders[c.index()].is_empty()).collect();
        while let Some(sender) = open.pop() {
            let wait: Vec<usize> = self.senders[sender.index()].iter().rev().take(TRIES).map(|(_, at)| *at).collect();
            for at in wait {
                let idle = self.blocked(at, tick).is_some_and(|channel| channel != sender);
                if idle && let Some(freed) = self.in_the_place(at, tick, now) {
                    // Who was taken back may now be begun in the place of another.
                    open.push(freed);
                    break;
                }
            }
        }
    }

    /// Begins a transfer in the place of one that begins now and whose sender begins another; the channel by which that one would have left its sender,
    /// if that leaves work to be tried again.
    fn in_the_place(&mut self, at: usize, tick: u64, now: &mut Vec<usize>) -> Option<Channel> {
        let shares = |one: &usize, list: &Self| list.all[*one].path.iter().any(|c| list.all[at].path[1..].contains(c));
        let rivals: Vec<usize> = (0..now.len()).filter(|place| shares(&now[*place], self)).collect();
        for place in rivals {
            let rival = now[place];
            self.give_back(rival, tick);
            if self.blocked(at, tick).is_none() {
                self.take(at, tick);
                let sender = self.all[rival].path[0];
                let others = self.senders[sender.index()].iter().rev().take(TRIES).map(|(_, other)| *other);
                let other = others.filter(|other| *other != rival).find(|other| self.blocked(*other, tick).is_none());
                if let Some(other) = other {
                    self.take(other, tick);
                    now[place] = at;
                    now.push(other);
                    if let Some(channel) = self.blocked(rival, tick) {
                        let key = self.key(rival);
                        self.queues[channel.index()].push(key);
                    }
                    return Some(sender);
                }
                self.give_back(at, tick);
            }
            self.take(rival, tick);
        }
        None
    }

    /// The first channel that has no room for a transfer that begins now.
    fn blocked(&self, at: usize, tick: u64) -> Option<Channel> {
        let one = &self.all[at];
        let mut from = tick;
        for &channel in one.path {
            let until = from + one.lasts;
            let room = self.net.problem.bandwidth(channel) - one.rate;
            if self.most(channel, from, until) > room {
                return Some(channel);
            }
            from += self.net.problem.latency(channel);
        }
        None
    }

    /// The most that is taken of a channel at any tick from one until before another.
    fn most(&self, channel: Channel, from: u64, until: u64) -> u64 {
        let of = &self.taken[channel.index()];
        let at = |tick: u64| of.iter().filter(|t| t.from <= tick && tick < t.until).map(|t| t.rate).sum::<u64>();
        // It is largest where something begins.
        let starts = of.iter().map(|taken| taken.from).filter(|start| from < *start && *start < until);
        starts.chain([from]).map(at).max().unwrap_or(0)
    }

    /// Takes the bandwidth of a transfer that begins now.
    fn take(&mut self, at: usize, tick: u64) {
        let Waiting { path, lasts, rate, rest, .. } = self.all[at];
        let mut from = tick;
        for &channel in path {
            self.taken[channel.index()].push(Taken { from, until: from + lasts, rate });
            self.left[channel.index()] -= self.net.busy[channel.index()];
            from += self.net.problem.latency(channel);
        }
        self.waits[at] = false;
        self.senders[path[0].index()].remove(&(rest, at));
    }

    /// The other way round.
    fn give_back(&mut self, at: usize, tick: u64) {
        let Waiting { path, lasts, rate, rest, .. } = self.all[at];
        let mut from = tick;
        for &channel in path {
            let taken = &mut self.taken[channel.index()];
            let own = Taken { from, until: from + lasts, rate };
            let place = taken.iter().rposition(|taken| *taken == own).expect("it has been taken");
            taken.swap_remove(place);
            self.left[channel.index()] += self.net.busy[channel.index()];
            from += self.net.problem.latency(channel);
        }
        self.waits[at] = true;
        self.senders[path[0].index()].insert((rest, at));
    }

    /// What has its beginning now: when its channels are free again, and what it makes ready.
    fn begin(&mut self, at: usize, tick: u64, begun: &mut Vec<Begun>) {
        let Waiting { message, path, lasts, latency, .. } = self.all[at];
        let held = tick + latency + lasts;
        let mut from = tick;
        for &channel in path {
            // Whoever comes to it as far on its path as this one may begin as soon as this one ends to send; whoever begins with it, later.
            self.events.entry(tick + lasts).or_default().free.push(channel);
            if from > tick {
                self.events.entry(from + lasts).or_default().free.push(channel);
            }
            from += self.net.problem.latency(channel);
        }
        let next = std::mem::take(&mut self.all[at].next);
        self.events.entry(held).or_default().ready.extend(next);
        begun.push(Begun { message, path: path.to_vec(), tick, held });
    }
}
