//! **What:** `solve`: a floor first, then a search towards it, and the verdict of both.

use super::answer::{report, save};
use super::bound;
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::Target;
use crate::{problem, progress, render};
use constructions::broadcast::BROADCASTS;
use constructions::{CONSTRUCTIONS, HOP_CONSTRUCTIONS};
use kernel::{Certified, Problem, Verdict, certify};
use methods::broadcasts::Broadcasts;
use methods::hopwise::Hopwise;
use methods::{METHODS, Solution};
use methods::{sub_network, sub_network::SubNetwork};
use run::{Method, Run, Seed, Settings};
use search::{EdgeColouring, ScheduleRepair};
use std::time::Instant;

/// More threads than any machine has cores: a slip of the keyboard.
const MOST_THREADS: usize = 1024;

/// The verb.
pub fn run(arguments: &SolveArgs) -> Result<u8, Failure> {
    let settings = settings(arguments)?;
    let chosen = super::solve_evolution::chosen(arguments)?;
    let engines: Vec<&dyn Method> = match &chosen {
        Some(chosen) => vec![chosen],
        None => engines(&arguments.method)?,
    };
    if let Some(path) = &arguments.output {
        // An unwritable place is known now, not after a long search; nothing is left behind.
        drop(Target::open(path)?);
    }
    let begun = Instant::now();
    let stop = progress::interruptible();
    let closed = super::solve_orbits::closed(arguments, &Run::new(settings, &run::Silent, stop))?;
    if let Some(closed) = &closed
        && let Some(status) = super::solve_orbits::done(arguments, closed, begun)?
    {
        return Ok(status);
    }
    let problem = problem::pose(&arguments.problem)?;
    // The floor leaves some of the time to the search.
    let half = Settings { seconds: settings.seconds.map(|s| s / 2.0), ..settings };
    let at_once = at_once(&problem, arguments, &Run::new(Settings { ticks: 1, ..half }, &run::Silent, stop));
    let ceiling = at_once.as_ref().map(|solution| solution.schedule.steps() as u64);
    let floor = bound::strongest_within(&problem, &Run::new(half, &run::Silent, stop), ceiling)
        .map_err(|refused| Failure::no(format!("no bound was certified: {refused}")))?;
    if let Some(chosen) = &chosen {
        let run = Run::new(settings, &run::Silent, stop);
        super::solve_evolution::refused(chosen, &problem, (floor.steps(), arguments), &run)?;
    }
    let trace = arguments.trace.as_deref().map(progress::Trace::create).transpose()?;
    let repair = repair(arguments, &problem, &Run::new(settings, &run::Silent, stop))?;
    let engines = with_repair(&engines, repair.as_ref(), &problem, arguments);
    let named = (arguments.method != "auto").then_some(arguments.method.as_str());
    // How much longer than the shortest its paths are is not asked; whoever limits that gets a search.
    let hopwise = Hopwise::of(&problem, named).filter(|_| named.is_some() || arguments.slack.is_none());
    let engines = with_hopwise(engines, hopwise.as_ref(), &problem);
    let broadcasts = Broadcasts::of(&problem, named);
    let part = if named.is_none_or(|name| name == sub_network::NAME) { SubNetwork::of(&problem) } else { None };
    let others = if broadcasts.is_some() { Broadcasts::beside(&problem, engines) } else { engines };
    let written = [broadcasts.as_ref().map(|e| e as &dyn Method), part.as_ref().map(|e| e as &dyn Method)];
    let engines: Vec<&dyn Method> = written.into_iter().flatten().chain(others).collect();
    let line = progress::Line::new(floor.steps(), settings.seconds).traced(trace);
    let left = settings.seconds.map(|s| (s - begun.elapsed().as_secs_f64()).max(0.0));
    let run = Run::new(Settings { seconds: left, ..settings }, &line, stop);
    let found = match at_once.filter(|solution| solution.schedule.steps() as u64 <= run.goal(floor.steps())) {
        Some(solution) => Some(solution),
        None => search(&problem, &engines, floor.steps(), &run),
    };
    line.finish();
    if let Some(closed) = &closed
        && found.as_ref().is_none_or(|f| closed.verdict.ceiling().steps() <= f.schedule.steps())
    {
        return super::solve_orbits::written_down(arguments, closed, begun);
    }
    let Some(solution) = found else { return Err(nothing(&problem, &engines, arguments)) };
    let method = solution.method;
    let left = settings.seconds.map(|s| (s - begun.elapsed().as_secs_f64()).max(0.0));
    let floor = raised(floor, &solution, &Run::new(Settings { seconds: left, ..settings }, &run::Silent, stop));
    let seconds = begun.elapsed().as_secs_f64();
    let verdict = Verdict::new(floor, solution.schedule)
        .map_err(|e| Failure::no(format!("{e}: a fault in this program; please report it")))?;
    if let Some(path) = &arguments.output {
        save(path, &verdict, method, settings.seed, seconds)?;
    }
    report(arguments, &verdict, method, seconds)?;
    Ok(0)
}

/// More ticks than any search lives to see, and few enough to be multiplied.
const NO_LIMIT: u64 = 1 << 48;

/// The settings that the arguments ask for.
pub fn settings(arguments: &SolveArgs) -> Result<Settings, Failure> {
    seconds(arguments.time)?;
    let threads = threads(arguments.threads)?;
    let usual = Settings::default();
    // Who names a method and a time means that method for that time; one after the other, each gets its turn.
    let patient = arguments.method != "auto" && arguments.time.is_some();
    Ok(Settings {
        seed: Seed(arguments.seed),
        threads,
        seconds: arguments.time,
        ticks: arguments.ticks.unwrap_or(if patient { NO_LIMIT } else { usual.ticks }),
        slack: arguments.slack,
        steps: arguments.steps,
    })
}

/// Refuses a number of `--time` that is none of seconds.
pub fn seconds(wanted: Option<f64>) -> Result<(), Failure> {
    if wanted.is_some_and(|s| !s.is_finite() || s < 0.0) {
        return Err(Failure::input("--time: not a number of seconds").hint("write a number of 0 or more, such as 2.5"));
    }
    Ok(())
}

/// The number of `--threads`, or one a core.
pub fn threads(wanted: Option<usize>) -> Result<usize, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = wanted.unwrap_or_else(cores);
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(Failure::input(format!("--threads: {threads} threads"))
            .hint(format!("write a number of at least 1 and at most {MOST_THREADS}")));
    }
    Ok(threads)
}

/// The engines that `--method` chooses.
fn engines(method: &str) -> Result<Vec<&dyn Method>, Failure> {
    if method == "auto" {
        return Ok(METHODS.to_vec());
    }
    if written_down().any(|name| name == method) {
        return Ok(Vec::new());
    }
    methods::method(method).map(|engine| vec![engine as &dyn Method]).ok_or_else(|| {
        let engines = METHODS.iter().chain(evolution::EVOLUTION);
        let names = engines.map(|e| e.name()).chain(written_down()).chain(["auto"]);
        Failure::input(format!("--method: `{method}` is no method")).hint(match problem::nearest(method, names) {
            Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
            None => "`quadrille methods` lists all".into(),
        })
    })
}

/// The names of all methods that write schedules down instead of searching for them.
fn written_down() -> impl Iterator<Item = &'static str> {
    let alltoall = CONSTRUCTIONS.iter().map(|c| c.name).chain(HOP_CONSTRUCTIONS.iter().map(|c| c.name));
    alltoall.chain(BROADCASTS.iter().map(|c| c.name)).chain([sub_network::NAME])
}

/// The repair of the whole network's closed form, where faults are all that keeps the problem from having one.
fn repair(arguments: &SolveArgs, problem: &Problem, run: &Run<'_>) -> Result<Option<ScheduleRepair>, Failure> {
    let choice = &arguments.problem.network;
    let damaged = !choice.fail_link.is_empty() || !choice.fail_node.is_empty();
    if !damaged || !["auto", ScheduleRepair::EMPTY.name()].contains(&arguments.method.as_str()) || run.stopped() {
        return Ok(None);
    }
    let mut whole = arguments.problem.clone();
    whole.network.fail_link.clear();
    whole.network.fail_node.clear();
    let network = problem::closed(&whole)?;
    Ok(network.and_then(|network| methods::closed_forms::repair(problem, &network, run)))
}

/// The engines to try, with that which repairs a closed form: the first, and for large problems the only one.
fn with_repair<'a>(
    engines: &[&'a dyn Method],
    repair: Option<&'a ScheduleRepair>,
    problem: &Problem,
    arguments: &SolveArgs,
) -> Vec<&'a dyn Method> {
    let Some(repair) = repair.filter(|r| r.applies(problem)) else { return engines.to_vec() };
    let mut all: Vec<&'a dyn Method> = vec![repair];
    if arguments.method == "auto" && !ScheduleRepair::is_alone(problem) {
        all.extend_from_slice(engines);
    }
    all
}

/// The engines to try, with the schedule that is written down hop by hop: the first, and where no search is of use the only one.
fn with_hopwise<'a>(
    engines: Vec<&'a dyn Method>,
    hopwise: Option<&'a Hopwise>,
    problem: &Problem,
) -> Vec<&'a dyn Method> {
    let Some(hopwise) = hopwise else { return engines };
    let others = if Hopwise::is_alone(problem) { Vec::new() } else { engines };
    [vec![hopwise as &dyn Method], others].concat()
}

/// What colouring makes of one message a node, before any floor is known: where it is as good as the simplest floors, no
/// other needs to be found.
fn at_once(problem: &Problem, arguments: &SolveArgs, run: &Run<'_>) -> Option<Solution> {
    let collective = problem.collective();
    let mut sends = vec![false; problem.network().node_count()];
    let once = |m| !std::mem::replace(&mut sends[collective.origin(m).index()], true);
    let named = ["auto", EdgeColouring.name()].contains(&arguments.method.as_str());
    let wanted = named && collective.messages().all(once) && !run.stopped();
    if wanted { methods::best_of(&[&EdgeColouring], problem, 1, run) } else { None }
}

/// The best schedule within the budget; none where the budget is used up before the first engine begins.
fn search(problem: &Problem, engines: &[&dyn Method], floor: u64, run: &Run<'_>) -> Option<Solution> {
    if run.stopped() { None } else { methods::best_of(engines, problem, floor, run) }
}

/// The floor, raised towards the schedule's steps as far as fewer can be refuted.
pub fn raised(floor: Certified, solution: &Solution, run: &Run<'_>) -> Certified {
    let ceiling = solution.schedule.steps() as u64;
    let claim = bounds::raise(floor.problem(), floor.steps(), ceiling, run);
    claim.and_then(|claim| certify(floor.problem(), claim).ok()).unwrap_or(floor)
}

/// Why there is no schedule.
pub fn nothing(problem: &Problem, engines: &[&dyn Method], arguments: &SolveArgs) -> Failure {
    let what = format!("{} on {}", problem.collective().name(), problem.network().name());
    if progress::interrupted() {
        return Failure::no(format!("{what}: interrupted before a schedule was found"));
    }
    if !engines.iter().any(|e| e.applies(problem)) {
        let model = render::model(problem.model());
        let failure = match arguments.method.as_str() {
            "auto" => Failure::no(format!("{what} ({model}): no method applies")),
            method => Failure::input(format!("{what} ({model}): the method `{method}` does not apply")),
        };
        return failure.hint("`quadrille methods` tells what each method is for; --method auto tries all that apply");
    }
    let failure = Failure::no(match arguments.time {
        Some(seconds) => format!("{what}: no schedule found in {seconds} s"),
        None => format!("{what}: no schedule found in the budget"),
    });
    failure.hint("allow more with --time SECONDS or --ticks N, or try another --seed")
}
