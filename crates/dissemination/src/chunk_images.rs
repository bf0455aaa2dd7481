//! **What:** the method `chunk-images`: all chunks of a message take the schedule of one, moved by automorphisms and begun some steps later; a satisfiability
//! solver finds that schedule with room for all.
//!
//! **Method.** "A schedule of one chunk whose images fit together in so many steps exists" is a formula no larger than that of one chunk, where that of all is
//! as many times larger. Automorphisms (powers of one, or any) and delays are drawn at random, from the floor upwards.
//!
//! **When it loses.** Where chunks do best by different ways, and on networks without automorphisms.
//!
//! **Source:** ours; rotated trees on hypercubes: S. L. Johnsson, C.-T. Ho, 1989.

use crate::images;
use graph::automorphisms::{Automorphism, Group};
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::formula::{Cnf, Image};
use kernel::{Message, Model, Problem, Schedule, verify};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use search::exact_sat;
use std::collections::HashSet;

/// The method.
pub struct ChunkImages;

/// Most literals of a formula.
const LARGEST: usize = 300_000;

/// Most nodes times channels, looked at in each step.
const MOST_LOOKS: usize = 1 << 16;

/// Ticks that a byte of proof takes the solver.
const TICKS_A_BYTE: u64 = 20;

/// Ticks that it takes to say a literal of a formula.
const TICKS_A_LITERAL: u64 = 10;

/// Ticks that drawing automorphisms for a try takes, at least.
const TICKS_A_TRY: u64 = 10_000;

/// For a number of steps: the automorphisms that ticks are shared among, those that are tried at most, and draws for each.
const TRIES: u64 = 6;
const MOST_TRIES: usize = 60;
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
            if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, left) {
                return None;
            }
            // The last number of steps gets all that is left.
            let mut part = if steps + 1 == known { left } else { left / 2 };
            left -= part;
            let (share, mut tried) = (part / TRIES, HashSet::new());
            for attempt in 0..MOST_TRIES {
                if run.stopped() || run.is_spent(1000 * TICKS_A_BYTE, part) {
                    part = 0;
                    break;
                }
                part = part.saturating_sub(TICKS_A_TRY);
                let Some(images) = turned(&apart, &group, attempt, &mut random) else { continue };
                if !tried.insert(images.iter().map(|image| (image.channels.clone(), image.delay)).collect::<Vec<_>>()) {
                    continue;
                }
                let formula = exact_sat::encode(&apart, &images, steps, LARGEST).next();
                let places = formula
                    .as_ref()
                    .map_or(LARGEST, |formula| formula.rules().iter().map(|rule| rule.literals.len()).sum());
                part = part.saturating_sub(places as u64 * TICKS_A_LITERAL);
                let Some(formula) = formula else { continue };
                let cnf = Cnf::new(&formula);
                run.progress.working(self.name(), steps, 0);
                let (answer, spent) = decide(&cnf, share.min(part) / TICKS_A_BYTE, run);
                part = part.saturating_sub(spent * TICKS_A_BYTE);
                if let Answer::Solution(values) = answer
                    && let Some(found) = exact_sat::solution(&apart, &formula, &values)
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
            left += part;
            if !tried.is_empty() {
                // There are others, as a rule.
                run.note_wants_more();
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

/// Of each chunk, where it takes the schedule of the first: by automorphisms that leave the messages' ends in place, powers of one or any, and steps later. `None`
/// where chunks would meet.
fn turned(problem: &Problem, group: &Group, attempt: usize, random: &mut Pcg64Mcg) -> Option<Vec<Image>> {
    let chunks = problem.collective().chunks();
    let ends = images::ends(problem, Message(0), |v| v.0);
    let stays = |moved: &Automorphism| images::ends(problem, Message(0), |v| moved.nodes[v.index()]) == ends;
    let mut draw = || std::iter::repeat_with(|| group.random(random)).take(DRAWS).find(stays);
    let first = draw()?;
    let (are_powers, are_later) = (attempt.is_multiple_of(2), attempt / 2 % 2 == 1);
    let mut list = vec![first.power(0)];
    for chunk in 1..chunks {
        list.push(if are_powers { first.power(chunk.into()) } else { draw()? });
    }
    let later: Vec<usize> = match (are_later, are_powers) {
        (false, _) => vec![0; list.len()],
        (true, true) => (0..list.len()).collect(),
        (true, false) => {
            (0..list.len()).map(|chunk| if chunk == 0 { 0 } else { random.random_range(0..list.len()) }).collect()
        }
    };
    let mut seen = HashSet::new();
    if !list.iter().zip(&later).all(|(moved, delay)| seen.insert((moved.channels.clone(), *delay))) {
        return None;
    }
    let image = |(chunk, (Automorphism { nodes, channels }, delay)): (u32, (Automorphism, usize))| {
        let messages = (0..chunks).map(|other| Message((other + chunk) % chunks)).collect();
        Image { nodes, channels, messages, delay }
    };
    Some((0u32..).zip(list.into_iter().zip(later)).map(image).collect())
}
