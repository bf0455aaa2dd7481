//! Gossip in slots: what it finds are schedules, of combined messages and of contributions kept apart.

use dissemination::SlotGossip;
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem, Switching};
use proptest::prelude::*;
use run::{Seed, Settings};
use testing::{full_tree, mesh, odd_network, ring, solved_with, torus};

fn allreduce(network: Network) -> Problem {
    let collective = Collective::allreduce(network.terminals());
    Problem::new(network, collective, Model::tdm()).unwrap()
}

/// Steps of `mesh:4x4` and the torus are fewer than exchanges over one channel after the other take.
#[test]
fn few_slots_on_small_networks() {
    let settings = Settings { seed: Seed(1), ticks: 1_000_000_000, ..Settings::default() };
    for (network, floor, slots) in [(ring(8), 5, 5), (mesh(3, 3), 5, 5), (mesh(4, 4), 7, 7), (torus(4, 4), 5, 5)] {
        let found = solved_with(&SlotGossip, &allreduce(network), floor, settings);
        assert_eq!(found.steps(), slots);
    }
}

/// Where ports are few, channels are left over for calls that nobody needs; those that come back to a channel are no calls at all.
#[test]
fn no_call_comes_back_to_a_channel() {
    for network in [ring(8), full_tree(7)] {
        let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
        let settings = Settings { seed: Seed(1), ticks: 30_000_000, ..Settings::default() };
        let found = solved_with(&SlotGossip, &allreduce(Network::new(parts).unwrap()), 5, settings);
        assert!(found.steps() <= 17, "{}", found.steps());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_found_is_a_schedule(
        parts in odd_network(6), hop in 1u32..3, cyclic: bool, slack in 0u32..3, kind in 0u32..5, known in 3u64..12,
    ) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let some = &all[..all.len().div_ceil(2)];
        let (collective, combining) = match kind {
            0 => (Collective::allgather(&all, &all), true),
            1 => (Collective::alltoall(&all, &all), true),
            2 => (Collective::allgather(some, &all), true),
            3 => (Collective::barrier(&all), false),
            _ => (Collective::allreduce(&all), false),
        };
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        crate::holds(&SlotGossip, &problem, known, 30_000_000, slack);
    }
}
