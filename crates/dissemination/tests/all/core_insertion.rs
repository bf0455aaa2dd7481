//! Chunks that are merged into cores: bounds that are reached, and what comes of odd networks.

use crate::with_ports;
use dissemination::CoreInsertion;
use kernel::{Collective, Model, Network, Problem, Switching, verify};
use proptest::prelude::*;
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{hypercube, odd_network, ring, solved_with, torus};

fn allreduce(network: Network, chunks: u32, switching: Switching) -> Problem {
    let allreduce = Collective::allreduce(network.terminals()).in_chunks(chunks);
    Problem::new(network, allreduce, Model { switching, combining: false }).unwrap()
}

/// Recursive doubling is a core of all nodes; with chunks, two exchanges and what goes there and back.
#[test]
fn chunks_are_exchanged_in_cores() {
    let settings = Settings { ticks: 20_000_000, ..Settings::default() };
    for (network, chunks, steps) in [
        (with_ports(&hypercube(2), 1), 2, 3),
        (with_ports(&hypercube(3), 1), 4, 8),
        (with_ports(&torus(4, 4), 1), 4, 10),
        (with_ports(&hypercube(6), 1), 4, 11),
        (with_ports(&ring(6), 1), 2, 7),
    ] {
        let problem = allreduce(network, chunks, Switching::StoreAndForward);
        let found = solved_with(&CoreInsertion, &problem, steps, settings);
        assert!(found.steps() as u64 <= steps, "{} steps instead of {steps}", found.steps());
    }
}

#[test]
fn the_same_seed_makes_the_same_schedule() {
    let problem = allreduce(with_ports(&torus(4, 4), 1), 4, Switching::StoreAndForward);
    let settings = Settings { ticks: 3_000_000, ..Settings::default() };
    let [one, other] = [(); 2].map(|()| solved_with(&CoreInsertion, &problem, 1, settings));
    assert_eq!(one.expanded().unwrap(), other.expanded().unwrap());
}

/// Whatever is found is valid where automorphisms move chunks to chunks, or cores to themselves.
#[test]
fn schedules_are_valid_where_cores_have_images() {
    let settings = Settings { ticks: 150_000, ..Settings::default() };
    for network in [torus(4, 3), torus(4, 4), ring(8), hypercube(4)] {
        for (chunks, switching) in [(2, Switching::StoreAndForward), (3, Switching::Wormhole), (4, Switching::Wormhole)]
        {
            let problem = allreduce(with_ports(&network, 1), chunks, switching);
            solved_with(&CoreInsertion, &problem, 1, settings);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn schedules_are_valid_on_odd_networks(parts in odd_network(7), chunks in 1u32..5, stored: bool) {
        let network = Network::new(parts).expect("sound");
        if network.terminals().len() < 2 {
            return Ok(());
        }
        let switching = if stored { Switching::StoreAndForward } else { Switching::Wormhole };
        let allreduce = Collective::allreduce(network.terminals()).in_chunks(chunks);
        let Ok(problem) = Problem::new(network, allreduce, Model { switching, combining: false }) else { return Ok(()) };
        if !CoreInsertion.applies(&problem) {
            return Ok(());
        }
        let stop = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 300_000, ..Settings::default() }, &Silent, &stop);
        if let Some(found) = CoreInsertion.solve(&problem, 1, &run) {
            let checked = verify(&problem, found);
            prop_assert!(checked.is_ok(), "{:?}", checked.err());
        }
    }
}
