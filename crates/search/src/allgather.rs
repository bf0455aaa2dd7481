//! **What:** the engine `allgather-matching`: messages for many destinations, spread between neighbouring terminals.
//!
//! **Method.** In each step every receiver matches its incoming channels with messages that it lacks and the channels'
//! tails hold. Messages enter the matching by rarity, each by an augmenting path; since matchable sets of messages form a
//! transversal matroid, the result is a largest matching and of those the rarest. Ties are broken at random or by how many of
//! the next nodes lack the message, and the whole is restarted, in turn with one rule or another, until the goal is reached. Every transfer takes
//! one channel, so a schedule obeys store-and-forward as well as wormhole switching. Under time-division such a transfer is
//! in flight for a while, so what is received may be sent on some slots later; all else is the same.
//!
//! **When it loses.** Networks with switches have few neighbouring terminals, and few destinations want paths of several
//! channels; there it does not apply or the other engines do better.

use crate::relays::Relays;
use graph::residual::Residual;
use kernel::{Channel, Message, Model, Node, Op, Problem, Schedule, Semantics, Switching, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Method, Run};
use std::collections::VecDeque;

/// The engine.
pub struct AllgatherMatching;

impl Method for AllgatherMatching {
    fn name(&self) -> &'static str {
        "allgather-matching"
    }

    fn about(&self) -> &'static str {
        "messages for many between neighbours: in each step a largest matching of channels and rare messages"
    }

    fn source(&self) -> &'static str {
        "rarest-first matchings of a transversal matroid (J. Edmonds, D. R. Fulkerson, Transversals and matroid partition, 1965)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let deliveries: usize = collective.messages().map(|m| collective.destinations(m).len()).sum();
        let bits = collective.message_count().saturating_mul(problem.network().node_count());
        let many = deliveries >= 2 * collective.message_count();
        collective.semantics() == Semantics::Copy && many && bits <= 1 << 28 && one_hop(problem).is_some()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let flight = match problem.model().switching {
            Switching::Tdm { hop, cyclic } => Flight { slots: hop as usize, ends_in_period: !cyclic },
            Switching::Wormhole | Switching::StoreAndForward => Flight { slots: 0, ends_in_period: false },
        };
        let problem = &one_hop(problem)?;
        let goal = run.goal(floor).max(1) as usize;
        // What is in flight must wait, so under time-division the goal is often out of reach: a few attempts must do.
        let budget = run.settings.ticks / if flight.slots > 0 { 32 } else { 4 };
        let mut ticks = 0;
        let mut best: Option<Schedule> = None;
        let start = Spread::new(problem, flight)?;
        for attempt in 0..u64::from(ATTEMPTS) {
            let mut spread = start.clone();
            let limit = best.as_ref().map_or(usize::MAX, |b| b.step_count() - 1);
            let found = spread.run(run.settings.seed.generator(attempt), attempt, limit, run);
            ticks += spread.ticks;
            if let Some(found) = found {
                run.progress.found(self.name(), found.step_count() as u64);
                best = Some(found);
            }
            let reached = best.as_ref().is_some_and(|b| b.step_count() <= goal);
            if reached || ticks > budget || run.stopped() {
                break;
            }
        }
        best
    }
}

/// Restarts at most.
const ATTEMPTS: u32 = 1200;

/// The problem with one channel a transfer; none where a message then cannot arrive.
fn one_hop(problem: &Problem) -> Option<Problem> {
    let model = Model { switching: Switching::StoreAndForward, combining: problem.model().combining };
    Problem::new(problem.network().clone(), problem.collective().clone(), model).ok()
}

/// How long a transfer is under way.
#[derive(Clone, Copy)]
struct Flight {
    /// Slots from its start until it is absorbed; what is absorbed may be sent on in the next.
    slots: usize,
    /// Whether that must happen before the schedule ends.
    ends_in_period: bool,
}

/// The state of one attempt.
#[derive(Clone)]
struct Spread<'a> {
    problem: &'a Problem,
    flight: Flight,
    free: Residual<'a>,
    words: usize,
    /// Bitsets over messages, one a node.
    hold: Vec<u64>,
    want: Vec<u64>,
    wants: Vec<u32>,
    holders: Vec<u32>,
    held_before: Vec<u32>,
    receive_capacity: Vec<u64>,
    open: u64,
    ticks: u64,
}

impl<'a> Spread<'a> {
    fn new(problem: &'a Problem, flight: Flight) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let (n, words) = (network.node_count(), collective.message_count().div_ceil(64));
        let mut spread = Spread {
            problem,
            flight,
            free: Residual::new(network),
            words,
            hold: vec![0; n * words],
            want: vec![0; n * words],
            wants: vec![0; n],
            holders: vec![1; collective.message_count()],
            held_before: Vec::new(),
            receive_capacity: network.nodes().map(|v| network.receive_capacity(v)).collect(),
            open: 0,
            ticks: 0,
        };
        let mut relays = Relays::new(problem);
        for message in collective.messages() {
            let origin = collective.origin(message);
            let (word, bit) = (message.index() / 64, 1u64 << (message.index() % 64));
            spread.hold[origin.index() * words + word] |= bit;
            let add = |spread: &mut Self, node: Node| {
                let at = &mut spread.want[node.index() * words + word];
                if *at & bit == 0 {
                    *at |= bit;
                    spread.wants[node.index()] += 1;
                    spread.open += 1;
                }
            };
            let destinations = || collective.destinations(message).iter().copied().filter(|d| *d != origin);
            destinations().for_each(|d| add(&mut spread, d));
            for destination in destinations() {
                let route = relays.route(message, destination, |v| spread.want[v.index() * words + word] & bit != 0)?;
                route.into_iter().for_each(|v| add(&mut spread, v));
            }
        }
        Some(spread)
    }

    /// Steps until all is delivered; `None` once more than `limit` steps are certain.
    fn run(&mut self, mut random: Pcg64Mcg, attempt: u64, limit: usize, run: &Run<'_>) -> Option<Schedule> {
        let network = self.problem.network();
        let mut schedule = Schedule::new();
        let mut order: Vec<Node> = network.terminals().to_vec();
        let after = if self.flight.ends_in_period { self.flight.slots } else { 0 };
        let mut flying: VecDeque<Vec<(Message, Node)>> = VecDeque::new();
        while self.open > 0 {
            let left = |v: &Node| u64::from(self.wants[v.index()]).div_ceil(self.receive_capacity[v.index()].max(1));
            let least = order.iter().map(left).max().unwrap_or(0) as usize;
            if schedule.step_count() + least + after > limit || (limit < usize::MAX && run.stopped()) {
                return None;
            }
            schedule.begin_step();
            self.free.clear();
            self.held_before.clone_from(&self.holders);
            let before = self.open;
            order.shuffle(&mut random);
            if attempt & 1 == 0 {
                order.sort_by_key(|v| std::cmp::Reverse(left_for(&self.wants, &self.receive_capacity, *v)));
            }
            let mut arriving: Vec<(Message, Node)> = Vec::new();
            for &receiver in &order {
                self.receive(receiver, attempt, &mut random, &mut arriving, &mut schedule);
            }
            for &(message, node) in &arriving {
                let (word, bit) = (message.index() / 64, 1u64 << (message.index() % 64));
                self.want[node.index() * self.words + word] &= !bit;
                self.wants[node.index()] -= 1;
                self.open -= 1;
            }
            flying.push_back(arriving);
            if self.open == before && flying.iter().all(Vec::is_empty) {
                return None;
            }
            if flying.len() > self.flight.slots {
                for (message, node) in flying.pop_front().into_iter().flatten() {
                    let (word, bit) = (message.index() / 64, 1u64 << (message.index() % 64));
                    self.hold[node.index() * self.words + word] |= bit;
                }
            }
        }
        (0..after).for_each(|_| schedule.begin_step());
        Some(schedule)
    }

    fn has(&self, set: &[u64], message: usize, node: Node) -> bool {
        set[node.index() * self.words + message / 64] & (1 << (message % 64)) != 0
    }

    /// Matches the receiver's channels with messages, and sends them.
    fn receive(
        &mut self,
        receiver: Node,
        attempt: u64,
        random: &mut Pcg64Mcg,
        arriving: &mut Vec<(Message, Node)>,
        schedule: &mut Schedule,
    ) {
        if self.wants[receiver.index()] == 0 {
            return;
        }
        let network = self.problem.network();
        let mut slots: Vec<Channel> = Vec::new();
        for &channel in network.incoming(receiver) {
            if network.is_terminal(network.from(channel)) && self.free.free(channel) {
                slots.extend((0..network.capacity(channel).min(self.wants[receiver.index()])).map(|_| channel));
            }
        }
        slots.shuffle(random);
        let mut candidates: Vec<(u32, u32, u32, usize)> = Vec::new();
        for word in 0..self.words {
            let held = slots.iter().fold(0, |all, c| all | self.hold[network.from(*c).index() * self.words + word]);
            let mut bits = held & self.want[receiver.index() * self.words + word];
            while bits != 0 {
                let k = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let holders = if attempt & 2 == 0 { self.holders[k] } else { self.held_before[k] };
                let lacking = || {
                    let next = network.outgoing(receiver).iter().map(|c| network.to(*c));
                    next.filter(|v| self.has(&self.want, k, *v)).count() as u32
                };
                // Attempts differ in how holders count (now, or as the step began) and in how far they look: not at all,
                // at how many of the next nodes lack the message, or at that before rarity.
                let (first, second) = match attempt / 4 % 3 {
                    0 => (holders, u32::MAX - lacking()),
                    1 => (holders, 0),
                    _ => (u32::MAX - lacking(), holders),
                };
                candidates.push((first, second, random.random(), k));
            }
        }
        self.ticks += candidates.len() as u64 + 1;
        candidates.sort_unstable();
        let mut matched: Vec<Option<usize>> = vec![None; slots.len()];
        let mut seen = vec![0usize; slots.len()];
        let mut count = 0;
        for (turn, &(.., k)) in (1usize..).zip(&candidates) {
            if count == slots.len() || !self.free.can_receive(receiver) {
                break;
            }
            if self.augment(k, turn, &slots, &mut matched, &mut seen) {
                count += 1;
                self.holders[k] += 1;
            }
        }
        let mut carried: Vec<Message> = Vec::new();
        let mut sent: Vec<usize> = matched.iter().flatten().copied().collect();
        for (at, &channel) in slots.iter().enumerate() {
            let Some(k) = matched[at] else { continue };
            carried.clear();
            carried.push(Message::new(k));
            if self.problem.model().combining {
                for &(.., other) in &candidates {
                    if !sent.contains(&other) && self.has(&self.hold, other, network.from(channel)) {
                        carried.push(Message::new(other));
                        sent.push(other);
                    }
                }
            }
            arriving.extend(carried.iter().map(|&m| (m, receiver)));
            schedule.push(Transfer { messages: &carried, path: &[channel], op: Op::Reduce });
        }
    }

    /// Finds message `k` a channel, moving others to other channels where that helps; takes the channel that this fills.
    fn augment(
        &mut self,
        k: usize,
        turn: usize,
        slots: &[Channel],
        matched: &mut [Option<usize>],
        seen: &mut [usize],
    ) -> bool {
        let network = self.problem.network();
        for at in 0..slots.len() {
            if seen[at] == turn || !self.has(&self.hold, k, network.from(slots[at])) {
                continue;
            }
            seen[at] = turn;
            let open = match matched[at] {
                None => self.free.try_take(&[slots[at]]),
                Some(other) => self.augment(other, turn, slots, matched, seen),
            };
            if open {
                matched[at] = Some(k);
                return true;
            }
        }
        false
    }
}

fn left_for(wants: &[u32], capacity: &[u64], node: Node) -> u64 {
    u64::from(wants[node.index()]) / capacity[node.index()].max(1)
}
