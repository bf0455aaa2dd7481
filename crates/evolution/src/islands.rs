//! **What:** populations side by side, on as many threads as the run has and as many processes as share it, with migration
//! round a ring of islands.
//!
//! **Facts:** each island has its own random numbers and they meet only after a fixed number of generations, so the answer
//! depends on the seed and the number of islands alone, however they are spread. Of several islands that end without
//! conflicts between two meetings the first in order counts. Every process knows the best candidate of the last meeting: the
//! loss of any of them loses no more than what came after it.
//!
//! **Source:** the island model (Tanese 1989); the dissertation names it as future work.

use super::Generation;
use super::fitness::Chromosome;
use super::parameters::Tuning;
use super::population::{Population, Reproduction};
use super::rules::Rules;
use super::space::Space;
use rayon::prelude::*;
use run::Run;
use run::{ranks::Reader, ranks::share};
use std::ops::Range;

/// Generations between two reports where there is nothing to migrate.
const REPORT: u64 = 100;

/// What all ranks know of an island since the last meeting.
#[derive(Clone, Copy, Default)]
struct Standing {
    best: u32,
    generation: u64,
    evaluations: u64,
    work: u64,
    mean: f64,
}

/// All islands; those of this process with their candidates.
pub(super) struct Islands {
    method: &'static str,
    steps: u64,
    /// Which islands this process has.
    own: Range<usize>,
    populations: Vec<Population>,
    standings: Vec<Standing>,
    champion: Option<Chromosome>,
    /// All islands have come so far.
    generation: u64,
    stopped: bool,
    tuning: Tuning,
    pool: Option<rayon::ThreadPool>,
}

impl Islands {
    /// First populations.
    pub(crate) fn new(
        method: &'static str,
        space: &Space,
        tuning: Tuning,
        rules: Rules,
        breed: impl Fn() -> Box<dyn Reproduction>,
        run: &Run<'_>,
        steps: u64,
    ) -> Self {
        let make = |island: usize| {
            // Another stream for each number of steps and each island.
            let rng = run.settings.seed.generator(steps.wrapping_mul(1 << 20).wrapping_add(island as u64));
            Population::new(space, tuning, rules, breed(), rng)
        };
        let own = share(tuning.islands, run.ranks.rank(), run.ranks.count());
        let populations: Vec<Population> = own.clone().map(make).collect();
        let threads = run.settings.threads.min(populations.len());
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten();
        let standings = vec![Standing::default(); tuning.islands];
        Islands {
            method,
            steps,
            own,
            populations,
            standings,
            champion: None,
            generation: 0,
            stopped: false,
            tuning,
            pool,
        }
    }

    /// Generations until no conflict is left (then true), the generations or, with those of earlier calls, the moves are used up, or the run is
    /// stopped. `found` hears of every candidate that is better than those before.
    pub(crate) fn evolve(&mut self, space: &Space, run: &Run<'_>, work: u64, found: impl Fn(&Chromosome)) -> bool {
        self.meet(space, run, false, &found);
        loop {
            let report = self.report();
            run.progress.generation(&report);
            let over = report.best == 0 || self.generation >= self.tuning.generations || self.work() >= work;
            if over || self.stopped {
                return report.best == 0;
            }
            let every = self.tuning.migrate_every;
            let meeting = self.generation - self.generation % every + every;
            let end = meeting.min(self.generation + REPORT).min(self.tuning.generations);
            self.live(space, run, end, work.div_ceil(self.tuning.islands as u64));
            self.generation = end;
            self.meet(space, run, end == meeting, &found);
        }
    }

    /// Generations up to `end` or so many moves of each island. Those that are to be told on the way change nothing: nobody meets. Where
    /// other processes have islands, nobody knows of them before they meet.
    fn live(&mut self, space: &Space, run: &Run<'_>, end: u64, each: u64) {
        let begun = self.populations.iter().map(|population| population.generation).min();
        let mut at = begun.filter(|_| run.ranks.count() == 1).unwrap_or(end);
        loop {
            let next = if at < end { run.progress.told_after(at).clamp(at + 1, end) } else { end };
            let live = |population: &mut Population| {
                while population.generation < next && population.best() > 0 && population.work < each {
                    population.step(space);
                    if run.stopped() {
                        break;
                    }
                }
            };
            match &self.pool {
                Some(pool) => pool.install(|| self.populations.par_iter_mut().for_each(live)),
                None => self.populations.iter_mut().for_each(live),
            }
            let has_come = self.populations.iter().any(|population| population.generation >= next);
            if next >= end || !has_come || run.stopped() {
                return;
            }
            run.progress.generation(&self.between());
            at = next;
        }
    }

    /// What the generation has come to, where all islands are here and have not met since.
    fn between(&self) -> Generation {
        let populations = || self.populations.iter();
        let leader = populations().min_by_key(|population| population.best());
        let best = leader.map(|leader| &leader.candidates[0]).filter(|best| best.fitness() < self.best().fitness());
        let best = best.unwrap_or_else(|| self.best());
        Generation {
            method: self.method,
            steps: self.steps,
            generation: leader.map_or(0, |population| population.generation),
            evaluations: populations().map(|population| population.evaluations).sum(),
            best: best.fitness(),
            mean: populations().map(Population::mean).sum::<f64>() / self.populations.len().max(1) as f64,
            conflicts: best.conflicts,
            late: best.late,
        }
    }

    /// All ranks tell how their islands stand, whether they have to stop, and their best where it is better than any
    /// before; at a migration the best of each island go to the next.
    fn meet(&mut self, space: &Space, run: &Run<'_>, migration: bool, found: &impl Fn(&Chromosome)) {
        let (ranks, count) = (run.ranks.count(), self.tuning.islands);
        let record = self.champion.as_ref().map_or(u32::MAX, Chromosome::fitness);
        let mut news = vec![u8::from(run.stopped())];
        for population in &self.populations {
            news.extend(population.best().to_le_bytes());
            for number in [population.generation, population.evaluations, population.work, population.mean().to_bits()]
            {
                news.extend(number.to_le_bytes());
            }
        }
        // `min_by_key` keeps the first of equals.
        if let Some(best) = self.populations.iter().min_by_key(|c| c.best()).filter(|c| c.best() < record) {
            best.candidates[0].write(&mut news);
        }
        let mut outgoing = vec![news; ranks];
        let leaving: Vec<Vec<Chromosome>> = if migration && count > 1 {
            self.populations.iter().map(Population::emigrants).collect()
        } else {
            Vec::new()
        };
        for (island, candidates) in self.own.clone().zip(&leaving) {
            if let Some(away) = self.rank_of((island + 1) % count, ranks).filter(|&rank| rank != run.ranks.rank()) {
                candidates.iter().for_each(|who| who.write(&mut outgoing[away]));
            }
        }
        let incoming = run.ranks.exchange(outgoing);
        self.stopped = false;
        let mut newcomers = Vec::new();
        let mut best: Option<Chromosome> = None;
        for (rank, news) in incoming.iter().enumerate() {
            let theirs = share(count, rank, ranks);
            let (flag, news) = news.split_first().unwrap_or((&0, &[]));
            self.stopped |= *flag > 0;
            let mut reader = Reader(news);
            for island in theirs.clone() {
                let (best, generation, evaluations, work, mean) =
                    (reader.u32(), reader.u64(), reader.u64(), reader.u64(), reader.f64());
                self.standings[island] = Standing { best, generation, evaluations, work, mean };
            }
            let least = self.standings[theirs.clone()].iter().map(|s| s.best).min();
            if least.is_some_and(|least| least < record) {
                let theirs = Chromosome::read(space, &mut reader);
                if best.as_ref().is_none_or(|best| theirs.fitness() < best.fitness()) {
                    best = Some(theirs);
                }
            }
            if !reader.0.is_empty() && rank != run.ranks.rank() {
                newcomers = (0..self.tuning.migrants()).map(|_| Chromosome::read(space, &mut reader)).collect();
            }
        }
        if let Some(best) = best {
            found(&best);
            self.champion = Some(best);
        }
        if migration && count > 1 && self.standings.iter().all(|s| s.best > 0) {
            self.migrate(leaving, newcomers);
        }
    }

    /// The process that has an island, where there is any.
    fn rank_of(&self, island: usize, ranks: usize) -> Option<usize> {
        (0..ranks).find(|&rank| share(self.tuning.islands, rank, ranks).contains(&island))
    }

    /// The candidates leaving each island go to the next one; `newcomers` come to the first from another process.
    fn migrate(&mut self, mut leaving: Vec<Vec<Chromosome>>, newcomers: Vec<Chromosome>) {
        let Some(last) = leaving.pop() else { return };
        let all = self.own.len() == self.tuning.islands;
        let arriving = std::iter::once(if all { last } else { newcomers }).chain(leaving);
        for (population, candidates) in self.populations.iter_mut().zip(arriving) {
            population.immigrate(candidates);
        }
    }

    /// The best candidate of all.
    pub(crate) fn best(&self) -> &Chromosome {
        let own = || self.populations.iter().map(|c| &c.candidates[0]).min_by_key(|who| who.fitness());
        self.champion.as_ref().or_else(own).expect("islands have met, or are all here")
    }

    /// Moves of all islands.
    pub(crate) fn work(&self) -> u64 {
        self.standings.iter().map(|s| s.work).sum()
    }

    /// Whether some rank had to stop.
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// What the last generation has come to.
    pub(crate) fn report(&self) -> Generation {
        let best = self.best();
        let mean = self.standings.iter().map(|s| s.mean).sum::<f64>() / self.standings.len() as f64;
        let leader = self.standings.iter().min_by_key(|s| s.best);
        Generation {
            method: self.method,
            steps: self.steps,
            generation: leader.map_or(0, |s| s.generation),
            evaluations: self.standings.iter().map(|s| s.evaluations).sum(),
            best: best.fitness(),
            mean,
            conflicts: best.conflicts,
            late: best.late,
        }
    }
}
