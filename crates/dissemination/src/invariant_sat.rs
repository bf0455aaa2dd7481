//! **What:** the method `invariant-sat`: schedules that are their own images under automorphisms of the network, by a satisfiability solver.
//!
//! **Method.** The formula of [`search::exact_sat`] is written for one of the nodes, or messages, that a group of automorphisms moves to each other, and what it
//! does is done by its images. So the formula is as many times smaller, with far fewer schedules to look through, and among those of collectives in which all
//! nodes do alike there is often a shortest one. Where messages have several chunks, automorphisms may move chunks on. Groups are drawn at random, of
//! one or two generators; the largest are tried first.
//!
//! **When it loses.** Where no shortest schedule is symmetric, on networks without such automorphisms, and for collectives with a root.
//!
//! **Source:** ours; the use of symmetry follows the translated trees of Cayley networks.

use crate::images::{self, Wanted};
use graph::automorphisms::Group;
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::formula::{Cnf, Formula, Image};
use kernel::{Problem, Schedule, verify};
use run::{Budget, Method, Run};
use search::exact_sat;

/// The method.
pub struct InvariantSat;

/// Groups that are tried for a number of steps.
const GROUPS: Wanted = Wanted { draws: 60, entries: usize::MAX, groups: 12, of_an_order: 2, is_kinds_first: false };

/// Those of messages in several chunks, whose groups differ also in how they move chunks, where there are ticks for many: most are refuted with few.
const GROUPS_OF_CHUNKS: Wanted =
    Wanted { draws: 120, entries: 1 << 23, groups: 24, of_an_order: 4, is_kinds_first: true };

/// Most nodes of a network of which whole groups are listed.
const MOST_NODES: usize = 256;

/// Most literals of a formula, and entries of all images of nodes, channels and messages.
const LARGEST: usize = 500_000;
const MOST_IMAGES: usize = 1 << 24;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 10;

/// Ticks that a literal takes until the solver has it.
const TICKS_A_LITERAL: u64 = 10;

/// Ticks that the solver gets at least for a literal of a formula of several chunks, and where there are ticks for many groups.
const TICKS_A_LITERAL_SOLVED: u64 = 25;
const MANY_TICKS_A_LITERAL_SOLVED: u64 = 50;

/// Ticks for every chunk, terminal, channel and step that suffice for many groups.
const TICKS_FOR_MANY_GROUPS: u64 = 128;

impl Method for InvariantSat {
    fn name(&self) -> &'static str {
        "invariant-sat"
    }

    fn about(&self) -> &'static str {
        "small problems in which all nodes act alike: schedules that automorphisms leave unchanged, by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "ours; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.collective().root().is_none()
            && problem.network().node_count() <= MOST_NODES
            && exact_sat::is_small(problem, LARGEST * problem.network().terminals().len())
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let left = run.settings.ticks;
        let group = Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / 8));
        // Other groups in each round.
        let mut random = run.settings.seed.generator(left.ilog2().into());
        let goal = run.goal(floor);
        let (wanted, ticks_a_literal) = match (is_in_chunks(problem), left >= ticks_for_many_groups(problem, goal)) {
            (false, _) => (&GROUPS, 0),
            (true, false) => (&GROUPS, TICKS_A_LITERAL_SOLVED),
            (true, true) => (&GROUPS_OF_CHUNKS, MANY_TICKS_A_LITERAL_SOLVED),
        };
        let groups: Vec<Vec<Image>> = images::groups(problem, &group, wanted, MOST_IMAGES, &mut random, run).collect();
        let known = run.incumbent.map(|known| known.steps() as u64);
        let mut search = Search { problem, groups: &groups, ticks_a_literal, left, run };
        let (mut least, mut most, mut best) = (goal, known, None);
        // By how many steps less than the best schedule the next may have; none once a single one less was not found.
        let mut stride = Some(1);
        let mut tries = 0;
        // Of several chunks, bounds are mostly met.
        let parts = if is_in_chunks(problem) { 2 } else { 4 };
        // The goal and the next number of steps, for few steps may be easier to find; then, in turns, from the best schedule down, in strides twice as
        // long each time, and on from below.
        while most.is_none_or(|most| least < most) {
            let below_best = most
                .zip(stride)
                .filter(|_| tries > 1 && tries % 2 == 0)
                .map(|(most, stride)| most.saturating_sub(stride).max(least));
            let steps = below_best.unwrap_or(least);
            let is_last = most == Some(least + 1);
            match search.schedule(steps, if is_last { 1 } else { parts }) {
                Ok(found) => {
                    (most, best) = (Some(steps), Some(found));
                    stride = stride.map(|stride| 2 * stride);
                }
                Err(Missing::NotFound) if below_best.is_some() => {
                    stride = stride.filter(|stride| *stride > 1).map(|_| 1)
                }
                Err(Missing::NotFound) => least = steps + 1,
                Err(Missing::Over) => break,
            }
            tries += 1;
        }
        best
    }
}

/// Why there is no schedule of a number of steps.
enum Missing {
    /// None was found.
    NotFound,
    /// It is time to stop, or there is nothing to try.
    Over,
}

/// What is looked for, and what is left to look for it.
struct Search<'a> {
    problem: &'a Problem,
    groups: &'a [Vec<Image>],
    /// That the solver gets at least, while they last.
    ticks_a_literal: u64,
    left: u64,
    run: &'a Run<'a>,
}

impl Search<'_> {
    /// A schedule of so many steps, for one part in so many of what is left.
    fn schedule(&mut self, steps: u64, parts: u64) -> Result<Schedule, Missing> {
        let (problem, run) = (self.problem, self.run);
        let mut missing = Missing::Over;
        for (done, images) in (0..).zip(self.groups) {
            // Where a formula is too large, so are those of the smaller groups.
            let formulas: Vec<_> = exact_sat::encode(problem, images, steps, LARGEST).take(ways(problem)).collect();
            if formulas.is_empty() {
                // At most so many were written until that was seen.
                self.left = self.left.saturating_sub(TICKS_A_LITERAL * LARGEST as u64);
                break;
            }
            for (at, formula) in (0..).zip(&formulas) {
                let literals: usize = formula.rules().iter().map(|rule| rule.literals.len()).sum();
                self.left = self.left.saturating_sub(literals as u64 * TICKS_A_LITERAL);
                if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, self.left) {
                    return Err(Missing::Over);
                }
                let tries = (self.groups.len() as u64 - done) * formulas.len() as u64 - at;
                let part = self.left / parts;
                // In much less time than it took to write a formula, a solver finds nothing.
                let least = literals as u64 * self.ticks_a_literal;
                if let Some(found) = self.solution(formula, steps, (part / tries).max(least).min(part)) {
                    run.progress.found(InvariantSat.name(), steps);
                    return Ok(found);
                }
                missing = Missing::NotFound;
            }
        }
        Err(missing)
    }

    /// The schedule that a solver finds with so many ticks.
    fn solution(&mut self, formula: &Formula, steps: u64, ticks: u64) -> Option<Schedule> {
        let (problem, run) = (self.problem, self.run);
        run.progress.working(InvariantSat.name(), steps, 0);
        let (answer, spent) = decide(&Cnf::new(formula), ticks / TICKS_A_BYTE, run);
        self.left = self.left.saturating_sub(spent * TICKS_A_BYTE);
        let Answer::Solution(values) = answer else { return None };
        let found = exact_sat::solution(problem, formula, &values)?;
        // The formula knows nothing of slack.
        let useful = within_slack(problem, &found, run.settings.slack, &mut Budget::new(run, u64::MAX));
        (useful && verify(problem, found.clone()).is_ok()).then_some(found)
    }
}

/// Whether messages have several chunks.
fn is_in_chunks(problem: &Problem) -> bool {
    problem.collective().chunks() > 1
}

/// Ticks that suffice for many groups: as many as the formula of all has places, which that of a group has a part of.
fn ticks_for_many_groups(problem: &Problem, steps: u64) -> u64 {
    let (network, chunks) = (problem.network(), problem.collective().message_count() as u64);
    let places = (network.terminals().len() * network.channel_count()) as u64;
    places.saturating_mul(chunks).saturating_mul(steps).saturating_mul(TICKS_FOR_MANY_GROUPS)
}

/// How many kinds of formulas are tried for each group. Partial results of chunks that are kept apart make formulas many times larger, and chunks that share
/// the network seldom gain by them.
fn ways(problem: &Problem) -> usize {
    if is_in_chunks(problem) { 1 } else { usize::MAX }
}
