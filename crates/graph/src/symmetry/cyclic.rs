//! **What:** cyclic groups of symmetries, under which some messages may stay where they are.
//!
//! A network with a fault, or a tree, often has no group that keeps every message moving, but one that leaves only few in
//! place. A search that loses little by them can use it.

use super::Ends;
use crate::{automorphisms::Automorphism, automorphisms::Group};
use kernel::Problem;
use run::{Budget, Seed};
use std::collections::BTreeMap;

/// Elements looked at: generators first, then any.
const TRIES: usize = 64;
/// The largest order of a group.
const MOST: u64 = 64;

/// A cyclic group.
pub struct Cyclic {
    /// All elements, the identity first.
    pub elements: Vec<Automorphism>,
    /// Over all elements but the identity, the messages that each leaves in place.
    pub fixed: usize,
}

/// Of each order the group that leaves the fewest messages in place, ticks are looks at a channel.
pub fn cyclic_groups(problem: &Problem, ends: &Ends, seed: Seed, budget: &mut Budget<'_>) -> Vec<Cyclic> {
    let network = problem.network();
    let quarter = budget.left() / 4;
    let whole = budget.within(quarter, |part| Group::with_arcs(network, &ends.arcs(), part));
    if whole.generators().is_empty() {
        return Vec::new();
    }
    let mut random = seed.generator(0x5e12_0000);
    let look = (network.channel_count() + network.node_count()) as u64;
    let mut found: BTreeMap<u64, Cyclic> = BTreeMap::new();
    for attempt in 0..TRIES {
        let element = whole.generators().get(attempt).cloned().unwrap_or_else(|| whole.random(&mut random));
        let Some(order) = element.order() else { continue };
        for divisor in (2..=MOST.min(order)).filter(|d| order.is_multiple_of(*d)) {
            if !budget.spend(look * divisor) {
                return found.into_values().collect();
            }
            let generator = element.power(order / divisor);
            let mut elements = vec![generator.power(0)];
            while elements.len() < divisor as usize {
                elements.push(elements[elements.len() - 1].then(&generator));
            }
            let fixed = elements[1..].iter().map(|map| ends.fixed(map)).sum();
            if found.get(&divisor).is_none_or(|known| fixed < known.fixed) {
                found.insert(divisor, Cyclic { elements, fixed });
            }
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Collective, Message, Model, Network};
    use testing::*;

    #[test]
    fn groups_are_closed_and_what_they_fix_is_counted() {
        let damaged = |network: Network, node: u32| {
            let mut parts = network.data().clone();
            parts.channels.retain(|&(a, b)| a != node && b != node);
            parts.terminals = Some((0..parts.nodes).filter(|&v| v != node).collect());
            Network::new(parts).expect("sound")
        };
        let mut some = 0;
        for network in [ring(7), mesh(3, 3), torus(3, 4), damaged(torus(4, 4), 5), full_tree(7), hypercube(3)] {
            let collective = Collective::alltoall(network.terminals(), network.terminals());
            let problem = Problem::new(network, collective, Model::wormhole()).expect("connected");
            let collective = problem.collective();
            let different = |&m: &Message| collective.destinations(m)[0] != collective.origin(m);
            let open: Vec<Message> = collective.messages().filter(different).collect();
            let ends = Ends::new(&problem, &open);
            let groups = cyclic_groups(&problem, &ends, Seed(1), &mut Budget::ticks(1_000_000));
            assert!(!groups.is_empty());
            for Cyclic { elements, fixed } in groups {
                assert!(elements[0].is_identity() && !elements[1].is_identity());
                assert!(elements[elements.len() - 1].then(&elements[1]).is_identity());
                let stays = |map: &Automorphism| open.iter().filter(|m| ends.image(map, **m) == Some(**m)).count();
                assert_eq!(elements[1..].iter().map(stays).sum::<usize>(), fixed);
                some += fixed;
            }
        }
        assert!(some > 0);
    }
}
