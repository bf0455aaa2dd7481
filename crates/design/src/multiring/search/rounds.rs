//! **What:** the rounds of a search: which arms work, for how long, and when it ends.

use super::arm::{Arm, Turn, arms};
use super::exhaustive::{Outcome, exhaust};
use super::row::Frame;
use super::{
    Checkpoint, Found, MOST_DEGREE, MOST_HOPS, MOST_NODES, MOST_PARALLELISM, SearchError, Settings, Stop, Watch,
};
use crate::multiring::bound::{self, Wanted};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Row additions of an arm's first turn.
const FIRST_TURN: u64 = 20_000;
/// Arms that end a wave.
const FEW: usize = 6;
/// Candidates for a last length, all N together, that are worth exhausting without being asked.
const WORTH_EXHAUSTING: f64 = 3e7;

/// A search, which can be stopped and taken up again.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    state: Checkpoint,
    at_most: u32,
}

fn within(what: &'static str, found: u64, least: u64, most: u64) -> Result<(), SearchError> {
    if (least..=most).contains(&found) { Ok(()) } else { Err(SearchError::Range { what, found, least, most }) }
}

impl Search {
    /// A new search.
    ///
    /// # Errors
    /// A number out of its range, or an odd degree of lengths both ways.
    pub fn new(settings: Settings) -> Result<Self, SearchError> {
        let wanted = settings.wanted;
        within("the degree", u64::from(wanted.degree), 1, u64::from(MOST_DEGREE))?;
        within("the diameter", u64::from(wanted.hops), 1, u64::from(MOST_HOPS))?;
        within("σ", wanted.parallelism, 1, MOST_PARALLELISM)?;
        if wanted.symmetric && wanted.degree % 2 == 1 {
            return Err(SearchError::Odd(wanted.degree));
        }
        let at_most = bound::at_most(&wanted).unwrap_or(u64::MAX);
        within("the number of nodes that the counting bound allows,", at_most, 0, MOST_NODES)?;
        let least = u64::from(wanted.degree) + 1;
        if let Some(nodes) = settings.nodes {
            within("the number of nodes", u64::from(nodes), least, at_most.max(least))?;
        }
        let state = Checkpoint {
            wanted,
            nodes: settings.nodes,
            seed: settings.seed,
            ticks: 0,
            round: 0,
            wave: 0,
            climbing: settings.nodes.is_none(),
            turn: FIRST_TURN,
            best: None,
            window: 0,
            arms: Vec::new(),
            exhausted: Vec::new(),
        };
        // Just checked to be far below 2^32.
        Ok(Search { settings, state, at_most: at_most as u32 })
    }

    /// Goes on from a checkpoint of a search for the same.
    ///
    /// # Errors
    /// As [`Search::new`], or a checkpoint of another search, or one whose best lengths do not do what it says.
    pub fn resume(settings: Settings, state: Checkpoint) -> Result<Self, SearchError> {
        let fresh = Search::new(settings)?;
        let same = |a: &Checkpoint, b: &Checkpoint| (a.wanted, a.nodes, a.seed) == (b.wanted, b.nodes, b.seed);
        if !same(&fresh.state, &state) {
            return Err(SearchError::Checkpoint("it is of another degree, diameter, σ, number of nodes or seed"));
        }
        if state.best.is_some() && state.network().is_none() {
            return Err(SearchError::Checkpoint("its best lengths do not make a network with that σ"));
        }
        let least = state.best.as_ref().map_or(0, |b| b.0);
        let sound = |arm: &Arm| arm.nodes > least && arm.nodes <= fresh.at_most && arm.unit < arm.nodes && arm.unit > 0;
        if !state.arms.iter().all(sound) || state.turn == 0 || state.window > fresh.at_most.max(1) {
            return Err(SearchError::Checkpoint("its arms are out of range"));
        }
        Ok(Search { state, ..fresh })
    }

    /// The state, to be kept.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.state
    }

    /// The counting bound: no such network has more nodes.
    pub fn at_most(&self) -> u32 {
        self.at_most
    }

    /// As [`Search::run`], on so many threads; the answer does not depend on it.
    pub fn run_on<W: Watch>(&mut self, threads: usize, watch: &W) -> Option<Found> {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(|| self.run(watch)),
            // A system that gives no more threads has one.
            Err(_) => self.run(watch),
        }
    }

    /// Works until the ticks are used up, everything is decided, or it is stopped; `None`: nothing found yet.
    pub fn run<W: Watch>(&mut self, watch: &W) -> Option<Found> {
        if self.state.climbing {
            watch.progress(&self.state, "a first look at all sizes");
            self.ladder(watch);
        }
        let left = |state: &Checkpoint| state.best.as_ref().map_or(0, |b| b.0);
        let cheap = self.effort() <= WORTH_EXHAUSTING;
        while !cheap && !watch.stopped() && self.state.ticks < self.settings.ticks && left(&self.state) < self.top() {
            if !self.round(watch) {
                break;
            }
            let doing = format!("{} arms up to {} nodes", self.state.arms.len(), self.state.window);
            watch.progress(&self.state, &doing);
        }
        if cheap || self.settings.exhaust {
            self.exhaust(watch);
        }
        let circulant = self.state.network()?;
        let top = u64::from(self.top());
        let above = u64::from(circulant.nodes()) + 1..=top;
        let proved = self.settings.nodes.is_none() && above.into_iter().all(|n| self.is_exhausted(n as u32));
        Some(Found { circulant, at_most: u64::from(self.at_most), proved })
    }

    /// The largest number of nodes looked for.
    fn top(&self) -> u32 {
        self.settings.nodes.unwrap_or(self.at_most)
    }

    fn is_exhausted(&self, nodes: u32) -> bool {
        self.state.exhausted.contains(&nodes)
    }

    fn frame(&self, nodes: u32) -> Frame {
        let Wanted { hops, parallelism, symmetric, .. } = self.settings.wanted;
        // The ranges were checked.
        Frame { nodes: nodes as usize, hops: hops as usize, wanted: parallelism as u8, symmetric }
    }

    /// Lengths to choose; of lengths both ways the smaller ones.
    fn count(&self) -> usize {
        let wanted = self.settings.wanted;
        (if wanted.symmetric { wanted.degree / 2 } else { wanted.degree }) as usize
    }

    /// Numbers of nodes still to look for.
    fn open(&self) -> std::ops::RangeInclusive<u32> {
        let least = self.settings.wanted.degree + 1;
        let above = self.state.best.as_ref().map_or(least, |b| (b.0 + 1).max(least));
        self.settings.nodes.map_or(above, |n| n.max(above))..=self.top()
    }

    /// Numbers of nodes from the bound downwards, each a little less than the one before, with a short turn each.
    fn ladder<W: Watch>(&mut self, watch: &W) {
        let least = self.settings.wanted.degree + 1;
        let mut rungs = Vec::new();
        let mut nodes = self.at_most;
        while nodes >= least {
            rungs.push(nodes);
            nodes = (nodes - 1).min(nodes - nodes / 16);
        }
        let arms: Vec<Arm> = rungs.into_iter().flat_map(|n| arms(&self.frame(n), self.count())).collect();
        let found = self.work(arms, watch);
        if !watch.stopped() {
            self.state.climbing = false;
        }
        self.keep(&found);
    }

    /// A turn for every arm; `false` where nothing is left to do.
    fn round<W: Watch>(&mut self, watch: &W) -> bool {
        let open = self.open();
        if self.state.arms.is_empty() {
            self.state.window = *open.start() - 1;
        }
        let reach = (*open.start() + (*open.start() / 10).max(8)).min(*open.end());
        for nodes in self.state.window.max(*open.start() - 1) + 1..=reach {
            if !self.is_exhausted(nodes) {
                self.state.arms.extend(arms(&self.frame(nodes), self.count()));
            }
        }
        self.state.window = reach.max(self.state.window);
        let before = self.state.arms.clone();
        let turns = self.work(before, watch);
        if watch.stopped() {
            // Half a round is no round; only what it found is kept.
            self.keep(&turns);
            return false;
        }
        let all = turns.len();
        let better = self.keep(&turns);
        let least = self.state.best.as_ref().map_or(0, |b| b.0);
        let mut left: Vec<Arm> = turns.into_iter().map(|t| t.arm).filter(|a| !a.done && a.nodes > least).collect();
        if !better {
            left.sort_by_key(|arm| arm.missing);
            left.truncate(all.div_ceil(2));
            self.state.turn = self.state.turn.saturating_mul(2);
            if left.len() <= FEW {
                left.clear();
                self.state.wave += 1;
                self.state.turn = FIRST_TURN << (2 * self.state.wave).min(40);
            }
        }
        self.state.arms = left;
        self.state.round += 1;
        all > 0
    }

    /// Gives all arms their turn. Those below a number of nodes that was found meanwhile need none.
    fn work<W: Watch>(&mut self, arms: Vec<Arm>, watch: &W) -> Vec<Turn> {
        let best = AtomicU32::new(0);
        let (state, count, this) = (&self.state, self.count(), &*self);
        let (turn, round, seed) = (state.turn, state.round, state.seed);
        let turns: Vec<Turn> = (0u64..)
            .zip(arms)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(number, arm)| {
                let outdone = Outdone { watch, best: &best, nodes: arm.nodes };
                if outdone.stopped() {
                    return Turn { arm, found: None, ticks: 0 };
                }
                let mut random =
                    Pcg64Mcg::seed_from_u64(seed ^ (round << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let turn = arm.turn(&this.frame(arm.nodes), count, turn, &mut random, &outdone);
                if turn.found.is_some() {
                    best.fetch_max(arm.nodes, Ordering::Relaxed);
                }
                turn
            })
            .collect();
        // Ticks are those of whole turns, since what an outdone arm did depends on the threads.
        self.state.ticks += turns.len() as u64 * turn;
        turns
    }

    /// Keeps the largest number of nodes found, of the lowest arm that has it; whether there was one.
    fn keep(&mut self, turns: &[Turn]) -> bool {
        let most = turns.iter().filter(|t| t.found.is_some()).map(|t| t.arm.nodes).max();
        let Some(first) = turns.iter().find(|t| t.found.is_some() && Some(t.arm.nodes) == most) else { return false };
        if self.state.best.as_ref().is_some_and(|b| b.0 >= first.arm.nodes) {
            return false;
        }
        let mut lengths = first.found.clone().unwrap_or_default();
        lengths.sort_unstable();
        self.state.best = Some((first.arm.nodes, lengths));
        true
    }

    /// About how many candidates for a last length there are, all N together.
    fn effort(&self) -> f64 {
        let each = |nodes: u32| {
            let (most, count) = (f64::from(self.frame(nodes).largest()), self.count());
            (1..count).fold(1.0, |all, i| all * (most - i as f64).max(1.0) / i as f64)
        };
        self.open().map(each).sum()
    }

    /// Tries all sets of lengths for every N left, from below.
    fn exhaust<W: Watch>(&mut self, watch: &W) {
        let looked = AtomicU64::new(0);
        for nodes in self.open() {
            if self.is_exhausted(nodes) {
                continue;
            }
            match exhaust(self.frame(nodes), self.count(), watch, &looked) {
                Outcome::Found(mut lengths) => {
                    lengths.sort_unstable();
                    self.state.best = Some((nodes, lengths));
                }
                Outcome::None => self.state.exhausted.push(nodes),
                Outcome::Stopped => return,
            }
            let done =
                format!("exhausted {nodes} nodes, {:.1e} candidates so far", looked.load(Ordering::Relaxed) as f64);
            watch.progress(&self.state, &done);
        }
    }
}

/// Stops an arm whose number of nodes is below one that was found meanwhile: its answer is not needed.
struct Outdone<'a, W> {
    watch: &'a W,
    best: &'a AtomicU32,
    nodes: u32,
}

impl<W: Stop> Stop for Outdone<'_, W> {
    fn stopped(&self) -> bool {
        self.best.load(Ordering::Relaxed) > self.nodes || self.watch.stopped()
    }
}
