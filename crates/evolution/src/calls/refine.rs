//! **What:** the first population of calls, and refinement of a candidate.
//!
//! **Method.** Calls that share a channel are dropped, and idle places get the call that tells them most, step by step. Then a
//! move makes one call, drops those in its way, gives their receivers others, and stays if no more is missing in the end, or
//! seldom if more is.

use super::super::fitness::Chromosome;
use super::super::space::Space;
use super::Calls;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Paths looked at for a call between two nodes.
const PATHS: u32 = 6;

/// How readily calls stay that make matters worse: the loss that one move in e accepts. Drawn anew for each candidate.
const HEAT: [f64; 3] = [0.0, 0.3, 0.6];

/// A place where nobody calls yet.
pub(super) struct IdlePlace<'a> {
    pub space: &'a Space<'a>,
    pub calls: &'a Calls,
    pub gene: usize,
    /// What every node knows before the step.
    pub known: &'a [u64],
    /// What the receiver will know after it.
    pub coming: &'a [u64],
    /// Whether channels are saved.
    pub thrifty: bool,
}

impl IdlePlace<'_> {
    /// The path of the call that tells most, by channel of its path where channels are saved.
    pub(super) fn best(&self, fits: impl Fn(u32) -> bool, rng: &mut Pcg64Mcg) -> Option<u32> {
        let store = &self.space.store;
        let senders = self.space.distributors(self.gene);
        let turn = rng.random_range(0..senders.len().max(1));
        let mut best = (0, None);
        for &from in senders[turn..].iter().chain(&senders[..turn]) {
            let gain = news(&self.known[self.calls.row(from)], self.coming);
            let paths = store.between(from, self.space.genes[self.gene].receiver);
            let count = paths.len() as u32;
            if gain == 0 || count == 0 {
                continue;
            }
            let length = if self.thrifty { store.resources(paths.start).len() as u32 } else { 1 };
            let score = gain * 64 / length;
            if score > best.0 {
                let turn = rng.random_range(0..count);
                let mut near = (0..count.min(PATHS)).map(|k| paths.start + (turn + k) % count);
                if let Some(path) = near.find(|&path| fits(path)) {
                    best = (score, Some(path));
                }
            }
        }
        best.1
    }
}

/// Messages told that are not known.
fn news(told: &[u64], known: &[u64]) -> u32 {
    told.iter().zip(known).map(|(told, known)| (told & !known).count_ones()).sum()
}

/// The memory of refinement.
pub(in super::super) struct CallSearch {
    row: usize,
    /// What is known before each step and after the last, `(steps + 1) × nodes × words`.
    known: Vec<u64>,
    /// The same with the move that is tried.
    tried: Vec<u64>,
    /// What a node will know after the step, while its places are filled.
    coming: Vec<u64>,
    /// What the move has changed: genes with the paths and steps they had.
    log: Vec<(u32, u32, u16)>,
    idle: Vec<u32>,
    heat: f64,
    thrifty: bool,
    looks: u64,
}

impl CallSearch {
    pub(crate) fn new(space: &Space, calls: &Calls) -> Self {
        let row = space.nodes * calls.words;
        let known = vec![0; row * (usize::from(space.steps) + 1)];
        let (log, idle, tried) = (Vec::new(), Vec::new(), known.clone());
        CallSearch { row, tried, known, coming: vec![0; calls.words], log, idle, heat: 0.0, thrifty: false, looks: 0 }
    }

    /// A candidate made of the calls that tell most, or nearly.
    pub(crate) fn first(space: &Space, calls: &Calls, rng: &mut Pcg64Mcg) -> Chromosome {
        let mut who = Chromosome::new(space);
        CallSearch::new(space, calls).begin(space, calls, &mut who, rng);
        who
    }

    /// Counts what is missing.
    pub(crate) fn count(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome) {
        self.known[..self.row].copy_from_slice(&calls.has);
        who.late = follow(&mut self.known, self.row, space, calls, who, 0);
    }

    /// At most `moves` moves, or a count only; how many were made, and the work.
    pub(crate) fn refine(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        moves: u64,
        rng: &mut Pcg64Mcg,
    ) -> (u64, u64) {
        if moves == 0 {
            self.count(space, calls, who);
            return (0, (space.genes.len() / 16) as u64);
        }
        let before = self.looks;
        self.begin(space, calls, who, rng);
        self.heat = HEAT[rng.random_range(0..HEAT.len())];
        self.thrifty = rng.random_bool(0.5);
        let mut made = 0;
        while made < moves && who.late > 0 {
            self.attempt(space, calls, who, rng);
            made += 1;
        }
        (made, (self.looks - before) / 16)
    }

    /// Drops calls in conflict and fills idle places, step by step; returns what everybody knows in the end.
    pub(super) fn begin(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome, rng: &mut Pcg64Mcg) -> &[u64] {
        let count = space.genes.len();
        let offset = rng.random_range(0..count.max(1));
        for gene in (offset..count).chain(0..offset) {
            if who.conflicts == 0 {
                break;
            }
            if who.step[gene] < space.steps && who.in_conflict(space, gene) {
                who.set(space, gene, who.path[gene], space.steps);
            }
        }
        self.thrifty = rng.random_bool(0.5);
        self.known[..self.row].copy_from_slice(&calls.has);
        for step in 0..space.steps {
            let genes = calls.genes_of(step);
            self.idle.clear();
            self.idle.extend(genes.filter(|&g| who.step[g] == space.steps).map(|g| g as u32));
            self.fill(space, calls, who, step, rng);
            let (before, after) = self.known[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
        }
        let end = &self.known[usize::from(space.steps) * self.row..];
        who.late = calls.missing(end);
        end
    }

    /// What a node knows before a step.
    fn known(&self, calls: &Calls, step: u16, node: u32) -> &[u64] {
        &self.known[usize::from(step) * self.row..][calls.row(node)]
    }

    /// Gives idle places of a step the calls that tell them most, in random order.
    fn fill(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome, step: u16, rng: &mut Pcg64Mcg) {
        let (mut idle, mut coming) = (std::mem::take(&mut self.idle), std::mem::take(&mut self.coming));
        idle.shuffle(rng);
        for &gene in &idle {
            let gene = gene as usize;
            let receiver = space.genes[gene].receiver;
            coming.copy_from_slice(self.known(calls, step, receiver));
            let first = calls.genes_of(step).start;
            for other in calls.places[receiver as usize].clone().map(|place| first + place) {
                if who.step[other] == step {
                    let told = self.known(calls, step, space.store.ends(who.path[other]).0);
                    coming.iter_mut().zip(told).for_each(|(coming, told)| *coming |= told);
                }
            }
            let known = &self.known[usize::from(step) * self.row..][..self.row];
            let place = IdlePlace { space, calls, gene, known, coming: &coming, thrifty: self.thrifty };
            let path = place.best(|path| who.fits(space, path, step), rng);
            self.looks += (space.distributors(gene).len() * calls.words) as u64;
            if let Some(path) = path {
                self.change(space, who, gene, path, step);
            }
        }
        (self.idle, self.coming) = (idle, coming);
    }

    fn change(&mut self, space: &Space, who: &mut Chromosome, gene: usize, path: u32, step: u16) {
        self.log.push((gene as u32, who.path[gene], who.step[gene]));
        who.set(space, gene, path, step);
    }

    /// A place that is to be called, more often one whose receiver will miss something, and the path of the call.
    fn draw(&self, space: &Space, calls: &Calls, rng: &mut Pcg64Mcg) -> Option<(usize, u32)> {
        let mut gene = rng.random_range(0..space.genes.len());
        let step = (gene / calls.places()) as u16;
        if rng.random_bool(0.5) {
            for _ in 0..8 {
                let receiver = space.genes[gene].receiver;
                if news(&calls.wants[calls.row(receiver)], self.known(calls, space.steps, receiver)) > 0 {
                    break;
                }
                gene = rng.random_range(calls.genes_of(step));
            }
        }
        let receiver = space.genes[gene].receiver;
        let senders = space.distributors(gene);
        if senders.is_empty() {
            return None;
        }
        // Of two senders, the one that knows more.
        let tells = |from: u32| news(self.known(calls, step, from), self.known(calls, step, receiver));
        let (a, b) = (senders[rng.random_range(0..senders.len())], senders[rng.random_range(0..senders.len())]);
        let paths = space.store.between(if tells(a) >= tells(b) { a } else { b }, receiver);
        (!paths.is_empty()).then(|| (gene, rng.random_range(paths)))
    }

    /// Makes a call, and undoes it if more is missing.
    fn attempt(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome, rng: &mut Pcg64Mcg) {
        let Some((gene, path)) = self.draw(space, calls, rng) else { return };
        let step = (gene / calls.places()) as u16;
        if who.step[gene] == step && who.path[gene] == path {
            return;
        }
        self.log.clear();
        self.idle.clear();
        self.change(space, who, gene, who.path[gene], space.steps);
        let genes = calls.genes_of(step);
        for &resource in space.store.resources(path) {
            let middle = rng.random_range(genes.clone());
            for other in (middle..genes.end).chain(genes.start..middle) {
                if !who.is_full(space, resource, step) {
                    break;
                }
                if who.step[other] == step && space.store.resources(who.path[other]).contains(&resource) {
                    self.change(space, who, other, who.path[other], space.steps);
                    self.idle.push(other as u32);
                }
            }
            self.looks += calls.places() as u64 / 4;
        }
        self.change(space, who, gene, path, step);
        // What was dropped, and one more place, get the best calls that are left.
        let more = rng.random_range(genes);
        if who.step[more] == space.steps && !self.idle.contains(&(more as u32)) {
            self.idle.push(more as u32);
        }
        self.fill(space, calls, who, step, rng);
        let begin = usize::from(step) * self.row;
        self.tried[begin..begin + self.row].copy_from_slice(&self.known[begin..begin + self.row]);
        let missing = follow(&mut self.tried, self.row, space, calls, who, step);
        self.looks += u64::from(space.steps - step) * (calls.places() * calls.words) as u64;
        let worse = f64::from(missing.saturating_sub(who.late));
        if worse == 0.0 || (self.heat > 0.0 && rng.random_bool((-worse / self.heat).exp())) {
            self.known[begin..].copy_from_slice(&self.tried[begin..]);
            who.late = missing;
            return;
        }
        while let Some((gene, path, step)) = self.log.pop() {
            who.set(space, gene as usize, path, step);
        }
    }
}

/// Fills in what is known after a step and those that follow; returns what is missing in the end.
fn follow(known: &mut [u64], row: usize, space: &Space, calls: &Calls, who: &Chromosome, first: u16) -> u32 {
    for step in first..space.steps {
        let (before, after) = known[usize::from(step) * row..].split_at_mut(row);
        calls.after(space, who, step, before, &mut after[..row]);
    }
    calls.missing(&known[usize::from(space.steps) * row..])
}
