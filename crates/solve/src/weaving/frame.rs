//! **What:** what all looms of a problem have in common: its arcs, how far they are from each destination, what is wanted.
//!
//! An arc carries one message a step; a lane for c of them is c arcs. A pair is `origin * nodes + destination`.

use crate::Run;
use crate::packing::lanes::Lanes;
use kernel::{Message, Problem};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No arc.
pub(super) const NONE: u32 = u32::MAX;

/// Arcs times nodes, pairs: at most so many of each.
const MOST: usize = 1 << 24;

pub(crate) struct Frame {
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
    /// Hops from the second node of a pair to the first, by pair: of `(t, x)` those from x to t.
    hops: Vec<u16>,
    /// Pairs with messages, and these.
    pub wanted: Vec<(u32, Vec<Message>)>,
    /// What a missing message of each pair weighs at first.
    pub weights: Vec<i32>,
    /// What each arc costs where it is used for a detour.
    pub tolls: Vec<i32>,
    /// The least tolls by pair, from the first node to the second.
    least: Vec<i32>,
}

/// What a missing message between neighbours weighs, without what its distance adds.
const UNIT: i32 = 128;

/// What a detour over a channel costs at least, and what it costs more where prices are at their mean, in such units.
///
/// With these a message's whole way costs about what it weighs, so that its place in the network matters as much as it does.
const EVEN: f64 = 2.0;
const PRICED: f64 = 80.0;

/// What a strand costs: arcs to spare that follow one another are worth more in one piece.
pub(super) const PIECE: i32 = 50;

impl Frame {
    /// `None` where something other than lanes limits a step, or where looms would be too large.
    pub fn new(problem: &Problem, lanes: &Lanes, open: &[Message], run: &Run<'_>) -> Option<Self> {
        let nodes = problem.network().node_count();
        let plain = lanes.send.iter().chain(&lanes.receive).all(Option::is_none)
            && lanes.taken.iter().all(|taken| taken.len() == 1)
            && problem.network().half_duplex().iter().all(|group| group.len() < 2);
        if !plain || nodes.checked_mul(nodes)? > MOST || nodes > usize::from(u16::MAX) {
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
            wanted: Vec::new(),
            weights: vec![0; nodes * nodes],
            tolls: Vec::new(),
            least: vec![0; nodes * nodes],
        };
        for (lane, &(from, to)) in lanes.ends.iter().enumerate() {
            for _ in 0..lanes.capacity[lanes.taken[lane][0] as usize] {
                let arc = u32::try_from(frame.ends.len()).ok()?;
                frame.out[from.index()].push(arc);
                frame.into[to.index()].push(arc);
                frame.ends.push((u32::try_from(from.index()).ok()?, u32::try_from(to.index()).ok()?));
                frame.lane.push(u32::try_from(lane).ok()?);
                if frame.ends.len() > MOST {
                    return None;
                }
            }
        }
        frame.want(problem, open)?;
        frame.charge(problem, lanes, run);
        Some(frame)
    }

    fn want(&mut self, problem: &Problem, open: &[Message]) -> Option<()> {
        let collective = problem.collective();
        let mut list = Vec::with_capacity(open.len());
        for &m in open {
            let (from, to) = (collective.origin(m), collective.destinations(m)[0]);
            list.push((u32::try_from(from.index() * self.nodes + to.index()).ok()?, m));
        }
        list.sort_unstable();
        for same in list.chunk_by(|a, b| a.0 == b.0) {
            self.wanted.push((same[0].0, same.iter().map(|(_, m)| *m).collect()));
        }
        for target in problem.network().nodes() {
            let row = target.index() * self.nodes;
            for (at, hops) in crate::paths::distances_to(problem, target).into_iter().enumerate() {
                self.hops[row + at] = u16::try_from(hops).unwrap_or(u16::MAX);
            }
        }
        let hops: Vec<i64> = self.wanted.iter().map(|w| i64::from(self.hops(w.0))).collect();
        if hops.contains(&i64::from(u16::MAX)) {
            return None;
        }
        // Long messages are harder to find a place for; the mean weight is twice the unit.
        let mean = hops.iter().sum::<i64>() / i64::try_from(hops.len()).ok()?.max(1);
        for ((pair, _), hops) in self.wanted.iter().zip(hops) {
            self.weights[*pair as usize] = UNIT + i32::try_from(i64::from(UNIT) * hops / mean.max(1)).ok()?;
        }
        Some(())
    }

    /// Sets tolls: the prices under which weighted distances prove most, since nothing else is scarce.
    fn charge(&mut self, problem: &Problem, lanes: &Lanes, run: &Run<'_>) {
        let prices = crate::bound::prices(problem, run);
        let mean = prices.iter().sum::<f64>() / prices.len().max(1) as f64;
        let price = |lane: u32| prices.get(lanes.channels[lane as usize][0].index()).map_or(1.0, |p| p / mean);
        self.tolls = self.lane.iter().map(|&lane| (EVEN + PRICED * price(lane)).round() as i32).collect();
        for target in 0..self.nodes {
            let mut least = vec![i32::MAX; self.nodes];
            let mut heap = BinaryHeap::from([Reverse((0, target))]);
            least[target] = 0;
            while let Some(Reverse((far, node))) = heap.pop() {
                if far > least[node] || (node != target && !self.passes[node]) {
                    continue;
                }
                for &arc in &self.into[node] {
                    let (from, far) = (self.ends[arc as usize].0 as usize, far + self.tolls[arc as usize]);
                    if far < least[from] {
                        least[from] = far;
                        heap.push(Reverse((far, from)));
                    }
                }
            }
            for (from, least) in least.into_iter().enumerate() {
                self.least[from * self.nodes + target] = least;
            }
        }
    }

    /// The least tolls from `from` to `to`.
    pub fn least(&self, from: u32, to: u32) -> i32 {
        self.least[from as usize * self.nodes + to as usize]
    }

    /// Hops from `from` to `to`; `u16::MAX` where there is no way.
    pub fn distance(&self, from: u32, to: u32) -> u16 {
        self.hops[to as usize * self.nodes + from as usize]
    }

    /// Hops of a pair.
    pub fn hops(&self, pair: u32) -> u16 {
        let nodes = u32::try_from(self.nodes).unwrap_or(u32::MAX);
        self.distance(pair / nodes, pair % nodes)
    }

    pub fn pair(&self, from: u32, to: u32) -> u32 {
        from * u32::try_from(self.nodes).unwrap_or(u32::MAX) + to
    }
}
