//! **What:** the cheapest calls through each channel at a node, and what they use.
//!
//! **Method.** Cheapest paths over nodes and times, from the channel on or back from it. Under time-division a path takes a channel every `hop` slots, and after
//! the end of the period the slots begin anew; otherwise all its channels are used in one step.

use super::TwoCalls;
use crate::{Channel, Network, Node, Switching};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// One use of what has a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A channel, in a step.
    Channel {
        /// Which.
        channel: Channel,
        /// When.
        step: usize,
    },
    /// A send port, in a step.
    Send {
        /// Whose.
        node: Node,
        /// When.
        step: usize,
    },
    /// A receive port, in a step.
    Receive {
        /// Whose.
        node: Node,
        /// When.
        step: usize,
    },
}

/// A call between a node and another.
#[derive(Clone, Debug)]
pub struct Call {
    /// The other.
    pub other: Node,
    /// What it costs.
    pub price: u64,
    /// What it uses.
    pub uses: Vec<Use>,
}

/// Calls of which one takes place.
#[derive(Clone)]
pub(super) struct Gate {
    /// Of calls to the node, the first step in which what they bring may be told; of calls from it, the step in which they begin.
    pub step: usize,
    /// The cheapest with each other node.
    pub calls: Vec<Call>,
}

/// A node at a time: from the end of the period on, times are the number of steps and the slot of another period.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    node: Node,
    time: usize,
}

/// The cheapest way to a moment, or from it.
#[derive(Clone)]
struct Way {
    price: u64,
    before: Option<(Moment, Use)>,
}

impl TwoCalls<'_> {
    /// The early calls to `node` that may be followed, by their last channels; of port-limited nodes, as many as it has ports.
    pub(super) fn entries(&self, node: Node) -> Vec<Gate> {
        let network = self.problem.network();
        let mut all = Vec::new();
        for time in 0..(self.steps - 1).saturating_sub(self.hop) {
            let of_channel = |channel: &Channel| {
                let start = Moment { node: network.from(*channel), time };
                let receive = Use::Receive { node, step: (time + self.hop) % self.steps };
                let calls = self.ways(start, false, node).into_iter().filter(|(at, _)| at.node != node);
                let calls = calls.map(|(at, uses)| {
                    let send = Use::Send { node: at.node, step: at.time };
                    let last = Use::Channel { channel: *channel, step: time };
                    self.call(at.node, uses.into_iter().chain([send, last, receive]))
                });
                let step = time + self.hop + 1;
                repeated(Gate { step, calls: cheapest(calls) }, network, *channel)
            };
            let gates = network.incoming(node).iter().flat_map(of_channel).collect();
            all.extend(limited(gates, network.receive_ports(node)));
        }
        all
    }

    /// The late calls from `node`, by their first channels.
    pub(super) fn exits(&self, node: Node) -> Vec<Gate> {
        let network = self.problem.network();
        let mut all = Vec::new();
        for time in self.wait..self.steps {
            let of_channel = |channel: &Channel| {
                let calls = self.sent(node, time, *channel).into_iter().map(|(_, call)| call);
                repeated(Gate { step: time, calls: cheapest(calls) }, network, *channel)
            };
            let gates = network.outgoing(node).iter().flat_map(of_channel).collect();
            all.extend(limited(gates, network.send_ports(node)));
        }
        all
    }

    /// The cheapest early calls from `node` that bring what cannot be told any more.
    pub(super) fn unfollowed(&self, node: Node) -> Vec<Call> {
        let network = self.problem.network();
        let begins = 0..self.wait.min(self.steps);
        let calls = begins.flat_map(|time| network.outgoing(node).iter().flat_map(move |c| self.sent(node, time, *c)));
        cheapest(calls.filter(|(at, _)| at.time + 1 >= self.steps).map(|(_, call)| call))
    }

    /// The cheapest calls from `node` that begin with `channel` at a time, with the moments at which they arrive.
    fn sent(&self, node: Node, time: usize, channel: Channel) -> Vec<(Moment, Call)> {
        let network = self.problem.network();
        let Some(arrives) = self.later(time) else { return Vec::new() };
        let start = Moment { node: network.to(channel), time: arrives };
        let ways = self.ways(start, true, node).into_iter().filter(|(at, _)| at.node != node);
        let call = |(at, uses): (Moment, Vec<Use>)| {
            let first = [Use::Send { node, step: time }, Use::Channel { channel, step: time }];
            let receive = Use::Receive { node: at.node, step: at.time % self.steps };
            (at, self.call(at.node, first.into_iter().chain(uses).chain([receive])))
        };
        ways.map(call).collect()
    }

    fn call(&self, other: Node, uses: impl Iterator<Item = Use>) -> Call {
        let uses: Vec<Use> = uses.collect();
        Call { other, price: uses.iter().map(|used| self.price(*used)).sum(), uses }
    }

    fn price(&self, used: Use) -> u64 {
        let of = |prices: &[Vec<u64>], step: usize, at: usize| prices.get(step).map_or(0, |prices| prices[at]);
        match used {
            Use::Channel { channel, step } => of(&self.prices.steps.channels, step, channel.index()),
            Use::Send { node, step } => of(&self.prices.steps.send, step, node.index()),
            Use::Receive { node, step } => of(&self.prices.steps.receive, step, node.index()),
        }
    }

    /// When a channel has been crossed that is used at a time; none after the end of the only period.
    fn later(&self, time: usize) -> Option<usize> {
        let later = time + self.hop;
        match self.problem.model().switching {
            Switching::Tdm { cyclic: false, .. } if later >= self.steps => None,
            _ if later >= self.steps => Some(self.steps + later % self.steps),
            _ => Some(later),
        }
    }

    /// The cheapest ways from `start` on, or back from it, to terminals at all times, with the channels between. A path of one step need not come past `end`.
    fn ways(&self, start: Moment, on: bool, end: Node) -> Vec<(Moment, Vec<Use>)> {
        let network = self.problem.network();
        let mut ways = BTreeMap::from([(start, Way { price: 0, before: None })]);
        let mut queue = BinaryHeap::from([Reverse((0u64, start))]);
        while let Some(Reverse((price, at))) = queue.pop() {
            if ways[&at].price != price || !self.problem.path_passes(at.node) || (self.hop == 0 && at.node == end) {
                continue;
            }
            for &channel in if on { network.outgoing(at.node) } else { network.incoming(at.node) } {
                let next = match on {
                    true => self.later(at.time).map(|time| Moment { node: network.to(channel), time }),
                    false => at.time.checked_sub(self.hop).map(|time| Moment { node: network.from(channel), time }),
                };
                let Some(next) = next else { continue };
                let step = if on { at.time % self.steps } else { next.time };
                let used = Use::Channel { channel, step };
                let price = price + self.price(used);
                if ways.get(&next).is_none_or(|way| price < way.price) {
                    ways.insert(next, Way { price, before: Some((at, used)) });
                    queue.push(Reverse((price, next)));
                }
            }
        }
        let uses = |moment: &Moment| {
            let (mut at, mut uses) = (*moment, Vec::new());
            while let Some((before, used)) = ways[&at].before {
                uses.push(used);
                at = before;
            }
            uses
        };
        ways.keys().filter(|at| network.is_terminal(at.node)).map(|at| (*at, uses(at))).collect()
    }
}

/// Of calls with the same node the cheapest.
fn cheapest(calls: impl Iterator<Item = Call>) -> Vec<Call> {
    let mut best: BTreeMap<Node, Call> = BTreeMap::new();
    for call in calls {
        if best.get(&call.other).is_none_or(|known| call.price < known.price) {
            best.insert(call.other, call);
        }
    }
    best.into_values().collect()
}

/// A gate for each transfer that the channel carries, no more than there are nodes to call.
fn repeated(gate: Gate, network: &Network, channel: Channel) -> impl Iterator<Item = Gate> + use<> {
    let copies = (network.capacity(channel) as usize).min(gate.calls.len());
    std::iter::repeat_n(gate, copies)
}

/// Of gates in the same step, no more than ports: each has what is cheapest in any.
fn limited(gates: Vec<Gate>, ports: Option<u32>) -> Vec<Gate> {
    match (gates.first().map(|gate| gate.step), ports) {
        (Some(step), Some(ports)) if (ports as usize) < gates.len() => {
            let calls = cheapest(gates.into_iter().flat_map(|gate| gate.calls));
            vec![Gate { step, calls }; ports as usize]
        }
        _ => gates,
    }
}
