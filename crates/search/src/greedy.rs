//! **What:** the method `greedy`: a valid schedule for every problem of semantics `copy`, under every model.
//!
//! **Method.** Step by step, transfers are added while one is useful and has a free path; then the step is closed. A
//! transfer is useful if its sender holds the message and its receiver lacks it. Messages with one destination start
//! with the longest way to go and walk down the distances; what is left free is filled with detours. Messages with many
//! destinations are pulled by their receivers from the nearest holder, the rarest first. Where no single transfer leads
//! to a destination, the terminals on a route lack the message as well ([`crate::relays`]). In an empty step the first
//! pending demand always has a free path, so every step makes progress. Time-division is left to [`crate::greedy_slots`].
//!
//! **Parameters.** Restarts: where most messages have many destinations, the order of receivers, of channels and of equally rare messages
//! is drawn anew, and the whole is begun again until the ticks are spent, giving up as soon as the best schedule so far cannot
//! be improved. Small problems have so few choices a step that restarts find the optimum.
//!
//! **When it loses.** It never reconsiders a step; other searches do better wherever they apply.

use crate::copies::Copies;
use crate::greedy_slots;
use crate::relays::Relays;
use graph::distances::{Distances, Way};
use graph::{paths::Descent, paths::Paths, residual::Residual};
use kernel::{Channel, Message, Node, Op, Problem, Schedule, Semantics, Switching, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::slice::from_ref;

/// The method.
pub struct Greedy;

impl Method for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["allgather-paths"]
    }

    fn about(&self) -> &'static str {
        "fills step after step with useful transfers over free paths; any copy problem under any model"
    }

    fn source(&self) -> &'static str {
        "list scheduling (R. L. Graham, 1966); restarts as in T. A. Feo, M. G. C. Resende, Greedy randomized adaptive search procedures, 1995"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.collective().semantics() == Semantics::Copy
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        if let Switching::Tdm { hop, cyclic } = problem.model().switching {
            return greedy_slots::solve(problem, hop, cyclic, floor, run);
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let goal = run.goal(floor).max(1) as usize;
        let mut limit = run.incumbent.map_or(usize::MAX, |known| known.steps().saturating_sub(1));
        let start = Filling::new(problem, run, &mut budget)?;
        if !has_choices(problem) {
            return start.fill(run.settings.seed.generator(0), false, limit, &mut budget);
        }
        let mut best = None;
        for task in 0u64.. {
            // What it takes to begin.
            if !budget.spend(500 + start.copies.size() / 8 + 8 * problem.network().node_count() as u64) {
                break;
            }
            let seed = run.settings.seed.generator(task.saturating_sub(1));
            if let Some(found) = start.clone().fill(seed, task > 0, limit, &mut budget) {
                run.progress.found(self.name(), found.step_count() as u64);
                limit = found.step_count().saturating_sub(1);
                best = Some(found);
            }
            if limit < goal || budget.is_over() {
                break;
            }
        }
        best
    }
}

/// Whether other orders are likely to make other numbers of steps: where most messages have many destinations, on whole paths.
fn has_choices(problem: &Problem) -> bool {
    let collective = problem.collective();
    let deliveries: usize = collective.messages().map(|m| collective.destinations(m).len()).sum();
    problem.model().switching == Switching::Wormhole
        && collective.message_count() > 1
        && deliveries >= 2 * collective.message_count()
}

/// A message for one destination, at the terminal that holds it.
#[derive(Clone, Copy)]
struct Single {
    message: Message,
    /// The rest of its route in [`Filling::routes`].
    next: usize,
    end: usize,
    distance: u32,
}

/// A terminal whose messages for one destination look for paths in a step.
struct Sender {
    node: Node,
    /// The position in its queue that is tried next.
    next: usize,
    /// How many more may be tried.
    tries: usize,
}

/// One schedule while it is filled.
#[derive(Clone)]
struct Filling<'a> {
    problem: &'a Problem,
    free: Residual<'a>,
    paths: Paths<'a>,
    /// Messages with many destinations.
    copies: Copies,
    /// Deliveries of messages with one destination, those to relays included.
    open: u64,
    routes: Vec<Node>,
    /// Messages with one destination, by holder, the longest way first.
    queues: Vec<Vec<Single>>,
    distances: Distances<'a>,
    /// Whether the distances of messages with one destination are affordable.
    guided: bool,
    /// What arrives at the end of the step.
    arriving: Vec<(usize, Node)>,
    moved: Vec<(Node, Single)>,
    carried: Vec<Message>,
}

impl<'a> Filling<'a> {
    /// `None` if some destination is beyond reach, or the budget is.
    fn new(problem: &'a Problem, run: &Run<'_>, budget: &mut Budget<'_>) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let n = network.node_count();
        let others =
            |m: Message| collective.destinations(m).iter().copied().filter(move |d| *d != collective.origin(m));
        let many: Vec<Message> = collective.messages().filter(|m| others(*m).nth(1).is_some()).collect();
        let singles = collective.message_count() - many.len();
        let mut filling = Filling {
            problem,
            free: Residual::new(network),
            paths: Paths::new(problem, run.settings.slack),
            copies: Copies::new(problem, many, budget)?,
            open: 0,
            routes: Vec::with_capacity(singles),
            queues: vec![Vec::new(); n],
            distances: Distances::new(problem, Way::Back),
            guided: network.terminals().len().min(singles).saturating_mul(n) <= Distances::MOST_ENTRIES,
            arriving: Vec::new(),
            moved: Vec::new(),
            carried: Vec::new(),
        };
        filling.paths.ticks_to_ask = filling.copies.words() as u64;
        let mut relays = Relays::new(problem);
        for message in collective.messages().filter(|m| singles > 0 && others(*m).nth(1).is_none()) {
            let (origin, Some(destination)) = (collective.origin(message), others(message).next()) else { continue };
            let route = relays.route(message, destination, |_| false, budget)?;
            let next = filling.routes.len();
            filling.routes.extend_from_slice(&route);
            filling.open += route.len() as u64;
            let distance = filling.distance(origin, route[0], budget)?;
            filling.queues[origin.index()].push(Single { message, next, end: filling.routes.len(), distance });
        }
        Some(filling)
    }

    /// A schedule of at most `limit` steps. Where `vary`, searches look at channels in another order each time, so that
    /// generators make schedules of different paths.
    fn fill(mut self, mut random: Pcg64Mcg, vary: bool, limit: usize, budget: &mut Budget<'_>) -> Option<Schedule> {
        for queue in &mut self.queues {
            queue.shuffle(&mut random);
            sort(queue);
        }
        let mut schedule = Schedule::new();
        while self.copies.open() + self.open > 0 {
            let beyond = schedule.step_count() as u64 + self.least_steps() > limit as u64;
            if beyond || !budget.spend(self.queues.len() as u64) || !self.step(&mut schedule, &mut random, vary, budget)
            {
                return None;
            }
        }
        Some(schedule)
    }

    /// Steps that some receiver needs at least for what it lacks.
    fn least_steps(&self) -> u64 {
        let network = self.problem.network();
        if self.problem.model().combining {
            return 1;
        }
        let needed = |v: &Node| u64::from(self.copies.lacking(*v)).div_ceil(network.receive_capacity(*v).max(1));
        network.terminals().iter().map(needed).max().unwrap_or(0).max(1)
    }

    /// Channels from `from` to `to`; 0 where distances are not kept.
    fn distance(&mut self, from: Node, to: Node, budget: &mut Budget<'_>) -> Option<u32> {
        if self.guided { Some(self.distances.of(to, budget)?[from.index()]) } else { Some(0) }
    }

    /// Fills one step; false if nothing could be placed, or the budget ends.
    fn step(&mut self, schedule: &mut Schedule, random: &mut Pcg64Mcg, vary: bool, budget: &mut Budget<'_>) -> bool {
        self.free.clear();
        schedule.begin_step();
        let before = schedule.transfer_count();
        self.pull(schedule, random, vary, budget);
        self.push(schedule, random, budget);
        // Detours take long to find, so half of the budget is kept for what needs none.
        if schedule.transfer_count() == before || budget.spent() < budget.left() {
            self.detours(schedule, budget);
        }
        for (k, node) in self.arriving.drain(..) {
            self.copies.arrive(k, node);
        }
        let mut grown = Vec::new();
        for (at, mut single) in std::mem::take(&mut self.moved) {
            self.open -= 1;
            single.next += 1;
            if single.next < single.end {
                let Some(distance) = self.distance(at, self.routes[single.next], budget) else { return false };
                single.distance = distance;
                self.queues[at.index()].push(single);
                grown.push(at);
            }
        }
        grown.sort_unstable();
        grown.dedup();
        for node in grown {
            let queue = &mut self.queues[node.index()];
            if !budget.spend(queue.len() as u64) {
                return false;
            }
            sort(queue);
        }
        schedule.transfer_count() > before && !budget.is_over()
    }

    /// Receivers pull messages for many from the nearest holders, one message a turn.
    fn pull(&mut self, schedule: &mut Schedule, random: &mut Pcg64Mcg, vary: bool, budget: &mut Budget<'_>) {
        let terminals = self.problem.network().terminals().iter().copied();
        let mut receivers: Vec<Node> = terminals.filter(|v| self.copies.lacking(*v) > 0).collect();
        receivers.shuffle(random);
        if !vary || random.random() {
            receivers.sort_by_key(|v| std::cmp::Reverse(self.copies.lacking(*v)));
        }
        while !receivers.is_empty() {
            receivers.retain(|&receiver| {
                let word = 64 * random.random_range(0..self.copies.words().max(1));
                let mut start = word;
                if vary {
                    start += random.random_range(0..64);
                    self.paths.rotation = random.random_range(0..64);
                }
                budget.spend(40) && self.pull_one(receiver, start, schedule, budget)
            });
        }
    }

    /// Takes a path to `receiver` from the nearest that holds something for it; whether it lacks more. `start` decides between
    /// messages that are equally rare.
    fn pull_one(&mut self, receiver: Node, start: usize, schedule: &mut Schedule, budget: &mut Budget<'_>) -> bool {
        let copies = &self.copies;
        let rarest = |holder: Node| {
            let offered = copies.offered_from(from_ref(&holder), receiver, start);
            offered.min_by_key(|&k| copies.counts()[k]).map(|k| (k, holder))
        };
        let found = self.paths.nearest(&mut self.free, receiver, Way::Back, rarest, budget);
        let Some(((k, holder), path)) = found else { return false };
        let mut taken = vec![k];
        if self.problem.model().combining {
            taken.extend(copies.offered(from_ref(&holder), receiver).filter(|other| *other != k));
        }
        self.carried.clear();
        self.carried.extend(taken.iter().map(|&k| copies.message(k)));
        schedule.push(Transfer { messages: &self.carried, path, op: Op::Reduce });
        for k in taken {
            self.copies.send(k, receiver);
            self.arriving.push((k, receiver));
        }
        self.copies.lacking(receiver) > 0
    }

    /// Holders push messages for one along shortest ways, one message a turn.
    fn push(&mut self, schedule: &mut Schedule, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) {
        if !self.guided {
            return;
        }
        let network = self.problem.network();
        let waiting = network.terminals().iter().filter(|v| !self.queues[v.index()].is_empty());
        let sender = |&node| Sender { node, next: 0, tries: 32 * (network.outgoing(node).len() + 1) };
        let mut senders: Vec<Sender> = waiting.map(sender).collect();
        senders.shuffle(random);
        senders.sort_by_key(|sender| std::cmp::Reverse(self.queues[sender.node.index()].len()));
        while !senders.is_empty() {
            senders.retain_mut(|sender| self.push_one(sender, schedule, random, budget));
        }
    }

    fn push_one(
        &mut self,
        sender: &mut Sender,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (network, node) = (self.problem.network(), sender.node);
        let mut path: Vec<Channel> = Vec::new();
        while let Some(&single) = self.queues[node.index()].get(sender.next) {
            let blocked = !self.free.can_send(node) || !network.outgoing(node).iter().any(|&c| self.free.free(c));
            if sender.tries == 0 || blocked || !budget.spend(1 + network.outgoing(node).len() as u64) {
                return false;
            }
            sender.tries -= 1;
            let to = self.routes[single.next];
            let Some(distance) = self.distances.of(to, budget) else { return false };
            let limit = 8 * distance[node.index()] as usize + 16;
            let descent = Descent { problem: self.problem, distance, limit, rotation: random.random_range(0..64) };
            if self.free.try_ends(node, to) {
                if descent.walk(node, &mut path, &mut self.free, budget) {
                    self.send(node, sender.next, to, &path, schedule, budget);
                    return true;
                }
                self.free.give_ends(node, to);
            }
            sender.next += 1;
        }
        false
    }

    /// Commits the message at position `at` of a queue, with all others that go the same way where the model combines.
    fn send(
        &mut self,
        sender: Node,
        at: usize,
        to: Node,
        path: &[Channel],
        schedule: &mut Schedule,
        budget: &mut Budget<'_>,
    ) {
        let queue = &mut self.queues[sender.index()];
        // Whether that was too much is asked by whoever goes on.
        let _ = budget.spend(queue.len() as u64 / 8);
        let routes = &self.routes;
        let sent: Vec<Single> = match self.problem.model().combining {
            true => queue.extract_if(.., |single| routes[single.next] == to).collect(),
            false => vec![queue.remove(at)],
        };
        self.carried.clear();
        self.carried.extend(sent.iter().map(|single| single.message));
        self.moved.extend(sent.into_iter().map(|single| (to, single)));
        schedule.push(Transfer { messages: &self.carried, path, op: Op::Reduce });
    }

    /// Messages for one that found no shortest way take any free way.
    fn detours(&mut self, schedule: &mut Schedule, budget: &mut Budget<'_>) {
        let network = self.problem.network();
        // Position in the sender's queue of the first message that goes to a node next, counted from 1.
        let mut first = vec![0usize; network.node_count()];
        for &sender in network.terminals() {
            while !self.queues[sender.index()].is_empty() && budget.spend(2 * self.queues[sender.index()].len() as u64)
            {
                let queue = &self.queues[sender.index()];
                for (at, single) in queue.iter().enumerate().rev() {
                    first[self.routes[single.next].index()] = at + 1;
                }
                let accept = |v: Node| first[v.index()].checked_sub(1).map(|at| (at, v));
                let found = self.paths.nearest(&mut self.free, sender, Way::On, accept, budget);
                let found = found.map(|(ends, path)| (ends, path.to_vec()));
                for single in queue {
                    first[self.routes[single.next].index()] = 0;
                }
                let Some(((at, to), path)) = found else { break };
                self.send(sender, at, to, &path, schedule, budget);
            }
        }
    }
}

/// The longest way first: transfers left, then channels of the next.
fn sort(queue: &mut [Single]) {
    queue.sort_by_key(|s| std::cmp::Reverse((s.end - s.next, s.distance)));
}
