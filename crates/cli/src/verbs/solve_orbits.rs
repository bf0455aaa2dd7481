//! **What:** `solve` by a closed form: alltoall on networks whose names the constructions know, stored as orbits where there
//! are many messages.

use super::answer::{Document, provenance, report, save};
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::{problem, render};
use constructions::CONSTRUCTIONS;
use methods::{closed_forms, closed_forms::Closed};
use run::{Run, Seed};
use std::time::Instant;

/// Schedules of more messages are stored as orbits.
const MOST_WRITTEN_DOWN: u64 = 1 << 18;

/// The closed form of what the arguments ask for, where there is one.
pub fn closed(arguments: &SolveArgs, run: &Run<'_>) -> Result<Option<Closed>, Failure> {
    let method = arguments.method.as_str();
    let named = CONSTRUCTIONS.iter().any(|c| c.name == method);
    if !named && (method != "auto" || arguments.slack.is_some()) {
        return Ok(None);
    }
    let found = problem::closed(&arguments.problem)?.and_then(|network| {
        closed_forms::alltoall(&network, problem::model(&arguments.problem), named.then_some(method), run)
    });
    if found.is_none() && named {
        let usual = "constructions make alltoall between all terminals of the networks, and under the switching, that `quadrille methods` names";
        let instead = constructions::hint(method, &arguments.problem.network.network);
        return Err(Failure::input(format!("--method: `{method}` does not apply"))
            .hint(instead.unwrap_or_else(|| usual.into())));
    }
    Ok(found)
}

/// Saves and prints, unless a search might do better.
pub fn done(arguments: &SolveArgs, closed: &Closed, begun: Instant) -> Result<Option<u8>, Failure> {
    let messages = closed.verdict.ceiling().problem().message_count();
    if !closed.verdict.is_optimal() && arguments.method == "auto" && messages <= MOST_WRITTEN_DOWN {
        return Ok(None);
    }
    if messages <= MOST_WRITTEN_DOWN && !arguments.orbits {
        return written_down(arguments, closed, begun).map(Some);
    }
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &arguments.output {
        let (ceiling, floor) = (closed.verdict.ceiling(), closed.verdict.floor());
        let provenance = provenance(closed.method, None, seconds);
        formats::schedule_json::write_orbits(ceiling, Some(floor), &provenance, path).map_err(output::unwritten)?;
    }
    print(arguments, closed, seconds).map(|()| Some(0))
}

/// Saves and prints with every message written down.
pub fn written_down(arguments: &SolveArgs, closed: &Closed, begun: Instant) -> Result<u8, Failure> {
    let verdict = closed.expanded().map_err(|e| Failure::no(e.to_string()))?;
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &arguments.output {
        save(path, &verdict, closed.method, Seed(arguments.seed), seconds)?;
    }
    report(arguments, &verdict, closed.method, seconds).map(|()| 0)
}

fn print(arguments: &SolveArgs, closed: &Closed, seconds: f64) -> Result<(), Failure> {
    let (ceiling, floor) = (closed.verdict.ceiling(), closed.verdict.floor());
    let problem = ceiling.problem();
    let (network, elements) = (problem.network(), problem.translations().order());
    let representatives = problem.representatives();
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if arguments.form.json {
        return say_json(&Document {
            network: network.name(),
            collective: representatives.collective().name(),
            chunks: 1,
            nodes: network.node_count(),
            channels: network.channel_count(),
            steps: ceiling.steps(),
            bound: floor.steps(),
            certified: true,
            optimal: closed.verdict.is_optimal(),
            method: closed.method,
            seconds,
            transfers: ceiling.transfer_count(),
            hops: ceiling.channel_uses(),
            words: None,
            symmetry: Some(elements),
            certificate: floor.certificate().proof.kind(),
            seed: arguments.seed,
            file,
        });
    }
    let mut text = format!(
        "{}\n  {} nodes, {} channels, {}\n  {} transfers over {} hops, found by {} in {seconds:.2} s\n  stored as {} orbits of {elements} messages each\n  floor by {}",
        closed.verdict,
        network.node_count(),
        network.channel_count(),
        render::model(representatives.model()),
        ceiling.transfer_count(),
        ceiling.channel_uses(),
        closed.method,
        representatives.collective().message_count(),
        render::reason(representatives, floor.certificate()),
    );
    if let Some(file) = file {
        text.push_str(&format!("\n  saved to {file}"));
    }
    say(&text)
}
