//! **What:** for a number of steps: cores and the steps in which they exchange, then what goes there and from there, inserted.

use super::TICKS_A_DRAW;
use super::cores::Core;
use crate::copy_insertion::{Begun, Clock, Folded, Leg, Patience, Search};
use crate::spreading::steps_to_reach;
use kernel::{Channel, Collective, Message, Node, Op, Problem, Schedule, Semantics, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeSet;

/// Draws of cores and steps for each that fits.
const DRAWS: usize = 32;

/// A way is found among one in so many of the channels in all steps.
const LOOKED_AT: u64 = 8;

/// What is not soon found with some cores is looked for with others.
const PATIENCE: Patience = Patience { least: 1000, a_copy: 3 };

/// What is looked for.
pub(super) struct Cores<'a> {
    pub problem: &'a Problem,
    pub members: &'a [Node],
    /// How far the farthest is from each.
    pub far: &'a [u64],
    /// Transfers of every node in a step at least.
    pub rate: u64,
    pub chunks: usize,
}

/// A transfer of a chunk.
#[derive(Clone)]
struct Sent {
    chunk: usize,
    op: Op,
    path: Vec<Channel>,
}

/// The core of a chunk and the step in which its exchange begins.
struct Meeting {
    core: Core,
    start: u64,
}

impl Cores<'_> {
    /// A schedule of so many steps.
    pub(super) fn look(&self, steps: u64, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let most = self.members.len().ilog2() as usize;
        let sizes: Vec<usize> = (0..=most).filter(|rounds| self.may_do(*rounds, steps)).collect();
        if sizes.is_empty() {
            return None;
        }
        for _ in 0..DRAWS {
            if !budget.spend(TICKS_A_DRAW) {
                return None;
            }
            let rounds = sizes[random.random_range(0..sizes.len())];
            let Some(meetings) = self.meetings(rounds, steps, random, budget) else { continue };
            return self.inserted(&meetings, steps, random, budget);
        }
        None
    }

    /// Steps that are enough where three of four ports are used.
    pub(super) fn likely(&self) -> u64 {
        let nodes = self.members.len() as u64;
        let filled = (self.chunks as u64 * 2 * (nodes - 1) * 4).div_ceil(3 * nodes * self.rate);
        let far = self.far.iter().min().copied().unwrap_or(0);
        filled.max(2 * far.max(self.grown(1)))
    }

    /// Whether cores of so many rounds leave time and room for what goes there and from there.
    fn may_do(&self, rounds: usize, steps: u64) -> bool {
        let (nodes, size) = (self.members.len() as u64, 1u64 << rounds);
        let transfers = self.chunks as u64 * (2 * (nodes - size) + size * rounds as u64);
        2 * self.grown(size) + rounds as u64 <= steps
            && !self.near(rounds, steps).is_empty()
            && transfers <= nodes * self.rate * steps
    }

    /// Those from which a core may begin: near enough to all, whichever others are in it.
    fn near(&self, rounds: usize, steps: u64) -> Vec<Node> {
        let most = steps.saturating_sub(rounds as u64) / 2 + rounds as u64;
        self.members.iter().zip(self.far).filter(|(_, far)| **far <= most).map(|(v, _)| *v).collect()
    }

    /// Steps in which copies at so many nodes become copies at all.
    fn grown(&self, holders: u64) -> u64 {
        steps_to_reach(self.members.len() as u64, holders, self.rate)
    }

    /// A core and a step for each chunk.
    fn meetings(
        &self,
        rounds: usize,
        steps: u64,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Meeting>> {
        let network = self.problem.network();
        let near = self.near(rounds, steps);
        let further = random.random_range(0..=(self.chunks as u64).ilog2() as usize);
        let mut meetings: Vec<Meeting> = Vec::new();
        let mut taken: BTreeSet<(Node, u64)> = BTreeSet::new();
        let mut places: Vec<usize> = (0..self.chunks).collect();
        places.shuffle(random);
        let wide: f64 = random.random_range(0.0..1.0);
        let mut failed = 0;
        while meetings.len() < self.chunks {
            if failed > DRAWS || !budget.spend(1) {
                return None;
            }
            failed += 1;
            let Some(mut cores) = Core::draw(&near, self.members, network, rounds, further, random, budget) else {
                continue;
            };
            cores.shuffle(random);
            for core in cores {
                if meetings.len() == self.chunks {
                    break;
                }
                let least = core.far(self.problem, self.members, budget)?.max(self.grown(1 << rounds));
                let Some(slack) = steps.checked_sub(2 * least + rounds as u64) else { break };
                // As long before the middle as after it, and the more chunks the farther apart.
                let width = (wide * slack as f64) as u64;
                let at = places[meetings.len()] as u64;
                let apart = self.chunks as u64 - 1;
                let even = if apart == 0 { width / 2 } else { (2 * at * width + apart) / (2 * apart) };
                let start = least + (slack - width) / 2 + even;
                let busy = |round: u64| core.nodes.iter().map(move |v| (*v, start + round));
                let all: Vec<(Node, u64)> = (0..rounds as u64).flat_map(busy).collect();
                if all.iter().any(|place| taken.contains(place)) {
                    continue;
                }
                taken.extend(all);
                failed = 0;
                meetings.push(Meeting { core, start });
            }
        }
        Some(meetings)
    }

    /// What goes to the cores and from them, inserted.
    fn inserted(
        &self,
        meetings: &[Meeting],
        steps: u64,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let network = self.problem.network();
        let mut begun = Begun { is_for_wanted: true, backwards: (0..self.chunks).collect(), ..Begun::default() };
        let mut copies = Vec::new();
        let mut of_step: Vec<Vec<Sent>> = vec![Vec::new(); steps as usize];
        for is_backwards in [true, false] {
            for Meeting { core, start } in meetings {
                let known = if is_backwards { steps - start } else { start + core.rounds() as u64 };
                begun.held.extend(core.nodes.iter().map(|v| (copies.len(), *v, known as u32)));
                let others = self.members.iter().copied().filter(|v| !core.nodes.contains(v)).collect::<Vec<_>>();
                if others.is_empty() {
                    return None;
                }
                copies.push((vec![core.nodes[0]], others));
            }
        }
        for (chunk, Meeting { core, start }) in meetings.iter().enumerate() {
            for sent in core.exchange(network) {
                let start = *start as usize + sent.round;
                of_step[start].push(Sent { chunk, op: Op::Reduce, path: vec![sent.channel] });
                begun.sent.push(Leg { from: sent.from, to: sent.to, start, path: vec![sent.channel] });
            }
        }
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        let copies = Problem::new(network.clone(), copies, self.problem.model()).ok()?;
        let folded = Folded::new(&copies, None);
        let clock = Clock::new(self.problem, steps as usize);
        let sent =
            Search { folded: &folded, clock, begun: &begun, patience: PATIENCE, attempts: 1, looked_at: LOOKED_AT }
                .run(random, budget)?;
        for (number, leg) in sent {
            match number.checked_sub(self.chunks) {
                Some(chunk) => of_step[leg.start].push(Sent { chunk, op: Op::Copy, path: leg.path }),
                None => {
                    let path = leg.path.into_iter().rev().collect();
                    of_step[steps as usize - 1 - leg.start].push(Sent { chunk: number, op: Op::Reduce, path });
                }
            }
        }
        let mut schedule = Schedule::new();
        for transfers in of_step {
            schedule.begin_step();
            for Sent { chunk, op, path } in transfers {
                schedule.push(Transfer { op, ..Transfer::new(&[Message(chunk as u32)], &path) });
            }
        }
        Some(schedule)
    }
}
