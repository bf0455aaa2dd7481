//! **What:** what channels and ports cost, step by step: in certificates of kinds `two-calls` and `late-lengths`.

use crate::{Network, Node};

/// What channels and ports cost in each step, each below 2^32.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepPrices {
    /// For each step one price a channel.
    pub channels: Vec<Vec<u64>>,
    /// For each step one price a node for each transfer it sends; none at all where sending costs nothing.
    pub send: Vec<Vec<u64>>,
    /// For each step one price a node for each transfer it receives; none at all where receiving costs nothing.
    pub receive: Vec<Vec<u64>>,
}

impl StepPrices {
    /// Steps that have prices.
    pub fn steps(&self) -> usize {
        self.channels.len()
    }

    /// Whether each step has one price a channel, and one a node where there are any.
    pub(crate) fn are_of(&self, network: &Network) -> bool {
        let is_whole = |list: &[Vec<u64>], each: usize| {
            list.len() == self.steps() && list.iter().all(|prices| prices.len() == each)
        };
        let ports = [&self.send, &self.receive];
        is_whole(&self.channels, network.channel_count())
            && ports.iter().all(|list| list.is_empty() || is_whole(list, network.node_count()))
    }

    /// Whether all are below 2^32.
    pub(crate) fn are_small(&self) -> bool {
        [&self.channels, &self.send, &self.receive].into_iter().flatten().flatten().all(|price| price >> 32 == 0)
    }

    /// What all channels and ports that there are cost in all steps together: price × capacity, of half-duplex groups the largest.
    pub(crate) fn cost(&self, network: &Network) -> u128 {
        let of_channels = |prices: &Vec<u64>| {
            let mut largest = vec![0u128; network.half_duplex().len()];
            let mut sum = 0u128;
            for channel in network.channels() {
                let most = u128::from(prices[channel.index()]) * u128::from(network.capacity(channel));
                match network.groups_of(channel).next() {
                    Some(group) => largest[group] = largest[group].max(most),
                    None => sum += most,
                }
            }
            sum + largest.iter().sum::<u128>()
        };
        let of_ports = |prices: &Vec<u64>, capacity: &dyn Fn(Node) -> u64| -> u128 {
            network.nodes().map(|v| u128::from(prices[v.index()]) * u128::from(capacity(v))).sum()
        };
        let sends = self.send.iter().map(|prices| of_ports(prices, &|v| network.send_capacity(v)));
        let receives = self.receive.iter().map(|prices| of_ports(prices, &|v| network.receive_capacity(v)));
        self.channels.iter().map(of_channels).chain(sends).chain(receives).sum()
    }

    /// What a transfer over one channel costs in a step, beside that channel: a send port and a receive port.
    pub(crate) fn ports(&self, step: usize, from: Node, to: Node) -> u64 {
        let of = |list: &[Vec<u64>], node: Node| list.get(step).map_or(0, |prices| prices[node.index()]);
        of(&self.send, from) + of(&self.receive, to)
    }
}
