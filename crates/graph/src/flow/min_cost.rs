//! **What:** flows of least cost.
//!
//! **Method:** primal-dual: shortest distances in reduced costs raise the prices of the nodes, then a maximum flow on the
//! arcs of reduced cost 0. The number of rounds is the number of different costs of a path, which is small where costs
//! are hops.

use super::FlowGraph;
use run::Budget;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl FlowGraph {
    /// Raises the flow from `source` to `sink` by at most `limit` at least cost; returns by how much it rose and what
    /// that costs. Start from no flow, or from one that this function made with the same ends.
    pub fn min_cost_flow(&mut self, source: usize, sink: usize, limit: u64, budget: &mut Budget<'_>) -> (u64, u64) {
        self.prepare();
        let mut price = vec![0i64; self.node_count()];
        let (mut raised, mut cost) = (0, 0);
        if source == sink || !self.settle_prices(source, &mut price, budget) {
            return (0, 0);
        }
        while raised < limit {
            let Some(distance) = self.distances([source, sink], &price, budget) else { break };
            let far = distance[sink];
            for (p, d) in price.iter_mut().zip(&distance) {
                *p += (*d).min(far);
            }
            let more = self.raise_within([source, sink], limit - raised, Some(&price), budget);
            raised += more;
            cost +=
                more * u64::try_from(price[sink] - price[source]).expect("paths of no flow cost no less than nothing");
        }
        (raised, cost)
    }

    /// Prices under which no open arc has a negative reduced cost. Without flow all zeros serve; with flow its returning
    /// arcs are negative and Bellman and Ford's relaxation settles them. `false` where a negative circle exists, or the budget
    /// ends.
    fn settle_prices(&self, source: usize, price: &mut [i64], budget: &mut Budget<'_>) -> bool {
        for _ in 0..=self.node_count() {
            if !budget.spend(self.to.len() as u64) {
                return false;
            }
            let mut changed = false;
            for arc in (0..self.to.len()).filter(|&a| self.residual[a] > 0) {
                let (from, to) = (self.to[arc ^ 1] as usize, self.to[arc] as usize);
                if price[from] + self.cost[arc] < price[to] {
                    price[to] = price[from] + self.cost[arc];
                    changed = true;
                }
            }
            if !changed {
                let base = price[source];
                price.iter_mut().for_each(|p| *p -= base);
                return true;
            }
        }
        false
    }

    /// Dijkstra's distances in reduced costs; `None` where the sink is not reached.
    fn distances(&self, [source, sink]: [usize; 2], price: &[i64], budget: &mut Budget<'_>) -> Option<Vec<i64>> {
        let mut distance = vec![i64::MAX; self.node_count()];
        distance[source] = 0;
        let mut heap = BinaryHeap::from([Reverse((0i64, source as u32))]);
        while let Some(Reverse((d, node))) = heap.pop() {
            let node = node as usize;
            if d > distance[node] {
                continue;
            }
            if node == sink {
                // Whatever is still open is at least this far.
                break;
            }
            if !budget.spend(8 + self.row(node).len() as u64) {
                return None;
            }
            for &arc in self.row(node) {
                let arc = arc as usize;
                if self.residual[arc] == 0 {
                    continue;
                }
                let to = self.to[arc] as usize;
                let next = d + self.cost[arc] + price[node] - price[to];
                if next < distance[to] {
                    distance[to] = next;
                    heap.push(Reverse((next, to as u32)));
                }
            }
        }
        (distance[sink] < i64::MAX).then_some(distance)
    }
}
