//! **What:** a run of a script, looked at from time to time: how full buffers are, what channels carried, and where packets waited.
//!
//! **Method.** Looks are evenly apart; when there are too many, every second is dropped and they become twice as far apart, so that memory
//! is bounded and nobody needs to know beforehand how long a run takes. Between looks nothing is slower than without.

use super::script::Script;
use crate::SettingsError;
use crate::deadlock::Deadlock;
use crate::settings::Settings;
use crate::simulator::{End, Halt, Simulator};
use crate::source::Routes;
use kernel::{Channel, Network, Node};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything has arrived.
    Finished,
    /// Packets wait for each other for ever.
    Deadlock(Deadlock),
    /// The routing knows no way.
    NoWay {
        /// Where a packet is.
        node: Node,
        /// Where it goes.
        target: Node,
    },
    /// The last cycle was reached.
    Cycles,
    /// It was told to stop.
    Stopped,
}

/// A look at all channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Look {
    /// Of every channel: flits in the buffers behind it.
    buffers: Vec<u32>,
    /// Flits that it has carried since the look before.
    carried: Vec<u32>,
    /// Requests that were not granted since then.
    blocked: Vec<u32>,
}

/// Looks, evenly apart.
#[derive(Clone, Debug)]
pub struct Frames {
    channels: usize,
    every: u64,
    most: usize,
    looks: Vec<Look>,
}

/// Numbers that all looks hold together at most.
const MOST_NUMBERS: usize = 3 << 21;

impl Frames {
    /// At most so many looks, an even number, and fewer where the network is large.
    #[must_use]
    pub fn new(network: &Network, most: usize) -> Self {
        let channels = network.channel_count();
        let most = most.min(MOST_NUMBERS / (3 * channels.max(1))).max(4) / 2 * 2;
        Frames { channels, every: 1, most, looks: Vec::new() }
    }

    /// Cycles from one to the next.
    #[must_use]
    pub fn every(&self) -> u64 {
        self.every
    }

    /// How many there are; the k-th is at the beginning of cycle (k + 1) × [`Frames::every`].
    #[must_use]
    pub fn count(&self) -> usize {
        self.looks.len()
    }

    /// Flits in the buffers behind a channel at a look.
    #[must_use]
    pub fn buffered(&self, look: usize, channel: Channel) -> u32 {
        self.looks[look].buffers[channel.index()]
    }

    /// Flits that a channel carried before a look, since the one before.
    #[must_use]
    pub fn carried(&self, look: usize, channel: Channel) -> u32 {
        self.looks[look].carried[channel.index()]
    }

    /// Requests for a channel that were not granted before a look, since the one before.
    #[must_use]
    pub fn blocked(&self, look: usize, channel: Channel) -> u32 {
        self.looks[look].blocked[channel.index()]
    }

    /// Flits in all buffers at a look.
    #[must_use]
    pub fn in_buffers(&self, look: usize) -> u64 {
        self.looks[look].buffers.iter().map(|flits| u64::from(*flits)).sum()
    }

    /// The part of all channels' cycles in which flits were carried before a look, since the one before.
    #[must_use]
    pub fn use_of_channels(&self, look: usize) -> f64 {
        let carried: u64 = self.looks[look].carried.iter().map(|flits| u64::from(*flits)).sum();
        carried as f64 / (self.every as f64 * self.channels.max(1) as f64)
    }

    fn push(&mut self, look: Look) {
        self.looks.push(look);
        if self.looks.len() < self.most {
            return;
        }
        let mut halved = Vec::with_capacity(self.most);
        for pair in self.looks.chunks_exact(2) {
            let sum = |of: fn(&Look) -> &Vec<u32>| of(&pair[0]).iter().zip(of(&pair[1])).map(|(a, b)| a + b).collect();
            halved.push(Look {
                buffers: pair[1].buffers.clone(),
                carried: sum(|look| &look.carried),
                blocked: sum(|look| &look.blocked),
            });
        }
        self.looks = halved;
        self.every *= 2;
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// How it ended.
    pub ended: Ended,
    /// The cycle of the last arrival.
    pub cycles: u64,
    /// Packets of the script, and those that have arrived.
    pub packets: usize,
    /// Packets that have arrived.
    pub arrived: u64,
    /// Flits of all packets.
    pub flits: u64,
    /// Requests that were not granted: one for every cycle and head or flit that waited.
    pub blocked: u64,
    /// Cycles in which a node found no way into its router.
    pub held_back: u64,
    /// Cycles from creation to arrival of a packet, on average.
    pub latency: f64,
    /// The last arrival of every step.
    pub step_ends: Vec<u64>,
    /// Of every channel, flits carried.
    pub carried: Vec<u64>,
    /// Of every channel, requests that were not granted.
    pub blocked_at: Vec<u64>,
    /// Most flits in the buffer of one virtual channel at once.
    pub fullest: u32,
    /// What was seen from time to time.
    pub frames: Frames,
}

impl Recorded {
    /// The part of all channels' cycles in which flits were carried.
    #[must_use]
    pub fn use_of_channels(&self) -> f64 {
        let all = self.carried.len() as f64 * self.cycles as f64;
        if all > 0.0 { self.carried.iter().sum::<u64>() as f64 / all } else { 0.0 }
    }

    /// Flits in all buffers, on average over looks.
    #[must_use]
    pub fn in_buffers(&self) -> f64 {
        let count = self.frames.count();
        let sum: u64 = (0..count).map(|look| self.frames.in_buffers(look)).sum();
        if count > 0 { sum as f64 / count as f64 } else { 0.0 }
    }
}

/// What is run, and how far.
#[derive(Clone, Copy)]
pub struct Playing<'a> {
    /// The network, whose channels carry a flit a cycle each.
    pub network: &'a Network,
    /// How its routers work.
    pub settings: &'a Settings,
    /// Which ways packets take.
    pub routes: &'a dyn Routes,
    /// The first cycle that is not run.
    pub until: u64,
    /// Looks at most.
    pub looks: usize,
    /// Asked now and then.
    pub stop: &'a dyn Fn() -> bool,
}

impl Playing<'_> {
    /// Runs a script to its end.
    ///
    /// # Errors
    /// Settings that make no sense.
    pub fn run(&self, mut script: Script) -> Result<Recorded, SettingsError> {
        script.packets().iter().try_for_each(|packet| self.settings.check_length(packet.flits))?;
        let mut simulator = Simulator::new(self.network, self.settings, self.routes)?;
        let mut frames = Frames::new(self.network, self.looks);
        let (mut carried, mut blocked) =
            (vec![0u64; self.network.channel_count()], vec![0u64; self.network.channel_count()]);
        let mut at = 0;
        let ended = loop {
            at += frames.every;
            let ended = simulator.run(&mut script, at.min(self.until), self.stop);
            if simulator.cycle() >= at || ended != Ok(End::Cycles) {
                frames.push(look(self.network, self.settings, &simulator, &mut carried, &mut blocked));
            }
            match ended {
                Ok(End::Cycles) if simulator.cycle() < self.until => at -= at % frames.every,
                Ok(End::Cycles) => break Ended::Cycles,
                Ok(End::Finished) => break Ended::Finished,
                Ok(End::Stopped) => break Ended::Stopped,
                Err(Halt::Deadlock(deadlock)) => break Ended::Deadlock(deadlock),
                Err(Halt::NoWay { node, target }) => break Ended::NoWay { node, target },
            }
        };
        let channels = || self.network.channels();
        let buffers = channels().flat_map(|c| (0..self.settings.virtual_channels).map(move |vc| (c, vc)));
        Ok(Recorded {
            ended,
            cycles: script.last(),
            packets: script.packets().len(),
            arrived: script.arrived(),
            flits: script.packets().iter().map(|packet| u64::from(packet.flits)).sum(),
            blocked: simulator.blocked(),
            held_back: self.network.nodes().map(|node| simulator.held_back(node)).sum(),
            latency: script.latency() as f64 / script.arrived().max(1) as f64,
            step_ends: script.group_ends().to_vec(),
            carried: channels().map(|channel| simulator.carried(channel)).collect(),
            blocked_at: channels().map(|channel| simulator.blocked_at(channel)).collect(),
            fullest: buffers.map(|(channel, vc)| simulator.buffer(channel, vc).most).max().unwrap_or(0),
            frames,
        })
    }
}

/// All channels as they stand; what they did since the last look is taken from what they have done.
fn look(
    network: &Network,
    settings: &Settings,
    simulator: &Simulator<'_>,
    carried: &mut [u64],
    blocked: &mut [u64],
) -> Look {
    let since = |now: u64, before: &mut u64| {
        let new = now - std::mem::replace(before, now);
        u32::try_from(new).unwrap_or(u32::MAX)
    };
    let flits = |channel| (0..settings.virtual_channels).map(|vc| simulator.buffer(channel, vc).flits).sum();
    Look {
        buffers: network.channels().map(flits).collect(),
        carried: network.channels().zip(carried).map(|(c, before)| since(simulator.carried(c), before)).collect(),
        blocked: network.channels().zip(blocked).map(|(c, before)| since(simulator.blocked_at(c), before)).collect(),
    }
}
