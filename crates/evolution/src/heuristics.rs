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
        let gene = if k + offset < count { k + offset } else { k + offset - count };
        let step = who.step[gene];
        if step == space.steps {
            continue;
        }
        let (from, to) = space.store.ends(who.path[gene]);
        let full = |step: u16, spare: u16, who: &Chromosome| {
            who.sent(space, step, from) + spare > space.ports[from as usize]
                || who.received(space, step, to) + spare > space.ports[space.nodes + to as usize]
        };
        if !full(step, 0, who) {
            continue;
        }
        let earliest = earliest(space, who, gene, from);
        let free = (earliest..space.steps).filter(|&s| !full(s, 1, who));
        if let Some(step) = any(free, rng) {
            let path = who.path[gene];
            who.set(space, gene, path, step);
            work += 1;
            if space.broadcast {
                work += restore(space, who, space.genes[gene].message, rng);
            }
        }
        if who.overload == 0 {
            break;
        }
    }
    work
}

/// The first step in which `from` can send the message of `gene`.
fn earliest(space: &Space, who: &Chromosome, gene: usize, from: u32) -> u16 {
    if !space.broadcast {
        return 0;
    }
    who.informed(space, space.genes[gene].message, from).map_or(0, |step| step.saturating_add(1))
}

/// One of the items, each as likely as any other.
pub(super) fn any<T>(items: impl Iterator<Item = T>, rng: &mut Pcg64Mcg) -> Option<T> {
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
    // The genes of one origin follow each other in the scatter encoding; in the other the tree of the message is enough.
    let near = if space.broadcast { space.of_message[own as usize].clone() } else { sender_genes(space, gene) };
    if near.len() < 2 {
        return false;
    }
    let tries = 4;
    let other = (0..tries).map(|_| rng.random_range(near.clone())).find(|&other| {
        other != gene && who.step[other] != who.step[gene] && space.store.ends(who.path[other]).0 == from
    });
    let Some(other) = other else { return false };
    let before = (who.fitness(), who.path[gene], who.step[gene], who.path[other], who.step[other]);
    let exchange = |who: &mut Chromosome| {
        let (a, b) = (who.step[gene], who.step[other]);
        let (p, q) = (who.path[gene], who.path[other]);
        who.set(space, gene, p, b);
        who.set(space, other, q, a);
    };
    exchange(who);
    if space.broadcast && !sound(space, who, own) {
        exchange(who);
        return false;
    }
    if who.fitness() < before.0 {
        return true;
    }
    exchange(who);
    debug_assert_eq!(before, (who.fitness(), who.path[gene], who.step[gene], who.path[other], who.step[other]));
    false
}

/// The run of genes around `gene` whose messages begin at the same node.
fn sender_genes(space: &Space, gene: usize) -> std::ops::Range<usize> {
    space.same_origin[gene].0 as usize..space.same_origin[gene].1 as usize
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
/// the end. Returns the number of changes.
pub(super) fn restore(space: &Space, who: &mut Chromosome, message: u32, rng: &mut Pcg64Mcg) -> u64 {
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
    let from = least_busy(known.map(|d| (who.sent(space, step, d), d)), rng)?;
    Some(rng.random_range(space.store.between(from, receiver)))
}

/// The least by the first part; ties are drawn.
fn least_busy(items: impl Iterator<Item = (u16, u32)>, rng: &mut Pcg64Mcg) -> Option<u32> {
    let (mut best, mut ties) = (None, 0u32);
    for (busy, node) in items {
        match best {
            Some((least, _)) if busy > least => {}
            Some((least, _)) if busy == least => {
                ties += 1;
                if rng.random_range(0..ties) == 0 {
                    best = Some((busy, node));
                }
            }
            _ => {
                ties = 1;
                best = Some((busy, node));
            }
        }
    }
    best.map(|(_, node)| node)
}

/// A member of the first population (6.5.4): random paths and steps in the scatter encoding; random distributors and paths
/// in the other, whose steps come from building the tree.
pub(super) fn first(space: &Space, rng: &mut Pcg64Mcg) -> Chromosome {
    if let Some(calls) = &space.calls {
        return CallSearch::first(space, calls, rng);
    }
    let mut who = Chromosome::new(space);
    for gene in 0..space.genes.len() {
        if let Some(path) = random_path(space, gene, rng) {
            let step = if space.broadcast { space.steps } else { rng.random_range(0..space.steps) };
            who.set(space, gene, path, step);
        }
    }
    if space.broadcast {
        let mut open: Vec<usize> = (0..space.genes.len()).collect();
        for step in 0..space.steps {
            // In another order each time, so that no message is always first at the ports.
            rand::seq::SliceRandom::shuffle(open.as_mut_slice(), rng);
            open.retain(|&gene| {
                let (from, to) = space.store.ends(who.path[gene]);
                let known = who.informed(space, space.genes[gene].message, from).is_none_or(|told| told < step);
                let room = who.sent(space, step, from) < space.ports[from as usize]
                    && who.received(space, step, to) < space.ports[space.nodes + to as usize];
                if known && room {
                    let path = who.path[gene];
                    who.set(space, gene, path, step);
                }
                !(known && room)
            });
        }
        for message in 0..space.of_message.len() {
            for gene in space.of_message[message].clone() {
                if who.step[gene] == space.steps {
                    let (path, step) = (who.path[gene], rng.random_range(0..space.steps));
                    who.set(space, gene, path, step);
                }
            }
            restore(space, &mut who, message as u32, rng);
        }
    }
    who
}

/// Any path from any distributor of `gene`.
pub(super) fn random_path(space: &Space, gene: usize, rng: &mut Pcg64Mcg) -> Option<u32> {
    let all = space.distributors(gene);
    let from = if all.len() == 1 { *all.first()? } else { *all.get(rng.random_range(0..all.len().max(1)))? };
    let paths = space.store.between(from, space.genes[gene].receiver);
    if paths.is_empty() { None } else { Some(rng.random_range(paths)) }
}
