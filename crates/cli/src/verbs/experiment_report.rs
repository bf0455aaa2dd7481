//! **What:** what the runs of an experiment came to, as a table and as a document.

use console::render::table;
use experiments::{Conducted, Experiment, OWN, Statistic, Summary, printed_success};
use serde_json::{Value, json};

/// What an experiment is.
pub(super) struct About {
    pub name: &'static str,
    pub about: &'static str,
    /// Where the dissertation has it.
    pub source: Option<&'static str>,
}

impl About {
    pub(super) const OWN: About =
        About { name: OWN, about: "cells of networks, collectives, methods and parameters", source: None };

    pub(super) fn of(experiment: &Experiment) -> Self {
        About { name: experiment.name, about: experiment.about, source: Some(experiment.source) }
    }
}

pub(super) fn document(about: &About, done: &Conducted, rows: &[Summary]) -> Value {
    let cell = |s: &Summary| {
        let c = &s.cell;
        let deviation = |statistic: Statistic| statistic.deviation;
        json!({
            "method": c.method, "network": c.network, "pattern": c.pattern, "population": c.population,
            "crossover": c.crossover, "mutation": c.mutation, "refine": c.refine, "drawn": c.drawn, "slack": c.slack,
            "rules": c.rules.to_string(), "parameters": c.others, "steps": s.steps, "bound": s.floor, "runs": s.runs,
            "solved": s.solved, "success": s.solved as f64 / s.runs as f64, "printed_success": printed_success(c),
            "reached": s.reached.map(|r| json!({"least": r.least, "most": r.most})),
            "left": s.left.mean, "left_deviation": deviation(s.left),
            "generations": s.generations.mean, "generations_deviation": deviation(s.generations),
            "evaluations": s.evaluations.mean, "evaluations_deviation": deviation(s.evaluations),
            "solved_evaluations": s.solved_evaluations.map(|s| s.mean),
            "solved_evaluations_deviation": s.solved_evaluations.and_then(deviation),
            "seconds": s.seconds.mean, "seconds_deviation": deviation(s.seconds),
        })
    };
    let pictures: Vec<String> = done.pictures.iter().map(|path| path.display().to_string()).collect();
    json!({
        "experiment": about.name, "source": about.source, "file": done.file.display().to_string(),
        "table": done.table.display().to_string(),
        "pictures": pictures, "complete": !done.is_cut_short && done.given_up == 0, "given_up": done.given_up,
        "cells": rows.iter().map(cell).collect::<Vec<_>>(),
    })
}

/// A column of the table.
struct Column {
    head: &'static str,
    text: fn(&Summary) -> String,
}

const NOTHING: &str = "-";

const COLUMNS: &[Column] = &[
    Column { head: "network", text: |s| s.cell.network.clone() },
    Column { head: "method", text: |s| s.cell.method.to_owned() },
    Column { head: "population", text: |s| s.cell.population.to_string() },
    Column { head: "crossover", text: |s| only(s.cell.method == "sga", s.cell.crossover) },
    Column { head: "mutation", text: |s| s.cell.mutation.to_string() },
    Column { head: "refine", text: |s| s.cell.refine.to_string() },
    Column { head: "drawn", text: |s| only(s.cell.method != "sga", s.cell.drawn) },
    Column { head: "rules", text: |s| s.cell.rules.to_string() },
    Column { head: "parameters", text: |s| s.cell.parameters() },
    Column { head: "steps/bound", text: |s| format!("{}/{}", s.steps, s.floor) },
    Column { head: "solved", text: |s| format!("{} of {}", s.solved, s.runs) },
    Column { head: "printed", text: |s| printed_success(&s.cell).map_or(NOTHING.into(), |rate| format!("{rate} %")) },
    Column { head: "reached", text: |s| s.reached.map_or(NOTHING.into(), |reached| reached.to_string()) },
    Column { head: "left", text: |s| s.left.text(1) },
    Column { head: "generations", text: |s| s.generations.text(0) },
    Column { head: "evaluations", text: |s| s.evaluations.text(0) },
    Column { head: "seconds", text: |s| s.seconds.text(2) },
];

fn only(is_used: bool, value: f64) -> String {
    if is_used { value.to_string() } else { NOTHING.into() }
}

/// The table for people; columns in which nothing stands are left out.
pub(super) fn report(about: &About, done: &Conducted, rows: &[Summary]) -> String {
    let shown: Vec<&Column> =
        COLUMNS.iter().filter(|column| rows.iter().any(|row| (column.text)(row) != NOTHING)).collect();
    let line = |first: String, rest: &dyn Fn(&Column) -> String| {
        std::iter::once(first).chain(shown.iter().map(|column| rest(column))).collect::<Vec<_>>()
    };
    let mut lines = vec![line("  pattern".into(), &|column| column.head.to_owned())];
    lines.extend(rows.iter().map(|s| line(format!("  {}", s.cell.pattern), &|column| (column.text)(s))));
    let source = about.source.map_or(String::new(), |source| format!(" [{source}]"));
    let mut text = format!("{}: {}{source}\n{}", about.name, about.about, table(&lines));
    let has = |head: &str| shown.iter().any(|column| column.head == head);
    if has("printed") {
        text.push_str("\n  printed: the dissertation's success rate (Tables 7.1 to 7.4), where it has one");
    }
    if has("reached") {
        text.push_str("\n  reached: steps of the best candidates' schedules once conflicts have steps of their own");
    }
    text.push_str(
        "\n  left: conflicts and late deliveries of the best candidate; means of all runs, also those that failed, ± their standard deviation; seconds of the processor",
    );
    if done.given_up > 0 {
        text.push_str(&format!("\n  {} cells have runs that were abandoned after --run-time", done.given_up));
    }
    if done.is_cut_short {
        text.push_str("\n  runs are left; the same command continues");
    }
    let (file, table, pictures) = (done.file.display(), done.table.display(), done.pictures.len());
    text.push_str(&format!("\n  saved to {file} (runs) and {table} (this table), with {pictures} pictures"));
    text
}
