//! **What:** moves every message from node to node, a hop a step with waits between, by ejection.
//!
//! **Method.** What it costs to take a slot (a resource in a step) is what its lightest owner weighs, or nothing where
//! there is room. A random message without a schedule takes the way of least cost through places and steps, found by
//! dynamic programming over its few places with one pass over the steps for each hop; ties are broken at random. The
//! owners of the slots it takes are ejected, each with all its hops, and may not return at once to the slot they lost.

use super::ways::Ways;
use crate::packing::fold::Fold;
use crate::packing::lanes::Lanes;
use graph::symmetry::Ends;
use kernel::{Channel, Message, Node, Problem, Schedule, Switching};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

const NOBODY: u32 = u32::MAX;
/// What cannot be taken costs so much.
pub(super) const NEVER: u32 = 1 << 30;
/// Weights stay below this, so that sums over a few hundred hops stay below [`NEVER`].
const HEAVIEST: u32 = 1 << 20;

/// The knobs of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knobs {
    /// Weight of a message a hop of its shortest way, beside 10.
    pub per_hop: u32,
    /// Weight added each time a message is picked.
    pub per_pick: u32,
    /// Hops a way may be longer than the shortest.
    pub slack: u32,
    /// What each of them costs.
    pub detour: u32,
    /// Moves for which a message stays away from the slot it lost.
    pub tenure: u64,
}

/// A resource in all steps of an orbit of resources.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Where its places start in [`Search::owners`], step by step, and its prices in [`Search::prices`].
    pub start: u32,
    capacity: u32,
}

/// One search.
pub(super) struct Search<'a> {
    pub(super) fold: &'a Fold<'a>,
    knobs: Knobs,
    pub(super) steps: usize,
    /// Under time-division, the slots of a hop and whether they wrap round.
    pub(super) slots: Option<(usize, bool)>,
    pub(super) ways: Ways,
    /// What a hop over each lane takes: a range of `rows`. Under time-division, lanes are followed by the send ports and
    /// then the receive ports of all nodes.
    pub(super) taken: Vec<(u32, u32)>,
    pub(super) rows: Vec<Row>,
    owners: Vec<u32>,
    pub(super) prices: Vec<u32>,
    weights: Vec<u32>,
    /// `(lane, step)` of each message, in order; empty where it is open.
    pub(super) hops: Vec<Vec<(u32, u32)>>,
    /// The slot a message lost, by its price, and until which move it stays away.
    tabu: Vec<(u32, u64)>,
    open: Vec<u32>,
    moves: u64,
    pub(super) looks: u64,
    /// Least cost of being at a place when a step begins; under time-division, when the path began in that slot.
    pub(super) reach: Vec<u32>,
    pub(super) sums: Vec<u32>,
    pub(super) choices: Vec<(u32, u32, u32)>,
    /// The ends of each message.
    pub(super) ends: Vec<(Node, Node)>,
    pub(super) nodes: usize,
}

impl<'a> Search<'a> {
    /// `None` where some message has no way in so few steps, or memory would not suffice. The fold must leave time alone.
    pub fn new(
        (problem, lanes): (&Problem, &Lanes),
        fold: &'a Fold<'a>,
        knobs: Knobs,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let part = fold.parts.first()?;
        let messages = &fold.folding.messages;
        let mut rows = Vec::new();
        let mut taken = Vec::with_capacity(lanes.ends.len());
        let mut usable = vec![true; lanes.ends.len()];
        let slots = match problem.model().switching {
            Switching::Tdm { hop, cyclic } => Some((hop as usize, cyclic)),
            Switching::Wormhole | Switching::StoreAndForward => None,
        };
        for (lane, usable) in (0u32..).zip(&mut usable) {
            let from = rows.len();
            let mut take = |r: u32| {
                let used = part.slots[r as usize];
                let row = Row { start: used.start, capacity: used.capacity };
                // Two resources of one orbit in the same step are not told apart by prices.
                let twice = rows[from..].iter().any(|o: &Row| o.start == row.start && o.capacity > 0);
                *usable &= row.capacity > 0 && !twice;
                rows.push(row);
            };
            match slots {
                None => lanes.resources(&[lane], take),
                Some(_) => lanes.taken[lane as usize].iter().for_each(|r| take(*r)),
            }
            taken.push((u32::try_from(from).ok()?, u32::try_from(rows.len()).ok()?));
        }
        let ports = lanes.send.iter().chain(&lanes.receive).take_while(|_| slots.is_some());
        for port in ports {
            let from = rows.len();
            rows.extend(port.map(|r| {
                let used = part.slots[r as usize];
                Row { start: used.start, capacity: used.capacity }
            }));
            if rows[from..].iter().any(|row| row.capacity == 0) {
                return None;
            }
            taken.push((u32::try_from(from).ok()?, u32::try_from(rows.len()).ok()?));
        }
        let collective = problem.collective();
        let ends: Vec<(Node, Node)> =
            messages.iter().map(|&m| (collective.origin(m), collective.destinations(m)[0])).collect();
        let ways =
            Ways::new((problem, lanes), &ends, (knobs.slack, part.layers), 1 << 25, |l| usable[l as usize], budget)?;
        let steps = part.layers as usize;
        let count = ends.len();
        // No path may come round to a slot that it has left.
        let longest = (0..count).map(|m| ways.length(m) + knobs.slack).max().unwrap_or(0) as usize;
        if slots.is_some_and(|(hop, _)| longest.saturating_mul(hop) >= steps) {
            return None;
        }
        let weight = |m: usize| 10u32.saturating_add(knobs.per_hop.saturating_mul(ways.length(m))).min(HEAVIEST);
        // Messages are first placed in a random order, those of long ways before the others.
        let mut open: Vec<(u32, u32, u32)> =
            (0u32..).take(count).map(|i| (ways.length(i as usize), random.random(), i)).collect();
        open.sort_unstable();
        Some(Search {
            fold,
            knobs,
            steps,
            slots,
            taken,
            rows,
            owners: vec![NOBODY; fold.places],
            prices: vec![0; fold.places],
            weights: (0..count).map(weight).collect(),
            hops: vec![Vec::new(); count],
            tabu: vec![(NOBODY, 0); count],
            open: open.into_iter().map(|(.., i)| i).collect(),
            moves: 0,
            // Finding the ways takes time, too.
            looks: 64 * ways.hops.len() as u64,
            reach: vec![NEVER; ways.widest() * (steps + 1)],
            sums: vec![0; steps + 1],
            choices: Vec::new(),
            ways,
            ends,
            nodes: problem.network().node_count(),
        })
    }

    /// Ticks spent so far.
    pub fn ticks(&self) -> u64 {
        self.looks / 64
    }

    /// Messages without a way.
    pub fn open(&self) -> usize {
        self.open.len() * self.fold.folding.group.elements.len()
    }

    /// Moves until all is placed (true), `ticks` are spent or `stop` says so; `stop` is asked now and then.
    pub fn run(&mut self, ticks: u64, random: &mut Pcg64Mcg, mut stop: impl FnMut(usize) -> bool) -> bool {
        let mut first = self.open.len();
        let mut asked = 0;
        while !self.open.is_empty() {
            if self.ticks() > ticks {
                return false;
            }
            if self.looks > asked + (1 << 18) {
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

    /// What a hop costs for leading further behind; the last hop never does.
    pub(super) fn detour(&self, from: usize, to: usize) -> u32 {
        let after = |place: usize| self.ways.places[place].earliest + self.ways.places[place].left;
        self.knobs.detour * (after(to).saturating_sub(after(from)))
    }

    fn place(&mut self, item: u32, random: &mut Pcg64Mcg) {
        self.moves += 1;
        let me = item as usize;
        self.weights[me] = (self.weights[me] + self.knobs.per_pick).min(HEAVIEST);
        let (slot, until) = self.tabu[me];
        let kept = (self.moves <= until && slot != NOBODY).then(|| {
            let price = &mut self.prices[slot as usize];
            std::mem::replace(price, *price + HEAVIEST)
        });
        let cost = if self.slots.is_some() { self.explore_slots(me) } else { self.explore(me) };
        let hops = match self.slots {
            _ if cost >= NEVER => None,
            None => Some(self.trace(me, random)),
            Some(_) => self.trace_slots(me, cost, random),
        };
        if let Some(price) = kept {
            self.prices[slot as usize] = price;
        }
        match hops {
            Some(hops) => self.insert(item, hops),
            None => self.open.push(item),
        }
    }

    /// Fills `reach` for a message; the least cost of its delivery.
    fn explore(&mut self, me: usize) -> u32 {
        let places = self.ways.of(me);
        let width = self.steps + 1;
        let detour = self.knobs.detour;
        for place in places.clone() {
            let row = (place - places.start) * width;
            let (before, rest) = self.reach.split_at_mut(row);
            let here = &mut rest[..width];
            let to = self.ways.places[place];
            if place == places.start {
                here.fill(0);
                continue;
            }
            here.fill(NEVER);
            let last = self.steps - to.left as usize;
            for &(from, lane) in self.ways.hops_to(place) {
                let origin = self.ways.places[places.start + from as usize];
                let first = origin.earliest as usize;
                if first >= last {
                    continue;
                }
                let extra = detour * (to.earliest + to.left).saturating_sub(origin.earliest + origin.left);
                let sums = &mut self.sums[..last - first];
                let reached = &before[from as usize * width..][first..last];
                sums.iter_mut().zip(reached).for_each(|(sum, cost)| *sum = cost + extra);
                let (low, high) = self.taken[lane as usize];
                for taken in &self.rows[low as usize..high as usize] {
                    let prices = &self.prices[taken.start as usize..][first..last];
                    sums.iter_mut().zip(prices).for_each(|(sum, price)| *sum += price);
                }
                here[first + 1..=last].iter_mut().zip(&*sums).for_each(|(cost, sum)| *cost = (*cost).min(*sum));
                self.looks += (last - first) as u64 + 16;
            }
            // Waiting costs nothing.
            let mut least = NEVER;
            for cost in &mut here[to.earliest as usize..] {
                least = least.min(*cost);
                *cost = least;
            }
        }
        self.reach[(places.len() - 1) * width + self.steps]
    }

    /// A way of least cost, at random.
    fn trace(&mut self, me: usize, random: &mut Pcg64Mcg) -> Vec<(u32, u32)> {
        let places = self.ways.of(me);
        let width = self.steps + 1;
        let (mut place, mut until) = (places.end - 1, self.steps);
        let mut hops = Vec::new();
        while place > places.start {
            let cost = self.reach[(place - places.start) * width + until];
            self.choices.clear();
            for &(from, lane) in self.ways.hops_to(place) {
                let first = self.ways.places[places.start + from as usize].earliest as usize;
                let row = from as usize * width;
                let extra = self.detour(places.start + from as usize, place);
                let (low, high) = self.taken[lane as usize];
                let rows = &self.rows[low as usize..high as usize];
                for step in first..until {
                    let reached = self.reach[row + step];
                    if reached <= cost {
                        let price: u32 = rows.iter().map(|r| self.prices[r.start as usize + step]).sum();
                        if reached + price + extra == cost {
                            self.choices.push((from, lane, step as u32));
                        }
                    }
                }
                self.looks += (until.saturating_sub(first)) as u64;
            }
            let (from, lane, step) = self.choices[random.random_range(0..self.choices.len())];
            hops.push((lane, step));
            place = places.start + from as usize;
            until = step as usize;
        }
        hops.reverse();
        hops
    }

    fn insert(&mut self, item: u32, hops: Vec<(u32, u32)>) {
        for &(lane, step) in &hops {
            let (low, high) = self.taken[lane as usize];
            for row in low..high {
                let Row { start, capacity } = self.rows[row as usize];
                let at = (start + step * capacity) as usize;
                let places = at..at + capacity as usize;
                let weight = |o: u32| if o == NOBODY { 0 } else { self.weights[o as usize] };
                let place = places.min_by_key(|&p| weight(self.owners[p])).expect("usable lanes have capacity");
                let owner = self.owners[place];
                if owner != NOBODY {
                    self.eject(owner, start + step);
                }
                self.owners[place] = item;
                self.reprice(start, capacity, step);
            }
        }
        self.hops[item as usize] = hops;
    }

    fn eject(&mut self, item: u32, lost: u32) {
        for (lane, step) in std::mem::take(&mut self.hops[item as usize]) {
            let (low, high) = self.taken[lane as usize];
            for row in low..high {
                let Row { start, capacity } = self.rows[row as usize];
                let at = (start + step * capacity) as usize;
                if let Some(owner) = self.owners[at..at + capacity as usize].iter_mut().find(|o| **o == item) {
                    *owner = NOBODY;
                }
                self.reprice(start, capacity, step);
            }
        }
        self.tabu[item as usize] = (lost, self.moves + self.knobs.tenure);
        self.open.push(item);
    }

    fn reprice(&mut self, start: u32, capacity: u32, step: u32) {
        let at = (start + step * capacity) as usize;
        let weight = |o: &u32| if *o == NOBODY { 0 } else { self.weights[*o as usize] };
        let price = self.owners[at..at + capacity as usize].iter().map(weight).min().unwrap_or(NEVER);
        self.prices[(start + step) as usize] = price;
    }

    /// The schedule, once all is placed.
    pub fn schedule(&self, (ends, lanes): (&Ends, &Lanes), capacity: impl Fn(Channel) -> u32) -> Schedule {
        if let Some((hop, _)) = self.slots {
            return self.schedule_slots((ends, lanes), capacity, hop);
        }
        let mut list = Vec::new();
        for (&message, hops) in self.fold.folding.messages.iter().zip(&self.hops) {
            for (map, lane_map) in self.fold.folding.elements() {
                let Some(image) = ends.image(map, message) else { continue };
                list.extend(hops.iter().map(|&(lane, step)| (step, image, lane_map[lane as usize])));
            }
        }
        schedule(lanes, capacity, list)
    }
}

/// A schedule of hops `(step, message, lane)`, with a channel of each lane.
pub(super) fn schedule(
    lanes: &Lanes,
    capacity: impl Fn(Channel) -> u32,
    mut list: Vec<(u32, Message, u32)>,
) -> Schedule {
    list.sort_unstable();
    let mut schedule = Schedule::new();
    let mut used = vec![0u32; lanes.channels.len()];
    for (step, message, lane) in list {
        while schedule.step_count() <= step as usize {
            schedule.begin_step();
            used.fill(0);
        }
        let mut before = used[lane as usize];
        used[lane as usize] += 1;
        let free = |c: &&Channel| match before.checked_sub(capacity(**c)) {
            None => true,
            Some(rest) => {
                before = rest;
                false
            }
        };
        let channels = &lanes.channels[lane as usize];
        schedule.send(message, &[*channels.iter().find(free).unwrap_or(&channels[0])]);
    }
    schedule
}
