//! **What:** the ways of messages that go from node to node, a hop a step: store-and-forward, with waits between, and
//! time-division, without.
//!
//! **Method.** What it costs to take a slot is what its lightest owner weighs, or nothing where there is room. The way of least
//! cost through places and steps is found by dynamic programming over a message's few places, with one pass over the
//! steps for each hop; ties are broken at random when it is traced back.
//!
//! Under time-division ([`super::slots`]) the passes run over the slots in which the path may begin.

use super::network::{Hop, HopGraphs, Lengths, Pair};
use crate::ejection::{HEAVIEST, NEVER, Owners, Slot, Ways, Weighting};
use crate::quotient::{Placement, QuotientSteps, Row};
use crate::resources::Resources;
use kernel::{Node, Switching};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::ops::Range;

/// The parameters of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    pub weighting: Weighting,
    /// Hops a way may be longer than the shortest.
    pub slack: u32,
    /// What each of them costs.
    pub detour: u32,
}

/// What a message takes in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// A lane; under time-division also the send or the receive ports of a node, which are numbered after the lanes.
    pub lane: u32,
    pub step: u32,
}

/// Under time-division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Slots from one channel of a path to the next.
    pub hop: usize,
    /// Whether slots wrap round at the end of the period.
    pub cyclic: bool,
}

/// A hop and its step, or a slot to begin in, of least cost.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub hop: Hop,
    pub step: u32,
}

/// The ways of each message.
pub(super) struct HopWays<'a> {
    pub resources: &'a Resources<'a>,
    pub steps: usize,
    pub timing: Option<Timing>,
    pub graphs: HopGraphs,
    pub pairs: Vec<Pair>,
    detour: u32,
    /// What a hop over each lane takes: a range of `rows`.
    taken: Vec<Range<usize>>,
    rows: Vec<Row>,
    /// What it costs to take each slot, by number.
    pub prices: Vec<u32>,
    /// Least cost of being at a place when a step begins; under time-division, when the path began in that slot.
    pub reach: Vec<u32>,
    pub sums: Vec<u32>,
    pub candidates: Vec<Candidate>,
}

impl<'a> HopWays<'a> {
    /// `None` where some message has no way in so few steps, or memory would not suffice.
    pub(super) fn new(
        resources: &'a Resources<'a>,
        divided: &QuotientSteps<'_>,
        parameters: Parameters,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let problem = resources.problem;
        let part = divided.parts.first()?;
        let timing = match problem.model().switching {
            Switching::Tdm { hop, cyclic } => Some(Timing { hop: hop as usize, cyclic }),
            Switching::Wormhole | Switching::StoreAndForward => None,
        };
        let lanes = resources.ends.len();
        let (mut rows, mut taken, mut usable): (Vec<Row>, Vec<Range<usize>>, Vec<bool>) = Default::default();
        for lane in (0u32..).take(lanes) {
            let first = rows.len();
            match timing {
                None => resources.taken_by(&[lane], |r| rows.push(part.row(r, 0))),
                Some(_) => rows.extend(resources.taken[lane as usize].iter().map(|&r| part.row(r, 0))),
            }
            let own = &rows[first..];
            // Two resources of one orbit in the same step are not told apart by prices.
            let twice = |(i, row): (usize, &Row)| own[..i].iter().any(|other| other.number == row.number);
            usable.push(own.iter().all(|row| row.capacity > 0) && !own.iter().enumerate().any(twice));
            taken.push(first..rows.len());
        }
        for port in resources.send.iter().chain(&resources.receive).take_while(|_| timing.is_some()) {
            let first = rows.len();
            rows.extend(port.map(|r| part.row(r, 0)));
            if rows[first..].iter().any(|row| row.capacity == 0) {
                return None;
            }
            taken.push(first..rows.len());
        }
        let collective = problem.collective();
        let pair = |&m| Pair { origin: collective.origin(m), destination: collective.destinations(m)[0] };
        let pairs: Vec<Pair> = divided.quotient.messages.iter().map(pair).collect();
        let lengths = Lengths { slack: parameters.slack, steps: part.layers };
        let graphs = HopGraphs::new(resources, &pairs, lengths, 1 << 25, |lane| usable[lane as usize], budget)?;
        let steps = part.layers as usize;
        // No path may come round to a slot that it has left.
        let longest = (0..pairs.len()).map(|m| graphs.length(m) + parameters.slack).max().unwrap_or(0) as usize;
        if timing.is_some_and(|timing| longest.saturating_mul(timing.hop) >= steps) {
            return None;
        }
        Some(HopWays {
            resources,
            steps,
            timing,
            pairs,
            detour: parameters.detour,
            taken,
            rows,
            prices: vec![0; divided.numbers],
            reach: vec![NEVER; graphs.widest() * (steps + 1)],
            sums: vec![0; steps + 1],
            candidates: Vec::new(),
            graphs,
        })
    }

    /// The rows that a hop over a lane takes.
    pub(super) fn rows(&self, lane: u32) -> &[Row] {
        &self.rows[self.taken[lane as usize].clone()]
    }

    /// The number of a node's send ports among lanes.
    pub(super) fn send(&self, node: Node) -> u32 {
        (self.resources.ends.len() + node.index()) as u32
    }

    /// The number of a node's receive ports among lanes.
    pub(super) fn receive(&self, node: Node) -> u32 {
        (self.resources.ends.len() + self.resources.receive.len() + node.index()) as u32
    }

    /// Steps that a schedule has at least: under time-division its period.
    pub(super) fn period(&self) -> u32 {
        if self.timing.is_some() { self.steps as u32 } else { 0 }
    }

    /// Where a way is, each hop on its own where messages wait between them.
    pub(super) fn placements(&self, way: &[Taken]) -> Vec<Placement> {
        let at = |step: u32, path: Vec<u32>| Placement { step, path };
        if self.timing.is_none() {
            return way.iter().map(|taken| at(taken.step, vec![taken.lane])).collect();
        }
        let lanes = way.iter().map(|taken| taken.lane).filter(|&lane| (lane as usize) < self.resources.ends.len());
        way.first().map(|first| at(first.step, lanes.collect())).into_iter().collect()
    }

    /// What a hop costs for leading further behind; the last hop never does.
    pub(super) fn detour(&self, from: usize, to: usize) -> u32 {
        let after = |place: usize| self.graphs.places[place].earliest + self.graphs.places[place].left;
        self.detour * (after(to).saturating_sub(after(from)))
    }

    /// Fills `reach` for a message; the least cost of its delivery.
    fn explore(&mut self, message: usize, looks: &mut u64) -> u32 {
        let places = self.graphs.of(message);
        let width = self.steps + 1;
        for place in places.clone() {
            let row = (place - places.start) * width;
            let (before, rest) = self.reach.split_at_mut(row);
            let here = &mut rest[..width];
            let to = self.graphs.places[place];
            if place == places.start {
                here.fill(0);
                continue;
            }
            here.fill(NEVER);
            let last = self.steps - to.left as usize;
            for &Hop { from, lane } in self.graphs.hops_to(place) {
                let origin = self.graphs.places[places.start + from as usize];
                let first = origin.earliest as usize;
                if first >= last {
                    continue;
                }
                let extra = self.detour * (to.earliest + to.left).saturating_sub(origin.earliest + origin.left);
                let sums = &mut self.sums[..last - first];
                let reached = &before[from as usize * width..][first..last];
                sums.iter_mut().zip(reached).for_each(|(sum, cost)| *sum = cost + extra);
                for row in &self.rows[self.taken[lane as usize].clone()] {
                    let prices = &self.prices[row.number as usize..][first..last];
                    sums.iter_mut().zip(prices).for_each(|(sum, price)| *sum += price);
                }
                here[first + 1..=last].iter_mut().zip(&*sums).for_each(|(cost, sum)| *cost = (*cost).min(*sum));
                *looks += (last - first) as u64 + 16;
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
    fn trace(&mut self, message: usize, random: &mut Pcg64Mcg, looks: &mut u64) -> Vec<Taken> {
        let places = self.graphs.of(message);
        let width = self.steps + 1;
        let (mut place, mut until) = (places.end - 1, self.steps);
        let mut way = Vec::new();
        while place > places.start {
            let cost = self.reach[(place - places.start) * width + until];
            self.candidates.clear();
            for &hop in self.graphs.hops_to(place) {
                let origin = places.start + hop.from as usize;
                let first = self.graphs.places[origin].earliest as usize;
                let row = hop.from as usize * width;
                let extra = self.detour(origin, place);
                let rows = &self.rows[self.taken[hop.lane as usize].clone()];
                for step in first..until {
                    let reached = self.reach[row + step];
                    if reached <= cost {
                        let price: u32 = rows.iter().map(|r| self.prices[r.number as usize + step]).sum();
                        if reached + price + extra == cost {
                            self.candidates.push(Candidate { hop, step: step as u32 });
                        }
                    }
                }
                *looks += (until.saturating_sub(first)) as u64;
            }
            let Candidate { hop, step } = self.candidates[random.random_range(0..self.candidates.len())];
            way.push(Taken { lane: hop.lane, step });
            place = places.start + hop.from as usize;
            until = step as usize;
        }
        way.reverse();
        way
    }
}

impl Ways for HopWays<'_> {
    type Way = Vec<Taken>;

    const LOOKS_A_TICK: u64 = 64;

    fn lengths(&self) -> Vec<u32> {
        (0..self.pairs.len()).map(|message| self.graphs.length(message)).collect()
    }

    fn looks(&self) -> u64 {
        64 * self.graphs.hop_count() as u64
    }

    fn slots(&self, way: &Vec<Taken>, list: &mut Vec<Slot>) {
        list.extend(way.iter().flat_map(|taken| self.rows(taken.lane).iter().map(|row| row.slot(taken.step))));
    }

    fn cheapest(
        &mut self,
        message: u32,
        avoid: Option<u32>,
        owners: &mut Owners,
        random: &mut Pcg64Mcg,
    ) -> Option<Vec<Taken>> {
        let kept = avoid.map(|slot| (slot, self.prices[slot as usize]));
        kept.into_iter().for_each(|(slot, price)| self.prices[slot as usize] = price + HEAVIEST);
        let (message, looks) = (message as usize, &mut owners.looks);
        let way = match self.timing {
            None => (self.explore(message, looks) < NEVER).then(|| self.trace(message, random, looks)),
            Some(timing) => {
                let cost = self.explore_slots(message, timing, looks);
                if cost < NEVER { self.trace_slots(message, timing, cost, random) } else { None }
            }
        };
        kept.into_iter().for_each(|(slot, price)| self.prices[slot as usize] = price);
        way
    }

    /// A slot.
    fn lost(&self, _: &Vec<Taken>, slot: Slot) -> u32 {
        slot.number
    }

    fn changed(&mut self, slot: Slot, owners: &Owners) {
        self.prices[slot.number as usize] = owners.price(slot);
    }
}
