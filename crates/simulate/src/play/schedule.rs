//! **What:** transfers as packets with source routes, in one of three ways: by barriers, by time, by dependencies.
//!
//! **Facts:** by barriers and by time a step takes as long as its slowest transfer alone, and a schedule the sum of that, since transfers
//! of a step share no channel ([`Settings::alone`]). Under time-division a hop takes its slots exactly: channels are as much slower as
//! it takes. Where channels differ in their intervals, packets leave their nodes as fast as the slowest of their path (but under
//! store-and-forward), so that none waits for its own flits.

use super::script::{Order, Planned, Script, Waits};
use super::transfers::Transfers;
use super::{Length, Parallel, PlayError};
use crate::interval::Interval;
use crate::routes::Paths;
use crate::settings::{Flow, Settings, SettingsError};
use kernel::{Channel, Network, Node, Verified};
use program::{Action, Program};
use std::collections::HashMap;

/// When transfers begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Steps, each when all of the one before has arrived and so many cycles have gone by.
    Barrier {
        /// Cycles that a barrier takes.
        pause: u64,
    },
    /// Steps, each when the slowest transfer of the one before has surely arrived; slots under time-division.
    Timed,
    /// Each transfer as soon as its sender has what it carries.
    Asynchronous,
}

/// Transfers ready to be simulated.
#[derive(Clone, Debug)]
pub struct Play {
    /// Its packets, in order.
    pub script: Script,
    /// Their routes.
    pub paths: Paths,
    /// The settings that it runs under: those given, and slower channels under time-division.
    pub settings: Settings,
    /// The cycle of the last arrival, and in which what it brings is merged, where that is known without simulation.
    pub predicted: Option<u64>,
}

impl Play {
    /// A verified schedule.
    ///
    /// # Errors
    /// Too many transfers, settings in which its packets cannot be sent, and modes that do not fit.
    pub fn of(
        schedule: &Verified,
        parallel: &Parallel,
        settings: &Settings,
        length: Length,
        mode: Mode,
    ) -> Result<Self, PlayError> {
        let transfers = Transfers::of(schedule)?;
        let problem = schedule.problem();
        let chunks = problem.collective().chunks();
        if mode != Mode::Asynchronous {
            return Play::of_transfers(&transfers, parallel, settings, length, (mode, chunks));
        }
        settings.check_unscheduled(problem.network())?;
        let waits = waits(&Program::new(schedule)?);
        let prepared = Prepared::new(&transfers, parallel, settings, length, chunks)?;
        Ok(prepared.play(settings.clone(), Order::After(waits), None))
    }

    /// Transfers without dependencies, of messages of so many chunks.
    ///
    /// # Errors
    /// As of [`Play::of`].
    pub fn of_transfers(
        transfers: &Transfers,
        parallel: &Parallel,
        settings: &Settings,
        length: Length,
        (mode, chunks): (Mode, u32),
    ) -> Result<Self, PlayError> {
        let prepared = Prepared::new(transfers, parallel, settings, length, chunks)?;
        match (mode, transfers.slots()) {
            (Mode::Asynchronous, _) => Err(PlayError::NoDependencies),
            (Mode::Barrier { .. }, Some(_)) => Err(PlayError::Slots),
            (Mode::Timed, Some(slots)) => prepared.in_slots(settings, slots.hop),
            (Mode::Barrier { pause }, None) => {
                let mut ends = vec![0u32; transfers.steps() as usize];
                transfers.iter().for_each(|sent| ends[sent.step as usize] += 1);
                let ends: Vec<u32> =
                    ends.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count) + count)).collect();
                let predicted = prepared.times(settings, pause).1;
                Ok(prepared.play(settings.clone(), Order::Groups { ends, pause }, predicted))
            }
            (Mode::Timed, None) => {
                let (begins, predicted) = prepared.times(settings, 0);
                let cycles = transfers.iter().map(|sent| begins[sent.step as usize]).collect();
                Ok(prepared.play(settings.clone(), Order::Cycles(cycles), predicted))
            }
        }
    }
}

/// Packets and their paths.
struct Prepared<'a> {
    transfers: &'a Transfers,
    packets: Vec<Planned>,
    paths: Vec<Vec<Channel>>,
}

impl<'a> Prepared<'a> {
    fn new(
        transfers: &'a Transfers,
        parallel: &Parallel,
        settings: &Settings,
        length: Length,
        chunks: u32,
    ) -> Result<Self, PlayError> {
        let network: &Network = parallel.network();
        let mut paths = parallel.paths(transfers);
        let mut packets = Vec::with_capacity(paths.len());
        for (sent, path) in transfers.iter().zip(&mut paths) {
            let flits = length.flits(sent.messages, chunks);
            settings.check_length(flits)?;
            let (source, destination) = (network.from(path[0]), network.to(path[path.len() - 1]));
            // A packet that comes through its receiver on a detour has arrived.
            let arrives = path.iter().position(|channel| network.to(*channel) == destination);
            path.truncate(arrives.map_or(path.len(), |at| at + 1));
            let merging = if sent.merges { u64::from(sent.messages) * u64::from(settings.merge_delay) } else { 0 };
            packets.push(Planned { source, destination, flits, interval: pace(settings, path), merging });
        }
        Ok(Prepared { transfers, packets, paths })
    }

    /// When each step begins, and the last arrival, if nothing waits.
    fn times(&self, settings: &Settings, pause: u64) -> (Vec<u64>, Option<u64>) {
        let mut arrivals: Vec<Vec<(u64, &Planned)>> = vec![Vec::new(); self.transfers.steps() as usize];
        for ((sent, packet), path) in self.transfers.iter().zip(&self.packets).zip(&self.paths) {
            arrivals[sent.step as usize].push((settings.alone(path, packet.flits), packet));
        }
        let longest = arrivals.into_iter().map(|mut arrivals| {
            arrivals.sort_by_key(|(arrives, _)| *arrives);
            let mut merged: HashMap<Node, u64> = HashMap::new();
            let held = arrivals.into_iter().map(|(arrives, packet)| {
                let merged = merged.entry(packet.destination).or_insert(0);
                *merged = (*merged).max(arrives) + packet.merging;
                *merged
            });
            held.max().unwrap_or(0)
        });
        let (mut now, mut last, mut begins) = (0, 0, Vec::new());
        for step in longest {
            begins.push(now);
            if step > 0 {
                last = now + step;
                now = last + pause.max(settings.heard_after());
            }
        }
        (begins, Some(last))
    }

    fn play(self, settings: Settings, order: Order, predicted: Option<u64>) -> Play {
        Play { script: Script::new(self.packets, order), paths: routes(&self.paths), settings, predicted }
    }

    /// A slot is as long as a packet needs on a channel, and as its ends need; a hop takes its slots.
    fn in_slots(self, settings: &Settings, hop: u32) -> Result<Play, PlayError> {
        if settings.channel_delays.is_some() || settings.channel_intervals.is_some() {
            return Err(PlayError::SlotDelays);
        }
        if settings.flow == Flow::Circuit {
            return Err(PlayError::SlotCircuits);
        }
        let flits = self.packets.iter().map(|packet| packet.flits).max().unwrap_or(1);
        let alone = |channel_delay, hops: usize| {
            Settings { channel_delay, channel_delays: None, ..settings.clone() }.alone(&vec![Channel(0); hops], flits)
        };
        let one = alone(1, 2) - alone(1, 1);
        // Two packets that follow each other may get the same virtual channel: the second asks for its way when the first has left.
        let asks = u64::from(settings.routing_delay) + u64::from(settings.vc_delay) + 1;
        let follows = u64::from(flits - 1) * u64::from(settings.interval) + asks.max(u64::from(settings.interval));
        let ends = alone(1, 1) - one + settings.heard_after();
        let cycles = one.div_ceil(u64::from(hop)).max(follows).max(ends);
        let delay = cycles * u64::from(hop) - one + 1;
        let most = u64::from(crate::MOST_DELAY);
        let channel_delay =
            u32::try_from(delay).ok().filter(|delay| u64::from(*delay) <= most).ok_or(SettingsError::Range {
                what: "the channel delay that fills a slot",
                found: delay,
                least: 1,
                most,
            })?;
        let slower = Settings { channel_delay, ..settings.clone() };
        let slower = Settings { buffer: slower.buffer.max(slower.least_buffer(flits)), ..slower };
        let (mut begins, mut last) = (Vec::with_capacity(self.packets.len()), 0);
        for ((sent, packet), path) in self.transfers.iter().zip(&self.packets).zip(&self.paths) {
            let begin = u64::from(sent.step) * cycles;
            begins.push(begin);
            last = last.max(begin + slower.alone(path, packet.flits));
        }
        Ok(self.play(slower, Order::Cycles(begins), Some(last)))
    }
}

/// Source routes, those of packets by their numbers.
pub(super) fn routes(paths: &[Vec<Channel>]) -> Paths {
    let mut routes = Paths::new();
    paths.iter().for_each(|path| {
        routes.add(path);
    });
    routes
}

/// From one flit of a packet to the next as they leave its node, where channels differ: as on the slowest of its path. What is stored on
/// the way needs no pace of its own.
pub(super) fn pace(settings: &Settings, path: &[Channel]) -> Interval {
    if settings.channel_intervals.is_none() || settings.flow == Flow::StoreAndForward {
        return Interval::NONE;
    }
    path.iter().map(|channel| settings.interval_of(*channel)).max().unwrap_or_default()
}

/// Who waits for whom in a program: a send for what its rank receives, by copies and merges.
fn waits(program: &Program) -> Waits {
    let mut waits = Waits::new(program.transfers());
    for rank in program.ranks() {
        let mut numbers: Vec<u32> = Vec::with_capacity(rank.operations.len());
        for operation in &rank.operations {
            let number = match &operation.action {
                Action::Send { transfer, .. } | Action::Receive { transfer, .. } => *transfer,
                Action::Copy { .. } | Action::Merge { .. } => waits.join(),
            };
            if !matches!(operation.action, Action::Receive { .. }) {
                operation.after.iter().for_each(|before| waits.add(numbers[*before as usize], number));
            }
            numbers.push(number);
        }
    }
    waits
}
