//! **What:** the method `allgather-matching`: messages for many destinations, spread between neighbouring terminals.
//!
//! **Method.** In each step every receiver matches its incoming channels with messages that it lacks and the channels'
//! tails hold. Messages enter the matching by rarity, each by an augmenting path; since matchable sets of messages form a
//! transversal matroid, the result is a largest matching and of those the rarest. Ties are broken at random or by how many of
//! the next nodes lack the message, and the whole is restarted, in turn with one rule or another, until the goal is reached
//! or the ticks are spent. Where messages are many, a receiver does not look at all of them: they come in [classes](rarity) by
//! rarity, and within a class a few at a time, until all channels are matched. A delivery then costs about the same however many
//! messages there are. Every transfer takes one channel, so a schedule
//! obeys store-and-forward as well as wormhole switching. Under time-division such a transfer is
//! in flight for a while, so what is received may be sent on some slots later; all else is the same.
//!
//! **When it loses.** Networks with switches have few neighbouring terminals, and few destinations want paths of several
//! channels; there it does not apply or the other engines do better.

mod matching;
mod rarity;

use crate::copies::Copies;
use crate::restarts::Restarts;
use graph::residual::Residual;
use kernel::{Model, Node, Problem, Schedule, Semantics, Switching};
use matching::{Matching, Unit};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rarity::Rarity;
use run::{Budget, Method, Run};
use std::cmp::Reverse;

/// The method.
pub struct AllgatherMatching;

/// Ticks that a receiver takes in each step at least.
const RECEIVER_TICKS: u64 = 60;

/// Of more next nodes these tell how many lack a message.
const MOST_ASKED: usize = 64;

/// Deliveries from which one attempt is worth having before anything else is tried: other searches take far longer to deliver as many.
const MANY: u64 = 1 << 18;

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

    /// Of many deliveries its first look is a whole attempt, whatever that takes.
    fn is_quick(&self, problem: &Problem) -> bool {
        problem.collective().deliveries() >= MANY
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let deliveries: usize = collective.messages().map(|m| collective.destinations(m).len()).sum();
        let bits = collective.message_count().saturating_mul(problem.network().node_count());
        let many = deliveries >= 2 * collective.message_count();
        collective.semantics() == Semantics::Copy && many && bits <= 1 << 28 && one_hop(problem).is_some()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let slots = problem.model().switching.slots();
        // Where slots do not wrap round, the last copy must arrive before the schedule ends.
        let (duration, after) = slots.map_or((0, 0), |s| (s.hop as usize, if s.cyclic { 0 } else { s.hop as usize }));
        let problem = &one_hop(problem)?;
        // With fewer ticks not even one attempt would come to its end.
        let least = floor.saturating_mul(RECEIVER_TICKS * problem.network().terminals().len() as u64);
        let (ticks, attempts) = match least > run.settings.ticks {
            true if self.is_quick(problem) && run.incumbent.is_none() => (u64::MAX, 1),
            true => (0, 0),
            false => (run.settings.ticks, u64::MAX),
        };
        let budget = &mut Budget::new(run, ticks);
        if attempts == 0 && !budget.spend(1) {
            return None;
        }
        let start = Spread::new(problem, duration, after, budget)?;
        let cost = 200 + start.copies.size() / 8;
        let restarts = Restarts { name: self.name(), run, floor, cost, attempts, most: usize::MAX };
        let best = restarts.best(budget, |number, limit, budget| {
            start.clone().run(Attempt { number, limit }, run.settings.seed.generator(number), budget)
        });
        // With more ticks there are more attempts.
        if attempts == 1 {
            budget.take(u64::MAX).ok();
        }
        best
    }
}

/// The problem with one channel a transfer; none where a message then cannot arrive.
fn one_hop(problem: &Problem) -> Option<Problem> {
    let model = Model { switching: Switching::StoreAndForward, combining: problem.model().combining };
    Problem::new(problem.network().clone(), problem.collective().clone(), model).ok()
}

/// Which rules are tried, and what for.
#[derive(Clone, Copy)]
struct Attempt {
    /// Decides between the rules.
    number: u64,
    /// Most steps of use.
    limit: usize,
}

/// A message that a receiver may get, in the order in which they are matched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: (u32, u32),
    random: u32,
    message: usize,
}

/// A schedule while it grows.
#[derive(Clone)]
struct Spread<'a> {
    problem: &'a Problem,
    /// Steps that a transfer takes beside the one it begins in.
    duration: usize,
    /// Steps after the last transfer has begun.
    after: usize,
    free: Residual<'a>,
    copies: Copies,
    /// Copies of each message as the step began.
    before: Vec<u32>,
    /// Messages in classes by those copies.
    rarity: Rarity,
}

impl<'a> Spread<'a> {
    fn new(problem: &'a Problem, duration: usize, after: usize, budget: &mut Budget<'_>) -> Option<Self> {
        let copies = Copies::new(problem, problem.collective().messages().collect(), budget)?;
        let before = copies.counts().to_vec();
        let (free, rarity) = (Residual::new(problem.network()), Rarity::new(before.len()));
        Some(Spread { problem, duration, after, free, copies, before, rarity })
    }

    /// Steps until all is delivered; `None` once more than the limit are certain, or the budget is spent.
    fn run(mut self, attempt: Attempt, mut random: Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let network = self.problem.network();
        let mut schedule = Schedule::new();
        let mut order: Vec<Node> = network.terminals().to_vec();
        let rate = |v: Node| network.receive_capacity(v).clamp(1, 1 << 31) as u32;
        while self.copies.open() > 0 {
            let least = self.copies.least_steps(self.problem);
            let beyond = schedule.step_count().saturating_add(least + self.after) > attempt.limit;
            if beyond || !budget.spend((order.len() + self.before.len()) as u64) {
                return None;
            }
            schedule.begin_step();
            self.free.clear();
            self.before.copy_from_slice(self.copies.counts());
            self.rarity.divide(&self.before);
            order.shuffle(&mut random);
            if attempt.number & 1 == 0 {
                order.sort_by_key(|v| Reverse(self.copies.lacking(*v) / rate(*v)));
            }
            for &receiver in &order {
                if self.copies.lacking(receiver) > 0 {
                    let matching = self.matching(receiver, attempt, &mut random, budget)?;
                    self.send(receiver, matching, &mut schedule);
                }
            }
            if !self.copies.is_moving() {
                return None;
            }
            self.copies.end_step();
        }
        (0..self.after).for_each(|_| schedule.begin_step());
        Some(schedule)
    }

    /// The receiver's channels with messages; `None` where the budget ends.
    fn matching(
        &mut self,
        receiver: Node,
        attempt: Attempt,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Matching> {
        let network = self.problem.network();
        let mut units: Vec<Unit> = Vec::new();
        for &channel in network.incoming(receiver) {
            if network.is_terminal(network.from(channel)) && self.free.free(channel) {
                let uses = network.capacity(channel).min(self.copies.lacking(receiver));
                let unit = Unit { channel, holder: network.from(channel), message: None, seen: 0 };
                units.extend((0..uses).map(|_| unit));
            }
        }
        units.shuffle(random);
        let holders: Vec<Node> = units.iter().map(|unit| unit.holder).collect();
        if !budget.spend(RECEIVER_TICKS + (holders.len() * (4 + self.copies.words() / 8)) as u64) {
            return None;
        }
        let rank = |k: usize| {
            let lacking = || {
                let next = network.outgoing(receiver).iter().take(MOST_ASKED).map(|c| network.to(*c));
                next.filter(|v| self.copies.lacks(k, *v)).count() as u32
            };
            // Attempts differ in how copies count (now, or as the step began) and in how far they look: not at all,
            // at how many of the next nodes lack the message, or at that before rarity.
            let count = if attempt.number & 2 == 0 { self.copies.counts()[k] } else { self.before[k] };
            match attempt.number / 4 % 3 {
                0 => (count, u32::MAX - lacking()),
                1 => (count, 0),
                _ => (u32::MAX - lacking(), count),
            }
        };
        let mut matching = Matching::new(units, &self.copies, receiver);
        let mut left = matching.units.len();
        let (mut turn, mut candidates) = (0, Vec::new());
        // Where there are classes, the messages of each in turn, a few at a time.
        let order = self.rarity.order(self.copies.lacking(receiver), left);
        let start = if order.together < usize::MAX { random.random_range(0..self.before.len()) } else { 0 };
        for class in order.classes() {
            let mut offered = self.copies.offered_among(class, &holders, receiver, start);
            loop {
                candidates.clear();
                let candidate = |message| Candidate { rank: rank(message), random: random.random(), message };
                candidates.extend(offered.by_ref().take(order.together).map(candidate));
                if !budget.spend(candidates.len() as u64) {
                    return None;
                }
                candidates.sort_unstable();
                for candidate in &candidates {
                    if left == 0 || !self.free.can_receive(receiver) {
                        return Some(matching);
                    }
                    turn += 1;
                    if matching.augment(candidate.message, turn, &self.copies, &mut self.free, budget) {
                        left -= 1;
                    }
                }
                if candidates.len() < order.together {
                    break;
                }
            }
        }
        Some(matching)
    }

    /// Sends each matched message, and where the model combines all others that its holder has.
    fn send(&mut self, receiver: Node, matching: Matching, schedule: &mut Schedule) {
        let matched: Vec<usize> = matching.units.iter().filter_map(|unit| unit.message).collect();
        for Unit { channel, holder, message, .. } in matching.units {
            let Some(message) = message else { continue };
            let mut numbers = vec![message];
            if self.problem.model().combining {
                let holders = [holder];
                let others = self.copies.offered(&holders, receiver, 0);
                numbers.extend(others.filter(|other| !matched.contains(other)));
            }
            self.copies.transfer(schedule, &numbers, &[channel], receiver, Some(self.duration));
        }
    }
}
