//! **What:** the method `invariant-sat`: schedules that are their own images under automorphisms of the network, by a satisfiability solver.
//!
//! **Method.** To the formula of [`crate::exact_sat`] is added that what one node does is done by its images under a group of
//! automorphisms, which leave no node in place. So there are far fewer schedules to look through, and among those of collectives in which all nodes do
//! alike there is often a shortest one. Groups are drawn at random, of one or two generators; the largest are tried first.
//!
//! **When it loses.** Where no shortest schedule is symmetric, on networks without such automorphisms, and for collectives with a root.
//!
//! **Source:** ours; the use of symmetry follows the translated trees of Cayley networks.

use crate::exact_sat;
use graph::automorphisms::{Automorphism, Group};
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::formula::{Cnf, Images};
use kernel::{Problem, Schedule, verify};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::collections::{BTreeMap, BTreeSet};

/// The method.
pub struct InvariantSat;

/// Automorphisms drawn, and the most groups that are tried for a number of steps, in all and of one order.
const DRAWS: usize = 60;
const MOST_GROUPS: usize = 6;
const MOST_OF_AN_ORDER: usize = 2;

/// Most nodes of a network of which whole groups are listed.
const MOST_NODES: usize = 256;

/// Most literals of a formula before it is folded.
const LARGEST: usize = 3_000_000;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 20;

/// Ticks that folding takes a literal.
const TICKS_A_LITERAL: u64 = 10;

impl Method for InvariantSat {
    fn name(&self) -> &'static str {
        "invariant-sat"
    }

    fn about(&self) -> &'static str {
        "small problems in which all nodes do alike: schedules that automorphisms leave as they are, by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "ours; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.collective().root().is_none()
            && problem.network().node_count() <= MOST_NODES
            && exact_sat::is_small(problem, LARGEST)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let left = run.settings.ticks;
        let group = Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / 8));
        let mut random = run.settings.seed.generator(0);
        let groups = groups(&group, problem, &mut random, run);
        let known = run.incumbent.map(|known| known.steps() as u64);
        let goal = run.goal(floor);
        let mut search = Search { problem, groups: &groups, left, run };
        // Half of what is left for each number of steps, but for the last one.
        let (mut least, mut most, mut best) = (goal, known, None);
        // The fewest steps first; then what is below the known ones is halved until none are found in fewer.
        while most.is_none_or(|most| least < most) {
            let steps = most.filter(|_| least > goal).map_or(least, |most| least.midpoint(most));
            let is_last = most == Some(least + 1);
            match search.schedule(steps, if is_last { 1 } else { 2 }) {
                Ok(found) => (most, best) = (Some(steps), Some(found)),
                Err(Missing::NotFound) => least = steps + 1,
                Err(Missing::Over) => break,
            }
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
    groups: &'a [Vec<Automorphism>],
    left: u64,
    run: &'a Run<'a>,
}

impl Search<'_> {
    /// A schedule of so many steps, for one part in so many of what is left.
    fn schedule(&mut self, steps: u64, parts: u64) -> Result<Schedule, Missing> {
        let (problem, run) = (self.problem, self.run);
        let formulas = exact_sat::encode(problem, steps, LARGEST);
        let tries = (self.groups.len() * formulas.len()) as u64;
        if tries == 0 {
            return Err(Missing::Over);
        }
        let all = self.groups.iter().flat_map(|generators| formulas.iter().map(move |formula| (generators, formula)));
        for (done, (generators, formula)) in (0..).zip(all) {
            let images: Vec<Images<'_>> =
                generators.iter().map(|moved| Images { nodes: &moved.nodes, channels: &moved.channels }).collect();
            let literals: usize = formula.rules().iter().map(|rule| rule.literals.len()).sum();
            self.left = self.left.saturating_sub(literals as u64 * TICKS_A_LITERAL);
            if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, self.left) {
                return Err(Missing::Over);
            }
            let Some(formula) = formula.folded(problem, &images) else { continue };
            run.progress.working(InvariantSat.name(), steps, 0);
            let share = self.left / parts / (tries - done);
            let (answer, spent) = decide(&Cnf::new(&formula), share / TICKS_A_BYTE, run);
            self.left = self.left.saturating_sub(spent * TICKS_A_BYTE);
            let found = match answer {
                Answer::Solution(values) => exact_sat::solution(problem, &formula, &values),
                _ => None,
            };
            let slack = run.settings.slack;
            let useful = |found: &Schedule| within_slack(problem, found, slack, &mut Budget::new(run, u64::MAX));
            if let Some(found) = found.filter(useful).filter(|found| verify(problem, found.clone()).is_ok()) {
                run.progress.found(InvariantSat.name(), steps);
                return Ok(found);
            }
        }
        Err(Missing::NotFound)
    }
}

/// Generators of groups that leave no terminal in place, the largest first.
fn groups(group: &Group, problem: &Problem, random: &mut Pcg64Mcg, run: &Run<'_>) -> Vec<Vec<Automorphism>> {
    let mut found: BTreeMap<Vec<Vec<u32>>, Vec<Automorphism>> = BTreeMap::new();
    let mut cyclic: Vec<Automorphism> = Vec::new();
    for _ in 0..DRAWS {
        if run.stopped() {
            break;
        }
        let drawn = group.random(random);
        let Some(order) = drawn.order() else { continue };
        // A power of it may leave none in place where it does.
        let powers = (1..order).filter(|power| order % power == 0).map(|power| drawn.power(power));
        let free = |moved: Automorphism| Some((elements(problem, std::slice::from_ref(&moved))?, moved));
        let Some((elements_of_one, moved)) = powers.filter_map(free).next() else { continue };
        if found.insert(elements_of_one, vec![moved.clone()]).is_none() {
            for other in &cyclic {
                let pair = vec![other.clone(), moved.clone()];
                found.extend(elements(problem, &pair).map(|elements| (elements, pair)));
            }
            cyclic.push(moved);
        }
    }
    let mut found: Vec<_> = found.into_iter().map(|(elements, generators)| (elements.len(), generators)).collect();
    found.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
    // Few of each order, for the largest may leave too little choice.
    let mut of_order: BTreeMap<usize, usize> = BTreeMap::new();
    found.retain(|(order, _)| {
        let taken = of_order.entry(*order).or_insert(0);
        *taken += 1;
        *taken <= MOST_OF_AN_ORDER
    });
    found.into_iter().take(MOST_GROUPS).map(|(_, generators)| generators).collect()
}

/// The images of all nodes under each element of the group that is generated; none where another than the identity leaves a terminal in place.
fn elements(problem: &Problem, generators: &[Automorphism]) -> Option<Vec<Vec<u32>>> {
    let network = problem.network();
    let identity: Vec<u32> = network.nodes().map(|v| v.0).collect();
    let mut known = BTreeSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(element) = queue.pop() {
        for generator in generators {
            let next: Vec<u32> = element.iter().map(|v| generator.nodes[*v as usize]).collect();
            if known.contains(&next) {
                continue;
            }
            if network.terminals().iter().any(|v| next[v.index()] == v.0) {
                return None;
            }
            known.insert(next.clone());
            queue.push(next);
        }
    }
    Some(known.into_iter().collect())
}
