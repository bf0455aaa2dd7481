//! **What:** the engine `greedy`: a valid schedule for every problem of semantics `copy`, under every model, at once.
//!
//! **Method.** Step by step, transfers are added while one is useful and has a free path; then the step is closed. A
//! transfer is useful if its sender holds the message and its receiver wants it. Messages with one destination start
//! with the longest way to go and walk down the distances; what is left free is filled with detours. Messages with many
//! destinations are pulled by their receivers from the nearest holder, the rarest first. Where no single transfer leads
//! to a destination, the terminals on a route want the message as well ([`crate::relays`]). In an empty step the first
//! pending demand always has a free path, so every step makes progress. Time-division is left to [`crate::greedy_slots`].
//!
//! **When it loses.** It never reconsiders a step; other engines do better wherever they apply.

use crate::greedy_slots;
use crate::relays::Relays;
use graph::residual::Residual;
use graph::{paths::Paths, paths::Way, paths::descend, paths::distances_to};
use kernel::{Channel, Message, Node, Op, Problem, Schedule, Semantics, Switching, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Method, Run};

/// The engine.
pub struct Greedy;

impl Method for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn about(&self) -> &'static str {
        "fills step after step with useful transfers; any copy problem under any model, quickly"
    }

    fn source(&self) -> &'static str {
        "list scheduling (R. L. Graham, Bounds for certain multiprocessing anomalies, 1966), paths by breadth-first search"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.collective().semantics() == Semantics::Copy
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        match problem.model().switching {
            Switching::Tdm { hop, cyclic } => greedy_slots::solve(problem, hop, cyclic, floor, run),
            Switching::Wormhole | Switching::StoreAndForward => {
                attempt(problem, run.settings.seed.generator(0), false, usize::MAX, run).map(|(schedule, _)| schedule)
            }
        }
    }
}

/// One greedy schedule of at most `limit` steps, with the nodes its searches visited. Where `vary`, searches look at
/// channels in another order each time, so that generators make schedules of different paths.
pub(crate) fn attempt(
    problem: &Problem,
    random: Pcg64Mcg,
    vary: bool,
    limit: usize,
    run: &Run<'_>,
) -> Option<(Schedule, u64)> {
    let mut work = Work::new(problem, random, run.settings.slack)?;
    work.vary = vary;
    let mut schedule = Schedule::new();
    while work.open > 0 {
        if schedule.step_count() >= limit || !work.step(&mut schedule, run.stopped()) {
            return None;
        }
    }
    Some((schedule, work.paths.visits))
}

/// A message for one destination, at the terminal that holds it.
#[derive(Clone, Copy)]
struct Single {
    message: Message,
    /// The rest of its route in [`Work::routes`].
    rest: (usize, usize),
    distance: u32,
}

struct Work<'a> {
    problem: &'a Problem,
    free: Residual<'a>,
    paths: Paths<'a>,
    random: Pcg64Mcg,
    /// Deliveries, those to relays included, still to make.
    open: u64,
    /// Whether searches vary the order of channels.
    vary: bool,
    /// Channel looks left for filling steps with detours.
    fill: u64,
    routes: Vec<Node>,
    /// Messages with one destination, by holder, the longest way first.
    queues: Vec<Vec<Single>>,
    /// Distances to terminals, where tables of them are affordable.
    distances: Vec<Option<Vec<u32>>>,
    guided: bool,
    /// Messages with many destinations: bitsets of positions in this list, one a node.
    many: Vec<Message>,
    words: usize,
    hold: Vec<u64>,
    want: Vec<u64>,
    wants: Vec<u32>,
    holders: Vec<u32>,
    /// What arrives at the end of the step.
    arriving: Vec<(usize, Node)>,
    moved: Vec<(Node, Single)>,
    carried: Vec<Message>,
}

impl<'a> Work<'a> {
    /// `None` if some destination is beyond reach.
    fn new(problem: &'a Problem, random: Pcg64Mcg, slack: Option<u32>) -> Option<Self> {
        let network = problem.network();
        let collective = problem.collective();
        let n = network.node_count();
        let count = |m: Message| collective.destinations(m).iter().filter(|d| **d != collective.origin(m)).count();
        let many: Vec<Message> = collective.messages().filter(|m| count(*m) > 1).collect();
        let words = many.len().div_ceil(64);
        let singles = collective.message_count() - many.len();
        let mut work = Work {
            problem,
            free: Residual::new(network),
            paths: Paths::new(problem, slack),
            random,
            open: 0,
            vary: false,
            fill: 20_000_000,
            routes: Vec::with_capacity(singles),
            queues: vec![Vec::new(); n],
            distances: vec![None; n],
            guided: network.terminals().len().min(singles).saturating_mul(n) <= 1 << 26,
            words,
            hold: vec![0; n * words],
            want: vec![0; n * words],
            wants: vec![0; n],
            holders: vec![1; many.len()],
            many,
            arriving: Vec::new(),
            moved: Vec::new(),
            carried: Vec::new(),
        };
        let mut relays = Relays::new(problem);
        for k in 0..work.many.len() {
            let message = work.many[k];
            let origin = collective.origin(message);
            work.hold[origin.index() * words + k / 64] |= 1 << (k % 64);
            for &destination in collective.destinations(message).iter().filter(|d| **d != origin) {
                work.want(k, destination);
            }
            for &destination in collective.destinations(message).iter().filter(|d| **d != origin) {
                let route = relays.route(message, destination, |v| work.has(&work.want, k, v))?;
                for node in route {
                    work.want(k, node);
                }
            }
        }
        for message in collective.messages().filter(|m| count(*m) == 1) {
            let origin = collective.origin(message);
            let destination = collective.destinations(message).iter().copied().find(|d| *d != origin)?;
            let route = relays.route(message, destination, |_| false)?;
            let start = work.routes.len();
            work.routes.extend_from_slice(&route);
            work.open += route.len() as u64;
            let distance = work.distance(origin, route[0]);
            work.queues[origin.index()].push(Single { message, rest: (start, work.routes.len()), distance });
        }
        for queue in &mut work.queues {
            queue.shuffle(&mut work.random);
            sort(queue);
        }
        Some(work)
    }

    fn has(&self, set: &[u64], k: usize, node: Node) -> bool {
        set[node.index() * self.words + k / 64] & (1 << (k % 64)) != 0
    }

    fn want(&mut self, k: usize, node: Node) {
        if !self.has(&self.want, k, node) && !self.has(&self.hold, k, node) {
            self.want[node.index() * self.words + k / 64] |= 1 << (k % 64);
            self.wants[node.index()] += 1;
            self.open += 1;
        }
    }

    /// Channels from `from` to `to`; 0 where distances are not kept.
    fn distance(&mut self, from: Node, to: Node) -> u32 {
        if !self.guided {
            return 0;
        }
        let table = self.distances[to.index()].get_or_insert_with(|| distances_to(self.problem, to));
        table[from.index()]
    }

    /// Fills one step; false if nothing could be placed.
    fn step(&mut self, schedule: &mut Schedule, hurry: bool) -> bool {
        self.free.clear();
        schedule.begin_step();
        let before = schedule.transfer_count();
        self.pull(schedule);
        self.push(schedule);
        let empty = schedule.transfer_count() == before;
        if empty || (!hurry && self.paths.visits < self.fill) {
            self.detours(schedule);
        }
        for (k, node) in self.arriving.drain(..) {
            self.hold[node.index() * self.words + k / 64] |= 1 << (k % 64);
        }
        let mut grown = Vec::new();
        for (at, mut single) in std::mem::take(&mut self.moved) {
            self.open -= 1;
            single.rest.0 += 1;
            if single.rest.0 < single.rest.1 {
                single.distance = self.distance(at, self.routes[single.rest.0]);
                self.queues[at.index()].push(single);
                grown.push(at);
            }
        }
        grown.sort_unstable();
        grown.dedup();
        for node in grown {
            sort(&mut self.queues[node.index()]);
        }
        schedule.transfer_count() > before
    }

    /// Receivers pull messages for many from the nearest holders, one message a turn.
    fn pull(&mut self, schedule: &mut Schedule) {
        let network = self.problem.network();
        let mut receivers: Vec<Node> =
            network.terminals().iter().copied().filter(|v| self.wants[v.index()] > 0).collect();
        receivers.shuffle(&mut self.random);
        if !self.vary || self.random.random() {
            receivers.sort_by_key(|v| std::cmp::Reverse(self.wants[v.index()]));
        }
        while !receivers.is_empty() {
            receivers.retain(|&receiver| self.pull_one(receiver, schedule));
        }
    }

    fn pull_one(&mut self, receiver: Node, schedule: &mut Schedule) -> bool {
        let (words, many) = (self.words, &self.many);
        let (hold, holders, want) = (&self.hold, &self.holders, &self.want);
        let row = receiver.index() * words;
        let offset = self.random.random_range(0..words.max(1));
        let shift: u32 = if self.vary { self.random.random_range(0..64) } else { 0 };
        let rarest = |holder: Node| {
            let mut best: Option<(u32, usize)> = None;
            for i in 0..words {
                let word = (i + offset) % words;
                let mut bits = (want[row + word] & hold[holder.index() * words + word]).rotate_right(shift);
                while bits != 0 {
                    let k = word * 64 + (bits.trailing_zeros() + shift) as usize % 64;
                    bits &= bits - 1;
                    if best.is_none_or(|(count, _)| holders[k] < count) {
                        best = Some((holders[k], k));
                    }
                }
            }
            best.map(|(_, k)| (k, holder))
        };
        if self.vary {
            self.paths.turn = self.random.random_range(0..64);
        }
        let Some(((k, holder), path)) = self.paths.nearest(&mut self.free, receiver, Way::Back, rarest) else {
            return false;
        };
        self.carried.clear();
        self.carried.push(many[k]);
        self.arriving.push((k, receiver));
        if self.problem.model().combining {
            for other in (0..many.len()).filter(|&o| o != k) {
                let (word, bit) = (other / 64, 1u64 << (other % 64));
                if want[row + word] & hold[holder.index() * words + word] & bit != 0 {
                    self.carried.push(many[other]);
                    self.arriving.push((other, receiver));
                }
            }
        }
        schedule.push(Transfer { messages: &self.carried, path, op: Op::Reduce });
        for &(k, node) in &self.arriving[self.arriving.len() - self.carried.len()..] {
            self.want[node.index() * words + k / 64] &= !(1 << (k % 64));
            self.wants[node.index()] -= 1;
            self.holders[k] += 1;
            self.open -= 1;
        }
        self.wants[receiver.index()] > 0
    }

    /// Holders push messages for one along shortest ways, one message a turn.
    fn push(&mut self, schedule: &mut Schedule) {
        if !self.guided {
            return;
        }
        let network = self.problem.network();
        let mut senders: Vec<(Node, usize, usize)> = network
            .terminals()
            .iter()
            .filter(|v| !self.queues[v.index()].is_empty())
            .map(|&v| (v, 0, 32 * (network.outgoing(v).len() + 1)))
            .collect();
        senders.shuffle(&mut self.random);
        senders.sort_by_key(|(v, ..)| std::cmp::Reverse(self.queues[v.index()].len()));
        while !senders.is_empty() {
            senders.retain_mut(|(sender, next, tries)| self.push_one(*sender, next, tries, schedule));
        }
    }

    fn push_one(&mut self, sender: Node, next: &mut usize, tries: &mut usize, schedule: &mut Schedule) -> bool {
        let network = self.problem.network();
        let mut path: Vec<Channel> = Vec::new();
        while let Some(&single) = self.queues[sender.index()].get(*next) {
            let blocked = !self.free.can_send(sender) || !network.outgoing(sender).iter().any(|&c| self.free.free(c));
            if *tries == 0 || blocked {
                return false;
            }
            *tries -= 1;
            let to = self.routes[single.rest.0];
            let distance = self.distance(sender, to);
            let turn = self.random.random_range(0..64);
            let limit = 8 * distance as usize + 16;
            if self.free.try_ends(sender, to) {
                let table = self.distances[to.index()].as_ref().expect("asked for above");
                if descend(self.problem, table, sender, (limit, turn), &mut path, &mut self.free) {
                    self.send(sender, *next, to, &path, schedule);
                    return true;
                }
                self.free.give_ends(sender, to);
            }
            *next += 1;
        }
        false
    }

    /// Commits the message at position `at` of a queue, with all others that go the same way where the model combines.
    fn send(&mut self, sender: Node, at: usize, to: Node, path: &[Channel], schedule: &mut Schedule) {
        let queue = &mut self.queues[sender.index()];
        self.carried.clear();
        if self.problem.model().combining {
            let (routes, moved, carried) = (&self.routes, &mut self.moved, &mut self.carried);
            queue.retain(|single| {
                let goes = routes[single.rest.0] == to;
                if goes {
                    moved.push((to, *single));
                    carried.push(single.message);
                }
                !goes
            });
        } else {
            let single = queue.remove(at);
            self.moved.push((to, single));
            self.carried.push(single.message);
        }
        schedule.push(Transfer { messages: &self.carried, path, op: Op::Reduce });
    }

    /// Messages for one that found no shortest way take any free way.
    fn detours(&mut self, schedule: &mut Schedule) {
        let network = self.problem.network();
        // Position in the sender's queue of the first message that goes to a node next, counted from 1.
        let mut first = vec![0usize; network.node_count()];
        for &sender in network.terminals() {
            loop {
                let queue = &self.queues[sender.index()];
                for (at, single) in queue.iter().enumerate().rev() {
                    first[self.routes[single.rest.0].index()] = at + 1;
                }
                let accept = |v: Node| first[v.index()].checked_sub(1).map(|at| (at, v));
                let found = if queue.is_empty() {
                    None
                } else {
                    self.paths.nearest(&mut self.free, sender, Way::On, accept).map(|(f, path)| (f, path.to_vec()))
                };
                for single in &self.queues[sender.index()] {
                    first[self.routes[single.rest.0].index()] = 0;
                }
                let Some(((at, to), path)) = found else { break };
                self.send(sender, at, to, &path, schedule);
            }
        }
    }
}

/// The longest way first: transfers left, then channels of the next.
fn sort(queue: &mut [Single]) {
    queue.sort_by_key(|s| std::cmp::Reverse((s.rest.1 - s.rest.0, s.distance)));
}
