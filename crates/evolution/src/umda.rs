//! **What:** the univariate marginal distribution algorithm, which the dissertation found best of the three.
//!
//! **Theory:** half a population of tournament winners is the model: each part of each gene of a new candidate has the values
//! found among them as often as they are found there. Drawing a value from that histogram is the same as copying it from a
//! parent drawn at random, so no histogram is made. In the broadcast encoding a gene is drawn as a whole, since its path
//! means nothing without its distributor; in the other where the [`Rules`] say so. Where all genes are drawn, a population forgets within a few generations all but
//! one of its plateaus, and the few parts of schedules that fit together are torn apart; so a candidate takes only a share
//! of its genes from the model and the rest from the better of two of the population, which also costs less.
//!
//! **Tuning:** `parents`, `drawn`, `model-every`, and those of all evolutionary engines. **Loses** where genes depend on each
//! other, as in every tight all-to-all schedule; refinement then does the work.
//!
//! **Source:** the dissertation, section 7.1.3; Mühlenbein and Paaß 1996. The dissertation draws all genes.

use super::fitness::Chromosome;
use super::parameters::Tuning;
use super::population::{Child, Reproduction, tournament};
use super::rules::{Linkage, Rules};
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// One part of a gene: path `2 gene` or step `2 gene + 1`.
pub(super) type Part = u32;

/// The parents a model is learnt from, as they were then: the same part of all of them together.
pub(super) struct Parents {
    size: usize,
    values: Vec<u32>,
}

impl Parents {
    pub(crate) fn new(tuning: &Tuning) -> Self {
        Parents { size: tuning.parents(), values: Vec::new() }
    }

    /// Copies the winners of tournaments.
    pub(crate) fn choose(&mut self, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        let chosen: Vec<&Chromosome> = (0..self.size).map(|_| &candidates[tournament(candidates, rng)]).collect();
        self.values.clear();
        for gene in 0..chosen[0].path.len() {
            self.values.extend(chosen.iter().map(|who| who.path[gene]));
            self.values.extend(chosen.iter().map(|who| u32::from(who.step[gene])));
        }
    }

    /// What each parent has for a part.
    #[inline]
    pub(crate) fn values(&self, part: Part) -> &[u32] {
        &self.values[part as usize * self.size..][..self.size]
    }
}

/// Independent histograms of the parents' genes.
pub(super) struct Marginals {
    drawn: f64,
    linkage: Linkage,
    parents: Parents,
}

impl Marginals {
    pub(crate) fn new(tuning: &Tuning, rules: Rules) -> Self {
        Marginals { drawn: tuning.drawn, linkage: rules.linkage, parents: Parents::new(tuning) }
    }
}

impl Reproduction for Marginals {
    fn learn(&mut self, _: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        self.parents.choose(candidates, rng);
    }

    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg) {
        child.chromosome.become_like(&candidates[tournament(candidates, rng)]);
        let genes = space.genes.len();
        for k in 0..share(self.drawn, genes) {
            let gene = if self.drawn == 1.0 { k } else { rng.random_range(0..genes) };
            let (paths, steps) = (self.parents.values(2 * gene as Part), self.parents.values(2 * gene as Part + 1));
            let parent = rng.random_range(0..paths.len());
            let whole = space.broadcast || self.linkage == Linkage::Genes;
            let same = if whole { parent } else { rng.random_range(0..paths.len()) };
            let (path, step) = (paths[parent], steps[same] as u16);
            child.set(space, gene, path, step);
        }
    }
}

/// So many of `count`, at least one.
pub(super) fn share(part: f64, count: usize) -> usize {
    ((part * count as f64).round() as usize).clamp(1, count)
}
