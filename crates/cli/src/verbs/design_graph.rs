//! **What:** `design graph`: networks of links with little diameter and average distance, found by search.

use crate::design_progress::{self, GRAPHS, Judge, Onlooker};
use console::args::GraphArgs;
use console::failure::Failure;
use console::output::{self, say, say_json};
use console::{network_name, problem};
use design::claims::{Claim, confirm};
use design::graphs::{Candidate, Checkpoint, Climb, GraphError, Rank, Search, Settings, least, published};
use kernel::{Model, Network, NetworkData};
use serde_json::json;
use std::time::Instant;

/// What was found, to be shown.
struct Answer {
    best: Candidate,
    network: Network,
    /// The least diameter and sum of distances over ordered pairs that the degree allows.
    least: Rank,
    /// Most nodes of the degree and diameter, where as many as possible were asked for.
    at_most: Option<u128>,
    /// Of the collective asked for.
    floor: Option<Floor>,
    ticks: u64,
    moves: u64,
    seconds: f64,
}

/// The collective, its floor, and the number of networks that were compared.
type Floor = (&'static str, u64, usize);

/// The verb.
pub(super) fn run(arguments: &GraphArgs) -> Result<u8, Failure> {
    super::solve::seconds(arguments.search.time)?;
    let threads = super::solve::threads(arguments.search.threads)?;
    let judge = judge(arguments)?;
    arguments.search.output.iter().try_for_each(|path| output::ends_as(path, "a network", &["json"]))?;
    for path in [&arguments.search.output, &arguments.search.checkpoint].into_iter().flatten() {
        // An unwritable place is known now, not after a long search.
        output::probe(path)?;
    }
    let begun = Instant::now();
    let onlooker = Onlooker::new(arguments.search.limits(false), arguments.search.checkpoint.as_deref()).judging(judge);
    let found = search(arguments, threads, &onlooker);
    onlooker.clear();
    let (best, at_most, (ticks, moves)) = found?;
    let (network, shape) = (best.network(), best.graph.shape());
    let floor = match judge {
        // Anew and to its end: what was compared may be of another run.
        Some(judge) => design_progress::floor(judge, &network, None)?
            .map(|steps| (judge.kind.name, steps, onlooker.judged().max(1))),
        None => None,
    };
    let least = least(shape.nodes, shape.degree);
    let seconds = begun.elapsed().as_secs_f64();
    let answer = Answer { best, network, least, at_most, floor, ticks, moves, seconds };
    save(arguments, &answer)?;
    report(arguments, &answer)?;
    Ok(0)
}

/// The collective that networks are judged by, tried on a small network before a long search.
fn judge(arguments: &GraphArgs) -> Result<Option<Judge>, Failure> {
    let Some(name) = &arguments.collective else { return Ok(None) };
    let model = Model { switching: problem::switching(arguments.switching), ..Model::wormhole() };
    let judge = Judge { kind: problem::collective(name)?, model };
    let channels = (0..4).flat_map(|v| [(v, (v + 1) % 4), (v, (v + 3) % 4)]).collect();
    let ring = Network::new(NetworkData { nodes: 4, channels, ..NetworkData::default() }).map_err(Failure::input)?;
    design_progress::floor(judge, &ring, None)?;
    Ok(Some(judge))
}

/// The best network, the Moore bound where it was asked for, ticks and moves.
type Found = (Candidate, Option<u128>, (u64, u64));

fn search(arguments: &GraphArgs, threads: usize, onlooker: &Onlooker<'_>) -> Result<Found, Failure> {
    let GraphArgs { degree, diameter, ref search, .. } = *arguments;
    let (seed, ticks) = (search.seed, search.limits(false).ticks);
    let judged = arguments.collective.is_some();
    let settings = Settings { nodes: arguments.nodes.unwrap_or(0), degree, diameter, judged, seed, ticks };
    let nothing =
        || Failure::no("no network whose nodes all reach each other was found").hint("allow more --time or --ticks");
    let before = match &arguments.search.checkpoint {
        Some(path) => design_progress::kept::<Checkpoint>(GRAPHS, path)?,
        None => None,
    };
    let another = || refused(&GraphError::Checkpoint("it is of another search"));
    match (arguments.nodes, diameter) {
        (None, None) => Err(Failure::input("--nodes or --diameter is needed")
            .hint("--nodes for a good network of that size, --diameter for as many nodes as possible")),
        (None, Some(diameter)) => {
            let climb = match before {
                None => Climb::new(settings, diameter),
                Some(Checkpoint::Largest(state)) => Climb::resume(settings, diameter, &state),
                Some(Checkpoint::Nodes(_)) => return Err(another()),
            };
            let mut climb = climb.map_err(|e| refused(&e))?;
            onlooker.goes_on_from(climb.work().0);
            let found = climb.run_on(threads, onlooker).map_err(|e| refused(&e))?;
            onlooker.finish(GRAPHS, &Checkpoint::Largest(climb.state()))?;
            let found = found.ok_or_else(nothing)?;
            Ok((found.best, Some(found.at_most), found.work))
        }
        (Some(_), wanted) => {
            let search = match before {
                None => Search::new(settings),
                Some(Checkpoint::Nodes(state)) => Search::resume(settings, &state),
                Some(Checkpoint::Largest(_)) => return Err(another()),
            };
            let mut search = search.map_err(|e| refused(&e))?;
            onlooker.goes_on_from(search.work().0);
            let found = search.run_on(threads, onlooker);
            onlooker.finish(GRAPHS, &Checkpoint::Nodes(search.state()))?;
            let best = found.ok_or_else(nothing)?.swap_remove(0);
            match wanted.filter(|wanted| best.diameter > *wanted) {
                Some(wanted) => Err(Failure::no(format!(
                    "no network of diameter {wanted} was found, the least was {}",
                    best.diameter
                ))
                .hint("allow more --time or --ticks, try another --seed, fewer --nodes or a larger --degree")),
                None => Ok((best, None, search.work())),
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
        GraphError::Checkpoint(_) => "search for the same as before, or name another checkpoint",
    })
}

fn save(arguments: &GraphArgs, answer: &Answer) -> Result<(), Failure> {
    let Some(path) = &arguments.search.output else { return Ok(()) };
    let claims = [
        Claim::Degree { most: u64::from(answer.best.graph.shape().degree) },
        Claim::Distances { diameter: u64::from(answer.best.diameter), sum: answer.best.sum },
    ];
    let facts: Result<Vec<_>, _> = claims.into_iter().map(|claim| confirm(&answer.network, claim)).collect();
    let facts = facts.map_err(|e| Failure::no(format!("{e}: a fault in this program; please report it")))?;
    let provenance = super::answer::provenance("graph search", Some(arguments.search.seed), answer.seconds);
    formats::design_json::write(&answer.network, &facts, &[], &provenance, path).map_err(output::unwritten)
}

fn report(arguments: &GraphArgs, answer: &Answer) -> Result<(), Failure> {
    let Answer { best, network, least, at_most, floor, ticks, moves, seconds } = answer;
    let shape = best.graph.shape();
    let (known, file) =
        (network_name::name(network), arguments.search.output.as_ref().map(|p| p.display().to_string()));
    let optimal = match at_most {
        Some(at_most) => u128::from(shape.nodes) >= *at_most,
        None => best.rank() <= *least,
    };
    let others = at_most.and_then(|_| published::largest(shape.degree, arguments.diameter?));
    let excess = best.sum as f64 / least.1 as f64 - 1.0;
    if arguments.search.report.json {
        let floor =
            floor.map(|(collective, steps, of)| json!({"collective": collective, "steps": steps, "networks": of}));
        return say_json(&json!({
            "network": network.name(), "nodes": shape.nodes, "degree": shape.degree, "diameter": best.diameter,
            "sum": best.sum, "average": best.average(), "least_diameter": least.0, "least_sum": least.1,
            "excess": excess, "at_most": at_most, "largest_known": others.map(|o| o.0), "optimal": optimal,
            "symmetry": shape.group.order(), "known": known,
            "floor": floor, "seconds": seconds, "ticks": ticks, "exchanges": moves, "seed": arguments.search.seed, "file": file,
        }));
    }
    let pairs = f64::from(shape.nodes) * f64::from(shape.nodes - 1);
    let mut lines = vec![network.name().to_owned()];
    if let Some(at_most) = at_most {
        let others = others.map_or(String::new(), |(nodes, most)| {
            format!(
                "; {nodes} nodes are {}",
                if most { "proved by others to be the most" } else { "the most known elsewhere" }
            )
        });
        let best = if optimal && others.is_empty() { "; no such network has more" } else { "" };
        lines.push(format!("  nodes     {}, at most {at_most} by the Moore bound{others}{best}", shape.nodes));
    }
    lines.push(format!("  diameter  {}, at least {} by the Moore bound", best.diameter, least.0));
    let meets = if best.rank() <= *least { "which it attains: no such network has less" } else { "" };
    let above = if meets.is_empty() { format!("{:.3} % above it", 100.0 * excess) } else { meets.to_owned() };
    let bound = least.1 as f64 / pairs;
    lines.push(format!("  average   {:.5}, at least {bound:.5} by the Moore bound, {above}", best.average()));
    if shape.group.order() > 1 {
        lines.push(format!("  symmetry  {}", shape.group));
    }
    lines.extend(known.map(|name| format!("  known     {name}")));
    lines.extend(floor.map(|(collective, steps, of)| {
        format!("  bound     {collective} takes at least {steps} steps, certified; the least of {of} networks compared")
    }));
    lines.push(format!("  found in {seconds:.2} s, {moves} exchanges"));
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))
}
