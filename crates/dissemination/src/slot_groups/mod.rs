//! **What:** the method `slot-groups`: allreduce and barrier of one chunk under time-division; nodes first learn sums of several contributions, then take the sums of others.
//!
//! **Theory.** What is to be sent on must arrive within the period, so the first slots tell little; but what arrives last may go round the period, along paths of any length. So
//! after an opening each node holds the sum of some contributions, its own among them, and then gets those of others that make up what it lacks, each along one path. A node
//! keeps what it received in the opening [apart](kernel::Transfer::partials), and sends it as a sum however much it has merged since.
//!
//! **Method.** [Openings](openings) are drawn: groups of near nodes in which all tell all, or exchanges in pairs. Which node then gets a sum from which, when and on which
//! way, is a [formula] for a satisfiability solver, small since there are few sums. Where automorphisms of the network take groups to groups, calls are to be their own
//! images, which makes the formula as many times smaller.
//!
//! **Parameters.** Numbers of groups and exchanges; ticks, in bytes of the solver's proof.
//!
//! **When it loses.** Where an optimum needs three calls in a row, or different sums at every node.
//!
//! **Source:** ours. Gossiping within groups first and between them then is old (S. M. Hedetniemi, S. T. Hedetniemi, A. L. Liestman, A survey of gossiping and
//! broadcasting in communication networks, 1988).

mod asked;
mod formula;
mod groups;
mod openings;
mod paths;

use crate::images::{self, Wanted};
use asked::{Asked, Call, Moved};
use formula::{Stage, SumFormula};
use graph::automorphisms::{Automorphism, Group};
use graph::distances::within_slack;
use graph::sat::Answer;
use kernel::{Message, Op, Problem, Schedule, Semantics, Transfer, verify};
use openings::{Opening, in_groups, in_pairs};
use run::{Budget, Method, Run};
use search::emit::{self, Sent};
use search::resources::Resources;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The method.
pub struct SlotGroups;

/// Some of the terminals: a bit each, in their order.
type Set = u64;

/// Most terminals: of more the formulas are too large for what solvers do within seconds (nothing found on 64).
const MOST_TERMINALS: usize = 32;

/// Most variables of a formula.
const MOST_VARIABLES: u32 = 1 << 17;

/// Most slots of all resources together.
const MOST_SLOTS: usize = 1 << 16;

/// Ticks that a byte of proof takes the solver, and a variable with its rules.
const TICKS_A_BYTE: u64 = 20;
const TICKS_A_VARIABLE: u64 = 50;

/// Ticks that the solver gets at least for a variable, while there are many left.
const TICKS_A_VARIABLE_SOLVED: u64 = 1000;

/// Groups of automorphisms that are tried, and most entries of their images.
const WANTED: Wanted = Wanted { draws: 40, entries: 1 << 20, groups: 12, of_an_order: 4, is_kinds_first: false };
const MOST_IMAGES: usize = 1 << 20;

/// Of the ticks that are left, one in so many is for a number of slots: at first, and in the end.
const SHARES: [u64; 2] = [4, 1];

/// Slots that are tried where no schedule is known: so many times the goal, and some more.
const LONGEST: u64 = 2;
const MORE: u64 = 4;

impl Method for SlotGroups {
    fn name(&self) -> &'static str {
        "slot-groups"
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier under time-division: sums of groups or pairs, then each node takes those of others; by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "ours; S. M. Hedetniemi, S. T. Hedetniemi, A. L. Liestman, A survey of gossiping and broadcasting, 1988; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, terminals) = (problem.collective(), problem.network().terminals());
        let all = |m: Message| {
            collective.contributors(m).len() == terminals.len() && collective.destinations(m).len() == terminals.len()
        };
        collective.semantics() == Semantics::Reduce
            && problem.model().is_slotted()
            && (4..=MOST_TERMINALS).contains(&terminals.len())
            && collective.message_count() == 1
            && collective.messages().all(all)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut left = run.settings.ticks;
        let mut random = run.settings.seed.generator(left.max(1).ilog2().into());
        let slots = problem.model().switching.slots()?;
        let resources = Resources::new(problem, &mut Budget::new(run, u64::MAX))?;
        let goal = u32::try_from(run.goal(floor).max(1)).ok()?;
        let longest = run.goal(floor).saturating_mul(LONGEST).saturating_add(MORE);
        let mut known = u32::try_from(run.incumbent.map_or(longest, |known| known.steps() as u64)).ok()?;
        if resources.capacity.len().saturating_mul(known as usize) > MOST_SLOTS || goal >= known {
            return None;
        }
        let group = Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / 8));
        let groups = images::groups(problem, &group, &WANTED, MOST_IMAGES, &mut random, run);
        let moves = groups.filter_map(|images| {
            let moved = images.into_iter().map(|image| Automorphism { nodes: image.nodes, channels: image.channels });
            moved.map(|moved| Moved::new(&resources, moved)).collect::<Option<Vec<Moved>>>()
        });
        let asked = Asked::new(&resources, slots, run, moves.collect())?;
        let mut openings: Vec<Opening> = Vec::new();
        let nodes = asked.terminals().count();
        for count in 2..=nodes / 2 {
            if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, left) {
                break;
            }
            openings.extend(in_groups(&asked, count, known - 1, &mut random, &mut left));
        }
        let is_limited = resources.send.iter().chain(&resources.receive).any(Option::is_some);
        for exchanges in (1..Set::BITS).take_while(|times| is_limited && nodes.is_multiple_of(1 << times)) {
            if exchanges.saturating_mul(slots.hop.saturating_add(1)) < known && !run.stopped() {
                // Those that automorphisms leave unchanged, and any.
                let (moves, none) = asked.moves.split_at(asked.moves.len() - 1);
                for moves in [moves, moves, moves, none].into_iter().filter(|moves| !moves.is_empty()) {
                    openings.extend(in_pairs(&asked, exchanges, moves, &mut random, &mut left));
                }
            }
        }
        openings.sort_by_key(|opening| (Reverse(opening.images.len()), opening.least(&asked)));
        let mut search = Search { asked: &asked, openings: &openings, left, impossible: BTreeSet::new() };
        // Ever shorter periods, in strides twice as long each time; what is one slot shorter than the best gets most of the ticks.
        let (mut best, mut stride) = (None, 1);
        for share in SHARES {
            while goal < known && !run.stopped() && !run.is_spent(1000 * TICKS_A_BYTE, search.left) {
                let period = known.saturating_sub(stride).max(goal);
                run.progress.working(self.name(), period.into(), 0);
                match search.look(period, search.left / share) {
                    Some(found) => {
                        run.progress.found(self.name(), period.into());
                        (best, known, stride) = (Some(found), period, 2 * stride);
                    }
                    None if stride > 1 => stride = 1,
                    None => break,
                }
            }
        }
        // Others are drawn next time.
        if goal < known {
            run.note_wants_more();
        }
        best
    }
}

/// A search for periods, and what it has learned.
struct Search<'a> {
    asked: &'a Asked<'a>,
    openings: &'a [Opening],
    left: u64,
    /// Periods and openings that nothing completes.
    impossible: BTreeSet<(u32, usize)>,
}

impl Search<'_> {
    /// A schedule of a period, for so many ticks.
    fn look(&mut self, period: u32, ticks: u64) -> Option<Schedule> {
        let &Asked { resources, run, .. } = self.asked;
        let problem = resources.problem;
        let fits = |(_, opening): &(usize, &Opening)| opening.least(self.asked) <= period;
        let fitting: Vec<(usize, &Opening)> = self.openings.iter().enumerate().filter(fits).collect();
        let (last, count) = (self.left.saturating_sub(ticks), fitting.len() as u64);
        for (done, (at, opening)) in (0..).zip(fitting) {
            let most = self.left.saturating_sub(last) / (count - done);
            if run.stopped() || self.left == 0 || self.impossible.contains(&(period, at)) {
                continue;
            }
            let needs: Vec<Set> = opening.holds.iter().map(|holds| self.asked.lacks(*holds)).collect();
            let stage = Stage {
                period,
                begins: opening.ready..period,
                before: None,
                holds: &opening.holds,
                needs: &needs,
                room: &self.asked.room(&opening.calls, period),
                images: &opening.images,
            };
            let Some(mut formula) = SumFormula::new(self.asked, &stage) else { continue };
            // What is soon decided is decided.
            let most = most.max(u64::from(formula.rules.variables()) * TICKS_A_VARIABLE_SOLVED).min(self.left / 4);
            match formula.calls(most, &mut self.left, |from| opening.heard[from.index()] + 1) {
                Answer::Solution(sums) => {
                    let calls: Vec<Call> = opening.calls.iter().cloned().chain(sums).collect();
                    let found = schedule(resources, &calls, period);
                    if within_slack(problem, &found, run.settings.slack, &mut Budget::new(run, u64::MAX))
                        && verify(problem, found.clone()).is_ok()
                    {
                        return Some(found);
                    }
                }
                Answer::None(()) => drop(self.impossible.insert((period, at))),
                Answer::Open => {}
            }
        }
        None
    }
}

/// The calls as a schedule.
fn schedule(resources: &Resources<'_>, calls: &[Call], period: u32) -> Schedule {
    let sent = calls.iter().enumerate().map(|(at, call)| Sent {
        step: call.slot,
        message: Message::new(at),
        path: call.path.clone(),
    });
    let raw = emit::schedule(resources, period, sent.collect());
    let mut schedule = Schedule::new();
    for step in raw.steps() {
        schedule.begin_step();
        for transfer in step {
            let number = transfer.messages.first().map_or(0, |number| number.index());
            let partials: Vec<u32> = (0..calls[number].partials).collect();
            schedule.push(Transfer {
                messages: &[Message(0)],
                path: transfer.path,
                op: Op::Reduce,
                partials: &partials,
            });
        }
    }
    schedule
}
