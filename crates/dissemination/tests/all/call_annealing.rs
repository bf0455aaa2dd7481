//! Annealing of calls: few steps on small networks, schedules whatever the model, and an end when ticks are few.

use dissemination::CallAnnealing;
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use proptest::prelude::*;
use run::{Method, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::named::spidergon;
use testing::{mesh, odd_network, ring, solved_with};

fn allgather(network: Network, model: Model) -> Problem {
    let collective = Collective::allgather(network.terminals(), network.terminals());
    Problem::new(network, collective, Model { combining: true, ..model }).unwrap()
}

fn one_port(network: &Network) -> Network {
    let ports = Ports::Each(1);
    Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() }).unwrap()
}

/// A gather and a broadcast, with all ports three steps each, take 6 steps on `mesh:5x5`; through one port it takes 5 to inform 25 nodes.
#[test]
fn few_steps_on_small_networks() {
    let settings = Settings { seed: Seed(1), ticks: 3_000_000, ..Settings::default() };
    let networks = [
        (mesh(5, 5), Model::wormhole(), 4),
        (one_port(&mesh(5, 5)), Model::wormhole(), 6),
        (spidergon(20), Model::wormhole(), 4),
        (mesh(4, 4), Model::store_and_forward(), 6),
    ];
    for (network, model, most) in networks {
        let found = solved_with(&CallAnnealing, &allgather(network, model), 1, settings);
        assert!(found.steps() <= most, "{} instead of {most}", found.steps());
    }
}

/// Were each try for more steps longer than the last, those for a first schedule would never end.
#[test]
fn a_few_ticks_end_soon() {
    let problem = allgather(ring(64), Model::store_and_forward());
    for ticks in [1, 1000, 30_000] {
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks, ..Settings::default() }, &Silent, &never);
        assert!(CallAnnealing.solve(&problem, 1, &run).is_none());
        assert!(run.wants_more());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_found_is_a_schedule(
        parts in odd_network(7), stored: bool, slack in 0u32..3, kind in 0u32..4, known in 1u64..6,
    ) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let some = &all[..all.len().div_ceil(2)];
        let collective = match kind {
            0 => Collective::allgather(&all, &all),
            1 => Collective::alltoall(&all, &all),
            2 => Collective::allgather(some, &all),
            _ => Collective::allgather(&all, &all).in_chunks(2),
        };
        let model = if stored { Model::store_and_forward() } else { Model::wormhole() };
        let Ok(problem) = Problem::new(network, collective, Model { combining: true, ..model }) else { return Ok(()) };
        crate::holds(&CallAnnealing, &problem, known, 100_000, slack);
    }
}
