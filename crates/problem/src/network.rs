//! **What:** an interconnection network: nodes joined by directed channels.
//!
//! A node is a *terminal* (it may send and receive messages) or a *switch* (it only lets paths pass). [`NetworkData`] is the
//! claim, plain data as a family, a reader or a user writes it; [`Network::new`] is its checker.

mod data;
mod hops;

use crate::{Channel, Node};
pub use data::{NetworkData, NetworkError, Ports};
use std::sync::Arc;

/// A sound network: ends exist, there are no loops, and adjacency agrees with the channels. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use]
pub struct Network {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    data: NetworkData,
    terminals: Vec<Node>,
    members: Vec<Node>,
    is_terminal: Vec<bool>,
    transit: Vec<bool>,
    outgoing: Lists,
    incoming: Lists,
    groups: Lists,
}

/// Lists of channels (or groups) a node (or channel), in one allocation.
#[derive(Debug)]
struct Lists {
    start: Vec<u32>,
    items: Vec<Channel>,
}

impl Lists {
    fn new(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut start = vec![0u32; keys + 1];
        for (key, _) in pairs.clone() {
            start[key as usize + 1] += 1;
        }
        for k in 0..keys {
            start[k + 1] += start[k];
        }
        let mut next = start.clone();
        let mut items = vec![Channel(0); start[keys] as usize];
        for (key, item) in pairs {
            items[next[key as usize] as usize] = Channel(item);
            next[key as usize] += 1;
        }
        Lists { start, items }
    }

    fn of(&self, key: usize) -> &[Channel] {
        &self.items[self.start[key] as usize..self.start[key + 1] as usize]
    }
}

impl Network {
    /// A network of so many nodes, all terminals, with a channel each way for every link.
    ///
    /// # Errors
    /// The first fault found, as [`NetworkError`].
    ///
    /// ```
    /// let square = problem::Network::from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
    /// assert_eq!((square.node_count(), square.channel_count()), (4, 8));
    /// # Ok::<(), problem::NetworkError>(())
    /// ```
    pub fn from_links(nodes: u32, links: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, NetworkError> {
        let channels = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        Self::from_channels(nodes, channels)
    }

    /// A network of so many nodes, all terminals, with these channels.
    ///
    /// # Errors
    /// The first fault found, as [`NetworkError`].
    pub fn from_channels(nodes: u32, channels: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, NetworkError> {
        let name = format!("{nodes} nodes");
        Network::new(NetworkData { name, nodes, channels: channels.into_iter().collect(), ..NetworkData::default() })
    }

    /// Checks `data` and makes the network.
    ///
    /// # Errors
    /// The first fault found, as [`NetworkError`].
    pub fn new(data: NetworkData) -> Result<Self, NetworkError> {
        data.check()?;
        Ok(Self::build(data))
    }

    fn build(data: NetworkData) -> Self {
        let n = data.nodes as usize;
        let mut is_terminal = vec![data.terminals.is_none(); n];
        for &t in data.terminals.iter().flatten() {
            is_terminal[t as usize] = true;
        }
        let terminals: Vec<Node> = (0..n).filter(|&v| is_terminal[v]).map(Node::new).collect();
        let mut is_member = is_terminal.clone();
        data.relays.iter().for_each(|v| is_member[*v as usize] = false);
        let members = terminals.iter().copied().filter(|v| is_member[v.index()]).collect();
        let mut transit = vec![true; n];
        for &v in &data.no_transit {
            transit[v as usize] = false;
        }
        let ids = || (0u32..).zip(data.channels.iter().copied());
        let outgoing = Lists::new(n, ids().map(|(c, (from, _))| (from, c)));
        let incoming = Lists::new(n, ids().map(|(c, (_, to))| (to, c)));
        let grouped = (0u32..).zip(&data.half_duplex).flat_map(|(g, list)| list.iter().map(move |&c| (c, g)));
        // Where there are no groups, no channel is asked for its own.
        let keys = if data.half_duplex.is_empty() { 0 } else { data.channels.len() };
        let groups = Lists::new(keys, grouped);
        Network {
            inner: Arc::new(Inner { terminals, members, is_terminal, transit, outgoing, incoming, groups, data }),
        }
    }

    /// The plain data it was made from.
    pub fn data(&self) -> &NetworkData {
        &self.inner.data
    }

    /// The specification it was made from, or its title.
    pub fn name(&self) -> &str {
        &self.inner.data.name
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.inner.data.nodes as usize
    }

    /// Number of directed channels.
    pub fn channel_count(&self) -> usize {
        self.inner.data.channels.len()
    }

    /// All nodes, ascending.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + use<> {
        (0..self.inner.data.nodes).map(Node)
    }

    /// All channels, ascending.
    pub fn channels(&self) -> impl ExactSizeIterator<Item = Channel> + use<> {
        (0..Channel::new(self.channel_count()).0).map(Channel)
    }

    /// The terminals that are in collectives of all, ascending: those that are no relays.
    pub fn members(&self) -> &[Node] {
        &self.inner.members
    }

    /// Whether `node` is in collectives of all.
    pub fn is_member(&self, node: Node) -> bool {
        self.inner.members.binary_search(&node).is_ok()
    }

    /// The nodes that may send and receive, ascending.
    pub fn terminals(&self) -> &[Node] {
        &self.inner.terminals
    }

    /// Whether `node` may send and receive.
    pub fn is_terminal(&self, node: Node) -> bool {
        self.inner.is_terminal[node.index()]
    }

    /// Whether a path may pass through `node`.
    pub fn is_transit(&self, node: Node) -> bool {
        self.inner.transit[node.index()]
    }

    /// The node a channel leaves.
    #[inline]
    pub fn from(&self, channel: Channel) -> Node {
        Node(self.inner.data.channels[channel.index()].0)
    }

    /// The node a channel enters.
    #[inline]
    pub fn to(&self, channel: Channel) -> Node {
        Node(self.inner.data.channels[channel.index()].1)
    }

    /// The channels that leave `node`, ascending.
    #[inline]
    pub fn outgoing(&self, node: Node) -> &[Channel] {
        self.inner.outgoing.of(node.index())
    }

    /// The channels that enter `node`, ascending.
    pub fn incoming(&self, node: Node) -> &[Channel] {
        self.inner.incoming.of(node.index())
    }

    /// Transfers that `channel` carries in a step.
    #[inline]
    pub fn capacity(&self, channel: Channel) -> u32 {
        self.inner.data.capacities.as_ref().map_or(1, |capacities| capacities[channel.index()])
    }

    /// The half-duplex groups; of each, one channel may be busy in a step.
    pub fn half_duplex(&self) -> &[Vec<u32>] {
        &self.inner.data.half_duplex
    }

    /// The positions in [`Network::half_duplex`] of the groups that hold `channel`.
    pub fn groups_of(&self, channel: Channel) -> impl Iterator<Item = usize> + '_ {
        let groups = if self.half_duplex().is_empty() { &[] } else { self.inner.groups.of(channel.index()) };
        groups.iter().map(|g| g.index())
    }

    /// Most messages `node` sends in a step; `None` where only channels limit it.
    pub fn send_ports(&self, node: Node) -> Option<u32> {
        self.inner.data.send_ports.of(node)
    }

    /// Most messages `node` receives in a step; `None` where only channels limit it.
    pub fn receive_ports(&self, node: Node) -> Option<u32> {
        self.inner.data.receive_ports.of(node)
    }

    /// The label of `node`, or its number, also where a claim names a node that does not exist.
    pub fn label(&self, node: Node) -> String {
        let labels = self.inner.data.labels.as_ref();
        labels.and_then(|labels| labels.get(node.index())).cloned().unwrap_or_else(|| node.to_string())
    }

    /// What `node` is called within a sentence: its label, coordinates in brackets.
    pub fn in_words(&self, node: Node) -> String {
        match self.label(node) {
            label if label.contains(',') => format!("({label})"),
            label => label,
        }
    }

    /// The labels where they are names, one a node. Labels of digits alone that have commas in them, or begin with 0, are coordinates or
    /// words, for which numbers stand where space is scarce.
    pub fn names(&self) -> Option<&[String]> {
        let labels = self.inner.data.labels.as_deref()?;
        let digits = |label: &String| label.bytes().all(|b| b.is_ascii_digit() || b == b',');
        let place = |label: &String| label.contains(',') || (label.len() > 1 && label.starts_with('0'));
        (!labels.iter().all(digits) || !labels.iter().any(place)).then_some(labels)
    }

    /// What `node` is called in lists and tables: its label where [labels are names](Network::names), else its number.
    pub fn name_of(&self, node: Node) -> String {
        self.names().map_or_else(|| node.to_string(), |names| names[node.index()].clone())
    }

    /// Most transfers the channels of `set` carry together in a step, half-duplex groups considered.
    ///
    /// An upper bound where groups overlap; exact otherwise.
    pub fn capacity_of(&self, set: impl IntoIterator<Item = Channel>) -> u64 {
        let mut largest = std::collections::BTreeMap::new();
        let mut sum = 0u64;
        for channel in set {
            let capacity = u64::from(self.capacity(channel));
            match self.groups_of(channel).next() {
                None => sum += capacity,
                Some(group) => {
                    let best = largest.entry(group).or_insert(0);
                    *best = capacity.max(*best);
                }
            }
        }
        sum + largest.values().sum::<u64>()
    }

    /// Most transfers `node` sends in a step: its ports, or its outgoing capacity where that is less.
    pub fn send_capacity(&self, node: Node) -> u64 {
        let channels = self.capacity_of(self.outgoing(node).iter().copied());
        self.send_ports(node).map_or(channels, |k| channels.min(u64::from(k)))
    }

    /// Most transfers `node` receives in a step: its ports, or its incoming capacity where that is less.
    pub fn receive_capacity(&self, node: Node) -> u64 {
        let channels = self.capacity_of(self.incoming(node).iter().copied());
        self.receive_ports(node).map_or(channels, |k| channels.min(u64::from(k)))
    }

    /// The network with every channel turned round and ports exchanged; ids stay.
    ///
    /// A gather on a network is a scatter on its reversal run backwards.
    pub fn reversed(&self) -> Self {
        let mut data = self.inner.data.clone();
        for channel in &mut data.channels {
            *channel = (channel.1, channel.0);
        }
        std::mem::swap(&mut data.send_ports, &mut data.receive_ports);
        Self::build(data)
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) || self.inner.data == other.inner.data
    }
}

impl Eq for Network {}
