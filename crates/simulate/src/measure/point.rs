//! **What:** one point of a curve: latency and throughput of a network under random traffic of one rate.
//!
//! **Method.** Windows of cycles pass until the mean latency of two that follow each other differs by less than a twentieth: the network is
//! warm. Then packets are measured that are created in the next batches, and the run goes on, under the same traffic, until all of them
//! have arrived. A network that never gets warm, does not deliver what it is offered, of any node or of all together (module `flows`), doubles its
//! latency while it is measured, or keeps measured packets as long again, is saturated: its latency grows with the length of the run and means nothing.

use crate::measure::flows::Sender;
use crate::measure::histogram::Histogram;
use crate::measure::statistics::{Mean, Sum, batch_mean};
use crate::measure::window::Window;
use crate::settings::{Settings, SettingsError};
use crate::simulator::{End, Halt, Simulator};
use crate::source::Routes;
use crate::traffic::{Load, LoadError, Pattern, Synthetic};
use kernel::{Channel, Network};

/// How long is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Cycles of a window and of a batch.
    pub window: u64,
    /// Windows of warming up at most.
    pub warm: u32,
    /// Batches that are measured.
    pub batches: usize,
}

impl Default for Limits {
    /// Batches of 5000 cycles, ten of them, and at most twenty before.
    fn default() -> Self {
        Limits { window: 5000, warm: 20, batches: 10 }
    }
}

/// What is simulated.
#[derive(Clone)]
pub struct Experiment<'a> {
    /// The network.
    pub network: &'a Network,
    /// Its routers.
    pub settings: &'a Settings,
    /// Ways of packets.
    pub routes: &'a dyn Routes,
    /// Where packets go.
    pub pattern: &'a Pattern,
    /// Lengths of packets in flits.
    pub lengths: &'a [u32],
    /// The mean length of bursts in cycles.
    pub burst: Option<f64>,
    /// How long is measured.
    pub limits: Limits,
}

/// Latencies of packets in cycles, from creation to the arrival of the tail.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// The mean.
    pub mean: Mean,
    /// From the entry into the network to the arrival of the tail.
    pub network: f64,
    /// All of them.
    pub spread: Histogram,
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Flits a terminal and cycle that were asked for, of the busiest.
    pub rate: f64,
    /// Flits a terminal and cycle that were created.
    pub offered: f64,
    /// Flits per terminal and cycle that arrived.
    pub accepted: f64,
    /// Latencies; `None` where nothing measured arrived.
    pub latency: Option<Latency>,
    /// Channels of a packet, on average.
    pub hops: f64,
    /// Whether more is offered than the network carries.
    pub is_saturated: bool,
    /// Nodes whose packets become more and more.
    pub held_up: usize,
    /// The node of which the least part arrived.
    pub slowest: Option<Sender>,
    /// Whether it was stopped before everything was measured.
    pub is_stopped: bool,
    /// Windows of warming up.
    pub warm: u32,
    /// Cycles simulated.
    pub cycles: u64,
    /// Flits a cycle of every channel while measured.
    pub loads: Vec<f64>,
    /// Requests that were not granted, a cycle, while measured.
    pub blocked: f64,
}

/// Why there is no point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PointError {
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The traffic makes no sense.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The simulation cannot go on.
    #[error(transparent)]
    Halt(#[from] Halt),
}

impl PointError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            PointError::Settings(error) => error.hint(),
            PointError::Load(error) => error.hint(),
            PointError::Halt(Halt::Deadlock(_)) => {
                "choose a deadlock-free routing (--routing up-down or adaptive, datelines on rings)".into()
            }
            PointError::Halt(Halt::NoWay { .. }) => "--routing shortest finds a path wherever there is one".into(),
        }
    }
}

/// How much two windows may differ when the network is warm.
const WARM: f64 = 0.05;
/// Windows in a row that deliver less than this share of what is offered end the warming up: the network will not get there.
const OVERLOAD: f64 = 0.9;
const OVERLOADS: u32 = 3;
/// How much the latency of the last batch is above that of the first if the network is saturated.
const GROWTH: f64 = 2.0;

impl Experiment<'_> {
    /// Flits a cycle that every node can send.
    pub(crate) fn most_rate(&self) -> f64 {
        let mean = self.lengths.iter().map(|flits| f64::from(*flits)).sum::<f64>() / self.lengths.len().max(1) as f64;
        let ports = f64::from(self.ports()).min(mean) / f64::from(self.settings.interval);
        // Bursts leave cycles without packets between them.
        if self.burst.is_some() { 0.95 * ports.min(1.0) } else { ports }
    }

    /// Injection ports of the node that has fewest.
    fn ports(&self) -> u32 {
        match self.settings.injection {
            crate::NodePorts::Each(ports) => ports,
            crate::NodePorts::All => {
                let terminals = self.network.terminals().iter();
                let ports = terminals.map(|t| self.network.outgoing(*t).len()).min().unwrap_or(1);
                u32::try_from(ports.max(1)).expect("channels have 32-bit numbers")
            }
        }
    }

    /// The point of a rate, in flits a terminal and cycle; `seed` numbers the run.
    ///
    /// # Errors
    /// Settings or a rate that make no sense, a deadlock, or a routing that knows no way.
    pub fn point(&self, rate: f64, seed: u64, stop: &dyn Fn() -> bool) -> Result<Point, PointError> {
        self.settings.check_unscheduled(self.network)?;
        self.lengths.iter().try_for_each(|flits| self.settings.check_length(*flits))?;
        let load = Load { rate, lengths: self.lengths.to_vec(), burst: self.burst };
        let traffic = Synthetic::new(self.network, self.pattern.clone(), &load, self.ports(), seed)?;
        let mut simulator = Simulator::new(self.network, self.settings, self.routes)?;
        let mut source = Window::new(traffic);
        let Limits { window, warm: most, batches } = self.limits;
        let (mut warm, mut before, mut is_warm, mut overloads) = (0, None::<f64>, false, 0);
        while warm < most && !is_warm && overloads < OVERLOADS {
            source.open(simulator.cycle(), 1, window);
            if simulator.run(&mut source, simulator.cycle() + window, stop)? == End::Stopped {
                return Ok(self.read(rate, &simulator, &source, (warm, None, true)));
            }
            warm += 1;
            let mean = source.mean();
            // Flits are below 2^53.
            let is_over = (source.accepted as f64) < OVERLOAD * source.offered as f64;
            overloads = if is_over && warm > 1 { overloads + 1 } else { 0 };
            // A window in which nothing arrives after one in which nothing did is as steady as it gets.
            is_warm = warm > 1
                && match (before, mean) {
                    (Some(before), Some(mean)) => (mean - before).abs() <= WARM * before,
                    (before, mean) => before.is_none() && mean.is_none(),
                };
            before = mean;
        }
        source.open(simulator.cycle(), batches, window);
        let begin = Begin::of(&simulator, self.network);
        let (start, length) = (simulator.cycle(), window * batches as u64);
        let mut end = simulator.run(&mut source, start + length, stop)?;
        // Until all measured have arrived; a network that is not warm has had its time.
        let last = if is_warm { simulator.cycle() + length + u64::from(warm) * window } else { simulator.cycle() };
        let loads = begin.since(&simulator, self.network);
        let latency = source.mean().unwrap_or(0.0);
        let judged = source.flows.judge(latency, length, self.burst);
        while end == End::Cycles && source.open > 0 && simulator.cycle() < last {
            end = simulator.run(&mut source, (simulator.cycle() + 64).min(last), stop)?;
        }
        let mut point = self.read(rate, &simulator, &source, (warm, Some(loads), end == End::Stopped));
        let means: Vec<f64> = source.latency.iter().filter_map(Sum::mean).collect();
        // So few batches tell nothing of growth.
        let grows = means.len() > 3 && means[means.len() - 1] > GROWTH * means[0];
        (point.held_up, point.slowest) = (judged.held_up, judged.slowest);
        point.is_saturated = !is_warm || grows || source.open > 0 || judged.is_over || judged.held_up > 0;
        Ok(point)
    }

    fn read<S: crate::Source>(
        &self,
        rate: f64,
        simulator: &Simulator<'_>,
        source: &Window<S>,
        (warm, loads, is_stopped): (u32, Option<Begin>, bool),
    ) -> Point {
        let cycles = self.limits.window * self.limits.batches as u64;
        let each = |flits: u64| flits as f64 / (cycles as f64 * self.network.terminals().len() as f64);
        let latency = batch_mean(&source.latency).map(|mean| Latency {
            mean,
            network: source.network.mean().unwrap_or(0.0),
            spread: source.spread.clone(),
        });
        let a_cycle = |count: u64| count as f64 / cycles as f64;
        let loads = loads.unwrap_or_default();
        Point {
            rate,
            offered: each(source.offered),
            accepted: each(source.accepted),
            latency,
            hops: source.hops.mean().unwrap_or(0.0),
            is_saturated: false,
            held_up: 0,
            slowest: None,
            is_stopped,
            warm,
            cycles: simulator.cycle(),
            loads: loads.carried.iter().map(|flits| a_cycle(*flits)).collect(),
            blocked: a_cycle(loads.blocked),
        }
    }
}

/// Counters at the beginning of what is measured, or since then.
#[derive(Clone, Debug, Default)]
struct Begin {
    carried: Vec<u64>,
    blocked: u64,
}

impl Begin {
    fn of(simulator: &Simulator<'_>, network: &Network) -> Self {
        let carried = |channel: Channel| simulator.carried(channel);
        Begin { carried: network.channels().map(carried).collect(), blocked: simulator.blocked() }
    }

    fn since(&self, simulator: &Simulator<'_>, network: &Network) -> Self {
        let now = Begin::of(simulator, network);
        let carried = now.carried.iter().zip(&self.carried).map(|(now, before)| now - before).collect();
        Begin { carried, blocked: now.blocked - self.blocked }
    }
}
