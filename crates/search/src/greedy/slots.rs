//! **What:** the slots of time-division, filled greedily over paths of any length.
//!
//! **Method.** For a given period the slots are filled in order. In each, receivers in random order pull the rarest message
//! they lack from a holder that a path of free channels joins to them, each channel free in the slot in which the path
//! comes to it; short paths first, since they waste least, or long ones first in the first slots, where only origins have
//! anything to send and copies far apart spread faster. How long paths may be, and when, is drawn anew for each attempt.
//! Periods between the goal and the best so far are tried by bisection, then, where messages have many destinations, the one
//! below the best until the budget is spent.
//!
//! Where few nodes have anything to send, in half of the attempts they look for receivers instead, along paths that are hardly longer than the shortest.
//!
//! Part of a period may be taken by something else ([`Rest`]). What is to be run backwards has its [last slots](super::last_slots) filled first.
//!
//! **Parameters.** The lengths of paths in the first, the last and all other slots ([`Policy`]).
//!
//! **When it loses.** Where every channel must bring something new in every slot, a largest matching between neighbours
//! ([`crate::AllgatherMatching`]) comes nearer.

use super::Filling;
use super::policy::{Near, Policy, Turn};
use super::walk::Walk;
use crate::copies::Copies;
use graph::distances::Way;
use graph::paths::Descent;
use kernel::{Channel, Node, Problem, Schedule, Slots};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run, Seed};
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

/// The same before anything is found.
const FEW_TRIES: u64 = 2;

/// A schedule under time-division that may be run backwards ([`crate::transform::reverse_slots`]): what arrives after the end of the
/// period, and is held at its end, comes from its origin.
pub fn reversible(problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let rest = Rest { wraps_from_origins: true, ..Rest::default() };
    solve(problem, problem.model().switching.slots()?, rest, floor, run)
}

/// What there is beside the messages.
#[derive(Clone, Copy, Default)]
pub struct Rest<'s> {
    /// No relay sends what arrives after the end of the period.
    pub wraps_from_origins: bool,
    /// What takes channels and ports in the slots before that in which the first message may be sent.
    pub before: Option<&'s Schedule>,
}

/// The best schedule found; `None` if a destination is beyond reach, or the budget is.
pub(crate) fn solve(problem: &Problem, slots: Slots, rest: Rest<'_>, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let budget = &mut Budget::new(run, run.settings.ticks);
    let mut periods = Periods::new(problem, slots, rest, run, budget)?;
    let goal = usize::try_from(run.goal(floor)).ok()?.max(periods.start.copies.least_steps(problem));
    // Shortest ways in the order of their lengths leave few choices.
    let has_choices = periods.start.copies.open() > 0;
    let mut best: Option<Schedule> = None;
    let mut known = run.incumbent.map(|known| known.steps());
    // Below `low` no period has been reached in a few tries; from `known` on there is no need to look.
    let (mut low, mut period) = (goal, goal);
    while known.is_none_or(|known| known > goal) {
        let tries = match known {
            None => FEW_TRIES,
            Some(_) if rest.wraps_from_origins && best.is_none() => FEW_TRIES,
            Some(_) => TRIES,
        };
        let mut found = None;
        for _ in 0..tries {
            found = periods.fill(period, budget);
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
            None if period > periods.most() => return None,
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

/// Attempts at periods, each with other random numbers.
pub struct Periods<'a> {
    start: Filling<'a>,
    near: Near<'a>,
    seed: Seed,
    attempts: u64,
}

impl<'a> Periods<'a> {
    /// `None` if a destination is beyond reach, or the budget is.
    pub fn new(
        problem: &'a Problem,
        slots: Slots,
        rest: Rest<'a>,
        run: &Run<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let start = Filling { rest, ..Filling::new(problem, Some(slots), run, budget)? };
        let near = Near::new(&start, run.settings.slack, budget)?;
        Some(Periods { start, near, seed: run.settings.seed, attempts: 0 })
    }

    /// Most slots of a period, for the sake of memory.
    pub fn most(&self) -> usize {
        MOST_ENTRIES / self.start.problem.network().channel_count().max(1)
    }

    /// A schedule of that many slots.
    pub fn fill(&mut self, period: usize, budget: &mut Budget<'_>) -> Option<Schedule> {
        let random = self.seed.generator(0x510f_0000 + self.attempts);
        self.attempts += 1;
        self.start.clone().fill_period(period, random, &mut self.near, budget)
    }
}

impl Filling<'_> {
    /// Fills a period; `None` where something is left over, or the budget ends.
    fn fill_period(
        mut self,
        period: usize,
        mut random: Pcg64Mcg,
        near: &mut Near<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let network = self.problem.network();
        let size = period * (network.node_count() + network.channel_count());
        if !budget.spend(60 * period as u64 + (size as u64 + self.copies.size()) / 4) {
            return None;
        }
        self.table.set_period(period);
        let first = self.rest.before.map_or(0, Schedule::step_count);
        for (slot, taken) in self.rest.before.into_iter().flat_map(|before| before.steps().enumerate()) {
            self.table.begin(slot);
            taken.for_each(|taken| self.table.take_path(taken.path));
        }
        self.singles.shuffle(&mut random);
        let policy = Policy::new(&self, near, period, &mut random);
        near.detour = if random.random() { 0 } else { 2 };
        let mut schedule = Schedule::new();
        let mut last = self.fill_last(period, &policy, &mut random, near, budget)?.into_iter();
        for slot in 0..period {
            self.table.begin(slot);
            schedule.begin_step();
            if slot < first {
                continue;
            }
            if slot + last.len() >= period {
                last.next().iter().flat_map(Schedule::steps).flatten().for_each(|sent| schedule.push(sent));
            }
            let before = schedule.transfer_count();
            let any = slot < first + policy.early || slot + policy.late >= period;
            // Longer paths than with every node once there are not; most are found far below that.
            let far = near.farthest.filter(|_| policy.pushes).map_or(usize::MAX, |far| (far + near.detour) as usize);
            let most = if any { (network.node_count() - 1).min(far) } else { policy.between };
            let longest = (1..=most.min(MOST_HOPS)).take_while(|&length| self.table.is_in_time(length)).count();
            let (holders, receivers) = (self.terminals(Copies::is_holder), self.terminals(Copies::is_receiver));
            let pushes = policy.pushes && holders.len() < receivers.len();
            let mut order = if pushes { holders } else { receivers };
            let mut idle = 0;
            for turn in 1..=longest {
                if self.copies.open() == 0 {
                    break;
                }
                let length = if policy.far_first && slot < first + policy.early { longest + 1 - turn } else { turn };
                if !budget.spend(order.len() as u64) {
                    return None;
                }
                let served = schedule.transfer_count();
                let way = if pushes { Way::On } else { Way::Back };
                order.shuffle(&mut random);
                // Of each length, whoever lacks most goes first.
                if !pushes {
                    order.sort_by_key(|v| Reverse(self.copies.lacking(*v)));
                }
                for &node in &order {
                    let turn = Turn { node, way, length };
                    while self.take_path(turn, &mut schedule, &mut random, near, budget).is_some() {}
                }
                idle = if schedule.transfer_count() > served { 0 } else { idle + 1 };
                if idle > MOST_IDLE && schedule.transfer_count() > before {
                    break;
                }
            }
            self.singles.push(&mut self.table, &mut schedule, &mut random, budget);
            if schedule.transfer_count() == before && self.copies.open() > 0 && !self.copies.is_moving() {
                let mut order = self.terminals(Copies::is_receiver);
                order.shuffle(&mut random);
                self.pull_shortest(&order, &mut schedule, &mut random, budget)?;
            }
            self.copies.end_step();
            self.singles.end_step(budget)?;
        }
        self.is_done().then_some(schedule)
    }

    /// The terminals of which that is true.
    fn terminals(&self, is: impl Fn(&Copies, Node) -> bool) -> Vec<Node> {
        self.problem.network().terminals().iter().copied().filter(|v| is(&self.copies, *v)).collect()
    }

    /// Takes a path for something that its receiver lacks and its sender holds.
    pub(super) fn take_path(
        &mut self,
        turn: Turn,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        near: &mut Near<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let Turn { node, way, length } = turn;
        let may = match way {
            Way::Back => self.copies.lacking(node) > 0 && self.table.can_receive(node, length),
            Way::On => self.table.can_send(node),
        };
        if !may {
            return None;
        }
        let longest = near.longest(node, way, budget)?;
        let mut walk = Walk { filling: self, turn, path: Vec::new(), looks: LOOKS, longest };
        let found = walk.go(node, random);
        let (mut path, looks) = (walk.path, walk.looks);
        // A look compares what two nodes hold, a word at a time, and may begin a search.
        if !budget.spend(u64::from(LOOKS - looks) * (4 + self.copies.words() as u64) + 8) {
            return None;
        }
        let end = found?;
        let (holder, receiver) = if way == Way::On { (node, end) } else { (end, node) };
        if way == Way::Back {
            path.reverse();
        }
        self.carry(holder, &path, receiver, schedule, random)
    }

    /// What `holder` may send to `receiver` along a path of that length that begins now.
    pub(super) fn offered(&self, holder: Node, receiver: Node, length: usize) -> impl Iterator<Item = usize> {
        let from_origin = self.rest.wraps_from_origins && self.table.wraps(length);
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
        self.copies.transfer(schedule, &taken, path, receiver, self.table.held_after(path.len()));
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
