//! **What:** steps while they are filled, in turn the next one from the front and the next one from the back.

use super::matching::Matching;
use super::ranks::A_HOP;
use super::routes::Routes;
use crate::resources::Resources;
use kernel::{Message, Schedule};
use run::{Budget, Run};
use std::collections::BinaryHeap;

/// The end at which a step is filled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

/// A message that crosses a lane.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    lane: u32,
    message: u32,
}

/// A message that waits at a lane: those of the highest rank come first, which is the sum of its own and of that of the hops that it has left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    rank: u32,
    left: u32,
    message: u32,
}

/// Steps that hold everything.
pub(super) struct Filled {
    pub steps: Vec<Vec<Hop>>,
    /// Hops in the step that was filled last.
    pub last: usize,
}

/// What waits at one end.
struct Queues {
    of: Vec<BinaryHeap<Waiting>>,
    /// How many wait at each lane; queues also hold some that went from the other end.
    counts: Vec<u32>,
}

/// Steps, and what is not in them yet.
pub(super) struct Filling<'a> {
    resources: &'a Resources<'a>,
    routes: &'a Routes<'a>,
    /// Of each message, the hops of its route that are left.
    hops: Vec<std::ops::Range<u32>>,
    front: Queues,
    back: Queues,
    /// Uses of each resource that are left.
    left: Vec<u32>,
    open: u64,
    matching: Matching<'a>,
    /// Of each message, its own rank.
    ranks: &'a [u32],
}

impl<'a> Filling<'a> {
    /// No steps yet.
    pub(super) fn new(resources: &'a Resources<'a>, routes: &'a Routes<'a>, ranks: &'a [u32]) -> Self {
        let lanes = resources.ends.len();
        let none = || Queues { of: vec![BinaryHeap::new(); lanes], counts: vec![0; lanes] };
        let mut filling = Filling {
            resources,
            routes,
            hops: routes.of.iter().map(|route| 0..route.len() as u32).collect(),
            front: none(),
            back: none(),
            left: routes.loads.clone(),
            open: routes.of.iter().map(|route| route.len() as u64).sum(),
            matching: Matching::new(resources, &routes.taken),
            ranks,
        };
        for message in 0..routes.of.len() as u32 {
            filling.wait(End::Front, message);
            filling.wait(End::Back, message);
        }
        filling
    }

    /// The next hop of a message at an end; `None` where it has none left.
    fn lane(&self, end: End, message: u32) -> Option<u32> {
        let mut hops = self.hops[message as usize].clone();
        let at = if end == End::Front { hops.next() } else { hops.next_back() };
        at.map(|at| self.routes.of[message as usize][at as usize])
    }

    fn queues(&mut self, end: End) -> &mut Queues {
        if end == End::Front { &mut self.front } else { &mut self.back }
    }

    /// A message waits for its next hop at an end.
    fn wait(&mut self, end: End, message: u32) {
        let Some(lane) = self.lane(end, message) else { return };
        let left = self.hops[message as usize].len() as u32;
        let waiting = Waiting { rank: self.rank(message, left), left, message };
        let queues = self.queues(end);
        queues.of[lane as usize].push(waiting);
        queues.counts[lane as usize] += 1;
    }

    /// The rank of a message with so many hops left.
    fn rank(&self, message: u32, left: u32) -> u32 {
        left * A_HOP + self.ranks[message as usize]
    }

    /// The steps, if they are no more than `limit`; `None` also where the budget ends.
    pub(super) fn fill(&mut self, limit: usize, run: &Run<'_>, budget: &mut Budget<'_>) -> Option<Filled> {
        let (mut front, mut back, mut last) = (Vec::new(), Vec::new(), 0);
        while self.open > 0 {
            let made = front.len() + back.len();
            let least = made + self.resources.least_steps(&self.left) as usize;
            if least > limit {
                return None;
            }
            run.progress.working(super::NAME, least as u64, self.open);
            let end = if made % 2 == 0 { End::Front } else { End::Back };
            let step = self.step(end, budget)?;
            last = step.len();
            if end == End::Front { &mut front } else { &mut back }.push(step);
        }
        front.extend(back.into_iter().rev());
        Some(Filled { steps: front, last })
    }

    /// Fills a step at an end.
    fn step(&mut self, end: End, budget: &mut Budget<'_>) -> Option<Vec<Hop>> {
        let counts = std::mem::take(&mut self.queues(end).counts);
        let chosen = self.matching.choose(&counts, &self.left, budget);
        self.queues(end).counts = counts;
        let mut step = Vec::new();
        for (lane, uses) in chosen? {
            for _ in 0..uses {
                step.push(Hop { lane, message: self.pop(end, lane)? });
            }
        }
        // Whoever moves in this step moves on in another one.
        for hop in &step {
            let hops = &mut self.hops[hop.message as usize];
            let (first, last) = if end == End::Front { (hops.start + 1, hops.end) } else { (hops.start, hops.end - 1) };
            *hops = first..last;
            self.queues(end).counts[hop.lane as usize] -= 1;
            if first < last {
                self.wait(end, hop.message);
            } else {
                let other = if end == End::Front { End::Back } else { End::Front };
                self.queues(other).counts[hop.lane as usize] -= 1;
            }
            for resource in &self.routes.taken[hop.lane as usize] {
                self.left[*resource as usize] -= 1;
            }
        }
        self.open -= step.len() as u64;
        (!step.is_empty() && budget.spend(4 * step.len() as u64)).then_some(step)
    }

    /// The message of the highest rank of those that wait at a lane.
    fn pop(&mut self, end: End, lane: u32) -> Option<u32> {
        loop {
            let waiting = self.queues(end).of[lane as usize].pop()?;
            let left = self.hops[waiting.message as usize].len() as u32;
            if left == waiting.left {
                return Some(waiting.message);
            }
            // Some of its hops, or all, were made at the other end.
            if left > 0 {
                let rank = self.rank(waiting.message, left);
                self.queues(end).of[lane as usize].push(Waiting { rank, left, ..waiting });
            }
        }
    }
}

/// A schedule of these steps.
pub(super) fn schedule(resources: &Resources<'_>, open: &[Message], steps: &[Vec<Hop>]) -> Schedule {
    let network = resources.problem.network();
    let mut schedule = Schedule::new();
    for step in steps {
        schedule.begin_step();
        // Uses of one lane follow each other.
        let (mut lane, mut uses) = (u32::MAX, 0);
        for hop in step {
            (lane, uses) = if hop.lane == lane { (lane, uses + 1) } else { (hop.lane, 0) };
            let all = resources.channels[lane as usize].iter();
            let mut places = all.flat_map(|channel| std::iter::repeat_n(*channel, network.capacity(*channel) as usize));
            let channel = places.nth(uses).expect("a lane is used no more often than its channels allow");
            schedule.send(open[hop.message as usize], &[channel]);
        }
    }
    schedule
}
