//! **What:** the method `chunk-images`: all chunks of a message take the schedule of one, moved by powers of an automorphism and each begun some
//! steps after the one before; a satisfiability solver finds that schedule with room for all.
//!
//! **Method.** "A schedule of one chunk whose images fit together in so many steps exists" is a formula no larger than that of one chunk, where that of all is
//! as many times larger. Automorphisms and delays are drawn at random, from the floor upwards.
//!
//! **When it loses.** Where chunks do best by different ways, and on networks without automorphisms.
//!
//! **Source:** ours; rotated trees on hypercubes: S. L. Johnsson, C.-T. Ho, 1989.

use crate::{exact_sat, images};
use graph::automorphisms::{Automorphism, Group};
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::formula::{Cnf, Image};
use kernel::{Message, Model, Problem, Schedule, verify};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};

/// The method.
pub struct ChunkImages;

/// Most literals of a formula.
const LARGEST: usize = 300_000;

/// Most nodes times channels, looked at in each step.
const MOST_LOOKS: usize = 1 << 16;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 20;

/// Ticks that drawing automorphisms for a try takes, at least.
const TICKS_A_TRY: u64 = 10_000;

/// Automorphisms tried for a number of steps, and draws for each.
const TRIES: u64 = 6;
const DRAWS: usize = 50;

impl Method for ChunkImages {
    fn name(&self) -> &'static str {
        "chunk-images"
    }

    fn about(&self) -> &'static str {
        "one message in chunks: a schedule of one chunk whose images under an automorphism fit together, by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "ours; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let one = collective.chunks() > 1 && collective.message_count() == collective.chunks() as usize;
        let looks = network.node_count() * network.channel_count();
        let small = looks <= MOST_LOOKS;
        one && small && exact_sat::is_small(&each_by_itself(problem), LARGEST * collective.chunks() as usize)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let apart = each_by_itself(problem);
        let mut left = run.settings.ticks;
        let group = Group::with_arcs(problem.network(), &[], &mut Budget::new(run, left / 4));
        let mut random = run.settings.seed.generator(0);
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        for steps in run.goal(floor)..known {
            for attempt in 0..TRIES {
                // Of the last number of steps the last attempt gets all that is left.
                let share = if steps + 1 == known { left / (TRIES - attempt) } else { left / (2 * TRIES) };
                let delay = (attempt % 2) as usize;
                if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, left) {
                    return None;
                }
                left = left.saturating_sub(TICKS_A_TRY);
                let Some(images) = turned(&apart, &group, delay, &mut random) else { continue };
                let formulas = exact_sat::encode(&apart, &images, steps, LARGEST);
                let Some(formula) = formulas.first() else { continue };
                run.progress.working(self.name(), steps, 0);
                let (answer, spent) = decide(&Cnf::new(formula), share / TICKS_A_BYTE, run);
                left = left.saturating_sub(spent * TICKS_A_BYTE);
                if let Answer::Solution(values) = answer
                    && let Some(found) = exact_sat::solution(&apart, formula, &values)
                {
                    // The formula knows nothing of slack.
                    let slack = run.settings.slack;
                    let useful = within_slack(problem, &found, slack, &mut Budget::new(run, u64::MAX));
                    if useful && verify(problem, found.clone()).is_ok() {
                        run.progress.found(self.name(), steps);
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

/// The problem in which each chunk goes by itself.
fn each_by_itself(problem: &Problem) -> Problem {
    let model = Model { combining: false, ..problem.model() };
    let apart = Problem::new(problem.network().clone(), problem.collective().clone(), model);
    apart.expect("whoever may combine messages need not")
}

/// Of each chunk, where it takes the schedule of the first: by a power of an automorphism that leaves the messages' ends in place.
fn turned(problem: &Problem, group: &Group, delay: usize, random: &mut Pcg64Mcg) -> Option<Vec<Image>> {
    let collective = problem.collective();
    let chunks = collective.chunks();
    let ends = images::ends(problem, Message(0), |v| v.0);
    let stays = |moved: &Automorphism| images::ends(problem, Message(0), |v| moved.nodes[v.index()]) == ends;
    let drawn = std::iter::repeat_with(|| group.random(random)).take(DRAWS).filter(stays);
    // Chunks that are moved alike at once would meet.
    let moves = |moved: &Automorphism| delay > 0 || (1..chunks).all(|power| !moved.power(power.into()).is_identity());
    let moved = drawn.into_iter().find(moves)?;
    let image = |chunk: u32| {
        let Automorphism { nodes, channels } = moved.power(chunk.into());
        let messages = (0..chunks).map(|other| Message((other + chunk) % chunks)).collect();
        Image { nodes, channels, messages, delay: delay * chunk as usize }
    };
    Some((0..chunks).map(image).collect())
}
