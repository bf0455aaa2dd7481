//! **What:** the network as exchanges of paths see it: its arcs, how far they are from each destination, what is wanted.
//!
//! **Facts.** An arc carries one message a step; a lane for c of them is c arcs. Pairs of nodes have numbers. Where a group of
//! symmetries is known that leaves no message in place, a step stands for as many as the group has elements, one for
//! each image of it, and pairs that are images of each other are one: the first of them.

use crate::emit::Sent;
use crate::lane_arcs::LaneArcs;
use crate::quotient::OrbitQuotient;
use crate::resources::Resources;
use graph::automorphisms::Automorphism;
use graph::cheapest::Arcs;
use graph::distances::{Way, distances};
use kernel::{Message, Network};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeMap;

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// Pairs of nodes at most.
const MOST_PAIRS: usize = 1 << 24;
/// Arcs times steps at most.
const MOST_SLOTS: u64 = 1 << 22;

/// What an element of the group does.
#[derive(Clone)]
pub(super) struct Image {
    pub nodes: Vec<u32>,
    pub lanes: Vec<u32>,
}

#[derive(Clone)]
pub(super) struct ArcNetwork {
    pub nodes: usize,
    /// The nodes each arc joins.
    pub ends: Vec<(u32, u32)>,
    /// The lane of each arc.
    pub lane: Vec<u32>,
    /// The arcs that leave each node.
    pub out: Vec<Vec<u32>>,
    /// The arcs that lead to each node.
    pub into: Vec<Vec<u32>>,
    /// Whether a message may pass through each node on its way.
    pub passes: Vec<bool>,
    /// Hops from the second node to the first: at `t * nodes + x` those from x to t.
    hops: Vec<u16>,
    /// Messages of each pair; where there is a group, of the first pair of each orbit.
    pub wanted: Vec<u32>,
    /// The elements of the group; the identity at least.
    pub images: Vec<Image>,
    /// The first pair of each pair's orbit; nothing where every pair is alone.
    first: Vec<u32>,
    /// The messages from a node to another.
    pub messages: BTreeMap<(u32, u32), Vec<Message>>,
}

/// Whether a layout of so many steps is not too large.
pub(super) fn is_small(network: &Network, steps: usize) -> bool {
    let nodes = network.node_count();
    let arcs = network.channels().map(|c| u64::from(network.capacity(c))).fold(0, u64::saturating_add);
    let slots = arcs.saturating_mul(steps.max(1) as u64);
    nodes <= usize::from(u16::MAX) && nodes * nodes <= MOST_PAIRS && slots <= MOST_SLOTS
}

impl ArcNetwork {
    /// `None` where a message has no path, or the budget ends.
    pub(super) fn new(resources: &Resources<'_>, open: &[Message], budget: &mut Budget<'_>) -> Option<Self> {
        let problem = resources.problem;
        let nodes = problem.network().node_count();
        let LaneArcs { ends, lane, out, into, passes } = LaneArcs::new(resources)?;
        let lanes = (0..u32::try_from(resources.ends.len()).ok()?).collect();
        let mut network = ArcNetwork {
            nodes,
            ends,
            lane,
            out,
            into,
            passes,
            hops: vec![u16::MAX; nodes * nodes],
            wanted: vec![0; nodes * nodes],
            images: vec![Image { nodes: (0..nodes as u32).collect(), lanes }],
            first: Vec::new(),
            messages: BTreeMap::new(),
        };
        let collective = problem.collective();
        for &m in open {
            let (from, to) = (collective.origin(m).0, collective.destinations(m)[0].0);
            network.messages.entry((from, to)).or_default().push(m);
            let pair = network.pair(from, to);
            network.wanted[pair as usize] += 1;
        }
        for target in problem.network().nodes() {
            if !budget.spend((nodes + network.ends.len()) as u64 / 16) {
                return None;
            }
            let row = target.index() * nodes;
            for (at, hops) in distances(problem, target, Way::Back, budget)?.into_iter().enumerate() {
                network.hops[row + at] = u16::try_from(hops).unwrap_or(u16::MAX);
            }
        }
        network.messages.keys().all(|&(from, to)| network.distance(from, to) < u16::MAX).then_some(network)
    }

    /// The same network, divided by a group.
    pub(super) fn divided(&self, quotient: &OrbitQuotient) -> Self {
        let image = |(map, lanes): (&Automorphism, &[u32])| Image { nodes: map.nodes.clone(), lanes: lanes.to_vec() };
        let mut network = ArcNetwork { images: quotient.elements().map(image).collect(), ..self.clone() };
        network.first = vec![NONE; self.wanted.len()];
        for from in 0..self.nodes as u32 {
            for to in 0..self.nodes as u32 {
                let pair = self.pair(from, to);
                if network.first[pair as usize] != NONE {
                    network.wanted[pair as usize] = 0;
                    continue;
                }
                for Image { nodes, .. } in &network.images {
                    network.first[self.pair(nodes[from as usize], nodes[to as usize]) as usize] = pair;
                }
            }
        }
        network
    }

    /// What is sent in the first of all steps that one stands for, if that is all there is but for images, as in what a divided
    /// layout sends.
    pub(super) fn first_images(&self, sent: &[Sent]) -> Option<Vec<Sent>> {
        let mut wanted = self.wanted.clone();
        let mut list = Vec::new();
        let order = self.order() as u32;
        for Sent { step, message, path } in sent.iter().filter(|sent| sent.step % order == 0) {
            let arc = |lane: &u32| self.lane.iter().position(|other| other == lane);
            let (first, last) = (arc(path.first()?)?, arc(path.last()?)?);
            let left = &mut wanted[self.pair(self.ends[first].0, self.ends[last].1) as usize];
            *left = left.checked_sub(1)?;
            list.push(Sent { step: step / order, message: *message, path: path.clone() });
        }
        wanted.iter().all(|left| *left == 0).then_some(list)
    }

    /// The arcs as the cheapest ways and prices see them.
    pub(super) fn arcs(&self) -> Arcs<'_> {
        Arcs { ends: &self.ends, into: &self.into, passes: &self.passes }
    }

    /// Steps that one of a layout stands for.
    pub(super) fn order(&self) -> usize {
        self.images.len()
    }

    /// Pairs with messages.
    pub(super) fn wanted_pairs(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.wanted).filter(|(_, count)| **count > 0).map(|(pair, _)| pair)
    }

    /// Hops from `from` to `to`; `u16::MAX` where there is no way.
    pub(super) fn distance(&self, from: u32, to: u32) -> u16 {
        self.hops[to as usize * self.nodes + from as usize]
    }

    /// The number of a pair.
    pub(super) fn pair(&self, from: u32, to: u32) -> u32 {
        let pair = from * self.nodes as u32 + to;
        self.first.get(pair as usize).copied().unwrap_or(pair)
    }

    /// The nodes of one of the pairs that have this number.
    pub(super) fn ends_of(&self, pair: u32, random: &mut Pcg64Mcg) -> (u32, u32) {
        let (from, to) = (pair / self.nodes as u32, pair % self.nodes as u32);
        if self.order() == 1 {
            return (from, to);
        }
        let Image { nodes, .. } = &self.images[random.random_range(0..self.order())];
        (nodes[from as usize], nodes[to as usize])
    }
}
