//! **What:** the engine `packing`: messages for one destination each, every one on one path in one step.
//!
//! **Method.** A first fit gives a ceiling, unless a better schedule is known. Then the goal itself is tried: a search by ejection
//! ([`search`]) places every message on a path in a step, on its own and folded by groups of symmetries ([`fold`]) that are found,
//! not told; such a group makes the search smaller by its order and may shift steps. A portfolio of groups, shifts and weights
//! ([`arms`]) takes turns: short ones first, for which only small searches qualify, then fewer and longer ones of those that
//! came nearest. Where the goal resists, numbers of steps in between are tried, unless exchanges of paths
//! ([`crate::PathExchange`]) work down from the ceiling, which are better at it.
//!
//! Searches are independent and have fixed budgets, and of those that succeed the first in order counts, so the answer
//! does not depend on the number of threads.
//!
//! **When it loses.** Messages travel one path each: where relays at terminals, or several messages in one transfer, help,
//! other engines do better. Large networks without symmetry stay a step or a few above the floor.

mod arms;
mod choices;
pub(crate) mod emit;
mod first_fit;
pub(crate) use first_fit::first_fit;
pub(crate) mod fold;
pub(crate) mod lanes;
mod routes;
mod search;

use crate::path_exchange;
use arms::{Arm, Field};
use fold::Folding;
use graph::{symmetry::Clock, symmetry::Ends, symmetry::FreeGroup, symmetry::free_groups};
use kernel::{Message, Problem, Schedule, Semantics, Switching};
use lanes::Lanes;
use run::{Budget, Method, Run};
use search::Knobs;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// The engine.
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
        let open = open(problem);
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let (lanes, ends) = (Lanes::new(problem.network(), &mut budget)?, Ends::new(problem, &open));
        let count = collective.message_count();
        let trivial = Folding::new(&lanes, (&ends, &open), count, FreeGroup::trivial(problem), &mut budget)?;
        let field = Field {
            problem,
            lanes: &lanes,
            ends: &ends,
            run,
            foldings: vec![trivial],
            begun: 0,
            attempt: 0,
            listed: Mutex::default(),
            ticks: 0,
            start: Instant::now(),
            reported: AtomicU64::new(0),
        };
        Packer { bipartite: is_bipartite(&lanes), field, open: &open, ceiling: u32::MAX, best: None }
            .pack(floor, budget)
    }
}

/// The messages that have to go somewhere.
pub(crate) fn open(problem: &Problem) -> Vec<Message> {
    let collective = problem.collective();
    collective.messages().filter(|&m| collective.destinations(m)[0] != collective.origin(m)).collect()
}

/// A schedule of the lanes and the step of each message.
pub(crate) fn unfolded(problem: &Problem, lanes: &Lanes, open: &[Message], placed: &[(Vec<u32>, u32)]) -> Schedule {
    let list = open.iter().zip(placed).map(|(&m, (path, step))| (*step, m, path.as_slice()));
    scheduled(problem, lanes, list.collect())
}

/// The lanes and the step of each message in a schedule that sends each once, on one path.
pub(crate) fn placed(
    problem: &Problem,
    lanes: &Lanes,
    open: &[Message],
    schedule: &Schedule,
) -> Option<Vec<(Vec<u32>, u32)>> {
    let collective = problem.collective();
    let mut places = vec![None; collective.message_count()];
    for (step, transfers) in (0u32..).zip(schedule.steps()) {
        for transfer in transfers {
            let (&[message], Some(&last)) = (transfer.messages, transfer.path.last()) else { return None };
            // Paths begin where a message is: those that end where it is to be are whole.
            if problem.network().to(last) != collective.destinations(message)[0] || places[message.index()].is_some() {
                return None;
            }
            places[message.index()] = Some((transfer.path.iter().map(|c| lanes.lane(*c)).collect(), step));
        }
    }
    open.iter().map(|m| places[m.index()].take()).collect()
}

/// A schedule of steps, messages and lanes.
pub(crate) fn scheduled<P: AsRef<[u32]> + Ord>(
    problem: &Problem,
    lanes: &Lanes,
    mut list: Vec<(u32, Message, P)>,
) -> Schedule {
    list.sort_unstable();
    emit::schedule(lanes, |c| problem.network().capacity(c), list)
}

struct Packer<'a> {
    field: Field<'a>,
    open: &'a [Message],
    bipartite: bool,
    /// Steps of the best schedule known, and that schedule where it was found here.
    ceiling: u32,
    best: Option<Schedule>,
}

/// Rounds of short searches, before anything else than the goal is tried.
const BURSTS: u32 = 2;

/// Ticks of a search in a round.
fn burst(round: u32) -> u64 {
    50_000 << (2 * round).min(40)
}

impl Packer<'_> {
    fn pack(mut self, floor: u64, mut budget: Budget<'_>) -> Option<Schedule> {
        let run = self.field.run;
        match run.incumbent {
            Some(known) => self.ceiling = u32::try_from(known.steps()).ok()?,
            None => {
                let mut random = run.settings.seed.generator(u64::MAX);
                let slack = run.settings.slack.unwrap_or(0);
                let (problem, lanes) = (self.field.problem, self.field.lanes);
                let placed = first_fit(problem, lanes, self.open, &mut random, slack, &mut budget)?;
                self.improved(unfolded(problem, lanes, self.open, &placed));
            }
        }
        self.field.ticks = budget.spent();
        let goal = u32::try_from(run.goal(floor).max(1)).ok()?;
        if self.ceiling > goal && self.open.len() <= MOST_SEARCHED {
            self.search(goal);
        }
        self.best
    }

    fn improved(&mut self, found: Schedule) {
        self.ceiling = u32::try_from(found.step_count()).unwrap_or(u32::MAX);
        self.field.run.progress.found("packing", found.step_count() as u64);
        self.best = Some(found);
    }

    fn search(&mut self, goal: u32) {
        // Small problems need no symmetry.
        let mut arms = self.arms(0, FIRST);
        if self.round(&mut arms, goal, 100_000) || self.field.exhausted() {
            return;
        }
        self.fold();
        arms.extend((1..self.field.foldings.len()).flat_map(|f| self.arms(f, FIRST)));
        let size = |a: &Arm, field: &Field<'_>| field.foldings[a.folding].group.elements.len();
        arms.sort_by_key(|a| std::cmp::Reverse(size(a, &self.field)));
        let few = arms.len() < FEW && self.open.len() < SMALL;
        if few {
            self.widen(&mut arms, usize::MAX);
        }
        let (problem, run) = (self.field.problem, self.field.run);
        let exchanged = run.settings.slack.is_none() && path_exchange::holds(problem, self.ceiling as usize);
        for round in 0.. {
            // Without symmetry, long searches are left to exchanges of paths.
            let alone = exchanged && self.field.foldings.len() == 1 && round >= BURSTS;
            if arms.is_empty() || alone || self.field.exhausted() || self.round(&mut arms, goal, burst(round)) {
                break;
            }
            rank(&mut arms);
            if round >= BURSTS && !exchanged {
                self.between(&mut arms, goal, round);
            }
            let waiting = self.narrow(&mut arms);
            if round == BURSTS && !few {
                self.widen(&mut arms, 4);
            }
            arms.extend(waiting);
        }
    }

    /// Between the goal and the ceiling: the least number of steps at which a round's budget succeeds.
    fn between(&mut self, arms: &mut [Arm], goal: u32, round: u32) {
        let mut low = goal + 1;
        while low < self.ceiling && !self.field.exhausted() {
            let middle = if round == BURSTS { low + (self.ceiling - low) / 2 } else { self.ceiling - 1 };
            match self.field.attempt(&mut arms.iter_mut().take(4).collect::<Vec<_>>(), middle, burst(round)) {
                Some(found) => self.improved(found),
                None => low = middle + 1,
            }
        }
    }

    /// Looks for groups.
    fn fold(&mut self) {
        let Field { problem, ends, lanes, run, .. } = self.field;
        let count = problem.collective().message_count();
        let looks = (run.settings.ticks - self.field.ticks).saturating_mul(LOOKS_A_TICK).min(MOST_LOOKS);
        let mut unlimited = Budget::new(run, u64::MAX);
        let mut budget = unlimited.part(looks);
        let groups = free_groups(problem, ends, run.settings.seed, &mut budget);
        let fold = |group| Folding::new(lanes, (ends, self.open), count, group, &mut unlimited);
        self.field.foldings.extend(groups.into_iter().filter_map(fold));
        // What took too long may be found in a longer run.
        let _ = run.is_spent(budget.spent(), if looks < MOST_LOOKS { looks } else { u64::MAX });
        self.field.ticks += budget.spent() / (4 * LOOKS_A_TICK);
    }

    /// The arms of a folding, with every clock and each of `sets`.
    fn arms(&self, folding: usize, sets: &[Knobs]) -> Vec<Arm> {
        let clocks = self.field.foldings[folding].group.clocks(64, 64);
        // Some of every number of blocks.
        let mut kept: Vec<&Clock> = Vec::new();
        let Some(probes) = self.field.probes(folding) else { return Vec::new() };
        for clock in &clocks {
            let alike = kept.iter().filter(|c| c.blocks == clock.blocks).count();
            if alike < 4 && self.field.foldings[folding].admits(self.field.lanes, clock, &probes) {
                kept.push(clock);
            }
        }
        let arms = kept.into_iter().flat_map(|clock| self.variants(folding, clock, sets));
        arms.collect()
    }

    fn variants(&self, folding: usize, clock: &Clock, sets: &[Knobs]) -> Vec<Arm> {
        // Where paths are of one parity, the shortest detour is of two channels.
        let detour = |slack| if slack == 1 && self.bipartite { 2 } else { slack };
        let arm = |&set: &Knobs| {
            let slack = self.field.run.settings.slack.unwrap_or(detour(set.slack));
            // Where messages are few, each may have more paths to choose from.
            let paths = set.paths.max((30_000 / self.field.foldings[folding].messages.len()).min(200));
            Arm { folding, clock: clock.clone(), knobs: Knobs { slack, paths, ..set }, least: None }
        };
        // There it has so many variants that it pays for few messages only.
        let useful = |set: &&Knobs| set.slack != 1 || !self.bipartite || self.open.len() < FEW_DETOURS;
        sets.iter().filter(useful).map(arm).collect()
    }

    /// Tries those arms whose messages can all have several turns within `ticks`; whether one succeeds.
    fn round(&mut self, arms: &mut [Arm], steps: u32, ticks: u64) -> bool {
        let foldings = &self.field.foldings;
        let able = |a: &&mut Arm| foldings[a.folding].messages.len() as u64 * LEAST_TURN * 4 <= ticks;
        let mut able: Vec<&mut Arm> = arms.iter_mut().filter(able).collect();
        let found = self.field.attempt(&mut able, steps, ticks);
        found.map(|found| self.improved(found)).is_some()
    }

    /// Keeps, of the arms that were tried, those that came nearest; returns those not tried yet.
    fn narrow(&self, arms: &mut Vec<Arm>) -> Vec<Arm> {
        let tried = arms.iter().filter(|a| a.least.is_some()).count();
        let waiting = arms.split_off(tried);
        arms.truncate((tried / 3).max(6));
        waiting
    }

    /// Adds arms with other weights to those of the first `most` groups and clocks.
    fn widen(&self, arms: &mut Vec<Arm>, most: usize) {
        let mut more: Vec<Arm> = Vec::new();
        for arm in arms.iter() {
            let known = |other: &Arm| other.folding == arm.folding && other.clock.shifts == arm.clock.shifts;
            if !more.iter().any(known) && more.len() / FURTHER.len() < most {
                more.extend(self.variants(arm.folding, &arm.clock, FURTHER));
            }
        }
        arms.append(&mut more);
    }
}

/// Ticks that a turn of a message takes at least.
const LEAST_TURN: u64 = 16;

/// The arms that came nearest first, but before all others the best of each group; those not tried yet last.
fn rank(arms: &mut [Arm]) {
    arms.sort_by_key(|a| a.least.unwrap_or(usize::MAX));
    let mut seen = BTreeSet::new();
    let first: Vec<bool> = arms.iter().map(|a| seen.insert(a.folding)).collect();
    let mut first = first.into_iter();
    arms.sort_by_cached_key(|a| (a.least.is_none(), first.next() != Some(true)));
}

const fn knobs(per_channel: u32, per_pick: u32, slack: u32, paths: usize) -> Knobs {
    Knobs { detour: 10 + per_channel, per_channel, per_pick, slack, paths, thorough: per_pick == 0 }
}

/// The weights to begin with: picks suit a tight bottleneck and small groups of orbits, path lengths a tight volume.
const FIRST: &[Knobs] = &[knobs(3, 3, 0, 24), knobs(10, 0, 0, 24), knobs(5, 0, 1, 60), knobs(3, 1, 1, 60)];

/// Weights and paths for longer searches.
const FURTHER: &[Knobs] = &[
    knobs(1, 1, 0, 200),
    knobs(100, 0, 0, 24),
    knobs(3, 10, 0, 12),
    knobs(5, 0, 2, 200),
    knobs(3, 1, 2, 200),
    Knobs { thorough: true, ..knobs(3, 1, 2, 60) },
];

/// Of problems with fewer arms and messages than this, all weights are tried at once.
const FEW: usize = 16;
const SMALL: usize = 2048;

/// Most messages for which detours are tried from the beginning where they are of two channels at least.
const FEW_DETOURS: usize = 512;

/// Whether nodes fall into two classes with channels only between them: then all paths of a message are of one parity.
fn is_bipartite(lanes: &Lanes) -> bool {
    let mut class: Vec<Option<bool>> = vec![None; lanes.out.len()];
    for start in 0..class.len() {
        let mut queue = vec![start];
        class[start].get_or_insert(false);
        while let Some(at) = queue.pop() {
            let far = lanes.out[at].iter().map(|&l| lanes.ends[l as usize].1);
            let near = lanes.into[at].iter().map(|&l| lanes.ends[l as usize].0);
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

#[cfg(test)]
mod tests;
