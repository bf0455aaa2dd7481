//! **What:** the engine `packing`: messages for one destination each, every one on one path in one step.
//!
//! **Method.** A first fit gives a ceiling. Then the goal itself is tried: a search by ejection ([`search`]) places every
//! message on a path in a step, on its own and folded by groups of symmetries ([`fold`]) that are found, not told; such a
//! group makes the search smaller by its order and may shift steps. A portfolio of groups, shifts and weights ([`arms`])
//! takes turns: short ones first, for which only small searches qualify, then fewer and longer ones of those that came
//! nearest. Where the goal resists, `weaving` works down from the ceiling beside the symmetric
//! searches, and alone where there is no symmetry; where it does not apply, numbers of steps in between are tried.
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
mod looms;
mod routes;
mod search;

use crate::{path_exchange::WITHIN, path_exchange::Weaver};
use arms::{Arm, Field};
use fold::Folding;
use graph::{symmetry::Clock, symmetry::Ends, symmetry::FreeGroup, symmetry::free_groups};
use kernel::{Message, Problem, Schedule, Semantics, Switching};
use lanes::Lanes;
use run::{Method, Run};
use search::Knobs;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// The engine.
pub struct Packing;

/// Larger problems get a first fit, and are woven.
const MOST_SEARCHED: usize = 1 << 17;

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
        let (lanes, ends) = (Lanes::new(problem.network()), Ends::new(problem, &open));
        let trivial = Folding::new(&lanes, (&ends, &open), collective.message_count(), FreeGroup::trivial(problem))?;
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
        Packer { bipartite: is_bipartite(&lanes), field, open: &open }.pack(floor)
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
}

/// Rounds of short searches, before anything else than the goal is tried.
const BURSTS: u32 = 2;

/// Ticks of a search in a round.
fn burst(round: u32) -> u64 {
    50_000 << (2 * round).min(40)
}

/// Ticks of weaving for each of a search in a round.
const WEAVES: u64 = 12;

/// What goes on after short searches have failed.
struct Rest<'a> {
    goal: u32,
    few: bool,
    arms: Vec<Arm>,
    /// Each with some symmetry, the last with none.
    weavers: Vec<Weaver<'a>>,
    best: Schedule,
}

impl Rest<'_> {
    fn steps(&self) -> usize {
        self.best.step_count()
    }
}

impl Packer<'_> {
    fn pack(&mut self, floor: u64) -> Option<Schedule> {
        let settings = &self.field.run.settings;
        let mut random = settings.seed.generator(u64::MAX);
        let slack = settings.slack.unwrap_or(0);
        let placed = first_fit(self.field.problem, self.field.lanes, self.open, &mut random, slack)?;
        let best = unfolded(self.field.problem, self.field.lanes, self.open, &placed);
        self.field.run.progress.found("packing", best.step_count() as u64);
        let goal = u32::try_from(self.field.run.goal(floor).max(1)).ok()?;
        let ceiling = |best: &Schedule| u32::try_from(best.step_count()).unwrap_or(u32::MAX);
        if ceiling(&best) <= goal {
            return Some(best);
        }
        let large = self.open.len() > MOST_SEARCHED;
        // Small problems need no symmetry.
        let mut arms = if large { Vec::new() } else { self.arms(0, FIRST) };
        if let Some(found) = self.round(&mut arms, goal, 100_000) {
            return Some(found);
        }
        self.fold();
        let searched = if large { 0 } else { self.field.foldings.len() };
        arms.extend((1..searched).flat_map(|f| self.arms(f, FIRST)));
        let size = |a: &Arm, field: &Field<'_>| field.foldings[a.folding].group.elements.len();
        arms.sort_by_key(|a| std::cmp::Reverse(size(a, &self.field)));
        let few = !large && arms.len() < FEW && self.open.len() < SMALL;
        if few {
            self.widen(&mut arms, usize::MAX);
        }
        for round in 0..BURSTS {
            if let Some(found) = self.round(&mut arms, goal, burst(round)) {
                return Some(found);
            }
            rank(&mut arms);
            if !self.field.exhausted() {
                let waiting = self.narrow(&mut arms);
                arms.extend(waiting);
            }
        }
        let looms = looms::looms(&self.field, self.open, goal as usize, placed);
        let run = self.field.run;
        let weavers = looms.iter();
        let weavers = weavers.filter_map(|(frame, placed)| Weaver::new(frame, run, placed, (goal as usize, WITHIN)));
        let weavers = weavers.collect();
        let mut rest = Rest { goal, few, arms, weavers, best };
        for round in BURSTS.. {
            let over = rest.weavers.is_empty() && rest.arms.is_empty();
            if over || self.field.exhausted() || self.search(&mut rest, round) {
                break;
            }
        }
        Some(rest.best)
    }

    /// A round of long searches; whether the goal is reached.
    fn search(&mut self, rest: &mut Rest<'_>, round: u32) -> bool {
        let ticks = burst(round);
        // Without symmetry, long searches are left to weaving.
        if rest.weavers.is_empty() || self.field.foldings.len() > 1 {
            if let Some(found) = self.round(&mut rest.arms, rest.goal, ticks) {
                rest.best = found;
                return true;
            }
            rank(&mut rest.arms);
        }
        if rest.weavers.is_empty() {
            self.between(rest, round, ticks);
        } else if self.weave(rest, WEAVES * ticks) {
            return true;
        }
        let waiting = self.narrow(&mut rest.arms);
        if round == BURSTS && !rest.few {
            self.widen(&mut rest.arms, 4);
        }
        rest.arms.extend(waiting);
        false
    }

    /// Has all weavers work for `ticks` together; whether the goal is reached.
    fn weave(&mut self, rest: &mut Rest<'_>, ticks: u64) -> bool {
        let mut weavers = std::mem::take(&mut rest.weavers);
        let each = ticks / weavers.len() as u64;
        for weaver in &mut weavers {
            let most = weaver.ticks + each;
            while weaver.ticks < most && weaver.least() < rest.steps() && !self.field.exhausted() {
                let before = weaver.spent();
                let found = weaver.round(1 << 18);
                if let Some(list) = found.filter(|_| weaver.steps() < rest.steps()) {
                    rest.best = scheduled(self.field.problem, self.field.lanes, list);
                    self.field.run.progress.found("packing", rest.steps() as u64);
                }
                self.field.ticks += weaver.spent() - before;
            }
            if rest.steps() <= rest.goal as usize {
                return true;
            }
        }
        weavers.retain(|weaver| weaver.least() < rest.steps());
        rest.weavers = weavers;
        false
    }

    /// Between the goal and the ceiling: the least number of steps at which this budget succeeds.
    fn between(&mut self, rest: &mut Rest<'_>, round: u32, ticks: u64) {
        let ceiling = |best: &Schedule| u32::try_from(best.step_count()).unwrap_or(u32::MAX);
        let mut low = rest.goal + 1;
        while low < ceiling(&rest.best) && !self.field.exhausted() {
            let middle = if round == BURSTS { low + (ceiling(&rest.best) - low) / 2 } else { ceiling(&rest.best) - 1 };
            match self.field.attempt(&mut rest.arms.iter_mut().take(4).collect::<Vec<_>>(), middle, ticks) {
                Some(found) => rest.best = found,
                None => low = middle + 1,
            }
        }
    }

    /// Looks for groups.
    fn fold(&mut self) {
        let Field { problem, ends, lanes, run, .. } = self.field;
        let count = problem.collective().message_count();
        let groups = free_groups(problem, ends, run.settings.seed, 40_000_000);
        let foldings = groups.into_iter().filter_map(|g| Folding::new(lanes, (ends, self.open), count, g));
        self.field.foldings.extend(foldings);
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

    /// Tries those arms whose messages can all have several turns within `ticks`.
    fn round(&mut self, arms: &mut [Arm], steps: u32, ticks: u64) -> Option<Schedule> {
        let foldings = &self.field.foldings;
        let able = |a: &&mut Arm| foldings[a.folding].messages.len() as u64 * LEAST_TURN * 4 <= ticks;
        let mut able: Vec<&mut Arm> = arms.iter_mut().filter(able).collect();
        self.field.attempt(&mut able, steps, ticks)
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
