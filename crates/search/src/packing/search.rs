//! **What:** places every message on a path in a step, by ejection.
//!
//! **Method.** A random message without a place looks at some of its options, path by step, takes the one whose present
//! owners weigh least (ties at random) and ejects them. A message may not return at once to the step it was ejected from.
//! What a message weighs decides everything: weights that grow with the path's length suit problems whose whole volume is
//! tight, weights that grow each time a message is picked suit problems with a bottleneck.
//!
//! Layers are looked at 64 at a time, as bits, so free ones are found at once. Where weights grow with picks it is enough
//! to weigh those of the others in which the fewest resources are taken; where a volume is tight all must be weighed.

use super::choices::Choices;
use super::fold::{Fold, Slot};
use super::lanes::Lanes;
use graph::symmetry::Ends;
use kernel::{Channel, Schedule};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

const NOBODY: u32 = u32::MAX;

/// Moves for which a message stays away from the step it was ejected from.
const TENURE: u64 = 1;

/// Paths looked at in a move at most.
const SAMPLE: u32 = 32;

/// The knobs of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knobs {
    /// Price of each channel by which a path is longer than the shortest.
    pub detour: u32,
    /// Weight of a message a channel of its shortest path, beside 10.
    pub per_channel: u32,
    /// Weight added each time a message is picked.
    pub per_pick: u32,
    /// Channels a path may be longer than the shortest.
    pub slack: u32,
    /// Paths a message at most.
    pub paths: usize,
    /// Whether a move weighs all layers, or only those in which few resources are taken.
    pub thorough: bool,
}

/// A path of a message.
#[derive(Clone, Copy)]
struct Route {
    path: u32,
    /// NetworkData, a bit each, in which its images are disjoint.
    parts: u32,
}

/// Where a message is: a path, and the part, block and layer of its step.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    route: u32,
    part: u32,
    block: u32,
    layer: u32,
}

/// One search.
pub(super) struct Search<'a> {
    fold: &'a Fold<'a>,
    choices: &'a Choices,
    knobs: Knobs,
    /// Options of each message: a range of `routes`.
    options: Vec<(u32, u32)>,
    routes: Vec<Route>,
    owners: Vec<u32>,
    /// Layers in which a slot is full.
    full: Vec<u64>,
    /// What each message weighs, and when it was last looked at.
    weights: Vec<(u32, u64)>,
    placed: Vec<Option<Place>>,
    /// The step each message was ejected from, and until when it stays away.
    tabu: Vec<(u32, u64)>,
    open: Vec<u32>,
    least: usize,
    moves: u64,
    looks: u64,
    stamp: u64,
    /// The slots of the path at hand.
    at: Vec<Slot>,
}

/// The best options of a move so far.
struct Best {
    cost: u32,
    ties: u32,
    place: Option<Place>,
}

impl<'a> Search<'a> {
    /// `None` where some message has no path whose images are disjoint, or the budget ends.
    pub fn new(
        fold: &'a Fold<'a>,
        choices: &'a Choices,
        knobs: Knobs,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let count = choices.len();
        let mut search = Search {
            fold,
            choices,
            knobs,
            options: Vec::with_capacity(count),
            routes: Vec::new(),
            owners: vec![NOBODY; fold.places],
            full: vec![0; fold.bits / 64],
            weights: Vec::with_capacity(count),
            placed: vec![None; count],
            tabu: vec![(NOBODY, 0); count],
            open: Vec::new(),
            least: usize::MAX,
            moves: 0,
            looks: 0,
            stamp: 0,
            at: Vec::new(),
        };
        let mut memory = Vec::new();
        for item in 0..count {
            let start = search.routes.len();
            for path in choices.paths(item) {
                let taken = choices.resources(path);
                search.looks += 2 * taken.len() as u64;
                if !budget.spend(2 * taken.len() as u64) {
                    return None;
                }
                let admitted = (0..fold.parts.len()).filter(|&p| fold.admits(&fold.parts[p], taken, &mut memory));
                let parts = admitted.fold(0, |bits, p| bits | 1 << p);
                if parts != 0 {
                    search.routes.push(Route { path, parts });
                }
            }
            if search.routes.len() == start {
                return None;
            }
            search.options.push((u32::try_from(start).ok()?, u32::try_from(search.routes.len()).ok()?));
            let length = choices.lengths[item];
            search.weights.push((10u32.saturating_add(knobs.per_channel.saturating_mul(length)), 0));
        }
        // Messages are first placed in a random order, those of long paths before the others.
        let items = (0u32..).zip(&choices.lengths);
        let mut keyed: Vec<(u32, u32, u32)> = items.map(|(i, &length)| (length, random.random(), i)).collect();
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
        self.open.len() * self.fold.folding.group.elements.len()
    }

    /// The fewest orbits without a place so far; beyond measure before every message had its turn.
    pub fn least(&self) -> usize {
        self.least
    }

    /// Moves until all is placed (true), `ticks` are spent or `stop` says so; `stop` is asked now and then.
    pub fn run(&mut self, ticks: u64, random: &mut Pcg64Mcg, mut stop: impl FnMut(usize) -> bool) -> bool {
        let mut first = self.open.len();
        let mut asked = 0;
        while !self.open.is_empty() {
            if self.ticks() > ticks {
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
            if first == 0 {
                self.least = self.least.min(self.open.len());
            }
        }
        true
    }

    fn place(&mut self, item: u32, random: &mut Pcg64Mcg) {
        self.moves += 1;
        let me = item as usize;
        self.weights[me].0 = self.weights[me].0.saturating_add(self.knobs.per_pick);
        let (first, last) = self.options[me];
        let count = last - first;
        let turn = if count > 1 { random.random_range(0..count) } else { 0 };
        let mut best = Best { cost: u32::MAX, ties: 0, place: None };
        for i in 0..count.min(SAMPLE) {
            let route = first + (turn + i) % count;
            self.weigh(item, route, &mut best, random);
            if best.cost == 0 {
                break;
            }
        }
        match best.place {
            Some(place) => self.insert(item, place),
            // A single step that it just left: it waits for a move.
            None => self.open.push(item),
        }
    }

    /// Looks at all steps for a path.
    fn weigh(&mut self, item: u32, index: u32, best: &mut Best, random: &mut Pcg64Mcg) {
        let fold = self.fold;
        let route = self.routes[index as usize];
        let (tabu, until) = self.tabu[item as usize];
        let tabu = if self.moves <= until { tabu } else { NOBODY };
        let shortest = self.choices.lengths[item as usize];
        let longer = u32::try_from(self.choices.lanes(route.path).len()).unwrap_or(u32::MAX).saturating_sub(shortest);
        let extra = self.knobs.detour.saturating_mul(longer);
        if extra > best.cost {
            return;
        }
        let mut at = std::mem::take(&mut self.at);
        for (p, part) in (0u32..).zip(&fold.parts).filter(|(p, _)| route.parts >> p & 1 == 1) {
            for block in 0..part.blocks {
                at.clear();
                let slot = |&r: &u32| part.slots[(r * part.blocks + block) as usize];
                at.extend(self.choices.resources(route.path).iter().map(slot));
                for word in 0..part.layers.div_ceil(64) {
                    let here = part.layers - word * 64;
                    let mut mask = if here >= 64 { u64::MAX } else { (1 << here) - 1 };
                    if let Some(step) = tabu.checked_sub(part.first + block)
                        && step % part.blocks == 0
                        && step / part.blocks / 64 == word
                    {
                        mask &= !(1 << (step / part.blocks % 64));
                    }
                    // Layers in which at least one, two, three resources are full.
                    let (mut one, mut two, mut three) = (0u64, 0u64, 0u64);
                    for slot in &at {
                        let full = self.full[(slot.bits / 64 + word) as usize];
                        three |= two & full;
                        two |= one & full;
                        one |= full;
                    }
                    self.looks += at.len() as u64;
                    let free = mask & !one;
                    let place = |layer: u32| Some(Place { route: index, part: p, block, layer: word * 64 + layer });
                    if free != 0 {
                        let count = free.count_ones();
                        best.ties = if best.cost == extra { best.ties + count } else { count };
                        best.cost = extra;
                        let pick = random.random_range(0..best.ties);
                        if pick < count {
                            best.place = place(nth(free, pick));
                        }
                        continue;
                    }
                    if best.cost <= extra {
                        continue;
                    }
                    let some = match self.knobs.thorough {
                        true => Some(mask),
                        false => [mask & !two, mask & !three, mask].into_iter().find(|m| *m != 0),
                    };
                    let mut left = some.unwrap_or(0);
                    while left != 0 {
                        let layer = left.trailing_zeros();
                        left &= left - 1;
                        let cost = extra.saturating_add(self.cost(&at, word * 64 + layer, best.cost - extra));
                        if cost < best.cost {
                            *best = Best { cost, ties: 1, place: place(layer) };
                        } else if cost == best.cost {
                            best.ties += 1;
                            if random.random_range(0..best.ties) == 0 {
                                best.place = place(layer);
                            }
                        }
                    }
                }
            }
        }
        self.at = at;
    }

    /// What the owners of the slots `at` weigh in a layer; anything above `most` stands for more.
    fn cost(&mut self, at: &[Slot], layer: u32, most: u32) -> u32 {
        self.stamp += 1;
        let mut cost = 0u32;
        for slot in at {
            self.looks += 1;
            let place = (slot.start + layer * slot.capacity) as usize;
            if slot.capacity == 1 {
                let owner = self.owners[place];
                if owner != NOBODY {
                    let (weight, mark) = &mut self.weights[owner as usize];
                    if *mark != self.stamp {
                        *mark = self.stamp;
                        cost = cost.saturating_add(*weight);
                    }
                }
            } else {
                // One place is enough; of the owners, the lightest would go.
                let owners = &self.owners[place..place + slot.capacity as usize];
                let weight = |o: &u32| if *o == NOBODY { 0 } else { self.weights[*o as usize].0 };
                cost = cost.saturating_add(owners.iter().map(weight).min().unwrap_or(0));
            }
            if cost > most {
                break;
            }
        }
        cost
    }

    /// The slots of a place, one after another.
    fn slots(&self, place: Place) -> impl Iterator<Item = Slot> + use<'a> {
        let part = &self.fold.parts[place.part as usize];
        let path = self.routes[place.route as usize].path;
        self.choices.resources(path).iter().map(move |&r| part.slots[(r * part.blocks + place.block) as usize])
    }

    fn insert(&mut self, item: u32, place: Place) {
        for slot in self.slots(place) {
            let first = (slot.start + place.layer * slot.capacity) as usize;
            let range = first..first + slot.capacity as usize;
            let weight = |o: u32| if o == NOBODY { 0 } else { self.weights[o as usize].0 };
            let others = range.clone().filter(|&p| self.owners[p] != item);
            // Every path takes a slot no more often than it has places, so one is not the item's own.
            let Some(at) = others.min_by_key(|&p| weight(self.owners[p])) else { continue };
            let owner = self.owners[at];
            if owner != NOBODY {
                self.eject(owner);
            }
            self.owners[at] = item;
            if self.owners[range].iter().all(|o| *o != NOBODY) {
                self.full[(slot.bits / 64 + place.layer / 64) as usize] |= 1 << (place.layer % 64);
            }
        }
        self.placed[item as usize] = Some(place);
    }

    fn eject(&mut self, item: u32) {
        let Some(place) = self.placed[item as usize].take() else { return };
        for slot in self.slots(place) {
            let first = (slot.start + place.layer * slot.capacity) as usize;
            if let Some(at) = (first..first + slot.capacity as usize).find(|&p| self.owners[p] == item) {
                self.owners[at] = NOBODY;
                self.full[(slot.bits / 64 + place.layer / 64) as usize] &= !(1 << (place.layer % 64));
            }
        }
        let part = &self.fold.parts[place.part as usize];
        let step = part.first + place.layer * part.blocks + place.block;
        self.tabu[item as usize] = (step, self.moves + TENURE);
        self.open.push(item);
    }

    /// The schedule, once all is placed.
    pub fn schedule(&self, ends: &Ends, lanes: &Lanes, capacity: impl Fn(Channel) -> u32) -> Schedule {
        let folding = self.fold.folding;
        let mut list = Vec::with_capacity(folding.messages.len() * folding.group.elements.len());
        for (&message, place) in folding.messages.iter().zip(&self.placed) {
            let Some(place) = place else { continue };
            let part = &self.fold.parts[place.part as usize];
            for ((map, lane_map), &shift) in folding.elements().zip(&part.shifts) {
                let Some(image) = ends.image(map, message) else { continue };
                let step = part.first + place.layer * part.blocks + (place.block + shift) % part.blocks;
                let path = self.choices.lanes(self.routes[place.route as usize].path);
                let path: Vec<u32> = path.iter().map(|&l| lane_map[l as usize]).collect();
                list.push((step, image, path));
            }
        }
        list.sort_unstable();
        super::emit::schedule(lanes, capacity, list)
    }
}

/// The place of the set bit before which `rank` others are set.
fn nth(mut bits: u64, rank: u32) -> u32 {
    for _ in 0..rank {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}
