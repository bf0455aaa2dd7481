//! **What:** the univariate marginal distribution algorithm, which the dissertation found best of the three.
//!
//! **Theory:** half a population of tournament winners is the model: each part of each gene of a new candidate has the values
//! found among them as often as they are found there. Drawing a value from that histogram is the same as copying it from a
//! parent drawn at random, so no histogram is made. In the broadcast encoding a gene is drawn as a whole, since its path
//! means nothing without its distributor. Where all genes are drawn, a population forgets within a few generations all but
//! one of its plateaus, and the few parts of schedules that fit together are torn apart; so a candidate takes only a share
//! of its genes from the model and the rest from the better of two of the population, which also costs less.
//!
//! **Knobs:** `parents`, `drawn`, `model-every`, and those of all evolutionary engines. **Loses** where genes depend on each
//! other, as in every tight all-to-all schedule; refinement then does the work.
//!
//! **Source:** the dissertation, section 7.1.3; Mühlenbein and Paaß 1996. The dissertation draws all genes.

use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::population::{Child, Reproduction, tournament};
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The genes of the parents a model is learnt from, as they were then.
pub(super) struct Parents {
    size: usize,
    /// Whether the same gene of all parents, rather than all genes of a parent, lies together: worth it where most genes
    /// are looked at.
    by_gene: bool,
    /// From one parent to the next, and from one gene to the next.
    strides: (usize, usize),
    path: Vec<u32>,
    step: Vec<u16>,
}

impl Parents {
    pub(crate) fn new(knobs: &Knobs) -> Self {
        Parents { size: knobs.parents, by_gene: knobs.drawn > 0.2, strides: (0, 0), path: Vec::new(), step: Vec::new() }
    }

    /// Copies the winners of tournaments.
    pub(crate) fn choose(&mut self, space: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        let genes = space.genes.len();
        self.strides = if self.by_gene { (1, self.size) } else { (genes, 1) };
        self.path.resize(self.size * genes, 0);
        self.step.resize(self.size * genes, 0);
        for parent in 0..self.size {
            let who = &candidates[tournament(candidates, rng)];
            if self.by_gene {
                for gene in 0..genes {
                    self.path[gene * self.size + parent] = who.path[gene];
                    self.step[gene * self.size + parent] = who.step[gene];
                }
            } else {
                self.path[parent * genes..][..genes].copy_from_slice(&who.path);
                self.step[parent * genes..][..genes].copy_from_slice(&who.step);
            }
        }
    }

    /// The path and the step of a gene.
    #[inline]
    pub(crate) fn gene(&self, parent: usize, gene: usize) -> (u32, u16) {
        let at = parent * self.strides.0 + gene * self.strides.1;
        (self.path[at], self.step[at])
    }
}

/// Independent histograms of the parents' genes.
pub(super) struct Marginals {
    size: usize,
    drawn: f64,
    parents: Parents,
}

impl Marginals {
    pub(crate) fn new(knobs: &Knobs) -> Self {
        Marginals { size: knobs.parents, drawn: knobs.drawn, parents: Parents::new(knobs) }
    }
}

impl Reproduction for Marginals {
    fn learn(&mut self, space: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        self.parents.choose(space, candidates, rng);
    }

    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg) {
        child.chromosome.become_like(&candidates[tournament(candidates, rng)]);
        let genes = space.genes.len();
        for k in 0..share(self.drawn, genes) {
            let gene = if self.drawn == 1.0 { k } else { rng.random_range(0..genes) };
            let (path, mut step) = self.parents.gene(rng.random_range(0..self.size), gene);
            if !space.broadcast {
                step = self.parents.gene(rng.random_range(0..self.size), gene).1;
            }
            child.set(space, gene, path, step);
        }
    }
}

/// So many of `count`, at least one.
pub(super) fn share(part: f64, count: usize) -> usize {
    ((part * count as f64).round() as usize).clamp(1, count)
}
