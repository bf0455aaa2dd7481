//! **What:** the family member that a network is, with the maps between both.

use crate::changes::{Changes, partner};
use kernel::{Channel, Network, Node};

/// A member of a family that a network is isomorphic to, and how their nodes and channels correspond.
#[derive(Clone, Debug)]
pub struct Identity {
    spec: String,
    network: Network,
    nodes: Maps,
    channels: Maps,
}

/// A one-to-one map and its inverse.
#[derive(Clone, Debug)]
struct Maps {
    there: Vec<u32>,
    back: Vec<u32>,
}

impl Maps {
    /// `None` where `there` is not one-to-one.
    fn new(there: Vec<u32>) -> Option<Self> {
        let mut back = vec![u32::MAX; there.len()];
        for (from, &to) in (0..).zip(&there) {
            let place = back.get_mut(to as usize)?;
            if std::mem::replace(place, from) != u32::MAX {
                return None;
            }
        }
        Some(Maps { there, back })
    }
}

impl Identity {
    /// Checks that `nodes` maps `ours` to `family` and that channels can follow; `None` where they cannot.
    pub(crate) fn new(
        ours: &Network,
        spec: String,
        family: &Network,
        changes: Changes,
        nodes: Vec<u32>,
    ) -> Option<Self> {
        let network = changes.apply(family.clone());
        if ours.node_count() != network.node_count() || ours.channel_count() != network.channel_count() {
            return None;
        }
        let nodes = Maps::new(nodes)?;
        let image = |v: Node| Node(nodes.there[v.index()]);
        let alike = |v: Node| {
            let w = image(v);
            let role = |network: &Network, v| {
                (network.is_terminal(v), network.is_transit(v), network.send_ports(v), network.receive_ports(v))
            };
            role(ours, v) == role(&network, w)
        };
        if !ours.nodes().all(alike) {
            return None;
        }
        let channels = Maps::new(channel_map(ours, &network, image)?)?;
        let identity = Identity { spec, network, nodes, channels };
        identity.keeps_channels(ours).then_some(identity)
    }

    fn keeps_channels(&self, ours: &Network) -> bool {
        let alike = |c: Channel| {
            let d = self.channel(c);
            let ends = (self.node(ours.from(c)), self.node(ours.to(c)));
            let pair = |network, c| partner(network, c).map(|other| other.0);
            ends == (self.network.from(d), self.network.to(d))
                && ours.capacity(c) == self.network.capacity(d)
                && pair(ours, c).map(|other| self.channel(Channel(other)).0) == pair(&self.network, d)
        };
        ours.channels().all(alike)
    }

    /// The canonical specification, such as `torus:4x8`.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The family's own network, with the ports, the capacity and the half-duplex links of the network that was identified.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The family's node for one of the network that was identified.
    pub fn node(&self, ours: Node) -> Node {
        Node(self.nodes.there[ours.index()])
    }

    /// The family's channel for one of the network that was identified.
    pub fn channel(&self, ours: Channel) -> Channel {
        Channel(self.channels.there[ours.index()])
    }

    /// The node of the network that was identified, for one of the family's.
    pub fn node_back(&self, family: Node) -> Node {
        Node(self.nodes.back[family.index()])
    }

    /// The channel of the network that was identified, for one of the family's.
    pub fn channel_back(&self, family: Channel) -> Channel {
        Channel(self.channels.back[family.index()])
    }

    /// Whether nodes and channels have the same numbers in both networks.
    pub fn is_trivial(&self) -> bool {
        let fixed = |maps: &Maps| (0..).zip(&maps.there).all(|(from, to)| from == *to);
        fixed(&self.nodes) && fixed(&self.channels)
    }
}

/// Where each channel goes: those between the same nodes in the order of their numbers, and half-duplex pairs to pairs.
fn channel_map(ours: &Network, family: &Network, image: impl Fn(Node) -> Node) -> Option<Vec<u32>> {
    let (data, wanted) = (ours.data(), family.data());
    if ours.nodes().all(|v| image(v) == v)
        && (&data.channels, &data.half_duplex) == (&wanted.channels, &wanted.half_duplex)
    {
        return Some(ours.channels().map(|c| c.0).collect());
    }
    // Of a half-duplex pair, the channel that goes upwards in the family leads and the other follows.
    let sorted = |network: &Network, node: &dyn Fn(Node) -> Node| {
        let mut list: Vec<((u32, u32, bool), u32)> = network
            .channels()
            .map(|c| ((node(network.from(c)).0, node(network.to(c)).0, network.groups_of(c).next().is_some()), c.0))
            .filter(|((from, to, paired), _)| from < to || !paired)
            .collect();
        list.sort_unstable();
        list
    };
    let (ours_sorted, family_sorted) = (sorted(ours, &image), sorted(family, &|v| v));
    if ours_sorted.len() != family_sorted.len() {
        return None;
    }
    let mut map = vec![u32::MAX; ours.channel_count()];
    for ((key, c), (wanted, d)) in ours_sorted.into_iter().zip(family_sorted) {
        if key != wanted {
            return None;
        }
        map[c as usize] = d;
        if let (Some(other), Some(image)) = (partner(ours, Channel(c)), partner(family, Channel(d))) {
            map[other.index()] = image.0;
        }
    }
    Some(map)
}
