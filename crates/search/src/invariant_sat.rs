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
use kernel::formula::Cnf;
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

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 20;

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
            && exact_sat::is_small(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut left = run.settings.ticks;
        let group = Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / 8));
        let mut random = run.settings.seed.generator(0);
        let groups = groups(&group, problem, &mut random, run);
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        for steps in run.goal(floor)..known {
            let formulas = exact_sat::encode(problem, steps);
            let tries = (groups.len() * formulas.len()) as u64;
            if tries == 0 {
                return None;
            }
            for (done, (generators, formula)) in
                (0..).zip(groups.iter().flat_map(|g| formulas.iter().map(move |f| (g, f))))
            {
                let mut formula = formula.clone();
                if !generators.iter().all(|moved| formula.fold(problem, &moved.nodes, &moved.channels)) {
                    continue;
                }
                run.progress.working(self.name(), steps, 0);
                // Half of what is left for all that is tried of this number of steps; the last number gets all.
                let share = if steps + 1 == known { left } else { left / 2 } / (tries - done);
                let (answer, spent) = decide(&Cnf::new(&formula), share / TICKS_A_BYTE, run);
                left = left.saturating_sub(spent * TICKS_A_BYTE);
                let found = match answer {
                    Answer::Solution(values) => exact_sat::solution(problem, &formula, &values),
                    _ => None,
                };
                let slack = run.settings.slack;
                let useful = |found: &Schedule| within_slack(problem, found, slack, &mut Budget::new(run, u64::MAX));
                if let Some(found) = found.filter(useful).filter(|found| verify(problem, found.clone()).is_ok()) {
                    run.progress.found(self.name(), steps);
                    return Some(found);
                }
                if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, left) {
                    return None;
                }
            }
        }
        None
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
