//! **What:** how long a packet takes that meets no other, and what settings let it flow without a stop.
//!
//! **Facts:** with stages r (routing), v (virtual channel), a (allocation), s (switch), channels c_1 … c_h, an interval i between flits,
//! injection n, ejection e and L flits, the tail arrives after
//!
//! - wormhole, virtual cut-through: n + Σ (r + v + a + s + c_j) + out + (L − 1) i; with intervals i_j of channels the largest of
//!   j (r + v) + (L − 1) i_j in place of h (r + v) + (L − 1) i
//! - store-and-forward: the same, and (L − 1) i more for every channel but the last to hold the packet
//! - circuit switching: the same as wormhole, and the acknowledgement's way back, Σ (a + s + c_j)
//!
//! where `out` is r + v + a + s + e with ports to the node, and nothing where flits leave from the inputs. `docs/simulation-schedules.md`
//! has the proof.

use crate::interval::Interval;
use crate::settings::{Flow, NodePorts, Settings};
use kernel::Channel;

impl Settings {
    /// From the request of a flit to its way on the channel behind the switch, of a head.
    fn stages(&self) -> u64 {
        u64::from(self.routing_delay) + u64::from(self.vc_delay) + self.passage()
    }

    /// The same of other flits.
    fn passage(&self) -> u64 {
        u64::from(self.allocation_delay) + u64::from(self.switch_delay)
    }

    fn along(&self, channel: Channel) -> u64 {
        let own = self.channel_delays.as_ref().and_then(|delays| delays.get(channel.index()));
        u64::from(*own.unwrap_or(&self.channel_delay))
    }

    /// Cycles from the first flit of a packet to the last behind a channel, or a port to the node.
    fn behind(&self, channel: Option<Channel>, flits: u32) -> u64 {
        let own = channel.map(|channel| self.interval_of(channel)).unwrap_or_default();
        own.max(Interval::cycles(self.interval)).times(flits.saturating_sub(1))
    }

    /// Cycles from the creation of a packet of so many flits to its arrival, if it meets no other and never waits for room. With intervals
    /// of channels that are no whole cycles it is up to a cycle a hop more.
    #[must_use]
    pub fn alone(&self, path: &[Channel], flits: u32) -> u64 {
        let hops = path.len() as u64;
        let channels: u64 = path.iter().map(|channel| self.along(*channel)).sum();
        let decision = u64::from(self.routing_delay) + u64::from(self.vc_delay);
        let (ejection, to_node) = match self.ejection {
            NodePorts::All => (0, None),
            NodePorts::Each(_) => (self.passage() + u64::from(self.ejection_delay), Some(None)),
        };
        let ways = || path.iter().map(|channel| Some(*channel)).chain(to_node);
        let behind = ways().map(|way| self.behind(way, flits));
        let decisions = decision * ways().count() as u64;
        let passages = u64::from(self.injection_delay) + hops * self.passage() + channels + ejection;
        passages
            + match self.flow {
                // Flits behind the head need no decision, so those that a slow channel has held up come nearer again.
                Flow::Wormhole | Flow::CutThrough => {
                    (1..).zip(behind).map(|(hop, behind)| hop * decision + behind).max().unwrap_or(0)
                }
                Flow::StoreAndForward => decisions + behind.sum::<u64>(),
                Flow::Circuit => decisions + behind.max().unwrap_or(0) + hops * self.passage() + channels,
            }
    }

    /// Cycles from the arrival of a packet to the first in which what it makes possible may be sent.
    pub(super) fn heard_after(&self) -> u64 {
        // What leaves in the cycle in which it passes the switch is heard of in the next.
        let is_late = self.ejection != NodePorts::All && self.passage() + u64::from(self.ejection_delay) == 0;
        u64::from(is_late && self.flow != Flow::Circuit)
    }

    /// Flits that a buffer must hold so that packets of so many flits that meet no others flow without a stop, one step after the
    /// other: those that are under way until a credit is back.
    #[must_use]
    pub fn least_buffer(&self, flits: u32) -> u32 {
        let slowest = self.channel_delays.iter().flatten().copied().max().unwrap_or(0).max(self.channel_delay);
        // Along a channel and back, and from a node to its router and back.
        let channel = 2 * u64::from(slowest) + u64::from(self.credit_delay);
        let injection = u64::from(self.injection_delay) + 1;
        let round = self.stages() + u64::from(self.allocation_delay) + channel.max(injection) + 1;
        let round = round.div_ceil(u64::from(self.interval));
        let whole = match self.flow {
            Flow::CutThrough | Flow::StoreAndForward => u64::from(flits),
            Flow::Wormhole | Flow::Circuit => 0,
        };
        u32::try_from(round + whole).unwrap_or(u32::MAX)
    }

    /// Whether packets of at most so many flits that meet no others never wait: buffers are large enough, and what passes a port is
    /// gone when it arrives.
    #[must_use]
    pub fn never_waits(&self, flits: u32) -> bool {
        let least = self.channel_delays.iter().flatten().copied().min().unwrap_or(self.channel_delay);
        let gone = self.passage() + u64::from(least);
        let slowest = self.channel_intervals.iter().flatten().max().map_or(0, |interval| interval.times(1));
        self.buffer >= self.least_buffer(flits) && slowest.max(self.interval.into()) <= gone
    }
}
