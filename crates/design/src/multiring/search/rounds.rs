//! **What:** the rounds of a search: which configurations work, for how long, and when it ends.

use super::config::{SearchConfig, Task, configs};
use super::exhaustive::{Outcome, exhaust, sets};
use super::row::RingShape;
use super::{Checkpoint, Found, MOST_NODES, Peers, SearchError, Settings, Stop, Watch, allowed, frame_of, within};
use crate::multiring::bound;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Row additions of a configuration's first task.
const FIRST_TURN: u64 = 20_000;
/// Configurations that end a wave.
const FEW: usize = 6;
/// A wave begins with so many at least, some of them twice: from other random numbers, and on as many threads.
const TOGETHER: usize = 8;
/// Row additions for the unions of a configuration that the first sweep exhausts.
const FIRST_LIMIT: u64 = 1 << 22;
/// Each wave's sweep exhausts configurations with so many times as many.
const WIDER: u64 = 16;
/// No configuration takes more than this part of the ticks that are left.
const SHARE: u64 = 16;
/// A sweep shows how far it is after so many times the row additions of one configuration.
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
            task: FIRST_TURN,
            limit: FIRST_LIMIT,
            swept: 0,
            best: None,
            window: 0,
            configs: Vec::new(),
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
        let sound = |config: &SearchConfig| {
            config.nodes > least && config.nodes <= fresh.at_most && config.unit < config.nodes && config.unit > 0
        };
        if !state.configs.iter().all(sound)
            || state.task == 0
            || state.limit == 0
            || state.window > fresh.at_most.max(1)
        {
            return Err(SearchError::Checkpoint("its configs are out of range"));
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
                false => format!("{} configs up to {} nodes", self.state.configs.len(), self.state.window),
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

    fn shape(&self, nodes: u32) -> RingShape {
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

    /// Numbers of nodes from the bound downwards, each a little less than the one before, with a short task each; `false`
    /// where it was stopped.
    fn ladder<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let least = self.settings.wanted.degree + 1;
        let mut rungs = Vec::new();
        let mut nodes = self.at_most;
        while nodes >= least {
            rungs.push(nodes);
            nodes = (nodes - 1).min(nodes - nodes / 16);
        }
        let configs: Vec<SearchConfig> =
            rungs.into_iter().flat_map(|n| configs(&self.shape(n), self.count())).collect();
        let (found, stopped) = self.work(configs, watch, peers, Work::Turns);
        self.state.climbing = stopped;
        self.keep(&found);
        !stopped
    }

    /// Where this wave's sweep ends: far above the best little is found, so each wave goes further.
    fn reach(&self) -> u32 {
        let above = |best: u32| best.saturating_add(best / 4 * (self.state.wave + 1));
        self.state.best.as_ref().map_or(self.top(), |b| above(b.0).min(self.top()))
    }

    /// Exhausts the configurations of the next numbers of nodes whose unions are few for this wave; `false` where it was stopped.
    fn sweep<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let (limit, count, this) = (self.state.limit, self.count(), &*self);
        let efforts = |nodes: u32| -> Vec<(SearchConfig, u64)> {
            let shape = this.shape(nodes);
            let efforts = configs(&shape, count).into_iter().map(|config| (config, config.effort(&shape, count)));
            efforts.filter(|(_, effort)| *effort <= limit).collect()
        };
        let last = self.reach();
        let open = self.open().filter(|n| *n > self.state.swept && *n <= last && !self.is_exhausted(*n));
        let next: Vec<u32> = open.take(64).collect();
        let next: Vec<(u32, Vec<(SearchConfig, u64)>)> =
            next.into_par_iter().map(|nodes| (nodes, efforts(nodes))).collect();
        let (mut due, mut ticks, mut swept) = (Vec::new(), 0u64, last);
        let left = self.settings.ticks - self.state.ticks;
        for (nodes, configs) in next {
            for (config, effort) in configs {
                // No sweep takes longer than the search may.
                if effort <= left - ticks {
                    ticks += effort;
                    due.push(config);
                }
            }
            swept = nodes;
            if ticks >= limit.saturating_mul(STRETCH).min(left) {
                break;
            }
        }
        let (tasks, stopped) = self.work(due, watch, peers, Work::All);
        self.keep(&tasks);
        if !stopped {
            let least = self.state.best.as_ref().map_or(0, |b| b.0);
            // Of lengths one by one, all sets there are were tried.
            let all = tasks.iter().filter(|t| t.config.unit == 1 && t.config.done && t.config.nodes > least);
            self.state.exhausted.extend(all.map(|t| t.config.nodes));
            self.state.ticks = self.state.ticks.saturating_add(ticks);
            self.state.swept = swept;
        }
        !stopped
    }

    /// A task for every configuration; `false` where nothing is left to do, or it was stopped.
    fn round<W: Watch>(&mut self, watch: &W, peers: &Peers<'_>) -> bool {
        let open = self.open();
        let first = self.state.configs.is_empty();
        if first {
            self.state.window = *open.start() - 1;
        }
        let reach = (*open.start() + (*open.start() / 10).max(8)).min(*open.end());
        for nodes in self.state.window.max(*open.start() - 1) + 1..=reach {
            if !self.is_exhausted(nodes) {
                let shape = self.shape(nodes);
                let (count, limit) = (self.count(), self.state.limit);
                // The others were exhausted by the sweep.
                let left = configs(&shape, count).into_iter().filter(|config| config.effort(&shape, count) > limit);
                self.state.configs.extend(left);
            }
        }
        self.state.window = reach.max(self.state.window);
        if first {
            let all = self.state.configs.clone();
            self.state.configs = all.iter().cycle().take(all.len().max(TOGETHER)).copied().collect();
        }
        let (tasks, stopped) = self.work(self.state.configs.clone(), watch, peers, Work::Turns);
        if stopped {
            // Half a round is no round; only what it found is kept.
            self.keep(&tasks);
            return false;
        }
        // Ticks are those of whole tasks, since what an outdone configuration did depends on the threads.
        self.state.ticks = self.state.ticks.saturating_add(self.state.task.saturating_mul(tasks.len() as u64));
        let all = tasks.len();
        let better = self.keep(&tasks);
        let least = self.state.best.as_ref().map_or(0, |b| b.0);
        let mut left: Vec<SearchConfig> =
            tasks.into_iter().map(|t| t.config).filter(|a| !a.done && a.nodes > least).collect();
        if !better {
            left.sort_by_key(|config| config.missing);
            left.truncate(all.div_ceil(2));
            self.state.task = self.state.task.saturating_mul(2);
            if left.len() <= FEW {
                left.clear();
                self.state.wave += 1;
                self.state.task = FIRST_TURN << (2 * self.state.wave).min(40);
                let left = self.settings.ticks.saturating_sub(self.state.ticks);
                let wider = self.state.limit.saturating_mul(WIDER);
                // Where nothing was left to do but what costs more, there is no use in sharing: it is that or the end.
                let wider = if all == 0 { wider } else { wider.min(left / SHARE) };
                self.state.limit = self.state.limit.max(wider);
                self.state.swept = 0;
            }
        }
        self.state.configs = left;
        self.state.round += 1;
        all > 0 || self.state.limit < u64::MAX
    }

    /// Has peers and threads work on these configurations; whether any of them was stopped. Configurations below a number of nodes that was found
    /// meanwhile do nothing: their answer is not needed.
    fn work<W: Watch>(
        &self,
        configs: Vec<SearchConfig>,
        watch: &W,
        peers: &Peers<'_>,
        work: Work,
    ) -> (Vec<Task>, bool) {
        let best = AtomicU32::new(0);
        let (count, state) = (self.count(), &self.state);
        let (task, round, seed) = (state.task, state.round, state.seed);
        let done: Vec<Task> = peers
            .share(configs)
            .into_par_iter()
            .map(|(number, config)| {
                let outdone = Outdone { watch, best: &best, nodes: config.nodes };
                if outdone.stopped() {
                    return Task { config, found: None };
                }
                let shape = self.shape(config.nodes);
                let task = match work {
                    Work::All => config.exhaust(&shape, count, &outdone),
                    Work::Turns => {
                        let number = round << 32 | number as u64;
                        let mut random = Pcg64Mcg::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                        config.task(&shape, count, task, &mut random, &outdone)
                    }
                };
                if task.found.is_some() {
                    best.fetch_max(config.nodes, Ordering::Relaxed);
                }
                task
            })
            .collect();
        peers.gather(done, watch.stopped())
    }

    /// Keeps the largest number of nodes found, of the lowest configuration that has it; whether there was one.
    fn keep(&mut self, tasks: &[Task]) -> bool {
        let most = tasks.iter().filter(|t| t.found.is_some()).map(|t| t.config.nodes).max();
        let Some(first) = tasks.iter().find(|t| t.found.is_some() && Some(t.config.nodes) == most) else {
            return false;
        };
        if self.state.best.as_ref().is_some_and(|b| b.0 >= first.config.nodes) {
            return false;
        }
        let mut lengths = first.found.clone().unwrap_or_default();
        lengths.sort_unstable();
        self.state.best = Some((first.config.nodes, lengths));
        true
    }

    /// About how many candidates for a last length there are, all N together.
    fn effort(&self) -> f64 {
        self.open().map(|nodes| sets(&self.shape(nodes), self.count())).sum()
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
            let done = done.map(|(_, nodes)| (nodes, exhaust(self.shape(nodes), self.count(), watch, &looked)));
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

/// What is done with a configuration.
#[derive(Clone, Copy)]
enum Work {
    /// A task.
    Turns,
    /// All its sets are tried.
    All,
}

/// Stops a configuration whose number of nodes is below one that was found meanwhile: its answer is not needed.
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
