//! **What:** `solve`: lower bound and schedule of a problem, printed and saved.

use super::answer::{Output, give};
use console::args::SolveArgs;
use console::failure::Failure;
use console::{problem, progress, render};
use evolution::{ParameterError, parameters_of};
use kernel::Problem;
use methods::{METHODS, Outcome, Parameter, Settings, SolveError, Watch, method as method_of, solve_watched};
use run::Alone;
use std::time::Instant;
use topologies::nearest;

/// More threads than any machine has cores: a slip of the keyboard.
const MOST_THREADS: usize = 1024;

/// The verb.
pub(crate) fn run(arguments: &SolveArgs) -> Result<u8, Failure> {
    if let Some(bytes) = &arguments.problem.timed.bytes {
        return super::solve_timed::run(arguments, bytes);
    }
    let begun = Instant::now();
    let settings = settings(arguments)?;
    if arguments.below_floor {
        return super::below_floor::run(arguments, &settings);
    }
    let output = Output::new(arguments)?;
    let problem = problem::pose_within(&arguments.problem, settings.seconds)?;
    let searching = progress::interruptible();
    let line = progress::Line::new(settings.seconds).traced(output.trace(&settings, &problem)?);
    let outcome =
        search(&problem, &settings, begun, Watch { progress: &line, stop: searching.switch(), ranks: &Alone });
    drop(searching);
    line.finish();
    give(&outcome?, &settings, &output, begun.elapsed().as_secs_f64())
}

/// Solves the problem in what is left of the time.
pub(crate) fn search(
    problem: &Problem,
    settings: &Settings,
    begun: Instant,
    watch: Watch<'_>,
) -> Result<Outcome, Failure> {
    let mut left = settings.clone();
    left.seconds = left.seconds.map(|s| (s - begun.elapsed().as_secs_f64()).max(0.0));
    solve_watched(problem, &left, watch).map_err(|error| refused(&error, problem, &left))
}

/// The settings that the arguments ask for.
pub(crate) fn settings(arguments: &SolveArgs) -> Result<Settings, Failure> {
    seconds(arguments.time)?;
    let mut settings = Settings::default().with_seed(arguments.seed).with_threads(threads(arguments.threads)?);
    settings.seconds = arguments.time;
    settings.ticks = arguments.ticks;
    settings.slack = arguments.slack;
    settings.steps = arguments.steps;
    if arguments.draws == Some(0) {
        return Err(Failure::input("--draws: a search runs once at least").hint("write a number from 1 on"));
    }
    settings.draws = arguments.draws;
    settings.method = (arguments.method != "auto").then(|| arguments.method.clone());
    settings.parameters = arguments.param.iter().map(|text| parameter(text)).collect::<Result<_, _>>()?;
    Ok(settings)
}

fn parameter(text: &str) -> Result<Parameter, Failure> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        Failure::input(format!("--param: `{text}` has no `=`")).hint("write NAME=VALUE, such as population=50")
    })?;
    Ok(Parameter { name: name.trim().to_owned(), value: value.to_owned() })
}

/// Refuses a number of `--time` that is none of seconds.
pub(crate) fn seconds(wanted: Option<f64>) -> Result<(), Failure> {
    if wanted.is_some_and(|s| !s.is_finite() || s < 0.0) {
        return Err(Failure::input("--time: not a number of seconds").hint("write a number of 0 or more, such as 2.5"));
    }
    Ok(())
}

/// The number of `--threads`, or one a core.
pub(crate) fn threads(wanted: Option<usize>) -> Result<usize, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = wanted.unwrap_or_else(cores);
    if !(1..=MOST_THREADS).contains(&threads) {
        return Err(Failure::input(format!("--threads: {threads} threads"))
            .hint(format!("write a number of at least 1 and at most {MOST_THREADS}")));
    }
    Ok(threads)
}

/// What to do about a construction that does not apply.
const WRITTEN_DOWN: &str = "it makes the collective of the networks, and under the switching and the ports, that `quadrille methods` names; --method auto tries all that apply";

/// What is wrong with the settings, in the words of the flags.
pub(crate) fn refused(error: &SolveError, problem: &Problem, settings: &Settings) -> Failure {
    let method = settings.method.as_deref().unwrap_or("auto");
    let what = problem.title();
    let model = render::model(problem.model());
    let all = "`quadrille methods` describes each method; --method auto tries all that apply";
    match error {
        SolveError::NoSuchMethod { name } => {
            let names = METHODS.iter().map(|m| m.name()).chain(["auto"]);
            Failure::input(format!("--method: {error}")).hint(match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
                None => "`quadrille methods` lists all".into(),
            })
        }
        SolveError::NotApplicable { why: Some(decline), .. } => {
            Failure::input(format!("--method {method}: {}", decline.why)).hint(&decline.hint)
        }
        SolveError::StepsBelowFloor { steps, floor } => Failure::input(format!("--steps {steps}: {error}"))
            .hint(format!("write {floor} or more, or leave it out; --below-bound reports the conflicts that are left")),
        SolveError::NoMethod => Failure::no(format!("{what} ({model}): {error}")).hint(all),
        SolveError::NotApplicable { method: name, .. } => {
            let written = method_of(name).is_some_and(|m| m.promise().is_some());
            let usual = if written { WRITTEN_DOWN } else { all };
            let instead = constructions::hint(name, problem.network().name());
            Failure::input(format!("{what} ({model}): {error}")).hint(instead.unwrap_or_else(|| usual.into()))
        }
        SolveError::NoParameters { .. } => {
            let with = METHODS.iter().map(|m| m.name()).filter(|name| parameters_of(name).next().is_some());
            Failure::input("--param: only evolutionary methods and doubly-parallel exchanges have it")
                .hint(format!("choose one with --method {}", with.collect::<Vec<_>>().join("|")))
        }
        SolveError::NoSuchParameter { known, .. } => {
            Failure::input(format!("--param: {error}")).hint(format!("write {known}=2, for example"))
        }
        SolveError::Parameter(error) => refused_parameter(error, method),
        _ => Failure::input(error),
    }
}

/// What is wrong with a value of `--param`.
pub(crate) fn refused_parameter(error: &ParameterError, method: &str) -> Failure {
    let hint = match error {
        ParameterError::Unknown { name, .. } => unknown(method, name),
        ParameterError::NoNumber { name, .. } | ParameterError::Range { name, .. } => {
            let range = parameters_of(method).find(|p| p.name == *name).map(|p| p.range());
            format!("write {}", range.unwrap_or_else(|| "a number".into()))
        }
    };
    Failure::input(format!("--param: {error}")).hint(hint)
}

fn unknown(method: &str, name: &str) -> String {
    match nearest(name, parameters_of(method).map(|p| p.name)) {
        Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
        None => {
            let names: Vec<&str> = parameters_of(method).map(|p| p.name).collect();
            format!("{method} has {}", names.join(", "))
        }
    }
}
