//! **What:** which terminals count as one place: those between which everything weighs nothing.
//!
//! **Facts.** What is said of transfers between nodes in `spanning` holds for any partition of the terminals into places: a place has whatever one of its terminals
//! has, and only transfers from one place to another are counted.

use crate::{Channel, Network, Node, Problem};

/// Terminals by place.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The place of each node; `usize::MAX` for what is no terminal.
    pub of: Vec<usize>,
    /// The terminals of each place, at least one.
    pub terminals: Vec<Vec<Node>>,
}

impl Places {
    /// Every terminal by itself.
    pub(super) fn single(network: &Network) -> Self {
        let mut of = vec![usize::MAX; network.node_count()];
        network.terminals().iter().enumerate().for_each(|(at, v)| of[v.index()] = at);
        Places { of, terminals: network.terminals().iter().map(|v| vec![*v]).collect() }
    }

    /// Terminals joined by channels both ways that weigh nothing, through nodes that messages get past.
    pub(super) fn joined(problem: &Problem, weights: &[u128]) -> Self {
        let network = problem.network();
        let mut above: Vec<usize> = (0..network.node_count()).collect();
        let passes = |v: Node| network.is_terminal(v) || problem.path_passes(v);
        let free = |c: &Channel| weights[c.index()] == 0 && passes(network.from(*c)) && passes(network.to(*c));
        for channel in network.channels().filter(free) {
            let (from, to) = (network.from(channel), network.to(channel));
            if network.outgoing(to).iter().any(|back| network.to(*back) == from && free(back)) {
                let (a, b) = (top(&mut above, from.index()), top(&mut above, to.index()));
                above[a.max(b)] = a.min(b);
            }
        }
        let (mut of, mut terminals) = (vec![usize::MAX; above.len()], Vec::<Vec<Node>>::new());
        let mut place_of_top = vec![usize::MAX; above.len()];
        for &node in network.terminals() {
            let place = &mut place_of_top[top(&mut above, node.index())];
            if *place == usize::MAX {
                *place = terminals.len();
                terminals.push(Vec::new());
            }
            of[node.index()] = *place;
            terminals[*place].push(node);
        }
        Places { of, terminals }
    }

    pub(super) fn count(&self) -> usize {
        self.terminals.len()
    }

    /// The places of some terminals, each once.
    pub(super) fn of_all(&self, nodes: &[Node]) -> Vec<usize> {
        let mut seen = vec![false; self.count()];
        let places = nodes.iter().map(|v| self.of[v.index()]);
        places.filter(|place| !std::mem::replace(&mut seen[*place], true)).collect()
    }
}

/// The least node that one is joined with.
fn top(above: &mut [usize], mut node: usize) -> usize {
    while above[node] != node {
        above[node] = above[above[node]];
        node = above[node];
    }
    node
}
