//! **What:** a group of symmetries by its elements, closed under composition, and its maps onto cyclic groups.
//!
//! **Facts.** No element but the identity leaves a message in place, so messages fall into orbits of full length. A map
//! onto a cyclic group that respects composition (a *time shift*) tells how many blocks of steps each element shifts.

use super::Ends;
use crate::automorphisms::Automorphism;
use kernel::Problem;
use num_integer::gcd;
use run::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// A group of symmetries that keep every message moving.
#[derive(Clone, Debug)]
pub struct FreeGroup {
    /// Every element; the identity first.
    pub elements: Vec<Automorphism>,
    /// Elements that generate the group.
    pub generators: Vec<Automorphism>,
    /// Element by generator: the element that does the one and then the other.
    products: Vec<u32>,
}

/// What a group does to blocks of steps.
#[derive(Clone, Debug)]
pub struct TimeShift {
    /// Blocks that follow each other in a circle.
    pub blocks: u32,
    /// By how many blocks each element shifts.
    pub shifts: Vec<u32>,
}

impl FreeGroup {
    /// The group that leaves everything in place.
    pub fn trivial(problem: &Problem) -> Self {
        let network = problem.network();
        let identity = Automorphism {
            nodes: network.nodes().map(|v| v.0).collect(),
            channels: network.channels().map(|c| c.0).collect(),
        };
        FreeGroup { elements: vec![identity], generators: Vec::new(), products: Vec::new() }
    }

    /// All products of `generators` (at least one), if they are at most `most` and keep every message moving.
    pub fn generated(
        generators: Vec<Automorphism>,
        ends: &Ends,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Option<FreeGroup> {
        let identity = generators.first()?.power(0);
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::from([(identity.nodes.clone(), 0)]);
        let mut elements = vec![identity];
        let mut products = Vec::new();
        let mut at = 0;
        while at < elements.len() {
            for generator in &generators {
                if !budget.spend(generator.nodes.len() as u64 / 2) {
                    return None;
                }
                let nodes: Vec<u32> = elements[at].nodes.iter().map(|&v| generator.nodes[v as usize]).collect();
                let next = u32::try_from(elements.len()).ok()?;
                let index = *known.entry(nodes).or_insert(next);
                if index == next {
                    let product = elements[at].then(generator);
                    let spent = budget.spend(product.channels.len() as u64 / 4);
                    if !spent || elements.len() >= most || ends.fixes_one(&product) {
                        return None;
                    }
                    elements.push(product);
                }
                products.push(index);
            }
            at += 1;
        }
        Some(FreeGroup { elements, generators, products })
    }

    /// The order of element `index`.
    fn order(&self, index: usize) -> u64 {
        // Elements that move nothing but the identity: nodes determine them.
        self.elements[index].order().unwrap_or(1)
    }

    /// Different shifts of time, those of few blocks first, at most `most`; the first lets time alone.
    pub fn shifts(&self, longest: u32, most: usize) -> Vec<TimeShift> {
        let mut found = vec![TimeShift { blocks: 1, shifts: vec![0; self.elements.len()] }];
        let g = self.generators.len();
        if g == 0 {
            return found;
        }
        let orders: Vec<u64> = (0..g).map(|i| self.order(self.products[i] as usize)).collect();
        let exponent = orders.iter().try_fold(1u64, |all, &o| all.checked_mul(o / gcd(all, o))).unwrap_or(1);
        let mut known: BTreeSet<Vec<bool>> = BTreeSet::new();
        for blocks in (2..=longest).filter(|k| exponent.is_multiple_of(u64::from(*k))) {
            // A generator shifts by a multiple of blocks / gcd(blocks, its order).
            let choices: Vec<u64> = orders.iter().map(|&o| gcd(u64::from(blocks), o)).collect();
            let total = choices.iter().try_fold(1u64, |all, &c| all.checked_mul(c)).unwrap_or(u64::MAX);
            let tried = total.min(TRIED);
            for i in 0..tried {
                // Spread over all assignments where they are too many.
                let mut code = if total > TRIED { i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % total } else { i };
                let values: Vec<u32> = choices
                    .iter()
                    .map(|&c| {
                        let value = code % c * (u64::from(blocks) / c);
                        code /= c;
                        u32::try_from(value).expect("less than the blocks")
                    })
                    .collect();
                let all =
                    values.iter().fold(blocks, |d, &v| u32::try_from(gcd(u64::from(d), u64::from(v))).unwrap_or(1));
                if all != 1 {
                    continue;
                }
                let Some(shifts) = self.extend(blocks, &values) else { continue };
                // Shifts of equal kernels differ only in the names of the steps.
                if known.insert(shifts.iter().map(|&s| s == 0).collect()) {
                    found.push(TimeShift { blocks, shifts });
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// The time shift under which generators shift by `values`, if there is one.
    fn extend(&self, blocks: u32, values: &[u32]) -> Option<Vec<u32>> {
        let mut shifts = vec![u32::MAX; self.elements.len()];
        shifts[0] = 0;
        for (at, images) in self.products.chunks(values.len()).enumerate() {
            // Elements are listed after one they are a product of.
            let here = shifts[at];
            for (&image, &value) in images.iter().zip(values) {
                let wanted = (here + value) % blocks;
                let shift = &mut shifts[image as usize];
                if *shift == u32::MAX {
                    *shift = wanted;
                }
                if *shift != wanted {
                    return None;
                }
            }
        }
        Some(shifts)
    }
}

/// Assignments tried for a number of blocks.
const TRIED: u64 = 256;
