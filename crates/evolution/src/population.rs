//! **What:** one population and its generations: parents are drawn, children made, mutated, and put in the place of the worst.
//!
//! **Facts:** a generation makes `replaced × population` new candidates, so that many evaluations. Among candidates of equal
//! fitness the newer one counts as better, which lets a population drift over plateaus; [`Rules`] have alternatives.
//!
//! **Source:** the dissertation, section 7.1 (binary tournament, steady-state replacement of the worst two thirds).

use super::calls::CallSearch;
use super::fitness::Chromosome;
use super::heuristics::{first, restore};
use super::mutation::mutate;
use super::parameters::Tuning;
use super::refine::EjectionSearch;
use super::rules::Rules;
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// How children are made.
pub(super) trait Reproduction: Send {
    /// Looks at the population, sorted from the best on, before the children of a generation are made.
    fn learn(&mut self, space: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg);

    /// Makes `child`, in the memory it has: one of the population with some genes of others.
    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg);
}

/// A candidate that is being made.
pub(super) struct Child<'a> {
    pub chromosome: &'a mut Chromosome,
    /// The messages of genes that it has from elsewhere.
    changed: &'a mut Vec<u32>,
}

impl Child<'_> {
    /// Gives it another path and step of a gene.
    pub(crate) fn set(&mut self, space: &Space, gene: usize, path: u32, step: u16) {
        if self.chromosome.set(space, gene, path, step) {
            self.changed.push(space.genes[gene].message);
        }
    }
}

/// The better of two drawn at random, in a sorted population.
pub(super) fn tournament(candidates: &[Chromosome], rng: &mut Pcg64Mcg) -> usize {
    rng.random_range(0..candidates.len()).min(rng.random_range(0..candidates.len()))
}

/// One population.
pub(super) struct Population {
    /// Sorted, the best first.
    pub candidates: Vec<Chromosome>,
    children: Vec<Chromosome>,
    /// The messages of genes that a child has from elsewhere; memory only.
    changed: Vec<u32>,
    ejection: EjectionSearch,
    calls_search: Option<CallSearch>,
    breed: Box<dyn Reproduction>,
    rng: Pcg64Mcg,
    tuning: Tuning,
    rules: Rules,
    pub generation: u64,
    pub evaluations: u64,
    /// Moves made.
    pub work: u64,
    /// The best fitness since the last beginning and the generation it was reached in.
    record: (u32, u64),
}

impl Population {
    /// A first population.
    pub(crate) fn new(
        space: &Space,
        tuning: Tuning,
        rules: Rules,
        breed: Box<dyn Reproduction>,
        mut rng: Pcg64Mcg,
    ) -> Self {
        let candidates: Vec<Chromosome> = (0..tuning.population).map(|_| first(space, &mut rng)).collect();
        let children = candidates[..tuning.replaced()].to_vec();
        let work = (tuning.population * space.genes.len()) as u64;
        let evaluations = tuning.population as u64;
        let mut population = Population {
            candidates,
            children,
            changed: Vec::new(),
            ejection: EjectionSearch::new(space),
            calls_search: space.calls.as_ref().map(|calls| CallSearch::new(space, calls)),
            breed,
            rng,
            tuning,
            rules,
            generation: 0,
            evaluations,
            work,
            record: (u32::MAX, 0),
        };
        population.rank();
        population
    }

    fn rank(&mut self) {
        self.candidates.sort_by_key(Chromosome::fitness);
        if self.best() < self.record.0 {
            self.record = (self.best(), self.generation);
        }
    }

    /// Fitness of the best candidate.
    pub(crate) fn best(&self) -> u32 {
        self.candidates[0].fitness()
    }

    /// Mean fitness.
    pub(crate) fn mean(&self) -> f64 {
        self.candidates.iter().map(|p| f64::from(p.fitness())).sum::<f64>() / self.candidates.len() as f64
    }

    /// The next generation.
    pub(crate) fn step(&mut self, space: &Space) {
        let Population { candidates, children, changed, ejection, calls_search, breed, rng, tuning, .. } = self;
        if tuning.restart > 0 && self.generation - self.record.1 >= tuning.restart {
            for who in candidates.iter_mut() {
                *who = first(space, rng);
            }
            self.evaluations += candidates.len() as u64;
            self.work += (candidates.len() * space.genes.len()) as u64;
            self.record = (u32::MAX, self.generation);
            candidates.sort_by_key(Chromosome::fitness);
        }
        if self.generation.is_multiple_of(tuning.model_every) {
            breed.learn(space, candidates, rng);
        }
        for child in children.iter_mut() {
            changed.clear();
            breed.offspring(space, candidates, &mut Child { chromosome: child, changed }, rng);
            self.work += 1 + changed.len() as u64;
            if space.broadcast {
                // A message whose tree has not changed needs no repair.
                changed.sort_unstable();
                changed.dedup();
                for &message in changed.iter() {
                    self.work += restore(space, child, message, rng);
                }
            }
            if rng.random_bool(tuning.mutation) {
                self.work += mutate(space, child, rng);
            }
            // To begin costs as much as some moves for every ten genes.
            let most = if tuning.refine == 0 { 0 } else { tuning.refine.max(space.genes.len() as u64 / 10) };
            let (moves, work) = match (&space.calls, calls_search.as_mut()) {
                (Some(calls), Some(calls_search)) => calls_search.refine(space, calls, child, most, rng),
                _ if most == 0 => (0, 0),
                _ => ejection.refine(space, child, most, rng),
            };
            self.evaluations += moves;
            self.work += work;
        }
        debug_assert!(children.last().is_none_or(|child| child.is_sound(space)), "a child was made");
        self.generation += 1;
        self.evaluations += children.len() as u64;
        self.rules.replace(candidates, children, rng);
        self.rank();
    }

    /// The best go out as copies.
    pub(crate) fn emigrants(&self) -> Vec<Chromosome> {
        self.candidates[..self.tuning.migrants()].to_vec()
    }

    /// Newcomers take the places of the worst.
    pub(crate) fn immigrate(&mut self, newcomers: Vec<Chromosome>) {
        let kept = self.candidates.len() - newcomers.len();
        for (place, newcomer) in self.candidates[kept..].iter_mut().zip(newcomers) {
            *place = newcomer;
        }
        self.candidates.rotate_left(kept);
        self.rank();
    }
}
