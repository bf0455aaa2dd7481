//! **What:** `simulate` of a schedule file or of a table for hardware: played flit by flit, beside the same collective without a schedule.

use super::simulate::{routes, settings};
use super::simulate_played::{Found, One, say};
use super::timed_file::AnyFile;
use crate::args::{ModeChoice, SimulateArgs};
use crate::failure::Failure;
use crate::progress;
use crate::timed_problem::known_size;
use crate::{network, output};
use formats::hardware::HardwareTable;
use kernel::{Network, Problem, Verified};
use simulate::play::{Length, Mode, OnParallel, Parallel, Play, PlayError, Playing, Recorded, Rival, RivalError};
use simulate::{NodePorts, Settings, SettingsError};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Flits of a message where nothing is said.
const FLITS: u32 = 16;
/// Looks at a run, for its use over time; and for the page.
const LOOKS: usize = 64;
const PAGE_LOOKS: usize = 600;
/// A barrier at most.
const MOST_PAUSE: u64 = 1 << 32;

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
enum Played {
    Schedule(Box<Verified>),
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
            return Err(Failure::input("a schedule file holds its network, which is not changed")
                .hint("leave --fail-link, --fail-node, --ports and --half-duplex out, or solve the changed network"));
        }
        match AnyFile::read(path)? {
            AnyFile::Steps(read) => Ok(Played::Schedule(Box::new(read.schedule))),
            AnyFile::Timed(_) => {
                Err(Failure::input(format!("{}: a schedule in time counts microseconds and not flits", path.display()))
                    .hint("`quadrille replay` plays it; schedules of steps are simulated"))
            }
        }
    }

    fn network(&self) -> &Network {
        match self {
            Played::Schedule(schedule) => schedule.problem().network(),
            Played::Table { network, .. } => network,
        }
    }
}

/// The verb.
pub(super) fn run(arguments: &SimulateArgs) -> Result<u8, Failure> {
    let begun = Instant::now();
    super::solve::seconds(arguments.measure.time)?;
    let length = length(arguments)?;
    let rivals = rivals(arguments)?;
    let pages = pages(arguments)?;
    let played = Played::read(arguments)?;
    if let (Played::Table { .. }, Some(rival)) = (&played, rivals.first()) {
        return Err(Failure::input(format!("--against {}: a table does not tell the collective", rival.name))
            .hint("simulate the schedule's own file"));
    }
    let network = played.network();
    let parallel = Parallel::of(network).map_err(|error| refused(&error))?;
    let slots = match &played {
        Played::Schedule(schedule) => schedule.problem().model().switching.slots(),
        Played::Table { table, .. } => table.transfers.slots(),
    };
    let mode = mode(arguments, slots.is_some())?;
    let settings = chosen(arguments, network, length, &played)?;
    let play = match &played {
        Played::Schedule(schedule) => Play::of(schedule, &parallel, &settings, length, mode),
        Played::Table { table, .. } => {
            Play::of_transfers(&table.transfers, &parallel, &settings, length, (mode, table.chunks))
        }
    };
    let play = play.map_err(|error| refused(&error))?;
    let working = progress::interruptible();
    let ends = arguments.measure.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let ends = ends.and_then(|time| begun.checked_add(time));
    let switch = working.switch();
    let stop = || switch.load(Ordering::Relaxed) || ends.is_some_and(|ends| Instant::now() >= ends);
    let unfit = |error: SettingsError| Failure::input(&error).hint(error.hint());
    let Play { script, paths, settings: own, predicted } = play;
    let longest = script.packets().iter().map(|packet| packet.flits).max().unwrap_or(1);
    let playing = Playing {
        network: parallel.network(),
        settings: &own,
        routes: &paths,
        until: u64::MAX,
        looks: if pages.is_empty() { LOOKS } else { PAGE_LOOKS },
        stop: &stop,
    };
    let recorded: Recorded = playing.run(script).map_err(unfit)?;
    let mut runs = vec![One { name: "schedule", routes: "source routes".into(), recorded }];
    if let Played::Schedule(schedule) = &played {
        for rival in rivals {
            let problem = schedule.problem();
            let playing = Playing { settings: &settings, ..playing };
            let (recorded, routes) = unscheduled(rival, problem, arguments, &parallel, playing, length)?;
            runs.push(One { name: rival.name, routes, recorded });
        }
    }
    let (name, steps) = match &played {
        Played::Schedule(schedule) => (schedule.problem().collective().name().to_owned(), schedule.steps()),
        Played::Table { table, .. } => (table.kind.name().to_owned(), table.transfers.steps() as usize),
    };
    let found = Found {
        what: name,
        network,
        parallel: &parallel,
        steps,
        is_slotted: slots.is_some(),
        mode,
        length,
        settings: &own,
        never_waits: own.never_waits(longest),
        predicted,
        runs,
        seed: arguments.measure.seed,
    };
    say(&found, arguments.report.json, &pages)
}

/// A run of the same collective without a schedule, and the name of its routes.
fn unscheduled(
    rival: Rival,
    problem: &Problem,
    arguments: &SimulateArgs,
    parallel: &Parallel,
    playing: Playing<'_>,
    length: Length,
) -> Result<(Recorded, String), Failure> {
    let no = |error: RivalError| Failure::input(format!("--against {}: {error}", rival.name)).hint(error.hint());
    let script = rival.script(problem, length, arguments.measure.seed).map_err(no)?;
    let ways = routes(&arguments.routers, problem.network(), playing.settings)?;
    let on_parallel = OnParallel { parallel, routes: &*ways };
    let taken: &dyn simulate::Routes = if parallel.is_plain() { &*ways } else { &on_parallel };
    let recorded = Playing { routes: taken, ..playing }.run(script);
    recorded.map(|recorded| (recorded, ways.name())).map_err(|error| Failure::input(&error).hint(error.hint()))
}

fn refused(error: &PlayError) -> Failure {
    Failure::input(error).hint(error.hint())
}

fn length(arguments: &SimulateArgs) -> Result<Length, Failure> {
    let play = &arguments.play;
    if play.flit_bytes == 0 || play.flits == Some(0) {
        return Err(Failure::input("a flit has at least a byte, and a packet at least a flit").hint("write 16"));
    }
    let Some(text) = &play.message else { return Ok(Length::Flits(play.flits.unwrap_or(FLITS))) };
    let size = known_size(text).map_err(|_| {
        Failure::input(format!("--message: `{text}` is no size above 0"))
            .hint("write a number such as 1000, 64Ki or 1M")
    })?;
    Ok(Length::Bytes { message: size.numerator.div_ceil(size.denominator), flit: play.flit_bytes })
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
            return Err(Failure::input(format!("-o {}: a schedule that is simulated is a page", path.display()))
                .hint("name a file that ends in .html"));
        }
        output::probe(path)?;
        pages.push(path.as_path());
    }
    Ok(pages)
}

fn mode(arguments: &SimulateArgs, is_slotted: bool) -> Result<Mode, Failure> {
    let pause = arguments.play.pause;
    let chosen = arguments.play.mode.unwrap_or(if is_slotted { ModeChoice::Timed } else { ModeChoice::Barrier });
    if pause > 0 && chosen != ModeChoice::Barrier {
        return Err(Failure::input("--pause: only barriers take time").hint("leave it out, or give --mode barrier"));
    }
    if pause > MOST_PAUSE {
        return Err(Failure::input(format!("--pause: {pause} is more than {MOST_PAUSE} cycles")).hint("write 100"));
    }
    Ok(match chosen {
        ModeChoice::Barrier => Mode::Barrier { pause },
        ModeChoice::Timed => Mode::Timed,
        ModeChoice::Async => Mode::Asynchronous,
    })
}

/// The settings of the flags; what they leave open is as the schedule has it: its ports, and room for its packets.
fn chosen(arguments: &SimulateArgs, network: &Network, length: Length, played: &Played) -> Result<Settings, Failure> {
    let routers = &arguments.routers;
    let mut settings = settings(routers, network, arguments.measure.seed)?;
    if routers.injection.is_none() {
        settings.injection = NodePorts::All;
    }
    if routers.ejection.is_none() {
        let is_one = network.terminals().iter().all(|node| network.receive_ports(*node) == Some(1));
        settings.ejection = if is_one { NodePorts::Each(1) } else { NodePorts::All };
    }
    if routers.buffer.is_none() {
        // A step's largest packet; asked of every transfer, since messages may be combined.
        let most = match played {
            Played::Schedule(schedule) => {
                let chunks = schedule.problem().collective().chunks();
                let most = |step| schedule.step(step).map(|sent| sent.messages().len()).max().unwrap_or(1);
                let most = (0..schedule.steps()).map(most).max().unwrap_or(1);
                length.flits(u32::try_from(most).unwrap_or(u32::MAX), chunks)
            }
            Played::Table { table, .. } => {
                let most = table.transfers.iter().map(|sent| sent.messages).max().unwrap_or(1);
                length.flits(most, table.chunks)
            }
        };
        let least = settings.least_buffer(most);
        settings.buffer = settings.buffer.max(least).min(simulate::MOST_BUFFER);
    }
    Ok(settings)
}
