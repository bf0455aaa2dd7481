//! **What:** the method `greedy`: a valid schedule for every problem of semantics `copy`, under every model.
//!
//! **Method.** Step by step, or slot by slot of time-division, transfers are added while one is useful and has a free path. A
//! transfer is useful if its sender holds the message and its receiver lacks it. Messages with one destination are pushed by their
//! holders ([`singles`]); messages with many are pulled by their receivers from the nearest holder, the rarest first. Where no
//! single transfer leads to a destination, the terminals on a route lack the message as well ([`crate::relays`]). In an empty
//! step the first pending demand always has a free path, so every step makes progress. What a period of slots asks for
//! beside is told in [`slots`].
//!
//! **Parameters.** Restarts: where most messages have many destinations, the order of receivers, of channels and of equally rare
//! messages is drawn anew, and the whole is begun again until the ticks are spent, giving up as soon as the best schedule so far
//! cannot be improved. Small problems have so few choices a step that restarts find the optimum.
//!
//! **When it loses.** It never reconsiders a step; other searches do better wherever they apply.

mod last_slots;
mod policy;
mod singles;
pub(crate) mod slots;
mod walk;

use crate::copies::Copies;
use crate::restarts::Restarts;
use crate::timetable::Timetable;
use graph::{distances::Way, paths::Paths};
use kernel::{Message, Node, Problem, Schedule, Semantics, Slots, Switching};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use singles::Singles;
use std::cmp::Reverse;

/// The method.
pub struct Greedy;

impl Method for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["allgather-paths", "slot-paths"]
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
        if let Some(slots) = problem.model().switching.slots() {
            return slots::solve(problem, slots, slots::Rest::default(), floor, run);
        }
        let budget = &mut Budget::new(run, run.settings.ticks);
        let start = Filling::new(problem, None, run, budget)?;
        let cost = 500 + start.copies.size() / 8 + 8 * problem.network().node_count() as u64;
        let attempts = if has_choices(problem) { u64::MAX } else { 1 };
        let restarts = Restarts { name: self.name(), run, floor, cost, attempts, most: usize::MAX };
        restarts.best(budget, |number, limit, budget| {
            let random = run.settings.seed.generator(number.saturating_sub(1));
            start.clone().fill(random, number > 0, limit, budget)
        })
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

/// One schedule while it is filled.
#[derive(Clone)]
struct Filling<'a> {
    problem: &'a Problem,
    table: Timetable<'a>,
    paths: Paths<'a>,
    /// Messages with many destinations.
    copies: Copies,
    /// Messages with one destination.
    singles: Singles<'a>,
    /// What there is beside the messages in the slots of a period.
    rest: slots::Rest<'a>,
}

impl<'a> Filling<'a> {
    /// `None` if some destination is beyond reach, or the budget is.
    fn new(problem: &'a Problem, slots: Option<Slots>, run: &Run<'_>, budget: &mut Budget<'_>) -> Option<Self> {
        let collective = problem.collective();
        let others = |m: &Message| {
            let origin = collective.origin(*m);
            collective.destinations(*m).iter().filter(move |d| **d != origin).take(2).count()
        };
        let (many, few): (Vec<Message>, Vec<Message>) =
            collective.messages().filter(|m| others(m) > 0).partition(|m| others(m) > 1);
        let mut filling = Filling {
            problem,
            table: Timetable::new(problem, slots),
            paths: Paths::new(problem, run.settings.slack),
            copies: Copies::new(problem, many, budget)?,
            singles: Singles::new(problem, &few, budget)?,
            rest: slots::Rest::default(),
        };
        filling.paths.ticks_to_ask = filling.copies.words() as u64;
        Some(filling)
    }

    /// Whether everything is delivered or under way.
    fn is_done(&self) -> bool {
        self.copies.open() + self.singles.open == 0
    }

    /// A schedule of at most `limit` steps. Where `vary`, searches look at channels in another order each time, so that
    /// generators make schedules of different paths.
    fn fill(mut self, mut random: Pcg64Mcg, vary: bool, limit: usize, budget: &mut Budget<'_>) -> Option<Schedule> {
        self.singles.shuffle(&mut random);
        let mut schedule = Schedule::new();
        while !self.is_done() {
            let (step, before) = (schedule.step_count(), schedule.transfer_count());
            let beyond = step.saturating_add(self.copies.least_steps(self.problem)) > limit;
            if beyond || !budget.spend(self.problem.network().node_count() as u64) {
                return None;
            }
            self.table.begin(step);
            schedule.begin_step();
            self.pull(&mut schedule, &mut random, vary, budget);
            self.singles.push(&mut self.table, &mut schedule, &mut random, budget);
            // Detours take long to find, so half of the budget is kept for what needs none.
            if schedule.transfer_count() == before || budget.spent() < budget.left() {
                self.singles.detours(self.table.at(0), &mut self.paths, &mut schedule, budget);
            }
            self.copies.end_step();
            self.singles.end_step(budget)?;
            if schedule.transfer_count() == before || budget.is_over() {
                return None;
            }
        }
        Some(schedule)
    }

    /// Receivers pull messages for many from the nearest holders, one message a turn.
    fn pull(&mut self, schedule: &mut Schedule, random: &mut Pcg64Mcg, vary: bool, budget: &mut Budget<'_>) {
        let terminals = self.problem.network().terminals().iter().copied();
        let mut receivers: Vec<Node> = terminals.filter(|v| self.copies.lacking(*v) > 0).collect();
        receivers.shuffle(random);
        if !vary || random.random() {
            receivers.sort_by_key(|v| Reverse(self.copies.lacking(*v)));
        }
        while !receivers.is_empty() {
            receivers.retain(|&receiver| {
                let mut start = 64 * random.random_range(0..self.copies.words().max(1));
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
            let offered = copies.offered(&[holder], receiver, start).min_by_key(|&k| copies.counts()[k]);
            offered.map(|k| (k, holder))
        };
        let found = self.paths.nearest(self.table.at(0), receiver, Way::Back, rarest, budget);
        let Some(((k, holder), path)) = found else { return false };
        let mut taken = vec![k];
        if self.problem.model().combining {
            taken.extend(copies.offered(&[holder], receiver, 0).filter(|other| *other != k));
        }
        self.copies.transfer(schedule, &taken, path, receiver, Some(0));
        self.copies.lacking(receiver) > 0
    }
}
