//! **What:** `design graph`: networks of links with little diameter and average distance, found by search.

use crate::cli::args::GraphArgs;
use crate::cli::failure::Failure;
use crate::cli::output::{self, Target, say, say_json};
use crate::cli::searching::Onlooker;
use crate::cli::{problem, progress};
use design::claims::{Claim, confirm};
use design::graphs::known::known;
use design::graphs::{Candidate, GraphError, Search, Settings, largest, least};
use kernel::{Model, Network, Problem};
use quadrille::collectives::{Kind, Selection};
use serde_json::json;
use solve::{Run, Silent};
use std::time::Instant;

/// What was found, to be shown.
struct Answer {
    best: Candidate,
    network: Network,
    /// The least diameter and sum of distances over ordered pairs that the degree allows.
    least: (u32, u64),
    /// Most nodes of the degree and diameter, where as many as possible were asked for.
    at_most: Option<u128>,
    /// Of the collective asked for.
    floor: Option<Floor>,
    ticks: u64,
    moves: u64,
    seconds: f64,
}

/// The collective, its floor, and the number of networks of which this has the least.
type Floor = (&'static str, u64, usize);

/// The share of the time that the search gets where floors are compared afterwards.
const SEARCHING: f64 = 0.7;

/// The verb.
pub fn run(arguments: &GraphArgs) -> Result<u8, Failure> {
    super::solve::seconds(arguments.time)?;
    let threads = super::solve::threads(arguments.threads)?;
    let kind = arguments.collective.as_deref().map(problem::collective).transpose()?;
    if let Some(path) = &arguments.output {
        // An unwritable place is known now, not after a long search.
        drop(Target::open(path)?);
    }
    let begun = Instant::now();
    let share = if kind.is_some() { SEARCHING } else { 1.0 };
    let onlooker = Onlooker::new(arguments.time.map(|s| s * share), None);
    let found = search(arguments, threads, &onlooker);
    onlooker.clear();
    let (mut found, at_most, (ticks, moves)) = found?;
    let (place, floor) = match kind {
        Some(kind) => least_floor(kind, &found, arguments.time.map(|s| s - begun.elapsed().as_secs_f64()))?,
        None => (0, None),
    };
    let best = found.swap_remove(place);
    let (network, frame) = (best.network(), best.graph.frame());
    let least = least(frame.nodes, frame.degree);
    let seconds = begun.elapsed().as_secs_f64();
    let answer = Answer { best, network, least, at_most, floor, ticks, moves, seconds };
    save(arguments, &answer)?;
    report(arguments, &answer)?;
    Ok(0)
}

/// The best networks, the Moore bound where it was asked for, ticks and moves.
type Found = (Vec<Candidate>, Option<u128>, (u64, u64));

fn search(arguments: &GraphArgs, threads: usize, onlooker: &Onlooker) -> Result<Found, Failure> {
    let GraphArgs { degree, diameter, seed, ticks, .. } = *arguments;
    let settings = Settings { nodes: arguments.nodes.unwrap_or(0), degree, diameter, seed, ticks };
    let nothing =
        || Failure::no("no network whose nodes all reach each other was found").hint("give it more --time or --ticks");
    match (arguments.nodes, diameter) {
        (None, None) => Err(Failure::input("--nodes or --diameter is needed")
            .hint("--nodes for a good network of that size, --diameter for as many nodes as possible")),
        (None, Some(diameter)) => {
            let found = largest(settings, diameter, threads, onlooker).map_err(|e| refused(&e))?;
            let found = found.ok_or_else(nothing)?;
            Ok((vec![found.best], Some(found.at_most), found.work))
        }
        (Some(_), wanted) => {
            let mut search = Search::new(settings).map_err(|e| refused(&e))?;
            let found = search.run_on(threads, onlooker).ok_or_else(nothing)?;
            match wanted.filter(|wanted| found[0].diameter > *wanted) {
                Some(wanted) => Err(Failure::no(format!(
                    "no network of diameter {wanted} was found, the least was {}",
                    found[0].diameter
                ))
                .hint("give it more --time or --ticks, another --seed, fewer --nodes or a larger --degree")),
                None => Ok((found, None, search.work())),
            }
        }
    }
}

fn refused(error: &GraphError) -> Failure {
    Failure::input(error).hint(match error {
        GraphError::Range { .. } => "`quadrille help design graph` has examples",
        GraphError::Moore { .. } => {
            "the Moore bound proves it: ask for fewer --nodes or a larger --degree or --diameter"
        }
    })
}

/// The place of the network whose floor for the collective is least, the first of several.
fn least_floor(
    kind: &'static Kind,
    found: &[Candidate],
    seconds: Option<f64>,
) -> Result<(usize, Option<Floor>), Failure> {
    let stop = progress::interruptible();
    let settings = solve::Settings { seconds: seconds.map(|s| s.max(0.0)), ..solve::Settings::default() };
    let run = Run::new(settings, &Silent, stop);
    let mut best: Option<(u64, usize)> = None;
    let mut looked = 0;
    for (place, candidate) in found.iter().enumerate() {
        if place > 0 && run.stopped() {
            break;
        }
        let network = candidate.network();
        let collective = kind.build(&Selection::of(&network)).map_err(|error| {
            Failure::input(format!("--for {}: {error}", kind.name))
                .hint("name a collective that needs no further choices")
        })?;
        let problem = Problem::new(network, collective, Model::wormhole()).map_err(Failure::input)?;
        let floor = super::bound::strongest(&problem, &run).map_err(|e| Failure::no(format!("no bound: {e}")))?;
        // A floor that was cut short is too low to be compared; the first is all there is.
        if place > 0 && run.stopped() {
            break;
        }
        looked += 1;
        if best.is_none_or(|(least, _)| floor.steps() < least) {
            best = Some((floor.steps(), place));
        }
    }
    Ok(best.map_or((0, None), |(steps, place)| (place, Some((kind.name, steps, looked)))))
}

fn save(arguments: &GraphArgs, answer: &Answer) -> Result<(), Failure> {
    let Some(path) = &arguments.output else { return Ok(()) };
    let claims = [
        Claim::Degree { most: u64::from(answer.best.graph.frame().degree) },
        Claim::Distances { diameter: u64::from(answer.best.diameter), sum: answer.best.sum },
    ];
    let facts: Result<Vec<_>, _> = claims.into_iter().map(|claim| confirm(&answer.network, claim)).collect();
    let facts = facts.map_err(|e| Failure::no(format!("{e}: a fault in this program; please report it")))?;
    let provenance = super::answer::provenance("graph search", Some(solve::Seed(arguments.seed)), answer.seconds);
    formats::design_json::write(&answer.network, &facts, &[], &provenance, path).map_err(output::unwritten)
}

fn report(arguments: &GraphArgs, answer: &Answer) -> Result<(), Failure> {
    let Answer { best, network, least, at_most, floor, ticks, moves, seconds } = answer;
    let frame = best.graph.frame();
    let (known, file) = (known(network), arguments.output.as_ref().map(|p| p.display().to_string()));
    let optimal = match at_most {
        Some(at_most) => u128::from(frame.nodes) >= *at_most,
        None => best.rank() <= *least,
    };
    let excess = best.sum as f64 / least.1 as f64 - 1.0;
    if arguments.form.json {
        let floor =
            floor.map(|(collective, steps, of)| json!({"collective": collective, "steps": steps, "networks": of}));
        return say_json(&json!({
            "network": network.name(), "nodes": frame.nodes, "degree": frame.degree, "diameter": best.diameter,
            "sum": best.sum, "average": best.average(), "least_diameter": least.0, "least_sum": least.1,
            "excess": excess, "at_most": at_most, "optimal": optimal, "turns": frame.turns, "known": known,
            "floor": floor, "seconds": seconds, "ticks": ticks, "exchanges": moves, "seed": arguments.seed, "file": file,
        }));
    }
    let pairs = f64::from(frame.nodes) * f64::from(frame.nodes - 1);
    let mut lines = vec![network.name().to_owned()];
    if let Some(at_most) = at_most {
        let best = if optimal { "; no such network has more" } else { "" };
        lines.push(format!("  nodes     {}, at most {at_most} by the Moore bound{best}", frame.nodes));
    }
    lines.push(format!("  diameter  {}, at least {} by the Moore bound", best.diameter, least.0));
    let meets = if best.rank() <= *least { "which it meets: no such network has less" } else { "" };
    let above = if meets.is_empty() { format!("{:.3} % above it", 100.0 * excess) } else { meets.to_owned() };
    let bound = least.1 as f64 / pairs;
    lines.push(format!("  average   {:.5}, at least {bound:.5} by the Moore bound, {above}", best.average()));
    if frame.turns > 1 {
        lines.push(format!("  symmetry  a rotation of {} turns", frame.turns));
    }
    lines.extend(known.map(|name| format!("  known     {name}")));
    lines.extend(floor.map(|(collective, steps, of)| {
        format!("  floor     {collective} takes at least {steps} steps, certified; the least of {of} networks")
    }));
    lines.push(format!("  found in {seconds:.2} s, {moves} exchanges"));
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))
}
