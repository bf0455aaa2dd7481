//! **What:** machines in a network: terminals that are joined by wider channels than lead from one such group to another.

use kernel::timed::TimedProblem;
use kernel::{Channel, Node};
use std::collections::BTreeSet;

/// Which group each node is part of.
#[derive(Clone, Debug)]
pub struct Groups {
    /// Of each node, by number; switches between groups are in none.
    of: Vec<Option<usize>>,
    /// The terminals of each group, ascending, and the groups in the order of their first ones.
    pub members: Vec<Vec<Node>>,
    /// The place of each node among its group's terminals.
    place: Vec<usize>,
}

impl Groups {
    /// Those that the narrowest channels leave over, such that no group has more than half of the terminals; `None` where there are none but single terminals.
    #[must_use]
    pub fn of(problem: &TimedProblem) -> Option<Self> {
        let network = problem.network();
        let bandwidths: BTreeSet<u64> = network.channels().map(|c| problem.bandwidth(c)).collect();
        let all = network.terminals().len();
        let groups = bandwidths.into_iter().map(|least| Groups::joined_above(problem, least));
        let largest = |groups: &Groups| groups.members.iter().map(Vec::len).max().unwrap_or(0);
        groups.into_iter().find(|groups| 2 * largest(groups) <= all).filter(|groups| largest(groups) > 1)
    }

    /// Nodes that channels of more than some bandwidth join.
    fn joined_above(problem: &TimedProblem, bandwidth: u64) -> Self {
        let network = problem.network();
        let wide = |c: &&Channel| problem.bandwidth(**c) > bandwidth;
        let mut part = vec![usize::MAX; network.node_count()];
        let (mut of, mut members) = (vec![None; part.len()], Vec::new());
        let mut place = vec![0; part.len()];
        // From the terminals on, since what has none is no group.
        for (number, &first) in network.terminals().iter().enumerate() {
            let mut stack = if part[first.index()] == usize::MAX { vec![first] } else { Vec::new() };
            let mut group = Vec::new();
            while let Some(node) = stack.pop() {
                if std::mem::replace(&mut part[node.index()], number) != usize::MAX {
                    continue;
                }
                of[node.index()] = Some(members.len());
                group.extend(network.is_terminal(node).then_some(node));
                let (out, into) = (network.outgoing(node).iter(), network.incoming(node).iter());
                let next = out.filter(wide).map(|c| network.to(*c)).chain(into.filter(wide).map(|c| network.from(*c)));
                stack.extend(next.filter(|v| part[v.index()] == usize::MAX));
            }
            if !group.is_empty() {
                group.sort_unstable();
                group.iter().enumerate().for_each(|(at, v)| place[v.index()] = at);
                members.push(group);
            }
        }
        Groups { of, members, place }
    }

    /// How many groups there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The group of a node.
    #[must_use]
    pub fn group(&self, node: Node) -> Option<usize> {
        self.of[node.index()]
    }

    /// How many groups one is after that of another node, in a circle.
    #[must_use]
    pub fn after(&self, from: Node, group: usize) -> usize {
        (group + self.count() - self.group(from).unwrap_or(0)) % self.count()
    }

    /// How many places a node is after another, in a circle as large as the largest group.
    #[must_use]
    pub fn places_after(&self, from: Node, to: Node) -> usize {
        let size = self.largest();
        (self.place[to.index()] + size - self.place[from.index()]) % size
    }

    /// Terminals of the largest group.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(1)
    }
}
