//! **What:** places every message on a path in a step, by ejection.
//!
//! **Method.** A random message without a place looks at all its options, path by step, takes the one whose present
//! owners weigh least (ties at random) and ejects them. A message may not return at once to the step it was ejected from.
//! What a message weighs decides everything: weights that grow with the path's length suit problems whose whole volume is
//! tight, weights that grow each time a message is picked suit problems with a bottleneck.

use super::fold::{Fold, Use};
use super::lanes::Lanes;
use super::routes::Routes;
use kernel::{Channel, Message, Problem, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

const NOBODY: u32 = u32::MAX;

/// The knobs of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knobs {
    /// Weight of a message a channel of its shortest path, beside 10.
    pub per_channel: u32,
    /// Weight added each time a message is picked.
    pub per_pick: u32,
    /// Moves for which a message stays away from the step it was ejected from.
    pub tenure: u64,
    /// Channels a path may be longer than the shortest.
    pub slack: u32,
    /// Paths a message at most.
    pub paths: usize,
}

/// One search.
pub(super) struct Search<'a> {
    fold: &'a Fold,
    knobs: Knobs,
    /// Options of each message: a range of `paths`.
    options: Vec<(u32, u32)>,
    /// Paths as ranges of `taken`.
    paths: Vec<(u32, u32)>,
    taken: Vec<Use>,
    /// The lanes of each path.
    lanes: Vec<Vec<u32>>,
    owners: Vec<u32>,
    weights: Vec<(u32, u64)>,
    /// Path and step.
    placed: Vec<Option<(u32, u32)>>,
    tabu: Vec<(u32, u64)>,
    open: Vec<u32>,
    moves: u64,
    looks: u64,
    stamp: u64,
}

impl<'a> Search<'a> {
    /// `None` where some message has no path whose images are disjoint, or memory would not suffice.
    pub fn new(
        (problem, lanes): (&Problem, &Lanes),
        fold: &'a Fold,
        knobs: Knobs,
        random: &mut Pcg64Mcg,
    ) -> Option<Self> {
        let collective = problem.collective();
        let count = fold.messages.len();
        let mut search = Search {
            fold,
            knobs,
            options: vec![(0, 0); count],
            paths: Vec::new(),
            taken: Vec::new(),
            lanes: Vec::new(),
            owners: vec![NOBODY; fold.places],
            weights: vec![(10, 0); count],
            placed: vec![None; count],
            tabu: vec![(NOBODY, 0); count],
            open: Vec::new(),
            moves: 0,
            looks: 0,
            stamp: 0,
        };
        // Messages for one destination together, so that distances are found once.
        let mut order: Vec<u32> = (0u32..).zip(&fold.messages).map(|(i, _)| i).collect();
        let destination = |i: u32| collective.destinations(fold.messages[i as usize])[0];
        order.sort_by_key(|&i| (destination(i), i));
        let mut routes = Routes::new(problem, lanes);
        for &item in &order {
            let (from, to) = (collective.origin(fold.messages[item as usize]), destination(item));
            let start = search.paths.len();
            for path in routes.find(from, to, knobs.slack, knobs.paths, random) {
                if fold.admits(lanes, &path) {
                    let first = search.taken.len();
                    lanes.resources(&path, |r| search.taken.push(fold.uses[r as usize]));
                    search.paths.push((u32::try_from(first).ok()?, u32::try_from(search.taken.len()).ok()?));
                    search.lanes.push(path);
                }
            }
            search.looks += 16 * (search.paths.len() - start) as u64 + 64;
            if search.paths.len() == start || search.taken.len() > 1 << 26 {
                return None;
            }
            search.options[item as usize] = (u32::try_from(start).ok()?, u32::try_from(search.paths.len()).ok()?);
            let length = routes.distance(from, to)?;
            search.weights[item as usize].0 = 10u32.saturating_add(knobs.per_channel.saturating_mul(length));
        }
        // Messages are first placed in a random order, those of long paths before the others.
        let length = |i: u32| search.lanes[search.options[i as usize].0 as usize].len();
        let mut keyed: Vec<(usize, u32, u32)> = order.iter().map(|&i| (length(i), random.random(), i)).collect();
        keyed.sort_unstable();
        search.open = keyed.into_iter().map(|k| k.2).collect();
        Some(search)
    }

    /// Ticks spent so far.
    pub fn ticks(&self) -> u64 {
        self.looks / 16
    }

    /// Messages without a place.
    pub fn open(&self) -> usize {
        self.open.len() * self.fold.elements.len()
    }

    /// Moves until all is placed (true), `ticks` are spent or `stop` says so; `stop` is asked now and then.
    pub fn run(&mut self, ticks: u64, random: &mut Pcg64Mcg, mut stop: impl FnMut(usize) -> bool) -> bool {
        let mut first = self.open.len();
        let mut asked = 0;
        while !self.open.is_empty() {
            if self.looks / 16 > ticks {
                return false;
            }
            if self.looks > asked + (1 << 16) {
                asked = self.looks;
                if stop(self.open()) {
                    return false;
                }
            }
            let at = if first > 0 {
                first -= 1;
                first.min(self.open.len() - 1)
            } else {
                random.random_range(0..self.open.len())
            };
            let item = self.open.swap_remove(at);
            self.place(item, random);
        }
        true
    }

    fn place(&mut self, item: u32, random: &mut Pcg64Mcg) {
        self.moves += 1;
        let me = item as usize;
        self.weights[me].0 = self.weights[me].0.saturating_add(self.knobs.per_pick);
        let (tabu_step, until) = self.tabu[me];
        let tabu_step = if self.moves <= until { tabu_step } else { NOBODY };
        let mut best = u32::MAX;
        let mut chosen = None;
        let mut ties = 0u32;
        let (first, last) = self.options[me];
        for path in first..last {
            let (from, to) = self.paths[path as usize];
            let taken = &self.taken[from as usize..to as usize];
            for step in 0..self.fold.steps {
                if step == tabu_step {
                    continue;
                }
                self.stamp += 1;
                let mut cost = 0u32;
                for slot in taken {
                    self.looks += 1;
                    let mut place = slot.offset + step;
                    if place >= slot.period {
                        place %= slot.period;
                    }
                    let at = (slot.start + place * slot.capacity) as usize;
                    if slot.capacity == 1 {
                        let owner = self.owners[at];
                        if owner != NOBODY {
                            let (weight, mark) = &mut self.weights[owner as usize];
                            if *mark != self.stamp {
                                *mark = self.stamp;
                                cost = cost.saturating_add(*weight);
                            }
                        }
                    } else {
                        // One place is enough; of the owners, the lightest would go.
                        let owners = &self.owners[at..at + slot.capacity as usize];
                        let weight = |o: &u32| if *o == NOBODY { 0 } else { self.weights[*o as usize].0 };
                        cost = cost.saturating_add(owners.iter().map(weight).min().unwrap_or(0));
                    }
                    if cost > best {
                        break;
                    }
                }
                if cost < best {
                    best = cost;
                    ties = 1;
                    chosen = Some((path, step));
                } else if cost == best {
                    ties += 1;
                    if random.random_range(0..ties) == 0 {
                        chosen = Some((path, step));
                    }
                }
            }
        }
        match chosen {
            Some(option) => self.insert(item, option),
            // A single step that it just left: it waits for a move.
            None => self.open.push(item),
        }
    }

    /// The place of the first owner of a slot.
    fn slot(slot: &Use, step: u32) -> usize {
        (slot.start + (slot.offset + step) % slot.period * slot.capacity) as usize
    }

    fn insert(&mut self, item: u32, (path, step): (u32, u32)) {
        let (from, to) = self.paths[path as usize];
        for i in from..to {
            let slot = self.taken[i as usize];
            let at = Self::slot(&slot, step);
            let range = at..at + slot.capacity as usize;
            let weight = |o: u32| if o == NOBODY { 0 } else { self.weights[o as usize].0 };
            let others = range.filter(|&p| self.owners[p] != item);
            // Every path takes a slot no more often than it has places, so one is not the item's own.
            let Some(place) = others.min_by_key(|&p| weight(self.owners[p])) else { continue };
            let owner = self.owners[place];
            if owner != NOBODY {
                self.eject(owner);
            }
            self.owners[place] = item;
        }
        self.placed[item as usize] = Some((path, step));
    }

    fn eject(&mut self, item: u32) {
        let Some((path, step)) = self.placed[item as usize].take() else { return };
        let (from, to) = self.paths[path as usize];
        for i in from..to {
            let slot = self.taken[i as usize];
            let at = Self::slot(&slot, step);
            if let Some(place) = (at..at + slot.capacity as usize).find(|&p| self.owners[p] == item) {
                self.owners[place] = NOBODY;
            }
        }
        self.tabu[item as usize] = (step, self.moves + self.knobs.tenure);
        self.open.push(item);
    }

    /// The schedule, once all is placed.
    pub fn schedule(&self, lanes: &Lanes, capacity: impl Fn(Channel) -> u32) -> Schedule {
        let mut list = Vec::with_capacity(self.fold.messages.len() * self.fold.elements.len());
        for (item, &message) in self.fold.messages.iter().enumerate() {
            let Some((path, step)) = self.placed[item] else { continue };
            for element in &self.fold.elements {
                let at = (step + element.shift) % self.fold.steps;
                let path: Vec<u32> = self.lanes[path as usize].iter().map(|&l| element.lanes[l as usize]).collect();
                list.push((at, element.messages[message.index()], path));
            }
        }
        list.sort_unstable();
        schedule(lanes, capacity, list)
    }
}

/// A schedule of messages and paths, sorted by steps, with a channel of each lane.
pub(super) fn schedule<P: AsRef<[u32]>>(
    lanes: &Lanes,
    capacity: impl Fn(Channel) -> u32,
    list: Vec<(u32, Message, P)>,
) -> Schedule {
    let mut schedule = Schedule::new();
    let mut used = vec![0u32; lanes.channels.len()];
    let mut channels = Vec::new();
    for (step, message, path) in list {
        while schedule.step_count() <= step as usize {
            schedule.begin_step();
            used.fill(0);
        }
        channels.clear();
        for &lane in path.as_ref() {
            let list = &lanes.channels[lane as usize];
            let mut left = used[lane as usize];
            used[lane as usize] += 1;
            let free = |c: &&Channel| match left.checked_sub(capacity(**c)) {
                None => true,
                Some(rest) => {
                    left = rest;
                    false
                }
            };
            channels.push(*list.iter().find(free).unwrap_or(&list[0]));
        }
        schedule.send(message, &channels);
    }
    schedule
}
