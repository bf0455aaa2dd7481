//! **What:** which instruction begins after which, as a graph that is sorted along its arcs.

/// One instruction before another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pair {
    pub from: u32,
    pub to: u32,
}

/// The arcs of a program.
pub(super) struct Arcs {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Arcs {
    pub(super) fn of(nodes: usize, pairs: &[Pair]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        pairs.iter().for_each(|pair| starts[pair.from as usize + 1] += 1);
        (0..nodes).for_each(|at| starts[at + 1] += starts[at]);
        let (mut next, mut ends) = (starts.clone(), vec![0; pairs.len()]);
        for pair in pairs {
            ends[next[pair.from as usize] as usize] = pair.to;
            next[pair.from as usize] += 1;
        }
        Arcs { starts, ends }
    }

    pub(super) fn from(&self, node: u32) -> &[u32] {
        &self.ends[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// All nodes along the arcs, or as many as can be.
    pub(super) fn sort(&self) -> Vec<u32> {
        let nodes = self.starts.len() - 1;
        let mut waits = vec![0u32; nodes];
        self.ends.iter().for_each(|to| waits[*to as usize] += 1);
        let mut sorted: Vec<u32> = (0..nodes as u32).filter(|node| waits[*node as usize] == 0).collect();
        let mut next = 0;
        while next < sorted.len() {
            for to in self.from(sorted[next]) {
                waits[*to as usize] -= 1;
                if waits[*to as usize] == 0 {
                    sorted.push(*to);
                }
            }
            next += 1;
        }
        sorted
    }
}
