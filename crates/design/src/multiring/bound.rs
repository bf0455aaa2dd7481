//! **What:** how many nodes a circulant network of given degree, diameter and σ can have at most: a counting bound.
//!
//! **Idea.** A walk's end depends only on how often it takes each length: on a *choice*, a vector of whole numbers with one
//! entry for each length (each pair of opposite lengths). As many walks stand for a choice as lead to it in the grid of all
//! such vectors, within the hops allowed: its weight, such as 1, 2, 3 or 6 for up to three hops. Node 0 has the weight of the
//! zero vector for certain, and a node one hop away that of a unit vector. For every other node the choices that lead to it
//! must weigh σ together, and for those named so must the choices that lead to it besides. So choices cover bins, of σ or of
//! what is missing from it, and there are only so many of them.
//!
//! **Certificate.** A price for each weight. All choices cost so much together; a bin costs at least what its cheapest cover
//! costs, and no more bins are covered than can be paid. A linear program finds good prices; [`nodes_at_most`] checks them in
//! whole numbers, by dynamic programming, and nothing rests on floating point.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use std::collections::BTreeMap;

/// What is asked of a circulant network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Wanted {
    /// Channels that leave a node; even where lengths go both ways.
    pub degree: u32,
    /// Most hops of a walk.
    pub hops: u32,
    /// Fewest walks from any node to any other and itself.
    pub parallelism: u64,
    /// Whether every length goes both ways (and none is half the nodes).
    pub symmetric: bool,
}

/// Prices of choices by their weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// Weight and price.
    pub prices: Vec<(u64, u64)>,
}

/// Vectors by the sizes of their entries: all that look alike have the same weight.
struct Kind {
    weight: u64,
    count: u128,
    /// The sum of the sizes: fewest hops that lead there.
    hops: u32,
}

/// All kinds of choices, the zero vector first.
fn kinds(wanted: &Wanted) -> Vec<Kind> {
    // Both directions of a length share an entry of the vector.
    let ways: u32 = if wanted.symmetric { 2 } else { 1 };
    let entries = wanted.degree / ways;
    let mut found = Vec::new();
    for hops in 0..=wanted.hops {
        partitions(hops, hops, &mut Vec::new(), &mut |parts| {
            let used = parts.len() as u32;
            if used > entries {
                return;
            }
            let places = (0..used).map(|i| u128::from(ways * (entries - i))).fold(1u128, u128::saturating_mul);
            let mut same = BTreeMap::new();
            parts.iter().for_each(|p| *same.entry(*p).or_insert(0u32) += 1);
            let orders: u128 = same.values().map(|n| u128::from(factorial(*n))).product();
            let weight = weight(parts, entries - used, wanted);
            found.push(Kind { weight, count: places / orders, hops });
        });
    }
    found
}

fn factorial(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}

fn binomial(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |all, i| all * (n as u64 - i) / (i + 1))
}

/// Walks of at most the hops wanted that lead to a vector with these entries and `zeros` more.
fn weight(parts: &[u32], zeros: u32, wanted: &Wanted) -> u64 {
    let hops = wanted.hops as usize;
    // Walks of n hops along one entry that lead to `part`; with one direction there is no way back.
    let line = |part: u32| -> Vec<u64> {
        let ends = |n: usize| match n.checked_sub(part as usize) {
            Some(0) => 1,
            Some(back) if wanted.symmetric && back % 2 == 0 => binomial(n, back / 2),
            _ => 0,
        };
        (0..=hops).map(ends).collect()
    };
    let mut walks = vec![0u64; hops + 1];
    walks[0] = 1;
    for part in parts.iter().copied().chain((0..zeros).map(|_| 0)) {
        let along = line(part);
        // Hops along different entries are taken in any order.
        let mixed = |n: usize| {
            let terms = (0..=n).map(|i| binomial(n, i).saturating_mul(walks[n - i]).saturating_mul(along[i]));
            terms.fold(0, u64::saturating_add)
        };
        walks = (0..=hops).map(mixed).collect();
    }
    // A walk of no hops does not count.
    walks[1..].iter().copied().fold(0, u64::saturating_add)
}

/// How many choices of two hops or more there are of each weight.
fn choices(kinds: &[Kind]) -> BTreeMap<u64, u128> {
    let mut found = BTreeMap::new();
    for kind in kinds.iter().filter(|k| k.hops >= 2) {
        *found.entry(kind.weight).or_insert(0) += kind.count;
    }
    found
}

fn partitions(left: u32, largest: u32, parts: &mut Vec<u32>, found: &mut impl FnMut(&[u32])) {
    if left == 0 {
        return found(parts);
    }
    for part in (1..=largest.min(left)).rev() {
        parts.push(part);
        partitions(left - part, part, parts, found);
        parts.pop();
    }
}

/// The cheapest cover of a bin of weight `size`.
fn cheapest<T: Copy + PartialOrd + std::ops::Add<Output = T>>(
    size: u64,
    prices: &[(u64, T)],
    zero: T,
) -> (T, Vec<u64>) {
    let mut best = vec![(zero, 0u64)];
    for load in 1..=size {
        let mut here: Option<(T, u64)> = None;
        for &(weight, price) in prices {
            let cost = best[load.saturating_sub(weight) as usize].0 + price;
            if here.is_none_or(|(least, _)| cost < least) {
                here = Some((cost, weight));
            }
        }
        best.push(here.unwrap_or((zero, size)));
    }
    let (mut load, mut items) = (size, Vec::new());
    while load > 0 {
        let weight = best[load as usize].1.max(1);
        items.push(weight);
        load = load.saturating_sub(weight);
    }
    (best[size as usize].0, items)
}

/// Most nodes that these prices allow; 0 where there is no such network at all, `None` where the prices prove nothing.
pub fn nodes_at_most(wanted: &Wanted, prices: &Prices) -> Option<u64> {
    let kinds = kinds(wanted);
    let choices = choices(&kinds);
    let bounded: Vec<(u64, u64)> =
        prices.prices.iter().copied().filter(|(w, p)| choices.contains_key(w) && *p < 1 << 40).collect();
    let priced: std::collections::BTreeSet<u64> = bounded.iter().map(|(w, _)| *w).collect();
    if priced.len() != choices.len() || bounded.len() != priced.len() || wanted.parallelism >= MOST_PARALLELISM {
        return None;
    }
    let cost = |size: u64| if size == 0 { 0 } else { u128::from(cheapest(size, &bounded, 0).0) };
    let mut money =
        bounded.iter().map(|(w, p)| choices[w].saturating_mul(u128::from(*p))).fold(0, u128::saturating_add);
    // What the nodes that are surely there lack: node 0, if lengths have a way back, and those one hop away.
    let mut nodes = 0u128;
    for kind in kinds.iter().filter(|k| k.hops == 1 || (k.hops == 0 && wanted.symmetric)) {
        let lacks = wanted.parallelism.saturating_sub(kind.weight);
        if choices.is_empty() && lacks > 0 {
            return Some(0);
        }
        match money.checked_sub(cost(lacks).saturating_mul(kind.count)) {
            Some(left) => money = left,
            None => return Some(0),
        }
        nodes += kind.count;
    }
    let bins = if choices.is_empty() { 0 } else { money.checked_div(cost(wanted.parallelism))? };
    u64::try_from(nodes + bins).ok()
}

/// σ beyond which the bound is not computed.
const MOST_PARALLELISM: u64 = 1 << 20;

/// Good prices, by a linear program whose rules are added as they are broken.
pub fn prices(wanted: &Wanted) -> Prices {
    let choices = choices(&kinds(wanted));
    let weights: Vec<u64> = choices.keys().copied().collect();
    let mut rules: Vec<Vec<u64>> = weights.iter().map(|w| vec![*w; wanted.parallelism.div_ceil(*w) as usize]).collect();
    // Every bin by its own weight's share is a sound beginning, should the program fail.
    let mut found: Vec<f64> = weights.iter().map(|w| (*w as f64 / wanted.parallelism as f64).min(1.0)).collect();
    for _ in 0..200 {
        let mut program = Problem::new(OptimizationDirection::Minimize);
        let variables: Vec<Variable> = weights.iter().map(|w| program.add_var(choices[w] as f64, (0.0, 1.0))).collect();
        for rule in &rules {
            let count = |w: &u64| rule.iter().filter(|x| *x == w).count() as f64;
            let row: Vec<(Variable, f64)> = variables.iter().copied().zip(weights.iter().map(count)).collect();
            program.add_constraint(row.as_slice(), ComparisonOp::Ge, 1.0);
        }
        let Ok(SolveOutcome::Solution(solution)) = program.solve() else { break };
        found = variables.iter().map(|v| solution.var_value(*v)).collect();
        let priced: Vec<(u64, f64)> = weights.iter().copied().zip(found.iter().copied()).collect();
        let (cost, items) = cheapest(wanted.parallelism, &priced, 0.0);
        if cost > 1.0 - 1e-9 || rules.contains(&items) {
            break;
        }
        rules.push(items);
    }
    const UNIT: f64 = (1u64 << 30) as f64;
    let whole = found.iter().map(|price| (price.clamp(0.0, 1.0) * UNIT).round() as u64);
    Prices { prices: weights.into_iter().zip(whole).collect() }
}

/// The bound with good prices.
pub fn at_most(wanted: &Wanted) -> Option<u64> {
    nodes_at_most(wanted, &prices(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted_by_weight() {
        let wanted = Wanted { degree: 8, hops: 3, parallelism: 1, symmetric: true };
        assert_eq!(choices(&kinds(&wanted)), BTreeMap::from([(1, 16), (2, 24), (3, 48), (6, 32)]));
        assert_eq!((kinds(&wanted)[0].weight, kinds(&wanted)[1].weight), (8, 22));
    }

    #[test]
    fn every_walk_is_counted_once() {
        for (degree, hops, symmetric) in [(8, 3, true), (8, 5, true), (2, 6, true), (5, 4, false), (1, 3, false)] {
            let wanted = Wanted { degree, hops, parallelism: 1, symmetric };
            let all: u128 = kinds(&wanted).iter().map(|k| u128::from(k.weight) * k.count).sum();
            assert_eq!(all, (1..=hops).map(|h| u128::from(degree).pow(h)).sum(), "{wanted:?}");
        }
    }

    #[test]
    fn prices_that_prove_nothing_are_refused() {
        let wanted = Wanted { degree: 8, hops: 3, parallelism: 2, symmetric: true };
        assert_eq!(nodes_at_most(&wanted, &Prices { prices: vec![(1, 0), (2, 0), (3, 0), (6, 0)] }), None);
        assert_eq!(nodes_at_most(&wanted, &Prices { prices: vec![(1, 1)] }), None);
        // Each choice by its weight: all weights together over σ.
        let fair = Prices { prices: vec![(1, 1), (2, 2), (3, 3), (6, 6)] };
        assert_eq!(nodes_at_most(&wanted, &fair), Some(9 + (16 + 48 + 144 + 192) / 2));
    }
}
