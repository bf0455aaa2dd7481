//! **What:** greedy schedules under time-division: every delivery goes into the earliest slots in which its sender holds
//! the message and a shortest path with its ports is free.
//!
//! **Method.** Slots grow as needed, so a schedule without wrap-round always comes out. For cyclic periods the same placement runs
//! with slots modulo a shorter period, found by bisection between a plain count and the length without wrap-round. A message
//! absorbed in slot s is sent on from slot s + 1, and never after the period has wrapped.

use crate::relays::Relays;
use graph::distances::{Way, distances};
use graph::{paths::Claims, paths::Descent};
use kernel::{Channel, Message, Network, Node, Problem, Schedule};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};

/// What time-division asks for.
#[derive(Clone, Copy)]
pub(crate) struct Timing {
    /// Slots from one channel of a path to the next.
    pub hop: usize,
    /// Whether slots may wrap round at the end of the period.
    pub cyclic: bool,
}

/// The schedule; `None` if a destination is beyond reach, or the budget is.
pub(crate) fn solve(problem: &Problem, hop: u32, cyclic: bool, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let timing = Timing { hop: hop as usize, cyclic };
    let budget = &mut Budget::new(run, run.settings.ticks);
    let demands = Demands::new(problem, budget)?;
    let place = |period: Option<usize>, budget: &mut Budget<'_>| {
        let random = run.settings.seed.generator(period.unwrap_or(0) as u64);
        place(problem, &demands, Slots::new(problem.network(), timing.hop, period), random, budget)
    };
    let mut best = place(None, budget)?;
    if timing.cyclic {
        let mut low = run.goal(floor).max(demands.count(problem)).max(1) as usize;
        let mut high = best.step_count();
        while low < high && !budget.is_over() {
            let middle = low + (high - low) / 2;
            match place(Some(middle), budget) {
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
    list: Vec<Demand>,
    distances: Vec<Option<Vec<u32>>>,
}

/// A message for a node.
#[derive(Clone, Copy)]
struct Demand {
    message: Message,
    receiver: Node,
    /// The lower ranks go first, and a receiver's possible senders have lower ranks.
    rank: usize,
}

impl Demands {
    fn new(problem: &Problem, budget: &mut Budget<'_>) -> Option<Self> {
        let collective = problem.collective();
        let mut relays = Relays::new(problem);
        let mut demands = Demands { list: Vec::new(), distances: vec![None; problem.network().node_count()] };
        for message in collective.messages() {
            let origin = collective.origin(message);
            let mut wanted: Vec<Node> = Vec::new();
            for &destination in collective.destinations(message).iter().filter(|d| **d != origin) {
                let route = relays.route(message, destination, |v| wanted.contains(&v), budget)?;
                for node in route {
                    if !wanted.contains(&node) {
                        wanted.push(node);
                    }
                }
                if !budget.spend(wanted.len() as u64) {
                    return None;
                }
            }
            for (rank, receiver) in wanted.into_iter().enumerate() {
                let known = &mut demands.distances[receiver.index()];
                if known.is_none() {
                    *known = Some(distances(problem, receiver, Way::Back, budget)?);
                }
                demands.list.push(Demand { message, receiver, rank });
            }
        }
        Some(demands)
    }

    /// Slots in which the busiest receiver gets all that it lacks.
    fn count(&self, problem: &Problem) -> u64 {
        let network = problem.network();
        let mut into = vec![0u64; network.node_count()];
        for demand in &self.list {
            into[demand.receiver.index()] += 1;
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

/// A path that is taken.
struct Placed {
    start: usize,
    message: Message,
    path: Vec<Channel>,
}

/// The earliest way found for a demand.
struct Earliest {
    arrives: usize,
    holder: Node,
    placed: Placed,
}

/// Places every demand; without a period always, with one perhaps not, and never beyond the budget.
fn place(
    problem: &Problem,
    demands: &Demands,
    mut slots: Slots<'_>,
    mut random: Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Option<Schedule> {
    let (network, collective) = (problem.network(), problem.collective());
    let (hop, period) = (slots.hop, slots.period);
    let mut placed: Vec<Placed> = Vec::new();
    let mut path = Vec::new();
    let mut end = 0;
    // Who holds each message, and from which slot on.
    let mut holders: Vec<Vec<(Node, usize)>> = collective.messages().map(|m| vec![(collective.origin(m), 0)]).collect();
    let mut list = demands.list.clone();
    list.shuffle(&mut random);
    let distances_to = |node: Node| demands.distances[node.index()].as_ref().expect("made for every receiver");
    let far = |demand: &Demand| distances_to(demand.receiver)[collective.origin(demand.message).index()];
    list.sort_by_key(|demand| (demand.rank, std::cmp::Reverse(far(demand))));
    for Demand { message, receiver, .. } in list {
        let distance = distances_to(receiver);
        let known = &mut holders[message.index()];
        if !budget.spend(known.len() as u64) {
            return None;
        }
        let reach = |(holder, from): (Node, usize)| Some(from + (distance[holder.index()] as usize).checked_mul(hop)?);
        let possible = known.iter().copied().filter(|(h, _)| distance[h.index()] != u32::MAX);
        let mut senders: Vec<(Node, usize)> = possible.collect();
        senders.sort_by_key(|&s| reach(s));
        // A late holder is rarely the best one; a few candidates keep the time linear.
        senders.truncate(4);
        let mut best: Option<Earliest> = None;
        for (holder, from) in senders {
            let length = distance[holder.index()] as usize * hop;
            let limit = 8 * distance[holder.index()] as usize + 16;
            for start in from.. {
                let late = best.as_ref().is_some_and(|b| b.arrives <= start + length);
                if late || period.is_some_and(|p| start >= p) || !budget.spend(2) {
                    break;
                }
                let arrives = slots.slot(start + length);
                let may_send =
                    Slots::port_free(&slots.send[holder.index()], slots.slot(start), network.send_ports(holder));
                let may_receive =
                    Slots::port_free(&slots.receive[receiver.index()], arrives, network.receive_ports(receiver));
                if may_send && may_receive {
                    slots.start = start;
                    let descent = Descent { problem, distance, limit, rotation: random.random_range(0..64) };
                    if descent.walk(holder, &mut path, &mut slots, budget) {
                        path.iter().enumerate().for_each(|(position, &channel)| slots.give(position, channel));
                        let placed = Placed { start, message, path: path.clone() };
                        best = Some(Earliest { arrives: start + length, holder, placed });
                        break;
                    }
                }
            }
        }
        let Earliest { arrives, holder, placed: found } = best?;
        slots.start = found.start;
        for (position, &channel) in found.path.iter().enumerate() {
            slots.take(position, channel);
        }
        let (leaves, enters) = (slots.slot(found.start), slots.slot(arrives));
        placed.push(found);
        *entry(&mut slots.send[holder.index()], leaves, 0) += 1;
        *entry(&mut slots.receive[receiver.index()], enters, 0) += 1;
        end = end.max(arrives + 1);
        if period.is_none_or(|p| arrives < p) {
            known.push((receiver, arrives + 1));
        }
    }
    placed.sort_by_key(|placed| placed.start);
    let mut schedule = Schedule::new();
    let mut next = placed.into_iter().peekable();
    for slot in 0..period.unwrap_or(end) {
        schedule.begin_step();
        while let Some(placed) = next.next_if(|placed| placed.start == slot) {
            schedule.send(placed.message, &placed.path);
        }
    }
    Some(schedule)
}
