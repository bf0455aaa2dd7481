//! **What:** groups of symmetries of a problem under which no message stays where it is.
//!
//! Under such a group the messages fall into orbits of full length, so a search may place one message of each and let the
//! group place the others.
//!
//! **Method.** A group grows by one generator at a time, from many random starts. Half of the starts keep to abelian
//! groups: the next generator must commute with those there are, so it is taken from the automorphisms of the network
//! with an arc from every node to its image under each generator, the centraliser. The other half take any random
//! element. Either way the largest powers are tried that keep every message moving, and the whole closure is checked.

mod ends;
mod group;

pub use ends::Ends;
pub use group::{FreeGroup, TimeShift};

use crate::distances::{Way, hops};
use crate::isomorphism::LabelledArc;
use crate::{automorphisms::Automorphism, automorphisms::Group};
use kernel::Problem;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Seed};
use std::collections::BTreeMap;

/// Groups of different make, largest first; ticks are looks at a channel.
pub fn free_groups(problem: &Problem, ends: &Ends, seed: Seed, budget: &mut Budget<'_>) -> Vec<FreeGroup> {
    let network = problem.network();
    let ticks = budget.left();
    let whole = budget.within(ticks / 8, |part| Group::with_arcs(network, &ends.arcs(), part));
    if whole.generators().is_empty() {
        return Vec::new();
    }
    let size = network.channel_count() + network.node_count();
    let mut search = Search {
        problem,
        ends,
        whole,
        distances: distances(problem),
        most: (MOST_ENTRIES / 2 / size).min(ends.pair_count()),
        ticks,
        budget,
        found: BTreeMap::new(),
    };
    for start in 0..STARTS {
        if search.budget.is_over() {
            break;
        }
        search.grow(start, &mut seed.generator(0x5e11_0000 + start));
    }
    let mut found: Vec<FreeGroup> = search.found.into_values().flatten().collect();
    found.sort_by_key(|g| std::cmp::Reverse(g.elements.len()));
    let mut entries = 0;
    found.retain(|g| {
        entries += g.elements.len() * size;
        entries <= MOST_ENTRIES
    });
    found
}

/// Groups are grown from so many beginnings.
const STARTS: u64 = 24;

/// Images that all groups together may list: 4 bytes each.
const MOST_ENTRIES: usize = 1 << 24;

struct Search<'a, 'b> {
    problem: &'a Problem,
    ends: &'a Ends,
    whole: Group,
    /// From node to node, row by row; empty where there are too many.
    distances: Vec<u32>,
    most: usize,
    /// Those there were at first.
    ticks: u64,
    budget: &'a mut Budget<'b>,
    /// By what they do to distances, which conjugate groups do alike.
    found: BTreeMap<Vec<u64>, Vec<FreeGroup>>,
}

impl Search<'_, '_> {
    fn grow(&mut self, start: u64, random: &mut Pcg64Mcg) {
        let network = self.problem.network();
        let look = (network.channel_count() + network.node_count()) as u64;
        let tries = usize::try_from((self.ticks / (look * 256).max(1)).clamp(4, 32)).expect("at most 32");
        let (commuting, primes) = (start % 4 != 1, start % 4 == 2);
        let mut pool = self.whole.clone();
        let mut arcs = self.ends.arcs();
        let mut grown: Option<FreeGroup> = None;
        loop {
            let mut next = None;
            for attempt in 0..tries {
                if pool.generators().is_empty() || !self.budget.spend(look) {
                    break;
                }
                // The first start takes generators as they come.
                let element = match pool.generators().get(attempt) {
                    Some(generator) if start == 0 => generator.clone(),
                    _ => pool.random(random),
                };
                next = self.with_power_of(grown.as_ref(), &element, primes);
                if next.is_some() {
                    break;
                }
            }
            let Some(next) = next else { break };
            let key = self.fingerprint(&next);
            let alike = self.found.entry(key).or_default();
            if alike.is_empty() {
                alike.push(next.clone());
            }
            if commuting {
                let label = u32::try_from(next.generators.len()).expect("few generators");
                let last = next.generators.last().expect("one at least");
                arcs.extend((0u32..).zip(&last.nodes).map(|(from, &to)| LabelledArc { from, to, label }));
                pool = self.budget.within(self.ticks / 8, |part| Group::with_arcs(network, &arcs, part));
            }
            grown = Some(next);
        }
    }

    /// The group with the largest power of `element` that keeps every message moving.
    fn with_power_of(&mut self, grown: Option<&FreeGroup>, element: &Automorphism, primes: bool) -> Option<FreeGroup> {
        let order = element.order()?;
        if !(2..=1 << 20).contains(&order) {
            return None;
        }
        let mut divisors: Vec<u64> =
            (1..=order.isqrt()).filter(|d| order.is_multiple_of(*d)).flat_map(|d| [d, order / d]).collect();
        divisors.sort_unstable();
        divisors.dedup();
        if primes {
            // Powers of prime order first.
            divisors.reverse();
            divisors.sort_by_key(|d| !is_prime(order / d));
        }
        let before = grown.map_or(1, |g| g.elements.len());
        divisors.into_iter().filter(|&d| d < order).find_map(|d| {
            let mut generators = grown.map_or_else(Vec::new, |g| g.generators.clone());
            generators.push(element.power(d));
            let next = FreeGroup::generated(generators, self.ends, self.most, self.budget)?;
            (next.elements.len() > before).then_some(next)
        })
    }

    /// What a group does to distances: the sorted fingerprints of its elements.
    fn fingerprint(&mut self, group: &FreeGroup) -> Vec<u64> {
        let n = self.problem.network().node_count();
        let mut prints: Vec<u64> = Vec::with_capacity(group.elements.len());
        for element in &group.elements {
            if !self.budget.spend(n as u64 / 2) {
                break;
            }
            let still = element.channels.iter().enumerate().filter(|&(c, &image)| c == image as usize).count();
            let moved = element.nodes.iter().enumerate().map(|(v, &w)| match self.distances.get(v * n + w as usize) {
                Some(&d) => u64::from(d) + 2,
                None => u64::from(v == w as usize),
            });
            // A sum of powers tells multisets of distances apart, but for rare accidents that only hide a group.
            let power = |d: u64| d.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_pow(5);
            prints.push(moved.fold(still as u64, |sum, d| sum.wrapping_add(power(d))));
        }
        prints.sort_unstable();
        prints
    }
}

fn is_prime(n: u64) -> bool {
    n > 1 && (2..=n.isqrt()).all(|d| !n.is_multiple_of(d))
}

/// Channels between all pairs of nodes, row by row; nothing for large networks.
fn distances(problem: &Problem) -> Vec<u32> {
    let network = problem.network();
    let n = network.node_count();
    if n > 1 << 11 {
        return Vec::new();
    }
    let from =
        |v| hops(network, &[v], Way::On, |_| true, &mut Budget::unlimited()).expect("nothing ends such a budget");
    network.nodes().flat_map(from).collect()
}
