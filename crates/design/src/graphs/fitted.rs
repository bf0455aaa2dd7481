//! **What:** any network made one of so many nodes and so many links a node, with few changes.
//!
//! **Method:** nodes go that relieve most neighbours of a link too many and lose fewest others; then links between nodes that
//! have too many; new nodes join nodes that lack a link and are put in the middle of links; at last nodes that lack a link
//! are joined, if need be by way of another link that goes. Chance decides among equals.

use super::voltage_graph::VoltageGraph;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, RngExt};
use std::collections::BTreeSet;

/// Neighbours, a set a node.
struct Fitted {
    degree: usize,
    near: Vec<BTreeSet<usize>>,
}

/// Tries before a random choice is given up.
const TRIES: usize = 4000;

/// The network, of `nodes` nodes of at most `degree` links; `None` where it did not come out.
pub(super) fn fitted(links: &[(u32, u32)], nodes: u32, degree: u32, random: &mut impl Rng) -> Option<VoltageGraph> {
    let given = links.iter().map(|(a, b)| *a.max(b) as usize + 1).max()?;
    let mut made = Fitted { degree: degree as usize, near: vec![BTreeSet::new(); given] };
    links.iter().for_each(|(a, b)| made.join(*a as usize, *b as usize));
    while made.near.len() > nodes as usize {
        made.shed(random);
    }
    made.thin(random);
    while made.near.len() < nodes as usize {
        made.grow(random);
    }
    made.fill(random);
    let links = (0..).zip(&made.near).flat_map(|(a, near)| near.iter().map(move |b| (a, *b as u32)));
    VoltageGraph::plain(nodes, degree, &links.filter(|(a, b)| a < b).collect::<Vec<_>>())
}

impl Fitted {
    fn join(&mut self, a: usize, b: usize) {
        self.near[a].insert(b);
        self.near[b].insert(a);
    }

    fn part(&mut self, a: usize, b: usize) {
        self.near[a].remove(&b);
        self.near[b].remove(&a);
    }

    fn over(&self, node: usize) -> bool {
        self.near[node].len() > self.degree
    }

    fn lacking(&self) -> Vec<usize> {
        (0..self.near.len()).filter(|v| self.near[*v].len() < self.degree).collect()
    }

    /// Takes a node away; the last one gets its number.
    fn shed(&mut self, random: &mut impl Rng) {
        let gain = |v: usize| {
            let relieved = self.near[v].iter().filter(|u| self.over(**u)).count();
            2 * relieved as i64 - self.near[v].len() as i64
        };
        let best = (0..self.near.len()).map(gain).max().unwrap_or(0);
        let Some(node) = (0..self.near.len()).filter(|v| gain(*v) == best).choose(random) else { return };
        for other in self.near[node].clone() {
            self.part(node, other);
        }
        let last = self.near.len() - 1;
        if node != last {
            for other in self.near[last].clone() {
                self.part(last, other);
                self.join(node, other);
            }
        }
        self.near.pop();
    }

    /// Takes links away from nodes that have too many.
    fn thin(&mut self, random: &mut impl Rng) {
        while let Some(node) = (0..self.near.len()).filter(|v| self.over(*v)).choose(random) {
            let over = self.near[node].iter().copied().filter(|u| self.over(*u)).choose(random);
            let Some(other) = over.or_else(|| self.near[node].iter().copied().choose(random)) else { return };
            self.part(node, other);
        }
    }

    /// A node more.
    fn grow(&mut self, random: &mut impl Rng) {
        let lacking = self.lacking();
        let node = self.near.len();
        self.near.push(BTreeSet::new());
        let begun = lacking.sample(random, self.degree.min(lacking.len()));
        begun.copied().collect::<Vec<_>>().into_iter().for_each(|other| self.join(node, other));
        for _ in 0..TRIES {
            if self.near[node].len() + 2 > self.degree {
                break;
            }
            let a = random.random_range(0..node);
            let Some(&b) = self.near[a].iter().choose(random) else { continue };
            if b != node && !self.near[node].contains(&a) && !self.near[node].contains(&b) {
                self.part(a, b);
                self.join(a, node);
                self.join(b, node);
            }
        }
    }

    /// Joins nodes that lack a link, as far as that goes.
    fn fill(&mut self, random: &mut impl Rng) {
        for _ in 0..TRIES {
            let lacking = self.lacking();
            let Some(&a) = lacking.choose(random) else { return };
            let others: Vec<usize> = lacking.iter().copied().filter(|b| *b != a && !self.near[a].contains(b)).collect();
            if let Some(&b) = others.choose(random) {
                self.join(a, b);
                continue;
            }
            // Nobody to join with: a link x–y goes and x joins a; y joins another that lacks a link, or a itself.
            let rest: Vec<usize> = lacking.into_iter().filter(|b| *b != a).collect();
            let b = rest.choose(random).copied().unwrap_or(a);
            if a == b && self.near[a].len() + 2 > self.degree {
                return;
            }
            let x = random.random_range(0..self.near.len());
            let Some(&y) = self.near[x].iter().choose(random) else { continue };
            let free = |end: usize, to: usize| end != to && !self.near[end].contains(&to);
            if free(x, a) && free(y, b) && ![a, b].contains(&x) && ![a, b].contains(&y) {
                self.part(x, y);
                self.join(x, a);
                self.join(y, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn networks_become_larger_smaller_and_thinner(given in 4u32..40, nodes in 5u32..50, degree in 3u32..8, seed: u64) {
            prop_assume!(degree + 1 < nodes);
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let links: Vec<(u32, u32)> = (0..given)
                .flat_map(|a| (a + 1..given).map(move |b| (a, b)))
                .filter(|_| random.random_bool(0.3))
                .collect();
            prop_assume!(!links.is_empty());
            let Some(made) = fitted(&links, nodes, degree, &mut random) else { return Ok(()) };
            let channels = made.channels();
            let missing = (nodes * degree) as usize - channels.len();
            prop_assert!(missing <= 2, "{missing}");
            prop_assert!((0..nodes).all(|v| channels.iter().filter(|c| c.0 == v).count() <= degree as usize));
        }
    }
}
