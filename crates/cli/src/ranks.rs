//! **What:** searches that several processes share, and what each of them keeps in case others are lost.

use super::args::SolveArgs;
use super::failure::Failure;
use super::output::Target;
use super::verbs::answer::{report, save};
use super::verbs::{bound, solve as alone, solve_evolution};
use super::{problem, progress, searching};
use ::evolution::{EVOLUTION, Generation};
use design::multiring::search::Checkpoint;
use kernel::{Certified, Problem, Schedule, Verdict, Verified, verify};
use run::{Method, Progress, Ranks, Run, Seed, Settings, Silent};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// The best that a process knows of: a verified schedule, or the state of a search for multirings.
#[derive(Default)]
pub struct Keeper {
    kept: Mutex<Option<Kept>>,
    search: Mutex<(Option<PathBuf>, Option<Checkpoint>)>,
}

struct Kept {
    floor: Certified,
    best: Option<Verified>,
    method: &'static str,
    seed: Seed,
    begun: Instant,
    file: Option<PathBuf>,
}

impl Keeper {
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
        let Some(file) = file else { return Ok(Some(format!("{best}; not kept, for want of --checkpoint FILE"))) };
        searching::keep(file, searching::MULTIRINGS, state).map_err(|failure| failure.message().to_owned())?;
        Ok(Some(format!("{best}; the same command goes on from {}", file.display())))
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
        let kept = self.lock();
        let Some(Kept { floor, best: Some(best), method, seed, begun, file }) = kept.as_ref() else { return Ok(None) };
        let verdict = Verdict::new(floor.clone(), best.clone()).map_err(|e| e.to_string())?;
        let Some(file) = file else { return Ok(Some(format!("{verdict}; not saved, for want of -o FILE"))) };
        save(file, &verdict, method, *seed, begun.elapsed().as_secs_f64())
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

    fn candidate(&self, _: &'static str, schedule: &dyn Fn() -> Schedule) {
        let claim = schedule();
        let mut kept = self.keeper.lock();
        let Some(kept) = kept.as_mut() else { return };
        if kept.best.as_ref().is_none_or(|best| claim.step_count() < best.steps())
            && let Ok(better) = verify(self.problem, claim)
        {
            kept.best = Some(better);
        }
    }
}

/// `solve`, as one of several processes.
pub(super) fn solve(arguments: &SolveArgs, ranks: &dyn Ranks, keeper: &Keeper) -> Result<u8, Failure> {
    let settings = alone::settings(arguments)?;
    let Some(mut engine) = solve_evolution::chosen(arguments)? else {
        let names: Vec<&str> = EVOLUTION.iter().map(|e| e.name()).collect();
        return Err(Failure::input(format!("--method {}: only islands are spread over processes", arguments.method))
            .hint(format!("choose an evolutionary method with --method {}", names.join("|"))));
    };
    let method = engine.name();
    if !arguments.param.iter().any(|text| text.trim_start().starts_with("islands")) {
        let each = ranks.count().to_string();
        engine.parameters.set(method, "islands", &each).map_err(Failure::input)?;
    }
    let first = ranks.rank() == 0;
    if let Some(path) = arguments.output.as_ref().filter(|_| first) {
        drop(Target::open(path)?);
    }
    let begun = Instant::now();
    let stop = progress::interruptible();
    let problem = problem::pose(&arguments.problem)?;
    let plain = |seconds| Run::new(Settings { seconds, ..settings }, &Silent, stop);
    let left = || settings.seconds.map(|s| (s - begun.elapsed().as_secs_f64()).max(0.0));
    let floor = bound::strongest(&problem, &plain(settings.seconds))
        .map_err(|refused| Failure::no(format!("no bound was certified: {refused}")))?;
    solve_evolution::refused(&engine, &problem, (floor.steps(), arguments), &plain(settings.seconds))?;
    let (seed, file) = (settings.seed, arguments.output.clone());
    *keeper.lock() = Some(Kept { floor: floor.clone(), best: None, method, seed, begun, file });
    let trace = arguments.trace.as_deref().filter(|_| first).map(progress::Trace::create).transpose()?;
    let line = progress::Line::new(floor.steps(), settings.seconds).traced(trace);
    let shown: &dyn Progress = if first { &line } else { &Silent };
    let listener = Listener { keeper, line: shown, problem: &problem };
    let run = Run::new(Settings { seconds: left(), ..settings }, &listener, stop).among(ranks);
    let engines: [&dyn Method; 1] = [&engine];
    let found = ::methods::best_of(&engines, &problem, floor.steps(), &run);
    line.finish();
    let Some(solution) = found else { return Err(alone::nothing(&problem, &engines, arguments)) };
    if !first {
        return Ok(0);
    }
    if let Some(kept) = keeper.lock().as_mut() {
        kept.best = Some(solution.schedule.clone());
    }
    let floor = alone::raised(floor, &solution, &plain(left()));
    let seconds = begun.elapsed().as_secs_f64();
    let verdict = Verdict::new(floor, solution.schedule).map_err(Failure::no)?;
    // Whoever wants to save in a hurry waits for this.
    let _kept = keeper.lock();
    if let Some(path) = &arguments.output {
        save(path, &verdict, method, settings.seed, seconds)?;
    }
    report(arguments, &verdict, method, seconds)?;
    Ok(0)
}
