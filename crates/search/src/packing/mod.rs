//! **What:** the method `packing`: messages for one destination each, every one on one path in one step.
//!
//! **Method.** A first fit gives a ceiling, unless a better schedule is known. Then the goal itself is tried: a search by ejection
//! chains ([`crate::ejection`]) places every message on a path in a step ([`ways`]), on its own and divided by groups of symmetries
//! ([`crate::quotient`]) that are found, not told; such a group makes the search smaller by its order. A [`portfolio`] of
//! groups and weights is tried: for a short time first, for which only small searches qualify, then fewer of them for longer, those that
//! came nearest. Where the goal resists, numbers of steps in between are tried, unless exchanges of paths
//! ([`crate::PathExchange`]) work down from the ceiling, which are better at it.
//!
//! Searches are independent and have fixed budgets, and of those that succeed the first in order counts, so the answer
//! does not depend on the number of threads.
//!
//! Where messages have one path only, the busiest channel says where to stop ([`crate::forced`]).
//!
//! **When it loses.** Messages travel one path each: where relays at terminals, or several messages in one transfer, help,
//! other engines do better. Large networks without symmetry stay a step or a few above the floor.

mod portfolio;
mod ways;

use crate::ejection::Weighting;
use crate::emit;
use crate::first_fit::FirstFit;
use crate::forced;
use crate::path_exchange;
use crate::path_lists::Limits;
use crate::quotient::OrbitQuotient;
use crate::resources::{Resources, open_messages};
use graph::symmetry::{Ends, FreeGroup, TimeShift, free_groups};
use kernel::{Message, Problem, Schedule, Semantics, Switching};
use portfolio::{SearchConfig, SearchContext, UNTRIED};
use run::{Budget, Method, Run};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;
use ways::Parameters;

/// The method.
pub struct Packing;

/// Larger problems get a first fit only.
const MOST_SEARCHED: usize = 1 << 17;

/// Looks at a channel that take about as long as a tick; while groups are looked for, as many for each tick there is, and at most.
const LOOKS_A_TICK: u64 = 16;
const MOST_LOOKS: u64 = 40_000_000;

/// Larger problems are left to other engines.
const MOST_MESSAGES: usize = 1 << 21;

impl Method for Packing {
    fn name(&self) -> &'static str {
        "packing"
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: packs a path for every message into steps by ejection chains, divided by symmetry"
    }

    fn source(&self) -> &'static str {
        "ejection chains (F. Glover, 1996) on routing and wavelength assignment; symmetry by orbits"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, model) = (problem.collective(), problem.model());
        // Where messages combine, what they do apart is the method `stricter-model`'s, which knows when that is too much.
        let combines = model.combining && collective.message_count() > 1;
        collective.semantics() == Semantics::Copy
            && !combines
            && model.switching == Switching::Wormhole
            && collective.message_count() <= MOST_MESSAGES
            && collective.messages().all(|m| collective.destinations(m).len() == 1)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let open = open_messages(problem);
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let (resources, ends) = (Resources::new(problem, &mut budget)?, Ends::new(problem, &open));
        let trivial = OrbitQuotient::new(&resources, &ends, &open, FreeGroup::trivial(problem), &mut budget)?;
        let context = SearchContext::new(&resources, &ends, run, trivial);
        Packer { bipartite: is_bipartite(&resources), context, open: &open, ceiling: u32::MAX, best: None }
            .pack(floor, budget)
    }
}

struct Packer<'a> {
    context: SearchContext<'a>,
    open: &'a [Message],
    bipartite: bool,
    /// Steps of the best schedule known, and that schedule where it was found here.
    ceiling: u32,
    best: Option<Schedule>,
}

/// Rounds of short searches, before anything else than the goal is tried.
const SHORT_ROUNDS: u32 = 2;

/// Ticks of a search in a round.
fn ticks_of(round: u32) -> u64 {
    50_000 << (2 * round).min(40)
}

impl Packer<'_> {
    fn pack(mut self, floor: u64, mut budget: Budget<'_>) -> Option<Schedule> {
        let run = self.context.run;
        match run.incumbent {
            Some(known) => self.ceiling = u32::try_from(known.steps()).ok()?,
            None => {
                let mut random = run.settings.seed.generator(u64::MAX);
                let slack = run.settings.slack.unwrap_or(0);
                let resources = self.context.resources;
                let all = FirstFit::new(resources).paths(self.open, slack, &mut random, &mut budget)?;
                self.improved(emit::schedule(resources, 0, all));
            }
        }
        self.context.ticks = budget.spent();
        let least = forced::steps(self.context.resources, self.open, &mut budget);
        let goal = u32::try_from(run.goal(floor).max(least)).ok()?;
        if self.ceiling > goal && self.open.len() <= MOST_SEARCHED {
            self.search(goal);
        }
        self.best
    }

    fn improved(&mut self, found: Schedule) {
        self.ceiling = u32::try_from(found.step_count()).unwrap_or(u32::MAX);
        self.context.run.progress.found("packing", found.step_count() as u64);
        self.best = Some(found);
    }

    fn search(&mut self, goal: u32) {
        // Small problems need no symmetry.
        let mut configs = self.configs(0);
        if self.round(&configs, goal, 100_000) || self.context.exhausted() {
            return;
        }
        self.find_groups();
        configs.extend((1..self.context.quotients.len()).flat_map(|quotient| self.configs(quotient)));
        configs.sort_by_key(|config| Reverse(self.context.quotients[config.quotient].order()));
        let (problem, run) = (self.context.resources.problem, self.context.run);
        let exchanged = run.settings.slack.is_none() && path_exchange::fits(problem, self.ceiling as usize);
        for round in 0.. {
            // Without symmetry, long searches are left to exchanges of paths.
            let alone = exchanged && self.context.quotients.len() == 1 && round >= SHORT_ROUNDS;
            if configs.is_empty() || alone || self.context.exhausted() || self.round(&configs, goal, ticks_of(round)) {
                break;
            }
            rank(&mut configs);
            if round >= SHORT_ROUNDS && !exchanged {
                self.between(&configs, goal, round);
            }
            // Of the configurations that were tried, those that came nearest are kept.
            let tried = configs.iter().filter(|config| config.least() != UNTRIED).count();
            let untried = configs.split_off(tried);
            configs.truncate((tried / 3).max(6));
            configs.extend(untried);
        }
    }

    /// Between the goal and the ceiling: the least number of steps at which a round's budget succeeds.
    fn between(&mut self, configs: &[SearchConfig], goal: u32, round: u32) {
        let mut low = goal + 1;
        while low < self.ceiling && !self.context.exhausted() {
            let middle = if round == SHORT_ROUNDS { low + (self.ceiling - low) / 2 } else { self.ceiling - 1 };
            match self.context.attempt(configs.iter().take(4), middle, ticks_of(round)) {
                Some(found) => self.improved(found),
                None => low = middle + 1,
            }
        }
    }

    /// Looks for groups.
    fn find_groups(&mut self) {
        let SearchContext { ends, resources, run, .. } = self.context;
        let looks = (run.settings.ticks - self.context.ticks).saturating_mul(LOOKS_A_TICK).min(MOST_LOOKS);
        let mut unlimited = Budget::new(run, u64::MAX);
        let mut budget = unlimited.part(looks);
        let groups = free_groups(resources.problem, ends, run.settings.seed, &mut budget);
        let quotient = |group| OrbitQuotient::new(resources, ends, self.open, group, &mut unlimited);
        self.context.quotients.extend(groups.into_iter().filter_map(quotient));
        // What took too long may be found in a longer run.
        let _ = run.is_spent(budget.spent(), if looks < MOST_LOOKS { looks } else { u64::MAX });
        self.context.ticks += budget.spent() / (4 * LOOKS_A_TICK);
    }

    /// The configurations of a quotient.
    fn configs(&self, quotient: usize) -> Vec<SearchConfig> {
        // Where paths are of one parity, the shortest detour is of two channels.
        let detour = |slack| if slack == 1 && self.bipartite { 2 } else { slack };
        let config = |shift: &TimeShift, set: &Parameters| {
            let slack = self.context.run.settings.slack.unwrap_or(detour(set.limits.slack));
            // Where messages are few, each may have more paths to choose from.
            let most = set.limits.most.max((30_000 / self.context.quotients[quotient].messages.len()).min(200));
            let parameters = Parameters { limits: Limits { slack, most }, ..*set };
            SearchConfig { quotient, shift: shift.clone(), parameters, least: AtomicUsize::new(UNTRIED) }
        };
        // Detours of two channels make so many paths that they pay for few messages only.
        let useful = |set: &&Parameters| set.limits.slack != 1 || !self.bipartite || self.open.len() < FEW_DETOURS;
        let shifts = self.context.quotients[quotient].group.shifts(64, 64);
        // Some of every number of blocks.
        let mut kept: Vec<&TimeShift> = Vec::new();
        for shift in &shifts {
            if kept.iter().filter(|other| other.blocks == shift.blocks).count() < SHIFTS {
                kept.push(shift);
            }
        }
        kept.into_iter().flat_map(|shift| PARAMETERS.iter().filter(useful).map(move |set| config(shift, set))).collect()
    }

    /// Tries those configurations whose messages can all have several moves within `ticks`; whether one succeeds.
    fn round(&mut self, configs: &[SearchConfig], steps: u32, ticks: u64) -> bool {
        let moves = |config: &SearchConfig| self.context.quotients[config.quotient].messages.len() as u64 * 4;
        let able: Vec<&SearchConfig> = configs.iter().filter(|c| moves(c) * LEAST_TICKS_A_MOVE <= ticks).collect();
        let found = self.context.attempt(able.into_iter(), steps, ticks);
        found.map(|found| self.improved(found)).is_some()
    }
}

/// Ticks that a move takes at least.
const LEAST_TICKS_A_MOVE: u64 = 16;

/// The configurations that came nearest first, but before all others the best of each group; those not tried yet last.
fn rank(configs: &mut [SearchConfig]) {
    configs.sort_by_key(SearchConfig::least);
    let mut seen = BTreeSet::new();
    let first: Vec<bool> = configs.iter().map(|config| seen.insert(config.quotient)).collect();
    let mut first = first.into_iter();
    configs.sort_by_cached_key(|config| (config.least() == UNTRIED, first.next() != Some(true)));
}

const fn parameters(per_hop: u32, per_pick: u32, slack: u32, most: usize) -> Parameters {
    Parameters { weighting: Weighting { per_hop, per_pick }, detour: 10 + per_hop, limits: Limits { slack, most } }
}

/// The parameters that are tried: picks suit a tight bottleneck and few orbits, path lengths a tight volume.
const PARAMETERS: &[Parameters] =
    &[parameters(3, 3, 0, 24), parameters(10, 0, 0, 24), parameters(5, 0, 1, 60), parameters(3, 1, 1, 60)];

/// Ways in which a group shifts time that are tried, of those with the same number of blocks.
const SHIFTS: usize = 4;

/// Most messages for which detours are tried from the beginning where they are of two channels at least.
const FEW_DETOURS: usize = 512;

/// Whether nodes fall into two classes with channels only between them: then all paths of a message are of one parity.
fn is_bipartite(resources: &Resources<'_>) -> bool {
    let mut class: Vec<Option<bool>> = vec![None; resources.out.len()];
    for start in 0..class.len() {
        let mut queue = vec![start];
        class[start].get_or_insert(false);
        while let Some(at) = queue.pop() {
            let far = resources.out[at].iter().map(|&l| resources.ends[l as usize].1);
            let near = resources.into[at].iter().map(|&l| resources.ends[l as usize].0);
            for next in far.chain(near) {
                match class[next.index()] {
                    None => {
                        class[next.index()] = class[at].map(|c| !c);
                        queue.push(next.index());
                    }
                    other if other == class[at] => return false,
                    Some(_) => {}
                }
            }
        }
    }
    true
}
