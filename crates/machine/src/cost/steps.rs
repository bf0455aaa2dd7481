//! **What:** what of a schedule's steps its time depends on.
//!
//! A step's time is the largest of its transfers', and those grow with hops and with words; so of each step the pairs (hops,
//! words) that no other pair exceeds in both are enough, and equal steps are counted. LogGP also asks who sends several
//! transfers in a step: steps in which some node sends or receives more than one are kept whole.

use super::loggp::{self, Sent};
use super::{CostError, CostModel};
use kernel::orbits::VerifiedOrbits;
use kernel::{Storage, Verified};
use num_integer::gcd;
use std::collections::BTreeMap;

/// Pairs of hops and messages that no other exceeds in both, ascending in hops.
type Front = Vec<(u32, u32)>;

/// What the time of a schedule depends on.
#[derive(Clone, Debug)]
pub struct Costs {
    chunks: u32,
    /// Steps in which no node sends or receives more than one transfer, or of which only fronts are known; equal ones
    /// counted.
    plain: BTreeMap<Front, u64>,
    /// Other steps: the front, and all transfers.
    crowded: Vec<(Front, Vec<Sent>)>,
    /// Why LogGP cannot be asked.
    no_loggp: Option<CostError>,
}

impl Costs {
    /// The costs of a schedule; of one stored as orbits, however many transfers it stands for.
    ///
    /// # Errors
    /// Under time-division there are no steps to be timed.
    pub fn of(schedule: &Verified) -> Result<Self, CostError> {
        let problem = schedule.problem();
        if problem.model().is_slotted() {
            return Err(CostError::Slots);
        }
        let network = problem.network();
        let chunks = problem.collective().chunks();
        let mut costs = Costs { chunks, plain: BTreeMap::new(), crowded: Vec::new(), no_loggp: None };
        let whole = match (schedule.expanded(), schedule.storage()) {
            (Err(error), Storage::Orbits(orbits)) => {
                return Ok(Costs { plain: fronts(orbits), no_loggp: Some(CostError::Orbits(error)), ..costs });
            }
            (Err(error), Storage::Product(_)) => {
                let plain = one_by_one(schedule);
                return Ok(Costs { plain, no_loggp: Some(CostError::Orbits(error)), ..costs });
            }
            (whole, _) => whole?,
        };
        for step in whole.steps() {
            let mut pairs = Vec::new();
            let mut sent = Vec::new();
            for transfer in step {
                let [Some(first), Some(last)] = [transfer.path.first(), transfer.path.last()] else { continue };
                let words = count(transfer.messages.len());
                pairs.push((count(transfer.path.len()), words));
                sent.push(Sent { from: network.from(*first), to: network.to(*last), words });
            }
            let front = front(pairs);
            if loggp::is_crowded(&sent) {
                costs.crowded.push((front, sent));
            } else if !front.is_empty() {
                *costs.plain.entry(front).or_insert(0) += 1;
            }
        }
        Ok(costs)
    }

    /// Why a model cannot be asked, if so.
    ///
    /// # Errors
    /// LogGP where transfers are not written down.
    pub fn answers(&self, model: &CostModel) -> Result<(), CostError> {
        match (&self.no_loggp, model) {
            (Some(error), CostModel::LogGp { .. }) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// The time of the schedule with messages of `message` words, each divided into the collective's chunks.
    pub fn time(&self, model: &CostModel, message: f64) -> f64 {
        let word = message / f64::from(self.chunks);
        let longest = |front: &Front| {
            let times = front.iter().map(|&(hops, words)| model.transfer(hops.into(), f64::from(words) * word));
            times.fold(0.0, f64::max)
        };
        let plain: f64 = self.plain.iter().map(|(front, times)| *times as f64 * longest(front)).sum();
        let crowded = self.crowded.iter().map(|(front, sent)| match *model {
            CostModel::LogGp { latency, overhead, gap, word_gap } => {
                loggp::step(sent, word, latency, overhead, (gap, word_gap))
            }
            _ => longest(front),
        });
        plain + crowded.sum::<f64>()
    }

    /// Start-ups: steps in which something is sent.
    pub fn start_ups(&self) -> u64 {
        self.plain.values().sum::<u64>() + self.crowded.len() as u64
    }

    /// Messages of the largest transfer of every step, summed: what a word a message costs, in units of β.
    pub fn words(&self) -> u64 {
        let largest = |front: &Front| front.iter().map(|(_, words)| u64::from(*words)).max().unwrap_or(0);
        let plain: u64 = self.plain.iter().map(|(front, times)| times * largest(front)).sum();
        plain + self.crowded.iter().map(|(front, _)| largest(front)).sum::<u64>()
    }
}

/// The fronts of all steps of a schedule of orbits. The images of what a representative does in one step are those of all
/// steps that differ by a multiple of the shifts' largest common divisor.
fn fronts(schedule: &VerifiedOrbits) -> BTreeMap<Front, u64> {
    let steps = schedule.schedule().schedule.step_count() as u64;
    let apart = schedule.schedule().shifts.iter().fold(steps, |a, b| gcd(a, *b)).max(1);
    let mut classes: BTreeMap<u64, Front> = BTreeMap::new();
    for (step, transfers) in (0u64..).zip(schedule.schedule().schedule.steps()) {
        let pairs = transfers.map(|t| (count(t.path.len()), count(t.messages.len())));
        let class = classes.entry(step % apart).or_default();
        *class = front(class.iter().copied().chain(pairs).collect());
    }
    let mut fronts = BTreeMap::new();
    for front in classes.into_values().filter(|f| !f.is_empty()) {
        *fronts.entry(front).or_insert(0) += steps / apart;
    }
    fronts
}

/// The fronts of all steps, of which one at a time is written down.
fn one_by_one(schedule: &Verified) -> BTreeMap<Front, u64> {
    let mut fronts = BTreeMap::new();
    for step in 0..schedule.steps() {
        let front = front(schedule.step(step).map(|t| (count(t.path.len()), count(t.messages().len()))).collect());
        if !front.is_empty() {
            *fronts.entry(front).or_insert(0) += 1;
        }
    }
    fronts
}

/// The pairs that no other exceeds in both.
fn front(mut pairs: Vec<(u32, u32)>) -> Front {
    pairs.sort_unstable();
    pairs.dedup();
    let mut kept: Front = Vec::new();
    for (hops, words) in pairs.into_iter().rev() {
        if kept.last().is_none_or(|last| last.1 < words) {
            kept.push((hops, words));
        }
    }
    kept.reverse();
    kept
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
