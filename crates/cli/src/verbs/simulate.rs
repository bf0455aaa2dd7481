//! **What:** `simulate`: a network flit by flit under random traffic or a trace: one rate, a curve of rates, saturation.

use super::simulate_outputs::Outputs;
use super::simulate_report::{Answer, Answered, Found, Traced};
use super::simulate_routers::{routes, routings, settings};
use super::simulate_traffic::{lengths, pattern, rates};
use super::solve::{seconds, threads};
use console::args::SimulateArgs;
use console::failure::{self, Failure};
use console::progress::{self, Count};
use console::{network, output};
use kernel::Network;
use simulate::play::{OnParallel, Parallel};
use simulate::{
    End, Experiment, Limits, Pattern, Point, PointError, RateError, Routes, Runs, Settings, Simulator, Trace,
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
    let parallel = Parallel::of(&network).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    let settings = parallel.settings(&settings(&arguments.routers, &network, measure.seed)?);
    settings.check_unscheduled(&network).map_err(|error| refused(&error.into()))?;
    let working = progress::interruptible();
    let ends =
        measure.time.and_then(|time| Duration::try_from_secs_f64(time).ok()).and_then(|time| begun.checked_add(time));
    let switch = working.switch();
    let stop = || switch.load(Ordering::Relaxed) || ends.is_some_and(|ends| Instant::now() >= ends);
    let sent = match &traffic.trace {
        Some(path) => Sent::Trace(exports::flits::read_trace(path, &network).map_err(output::unread)?),
        None => Sent::Random { pattern: pattern(traffic, &network, measure.seed)?, lengths: lengths(traffic)? },
    };
    let names = routings(&arguments.routers);
    let every = names.into_iter().map(|name| routes(&arguments.routers, name, &network, &settings));
    let every: Vec<Box<dyn Routes>> = every.collect::<Result<_, _>>()?;
    let mut answers = Vec::with_capacity(every.len());
    for routes in every {
        let on_parallel = OnParallel { parallel: &parallel, routes: &*routes };
        let taken: &dyn Routes = if parallel.is_plain() { &*routes } else { &on_parallel };
        let answer = match &sent {
            Sent::Trace(events) => trace(parallel.network(), &settings, taken, events.clone(), &stop)?,
            Sent::Random { pattern, lengths } => {
                let (network, settings, burst) = (parallel.network(), &settings, traffic.burst);
                let experiment = Experiment { network, settings, routes: taken, pattern, lengths, burst, limits };
                random(&experiment, arguments, threads, &stop)?
            }
        };
        answers.push(Answered { routes: routes.name(), root: routes.root(), answer: answer.on(&parallel) });
    }
    Found { network: &network, settings: &settings, arguments, answers }.say(&outputs)
}

/// What is sent.
enum Sent {
    Trace(Vec<simulate::Event>),
    Random { pattern: Pattern, lengths: Vec<u32> },
}

/// What random traffic comes to.
fn random(
    experiment: &Experiment<'_>,
    arguments: &SimulateArgs,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, Failure> {
    let (traffic, seed) = (&arguments.traffic, arguments.measure.seed);
    let answer = match (traffic.rate, &traffic.curve) {
        (Some(rate), _) => one(experiment, rate, seed, stop),
        (None, curve) => {
            let rates = curve.as_deref().filter(|text| !text.is_empty()).map(rates).transpose()?;
            many(experiment, rates, curve.is_some(), (threads, seed), stop)
        }
    };
    match answer {
        Ok(answer) => Ok(answer),
        Err(RateError { rate, error: PointError::Halt(simulate::Halt::Deadlock(deadlock)) }) => {
            Ok(Answer::Deadlock { deadlock, rate: Some(rate) })
        }
        Err(RateError { error, .. }) => Err(refused(&error)),
    }
}

pub(super) fn refused(error: &PointError) -> Failure {
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

/// One rate.
fn one(
    experiment: &Experiment<'_>,
    rate: f64,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, RateError> {
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
    point.map(Answer::Point).map_err(|error| RateError { rate, error })
}

/// Several rates, or saturation.
fn many(
    experiment: &Experiment<'_>,
    rates: Option<Vec<f64>>,
    is_curve: bool,
    (threads, seed): (usize, u64),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, RateError> {
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
        Err(simulate::Halt::Deadlock(deadlock)) => Ok(Answer::Deadlock { deadlock, rate: None }),
        Err(halt) => Err(refused(&PointError::Halt(halt))),
    }
}

/// The exit status of what was found.
pub(super) fn status(is_good: bool) -> u8 {
    if is_good { 0 } else { failure::NO }
}
