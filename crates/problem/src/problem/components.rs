//! **What:** the parts of a network within which messages get from everywhere to everywhere, in an order in which channels
//! between them lead one way only.
//!
//! **Source:** R. E. Tarjan, Depth-first search and linear graph algorithms, 1972.

use super::Problem;
use crate::Node;

/// A node that no search has come to yet.
const NEW: u32 = u32::MAX;

/// Strongly connected components by the channels that messages get on over.
pub(super) struct Components {
    /// The component of each node; a channel leads to the same one or one of a lower number.
    of: Vec<u32>,
    /// All nodes, by component.
    order: Vec<Node>,
}

/// A node whose channels are looked at.
struct Visit {
    node: Node,
    /// The channels looked at so far.
    looked: usize,
}

impl Components {
    pub(super) fn new(problem: &Problem) -> Self {
        let count = problem.network().node_count();
        let mut search = Search {
            problem,
            entered: vec![NEW; count],
            lowest: vec![0; count],
            entries: 0,
            open: Vec::new(),
            found: Components { of: vec![NEW; count], order: Vec::with_capacity(count) },
            components: 0,
        };
        for node in problem.network().nodes() {
            if search.entered[node.index()] == NEW {
                search.from(node);
            }
        }
        search.found
    }

    /// The component of a node.
    pub(super) fn of(&self, node: Node) -> u32 {
        self.of[node.index()]
    }

    /// Of each component, a bit for each of `roots` (64 at most) from which messages get to it, or to which they get from it where
    /// not `forwards`.
    pub(super) fn reach(&self, problem: &Problem, roots: &[u32], forwards: bool) -> Vec<u64> {
        let mut reached = vec![0u64; self.order.last().map_or(0, |v| self.of(*v) as usize + 1)];
        for (bit, root) in roots.iter().enumerate() {
            reached[*root as usize] |= 1 << bit;
        }
        let network = problem.network();
        let mut pass = |node: Node| {
            let here = self.of(node) as usize;
            for &channel in onward(problem, node) {
                let there = self.of(network.to(channel)) as usize;
                let (from, to) = if forwards { (here, there) } else { (there, here) };
                reached[to] |= reached[from];
            }
        };
        // Who tells others is told before.
        if forwards {
            self.order.iter().rev().for_each(|v| pass(*v))
        } else {
            self.order.iter().for_each(|v| pass(*v))
        }
        reached
    }
}

/// The channels over which what is at a node gets on.
fn onward(problem: &Problem, node: Node) -> &[crate::Channel] {
    if problem.passes(node) { problem.network().outgoing(node) } else { &[] }
}

struct Search<'a> {
    problem: &'a Problem,
    /// When each node was entered.
    entered: Vec<u32>,
    /// The earliest node of an open component that each is known to get to.
    lowest: Vec<u32>,
    entries: u32,
    /// Nodes whose component is not complete.
    open: Vec<Node>,
    found: Components,
    components: u32,
}

impl Search<'_> {
    fn enter(&mut self, node: Node) -> Visit {
        self.entered[node.index()] = self.entries;
        self.lowest[node.index()] = self.entries;
        self.entries += 1;
        self.open.push(node);
        Visit { node, looked: 0 }
    }

    fn from(&mut self, start: Node) {
        let mut visits = vec![self.enter(start)];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            let Some(&channel) = onward(self.problem, node).get(visit.looked) else {
                visits.pop();
                self.leave(node);
                if let Some(before) = visits.last() {
                    let lowest = self.lowest[node.index()];
                    self.lower(before.node, lowest);
                }
                continue;
            };
            visit.looked += 1;
            let next = self.problem.network().to(channel);
            if self.entered[next.index()] == NEW {
                let visit = self.enter(next);
                visits.push(visit);
            } else if self.found.of[next.index()] == NEW {
                self.lower(node, self.entered[next.index()]);
            }
        }
    }

    fn lower(&mut self, node: Node, to: u32) {
        let lowest = &mut self.lowest[node.index()];
        *lowest = to.min(*lowest);
    }

    /// Closes the component that a node was the first of.
    fn leave(&mut self, node: Node) {
        if self.lowest[node.index()] != self.entered[node.index()] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.found.of[member.index()] = self.components;
            self.found.order.push(member);
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}
