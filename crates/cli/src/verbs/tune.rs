//! **What:** `tune`: for each size the fastest schedule beside its bound and what libraries do, and where one overtakes another.

use super::solve::{seconds, threads};
use super::solve_timed::refused;
use super::tune_output::Outputs;
use crate::ranks::at_first;
use console::args::TuneArgs;
use console::failure::Failure;
use console::output::{say, say_json, tell};
use console::render::table;
use console::schedule_file::Speed;
use console::sizes::{approximate, shown, sizes};
use console::timed_problem;
use console::{progress, render};
use kernel::timed::VerifiedTimed;
use methods::{TimedBest, TimedSettings, TunedSize, Tuning, Watch, timed_method, tune};
use run::{Progress, Ranks, Silent};
use serde_json::{Value, json};
use std::time::Instant;

/// The verb, as one of several processes or alone.
pub(crate) fn run(arguments: &TuneArgs, ranks: &dyn Ranks) -> Result<u8, Failure> {
    let begun = Instant::now();
    seconds(arguments.time)?;
    let Some(bytes) = &arguments.problem.timed.bytes else {
        return Err(Failure::input("--bytes: no sizes are given").hint("add a range such as --bytes 1K..1G"));
    };
    let sizes = sizes(bytes, arguments.points)?;
    let first = ranks.rank() == 0;
    let posed = timed_problem::pose_size(&arguments.problem, sizes[0])?;
    let outputs = at_first(ranks, || {
        let outputs = Outputs::new(arguments)?;
        outputs.writer().map_or(Ok(()), |writer| outputs.takes(writer, posed.sized.whole().name()))?;
        Ok(outputs)
    })?;
    let left = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let settings = TimedSettings::default().with_chunks(posed.chunks).with_seconds(left).with_seed(arguments.seed);
    // Several processes have the cores already.
    let settings = settings.with_threads(if ranks.count() > 1 { 1 } else { threads(None)? });
    let searching = progress::interruptible();
    let line = progress::Line::new(left);
    let shown: &dyn Progress = if first { &line } else { &Silent };
    let watch = Watch { progress: shown, stop: searching.switch(), ranks };
    let tuning = tune(&posed.sized, &sizes, &settings, watch).map_err(|error| refused(&posed, &error));
    line.finish();
    let tuning = tuning?;
    drop(searching);
    // The others have done their share.
    let Some(outputs) = outputs else { return Ok(0) };
    for fault in tuning.faults() {
        tell(&format!("warning: {} {}\n", fault.method, fault.ended.reason()));
    }
    if tuning.sizes.is_empty() {
        return Err(Failure::no("no schedule was found in time").hint("allow more with --time SECONDS"));
    }
    let saved = outputs.save(&tuning, begun.elapsed().as_secs_f64())?;
    if progress::interrupted() {
        tell("warning: interrupted; this is what was found so far\n");
    }
    if arguments.report.json {
        say_json(&document(&tuning, &saved))?;
    } else if saved.printed {
        // The library's file has standard output for itself.
        tell(&format!("{}\n", people(&tuning, &saved.names)));
    } else {
        say(&people(&tuning, &saved.names))?;
    }
    if let Some(text) = saved.choice.filter(|_| saved.printed && !arguments.report.json) {
        say(text.trim_end())?;
    }
    Ok(0)
}

/// The schedules of what libraries do.
pub(super) fn baselines(size: &TunedSize) -> impl Iterator<Item = (&'static str, &VerifiedTimed)> {
    let known =
        size.reports.iter().filter(|report| timed_method(report.method).is_some_and(run::TimedMethod::is_baseline));
    known.filter_map(|report| Some((report.method, report.fastest.as_ref()?)))
}

/// All methods of libraries that made a schedule for some size, in the order of their list.
pub(super) fn libraries(tuning: &Tuning) -> Vec<&'static str> {
    let made = |name: &&str| tuning.sizes.iter().flat_map(baselines).any(|(method, _)| method == *name);
    methods::TIMED_METHODS.iter().map(|method| method.name()).filter(made).collect()
}

/// What is said of the schedules on both sides of an overtaking.
fn in_chunks(size: &TunedSize) -> String {
    let s = if size.chunks() == 1 { "" } else { "s" };
    format!("{} in {} chunk{s}", size.best.method, size.chunks())
}

fn people(tuning: &Tuning, files: &[String]) -> String {
    let first = &tuning.sizes[0].best.verdict;
    let (network, collective) = (first.problem().network().name(), first.problem().collective().name());
    let libraries = libraries(tuning);
    let mut head = ["bytes", "µs", "lower bound", "algbw GB/s", "method", "chunks"].map(String::from).to_vec();
    head.extend(libraries.iter().map(|name| name.trim_start_matches("timed-").to_owned()));
    let row = |size: &TunedSize| {
        let TimedBest { verdict, method } = &size.best;
        let ceiling = verdict.ceiling();
        let speed = Speed::of(ceiling, Some(size.bytes)).map(|speed| format!("{:.2}", speed.algorithm));
        let mut row = vec![
            shown(size.bytes),
            render::micros(ceiling.micros()),
            if verdict.is_optimal() { "optimal".into() } else { render::micros(verdict.floor().micros()) },
            speed.unwrap_or_default(),
            (*method).to_owned(),
            size.chunks().to_string(),
        ];
        let of = |name: &&str| baselines(size).find(|(method, _)| method == name);
        row.extend(libraries.iter().map(|name| of(name).map_or("-".into(), |(_, made)| render::micros(made.micros()))));
        row
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(tuning.sizes.iter().map(row)).collect();
    let mut lines =
        vec![format!("{collective} on {network}: the fastest schedules found and those of libraries, in µs")];
    lines.push(table(&rows));
    lines.extend(render::without_latency(first.problem(), first.ceiling().micros()));
    if !tuning.overtakings.is_empty() {
        lines.push(String::new());
    }
    for overtaking in &tuning.overtakings {
        let [before, after] = [overtaking.between - 1, overtaking.between].map(|at| in_chunks(&tuning.sizes[at]));
        lines.push(format!("from {} bytes on, {after} is faster than {before}", shown(overtaking.bytes)));
    }
    if tuning.left_out > 0 {
        lines.push(format!("{} sizes are left out for lack of time", tuning.left_out));
    }
    let found = |method: &&str| tuning.sizes.iter().any(|size| size.best.method == *method);
    let methods: Vec<&str> = methods::TIMED_METHODS.iter().map(|method| method.name()).filter(found).collect();
    lines.push(format!("found by {} in {:.2} s", methods.join(", "), tuning.seconds));
    lines.extend(files.iter().map(|file| format!("saved to {file}")));
    lines.join("\n")
}

fn document(tuning: &Tuning, saved: &super::tune_output::Saved) -> Value {
    let first = &tuning.sizes[0].best.verdict;
    let (network, collective) = (first.problem().network(), first.problem().collective());
    let known = |(method, made): (&str, &VerifiedTimed)| json!({"method": method, "time_us": made.micros(), "chunks": made.problem().collective().chunks()});
    let size = |(at, size): (usize, &TunedSize)| {
        let TimedBest { verdict, method } = &size.best;
        let (ceiling, floor) = (verdict.ceiling(), verdict.floor());
        let speed = Speed::of(ceiling, Some(size.bytes));
        json!({
            "bytes": approximate(size.bytes), "time_us": ceiling.micros(), "bound_us": floor.micros(),
            "algbw_GBps": speed.as_ref().map(|speed| speed.algorithm), "busbw_GBps": speed.as_ref().map(|speed| speed.bus),
            "certified": true, "optimal": verdict.is_optimal(), "certificate": render::timed_certificate(verdict.problem(), floor.certificate()),
            "method": method, "chunks": size.chunks(), "transfers": ceiling.transfer_count(),
            "made_for_bytes": approximate(size.made_for), "baselines": baselines(size).map(known).collect::<Vec<_>>(),
            "file": saved.schedules.get(at),
        })
    };
    let side = |at: usize| json!({"method": tuning.sizes[at].best.method, "chunks": tuning.sizes[at].chunks()});
    let overtaking = |o: &methods::Overtaking| json!({"bytes": approximate(o.bytes), "before": side(o.between - 1), "after": side(o.between)});
    json!({
        "network": network.name(), "collective": collective.name(), "nodes": network.node_count(),
        "channels": network.channel_count(), "sizes": tuning.sizes.iter().enumerate().map(size).collect::<Vec<_>>(),
        "overtakings": tuning.overtakings.iter().map(overtaking).collect::<Vec<_>>(), "left_out": tuning.left_out,
        "stopped": tuning.stopped.name(), "seconds": tuning.seconds, "files": saved.names, "choice": saved.choice,
        "notes": saved.notes,
    })
}
