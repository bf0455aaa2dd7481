//! Laws of the method `time-expanded`.

use crate::threads::{same_and_valid, some_or_all};
use kernel::{Collective, Model, Network, Problem, Switching};
use proptest::prelude::*;
use run::Settings;
use search::TimeExpanded;
use testing::*;

fn alltoall(spec: &str) -> Problem {
    let network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::store_and_forward()).expect("connected")
}

/// Optimal numbers of steps: the linear programs' bounds, rounded up.
#[test]
fn floors_are_reached() {
    let floors = [
        ("dgx1", 3),
        ("ring:8", 8),
        ("ring-uni:8", 28),
        ("hypercube:3", 4),
        ("hypercube:4", 8),
        ("torus:3x3", 3),
        ("torus:4x4", 8),
        ("mesh:4x4", 16),
        ("petersen", 5),
    ];
    for (spec, floor) in floors {
        assert_eq!(solved(&TimeExpanded, &alltoall(spec), floor).steps() as u64, floor, "{spec}");
    }
}

/// Periods of the complete exchange on networks-on-chip, one port a node: the floors n² − 1 of small tori are near.
#[test]
fn periods_of_small_tori() {
    for (spec, period) in [("torus:3x3", 9), ("torus:4x4", 17)] {
        let mut parts = topologies::parse(spec).expect("a known network").data().clone();
        (parts.send_ports, parts.receive_ports) = (kernel::Ports::Each(1), kernel::Ports::Each(1));
        let network = Network::new(parts).expect("sound");
        let collective = Collective::alltoall(network.terminals(), network.terminals());
        let problem = Problem::new(network, collective, Model::tdm()).expect("connected");
        assert!(solved(&TimeExpanded, &problem, period).steps() as u64 <= period, "{spec}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn valid_on_any_network_and_any_number_of_threads(
        parts in odd_network(8),
        slack in prop::option::of(0u32..3),
        pairs in prop::collection::vec((0u32..8, 0u32..8), 1..30),
        all in any::<bool>(),
        hop in 1u32..3,
        switching in 0..3,
    ) {
        let network = Network::new(parts).expect("sound");
        let collective = some_or_all(&network, &pairs, all);
        let model = match switching {
            0 => Model::store_and_forward(),
            cyclic => Model { switching: Switching::Tdm { hop, cyclic: cyclic == 1 }, combining: false },
        };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        let settings = Settings { slack, ticks: 100_000, ..Settings::default() };
        prop_assert!(same_and_valid(&TimeExpanded, &problem, &settings).is_some(), "every message has a way");
    }
}
