//! **What:** `experiment`: the dissertation's experiments with evolution, run anew.

use super::solve::seconds;
use crate::args::ExperimentArgs;
use crate::failure::Failure;
use crate::output::{say, say_json};
use crate::problem::nearest;
use crate::progress;
use crate::registries::table;
use experiments::{
    Conducted, EXPERIMENTS, Experiment, ExperimentError, Limit, Options, Record, Summary, Told, conduct, experiment,
    printed_success, summaries,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Runs a cell, and seconds of the processor a run, where nothing is said.
const USUAL_RUNS: u64 = 3;
const USUAL_SECONDS: f64 = 4.0;

/// Generations of a run, as in the dissertation.
const GENERATIONS: u64 = 500_000;

/// The verb.
pub(crate) fn run(arguments: &ExperimentArgs) -> Result<u8, Failure> {
    let Some(name) = arguments.name.as_deref().filter(|_| !arguments.list) else {
        return list(arguments.report.json);
    };
    let chosen = experiment(name).ok_or_else(|| unknown(name))?;
    seconds(arguments.time)?;
    let options = options(arguments, chosen)?;
    let searching = progress::interruptible();
    let people = !arguments.report.json;
    let mut runs = None;
    let mut hear = |told: Told<'_>| match told {
        Told::Begins { cell, done, of } => {
            let runs = runs.get_or_insert_with(|| progress::Count::new(of, "runs"));
            runs.at(done, &format!("{} on {} by {}", cell.pattern, cell.network, cell.method));
        }
        Told::Ended(record) => {
            // None has ended that has not begun.
            let shown = runs.as_ref().filter(|_| people);
            shown.iter().for_each(|runs| runs.tell(&line(record)));
        }
    };
    let done = conduct(chosen, &options, searching.switch(), &mut hear);
    runs.iter().for_each(progress::Count::finish);
    let done = done.map_err(|error| failed(&error))?;
    drop(searching);
    let rows = summaries(&done.cells, &done.records);
    match arguments.report.json {
        true => say_json(&document(chosen, &done, &rows))?,
        false => say(&report(chosen, &done, &rows))?,
    }
    Ok(0)
}

/// What a run that has ended came to.
fn line(record: &Record) -> String {
    let Record { pattern, network, method, seed, best, generations, seconds, .. } = record;
    let came_to = if record.solved { "solved".into() } else { format!("not solved, {best} left") };
    format!(
        "{pattern} on {network} by {method}, seed {seed}: {came_to} after {generations} generations, {seconds:.2} s\n"
    )
}

fn list(json: bool) -> Result<u8, Failure> {
    if json {
        let entry = |e: &Experiment| json!({"name": e.name, "about": e.about, "source": e.source, "cells": (e.cells)().len(), "full_runs": e.full_runs});
        return say_json(&EXPERIMENTS.iter().map(entry).collect::<Vec<_>>()).map(|()| 0);
    }
    let row = |e: &Experiment| {
        let cells = (e.cells)().len();
        vec![
            e.name.to_owned(),
            e.about.to_owned(),
            format!("{cells} cells, {} runs each", e.full_runs),
            format!("[{}]", e.source),
        ]
    };
    say(&table(&EXPERIMENTS.iter().map(row).collect::<Vec<_>>())).map(|()| 0)
}

fn unknown(name: &str) -> Failure {
    let names = || EXPERIMENTS.iter().map(|e| e.name);
    Failure::input(format!("`{name}` is not an experiment")).hint(match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `quadrille experiment --list` lists all"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    })
}

fn options(arguments: &ExperimentArgs, chosen: &Experiment) -> Result<Options, Failure> {
    let full = arguments.full;
    let run_seconds = arguments.run_time.unwrap_or(if full { 0.0 } else { USUAL_SECONDS });
    if !run_seconds.is_finite() || run_seconds < 0.0 {
        return Err(
            Failure::input("--run-time: not a number of seconds").hint("write a number of 0 or more; 0 is no limit")
        );
    }
    let cells = (chosen.cells)();
    let known = |flag: &str, text: &Option<String>, own: &dyn Fn(&experiments::Cell) -> &'static str| match text {
        Some(text) if cells.iter().all(|cell| own(cell) != text) => {
            let mut names: Vec<&str> = cells.iter().map(own).collect();
            names.sort_unstable();
            names.dedup();
            Err(Failure::input(format!("{flag}: {} has no cell with `{text}`", chosen.name))
                .hint(format!("it has {}", names.join(", "))))
        }
        _ => Ok(()),
    };
    known("--method", &arguments.method, &|cell| cell.method)?;
    known("--network", &arguments.network, &|cell| cell.network)?;
    let wait =
        |seconds: f64| Duration::try_from_secs_f64(seconds).ok().and_then(|wait| Instant::now().checked_add(wait));
    Ok(Options {
        folder: arguments.output.clone(),
        prefix: if full { "full-" } else { "" }.to_owned(),
        runs: arguments.runs.unwrap_or(if full { chosen.full_runs } else { USUAL_RUNS }),
        limit: Limit {
            seconds: run_seconds,
            generations: arguments.generations.unwrap_or(GENERATIONS),
            whole: full,
            settles: full && chosen.settles,
        },
        method: arguments.method.clone(),
        network: arguments.network.clone(),
        deadline: arguments.time.and_then(wait),
    })
}

fn failed(error: &ExperimentError) -> Failure {
    let hint = match error {
        ExperimentError::Io { .. } => "name a folder that exists or can be made, and that you may write to",
        ExperimentError::Line { .. } => "take that line out, or name another folder",
        _ => "choose other cells with --method or --network",
    };
    Failure::input(error).hint(hint)
}

fn document(chosen: &Experiment, done: &Conducted, rows: &[Summary]) -> Value {
    let cell = |s: &Summary| {
        let c = &s.cell;
        json!({
            "method": c.method, "network": c.network, "pattern": c.pattern, "population": c.population,
            "crossover": c.crossover, "mutation": c.mutation, "refine": c.refine, "drawn": c.drawn, "slack": c.slack,
            "rules": c.rules.to_string(), "steps": s.steps, "bound": s.floor, "runs": s.runs, "solved": s.solved, "printed_success": printed_success(c), "left": s.left,
            "evaluations": s.evaluations, "seconds": s.seconds,
        })
    };
    let pictures: Vec<String> = done.pictures.iter().map(|path| path.display().to_string()).collect();
    json!({
        "experiment": chosen.name, "source": chosen.source, "file": done.file.display().to_string(),
        "pictures": pictures, "complete": !done.is_cut_short && done.given_up == 0, "given_up": done.given_up,
        "cells": rows.iter().map(cell).collect::<Vec<_>>(),
    })
}

fn report(chosen: &Experiment, done: &Conducted, rows: &[Summary]) -> String {
    let heads = [
        "  pattern",
        "network",
        "method",
        "population",
        "crossover",
        "mutation",
        "refine",
        "drawn",
        "rules",
        "steps/bound",
        "solved",
        "printed",
        "left",
        "evaluations",
        "seconds",
    ];
    let mut lines = vec![heads.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|s| {
        let c = &s.cell;
        vec![
            format!("  {}", c.pattern),
            c.network.to_owned(),
            c.method.to_owned(),
            c.population.to_string(),
            if c.method == "sga" { c.crossover.to_string() } else { "-".into() },
            c.mutation.to_string(),
            c.refine.to_string(),
            if c.method == "sga" { "-".into() } else { c.drawn.to_string() },
            c.rules.to_string(),
            format!("{}/{}", s.steps, s.floor),
            format!("{} of {}", s.solved, s.runs),
            printed_success(c).map_or("-".into(), |rate| format!("{rate} %")),
            format!("{:.1}", s.left),
            format!("{:.0}", s.evaluations),
            format!("{:.2}", s.seconds),
        ]
    }));
    let mut text = format!("{}: {} [{}]\n{}", chosen.name, chosen.about, chosen.source, table(&lines));
    text.push_str("\n  printed: the dissertation's success rate (Tables 7.1 to 7.4), where it gives one\n  left: conflicts and late deliveries of the best candidate; like evaluations and CPU seconds, a mean over the runs");
    if done.given_up > 0 {
        text.push_str(&format!("\n  {} cells have runs that were abandoned after --run-time", done.given_up));
    }
    if done.is_cut_short {
        text.push_str("\n  runs are left; the same command continues with them");
    }
    text.push_str(&format!("\n  saved to {}, with {} pictures", done.file.display(), done.pictures.len()));
    text
}
