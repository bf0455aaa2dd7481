//! **What:** methods taking turns: in each round every method that may still find something runs within the same share of ticks,
//! several at once on several threads.
//!
//! **Facts:** in a round all methods see the same floor and the same best schedule, that of the round before. Of those that
//! reach the goal the first in order counts and ends the round, and those after it do not count, so the answer does not depend on
//! the number of threads. Shares grow by [`GROWTH`], so runs begun anew cost a third of the last round at most.

use crate::canonical::Canonical;
use crate::outcome::{Best, Ended, Report};
use kernel::{Problem, Verified, verify};
use rayon::prelude::*;
use run::{Method, Progress, Run, Seed, Settings};
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

    /// Takes down what a run did; the schedule where it is a valid one.
    fn record(&mut self, turn: MethodRun) -> Option<Verified> {
        let MethodRun { claim, ended, seconds } = turn;
        self.report.runs += 1;
        self.report.seconds += seconds;
        self.is_active = matches!(ended, Ended::WantsMore | Ended::CutShort);
        self.report.ended = ended;
        let steps = claim.as_ref().map(|schedule| schedule.steps() as u64);
        self.report.steps = self.report.steps.into_iter().chain(steps).min();
        claim
    }
}

/// What one run of one method came to.
struct MethodRun {
    claim: Option<Verified>,
    ended: Ended,
    seconds: f64,
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
}

impl Round<'_> {
    /// Lets every active player that `takes_part` run; the best schedule, where it is better than the one known.
    pub(crate) fn play(&self, players: &mut [Player<'_>], takes_part: impl Fn(&dyn Method) -> bool) -> Option<Best> {
        let mut active: Vec<&mut Player<'_>> =
            players.iter_mut().filter(|p| p.is_active && takes_part(p.method)).collect();
        let methods: Vec<&dyn Method> = active.iter().map(|p| p.method).collect();
        let winner = AtomicUsize::new(usize::MAX);
        let turn = |(position, method): (usize, &&dyn Method)| {
            let superseded = || winner.load(Ordering::Relaxed) < position;
            if superseded() || self.run.stopped() {
                return None;
            }
            let turn = self.turn(*method, &superseded);
            if turn.claim.as_ref().is_some_and(|c| c.steps() as u64 <= self.run.goal(self.floor)) {
                winner.fetch_min(position, Ordering::Relaxed);
            }
            Some(turn)
        };
        let turns: Vec<Option<MethodRun>> = match self.pool.filter(|_| methods.len() > 1) {
            Some(pool) => pool.install(|| methods.par_iter().with_max_len(1).enumerate().map(turn).collect()),
            None => methods.iter().enumerate().map(turn).collect(),
        };
        let counted = winner.into_inner();
        let mut best: Option<Best> = None;
        for (position, (player, turn)) in active.iter_mut().zip(turns).enumerate() {
            let Some(mut turn) = turn else { continue };
            if position > counted {
                // What it found depends on how far it came before it was cut short.
                turn = MethodRun { claim: None, ended: Ended::CutShort, ..turn };
            }
            let Some(schedule) = player.record(turn) else { continue };
            let known = best.as_ref().or(self.best).map(|b| b.schedule.steps());
            if known.is_none_or(|known| schedule.steps() < known) {
                best = Some(Best { schedule, method: player.method.name() });
            }
        }
        best
    }

    /// One run of one method.
    fn turn(&self, method: &dyn Method, superseded: &(dyn Fn() -> bool + Sync)) -> MethodRun {
        let begun = Instant::now();
        let whole = &self.run.settings;
        // Every round draws anew; the first draws what a single run would.
        let seed = Seed(whole.seed.0.wrapping_add(u64::from(self.number).wrapping_mul(0x5851_f42d_4c95_7f2d)));
        let shown = Shown { progress: self.run.progress, canonical: self.canonical };
        let run = Run::new(
            Settings { seed, ticks: self.share, seconds: self.run.seconds_left(), ..*whole },
            &shown,
            self.run.switch(),
        )
        .among(self.run.ranks)
        .starting_from(self.best.map(|best| &best.schedule))
        .unless(superseded);
        let claim = method.claim(self.problem, self.floor, &run);
        let cut_short = run.stopped();
        let seconds = || begun.elapsed().as_secs_f64();
        let verified = match claim.map(|claim| verify(self.problem, claim)).transpose() {
            Ok(verified) => verified,
            Err(why) => return MethodRun { claim: None, ended: Ended::Rejected(why), seconds: seconds() },
        };
        let ended = match () {
            () if cut_short => Ended::CutShort,
            () if run.wants_more() => Ended::WantsMore,
            () => Ended::Exhausted,
        };
        MethodRun { claim: verified, ended, seconds: seconds() }
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

    fn candidate(&self, method: &'static str, schedule: &dyn Fn() -> kernel::Schedule) {
        match self.canonical {
            Some(canonical) => self.progress.candidate(method, &|| canonical.schedule_back(&schedule())),
            None => self.progress.candidate(method, schedule),
        }
    }
}
