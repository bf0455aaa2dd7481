//! **What:** what all looms of a problem have in common: its arcs, how far they are from each destination, what is wanted.
//!
//! An arc carries one message a step; a lane for c of them is c arcs. Pairs of nodes have numbers; with a group of symmetries pairs
//! that it takes to each other have the same, and a layer stands for as many steps as the group has elements: in each of
//! them one element's image of the layer takes place. So one message of each orbit is all there is to find a place for.

use super::Start;
use super::scarcity;
use super::tolls::Tolls;
use kernel::{Message, Network, Problem};
use run::Budget;
use std::collections::BTreeMap;

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// Pairs of nodes at most.
const MOST: usize = 1 << 24;
/// Arcs times layers at most.
const MOST_THREADS: u64 = 1 << 22;

/// What a symmetry does to nodes and to lanes.
pub(super) type Image = (Vec<u32>, Vec<u32>);

pub(super) struct Frame {
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
    /// The symmetries by what they do to nodes and to lanes; the first changes nothing.
    images: Vec<Image>,
    /// The number of each pair, `origin * nodes + destination`; empty where that is its number.
    numbers: Vec<u32>,
    /// By number, the first pair that has it; empty as well.
    firsts: Vec<(u32, u32)>,
    /// The orbit of each arc.
    pub orbit: Vec<u32>,
    /// Arcs of each orbit.
    pub alike: Vec<u32>,
    /// Numbers of pairs with messages, and how many each pair has.
    pub wanted: Vec<(u32, u32)>,
    /// The messages from a node to another.
    pub messages: BTreeMap<(u32, u32), Vec<Message>>,
    /// Whether each pair has one message.
    pub single: Vec<bool>,
    /// Several kinds of tolls.
    pub tolls: Vec<Tolls>,
}

/// Whether looms of so many layers are not too large.
pub(super) fn is_small(network: &Network, layers: usize) -> bool {
    let nodes = network.node_count();
    let arcs = network.channels().map(|c| u64::from(network.capacity(c))).fold(0, u64::saturating_add);
    let threads = arcs.saturating_mul(layers.max(1) as u64);
    nodes <= usize::from(u16::MAX) && nodes * nodes <= MOST && threads <= MOST_THREADS
}

/// How steeply prices rise with loads, a loom each.
pub(super) const STEEP: [f64; 2] = [30.0, 20.0];

/// What a strand costs: arcs to spare that follow one another are worth more in one piece.
pub(super) const PIECE: i32 = 50;

impl Frame {
    /// Folded by a group, of which is told what each element does to nodes and to lanes, or whole. `None` where looms would be too
    /// large, or the budget ends.
    pub fn new(start: &Start<'_>, images: Vec<Image>, budget: &mut Budget<'_>) -> Option<Self> {
        let Start { problem, lanes, open, .. } = *start;
        let nodes = problem.network().node_count();
        if !is_small(problem.network(), start.layers()) {
            return None;
        }
        let mut frame = Frame {
            nodes,
            ends: Vec::new(),
            lane: Vec::new(),
            out: vec![Vec::new(); nodes],
            into: vec![Vec::new(); nodes],
            passes: problem.network().nodes().map(|node| problem.path_passes(node)).collect(),
            hops: vec![u16::MAX; nodes * nodes],
            images: vec![((0..).take(nodes).collect(), (0..).take(lanes.ends.len()).collect())],
            numbers: Vec::new(),
            firsts: Vec::new(),
            orbit: Vec::new(),
            alike: Vec::new(),
            wanted: Vec::new(),
            messages: BTreeMap::new(),
            single: Vec::new(),
            tolls: Vec::new(),
        };
        for (lane, &(from, to)) in lanes.ends.iter().enumerate() {
            for _ in 0..lanes.capacity[lanes.taken[lane][0] as usize] {
                let arc = u32::try_from(frame.ends.len()).ok()?;
                frame.out[from.index()].push(arc);
                frame.into[to.index()].push(arc);
                frame.ends.push((u32::try_from(from.index()).ok()?, u32::try_from(to.index()).ok()?));
                frame.lane.push(u32::try_from(lane).ok()?);
            }
        }
        frame.orbit = (0..).take(frame.ends.len()).collect();
        frame.alike = vec![1; frame.ends.len()];
        if images.len() > 1 {
            frame.fold(images, lanes.ends.len(), budget)?;
        }
        frame.want(problem, open, budget)?;
        let looks = (budget.left() / 4).clamp(scarcity::LEAST_LOOKS, scarcity::MOST_LOOKS);
        for steep in STEEP {
            let prices = scarcity::prices(&frame, steep, looks, budget);
            frame.tolls.push(Tolls::new(&frame, &prices, budget)?);
        }
        Some(frame)
    }

    /// Gives pairs and arcs that symmetries take to each other the same numbers.
    fn fold(&mut self, images: Vec<Image>, lanes: usize, budget: &mut Budget<'_>) -> Option<()> {
        self.images = images;
        self.numbers = vec![NONE; self.nodes * self.nodes];
        for (from, to) in (0..self.nodes).flat_map(|from| (0..self.nodes).map(move |to| (from, to))) {
            if to == 0 && !budget.spend(self.nodes as u64 / 16) {
                return None;
            }
            if self.numbers[from * self.nodes + to] == NONE {
                let number = u32::try_from(self.firsts.len()).unwrap_or(NONE);
                for (nodes, _) in &self.images {
                    self.numbers[nodes[from] as usize * self.nodes + nodes[to] as usize] = number;
                }
                self.firsts.push((u32::try_from(from).unwrap_or(NONE), u32::try_from(to).unwrap_or(NONE)));
            }
        }
        // Arcs of lanes that are images of each other.
        let mut orbits = vec![NONE; lanes];
        let mut count = 0;
        for lane in 0..lanes {
            if orbits[lane] == NONE {
                self.images.iter().for_each(|(_, lanes)| orbits[lanes[lane] as usize] = count);
                count += 1;
            }
        }
        self.orbit = self.lane.iter().map(|&lane| orbits[lane as usize]).collect();
        self.alike = vec![0; count as usize];
        self.orbit.iter().for_each(|&orbit| self.alike[orbit as usize] += 1);
        Some(())
    }

    fn want(&mut self, problem: &Problem, open: &[Message], budget: &mut Budget<'_>) -> Option<()> {
        let collective = problem.collective();
        for &m in open {
            let (from, to) = (collective.origin(m).0, collective.destinations(m)[0].0);
            self.messages.entry((from, to)).or_default().push(m);
        }
        for target in problem.network().nodes() {
            if !budget.spend((self.nodes + self.ends.len()) as u64 / 16) {
                return None;
            }
            let row = target.index() * self.nodes;
            for (at, hops) in graph::paths::distances_to(problem, target).into_iter().enumerate() {
                self.hops[row + at] = u16::try_from(hops).unwrap_or(u16::MAX);
            }
        }
        let mut counts = vec![0; self.pairs()];
        self.single = vec![false; self.pairs()];
        for (&(from, to), messages) in &self.messages {
            if self.distance(from, to) == u16::MAX {
                return None;
            }
            counts[self.pair(from, to) as usize] = u32::try_from(messages.len()).ok()?;
        }
        for (pair, &count) in (0..).zip(&counts) {
            if count > 0 {
                self.wanted.push((pair, count));
            }
            self.single[pair as usize] = count == 1;
        }
        Some(())
    }

    /// How many numbers of pairs there are.
    pub fn pairs(&self) -> usize {
        if self.numbers.is_empty() { self.nodes * self.nodes } else { self.firsts.len() }
    }

    /// Steps that a layer stands for.
    pub fn steps(&self) -> usize {
        self.images.len()
    }

    /// What a layer is in each of its steps: maps of nodes and of lanes.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Hops from `from` to `to`; `u16::MAX` where there is no way.
    pub fn distance(&self, from: u32, to: u32) -> u16 {
        self.hops[to as usize * self.nodes + from as usize]
    }

    /// The number of a pair.
    pub fn pair(&self, from: u32, to: u32) -> u32 {
        let pair = from * u32::try_from(self.nodes).unwrap_or(u32::MAX) + to;
        if self.numbers.is_empty() { pair } else { self.numbers[pair as usize] }
    }

    /// The first pair of this number.
    pub fn first(&self, pair: u32) -> (u32, u32) {
        let nodes = u32::try_from(self.nodes).unwrap_or(u32::MAX);
        if self.numbers.is_empty() { (pair / nodes, pair % nodes) } else { self.firsts[pair as usize] }
    }
}
