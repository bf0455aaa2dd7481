//! **What:** networks whose channels carry several transfers in a step, as routers have them: with that many channels beside each other.
//!
//! **Facts:** a channel of capacity k is k channels; transfers of one step that share it take one each. Of half-duplex links of capacity k each of
//! the k is half-duplex by itself.

use super::PlayError;
use super::transfers::Transfers;
use crate::packets::Packet;
use crate::settings::Settings;
use crate::source::{Choice, Position, Routes};
use kernel::{Channel, Network, NetworkData, Node};
use std::collections::HashMap;

/// Channels at most, all capacities together.
const MOST_CHANNELS: u64 = 1 << 22;

/// A network with one channel for each transfer that a channel carries in a step.
#[derive(Clone, Debug)]
pub struct Parallel {
    network: Network,
    /// The first channel that stands for each, and the end.
    first: Vec<u32>,
    /// The channel that each stands for.
    base: Vec<u32>,
}

impl Parallel {
    /// A network of channels that carry one transfer each.
    ///
    /// # Errors
    /// Too many channels.
    pub fn of(network: &Network) -> Result<Self, PlayError> {
        let total: u64 = network.channels().map(|channel| u64::from(network.capacity(channel))).sum();
        if total > MOST_CHANNELS {
            return Err(PlayError::TooLarge { what: "channels", found: total, most: MOST_CHANNELS });
        }
        let (mut first, mut base, mut channels): (Vec<u32>, Vec<u32>, Vec<(u32, u32)>) =
            (vec![0], Vec::new(), Vec::new());
        for channel in network.channels() {
            for _ in 0..network.capacity(channel) {
                channels.push((network.from(channel).0, network.to(channel).0));
                base.push(channel.0);
            }
            first.push(u32::try_from(base.len()).expect("bounded above"));
        }
        let mut half_duplex = Vec::new();
        for group in network.half_duplex() {
            let most = group.iter().map(|channel| network.capacity(Channel(*channel))).max().unwrap_or(0);
            for copy in 0..most {
                let has = |channel: &&u32| copy < network.capacity(Channel(**channel));
                half_duplex.push(group.iter().filter(has).map(|channel| first[*channel as usize] + copy).collect());
            }
        }
        let data = NetworkData { channels, capacities: None, half_duplex, ..network.data().clone() };
        let network = Network::new(data).expect("it is the same network with channels repeated");
        Ok(Parallel { network, first, base })
    }

    /// The network that is simulated.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The channels that stand for one.
    pub fn copies(&self, channel: Channel) -> impl ExactSizeIterator<Item = Channel> + Clone + use<> {
        (self.first[channel.index()]..self.first[channel.index() + 1]).map(Channel)
    }

    /// The channel that one stands for.
    #[must_use]
    pub fn base(&self, channel: Channel) -> Channel {
        Channel(self.base[channel.index()])
    }

    /// Whether every channel stands for itself.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.first.len() == self.base.len() + 1
    }

    /// Settings of the network itself, with delays and intervals for the channels that stand for each.
    #[must_use]
    pub fn settings(&self, settings: &Settings) -> Settings {
        fn spread<T: Copy>(base: &[u32], own: &Option<Vec<T>>) -> Option<Vec<T>> {
            own.as_ref().map(|own| base.iter().filter_map(|channel| own.get(*channel as usize).copied()).collect())
        }
        Settings {
            channel_delays: spread(&self.base, &settings.channel_delays),
            channel_intervals: spread(&self.base, &settings.channel_intervals),
            ..settings.clone()
        }
    }

    /// Numbers of the channels that are simulated, added up by the channels of the network.
    pub fn by_channel<T: Copy + std::iter::Sum>(&self, numbers: &[T]) -> Vec<T> {
        let ends = self.first.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        ends.map(|copies| numbers[copies].iter().copied().sum()).collect()
    }

    /// The path of each transfer, on a channel of its own wherever several share one in a step.
    #[must_use]
    pub fn paths(&self, transfers: &Transfers) -> Vec<Vec<Channel>> {
        let (hop, period) =
            transfers.slots().map_or((0, 1), |s| (s.hop, if s.cyclic { transfers.steps().max(1) } else { u32::MAX }));
        let period = if hop == 0 { u32::MAX } else { period };
        let mut taken: HashMap<(Channel, u32), u32> = HashMap::new();
        let mut place = |step: u32, channel: Channel| {
            let copies = self.copies(channel);
            let next = match copies.len() {
                0 | 1 => 0,
                count => {
                    let used = taken.entry((channel, step % period)).or_insert(0);
                    *used += 1;
                    (*used as usize - 1) % count
                }
            };
            self.copies(channel).nth(next).unwrap_or(Channel(self.first[channel.index()]))
        };
        transfers
            .iter()
            .map(|sent| {
                (0u32..)
                    .zip(sent.path)
                    .map(|(at, channel)| place(sent.step.saturating_add(at.saturating_mul(hop)), *channel))
                    .collect()
            })
            .collect()
    }
}

/// A routing of the network itself, which leaves a packet the choice among the channels that stand for one.
pub struct OnParallel<'a> {
    /// The network that is simulated.
    pub parallel: &'a Parallel,
    /// The routing.
    pub routes: &'a dyn Routes,
}

impl Routes for OnParallel<'_> {
    fn name(&self) -> String {
        self.routes.name()
    }

    fn root(&self) -> Option<Node> {
        self.routes.root()
    }

    fn least_vcs(&self) -> u32 {
        self.routes.least_vcs()
    }

    fn via(&self, packet: &Packet, random: u32) -> Option<Node> {
        self.routes.via(packet, random)
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        let mut ways = Vec::new();
        let arrived = at.arrived.map(|channel| self.parallel.base(channel));
        self.routes.choices(&Position { arrived, ..*at }, &mut ways);
        for way in ways {
            // Those that see the same room do not all take the same one.
            let copies = self.parallel.copies(way.channel);
            let (count, first) = (copies.len(), at.random as usize % copies.len().max(1));
            choices.extend(copies.clone().cycle().skip(first).take(count).map(|channel| Choice { channel, ..way }));
        }
    }
}
