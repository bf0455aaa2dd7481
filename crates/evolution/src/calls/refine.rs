//! **What:** the first population of calls, and refinement of a candidate.
//!
//! **Method:** calls that share a channel are dropped, and idle places get the call that tells them most, step by step. Then a
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

/// The memory of refinement.
pub(in super::super) struct CallSearch {
    pub(super) row: usize,
    /// What is known before each step and after the last, `(steps + 1) × nodes × words`.
    pub(super) known: Vec<u64>,
    /// The same with the move that is tried.
    tried: Vec<u64>,
    /// What a node will know after the step, while its places are filled.
    coming: Vec<u64>,
    /// What the move has changed: genes with the paths and steps they had.
    log: Vec<(u32, u32, u16)>,
    idle: Vec<u32>,
    looks: u64,
}

impl CallSearch {
    pub(crate) fn new(space: &Space, calls: &Calls) -> Self {
        let row = space.nodes * calls.words;
        let known = vec![0; row * (usize::from(space.steps) + 1)];
        let coming = vec![0; calls.words];
        CallSearch { row, tried: known.clone(), known, coming, log: Vec::new(), idle: Vec::new(), looks: 0 }
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
        for step in 0..space.steps {
            let (before, after) = self.known[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
        }
        who.late = calls.missing(&self.known[usize::from(space.steps) * self.row..]);
    }

    /// At most `moves` moves; how many were made, and the work.
    pub(crate) fn refine(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        moves: u64,
        rng: &mut Pcg64Mcg,
    ) -> (u64, u64) {
        let before = self.looks;
        self.begin(space, calls, who, rng);
        let heat = HEAT[rng.random_range(0..HEAT.len())];
        let thrifty = rng.random_bool(0.5);
        let mut made = 0;
        while made < moves && who.late > 0 {
            self.attempt(space, calls, who, (heat, thrifty), rng);
            made += 1;
        }
        (made, (self.looks - before) / 16)
    }

    /// Drops calls in conflict and fills idle places, step by step.
    pub(super) fn begin(&mut self, space: &Space, calls: &Calls, who: &mut Chromosome, rng: &mut Pcg64Mcg) {
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
        let thrifty = rng.random_bool(0.5);
        self.known[..self.row].copy_from_slice(&calls.has);
        for step in 0..space.steps {
            let first = usize::from(step) * calls.places();
            let mut idle = std::mem::take(&mut self.idle);
            idle.clear();
            idle.extend((first..first + calls.places()).filter(|&g| who.step[g] == space.steps).map(|g| g as u32));
            idle.shuffle(rng);
            for &gene in &idle {
                self.fill(space, calls, who, (gene as usize, step), thrifty, rng);
            }
            self.idle = idle;
            let (before, after) = self.known[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
        }
        who.late = calls.missing(&self.known[usize::from(space.steps) * self.row..]);
    }

    /// What a node knows before a step.
    fn known(&self, calls: &Calls, step: u16, node: u32) -> &[u64] {
        let row = calls.row(node);
        let first = usize::from(step) * self.row;
        &self.known[first + row.start..first + row.end]
    }

    /// The call that tells an idle place most, by channel of its path where channels are saved.
    fn fill(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        (gene, step): (usize, u16),
        thrifty: bool,
        rng: &mut Pcg64Mcg,
    ) {
        let receiver = space.genes[gene].receiver;
        let mut coming = std::mem::take(&mut self.coming);
        coming.copy_from_slice(self.known(calls, step, receiver));
        for place in calls.places[receiver as usize].clone() {
            let other = usize::from(step) * calls.places() + place;
            if who.step[other] == step {
                let news = self.known(calls, step, space.store.ends(who.path[other]).0);
                coming.iter_mut().zip(news).for_each(|(coming, news)| *coming |= news);
            }
        }
        let senders = space.distributors(gene);
        let turn = rng.random_range(0..senders.len().max(1));
        let mut best = (0, None);
        for &from in senders[turn..].iter().chain(&senders[..turn]) {
            let told = self.known(calls, step, from);
            let gain: u32 = told.iter().zip(&coming).map(|(told, coming)| (told & !coming).count_ones()).sum();
            let paths = space.store.between(from, receiver);
            let count = paths.len() as u32;
            if gain == 0 || count == 0 {
                continue;
            }
            let length = if thrifty { space.store.resources(paths.start).len() as u32 } else { 1 };
            let score = gain * 64 / length;
            if score > best.0 {
                let turn = rng.random_range(0..count);
                let mut near = (0..count.min(PATHS)).map(|k| paths.start + (turn + k) % count);
                if let Some(path) = near.find(|&path| who.fits(space, path, step)) {
                    best = (score, Some(path));
                }
            }
        }
        self.looks += (senders.len() * calls.words) as u64;
        self.coming = coming;
        if let Some(path) = best.1 {
            self.change(space, who, gene, path, step);
        }
    }

    fn change(&mut self, space: &Space, who: &mut Chromosome, gene: usize, path: u32, step: u16) {
        self.log.push((gene as u32, who.path[gene], who.step[gene]));
        who.set(space, gene, path, step);
    }

    /// Makes a call, and undoes it if more is missing.
    fn attempt(
        &mut self,
        space: &Space,
        calls: &Calls,
        who: &mut Chromosome,
        (heat, thrifty): (f64, bool),
        rng: &mut Pcg64Mcg,
    ) {
        let mut gene = rng.random_range(0..space.genes.len());
        let step = (gene / calls.places()) as u16;
        if rng.random_bool(0.5) {
            // Somebody who will miss something.
            for _ in 0..8 {
                let receiver = space.genes[gene].receiver;
                let row = calls.row(receiver);
                let end = self.known(calls, space.steps, receiver);
                if calls.wants[row].iter().zip(end).any(|(wants, known)| wants & !known != 0) {
                    break;
                }
                gene = usize::from(step) * calls.places() + rng.random_range(0..calls.places());
            }
        }
        let receiver = space.genes[gene].receiver;
        let senders = space.distributors(gene);
        if senders.is_empty() {
            return;
        }
        // Of two senders, the one that knows more.
        let tells = |from: u32| -> u32 {
            let (told, known) = (self.known(calls, step, from), self.known(calls, step, receiver));
            told.iter().zip(known).map(|(told, known)| (told & !known).count_ones()).sum()
        };
        let (a, b) = (senders[rng.random_range(0..senders.len())], senders[rng.random_range(0..senders.len())]);
        let paths = space.store.between(if tells(a) >= tells(b) { a } else { b }, receiver);
        if paths.is_empty() {
            return;
        }
        let path = rng.random_range(paths);
        if who.step[gene] == step && who.path[gene] == path {
            return;
        }
        self.log.clear();
        let mut idle = std::mem::take(&mut self.idle);
        idle.clear();
        self.change(space, who, gene, who.path[gene], space.steps);
        let first = usize::from(step) * calls.places();
        for &resource in space.store.resources(path) {
            let offset = rng.random_range(0..calls.places());
            for k in 0..calls.places() {
                if !who.is_full(space, resource, step) {
                    break;
                }
                let other = first + (offset + k) % calls.places();
                if who.step[other] == step && space.store.resources(who.path[other]).contains(&resource) {
                    self.change(space, who, other, who.path[other], space.steps);
                    idle.push(other as u32);
                }
            }
            self.looks += calls.places() as u64 / 4;
        }
        self.change(space, who, gene, path, step);
        // What was dropped, and one more place, get the best calls that are left.
        idle.shuffle(rng);
        let more = first + rng.random_range(0..calls.places());
        if who.step[more] == space.steps && !idle.contains(&(more as u32)) {
            idle.push(more as u32);
        }
        for &other in &idle {
            self.fill(space, calls, who, (other as usize, step), thrifty, rng);
        }
        self.idle = idle;
        let begin = usize::from(step) * self.row;
        self.tried[begin..begin + self.row].copy_from_slice(&self.known[begin..begin + self.row]);
        for step in step..space.steps {
            let (before, after) = self.tried[usize::from(step) * self.row..].split_at_mut(self.row);
            calls.after(space, who, step, before, &mut after[..self.row]);
            self.looks += (calls.places() * calls.words) as u64;
        }
        let missing = calls.missing(&self.tried[usize::from(space.steps) * self.row..]);
        let worse = f64::from(missing.saturating_sub(who.late));
        if worse == 0.0 || (heat > 0.0 && rng.random_bool((-worse / heat).exp())) {
            self.known[begin..].copy_from_slice(&self.tried[begin..]);
            who.late = missing;
            return;
        }
        while let Some((gene, path, step)) = self.log.pop() {
            who.set(space, gene as usize, path, step);
        }
    }
}
