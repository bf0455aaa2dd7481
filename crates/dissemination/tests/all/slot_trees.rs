//! Trees in the slots of one period: what they find are schedules, with few slots, and what they decline.

use dissemination::SlotTrees;
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Switching};
use proptest::prelude::*;
use run::{Method, Seed, Settings};
use testing::{hypercube, mesh, odd_network, solved_with, torus};

fn in_slots(network: Network, collective: Collective) -> Problem {
    Problem::new(network, collective, Model::tdm()).expect("well posed")
}

/// Steps of store-and-forward spread over slots take 27 on `mesh:8x8`, twice the distance to a root and back less one.
#[test]
fn fewer_slots_than_steps_spread_out() {
    let settings = Settings { seed: Seed(1), ticks: 10_000_000, ..Settings::default() };
    for (network, slots) in [(mesh(8, 8), 17), (torus(8, 8), 13), (hypercube(5), 9), (mesh(5, 7), 14)] {
        for collective in [Collective::allreduce(network.terminals()), Collective::barrier(network.terminals())] {
            let found = solved_with(&SlotTrees, &in_slots(network.clone(), collective), 4, settings);
            assert!(found.steps() <= slots, "{}: {}", network.name(), found.steps());
        }
    }
}

#[test]
fn what_it_is_not_for() {
    let applies = |model, collective: Collective| {
        SlotTrees.applies(&Problem::new(mesh(2, 2), collective, model).expect("well posed"))
    };
    let all = mesh(2, 2).terminals().to_vec();
    assert!(applies(Model::tdm(), Collective::allreduce(&all)));
    assert!(!applies(Model::wormhole(), Collective::allreduce(&all)));
    assert!(!applies(Model::tdm(), Collective::allgather(&all, &all)));
    assert!(!applies(Model::tdm(), Collective::reduce_scatter(&all, &all)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_found_is_a_schedule(
        parts in odd_network(8), hop in 1u32..3, cyclic: bool, slack in 0u32..3, kind in 0u32..4, one_port: bool,
    ) {
        let ports = if one_port { Ports::Each(1) } else { parts.send_ports.clone() };
        let Ok(network) = Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..parts }) else {
            return Ok(());
        };
        let all: Vec<Node> = network.terminals().to_vec();
        let collective = match kind {
            0 => Collective::barrier(&all),
            1 => Collective::allreduce(&all).in_chunks(3),
            2 => Collective::allreduce(&all[..all.len().div_ceil(2)]),
            _ => Collective::allreduce(&all),
        };
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: kind == 1 };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        crate::holds(&SlotTrees, &problem, 1, 300_000, slack);
    }
}
