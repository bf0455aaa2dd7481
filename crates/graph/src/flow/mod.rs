//! **What:** integral flows on small directed graphs: maximum flow, minimum cut, minimum cost, paths of a flow.
//!
//! **Method:** Dinic's blocking flows on a residual graph in compressed rows. A flow may be kept while arcs are added or
//! capacities raised; the next call continues from it, which is how the searches here grow a flow step by step. Where the budget
//! ends, the flow is left as far as it came.
//! Capacities of nodes are had by splitting a node in two with an arc between.
//!
//! **Source:** Y. Dinitz, "Algorithm for solution of a problem of maximum flow in networks with power estimation" (1970);
//! R. Ahuja, T. Magnanti, J. Orlin, "Network Flows" (1993), chapters 7, 9 and 3.5.
//!
//! **Example:** two ways from 0 to 3, of which one is narrow.
//! ```
//! use graph::flow::FlowGraph;
//! use run::Budget;
//! let mut graph = FlowGraph::new(4);
//! for (from, to, capacity) in [(0, 1, 2), (1, 3, 1), (0, 2, 1), (2, 3, 5)] {
//!     graph.arc(from, to, capacity);
//! }
//! assert_eq!(graph.max_flow(0, 3, &mut Budget::unlimited()), 2);
//! assert_eq!(graph.source_side(0), [true, true, false, false]);
//! ```

mod min_cost;
mod paths;

use run::Budget;
use std::ops::ControlFlow;

/// A capacity that no flow here reaches.
pub const UNBOUNDED: u64 = 1 << 48;

const NO_LEVEL: u32 = u32::MAX;

/// The handle of an arc, as [`FlowGraph::arc`] returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArcId(u32);

impl ArcId {
    /// The arc at a position.
    pub fn at(index: usize) -> Self {
        ArcId(2 * index as u32)
    }

    /// Its position among the arcs, in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize / 2
    }
}

/// A directed graph with capacities, costs and the flow found so far.
#[derive(Clone, Debug, Default)]
pub struct FlowGraph {
    nodes: usize,
    // Arc 2i and its reverse 2i + 1.
    to: Vec<u32>,
    residual: Vec<u64>,
    cost: Vec<i64>,
    // Compressed rows over `to`, made anew after arcs were added.
    rows: Vec<u32>,
    row_arcs: Vec<u32>,
    // Scratch space of the searches, kept between calls.
    level: Vec<u32>,
    next: Vec<u32>,
    queue: Vec<u32>,
    trail: Vec<u32>,
}

impl FlowGraph {
    /// A graph of nodes 0 to `nodes − 1` and no arcs.
    pub fn new(nodes: usize) -> Self {
        FlowGraph { nodes, ..Self::default() }
    }

    /// Adds a node and returns its number.
    pub fn add_node(&mut self) -> usize {
        self.add_nodes(1)
    }

    /// Adds `count` nodes and returns the number of the first.
    pub fn add_nodes(&mut self, count: usize) -> usize {
        self.nodes += count;
        self.rows.clear();
        self.nodes - count
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes
    }

    /// Number of arcs.
    pub fn arc_count(&self) -> usize {
        self.to.len() / 2
    }

    /// All arcs, in the order in which they were added.
    pub fn arcs(&self) -> impl ExactSizeIterator<Item = ArcId> + use<> {
        (0..self.arc_count()).map(|i| ArcId(2 * i as u32))
    }

    /// Adds an arc of cost 0.
    pub fn arc(&mut self, from: usize, to: usize, capacity: u64) -> ArcId {
        self.priced_arc(from, to, capacity, 0)
    }

    /// Adds an arc of which each unit of flow costs `cost`, which must not be negative.
    pub fn priced_arc(&mut self, from: usize, to: usize, capacity: u64, cost: u32) -> ArcId {
        debug_assert!(from < self.nodes && to < self.nodes);
        let arc = self.to.len() as u32;
        self.to.extend([to as u32, from as u32]);
        self.residual.extend([capacity, 0]);
        self.cost.extend([i64::from(cost), -i64::from(cost)]);
        self.rows.clear();
        ArcId(arc)
    }

    /// The node an arc leaves.
    pub fn tail(&self, arc: ArcId) -> usize {
        self.to[arc.0 as usize ^ 1] as usize
    }

    /// The node an arc enters.
    pub fn head(&self, arc: ArcId) -> usize {
        self.to[arc.0 as usize] as usize
    }

    /// The flow on an arc.
    pub fn flow(&self, arc: ArcId) -> u64 {
        self.residual[arc.0 as usize ^ 1]
    }

    /// The capacity of an arc.
    pub fn capacity(&self, arc: ArcId) -> u64 {
        self.residual[arc.0 as usize] + self.flow(arc)
    }

    /// Changes a capacity. Flow above the new capacity is forgotten, so lower capacities only before a [`FlowGraph::reset`].
    pub fn set_capacity(&mut self, arc: ArcId, capacity: u64) {
        let flow = self.flow(arc).min(capacity);
        self.set_flow_within(arc, flow, capacity);
    }

    /// Sets the flow of an arc, at most its capacity; whoever calls keeps the flow conserved.
    pub fn set_flow(&mut self, arc: ArcId, flow: u64) {
        let capacity = self.capacity(arc);
        debug_assert!(flow <= capacity);
        self.set_flow_within(arc, flow.min(capacity), capacity);
    }

    fn set_flow_within(&mut self, arc: ArcId, flow: u64, capacity: u64) {
        self.residual[arc.0 as usize] = capacity - flow;
        self.residual[arc.0 as usize ^ 1] = flow;
    }

    /// Forgets the flow and keeps the capacities.
    pub fn reset(&mut self) {
        for pair in self.residual.chunks_exact_mut(2) {
            pair[0] += pair[1];
            pair[1] = 0;
        }
    }

    /// Keeps capacities and flow in `into`.
    pub fn save(&self, into: &mut Vec<u64>) {
        into.clone_from(&self.residual);
    }

    /// Brings back what [`FlowGraph::save`] kept; no arcs may have been added since.
    pub fn restore(&mut self, from: &[u64]) {
        self.residual.copy_from_slice(from);
    }

    /// Takes the flow that runs both ways through two opposite arcs out of both; the rest stays a flow of the same value.
    pub fn cancel(&mut self, one: ArcId, other: ArcId) {
        debug_assert!(self.tail(one) == self.head(other) && self.head(one) == self.tail(other));
        let both = self.flow(one).min(self.flow(other));
        self.set_flow(one, self.flow(one) - both);
        self.set_flow(other, self.flow(other) - both);
    }

    /// Raises the flow from `source` to `sink` to the largest possible; returns by how much it rose.
    pub fn max_flow(&mut self, source: usize, sink: usize, budget: &mut Budget<'_>) -> u64 {
        self.raise_flow(source, sink, u64::MAX, budget)
    }

    /// Raises the flow from `source` to `sink` by at most `limit`; returns by how much it rose.
    pub fn raise_flow(&mut self, source: usize, sink: usize, limit: u64, budget: &mut Budget<'_>) -> u64 {
        self.raise_within([source, sink], limit, None, budget)
    }

    /// The nodes that `source` reaches in the residual graph: after [`FlowGraph::max_flow`], the source's side of the
    /// smallest minimum cut.
    pub fn source_side(&mut self, source: usize) -> Vec<bool> {
        self.prepare();
        self.search_levels(source, None, None, &mut Budget::unlimited());
        self.level.iter().map(|&l| l != NO_LEVEL).collect()
    }

    /// The nodes that reach `sink` in the residual graph: after [`FlowGraph::max_flow`], the sink's side of the minimum
    /// cut that lies nearest to it.
    pub fn sink_side(&mut self, sink: usize) -> Vec<bool> {
        self.prepare();
        let mut side = vec![false; self.nodes];
        side[sink] = true;
        let mut stack = vec![sink];
        while let Some(node) = stack.pop() {
            for &arc in self.row(node) {
                // The arc that enters `node` is the partner of the one that leaves it.
                let before = self.to[arc as usize] as usize;
                if self.residual[arc as usize ^ 1] > 0 && !side[before] {
                    side[before] = true;
                    stack.push(before);
                }
            }
        }
        side
    }

    /// The arcs from the nodes marked in `side` to the others.
    pub fn leaving(&self, side: &[bool]) -> Vec<ArcId> {
        self.arcs().filter(|&a| side[self.tail(a)] && !side[self.head(a)]).collect()
    }

    fn row(&self, node: usize) -> &[u32] {
        &self.row_arcs[self.rows[node] as usize..self.rows[node + 1] as usize]
    }

    /// Makes the rows, where arcs or nodes were added since.
    fn prepare(&mut self) {
        if self.rows.len() == self.nodes + 1 {
            return;
        }
        let mut rows = vec![0u32; self.nodes + 1];
        for arc in 0..self.to.len() {
            rows[self.to[arc ^ 1] as usize + 1] += 1;
        }
        for node in 0..self.nodes {
            rows[node + 1] += rows[node];
        }
        let mut place = rows.clone();
        self.row_arcs.clear();
        self.row_arcs.resize(self.to.len(), 0);
        for arc in 0..self.to.len() {
            let slot = &mut place[self.to[arc ^ 1] as usize];
            self.row_arcs[*slot as usize] = arc as u32;
            *slot += 1;
        }
        self.rows = rows;
        self.level = vec![NO_LEVEL; self.nodes];
        self.next = vec![0; self.nodes];
    }

    /// Whether `arc` from `node` may be used: it has room, and costs nothing in reduced costs where there are prices.
    fn open(&self, node: usize, arc: usize, price: Option<&[i64]>) -> bool {
        self.residual[arc] > 0 && price.is_none_or(|p| self.cost[arc] + p[node] == p[self.to[arc] as usize])
    }

    /// Breadth-first levels from `source`; stops early at `sink`. Returns whether the sink was reached.
    fn search_levels(
        &mut self,
        source: usize,
        sink: Option<usize>,
        price: Option<&[i64]>,
        budget: &mut Budget<'_>,
    ) -> bool {
        if !budget.spend(self.nodes as u64 / 8) {
            return false;
        }
        self.level.fill(NO_LEVEL);
        self.level[source] = 0;
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        queue.push(source as u32);
        let mut at = 0;
        while at < queue.len() {
            let node = queue[at] as usize;
            at += 1;
            if !budget.spend(u64::from(self.rows[node + 1] - self.rows[node])) {
                self.queue = queue;
                return false;
            }
            let reached = (self.rows[node]..self.rows[node + 1]).try_for_each(|slot| {
                let arc = self.row_arcs[slot as usize] as usize;
                let to = self.to[arc] as usize;
                if self.level[to] == NO_LEVEL && self.open(node, arc, price) {
                    self.level[to] = self.level[node] + 1;
                    if Some(to) == sink {
                        return ControlFlow::Break(());
                    }
                    queue.push(to as u32);
                }
                ControlFlow::Continue(())
            });
            if reached.is_break() {
                break;
            }
        }
        self.queue = queue;
        sink.is_some_and(|s| self.level[s] != NO_LEVEL)
    }

    fn raise_within(
        &mut self,
        [source, sink]: [usize; 2],
        limit: u64,
        price: Option<&[i64]>,
        budget: &mut Budget<'_>,
    ) -> u64 {
        self.prepare();
        let mut raised = 0;
        while raised < limit && source != sink && self.search_levels(source, Some(sink), price, budget) {
            raised += self.blocking_flow([source, sink], limit - raised, price, budget);
        }
        raised
    }

    /// Saturates all shortest ways at once, by a walk along the levels that never tries an arc twice.
    fn blocking_flow(
        &mut self,
        [source, sink]: [usize; 2],
        limit: u64,
        price: Option<&[i64]>,
        budget: &mut Budget<'_>,
    ) -> u64 {
        self.next.copy_from_slice(&self.rows[..self.nodes]);
        let mut trail = std::mem::take(&mut self.trail);
        trail.clear();
        let (mut raised, mut node) = (0, source);
        while raised < limit && budget.spend(1) {
            if node == sink {
                let narrow = trail.iter().map(|&a| self.residual[a as usize]).min().unwrap_or(0).min(limit - raised);
                for &arc in &trail {
                    self.residual[arc as usize] -= narrow;
                    self.residual[arc as usize ^ 1] += narrow;
                }
                raised += narrow;
                let full = trail.iter().position(|&a| self.residual[a as usize] == 0).unwrap_or(0);
                node = self.to[trail[full] as usize ^ 1] as usize;
                trail.truncate(full);
                continue;
            }
            if self.next[node] == self.rows[node + 1] {
                // A dead end: nothing leads on from here in this phase.
                self.level[node] = NO_LEVEL;
                let Some(arc) = trail.pop() else { break };
                node = self.to[arc as usize ^ 1] as usize;
                self.next[node] += 1;
                continue;
            }
            let arc = self.row_arcs[self.next[node] as usize] as usize;
            let to = self.to[arc] as usize;
            if self.level[to] == self.level[node].saturating_add(1) && self.open(node, arc, price) {
                trail.push(arc as u32);
                node = to;
            } else {
                self.next[node] += 1;
            }
        }
        self.trail = trail;
        raised
    }
}
