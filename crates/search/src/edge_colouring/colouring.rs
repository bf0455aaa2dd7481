//! **What:** slots for the edges of a bipartite graph, so that no two edges at a node have the same.
//!
//! **Method.** An edge takes a slot that is free at both its ends, that which is least used behind it. Where there is none,
//! slot a is free at one end and slot b at the other: the chain of edges that begins at the second end and alternates between
//! a and b cannot come to the first, so its slots are exchanged and the edge takes a. So as many slots suffice as a node has
//! edges (König). Where nodes lack slots, chains that would need them are not used, and an edge may be left without a slot.
//!
//! **Source:** D. Kőnig, Über Graphen und ihre Anwendung auf Determinantentheorie und Mengenlehre, 1916

use run::Budget;

/// Nothing is there.
const NONE: u32 = u32::MAX;
/// Pairs of slots that are tried for one edge.
const MOST_CHAINS: usize = 64;

/// What lies behind a slot at a node, for each side of the graph.
pub(super) trait Behind {
    /// Number of slots, the same for both sides of an edge.
    fn slots(&self, node: u32) -> usize;

    /// The place that a slot leads to, by which its use is counted, below [`Behind::places`]; `None` where there is no such
    /// slot.
    fn place(&self, side: usize, node: u32, slot: usize) -> Option<usize>;

    /// Number of places on either side.
    fn places(&self) -> usize;
}

/// Edges and their slots.
pub(super) struct Colouring<'a, B> {
    behind: &'a B,
    edges: &'a [[u32; 2]],
    /// The slot of each edge, or [`NONE`].
    slot: Vec<u32>,
    /// For each side, node and slot the edge that has it; rows begin at `start`.
    holder: [Vec<u32>; 2],
    start: Vec<usize>,
    /// For each side and place, edges that come to it.
    load: [Vec<u32>; 2],
}

impl<'a, B: Behind> Colouring<'a, B> {
    /// Gives slots to `edges` between nodes below `nodes`, one after the other; `None` where the budget ends first.
    pub(super) fn new(behind: &'a B, nodes: usize, edges: &'a [[u32; 2]], budget: &mut Budget<'_>) -> Option<Self> {
        let mut start = vec![0; nodes + 1];
        let mut met = vec![false; nodes];
        edges.iter().flatten().for_each(|&v| met[v as usize] = true);
        for v in 0..nodes {
            let slots = if met[v] { behind.slots(u32::try_from(v).unwrap_or(NONE)) } else { 0 };
            start[v + 1] = start[v] + slots;
        }
        let (rows, places) = (start[nodes], behind.places());
        if !budget.spend((nodes + rows + places) as u64) {
            return None;
        }
        let mut colouring = Colouring {
            behind,
            edges,
            slot: vec![NONE; edges.len()],
            holder: [vec![NONE; rows], vec![NONE; rows]],
            start,
            load: [vec![0; places], vec![0; places]],
        };
        (0..edges.len()).all(|edge| colouring.insert(edge, budget)).then_some(colouring)
    }

    /// The slot of an edge, if it has one.
    pub(super) fn slot(&self, edge: usize) -> Option<usize> {
        Some(self.slot[edge]).filter(|s| *s != NONE).map(|s| s as usize)
    }

    fn holder(&self, side: usize, node: u32, slot: usize) -> u32 {
        self.holder[side][self.start[node as usize] + slot]
    }

    fn give(&mut self, edge: usize, slot: usize) {
        let name = u32::try_from(slot).unwrap_or(NONE);
        self.slot[edge] = name;
        for side in 0..2 {
            let node = self.edges[edge][side];
            self.holder[side][self.start[node as usize] + slot] = u32::try_from(edge).unwrap_or(NONE);
            if let Some(place) = self.behind.place(side, node, slot) {
                self.load[side][place] += 1;
            }
        }
    }

    fn take(&mut self, edge: usize) {
        let slot = self.slot[edge] as usize;
        self.slot[edge] = NONE;
        for side in 0..2 {
            let node = self.edges[edge][side];
            self.holder[side][self.start[node as usize] + slot] = NONE;
            if let Some(place) = self.behind.place(side, node, slot) {
                self.load[side][place] -= 1;
            }
        }
    }

    /// False where the budget ends.
    fn insert(&mut self, edge: usize, budget: &mut Budget<'_>) -> bool {
        let ends = self.edges[edge];
        let slots = self.behind.slots(ends[0]).min(self.behind.slots(ends[1]));
        let mut open: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let mut best: Option<(u32, usize)> = None;
        if !budget.spend(40 + slots as u64 / 2) {
            return false;
        }
        for slot in 0..slots {
            let place = |side: usize| self.behind.place(side, ends[side], slot);
            let free = |side: usize| self.holder(side, ends[side], slot) == NONE;
            let (Some(first), Some(second)) = (place(0), place(1)) else { continue };
            match (free(0), free(1)) {
                (true, true) => {
                    let load = self.load[0][first] + self.load[1][second];
                    if best.is_none_or(|(least, _)| load < least) {
                        best = Some((load, slot));
                    }
                }
                (true, false) => open[0].push(slot),
                (false, true) => open[1].push(slot),
                (false, false) => {}
            }
        }
        if let Some((_, slot)) = best {
            self.give(edge, slot);
            return true;
        }
        let pairs = open[0].iter().flat_map(|&a| open[1].iter().map(move |&b| (a, b)));
        for (a, b) in pairs.take(MOST_CHAINS) {
            if let Some(chain) = self.chain(ends[1], a, b, budget) {
                self.exchange(&chain, a, b);
                self.give(edge, a);
                break;
            }
        }
        !budget.is_over()
    }

    /// The edges that alternate between slots a and b from `node` of the second side on; `None` where one could not
    /// exchange them, or the budget ends.
    fn chain(&mut self, node: u32, a: usize, b: usize, budget: &mut Budget<'_>) -> Option<Vec<usize>> {
        let mut chain = Vec::new();
        let (mut side, mut at, mut has, mut gets) = (1, node, a, b);
        loop {
            let edge = self.holder(side, at, has);
            if edge == NONE {
                return Some(chain);
            }
            if !budget.spend(20) {
                return None;
            }
            let ends = self.edges[edge as usize];
            if (0..2).any(|s| self.behind.place(s, ends[s], gets).is_none()) {
                return None;
            }
            chain.push(edge as usize);
            side = 1 - side;
            at = ends[side];
            (has, gets) = (gets, has);
        }
    }

    fn exchange(&mut self, chain: &[usize], a: usize, b: usize) {
        let had: Vec<usize> = chain.iter().map(|&edge| self.slot[edge] as usize).collect();
        chain.iter().for_each(|&edge| self.take(edge));
        for (&edge, had) in chain.iter().zip(had) {
            self.give(edge, if had == a { b } else { a });
        }
    }
}
