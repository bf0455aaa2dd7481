//! **What:** a schedule of steps, one in time, or a table for hardware, made ready to be simulated as the flags say.

use super::simulate_routers::settings;
use super::simulate_schedule::Played;
use console::args::{ModeChoice, SimulateArgs};
use console::failure::Failure;
use console::render::count;
use console::timed_problem::known_size;
use kernel::timed::{Timeline, WrittenOut};
use kernel::{Network, NetworkData, Problem, Rational};
use simulate::play::{CycleTime, Length, Mode, Needs, Parallel, Play, PlayError};
use simulate::{MOST_BUFFER, NodePorts, Settings};

/// Flits of a message, and bytes of a flit, where nothing is said.
const FLITS: u32 = 16;
const FLIT_BYTES: u32 = 16;
/// A barrier at most.
const MOST_PAUSE: u64 = 1 << 32;

/// Cycles in microseconds, and what a schedule in time says of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct InTime {
    pub flit: u32,
    pub cycle_us: f64,
    pub scheduled_us: f64,
}

/// Ready to be simulated.
pub(super) struct Prepared {
    /// What is played, and how much of it: `alltoall`, `8 steps`.
    pub what: String,
    pub extent: String,
    pub steps: usize,
    pub network: Network,
    pub parallel: Parallel,
    /// The settings of rivals; a play has its own.
    pub settings: Settings,
    pub play: Play,
    pub mode: Mode,
    pub length: Length,
    pub in_time: Option<InTime>,
    /// The problem that rivals solve, but for tables.
    pub problem: Option<Problem>,
}

impl Prepared {
    /// Everything that the flags say of it.
    pub(super) fn of(arguments: &SimulateArgs, played: &Played) -> Result<Self, Failure> {
        match played {
            Played::Timed(timed) => Prepared::timed(arguments, &timed.written_out()?),
            Played::Schedule(schedule) => {
                let slots = schedule.problem().model().switching.slots();
                let length = length(arguments)?;
                let mode = mode(arguments, ModeChoice::Barrier, slots.is_some())?;
                // A step's largest packet; asked of every transfer, since messages may be combined.
                let most = |step| schedule.step(step).map(|sent| sent.messages().len()).max().unwrap_or(1);
                let most = (0..schedule.steps()).map(most).max().unwrap_or(1);
                let most = length.flits(whole(most), schedule.problem().collective().chunks());
                let network = schedule.problem().network().clone();
                let (parallel, settings) = routers(arguments, &network, most)?;
                let play = Play::of(schedule, &parallel, &settings, length, mode).map_err(|error| refused(&error))?;
                Ok(Prepared {
                    what: schedule.problem().collective().name().to_owned(),
                    extent: extent(schedule.steps(), slots.is_some()),
                    steps: schedule.steps(),
                    problem: Some(schedule.problem().clone()),
                    network,
                    parallel,
                    settings,
                    play,
                    mode,
                    length,
                    in_time: None,
                })
            }
            Played::Table { table, network } => {
                let (transfers, length) = (&table.transfers, length(arguments)?);
                let mode = mode(arguments, ModeChoice::Barrier, transfers.slots().is_some())?;
                let most = transfers.iter().map(|sent| sent.messages).max().unwrap_or(1);
                let most = length.flits(most, table.chunks);
                let (parallel, settings) = routers(arguments, network, most)?;
                let play = Play::of_transfers(transfers, &parallel, &settings, length, (mode, table.chunks));
                Ok(Prepared {
                    what: table.kind.name().to_owned(),
                    extent: extent(transfers.steps() as usize, transfers.slots().is_some()),
                    steps: transfers.steps() as usize,
                    network: network.clone(),
                    play: play.map_err(|error| refused(&error))?,
                    parallel,
                    settings,
                    mode,
                    length,
                    in_time: None,
                    problem: None,
                })
            }
        }
    }

    fn timed(arguments: &SimulateArgs, schedule: &WrittenOut) -> Result<Self, Failure> {
        let (play, routers) = (&arguments.play, &arguments.routers);
        let own = [
            ("--message", play.message.is_some(), "sizes"),
            ("--flits", play.flits.is_some(), "sizes"),
            ("--channel-delay", !routers.channel_delay.is_empty(), "latencies"),
            ("--interval", !routers.interval.is_empty(), "bandwidths"),
            ("--merge-delay", play.merge_delay > 0, "times of merging"),
        ];
        if let Some((flag, _, what)) = own.into_iter().find(|(_, is_given, _)| *is_given) {
            return Err(Failure::input(format!("{flag}: a schedule in time has {what} of its own"))
                .hint("leave it out; --flit-bytes says how large a flit is"));
        }
        let mode = mode(arguments, ModeChoice::Timed, false)?;
        let problem = schedule.problem();
        let timeline = Timeline::new(schedule);
        let needs = Needs::of(&timeline);
        // Capacities mean nothing here: bandwidth says how much a channel carries.
        let data = NetworkData { capacities: None, ..problem.network().data().clone() };
        let network = Network::new(data).expect("it is the same network without capacities");
        let mut settings = settings(routers, &network, arguments.measure.seed)?;
        if routers.vcs.is_none() {
            let shared = needs.on_channel.saturating_add(1).min(simulate::MOST_VCS);
            settings.virtual_channels = settings.virtual_channels.max(shared);
        }
        let cycle_time = CycleTime::new(schedule, flit_bytes(arguments)?, settings.virtual_channels);
        let cycle_time = cycle_time.map_err(|error| refused(&error))?;
        let settings = cycle_time.settings(problem, &settings).map_err(|error| refused(&error))?;
        let length = cycle_time.length(problem);
        let most = timeline.transfers().iter().map(|sent| sent.transfer.messages.len()).max().unwrap_or(1);
        let most = length.flits(whole(most), problem.collective().chunks());
        let settings = roomy(arguments, &network, settings, most, needs.injection(problem));
        let played = Play::of_timed(&timeline, &cycle_time, &settings, mode).map_err(|error| refused(&error))?;
        Ok(Prepared {
            what: problem.collective().name().to_owned(),
            extent: count(timeline.sent().len() as u64, "transfer"),
            steps: schedule.schedule().times().len(),
            parallel: Parallel::of(&network).map_err(|error| refused(&error))?,
            network,
            settings,
            play: played,
            mode,
            length,
            in_time: Some(InTime {
                flit: cycle_time.flit(),
                cycle_us: cycle_time.micros(problem, 1),
                scheduled_us: schedule.micros(),
            }),
            problem: Some(problem.plain().clone()),
        })
    }
}

fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn extent(steps: usize, is_slotted: bool) -> String {
    count(steps as u64, if is_slotted { "slot" } else { "step" })
}

pub(super) fn refused(error: &PlayError) -> Failure {
    Failure::input(error).hint(error.hint())
}

fn flit_bytes(arguments: &SimulateArgs) -> Result<Option<u32>, Failure> {
    match arguments.play.flit_bytes {
        Some(0) => Err(Failure::input("--flit-bytes: a flit has at least one byte").hint("write 16")),
        bytes => Ok(bytes),
    }
}

fn length(arguments: &SimulateArgs) -> Result<Length, Failure> {
    let (play, flit) = (&arguments.play, flit_bytes(arguments)?);
    if play.flits == Some(0) {
        return Err(Failure::input("--flits: a packet has at least one flit").hint("write 16"));
    }
    let Some(text) = &play.message else {
        if flit.is_some() {
            return Err(Failure::input("--flit-bytes: a schedule of steps has no sizes in bytes")
                .hint("add --message BYTES, or use --flits"));
        }
        return Ok(Length::Flits(play.flits.unwrap_or(FLITS)));
    };
    let size = known_size(text).map_err(|_| {
        Failure::input(format!("--message: `{text}` is not a size above 0"))
            .hint("write a number such as 1000, 64Ki or 1M")
    })?;
    let message = Rational::whole(size.numerator.div_ceil(size.denominator));
    Ok(Length::Bytes { head: 1, message, flit: flit.unwrap_or(FLIT_BYTES) })
}

fn mode(arguments: &SimulateArgs, default: ModeChoice, is_slotted: bool) -> Result<Mode, Failure> {
    let pause = arguments.play.pause;
    let chosen = arguments.play.mode.unwrap_or(if is_slotted { ModeChoice::Timed } else { default });
    if pause > 0 && chosen != ModeChoice::Barrier {
        return Err(Failure::input("--pause: only barriers take time").hint("leave it out, or use --mode barrier"));
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

/// The channels that are simulated, and the settings of the flags for them.
fn routers(arguments: &SimulateArgs, network: &Network, most: u32) -> Result<(Parallel, Settings), Failure> {
    let settings = Settings {
        merge_delay: arguments.play.merge_delay,
        ..settings(&arguments.routers, network, arguments.measure.seed)?
    };
    let parallel = Parallel::of(network).map_err(|error| refused(&error))?;
    let settings = parallel.settings(&roomy(arguments, network, settings, most, NodePorts::All));
    Ok((parallel, settings))
}

/// What flags leave open is as the schedule has it: its ports, and room for packets of so many flits.
fn roomy(
    arguments: &SimulateArgs,
    network: &Network,
    mut settings: Settings,
    most: u32,
    injection: NodePorts,
) -> Settings {
    let routers = &arguments.routers;
    if routers.injection.is_none() {
        settings.injection = injection;
    }
    if routers.ejection.is_none() {
        let is_one = network.terminals().iter().all(|node| network.receive_ports(*node) == Some(1));
        settings.ejection = if is_one { NodePorts::Each(1) } else { NodePorts::All };
    }
    if routers.buffer.is_none() {
        let least = settings.least_buffer(most);
        settings.buffer = settings.buffer.max(least).min(MOST_BUFFER);
    }
    settings
}
