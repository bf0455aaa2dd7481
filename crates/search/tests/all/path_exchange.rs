//! Laws of the method `path-exchange`.

use crate::threads::{same_and_valid, some_or_all};
use kernel::{Collective, Model, Network, Problem};
use proptest::prelude::*;
use run::{Method, Settings};
use search::PathExchange;
use testing::*;

fn built(spec: &str) -> Problem {
    let network: Network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

/// Floors of the linear program on networks without symmetry, and the numbers of a few with it.
#[test]
fn floors_are_reached() {
    for (spec, floor) in [("random-regular:16,3", 14), ("petersen", 5), ("heawood", 9), ("debruijn:2,4", 26)] {
        assert_eq!(solved(&PathExchange, &built(spec), floor).steps() as u64, floor, "{spec}");
    }
}

/// What a layout keeps up to date is what a count from nothing gives: the method itself asserts it after every bout of random
/// moves and whenever steps are taken away. Floors out of reach keep it going; the last network is divided by a group first.
#[test]
fn what_is_kept_is_what_is_there() {
    for (spec, floor) in
        [("random-regular:16,3", 0), ("kautz:2,2", 0), ("ring:5", 0), ("torus:4x4", 0), ("ring:20", 50)]
    {
        let settings = Settings { ticks: 1_000_000, ..Settings::default() };
        solved_with(&PathExchange, &built(spec), floor, settings);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn valid_on_any_network_and_any_number_of_threads(
        parts in odd_network(8),
        pairs in prop::collection::vec((0u32..8, 0u32..8), 1..30),
        all in any::<bool>(),
    ) {
        let network = Network::new(parts).expect("sound");
        let collective = some_or_all(&network, &pairs, all);
        let Ok(problem) = Problem::new(network, collective, Model::wormhole()) else { return Ok(()) };
        if PathExchange.applies(&problem) {
            let settings = Settings { ticks: 400_000, ..Settings::default() };
            same_and_valid(&PathExchange, &problem, &settings);
        }
    }
}
