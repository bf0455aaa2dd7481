//! **What:** the standard genetic algorithm.
//!
//! **Theory:** each new candidate has one or two parents, each the better of two drawn at random; with two, genes up to a
//! random boundary come from one and the rest from the other. Then it is mutated.
//!
//! **Tuning:** `crossover`, and those of all evolutionary engines. **Loses** on all-to-all patterns, where halves of two
//! schedules do not fit together.
//!
//! **Source:** the dissertation, section 7.1.1; Goldberg 1989.

use super::fitness::Chromosome;
use super::parameters::Tuning;
use super::population::{Child, Reproduction};
use super::rules::{Roulette, Rules, Selection};
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// One-point crossover of two tournament winners.
pub(super) struct Crossover {
    probability: f64,
    selection: Selection,
    roulette: Roulette,
}

impl Crossover {
    pub(crate) fn new(tuning: &Tuning, rules: Rules) -> Self {
        Crossover { probability: tuning.crossover, selection: rules.selection, roulette: Roulette::default() }
    }
}

impl Reproduction for Crossover {
    fn learn(&mut self, _: &Space, candidates: &[Chromosome], _: &mut Pcg64Mcg) {
        if self.selection == Selection::Roulette {
            self.roulette.set(candidates);
        }
    }

    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg) {
        let mother = self.roulette.tournament(candidates, rng);
        child.chromosome.become_like(&candidates[mother]);
        if rng.random_bool(self.probability) {
            let father = &candidates[self.roulette.tournament(candidates, rng)];
            for gene in rng.random_range(0..space.genes.len())..space.genes.len() {
                child.set(space, gene, father.path[gene], father.step[gene]);
            }
        }
    }
}
