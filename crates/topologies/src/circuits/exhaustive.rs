//! **What:** circuits through small multistage networks of 2×2 switches, by trying all settings.

use super::free_paths::FreePaths;
use super::{Circuits, Obstacle};
use crate::stages::Stages;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Switches whose settings are all tried: two to that power.
const MOST_SWITCHES: u32 = 20;
/// Terminals whose permutations are all looked for.
const MOST_TERMINALS: u32 = 8;
/// Orders in which circuits are set up to find an obstacle.
const TRIES: u64 = 1000;

/// What trying all settings tells; `None` of larger networks.
pub(super) fn circuits(stages: &Stages) -> Option<Circuits> {
    let (n, switches) = (stages.lines(), stages.count() * stages.lines() / 2);
    if stages.radix() != 2 || switches > MOST_SWITCHES || n > MOST_TERMINALS {
        return None;
    }
    let mut realised = vec![false; 1 << (3 * n)];
    (0..1u32 << switches).for_each(|setting| realised[word(sends(stages, setting))] = true);
    let mut permutation: Vec<u32> = (0..n).collect();
    loop {
        if !realised[word(permutation.iter().copied())] {
            let because = format!("no setting of the {switches} switches realises it: all were tried");
            return Some(Circuits::blocking(because, permutation));
        }
        if !advance(&mut permutation) {
            break;
        }
    }
    let all: u32 = (1..=n).product();
    let because = format!("all {all} permutations are realised by some setting: all were tried");
    Some(Circuits::rearrangeable(because, obstacle(stages)))
}

/// Where all terminals send to with a setting, a bit a switch.
fn sends(stages: &Stages, setting: u32) -> impl Iterator<Item = u32> + '_ {
    let go = move |from: u32| {
        (0..stages.count()).fold(stages.moved(0, from), |line, stage| {
            let crossed = setting >> (stage * stages.lines() / 2 + line / 2) & 1;
            stages.moved(stage + 1, line ^ crossed)
        })
    };
    (0..stages.lines()).map(go)
}

/// A permutation as one number, three bits a terminal.
fn word(permutation: impl Iterator<Item = u32>) -> usize {
    permutation.fold(0, |word, to| word << 3 | to as usize)
}

/// The next permutation in the order of words; whether there is one.
fn advance(permutation: &mut [u32]) -> bool {
    let Some(at) = permutation.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let greater = permutation.iter().rposition(|one| *one > permutation[at]).unwrap_or(at);
    permutation.swap(at, greater);
    permutation[at + 1..].reverse();
    true
}

/// Circuits set up at random, until one finds no path.
fn obstacle(stages: &Stages) -> Option<Obstacle> {
    let n = stages.lines();
    (0..TRIES).find_map(|seed| {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut sources: Vec<u32> = (0..n).collect();
        sources.shuffle(&mut random);
        let mut free = FreePaths::new(stages);
        for (at, &from) in sources.iter().enumerate() {
            let mut idle = (0..n).filter(|to| *to != from && free.receives_nothing(*to));
            let refused = idle.find(|to| free.is_refused(from, *to));
            if let Some(to) = refused.filter(|_| at > 0) {
                return Some(Obstacle { circuits: free.circuits(), from, to });
            }
            let wanted: Vec<u32> = (0..stages.count()).map(|_| random.random_range(0..2)).collect();
            // One random path, if it is free.
            let _ = free.stand(from, |stage, line| line % 2 == wanted[stage as usize]);
        }
        None
    })
}
