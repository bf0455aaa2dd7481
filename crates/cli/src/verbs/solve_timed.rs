//! **What:** `solve --bytes`: floor and schedule of a problem in time, printed and saved.
//!
//! With `--chunks auto`, numbers of chunks are tried (1, 2, 3, 4, 6, 8, 12, …) as long as that makes the schedule faster and there is time.

use super::answer::provenance;
use super::bound_timed::floor;
use super::check_timed::Speed;
use super::solve::seconds;
use crate::args::{Chunks, SolveArgs};
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::timed_problem::{self, Posed};
use crate::{progress, render};
use formats::SCHEDULE_WRITERS;
use kernel::timed::{TimedVerdict, verify};
use run::{Run, Settings, Silent};
use serde_json::json;
use std::time::Instant;

/// The name of the method.
const METHOD: &str = "timed-trees";

/// Transfers that a schedule may have where the number of chunks is chosen here.
const TRANSFERS: u64 = 100_000;
/// A schedule so much faster is worth more chunks.
const WORTH: f64 = 0.999;
/// Numbers of chunks that may fail to be worth it in a row.
const PATIENCE: u32 = 7;

/// The verb.
pub(super) fn run(arguments: &SolveArgs, bytes: &str) -> Result<u8, Failure> {
    let begun = Instant::now();
    seconds(arguments.time)?;
    unknown(arguments)?;
    if let Some(path) = &arguments.output {
        output::named_as(path, SCHEDULE_WRITERS.first().expect("schedule files are the first format"))?;
        output::probe(path)?;
    }
    let posed = timed_problem::pose(&arguments.problem, bytes)?;
    if let Some(why) = search::timed::declines(&posed.problem(1)?) {
        return Err(Failure::no(format!("{METHOD} makes no schedule of this: {why}"))
            .hint("`quadrille bound` tells how fast none can be; no other method counts microseconds yet"));
    }
    let searching = progress::interruptible();
    let left = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let run = Run::new(Settings { seconds: left, ..Settings::default() }, &Silent, searching.switch());
    let found = match posed.chunks {
        Chunks::Number(chunks) => solved(&posed, chunks, &run)?,
        Chunks::Auto => best(&posed, &run)?,
    };
    drop(searching);
    let seconds = begun.elapsed().as_secs_f64();
    let Some(verdict) = found else {
        return Err(Failure::no("no schedule was found in time")
            .hint("allow more with --time SECONDS, or ask for fewer --chunks"));
    };
    if let Some(path) = &arguments.output {
        let from = provenance(METHOD, None, seconds);
        formats::timed_json::write(verdict.ceiling(), Some(verdict.floor()), Some(posed.bytes), &from, path)
            .map_err(output::unwritten)?;
    }
    give(arguments, &posed, &verdict, seconds)
}

/// Refuses flags that mean nothing here.
fn unknown(arguments: &SolveArgs) -> Result<(), Failure> {
    let given = [
        ("--method", arguments.method != "auto"),
        ("--param", !arguments.param.is_empty()),
        ("--trace", arguments.trace.is_some()),
        ("--steps", arguments.steps.is_some()),
        ("--slack", arguments.slack.is_some()),
        ("--below-floor", arguments.below_floor),
        ("--orbits", arguments.orbits),
        ("--explain", arguments.explain),
        ("--ticks", arguments.ticks.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::input(format!("{flag}: is of schedules of steps, and --bytes asks for time"))
            .hint(format!("leave out {flag}, or --bytes"))),
        None => Ok(()),
    }
}

/// A verdict in so many chunks; `None` where no schedule is found.
fn solved(posed: &Posed, chunks: u32, run: &Run<'_>) -> Result<Option<TimedVerdict>, Failure> {
    let problem = posed.problem(chunks)?;
    let floor = floor(&problem, run);
    let Some(claim) = search::timed::schedule(&problem, floor.ticks(), run) else { return Ok(None) };
    let fault = |what: &dyn std::fmt::Display| {
        Failure::no(format!("{METHOD}: {what}: a fault in this program; please report it"))
    };
    let ceiling = verify(&problem, claim).map_err(|rejected| fault(&rejected))?;
    TimedVerdict::new(floor, ceiling).map(Some).map_err(|error| fault(&error))
}

/// The fastest of the numbers of chunks that are tried.
fn best(posed: &Posed, run: &Run<'_>) -> Result<Option<TimedVerdict>, Failure> {
    let (mut best, mut failed): (Option<TimedVerdict>, u32) = (None, 0);
    // 1, then 2 and 3, 4 and 6, 8 and 12, …
    let numbers = std::iter::once(1).chain((0..u32::BITS - 2).flat_map(|power| [2 << power, 3 << power]));
    for chunks in numbers {
        let Some(found) = solved(posed, chunks, run)? else { break };
        let micros = found.ceiling().micros();
        let transfers = found.ceiling().schedule().transfer_count() as u64;
        let known = best.as_ref().map_or(f64::INFINITY, |best| best.ceiling().micros());
        failed = if micros < known * WORTH { 0 } else { failed + 1 };
        if micros < known {
            best = Some(found);
        }
        if failed > PATIENCE || transfers * 2 > TRANSFERS || run.stopped() {
            break;
        }
    }
    Ok(best)
}

fn give(arguments: &SolveArgs, posed: &Posed, verdict: &TimedVerdict, seconds: f64) -> Result<u8, Failure> {
    let (problem, floor, ceiling) = (verdict.problem(), verdict.floor(), verdict.ceiling());
    let (network, collective) = (problem.network(), problem.collective());
    let chunks = collective.chunks();
    let transfers = ceiling.schedule().transfer_count();
    let speed = Speed::of(ceiling, Some(posed.bytes));
    let kind = floor.certificate().proof.kind();
    let file = arguments.output.as_ref().map(|path| path.display().to_string());
    if arguments.report.json {
        return say_json(&json!({
            "network": network.name(), "collective": collective.name(), "nodes": network.node_count(),
            "channels": network.channel_count(), "chunks": chunks, "time_us": ceiling.micros(), "bound_us": floor.micros(),
            "algbw_GBps": speed.as_ref().map(|speed| speed.algorithm), "busbw_GBps": speed.as_ref().map(|speed| speed.bus),
            "certified": true, "optimal": verdict.is_optimal(), "certificate": kind, "method": METHOD, "seconds": seconds,
            "transfers": transfers, "file": file,
        }))
        .map(|()| 0);
    }
    let (micros, least) = (render::micros(ceiling.micros()), render::micros(floor.micros()));
    let optimal = if verdict.is_optimal() { "  optimal" } else { "" };
    let s = if chunks == 1 { "" } else { "s" };
    let mut lines = vec![format!(
        "{} on {} in {chunks} chunk{s}  {micros} µs, at least {least} µs{optimal}",
        collective.name(),
        network.name()
    )];
    lines.extend(speed.map(|speed| speed.people()));
    lines.push(format!("  bound by {kind}: {}", floor.certificate().reason(problem)));
    lines.push(format!("  {transfers} transfers by {METHOD} in {seconds:.2} s"));
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))?;
    Ok(0)
}
