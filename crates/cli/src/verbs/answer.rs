//! **What:** what `solve` answers: the lines for people, the document for programs, and the file.

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::{progress, render};
use kernel::{Problem, Schedule, Verdict};
use run::Seed;
use serde::Serialize;
use std::path::Path;

/// What `--json` prints.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    pub network: &'a str,
    pub collective: &'a str,
    pub chunks: u32,
    pub nodes: usize,
    pub channels: usize,
    pub steps: usize,
    pub bound: u64,
    pub certified: bool,
    pub optimal: bool,
    pub method: &'a str,
    pub seconds: f64,
    pub transfers: u64,
    pub hops: u64,
    /// Where messages are combined, what the schedule costs beside its steps; see [`words`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<u64>,
    /// Elements of the group by which the schedule is stored, where it is stored as orbits.
    pub symmetry: Option<u32>,
    pub certificate: &'a str,
    pub seed: u64,
    pub file: Option<String>,
}

/// Where messages are combined: the messages of each step's longest transfer, added up. A step lasts as long as that transfer,
/// so steps count start-ups and this counts words; searches minimise steps alone. Nothing where a transfer is one message.
fn words(problem: &Problem, schedule: &Schedule) -> Option<u64> {
    let longest = |step| schedule.step(step).map(|transfer| transfer.messages.len() as u64).max().unwrap_or(0);
    problem.model().combining.then(|| (0..schedule.step_count()).map(longest).sum())
}

pub(super) fn provenance(method: &str, seed: Option<Seed>, seconds: f64) -> formats::schedule_json::Provenance {
    formats::schedule_json::Provenance {
        method: method.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: seed.map(|s| s.0),
        seconds: Some(seconds),
    }
}

pub fn save(path: &Path, verdict: &Verdict, method: &str, seed: Seed, seconds: f64) -> Result<(), Failure> {
    let provenance = provenance(method, Some(seed), seconds);
    formats::schedule_json::write(verdict.ceiling(), Some(verdict.floor()), &provenance, path)
        .map_err(output::unwritten)
}

pub fn report(arguments: &SolveArgs, verdict: &Verdict, method: &str, seconds: f64) -> Result<(), Failure> {
    let problem = verdict.problem();
    let (network, schedule) = (problem.network(), verdict.ceiling().schedule());
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if arguments.form.json {
        return say_json(&Document {
            network: network.name(),
            collective: problem.collective().name(),
            chunks: problem.collective().chunks(),
            nodes: network.node_count(),
            channels: network.channel_count(),
            steps: verdict.ceiling().steps(),
            bound: verdict.floor().steps(),
            certified: true,
            optimal: verdict.is_optimal(),
            method,
            seconds,
            transfers: schedule.transfer_count() as u64,
            hops: schedule.channel_uses() as u64,
            words: words(problem, schedule),
            symmetry: None,
            certificate: verdict.floor().certificate().proof.kind(),
            seed: arguments.seed,
            file,
        });
    }
    let mut text = format!(
        "{verdict}\n  {} nodes, {} channels, {}\n  {} transfers over {} hops, found by {method} in {seconds:.2} s\n  floor by {}",
        network.node_count(),
        network.channel_count(),
        render::model(problem.model()),
        schedule.transfer_count(),
        schedule.channel_uses(),
        render::reason(problem, verdict.floor().certificate()),
    );
    if let chunks @ 2.. = problem.collective().chunks() {
        let each = verdict.ceiling().steps() as f64 / f64::from(chunks);
        text.push_str(&format!("\n  {each:.2} steps a chunk"));
    }
    if let Some(words) = words(problem, schedule) {
        text.push_str(&format!(
            "\n  steps are what was minimised, whatever a transfer carries: the longest of all steps carry {words} messages together"
        ));
    }
    if let Some(file) = file {
        text.push_str(&format!("\n  saved to {file}"));
    }
    if let Some(wanted) = arguments.steps.filter(|&n| (verdict.ceiling().steps() as u64) > n) {
        output::tell(&format!("warning: --steps {wanted} was not reached\n"));
    }
    if progress::interrupted() {
        output::tell("warning: interrupted; this is the best schedule so far\n");
    }
    say(&text)
}
