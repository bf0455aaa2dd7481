//! **What:** the method `tree-sat`: allreduce and barrier under store-and-forward, each chunk merged up a tree and copied down another, where a satisfiability
//! solver chooses all trees and all steps at once.
//!
//! **Facts.** Among schedules with the fewest transfers, 2(n − 1) for a chunk of n nodes, merging and copying follow one another: n − 1 transfers lead to the first node that has all,
//! and every other node receives once more in their last step or later. So nothing is lost by trees to one root, or to two that exchange their sums,
//! where ports or channels leave room for few other transfers.
//!
//! **Method.** "Trees for all chunks within so many steps exist" is a formula ([`formula`]) with a variable for each chunk, channel, step and direction. It does not
//! say whose contributions a node has, for which formulas of schedules need the square of the nodes. Numbers of steps between floor and best schedule are halved.
//! By turns and for ever longer, all chunks are to come together in the middle of the time, half of them perhaps as images of the others under an automorphism, or in steps that are drawn, or nothing is laid down ([`plan`]). On a mesh of 3 × 3 with one
//! port, 4 chunks within 9 steps took MiniSat some 200 conflicts where they are to meet in the middle, and 20,000 to 40,000 where they are free.
//!
//! **Parameters.** Ticks, in bytes of the solver's proof.
//!
//! **When it loses.** Where more than two nodes must have all at the same time, as in recursive doubling (few chunks), and where formulas are too large.
//!
//! **Source:** ours; schedules as satisfiability: Z. Cai et al., Synthesizing optimal collective algorithms, 2021.

mod chunk;
mod formula;
mod plan;

use formula::TreeFormula;
use graph::automorphisms::Group;
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::{Problem, Schedule, Semantics, Switching, verify};
use plan::{Kind, Plan};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use search::resources::Resources;

/// The method.
pub struct TreeSat;

const NAME: &str = "tree-sat";

/// Most variables of a formula.
const MOST_VARIABLES: u32 = 1 << 17;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 2;

/// Ticks that it takes to write down a variable and its rules, and to load them.
const TICKS_A_VARIABLE: u64 = 200;

/// A budget below which nothing is tried.
const LEAST: u64 = 1000 * TICKS_A_BYTE;

/// Of the ticks for a number of steps, the part that the first plan of a kind gets; the next get twice as much, and so on.
const PARTS: u64 = 16;

/// The part of a run's ticks that it takes: it soon finds what it finds.
const SHARE: u64 = 2;

/// Of its ticks, the part that the network's automorphisms may take.
const SHARE_OF_GROUP: u64 = 8;

/// What is laid down, by turns.
const KINDS: [Kind; 7] =
    [Kind::Images, Kind::Images, Kind::Middle, Kind::Images, Kind::Spaced, Kind::Drawn, Kind::Free];

/// Formulas of so few steps, at least, are not too large.
const LEAST_STEPS: usize = 4;

impl Method for TreeSat {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier under store-and-forward: each chunk up a tree and down another, all chosen at once by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "ours; schedules as satisfiability: Z. Cai et al., Synthesizing optimal collective algorithms, 2021; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let several = collective.messages().all(|m| collective.destinations(m).len() > 1);
        let a_step = collective.message_count().saturating_mul(2 * network.channel_count() + 2 * network.node_count());
        collective.semantics() == Semantics::Reduce
            && several
            && problem.model().switching == Switching::StoreAndForward
            && a_step <= MOST_VARIABLES as usize / LEAST_STEPS
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let resources = Resources::new(problem, &mut Budget::new(run, u64::MAX))?;
        let mut left = run.settings.ticks / SHARE;
        let group = plan::are_alike(problem)
            .then(|| Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / SHARE_OF_GROUP)));
        let mut search = Search { resources, group, random: run.settings.seed.generator(0), run };
        let mut least = run.goal(floor).max(2);
        let transfers = problem.collective().message_count() + problem.network().terminals().len();
        let longest = least.saturating_add(transfers as u64).saturating_mul(2);
        let mut most = run.incumbent.map_or(longest, |known| known.steps() as u64);
        let mut best = None;
        while least < most && !run.stopped() {
            let steps = most - (most - least).div_ceil(2);
            run.progress.working(NAME, steps, 0);
            let (looked, spent) = search.look(usize::try_from(steps).ok()?, left / 2);
            left = left.saturating_sub(spent);
            match looked {
                Looked::Found(found) => {
                    run.progress.found(NAME, steps);
                    (best, most) = (Some(*found), steps);
                }
                Looked::Nothing => least = steps + 1,
                Looked::TooLarge => most = steps,
            }
            if run.is_spent(LEAST, left) {
                break;
            }
        }
        best
    }
}

/// What a look at a number of steps gave.
enum Looked {
    Found(Box<Schedule>),
    Nothing,
    /// Formulas of so many steps are too large.
    TooLarge,
}

/// A search, whatever the number of steps.
struct Search<'a> {
    resources: Resources<'a>,
    /// Of the network, where chunks may be images of each other.
    group: Option<Group>,
    random: Pcg64Mcg,
    run: &'a Run<'a>,
}

impl Search<'_> {
    /// Trees within a number of steps, and the ticks that were spent on them.
    fn look(&mut self, steps: usize, ticks: u64) -> (Looked, u64) {
        let (mut left, mut part) = (ticks, ticks / PARTS);
        while !self.run.is_spent(LEAST, left) && !self.run.stopped() {
            for kind in KINDS {
                // Twice as much for the solver as for writing and loading what it is to solve.
                let least = self.variables(kind, steps).saturating_mul(3 * TICKS_A_VARIABLE);
                let (looked, spent) = self.look_at(kind, steps, part.max(least).min(left));
                left = left.saturating_sub(spent);
                if let Some(looked) = looked {
                    return (looked, ticks - left);
                }
            }
            part = part.saturating_mul(2);
        }
        (Looked::Nothing, ticks - left)
    }

    /// A plan of a kind; and the ticks that were spent.
    fn look_at(&mut self, kind: Kind, steps: usize, ticks: u64) -> (Option<Looked>, u64) {
        let problem = self.resources.problem;
        let mut plan = Plan::draw(kind, self.chunks(kind), steps, &mut self.random);
        if kind == Kind::Images {
            let group = self.group.as_ref();
            plan.image = group.and_then(|group| plan::image(&self.resources, group, &mut self.random));
            if plan.image.is_none() {
                return (None, ticks.min(LEAST));
            }
        }
        // What would only be loaded is not written down.
        let writing = self.variables(kind, steps) * TICKS_A_VARIABLE;
        let Some(mut left) = ticks.checked_sub(writing).filter(|left| *left >= writing) else { return (None, ticks) };
        let Some(formula) = TreeFormula::new(&self.resources, &plan, &mut self.random) else {
            return ((kind == Kind::Free).then_some(Looked::TooLarge), writing);
        };
        let (answer, bytes) = decide(&formula.rules.cnf(), left / TICKS_A_BYTE, self.run);
        left = left.saturating_sub(bytes * TICKS_A_BYTE);
        let looked = match answer {
            Answer::Solution(values) => {
                let found = formula.decode(&values);
                let slack = self.run.settings.slack;
                let is_useful = within_slack(problem, &found, slack, &mut Budget::new(self.run, u64::MAX));
                (is_useful && verify(problem, found.clone()).is_ok()).then(|| Looked::Found(Box::new(found)))
            }
            // No trees whatever.
            Answer::None(()) if kind == Kind::Free => Some(Looked::Nothing),
            Answer::None(()) | Answer::Open => None,
        };
        (looked, ticks - left)
    }

    /// About how many variables a formula has.
    fn variables(&self, kind: Kind, steps: usize) -> u64 {
        let problem = self.resources.problem;
        let (lanes, nodes) = (self.resources.ends.len(), problem.network().terminals().len());
        let sends = if kind == Kind::Free { 2 * lanes + lanes / 2 } else { lanes };
        (self.chunks(kind) as u64).saturating_mul((steps * (sends + 3 * nodes)) as u64)
    }

    /// How many chunks a formula is about.
    fn chunks(&self, kind: Kind) -> usize {
        let all = self.resources.problem.collective().message_count();
        if kind == Kind::Images { all / 2 } else { all }
    }
}
