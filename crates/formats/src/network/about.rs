//! **What:** what the graph formats say of a node beside its name: label, role, ports, and where it is.
//!
//! **Parameters:** the keys of `docs/networks.md`. A key that is not there, or has a value that means nothing under a name in wide use
//! (`kind`, `x`, `y`, `pos`), is told of and does no harm; a wrong value of our own keys is an error.

use crate::positions::{coordinate, number, pair};
use kernel::{Network, Node};

/// What is known of a node beside its name.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    pub label: Option<String>,
    /// Whether it is a terminal, where the file says so.
    pub terminal: Option<bool>,
    /// Whether paths may not pass through it.
    pub no_transit: bool,
    /// Messages it sends, and receives, at most in a step.
    pub send_ports: Option<u32>,
    pub receive_ports: Option<u32>,
    /// Right, and up.
    pub x: Option<f64>,
    pub y: Option<f64>,
}

impl About {
    /// Takes an attribute of a node, and tells whether it means something here.
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> Result<bool, &'static str> {
        match (name, value.trim()) {
            // Graphviz' way to say "its name".
            ("label", "\\N") => {}
            ("label", _) => self.label = Some(value.to_owned()),
            ("role" | "kind", "terminal" | "host") => self.terminal = Some(true),
            ("role" | "kind", "switch") => self.terminal = Some(false),
            ("role", _) => {
                return Err(
                    "`role` is not one of terminal, host, switch; give an attribute of another meaning another name, such as kind",
                );
            }
            // The Topology Zoo's nodes that stand for a link of several ends.
            ("hyperedge", "1" | "True" | "true") => self.terminal = Some(false),
            ("transit", "true" | "1") => self.no_transit = false,
            ("transit", "false" | "0") => self.no_transit = true,
            ("transit", _) => return Err("`transit` is not one of true, false"),
            ("ports", text) => (self.send_ports, self.receive_ports) = (ports(text)?, ports(text)?),
            ("send_ports", text) => self.send_ports = ports(text)?,
            ("receive_ports", text) => self.receive_ports = ports(text)?,
            ("x" | "lon" | "longitude" | "Longitude", text) => match number(text) {
                None => return Ok(false),
                found => self.x = found,
            },
            ("y" | "lat" | "latitude" | "Latitude", text) => match number(text) {
                None => return Ok(false),
                found => self.y = found,
            },
            ("pos", text) => match pair(text) {
                None => return Ok(false),
                Some((x, y)) => (self.x, self.y) = (Some(x), Some(y)),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A number of ports; `None` where channels alone limit them.
fn ports(text: &str) -> Result<Option<u32>, &'static str> {
    match text {
        "all" => Ok(None),
        "one" => Ok(Some(1)),
        _ => match text.parse() {
            Ok(ports @ 1..) => Ok(Some(ports)),
            _ => Err("the number of ports is not `all`, `one` or a whole number of at least 1"),
        },
    }
}

/// What is written of a node beside its label, role and transit, by key.
pub(super) fn written(network: &Network, node: Node) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let (send, receive) = (network.send_ports(node), network.receive_ports(node));
    match send == receive {
        true => found.extend(send.map(|ports| ("ports", ports.to_string()))),
        false => {
            found.extend(send.map(|ports| ("send_ports", ports.to_string())));
            found.extend(receive.map(|ports| ("receive_ports", ports.to_string())));
        }
    }
    if let Some(positions) = &network.data().positions {
        let (x, y) = positions[node.index()];
        found.extend([("x", coordinate(x).to_string()), ("y", coordinate(-y).to_string())]);
    }
    found
}
