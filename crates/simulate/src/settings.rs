//! **What:** how routers, channels and interfaces of a simulated network work, and which settings make sense together.

use crate::interval::{Interval, MOST_CYCLES};
use kernel::{Channel, Network};

/// When the flits of a packet go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// The head goes on as soon as a virtual channel is free; a packet that waits lies along its path.
    #[default]
    Wormhole,
    /// As wormhole, but the head goes on only where the next buffer has room for the whole packet.
    CutThrough,
    /// The head goes on when the whole packet has come, and where the next buffer has room for all of it.
    StoreAndForward,
    /// The head reserves every channel of the path; an acknowledgement comes back; then the rest flows without a stop.
    Circuit,
}

/// Who gets virtual channels and the switch where several ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocator {
    /// Every output grants one request and every input accepts one grant; both go round, and only from where a grant was accepted
    /// (iSLIP with one iteration).
    #[default]
    Islip,
    /// Every input chooses one request and every output grants one, both going round.
    RoundRobin,
}

/// Ports between a node and its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePorts {
    /// So many.
    Each(u32),
    /// As many as the node has channels; to leave the network then takes no port, no switch and no time.
    All,
}

/// Settings of a simulation; delays are in cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// When flits go on.
    pub flow: Flow,
    /// Virtual channels of every channel, 1 to 32.
    pub virtual_channels: u32,
    /// Flits that the buffer of a virtual channel holds.
    pub buffer: u32,
    /// From the arrival of a head to its request for a virtual channel.
    pub routing_delay: u32,
    /// From the request for a virtual channel that is granted to the request for the switch.
    pub vc_delay: u32,
    /// From the request for the switch that is granted to the way through it.
    pub allocation_delay: u32,
    /// Through the switch.
    pub switch_delay: u32,
    /// Along a channel.
    pub channel_delay: u32,
    /// Of single channels instead, one a channel of the network.
    pub channel_delays: Option<Vec<u32>>,
    /// What a credit takes beyond the way back along the channel.
    pub credit_delay: u32,
    /// From a node to its router.
    pub injection_delay: u32,
    /// From a router to its node.
    pub ejection_delay: u32,
    /// Cycles from one flit to the next on a channel and through a port of the switch.
    pub interval: u32,
    /// On single channels instead, one a channel of the network; not below that of all.
    pub channel_intervals: Option<Vec<Interval>>,
    /// Ports from a node to its router.
    pub injection: NodePorts,
    /// Ports from a router to its node.
    pub ejection: NodePorts,
    /// Cycles in which a node merges a message of a reduction, or a chunk, one after the other.
    pub merge_delay: u32,
    /// Who gets what.
    pub allocator: Allocator,
    /// Where random choices of the routing start from.
    pub seed: u64,
}

impl Default for Settings {
    /// Four virtual channels of eight flits, one cycle for each of the stages, and one port a node.
    fn default() -> Self {
        Settings {
            flow: Flow::Wormhole,
            virtual_channels: 4,
            buffer: 8,
            routing_delay: 0,
            vc_delay: 1,
            allocation_delay: 1,
            switch_delay: 1,
            channel_delay: 1,
            channel_delays: None,
            credit_delay: 1,
            injection_delay: 2,
            ejection_delay: 1,
            interval: 1,
            channel_intervals: None,
            injection: NodePorts::Each(1),
            ejection: NodePorts::Each(1),
            merge_delay: 0,
            allocator: Allocator::Islip,
            seed: 1,
        }
    }
}

impl Settings {
    /// The routers of the dissertation's equations 2.3 to 2.6: a decision of `routing` cycles, a switch of `switching` and wires
    /// of `wire`, all ports, and buffers that stop nothing without contention.
    ///
    /// Flits follow each other as the equations have it: at the slower of switch and wire, under store-and-forward after both, and
    /// in a circuit after the wire alone.
    pub fn equations(flow: Flow, routing: u32, switching: u32, wire: u32, flits: u32) -> Self {
        let round = routing.saturating_add(switching).saturating_add(wire).saturating_mul(2).saturating_add(4);
        Settings {
            flow,
            virtual_channels: 1,
            buffer: flits.max(round),
            routing_delay: routing,
            vc_delay: 0,
            allocation_delay: 0,
            switch_delay: switching,
            channel_delay: wire,
            credit_delay: 0,
            injection_delay: 0,
            ejection_delay: 0,
            interval: match flow {
                Flow::Wormhole | Flow::CutThrough => switching.max(wire),
                Flow::StoreAndForward => switching.saturating_add(wire),
                Flow::Circuit => wire,
            },
            injection: NodePorts::All,
            ejection: NodePorts::All,
            ..Settings::default()
        }
    }
}

/// Cycles that one delay may take at most.
pub const MOST_DELAY: u32 = 4096;
/// Flits that one buffer may hold at most.
pub const MOST_BUFFER: u32 = 65_535;
/// Virtual channels at most.
pub const MOST_VCS: u32 = 32;

/// What is wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum SettingsError {
    #[error("{what} is {found}, but it must be from {least} to {most}")]
    Range { what: &'static str, found: u64, least: u64, most: u64 },
    #[error("there are {found} {what} for {channels} channels")]
    Count { what: &'static str, found: usize, channels: usize },
    #[error("a packet of {flits} flits does not fit into a buffer of {buffer}, which {flow} needs")]
    Buffer { flits: u32, buffer: u32, flow: &'static str },
    #[error("circuit switching with {vcs} virtual channels: a circuit holds whole channels")]
    Circuit { vcs: u32 },
    #[error("{routing} needs {least} virtual channels, but there are {vcs}")]
    Classes { routing: String, least: u32, vcs: u32 },
    #[error("{network}: {what} cannot be simulated")]
    Network { network: String, what: &'static str },
    #[error("{what} would need {needed} entries, more than {most}")]
    TooLarge { what: &'static str, needed: u64, most: u64 },
}

impl SettingsError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            SettingsError::Range { least, most, .. } => format!("write a number from {least} to {most}"),
            SettingsError::Count { .. } => "give one per channel, in the order of the channels".into(),
            SettingsError::Buffer { flits, .. } => {
                format!("use --buffer {flits}, shorter packets, or wormhole switching")
            }
            SettingsError::Circuit { .. } => "use --vcs 1".into(),
            SettingsError::Classes { least, .. } => format!("use --vcs {least} or more, or another routing"),
            SettingsError::Network { .. } => "choose a network without them, or another --switching".into(),
            SettingsError::TooLarge { .. } => "use a smaller network, or smaller buffers".into(),
        }
    }
}

impl Settings {
    /// Whether they make sense for a network of so many channels.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self, channels: usize) -> Result<(), SettingsError> {
        let range = |what, found: u32, least: u32, most: u32| {
            let (found, least, most) = (u64::from(found), u64::from(least), u64::from(most));
            if (least..=most).contains(&found) {
                Ok(())
            } else {
                Err(SettingsError::Range { what, found, least, most })
            }
        };
        range("the number of virtual channels", self.virtual_channels, 1, MOST_VCS)?;
        range("the buffer", self.buffer, 1, MOST_BUFFER)?;
        range("the interval of flits", self.interval, 1, MOST_DELAY)?;
        for (what, delay) in [
            ("the routing delay", self.routing_delay),
            ("the delay of the allocation of virtual channels", self.vc_delay),
            ("the delay of the allocation of the switch", self.allocation_delay),
            ("the switch delay", self.switch_delay),
            ("the credit delay", self.credit_delay),
            ("the injection delay", self.injection_delay),
            ("the ejection delay", self.ejection_delay),
        ] {
            range(what, delay, 0, MOST_DELAY)?;
        }
        range("the channel delay", self.channel_delay, 1, MOST_DELAY)?;
        if let Some(delays) = &self.channel_delays {
            if delays.len() != channels {
                return Err(SettingsError::Count { what: "channel delays", found: delays.len(), channels });
            }
            delays.iter().try_for_each(|delay| range("the delay of a channel", *delay, 1, MOST_DELAY))?;
        }
        if let Some(intervals) = &self.channel_intervals {
            if intervals.len() != channels {
                return Err(SettingsError::Count { what: "channel intervals", found: intervals.len(), channels });
            }
            let least = Interval::cycles(self.interval);
            if let Some(found) = intervals.iter().find(|interval| **interval < least) {
                let (found, least, most) = (found.times(1), self.interval.into(), MOST_CYCLES.into());
                return Err(SettingsError::Range { what: "the interval of a channel", found, least, most });
            }
        }
        for (what, ports) in
            [("the number of injection ports", self.injection), ("the number of ejection ports", self.ejection)]
        {
            if let NodePorts::Each(ports) = ports {
                range(what, ports, 1, 1024)?;
            }
        }
        if self.flow == Flow::Circuit && self.virtual_channels != 1 {
            return Err(SettingsError::Circuit { vcs: self.virtual_channels });
        }
        Ok(())
    }

    /// Whether packets that nobody has scheduled can be sent on a network.
    ///
    /// # Errors
    /// Circuits on half-duplex links.
    pub fn check_unscheduled(&self, network: &Network) -> Result<(), SettingsError> {
        if self.flow != Flow::Circuit || network.half_duplex().is_empty() {
            return Ok(());
        }
        let what = "circuits on half-duplex links, which would hold both directions,";
        Err(SettingsError::Network { network: network.name().into(), what })
    }

    /// From one flit to the next on a channel.
    #[must_use]
    pub fn interval_of(&self, channel: Channel) -> Interval {
        let own = self.channel_intervals.as_ref().and_then(|intervals| intervals.get(channel.index()));
        own.copied().unwrap_or(Interval::cycles(self.interval))
    }

    /// Whether packets of so many flits can be sent.
    ///
    /// # Errors
    /// None at all, or more than a buffer holds where it must hold them.
    pub fn check_length(&self, flits: u32) -> Result<(), SettingsError> {
        if flits == 0 || flits > MOST_FLITS {
            let (least, most) = (1, u64::from(MOST_FLITS));
            return Err(SettingsError::Range {
                what: "the length of a packet in flits",
                found: flits.into(),
                least,
                most,
            });
        }
        let flow = match self.flow {
            Flow::CutThrough => "virtual cut-through",
            Flow::StoreAndForward => "store-and-forward",
            Flow::Wormhole | Flow::Circuit => return Ok(()),
        };
        if flits > self.buffer { Err(SettingsError::Buffer { flits, buffer: self.buffer, flow }) } else { Ok(()) }
    }
}

/// Flits of a packet at most.
pub const MOST_FLITS: u32 = 1 << 24;
