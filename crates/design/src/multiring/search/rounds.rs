//! **What:** the rounds of a search: which arms work, for how long, and when it ends.

use super::arm::{Arm, Turn, arms};
use super::exhaustive::{Outcome, exhaust, sets};
use super::row::Frame;
use super::{Checkpoint, Found, MOST_NODES, Peers, SearchError, Settings, Stop, Watch, allowed, frame_of, within};
use crate::multiring::bound;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Row additions of an arm's first turn.
const FIRST_TURN: u64 = 20_000;
/// Arms that end a wave.
const FEW: usize = 6;
/// A wave begins with so many at least, some of them twice: from other random numbers, and on as many threads.
const TOGETHER: usize = 8;
/// Row additions for the unions of an arm that the first sweep exhausts.
const FIRST_LIMIT: u64 = 1 << 22;
/// Each wave's sweep exhausts arms with so many times as many.
const WIDER: u64 = 16;
/// No arm takes more than this part of the ticks that are left.
const SHARE: u64 = 16;
/// A sweep shows how far it is after so many times the row additions of one arm.
const STRETCH: u64 = 8;
/// Candidates for a last length, all N together, that are worth exhausting without being asked.
const WORTH_EXHAUSTING: f64 = 1e9;

/// A search, which can be stopped and taken up again.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    state: Checkpoint,
    at_most: u32,
}

impl Search {
    /// A new search.
    ///
    /// # Errors
    /// A number out of its range, or an odd degree of lengths both ways.
    pub fn new(settings: Settings) -> Result<Self, SearchError> {
        let wanted = settings.wanted;
        allowed(&wanted)?;
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
            limit: FIRST_LIMIT,
            swept: 0,
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
        if !state.arms.iter().all(sound) || state.turn == 0 || state.limit == 0 || state.window > fresh.at_most.max(1) {
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

    /// As [`Search::run`], on so many threads and shared with peers; the answer does not depend on either.
    pub fn run_on<W: Watch>(&mut self, threads: usize, watch: &W, peers: &Peers<'_>) -> Option<Found> {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(|| self.run_among(watch, peers)),
            // A system that gives no more threads has one.
            Err(_) => self.run_among(watch, peers),
        }
    }

    /// Works until the ticks are used up, everything is decided, or it is stopped; `None`: nothing found yet.
    pub fn run<W: Watch>(&mut self, watch: &W) -> Option<Found> {
        self.run_among(watch, &Peers::alone())
    }

    fn run_among<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> Option<Found> {
        let mut goes_on = true;
        if self.state.climbing {
            watch.progress(&self.state, "a first look at all sizes");
            goes_on = self.ladder(watch, peers);
        }
        let cheap = self.effort() <= WORTH_EXHAUSTING;
        while goes_on && !cheap && self.state.ticks < self.settings.ticks && !self.open().is_empty() {
            let sweeping = self.state.swept < self.reach();
            goes_on = if sweeping { self.sweep(watch, peers) } else { self.round(watch, peers) };
            let doing = match sweeping {
                true => format!("unions of orbits up to {} nodes", self.state.swept),
                false => format!("{} arms up to {} nodes", self.state.arms.len(), self.state.window),
            };
            watch.progress(&self.state, &doing);
        }
        if goes_on && (cheap || self.settings.exhaust) {
            self.exhaust(watch, peers);
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
        frame_of(&self.settings.wanted, nodes)
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

    /// Numbers of nodes from the bound downwards, each a little less than the one before, with a short turn each; `false`
    /// where it was stopped.
    fn ladder<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let least = self.settings.wanted.degree + 1;
        let mut rungs = Vec::new();
        let mut nodes = self.at_most;
        while nodes >= least {
            rungs.push(nodes);
            nodes = (nodes - 1).min(nodes - nodes / 16);
        }
        let arms: Vec<Arm> = rungs.into_iter().flat_map(|n| arms(&self.frame(n), self.count())).collect();
        let (found, stopped) = self.work(arms, watch, peers, Work::Turns);
        self.state.climbing = stopped;
        self.keep(&found);
        !stopped
    }

    /// Where this wave's sweep ends: far above the best little is found, so each wave goes further.
    fn reach(&self) -> u32 {
        let above = |best: u32| best.saturating_add(best / 4 * (self.state.wave + 1));
        self.state.best.as_ref().map_or(self.top(), |b| above(b.0).min(self.top()))
    }

    /// Exhausts the arms of the next numbers of nodes whose unions are few for this wave; `false` where it was stopped.
    fn sweep<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let (limit, count, this) = (self.state.limit, self.count(), &*self);
        let efforts = |nodes: u32| -> Vec<(Arm, u64)> {
            let frame = this.frame(nodes);
            let efforts = arms(&frame, count).into_iter().map(|arm| (arm, arm.effort(&frame, count)));
            efforts.filter(|(_, effort)| *effort <= limit).collect()
        };
        let last = self.reach();
        let open = self.open().filter(|n| *n > self.state.swept && *n <= last && !self.is_exhausted(*n));
        let next: Vec<u32> = open.take(64).collect();
        let next: Vec<(u32, Vec<(Arm, u64)>)> = next.into_par_iter().map(|nodes| (nodes, efforts(nodes))).collect();
        let (mut due, mut ticks, mut swept) = (Vec::new(), 0u64, last);
        let left = self.settings.ticks - self.state.ticks;
        for (nodes, arms) in next {
            for (arm, effort) in arms {
                // No sweep takes longer than the search may.
                if effort <= left - ticks {
                    ticks += effort;
                    due.push(arm);
                }
            }
            swept = nodes;
            if ticks >= limit.saturating_mul(STRETCH).min(left) {
                break;
            }
        }
        let (turns, stopped) = self.work(due, watch, peers, Work::All);
        self.keep(&turns);
        if !stopped {
            let least = self.state.best.as_ref().map_or(0, |b| b.0);
            // Of lengths one by one, all sets there are were tried.
            let all = turns.iter().filter(|t| t.arm.unit == 1 && t.arm.done && t.arm.nodes > least);
            self.state.exhausted.extend(all.map(|t| t.arm.nodes));
            self.state.ticks = self.state.ticks.saturating_add(ticks);
            self.state.swept = swept;
        }
        !stopped
    }

    /// A turn for every arm; `false` where nothing is left to do, or it was stopped.
    fn round<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let open = self.open();
        let first = self.state.arms.is_empty();
        if first {
            self.state.window = *open.start() - 1;
        }
        let reach = (*open.start() + (*open.start() / 10).max(8)).min(*open.end());
        for nodes in self.state.window.max(*open.start() - 1) + 1..=reach {
            if !self.is_exhausted(nodes) {
                let frame = self.frame(nodes);
                let (count, limit) = (self.count(), self.state.limit);
                // The others were exhausted by the sweep.
                let left = arms(&frame, count).into_iter().filter(|arm| arm.effort(&frame, count) > limit);
                self.state.arms.extend(left);
            }
        }
        self.state.window = reach.max(self.state.window);
        if first {
            let all = self.state.arms.clone();
            self.state.arms = all.iter().cycle().take(all.len().max(TOGETHER)).copied().collect();
        }
        let (turns, stopped) = self.work(self.state.arms.clone(), watch, peers, Work::Turns);
        if stopped {
            // Half a round is no round; only what it found is kept.
            self.keep(&turns);
            return false;
        }
        // Ticks are those of whole turns, since what an outdone arm did depends on the threads.
        self.state.ticks = self.state.ticks.saturating_add(self.state.turn.saturating_mul(turns.len() as u64));
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
                let left = self.settings.ticks.saturating_sub(self.state.ticks);
                let wider = self.state.limit.saturating_mul(WIDER);
                // Where nothing was left to do but what costs more, there is no use in sharing: it is that or the end.
                let wider = if all == 0 { wider } else { wider.min(left / SHARE) };
                self.state.limit = self.state.limit.max(wider);
                self.state.swept = 0;
            }
        }
        self.state.arms = left;
        self.state.round += 1;
        all > 0 || self.state.limit < u64::MAX
    }

    /// Has peers and threads work on these arms; whether any of them was stopped. Arms below a number of nodes that was found
    /// meanwhile do nothing: their answer is not needed.
    fn work<W: Watch>(&self, arms: Vec<Arm>, watch: &W, peers: &Peers<'_>, work: Work) -> (Vec<Turn>, bool) {
        let best = AtomicU32::new(0);
        let (count, state) = (self.count(), &self.state);
        let (turn, round, seed) = (state.turn, state.round, state.seed);
        let done: Vec<Turn> = peers
            .share(arms)
            .into_par_iter()
            .map(|(number, arm)| {
                let outdone = Outdone { watch, best: &best, nodes: arm.nodes };
                if outdone.stopped() {
                    return Turn { arm, found: None };
                }
                let frame = self.frame(arm.nodes);
                let turn = match work {
                    Work::All => arm.exhaust(&frame, count, &outdone),
                    Work::Turns => {
                        let number = round << 32 | number as u64;
                        let mut random = Pcg64Mcg::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                        arm.turn(&frame, count, turn, &mut random, &outdone)
                    }
                };
                if turn.found.is_some() {
                    best.fetch_max(arm.nodes, Ordering::Relaxed);
                }
                turn
            })
            .collect();
        peers.gather(done, watch.stopped())
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
        self.open().map(|nodes| sets(&self.frame(nodes), self.count())).sum()
    }

    /// Tries all sets of lengths for every N left, from below; of several processes each takes another N.
    fn exhaust<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) {
        let looked = AtomicU64::new(0);
        loop {
            let next: Vec<u32> = self.open().filter(|n| !self.is_exhausted(*n)).take(peers.count()).collect();
            if next.is_empty() {
                return;
            }
            let done = peers.share(next).into_iter();
            let done = done.map(|(_, nodes)| (nodes, exhaust(self.frame(nodes), self.count(), watch, &looked)));
            let (done, stopped) = peers.gather(done.collect(), watch.stopped());
            let mut halt = stopped;
            for (nodes, outcome) in done {
                match outcome {
                    Outcome::Found(mut lengths) => {
                        lengths.sort_unstable();
                        self.state.best = Some((nodes, lengths));
                    }
                    Outcome::None => self.state.exhausted.push(nodes),
                    Outcome::Stopped => halt = true,
                }
                let candidates = looked.load(Ordering::Relaxed) as f64;
                watch.progress(&self.state, &format!("exhausted {nodes} nodes, {candidates:.1e} candidates so far"));
            }
            if halt {
                return;
            }
        }
    }
}

/// What is done with an arm.
#[derive(Clone, Copy)]
enum Work {
    /// A turn.
    Turns,
    /// All its sets are tried.
    All,
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
