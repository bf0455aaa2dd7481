//! **What:** one way to look for lengths for one N, worked on in tasks: lengths one by one, or whole orbits under a group of
//! units.
//!
//! **Moves.** Good sets often are unions of orbits of some units, and there are far fewer of those. Where all of them are few
//! for the time that is given, all are [tried](super::unions), and the configuration is done. Else, *exchanges*: take out an orbit (or a
//! single length) at random, and put in the one of all of its size that leaves least missing, which costs a few row additions a
//! candidate; go there if it is better, or else with a probability that falls with the loss. Now and then two are taken out,
//! and one is put in at random before the last. Of orbits, half of a task before that is *cooling*: exchange one orbit or two
//! for others at random, and count anew, colder and colder.
//!
//! **When it loses.** Lengths one by one get stuck for degrees above a dozen; unions of orbits do not exist for every N.

use super::Stop;
use super::piece::{Base, Pieces, whole};
use super::row::{Powers, RingShape};
use super::{unions, units};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A way to look for lengths for one N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SearchConfig {
    /// N.
    pub nodes: u32,
    /// The unit whose orbits are taken whole; 1 for lengths one by one.
    pub unit: u32,
    /// The least that was missing so far.
    pub missing: u32,
    /// Whether every union of orbits was tried.
    pub done: bool,
}

/// What a task came to.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Task {
    /// The configuration after it.
    pub config: SearchConfig,
    /// Lengths that do, where some were found.
    pub found: Option<Vec<u32>>,
}

/// All configurations for a shape of `count` lengths.
pub fn configs(shape: &RingShape, count: usize) -> Vec<SearchConfig> {
    let units = [1].into_iter().chain(units::generators(shape, count));
    units.map(|unit| SearchConfig { nodes: shape.nodes as u32, unit, missing: u32::MAX, done: false }).collect()
}

impl SearchConfig {
    fn pieces(&self, shape: &RingShape, count: usize) -> Pieces {
        Pieces::new(*shape, units::orbits(shape, self.unit, count), count)
    }

    /// Row additions that it takes to try all its sets, at most about.
    pub fn effort(&self, shape: &RingShape, count: usize) -> u64 {
        let orbits = units::orbits(shape, self.unit, count);
        let largest = orbits.iter().map(Vec::len).max().unwrap_or(0);
        unions::candidates(shape, &orbits, count).saturating_mul(Pieces::most(shape, largest, count))
    }

    /// Tries all its sets.
    pub fn exhaust(mut self, shape: &RingShape, count: usize, stop: &dyn Stop) -> Task {
        let found = unions::exhaust(&self.pieces(shape, count), count, stop);
        self.done = !stop.stopped();
        Task { config: self, found }
    }

    /// Works for about `ticks` row additions.
    pub fn task(self, shape: &RingShape, count: usize, ticks: u64, random: &mut Pcg64Mcg, stop: &dyn Stop) -> Task {
        if self.effort(shape, count) <= ticks {
            return self.exhaust(shape, count, stop);
        }
        let pieces = self.pieces(shape, count);
        let (base, powers) = (Base::new(*shape), Powers::none(shape));
        let mut exchange = Exchange { pieces: &pieces, base, powers, count, chosen: Vec::new(), ticks: 0 };
        let mut task = Task { config: self, found: None };
        if self.unit != 1
            && let Some(missing) = exchange.cool(ticks / 2, random, stop)
        {
            task.config.missing = task.config.missing.min(missing);
            task.found = (missing == 0).then(|| exchange.lengths(&exchange.chosen).collect());
        }
        while exchange.ticks < ticks && task.found.is_none() && !stop.stopped() {
            if let Some(missing) = exchange.descent(ticks, random, stop) {
                task.config.missing = task.config.missing.min(missing);
                task.found = (missing == 0).then(|| exchange.lengths(&exchange.chosen).collect());
            }
        }
        task
    }
}

/// Exchanges without a better set after which the search begins anew.
const IDLE: u32 = 60;

struct Exchange<'a> {
    pieces: &'a Pieces,
    base: Base,
    powers: Powers,
    count: usize,
    chosen: Vec<usize>,
    ticks: u64,
}

impl<'a> Exchange<'a> {
    fn size(&self, piece: usize) -> usize {
        self.pieces.list[piece].lengths.len()
    }

    fn lengths(&self, chosen: &[usize]) -> impl Iterator<Item = u32> + use<'a> {
        let chosen = chosen.to_vec();
        let pieces = self.pieces;
        chosen.into_iter().flat_map(|i| pieces.list[i].lengths.iter().copied())
    }

    /// Random exchanges, ever colder; the least that was missing, which is that of the chosen where it is 0. `None`: sizes that
    /// do not add up.
    fn cool(&mut self, ticks: u64, random: &mut Pcg64Mcg, stop: &dyn Stop) -> Option<u32> {
        let (count, each) = (self.count, whole(&self.pieces.shape, self.count).max(1));
        self.ticks += each;
        if !self.fill(count, random) {
            return None;
        }
        let mut at = self.whole();
        let (mut least, looks) = (at, ticks / each);
        let hot = (f64::from(at) / 8.0).max(2.0);
        for look in 0..looks {
            if least == 0 || (look % 64 == 0 && stop.stopped()) {
                break;
            }
            self.ticks += each;
            let before = self.chosen.clone();
            let mut freed = 0;
            for _ in 0..if self.chosen.len() > 1 && random.random_range(0..5) == 0 { 2 } else { 1 } {
                let out = self.chosen.swap_remove(random.random_range(0..self.chosen.len()));
                freed += self.size(out);
            }
            let found = if self.fill(freed, random) { self.whole() } else { u32::MAX };
            let temperature = hot * (0.7 / hot).powf(look as f64 / looks as f64);
            let worth = |loss: u32| (-f64::from(loss) / temperature).exp().clamp(0.0, 1.0);
            if found <= at || random.random_bool(worth(found - at)) {
                (at, least) = (found, least.min(found));
            } else {
                self.chosen = before;
            }
        }
        Some(least)
    }

    /// What is missing with those chosen, counted anew.
    fn whole(&mut self) -> u32 {
        let lengths = self.lengths(&self.chosen);
        self.powers.set(&self.pieces.shape, lengths);
        self.powers.missing(&self.pieces.shape)
    }

    /// From a random set until it gets no better for a while; the least that was missing. `None`: sizes that do not add up.
    fn descent(&mut self, ticks: u64, random: &mut Pcg64Mcg, stop: &dyn Stop) -> Option<u32> {
        self.chosen.clear();
        self.ticks += self.count as u64;
        let count = self.count;
        if !self.fill(count, random) {
            return None;
        }
        let (mut at, mut least, mut idle) = (u32::MAX, u32::MAX, 0);
        while idle < IDLE && self.ticks < ticks && !stop.stopped() {
            let before = self.chosen.clone();
            let out = self.chosen.swap_remove(random.random_range(0..self.chosen.len()));
            let mut left = self.size(out);
            if !self.chosen.is_empty() && random.random_range(0..8) == 0 {
                let second = self.chosen.swap_remove(random.random_range(0..self.chosen.len()));
                left += self.size(second);
                let first = random.random_range(0..self.pieces.list.len());
                if self.size(first) < left && !before.contains(&first) {
                    left -= self.size(first);
                    self.chosen.push(first);
                }
            }
            idle += 1;
            match self.last(left, out, random) {
                Some((missing, last)) if missing <= at || accepts(missing - at, self.size(last), random) => {
                    self.chosen.push(last);
                    at = missing;
                }
                _ => self.chosen = before,
            }
            if at < least {
                (least, idle) = (at, 0);
            }
            if at == 0 {
                break;
            }
        }
        (least < u32::MAX).then_some(least)
    }

    /// The best piece of this size beside those chosen, and what is missing with it.
    fn last(&mut self, size: usize, out: usize, random: &mut Pcg64Mcg) -> Option<(u32, usize)> {
        self.base.set(self.pieces, self.lengths(&self.chosen));
        self.ticks += (self.count * self.pieces.shape.hops * self.pieces.shape.hops) as u64;
        let fits = |i: &usize| self.size(*i) == size && *i != out && !self.chosen.contains(i);
        let among: Vec<usize> = (0..self.pieces.list.len()).filter(fits).collect();
        self.ticks += among.iter().map(|i| self.pieces.cost(*i, self.count)).sum::<u64>();
        self.base.best(self.pieces, among, random)
    }

    /// Adds pieces at random that have `size` lengths together.
    fn fill(&mut self, size: usize, random: &mut Pcg64Mcg) -> bool {
        let mut left = size;
        for _ in 0..40 * self.count {
            if left == 0 {
                break;
            }
            let pick = random.random_range(0..self.pieces.list.len());
            if self.size(pick) <= left && !self.chosen.contains(&pick) {
                left -= self.size(pick);
                self.chosen.push(pick);
            }
        }
        left == 0
    }
}

/// Whether to go to a set that is worse by so much; what is missing comes in as many places as an orbit is long.
fn accepts(loss: u32, size: usize, random: &mut Pcg64Mcg) -> bool {
    random.random_bool((-f64::from(loss) / (3.0 * size as f64)).exp().clamp(0.0, 1.0))
}
