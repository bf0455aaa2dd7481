//! A problem is well posed exactly if every sender can reach whom its messages are for, pair by pair.

use kernel::{Collective, Model, Network, NetworkData, Node, Problem, ProblemError, Semantics};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The nodes that messages of `from` get to: over channels of it, of terminals, and of who lets paths pass.
fn reached(network: &Network, model: Model, from: Node) -> BTreeSet<Node> {
    let mut reached = BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        let relays = network.is_terminal(node);
        if !(relays || (network.is_transit(node) && model == Model::wormhole())) {
            continue;
        }
        for &channel in network.outgoing(node) {
            if reached.insert(network.to(channel)) {
                waiting.push(network.to(channel));
            }
        }
    }
    reached
}

/// Few channels among many nodes, so that about as many problems are ill posed as well.
fn networks() -> impl Strategy<Value = Network> {
    (2u32..260).prop_flat_map(|nodes| {
        let links = proptest::collection::vec((0..nodes, 0..nodes), 0..3 * nodes as usize);
        let line = prop_oneof![Just(false), Just(true)];
        let switches = proptest::collection::btree_set(0..nodes, 0..(nodes as usize / 4).max(1));
        let closed = proptest::collection::btree_set(0..nodes, 0..(nodes as usize / 4).max(1));
        (links, line, switches, closed).prop_map(move |(links, line, switches, closed)| {
            let mut channels: Vec<(u32, u32)> = links.into_iter().filter(|(a, b)| a != b).collect();
            // Many components, one after another.
            channels.extend((1..nodes).filter(|_| line).map(|v| (v - 1, v)));
            let terminals: Vec<u32> = (0..nodes).filter(|v| *v == 0 || !switches.contains(v)).collect();
            let (terminals, no_transit) = (Some(terminals), closed.into_iter().collect());
            Network::new(NetworkData { nodes, channels, terminals, no_transit, ..NetworkData::default() }).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exactly_what_is_reachable_is_well_posed(
        network in networks(),
        lists in proptest::collection::vec((
            proptest::collection::vec(any::<prop::sample::Index>(), 1..90),
            proptest::collection::vec(any::<prop::sample::Index>(), 1..90),
        ), 1..6),
        reduce in any::<bool>(),
        product in any::<bool>(),
        hops in any::<bool>(),
    ) {
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let nodes = |list: &[prop::sample::Index]| -> Vec<Node> {
            let set: BTreeSet<Node> = list.iter().map(|at| *at.get(network.terminals())).collect();
            set.into_iter().collect()
        };
        let collective = if product {
            Collective::alltoall(&nodes(&lists[0].0), &nodes(&lists[0].1))
        } else if reduce {
            let chunks: Vec<_> = lists.iter().map(|(from, to)| (nodes(from), nodes(to))).collect();
            Collective::new("some", Semantics::Reduce, None, chunks).unwrap()
        } else {
            let copies = lists.iter().flat_map(|(from, to)| nodes(from).into_iter().map(|v| (vec![v], nodes(to))));
            Collective::new("some", Semantics::Copy, None, copies.collect::<Vec<_>>()).unwrap()
        };
        let mut missed = BTreeSet::new();
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                let reached = reached(&network, model, from);
                let lost = collective.destinations(message).iter().filter(|to| !reached.contains(to));
                missed.extend(lost.map(|&to| (message, from, to)));
            }
        }
        match Problem::new(network, collective, model) {
            Ok(_) => prop_assert!(missed.is_empty(), "{missed:?}"),
            Err(ProblemError::Unreachable { message, from, to }) => {
                prop_assert!(missed.contains(&(message, from, to)), "{message} {from} {to}");
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}
