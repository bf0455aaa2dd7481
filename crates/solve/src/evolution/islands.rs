//! **What:** populations side by side, on as many threads as the run has, with migration round a ring of islands.
//!
//! **Facts:** each island has its own random numbers and they meet only after a fixed number of generations, so the answer
//! depends on the seed and the number of islands alone. Of several islands that end without conflicts between two meetings
//! the first in order counts.
//!
//! **Source:** the island model (Tanese 1989); the dissertation names it as future work.

use super::Generation;
use super::colony::{Breed, Colony};
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::space::Space;
use crate::Run;
use rayon::prelude::*;

/// Generations between two reports where there is nothing to migrate.
const REPORT: u64 = 100;

/// All islands.
pub(super) struct Islands {
    method: &'static str,
    steps: u64,
    colonies: Vec<Colony>,
    knobs: Knobs,
    pool: Option<rayon::ThreadPool>,
}

impl Islands {
    /// First populations.
    pub fn new(
        method: &'static str,
        space: &Space,
        knobs: Knobs,
        breed: impl Fn() -> Box<dyn Breed>,
        run: &Run<'_>,
        steps: u64,
    ) -> Self {
        let make = |island: usize| {
            // Another stream for each number of steps and each island.
            let rng = run.settings.seed.generator(steps.wrapping_mul(1 << 20).wrapping_add(island as u64));
            Colony::new(space, knobs, breed(), rng)
        };
        let colonies: Vec<Colony> = (0..knobs.islands).map(make).collect();
        let threads = run.settings.threads.min(knobs.islands);
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        Islands { method, steps, colonies, knobs, pool }
    }

    /// Generations until no conflict is left (then true), the generations or the moves are used up, or the run is stopped.
    pub fn evolve(&mut self, space: &Space, run: &Run<'_>, work: u64) -> bool {
        let mut generation = 0;
        loop {
            let report = self.report();
            run.progress.generation(&report);
            run.progress.working(self.method, self.steps, u64::from(report.best));
            if report.best == 0 || generation >= self.knobs.generations || self.work() >= work || run.stopped() {
                return report.best == 0;
            }
            let meeting = generation - generation % self.knobs.migrate_every + self.knobs.migrate_every;
            let end = meeting.min(generation + REPORT).min(self.knobs.generations);
            let live = |colony: &mut Colony| {
                while colony.generation < end && colony.best() > 0 {
                    colony.step(space);
                    if colony.generation.is_multiple_of(16) && run.stopped() {
                        break;
                    }
                }
            };
            match &self.pool {
                Some(pool) => pool.install(|| self.colonies.par_iter_mut().for_each(live)),
                None => self.colonies.iter_mut().for_each(live),
            }
            generation = end;
            if generation == meeting && self.colonies.len() > 1 && self.colonies.iter().all(|c| c.best() > 0) {
                self.migrate();
            }
        }
    }

    /// The best of each island go to the next.
    fn migrate(&mut self) {
        let leaving: Vec<Vec<Chromosome>> = self.colonies.iter().map(Colony::emigrants).collect();
        let count = self.colonies.len();
        for (island, newcomers) in leaving.into_iter().enumerate() {
            self.colonies[(island + 1) % count].immigrate(newcomers);
        }
    }

    fn leader(&self) -> &Colony {
        // `min_by_key` keeps the first of equals.
        self.colonies.iter().min_by_key(|c| c.best()).expect("at least one island")
    }

    /// The best candidate of all.
    pub fn best(&self) -> &Chromosome {
        &self.leader().people[0]
    }

    /// Moves of all islands.
    pub fn work(&self) -> u64 {
        self.colonies.iter().map(|c| c.work).sum()
    }

    /// What the last generation has come to.
    pub fn report(&self) -> Generation {
        let leader = self.leader();
        let mean = self.colonies.iter().map(Colony::mean).sum::<f64>() / self.colonies.len() as f64;
        Generation {
            method: self.method,
            steps: self.steps,
            generation: leader.generation,
            evaluations: self.colonies.iter().map(|c| c.evaluations).sum(),
            best: leader.best(),
            mean,
            conflicts: leader.people[0].conflicts,
            late: leader.people[0].late,
        }
    }
}
