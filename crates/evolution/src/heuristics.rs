//! **What:** what makes evolution quick enough: repair of ports, swaps of steps, repair of broadcast trees and the first
//! population.
//!
//! **Source:** the dissertation, sections 6.5.1 to 6.5.5.

use super::calls::CallSearch;
use super::fitness::Chromosome;
use super::space::{Delivery, Space};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Port-based acceleration (6.5.1): deliveries that a node cannot send or receive for want of channels move to a step in
/// which both ends have some left. The price of a chromosome without overload is one comparison.
pub(super) fn relieve_ports(space: &Space, who: &mut Chromosome, rng: &mut Pcg64Mcg) -> u64 {
    if who.overload == 0 {
        return 0;
    }
    let count = space.genes.len();
    let offset = rng.random_range(0..count);
    let mut work = count as u64 / 8;
    for k in 0..count {
        let gene = (k + offset) % count;
        let step = who.step[gene];
        if step == space.steps {
            continue;
        }
        if who.has_ports(space, gene, step, 0) {
            continue;
        }
        let earliest = earliest(space, who, gene, space.store.ends(who.path[gene]).0);
        let free = (earliest..space.steps).filter(|&s| who.has_ports(space, gene, s, 1));
        if let Some(step) = any(free, rng) {
            let path = who.path[gene];
            who.set(space, gene, path, step);
            work += 1;
            work += restore(space, who, space.genes[gene].message, rng);
        }
        if who.overload == 0 {
            break;
        }
    }
    work
}

/// The first step in which `from` can send the message of `gene`; beyond the last while it is late itself.
#[inline]
pub(super) fn earliest(space: &Space, who: &Chromosome, gene: usize, from: u32) -> u16 {
    who.informed(space, space.genes[gene].message, from).map_or(0, |step| step.saturating_add(1))
}

/// One of the items, each as likely as any other.
fn any<T>(items: impl Iterator<Item = T>, rng: &mut Pcg64Mcg) -> Option<T> {
    let mut chosen = None;
    for (seen, item) in (1u32..).zip(items) {
        if seen == 1 || rng.random_range(0..seen) == 0 {
            chosen = Some(item);
        }
    }
    chosen
}

/// Transfer swap (6.5.2): `gene` and another delivery of the same sender change steps; kept only if that is better.
pub(super) fn swap_steps(space: &Space, who: &mut Chromosome, gene: usize, rng: &mut Pcg64Mcg) -> bool {
    let (from, _) = space.store.ends(who.path[gene]);
    let own = space.genes[gene].message;
    let near = if space.broadcast { space.of_message[own as usize].clone() } else { same_origin(space, gene) };
    if near.len() < 2 {
        return false;
    }
    let tries = 4;
    let other = (0..tries).map(|_| rng.random_range(near.clone())).find(|&other| {
        other != gene && who.step[other] != who.step[gene] && space.store.ends(who.path[other]).0 == from
    });
    let Some(other) = other else { return false };
    let before = who.fitness();
    let exchange = |who: &mut Chromosome| {
        let (own, others) = (who.step[gene], who.step[other]);
        who.set(space, gene, who.path[gene], others);
        who.set(space, other, who.path[other], own);
    };
    exchange(who);
    let better = sound(space, who, own) && who.fitness() < before;
    if !better {
        exchange(who);
    }
    better
}

/// The run of genes around `gene` whose messages begin at the same node.
fn same_origin(space: &Space, gene: usize) -> std::ops::Range<usize> {
    let origin = space.origin(space.genes[gene].message);
    let other = |&g: &usize| space.origin(space.genes[g].message) != origin;
    let begin = (0..gene).rev().find(other).map_or(0, |g| g + 1);
    begin..(gene..space.genes.len()).find(other).unwrap_or(space.genes.len())
}

/// Whether every delivery of `message` comes from a node that has it.
pub(super) fn sound(space: &Space, who: &Chromosome, message: u32) -> bool {
    space.of_message[message as usize].clone().all(|gene| {
        let step = who.step[gene];
        let (from, _) = space.store.ends(who.path[gene]);
        step == space.steps || who.informed(space, message, from).is_none_or(|told| told < step)
    })
}

/// Restoration of a broadcast tree (6.5.3): step by step, a delivery whose distributor does not have the message yet gets
/// another one, the least busy of those that have it and are near enough (6.5.5); without any it is put off, at last beyond
/// the end. Returns the number of changes; none in the scatter encoding.
pub(super) fn restore(space: &Space, who: &mut Chromosome, message: u32, rng: &mut Pcg64Mcg) -> u64 {
    if !space.broadcast {
        return 0;
    }
    let genes = space.of_message[message as usize].clone();
    if genes.clone().all(|g| who.step[g] < space.steps) && sound(space, who, message) {
        return 0;
    }
    let mut work = 0;
    // What is settled up to a step stays, since whoever is put off comes after it.
    for step in 0..space.steps {
        for gene in genes.clone() {
            if who.step[gene] != step {
                continue;
            }
            let (from, _) = space.store.ends(who.path[gene]);
            if who.informed(space, message, from).is_none_or(|told| told < step) {
                continue;
            }
            let path = adopt(space, who, gene, step, rng);
            let step = if path.is_some() { step } else { step + 1 };
            let path = path.unwrap_or(who.path[gene]);
            work += u64::from(who.set(space, gene, path, step));
        }
    }
    for gene in genes {
        if who.step[gene] < space.steps {
            continue;
        }
        let choice = (0..space.steps).find_map(|s| adopt(space, who, gene, s, rng).map(|path| (path, s)));
        if let Some((path, step)) = choice {
            work += u64::from(who.set(space, gene, path, step));
        }
    }
    work
}

/// A path for `gene` from one of those that have its message before `step`, the least busy.
fn adopt(space: &Space, who: &Chromosome, gene: usize, step: u16, rng: &mut Pcg64Mcg) -> Option<u32> {
    let Delivery { message, receiver } = space.genes[gene];
    let known = space.distributors(gene).iter().copied().filter(|&d| {
        who.informed(space, message, d).is_none_or(|told| told < step) && !space.store.between(d, receiver).is_empty()
    });
    let least = known.clone().map(|d| who.sent(space, step, d)).min()?;
    let from = any(known.filter(|&d| who.sent(space, step, d) == least), rng)?;
    Some(rng.random_range(space.store.between(from, receiver)))
}

/// A member of the first population (6.5.4): random paths and steps in the scatter encoding; in the other, trees that are
/// built by restoring them, each delivery in the first step in which somebody can make it.
pub(super) fn first(space: &Space, rng: &mut Pcg64Mcg) -> Chromosome {
    if let Some(calls) = &space.calls {
        return CallSearch::first(space, calls, rng);
    }
    let mut who = Chromosome::new(space);
    if space.broadcast {
        for message in 0..space.of_message.len() {
            restore(space, &mut who, message as u32, rng);
        }
        return who;
    }
    for gene in 0..space.genes.len() {
        if let Some(path) = random_path(space, gene, rng) {
            who.set(space, gene, path, rng.random_range(0..space.steps));
        }
    }
    who
}

/// Any path from any distributor of `gene`.
pub(super) fn random_path(space: &Space, gene: usize, rng: &mut Pcg64Mcg) -> Option<u32> {
    let all = space.distributors(gene);
    let from = *all.get(rng.random_range(0..all.len().max(1)))?;
    let paths = space.store.between(from, space.genes[gene].receiver);
    (!paths.is_empty()).then(|| rng.random_range(paths))
}
