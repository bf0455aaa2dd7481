//! **What:** networks changed in one respect: ports, half-duplex links, faults.
//!
//! **Facts:** node ids stay as they were, so that a schedule of a damaged network speaks of the same nodes. Channel ids
//! close up over the channels that are gone.
//!
//! **Source:** a failed node is one all of whose links have failed (thesis, section 8.6); it stays as a switch that nothing
//! reaches.
//!
//! **Example:**
//! ```
//! use kernel::{Network, Node, NetworkData};
//! let parts = NetworkData { name: "pair".into(), nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() };
//! let pair = Network::new(parts).unwrap();
//! let one_way = topologies::change::without_link(&pair, Node(0), Node(1), true).unwrap();
//! assert_eq!((one_way.name(), one_way.channel_count()), ("pair without 0>1", 1));
//! ```

use kernel::{Network, NetworkData, NetworkError, Node, Ports};

/// Why a network cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// Nothing joins the two nodes.
    #[error("no channel joins node {from} to node {to}")]
    NoLink {
        /// What one end is called.
        from: String,
        /// And the other.
        to: String,
    },
    /// The node does not exist.
    #[error("node {node} does not exist")]
    NoSuchNode {
        /// The node.
        node: Node,
    },
    /// The change leaves no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The network in which every node sends and receives at most as many messages a step as `ports` says.
///
/// # Errors
/// A number of ports of 0.
pub fn with_ports(network: &Network, ports: Ports) -> Result<Network, ChangeError> {
    let parts = network.data().clone();
    Ok(Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..parts })?)
}

/// The network in which switches store messages and send them on in later steps, as terminals do that have no part in the collective.
pub fn with_storing_switches(network: &Network) -> Network {
    let relays = network.nodes().filter(|v| !network.is_terminal(*v)).map(|v| v.0);
    let relays = network.data().relays.iter().copied().chain(relays).collect();
    let parts = NetworkData { terminals: None, relays, ..network.data().clone() };
    Network::new(parts).expect("nodes that were switches are terminals now, and all others are as they were")
}

/// The network in which of the nodes that take part in collectives only these do: the others store and send nothing, and paths lead through
/// them as through switches, if at all. Switches that store stay as they are.
///
/// # Errors
/// A node that does not exist.
pub fn with_members_only(network: &Network, members: &[Node]) -> Result<Network, ChangeError> {
    let parts = network.data().clone();
    let terminals: std::collections::BTreeSet<u32> =
        members.iter().map(|v| v.0).chain(parts.relays.iter().copied()).collect();
    let name = format!("{} with {} members", parts.name, members.len());
    Ok(Network::new(NetworkData { name, terminals: Some(terminals.into_iter().collect()), ..parts })?)
}

/// The network in which of two opposite channels one may be busy in a step. Parallel channels are paired in the order of
/// their ids; a channel without an opposite stays as it is, and so do groups that exist.
pub fn half_duplex(network: &Network) -> Result<Network, ChangeError> {
    let mut parts = network.data().clone();
    let mut waiting = std::collections::BTreeMap::<(u32, u32), std::collections::VecDeque<u32>>::new();
    for channel in network.channels().filter(|&c| network.groups_of(c).next().is_none()) {
        let (from, to) = (network.from(channel).0, network.to(channel).0);
        match waiting.get_mut(&(to, from)).and_then(|opposite| opposite.pop_front()) {
            Some(opposite) => parts.half_duplex.push(vec![opposite, channel.0]),
            None => waiting.entry((from, to)).or_default().push_back(channel.0),
        }
    }
    Ok(Network::new(parts)?)
}

/// The network without the channels from `from` to `to`, and without those back unless `directed`.
///
/// # Errors
/// [`ChangeError::NoLink`] where there is none.
pub fn without_link(network: &Network, from: Node, to: Node, directed: bool) -> Result<Network, ChangeError> {
    let (there, back) = ((from.0, to.0), (to.0, from.0));
    let goes = |channel: (u32, u32)| channel == there || (!directed && channel == back);
    if !network.data().channels.iter().any(|&c| goes(c)) {
        return Err(ChangeError::NoLink { from: network.name_of(from), to: network.name_of(to) });
    }
    let mut parts = keep(network, |channel| !goes(channel));
    let [from, to] = [from, to].map(|node| called(network, node));
    parts.name = format!("{} without {from}{}{to}", parts.name, if directed { '>' } else { '-' });
    Ok(Network::new(parts)?)
}

/// The network without the channels of `node`, which neither sends nor receives any more.
///
/// # Errors
/// [`ChangeError::NoSuchNode`], or that no terminal is left.
pub fn without_node(network: &Network, node: Node) -> Result<Network, ChangeError> {
    if node.index() >= network.node_count() {
        return Err(ChangeError::NoSuchNode { node });
    }
    let mut parts = keep(network, |(from, to)| from != node.0 && to != node.0);
    parts.terminals = Some(network.terminals().iter().filter(|v| **v != node).map(|v| v.0).collect());
    parts.name = format!("{} without {}", parts.name, called(network, node));
    Ok(Network::new(parts)?)
}

/// What a node is called in the name of the damaged network: on one of a family by its number, which tells what is damaged.
fn called(network: &Network, node: Node) -> String {
    let whole = network.name().split(" without ").next().unwrap_or_default();
    if crate::topology(whole).is_ok() { node.to_string() } else { network.name_of(node) }
}

/// The parts of `network` with only some of its channels; all lists of channels follow.
fn keep(network: &Network, stays: impl Fn((u32, u32)) -> bool) -> NetworkData {
    let mut parts = network.data().clone();
    let mut new_id = vec![None; parts.channels.len()];
    let mut next = 0;
    for (id, &channel) in new_id.iter_mut().zip(&parts.channels) {
        if stays(channel) {
            *id = Some(next);
            next += 1;
        }
    }
    let stays_at = |position: usize| new_id[position].is_some();
    let mut position = 0..;
    parts.channels.retain(|_| position.next().is_some_and(stays_at));
    if let Some(capacities) = &mut parts.capacities {
        let mut position = 0..;
        capacities.retain(|_| position.next().is_some_and(stays_at));
    }
    for group in &mut parts.half_duplex {
        *group = group.iter().filter_map(|&c| new_id[c as usize]).collect();
    }
    parts.half_duplex.retain(|group| group.len() > 1);
    parts
}
