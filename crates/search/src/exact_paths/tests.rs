//! Optima of alltoall that the formula of everything leaves open, and agreement with it where it is small.

use crate::ExactSat;
use crate::resources::Resources;
use kernel::formula::{Cnf, Formula};
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem, verify};
use proptest::prelude::*;
use run::{Budget, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{both_ways, hypercube, mesh, network, odd_network, ring, solved_with, torus};

fn alltoall(network: Network) -> Problem {
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

fn petersen() -> Network {
    let outer = (0..5).map(|v| (v, (v + 1) % 5));
    let inner = (0..5).map(|v| (5 + v, 5 + (v + 2) % 5));
    network(10, both_ways(outer.chain(inner).chain((0..5).map(|v| (v, v + 5)))))
}

#[test]
fn alltoall_at_the_floor() {
    for (network, floor) in [
        (petersen(), 5),
        (hypercube(3), 4),
        (hypercube(4), 8),
        (torus(3, 3), 3),
        (torus(4, 4), 8),
        (ring(8), 8),
        (mesh(3, 4), 12),
    ] {
        let found = solved_with(&ExactSat, &alltoall(network), floor, Settings::default());
        assert_eq!(found.steps() as u64, floor);
    }
}

/// Parallel channels and capacities are places that hold several; ports and groups are places too.
#[test]
fn ports_groups_and_capacities() {
    let base = hypercube(3).data().clone();
    let one = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..base.clone() };
    let wide = NetworkData { capacities: Some(vec![2; 24]), ..base };
    for (parts, floor) in [(one, 7), (wide, 2)] {
        let problem = alltoall(Network::new(parts).unwrap());
        assert_eq!(solved_with(&ExactSat, &problem, floor, Settings::default()).steps() as u64, floor);
    }
}

/// With one port and as many slots as messages a node sends, every port is busy in every slot.
#[test]
fn slots_of_time_division() {
    for (network, floor) in [(ring(5), 4), (ring(6), 5), (torus(3, 3), 8)] {
        let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
        let network = Network::new(parts).unwrap();
        let all = Collective::alltoall(network.terminals(), network.terminals());
        let problem = Problem::new(network, all, Model::tdm()).unwrap();
        let found = solved_with(&ExactSat, &problem, floor, Settings::default());
        assert_eq!(found.steps() as u64, floor);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever is found for slots obeys every rule.
    #[test]
    fn found_slots_obey_the_rules(parts in odd_network(5), steps in 1u64..8, hop in 1u32..4, cyclic in any::<bool>()) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let model = Model { switching: kernel::Switching::Tdm { hop, cyclic }, combining: false };
        let Ok(problem) = Problem::new(network, Collective::alltoall(&all, &all), model) else { return Ok(()) };
        let settings = Settings { seed: Seed(1), ticks: 1_000_000, ..Settings::default() };
        let stop = AtomicBool::new(false);
        let run = Run::new(settings, &Silent, &stop);
        let resources = Resources::new(&problem, &mut Budget::unlimited()).expect("no end");
        let Some(mut paths) = super::ExactPaths::new(&resources, &run) else { return Ok(()) };
        let Some(claim) = paths.find(steps, 100_000).0 else { return Ok(()) };
        let found = verify(&problem, claim);
        prop_assert!(found.is_ok(), "{:?}", found.err());
        prop_assert!(found.unwrap().steps() as u64 <= steps);
    }

    /// What is found obeys every rule, and is found only where the formula of everything has a solution too.
    #[test]
    fn found_schedules_obey_the_rules(parts in odd_network(5), steps in 1u64..6) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let Ok(problem) = Problem::new(network, Collective::alltoall(&all, &all), Model::wormhole()) else { return Ok(()) };
        let settings = Settings { seed: Seed(1), ticks: 1_000_000, ..Settings::default() };
        let stop = AtomicBool::new(false);
        let run = Run::new(settings, &Silent, &stop);
        let resources = Resources::new(&problem, &mut Budget::unlimited()).expect("no end");
        let Some(mut paths) = super::ExactPaths::new(&resources, &run) else { return Ok(()) };
        let Some(claim) = paths.find(steps, 100_000).0 else { return Ok(()) };
        let found = verify(&problem, claim);
        prop_assert!(found.is_ok(), "{:?}", found.err());
        prop_assert!(found.unwrap().steps() as u64 <= steps);
        if let Ok(formula) = Formula::encode_within(&problem, steps, 20_000) {
            let decided = graph::sat::decide(&Cnf::new(&formula), 20_000, &run).0;
            prop_assert!(!matches!(decided, graph::sat::Answer::None(())));
        }
    }
}
