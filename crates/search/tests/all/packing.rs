//! Laws of the method `packing`.

use crate::threads::{same_and_valid, some_or_all};
use kernel::{Collective, Model, Network, Node, Problem};
use proptest::prelude::*;
use run::Settings;
use search::Packing;
use testing::*;

fn alltoall(network: Network) -> Problem {
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

fn built(spec: &str) -> Problem {
    alltoall(topologies::parse(spec).expect("a known network"))
}

/// Optimal numbers of steps: the linear programs' bounds, rounded up.
#[test]
fn floors_are_reached() {
    let floors = [
        ("hypercube:3", 4),
        ("hypercube:4", 8),
        ("torus:4x4", 8),
        ("mesh:3x3", 6),
        ("mesh:4x4", 16),
        ("spidergon:6", 3),
        ("spidergon:12", 9),
        ("petersen", 5),
        ("heawood", 9),
        ("kautz:3,2", 7),
        ("ring:8", 8),
        ("ring-uni:8", 28),
        // Divided by symmetry, also by a group that is not abelian.
        ("hypercube:6", 32),
        ("fat-tree:32", 31),
        ("torus:7x7", 42),
        ("kautz:3,3", 32),
    ];
    for (spec, floor) in floors {
        let settings = Settings { ticks: 20_000_000, ..Settings::default() };
        assert_eq!(solved_with(&Packing, &built(spec), floor, settings).steps() as u64, floor, "{spec}");
    }
}

/// Bit reversal through an omega network: one path a message, three of them over the busiest channel. Two steps take relays,
/// so there is nothing to search for, whatever the ticks.
#[test]
fn one_path_a_message_says_where_to_stop() {
    let network = topologies::parse("omega:16").expect("a known network");
    let reversed = (0..16u32).map(|t| t.reverse_bits() >> 28);
    let moved = (0..16u32).zip(reversed).filter(|(from, to)| from != to);
    let pairs: Vec<_> = moved.map(|(from, to)| (Node(from), Node(to))).collect();
    let problem = Problem::new(network, Collective::pairs("reversed", &pairs), Model::wormhole()).expect("connected");
    for method in [&Packing as &dyn run::Method, &search::PathExchange] {
        let settings = Settings { ticks: u64::MAX, ..Settings::default() };
        assert_eq!(solved_with(method, &problem, 2, settings).steps(), 3, "{}", method.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn valid_on_any_network_and_any_number_of_threads(
        parts in odd_network(8),
        slack in prop::option::of(0u32..3),
        pairs in prop::collection::vec((0u32..8, 0u32..8), 1..30),
        all in any::<bool>(),
    ) {
        let network = Network::new(parts).expect("sound");
        let collective = some_or_all(&network, &pairs, all);
        let Ok(problem) = Problem::new(network, collective, Model::wormhole()) else { return Ok(()) };
        let settings = Settings { slack, ticks: 10_000, ..Settings::default() };
        same_and_valid(&Packing, &problem, &settings);
    }
}
