//! **What:** `simulate` of a schedule file or of a table for hardware: played flit by flit, beside the same collective without a schedule.

use super::simulate_played::{Found, One, say};
use super::simulate_prepare::{Prepared, refused};
use super::simulate_routers::{routes, routings};
use console::args::SimulateArgs;
use console::failure::Failure;
use console::progress;
use console::schedule_file::{AnyFile, CheckedTimed};
use console::{network, output};
use exports::hardware::HardwareTable;
use kernel::{Network, Problem, Verified};
use simulate::play::{OnParallel, Play, PlayError, Playing, Rival, RivalError};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Looks at a run, for its use over time and for the page: the same for both, since means are over looks.
const LOOKS: usize = 600;

/// Whether NETWORK is a schedule or a table, of which no traffic is asked.
pub(super) fn is_meant(arguments: &SimulateArgs) -> bool {
    let traffic = &arguments.traffic;
    let asks_traffic =
        traffic.rate.is_some() || traffic.curve.is_some() || traffic.saturation || traffic.trace.is_some();
    let path = arguments.network.network.path();
    let is_file = matches!(formats::ending(path).as_str(), "json" | "qdr") && path.is_file();
    arguments.play.of_table.is_some() || (is_file && !asks_traffic)
}

/// What is played.
pub(super) enum Played {
    Schedule(Box<Verified>),
    Timed(Box<CheckedTimed>),
    Table { table: HardwareTable, network: Network },
}

impl Played {
    fn read(arguments: &SimulateArgs) -> Result<Self, Failure> {
        let path = arguments.network.network.path();
        if let Some(text) = &arguments.play.of_table {
            let mut choice = arguments.network.clone();
            choice.network = text.clone();
            let network = network::choose(&choice)?.network;
            let table = HardwareTable::read(path, &network).map_err(|error| match AnyFile::read(path) {
                Ok(_) => {
                    Failure::input(format!("--network: {} is a schedule, which holds its network", path.display()))
                        .hint("leave --network out; it is for tables, which `quadrille export` writes")
                }
                Err(_) => output::unread(error),
            })?;
            return Ok(Played::Table { table, network });
        }
        let choice = &arguments.network;
        if !choice.fail_link.is_empty() || !choice.fail_node.is_empty() || choice.ports.is_some() || choice.half_duplex
        {
            return Err(Failure::input("the network of a schedule file cannot be changed")
                .hint("leave --fail-link, --fail-node, --ports and --half-duplex out, or solve the changed network"));
        }
        match AnyFile::read(path)? {
            AnyFile::Steps(read) => Ok(Played::Schedule(Box::new(read.schedule))),
            AnyFile::Timed(read) => Ok(Played::Timed(Box::new(read))),
        }
    }
}

/// The verb.
pub(super) fn run(arguments: &SimulateArgs) -> Result<u8, Failure> {
    let begun = Instant::now();
    super::solve::seconds(arguments.measure.time)?;
    let rivals = rivals(arguments)?;
    let pages = pages(arguments)?;
    let played = Played::read(arguments)?;
    if let (Played::Table { .. }, Some(rival)) = (&played, rivals.first()) {
        return Err(Failure::input(format!(
            "--against {}: a table does not say which collective it performs",
            rival.name
        ))
        .hint("simulate the schedule's own file"));
    }
    if matches!(played, Played::Table { .. }) && arguments.play.merge_delay > 0 {
        return Err(Failure::input("--merge-delay: a table does not say what is merged")
            .hint("simulate the schedule's own file"));
    }
    if rivals.is_empty() && !arguments.routers.routing.is_empty() {
        return Err(Failure::input("--routing: a schedule has its own paths")
            .hint("leave it out, or add --against, which uses it for the collective without a schedule"));
    }
    let prepared = Prepared::of(arguments, &played)?;
    let working = progress::interruptible();
    let ends = arguments.measure.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let ends = ends.and_then(|time| begun.checked_add(time));
    let switch = working.switch();
    let stop = || switch.load(Ordering::Relaxed) || ends.is_some_and(|ends| Instant::now() >= ends);
    let Play { script, paths, settings: own, predicted } = prepared.play.clone();
    let longest = script.packets().iter().map(|packet| packet.flits).max().unwrap_or(1);
    let playing = Playing {
        network: prepared.parallel.network(),
        settings: &own,
        routes: &paths,
        until: u64::MAX,
        looks: LOOKS,
        stop: &stop,
    };
    let recorded = playing.run(script).map_err(|error| refused(&error.into()))?;
    let mut runs = vec![One { name: "schedule", routes: "source routes".into(), root: None, recorded }];
    if let Some(problem) = &prepared.problem {
        for rival in rivals {
            for routing in routings(&arguments.routers) {
                let playing = Playing { settings: &prepared.settings, ..playing };
                runs.push(unscheduled((rival, routing), problem, arguments, &prepared, playing)?);
            }
        }
    }
    let found = Found {
        never_waits: own.never_waits(longest),
        settings: &own,
        predicted,
        runs,
        is_default_routing: arguments.routers.routing.is_empty() && arguments.routers.root.is_none(),
        seed: arguments.measure.seed,
        prepared: &prepared,
    };
    say(&found, arguments.report.json, &pages)
}

/// A run of the same collective without a schedule.
fn unscheduled(
    (rival, routing): (Rival, Option<&str>),
    problem: &Problem,
    arguments: &SimulateArgs,
    prepared: &Prepared,
    playing: Playing<'_>,
) -> Result<One, Failure> {
    let no = |error: RivalError| Failure::input(format!("--against {}: {error}", rival.name)).hint(error.hint());
    let unfit = |error: PlayError| refused(&error);
    playing.settings.check_unscheduled(problem.network()).map_err(|error| unfit(error.into()))?;
    let merge = playing.settings.merge_delay;
    let script = rival.script(problem, prepared.length, merge, arguments.measure.seed).map_err(no)?;
    let ways = routes(&arguments.routers, routing, &prepared.network, playing.settings)?;
    let on_parallel = OnParallel { parallel: &prepared.parallel, routes: &*ways };
    let taken: &dyn simulate::Routes = if prepared.parallel.is_plain() { &*ways } else { &on_parallel };
    let recorded = Playing { routes: taken, ..playing }.run(script);
    let recorded = recorded.map_err(|error| unfit(error.into()))?;
    Ok(One { name: rival.name, routes: ways.name(), root: ways.root(), recorded })
}

fn rivals(arguments: &SimulateArgs) -> Result<Vec<Rival>, Failure> {
    let rival = |name: &String| {
        Rival::named(name.trim()).map_err(|error| Failure::input(format!("--against: {error}")).hint(error.hint()))
    };
    arguments.play.against.iter().map(rival).collect()
}

fn pages(arguments: &SimulateArgs) -> Result<Vec<&Path>, Failure> {
    let mut pages = Vec::new();
    for path in &arguments.measure.output {
        if !["html", "htm"].contains(&formats::ending(path).as_str()) {
            return Err(Failure::input(format!(
                "-o {}: a simulated schedule can only be written as a page",
                path.display()
            ))
            .hint("name a file that ends in .html"));
        }
        output::probe(path)?;
        pages.push(path.as_path());
    }
    Ok(pages)
}
