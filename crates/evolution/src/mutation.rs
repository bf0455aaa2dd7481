//! **What:** the mutation operator: repair of ports, then one gene, chosen half of the time among those in conflict, gets
//! another path, step or distributor.
//!
//! **Source:** the dissertation, section 6.6. A new path is drawn from a normal distribution around the old one's position
//! in the list, with a third of the number of paths as its variance.

use super::calls;
use super::fitness::Chromosome;
use super::heuristics::{random_path, relieve_ports, restore, swap_steps};
use super::space::Space;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Changes one gene; returns the moves made.
pub(super) fn mutate(space: &Space, who: &mut Chromosome, rng: &mut Pcg64Mcg) -> u64 {
    if let Some(calls) = &space.calls {
        return calls::mutate(space, calls, who, rng);
    }
    let mut work = relieve_ports(space, who, rng);
    let gene = select(space, who, rng);
    let kinds = if space.broadcast { 3 } else { 2 };
    let (path, step) = (who.path[gene], who.step[gene]);
    match rng.random_range(0..kinds) {
        0 => {
            let other = other_path(space, path, rng);
            who.set(space, gene, other, step);
        }
        1 => {
            if !swap_steps(space, who, gene, rng) {
                let step = rng.random_range(0..space.steps);
                who.set(space, gene, path, step);
            }
            work += 2;
        }
        _ => {
            if let Some(path) = random_path(space, gene, rng) {
                who.set(space, gene, path, step);
            }
        }
    }
    work + restore(space, who, space.genes[gene].message, rng) + 1
}

/// Any gene, or one in conflict.
fn select(space: &Space, who: &Chromosome, rng: &mut Pcg64Mcg) -> usize {
    let count = space.genes.len();
    if rng.random_bool(0.5) || who.fitness() == 0 {
        return rng.random_range(0..count);
    }
    // Drawing until one is found makes each as likely as any other; where there are few, any will do in the end.
    let mut drawn = (0..count).map(|_| rng.random_range(0..count));
    let found = drawn.find(|&gene| who.in_conflict(space, gene));
    found.unwrap_or_else(|| rng.random_range(0..count))
}

/// A path near `path` among those with the same ends.
fn other_path(space: &Space, path: u32, rng: &mut Pcg64Mcg) -> u32 {
    let (from, to) = space.store.ends(path);
    let all = space.store.between(from, to);
    let count = all.len();
    if count < 2 {
        return path;
    }
    let deviation = (count as f64 / 3.0).sqrt().max(1.0);
    for _ in 0..8 {
        let shift = (normal(rng) * deviation).round() as i64;
        let wanted = i64::from(path) + shift;
        if shift != 0 && (i64::from(all.start)..i64::from(all.end)).contains(&wanted) {
            return wanted as u32;
        }
    }
    rng.random_range(all)
}

/// A standard normal number, by the polar method.
fn normal(rng: &mut Pcg64Mcg) -> f64 {
    loop {
        let (x, y): (f64, f64) = (rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}
