//! **What:** the method `group-sums`: allreduce and barrier of one chunk; sums of groups, then of groups of groups, until every node has that of all.
//!
//! **Facts.** Contributors are in groups, these in larger groups, and so on up to one. On each level every member of a group gets the sums of the
//! groups below that it is not in, from whichever node has them, over any others; or one member gets all contributions up a tree. Groups are
//! disjoint, so nothing is counted twice, and what comes stays [apart](kernel::Transfer::partials) to be sent on. With groups of two everywhere this is recursive doubling, with
//! a single group one-shot, with roots of one group a reduction and a broadcast.
//!
//! **Method.** [Nests](nests) of groups near each other are drawn, and those that take the fewest steps by distances and capacities are tried first. The sums of a
//! level are [inserted](crate::CopyInsertion) as copies that several nodes have at the beginning, in as few steps as are found, beside what is on its way.
//! Nests are also drawn so that [automorphisms](images) of the network move groups to groups, and then only one of the copies that these move to each other is inserted.
//!
//! **Parameters.** Nests that are drawn and tried; how soon a level is given up; ticks.
//!
//! **When it loses.** Where sums of different contributions at every node would do better, and on networks whose diameter is what counts.
//!
//! **Source:** ours in how levels are filled; hierarchical allreduce is folklore, gossiping in groups is old (S. M. Hedetniemi, S. T. Hedetniemi, A. L. Liestman, A survey of
//! gossiping and broadcasting in communication networks, 1988).

mod images;
mod nests;
mod stage;
mod write;

use crate::copy_insertion::{Patience, fewest};
use graph::distances::within_slack;
use kernel::{Node, Problem, Schedule, Semantics, Switching};
use nests::{Merging, Nest, Nests, Unit};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use stage::Stage;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use write::Sum;

/// The method.
pub struct GroupSums;

const NAME: &str = "group-sums";

/// Most contributors, each of which is asked how far it is from all nodes.
const MOST_MEMBERS: usize = 1 << 9;

/// Nests that are drawn at once, and most of them that are tried.
const DRAWS: usize = 96;
const TRIED: usize = 24;

/// How often groups of equal size are drawn for once that others are: each time other automorphisms may move them to each other.
const EVEN: usize = 3;

/// Of the ticks that are left, one in so many is for a nest at most, and for drawing them.
const SHARE: u64 = 2;
const SHARE_OF_DRAWS: u64 = 4;

/// The most ticks of a run, for each terminal and each other: on small networks it soon finds what it finds.
const A_PAIR: u64 = 6_000;

/// What is not soon found with some groups is looked for with others.
const PATIENCE: Patience = Patience { least: 300, a_copy: 3 };

impl Method for GroupSums {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier of one chunk: sums of groups, of groups of groups, and so on, inserted as copies"
    }

    fn source(&self) -> &'static str {
        "ours; hierarchical allreduce is folklore"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let is_of_all = |m| {
            let (members, ends) = (collective.contributors(m), collective.destinations(m));
            (2..=MOST_MEMBERS).contains(&members.len()) && ends == members
        };
        collective.semantics() == Semantics::Reduce
            && collective.message_count() == 1
            && collective.messages().all(is_of_all)
            && problem.model().switching != Switching::StoreAndForward
            && !problem.model().combining
            && problem.network().half_duplex().is_empty()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let pairs = (problem.network().terminals().len() as u64).pow(2);
        let budget = &mut Budget::new(run, run.settings.ticks.min(A_PAIR * pairs));
        let mut random =
            run.settings.seed.generator(0x65b5_0000 + u64::from(run.settings.ticks.checked_ilog2().unwrap_or(0)));
        let members = problem.collective().contributors(problem.collective().messages().next()?);
        let nests = Nests::new(problem, members, budget)?;
        let symmetries = crate::images::symmetries(problem, &mut random, run, budget);
        let goal = run.goal(floor);
        let mut known = run.incumbent.map(|known| known.steps() as u64);
        let mut best = None;
        while known.is_none_or(|known| known > goal) && !budget.is_over() {
            let shapes = nests.shapes(DRAWS, known, &mut random, budget);
            if shapes.is_empty() {
                break;
            }
            let mut drawn: Vec<Nest<'_>> = budget.within(budget.left() / SHARE_OF_DRAWS, |part| {
                let drawn = shapes.iter().flat_map(|shape| match shape.is_even(members.len()) {
                    true => vec![(shape, symmetries.len()); EVEN],
                    false => vec![(shape, 1)],
                });
                let drawn = drawn.map_while(|(shape, many)| {
                    let images = &symmetries[random.random_range(0..many)];
                    (!part.is_over()).then(|| nests.draw(shape, images, known, &mut random, part))
                });
                drawn.flatten().collect()
            });
            drawn.sort_by_key(|nest| (nest.likely, nest.filled, Reverse(nest.images.len())));
            for nest in drawn.iter().take(TRIED) {
                if known.is_some_and(|known| nest.least >= known) || budget.is_over() {
                    break;
                }
                run.progress.working(NAME, nest.least, 0);
                let attempt = Attempt { problem, alone: &nests.alone, nest, goal, known };
                let found = budget.within(budget.left() / SHARE, |part| attempt.schedule(&mut random, part));
                let found = found.filter(|found| within_slack(problem, found, run.settings.slack, budget));
                if let Some(found) = found {
                    known = Some(found.step_count() as u64);
                    run.progress.found(NAME, found.step_count() as u64);
                    best = Some(found);
                }
            }
        }
        if known.is_none_or(|known| known > goal) {
            run.note_wants_more();
        }
        best
    }
}

/// An attempt with certain groups.
struct Attempt<'a> {
    problem: &'a Problem,
    alone: &'a [Unit],
    nest: &'a Nest<'a>,
    goal: u64,
    known: Option<u64>,
}

impl Attempt<'_> {
    /// A schedule of fewer steps than known.
    fn schedule(&self, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let mut sums: Vec<Sum> = Vec::new();
        let mut known: BTreeMap<(usize, Node), u32> =
            self.alone.iter().enumerate().map(|(at, unit)| ((at, unit.members[0]), 0)).collect();
        let mut ready = 0;
        let mut rest: u64 = self.nest.levels.iter().map(|level| level.rounds).sum();
        for (at, level) in self.nest.levels.iter().enumerate() {
            rest -= level.rounds;
            let is_last = at + 1 == self.nest.levels.len();
            // Steps of later levels are left over; under time-division a level ends when what it sends arrives.
            let most = self.known.map(|known| known.saturating_sub(rest));
            let least = match (is_last, self.problem.model().switching.slots()) {
                (false, _) => ready + level.least,
                (true, None) => (ready + level.least).max(self.goal),
                (true, Some(_)) => (ready + level.rounds).max(self.nest.filled).max(self.goal),
            };
            let share = if is_last { budget.left() } else { budget.left() / 2 };
            let stage = Stage { attempt: self, at, level, is_last, sums: &sums, known: &known };
            let mut look = |steps: u64, part: &mut Budget<'_>| match level.merging {
                Merging::Everywhere => stage.everywhere(steps, random, part),
                Merging::AtRoots => stage.at_roots(steps, random, part),
            };
            let found = budget.within(share, |part| match most.filter(|_| is_last) {
                None => fewest(least, most, part, look),
                // What is hardly shorter than what is known tells soon whether the groups are any good.
                Some(most) if most > least => {
                    let found = look(most - 1, part)?;
                    fewest(least, Some(most - 1), part, look).or(Some((most - 1, found)))
                }
                Some(_) => None,
            });
            let (steps, found) = found?;
            ready = steps;
            sums.extend(found.sums);
            known = found.known;
        }
        Some(write::schedule(self.problem, self.nest, sums, usize::try_from(ready).ok()?))
    }
}
