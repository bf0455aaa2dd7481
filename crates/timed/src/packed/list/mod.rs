//! **What:** when each transfer begins: list scheduling by events, forwards and backwards in time.
//!
//! **Method.** A transfer is as urgent as the caller says and, by work, so much more as the busiest channel of its path has work left, so that channels end
//! together. It is ready when its sender holds the chunk, and waits for its path (module `paths`). At each tick at which something is ready or a channel is free again, the paths of those that have the most
//! urgent transfers are tried first. One that finds a channel busy waits for that channel, and is tried again when it is free. After that,
//! what is in the way of a sender that would be idle gives way, if its own sender can begin another instead (module `swaps`).

mod paths;
mod swaps;

use super::net::Net;
use super::others::{self, Anew, Others};
use super::places::Places;
use super::rarest::Rarest;
use super::tasks::{Tasks, Way};
use kernel::Channel;
pub(super) use paths::Paths;
use run::Run;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A channel's bandwidth that is taken from a tick until before another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Taken {
    from: u64,
    until: u64,
    rate: u64,
}

/// What is to go first is largest.
type Key = (u64, Reverse<usize>);

/// What is to go first.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    /// How urgent each transfer is.
    pub urgent: &'a [u64],
    /// Whether it is so much more urgent as the busiest channel of its path still has work before it.
    pub by_work: bool,
    /// Which begin at multiples of their own times, so that those of the same time begin together, and who is free then has more to choose from.
    pub in_step: InStep<'a>,
    /// Of every transfer, those that may begin only when it has begun; empty where there are none.
    pub behind: &'a [Vec<usize>],
}

/// Which transfers begin at multiples of their own times.
#[derive(Clone, Copy)]
pub(super) enum InStep<'a> {
    None,
    /// All when they become ready, and those that wait for a channel when it is free.
    All,
    /// These, in any case: else one that needs several channels would wait for the one while the other is free, again and again.
    These(&'a [bool]),
}

impl<'a> Order<'a> {
    /// As urgent as is said.
    pub(super) fn fixed(urgent: &'a [u64]) -> Self {
        Order { urgent, by_work: false, in_step: InStep::None, behind: &[] }
    }
}

pub(super) struct List<'a> {
    pub net: &'a Net<'a>,
    pub tasks: &'a mut Tasks,
    /// Of every transfer, those that wait for it.
    pub next: Vec<Vec<usize>>,
    pub others: Option<Others<'a>>,
    pub rarest: Option<Rarest>,
    /// Ticks of work that each channel has before it, and when all was done before.
    pub left: Vec<u64>,
    pub until: u64,
    /// Ticks that each channel needs in all, with [those in which it is of no use](Net::unused), and what none may come to by transfers that are taken over.
    pub needed: Vec<u64>,
    pub most: u64,
    pub order: Order<'a>,
    /// How many transfers each still waits for.
    pub waits: Vec<usize>,
    /// When the last of those that have begun, of those it waits for, arrives.
    arrival: Vec<u64>,
    taken: Vec<Vec<Taken>>,
    pub paths: Paths,
    /// The channels that are free again, and the transfers that are ready, by tick.
    events: BTreeMap<u64, Events>,
    /// Whether a transfer is ready and has not begun.
    pub open: Vec<bool>,
    begun: Vec<u64>,
}

/// A path that is tried, the one with the most urgent transfer first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Try {
    key: Key,
    path: usize,
    /// The channel that it has waited for; the next one that does is tried after it.
    from: Option<Channel>,
}

#[derive(Default)]
struct Events {
    arrived: Vec<usize>,
    ready: Vec<usize>,
    free: Vec<Channel>,
}

/// The tick at which each transfer begins; `None` where the run is stopped. `before` says when each arrived in an earlier schedule, if there is one: trees may
/// then be hung up anew.
pub(super) fn begin(
    net: &Net<'_>,
    tasks: &mut Tasks,
    order: Order<'_>,
    before: Option<(Anew, &[u64])>,
    run: &Run<'_>,
) -> Option<Vec<u64>> {
    let paths = Paths::new(net, &tasks.0);
    let others = before.and_then(|(anew, before)| Others::new(net, &tasks.0, &paths, anew, before));
    List::new(net, tasks, order, paths, others).run(run)
}

/// The same where transfers that are open go from anywhere to where their trees lead, the rarest first.
pub(super) fn begin_rarest(
    net: &Net<'_>,
    tasks: &mut Tasks,
    order: Order<'_>,
    paths: Paths,
    rarest: Rarest,
    run: &Run<'_>,
) -> Option<Vec<u64>> {
    let list = List::new(net, tasks, order, paths, None);
    List { rarest: Some(rarest), ..list }.run(run)
}

fn key(order: &Order<'_>, way: &Way, left: &[u64], at: usize) -> Key {
    let work = || way.path.iter().map(|c| left[c.index()]).max().unwrap_or(0);
    let urgent = order.urgent[at];
    (if order.by_work { urgent.saturating_add(work()) } else { urgent }, Reverse(at))
}

impl<'a> List<'a> {
    fn new(net: &'a Net<'a>, tasks: &'a mut Tasks, order: Order<'a>, paths: Paths, others: Option<Others<'a>>) -> Self {
        let (channels, count) = (net.network.channel_count(), tasks.0.len());
        let next = tasks.next();
        let mut waits = vec![0; count];
        next.iter().chain(order.behind).flatten().for_each(|at| waits[*at] += 1);
        let mut left = vec![0; channels];
        tasks.0.iter().flat_map(|one| &one.way.path).for_each(|c| left[c.index()] += net.busy[c.index()]);
        let until = others.as_ref().map_or(0, Others::until);
        let needed: Vec<u64> =
            left.iter().zip(&net.unused).map(|(work, unused)| work.saturating_add(*unused)).collect();
        let used = needed.iter().zip(&left).filter(|(_, work)| **work > 0);
        let most = others::most(used.map(|(needed, _)| *needed).max().unwrap_or(0));
        let ready = (0..count).filter(|at| waits[*at] == 0).collect();
        List {
            net,
            tasks,
            next,
            others,
            rarest: None,
            needed,
            left,
            until,
            most,
            order,
            waits,
            arrival: vec![0; count],
            taken: vec![Vec::new(); channels],
            paths,
            events: BTreeMap::from([(0, Events { ready, ..Events::default() })]),
            open: vec![false; count],
            begun: vec![u64::MAX; count],
        }
    }

    fn run(mut self, run: &Run<'_>) -> Option<Vec<u64>> {
        let mut places = Places::new(self.net.network.channel_count());
        while let Some((tick, events)) = self.events.pop_first() {
            if run.stopped() {
                return None;
            }
            self.tick(tick, events, &mut places);
        }
        Some(self.begun)
    }

    fn way(&self, at: usize) -> &Way {
        &self.tasks.0[at].way
    }

    fn sender(&self, at: usize) -> Channel {
        self.way(at).path[0]
    }

    fn key(&self, at: usize) -> Key {
        key(&self.order, self.way(at), &self.left, at)
    }

    /// The most urgent transfer that waits for a path.
    fn first(&mut self, path: usize) -> Option<usize> {
        self.paths.first(path, &self.open)
    }

    /// The path with the most urgent transfer of those that wait for a channel.
    fn first_of(&mut self, channel: Channel) -> Option<Try> {
        let List { paths, open, order, tasks, left, .. } = self;
        let first = paths.first_of(channel, open, |at| key(order, &tasks.0[at].way, left, at));
        first.map(|(key, path)| Try { key, path, from: Some(channel) })
    }

    fn tick(&mut self, tick: u64, mut events: Events, places: &mut Places) {
        // Who was taken over has begun, or waits for another.
        events.ready.retain(|at| self.begun[*at] == u64::MAX && self.waits[*at] == 0 && self.arrival[*at] <= tick);
        self.hold(&events.arrived, &events.ready);
        self.hold_rarest(&events.arrived, &events.ready);
        if let Some(rarest) = &self.rarest {
            events.ready.retain(|at| !rarest.is_open(*at));
        }
        let mut paths: Vec<usize> = events.ready.iter().map(|at| self.paths.of[*at]).collect();
        paths.sort_unstable();
        paths.dedup();
        for at in events.ready {
            self.open[at] = true;
            self.paths.wait(at, (self.order.urgent[at], Reverse(at)));
        }
        let mut tries = BinaryHeap::new();
        for path in paths {
            tries.extend(self.first(path).map(|at| Try { key: self.key(at), path, from: None }));
        }
        events.free.sort_unstable();
        events.free.dedup();
        for channel in events.free {
            self.taken[channel.index()].retain(|taken| taken.until > tick);
            self.others.iter_mut().for_each(|others| others.free(&self.paths, channel));
            self.rarest.iter_mut().for_each(|rarest| rarest.free(&self.paths, channel));
            tries.extend(self.first_of(channel));
        }
        let mut now = Vec::new();
        while let Some(Try { path, from, .. }) = tries.pop() {
            self.paths.begin_try(path);
            let first = self.first(path);
            let blocked = first.and_then(|at| self.blocked(at, tick));
            match (first, blocked) {
                // All that waited have begun.
                (None, _) => {}
                (Some(at), None) => {
                    self.take(at, tick);
                    now.push(at);
                    tries.extend(self.first(path).map(|next| Try { key: self.key(next), path, from: None }));
                }
                (Some(at), Some(_)) if !self.is_in_step(at, tick) => {
                    let next = tick.next_multiple_of(self.way(at).lasts.max(1));
                    self.events.entry(next).or_default().ready.push(at);
                }
                (Some(at), Some(channel)) => self.paths.queue(path, channel, self.key(at)),
            }
            // The next one of the same channel, unless it is that channel that has no room.
            if let Some(channel) = from.filter(|channel| blocked != Some(*channel)) {
                tries.extend(self.first_of(channel));
            }
        }
        self.exchange(tick, &mut now, places);
        self.take_over(tick, &mut now);
        self.take_rarest(tick, &mut now);
        for at in now {
            self.begin(at, tick);
        }
    }

    /// Whether a transfer along a path may begin at a tick.
    pub(super) fn may_begin(&self, way: &Way, tick: u64) -> bool {
        !matches!(self.order.in_step, InStep::All) || tick.is_multiple_of(way.lasts.max(1))
    }

    /// Whether a transfer may begin at a tick, if it is one of those that begin in step in any case.
    fn is_in_step(&self, at: usize, tick: u64) -> bool {
        let InStep::These(these) = self.order.in_step else { return true };
        !these[at] || tick.is_multiple_of(self.way(at).lasts.max(1))
    }

    /// The first channel that has no room for a transfer that begins now; that of its sender where it is out of step.
    fn blocked(&self, at: usize, tick: u64) -> Option<Channel> {
        if self.is_in_step(at, tick) { self.room(self.way(at), tick) } else { Some(self.sender(at)) }
    }

    pub(super) fn room(&self, way: &Way, tick: u64) -> Option<Channel> {
        let mut from = tick;
        for &channel in &way.path {
            let until = from + way.lasts;
            let room = self.net.problem.bandwidth(channel) - way.rate;
            if !self.has_room(channel, from, until, room) {
                return Some(channel);
            }
            from += self.net.problem.latency(channel);
        }
        None
    }

    /// Whether a channel has nothing left at a tick.
    fn is_full(&self, channel: Channel, tick: u64) -> bool {
        !self.has_room(channel, tick, tick + 1, self.net.problem.bandwidth(channel) - 1)
    }

    /// Whether a channel has no more than some bandwidth taken at every tick from one until before another.
    fn has_room(&self, channel: Channel, from: u64, until: u64, room: u64) -> bool {
        let during =
            || self.taken[channel.index()].iter().filter(move |taken| taken.from < until && from < taken.until);
        // Mostly one alone takes too much, and one of the last; or there is room for all of them at once.
        if during().rev().any(|taken| taken.rate > room) {
            return false;
        }
        if during().map(|taken| taken.rate).sum::<u64>() <= room {
            return true;
        }
        let at = |tick: u64| during().filter(|t| t.from <= tick && tick < t.until).map(|t| t.rate).sum::<u64>();
        // It is largest where something begins.
        let starts = during().map(|taken| taken.from).filter(|start| from < *start);
        starts.chain([from]).all(|tick| at(tick) <= room)
    }

    /// Takes the bandwidth of a transfer that begins now.
    pub(super) fn take(&mut self, at: usize, tick: u64) {
        let Way { path, lasts, rate, .. } = &self.tasks.0[at].way;
        let mut from = tick;
        for &channel in path {
            self.taken[channel.index()].push(Taken { from, until: from + lasts, rate: *rate });
            self.left[channel.index()] -= self.net.busy[channel.index()];
            from += self.net.problem.latency(channel);
        }
        self.open[at] = false;
    }

    /// The other way round.
    fn give_back(&mut self, at: usize, tick: u64) {
        let Way { path, lasts, rate, .. } = &self.tasks.0[at].way;
        let mut from = tick;
        for &channel in path {
            let taken = &mut self.taken[channel.index()];
            let own = Taken { from, until: from + lasts, rate: *rate };
            let place = taken.iter().rposition(|taken| *taken == own).expect("it has been taken");
            taken.swap_remove(place);
            self.left[channel.index()] += self.net.busy[channel.index()];
            from += self.net.problem.latency(channel);
        }
        self.open[at] = true;
        self.paths.wait(at, (self.order.urgent[at], Reverse(at)));
    }

    /// What has its beginning now: when its channels are free again, and what it makes ready.
    fn begin(&mut self, at: usize, tick: u64) {
        let way = &self.tasks.0[at].way;
        let (mut from, held) = (tick, tick + way.takes());
        for &channel in &way.path {
            // Whoever comes to it as far on its path as this one may begin as soon as this one ends to send; whoever begins with it, later.
            self.events.entry(tick + way.lasts).or_default().free.push(channel);
            if from > tick {
                self.events.entry(from + way.lasts).or_default().free.push(channel);
            }
            from += self.net.problem.latency(channel);
        }
        let (next, order) = (std::mem::take(&mut self.next[at]), self.order);
        let behind = order.behind.get(at).into_iter().flatten();
        let waiting = next.iter().map(|next| (*next, held)).chain(behind.map(|next| (*next, tick)));
        for (next, from) in waiting {
            self.waits[next] -= 1;
            self.arrival[next] = self.arrival[next].max(from);
            if self.waits[next] == 0 {
                self.will_be_ready(next, tick);
            }
        }
        if self.others.is_some() || self.rarest.is_some() {
            self.events.entry(held).or_default().arrived.push(at);
        }
        self.begun[at] = tick;
    }

    /// A transfer waits for no other any more; it is ready when the last of them has arrived, but not before now.
    pub(super) fn will_be_ready(&mut self, at: usize, now: u64) {
        let lasts = self.tasks.0[at].way.lasts.max(1);
        let arrival = self.arrival[at].max(now);
        let in_step = match self.order.in_step {
            InStep::None => false,
            InStep::All => true,
            InStep::These(these) => these[at],
        };
        let ready = if in_step { arrival.next_multiple_of(lasts) } else { arrival };
        self.events.entry(ready).or_default().ready.push(at);
    }
}
