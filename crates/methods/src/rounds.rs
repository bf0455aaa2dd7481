//! **What:** methods taking turns: in each round every method that may still find something runs within the same share of ticks,
//! several at once on several threads.
//!
//! **Facts:** in a round all methods see the same floor and the same best schedule, that of the round before. Of those that
//! reach the goal the first in order counts and ends the round, and those after it do not count, so the answer does not depend on
//! the number of threads, nor on the number of processes. Shares grow by [`GROWTH`], so runs begun anew cost a third of the last round at most.

use crate::canonical::Canonical;
use crate::outcome::{Best, Ended, Report};
use crate::spread::Spread;
use kernel::{Problem, Verified, verify};
use rayon::prelude::*;
use run::{Method, Progress, Ranks, Run, Seed, Settings};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// By how much shares grow from round to round.
pub(crate) const GROWTH: u64 = 4;

/// Rounds before that in which all of the usual ticks are used.
const SMALL_ROUNDS: u32 = 3;

/// The share of each method in a round.
pub(crate) fn share(usual: u64, most: u64, round: u32) -> u64 {
    let first = (usual / GROWTH.pow(SMALL_ROUNDS)).max(1);
    first.saturating_mul(GROWTH.saturating_pow(round)).min(most).max(1)
}

/// A method that takes part, and what it did so far.
pub(crate) struct Player<'a> {
    pub method: &'a dyn Method,
    pub report: Report,
    /// Whether it may still find something.
    pub is_active: bool,
}

impl<'a> Player<'a> {
    /// One that has not run yet.
    pub(crate) fn new(method: &'a dyn Method) -> Self {
        let report = Report { method: method.name(), runs: 0, seconds: 0.0, steps: None, ended: Ended::NotRun };
        Player { method, report, is_active: true }
    }

    /// Takes down what a run did; the schedule where it is a valid one. Of several draws in a round it may still find something where one of them may.
    fn record(&mut self, turn: MethodRun, is_first: bool) -> Option<Verified> {
        let MethodRun { claim, ended, seconds, steps } = turn;
        self.report.runs += 1;
        self.report.seconds += seconds;
        self.is_active = matches!(ended, Ended::WantsMore | Ended::CutShort) || (self.is_active && !is_first);
        self.report.ended = ended;
        self.report.steps = self.report.steps.into_iter().chain(steps).min();
        claim
    }
}

/// A method and random numbers to run it with.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// Among the players of the round.
    pub player: usize,
    /// Among the tasks of the round.
    pub position: usize,
    pub method: &'a dyn Method,
    /// Which random numbers it draws, from 0.
    pub draw: u32,
}

/// What one run of one method came to.
pub(crate) struct MethodRun {
    /// The schedule, where it is known here.
    pub claim: Option<Verified>,
    pub ended: Ended,
    pub seconds: f64,
    /// Its steps.
    pub steps: Option<u64>,
}

/// What all methods of a round are given.
pub(crate) struct Round<'a> {
    pub problem: &'a Problem,
    pub canonical: Option<&'a Canonical>,
    pub floor: u64,
    pub best: Option<&'a Best>,
    pub run: &'a Run<'a>,
    pub pool: Option<&'a rayon::ThreadPool>,
    /// Its number, from 0.
    pub number: u32,
    /// Ticks for each method.
    pub share: u64,
    /// How often methods that draw random numbers run.
    pub draws: u32,
    /// The processes that share it.
    pub spread: Option<&'a Spread<'a>>,
}

impl Round<'_> {
    /// Lets every active player that `takes_part` run; the best schedule, where it is better than the one known.
    pub(crate) fn play(&self, players: &mut [Player<'_>], takes_part: impl Fn(&dyn Method) -> bool) -> Option<Best> {
        let mut active: Vec<&mut Player<'_>> =
            players.iter_mut().filter(|p| p.is_active && takes_part(p.method)).collect();
        let methods: Vec<&dyn Method> = active.iter().map(|p| p.method).collect();
        let of_draw = |draw: u32| {
            let drawn = methods.iter().enumerate().filter(move |(_, m)| draw == 0 || !m.is_quick(self.problem));
            drawn.map(move |(player, method)| (player, *method, draw))
        };
        let tasks = (0..self.draws.max(1)).flat_map(of_draw).enumerate();
        let tasks: Vec<Task<'_>> =
            tasks.map(|(position, (player, method, draw))| Task { player, position, method, draw }).collect();
        let turns = match self.spread {
            Some(spread) if tasks.len() > 1 => spread.play(self, &tasks),
            _ => self.here(&tasks, None),
        };
        let goal = self.run.goal(self.floor);
        let reaches = |turn: &Option<MethodRun>| turn.as_ref().is_some_and(|t| t.steps.is_some_and(|s| s <= goal));
        let counted = turns.iter().position(reaches).unwrap_or(usize::MAX);
        let mut best: Option<Best> = None;
        for (task, turn) in tasks.iter().zip(turns) {
            let Some(mut turn) = turn else { continue };
            if task.position > counted {
                // What it found depends on how far it came before it was cut short.
                turn = MethodRun { claim: None, steps: None, ended: Ended::CutShort, ..turn };
            }
            let player = &mut active[task.player];
            let Some(schedule) = player.record(turn, task.draw == 0) else { continue };
            let known = best.as_ref().or(self.best).map(|b| b.schedule.steps());
            if known.is_none_or(|known| schedule.steps() < known) {
                best = Some(Best { schedule, method: player.method.name() });
            }
        }
        best
    }

    /// Works through tasks in this process; `among` are the others that work on the round, and what it is called among them.
    pub(crate) fn here(&self, tasks: &[Task<'_>], among: Option<(&dyn Ranks, u32)>) -> Vec<Option<MethodRun>> {
        let winner = AtomicUsize::new(usize::MAX);
        let turn = |task: &Task<'_>| {
            let first_of_others =
                || among.and_then(|(ranks, round)| ranks.announced(round)).map_or(usize::MAX, |at| at as usize);
            let superseded = || winner.load(Ordering::Relaxed).min(first_of_others()) < task.position;
            if superseded() || self.run.stopped() {
                return None;
            }
            let turn = self.turn(task, &superseded);
            if turn.steps.is_some_and(|steps| steps <= self.run.goal(self.floor)) {
                winner.fetch_min(task.position, Ordering::Relaxed);
                if let Some((ranks, round)) = among {
                    ranks.announce(round, task.position as u32);
                }
            }
            Some(turn)
        };
        match self.pool.filter(|_| tasks.len() > 1) {
            Some(pool) => pool.install(|| tasks.par_iter().with_max_len(1).map(turn).collect()),
            None => tasks.iter().map(turn).collect(),
        }
    }

    /// One run of one method.
    fn turn(&self, task: &Task<'_>, superseded: &(dyn Fn() -> bool + Sync)) -> MethodRun {
        let begun = Instant::now();
        let whole = &self.run.settings;
        // Every round draws anew; the first draws what a single run would.
        let apart = u64::from(self.number).wrapping_mul(0x5851_f42d_4c95_7f2d);
        let apart = apart.wrapping_add(u64::from(task.draw).wrapping_mul(0xa076_1d64_78bd_642f));
        let seed = Seed(whole.seed.0.wrapping_add(apart));
        let shown = Shown { progress: self.run.progress, canonical: self.canonical };
        let run = Run::new(
            Settings { seed, ticks: self.share, seconds: self.run.seconds_left(), ..*whole },
            &shown,
            self.run.switch(),
        )
        .among(self.run.ranks)
        .starting_from(self.best.map(|best| &best.schedule))
        .unless(superseded);
        let claim = task.method.claim(self.problem, self.floor, &run);
        let cut_short = run.stopped();
        let seconds = || begun.elapsed().as_secs_f64();
        let verified = match claim.map(|claim| verify(self.problem, claim)).transpose() {
            Ok(verified) => verified,
            Err(why) => {
                return MethodRun { claim: None, ended: Ended::Rejected(why), seconds: seconds(), steps: None };
            }
        };
        let ended = match () {
            () if cut_short => Ended::CutShort,
            () if run.wants_more() => Ended::WantsMore,
            () => Ended::Exhausted,
        };
        let steps = verified.as_ref().map(|schedule| schedule.steps() as u64);
        MethodRun { claim: verified, ended, seconds: seconds(), steps }
    }
}

/// Passes on what a method works on, but not what it says to have found: that is told once it is verified.
struct Shown<'a> {
    progress: &'a dyn Progress,
    canonical: Option<&'a Canonical>,
}

impl Progress for Shown<'_> {
    fn working(&self, method: &'static str, target: u64, open: u64) {
        self.progress.working(method, target, open);
    }

    fn generation(&self, generation: &run::Generation) {
        self.progress.generation(generation);
    }

    fn told_after(&self, generation: u64) -> u64 {
        self.progress.told_after(generation)
    }

    fn candidate(&self, method: &'static str, schedule: &dyn Fn() -> kernel::Schedule) {
        match self.canonical {
            Some(canonical) => self.progress.candidate(method, &|| canonical.schedule_back(&schedule())),
            None => self.progress.candidate(method, schedule),
        }
    }
}
