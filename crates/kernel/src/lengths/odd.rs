//! **What:** what sets of nodes that cannot be filled take off the capacity of a step.
//!
//! **Theory.** In one step, count how often paths cross the border of a set of nodes, either way, and add the transfers that
//! its nodes send and those that they receive. A path that begins and ends inside crosses the border an even number of
//! times and counts one for its sender and one for its receiver; one that begins or ends inside, but not both, crosses it
//! an odd number of times and counts one; one that does neither crosses it an even number of times. So the count is even.
//! If the channels of the border (of a half-duplex group the largest) and the ports of the set could carry an odd number
//! in a step, one place stays empty in every step. A weight given to all of them alike then costs a step that weight times
//! the number less one. A weight of a channel beyond what the sets that it borders give it counts in full.
//!
//! **Example:** a node with three half-duplex links that sends one message a step and receives one: if it does both, no path
//! passes it and one link is idle; if paths take all three links, it sends or receives, not both.
//!
//! Under time-division the channels of a path are busy in different slots, and nothing is even.

use super::Whole;
use crate::certify::members;
use crate::{Channel, Node, OddSet, Problem, Refused};

/// The parts of weights that sets account for, and what a step carries of them.
pub(super) struct Spared {
    /// Of each channel's weight; none at all where there are no sets.
    channels: Vec<u128>,
    /// Of the weights of each node's send and receive ports; none at all where there are no sets.
    ports: Vec<u128>,
    /// What the sets carry in a step, weighted.
    pub capacity: u128,
}

impl Spared {
    /// The part of a channel's weight.
    #[inline]
    pub(super) fn channel(&self, channel: Channel) -> u128 {
        self.channels.get(channel.index()).copied().unwrap_or(0)
    }

    /// The part of the weight of a node's send ports, and of its receive ports.
    pub(super) fn node(&self, node: Node) -> u128 {
        self.ports.get(node.index()).copied().unwrap_or(0)
    }

    /// Of sets with the weights that `whole` gives them.
    pub(super) fn new(problem: &Problem, sets: &[OddSet], whole: &Whole<'_>) -> Result<Self, Refused> {
        let network = problem.network();
        let mut spared = Spared { channels: Vec::new(), ports: Vec::new(), capacity: 0 };
        if sets.is_empty() {
            return Ok(spared);
        }
        (spared.channels, spared.ports) = (vec![0; network.channel_count()], vec![0; network.node_count()]);
        if problem.model().is_slotted() {
            let why = "odd sets are of steps in which paths are whole, not of slots";
            return Err(Refused::NotApplicable { kind: "lengths", why });
        }
        for (set, (OddSet { nodes, .. }, &weight)) in sets.iter().zip(&whole.odd).enumerate() {
            let bad = |why| Refused::BadOddSet { set, why };
            let inside = members(problem, nodes)?;
            let mut border = Vec::new();
            let mut places = 0u64;
            for &node in nodes {
                let ends = network.outgoing(node).iter().map(|c| (*c, network.to(*c)));
                let ends = ends.chain(network.incoming(node).iter().map(|c| (*c, network.from(*c))));
                border.extend(ends.filter(|(_, other)| !inside[other.index()]).map(|(c, _)| c));
                if network.is_terminal(node) {
                    let ports = network.send_capacity(node).checked_add(network.receive_capacity(node));
                    places = ports.and_then(|p| places.checked_add(p)).ok_or_else(|| bad("has too many places"))?;
                    let known = &mut spared.ports[node.index()];
                    *known = known.checked_add(weight).ok_or_else(|| bad("weighs too much"))?;
                    if *known > whole.send[node.index()].min(whole.receive[node.index()]) {
                        return Err(bad("and those before it weigh more than a port of theirs"));
                    }
                }
            }
            for &channel in &border {
                let known = &mut spared.channels[channel.index()];
                *known = known.checked_add(weight).ok_or_else(|| bad("weighs too much"))?;
                if *known > whole.weight(channel) {
                    return Err(bad("and those before it weigh more than a channel of their borders"));
                }
            }
            let places = places.checked_add(network.capacity_of(border)).ok_or_else(|| bad("has too many places"))?;
            if places.is_multiple_of(2) {
                return Err(bad("can be filled: it has an even number of places"));
            }
            let most = weight.checked_mul(u128::from(places - 1)).and_then(|m| spared.capacity.checked_add(m));
            spared.capacity = most.ok_or_else(|| bad("weighs too much"))?;
        }
        Ok(spared)
    }
}
