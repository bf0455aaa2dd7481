//! **What:** the method `slot-trees`: allreduce and barrier under time-division, merged up trees and copied down others within one period.
//!
//! **Facts.** What is to be sent on must arrive within the period, so trees to a root and from it follow each other, but the last copies
//! wrap round. Each of several roots merges the contributions of the nodes near it, which takes fewer slots, and all of their sums are then
//! copied to all nodes. A node keeps the sums [apart](kernel::Transfer::partials) to send them on, and merges each of them once.
//!
//! **Method.** For a number of roots, drawn anew in each attempt: roots far from each other, each moved to the middle of the nodes that are nearest to it. The trees
//! up are copies down from the roots run backwards; the copies of the sums fill the slots behind them, and round the period those that the trees
//! left free; both by the greedy search for slots.
//!
//! **When it loses.** Where neighbours that tell each other first gain a slot ([`crate::SlotGossip`]), and where many chunks keep all channels busy.
//!
//! **Source:** ours in how slots are shared; trees up and down are folklore, several roots as in hierarchical allreduce.

mod roots;
mod sums;

use graph::distances::within_slack;
use kernel::{Collective, Message, Model, Node, Problem, Schedule, Semantics, Slots, Switching, verify};
use rand::RngExt;
use roots::Roots;
use run::{Budget, Method, Run, Seed, Settings};
use search::transform::reverse_slots;
use search::{Periods, Rest};

/// The method.
pub struct SlotTrees;

const NAME: &str = "slot-trees";

/// Most terminals, each of which is asked how far it is from all others, and most copies of sums.
const MOST_TERMINALS: usize = 1 << 10;
const MOST_COPIES: usize = 1 << 18;

/// Attempts to fill slots that are taken to be too few if none succeeds.
const TRIES: usize = 4;

/// The most ticks of a run, for each terminal and each other: on small networks it soon finds what it finds.
const A_PAIR: u64 = 20_000;

/// The sum of some contributions to a chunk.
pub(crate) struct Part {
    chunk: Message,
    /// Where it is merged, and of whose contributions.
    root: Node,
    members: Vec<Node>,
    /// How far the farthest of these is.
    radius: u32,
}

impl Method for SlotTrees {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier under time-division: merged up trees to some roots, whose sums are copied to all in the same period"
    }

    fn source(&self) -> &'static str {
        "ours; trees up and down are folklore"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        let terminals = problem.network().terminals().len();
        collective.semantics() == Semantics::Reduce
            && several
            && problem.model().is_slotted()
            && terminals <= MOST_TERMINALS
            && collective.message_count().saturating_mul(terminals) <= MOST_COPIES
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let pairs = (problem.network().terminals().len() as u64).pow(2);
        let budget = &mut Budget::new(run, run.settings.ticks.min(A_PAIR * pairs));
        let mut random = run.settings.seed.generator(0);
        let roots = Roots::new(problem, budget)?;
        let (chunks, slots) = (problem.collective().message_count(), problem.model().switching.slots()?);
        let most = (MOST_COPIES / (chunks * problem.network().terminals().len()).max(1)).min(roots.most());
        // One, two, four and so on; then by turns as many as in the best schedule, and any of these numbers.
        let counts: Vec<usize> =
            (0..usize::BITS).map(|bit| 1 << bit).take_while(|count| *count <= most.max(1)).collect();
        let goal = usize::try_from(run.goal(floor)).ok()?;
        let mut known = run.incumbent.map(|known| known.steps());
        let mut best: Option<(Schedule, usize)> = None;
        for number in 0.. {
            let count = match (counts.get(number), &best) {
                (Some(count), _) => *count,
                (None, Some((_, count))) if number % 2 == 0 => *count,
                _ => counts[random.random_range(0..counts.len())],
            };
            if known.is_some_and(|known| known <= goal) || budget.is_over() {
                break;
            }
            let Some(parts) = roots.draw(count, &mut random, budget) else { break };
            let settings = Settings { seed: Seed(random.random()), ..run.settings };
            let attempt = Attempt { problem, slots, parts, run: run.part(settings) };
            if let Some(found) = attempt.schedule(known, goal, budget) {
                known = Some(found.step_count());
                run.progress.found(NAME, found.step_count() as u64);
                best = Some((found, count));
            }
        }
        best.map(|(schedule, _)| schedule)
    }
}

/// An attempt with certain roots.
struct Attempt<'a> {
    problem: &'a Problem,
    slots: Slots,
    parts: Vec<Part>,
    run: Run<'a>,
}

impl Attempt<'_> {
    /// A schedule of fewer than `known` slots.
    fn schedule(&self, known: Option<usize>, goal: usize, budget: &mut Budget<'_>) -> Option<Schedule> {
        let up = self.up(known, budget)?;
        let copies = self.copies(self.slots, false)?;
        let rest = Rest { before: Some(&up), ..Rest::default() };
        let mut periods = Periods::new(&copies, self.slots, rest, &self.run, budget)?;
        // Where nothing is known, ever longer ones; then ever shorter ones, as long as there are any.
        let least = goal.max(up.step_count() + 1);
        let mut period = known.map_or(least + self.radius(), |known| known.saturating_sub(1));
        let mut best = None;
        while (least..=periods.most()).contains(&period) && !budget.is_over() {
            match (0..TRIES).find_map(|_| periods.fill(period, budget)) {
                Some(found) => {
                    best = Some(found);
                    period -= 1;
                }
                None if known.is_none() && best.is_none() => period += period.div_ceil(4),
                None => break,
            }
        }
        let found = sums::merged(self.problem, &self.parts, &up, &best?);
        // What went over relays may hold what was merged there.
        let is_useful = within_slack(self.problem, &found, self.run.settings.slack, budget);
        (is_useful && verify(self.problem, found.clone()).is_ok()).then_some(found)
    }

    /// The slots that the farthest contribution takes to its root.
    fn radius(&self) -> usize {
        let farthest = self.parts.iter().map(|part| part.radius).max().unwrap_or(0);
        (farthest as usize).saturating_mul(self.slots.hop as usize) + 1
    }

    /// The trees to the roots, in so many slots as lie before that in which the roots begin to send: as few as are found.
    fn up(&self, known: Option<usize>, budget: &mut Budget<'_>) -> Option<Schedule> {
        if self.parts.iter().all(|part| part.members.len() < 2) {
            return Some(Schedule::new());
        }
        let straight = Slots { cyclic: false, ..self.slots };
        let copies = self.copies(straight, true)?;
        let mut periods = Periods::new(&copies, straight, Rest::default(), &self.run, budget)?;
        let mut length = self.radius();
        while known.is_none_or(|known| length + 1 < known) && length <= periods.most() && !budget.is_over() {
            if let Some(found) = (0..TRIES).find_map(|_| periods.fill(length, budget)) {
                return Some(reverse_slots(&copies, &found, self.slots.hop));
            }
            length += 1 + length / 8;
        }
        None
    }

    /// A copy of each sum to all who are to have it; or, `backwards`, to all whose contributions it is of.
    fn copies(&self, Slots { hop, cyclic }: Slots, backwards: bool) -> Option<Problem> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let copies = self.parts.iter().map(|part| {
            let to = if backwards { &part.members[..] } else { collective.destinations(part.chunk) };
            let others: Vec<Node> = to.iter().copied().filter(|v| *v != part.root).collect();
            (vec![part.root], if others.is_empty() { vec![part.root] } else { others })
        });
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        let network = if backwards { network.reversed() } else { network.clone() };
        Problem::new(network, copies, Model { switching: Switching::Tdm { hop, cyclic }, combining: false }).ok()
    }
}
