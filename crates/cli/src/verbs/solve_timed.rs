//! **What:** `solve --bytes`: lower bound and schedule of a problem in time, printed and saved.
//!
//! With `--chunks auto`, numbers of chunks are tried as long as that makes the schedule faster and there is time.

use super::answer::provenance;
use super::solve::{seconds, threads};
use console::args::SolveArgs;
use console::failure::Failure;
use console::output::{self, say, say_json_of};
use console::render::table;
use console::schedule_file::Speed;
use console::timed_problem::{self, Posed};
use console::{progress, render};
use exports::schedule_file;
use kernel::Rational;
use kernel::timed::TimedVerdict;
use methods::{
    Stopped, TIMED_METHODS, TimedBest, TimedEnded, TimedOutcome, TimedReport, TimedSettings, TimedSolveError, Watch,
    solve_timed,
};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;
use topologies::nearest;

/// The verb.
pub(super) fn run(arguments: &SolveArgs, bytes: &str) -> Result<u8, Failure> {
    let begun = Instant::now();
    probe(arguments)?;
    let searching = progress::interruptible();
    let line = progress::Line::new(arguments.time);
    let watch = Watch { progress: &line, stop: searching.switch(), ..Watch::nobody() };
    let posed = pose(arguments, bytes)?;
    let outcome = search(arguments, &posed, begun, watch);
    line.finish();
    let outcome = outcome?;
    drop(searching);
    save_and_give(arguments, &posed, &outcome, begun)
}

/// An unwritable place is known now, not after a long search.
pub(crate) fn probe(arguments: &SolveArgs) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        output::named_as(path, schedule_file(path))?;
        output::probe(path)?;
    }
    Ok(())
}

/// Saves and prints what was found.
pub(crate) fn save_and_give(
    arguments: &SolveArgs,
    posed: &Posed,
    outcome: &TimedOutcome,
    begun: Instant,
) -> Result<u8, Failure> {
    let seconds = begun.elapsed().as_secs_f64();
    for report in &outcome.reports {
        if let TimedEnded::Rejected(_) = &report.ended {
            output::tell(&format!("warning: {} {}\n", report.method, report.ended.reason()));
        }
    }
    let best = outcome.best.as_ref().ok_or_else(nothing)?;
    if let Some(path) = &arguments.output {
        save(path, &best.verdict, best.method, posed.sized.counted(), seconds)?;
    }
    give(arguments, posed, outcome, best, seconds)
}

/// Writes the file.
pub(crate) fn save(
    path: &Path,
    verdict: &TimedVerdict,
    method: &str,
    bytes: Option<Rational>,
    seconds: f64,
) -> Result<(), Failure> {
    let from = provenance(method, None, seconds);
    formats::timed_json::write(verdict.ceiling(), Some(verdict.floor()), bytes, &from, path).map_err(output::unwritten)
}

/// Poses the problem.
pub(crate) fn pose(arguments: &SolveArgs, bytes: &str) -> Result<Posed, Failure> {
    seconds(arguments.time)?;
    unknown(arguments)?;
    timed_problem::pose(&arguments.problem, bytes)
}

/// Solves it in what is left of the time.
pub(crate) fn search(
    arguments: &SolveArgs,
    posed: &Posed,
    begun: Instant,
    watch: Watch<'_>,
) -> Result<TimedOutcome, Failure> {
    let left = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let named = Some(arguments.method.clone()).filter(|name| name != "auto");
    let settings = TimedSettings::default().with_chunks(posed.chunks).with_seconds(left).with_method(named);
    let settings = settings.with_threads(threads(arguments.threads)?);
    solve_timed(&posed.sized, &settings.with_seed(arguments.seed), watch).map_err(|error| refused(posed, &error))
}

/// Why there is no schedule.
pub(crate) fn nothing() -> Failure {
    Failure::no("no schedule was found in time").hint("allow more with --time SECONDS, or ask for fewer --chunks")
}

pub(super) fn refused(posed: &Posed, error: &TimedSolveError) -> Failure {
    match error {
        TimedSolveError::Sized(error) => posed.unposed(error),
        TimedSolveError::NoSuchMethod { name } => {
            let near = nearest(name, TIMED_METHODS.iter().map(|method| method.name()));
            Failure::input(format!("--method: {error}")).hint(match near {
                Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
                None => "`quadrille methods` lists all".into(),
            })
        }
        _ => Failure::no(error).hint("`quadrille bound` gives a lower bound"),
    }
}

/// Refuses flags that mean nothing here.
fn unknown(arguments: &SolveArgs) -> Result<(), Failure> {
    let given = [
        ("--param", !arguments.param.is_empty()),
        ("--trace", arguments.trace.is_some()),
        ("--steps", arguments.steps.is_some()),
        ("--slack", arguments.slack.is_some()),
        ("--below-bound", arguments.below_floor),
        ("--orbits", arguments.orbits),
        ("--ticks", arguments.ticks.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => {
            Err(Failure::input(format!("{flag} is for schedules of steps, but --bytes asks for a schedule in time"))
                .hint(format!("leave out {flag}, or --bytes")))
        }
        None => Ok(()),
    }
}

pub(crate) fn give(
    arguments: &SolveArgs,
    posed: &Posed,
    outcome: &TimedOutcome,
    best: &TimedBest,
    seconds: f64,
) -> Result<u8, Failure> {
    let TimedBest { verdict, method, .. } = best;
    let (problem, floor, ceiling) = (verdict.problem(), verdict.floor(), verdict.ceiling());
    let (network, collective) = (problem.network(), problem.collective());
    let chunks = collective.chunks();
    let transfers = ceiling.transfer_count();
    let speed = Speed::of(ceiling, posed.sized.counted());
    let certificate = floor.certificate();
    let file = arguments.output.as_ref().map(|path| path.display().to_string());
    if arguments.report.json {
        return say_json_of(network, &json!({
            "network": network.name(), "collective": collective.name(), "nodes": network.node_count(),
            "channels": network.channel_count(), "chunks": chunks, "time_us": ceiling.micros(), "bound_us": floor.micros(),
            "algbw_GBps": speed.as_ref().map(|speed| speed.algorithm), "busbw_GBps": speed.as_ref().map(|speed| speed.bus),
            "certified": true, "optimal": verdict.is_optimal(), "certificate": render::timed_certificate(problem, certificate), "method": method, "seconds": seconds,
            "transfers": transfers, "stopped": outcome.stopped.name(), "methods": reports(outcome), "file": file,
        }))
        .map(|()| 0);
    }
    let time = render::time(ceiling.micros(), Some(floor.micros()), verdict.is_optimal());
    let mut lines = vec![format!("{}: {time} ({method}, {seconds:.2} s)", problem.title())];
    lines.extend(speed.map(|speed| speed.people()));
    lines.extend(render::without_latency(problem, ceiling.micros()));
    lines.push(format!("  lower bound by {}", render::timed_reason(problem, certificate)));
    lines.push(format!("  {transfers} transfers"));
    if !verdict.is_optimal() || arguments.explain {
        lines.push(format!("  stopped: {}", reason(outcome.stopped)));
    }
    if arguments.explain {
        lines.push(explained(outcome));
    }
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))?;
    Ok(0)
}

/// Why the search ended, with what would help.
fn reason(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Time => "the time is up; a longer --time may find a faster schedule",
        Stopped::Exhausted | Stopped::Ticks => {
            "every method that applies is exhausted; another number of --chunks, another --seed or --method NAME may be faster"
        }
        _ => stopped.reason(),
    }
}

/// What each method did, for programs.
fn reports(outcome: &TimedOutcome) -> Value {
    let report = |report: &TimedReport| {
        json!({"method": report.method, "time_us": report.micros(), "chunks": report.chunks(), "seconds": report.seconds,
               "ended": report.ended.reason()})
    };
    outcome.reports.iter().map(report).collect()
}

/// What each method did, for people.
fn explained(outcome: &TimedOutcome) -> String {
    let row = |report: &TimedReport| {
        let made = report.micros().zip(report.chunks());
        let made = made.map(|(micros, chunks)| format!("{} µs in chunks: {chunks}", render::micros(micros)));
        let seconds = format!("{:.2} s", report.seconds);
        vec![format!("  {}", report.method), made.unwrap_or_default(), seconds, report.ended.reason()]
    };
    table(&outcome.reports.iter().map(row).collect::<Vec<_>>())
}
