//! **What:** [`solve`]: the one way to a floor and a schedule.
//!
//! **Method.** Bounds that take one look come first, then schedules that are written down; where these do not meet, the
//! other finders of bounds; then rounds in which all methods that apply take turns with growing shares of work, and what is
//! left between floor and schedule is given to refuters. All of it is counted in ticks, so the answer is a function of problem and
//! settings; a limit of seconds only ends it early.

use crate::canonical::Canonical;
use crate::floors::Floors;
use crate::outcome::{Best, Ended, Outcome, Stopped};
use crate::registry::{METHODS, Resolved};
use crate::rounds::{Player, Round, share};
use crate::spread::{Spread, keep};
use crate::{Settings, SolveError, Watch};
use bounds::{BY_FRACTIONS, REFUTERS};
use kernel::{Problem, verify};
use run::ranks::agree;
use run::{Alone, Method, ONE_LOOK, Ranks, Run};
use std::time::Instant;

/// Ticks of the last round where nothing else limits it.
const USUAL_TICKS: u64 = 100_000_000;

/// Before the first round, the fastest refuter has a part of [`USUAL_TICKS`].
const FIRST_TICKS: u64 = USUAL_TICKS / 4;

/// Schedules of more messages, each counted as often as it has destinations, are kept as orbits where they are made so.
const MOST_WRITTEN_DOWN: u64 = 1 << 18;

/// Most destinations of messages for several that searches look at one by one.
const MOST_LOOKED_AT: u64 = 1 << 27;

/// Of the time that is given, the part in which bounds are looked for before searches begin.
const TIME_FOR_BOUNDS: f64 = 0.25;

/// The certified lower bound and the best verified schedule of a problem.
///
/// # Errors
/// A method that there is not, that does not apply, or parameters that it does not have; see [`SolveError`].
pub fn solve(problem: &Problem, settings: &Settings) -> Result<Outcome, SolveError> {
    solve_watched(problem, settings, Watch::nobody())
}

/// As [`solve`], for a caller who wants to be told how it goes on, or to stop it.
///
/// # Errors
/// As [`solve`].
pub fn solve_watched(problem: &Problem, settings: &Settings, watch: Watch<'_>) -> Result<Outcome, SolveError> {
    match towards(Aim::Schedule, problem, settings, watch) {
        Ok(outcome) if outcome.reports.is_empty() && outcome.stopped == Stopped::Exhausted => Err(SolveError::NoMethod),
        outcome => outcome,
    }
}

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// A schedule, and a bound beside it.
    Schedule,
    /// A bound; schedules only as far as they help to find it.
    Bound,
}

/// Works on a problem until what is wanted is there.
pub(crate) fn towards(
    aim: Aim,
    problem: &Problem,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Outcome, SolveError> {
    let begun = Instant::now();
    let resolved = Resolved::new(settings)?;
    // Islands of evolution meet by themselves; other methods are spread task by task.
    let in_one_round = matches!(resolved, Resolved::Evolution(_));
    let spread = if in_one_round { None } else { Spread::of(watch.ranks) };
    let together: &dyn Ranks = if in_one_round { watch.ranks } else { &Alone };
    let run = Run::new(settings.of_a_run(), watch.progress, watch.stop).among(together);
    let canonical = Canonical::of(problem, &|| run.stopped());
    let identity = canonical.as_ref().map(|canonical| canonical.spec().to_owned());
    let mut canonical = canonical.filter(|canonical| !canonical.is_same(problem));
    let mut work = canonical.as_ref().map_or(problem, Canonical::problem);
    if canonical.is_some() && resolved.named().is_some_and(|m| !m.applies(work) && m.applies(problem)) {
        // A method for a family's name, where the network has several.
        (canonical, work) = (None, problem);
    }
    let mut players = match resolved.named() {
        Some(method) => named(method, work, &run)?,
        None => automatic(true, work, &run),
    };
    let floors = Floors::new(problem, canonical.as_ref());
    let pool = pool(settings.threads);
    let mut search = Search {
        aim,
        in_one_round,
        draws: settings.draws,
        spread,
        asked: problem,
        problem: work,
        canonical: canonical.as_ref(),
        run: &run,
        floors,
        best: None,
        pool,
    };
    let stopped = search.run(&mut players, resolved.named().is_none());
    let Search { floors, best, .. } = search;
    let (bound, bounds) = (floors.steps(), floors.report());
    if let (Resolved::Evolution(_), Some(steps)) = (&resolved, settings.steps.filter(|steps| *steps < floors.steps())) {
        return Err(SolveError::StepsBelowFloor { steps, floor: floors.steps() });
    }
    let best = match &canonical {
        Some(canonical) => best.and_then(|best| {
            let claim = canonical.claim_back(problem, &best.schedule)?;
            let schedule = verify(problem, claim).expect("an isomorphism keeps every rule, and was checked to be one");
            Some(Best { schedule, ..best })
        }),
        None => best,
    };
    Ok(Outcome {
        floor: floors.certified(best.as_ref().map(|best| &best.schedule)),
        best,
        stopped,
        reports: players.into_iter().map(|player| player.report.against(bound)).collect(),
        bounds,
        identity,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The one method that settings name, ready to run.
fn named<'a>(method: &'a dyn Method, problem: &Problem, run: &Run<'_>) -> Result<Vec<Player<'a>>, SolveError> {
    let refused = |why| SolveError::NotApplicable { method: method.name(), why };
    if !method.applies(problem) {
        return Err(refused(method.misfit(problem)));
    }
    match method.declines(problem, run) {
        Some(why) => Err(refused(Some(why))),
        None => Ok(vec![Player::new(method)]),
    }
}

/// The automatic methods that apply, of those that are `written_down` or of the others, which may look at every message.
fn automatic<'a>(written_down: bool, problem: &Problem, run: &Run<'_>) -> Vec<Player<'a>> {
    let wanted = |m: &&dyn Method| m.is_automatic() && m.promise().is_some() == written_down && m.applies(problem);
    let ready = |method: &'static dyn Method| {
        let mut player = Player::new(method);
        if let Some(why) = method.declines(problem, run) {
            player.is_active = false;
            player.report.ended = Ended::Declined(why);
        }
        player
    };
    METHODS.iter().copied().filter(wanted).map(ready).collect()
}

/// The threads on which methods run side by side.
fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    // Without one, methods run one after the other, with the same result.
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten()
}

struct Search<'a> {
    aim: Aim,
    in_one_round: bool,
    /// How often a method that draws random numbers runs in a round, where that is said.
    draws: Option<u32>,
    spread: Option<Spread<'a>>,
    asked: &'a Problem,
    /// In a family's own numbering, where there is one.
    problem: &'a Problem,
    canonical: Option<&'a Canonical>,
    run: &'a Run<'a>,
    floors: Floors<'a>,
    best: Option<Best>,
    pool: Option<rayon::ThreadPool>,
}

impl Search<'_> {
    /// Works on the problem with these players, and `all` others that apply where they do not suffice.
    fn run(&mut self, players: &mut Vec<Player<'_>>, all: bool) -> Stopped {
        let mut stopped = self.until_over(players, all);
        if self.floors.steps() == 0 && self.problem.collective().is_numbered() {
            // It ended before bounds were looked for: what counting the messages of nodes shows takes less time than to write a schedule down.
            self.floors.find(self.run, self.ceiling());
            stopped = self.is_over().filter(|over| *over == Stopped::Optimal).unwrap_or(stopped);
        }
        // Where refuters alone were left, more of what stopped them finds no schedule.
        let exhausted =
            self.aim == Aim::Schedule && self.best.is_some() && players.iter().all(|player| !player.is_active);
        match stopped {
            Stopped::Time | Stopped::Ticks if exhausted => Stopped::Exhausted,
            stopped => stopped,
        }
    }

    fn until_over(&mut self, players: &mut Vec<Player<'_>>, all: bool) -> Stopped {
        if let Some(stopped) = self.promised(players) {
            return stopped;
        }
        let collective = self.problem.collective();
        let messages = collective.message_count() as u64;
        // What stands written down of the ends of messages: of chunks, mostly their contributors.
        let ends = collective.ends();
        let large = ends > MOST_WRITTEN_DOWN;
        if large && self.best.as_ref().is_some_and(|best| !best.schedule.is_written_down()) {
            // A search would need every message written down.
            return Stopped::Exhausted;
        }
        if !collective.is_numbered() || (ends > messages && ends > MOST_LOOKED_AT) {
            self.play(players, 0, ONE_LOOK, |method| method.promise().is_some());
            self.fold();
            return self.is_over().unwrap_or(Stopped::Exhausted);
        }
        if all {
            players.extend(automatic(false, self.problem, self.run));
        }
        self.floors.look(self.run);
        self.tell();
        let problem = self.problem;
        self.play(players, 0, ONE_LOOK, |method| method.is_quick(problem) && method.promise().is_none());
        if let Some(stopped) = self.is_over() {
            return stopped;
        }
        let seconds = self.run.seconds_left().map(|left| left * TIME_FOR_BOUNDS);
        let part = self.run.part(run::Settings { seconds, ..self.run.settings });
        self.floors.find(&part, self.ceiling());
        self.tell();
        if self.aim == Aim::Bound && !bounds::is_refutable(self.asked, self.floors.steps()) {
            return Stopped::Exhausted;
        }
        self.rounds(players, all)
    }

    /// Schedules that are written down, the best promises first, then those of no promised number of steps; why there is nothing
    /// more to do, if there is not.
    fn promised(&mut self, players: &mut [Player<'_>]) -> Option<Stopped> {
        let promise = |player: &Player<'_>| player.method.promised_steps(self.problem);
        let mut order: Vec<(u64, usize)> = (0..players.len())
            .filter(|at| players[*at].is_active)
            .filter_map(|at| Some((promise(&players[at])?, at)))
            .collect();
        order.sort_unstable();
        for (promised, at) in order {
            let player = &mut players[at];
            let known = player.method.known_bound(self.problem, self.run);
            if self.aim == Aim::Bound && self.floors.know_cut(known.as_ref()) >= promised {
                // The promise is kept, so a schedule would raise nothing.
                return Some(Stopped::Exhausted);
            }
            self.play(std::slice::from_mut(player), 0, ONE_LOOK, |_| true);
            if let Some(best) = &self.best {
                self.floors.know(&best.schedule, known);
            }
            if let Some(stopped) = self.is_over() {
                return Some(stopped);
            }
            if self.run.stopped() {
                return self.is_over();
            }
            if self.best.is_some() {
                // The others promise no less.
                break;
            }
        }
        // These may do better than what the others promise, and take less time than searches.
        let problem = self.problem;
        self.play(players, 0, ONE_LOOK, |method| {
            method.promise().is_some() && method.promised_steps(problem).is_none()
        });
        self.fold();
        self.is_over()
    }

    /// Bounds by the symmetry of the best schedule.
    fn fold(&mut self) {
        if let Some(best) = &self.best {
            self.floors.fold(&best.schedule, self.run);
        }
    }

    /// Rounds of all players; where these are not `all` that apply, none begins for refuters alone.
    fn rounds(&mut self, players: &mut [Player<'_>], all: bool) -> Stopped {
        let most = self.run.settings.ticks;
        // Searches end at a bound that is met, so a little is spent on it first.
        self.floors.raise(&REFUTERS[..BY_FRACTIONS], self.run, FIRST_TICKS.min(most), self.ceiling());
        for number in 0.. {
            if let Some(stopped) = self.is_over() {
                return stopped;
            }
            // Evolution divides its ticks among numbers of steps itself, and processes that share it agree within it only.
            let share = if self.in_one_round { most } else { share(USUAL_TICKS.min(most), most, number) };
            self.play(players, number, share, |_| true);
            if let Some(stopped) = self.is_over() {
                return stopped;
            }
            // For the bound half as much as for all schedules together.
            let active = players.iter().filter(|player| player.is_active).count() as u64;
            let is_last = active == 0 && !all && self.aim == Aim::Schedule;
            let ticks = if is_last { USUAL_TICKS.min(most) } else { share.saturating_mul(active.max(2)) / 2 };
            self.floors.raise(REFUTERS, self.run, ticks, self.ceiling());
            self.tell();
            if let Some(stopped) = self.is_over() {
                return stopped;
            }
            if is_last || (active == 0 && !self.floors.may_rise()) {
                return Stopped::Exhausted;
            }
            if share >= most {
                return Stopped::Ticks;
            }
        }
        Stopped::Ticks
    }

    /// Tells the bound.
    fn tell(&self) {
        self.run.progress.floor(&self.floors.certified(None));
    }

    fn play(&mut self, players: &mut [Player<'_>], number: u32, share: u64, takes_part: impl Fn(&dyn Method) -> bool) {
        let floor = agree(self.run.ranks, self.floors.steps());
        let (best, pool) = (self.best.as_ref(), self.pool.as_ref());
        let active = players.iter().filter(|player| player.is_active && takes_part(player.method)).count();
        let draws = self.draws.unwrap_or_else(|| self.usual_draws(active));
        let (problem, canonical, spread) = (self.problem, self.canonical, self.spread.as_ref());
        let round = Round { problem, canonical, floor, best, run: self.run, pool, number, share, draws, spread };
        if let Some(better) = round.play(players, takes_part) {
            self.run.progress.found(better.method, better.schedule.steps() as u64);
            if self.spread.is_some() {
                keep(&better, self.canonical, self.run.progress);
            }
            self.best = Some(better);
        }
    }

    /// As many as occupy all processes, where a clock decides anyway how far each of them comes.
    fn usual_draws(&self, active: usize) -> u32 {
        let Some(spread) = self.spread.as_ref().filter(|_| self.run.seconds_left().is_some()) else { return 1 };
        let tasks = spread.count() * self.run.settings.threads.max(1);
        u32::try_from(tasks.div_ceil(active.max(1))).unwrap_or(u32::MAX)
    }

    fn ceiling(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.schedule.steps() as u64)
    }

    /// Why there is nothing more to do, if there is not.
    fn is_over(&self) -> Option<Stopped> {
        match self.ceiling() {
            Some(steps) if steps <= self.floors.steps() => Some(Stopped::Optimal),
            Some(steps) if steps <= self.run.goal(0) => Some(Stopped::Content),
            _ if self.run.interrupted() => Some(Stopped::Interrupted),
            _ if self.run.stopped() => Some(Stopped::Time),
            _ => None,
        }
    }
}
