//! **What:** the network as routers see it: ports and virtual channels numbered so that those of one router lie side by side.
//!
//! **Layout:** inputs of a router are its incoming channels, then the ports from its node; outputs are its outgoing channels, then
//! the ports to its node. Virtual channel `v` of port `p` has number `p << shift | v`. The node's ends of injection ports are numbered as
//! outputs behind all others, so that credits have one kind of target.

use crate::packets::NONE;
use crate::settings::{NodePorts, Settings, SettingsError};
use crate::wheel::TO_NODE;
use kernel::{Network, Node};

/// The numbers of ports.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Virtual channels of a port are numbered in this many bits.
    pub(crate) shift: u32,
    /// The first input of every router, and the end.
    pub(crate) inputs: Vec<u32>,
    /// The first output of every router, and the end.
    pub(crate) outputs: Vec<u32>,
    /// The first injection port of every node (counted by themselves), and the end.
    pub(crate) injections: Vec<u32>,
    /// The output that is the start of a channel.
    pub(crate) output_of: Vec<u32>,
    /// The input that is the end of a channel.
    pub(crate) input_of: Vec<u32>,
    /// The channel of an input, or [`NONE`].
    pub(crate) channel_in: Vec<u32>,
    /// The input that an output leads to, or [`TO_NODE`].
    pub(crate) leads_to: Vec<u32>,
    /// The output that leads to an input.
    pub(crate) comes_from: Vec<u32>,
    /// The router of an input.
    pub(crate) router: Vec<u32>,
    /// Ports to the node, the last outputs of a router; none where flits leave from the inputs.
    pub(crate) ejections: Vec<u32>,
}

/// Flits that all buffers may hold at most: 4 bytes each.
const MOST_FLITS: u64 = 1 << 28;

impl Layout {
    /// The ports of a network.
    ///
    /// # Errors
    /// Channels of several packets (see [`Parallel`](crate::play::Parallel)), and buffers that would take more memory than a gibibyte.
    pub(crate) fn new(network: &Network, settings: &Settings) -> Result<Self, SettingsError> {
        if network.data().capacities.iter().flatten().any(|capacity| *capacity != 1) {
            let what = "channels that carry several packets at once";
            return Err(SettingsError::Network { network: network.name().into(), what });
        }
        let ports = |ports: NodePorts, own: Option<u32>, channels: usize| match (own, ports) {
            (Some(own), NodePorts::All) => own,
            (_, NodePorts::Each(ports)) => ports,
            (None, NodePorts::All) => u32::try_from(channels.max(1)).expect("channels have 32-bit numbers"),
        };
        let (mut inputs, mut outputs, mut injections, mut ejections) = (vec![0u32], vec![0u32], vec![0u32], Vec::new());
        let mut total = 0u64;
        for node in network.nodes() {
            let (incoming, outgoing) = (network.incoming(node).len(), network.outgoing(node).len());
            let sends = |count| if network.is_terminal(node) { count } else { 0 };
            let injection = sends(ports(settings.injection, network.send_ports(node), outgoing));
            let ejection = match settings.ejection {
                NodePorts::All => 0,
                NodePorts::Each(ports) => sends(ports),
            };
            total += incoming as u64 + outgoing as u64 + 2 * u64::from(injection) + u64::from(ejection);
            let needed = total.saturating_mul(u64::from(settings.virtual_channels.next_power_of_two()))
                * u64::from(settings.buffer);
            if needed > MOST_FLITS {
                return Err(SettingsError::TooLarge { what: "the buffers of all routers", needed, most: MOST_FLITS });
            }
            let add = |list: &mut Vec<u32>, channels: usize, ports: u32| {
                let last = list.last().copied().expect("the list begins with 0");
                list.push(last + u32::try_from(channels).expect("checked by their sum") + ports);
            };
            add(&mut inputs, incoming, injection);
            add(&mut outputs, outgoing, ejection);
            add(&mut injections, 0, injection);
            ejections.push(ejection);
        }
        let (ins, outs) = (inputs[network.node_count()], outputs[network.node_count()]);
        let sends = injections[network.node_count()];
        let mut layout = Layout {
            shift: settings.virtual_channels.next_power_of_two().trailing_zeros(),
            output_of: vec![NONE; network.channel_count()],
            input_of: vec![NONE; network.channel_count()],
            channel_in: vec![NONE; ins as usize],
            leads_to: vec![TO_NODE; (outs + sends) as usize],
            comes_from: vec![NONE; ins as usize],
            router: vec![0; ins as usize],
            inputs,
            outputs,
            injections,
            ejections,
        };
        layout.join(network);
        Ok(layout)
    }

    fn join(&mut self, network: &Network) {
        for node in network.nodes() {
            for (output, channel) in (self.outputs[node.index()]..).zip(network.outgoing(node)) {
                self.output_of[channel.index()] = output;
            }
            for (input, channel) in (self.inputs[node.index()]..).zip(network.incoming(node)) {
                self.input_of[channel.index()] = input;
                self.channel_in[input as usize] = channel.0;
            }
            let (first, last) = (self.inputs[node.index()], self.inputs[node.index() + 1]);
            self.router[first as usize..last as usize].fill(node.0);
        }
        for (output, input) in self.output_of.iter().zip(&self.input_of) {
            self.leads_to[*output as usize] = *input;
            self.comes_from[*input as usize] = *output;
        }
        let behind = self.outputs[network.node_count()];
        for node in network.nodes() {
            for port in 0..self.injection_ports(node) {
                let number = self.injections[node.index()] + port;
                let input = self.inputs[node.index() + 1] - self.injection_ports(node) + port;
                self.leads_to[(behind + number) as usize] = input;
                self.comes_from[input as usize] = behind + number;
            }
        }
    }

    /// Most ports of a router, from where those of each begin.
    pub(crate) fn most(starts: &[u32]) -> usize {
        starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0) as usize
    }

    /// Ports from a node to its router.
    pub(crate) fn injection_ports(&self, node: Node) -> u32 {
        self.injections[node.index() + 1] - self.injections[node.index()]
    }

    /// Inputs of all routers.
    pub(crate) fn input_count(&self) -> usize {
        self.router.len()
    }

    /// Outputs of all routers and nodes.
    pub(crate) fn output_count(&self) -> usize {
        self.leads_to.len()
    }

    /// The number of the first injection port among outputs.
    pub(crate) fn first_injection(&self) -> u32 {
        self.outputs[self.outputs.len() - 1]
    }
}
