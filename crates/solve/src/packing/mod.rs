//! **What:** the engine `packing`: messages for one destination each, every one on one path in one step.
//!
//! **Method.** A first fit gives a ceiling. Then the goal itself is tried: a search by ejection ([`search`]) places every
//! message on a path in a step, on its own and folded by groups of symmetries ([`fold`]) that are found, not told; such a
//! group makes the search smaller by its order and may shift steps. Where the goal resists, numbers of steps between it
//! and the ceiling are tried by bisection, and then both again with growing budgets.
//!
//! A portfolio of weights, slacks and groups takes turns. Its tasks are independent and have fixed budgets, and of those
//! that succeed the first in order counts, so the answer does not depend on the number of threads.
//!
//! **When it loses.** Messages travel one path each: where relays at terminals, or several messages in one transfer, help,
//! other engines do better. Large networks without symmetry stay some steps above the floor.

mod first_fit;
pub(crate) mod fold;
pub(crate) mod lanes;
mod routes;
mod search;

use crate::symmetry::{Abelian, Ends, abelian_groups};
use crate::{Engine, Run};
use fold::Fold;
use kernel::{Message, Problem, Schedule, Semantics, Switching};
use lanes::Lanes;
use rayon::prelude::*;
use search::{Knobs, Search};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// The engine.
pub struct Packing;

/// Larger problems are left to other engines.
const MOST_MESSAGES: usize = 1 << 17;

impl Engine for Packing {
    fn name(&self) -> &'static str {
        "packing"
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: packs a path for every message into steps by ejection, folded by symmetry"
    }

    fn source(&self) -> &'static str {
        "ejection chains (F. Glover, 1996) on routing and wavelength assignment; symmetry by orbits"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        collective.semantics() == Semantics::Copy
            && problem.model().switching == Switching::Wormhole
            && collective.message_count() <= MOST_MESSAGES
            && collective.messages().all(|m| collective.destinations(m).len() == 1)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let collective = problem.collective();
        let open: Vec<Message> =
            collective.messages().filter(|&m| collective.destinations(m)[0] != collective.origin(m)).collect();
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let lanes = Lanes::new(problem.network());
        let mut packer = Packer::new(problem, &lanes, &open, run)?;
        packer.pack(floor)
    }
}

/// One task of the portfolio.
struct Plan<'a> {
    group: &'a Abelian,
    shifts: Vec<u64>,
    knobs: Knobs,
}

struct Packer<'a> {
    problem: &'a Problem,
    lanes: &'a Lanes,
    open: &'a [Message],
    ends: Ends,
    run: &'a Run<'a>,
    trivial: Abelian,
    /// Groups of symmetries, once looked for.
    groups: Option<Vec<Abelian>>,
    pool: Option<rayon::ThreadPool>,
    /// Tasks begun so far: each has its own random numbers.
    tasks: u64,
    ticks: u64,
    start: Instant,
    /// Milliseconds from the start to the last report.
    reported: AtomicU64,
}

impl<'a> Packer<'a> {
    fn new(problem: &'a Problem, lanes: &'a Lanes, open: &'a [Message], run: &'a Run<'a>) -> Option<Self> {
        let threads = run.settings.threads;
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        Some(Packer {
            problem,
            lanes,
            open,
            ends: Ends::new(problem, open),
            run,
            trivial: Abelian::trivial(problem),
            groups: None,
            pool,
            tasks: 0,
            ticks: 0,
            start: Instant::now(),
            reported: AtomicU64::new(0),
        })
    }

    fn pack(&mut self, floor: u64) -> Option<Schedule> {
        let mut random = self.run.settings.seed.generator(u64::MAX);
        let slack = self.run.settings.slack.unwrap_or(0);
        let placed = first_fit::first_fit(self.problem, self.lanes, self.open, &mut random, slack)?;
        let mut best = self.unfolded(&placed);
        self.run.progress.found("packing", best.step_count() as u64);
        let goal = u32::try_from(self.run.goal(floor).max(1)).ok()?;
        let ceiling = |best: &Schedule| u32::try_from(best.step_count()).unwrap_or(u32::MAX);
        for effort in [0, 1] {
            if ceiling(&best) <= goal {
                return Some(best);
            }
            best = self.attempt(goal, effort).unwrap_or(best);
        }
        // Between the goal and the ceiling: the least number of steps at which small budgets succeed.
        let mut low = goal + 1;
        while low < ceiling(&best) && !self.exhausted() {
            let middle = low + (ceiling(&best) - low) / 2;
            match (0..=1).find_map(|effort| self.attempt(middle, effort)) {
                Some(found) => best = found,
                None => low = middle + 1,
            }
        }
        for effort in 2.. {
            while ceiling(&best) > goal + 1
                && !self.exhausted()
                && let Some(found) = self.attempt(ceiling(&best) - 1, effort)
            {
                best = found;
            }
            if ceiling(&best) <= goal || self.exhausted() {
                break;
            }
            best = self.attempt(goal, effort).unwrap_or(best);
        }
        Some(best)
    }

    fn exhausted(&self) -> bool {
        self.ticks >= self.run.settings.ticks || self.run.stopped()
    }

    fn unfolded(&self, placed: &[(Vec<u32>, u32)]) -> Schedule {
        let mut list: Vec<(u32, Message, &[u32])> =
            self.open.iter().zip(placed).map(|(&m, (path, step))| (*step, m, path.as_slice())).collect();
        list.sort_unstable();
        search::schedule(self.lanes, |c| self.problem.network().capacity(c), list)
    }

    /// The tasks for a number of steps.
    fn plans(&self, steps: u32, effort: u32) -> Vec<Plan<'_>> {
        // Path lengths, then picks: the one suits a tight volume, the other a tight bottleneck.
        let weights = [(10, 0), (3, 1), (100, 0), (5, 0)];
        let slacks: &[u32] = match (&self.run.settings.slack, effort) {
            (Some(slack), _) => &[*slack],
            (None, 0) => &[0, 1],
            (None, _) => &[0, 1, 2],
        };
        let knobs = |items: usize| {
            let most = (1_000_000 / items.max(1)).clamp(6, 1200);
            let paths = if effort.is_multiple_of(2) { most.min(24) } else { most };
            slacks.iter().flat_map(move |&slack| {
                weights.into_iter().take(if effort < 2 { 3 } else { 4 }).map(move |(per_channel, per_pick)| Knobs {
                    per_channel,
                    per_pick,
                    tenure: 1,
                    slack,
                    paths,
                })
            })
        };
        let mut plans = Vec::new();
        if effort > 0 {
            let groups = self.groups.iter().flatten().take(8 * effort as usize);
            for group in groups {
                let items = self.open.len() / group.elements.len();
                let most = || group.factors.iter().map(|&f| crate::automorphisms::gcd(f, u64::from(steps)));
                let still = vec![1; group.factors.len()];
                let first = most().position(|d| d > 1);
                let one = most().enumerate().map(|(i, d)| if Some(i) == first { d } else { 1 }).collect();
                let mut shifts = vec![still, most().collect(), one];
                shifts.dedup();
                if shifts.len() == 3 && shifts[0] == shifts[2] {
                    shifts.pop();
                }
                for shifts in shifts {
                    let few = if effort == 1 { 2 } else { usize::MAX };
                    plans.extend(knobs(items).take(few).map(|knobs| Plan { group, shifts: shifts.clone(), knobs }));
                }
            }
        }
        plans.extend(knobs(self.open.len()).map(|knobs| Plan { group: &self.trivial, shifts: Vec::new(), knobs }));
        plans
    }

    /// Looks for a schedule of `steps` steps.
    fn attempt(&mut self, steps: u32, effort: u32) -> Option<Schedule> {
        if effort > 0 && self.groups.is_none() && !self.exhausted() {
            self.groups = Some(abelian_groups(self.problem, &self.ends, self.run.settings.seed, 40_000_000));
        }
        let budget = 150_000u64.saturating_mul(4u64.saturating_pow(effort));
        let left = self.run.settings.ticks.saturating_sub(self.ticks);
        let plans = self.plans(steps, effort);
        let ticks: Vec<AtomicU64> = plans.iter().map(|_| AtomicU64::new(0)).collect();
        let winner = AtomicUsize::new(usize::MAX);
        let task = |(i, plan): (usize, &Plan<'_>)| {
            if winner.load(Ordering::Relaxed) < i || budget.saturating_mul(i as u64) > left {
                return None;
            }
            let (found, spent) =
                self.task(plan, steps, budget, self.tasks + i as u64, |_| winner.load(Ordering::Relaxed) < i);
            ticks[i].store(spent, Ordering::Relaxed);
            if found.is_some() {
                winner.fetch_min(i, Ordering::Relaxed);
            }
            found
        };
        let found = match &self.pool {
            None => plans.iter().enumerate().find_map(task),
            Some(pool) => pool.install(|| plans.par_iter().enumerate().find_map_first(task)),
        };
        // Tasks after the winner may have been cut short, so they do not count.
        let counted = winner.into_inner().min(ticks.len().saturating_sub(1));
        let spent: u64 = ticks[..=counted].iter().map(|t| t.load(Ordering::Relaxed)).sum();
        let begun = plans.len() as u64;
        self.ticks += spent;
        self.tasks += begun;
        if let Some(found) = &found {
            self.run.progress.found("packing", found.step_count() as u64);
        }
        found
    }

    fn task(
        &self,
        plan: &Plan<'_>,
        steps: u32,
        budget: u64,
        number: u64,
        cut: impl Fn(()) -> bool,
    ) -> (Option<Schedule>, u64) {
        if self.run.stopped() {
            return (None, 0);
        }
        let mut random = self.run.settings.seed.generator(number);
        let (about, group) = ((self.problem, self.lanes), (plan.group, plan.shifts.as_slice()));
        let Some(fold) = Fold::new(about, (&self.ends, self.open), group, steps) else { return (None, 1) };
        let Some(mut search) = Search::new(about, &fold, plan.knobs, &mut random) else { return (None, 100) };
        let done = search.run(budget, &mut random, |open| {
            self.report(steps, open);
            self.run.stopped() || cut(())
        });
        let found = done.then(|| search.schedule(self.lanes, |c| self.problem.network().capacity(c)));
        (found, search.ticks())
    }

    fn report(&self, steps: u32, open: usize) {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let before = self.reported.load(Ordering::Relaxed);
        if now >= before + 250
            && self.reported.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.run.progress.working("packing", u64::from(steps), open as u64);
        }
    }
}

#[cfg(test)]
mod tests;
