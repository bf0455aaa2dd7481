//! The finder `articulation`: what it proves on trees, and that no schedule takes fewer steps.

use crate::finders::{all, automatic, collective, family, finder, found, problem};
use bounds::*;
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem, Proof};
use proptest::prelude::*;
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

fn one_port(parts: NetworkData) -> NetworkData {
    NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..parts }
}

#[test]
fn ports_of_inner_nodes_of_a_tree() {
    let stored = Model::store_and_forward();
    let tree = || one_port(family("full-tree:7"));
    let allreduce = |chunks| problem(tree(), Collective::allreduce(&all(7)).in_chunks(chunks), stored);
    // Three passages of a chunk over two leaves, and two transfers before the first of them.
    assert_eq!([1, 4, 16].map(|chunks| found(finder("articulation"), &allreduce(chunks))), [5, 14, 50]);
    let ring = problem(one_port(family("ring:7")), Collective::allreduce(&all(7)), stored);
    assert_eq!(found(finder("articulation"), &ring), 0, "nothing falls apart");
    let wormhole = problem(tree(), Collective::allreduce(&all(7)), Model::wormhole());
    assert_eq!(found(finder("articulation"), &wormhole), 0);
}

/// A tree, some more links, and few ports.
fn nearly_a_tree() -> impl Strategy<Value = NetworkData> {
    let parents = prop::collection::vec(0u32..6, 1..7);
    let more = prop::collection::vec((0u32..7, 0u32..7), 0..2);
    (parents, more, 1u32..3, 1u32..3).prop_map(|(parents, more, send, receive)| {
        let nodes = parents.len() as u32 + 1;
        let up = (1u32..).zip(parents).map(|(v, parent)| (v, parent % v));
        let more = more.into_iter().map(|(a, b)| (a % nodes, b % nodes)).filter(|(a, b)| a != b);
        let channels = up.chain(more).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let (send_ports, receive_ports) = (Ports::Each(send), Ports::Each(receive));
        NetworkData { nodes, channels, send_ports, receive_ports, ..NetworkData::default() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_it_proves_no_schedule_undercuts(parts in nearly_a_tree(), kind in 0usize..15, chunks in 1u32..4) {
        let network = Network::new(parts).unwrap();
        let collective = collective(kind, network.terminals());
        let collective = if kind == 14 { collective } else { collective.in_chunks(chunks) };
        let fits = Problem::new(network.clone(), collective, Model::store_and_forward());
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 5_000, ..Settings::default() }, &Silent, &never);
        if let Some(solution) = methods::best_of(&automatic(), &problem, 0, &run) {
            for node in network.nodes() {
                let proved = measure(&problem, Proof::Articulation { node }).steps;
                prop_assert!(proved <= solution.schedule.steps() as u64, "{} at {}", proved, node);
            }
        }
    }
}
