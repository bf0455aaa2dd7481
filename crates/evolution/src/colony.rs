//! **What:** one population and its generations: parents are drawn, children made, mutated, and put in the place of the worst.
//!
//! **Facts:** a generation makes `replaced × population` new candidates, so that many evaluations. Among candidates of equal
//! fitness the newer one counts as better, which lets a population drift over plateaus.
//!
//! **Source:** the dissertation, section 7.1 (binary tournament, steady-state replacement of the worst two thirds).

use super::calls::Caller;
use super::fitness::Chromosome;
use super::heuristics::{first, restore};
use super::mutation::mutate;
use super::parameters::Knobs;
use super::refine::Refiner;
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// How children are made.
pub(super) trait Breed: Send {
    /// Looks at the population, sorted from the best on, before the children of a generation are made.
    fn learn(&mut self, space: &Space, people: &[Chromosome], rng: &mut Pcg64Mcg);

    /// Makes `child`, in the memory it has: one of the population with some genes of others, which go to `changed`.
    fn offspring(
        &self,
        space: &Space,
        people: &[Chromosome],
        child: &mut Chromosome,
        changed: &mut Vec<u32>,
        rng: &mut Pcg64Mcg,
    );
}

/// The better of two drawn at random, in a sorted population.
pub(super) fn tournament(people: &[Chromosome], rng: &mut Pcg64Mcg) -> usize {
    rng.random_range(0..people.len()).min(rng.random_range(0..people.len()))
}

/// One population.
pub(super) struct Colony {
    /// Sorted, the best first.
    pub people: Vec<Chromosome>,
    children: Vec<Chromosome>,
    /// The genes a child has from elsewhere; memory only.
    changed: Vec<u32>,
    refiner: Refiner,
    caller: Option<Caller>,
    breed: Box<dyn Breed>,
    rng: Pcg64Mcg,
    knobs: Knobs,
    pub generation: u64,
    pub evaluations: u64,
    /// Moves made.
    pub work: u64,
    /// The best fitness since the last beginning and the generation it was reached in.
    record: (u32, u64),
}

impl Colony {
    /// A first population.
    pub fn new(space: &Space, knobs: Knobs, breed: Box<dyn Breed>, mut rng: Pcg64Mcg) -> Self {
        let people: Vec<Chromosome> = (0..knobs.population).map(|_| first(space, &mut rng)).collect();
        let children = people[..knobs.replaced].to_vec();
        let work = (knobs.population * space.genes.len()) as u64;
        let evaluations = knobs.population as u64;
        let mut colony = Colony {
            people,
            children,
            changed: Vec::new(),
            refiner: Refiner::new(space),
            caller: space.calls.as_ref().map(|calls| Caller::new(space, calls)),
            breed,
            rng,
            knobs,
            generation: 0,
            evaluations,
            work,
            record: (u32::MAX, 0),
        };
        colony.rank();
        colony
    }

    fn rank(&mut self) {
        self.people.sort_by_key(Chromosome::fitness);
        if self.best() < self.record.0 {
            self.record = (self.best(), self.generation);
        }
    }

    /// Fitness of the best candidate.
    pub fn best(&self) -> u32 {
        self.people[0].fitness()
    }

    /// Mean fitness.
    pub fn mean(&self) -> f64 {
        self.people.iter().map(|p| f64::from(p.fitness())).sum::<f64>() / self.people.len() as f64
    }

    /// The next generation.
    pub fn step(&mut self, space: &Space) {
        let Colony { people, children, changed, refiner, caller, breed, rng, knobs, .. } = self;
        if knobs.restart > 0 && self.generation - self.record.1 >= knobs.restart {
            for who in people.iter_mut() {
                *who = first(space, rng);
            }
            self.evaluations += people.len() as u64;
            self.work += (people.len() * space.genes.len()) as u64;
            self.record = (u32::MAX, self.generation);
            people.sort_by_key(Chromosome::fitness);
        }
        if self.generation.is_multiple_of(knobs.model_every) {
            breed.learn(space, people, rng);
        }
        for child in children.iter_mut() {
            changed.clear();
            breed.offspring(space, people, child, changed, rng);
            self.work += 1 + changed.len() as u64;
            if space.broadcast {
                // A message whose tree has not changed needs no repair.
                for gene in changed.iter_mut() {
                    *gene = space.genes[*gene as usize].message;
                }
                changed.sort_unstable();
                changed.dedup();
                for &message in changed.iter() {
                    self.work += restore(space, child, message, rng);
                }
            }
            if rng.random_bool(knobs.mutation) {
                self.work += mutate(space, child, rng);
            }
            // To begin costs as much as some moves for every ten genes.
            let most = if knobs.refine == 0 { 0 } else { knobs.refine.max(space.genes.len() as u64 / 10) };
            let (moves, work) = match (&space.calls, caller.as_mut(), most) {
                (Some(calls), Some(caller), 0) => {
                    caller.count(space, calls, child);
                    (0, (space.genes.len() / 16) as u64)
                }
                (Some(calls), Some(caller), most) => caller.refine(space, calls, child, most, rng),
                (.., 0) => (0, 0),
                (.., most) => refiner.refine(space, child, most, rng),
            };
            self.evaluations += moves;
            self.work += work;
        }
        self.generation += 1;
        self.evaluations += children.len() as u64;
        // The worst become the memory of the next children.
        let kept = people.len() - children.len();
        people[kept..].swap_with_slice(children);
        people.rotate_left(kept);
        self.rank();
    }

    /// The best go out as copies.
    pub fn emigrants(&self) -> Vec<Chromosome> {
        self.people[..self.knobs.migrants].to_vec()
    }

    /// Newcomers take the places of the worst.
    pub fn immigrate(&mut self, newcomers: Vec<Chromosome>) {
        let kept = self.people.len() - newcomers.len();
        for (place, newcomer) in self.people[kept..].iter_mut().zip(newcomers) {
            *place = newcomer;
        }
        self.people.rotate_left(kept);
        self.rank();
    }
}
