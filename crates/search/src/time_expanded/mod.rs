//! **What:** the engine `forwarding`: messages for one destination each under store-and-forward (a hop a step) and time-division.
//!
//! **Method.** A message may wait anywhere between its hops, so its schedule is a way through nodes and steps. A first fit
//! gives a ceiling. Then the goal itself is tried: a search by ejection ([`search`]) gives every message a way, on its own
//! and folded by groups of symmetries that are found, not told; the groups leave time alone, since a way cannot wrap round
//! the end of the schedule. Where the goal resists, numbers of steps between it and the ceiling are tried by bisection,
//! and then both again with growing budgets.
//!
//! Under time-division messages do not wait, so a path and the slot it begins in are looked for instead ([`slots`]), and
//! the ceiling comes from [`crate::greedy_slots`].
//!
//! **Knobs.** Weights of messages, by length or by how often they were picked; hops beyond the shortest; groups. A
//! portfolio of them takes turns ([`run::race`]).
//!
//! **When it loses.** Messages are moved one by one, so where many for one destination must be exchanged at once a flow
//! would see further. With combining, messages that travel together need fewer steps.

mod first_fit;
mod search;
mod slots;
#[cfg(test)]
mod tests;
mod ways;

use crate::greedy_slots;
use crate::packing::lanes::Lanes;
use crate::{packing::fold::Fold, packing::fold::Folding};
use graph::{symmetry::Ends, symmetry::FreeGroup, symmetry::free_groups};
use kernel::{Message, Node, Problem, Schedule, Semantics, Switching};
use run::{Budget, Method, Run};
use run::{race::Turn, race::race};
use search::{Knobs, Search};
use ways::Ways;

/// Looks at a channel while groups are looked for: for each tick there is, and at most.
const LOOKS_A_TICK: u64 = 16;
const MOST_LOOKS: u64 = 40_000_000;

/// The engine.
pub struct TimeExpanded;

/// Larger problems are left to other engines.
const MOST_MESSAGES: usize = 1 << 17;

impl Method for TimeExpanded {
    fn name(&self) -> &'static str {
        "time-expanded"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["forwarding"]
    }

    fn about(&self) -> &'static str {
        "messages for one destination each, under store-and-forward or time-division: hops and slots by ejection"
    }

    fn source(&self) -> &'static str {
        "ejection chains (F. Glover, 1996) on time-expanded networks (L. Ford, D. Fulkerson, 1958); symmetry by orbits"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, model) = (problem.collective(), problem.model());
        collective.semantics() == Semantics::Copy
            && model.switching != Switching::Wormhole
            && !model.combining
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
        Forwarder::new(problem, &open, run)?.forward(floor)
    }
}

/// One task of the portfolio.
struct Plan<'a> {
    folding: &'a Folding,
    knobs: Knobs,
}

struct Forwarder<'a> {
    problem: &'a Problem,
    lanes: Lanes,
    open: &'a [Message],
    ends: Ends,
    run: &'a Run<'a>,
    /// The group that leaves everything in place.
    trivial: Folding,
    /// Groups of symmetries, once looked for.
    groups: Option<Vec<Folding>>,
    pool: Option<rayon::ThreadPool>,
    /// Tasks begun so far: each has its own random numbers.
    tasks: u64,
    ticks: u64,
    /// Hops that messages may take on their shortest ways, in all.
    hops: u64,
    /// Steps of the best schedule known, and that schedule where it was found here.
    ceiling: u32,
    best: Option<Schedule>,
    /// The knobs of the last success.
    lucky: Option<Knobs>,
}

impl<'a> Forwarder<'a> {
    fn new(problem: &'a Problem, open: &'a [Message], run: &'a Run<'a>) -> Option<Self> {
        let threads = run.settings.threads;
        let mut budget = Budget::new(run, u64::MAX);
        let lanes = Lanes::new(problem.network(), &mut budget)?;
        let ends = Ends::new(problem, open);
        let count = problem.collective().message_count();
        let trivial = Folding::new(&lanes, (&ends, open), count, FreeGroup::trivial(problem), &mut budget)?;
        Some(Forwarder {
            problem,
            lanes,
            open,
            ends,
            run,
            trivial,
            groups: None,
            pool: (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten(),
            tasks: 0,
            ticks: 0,
            hops: 0,
            ceiling: u32::MAX,
            best: None,
            lucky: None,
        })
    }

    fn forward(mut self, floor: u64) -> Option<Schedule> {
        let first = self.first_fit(floor)?;
        match (self.run.incumbent, first) {
            (Some(known), _) => self.ceiling = u32::try_from(known.steps()).ok()?,
            (None, Some(first)) => self.improved(first),
            (None, None) => return None,
        }
        let goal = u32::try_from(self.run.goal(floor).max(1)).ok()?;
        for effort in [0, 1] {
            self.attempt(goal, effort, false);
        }
        // Between the goal and the ceiling: the least number of steps at which small budgets succeed, or larger ones with
        // the knobs that succeeded last.
        let mut low = goal + 1;
        while low < self.ceiling && !self.exhausted() {
            let middle = low + (self.ceiling - low) / 2;
            if ![(2, true), (0, false), (1, false)].into_iter().any(|(e, l)| self.attempt(middle, e, l)) {
                low = middle + 1;
            }
        }
        for effort in 2.. {
            while self.ceiling > goal + 1 && self.attempt(self.ceiling - 1, effort, false) {}
            if self.ceiling <= goal || self.exhausted() {
                break;
            }
            self.attempt(goal, effort, false);
        }
        self.best
    }

    fn improved(&mut self, found: Schedule) {
        self.ceiling = u32::try_from(found.step_count()).unwrap_or(u32::MAX);
        self.run.progress.found("time-expanded", found.step_count() as u64);
        self.best = Some(found);
    }

    fn exhausted(&self) -> bool {
        self.run.is_spent(self.ticks, self.run.settings.ticks) || self.run.stopped()
    }

    /// A first schedule, unless one is known; `None` where some message has no way or the run is stopped.
    fn first_fit(&mut self, floor: u64) -> Option<Option<Schedule>> {
        let is_known = self.run.incumbent.is_some();
        if let Switching::Tdm { hop, cyclic } = self.problem.model().switching {
            self.hops = self.open.len() as u64 * 4;
            return Some(if is_known { None } else { greedy_slots::solve(self.problem, hop, cyclic, floor, self.run) });
        }
        let collective = self.problem.collective();
        let ends: Vec<(Node, Node)> =
            self.open.iter().map(|&m| (collective.origin(m), collective.destinations(m)[0])).collect();
        let mut budget = Budget::new(self.run, u64::MAX);
        let ways = Ways::new((self.problem, &self.lanes), &ends, (0, u32::MAX - 1), 1 << 26, |_| true, &mut budget)?;
        self.hops = ways.hops.len() as u64;
        if is_known {
            return Some(None);
        }
        let list = first_fit::first_fit(&self.lanes, &ways, self.open, &mut budget)?;
        Some(Some(search::schedule(&self.lanes, |c| self.problem.network().capacity(c), list)))
    }

    /// The tasks of some effort. A hop too many costs about what a message weighs; without that, longer ways are taken
    /// all over and volume is wasted.
    fn plans(&self, effort: u32) -> Vec<Plan<'_>> {
        // By length, by picks: the one suits a tight volume, the other a tight bottleneck.
        let weights = [(10, 0), (0, 1), (100, 0)];
        let slacks = match (self.run.settings.slack, effort) {
            (Some(slack), _) => slack..=slack,
            (None, 0 | 1) => 0..=2,
            (None, _) => 0..=3,
        };
        let few = if effort == 1 { 2 } else { weights.len() };
        let groups = self.groups.iter().flatten().take(6 * effort as usize).map(|g| (g, few));
        let all = groups.chain([(&self.trivial, weights.len())]);
        let plan = |(folding, few): (_, usize)| {
            slacks.clone().flat_map(move |slack| {
                weights.into_iter().take(few).map(move |(per_hop, per_pick)| {
                    let knobs = Knobs { per_hop, per_pick, slack, tenure: 1, detour: 10 + per_hop };
                    Plan { folding, knobs }
                })
            })
        };
        all.flat_map(plan).collect()
    }

    /// Looks for a schedule of `steps` steps; only with the knobs that succeeded last where `lucky`. Whether there is one now.
    fn attempt(&mut self, steps: u32, effort: u32, lucky: bool) -> bool {
        if steps >= self.ceiling || self.exhausted() {
            return steps >= self.ceiling;
        }
        if effort > 0 && self.groups.is_none() {
            let mut budget = Budget::new(self.run, u64::MAX);
            let mut part = budget.part(self.run.settings.ticks.saturating_mul(LOOKS_A_TICK).min(MOST_LOOKS));
            let groups = free_groups(self.problem, &self.ends, self.run.settings.seed, &mut part);
            let count = self.problem.collective().message_count();
            let fold = |group| Folding::new(&self.lanes, (&self.ends, self.open), count, group, &mut budget);
            self.groups = Some(groups.into_iter().filter_map(fold).collect());
        }
        // Enough to place every message a few times.
        let least = (self.hops.saturating_mul(u64::from(steps)) / 8).max(100_000);
        let left = self.run.settings.ticks.saturating_sub(self.ticks);
        let budget = least.saturating_mul(4u64.saturating_pow(effort)).min(left);
        let mut plans = self.plans(effort);
        plans.sort_by_key(|plan| Some(plan.knobs) != self.lucky);
        if lucky {
            plans.retain(|plan| Some(plan.knobs) == self.lucky);
        }
        let task = |plan: &Plan<'_>, turn: &Turn<'_>| self.task(plan, steps, budget, turn);
        let (found, spent) = race(self.pool.as_ref(), &plans, (budget, left), task);
        let begun = plans.len() as u64;
        self.ticks += spent;
        self.tasks += begun;
        let Some((found, knobs)) = found else { return false };
        self.lucky = Some(knobs);
        self.improved(found);
        true
    }

    fn task(&self, plan: &Plan<'_>, steps: u32, budget: u64, turn: &Turn<'_>) -> (Option<(Schedule, Knobs)>, u64) {
        if self.run.stopped() {
            return (None, 0);
        }
        let mut random = self.run.settings.seed.generator(self.tasks + turn.position as u64);
        let about = (self.problem, &self.lanes);
        let Some(fold) = Fold::still(&self.lanes, plan.folding, steps) else { return (None, 1) };
        // What cannot be searched uses its turn up, so that the efforts end.
        let Some(mut search) = Search::new(about, &fold, plan.knobs, &mut random, &mut Budget::new(self.run, u64::MAX))
        else {
            return (None, budget);
        };
        let done = search.run(budget, &mut random, |open| {
            self.run.progress.working("time-expanded", u64::from(steps), open as u64);
            self.run.stopped() || turn.lost()
        });
        let capacity = |c| self.problem.network().capacity(c);
        let found = done.then(|| (search.schedule((&self.ends, &self.lanes), capacity), plan.knobs));
        (found, search.ticks())
    }
}
