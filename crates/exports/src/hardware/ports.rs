//! **What:** which neighbour is behind each port of a node, for those who read tables: lines of comments, and the same in JSON.
//!
//! **Parameters:** `node 3 mem2: outputs 0 -> r1, 1 -> r2 (capacity 2); inputs 0 <- r1`. Names are those of the network's file, numbers where it gives none.

use crate::c_names::comment;
use kernel::{Channel, Network, Node};
use serde::Serialize;

/// The neighbours of a node, by the ports that lead to them and from them.
#[derive(Serialize)]
pub(crate) struct NodePorts {
    node: u32,
    label: String,
    outputs: Vec<u32>,
    inputs: Vec<u32>,
}

/// Those of every node.
pub(crate) fn of_nodes(network: &Network) -> Vec<NodePorts> {
    let ends = |channels: &[Channel], end: &dyn Fn(Channel) -> Node| channels.iter().map(|c| end(*c).0).collect();
    let ports = |node: Node| NodePorts {
        node: node.0,
        label: network.label(node),
        outputs: ends(network.outgoing(node), &|channel| network.to(channel)),
        inputs: ends(network.incoming(node), &|channel| network.from(channel)),
    };
    network.nodes().map(ports).collect()
}

/// A line for every node that has channels, which may stand in a comment; without inputs where a table has none.
pub(crate) fn lines(network: &Network, with_inputs: bool) -> Vec<String> {
    let list = |channels: &[Channel], arrow: &str, end: &dyn Fn(Channel) -> Node| {
        let port = |(at, channel): (usize, &Channel)| {
            let capacity = network.capacity(*channel);
            let more = if capacity > 1 { format!(" (capacity {capacity})") } else { String::new() };
            format!("{at} {arrow} {}{more}", network.name_of(end(*channel)))
        };
        channels.iter().enumerate().map(port).collect::<Vec<_>>().join(", ")
    };
    let line = |node: Node| {
        let name = network.names().map(|names| format!(" {}", names[node.index()])).unwrap_or_default();
        let outputs = list(network.outgoing(node), "->", &|channel| network.to(channel));
        let inputs = list(network.incoming(node), "<-", &|channel| network.from(channel));
        let mut sides = Vec::new();
        if !outputs.is_empty() {
            sides.push(format!("outputs {outputs}"));
        }
        if with_inputs && !inputs.is_empty() {
            sides.push(format!("inputs {inputs}"));
        }
        (!sides.is_empty()).then(|| comment(&format!("node {node}{name}: {}", sides.join("; "))))
    };
    network.nodes().filter_map(line).collect()
}

/// The lines as a comment of C.
pub(crate) fn in_c(network: &Network, with_inputs: bool, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    writeln!(out, "/* Ports, with the neighbours behind them:")?;
    lines(network, with_inputs).iter().try_for_each(|line| writeln!(out, " * {line}"))?;
    writeln!(out, " */")
}
