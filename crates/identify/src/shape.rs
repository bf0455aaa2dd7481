//! **What:** numbers of a network that do not depend on the order of its nodes and channels, and that rule out most families.

use crate::profile::profiled;
use graph::isomorphism::Digraph;
use kernel::{Network, Node};
use run::{Budget, Spent};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use topologies::ClosedForms;

/// What is counted once and compared with every candidate.
pub(crate) struct Shape<'a> {
    pub network: &'a Network,
    pub nodes: u32,
    pub terminals: u32,
    pub channels: u64,
    /// Least and largest number of channels that leave a terminal.
    pub degree: (u64, u64),
    /// Every node is a terminal, and paths pass through all.
    pub is_direct: bool,
    /// Paths pass through the switches and not through the terminals.
    pub is_indirect: bool,
    /// As many channels lead back from a node to another as lead there.
    pub is_symmetric: bool,
    /// No channels are parallel.
    pub is_simple: bool,
    reach: OnceCell<Reach>,
    plain: OnceCell<Digraph>,
    profiled: OnceCell<Digraph>,
}

/// Distances from the first terminal to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    farthest: u64,
    sum: u128,
    is_connected: bool,
}

impl<'a> Shape<'a> {
    /// Counts nodes and channels.
    pub(crate) fn of(network: &'a Network) -> Self {
        let degrees = network.terminals().iter().map(|&v| network.outgoing(v).len() as u64);
        let count = |v: Node| u64::from(v.0);
        let all = |wanted: fn(&Network, Node) -> bool| network.nodes().all(|v| wanted(network, v));
        Shape {
            nodes: network.data().nodes,
            terminals: Node::new(network.terminals().len()).0,
            channels: count(Node::new(network.channel_count())),
            degree: degrees.fold((u64::MAX, 0), |(least, most), d| (least.min(d), most.max(d))),
            is_direct: all(|network, v| network.is_terminal(v) && network.is_transit(v)),
            is_indirect: all(|network, v| network.is_terminal(v) != network.is_transit(v)),
            is_symmetric: network.nodes().all(|v| {
                let mut there: Vec<Node> = network.outgoing(v).iter().map(|&c| network.to(c)).collect();
                let mut back: Vec<Node> = network.incoming(v).iter().map(|&c| network.from(c)).collect();
                there.sort_unstable();
                back.sort_unstable();
                there == back
            }),
            is_simple: network.nodes().all(|v| {
                let mut there: Vec<Node> = network.outgoing(v).iter().map(|&c| network.to(c)).collect();
                there.sort_unstable();
                there.windows(2).all(|w| w[0] != w[1])
            }),
            reach: OnceCell::new(),
            plain: OnceCell::new(),
            profiled: OnceCell::new(),
            network,
        }
    }

    /// Channels that leave every terminal, where that is the same number.
    pub(crate) fn regular(&self) -> Option<u64> {
        (self.degree.0 == self.degree.1).then_some(self.degree.0)
    }

    /// The network's graph.
    pub(crate) fn graph(&self) -> &Digraph {
        self.plain.get_or_init(|| Digraph::plain(self.network, self.is_symmetric))
    }

    /// The same with local profiles.
    pub(crate) fn profiled(&self, work: &mut Budget<'_>) -> Result<&Digraph, Spent> {
        if self.profiled.get().is_none() {
            let graph = profiled(self.graph(), work)?;
            let _ = self.profiled.set(graph);
        }
        self.profiled.get().ok_or(Spent)
    }

    /// Whether a network of these closed forms may be this one.
    pub(crate) fn allows(&self, forms: &ClosedForms, work: &mut Budget<'_>) -> Result<bool, Spent> {
        let counts = (u64::from(self.nodes), u64::from(self.terminals), self.channels);
        if counts != (forms.nodes, forms.terminals, forms.channels) || forms.degree.is_some_and(|d| d != self.degree) {
            return Ok(false);
        }
        work.take(1)?;
        let reach = self.reach();
        let farthest_fits = forms.diameter.is_none_or(|d| match forms.vertex_transitive {
            Some(true) => reach.farthest == d,
            _ => reach.farthest <= d,
        });
        let sum_fits = match (forms.vertex_transitive, forms.distances) {
            (Some(true), Some(sum)) => reach.sum * u128::from(self.terminals) == sum,
            _ => true,
        };
        // Machines whose terminals let nothing pass have no diameter.
        Ok((reach.is_connected || forms.diameter.is_none()) && farthest_fits && sum_fits)
    }

    fn reach(&self) -> Reach {
        *self.reach.get_or_init(|| reach(self.network))
    }

    /// The largest distance from the first terminal to another.
    pub(crate) fn farthest(&self) -> u64 {
        self.reach().farthest
    }

    /// Nodes by their distance from the nearest terminal, along channels; terminals first.
    pub(crate) fn levels(&self) -> Vec<Vec<Node>> {
        let mut met: Vec<bool> = self.network.nodes().map(|v| self.network.is_terminal(v)).collect();
        let mut levels = vec![self.network.terminals().to_vec()];
        loop {
            let mut next = Vec::new();
            for &v in &levels[levels.len() - 1] {
                for &c in self.network.outgoing(v) {
                    let to = self.network.to(c);
                    if !std::mem::replace(&mut met[to.index()], true) {
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                return levels;
            }
            levels.push(next);
        }
    }
}

/// How many nodes follow a node among `among`, and by how many channels each; `None` where these differ.
pub(crate) fn fan(network: &Network, node: Node, along: bool, among: &dyn Fn(Node) -> bool) -> Option<(u32, u32)> {
    let mut count = BTreeMap::new();
    let channels = if along { network.outgoing(node) } else { network.incoming(node) };
    for &c in channels {
        let other = if along { network.to(c) } else { network.from(c) };
        if among(other) {
            *count.entry(other).or_insert(0u32) += 1;
        }
    }
    let cables = *count.values().next()?;
    count.values().all(|n| *n == cables).then_some((Node::new(count.len()).0, cables))
}

/// Distances from the first terminal; paths pass through any node but those of no transit.
fn reach(network: &Network) -> Reach {
    let from = network.terminals()[0];
    let mut far = vec![u64::MAX; network.node_count()];
    far[from.index()] = 0;
    let (mut order, mut at) = (vec![from], 0);
    while let Some(&node) = order.get(at) {
        at += 1;
        if node != from && !network.is_transit(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let to = network.to(channel);
            if far[to.index()] == u64::MAX {
                far[to.index()] = far[node.index()] + 1;
                order.push(to);
            }
        }
    }
    let reached = || network.terminals().iter().map(|v| far[v.index()]).filter(|d| *d != u64::MAX);
    Reach {
        farthest: reached().max().unwrap_or(0),
        sum: reached().map(u128::from).sum(),
        is_connected: reached().count() == network.terminals().len(),
    }
}
