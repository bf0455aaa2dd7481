//! **What:** a network as colour refinement sees it: neighbours along and against channels, and a colour a node.
//!
//! The colour says what a node may do (send and receive, let paths pass). A channel, or an arc that is to be respected as well, has
//! a weight by its capacity or label; colours that look at sums of weights tell as much apart as those that look at lists,
//! but for rare accidents.

use kernel::{Channel, Network, Node};

/// Lists of neighbours in one allocation.
#[derive(Clone, Debug)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
    /// Empty where all are 1.
    weights: Vec<u64>,
}

impl Lists {
    fn new<'a>(network: &'a Network, channels: impl Fn(Node) -> &'a [Channel], end: impl Fn(Channel) -> Node) -> Self {
        let mut lists =
            Lists { start: vec![0], items: Vec::with_capacity(network.channel_count()), weights: Vec::new() };
        for node in network.nodes() {
            lists.items.extend(channels(node).iter().map(|&c| end(c).0));
            lists.start.push(u32::try_from(lists.items.len()).expect("networks have fewer than 2^32 channels"));
        }
        lists
    }

    /// Of weighted arcs, sorted by their first ends.
    fn weighted(nodes: usize, arcs: &[WeightedArc]) -> Self {
        let mut start = vec![0u32; nodes + 1];
        arcs.iter().for_each(|arc| start[arc.from as usize + 1] += 1);
        (0..nodes).for_each(|node| start[node + 1] += start[node]);
        Lists {
            start,
            items: arcs.iter().map(|arc| arc.to).collect(),
            weights: arcs.iter().map(|arc| arc.weight).collect(),
        }
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.start[node as usize] as usize..self.start[node as usize + 1] as usize
    }
}

#[derive(Clone, Copy)]
struct WeightedArc {
    from: u32,
    to: u32,
    weight: u64,
}

/// An arc between nodes that is to be respected beside the channels.
#[derive(Clone, Copy, Debug)]
pub struct LabelledArc {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What it is to be exchanged with has the same.
    pub label: u32,
}

/// A network, ready for colour refinement.
#[derive(Clone, Debug)]
pub struct Digraph {
    out: Lists,
    /// Absent where every channel has an opposite, so that both lists are the same.
    into: Option<Lists>,
    /// What tells nodes apart from the beginning.
    pub colours: Vec<u64>,
}

/// Mixes bits; equal inputs give equal outputs.
pub fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(29)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 31)
}

fn role(network: &Network, node: Node) -> u64 {
    u64::from(network.is_terminal(node)) * 2 + u64::from(network.is_transit(node))
}

impl Digraph {
    /// The nodes and channels of `network` alone; its channels all have an opposite if `symmetric`.
    pub fn plain(network: &Network, symmetric: bool) -> Self {
        let out = Lists::new(network, |v| network.outgoing(v), |c| network.to(c));
        let against = || Lists::new(network, |v| network.incoming(v), |c| network.from(c));
        let into = (!symmetric).then(against);
        let degrees =
            |v| mix(mix(role(network, v), network.outgoing(v).len() as u64), network.incoming(v).len() as u64);
        Digraph { out, into, colours: network.nodes().map(degrees).collect() }
    }

    /// Nodes with their ports, channels with their capacities, and more arcs.
    pub fn labelled(network: &Network, arcs: &[LabelledArc]) -> Self {
        // Sums of fewer than 2^24 weights of 40 bits never vanish.
        let weight = |kind: u64, label: u32| mix(kind, u64::from(label)) >> 24 | 1;
        let channel = |c: Channel| {
            let weight = weight(1, network.capacity(c));
            WeightedArc { from: network.from(c).0, to: network.to(c).0, weight }
        };
        let more = arcs.iter().map(|arc| WeightedArc { from: arc.from, to: arc.to, weight: weight(2, arc.label) });
        let mut all: Vec<WeightedArc> = network.channels().map(channel).chain(more).collect();
        all.sort_by_key(|arc| arc.from);
        let out = Lists::weighted(network.node_count(), &all);
        all.iter_mut().for_each(|arc| std::mem::swap(&mut arc.from, &mut arc.to));
        all.sort_by_key(|arc| arc.from);
        let into = Some(Lists::weighted(network.node_count(), &all));
        let port = |p: Option<u32>| p.map_or(0, |p| u64::from(p) + 1);
        let colour = |v| mix(mix(role(network, v), port(network.send_ports(v))), port(network.receive_ports(v)));
        Digraph { out, into, colours: network.nodes().map(colour).collect() }
    }

    /// The same with other colours.
    pub fn coloured(&self, colours: Vec<u64>) -> Self {
        Digraph { colours, ..self.clone() }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.colours.len()
    }

    /// The ends of the channels that leave `node`.
    pub fn out(&self, node: u32) -> &[u32] {
        &self.out.items[self.out.range(node)]
    }

    /// The other ends of what leaves a node, or enters it, with weights; none where what enters is what leaves.
    pub(super) fn neighbours(&self, node: u32, along: bool) -> impl Iterator<Item = (u32, u64)> {
        let lists = if along { Some(&self.out) } else { self.into.as_ref() };
        lists.into_iter().flat_map(move |lists| {
            let weight = |at: usize| lists.weights.get(at).copied().unwrap_or(1);
            lists.range(node).map(move |at| (lists.items[at], weight(at)))
        })
    }
}
