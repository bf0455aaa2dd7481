//! **What:** `solve` by a closed form: alltoall on networks whose names the constructions know, stored as orbits where there
//! are many messages.

use super::answer::{Document, Ending, Output, provenance, report, save};
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::{problem, render};
use constructions::{CONSTRUCTIONS, PortUse};
use methods::construction::{self, Closed};
use methods::{Settings, Stopped};
use run::{Run, Silent};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Schedules of more messages are stored as orbits.
const MOST_WRITTEN_DOWN: u64 = 1 << 18;

/// The closed form of what the arguments ask for, where there is one.
pub fn closed(arguments: &SolveArgs, settings: &Settings, stop: &AtomicBool) -> Result<Option<Closed>, Failure> {
    let method = arguments.method.as_str();
    let named = CONSTRUCTIONS.iter().any(|c| c.name == method && c.scope.ports == PortUse::Any);
    if !named && (method != "auto" || arguments.slack.is_some()) {
        return Ok(None);
    }
    let limits =
        run::Settings { seconds: settings.seconds, seed: run::Seed(settings.seed), ..run::Settings::default() };
    let run = Run::new(limits, &Silent, stop);
    let found = problem::closed(&arguments.problem)?.and_then(|network| {
        construction::alltoall(&network, problem::model(&arguments.problem), named.then_some(method), &run)
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
pub fn done(output: &Output, settings: &Settings, closed: &Closed, begun: Instant) -> Result<Option<u8>, Failure> {
    let messages = closed.verdict.problem().collective().message_count() as u64;
    if !closed.verdict.is_optimal() && settings.method.is_none() && messages <= MOST_WRITTEN_DOWN {
        return Ok(None);
    }
    if messages <= MOST_WRITTEN_DOWN && !output.orbits {
        return written_down(output, settings, closed, begun).map(Some);
    }
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &output.file {
        let (ceiling, floor) = (closed.verdict.ceiling(), closed.verdict.floor());
        let provenance = provenance(closed.method, None, seconds);
        formats::schedule_json::write(ceiling, Some(floor), &provenance, path).map_err(output::unwritten)?;
    }
    print(output, settings, closed, seconds).map(|()| Some(0))
}

/// Why there was nothing more to do.
fn ending(closed: &Closed) -> Ending<'static> {
    let stopped = if closed.verdict.is_optimal() { Stopped::Optimal } else { Stopped::Exhausted };
    Ending { stopped, reports: &[], identity: None }
}

/// Saves and prints with every message written down.
pub fn written_down(output: &Output, settings: &Settings, closed: &Closed, begun: Instant) -> Result<u8, Failure> {
    let verdict = closed.verdict.expanded().map_err(|e| Failure::no(e.to_string()))?;
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &output.file {
        save(path, &verdict, closed.method, settings.seed, seconds)?;
    }
    report(&verdict, closed.method, &ending(closed), settings, output, seconds).map(|()| 0)
}

fn print(output: &Output, settings: &Settings, closed: &Closed, seconds: f64) -> Result<(), Failure> {
    let (ceiling, floor) = (closed.verdict.ceiling(), closed.verdict.floor());
    let problem = closed.verdict.problem();
    let network = problem.network();
    let elements = ceiling.orbits().map_or(1, |orbits| orbits.problem().translations().order());
    let file = output.file_name();
    if output.json {
        return say_json(&Document {
            network: network.name(),
            identity: None,
            collective: problem.collective().name(),
            chunks: 1,
            nodes: network.node_count(),
            channels: network.channel_count(),
            steps: ceiling.steps(),
            bound: floor.steps(),
            certified: true,
            optimal: closed.verdict.is_optimal(),
            method: closed.method,
            stopped: ending(closed).stopped.name(),
            seconds,
            transfers: ceiling.transfer_count(),
            hops: ceiling.channel_uses(),
            words: None,
            symmetry: Some(elements),
            certificate: floor.certificate().proof.kind(),
            seed: settings.seed,
            file,
            methods: Vec::new(),
        });
    }
    let mut text = format!(
        "{}\n  {} nodes, {} channels, {}\n  {} transfers over {} hops, found by {} in {seconds:.2} s\n  stored as {} orbits of {elements} messages each\n  floor by {}",
        closed.verdict,
        network.node_count(),
        network.channel_count(),
        render::model(problem.model()),
        ceiling.transfer_count(),
        ceiling.channel_uses(),
        closed.method,
        problem.collective().message_count() / elements as usize,
        render::reason(problem, floor.certificate()),
    );
    if let Some(file) = file {
        text.push_str(&format!("\n  saved to {file}"));
    }
    say(&text)
}
