//! **What:** schedules in time as packets: bandwidths become flits a cycle, latencies delays of channels, ticks cycles.
//!
//! **Method.** A cycle is the time of a flit on the fastest channel; a channel of b times less bandwidth carries one every b cycles, whole or not.
//! A transfer is a packet of as many flits as its bytes fill, without a head of its own, which leave its node at the transfer's rate. It is sent
//! when its sender has what it carries, by time not before its tick: of a message that is copied the copy that the schedule brings first, of
//! one that is merged all that the schedule brings before.
//!
//! **Facts:** nothing waits in a circle for arrivals, since each waits for transfers that end before it begins. `docs/simulation-schedules.md` says what the
//! simulator has that the model of schedules in time has not.

use super::schedule::routes;
use super::script::{Order, Planned, Script, Waits};
use super::{Length, Mode, Play, PlayError};
use crate::interval::Interval;
use crate::settings::{MOST_DELAY, MOST_FLITS, Settings};
use kernel::timed::{TimedProblem, Timeline, WrittenOut};
use kernel::{Channel, Message, Node, Rational, Semantics};
use std::collections::HashMap;

/// Bytes of a flit at least, where nothing is said.
const LEAST_FLIT: u32 = 16;
/// Channel uses of all flits at most, where nothing is said, and flits in all buffers.
const MOST_WORK: u64 = 1 << 22;
const MOST_BUFFERED: u64 = 1 << 24;

/// What flits and cycles are in bytes and microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleTime {
    /// Bytes of a flit.
    flit: u32,
    /// Bandwidth of the fastest channel, in units of the problem.
    fastest: u64,
    /// Cycles of a tick.
    numerator: u128,
    denominator: u128,
}

impl CycleTime {
    /// Flits of so many bytes; without a number of 16, or of a larger power of two, so that delays can be told and the run ends soon.
    ///
    /// # Errors
    /// Numbers that are too fine, and latencies of more cycles than are simulated.
    pub fn new(schedule: &WrittenOut, flit: Option<u32>, virtual_channels: u32) -> Result<Self, PlayError> {
        let problem = schedule.problem();
        let Some(flit) = flit else {
            let mut flit = LEAST_FLIT;
            loop {
                let cycle_time = CycleTime::of(problem, flit)?;
                if cycle_time.is_brief(schedule, virtual_channels) || flit > u32::MAX / 2 {
                    return Ok(cycle_time);
                }
                flit *= 2;
            }
        };
        let cycle_time = CycleTime::of(problem, flit.max(1))?;
        let longest = problem.network().channels().map(|channel| cycle_time.delay(problem, channel)).max().unwrap_or(0);
        if longest > u64::from(MOST_DELAY) {
            return Err(PlayError::Latency { cycles: longest, most: MOST_DELAY });
        }
        Ok(cycle_time)
    }

    fn of(problem: &TimedProblem, flit: u32) -> Result<Self, PlayError> {
        let fastest = problem.network().channels().map(|channel| problem.bandwidth(channel)).max().unwrap_or(1).max(1);
        let Rational { numerator, denominator } = problem.units().tick_us;
        // A GB/s is 1000 bytes a microsecond.
        let above = [numerator, 1000, fastest].into_iter().try_fold(1u128, |all, n| all.checked_mul(n.into()));
        let below =
            [denominator, flit.into(), problem.scale()].into_iter().try_fold(1u128, |all, n| all.checked_mul(n.into()));
        let (Some(above), Some(below)) = (above, below) else { return Err(PlayError::TooFine) };
        let common = gcd(above, below);
        Ok(CycleTime { flit, fastest, numerator: above / common, denominator: below / common })
    }

    /// Whether delays can be told, buffers are small and flits few.
    fn is_brief(&self, schedule: &WrittenOut, virtual_channels: u32) -> bool {
        let problem = schedule.problem();
        let network = problem.network();
        let longest = network.channels().map(|channel| self.delay(problem, channel)).max().unwrap_or(0);
        let inputs = 2 * network.channel_count() as u64;
        let buffered = inputs.saturating_mul(virtual_channels.into()).saturating_mul(2 * longest + 16);
        let transfers = schedule.schedule().steps().flatten().map(|sent| {
            let flits = self.length(problem).flits(count(sent.transfer.messages.len()), 1);
            if flits > MOST_FLITS { u64::MAX } else { u64::from(flits) * sent.transfer.path.len() as u64 }
        });
        let work = transfers.fold(0u64, u64::saturating_add);
        longest <= u64::from(MOST_DELAY) && buffered <= MOST_BUFFERED && work <= MOST_WORK
    }

    /// Bytes of a flit.
    #[must_use]
    pub fn flit(&self) -> u32 {
        self.flit
    }

    /// So many cycles in microseconds.
    #[must_use]
    pub fn micros(&self, problem: &TimedProblem, cycles: u64) -> f64 {
        problem.micros(1) * cycles as f64 * self.denominator as f64 / self.numerator as f64
    }

    /// So many ticks in cycles, rounded up.
    fn cycles(&self, ticks: u64) -> Option<u64> {
        let cycles = u128::from(ticks).checked_mul(self.numerator)?.div_ceil(self.denominator);
        u64::try_from(cycles).ok().filter(|cycles| *cycles < 1 << 47)
    }

    /// The latency of a channel in cycles, at least the one that a channel takes.
    fn delay(&self, problem: &TimedProblem, channel: Channel) -> u64 {
        self.cycles(problem.latency(channel)).unwrap_or(u64::MAX / 4).max(1)
    }

    /// Flits of the problem's messages; they are what the schedule names, so they have no chunks.
    #[must_use]
    pub fn length(&self, problem: &TimedProblem) -> Length {
        Length::Bytes { head: 0, message: problem.units().chunk_bytes, flit: self.flit }
    }

    /// Settings with the delays and intervals of a problem's channels, and the time that its nodes take to merge.
    ///
    /// # Errors
    /// Channels that are too slow beside the fastest, and merging that takes too long.
    pub fn settings(&self, problem: &TimedProblem, settings: &Settings) -> Result<Settings, PlayError> {
        let channels = || problem.network().channels();
        let delay = |channel| u32::try_from(self.delay(problem, channel)).unwrap_or(u32::MAX);
        let base = Interval::cycles(settings.interval);
        let interval = |channel| {
            let own = Interval::ratio(self.fastest.into(), problem.bandwidth(channel).into());
            own.map(|own| own.max(base))
        };
        let intervals: Option<Vec<Interval>> = channels().map(interval).collect();
        let merging = self.cycles(problem.merging()).and_then(|cycles| u32::try_from(cycles).ok());
        let is_even = channels().all(|channel| problem.bandwidth(channel) == self.fastest);
        Ok(Settings {
            channel_delays: Some(channels().map(delay).collect()),
            channel_intervals: if is_even { None } else { Some(intervals.ok_or(PlayError::TooFine)?) },
            merge_delay: merging.ok_or(PlayError::TooFine)?,
            ..settings.clone()
        })
    }

    /// From one flit to the next of a transfer at so many of the timeline's units of rate.
    fn pace(&self, timeline: &Timeline<'_>, rate: u64) -> Option<Interval> {
        let fastest = u128::from(self.fastest) * u128::from(timeline.scale() / timeline.problem().scale());
        Interval::ratio(fastest, rate.into())
    }
}

pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl Play {
    /// A schedule in time, under settings that [`CycleTime::settings`] has made.
    ///
    /// # Errors
    /// Transfers that switches copy, steps by barriers, packets that cannot be sent, and numbers that are too fine or too large.
    pub fn of_timed(
        timeline: &Timeline<'_>,
        cycle_time: &CycleTime,
        settings: &Settings,
        mode: Mode,
    ) -> Result<Self, PlayError> {
        if matches!(mode, Mode::Barrier { .. }) {
            return Err(PlayError::NoSteps);
        }
        let problem = timeline.problem();
        settings.check_unscheduled(problem.network())?;
        let length = cycle_time.length(problem);
        let transfers = timeline.transfers();
        let mut waits = Waits::new(u32::try_from(transfers.len()).map_err(|_| PlayError::TooFine)?);
        let (mut packets, mut paths) = (Vec::with_capacity(transfers.len()), Vec::with_capacity(transfers.len()));
        for (number, (transfer, sent)) in (0u32..).zip(transfers.iter().zip(timeline.sent())) {
            if transfer.branches() {
                return Err(PlayError::Copies { transfer: number });
            }
            let flits = length.flits(count(transfer.transfer.messages.len()), 1);
            settings.check_length(flits)?;
            let merged = timeline.held()[sent.held.clone()].iter().filter(|held| held.merges).count();
            let destination = timeline.receivers()[sent.receivers.start].node;
            packets.push(Planned {
                source: sent.from,
                destination,
                flits,
                interval: cycle_time.pace(timeline, sent.rate).ok_or(PlayError::TooFine)?,
                merging: merged as u64 * u64::from(settings.merge_delay),
            });
            paths.push(transfer.transfer.path.to_vec());
            if mode == Mode::Timed {
                waits.not_before(number, cycle_time.cycles(sent.begin).ok_or(PlayError::TooFine)?);
            }
        }
        wait(timeline, &mut waits);
        let (script, paths) = (Script::new(packets, Order::After(waits)), routes(&paths));
        Ok(Play { script, paths, settings: settings.clone(), predicted: None })
    }
}

/// Who waits for whom: a transfer for what its sender does not have from the beginning.
fn wait(timeline: &Timeline<'_>, waits: &mut Waits) {
    let mut arrivals: HashMap<(Node, Message), Vec<(u64, u32)>> = HashMap::new();
    for held in timeline.held() {
        let node = timeline.receivers()[held.receiver].node;
        arrivals.entry((node, held.message)).or_default().push((held.tick, count(held.transfer)));
    }
    arrivals.values_mut().for_each(|arrivals| arrivals.sort_unstable());
    let collective = timeline.problem().collective();
    let copies = collective.semantics() == Semantics::Copy;
    for (number, (transfer, sent)) in (0u32..).zip(timeline.transfers().iter().zip(timeline.sent())) {
        for message in transfer.transfer.messages {
            if copies && collective.contributors(*message).contains(&sent.from) {
                continue;
            }
            let come = arrivals.get(&(sent.from, *message)).map_or(&[][..], Vec::as_slice);
            let come = come.iter().take_while(|(tick, _)| *tick <= sent.begin);
            come.take(if copies { 1 } else { usize::MAX }).for_each(|(_, before)| waits.add(*before, number));
        }
    }
}
