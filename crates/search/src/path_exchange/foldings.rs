//! **What:** what the looms work on: the whole problem, and the problem folded by groups.
//!
//! A loom folded by a group of order k makes schedules of a multiple of k steps, and moves a message that an element leaves
//! in place once more than it needs to. Of the groups with which the fewest steps can be reached the largest are taken.

use super::Start;
use super::frame::Frame;
use crate::packing::first_fit;
use graph::automorphisms::Automorphism;
use graph::{symmetry::Ends, symmetry::cyclic_groups, symmetry::free_groups};
use kernel::Message;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::cmp::Reverse;

/// Groups by which looms are folded, and the fewest layers left by them: the steps of a layer come and go together.
const FOLDED: usize = 2;
const LAYERS: usize = 24;
/// Looks at a channel that take about as long as a tick; while groups are looked for, at most as many for each tick there is, and
/// at most so many, of cyclic groups and of others.
const LOOKS_A_TICK: u64 = 16;
const MOST_CYCLIC: u64 = 10_000_000;
const MOST_FREE: u64 = 40_000_000;

/// Folded by groups with which about `goal` steps can be reached, and whole, beginning with what is placed.
pub(super) fn frames<'a>(start: Start<'a>, goal: usize, budget: &mut Budget<'_>) -> Vec<(Frame, Start<'a>)> {
    let Start { problem, open, run, .. } = start;
    let mut random = run.settings.seed.generator(u64::MAX);
    let mut frames = Vec::new();
    if goal / 2 >= LAYERS {
        let ends = Ends::new(problem, open);
        let looks = budget.left().saturating_mul(LOOKS_A_TICK);
        let mut part = budget.part(looks.min(MOST_FREE));
        let free = free_groups(problem, &ends, run.settings.seed, &mut part);
        let mut cyclic_part = budget.part(looks.min(MOST_CYCLIC));
        let cyclic = cyclic_groups(problem, &ends, run.settings.seed, &mut cyclic_part);
        let _ = budget.spend((part.spent() + cyclic_part.spent()) / (4 * LOOKS_A_TICK));
        let free = free.iter().map(|group| (group.elements.as_slice(), 0));
        let cyclic = cyclic.iter().map(|group| (group.elements.as_slice(), group.fixed));
        let mut groups: Vec<(&[Automorphism], usize)> = free.chain(cyclic).collect();
        groups.retain(|(elements, _)| goal / elements.len() >= LAYERS);
        let least = |elements: &[Automorphism], fixed: usize| {
            (goal + (goal * fixed).div_ceil(open.len())).next_multiple_of(elements.len())
        };
        groups.sort_by_key(|&(elements, fixed)| (least(elements, fixed), Reverse(elements.len()), fixed));
        groups.dedup_by_key(|(elements, _)| elements.len());
        groups.truncate(FOLDED);
        for (elements, _) in groups {
            frames.extend(folded(&start, &ends, elements, &mut random, budget));
        }
    }
    frames.extend(Frame::new(&start, Vec::new(), budget).map(|frame| (frame, start)));
    frames
}

/// The problem folded by a group, and one message of each orbit placed; `None` where they do not suit each other.
fn folded<'a>(
    start: &Start<'a>,
    ends: &Ends,
    elements: &[Automorphism],
    random: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Option<(Frame, Start<'a>)> {
    let Start { problem, lanes, open, .. } = start;
    let images = elements.iter().map(|map| Some((map.nodes.clone(), lanes.images(map)?.0)));
    let images: Vec<_> = images.collect::<Option<_>>()?;
    let some = one_of_each(ends, elements, open, random, budget)?;
    let placed = first_fit(problem, lanes, &some, random, 0, budget)?;
    let start = Start { placed, ..start.clone() };
    Some((Frame::new(&start, images, budget)?, start))
}

/// One message of each orbit: any, as the first ones would all begin at the same few nodes.
fn one_of_each(
    ends: &Ends,
    elements: &[Automorphism],
    open: &[Message],
    random: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Option<Vec<Message>> {
    let mut seen = vec![false; open.iter().map(|m| m.index() + 1).max()?];
    let mut some = Vec::new();
    for &message in open {
        if seen[message.index()] {
            continue;
        }
        if !budget.spend(elements.len() as u64 / 16 + 1) {
            return None;
        }
        for map in elements {
            seen[ends.image(map, message)?.index()] = true;
        }
        some.push(ends.image(&elements[random.random_range(0..elements.len())], message)?);
    }
    Some(some)
}
