//! **What:** the method `slot-gossip`: under time-division, what everybody is to know of many, in calls that carry several messages or
//! contributions at once.
//!
//! **Theory.** Who has several contributions of a chunk [apart](kernel::Transfer::partials) may send any sum of them, so a call tells any part of what
//! its sender has received one by one, also where messages are not combined but merged. If each receiver takes every contribution from
//! one call only, none is counted twice.
//!
//! **Method.** In the first slots, in which nobody knows of others, neighbours tell each other ([`opening`]). From then on every node knows of
//! several, and tells others along paths of any length, round the period if it wraps; these calls are not passed on. Which of them take place, and on
//! which ways, is a formula for a satisfiability solver ([`formula`]), small since a call's content is known before.
//!
//! **Parameters.** Slots in which neighbours tell each other, and in which order where ports are few; channels that paths are longer than the
//! shortest; ticks, in bytes of the solver's proof.
//!
//! **When it loses.** On networks where what is known must pass more than two calls, and where formulas are too large.
//!
//! **Source:** ours. Gossiping in two phases is old (S. M. Hedetniemi, S. T. Hedetniemi, A. L. Liestman, A survey of gossiping and broadcasting in
//! communication networks, 1988).

mod formula;
mod opening;

use formula::CoverFormula;
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::{Message, Node, Problem, Schedule, Semantics, Slots, Transfer, verify};
use opening::Opening;
use run::{Budget, Method, Run};
use search::Contributions;
use search::emit::{self, Sent};
use search::resources::Resources;
use search::transform::spoken_in_slots;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The method.
pub struct SlotGossip;

/// Most terminals: formulas grow with the square of their number, and with channels and slots.
const MOST_TERMINALS: usize = 96;

/// The same where messages are only merged: of more, sums of groups are found sooner.
const MOST_TERMINALS_THAT_MERGE: usize = 32;

/// Most variables of a formula.
const MOST_VARIABLES: u32 = 1 << 18;

/// Most slots of all resources together, which are counted one by one.
const MOST_SLOTS: usize = 1 << 20;

/// Most slots in which neighbours tell each other of themselves.
const MOST_ROUNDS: u32 = 4;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 20;

/// Ticks that it takes to write down a variable and its rules.
const TICKS_A_VARIABLE: u64 = 50;

/// How much is spent on a number of slots: at first, and when all others had as much.
const LOOKS: [Look; 2] = [Look { share: 8, openings: 1 }, Look { share: 2, openings: usize::MAX }];

/// Slots that are tried where no schedule is known: so many times the goal, and some more.
const LONGEST: u64 = 4;
const MORE: u64 = 8;

/// Orders in which neighbours tell each other where ports are few, and how many of the best are asked about.
const ORDERS: usize = 64;
const MOST_OPENINGS: usize = 3;

/// What the node at the beginning of a path tells the one at its end.
#[derive(Clone, Debug)]
struct Call {
    to: Node,
    /// The slot in which it begins.
    slot: u32,
    /// The lanes it takes.
    path: Vec<u32>,
    /// Of whom it tells.
    of: Vec<Node>,
}

/// What is asked for, whatever the period.
struct Asked<'a> {
    resources: &'a Resources<'a>,
    needs: &'a Needs,
    slots: Slots,
    run: &'a Run<'a>,
}

/// Who must hear of whom.
struct Needs {
    /// Of each node, whether it has something to tell.
    tells: Vec<bool>,
    /// Of each node, those that it must hear of, ascending.
    of: Vec<Vec<Node>>,
}

impl Needs {
    fn new(problem: &Problem) -> Self {
        let (collective, nodes) = (problem.collective(), problem.network().node_count());
        let mut needs = Needs { tells: vec![false; nodes], of: vec![Vec::new(); nodes] };
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                needs.tells[from.index()] = true;
                let others = collective.destinations(message).iter().filter(|to| **to != from);
                others.for_each(|to| needs.of[to.index()].push(from));
            }
        }
        for list in &mut needs.of {
            list.sort_unstable();
            list.dedup();
        }
        needs
    }
}

impl Method for SlotGossip {
    fn name(&self) -> &'static str {
        "slot-gossip"
    }

    fn about(&self) -> &'static str {
        "time-division: neighbours tell each other, then all tell what they know along paths that a satisfiability solver chooses"
    }

    fn source(&self) -> &'static str {
        "ours; S. M. Hedetniemi, S. T. Hedetniemi, A. L. Liestman, A survey of gossiping and broadcasting, 1988; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, model) = (problem.collective(), problem.model());
        let several = || collective.messages().any(|m| collective.destinations(m).len() > 1);
        let fits = match collective.semantics() {
            Semantics::Copy => model.combining && collective.message_count() > 1,
            Semantics::Reduce => collective.message_count() == 1 && several(),
        };
        let most = if model.combining { MOST_TERMINALS } else { MOST_TERMINALS_THAT_MERGE };
        model.is_slotted() && problem.network().terminals().len() <= most && fits
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let slots = problem.model().switching.slots()?;
        let resources = Resources::new(problem, &mut Budget::new(run, u64::MAX))?;
        let needs = Needs::new(problem);
        let asked = Asked { resources: &resources, needs: &needs, slots, run };
        let goal = run.goal(floor).max(1);
        let known =
            run.incumbent.map_or(goal.saturating_mul(LONGEST).saturating_add(MORE), |known| known.steps() as u64);
        let mut search = Search { asked: &asked, left: run.settings.ticks, impossible: BTreeSet::new() };
        // Few ports are the reason of a count, which takes a solver long; other reasons it finds at once.
        let halves = is_limited(&resources);
        for look in LOOKS {
            let (mut least, mut most) = (goal, known);
            while least < most && !run.stopped() {
                let steps = if halves { least + (most - least) / 2 } else { least };
                run.progress.working(self.name(), steps, 0);
                match search.look(u32::try_from(steps).ok()?, look) {
                    Looked::Found(found) => return Some(*found),
                    Looked::Nothing => least = steps + 1,
                    Looked::TooLarge => most = steps,
                }
                if run.is_spent(1000 * TICKS_A_BYTE, search.left) {
                    return None;
                }
            }
        }
        None
    }
}

/// How long a number of slots is looked at.
#[derive(Clone, Copy)]
struct Look {
    /// Of the ticks, one in so many.
    share: u64,
    /// The most openings.
    openings: usize,
}

/// What a look at a number of slots gave.
enum Looked {
    Found(Box<Schedule>),
    Nothing,
    /// Formulas of so many slots are too large.
    TooLarge,
}

/// A search for periods, and what it has learned.
struct Search<'a> {
    asked: &'a Asked<'a>,
    left: u64,
    /// Periods and openings that no calls complete.
    impossible: BTreeSet<(u32, usize)>,
}

impl Search<'_> {
    /// A schedule of a period.
    fn look(&mut self, period: u32, look: Look) -> Looked {
        let &Asked { resources, run, .. } = self.asked;
        let problem = resources.problem;
        if resources.capacity.len().saturating_mul(period as usize) > MOST_SLOTS {
            return Looked::TooLarge;
        }
        let openings = openings(self.asked, period);
        let most = run.settings.ticks / look.share / openings.len().min(look.openings).max(1) as u64;
        for (at, opening) in openings.iter().enumerate().take(look.openings) {
            if self.impossible.contains(&(period, at)) {
                continue;
            }
            let Some(formula) = CoverFormula::new(self.asked, opening) else { return Looked::TooLarge };
            let (answer, bytes) = decide(&formula.rules.cnf(), most.min(self.left) / TICKS_A_BYTE, run);
            let written = u64::from(formula.rules.variables()) * TICKS_A_VARIABLE;
            self.left = self.left.saturating_sub(bytes * TICKS_A_BYTE + written);
            match answer {
                Answer::Solution(values) => {
                    let calls = opening.calls.iter().cloned().chain(formula.decode(resources, &values));
                    let found = schedule(resources, calls, period);
                    // The formula does not know that a path crosses no channel twice.
                    if within_slack(problem, &found, run.settings.slack, &mut Budget::new(run, u64::MAX))
                        && verify(problem, found.clone()).is_ok()
                    {
                        return Looked::Found(Box::new(found));
                    }
                }
                Answer::None(()) => drop(self.impossible.insert((period, at))),
                Answer::Open => {}
            }
            if run.stopped() || self.left == 0 {
                break;
            }
        }
        Looked::Nothing
    }
}

/// Whether ports and not channels alone limit what nodes send and receive.
fn is_limited(resources: &Resources<'_>) -> bool {
    resources.send.iter().chain(&resources.receive).any(Option::is_some)
}

/// Ways to begin a period that differ: of many orders for each number of slots, those with the most calls.
fn openings(asked: &Asked<'_>, period: u32) -> Vec<Opening> {
    let &Asked { resources, slots, run, .. } = asked;
    let limited = is_limited(resources);
    let mut all: Vec<Opening> = Vec::new();
    for rounds in 1..=slots.hop.saturating_add(1).min(period).min(MOST_ROUNDS) {
        let mut random = run.settings.seed.generator(u64::from(rounds));
        let orders = if limited { ORDERS } else { 1 };
        let mut tried: Vec<Opening> = (0..orders).map(|_| Opening::new(asked, period, rounds, &mut random)).collect();
        tried.sort_by_key(|opening| Reverse(opening.calls.len()));
        tried.truncate(MOST_OPENINGS);
        // Where ports are not limited, all that neighbours can tell is told in the first slot.
        if limited || all.iter().all(|other| other.calls.len() < tried[0].calls.len()) {
            all.extend(tried);
        }
    }
    all.sort_by_key(|opening| Reverse(opening.calls.len()));
    all
}

/// The calls as a schedule of the problem.
fn schedule(resources: &Resources<'_>, calls: impl Iterator<Item = Call>, period: u32) -> Schedule {
    let calls: Vec<Call> = calls.collect();
    let sent = calls.iter().enumerate().map(|(at, call)| Sent {
        step: call.slot,
        message: Message::new(at),
        path: call.path.clone(),
    });
    let raw = emit::schedule(resources, period, sent.collect());
    let problem = resources.problem;
    let hop = problem.model().switching.slots().map_or(1, |slots| slots.hop);
    match problem.collective().semantics() {
        Semantics::Copy => spoken_in_slots(problem, &raw, hop),
        Semantics::Reduce => reduced(problem, &calls, &raw),
    }
}

/// The schedule of one chunk whose transfers are numbered calls: each carries contributions.
fn reduced(problem: &Problem, calls: &[Call], raw: &Schedule) -> Schedule {
    let Some(contributions) = Contributions::of(problem.collective()) else { return Schedule::new() };
    let copies = &contributions.copies;
    let share_of: HashMap<Node, Message> = copies.messages().map(|share| (copies.origin(share), share)).collect();
    let mut told = Schedule::new();
    for step in raw.steps() {
        told.begin_step();
        for transfer in step {
            let call = transfer.messages.first().map(|number| &calls[number.index()]);
            let of = call.into_iter().flat_map(|call| call.of.iter().filter(|of| **of != call.to));
            let shares: Vec<Message> = of.filter_map(|of| share_of.get(of)).copied().collect();
            told.push(Transfer::new(&shares, transfer.path));
        }
    }
    contributions.merged(problem, &told)
}
