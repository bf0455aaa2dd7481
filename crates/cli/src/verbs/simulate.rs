//! **What:** `simulate`: a network flit by flit under random traffic or a trace: one rate, a curve of rates, saturation.

use super::simulate_outputs::Outputs;
use super::simulate_report::{Answer, Found, Traced};
use super::simulate_traffic::{lengths, pattern, rates};
use super::solve::{seconds, threads};
use crate::args::{AllocatorChoice, FlowChoice, RouterArgs, SimulateArgs};
use crate::failure::{self, Failure};
use crate::progress::{self, Count};
use crate::{lists, network, output};
use kernel::Network;
use simulate::{
    Allocator, End, Experiment, Flow, Limits, NodePorts, Point, PointError, ROUTES, Routes, RoutesWanted, Runs,
    Settings, Simulator, Trace, routes_named,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Parts of saturation at which a curve without rates has its points.
const PARTS: [f64; 12] = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0];
/// Cycles of a window, and batches, at most.
const MOST_WINDOW: u64 = 1 << 32;
const MOST_BATCHES: usize = 10_000;
/// Runs of a search for saturation.
const SEARCHED: usize = 13;

/// Patterns of traffic and kinds of routes, for the help.
pub(crate) fn traffic_help() -> String {
    let line = |name: &str, about: &str| format!("  {name:16} {about}");
    let patterns = simulate::PATTERNS.iter().map(|pattern| line(pattern.name, pattern.about));
    let own = ROUTES.iter().map(|entry| line(entry.name, entry.about));
    let others = routing::ROUTINGS.iter().filter(|entry| entry.name != "dimension-order");
    let routes = own.chain(others.map(|entry| line(entry.name, entry.about)));
    let list = |lines: Vec<String>| lines.join("\n");
    format!("Traffic patterns:\n{}\n\nRoutings:\n{}", list(patterns.collect()), list(routes.collect()))
}

/// The verb.
pub(crate) fn run(arguments: &SimulateArgs) -> Result<u8, Failure> {
    let begun = Instant::now();
    let measure = &arguments.measure;
    seconds(measure.time)?;
    let traffic = &arguments.traffic;
    if super::simulate_schedule::is_meant(arguments) {
        return super::simulate_schedule::run(arguments);
    }
    if traffic.rate.is_none() && traffic.curve.is_none() && !traffic.saturation && traffic.trace.is_none() {
        return Err(Failure::input("there is nothing to simulate")
            .hint("add --rate 0.1, --curve, --saturation or --trace FILE.csv"));
    }
    let limits = limits(arguments)?;
    let threads = threads(measure.threads)?;
    let outputs = Outputs::new(arguments)?;
    let network = network::choose(&arguments.network)?.network;
    let settings = settings(&arguments.routers, &network, measure.seed)?;
    let routes = routes(&arguments.routers, &network, &settings)?;
    let working = progress::interruptible();
    let ends =
        measure.time.and_then(|time| Duration::try_from_secs_f64(time).ok()).and_then(|time| begun.checked_add(time));
    let switch = working.switch();
    let stop = || switch.load(Ordering::Relaxed) || ends.is_some_and(|ends| Instant::now() >= ends);
    let found = Found { network: &network, settings: &settings, routes: routes.name(), arguments };
    if let Some(path) = &traffic.trace {
        let events = formats::flits::read_trace(path, &network).map_err(output::unread)?;
        let answer = trace(&network, &settings, &*routes, events, &stop)?;
        return found.say(&answer, &outputs);
    }
    let pattern = pattern(traffic, &network, measure.seed)?;
    let lengths = lengths(traffic)?;
    let experiment = Experiment {
        network: &network,
        settings: &settings,
        routes: &*routes,
        pattern: &pattern,
        lengths: &lengths,
        burst: traffic.burst,
        limits,
    };
    let answer = match (traffic.rate, &traffic.curve) {
        (Some(rate), _) => one(&experiment, rate, measure.seed, &stop),
        (None, curve) => {
            let rates = curve.as_deref().filter(|text| !text.is_empty()).map(rates).transpose()?;
            many(&experiment, rates, curve.is_some(), (threads, measure.seed), &stop)
        }
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(PointError::Halt(simulate::Halt::Deadlock(deadlock))) => Answer::Deadlock(deadlock),
        Err(error) => return Err(refused(&error)),
    };
    found.say(&answer, &outputs)
}

fn refused(error: &PointError) -> Failure {
    Failure::input(error).hint(error.hint())
}

fn limits(arguments: &SimulateArgs) -> Result<Limits, Failure> {
    let measure = &arguments.measure;
    let range = |flag: &str, found: u64, most: u64| {
        if (1..=most).contains(&found) {
            return Ok(());
        }
        Err(Failure::input(format!("{flag}: {found} is not from 1 to {most}"))
            .hint(format!("write {flag} 10, for example")))
    };
    range("--window", measure.window, MOST_WINDOW)?;
    range("--warm-up", measure.warm_up.into(), MOST_BATCHES as u64)?;
    range("--batches", measure.batches as u64, MOST_BATCHES as u64)?;
    Ok(Limits { window: measure.window, warm: measure.warm_up, batches: measure.batches })
}

/// The settings that the flags describe.
pub(super) fn settings(arguments: &RouterArgs, network: &Network, seed: u64) -> Result<Settings, Failure> {
    let mut settings = Settings {
        flow: match arguments.switching {
            FlowChoice::Wormhole => Flow::Wormhole,
            FlowChoice::CutThrough => Flow::CutThrough,
            FlowChoice::StoreAndForward => Flow::StoreAndForward,
            FlowChoice::Circuit => Flow::Circuit,
        },
        virtual_channels: arguments.vcs,
        buffer: arguments.buffer.unwrap_or(Settings::default().buffer),
        routing_delay: arguments.routing_delay,
        vc_delay: arguments.vc_delay,
        allocation_delay: arguments.allocation_delay,
        switch_delay: arguments.switch_delay,
        credit_delay: arguments.credit_delay,
        injection_delay: arguments.injection_delay,
        ejection_delay: arguments.ejection_delay,
        interval: arguments.interval,
        injection: ports("--injection", arguments.injection.as_deref())?,
        ejection: ports("--ejection", arguments.ejection.as_deref())?,
        allocator: match arguments.allocator {
            AllocatorChoice::Islip => Allocator::Islip,
            AllocatorChoice::RoundRobin => Allocator::RoundRobin,
        },
        seed,
        ..Settings::default()
    };
    for text in &arguments.channel_delay {
        let (link, delay) = text.rsplit_once('=').map_or((None, text.as_str()), |(link, delay)| (Some(link), delay));
        let delay = delay.trim().parse::<u32>().map_err(|_| {
            Failure::input(format!("--channel-delay: `{text}` says no number of cycles"))
                .hint("write 2, or A-B=2 for one link")
        })?;
        let Some(link) = link else {
            settings.channel_delay = delay;
            continue;
        };
        let channels = lists::link_channels(network, "--channel-delay", link)?;
        if channels.is_empty() {
            return Err(Failure::input(format!("--channel-delay: `{link}` names no channel of {}", network.name()))
                .hint("name a link by the nodes at its ends"));
        }
        let own = settings.channel_delays.get_or_insert_with(|| vec![u32::MAX; network.channel_count()]);
        channels.iter().for_each(|channel| own[channel.index()] = delay);
    }
    let all = settings.channel_delay;
    for delay in settings.channel_delays.iter_mut().flatten().filter(|delay| **delay == u32::MAX) {
        *delay = all;
    }
    settings.check(network.channel_count()).map_err(|error| refused(&error.into()))?;
    Ok(settings)
}

fn ports(flag: &str, text: Option<&str>) -> Result<NodePorts, Failure> {
    match text.unwrap_or("1") {
        "all" => Ok(NodePorts::All),
        text => text.parse().map(NodePorts::Each).map_err(|_| {
            Failure::input(format!("{flag}: `{text}` is no number of ports"))
                .hint("write `all` or a number of at least 1")
        }),
    }
}

/// The routes that the flags name.
pub(super) fn routes(
    arguments: &RouterArgs,
    network: &Network,
    settings: &Settings,
) -> Result<Box<dyn Routes>, Failure> {
    let root = arguments.root.as_ref().map(|text| lists::node(network, "--root", text)).transpose()?;
    let wanted = RoutesWanted {
        name: arguments.routing.as_deref(),
        root,
        vcs: settings.virtual_channels,
        datelines: !arguments.no_datelines,
    };
    let routes = routes_named(network, &wanted).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    if routes.least_vcs() > settings.virtual_channels {
        let (least, vcs) = (routes.least_vcs(), settings.virtual_channels);
        return Err(Failure::input(format!("{} needs {least} virtual channels, but there are {vcs}", routes.name()))
            .hint(format!("give --vcs {least} or more; --no-datelines goes without, and may deadlock")));
    }
    Ok(routes)
}

/// One rate.
fn one(
    experiment: &Experiment<'_>,
    rate: f64,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, PointError> {
    let Limits { window, batches, .. } = experiment.limits;
    // It is asked whether to stop every thousand cycles or so, which is what the bar counts; warming up is mostly two windows.
    let looks = (window.saturating_mul(batches as u64 + 2) >> 10).min(1 << 40);
    let bar = Count::new(usize::try_from(looks).unwrap_or(usize::MAX), "thousand cycles");
    let passed = AtomicUsize::new(0);
    let told = || {
        bar.reached(passed.fetch_add(1, Ordering::Relaxed));
        stop()
    };
    let point = experiment.point(rate, seed, &told);
    bar.finish();
    point.map(Answer::Point)
}

/// Several rates, or saturation.
fn many(
    experiment: &Experiment<'_>,
    rates: Option<Vec<f64>>,
    is_curve: bool,
    (threads, seed): (usize, u64),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, PointError> {
    let count = rates.as_ref().map_or(SEARCHED + if is_curve { PARTS.len() } else { 0 }, Vec::len);
    let bar = Count::new(count, "runs");
    let passed = AtomicUsize::new(0);
    let done = |_: &Point| bar.reached(1 + passed.fetch_add(1, Ordering::Relaxed));
    let runs = Runs { threads, seed, stop, done: &done };
    let (saturation, rates) = match rates {
        Some(rates) => (None, rates),
        None => {
            let Some(saturation) = experiment.saturation(runs)? else { return Ok(Answer::stopped()) };
            let top = saturation.refused.unwrap_or(saturation.carried);
            let rates = PARTS.iter().map(|part| part * if saturation.carried > 0.0 { saturation.carried } else { top });
            let zero = rates.clone().take(1);
            (Some(saturation), if is_curve { rates.collect() } else { zero.collect() })
        }
    };
    let wanted = rates.len();
    let points = experiment.curve(&rates, runs)?;
    bar.finish();
    let is_whole = points.len() == wanted;
    Ok(if is_curve {
        Answer::Curve { points, saturation, is_whole }
    } else {
        Answer::Saturation { points, saturation }
    })
}

/// What becomes of a trace.
fn trace(
    network: &Network,
    settings: &Settings,
    routes: &dyn Routes,
    events: Vec<simulate::Event>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, Failure> {
    for event in &events {
        settings.check_length(event.flits).map_err(|error| refused(&error.into()))?;
    }
    let mut simulator = Simulator::new(network, settings, routes).map_err(|error| refused(&error.into()))?;
    let mut source = Trace::new(events);
    match simulator.run(&mut source, u64::MAX, stop) {
        Ok(End::Stopped) => Ok(Answer::stopped()),
        Ok(End::Finished | End::Cycles) => Ok(Answer::Trace(Traced::of(&simulator, network, source))),
        Err(simulate::Halt::Deadlock(deadlock)) => Ok(Answer::Deadlock(deadlock)),
        Err(halt) => Err(refused(&PointError::Halt(halt))),
    }
}

/// The exit status of what was found.
pub(super) fn status(is_good: bool) -> u8 {
    if is_good { 0 } else { failure::NO }
}
