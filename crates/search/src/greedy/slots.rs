//! **What:** the slots of time-division, filled greedily over paths of any length.
//!
//! **Method.** For a given period the slots are filled in order. In each, receivers in random order pull the rarest message
//! they lack from a holder that a path of free channels joins to them, each channel free in the slot in which the path
//! comes to it; short paths first, since they waste least, or long ones first in the first slots, where only origins have
//! anything to send and copies far apart spread faster. How long paths may be, and when, is drawn anew for each attempt.
//! Periods between the goal and the best so far are tried by bisection, then, where messages have many destinations, the one
//! below the best until the budget is spent.
//!
//! **Parameters.** The lengths of paths in the first, the last and all other slots.
//!
//! **When it loses.** Where every channel must bring something new in every slot, a largest matching between neighbours
//! ([`crate::AllgatherMatching`]) comes nearer.

use super::Filling;
use super::walk::Walk;
use graph::distances::{Distances, Way};
use graph::paths::Descent;
use kernel::{Channel, Node, Problem, Schedule, Slots};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::cmp::Reverse;

/// Most entries of the table of slots.
const MOST_ENTRIES: usize = 1 << 26;

/// Nodes that one search for a path may look at.
const LOOKS: u32 = 60;

/// Longest path looked for.
const MOST_HOPS: usize = 24;

/// Lengths of paths, one after the other, by which nothing is sent before a slot is taken for full.
const MOST_IDLE: usize = 1;

/// Attempts at a period before the bisection takes it for too short.
const TRIES: u64 = 8;

/// A schedule under time-division that may be run backwards ([`crate::transform::reverse_slots`]): what arrives after the end of the
/// period, and is held at its end, comes from its origin.
pub fn reversible(problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    solve(problem, problem.model().switching.slots()?, true, floor, run)
}

/// The best schedule found; `None` if a destination is beyond reach, or the budget is. With `wraps_from_origins`, no relay sends
/// what arrives after the end of the period.
pub(crate) fn solve(
    problem: &Problem,
    slots: Slots,
    wraps_from_origins: bool,
    floor: u64,
    run: &Run<'_>,
) -> Option<Schedule> {
    let budget = &mut Budget::new(run, run.settings.ticks);
    let mut start = Filling::new(problem, Some(slots), run, budget)?;
    start.wraps_from_origins = wraps_from_origins;
    let mut near = run.settings.slack.map(|slack| Near { slack, distances: Distances::new(problem, Way::Back) });
    let goal = usize::try_from(run.goal(floor)).ok()?.max(start.copies.least_steps(problem));
    // Shortest ways in the order of their lengths leave few choices.
    let has_choices = start.copies.open() > 0;
    let mut attempts = 0;
    let mut best: Option<Schedule> = None;
    let mut known = run.incumbent.map(|known| known.steps());
    // Below `low` no period has been reached in a few tries; from `known` on there is no need to look.
    let (mut low, mut period) = (goal, goal);
    while known.is_none_or(|known| known > goal) {
        let tries = match known {
            None => 2,
            Some(_) => TRIES,
        };
        let mut found = None;
        for _ in 0..tries {
            let random = run.settings.seed.generator(0x510f_0000 + attempts);
            found = start.clone().fill_period(period, random, near.as_mut(), budget);
            attempts += 1;
            if found.is_some() || budget.is_over() {
                break;
            }
        }
        match found {
            Some(schedule) => {
                run.progress.found(super::Greedy.name(), period as u64);
                known = Some(period);
                best = Some(schedule);
            }
            None if budget.is_over() => break,
            None => low = period + 1,
        }
        period = match known {
            // Nothing found yet: twice as long, as long as memory allows.
            None if period.saturating_mul(problem.network().channel_count()) > MOST_ENTRIES => return None,
            None => period * 2 + 1,
            Some(known) if low < known => low + (known - low) / 2,
            Some(known) if !has_choices && period + 1 == known => break,
            // All shorter ones have been tried a little: the next shorter one again, as long as there is budget.
            Some(known) => known.saturating_sub(1),
        };
        low = low.min(period);
    }
    best
}

/// How much longer than the shortest paths may be.
struct Near<'a> {
    slack: u32,
    distances: Distances<'a>,
}

/// When and how long paths may be, in one attempt.
struct Policy {
    /// Slots at the beginning, and at the end, with paths of any length.
    early: usize,
    late: usize,
    /// Longest path in the other slots.
    between: usize,
    /// Long paths first in the early slots.
    far_first: bool,
}

impl Filling<'_> {
    /// Fills a period; `None` where something is left over, or the budget ends.
    fn fill_period(
        mut self,
        period: usize,
        mut random: Pcg64Mcg,
        mut near: Option<&mut Near<'_>>,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let network = self.problem.network();
        let size = period * (network.node_count() + network.channel_count());
        if !budget.spend(60 * period as u64 + (size as u64 + self.copies.size()) / 4) {
            return None;
        }
        self.table.set_period(period);
        self.singles.shuffle(&mut random);
        let policy = Policy {
            early: random.random_range(0..=self.table.duration(1) + 2),
            late: random.random_range(0..=period),
            between: random.random_range(1..=3),
            far_first: random.random(),
        };
        let mut order: Vec<Node> = network.terminals().to_vec();
        let mut schedule = Schedule::new();
        for slot in 0..period {
            self.table.begin(slot);
            schedule.begin_step();
            let before = schedule.transfer_count();
            let any = slot < policy.early || slot + policy.late >= period;
            // Longer paths than with every node once there are not; most are found far below that.
            let most = if any { network.node_count() - 1 } else { policy.between };
            let longest = (1..=most.min(MOST_HOPS)).take_while(|&length| self.table.is_in_time(length)).count();
            let mut idle = 0;
            for turn in 1..=longest {
                if self.copies.open() == 0 {
                    break;
                }
                let length = if policy.far_first && slot < policy.early { longest + 1 - turn } else { turn };
                // Of each length, whoever lacks most goes first.
                order.shuffle(&mut random);
                order.sort_by_key(|v| Reverse(self.copies.lacking(*v)));
                if !budget.spend(order.len() as u64) {
                    return None;
                }
                let served = schedule.transfer_count();
                for &receiver in &order {
                    while self.copies.lacking(receiver) > 0
                        && self
                            .pull_along(receiver, length, &mut schedule, &mut random, near.as_deref_mut(), budget)
                            .is_some()
                    {}
                }
                idle = if schedule.transfer_count() > served { 0 } else { idle + 1 };
                if idle > MOST_IDLE && schedule.transfer_count() > before {
                    break;
                }
            }
            self.singles.push(&mut self.table, &mut schedule, &mut random, budget);
            if schedule.transfer_count() == before && self.copies.open() > 0 && !self.copies.is_moving() {
                self.pull_shortest(&order, &mut schedule, &mut random, budget)?;
            }
            self.copies.end_step();
            self.singles.end_step(budget)?;
        }
        self.is_done().then_some(schedule)
    }

    /// Takes a path of that length to `receiver` from a holder of something that it lacks.
    fn pull_along(
        &mut self,
        receiver: Node,
        length: usize,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        near: Option<&mut Near<'_>>,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        if !self.table.can_receive(receiver, length) {
            return None;
        }
        let longest = match near {
            Some(Near { slack, distances }) => Some((*slack, distances.of(receiver, budget)?)),
            None => None,
        };
        let mut walk = Walk { filling: self, receiver, path: Vec::new(), looks: LOOKS, longest };
        let found = walk.back(receiver, length, random);
        let (mut path, looks) = (walk.path, walk.looks);
        // A look compares what two nodes hold, a word at a time, and may begin a search.
        if !budget.spend(u64::from(LOOKS - looks) * (4 + self.copies.words() as u64) + 8) {
            return None;
        }
        path.reverse();
        self.carry(found?, &path, receiver, schedule, random)
    }

    /// What `holder` may send to `receiver` along a path of that length that begins now.
    pub(super) fn offered(&self, holder: Node, receiver: Node, length: usize) -> impl Iterator<Item = usize> {
        let from_origin = self.wraps_from_origins && self.table.wraps(length);
        let origin = move |k: &usize| !from_origin || self.copies.origin(self.problem, *k) == holder;
        self.copies.offered([holder], receiver, 0).filter(origin)
    }

    /// Sends the rarest message that `holder` has for `receiver` along a free path, with all others where the model combines.
    fn carry(
        &mut self,
        holder: Node,
        path: &[Channel],
        receiver: Node,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
    ) -> Option<()> {
        let offered: Vec<usize> = self.offered(holder, receiver, path.len()).collect();
        let taken = match self.problem.model().combining {
            true => offered,
            false => {
                let rarest = offered.into_iter().map(|k| (self.copies.counts()[k], random.random::<u32>(), k));
                vec![rarest.min()?.2]
            }
        };
        self.table.take_path(path);
        self.copies.transfer(schedule, &taken, path, receiver, self.table.duration(path.len()));
        Some(())
    }

    /// Takes a shortest path from the nearest holder, however long: in a slot without transfers, while nothing is under way.
    /// `None` where the budget ends.
    fn pull_shortest(
        &mut self,
        receivers: &[Node],
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let network = self.problem.network();
        let mut path = Vec::new();
        for &receiver in receivers.iter().filter(|v| self.copies.lacking(**v) > 0) {
            let distance = self.singles.distances.of(receiver, budget)?.to_vec();
            let offers = |v: &&Node| {
                let length = distance[v.index()] as usize;
                self.offered(**v, receiver, length).next().is_some()
            };
            let holders = network.terminals().iter().filter(|v| distance[v.index()] != u32::MAX).filter(offers);
            let Some(&holder) = holders.min_by_key(|v| distance[v.index()]) else { continue };
            let length = distance[holder.index()] as usize;
            let descent = Descent { problem: self.problem, distance: &distance, limit: 8 * length + 16, rotation: 0 };
            if !budget.spend((network.node_count() * self.copies.words()) as u64) {
                return None;
            }
            let may = self.table.can_send(holder) && self.table.can_receive(receiver, length);
            if may && self.table.is_in_time(length) && descent.walk(holder, &mut path, &mut self.table, budget) {
                self.table.give_channels(&path);
                return self.carry(holder, &path, receiver, schedule, random);
            }
        }
        Some(())
    }
}
