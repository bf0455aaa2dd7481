//! **What:** greedy schedules under time-division: every delivery goes into the earliest slots in which its sender holds
//! the message and a shortest path with its ports is free.
//!
//! Slots grow as needed, so a schedule without wrap-round always comes out. For cyclic periods the same placement runs
//! with slots modulo a shorter period, found by bisection between a plain count and the length without wrap-round. A message
//! absorbed in slot s is sent on from slot s + 1, and never after the period has wrapped.

use crate::relays::Relays;
use graph::{paths::Claims, paths::descend, paths::distances_to};
use kernel::{Channel, Message, Network, Node, Problem, Schedule};
use rand::RngExt;
use rand::seq::SliceRandom;
use run::Run;

/// The schedule; `None` if a destination is beyond reach.
pub(crate) fn solve(problem: &Problem, hop: u32, cyclic: bool, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let demands = Demands::new(problem)?;
    let hop = hop as usize;
    let mut ticks = 0;
    let mut best = place(problem, &demands, (hop, None), run, &mut ticks)?;
    if cyclic {
        let mut low = floor.max(demands.count(problem)).max(1) as usize;
        let mut high = best.step_count();
        while low < high && ticks < run.settings.ticks / 4 && !run.stopped() {
            let middle = low + (high - low) / 2;
            match place(problem, &demands, (hop, Some(middle)), run, &mut ticks) {
                Some(found) => {
                    best = found;
                    high = middle;
                }
                None => low = middle + 1,
            }
        }
    }
    Some(best)
}

/// What is to be delivered: for every message the terminals that want it, relays included, each after the terminal
/// from which one transfer reaches it.
struct Demands {
    /// `(message, receiver, rank)`; the lower ranks go first, and a receiver's possible senders have lower ranks.
    list: Vec<(Message, Node, u32)>,
    distances: Vec<Option<Vec<u32>>>,
    routes: Vec<Vec<Node>>,
}

impl Demands {
    fn new(problem: &Problem) -> Option<Self> {
        let collective = problem.collective();
        let mut relays = Relays::new(problem);
        let mut demands = Demands {
            list: Vec::new(),
            distances: vec![None; problem.network().node_count()],
            routes: vec![Vec::new(); collective.message_count()],
        };
        for message in collective.messages() {
            let origin = collective.origin(message);
            let mut wanted: Vec<Node> = Vec::new();
            for &destination in collective.destinations(message).iter().filter(|d| **d != origin) {
                let route = relays.route(message, destination, |v| wanted.contains(&v))?;
                for node in route {
                    if !wanted.contains(&node) {
                        wanted.push(node);
                    }
                }
            }
            for &node in &wanted {
                demands.distances[node.index()].get_or_insert_with(|| distances_to(problem, node));
            }
            demands.routes[message.index()] = wanted;
        }
        for message in collective.messages() {
            let wanted = &demands.routes[message.index()];
            demands.list.extend((0u32..).zip(wanted).map(|(rank, &node)| (message, node, rank)));
        }
        Some(demands)
    }

    /// The busiest send or receive port, and the channel uses over all channels, of deliveries straight from the origins.
    fn count(&self, problem: &Problem) -> u64 {
        let network = problem.network();
        let mut into = vec![0u64; network.node_count()];
        for (_, node, _) in &self.list {
            into[node.index()] += 1;
        }
        let busiest = network.terminals().iter().filter(|v| network.receive_capacity(**v) > 0);
        busiest.map(|&v| into[v.index()].div_ceil(network.receive_capacity(v))).max().unwrap_or(0)
    }
}

/// Uses of channels, ports and groups slot by slot.
struct Slots<'a> {
    network: &'a Network,
    period: Option<usize>,
    hop: usize,
    /// First slot of the path being claimed.
    start: usize,
    channels: Vec<Vec<u32>>,
    send: Vec<Vec<u32>>,
    receive: Vec<Vec<u32>>,
    groups: Vec<Vec<(Channel, u32)>>,
}

fn entry<T: Clone>(list: &mut Vec<T>, at: usize, empty: T) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, empty);
    }
    &mut list[at]
}

impl<'a> Slots<'a> {
    fn new(network: &'a Network, hop: usize, period: Option<usize>) -> Self {
        Slots {
            network,
            period,
            hop,
            start: 0,
            channels: vec![Vec::new(); network.channel_count()],
            send: vec![Vec::new(); network.node_count()],
            receive: vec![Vec::new(); network.node_count()],
            groups: vec![Vec::new(); network.half_duplex().len()],
        }
    }

    fn slot(&self, time: usize) -> usize {
        self.period.map_or(time, |p| time % p)
    }

    fn port_free(list: &[u32], slot: usize, ports: Option<u32>) -> bool {
        ports.is_none_or(|ports| list.get(slot).copied().unwrap_or(0) < ports)
    }
}

impl Claims for Slots<'_> {
    fn take(&mut self, position: usize, channel: Channel) -> bool {
        let slot = self.slot(self.start + position * self.hop);
        if self.channels[channel.index()].get(slot).copied().unwrap_or(0) >= self.network.capacity(channel) {
            return false;
        }
        let busy = |g: usize| self.groups[g].get(slot).is_some_and(|(c, uses)| *uses > 0 && *c != channel);
        if self.network.groups_of(channel).any(busy) {
            return false;
        }
        *entry(&mut self.channels[channel.index()], slot, 0) += 1;
        for group in self.network.groups_of(channel) {
            let (busy, uses) = entry(&mut self.groups[group], slot, (channel, 0));
            *busy = channel;
            *uses += 1;
        }
        true
    }

    fn give(&mut self, position: usize, channel: Channel) {
        let slot = self.slot(self.start + position * self.hop);
        self.channels[channel.index()][slot] -= 1;
        for group in self.network.groups_of(channel) {
            self.groups[group][slot].1 -= 1;
        }
    }
}

/// Places every demand; without a period always, with one perhaps not.
fn place(
    problem: &Problem,
    demands: &Demands,
    (hop, period): (usize, Option<usize>),
    run: &Run<'_>,
    ticks: &mut u64,
) -> Option<Schedule> {
    let network = problem.network();
    let mut random = run.settings.seed.generator(period.unwrap_or(0) as u64);
    let mut slots = Slots::new(network, hop, period);
    let mut placed: Vec<(usize, Message, Vec<Channel>)> = Vec::new();
    let mut path = Vec::new();
    let mut end = 0;
    // Who holds each message, and from which slot on.
    let mut holders: Vec<Vec<(Node, usize)>> =
        problem.collective().messages().map(|m| vec![(problem.collective().origin(m), 0)]).collect();
    let mut list = demands.list.clone();
    list.shuffle(&mut random);
    let far = |message: Message, node: Node| {
        let table = demands.distances[node.index()].as_ref().expect("made for every receiver");
        table[problem.collective().origin(message).index()]
    };
    list.sort_by_key(|&(message, node, rank)| (rank, std::cmp::Reverse(far(message, node))));
    for (message, node, _) in list {
        let table = demands.distances[node.index()].as_ref().expect("made for every receiver");
        let reach = |(holder, from): (Node, usize)| Some(from + (table[holder.index()] as usize).checked_mul(hop)?);
        let possible = holders[message.index()].iter().copied().filter(|(h, _)| table[h.index()] != u32::MAX);
        let mut senders: Vec<(Node, usize)> = possible.collect();
        senders.sort_by_key(|&s| reach(s));
        // A late holder is rarely the best one; a few candidates keep the time linear.
        senders.truncate(4);
        let mut best: Option<(usize, usize, Node, Vec<Channel>)> = None;
        for (holder, from) in senders {
            let length = table[holder.index()] as usize * hop;
            let limit = 8 * table[holder.index()] as usize + 16;
            let mut start = from;
            loop {
                if period.is_some_and(|p| start >= p) || best.as_ref().is_some_and(|b| b.0 <= start + length) {
                    break;
                }
                let send = Slots::port_free(&slots.send[holder.index()], slots.slot(start), network.send_ports(holder));
                let arrives = slots.slot(start + length);
                *ticks += 1;
                if send && Slots::port_free(&slots.receive[node.index()], arrives, network.receive_ports(node)) {
                    slots.start = start;
                    let turn = random.random_range(0..64);
                    *ticks += limit as u64;
                    if descend(problem, table, holder, (limit, turn), &mut path, &mut slots) {
                        for (position, &channel) in path.iter().enumerate() {
                            slots.give(position, channel);
                        }
                        best = Some((start + length, start, holder, path.clone()));
                        break;
                    }
                }
                start += 1;
            }
        }
        let (arrives, start, holder, path) = best?;
        slots.start = start;
        for (position, &channel) in path.iter().enumerate() {
            slots.take(position, channel);
        }
        placed.push((start, message, path));
        let (leaves, enters) = (slots.slot(start), slots.slot(arrives));
        *entry(&mut slots.send[holder.index()], leaves, 0) += 1;
        *entry(&mut slots.receive[node.index()], enters, 0) += 1;
        end = end.max(arrives + 1);
        if period.is_none_or(|p| arrives < p) {
            holders[message.index()].push((node, arrives + 1));
        }
    }
    placed.sort_by_key(|(start, ..)| *start);
    let mut schedule = Schedule::new();
    let mut next = placed.into_iter().peekable();
    for slot in 0..period.unwrap_or(end) {
        schedule.begin_step();
        while let Some((_, message, path)) = next.next_if(|(start, ..)| *start == slot) {
            schedule.send(message, &path);
        }
    }
    Some(schedule)
}
