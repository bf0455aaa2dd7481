//! **What:** a flow as paths, and a flow over several steps as one flow a step.
//!
//! **Theory:** flows within capacities `T·c` are sums of `T` flows within `c`, because the flows between the rounded
//! down and the rounded up `1/T` of a flow are the integral points of a polytope with integral corners (Baum and Trotter's
//! integer decomposition). Taking one such flow away at a time needs one maximum flow a step.

use super::{ArcId, FlowGraph};
use run::Budget;

impl FlowGraph {
    /// The flow from `source` to `sink` as paths of one unit each, none visiting a node twice. Circles of the flow are
    /// left out, so arcs may carry more flow than paths. `None` where the budget ends first.
    pub fn unit_paths(&self, source: usize, sink: usize, budget: &mut Budget<'_>) -> Option<Vec<Vec<ArcId>>> {
        let flow = self.arcs().map(|a| self.flow(a)).collect();
        self.unit_paths_of(flow, source, sink, budget)
    }

    /// As [`FlowGraph::unit_paths`], of a flow given as one number an arc.
    pub fn unit_paths_of(
        &self,
        mut left: Vec<u64>,
        source: usize,
        sink: usize,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Vec<ArcId>>> {
        let (mut start, mut list) = (vec![0usize; self.node_count() + 1], Vec::new());
        let used: Vec<ArcId> = self.arcs().filter(|a| left[a.index()] > 0).collect();
        for &arc in &used {
            start[self.tail(arc) + 1] += 1;
        }
        for node in 0..self.node_count() {
            start[node + 1] += start[node];
        }
        let mut next = start.clone();
        list.resize(used.len(), ArcId(0));
        for &arc in &used {
            let slot = &mut next[self.tail(arc)];
            list[*slot] = arc;
            *slot += 1;
        }
        next.copy_from_slice(&start);

        let mut paths = Vec::new();
        // The position on the walk at which a node was entered, plus one.
        let mut entered = vec![0usize; self.node_count()];
        loop {
            let mut walk: Vec<ArcId> = Vec::new();
            let mut node = source;
            entered[source] = 1;
            while node != sink {
                if !budget.spend(1) {
                    return None;
                }
                while next[node] < start[node + 1] && left[list[next[node]].index()] == 0 {
                    next[node] += 1;
                }
                if next[node] == start[node + 1] {
                    break;
                }
                let arc = list[next[node]];
                left[arc.index()] -= 1;
                walk.push(arc);
                node = self.head(arc);
                if entered[node] > 0 {
                    // A circle: drop it from the walk; its flow is already taken away.
                    for arc in walk.drain(entered[node] - 1..) {
                        let head = self.head(arc);
                        if head != node {
                            entered[head] = 0;
                        }
                    }
                } else {
                    entered[node] = walk.len() + 1;
                }
            }
            entered[source] = 0;
            for &arc in &walk {
                entered[self.head(arc)] = 0;
            }
            if node != sink || walk.is_empty() {
                return Some(paths);
            }
            paths.push(walk);
        }
    }

    /// The flow from `source` to `sink` as the sum of `steps` flows, one number an arc each, in which every arc carries
    /// its share of the whole, rounded down or up: within `c` wherever the whole is within `steps · c`. `each` is told one after
    /// the other and says whether to go on; `None` where it does not, or the budget ends.
    pub fn split(
        &self,
        [source, sink]: [usize; 2],
        steps: u64,
        budget: &mut Budget<'_>,
        mut each: impl FnMut(Vec<u64>, &mut Budget<'_>) -> Option<()>,
    ) -> Option<()> {
        let mut left: Vec<u64> = self.arcs().map(|a| self.flow(a)).collect();
        let into: u64 = self.arcs().filter(|&a| self.head(a) == sink).map(|a| left[a.index()]).sum();
        let out: u64 = self.arcs().filter(|&a| self.tail(a) == sink).map(|a| left[a.index()]).sum();
        let mut value = into - out;
        for parts_left in (1..=steps).rev() {
            let share = self.share(&left, value, [source, sink], parts_left, budget)?;
            for (l, s) in left.iter_mut().zip(&share.0) {
                *l -= s;
            }
            value -= share.1;
            each(share.0, budget)?;
        }
        Some(())
    }

    /// One flow that takes `1/parts` of `left`, rounded down or up, from every arc; with its value.
    fn share(
        &self,
        left: &[u64],
        value: u64,
        [source, sink]: [usize; 2],
        parts: u64,
        budget: &mut Budget<'_>,
    ) -> Option<(Vec<u64>, u64)> {
        if !budget.spend(2 * left.len() as u64) {
            return None;
        }
        // What is rounded down everywhere is not conserved; the arcs with a remainder make it up, one unit each at most.
        let mut rounding = FlowGraph::new(self.node_count() + 2);
        let (from, to) = (self.node_count(), self.node_count() + 1);
        let mut excess = vec![0i64; self.node_count()];
        let mut spare = Vec::new();
        let mut share: Vec<u64> = left.iter().map(|f| f / parts).collect();
        for arc in self.arcs().filter(|a| left[a.index()] > 0) {
            let whole = i64::try_from(share[arc.index()]).expect("flows stay far below 2^63");
            excess[self.head(arc)] += whole;
            excess[self.tail(arc)] -= whole;
            if !left[arc.index()].is_multiple_of(parts) {
                spare.push((arc, rounding.arc(self.tail(arc), self.head(arc), 1)));
            }
        }
        // The circle is closed by an arc from sink to source that carries the value.
        let mut taken = value / parts;
        let whole = i64::try_from(taken).expect("flows stay far below 2^63");
        excess[source] += whole;
        excess[sink] -= whole;
        let closing = (!value.is_multiple_of(parts)).then(|| rounding.arc(sink, source, 1));
        for (node, &e) in excess.iter().enumerate().filter(|(_, e)| **e != 0) {
            match e > 0 {
                true => rounding.arc(from, node, e.unsigned_abs()),
                false => rounding.arc(node, to, e.unsigned_abs()),
            };
        }
        rounding.max_flow(from, to, budget);
        if budget.is_over() {
            return None;
        }
        for (arc, rounded) in spare {
            share[arc.index()] += rounding.flow(rounded);
        }
        taken += closing.map_or(0, |c| rounding.flow(c));
        Some((share, taken))
    }
}
