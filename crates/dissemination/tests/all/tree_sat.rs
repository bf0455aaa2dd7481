//! Trees of chunks by formulas: what they find are schedules, with the fewest steps where those are known, and what they decline.

use dissemination::TreeSat;
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem};
use proptest::prelude::*;
use run::{Method, Seed, Settings};
use testing::named::petersen;
use testing::{full_tree, mesh, odd_network, ring, solved_with, torus};

fn one_port(network: &Network) -> Network {
    let one = Ports::Each(1);
    let parts = NetworkData { send_ports: one.clone(), receive_ports: one, ..network.data().clone() };
    Network::new(parts).expect("sound")
}

fn in_chunks(network: Network, members: &[Node], chunks: u32) -> Problem {
    let collective = Collective::allreduce(members).in_chunks(chunks);
    Problem::new(network, collective, Model::store_and_forward()).expect("well posed")
}

/// Of 2(n - 1) transfers of each of 4 chunks, n fit in a step: so 8 steps are needed but on the ring, where 7 are not refuted here.
#[test]
fn four_chunks_through_one_port() {
    let settings = Settings { seed: Seed(1), ticks: 50_000_000, ..Settings::default() };
    for (network, steps) in [(petersen(), 8), (torus(3, 3), 8), (ring(7), 8), (mesh(3, 3), 9)] {
        let problem = in_chunks(one_port(&network), network.terminals(), 4);
        let found = solved_with(&TreeSat, &problem, steps as u64, settings);
        assert_eq!(found.steps(), steps, "{}", network.name());
    }
}

#[test]
fn nodes_that_only_relay_are_in_trees_where_they_are_needed() {
    // The middle of a star, which merges and copies for all others; and one that is at the end of a line.
    let settings = Settings { seed: Seed(1), ticks: 50_000_000, ..Settings::default() };
    for (network, relay, steps) in [(full_tree(3), 0, 2), (mesh(1, 5), 2, 4), (mesh(1, 4), 3, 2)] {
        let parts = NetworkData { relays: vec![relay], ..network.data().clone() };
        let network = Network::new(parts).expect("sound");
        let members = network.members().to_vec();
        let found = solved_with(&TreeSat, &in_chunks(network, &members, 1), 1, settings);
        assert_eq!(found.steps(), steps);
    }
}

#[test]
fn what_it_is_not_for() {
    let all = mesh(2, 2).terminals().to_vec();
    let applies = |model, collective: Collective| {
        TreeSat.applies(&Problem::new(mesh(2, 2), collective, model).expect("well posed"))
    };
    assert!(applies(Model::store_and_forward(), Collective::allreduce(&all)));
    assert!(!applies(Model::wormhole(), Collective::allreduce(&all)));
    assert!(!applies(Model::tdm(), Collective::allreduce(&all)));
    assert!(!applies(Model::store_and_forward(), Collective::allgather(&all, &all)));
    assert!(!applies(Model::store_and_forward(), Collective::reduce_scatter(&all, &all)));
    // Formulas would be too large.
    assert!(!applies(Model::store_and_forward(), Collective::allreduce(&all).in_chunks(1 << 12)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_found_is_a_schedule(
        parts in odd_network(8), slack in 0u32..3, kind in 0u32..4, combining: bool, few_ports: bool,
    ) {
        let ports = if few_ports { Ports::Each(1) } else { parts.send_ports.clone() };
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
        let model = Model { combining, ..Model::store_and_forward() };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        crate::holds(&TreeSat, &problem, 1, 3_000_000, slack);
    }
}
