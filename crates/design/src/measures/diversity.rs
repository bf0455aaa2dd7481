//! **What:** how many ways lead from one terminal to another: walks of at most so many hops, and shortest paths.
//!
//! **Facts:** a walk may come by a node twice, as the multiring paper counts: its *internal parallelism* σ is the least
//! number of walks of 1 to L hops over all ordered pairs, a terminal and itself included. Numbers beyond 2^64 stay there.
//!
//! **Source:** V. Podlazov, "An extended multiring with an incremented diameter", section 1.

use kernel::Network;

/// How many ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diversity {
    /// Most hops of a walk.
    pub length: u64,
    /// Fewest walks of 1 to `length` hops over all ordered pairs, a terminal and itself included: the paper's σ.
    pub least: u64,
    /// The same without a terminal and itself.
    pub least_apart: u64,
}

/// Fewest and, on average, how many shortest paths lead from a terminal to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortest {
    /// The fewest over ordered pairs.
    pub least: u64,
    /// The mean over ordered pairs.
    pub average: f64,
}

/// The diversity for every length from 1 to `longest`, and the shortest paths if all are at most that long.
pub fn diversity(network: &Network, longest: u64) -> (Vec<Diversity>, Option<Shortest>) {
    let mut rows: Vec<Diversity> =
        (1..=longest).map(|length| Diversity { length, least: u64::MAX, least_apart: u64::MAX }).collect();
    let nodes = network.node_count();
    let (mut fewest, mut sum, mut pairs) = (u64::MAX, 0.0, 0u64);
    for &from in network.terminals() {
        let mut total = vec![0u64; nodes];
        let mut front = vec![0u64; nodes];
        let mut shortest = vec![0u64; nodes];
        front[from.index()] = 1;
        for row in &mut rows {
            let mut next = vec![0u64; nodes];
            for node in network.nodes().filter(|v| front[v.index()] > 0 && (*v == from || network.is_transit(*v))) {
                for &channel in network.outgoing(node) {
                    let to = &mut next[network.to(channel).index()];
                    *to = to.saturating_add(front[node.index()]);
                }
            }
            for v in 0..nodes {
                if total[v] == 0 {
                    shortest[v] = next[v];
                }
                total[v] = total[v].saturating_add(next[v]);
            }
            for to in network.terminals() {
                row.least = row.least.min(total[to.index()]);
                if *to != from {
                    row.least_apart = row.least_apart.min(total[to.index()]);
                }
            }
            front = next;
        }
        for to in network.terminals().iter().filter(|to| **to != from) {
            fewest = fewest.min(shortest[to.index()]);
            sum += shortest[to.index()] as f64;
            pairs += 1;
        }
    }
    let known = pairs > 0 && fewest > 0 && fewest < u64::MAX;
    (rows, known.then(|| Shortest { least: fewest, average: sum / pairs as f64 }))
}
