//! **What:** searches that several processes share, and what each of them keeps in case others are lost.

use super::design_progress;
use super::verbs::answer::{Output, found_by, give, save};
use super::verbs::{solve as alone, solve_timed as alone_in_time};
use console::args::SolveArgs;
use console::failure::{self, Failure};
use console::{problem, progress, render};
use design::multiring::search::Checkpoint;
use evolution::{Evolution, Generation};
use kernel::timed::TimedVerdict;
use kernel::{Certified, Problem, Rational, Schedule, Verdict, verify};
use methods::{Best, Parameter, Settings, Watch, serve, solve_watched};
use run::ranks::agree;
use run::{InTime, Progress, Ranks, Silent};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// The best that a process knows of: a verified schedule, of steps or in time, or the state of a search for multirings.
#[derive(Default)]
pub struct Keeper {
    kept: Mutex<Option<Kept>>,
    in_time: Mutex<Option<KeptInTime>>,
    search: Mutex<(Option<PathBuf>, Option<Checkpoint>)>,
}

struct Kept {
    floor: Option<Certified>,
    best: Option<Best>,
    settings: Settings,
    begun: Instant,
    file: Option<PathBuf>,
}

struct KeptInTime {
    best: Option<(TimedVerdict, &'static str)>,
    bytes: Option<Rational>,
    begun: Instant,
    file: Option<PathBuf>,
}

impl KeptInTime {
    fn save(&self) -> Result<Option<String>, String> {
        let Some((verdict, method)) = &self.best else { return Ok(None) };
        let micros = render::micros(verdict.ceiling().micros());
        let Some(file) = &self.file else { return Ok(Some(format!("{micros} µs; not saved: no -o FILE was given"))) };
        alone_in_time::save(file, verdict, method, self.bytes, self.begun.elapsed().as_secs_f64())
            .map_err(|failure| failure.message().to_owned())?;
        Ok(Some(format!("{micros} µs; saved to {}", file.display())))
    }
}

impl Keeper {
    fn lock_in_time(&self) -> MutexGuard<'_, Option<KeptInTime>> {
        self.in_time.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Where to write the state of a search.
    pub(super) fn keeps_in(&self, file: Option<&Path>) {
        self.lock_search().0 = file.map(Path::to_owned);
    }

    /// Keeps the state of a search, which every process knows.
    pub(super) fn search(&self, state: &Checkpoint) {
        self.lock_search().1 = Some(state.clone());
    }

    fn lock_search(&self) -> MutexGuard<'_, (Option<PathBuf>, Option<Checkpoint>)> {
        self.search.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Writes the state of a search where `--checkpoint` asks for it.
    fn save_search(&self) -> Result<Option<String>, String> {
        let search = self.lock_search();
        let (file, Some(state)) = &*search else { return Ok(None) };
        let best = state.network().map_or("no network yet".to_owned(), |made| made.spec());
        let Some(file) = file else { return Ok(Some(format!("{best}; not saved: no --checkpoint FILE was given"))) };
        design_progress::keep(file, design_progress::MULTIRINGS, state)
            .map_err(|failure| failure.message().to_owned())?;
        Ok(Some(format!("{best}; the same command continues from {}", file.display())))
    }

    /// Saves the best so far where the command asks for it, and tells about it in a line; nothing without a schedule and
    /// without a search for networks.
    ///
    /// # Errors
    /// Why it could not be saved.
    pub fn save(&self) -> Result<Option<String>, String> {
        if let Some(told) = self.save_search()? {
            return Ok(Some(told));
        }
        if let Some(kept) = &*self.lock_in_time() {
            return kept.save();
        }
        let kept = self.lock();
        let Some(Kept { floor: Some(floor), best: Some(best), settings, begun, file }) = kept.as_ref() else {
            return Ok(None);
        };
        let verdict = Verdict::new(floor.clone(), best.schedule.clone()).map_err(|e| e.to_string())?;
        let Some(file) = file else { return Ok(Some(format!("{verdict}; not saved: no -o FILE was given"))) };
        save(file, &verdict, &found_by(best.method, settings, begun.elapsed().as_secs_f64()))
            .map_err(|failure| failure.message().to_owned())?;
        Ok(Some(format!("{verdict}; saved to {}", file.display())))
    }
}

/// Keeps candidates, and passes on what is told.
struct Listener<'a> {
    keeper: &'a Keeper,
    line: &'a dyn Progress,
    problem: &'a Problem,
}

impl Progress for Listener<'_> {
    fn working(&self, method: &'static str, target: u64, open: u64) {
        self.line.working(method, target, open);
    }

    fn found(&self, method: &'static str, steps: u64) {
        self.line.found(method, steps);
    }

    fn generation(&self, generation: &Generation) {
        self.line.generation(generation);
    }

    fn floor(&self, floor: &Certified) {
        if let Some(kept) = self.keeper.lock().as_mut() {
            kept.floor = Some(floor.clone());
        }
        self.line.floor(floor);
    }

    fn candidate(&self, method: &'static str, schedule: &dyn Fn() -> Schedule) {
        let claim = schedule();
        let mut kept = self.keeper.lock();
        let Some(kept) = kept.as_mut() else { return };
        if kept.best.as_ref().is_none_or(|best| claim.step_count() < best.schedule.steps())
            && let Ok(schedule) = verify(self.problem, claim)
        {
            kept.best = Some(Best { schedule, method });
        }
    }
}

/// Keeps what is fastest, and passes on what is told.
struct ListenerInTime<'a> {
    keeper: &'a Keeper,
    line: &'a dyn Progress,
}

impl Progress for ListenerInTime<'_> {
    fn in_time(&self, state: &InTime) {
        self.line.in_time(state);
    }

    fn candidate_in_time(&self, method: &'static str, verdict: &TimedVerdict) {
        if let Some(kept) = self.keeper.lock_in_time().as_mut() {
            kept.best = Some((verdict.clone(), method));
        }
    }
}

/// What only rank 0 needs, and there alone; where it fails all ranks end alike, and nobody waits for rank 0.
pub(crate) fn at_first<T>(ranks: &dyn Ranks, make: impl FnOnce() -> Result<T, Failure>) -> Result<Option<T>, Failure> {
    let made = (ranks.rank() == 0).then(make);
    let is_made = agree(ranks, u64::from(!matches!(made, Some(Err(_))))) == 1;
    match made {
        Some(made) => made.map(Some),
        None if is_made => Ok(None),
        None => Err(Failure::input("rank 0 cannot begin")),
    }
}

/// `solve --bytes`, as one of several processes.
fn solve_timed(arguments: &SolveArgs, bytes: &str, ranks: &dyn Ranks, keeper: &Keeper) -> Result<u8, Failure> {
    let begun = Instant::now();
    let first = ranks.rank() == 0;
    at_first(ranks, || alone_in_time::probe(arguments))?;
    let posed = alone_in_time::pose(arguments, bytes)?;
    let file = arguments.output.clone();
    *keeper.lock_in_time() = Some(KeptInTime { best: None, bytes: posed.sized.counted(), begun, file });
    let searching = progress::interruptible();
    let line = progress::Line::new(arguments.time);
    let shown: &dyn Progress = if first { &line } else { &Silent };
    let listener = ListenerInTime { keeper, line: shown };
    let watch = Watch { progress: &listener, stop: searching.switch(), ranks };
    let outcome = alone_in_time::search(arguments, &posed, begun, watch);
    drop(searching);
    line.finish();
    let outcome = outcome?;
    if !first {
        return Ok(if outcome.best.is_some() { 0 } else { failure::NO });
    }
    // Whoever wants to save in a hurry waits for this.
    let _kept = keeper.lock_in_time();
    alone_in_time::save_and_give(arguments, &posed, &outcome, begun)
}

/// `solve`, as one of several processes.
pub(super) fn solve(arguments: &SolveArgs, ranks: &dyn Ranks, keeper: &Keeper) -> Result<u8, Failure> {
    if let Some(bytes) = &arguments.problem.timed.bytes {
        return solve_timed(arguments, bytes, ranks, keeper);
    }
    let mut settings = alone::settings(arguments)?;
    let islands = Evolution::named(&arguments.method).is_some();
    if islands && !settings.parameters.iter().any(|p| p.name == "islands") {
        settings.parameters.push(Parameter { name: "islands".into(), value: ranks.count().to_string() });
    }
    let first = ranks.rank() == 0;
    let output = at_first(ranks, || Output::new(arguments))?;
    let begun = Instant::now();
    let problem = problem::pose_within(&arguments.problem, settings.seconds)?;
    let searching = progress::interruptible();
    let (kept, file) = (settings.clone(), arguments.output.clone());
    *keeper.lock() = Some(Kept { floor: None, best: None, settings: kept, begun, file });
    let trace = output.as_ref().map_or(Ok(None), |output| output.trace(&settings, &problem))?;
    let line = progress::Line::new(settings.seconds).traced(trace);
    let shown: &dyn Progress = if first { &line } else { &Silent };
    let listener = Listener { keeper, line: shown, problem: &problem };
    let watch = Watch { progress: &listener, stop: searching.switch(), ranks };
    if !islands && !first {
        serve(&problem, &settings, watch);
        return Ok(0);
    }
    let outcome = solve_watched(&problem, &settings, watch);
    drop(searching);
    line.finish();
    let outcome = outcome.map_err(|error| alone::refused(&error, &problem, &settings))?;
    let Some(output) = output else {
        return Ok(if outcome.best.is_some() { 0 } else { failure::NO });
    };
    // Whoever wants to save in a hurry waits for this.
    let _kept = keeper.lock();
    give(&outcome, &settings, &output, begun.elapsed().as_secs_f64())
}
