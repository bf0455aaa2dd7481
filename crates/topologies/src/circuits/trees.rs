//! **What:** circuits through fat trees and Clos networks, whether opened at the top or not.

use super::{Circuits, Class, Obstacle};
use crate::levels::{Levels, Place};

/// What is known of them.
pub(super) fn circuits(levels: &Levels) -> Circuits {
    let height = levels.height();
    if height == 1 {
        return Circuits::new(
            Class::StrictlyNonBlocking,
            "all terminals are at the same switches, one of which is enough",
        );
    }
    if let Some(found) = (1..height).find_map(|level| too_few_ways(levels, level)) {
        return found;
    }
    let inside = |level: usize| u64::from(levels.children(level)) * u64::from(levels.cables(level));
    let outside = |level: usize| u64::from(levels.up_ports(level));
    if let Some(level) = (1..height).find(|level| outside(*level) < inside(*level)) {
        return Circuits::new(
            Class::Undecided,
            format!(
                "switches of level {level} have {} channels up and {} from below, though no subtree lacks channels",
                outside(level),
                inside(level)
            ),
        );
    }
    let theorem = "every switch below the top has as many channels up as from below (Clos, Beneš)";
    let (needed, ways) = (needed(levels), levels.parents(2));
    if levels.up_ports(0) > 1 {
        return Circuits::new(Class::AtLeastRearrangeable, theorem);
    }
    if let Some(obstacle) = obstacle(levels) {
        let because = format!("{theorem}, but {ways} parents of a leaf are fewer than the {needed} that never block");
        return Circuits::rearrangeable(because, Some(obstacle));
    }
    let plain = (2..=height).all(|level| levels.cables(level) == 1);
    let double = (2..height).all(|level| outside(level) + 1 >= 2 * inside(level));
    if height == 2 || plain && double {
        let reason = match height {
            2 => format!("{ways} parents of a leaf are at least {needed} (Clos)"),
            _ => {
                "switches below the top have 2n − 1 ways up or more for n from below, at every level (Clos)".to_owned()
            }
        };
        return Circuits::new(Class::StrictlyNonBlocking, reason);
    }
    Circuits::new(Class::AtLeastRearrangeable, theorem)
}

/// A permutation that more messages must leave a subtree in than channels do, if there is one.
fn too_few_ways(levels: &Levels, level: usize) -> Option<Circuits> {
    let (n, below) = (levels.terminals(), levels.terminals_below(level));
    let ways = u64::from(levels.roots(level)) * u64::from(levels.up_ports(level));
    // Opened at the top, even messages to the subtree's own terminals pass the top.
    let leaving = if levels.is_opened() { below } else { below.min(n - below) };
    if u64::from(leaving) <= ways {
        return None;
    }
    let to = |t: u32| match levels.is_opened() {
        true => t,
        false if t < leaving => below + t,
        false if (below..below + leaving).contains(&t) => t - below,
        false => t,
    };
    let because = format!("{leaving} messages must leave the first {below} terminals' subtree, and {ways} channels do");
    Some(Circuits::blocking(because, (0..n).map(to).collect()))
}

/// Whether messages to the own leaf turn there, and the only other leaf is where all others go.
fn is_pair(levels: &Levels) -> bool {
    !levels.is_opened() && levels.terminals() == 2 * levels.terminals_below(1)
}

/// Parents that the other circuits of one leaf can fill.
fn filled(levels: &Levels) -> u32 {
    (levels.children(1) - 1) / levels.cables(2)
}

/// Parents of a leaf that are enough whatever circuits stand.
fn needed(levels: &Levels) -> u32 {
    filled(levels) * if is_pair(levels) { 1 } else { 2 } + 1
}

/// Circuits from one leaf that fill some parents, and circuits to another that fill the others; `None` where parents are left,
/// or where what the levels above need of parallel links is not looked at.
fn obstacle(levels: &Levels) -> Option<Obstacle> {
    let (leaf, cables, ways) = (levels.children(1), levels.cables(2), levels.parents(2));
    let leaves = levels.terminals() / leaf;
    if leaves < 2 || ways >= needed(levels) || levels.height() > 2 && cables > 1 {
        return None;
    }
    // A sends to the leaf `aside`, and from there B gets its messages. In an opened network A may be B.
    let (a, b, aside) = match leaves {
        2 if levels.is_opened() => (0, 0, 1),
        2 => (0, 1, 1),
        _ => (0, 1, 2),
    };
    let by = |from: u32, to: u32, parent: u32| nodes(levels, from, to, parent);
    let filled = filled(levels).min(ways);
    let first = (0..filled * cables).map(|i| by(a * leaf + i, aside * leaf + i, i / cables));
    let others = (0..(ways - filled) * cables).map(|i| by(aside * leaf + i, b * leaf + i, filled + i / cables));
    let circuits = first.chain(others).collect();
    // The last terminals of both leaves have no circuit yet.
    Some(Obstacle { circuits, from: a * leaf + leaf - 1, to: b * leaf + leaf - 1 })
}

/// The way over the leaf's parent of that number, and over the first parents above it.
fn nodes(levels: &Levels, from: u32, to: u32, parent: u32) -> Vec<u32> {
    let meets = |level: &usize| from / levels.terminals_below(*level) == to / levels.terminals_below(*level);
    let top = match levels.is_opened() {
        true => levels.height(),
        false => (1..=levels.height()).find(meets).unwrap_or(levels.height()),
    };
    let mut roots = vec![Place { level: 0, subtree: from, root: 0, down: false }];
    for level in 0..top {
        roots.push(levels.parent(roots[level], if level == 1 { parent } else { 0 }));
    }
    let down = (0..top).rev().map(|level| {
        let subtree = to / levels.terminals_below(level);
        levels.node(Place { subtree, down: levels.is_opened(), ..roots[level] })
    });
    roots.iter().map(|place| levels.node(*place)).chain(down).collect()
}
