//! **What:** the search for a network of so many nodes: runs of annealing under many symmetries, in rounds.
//!
//! **Method.** A wave begins with every rotation that nodes and degree allow; each gets a few short runs, the better half of
//! the rotations gets runs twice as long, and so on until one is left. The next wave begins with longer runs. Runs have
//! numbers and generators of random numbers of their own, so the answer depends on the seed and the ticks only.

use super::anneal::{self, Candidate, Outcome, Task};
use super::lifted::Frame;
use super::{
    GraphError, LEAST_DEGREE, MOST_DIAMETER, MOST_NODES, Progress, Settings, Watch, known, least, most_nodes, on, range,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::cmp::Reverse;

/// Ticks of the first runs, and the factor from wave to wave.
const FIRST: u64 = 1 << 22;
const LONGER: u64 = 4;
/// Fewest runs of a round.
const RUNS: usize = 8;
/// Different networks that are kept.
const KEPT: usize = 12;

/// A search between rounds.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    least: (u32, u64),
    all: Vec<u32>,
    left: Vec<u32>,
    turn: u64,
    wave: u32,
    round: u64,
    ticks: u64,
    moves: u64,
    kept: Vec<Candidate>,
}

impl Search {
    /// A search that has not begun.
    ///
    /// # Errors
    /// Numbers out of range, or more nodes than the diameter allows.
    pub fn new(settings: Settings) -> Result<Self, GraphError> {
        let Settings { nodes, degree, .. } = settings;
        range("number of nodes", nodes, LEAST_DEGREE + 1, MOST_NODES)?;
        range("degree", degree, LEAST_DEGREE, nodes - 1)?;
        if let Some(diameter) = settings.diameter {
            range("diameter", diameter, 1, MOST_DIAMETER)?;
            let most = most_nodes(degree, diameter);
            if u128::from(nodes) > most {
                return Err(GraphError::Moore { degree, diameter, most });
            }
        }
        let least = least(nodes, degree);
        let all: Vec<u32> = (1..=nodes).filter(|&turns| Frame { nodes, degree, turns }.possible()).collect();
        let (left, turn) = (all.clone(), FIRST);
        Ok(Search { settings, least, all, left, turn, wave: 0, round: 0, ticks: 0, moves: 0, kept: Vec::new() })
    }

    /// The least diameter and sum of distances over ordered pairs that the degree allows.
    pub fn least(&self) -> (u32, u64) {
        self.least
    }

    /// Words read and exchanges tried so far.
    pub fn work(&self) -> (u64, u64) {
        (self.ticks, self.moves)
    }

    /// A network at least this good ends the search.
    fn enough(&self) -> (u32, u64) {
        self.settings.diameter.map_or(self.least, |diameter| (diameter, u64::MAX))
    }

    /// Whether the best network is as good as any can be, or as was asked for.
    pub fn done(&self) -> bool {
        self.kept.first().is_some_and(|best| best.rank() <= self.enough())
    }

    /// As [`Search::run`], on so many threads.
    pub fn run_on<W: Watch>(&mut self, threads: usize, watch: &W) -> Option<Vec<Candidate>> {
        on(threads, || self.run(watch))
    }

    /// Searches until there is nothing better, the ticks are used up or `watch` stops it; the best networks, best first.
    pub fn run<W: Watch>(&mut self, watch: &W) -> Option<Vec<Candidate>> {
        while !self.done() && self.ticks < self.settings.ticks && !watch.stopped() {
            self.play(watch);
            watch.progress(&self.progress());
        }
        (!self.kept.is_empty()).then(|| self.kept.clone())
    }

    fn progress(&self) -> Progress {
        Progress {
            nodes: self.settings.nodes,
            best: self.kept.first().map(Candidate::rank),
            least: self.least,
            ticks: self.ticks,
            moves: self.moves,
            turns: self.left.clone(),
        }
    }

    /// One round.
    fn play<W: Watch>(&mut self, watch: &W) {
        let Settings { nodes, degree, seed, diameter, ticks } = self.settings;
        let copies = RUNS.div_ceil(self.left.len());
        let runs = (copies * self.left.len()) as u64;
        let each = self.turn.min((ticks - self.ticks).div_ceil(runs));
        let (least, enough, left, round) = (self.least.0, self.enough(), &self.left, self.round);
        let outcomes: Vec<Outcome> = (0..runs)
            .into_par_iter()
            .map(|number| {
                let frame = Frame { nodes, degree, turns: left[number as usize / copies] };
                let aim = diameter.unwrap_or(least + (number % 2) as u32);
                let task = Task { frame, least, aim, enough, ticks: each };
                let lane = seed ^ (round << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                anneal::run(&task, &mut Pcg64Mcg::seed_from_u64(lane), watch)
            })
            .collect();
        self.round += 1;
        self.ticks += outcomes.iter().map(|o| o.ticks).sum::<u64>();
        self.moves += outcomes.iter().map(|o| o.moves).sum::<u64>();
        let rank = |o: &Outcome| o.best.as_ref().map_or((u32::MAX, u64::MAX), Candidate::rank);
        let mut scores: Vec<((u32, u64), u32)> = (self.left.iter())
            .zip(outcomes.chunks(copies))
            .map(|(turns, chunk)| (chunk.iter().map(rank).min().unwrap_or((u32::MAX, u64::MAX)), *turns))
            .collect();
        scores.sort_by_key(|(rank, _)| *rank);
        self.kept.extend(outcomes.into_iter().filter_map(|o| o.best));
        // Of equals, those without short cycles first: they leave most other ways where a link fails.
        self.kept.sort_by_cached_key(|c| (c.rank(), Reverse(known::girth(&c.network())), c.graph.frame().turns));
        self.kept.dedup_by_key(|c| (c.rank(), c.graph.frame().turns));
        self.kept.truncate(KEPT);
        if self.left.len() == 1 {
            self.wave += 1;
            self.left.clone_from(&self.all);
            self.turn = FIRST.saturating_mul(LONGER.saturating_pow(self.wave));
        } else {
            scores.truncate(scores.len().div_ceil(2));
            self.left = scores.into_iter().map(|(_, turns)| turns).collect();
            self.turn = self.turn.saturating_mul(2);
        }
    }
}
