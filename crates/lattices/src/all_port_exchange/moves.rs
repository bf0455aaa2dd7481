//! **What:** the moves of a network that is a Cayley graph, where they lead, and the translations that leave them as they are.

use crate::dimension::DimensionKind;
use construct::{Control, generator};
use kernel::orbits::Generator;
use kernel::{Channel, Network, Node};
use std::ops::Range;
use topologies::dual_net::DualNet;

/// What all nodes may do: along each dimension by one or by any difference, and across each level.
pub(super) struct Moves {
    pub net: DualNet,
    dimensions: Vec<DimensionKind>,
    /// The moves of each dimension, then of each level.
    kinds: Vec<Range<usize>>,
    /// Where each move leads from each node.
    next: Vec<Vec<u32>>,
}

impl Moves {
    /// `None` where nodes times moves are more than `most`.
    pub(super) fn new(net: &DualNet, dimensions: &[DimensionKind], most: usize, control: &Control<'_>) -> Option<Self> {
        let (sizes, top) = (net.sizes(), net.levels());
        let nodes = net.nodes(top);
        let (mut kinds, mut next) = (Vec::new(), Vec::new());
        for (d, kind) in dimensions.iter().enumerate() {
            let size = sizes[d];
            let by: Vec<u32> = match kind {
                DimensionKind::Complete => (1..size).collect(),
                DimensionKind::Ring => vec![1, size - 1],
                DimensionKind::Path => Vec::new(),
            };
            if by.len().saturating_mul(nodes as usize) > most {
                return None;
            }
            kinds.push(next.len()..next.len() + by.len());
            for by in by {
                let leads = |v| {
                    control.tick()?;
                    let mut digits = net.digits(top, v);
                    digits[2 * top + d] = (digits[2 * top + d] + by) % size;
                    Some(net.number(top, &digits))
                };
                next.push((0..nodes).map(leads).collect::<Option<Vec<u32>>>()?);
            }
        }
        for level in 1..=top {
            kinds.push(next.len()..next.len() + 1);
            let leads = |v| {
                let mut digits = net.digits(top, v);
                net.cross(level, &mut digits);
                net.number(top, &digits)
            };
            next.push((0..nodes).map(leads).collect());
        }
        Some(Moves { net: net.clone(), dimensions: dimensions.to_vec(), kinds, next })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.next.len()
    }

    /// Moves of one dimension or of one level, which symmetry or choice loads alike.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.kinds.iter().filter(|kind| !kind.is_empty()).cloned()
    }

    /// The move across a level.
    pub(super) fn cross(&self, level: usize) -> u32 {
        self.kinds[self.dimensions.len() + level - 1].start as u32
    }

    /// The move along a dimension to a digit from digit 0, and how often; the other way where that is as short and
    /// `turned`. `None` for digit 0.
    pub(super) fn to_digit(&self, dimension: usize, digit: u32, turned: bool) -> Option<(u32, u32)> {
        let (first, size) = (self.kinds[dimension].start as u32, self.net.sizes()[dimension]);
        let by = self.dimensions[dimension].shift(0, digit, size);
        match self.dimensions[dimension] {
            _ if digit == 0 => None,
            DimensionKind::Complete => Some((first + digit - 1, 1)),
            _ => Some((first + u32::from(by < 0 || (2 * digit == size && turned)), by.unsigned_abs())),
        }
    }

    /// Where a move leads from a node.
    pub(super) fn leads(&self, by: u32, node: u32) -> u32 {
        self.next[by as usize][node as usize]
    }

    /// The channel of each move from each node; `None` where the network lacks one.
    pub(super) fn channels(&self, network: &Network) -> Option<Vec<Vec<Channel>>> {
        let nodes = self.net.nodes(self.net.levels()) as usize;
        if network.node_count() != nodes || network.terminals().len() != nodes {
            return None;
        }
        let channel = |(from, to): (usize, &u32)| {
            // Families sort channels by their ends.
            let outgoing = network.outgoing(Node::new(from));
            let at = outgoing.partition_point(|c| network.to(*c).0 < *to);
            outgoing.get(at).filter(|c| network.to(**c).0 == *to).copied()
        };
        self.next.iter().map(|leads| leads.iter().enumerate().map(channel).collect()).collect()
    }

    /// The translations of each register along each dimension.
    pub(super) fn generators(&self, network: &Network) -> Option<Vec<Generator>> {
        let of = |(order, image): (u32, Vec<u32>)| generator(network, order, |v| image[v as usize]);
        self.net.translations().into_iter().map(of).collect()
    }
}

/// The least node of each orbit.
pub(super) fn bases(nodes: usize, generators: &[Generator]) -> Vec<u32> {
    let mut seen = vec![false; nodes];
    let (mut bases, mut open) = (Vec::new(), Vec::new());
    for node in 0..nodes {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        bases.push(node as u32);
        open.push(node as u32);
        while let Some(at) = open.pop() {
            for generator in generators {
                let image = generator.nodes[at as usize];
                if !std::mem::replace(&mut seen[image as usize], true) {
                    open.push(image);
                }
            }
        }
    }
    bases
}
