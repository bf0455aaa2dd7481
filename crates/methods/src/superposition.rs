//! **What:** the method `superposition`: every chunk of a message takes the schedule of one chunk, moved by an automorphism of the
//! network and begun some steps later, so that all of them fit together.
//!
//! **Theory:** an automorphism that leaves the ends of a message where they are makes of each of its schedules another one. Recursive
//! doubling on a hypercube uses one dimension in a step; with the dimensions turned round it uses another, so as many chunks
//! as there are dimensions are done at once. Where nothing is turned, chunks follow each other as in a pipeline.
//!
//! **Method.** Short schedules of one chunk that use few channels; then chunk after chunk the first random automorphism and delay that is
//! free, with restarts, for fewer and fewer steps.
//!
//! **Loses** where chunks do best by different ways, and where a network has few automorphisms.
//!
//! **Source:** S. L. Johnsson, C.-T. Ho, Optimum broadcasting and personalized communication in hypercubes, 1989 (rotated trees).

use crate::nested::quick_best_but;
use crate::repetition::single;
use dissemination::Exchange;
use graph::automorphisms::{Automorphism, Group};
use graph::residual::Residual;
use kernel::{Channel, Message, Node, Problem, Schedule, Transfer};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run, Seed, Settings};
use std::ops::Range;

/// The method.
pub struct Superposition;

const NAME: &str = "superposition";

/// Automorphisms and delays tried for a chunk.
const TRIES: usize = 60;

/// Attempts at a number of steps with one schedule.
const ATTEMPTS: usize = 20;

impl Method for Superposition {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "one message in chunks: the schedule of a chunk, moved by automorphisms and delays until all fit together"
    }

    fn source(&self) -> &'static str {
        "S. L. Johnsson, C.-T. Ho, Optimum broadcasting and personalized communication in hypercubes, 1989"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, model) = (problem.collective(), problem.model());
        collective.chunks() > 1 && collective.message_count() == collective.chunks() as usize && !model.is_slotted()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let (one, goal) = (single(problem)?, run.goal(floor).max(1) as usize);
        let mut budget = Budget::new(run, run.settings.ticks);
        let least = bounds::simplest(&one, run).steps;
        let group = Group::with_arcs(problem.network(), &[], &mut budget.part(run.settings.ticks / 4));
        let ends = Ends::of(problem);
        let mut limit = run.incumbent.map_or(usize::MAX, |known| known.steps().saturating_sub(1));
        let mut best = None;
        let mut number = 0;
        while limit >= goal && budget.spend(1000 + run.settings.ticks / 4) {
            let Some(pattern) = pattern(&one, least, number, run) else { break };
            let mut random = run.settings.seed.generator(number);
            number += 1;
            // So many steps at least, and no more than one chunk after the other takes.
            let chunks = problem.collective().chunks() as usize;
            let longest = limit.min(pattern.step_count() * chunks);
            for steps in goal.max(pattern.step_count())..=longest {
                let superpose = Superpose { problem, group: &group, ends: &ends, pattern: &pattern, steps };
                if let Some(found) = superpose.attempts(&mut random, &mut budget) {
                    run.progress.found(NAME, steps as u64);
                    limit = steps - 1;
                    best = Some(found);
                    break;
                }
                if budget.is_over() {
                    return best;
                }
            }
        }
        best
    }
}

/// A schedule of one chunk, another one for each number: exchanges in turn with whatever is best.
fn pattern(one: &Problem, least: u64, number: u64, run: &Run<'_>) -> Option<Schedule> {
    let seed = Seed(run.settings.seed.0.wrapping_add(number));
    let part = run.part(Settings { seed, ticks: (run.settings.ticks / 16).max(1), ..run.settings });
    let exchanged =
        (number.is_multiple_of(2) && Exchange.applies(one)).then(|| Exchange.solve(one, least, &part)).flatten();
    exchanged.or_else(|| Some(quick_best_but(&[NAME], one, least, &part)?.schedule.expanded().ok()?.into_owned()))
}

/// Which nodes begin with something of the message, and which are to have it.
struct Ends {
    from: Vec<bool>,
    to: Vec<bool>,
}

impl Ends {
    fn of(problem: &Problem) -> Self {
        let (nodes, collective) = (problem.network().node_count(), problem.collective());
        let among = |list: &[Node]| {
            let mut inside = vec![false; nodes];
            list.iter().for_each(|v| inside[v.index()] = true);
            inside
        };
        Ends { from: among(collective.contributors(Message(0))), to: among(collective.destinations(Message(0))) }
    }

    /// Whether an automorphism leaves them where they are.
    fn stay(&self, moved: &Automorphism) -> bool {
        let same = |inside: &[bool]| inside.iter().zip(&moved.nodes).all(|(v, w)| *v == inside[*w as usize]);
        same(&self.from) && same(&self.to)
    }
}

/// One schedule of a chunk, to be that of all chunks in so many steps.
struct Superpose<'a> {
    problem: &'a Problem,
    group: &'a Group,
    ends: &'a Ends,
    pattern: &'a Schedule,
    steps: usize,
}

/// A transfer of the pattern as a chunk has it.
struct Placed<'a> {
    step: usize,
    chunk: Message,
    /// Its path, among all of them.
    path: Range<usize>,
    of: Transfer<'a>,
}

/// What is placed so far.
struct Placing<'a> {
    /// Of each step.
    free: Vec<Residual<'a>>,
    paths: Vec<Channel>,
    placed: Vec<Placed<'a>>,
}

impl<'a> Superpose<'a> {
    fn attempts(&self, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let free = vec![Residual::new(self.problem.network()); self.steps];
        let mut placing = Placing { free, paths: Vec::new(), placed: Vec::new() };
        (0..ATTEMPTS).find_map(|_| self.attempt(&mut placing, random, budget))
    }

    fn attempt(&self, into: &mut Placing<'a>, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        into.free.iter_mut().for_each(Residual::clear);
        into.paths.clear();
        into.placed.clear();
        let cost = (self.pattern.channel_uses() + self.problem.network().channel_count()) as u64;
        for chunk in self.problem.collective().messages() {
            (0..TRIES).find(|_| {
                let moved = self.group.random(random);
                let delay = random.random_range(0..=self.steps - self.pattern.step_count());
                budget.spend(cost) && self.ends.stay(&moved) && self.place(chunk, &moved, delay, into)
            })?;
        }
        into.placed.sort_by_key(|placed| placed.step);
        let mut schedule = Schedule::new();
        for of_a_step in into.placed.chunk_by(|a, b| a.step == b.step) {
            while schedule.step_count() <= of_a_step[0].step {
                schedule.begin_step();
            }
            for Placed { chunk, path, of, .. } in of_a_step {
                schedule.push(Transfer { messages: &[*chunk], path: &into.paths[path.clone()], ..*of });
            }
        }
        Some(schedule)
    }

    /// Adds a chunk, moved and delayed, where everything that it takes is free.
    fn place(&self, chunk: Message, moved: &Automorphism, delay: usize, into: &mut Placing<'a>) -> bool {
        let before = into.placed.len();
        for (step, transfers) in self.pattern.steps().enumerate() {
            for of in transfers {
                let (step, begin) = (step + delay, into.paths.len());
                into.paths.extend(of.path.iter().map(|c| Channel(moved.channels[c.index()])));
                let path = begin..into.paths.len();
                if !into.free[step].try_take(&into.paths[path.clone()]) {
                    let first = into.placed.get(before).map_or(begin, |first| first.path.start);
                    for Placed { step, path, .. } in into.placed.drain(before..) {
                        into.free[step].give_path(&into.paths[path]);
                    }
                    into.paths.truncate(first);
                    return false;
                }
                into.placed.push(Placed { step, chunk, path, of });
            }
        }
        true
    }
}
