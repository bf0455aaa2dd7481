//! **What:** the best prices that change from step to step, under store-and-forward: what certificates of kind `late-lengths` prove.
//!
//! **Idea:** where messages go in T steps is a path in the *time-expanded network*, which has each node once before and after each step and each channel once in each step, and
//! where waiting takes nothing. Sent at once over such paths, messages load a channel with no more than its capacity, and so whatever its prices, their
//! distances there are no more than prices × capacities. The best prices are those of `lengths` on that network, for one step.
//!
//! **Ports** are channels of that network, between a node and the transfers it sends or receives in a step.
//!
//! **Loses** where T is much longer than distances: then little is lost in the first and the last steps, and the network is large.
//!
//! **Source:** L. R. Ford, D. R. Fulkerson, "Constructing maximal dynamic flows from static flows", 1958, for the time-expanded network.

use super::demands::Demands;
use super::spreading::best_prices;
use super::{GRAINS, Wanted, is_unicast, measure};
use crate::Refuter;
use kernel::{
    Channel, Collective, Model, Network, NetworkData, Node, Problem, Proof, Semantics, StepPrices, Switching,
};
use run::{Budget, Run};

/// The registry's entry.
pub(crate) const REFUTER: Refuter = Refuter {
    name: "late-lengths",
    about: "store-and-forward: weights of channels and ports in each step under which messages, moving one channel a step, need more than there is",
    source: "time-expanded networks as Ford and Fulkerson 1958; prices as for lengths",
    refute,
};

/// Most channels of a time-expanded network, times the nodes that messages begin at.
const MOST_PLACES: usize = 1 << 20;

/// Whether it is for this problem, and so many steps.
pub(crate) fn applies(problem: &Problem, steps: u64) -> bool {
    let (network, model, collective) = (problem.network(), problem.model(), problem.collective());
    let is_alone = model.switching == Switching::StoreAndForward && !model.combining;
    let a_step = (network.channel_count() + 3 * network.node_count()).saturating_mul(network.terminals().len());
    let places = usize::try_from(steps).unwrap_or(usize::MAX).saturating_mul(a_step);
    is_alone && places <= MOST_PLACES && collective.message_count() > 0 && is_unicast(problem)
}

fn refute(problem: &Problem, steps: u64, ticks: u64, run: &Run<'_>) -> Option<Proof> {
    if !applies(problem, steps) {
        return None;
    }
    InTime::new(problem, steps)?.refute(problem, &mut Budget::new(run, ticks))
}

/// The time-expanded network of so many steps, and which of its channels stand for what.
struct InTime {
    steps: usize,
    network: Network,
    /// Of each step, the first of its channels: those of the network, then, node by node, what is sent and what is received where ports are few.
    first: Vec<usize>,
    /// Nodes that send, and that receive, no more than their ports allow.
    few: [Vec<Node>; 2],
}

impl InTime {
    /// `None` where there are too many messages.
    fn new(problem: &Problem, steps: u64) -> Option<Self> {
        let network = problem.network();
        let (steps, nodes) = (usize::try_from(steps).ok()?, network.node_count());
        let messages = u32::try_from(problem.collective().message_count()).ok()?;
        let is_few = |ports: Option<u32>, list: &[Channel]| {
            ports.is_some_and(|ports| u64::from(ports) < network.capacity_of(list.iter().copied()))
        };
        let terminals = || network.terminals().iter().copied();
        let sends = terminals().filter(|v| is_few(network.send_ports(*v), network.outgoing(*v)));
        let receives = terminals().filter(|v| is_few(network.receive_ports(*v), network.incoming(*v)));
        let few: [Vec<Node>; 2] = [sends.collect(), receives.collect()];
        // Before and after each step, then what ports are between, step by step.
        let place = |v: Node, time: usize| (time * nodes + v.index()) as u32;
        let mut data = NetworkData { nodes: ((steps + 1) * nodes) as u32, ..NetworkData::default() };
        let (mut first, mut capacities) = (Vec::new(), Vec::new());
        for step in 0..steps {
            first.push(data.channels.len());
            let mut tails: Vec<u32> = network.nodes().map(|v| place(v, step)).collect();
            let mut heads: Vec<u32> = network.nodes().map(|v| place(v, step + 1)).collect();
            let mut ports = Vec::new();
            for v in &few[0] {
                let gate = data.nodes;
                data.nodes += 1;
                let node = std::mem::replace(&mut tails[v.index()], gate);
                ports.push(((node, gate), network.send_capacity(*v)));
            }
            for v in &few[1] {
                let gate = data.nodes;
                data.nodes += 1;
                let node = std::mem::replace(&mut heads[v.index()], gate);
                ports.push(((gate, node), network.receive_capacity(*v)));
            }
            for channel in network.channels() {
                data.channels.push((tails[network.from(channel).index()], heads[network.to(channel).index()]));
                capacities.push(network.capacity(channel));
            }
            for group in network.half_duplex() {
                data.half_duplex.push(group.iter().map(|c| c + first[step] as u32).collect());
            }
            for (ends, capacity) in ports {
                data.channels.push(ends);
                capacities.push(u32::try_from(capacity).ok()?);
            }
            // All messages may wait.
            for v in terminals() {
                data.channels.push((place(v, step), place(v, step + 1)));
                capacities.push(messages);
            }
        }
        data.capacities = Some(capacities);
        let network = Network::new(data).ok()?;
        Some(InTime { steps, network, first, few })
    }

    /// A proof that the steps are too few, if it is found.
    fn refute(&self, problem: &Problem, budget: &mut Budget<'_>) -> Option<Proof> {
        let collective = problem.collective();
        let last = |v: Node| Node::new(self.steps * problem.network().node_count() + v.index());
        let messages = collective.messages().map(|m| (collective.origin(m), collective.destinations(m)[0]));
        let messages = messages.filter(|(from, to)| from != to).map(|(from, to)| (vec![from], vec![last(to)]));
        let told = Collective::new("in time", Semantics::Copy, None, messages).ok()?;
        // That is no problem where a message cannot come in time, whatever the prices.
        let Ok(in_time) = Problem::new(self.network.clone(), told, Model::wormhole()) else {
            return Some(Proof::LateLengths { prices: self.prices(&|_| 0.0, problem, 1) });
        };
        let mut demands = Demands::new(&in_time);
        if demands.sources.is_empty() {
            return None;
        }
        let wanted = Wanted { floor: 1, ceiling: Some(2) };
        let found = best_prices(&mut demands, wanted, budget);
        if found.bound <= 1.0 {
            return None;
        }
        let each = demands.each(&found.prices);
        let price = |channel: usize| {
            let share = demands.channel(Channel::new(channel));
            each[share.resource] / share.places
        };
        let proof = |grain: u64| Proof::LateLengths { prices: self.prices(&price, problem, grain) };
        GRAINS.into_iter().map(proof).find(|proof| measure(problem, proof.clone()).steps > self.steps as u64)
    }

    /// Prices in whole numbers up to `grain`.
    fn prices(&self, price: &dyn Fn(usize) -> f64, problem: &Problem, grain: u64) -> StepPrices {
        let (channels, nodes) = (problem.network().channel_count(), problem.network().node_count());
        let [sends, receives] = &self.few;
        let used = channels + sends.len() + receives.len();
        let most =
            self.first.iter().flat_map(|first| *first..first + used).map(price).fold(f64::MIN_POSITIVE, f64::max);
        let whole = |channel: usize| (price(channel) / most * grain as f64).round() as u64;
        let ports = |few: &[Node], after: usize| -> Vec<Vec<u64>> {
            let in_step = |first: &usize| {
                let mut list = vec![0; nodes];
                (first + after..).zip(few).for_each(|(channel, v)| list[v.index()] = whole(channel));
                list
            };
            if few.is_empty() { Vec::new() } else { self.first.iter().map(in_step).collect() }
        };
        StepPrices {
            channels: self.first.iter().map(|first| (*first..first + channels).map(whole).collect()).collect(),
            send: ports(sends, channels),
            receive: ports(receives, channels + sends.len()),
        }
    }
}
