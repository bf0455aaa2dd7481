//! **What:** the network in one step, or in several equal steps at once, as a part of a flow graph.
//!
//! Paths of one commodity (equal messages, or messages of one origin) that share no capacity are an integral flow. A node
//! that lets no path pass is two flow nodes, one where channels leave and one where they enter. A half-duplex group of two
//! opposite channels needs nothing: what flows both ways cancels.

use crate::{flow::ArcId, flow::FlowGraph, flow::UNBOUNDED};
use kernel::{Channel, Network, Node, Problem};

/// One layer of a flow graph: flow nodes of all nodes and arcs of all channels.
#[derive(Clone, Debug)]
pub struct Layer {
    leave: usize,
    enter: Vec<usize>,
    first_arc: usize,
    channels: usize,
    opposite: Vec<(Channel, Channel)>,
}

impl Layer {
    /// Whether the transfers of a step are a flow: paths or hops within the step, and half-duplex groups of two opposite
    /// channels at most.
    pub fn fits(problem: &Problem) -> bool {
        let network = problem.network();
        !problem.model().is_slotted()
            && network.half_duplex().iter().all(|group| match group[..] {
                [a, b] => opposite(network, Channel(a), Channel(b)),
                _ => group.len() < 2,
            })
    }

    /// Adds the flow nodes and the arcs, of `steps` times the capacity and cost 1, of the channels for which `usable`
    /// holds; the others get capacity 0.
    pub fn add(graph: &mut FlowGraph, problem: &Problem, steps: u64, usable: impl Fn(Channel) -> bool) -> Self {
        let network = problem.network();
        let leave = graph.add_nodes(network.node_count());
        let enter: Vec<usize> = network
            .nodes()
            .map(|v| if problem.path_passes(v) { leave + v.index() } else { graph.add_node() })
            .collect();
        let first_arc = graph.arc_count();
        for channel in network.channels() {
            let capacity = if usable(channel) { steps * u64::from(network.capacity(channel)) } else { 0 };
            let (from, to) = (leave + network.from(channel).index(), enter[network.to(channel).index()]);
            graph.priced_arc(from, to, capacity, 1);
        }
        let opposite = network
            .half_duplex()
            .iter()
            .filter_map(|group| match group[..] {
                [a, b] => Some((Channel(a), Channel(b))),
                _ => None,
            })
            .collect();
        Layer { leave, enter, first_arc, channels: network.channel_count(), opposite }
    }

    /// Where flow leaves `node`.
    pub fn leave(&self, node: Node) -> usize {
        self.leave + node.index()
    }

    /// Where flow enters `node`.
    pub fn enter(&self, node: Node) -> usize {
        self.enter[node.index()]
    }

    /// The arc of a channel.
    pub fn arc(&self, channel: Channel) -> ArcId {
        ArcId::at(self.first_arc + channel.index())
    }

    /// The channel of an arc, if it is one of this layer.
    pub fn channel(&self, arc: ArcId) -> Option<Channel> {
        let position = arc.index().checked_sub(self.first_arc)?;
        (position < self.channels).then(|| Channel::new(position))
    }

    /// Whether the layer's arcs begin at `arc` or before it.
    pub fn begins_before(&self, arc: ArcId) -> bool {
        self.first_arc <= arc.index()
    }

    /// The channels on a path of arcs, in order.
    pub fn channels_of(&self, path: &[ArcId]) -> Vec<Channel> {
        path.iter().filter_map(|&a| self.channel(a)).collect()
    }

    /// Makes the flow obey the half-duplex groups.
    pub fn cancel_opposites(&self, graph: &mut FlowGraph) {
        for &(a, b) in &self.opposite {
            // Where a node lets nothing pass, flow into it and flow out of it are different transfers; one commodity never
            // has both, as a node does not send what it is about to receive.
            let (one, other) = (self.arc(a), self.arc(b));
            if graph.tail(one) == graph.head(other) && graph.head(one) == graph.tail(other) {
                graph.cancel(one, other);
            }
        }
    }
}

fn opposite(network: &Network, a: Channel, b: Channel) -> bool {
    network.from(a) == network.to(b) && network.to(a) == network.from(b)
}

/// A number of ports as a capacity.
pub fn ports(limit: Option<u32>, steps: u64) -> u64 {
    limit.map_or(UNBOUNDED, |k| steps * u64::from(k))
}
