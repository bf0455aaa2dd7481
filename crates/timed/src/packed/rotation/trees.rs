//! **What:** a tree for every chunk, by prices: those of several terminals of a machine in turn, and chains in rotation.

use crate::packed::Demand;
use crate::packed::spread::Spread;
use crate::packed::stream::{Rails, Stream};
use crate::packed::trees::{Packing, Tree};
use graph::machines::Groups;
use kernel::Node;
use run::Run;
use std::collections::{BTreeMap, HashMap};

/// Chains from one node that are searched for at once.
const AT_ONCE: usize = 16;

/// A tree for every demand. `leaving`: the ticks that a chunk takes from each node until it has left its group.
pub(super) fn trees(
    packing: &mut Packing<'_>,
    leaving: &[u64],
    groups: &Groups,
    demands: &[Demand],
    streamed: Option<(&BTreeMap<usize, Stream>, &Rails, Spread)>,
    alpha: f64,
    run: &Run<'_>,
) -> Option<Vec<Tree>> {
    let mut trees: Vec<Tree> = vec![Tree::new(); demands.len()];
    let mut chains: HashMap<Node, Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (at, (demand, number)) in demands.iter().zip(numbers(demands)).enumerate() {
        match demand.to.len() {
            0 => {}
            1 => chains.entry(demand.from).or_default().push(at),
            _ => order.push((groups.group(demand.from), number, leaving[demand.from.index()], at)),
        }
    }
    // A chunk of each terminal of a machine, then the next ones, so that its ways into others fill alike; those first that can leave it at once, so that these do not all enter by the same ways.
    order.sort_unstable();
    // What streams carry between machines comes first: no other channels can take it.
    if let Some((streams, rails, _)) = streamed {
        for (.., at) in &order {
            if run.stopped() {
                return None;
            }
            if let Some(stream) = streams.get(at) {
                trees[*at] = packing.enter(&demands[*at], groups, (stream, rails), alpha);
            }
        }
    }
    for (.., at) in order {
        if run.stopped() {
            return None;
        }
        trees[at] = match streamed.filter(|(streams, ..)| streams.contains_key(&at)) {
            Some((.., spread)) => {
                packing.spread_from(&demands[at], groups, std::mem::take(&mut trees[at]), spread, alpha)
            }
            None => packing.grow_by_groups(&demands[at], groups, alpha),
        };
    }
    // Some of every root, then the next ones, all of them in rotation.
    for of_one in chains.values_mut() {
        of_one.sort_by_key(|at| {
            let (from, to) = (demands[*at].from, demands[*at].to[0]);
            (groups.group(to).map(|group| groups.after(from, group)), groups.places_after(from, to))
        });
    }
    let of_roots = chains.values().flat_map(|of_one| of_one.chunks(AT_ONCE).enumerate());
    let mut parts: Vec<(usize, &[usize])> = of_roots.collect();
    parts.sort_unstable();
    for (_, group) in parts {
        if run.stopped() {
            return None;
        }
        packing.fill(demands, group, alpha, &mut trees);
    }
    Some(trees)
}

/// How many chunks of the same root for several are before each.
pub(super) fn numbers(demands: &[Demand]) -> Vec<usize> {
    let mut seen: HashMap<Node, usize> = HashMap::new();
    let number = |demand: &Demand| {
        let before = seen.entry(demand.from).or_insert(0);
        *before += usize::from(demand.to.len() > 1);
        before.saturating_sub(1)
    };
    demands.iter().map(number).collect()
}
