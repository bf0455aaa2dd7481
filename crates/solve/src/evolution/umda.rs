//! **What:** the univariate marginal distribution algorithm, which the dissertation found best of the three.
//!
//! **Theory:** half a population of tournament winners is the model: each part of each gene of a new candidate has the values
//! found among them as often as they are found there. Drawing a value from that histogram is the same as copying it from a
//! parent drawn at random, so no histogram is made; what all parents agree on is not drawn at all. In the broadcast
//! encoding a gene is drawn as a whole, since its path means nothing without its distributor.
//!
//! **Knobs:** `parents`, `model-every`, and those of all evolutionary engines. **Loses** where genes depend on each other,
//! as in every tight all-to-all schedule; mutation then does the work.
//!
//! **Source:** the dissertation, section 7.1.3; Mühlenbein and Paaß 1996.

use super::colony::{Breed, select};
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Independent histograms of the parents' genes.
pub(super) struct Marginals {
    size: usize,
    chosen: Vec<u32>,
    /// A parent, from which a child differs only where parents differ.
    base: Option<Chromosome>,
    /// The genes in which parents differ, and whether path and step are drawn apart from each other.
    open: Vec<u32>,
    /// Path and step of each parent, one open gene after the other.
    values: Vec<(u32, u16)>,
}

impl Marginals {
    pub fn new(knobs: &Knobs) -> Self {
        Marginals { size: knobs.parents, chosen: Vec::new(), base: None, open: Vec::new(), values: Vec::new() }
    }
}

impl Breed for Marginals {
    fn learn(&mut self, space: &Space, people: &[Chromosome], rng: &mut Pcg64Mcg) {
        select(people, self.size, &mut self.chosen, rng);
        let first = &people[self.chosen[0] as usize];
        let mut differs = vec![false; space.genes.len()];
        for &parent in &self.chosen[1..] {
            let other = &people[parent as usize];
            for (gene, differs) in differs.iter_mut().enumerate() {
                *differs |= (first.path[gene], first.step[gene]) != (other.path[gene], other.step[gene]);
            }
        }
        self.open.clear();
        self.open.extend((0u32..).zip(&differs).filter(|(_, differs)| **differs).map(|(gene, _)| gene));
        self.values.clear();
        for &gene in &self.open {
            let value = |&parent: &u32| {
                let parent = &people[parent as usize];
                (parent.path[gene as usize], parent.step[gene as usize])
            };
            self.values.extend(self.chosen.iter().map(value));
        }
        match &mut self.base {
            Some(base) => base.become_like(first),
            None => self.base = Some(first.clone()),
        }
    }

    fn offspring(&self, space: &Space, people: &[Chromosome], child: &mut Chromosome, rng: &mut Pcg64Mcg) -> u64 {
        child.become_like(self.base.as_ref().unwrap_or(&people[0]));
        let mut work = 1;
        for (&gene, values) in self.open.iter().zip(self.values.chunks_exact(self.size)) {
            let (path, mut step) = values[rng.random_range(0..self.size)];
            if !space.broadcast {
                step = values[rng.random_range(0..self.size)].1;
            }
            work += u64::from(child.set(space, gene as usize, path, step));
        }
        work
    }
}
