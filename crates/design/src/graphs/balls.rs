//! **What:** all distances of a network, kept up to date while links are exchanged.
//!
//! **Method.** For every k and every node a *ball*: a bit for each source that is at most k hops away. The sum of distances
//! is the number of bits that are missing, over all k. A ball is the union of the balls of the neighbours one level below,
//! so an exchange changes few balls of small k, and only those are computed anew whose parts changed. What was there before
//! is kept until the exchange stands. The levels above can at best lose all their missing bits, so most exchanges that are
//! too bad are known before the last level, which is the dearest.
//!
//! **Facts:** sources are the first nodes, as many as the group has classes: all others see what these see.

use super::voltage_graph::VoltageGraph;

/// The balls of all nodes up to a largest level.
#[derive(Clone, Debug)]
pub struct Balls {
    nodes: usize,
    degree: usize,
    /// Words of a ball, a multiple of the words that are worked on at once.
    words: usize,
    levels: Vec<Vec<u64>>,
    /// Bits that are missing at each level.
    missing: Vec<i64>,
    /// What a missing bit costs at each level.
    weights: Vec<i64>,
    /// Level, place and former contents of what changed last.
    journal: Vec<(u32, u32)>,
    kept: Vec<u64>,
    former: Vec<i64>,
    seen: Vec<u64>,
    stamp: u64,
    changed: Vec<u32>,
    candidates: Vec<u32>,
    /// Words read so far.
    pub ticks: u64,
}

/// Words worked on at once, for balls of so many.
fn width(words: usize) -> usize {
    match words {
        1 => 1,
        2 => 2,
        _ => 4,
    }
}

impl Balls {
    /// The balls of a network without links: `sources` bits each, up to level `weights.len() − 1`. A bit that is missing at
    /// a level costs that level's weight, so a weight of 1 everywhere is the sum of distances.
    pub fn new(nodes: usize, degree: usize, sources: usize, weights: Vec<i64>) -> Self {
        let words = sources.div_ceil(64);
        let words = words.next_multiple_of(width(words));
        let mut own = vec![0; nodes * words];
        (0..sources).for_each(|v| own[v * words + v / 64] |= 1 << (v % 64));
        let lacking = (nodes * sources - sources) as i64;
        Balls {
            nodes,
            degree,
            words,
            missing: vec![lacking; weights.len()],
            former: Vec::new(),
            levels: vec![own; weights.len()],
            weights,
            journal: Vec::new(),
            kept: Vec::new(),
            seen: vec![0; nodes],
            stamp: 0,
            changed: Vec::new(),
            candidates: Vec::new(),
            ticks: 0,
        }
    }

    /// The balls of a network around its classes, up to level `weights.len() − 1`.
    pub fn of(graph: &VoltageGraph, weights: Vec<i64>) -> Self {
        let shape = graph.shape();
        let mut balls = Balls::new(shape.nodes as usize, shape.degree as usize, shape.classes() as usize, weights);
        balls.fill(graph.near());
        balls
    }

    /// The largest distance; `None` where it is larger than the last level.
    pub fn diameter(&self) -> Option<u32> {
        self.missing.iter().position(|m| *m == 0).map(|k| k as u32)
    }

    /// The sum of the distances from all sources to all nodes, those beyond the last level counted as one more than that.
    pub fn sum(&self) -> u64 {
        self.missing.iter().sum::<i64>() as u64
    }

    /// Follows a change of the neighbours of the `touched` nodes, if it adds at most `limit` to the costs: then what it adds.
    /// Otherwise all stays as it was.
    pub fn follow(&mut self, near: &[u32], touched: &[u32], limit: i64) -> Option<i64> {
        self.journal.clear();
        self.kept.clear();
        self.former.clone_from(&self.missing);
        self.changed.clear();
        let mut above: i64 = self.weights.iter().zip(&self.missing).skip(1).map(|(w, m)| w * m).sum();
        let mut added = 0;
        for level in 1..self.levels.len() {
            self.gather(near, touched);
            self.ticks += (self.candidates.len() * self.words * (self.degree + 1)) as u64;
            match width(self.words) {
                1 => self.step::<1>(level, near),
                2 => self.step::<2>(level, near),
                _ => self.step::<4>(level, near),
            }
            let weight = self.weights[level];
            added += weight * (self.missing[level] - self.former[level]);
            above -= weight * self.former[level];
            if added - above > limit {
                self.back();
                return None;
            }
            if above == 0 && self.missing[level] == 0 {
                break;
            }
        }
        Some(added)
    }

    /// The nodes whose next ball may change: those touched, and those that have a part in what changed last.
    fn gather(&mut self, near: &[u32], touched: &[u32]) {
        self.stamp += 1;
        self.candidates.clear();
        let (stamp, seen, candidates) = (self.stamp, &mut self.seen, &mut self.candidates);
        let mut take = |v: u32| {
            if seen[v as usize] != stamp {
                seen[v as usize] = stamp;
                candidates.push(v);
            }
        };
        touched.iter().for_each(|v| take(*v));
        for &u in &self.changed {
            take(u);
            near[u as usize * self.degree..][..self.degree].iter().for_each(|v| take(*v));
        }
    }

    fn step<const W: usize>(&mut self, level: usize, near: &[u32]) {
        self.changed.clear();
        let chunks = self.words / W;
        let (below, from) = self.levels.split_at_mut(level);
        let (below, _) = below[level - 1].as_chunks::<W>();
        let (here, _) = from[0].as_chunks_mut::<W>();
        let mut lost = 0i64;
        for &node in &self.candidates {
            let v = node as usize;
            let row = &near[v * self.degree..][..self.degree];
            let mut moved = false;
            for chunk in 0..chunks {
                let mut fresh = below[v * chunks + chunk];
                for &u in row {
                    let part = &below[u as usize * chunks + chunk];
                    (0..W).for_each(|i| fresh[i] |= part[i]);
                }
                let old = &mut here[v * chunks + chunk];
                if *old != fresh {
                    lost += old.iter().map(|w| i64::from(w.count_ones())).sum::<i64>();
                    lost -= fresh.iter().map(|w| i64::from(w.count_ones())).sum::<i64>();
                    self.journal.push((level as u32, (v * chunks + chunk) as u32));
                    self.kept.extend_from_slice(&*old);
                    *old = fresh;
                    moved = true;
                }
            }
            if moved {
                self.changed.push(node);
            }
        }
        self.missing[level] += lost;
    }

    /// Brings back what the journal keeps.
    fn back(&mut self) {
        let width = width(self.words);
        for (&(level, place), old) in self.journal.iter().zip(self.kept.chunks_exact(width)) {
            self.levels[level as usize][place as usize * width..][..width].copy_from_slice(old);
        }
        std::mem::swap(&mut self.missing, &mut self.former);
    }

    /// Computes all balls of a network.
    pub fn fill(&mut self, near: &[u32]) {
        let all: Vec<u32> = (0..self.nodes as u32).collect();
        self.follow(near, &all, i64::MAX / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::super::group::Group;
    use super::super::voltage_graph::{GraphShape, VoltageGraph};
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn balls_follow_exchanges(classes in 1u32..200, turns in 1u32..5, degree in 3u32..6, seed: u64) {
            let shape = GraphShape { nodes: classes * turns, degree, group: Group::rotation(turns) };
            prop_assume!(shape.possible() && shape.nodes > degree + 2);
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let Some(mut graph) = VoltageGraph::random(shape, &mut random) else { return Ok(()) };
            let weights = vec![1, 1, 1, 1, 1, 3, 3, 3];
            let new = || Balls::new(shape.nodes as usize, degree as usize, classes as usize, weights.clone());
            let mut balls = new();
            balls.fill(graph.near());
            let mut touched = Vec::new();
            for _ in 0..20 {
                let Some(exchange) = graph.exchange(&mut random) else { continue };
                graph.touched(&exchange, &mut touched);
                let limit = random.random_range(-20..40);
                let before: i64 = balls.weights.iter().zip(&balls.missing).map(|(w, m)| w * m).sum();
                let followed = balls.follow(graph.near(), &touched, limit);
                let mut anew = new();
                anew.fill(graph.near());
                let after: i64 = anew.weights.iter().zip(&anew.missing).map(|(w, m)| w * m).sum();
                prop_assert_eq!(followed, (after - before <= limit).then_some(after - before));
                if followed.is_none() {
                    graph.undo(&exchange);
                    anew = new();
                    anew.fill(graph.near());
                }
                prop_assert_eq!(&balls.missing, &anew.missing);
                prop_assert!(balls.levels == anew.levels);
            }
        }
    }
}
