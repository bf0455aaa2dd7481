//! **What:** `bound --all`: every lower bound that applies, proved or only printed, side by side.

use super::bound::posed;
use super::solve::refused;
use bounds::printed::Quantities;
use console::args::BoundArgs;
use console::failure::Failure;
use console::output::{say, say_json_of};
use console::render::table;
use console::{progress, render};
use design::measures::bisection;
use kernel::{Network, Problem};
use methods::{EveryBound, PrintedBound, Proved, Standing, Watch, every_bound};
use run::Alone;
use serde_json::{Value, json};
use std::time::Instant;

/// Nodes beyond which no bisection is looked for.
const MOST_NODES: usize = 4096;

/// The verb with `--all`.
pub(super) fn run(arguments: &BoundArgs) -> Result<u8, Failure> {
    let begun = Instant::now();
    let (problem, settings) = posed(arguments, begun)?;
    let searching = progress::interruptible();
    let line = progress::Line::new(settings.seconds);
    let watch = Watch { progress: &line, stop: searching.switch(), ranks: &Alone };
    let all = every_bound(&problem, &settings, watch, &width);
    line.finish();
    let all = all.map_err(|error| refused(&error, &problem, &settings))?;
    let seconds = begun.elapsed().as_secs_f64();
    match arguments.report.json {
        true => say_json_of(problem.network(), &document(&problem, &all, seconds))?,
        false => say(&people(&problem, &all, seconds))?,
    }
    Ok(0)
}

/// The best bisection found; where it is none, the formulas say less than with a better one.
fn width(network: &Network) -> Option<u64> {
    (network.node_count() <= MOST_NODES).then(|| bisection(network, None).channels)
}

/// The one JSON document: that of `bound`, and the list.
fn document(problem: &Problem, all: &EveryBound, seconds: f64) -> Value {
    let proved = |p: &Proved| {
        let certificate = p.certified.certificate();
        json!({
            "name": certificate.proof.kind(), "formula": p.certified.reason(), "kind": "certificate",
            "source": source(p), "steps": p.certified.steps(), "certified": true, "standing": "certified",
        })
    };
    let printed = |p: &PrintedBound| {
        let (standing, schedule) = match p.standing {
            Standing::Holds => ("holds", None),
            Standing::TooHigh { schedule } => ("too-high", Some(schedule)),
            Standing::Open => ("open", None),
        };
        json!({
            "name": name(p), "formula": p.formula.text, "kind": "printed formula", "source": equation(p),
            "about": p.formula.about, "steps": p.steps, "certified": false, "standing": standing, "schedule": schedule,
        })
    };
    let list: Vec<Value> = all.proved.iter().map(proved).chain(all.printed.iter().map(printed)).collect();
    json!({
        "network": problem.network().name(), "collective": problem.collective().name(),
        "chunks": problem.collective().chunks(), "bound": all.floor.steps(), "certified": true,
        "certificate": render::whole(render::certified(&all.floor), &formats::schedule_json::proof(&all.floor.certificate().proof)),
        "bounds": list, "quantities": all.quantities.as_ref().map(quantities), "absent": all.absent, "seconds": seconds,
    })
}

fn quantities(q: &Quantities) -> Value {
    json!({
        "terminals": q.terminals, "senders": q.senders, "receivers": q.receivers, "both": q.both, "ports": q.ports,
        "degree": q.degree, "distances": q.distances, "bisection": q.bisection, "inwards": q.inwards,
        "outwards": q.outwards, "within": q.within, "load": q.load,
    })
}

/// Where a certified bound comes from.
fn source(proved: &Proved) -> &'static str {
    proved.finder.map_or("a refutation, or a symmetry of a closed form", |finder| finder.source)
}

fn equation(printed: &PrintedBound) -> String {
    format!("dissertation, eq. {}", printed.formula.equation)
}

fn name(printed: &PrintedBound) -> String {
    format!("eq. {}", printed.formula.equation)
}

fn people(problem: &Problem, all: &EveryBound, seconds: f64) -> String {
    let collective = problem.collective();
    let mut lines = vec![format!(
        "{}: lower bound {}, certified ({seconds:.2} s)",
        problem.title(),
        render::count(all.floor.steps(), "step")
    )];
    let heads = ["  source", "steps", "certified", "standing", "what it says"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for proved in &all.proved {
        let certificate = proved.certified.certificate();
        rows.push(vec![
            format!("  certificate {}", certificate.proof.kind()),
            proved.certified.steps().to_string(),
            "yes".into(),
            "proved".into(),
            proved.certified.reason(),
        ]);
    }
    for printed in &all.printed {
        let standing = match printed.standing {
            Standing::Holds => "holds here".to_owned(),
            Standing::TooHigh { schedule } => format!("too high: {schedule} suffice"),
            Standing::Open => "open".to_owned(),
        };
        rows.push(vec![
            format!("  {}", equation(printed)),
            printed.steps.to_string(),
            "no: printed formula".into(),
            standing,
            printed.formula.text.to_owned(),
        ]);
    }
    lines.push(table(&rows));
    if !all.printed.is_empty() {
        lines.push("  a printed formula is not a proof; it holds here if a certificate proves as much, and is too high if a verified schedule has fewer steps".to_owned());
    }
    match &all.quantities {
        Some(quantities) => lines.push(format!("  with {quantities}, Δ = 0")),
        None => lines.push(format!(
            "  no printed formula applies to {} ({})",
            collective.name(),
            render::model(problem.model())
        )),
    }
    if let Some(why) = &all.absent {
        lines.push(format!("  eq. 3.11 to 3.13 (MNS) are not said here: {why}"));
    }
    lines.join("\n")
}
