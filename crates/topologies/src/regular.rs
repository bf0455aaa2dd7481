//! **What:** regular networks by exchanging the ends of links, for the families that are found or drawn by chance.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A simple graph in which every node has the same number of links.
#[derive(Clone)]
pub(crate) struct Regular {
    nodes: usize,
    links: Vec<(u32, u32)>,
    joined: Vec<bool>,
}

impl Regular {
    /// The circulant graph with the least strides. `nodes · degree` is even and `degree` below `nodes`.
    pub(crate) fn circulant(nodes: u32, degree: u32) -> Self {
        let strides = (1..=degree / 2).flat_map(|s| (0..nodes).map(move |v| (v, (v + s) % nodes)));
        let across = (0..if degree % 2 == 1 { nodes / 2 } else { 0 }).map(|v| (v, v + nodes / 2));
        let mut graph = Regular {
            nodes: nodes as usize,
            links: strides.chain(across).collect(),
            joined: vec![false; (nodes as usize).pow(2)],
        };
        for (a, b) in graph.links.clone() {
            graph.join(a, b, true);
        }
        graph
    }

    fn join(&mut self, a: u32, b: u32, yes: bool) {
        let (a, b) = (a as usize, b as usize);
        self.joined[a * self.nodes + b] = yes;
        self.joined[b * self.nodes + a] = yes;
    }

    fn are_joined(&self, a: u32, b: u32) -> bool {
        self.joined[a as usize * self.nodes + b as usize]
    }

    /// Exchanges ends of two random links: a–b, c–d become a–c, b–d. `None` where that would not stay simple; otherwise
    /// what undoes it.
    pub(crate) fn exchange(&mut self, random: &mut Pcg64Mcg) -> Option<Undo> {
        let (i, j) = (random.random_range(0..self.links.len()), random.random_range(0..self.links.len()));
        let ((a, b), (mut c, mut d)) = (self.links[i], self.links[j]);
        if random.random_bool(0.5) {
            std::mem::swap(&mut c, &mut d);
        }
        if i == j || a == c || b == d || a == d || b == c || self.are_joined(a, c) || self.are_joined(b, d) {
            return None;
        }
        let before = [(i, self.links[i]), (j, self.links[j])];
        self.set([(i, (a, c)), (j, (b, d))]);
        Some(Undo(before))
    }

    fn set(&mut self, links: [(usize, (u32, u32)); 2]) {
        for (at, _) in links {
            let (a, b) = self.links[at];
            self.join(a, b, false);
        }
        for (at, (a, b)) in links {
            self.links[at] = (a, b);
            self.join(a, b, true);
        }
    }

    /// Takes an exchange back.
    pub(crate) fn undo(&mut self, undo: Undo) {
        self.set(undo.0);
    }

    /// Whether the graph holds together.
    pub(crate) fn is_connected(&self) -> bool {
        let neighbours = self.neighbours();
        let mut seen = vec![false; self.nodes];
        let (mut stack, mut count) = (vec![0usize], 1);
        seen[0] = true;
        while let Some(node) = stack.pop() {
            for &to in &neighbours[node] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push(to as usize);
                    count += 1;
                }
            }
        }
        count == self.nodes
    }

    fn neighbours(&self) -> Vec<Vec<u32>> {
        let mut neighbours = vec![Vec::new(); self.nodes];
        for &(a, b) in &self.links {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        neighbours
    }

    /// Diameter and sum of all distances; `None` where the graph falls apart.
    pub(crate) fn distances(&self) -> Option<(u32, u64)> {
        // The nodes within each distance of every node, as bits: a node is missing from as many of these sets as it is far.
        let words = self.nodes.div_ceil(64);
        let mut within = vec![0u64; self.nodes * words];
        (0..self.nodes).for_each(|v| within[v * words + v / 64] |= 1 << (v % 64));
        let all = (self.nodes * self.nodes) as u64;
        let (mut diameter, mut sum, mut before) = (0, 0, 0);
        loop {
            let reached: u64 = within.iter().map(|word| u64::from(word.count_ones())).sum();
            if reached == all {
                return Some((diameter, sum));
            }
            if reached == before {
                return None;
            }
            (diameter, sum, before) = (diameter + 1, sum + all - reached, reached);
            let nearer = within.clone();
            for &(a, b) in &self.links {
                let (a, b) = (a as usize * words, b as usize * words);
                for word in 0..words {
                    within[a + word] |= nearer[b + word];
                    within[b + word] |= nearer[a + word];
                }
            }
        }
    }

    /// The links, each once.
    pub(crate) fn links(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.links.iter().copied()
    }

    /// A generator that always starts alike: the same specification names the same network. Draw 0 is the usual one.
    pub(crate) fn generator(nodes: u32, degree: u32, draw: u32) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(u64::from(nodes) << 32 | u64::from(draw) << 13 | u64::from(degree))
    }
}

/// What an exchange replaced.
pub(crate) struct Undo([(usize, (u32, u32)); 2]);
