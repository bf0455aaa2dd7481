//! **What:** `experiment`: the dissertation's experiments with evolution, run anew, and those of the user's own.

use super::experiment_own;
use super::experiment_report::{About, document, report};
use super::solve::seconds;
use console::args::ExperimentArgs;
use console::failure::Failure;
use console::output::{self, say, say_json};
use console::progress;
use console::render::table;
use experiments::{
    Cell, EXPERIMENTS, Experiment, ExperimentError, Limit, OWN, Options, Record, Told, conduct, experiment, summaries,
};
use serde_json::json;
use std::time::{Duration, Instant};
use topologies::nearest;

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
    seconds(arguments.time)?;
    let (about, cells) = match name {
        OWN => (About::OWN, experiment_own::cells(arguments)?),
        name => {
            let chosen = experiment(name).ok_or_else(|| unknown(name))?;
            (About::of(chosen), chosen_cells(arguments, chosen)?)
        }
    };
    let options = options(arguments, experiment(name))?;
    let searching = progress::interruptible();
    let people = !arguments.report.json;
    let mut runs = None;
    let mut hear = |told: Told<'_>| match told {
        Told::Begins { cell, done, of } => {
            let runs = runs.get_or_insert_with(|| progress::Count::new(of, "runs"));
            runs.at(done, &cell.name_among(&cells));
        }
        Told::Ended { cell, record } => {
            // None has ended that has not begun.
            let shown = runs.as_ref().filter(|_| people && !output::is_quiet());
            shown.iter().for_each(|runs| runs.tell(&line(&cell.name_among(&cells), record)));
        }
    };
    let done = conduct(about.name, cells.clone(), &options, searching.switch(), &mut hear);
    runs.iter().for_each(progress::Count::finish);
    let done = done.map_err(|error| failed(&error))?;
    drop(searching);
    let rows = summaries(&done.cells, &done.records);
    match arguments.report.json {
        true => say_json(&document(&about, &done, &rows))?,
        false => say(&report(&about, &done, &rows))?,
    }
    Ok(0)
}

/// What a run of the cell of that name came to.
fn line(name: &str, record: &Record) -> String {
    let Record { seed, best, generations, seconds, .. } = record;
    let came_to = if record.solved { "solved".into() } else { format!("not solved, {best} left") };
    format!("{name}, seed {seed}: {came_to} after {generations} generations, {seconds:.2} s\n")
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
    let own = format!("{OWN}: networks, collectives, methods and parameters of your own (`quadrille help experiment`)");
    say(&format!("{}\n{own}", table(&EXPERIMENTS.iter().map(row).collect::<Vec<_>>()))).map(|()| 0)
}

fn unknown(name: &str) -> Failure {
    let names = || EXPERIMENTS.iter().map(|e| e.name).chain([OWN]);
    Failure::input(format!("`{name}` is not an experiment")).hint(match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`? `quadrille experiment --list` lists all"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    })
}

fn options(arguments: &ExperimentArgs, chosen: Option<&Experiment>) -> Result<Options, Failure> {
    let full = arguments.full;
    let run_seconds = arguments.run_time.unwrap_or(if full { 0.0 } else { USUAL_SECONDS });
    if !run_seconds.is_finite() || run_seconds < 0.0 {
        return Err(
            Failure::input("--run-time: not a number of seconds").hint("write a number of 0 or more; 0 is no limit")
        );
    }
    let wait =
        |seconds: f64| Duration::try_from_secs_f64(seconds).ok().and_then(|wait| Instant::now().checked_add(wait));
    Ok(Options {
        folder: arguments.output.clone(),
        prefix: if full { "full-" } else { "" }.to_owned(),
        runs: arguments.runs.unwrap_or(chosen.filter(|_| full).map_or(USUAL_RUNS, |chosen| chosen.full_runs)),
        limit: Limit {
            seconds: run_seconds,
            generations: arguments.generations.unwrap_or(GENERATIONS),
            whole: full,
            settles: full && chosen.is_some_and(|chosen| chosen.settles),
        },
        deadline: arguments.time.and_then(wait),
    })
}

/// The cells of one of the dissertation's experiments that are asked for.
fn chosen_cells(arguments: &ExperimentArgs, chosen: &Experiment) -> Result<Vec<Cell>, Failure> {
    let own = [
        ("--collective", !arguments.collective.is_empty()),
        ("--param", !arguments.param.is_empty()),
        ("--root", arguments.root.is_some()),
        ("--senders", arguments.senders.is_some()),
        ("--receivers", arguments.receivers.is_some()),
        ("--slack", arguments.slack.is_some()),
        ("--steps", arguments.steps.is_some()),
    ];
    if let Some((flag, _)) = own.iter().find(|(_, given)| *given) {
        return Err(Failure::input(format!("{flag}: the cells of {} are those of the dissertation", chosen.name))
            .hint("`quadrille experiment own` takes networks, collectives, methods and parameters of your own"));
    }
    let mut cells = (chosen.cells)();
    let refused = |flag: &str, text: &str, mut names: Vec<&str>| {
        names.sort_unstable();
        names.dedup();
        Failure::input(format!("{flag}: {} has no cell with `{text}`", chosen.name))
            .hint(format!("it has {}", names.join(", ")))
    };
    for text in &arguments.method {
        if cells.iter().all(|cell| cell.method != text) {
            return Err(refused("--method", text, cells.iter().map(|cell| cell.method).collect()));
        }
    }
    let networks: Vec<String> = arguments.network.iter().map(|text| (**text).to_owned()).collect();
    for text in &networks {
        if cells.iter().all(|cell| cell.network != *text) {
            return Err(refused("--network", text, cells.iter().map(|cell| cell.network.as_str()).collect()));
        }
    }
    let wanted = |given: &[String], own: &str| given.is_empty() || given.iter().any(|text| text == own);
    cells.retain(|cell| wanted(&arguments.method, cell.method) && wanted(&networks, &cell.network));
    Ok(cells)
}

fn failed(error: &ExperimentError) -> Failure {
    let hint = match error {
        ExperimentError::Io { .. } => "name a folder that exists or can be made, and that you may write to",
        ExperimentError::Line { .. } => "take that line out, or name another folder",
        _ => "choose other cells with --method or --network",
    };
    Failure::input(error).hint(hint)
}
