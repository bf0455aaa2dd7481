//! **What:** hierarchical dual-nets: level by level, two classes of clusters that are copies of the level below, each node
//! joined to one of the other class.
//!
//! **Theory.** Let G be the level below and S a sub-product of the base. Cluster U of class C holds the nodes (C, U, SN, N): N
//! is the place in the super-node S, SN counts super-nodes. A cross link joins (C, U, SN, N) and (1−C, SN, U, N). So U
//! and SN are two registers of which the class says which one moves: a cross link leaves both values and N as they are. If
//! every S lies within the one before (*nested*), G is the product of a network Q of super-nodes and S, and a
//! distance is the sum of those of both registers in Q, that in S, and the crossings: 1 to the other class, none within a cluster,
//! else 2. Diameter, average distance and symmetry follow; `closed_forms.rs` has them. Where they are not nested, part of N moves in
//! one class only, and none of this holds.
//!
//! **Numbers:** nodes are numbered as the paper numbers them: ((C·q + U)·q + SN)·s + N with q super-nodes of s nodes.

mod closed_forms;
mod routing;
mod search;
mod sub_product;
mod symmetry;

use crate::registry::{ClosedForms, Topology};
use crate::spec::{Arguments, SpecError, topology};
use crate::{build, registry};
use kernel::{Network, Node};
use std::sync::OnceLock;

/// Most nodes that are numbered.
const MOST_NODES: u64 = 1 << 24;

/// A hierarchical dual-net.
#[derive(Clone, Debug)]
pub struct DualNet {
    /// The base's canonical specification.
    base: String,
    forms: ClosedForms,
    /// The base, built when it is first asked for.
    network: OnceLock<Network>,
    /// Sizes of the base's dimensions, most significant first.
    sizes: Vec<u32>,
    /// Closed forms of each dimension.
    dimensions: Vec<ClosedForms>,
    /// The dimensions of each level's super-node, ascending.
    supers: Vec<Vec<usize>>,
    /// Nodes of every level, the base's first.
    nodes: Vec<u32>,
}

/// Where a node stands at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// Its class, 0 or 1.
    pub class: u32,
    /// Its cluster within the class.
    pub cluster: u32,
    /// Its super-node within the cluster.
    pub super_node: u32,
    /// Its place in the super-node.
    pub place: u32,
}

impl DualNet {
    /// A dual-net over `base` with these super-nodes, as [`DualNet::super_nodes`] are written.
    pub(crate) fn read(a: &Arguments<'_>, base: &str, supers: &[&str]) -> Result<Self, SpecError> {
        let direct = "a network all of whose nodes are terminals, and no dual-net itself";
        if ["hdn:", "rdn:", "fat:", "opened:"].iter().any(|nested| base.starts_with(nested)) {
            return Err(a.range("BASE", base, direct));
        }
        let base = topology(base)?;
        let refused = || a.range("BASE", base.spec(), format!("{direct}, of at least 2 nodes"));
        let mut net = DualNet::over(base.as_ref()).ok_or_else(refused)?;
        for text in supers {
            let dims = sub_product::read(text, &net.sizes)
                .ok_or_else(|| a.range("a super-node S", *text, sub_product::must(&net.sizes, &net.base)))?;
            let below = u64::from(net.nodes[net.supers.len()]);
            let inside: u64 = dims.iter().map(|d| u64::from(net.sizes[*d])).product();
            let nodes = 2 * below * (below / inside);
            if nodes > MOST_NODES {
                return Err(a.too_large());
            }
            net.nodes.push(u32::try_from(nodes).map_err(|_| a.too_large())?);
            net.supers.push(dims);
        }
        Ok(net)
    }

    /// A direct network as a dual-net of no level.
    pub fn over(base: &dyn Topology) -> Option<Self> {
        let forms = base.closed_forms();
        if forms.nodes != forms.terminals || forms.nodes < 2 {
            return None;
        }
        let dimensions = base.grid().map_or_else(|| vec![forms], |grid| grid.lines());
        let number = |n: u64| u32::try_from(n).ok();
        Some(DualNet {
            base: base.spec(),
            nodes: vec![number(forms.nodes)?],
            forms,
            network: OnceLock::new(),
            sizes: dimensions.iter().map(|f| number(f.nodes)).collect::<Option<_>>()?,
            dimensions,
            supers: Vec::new(),
        })
    }

    /// The base network's specification.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The base network.
    pub fn base_network(&self) -> &Network {
        self.network.get_or_init(|| topology(&self.base).expect("it was read from its specification").network())
    }

    /// Number of levels above the base.
    pub fn levels(&self) -> usize {
        self.supers.len()
    }

    /// Sizes of the base's dimensions; a base that is no product has one.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The dimensions of the super-node of a level, from 1.
    pub fn super_node(&self, level: usize) -> &[usize] {
        &self.supers[level - 1]
    }

    /// Nodes of a level; level 0 is the base.
    pub fn nodes(&self, level: usize) -> u32 {
        self.nodes[level]
    }

    /// Nodes of the super-node of a level.
    pub fn places(&self, level: usize) -> u32 {
        self.supers[level - 1].iter().map(|d| self.sizes[*d]).product()
    }

    /// Super-nodes of a cluster of a level, and clusters of a class.
    pub fn clusters(&self, level: usize) -> u32 {
        self.nodes[level - 1] / self.places(level)
    }

    /// Whether each super-node lies within that of the level before.
    pub fn is_nested(&self) -> bool {
        self.supers.windows(2).all(|w| w[1].iter().all(|d| w[0].contains(d)))
    }

    /// The super-nodes, as a specification has them.
    pub fn super_nodes(&self) -> String {
        let text = |dims: &Vec<usize>| sub_product::write(dims, &self.sizes);
        self.supers.iter().map(text).collect::<Vec<_>>().join(",")
    }

    /// Where a node of a level stands in it.
    pub fn index(&self, level: usize, node: u32) -> Index {
        let (q, s) = (self.clusters(level), self.places(level));
        let (rest, place) = (node / s, node % s);
        Index { class: rest / q / q, cluster: rest / q % q, super_node: rest % q, place }
    }

    /// The node of a level at an index.
    pub fn node(&self, level: usize, at: Index) -> u32 {
        let (q, s) = (self.clusters(level), self.places(level));
        ((at.class * q + at.cluster) * q + at.super_node) * s + at.place
    }

    /// The node's digits: class and cluster of every level from the given one down, then the base's coordinates.
    pub fn digits(&self, level: usize, node: u32) -> Vec<u32> {
        if level == 0 {
            return build::digits(node, &self.sizes);
        }
        let at = self.index(level, node);
        [vec![at.class, at.cluster], self.joined(level, at.super_node, at.place)].concat()
    }

    /// The node of those digits.
    pub fn number(&self, level: usize, digits: &[u32]) -> u32 {
        if level == 0 {
            return build::node_of(digits, &self.sizes);
        }
        let (super_node, place) = self.split(level, &digits[2..]);
        self.node(level, Index { class: digits[0], cluster: digits[1], super_node, place })
    }

    /// Re-indexing: the digits of a node of the level below as super-node and place at this level.
    pub fn split(&self, level: usize, digits: &[u32]) -> (u32, u32) {
        let radices = self.radices(level - 1);
        let (mut super_node, mut place) = (0, 0);
        for (at, (digit, radix)) in digits.iter().zip(&radices).enumerate() {
            let part = if self.is_inside(level, at) { &mut place } else { &mut super_node };
            *part = *part * radix + digit;
        }
        (super_node, place)
    }

    /// The digits that [`DualNet::split`] takes apart.
    pub fn joined(&self, level: usize, mut super_node: u32, mut place: u32) -> Vec<u32> {
        let radices = self.radices(level - 1);
        let mut digits = vec![0; radices.len()];
        for (at, (digit, radix)) in digits.iter_mut().zip(&radices).enumerate().rev() {
            let part = if self.is_inside(level, at) { &mut place } else { &mut super_node };
            *digit = *part % radix;
            *part /= radix;
        }
        digits
    }

    /// Crosses by the link of `level` from the node of these digits of the highest level.
    pub fn cross(&self, level: usize, digits: &mut [u32]) {
        let own = &mut digits[2 * (self.levels() - level)..];
        let (super_node, place) = self.split(level, &own[2..]);
        let inner = self.joined(level, own[1], place);
        own[0] = 1 - own[0];
        own[1] = super_node;
        own[2..].copy_from_slice(&inner);
    }

    /// How many values each digit of a level has.
    fn radices(&self, level: usize) -> Vec<u32> {
        let above = (1..=level).rev().flat_map(|i| [2, self.clusters(i)]);
        above.chain(self.sizes.iter().copied()).collect()
    }

    /// Whether a digit of the level below tells the place in a super-node of this level.
    fn is_inside(&self, level: usize, digit: usize) -> bool {
        digit.checked_sub(2 * (level - 1)).is_some_and(|dim| self.supers[level - 1].contains(&dim))
    }

    /// The network, under a name.
    pub(crate) fn network(&self, name: String) -> Network {
        let (top, base) = (self.levels(), self.base_network());
        let first = 2 * top;
        let mut channels = Vec::new();
        let mut labels = Vec::new();
        for node in 0..self.nodes[top] {
            let at = self.index(top, node);
            labels.push(format!("{},{},{},{}", at.class, at.cluster, at.super_node, at.place));
            let mut digits = self.digits(top, node);
            let own = build::node_of(&digits[first..], &self.sizes);
            for level in 1..=top {
                let mut there = digits.clone();
                self.cross(level, &mut there);
                channels.push((node, self.number(top, &there)));
            }
            for &channel in base.outgoing(Node(own)) {
                digits[first..].copy_from_slice(&build::digits(base.to(channel).0, &self.sizes));
                channels.push((node, self.number(top, &digits)));
            }
        }
        channels.sort_unstable();
        build::directed_labelled(name, labels, channels)
    }

    /// Closed forms; those of distances and symmetry where the super-nodes are nested.
    pub fn closed_forms(&self) -> ClosedForms {
        closed_forms::of(self)
    }

    /// The diameter that the paper's formula gives; `None` where a dimension's is not known.
    pub fn printed_diameter(&self) -> Option<i64> {
        closed_forms::printed_diameter(self)
    }

    /// The way that Algorithm 1 takes, or a shortest one where that is longer.
    pub fn route(&self, network: &Network, from: Node, to: Node) -> registry::Route {
        routing::checked(self, network, from, to)
    }

    /// The way that Algorithm 1 takes, as nodes.
    pub fn algorithm_1(&self, from: Node, to: Node) -> Vec<u32> {
        routing::algorithm_1(self, from.0, to.0)
    }
}
