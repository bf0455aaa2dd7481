//! **What:** the method `time-expanded`: messages for one destination each under store-and-forward (a hop a step) and
//! time-division.
//!
//! **Method.** A message may wait anywhere between its hops, so its schedule is a way through nodes and steps. A first fit
//! gives a ceiling. Then the goal itself is tried: a search by ejection chains ([`crate::ejection`]) gives every message a way
//! ([`hops`]), on its own and divided by groups of symmetries that are found, not told. Where the goal resists, numbers of
//! steps between it and the ceiling are tried by bisection, and then both again with growing budgets.
//!
//! Under time-division messages do not wait, so a path and the slot it begins in are looked for instead ([`slots`]), and
//! the ceiling comes from [`crate::Greedy`].
//!
//! **Parameters.** Weights of messages, by length or by how often they were picked; hops beyond the shortest; groups. A
//! portfolio of them is run ([`run::race`]).
//!
//! **When it loses.** Messages are moved one by one, so where many for one destination must be exchanged at once a flow
//! would see further. With combining, messages that travel together need fewer steps.

mod hops;
mod network;
mod slots;

use crate::ejection::{Search, Weighting};
use crate::emit::{self, Sent};
use crate::first_fit::FirstFit;
use crate::greedy;
use crate::quotient::{OrbitQuotient, QuotientSteps};
use crate::resources::{Resources, open_messages};
use graph::symmetry::{Ends, FreeGroup, free_groups};
use hops::{HopWays, Parameters};
use kernel::{Message, Problem, Schedule, Semantics, Switching};
use network::{HopGraphs, Lengths, Pair};
use run::race::{Task, race};
use run::{Budget, Method, Run};

/// Looks at a channel while groups are looked for: for each tick there is, and at most.
const LOOKS_A_TICK: u64 = 16;
const MOST_LOOKS: u64 = 40_000_000;

/// The method.
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
        "messages for one destination each, under store-and-forward or time-division: hops and slots by ejection chains"
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
        let open = open_messages(problem);
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut budget = Budget::new(run, u64::MAX);
        let (resources, ends) = (Resources::new(problem, &mut budget)?, Ends::new(problem, &open));
        let trivial = OrbitQuotient::new(&resources, &ends, &open, FreeGroup::trivial(problem), &mut budget)?;
        let portfolio = Portfolio {
            resources: &resources,
            open: &open,
            ends,
            run,
            trivial,
            groups: None,
            pool: run::race::pool(run.settings.threads),
            tasks: 0,
            ticks: 0,
            hops: 0,
            ceiling: u32::MAX,
            best: None,
            last_success: None,
        };
        portfolio.search(floor)
    }
}

/// One way to search.
struct SearchConfig<'a> {
    quotient: &'a OrbitQuotient,
    parameters: Parameters,
}

struct Portfolio<'a> {
    resources: &'a Resources<'a>,
    open: &'a [Message],
    ends: Ends,
    run: &'a Run<'a>,
    /// The group that leaves everything in place.
    trivial: OrbitQuotient,
    /// Groups of symmetries, once looked for.
    groups: Option<Vec<OrbitQuotient>>,
    pool: Option<rayon::ThreadPool>,
    /// Tasks begun so far: each has its own random numbers.
    tasks: u64,
    ticks: u64,
    /// Hops that messages may take on their shortest ways, in all.
    hops: u64,
    /// Steps of the best schedule known, and that schedule where it was found here.
    ceiling: u32,
    best: Option<Schedule>,
    last_success: Option<Parameters>,
}

/// What a number of steps is tried with.
#[derive(Clone, Copy)]
enum Try {
    /// Everything, for a time that grows with the effort.
    All { effort: u32 },
    /// The parameters that succeeded last.
    Again { effort: u32 },
}

impl Portfolio<'_> {
    fn search(mut self, floor: u64) -> Option<Schedule> {
        let first = self.first_fit(floor)?;
        match (self.run.incumbent, first) {
            (Some(known), _) => self.ceiling = u32::try_from(known.steps()).ok()?,
            (None, Some(first)) => self.improved(first),
            (None, None) => return None,
        }
        let goal = u32::try_from(self.run.goal(floor).max(1)).ok()?;
        for effort in [0, 1] {
            self.attempt(goal, Try::All { effort });
        }
        // Between the goal and the ceiling: the least number of steps at which small budgets succeed, or larger ones with
        // the parameters that succeeded last.
        let mut low = goal + 1;
        while low < self.ceiling && !self.exhausted() {
            let middle = low + (self.ceiling - low) / 2;
            let tries = [Try::Again { effort: 2 }, Try::All { effort: 0 }, Try::All { effort: 1 }];
            if !tries.into_iter().any(|with| self.attempt(middle, with)) {
                low = middle + 1;
            }
        }
        for effort in 2.. {
            while self.ceiling > goal + 1 && self.attempt(self.ceiling - 1, Try::All { effort }) {}
            if self.ceiling <= goal || self.exhausted() {
                break;
            }
            self.attempt(goal, Try::All { effort });
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
        let problem = self.resources.problem;
        let is_known = self.run.incumbent.is_some();
        if let Some(slots) = problem.model().switching.slots() {
            self.hops = self.open.len() as u64 * 4;
            return Some(if is_known {
                None
            } else {
                greedy::slots::solve(problem, slots, greedy::slots::Rest::default(), floor, self.run)
            });
        }
        let collective = problem.collective();
        let pair = |&m| Pair { origin: collective.origin(m), destination: collective.destinations(m)[0] };
        let pairs: Vec<Pair> = self.open.iter().map(pair).collect();
        let mut budget = Budget::new(self.run, u64::MAX);
        let lengths = Lengths { slack: 0, steps: u32::MAX - 1 };
        let graphs = HopGraphs::new(self.resources, &pairs, lengths, 1 << 26, |_| true, &mut budget)?;
        self.hops = graphs.hop_count() as u64;
        if is_known {
            return Some(None);
        }
        let list = earliest_arrivals(self.resources, &graphs, self.open, &mut budget)?;
        Some(Some(emit::schedule(self.resources, 0, list)))
    }

    /// The configurations of some effort. A hop too many costs about what a message weighs; without that, longer ways are taken
    /// all over and volume is wasted.
    fn configs(&self, effort: u32) -> Vec<SearchConfig<'_>> {
        // By length, by picks: the one suits a tight volume, the other a tight bottleneck.
        let weightings = [(10, 0), (0, 1)].map(|(per_hop, per_pick)| Weighting { per_hop, per_pick });
        let slacks = match (self.run.settings.slack, effort) {
            (Some(slack), _) => slack..=slack,
            (None, 0 | 1) => 0..=2,
            (None, _) => 0..=3,
        };
        let groups = self.groups.iter().flatten().take(6 * effort as usize);
        let configs = groups.chain([&self.trivial]).flat_map(|quotient| {
            slacks.clone().flat_map(move |slack| {
                weightings.map(|weighting| {
                    let parameters = Parameters { weighting, slack, detour: 10 + weighting.per_hop };
                    SearchConfig { quotient, parameters }
                })
            })
        });
        configs.collect()
    }

    /// Looks for a schedule of `steps` steps. Whether there is one now.
    fn attempt(&mut self, steps: u32, with: Try) -> bool {
        if steps >= self.ceiling || self.exhausted() {
            return steps >= self.ceiling;
        }
        let (Try::All { effort } | Try::Again { effort }) = with;
        if effort > 0 && self.groups.is_none() {
            let mut budget = Budget::new(self.run, u64::MAX);
            let mut part = budget.part(self.run.settings.ticks.saturating_mul(LOOKS_A_TICK).min(MOST_LOOKS));
            let groups = free_groups(self.resources.problem, &self.ends, self.run.settings.seed, &mut part);
            let quotient = |group| OrbitQuotient::new(self.resources, &self.ends, self.open, group, &mut budget);
            self.groups = Some(groups.into_iter().filter_map(quotient).collect());
        }
        // Enough to place every message a few times.
        let least = (self.hops.saturating_mul(u64::from(steps)) / 8).max(100_000);
        let left = self.run.settings.ticks.saturating_sub(self.ticks);
        let ticks = least.saturating_mul(4u64.saturating_pow(effort)).min(left);
        let mut configs = self.configs(effort);
        configs.sort_by_key(|config| Some(config.parameters) != self.last_success);
        if matches!(with, Try::Again { .. }) {
            configs.retain(|config| Some(config.parameters) == self.last_success);
        }
        let task = |config: &SearchConfig<'_>, task: &Task<'_>| self.task(config, steps, ticks, task);
        let (found, spent) = race(self.pool.as_ref(), &configs, (ticks, left), task);
        let begun = configs.len() as u64;
        self.ticks += spent;
        self.tasks += begun;
        let Some((found, parameters)) = found else { return false };
        self.last_success = Some(parameters);
        self.improved(found);
        true
    }

    fn task(
        &self,
        config: &SearchConfig<'_>,
        steps: u32,
        ticks: u64,
        task: &Task<'_>,
    ) -> (Option<(Schedule, Parameters)>, u64) {
        if self.run.stopped() {
            return (None, 0);
        }
        let mut random = self.run.settings.seed.generator(self.tasks + task.position as u64);
        let SearchConfig { quotient, parameters } = *config;
        let Some(divided) = QuotientSteps::new(quotient, &quotient.no_shift(), steps) else { return (None, 1) };
        // What cannot be searched uses its ticks up, so that the efforts end.
        let mut budget = Budget::new(self.run, u64::MAX);
        let Some(ways) = HopWays::new(self.resources, &divided, parameters, &mut budget) else { return (None, ticks) };
        let mut search = Search::new(ways, divided.places, parameters.weighting, &mut random);
        let done = search.run(ticks, &mut random, |open| {
            self.run.progress.working("time-expanded", u64::from(steps), (open * quotient.order()) as u64);
            self.run.stopped() || task.is_beaten()
        });
        let placements = |(message, way): (usize, &Vec<hops::Taken>)| {
            search.ways.placements(way).into_iter().map(move |placement| (message, placement))
        };
        let found = done.then(|| {
            let all = divided.expanded(&self.ends, search.chosen().flat_map(placements));
            (emit::schedule(self.resources, search.ways.period(), all), parameters)
        });
        (found, search.ticks())
    }
}

/// A first schedule: messages of the longest ways first, each with the earliest arrival that free slots allow. The graphs
/// are in the order of `open`. `None` where the budget ends.
fn earliest_arrivals(
    resources: &Resources<'_>,
    graphs: &HopGraphs,
    open: &[Message],
    budget: &mut Budget<'_>,
) -> Option<Vec<Sent>> {
    let mut filled = FirstFit::new(resources);
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(graphs.length(i)), i));
    let (mut list, mut steps) = (Vec::new(), 0);
    // Of each place, the step in which the message may leave, and the hop by which it came.
    let mut reached: Vec<(u32, u32, u32)> = Vec::new();
    for i in order {
        let places = graphs.of(i);
        if !budget.spend(u64::from(steps) + places.len() as u64) {
            return None;
        }
        reached.clear();
        reached.push((0, 0, 0));
        for place in places.start + 1..places.end {
            let arrivals = graphs.hops_to(place).iter().map(|hop| {
                let step = filled.earliest(&[hop.lane], reached[hop.from as usize].0);
                (step + 1, hop.from, hop.lane)
            });
            reached.push(arrivals.min().expect("a hop leads to every place but the first"));
        }
        let mut at = reached.len() - 1;
        steps = steps.max(reached[at].0);
        while at > 0 {
            let (after, from, lane) = reached[at];
            filled.take(&[lane], after - 1);
            list.push(Sent { step: after - 1, message: open[i], path: vec![lane] });
            at = from as usize;
        }
    }
    Some(list)
}
