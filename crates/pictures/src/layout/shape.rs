//! **What:** a network as links between numbers, without directions: all that most layouts look at.

use kernel::Network;
use std::collections::VecDeque;

/// Who is joined to whom.
pub(super) struct Shape {
    /// The neighbours of each node, ascending, each once.
    pub neighbours: Vec<Vec<u32>>,
}

impl Shape {
    /// Of a network, channels taken either way.
    pub(super) fn of(network: &Network) -> Self {
        Self::new(network.node_count(), network.channels().map(|c| (network.from(c).0, network.to(c).0)))
    }

    /// Of pairs of nodes below `nodes`.
    pub(super) fn new(nodes: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut neighbours = vec![Vec::new(); nodes];
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Shape { neighbours }
    }

    /// The part on `nodes`, renumbered in that order.
    pub(super) fn part(&self, nodes: &[u32]) -> Self {
        let mut place = vec![u32::MAX; self.len()];
        for (at, &node) in (0u32..).zip(nodes) {
            place[node as usize] = at;
        }
        let inside = self.links().map(|(a, b)| (place[a as usize], place[b as usize]));
        Self::new(nodes.len(), inside.filter(|(a, b)| *a != u32::MAX && *b != u32::MAX))
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Each pair of neighbours once, the smaller number first.
    pub(super) fn links(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pairs = (0u32..).zip(&self.neighbours);
        pairs.flat_map(|(a, list)| list.iter().filter(move |b| a < **b).map(move |b| (a, *b)))
    }

    /// Number of links.
    pub(super) fn link_count(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Whether two nodes are neighbours.
    pub(super) fn joined(&self, a: u32, b: u32) -> bool {
        self.neighbours[a as usize].binary_search(&b).is_ok()
    }

    /// Hops from the nearest of `starts`; `u32::MAX` where nothing leads.
    pub(super) fn distances(&self, starts: &[u32]) -> Vec<u32> {
        let mut hops = vec![u32::MAX; self.len()];
        let mut queue: VecDeque<u32> = starts.iter().copied().collect();
        starts.iter().for_each(|s| hops[*s as usize] = 0);
        while let Some(node) = queue.pop_front() {
            for &next in &self.neighbours[node as usize] {
                if hops[next as usize] == u32::MAX {
                    hops[next as usize] = hops[node as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        hops
    }

    /// Whether everything hangs together.
    pub(super) fn connected(&self) -> bool {
        self.len() > 0 && self.distances(&[0]).iter().all(|h| *h < u32::MAX)
    }
}
