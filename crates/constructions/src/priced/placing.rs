//! **What:** steps for paths, no orbit of channels twice in a step.

use super::routes::Routes;
use construct::Control;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::VecDeque;
use std::ops::Range;

/// Hops of a message: the message, the number of its path, and which channels of it.
pub(super) type Transfer = (usize, usize, Range<usize>);

/// Most looks at an orbit in a step while messages throw each other out.
const MOST_LOOKS: u64 = 1 << 29;

/// Most orders of the messages that are tried hop by hop, and messages ordered all together, about.
const ORDERS: usize = 16;
const MOST_ORDERED: usize = 1 << 18;

/// Bits a step, as many as are needed.
#[derive(Clone, Default)]
struct Steps(Vec<u64>);

impl Steps {
    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn set(&mut self, step: usize, busy: bool) {
        let (word, bit) = (step / 64, 1 << (step % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if busy { self.0[word] |= bit } else { self.0[word] &= !bit }
    }
}

/// The first step from `from` on in which none of the orbits is busy.
fn free(busy: &[Steps], orbits: &[usize], from: usize) -> usize {
    let mut word = from / 64;
    let mut known = (1u64 << (from % 64)) - 1;
    loop {
        let used = orbits.iter().fold(known, |used, orbit| used | busy[*orbit].word(word));
        if used != u64::MAX {
            return 64 * word + used.trailing_ones() as usize;
        }
        (word, known) = (word + 1, 0);
    }
}

/// Messages, those of the longest paths first.
fn longest_first(routes: &Routes<'_>) -> Vec<usize> {
    let mut jobs: Vec<usize> = routes.jobs().collect();
    jobs.sort_by_key(|job| std::cmp::Reverse(routes.path(*job).len()));
    jobs
}

/// Hop by hop: each in the first step with room after the one before, messages of equally long paths in several orders.
pub(super) fn hops(routes: &Routes<'_>, control: &Control<'_>) -> Option<Vec<Vec<Transfer>>> {
    let mut jobs = longest_first(routes);
    let mut random = Pcg64Mcg::seed_from_u64(jobs.len() as u64);
    let mut best = in_order(routes, &jobs, control)?;
    for _ in 1..(MOST_ORDERED / jobs.len().max(1)).clamp(1, ORDERS) {
        if best.len() == routes.most() as usize {
            break;
        }
        jobs.chunk_by_mut(|a, b| routes.path(*a).len() == routes.path(*b).len()).for_each(|of| of.shuffle(&mut random));
        let other = in_order(routes, &jobs, control)?;
        if other.len() < best.len() {
            best = other;
        }
    }
    Some(best)
}

fn in_order(routes: &Routes<'_>, jobs: &[usize], control: &Control<'_>) -> Option<Vec<Vec<Transfer>>> {
    let mut busy = vec![Steps::default(); routes.orbit_count()];
    let mut steps: Vec<Vec<Transfer>> = Vec::new();
    for &job in jobs {
        control.tick()?;
        let Some((way, orbits)) = routes.ways(job).next() else { continue };
        let mut step = 0;
        for (hop, orbit) in orbits.into_iter().enumerate() {
            step = free(&busy, &[orbit], step);
            busy[orbit].set(step, true);
            steps.resize(steps.len().max(step + 1), Vec::new());
            steps[step].push((job, way, hop..hop + 1));
            step += 1;
        }
    }
    Some(steps)
}

/// Whole paths in a step, in as many steps as the largest load where they all come to fit, and in further ones else.
pub(super) fn paths(routes: &Routes<'_>, control: &Control<'_>) -> Option<Vec<Vec<Transfer>>> {
    let most = routes.most() as usize;
    let mut table = StepTable {
        busy: vec![Steps::default(); routes.orbit_count()],
        owner: vec![0; routes.orbit_count() * most],
        most,
        held: Vec::new(),
    };
    let jobs = longest_first(routes);
    let ways: Vec<Vec<(usize, Vec<usize>)>> = jobs.iter().map(|job| routes.ways(*job).collect()).collect();
    table.held = vec![None; jobs.len()];
    let mut thrown = vec![0u32; jobs.len()];
    let mut random = Pcg64Mcg::seed_from_u64(jobs.len() as u64);
    let mut queue: VecDeque<usize> = (0..jobs.len()).collect();
    let mut looks = 0;
    while let Some(at) = queue.pop_front() {
        control.check()?;
        let fits = |way: &(usize, Vec<usize>)| free(&table.busy, &way.1, 0);
        let (way, step) = if looks < MOST_LOOKS {
            match ways[at].iter().map(fits).enumerate().find(|(_, step)| *step < most) {
                Some(found) => found,
                None => {
                    looks += ways[at].iter().map(|way| (way.1.len() * most) as u64).sum::<u64>();
                    table.cheapest(&ways[at], &thrown, &mut random)
                }
            }
        } else {
            // No time is left: whoever does not fit gets a step behind the others.
            let found = ways[at].iter().map(fits).enumerate().min_by_key(|(_, step)| *step);
            found.expect("every message has a path")
        };
        for &other in &table.put(at, way, step, &ways) {
            thrown[other] += 1;
            queue.push_back(other);
        }
    }
    let mut steps: Vec<Vec<Transfer>> = vec![Vec::new(); most];
    for (at, held) in table.held.iter().enumerate() {
        let Some((way, step)) = *held else { continue };
        steps.resize(steps.len().max(step + 1), Vec::new());
        let (number, orbits) = &ways[at][way];
        steps[step].push((jobs[at], *number, 0..orbits.len()));
    }
    Some(steps)
}

/// Which message has which orbit in which step.
struct StepTable {
    busy: Vec<Steps>,
    /// By orbit and step below `most`: the message's position and one, or 0.
    owner: Vec<u32>,
    most: usize,
    /// Of each message, the path and the step it has.
    held: Vec<Option<(usize, usize)>>,
}

impl StepTable {
    /// The path and the step below `most` from which the fewest must go, those thrown out often counted more.
    fn cheapest(&self, ways: &[(usize, Vec<usize>)], thrown: &[u32], random: &mut Pcg64Mcg) -> (usize, usize) {
        let (mut best, mut least, mut ties) = ((0, 0), u64::MAX, 0u32);
        for (way, (_, orbits)) in ways.iter().enumerate() {
            for step in 0..self.most {
                let price = |orbit: &usize| match self.owner[orbit * self.most + step] {
                    0 => 0,
                    owner => 1 + u64::from(thrown[owner as usize - 1]),
                };
                let cost = orbits.iter().map(price).sum::<u64>();
                if cost < least {
                    (best, least, ties) = ((way, step), cost, 0);
                }
                if cost == least {
                    ties += 1;
                    if random.random_range(0..ties) == 0 {
                        best = (way, step);
                    }
                }
            }
        }
        best
    }

    /// Gives a message a path and a step; who had any of these channels loses its own.
    fn put(&mut self, at: usize, way: usize, step: usize, ways: &[Vec<(usize, Vec<usize>)>]) -> Vec<usize> {
        let mut thrown = Vec::new();
        for &orbit in &ways[at][way].1 {
            if step < self.most && self.owner[orbit * self.most + step] > 0 {
                let other = self.owner[orbit * self.most + step] as usize - 1;
                self.mark(other, 0, ways);
                self.held[other] = None;
                thrown.push(other);
            }
        }
        self.held[at] = Some((way, step));
        self.mark(at, u32::try_from(at + 1).expect("fewer messages than channel uses"), ways);
        thrown
    }

    /// Writes an owner, or 0, where a message's path is.
    fn mark(&mut self, at: usize, owner: u32, ways: &[Vec<(usize, Vec<usize>)>]) {
        let Some((way, step)) = self.held[at] else { return };
        for &orbit in &ways[at][way].1 {
            self.busy[orbit].set(step, owner > 0);
            if step < self.most {
                self.owner[orbit * self.most + step] = owner;
            }
        }
    }
}
