//! Laws of the method `relay-matching`.

use crate::threads::{same_and_valid, some_or_all};
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use proptest::prelude::*;
use run::Settings;
use search::RelayMatching;
use testing::*;

/// Alltoall on a network with so many ports a node.
fn alltoall(spec: &str, ports: Ports, chunks: u32) -> Problem {
    let network = topologies::parse(spec).expect("a known network");
    let parts = NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() };
    let network = Network::new(parts).expect("sound");
    let collective = Collective::alltoall(network.terminals(), network.terminals()).in_chunks(chunks);
    Problem::new(network, collective, Model::store_and_forward()).expect("connected")
}

/// The bounds of linear programs, rounded up.
#[test]
fn floors_are_reached_with_few_ports_and_many() {
    let (all, one) = (Ports::All, Ports::Each(1));
    for (spec, ports, chunks, floor) in [
        ("mesh:5x7", &one, 1, 144),
        ("kautz:3,3", &all, 1, 32),
        ("mesh:4x4", &all, 3, 48),
        ("mesh:3x5", &one, 2, 81),
        ("full-tree:15", &all, 1, 56),
        // Long open.
        ("full-tree:15", &one, 1, 128),
        ("random-regular:16,3", &one, 1, 37),
    ] {
        let problem = alltoall(spec, ports.clone(), chunks);
        assert_eq!(solved(&RelayMatching, &problem, floor).steps() as u64, floor, "{spec}");
    }
}

/// Where what goes far goes before all else, receivers have nothing to do at first, and 37 steps are needed; the bound is 32.
#[test]
fn ranks_are_found_where_distances_count() {
    let tree = topologies::change::with_storing_switches(&topologies::parse("fat-tree:8").expect("a known network"));
    let leaves: Vec<_> = tree.nodes().take(8).collect();
    let alltoall = Collective::alltoall(&leaves, &leaves).in_chunks(4);
    let problem = Problem::new(tree, alltoall, Model::store_and_forward()).expect("connected");
    let settings = Settings { ticks: 20_000_000, ..Settings::default() };
    assert_eq!(solved_with(&RelayMatching, &problem, 36, settings).steps(), 36);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Networks of all kinds: wide channels, few ports, links that carry one way at a time.
    #[test]
    fn valid_on_any_network_and_any_number_of_threads(
        parts in odd_network(8),
        slack in prop::option::of(0u32..3),
        pairs in prop::collection::vec((0u32..8, 0u32..8), 1..30),
        all in any::<bool>(),
    ) {
        let network = Network::new(parts).expect("sound");
        let collective = some_or_all(&network, &pairs, all);
        let Ok(problem) = Problem::new(network, collective, Model::store_and_forward()) else { return Ok(()) };
        let settings = Settings { slack, ticks: 100_000, ..Settings::default() };
        prop_assert!(same_and_valid(&RelayMatching, &problem, &settings).is_some(), "every message has a way");
    }
}
