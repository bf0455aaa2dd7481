//! **What:** what weaving works on within packing: the whole problem, and the problem folded by groups.
//!
//! A loom folded by a group of order k makes schedules of a multiple of k steps, and moves a message that an element leaves
//! in place once more than it needs to. Of the groups with which the fewest steps can be reached the largest are taken.

use super::arms::Field;
use super::first_fit::first_fit;
use crate::{path_exchange::Frame, path_exchange::layers};
use graph::automorphisms::Automorphism;
use graph::{symmetry::Ends, symmetry::cyclic_groups};
use kernel::Message;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::cmp::Reverse;

/// Lanes and a step for each message of some list.
pub(super) type Placed = Vec<(Vec<u32>, u32)>;

/// Groups by which weaving is folded, and the fewest layers left by them: the steps of a layer come and go together.
const FOLDED: usize = 2;
const LAYERS: usize = 24;
/// Ticks to look for cyclic groups.
const LOOK: u64 = 10_000_000;

/// Folded by groups with which about `goal` steps can be reached, and whole, beginning with what is placed; none where weaving
/// does not apply.
pub(super) fn looms(field: &Field<'_>, open: &[Message], goal: usize, placed: Placed) -> Vec<(Frame, Placed)> {
    let Field { problem, lanes, ends, run, .. } = field;
    if run.settings.slack.is_some() || field.exhausted() {
        return Vec::new();
    }
    let cyclic = cyclic_groups(problem, ends, run.settings.seed, LOOK);
    let free = field.foldings[1..].iter().map(|folding| (folding.group.elements.as_slice(), 0));
    let mut groups: Vec<(&[Automorphism], usize)> =
        free.chain(cyclic.iter().map(|group| (group.elements.as_slice(), group.fixed))).collect();
    groups.retain(|(elements, _)| goal / elements.len() >= LAYERS);
    let least = |elements: &[Automorphism], fixed: usize| {
        (goal + (goal * fixed).div_ceil(open.len())).next_multiple_of(elements.len())
    };
    groups.sort_by_key(|&(elements, fixed)| (least(elements, fixed), Reverse(elements.len()), fixed));
    groups.dedup_by_key(|(elements, _)| elements.len());
    groups.truncate(FOLDED);
    let mut random = run.settings.seed.generator(u64::MAX);
    let folded = |(elements, _): &(&[Automorphism], usize)| {
        let images = elements.iter().map(|map| Some((map.nodes.clone(), lanes.images(map)?.0)));
        let images: Vec<_> = images.collect::<Option<_>>()?;
        let some = one_of_each(ends, elements, open, &mut random)?;
        let placed = first_fit(problem, lanes, &some, &mut random, 0)?;
        Some((Frame::new(problem, lanes, (open, images, layers(&placed)), run)?, placed))
    };
    let mut looms: Vec<(Frame, Placed)> = groups.iter().filter_map(folded).collect();
    let whole = Frame::new(problem, lanes, (open, Vec::new(), layers(&placed)), run);
    looms.extend(whole.map(|frame| (frame, placed)));
    looms
}

/// One message of each orbit: any, as the first ones would all begin at the same few nodes.
fn one_of_each(
    ends: &Ends,
    elements: &[Automorphism],
    open: &[Message],
    random: &mut Pcg64Mcg,
) -> Option<Vec<Message>> {
    let mut seen = vec![false; open.iter().map(|m| m.index() + 1).max()?];
    let mut some = Vec::new();
    for &message in open {
        if seen[message.index()] {
            continue;
        }
        for map in elements {
            seen[ends.image(map, message)?.index()] = true;
        }
        some.push(ends.image(&elements[random.random_range(0..elements.len())], message)?);
    }
    Some(some)
}
