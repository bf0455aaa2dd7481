//! **What:** refinement of a candidate: deliveries in conflict become late, and late ones are placed one after another, each
//! in the place of whatever is cheapest to put off.
//!
//! **Theory:** mutation changes a gene and waits for selection to say whether that was good; where every channel is busy in
//! every step a single change never is. A chain is: the delivery put off looks for another place itself, and so on, until one
//! falls into a gap. What a delivery weighs decides which chains are followed: where the whole volume is tight, deliveries over
//! long paths must be left alone, and where a bottleneck is tight they must not; so the weight of a channel is drawn anew for
//! each candidate. In the broadcast encoding whoever is put off takes along those that have the message from it, and weighs
//! as much more. There the steps of deliveries over one channel are an order: what comes first goes in the first step in which
//! its sender has it and the channel is free, which leaves no gap that something could have filled, as at the leaves of a tree.
//! Over longer paths that would fill channels with what had better come from somebody nearer.
//!
//! **Facts:** every move makes another candidate and counts as an evaluation; what is only weighed does not.
//!
//! **Tuning:** `refine`. **Source:** ejection chains (F. Glover, 1996). The dissertation has the swap of two steps only (6.5.2).

use super::fitness::Chromosome;
use super::heuristics::earliest;
use super::space::{Delivery, Space};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

const FREE: u32 = u32::MAX;

/// Moves for which a delivery stays away from the step it was put off from.
const TENURE: u64 = 1;

/// Paths looked at in a move at most: of each distributor, and of all.
const SAMPLE: u32 = 32;
const MOST_PATHS: u32 = 256;

/// What a delivery weighs for each channel of its path, beside 1.
const WEIGHTS: [u32; 3] = [0, 1, 10];

/// The memory of refinement.
pub(super) struct EjectionSearch {
    /// The places of each resource in a step.
    places: Vec<(u32, u32)>,
    places_of_step: usize,
    words: usize,
    owners: Vec<u32>,
    /// Steps in which a resource is full.
    full: Vec<u64>,
    /// When each delivery was last weighed.
    marks: Vec<u64>,
    stamp: u64,
    /// What a delivery weighs for each channel, now.
    weight: u32,
    /// The step each delivery was put off from, and until when it stays away.
    tabu: Vec<(u16, u64)>,
    now: u64,
    late: Vec<u32>,
    /// Deliveries that depend on each delivery.
    below: Vec<u32>,
    looks: u64,
}

/// Whether some distributor of a delivery has its message before the last step.
fn can_be_told(space: &Space, who: &Chromosome, gene: usize) -> bool {
    space.distributors(gene).iter().any(|&from| earliest(space, who, gene, from) < space.steps)
}

/// The best place of a move so far.
struct Best {
    cost: u32,
    ties: u32,
    path: u32,
    step: u16,
}

impl Best {
    /// One of `count` places of the same cost; of all equals, each is as likely as any other.
    #[inline]
    fn offer(&mut self, cost: u32, count: u32, path: u32, step: u16, rng: &mut Pcg64Mcg) {
        self.ties = if cost == self.cost { self.ties + count } else { count };
        if cost < self.cost || rng.random_range(0..self.ties) < count {
            (self.cost, self.path, self.step) = (cost, path, step);
        }
    }
}

impl EjectionSearch {
    /// For a number of steps that stays.
    pub(crate) fn new(space: &Space) -> Self {
        let mut first = 0u32;
        let most = space.genes.len() as u32;
        let place = |&capacity: &u16| {
            let count = u32::from(capacity).min(most);
            first += count;
            (first - count, count)
        };
        let places: Vec<(u32, u32)> = space.store.capacity.iter().map(place).collect();
        let words = usize::from(space.steps).div_ceil(64);
        let genes = space.genes.len();
        EjectionSearch {
            places_of_step: first as usize,
            words,
            owners: vec![FREE; first as usize * usize::from(space.steps)],
            full: vec![0; places.len() * words],
            places,
            marks: vec![0; genes],
            stamp: 0,
            weight: 0,
            tabu: vec![(0, 0); genes],
            now: 0,
            late: Vec::new(),
            below: vec![0; genes],
            looks: 0,
        }
    }

    /// At most `moves` moves; how many were made, and the work.
    pub(crate) fn refine(&mut self, space: &Space, who: &mut Chromosome, moves: u64, rng: &mut Pcg64Mcg) -> (u64, u64) {
        if who.fitness() == 0 {
            return (0, 0);
        }
        let before = self.looks;
        self.begin(space, who, rng);
        self.weight = WEIGHTS[rng.random_range(0..WEIGHTS.len())];
        let mut made = 0;
        while made < moves && !self.late.is_empty() {
            let (count, turn) = (self.late.len(), rng.random_range(0..self.late.len()));
            // Whoever waits for a late one cannot be told yet.
            let mut told = (turn..count).chain(0..turn).filter(|&at| can_be_told(space, who, self.late[at] as usize));
            let gene = self.late.swap_remove(told.next().unwrap_or(turn));
            self.place(space, who, gene, rng);
            made += 1;
        }
        debug_assert!(who.conflicts == 0, "what is in conflict has become late");
        (made, (self.looks - before) / 16)
    }

    /// Puts off what does not fit.
    fn begin(&mut self, space: &Space, who: &mut Chromosome, rng: &mut Pcg64Mcg) {
        self.owners.fill(FREE);
        self.full.fill(0);
        self.below.fill(0);
        self.late.clear();
        let count = space.genes.len() as u32;
        let offset = rng.random_range(0..count);
        let mut order: Vec<u32> = (offset..count).chain(0..offset).collect();
        if space.broadcast {
            // Whoever tells comes before those it tells.
            order.shuffle(rng);
            order.sort_by_key(|&gene| who.step[gene as usize]);
        }
        for gene in order {
            let (path, step) = (who.path[gene as usize], who.step[gene as usize]);
            if step < space.steps {
                let resources = space.store.resources(path);
                self.looks += resources.len() as u64;
                let told = earliest(space, who, gene as usize, space.store.ends(path).0);
                let moves = space.broadcast && space.store.lanes(path).len() == 1;
                let mut steps = if moves { told..space.steps } else { step.max(told)..step + 1 };
                let place = steps.find(|&step| resources.iter().all(|&r| !self.is_full(r, step)));
                who.set(space, gene as usize, path, place.unwrap_or(space.steps));
                if let Some(step) = place {
                    self.settle(space, who, gene, path, step);
                    continue;
                }
            }
            self.late.push(gene);
        }
    }

    /// The delivery that tells the sender of `path`.
    #[inline]
    fn teller(&self, space: &Space, gene: u32, path: u32) -> Option<usize> {
        let from = space.store.ends(path).0;
        space.gene_at(space.genes[gene as usize].message, from)
    }

    /// Adds to what depends on those that tell the sender of `path`.
    fn count(&mut self, space: &Space, who: &Chromosome, gene: u32, path: u32, change: impl Fn(u32) -> u32) {
        let mut at = self.teller(space, gene, path);
        while let Some(teller) = at {
            self.below[teller] = change(self.below[teller]);
            at = self.teller(space, teller as u32, who.path[teller]);
        }
    }

    /// Takes the places of a delivery, which are free.
    fn settle(&mut self, space: &Space, who: &Chromosome, gene: u32, path: u32, step: u16) {
        for &r in space.store.resources(path) {
            self.take(r, step, gene);
        }
        self.count(space, who, gene, path, |n| n + 1);
    }

    #[inline]
    fn is_full(&self, resource: u32, step: u16) -> bool {
        self.full[resource as usize * self.words + usize::from(step / 64)] >> (step % 64) & 1 == 1
    }

    #[inline]
    fn places(&self, resource: u32, step: u16) -> std::ops::Range<usize> {
        let (first, count) = self.places[resource as usize];
        let first = first as usize + usize::from(step) * self.places_of_step;
        first..first + count as usize
    }

    /// A place that is free becomes taken.
    fn take(&mut self, resource: u32, step: u16, gene: u32) {
        let places = self.places(resource, step);
        let mut free = places.filter(|&p| self.owners[p] == FREE);
        let Some(place) = free.next() else { return };
        if free.next().is_none() {
            self.full[resource as usize * self.words + usize::from(step / 64)] |= 1 << (step % 64);
        }
        self.owners[place] = gene;
    }

    /// Finds a place for a late delivery and puts off whatever is in its way.
    fn place(&mut self, space: &Space, who: &mut Chromosome, gene: u32, rng: &mut Pcg64Mcg) {
        self.now += 1;
        let me = gene as usize;
        let mut best = Best { cost: u32::MAX, ties: 0, path: 0, step: 0 };
        let all = space.distributors(me);
        let turn = if all.len() > 1 { rng.random_range(0..all.len()) } else { 0 };
        let mut left = MOST_PATHS;
        for &from in all[turn..].iter().chain(&all[..turn]) {
            let first = earliest(space, who, me, from);
            if first >= space.steps {
                continue;
            }
            let paths = space.store.between(from, space.genes[me].receiver);
            let count = paths.len() as u32;
            let turn = if count > SAMPLE { rng.random_range(0..count) } else { 0 };
            for k in 0..count.min(SAMPLE) {
                self.weigh(space, who, (gene, paths.start + (turn + k) % count, first), &mut best, rng);
            }
            left = left.saturating_sub(count);
            if left == 0 && best.ties > 0 {
                break;
            }
        }
        let Best { ties, path, step, .. } = best;
        if ties == 0 {
            self.late.push(gene);
            return;
        }
        for &r in space.store.resources(path) {
            if self.is_full(r, step) {
                let places = self.places(r, step);
                // Of several that share a resource any may go.
                let owner = self.owners[rng.random_range(places)];
                self.put_off(space, who, owner);
            }
        }
        let from = space.store.ends(path).0;
        if earliest(space, who, me, from) > step {
            // What was put off is what it would have had the message from.
            self.late.push(gene);
            return;
        }
        self.settle(space, who, gene, path, step);
        who.set(space, me, path, step);
    }

    /// Takes a delivery out, and those that depend on it.
    fn put_off(&mut self, space: &Space, who: &mut Chromosome, gene: u32) {
        let (path, step) = (who.path[gene as usize], who.step[gene as usize]);
        if self.below[gene as usize] > 0 {
            let Delivery { message, receiver } = space.genes[gene as usize];
            for other in space.of_message[message as usize].clone() {
                if who.step[other] < space.steps && space.store.ends(who.path[other]).0 == receiver {
                    self.put_off(space, who, other as u32);
                }
            }
        }
        for &r in space.store.resources(path) {
            if let Some(place) = self.places(r, step).find(|&p| self.owners[p] == gene) {
                self.owners[place] = FREE;
                self.full[r as usize * self.words + usize::from(step / 64)] &= !(1 << (step % 64));
            }
        }
        self.count(space, who, gene, path, |n| n - 1);
        who.set(space, gene as usize, path, space.steps);
        self.tabu[gene as usize] = (step, self.now + TENURE);
        self.late.push(gene);
    }

    /// Looks at all steps for a path, from the first in which its sender has the message.
    fn weigh(
        &mut self,
        space: &Space,
        who: &Chromosome,
        (gene, path, first): (u32, u32, u16),
        best: &mut Best,
        rng: &mut Pcg64Mcg,
    ) {
        let resources = space.store.resources(path);
        let (tabu, until) = self.tabu[gene as usize];
        for word in usize::from(first / 64)..self.words {
            let here = usize::from(space.steps) - word * 64;
            let mut mask = if here >= 64 { u64::MAX } else { (1 << here) - 1 };
            if usize::from(first / 64) == word {
                mask &= u64::MAX << (first % 64);
            }
            if self.now <= until && usize::from(tabu / 64) == word {
                mask &= !(1 << (tabu % 64));
            }
            self.looks += resources.len() as u64;
            let full = resources.iter().fold(0, |full, &r| full | self.full[r as usize * self.words + word]);
            let mut free = mask & !full;
            if free != 0 {
                let count = free.count_ones();
                for _ in 0..rng.random_range(0..count) {
                    free &= free - 1;
                }
                best.offer(0, count, path, (word * 64) as u16 + free.trailing_zeros() as u16, rng);
                continue;
            }
            while mask != 0 && best.cost > 0 {
                let step = (word * 64) as u16 + mask.trailing_zeros() as u16;
                mask &= mask - 1;
                let cost = self.cost(space, who, resources, step, best.cost);
                if cost <= best.cost {
                    best.offer(cost, 1, path, step, rng);
                }
            }
        }
    }

    /// What would be put off, by weight; anything above `most` stands for more.
    fn cost(&mut self, space: &Space, who: &Chromosome, resources: &[u32], step: u16, most: u32) -> u32 {
        self.stamp += 1;
        let mut cost = 0;
        for &r in resources {
            self.looks += 1;
            if !self.is_full(r, step) {
                continue;
            }
            let places = self.places(r, step);
            let owner = self.owners[places.start] as usize;
            if places.len() == 1 && std::mem::replace(&mut self.marks[owner], self.stamp) == self.stamp {
                continue;
            }
            let length = space.store.resources(who.path[owner]).len() as u32;
            cost += 1 + self.below[owner] + self.weight * length;
            if cost > most {
                break;
            }
        }
        cost
    }
}
