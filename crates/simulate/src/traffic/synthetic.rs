//! **What:** random traffic: in every cycle every terminal creates a packet with the same probability, or does so in bursts.
//!
//! **Method.** Trials are taken in one row, cycle by cycle and terminal by terminal, and the number of them up to the next success is
//! drawn at once; terminals that send less, or are between bursts, refuse some. So the work is that of the packets, not of the cycles. A
//! terminal's bursts are a chain of two states; its state after k cycles follows from that before in closed form.

use crate::interval::Interval;
use crate::packets::Packet;
use crate::settings::SettingsError;
use crate::source::{Delivery, Source};
use crate::traffic::pattern::Pattern;
use kernel::{Network, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// What is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Flits that a terminal creates a cycle, on average; that of the busiest where they differ.
    pub rate: f64,
    /// Lengths of packets in flits, all equally often.
    pub lengths: Vec<u32>,
    /// The mean length of bursts in cycles, in which a terminal creates a flit a cycle; `None` where there are no bursts.
    pub burst: Option<f64>,
}

/// Random traffic without end.
#[derive(Clone, Debug)]
pub struct Synthetic {
    pattern: Pattern,
    terminals: Vec<Node>,
    lengths: Vec<u32>,
    /// The probability of a trial.
    probability: f64,
    bursts: Option<Bursts>,
    random: Pcg64Mcg,
    /// The next success: its cycle and terminal.
    cycle: u64,
    terminal: u64,
}

/// Who is within a burst.
#[derive(Clone, Debug)]
struct Bursts {
    /// The share of cycles within bursts.
    share: f64,
    /// What is left of the difference to that share after a cycle.
    keeps: f64,
    on: Vec<bool>,
    since: Vec<u64>,
}

impl Bursts {
    fn is_on(&mut self, terminal: usize, cycle: u64, random: &mut Pcg64Mcg) -> bool {
        // Cycles of a run are far below 2^53.
        let passed = (cycle - self.since[terminal]) as f64;
        let before = if self.on[terminal] { 1.0 } else { 0.0 };
        let chance = self.share + (before - self.share) * self.keeps.powf(passed);
        self.on[terminal] = random.random::<f64>() < chance;
        self.since[terminal] = cycle;
        self.on[terminal]
    }
}

impl Synthetic {
    /// Traffic of a pattern between the terminals of a network.
    ///
    /// # Errors
    /// A rate that is no number above 0 and up to the injection ports of a node, or a burst below one cycle.
    pub fn new(network: &Network, pattern: Pattern, load: &Load, ports: u32, seed: u64) -> Result<Self, LoadError> {
        let most = f64::from(ports);
        if !(load.rate > 0.0 && load.rate <= most) {
            return Err(LoadError::Rate { rate: load.rate, most });
        }
        if load.lengths.is_empty() {
            return Err(LoadError::Lengths);
        }
        let mean = load.lengths.iter().map(|flits| f64::from(*flits)).sum::<f64>() / load.lengths.len() as f64;
        let terminals = network.terminals().to_vec();
        let mut random = run::Seed(seed).generator(0);
        let bursts = match load.burst {
            None => None,
            Some(length) if !(1.0..=1e9).contains(&length) => return Err(LoadError::Burst { length }),
            Some(_) if load.rate >= 1.0 => return Err(LoadError::Full),
            Some(length) => {
                let ends = 1.0 / length;
                let begins = ends * load.rate / (1.0 - load.rate);
                if begins > 1.0 {
                    return Err(LoadError::Full);
                }
                let on = terminals.iter().map(|_| random.random::<f64>() < load.rate).collect();
                let since = vec![0; terminals.len()];
                Some(Bursts { share: load.rate, keeps: 1.0 - ends - begins, on, since })
            }
        };
        let probability = if bursts.is_some() { 1.0 } else { load.rate } / mean;
        if probability > 1.0 {
            return Err(LoadError::Rate { rate: load.rate, most: mean });
        }
        let (lengths, terminal) = (load.lengths.clone(), 0);
        let mut traffic = Synthetic { pattern, terminals, lengths, probability, bursts, random, cycle: 0, terminal };
        traffic.terminal = traffic.gap();
        traffic.carry();
        Ok(traffic)
    }

    /// Failures before the next success.
    fn gap(&mut self) -> u64 {
        if self.probability >= 1.0 {
            return 0;
        }
        // In (0, 1], so that the logarithm is finite.
        let at = 1.0 - self.random.random::<f64>();
        // Beyond 2^53 the run is over.
        (at.ln() / (-self.probability).ln_1p()) as u64
    }

    fn carry(&mut self) {
        let count = self.terminals.len() as u64;
        self.cycle += self.terminal / count;
        self.terminal %= count;
    }
}

impl Source for Synthetic {
    fn next(&self, _: u64) -> Option<u64> {
        Some(self.cycle)
    }

    fn inject(&mut self, now: u64, packets: &mut Vec<Packet>) {
        while self.cycle <= now {
            // Below the number of terminals.
            let terminal = self.terminal as usize;
            let share = self.pattern.shares.as_ref().map_or(1.0, |shares| shares[terminal]);
            let is_sent = share >= 1.0 || self.random.random::<f64>() < share;
            let is_on = self.bursts.as_mut().is_none_or(|bursts| bursts.is_on(terminal, self.cycle, &mut self.random));
            if is_sent && is_on {
                let from = u32::try_from(terminal).expect("terminals have 32-bit numbers");
                let to = self.pattern.next(from, &mut self.random);
                let length = if self.lengths.len() == 1 { 0 } else { self.random.random_range(0..self.lengths.len()) };
                let (source, destination) = (self.terminals[terminal], self.terminals[to as usize]);
                packets.push(Packet {
                    source,
                    destination,
                    flits: self.lengths[length],
                    interval: Interval::NONE,
                    tag: 0,
                });
            }
            self.terminal += 1 + self.gap();
            self.carry();
        }
    }

    fn delivered(&mut self, _: &Delivery) {}
}

/// What is wrong with a load.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum LoadError {
    #[error("the rate is {rate} flits per node and cycle, but it must be above 0 and at most {most}")]
    Rate { rate: f64, most: f64 },
    #[error("no packet length is given")]
    Lengths,
    #[error("bursts of {length} cycles: their mean length must be from 1 to 1000000000")]
    Burst { length: f64 },
    #[error("bursts at this rate leave no cycle between them")]
    Full,
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

impl LoadError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            LoadError::Rate { most, .. } => format!("a node sends at most {most} flits per cycle; use --rate 0.1"),
            LoadError::Lengths => "use --packet 1".into(),
            LoadError::Burst { .. } => "use --burst 50".into(),
            LoadError::Full => "use longer bursts, or a lower rate".into(),
            LoadError::Settings(error) => error.hint(),
        }
    }
}
