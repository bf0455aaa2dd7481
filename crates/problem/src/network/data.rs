//! **What:** the claim of a network: plain data, and the rules that make it a network.

use crate::Node;
use std::collections::BTreeSet;

/// How many messages a node sends, or receives, at most in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ports {
    /// As many as its channels carry (all-port).
    #[default]
    All,
    /// The same number for every node.
    Each(u32),
    /// One number a node, or nothing where its channels alone limit it.
    List(Vec<Option<u32>>),
}

impl Ports {
    /// The limit of `node`; `None` where only the channels limit it.
    pub fn of(&self, node: Node) -> Option<u32> {
        match self {
            Ports::All => None,
            Ports::Each(k) => Some(*k),
            Ports::List(list) => list[node.index()],
        }
    }
}

/// The claim of a network: plain data, not yet known to be sound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct NetworkData {
    /// The specification it was made from, or a title.
    pub name: String,
    /// Number of nodes; ids run from 0.
    pub nodes: u32,
    /// A label a node, or nothing.
    pub labels: Option<Vec<String>>,
    /// What a file calls its nodes beside their labels, one a node, or nothing. No schedule file keeps it.
    pub ids: Option<Vec<String>>,
    /// Where the nodes are in space or in a drawing, one a node, or nothing: right and down, in millionths of whatever unit.
    pub positions: Option<Vec<(i64, i64)>>,
    /// Nodes that may send or receive; `None` means all.
    pub terminals: Option<Vec<u32>>,
    /// Terminals that have no part in collectives of all, such as switches that store what they send on.
    pub relays: Vec<u32>,
    /// Nodes where a path may begin or end but not pass through.
    pub no_transit: Vec<u32>,
    /// Directed channels `(from, to)`; the position is the channel's id and parallel channels repeat.
    pub channels: Vec<(u32, u32)>,
    /// Transfers each channel carries in a step; `None` means one each.
    pub capacities: Option<Vec<u32>>,
    /// Groups of channels of which one may be busy in a step.
    pub half_duplex: Vec<Vec<u32>>,
    /// Most messages a node sends in a step.
    pub send_ports: Ports,
    /// Most messages a node receives in a step.
    pub receive_ports: Ports,
}

/// What is wrong with the [`NetworkData`] of a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// There is nothing to schedule on.
    #[error("a network needs at least one node")]
    NoNodes,
    /// A channel's end is not a node.
    #[error("channel {channel} ends at node {node}, but nodes are 0 to {last}", last = nodes - 1)]
    NoSuchEnd {
        /// The channel.
        channel: u32,
        /// The end that does not exist.
        node: u32,
        /// Number of nodes.
        nodes: u32,
    },
    /// A channel leads from a node to itself.
    #[error("channel {channel} leads from node {node} to itself")]
    Loop {
        /// The channel.
        channel: u32,
        /// Its node.
        node: u32,
    },
    /// A list names a node that does not exist.
    #[error("`{field}` names node {node}, but nodes are 0 to {last}", last = nodes - 1)]
    NoSuchNode {
        /// The list.
        field: &'static str,
        /// The node that does not exist.
        node: u32,
        /// Number of nodes.
        nodes: u32,
    },
    /// A list names a node twice.
    #[error("`{field}` names {item} twice")]
    Twice {
        /// The list.
        field: &'static str,
        /// The repeated entry.
        item: u32,
    },
    /// A relay is no terminal, so that it could store nothing.
    #[error("`relays` names node {node}, which is not a terminal")]
    NoSuchRelay {
        /// The node.
        node: u32,
    },
    /// No node may send or receive.
    #[error("a network needs at least one terminal")]
    NoTerminals,
    /// A list that needs one entry a node or a channel has another length.
    #[error("`{field}` has {found} entries where {expected} are needed")]
    Length {
        /// The list.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The length it needs.
        expected: usize,
    },
    /// A capacity or a number of ports is zero.
    #[error("`{field}` of {item} is 0; it must be at least 1")]
    Zero {
        /// The list.
        field: &'static str,
        /// The channel or node.
        item: u32,
    },
    /// A half-duplex group names a channel that does not exist.
    #[error("half-duplex group {group} names channel {channel}, which does not exist")]
    NoSuchChannel {
        /// Position of the group.
        group: usize,
        /// The channel that does not exist.
        channel: u32,
    },
}

impl NetworkData {
    /// Whether it is sound.
    ///
    /// # Errors
    /// The first fault found.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let nodes = self.nodes;
        if nodes == 0 {
            return Err(NetworkError::NoNodes);
        }
        let n = nodes as usize;
        for (channel, &(from, to)) in (0u32..).zip(&self.channels) {
            for node in [from, to] {
                if node >= nodes {
                    return Err(NetworkError::NoSuchEnd { channel, node, nodes });
                }
            }
            if from == to {
                return Err(NetworkError::Loop { channel, node: from });
            }
        }
        if let Some(labels) = &self.labels {
            check_length("labels", labels.len(), n)?;
        }
        if let Some(ids) = &self.ids {
            check_length("ids", ids.len(), n)?;
        }
        if let Some(positions) = &self.positions {
            check_length("positions", positions.len(), n)?;
        }
        if let Some(terminals) = &self.terminals {
            check_nodes("terminals", terminals, nodes)?;
            if terminals.is_empty() {
                return Err(NetworkError::NoTerminals);
            }
        }
        check_nodes("relays", &self.relays, nodes)?;
        if let Some(terminals) = &self.terminals
            && let Some(&node) = self.relays.iter().find(|v| !terminals.contains(v))
        {
            return Err(NetworkError::NoSuchRelay { node });
        }
        if self.relays.len() >= self.terminals.as_ref().map_or(n, Vec::len) {
            return Err(NetworkError::NoTerminals);
        }
        check_nodes("no_transit", &self.no_transit, nodes)?;
        if let Some(capacities) = &self.capacities {
            check_length("capacities", capacities.len(), self.channels.len())?;
            check_positive("capacities", capacities)?;
        }
        for (field, ports) in [("ports.send", &self.send_ports), ("ports.receive", &self.receive_ports)] {
            match ports {
                Ports::All => {}
                Ports::Each(k) => check_positive(field, &[*k])?,
                Ports::List(list) => {
                    check_length(field, list.len(), n)?;
                    let limited: Vec<u32> = list.iter().map(|ports| ports.unwrap_or(u32::MAX)).collect();
                    check_positive(field, &limited)?;
                }
            }
        }
        for (group, channels) in self.half_duplex.iter().enumerate() {
            let mut seen = BTreeSet::new();
            for &channel in channels {
                if channel as usize >= self.channels.len() {
                    return Err(NetworkError::NoSuchChannel { group, channel });
                }
                if !seen.insert(channel) {
                    return Err(NetworkError::Twice { field: "half_duplex", item: channel });
                }
            }
        }
        Ok(())
    }
}

fn check_nodes(field: &'static str, list: &[u32], nodes: u32) -> Result<(), NetworkError> {
    let mut seen = BTreeSet::new();
    for &node in list {
        if node >= nodes {
            return Err(NetworkError::NoSuchNode { field, node, nodes });
        }
        if !seen.insert(node) {
            return Err(NetworkError::Twice { field, item: node });
        }
    }
    Ok(())
}

fn check_length(field: &'static str, found: usize, expected: usize) -> Result<(), NetworkError> {
    if found == expected { Ok(()) } else { Err(NetworkError::Length { field, found, expected }) }
}

fn check_positive(field: &'static str, list: &[u32]) -> Result<(), NetworkError> {
    match list.iter().position(|&x| x == 0) {
        Some(item) => Err(NetworkError::Zero { field, item: Node::new(item).0 }),
        None => Ok(()),
    }
}
