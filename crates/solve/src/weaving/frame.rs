//! **What:** what all looms of a problem have in common: its arcs, how far they are from each destination, what is wanted.
//!
//! An arc carries one message a step; a lane for c of them is c arcs. A pair is `origin * nodes + destination`.

use super::tolls::{KINDS, Tolls};
use crate::Run;
use crate::packing::lanes::Lanes;
use kernel::{Message, Problem};

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
    /// Whether each pair has one message.
    pub single: Vec<bool>,
    /// Several kinds of tolls.
    pub tolls: Vec<Tolls>,
}

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
            single: vec![false; nodes * nodes],
            tolls: Vec::new(),
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
        let prices = frame.prices(problem, lanes, run);
        frame.tolls = KINDS.map(|kind| Tolls::new(&frame, &prices, kind)).into();
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
        self.wanted.iter().for_each(|(pair, messages)| self.single[*pair as usize] = messages.len() == 1);
        let hops: Vec<i64> = self.wanted.iter().map(|w| i64::from(self.hops(w.0))).collect();
        if hops.contains(&i64::from(u16::MAX)) {
            return None;
        }
        Some(())
    }

    /// The price of each arc, 1 in the mean: of those under which weighted distances prove most.
    fn prices(&self, problem: &Problem, lanes: &Lanes, run: &Run<'_>) -> Vec<f64> {
        let prices = crate::bound::prices(problem, run);
        let mean = prices.iter().sum::<f64>() / prices.len().max(1) as f64;
        let price = |lane: &u32| prices.get(lanes.channels[*lane as usize][0].index()).map_or(1.0, |p| p / mean);
        self.lane.iter().map(price).collect()
    }

    /// How many pairs of nodes there are.
    pub fn pairs(&self) -> usize {
        self.nodes * self.nodes
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
