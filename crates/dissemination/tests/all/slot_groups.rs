//! Sums of groups and pairs in the slots of one period: what they find are schedules, with few slots, and what they decline.

use dissemination::SlotGroups;
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Switching};
use proptest::prelude::*;
use run::{Method, Seed, Settings};
use testing::{mesh, odd_network, ring, solved_with};

fn allreduce(network: Network) -> Problem {
    let collective = Collective::allreduce(network.terminals());
    Problem::new(network, collective, Model::tdm()).expect("well posed")
}

fn through_one_port(network: &Network) -> Network {
    let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
    Network::new(parts).expect("ports alone are changed")
}

/// Four blocks in which all tell all in three slots, or, through one port, by two exchanges in four: other methods need 7 and 10 slots.
#[test]
fn blocks_of_a_mesh() {
    let settings = Settings { seed: Seed(1), ticks: 400_000_000, ..Settings::default() };
    assert_eq!(solved_with(&SlotGroups, &allreduce(mesh(4, 4)), 6, settings).steps(), 6);
    assert_eq!(solved_with(&SlotGroups, &allreduce(through_one_port(&mesh(4, 4))), 7, settings).steps(), 7);
}

/// On a ring of 8 with one port, two exchanges leave four nodes together; the other half's sum comes in one call: 5 slots, and no fewer will do.
#[test]
fn pairs_on_a_ring() {
    let settings = Settings { seed: Seed(1), ticks: 100_000_000, ..Settings::default() };
    assert_eq!(solved_with(&SlotGroups, &allreduce(through_one_port(&ring(8))), 5, settings).steps(), 5);
}

#[test]
fn what_it_is_not_for() {
    let applies = |model, collective: Collective| {
        SlotGroups.applies(&Problem::new(mesh(2, 2), collective, model).expect("well posed"))
    };
    let all = mesh(2, 2).terminals().to_vec();
    assert!(applies(Model::tdm(), Collective::allreduce(&all)));
    assert!(applies(Model::tdm(), Collective::barrier(&all)));
    assert!(!applies(Model::wormhole(), Collective::allreduce(&all)));
    assert!(!applies(Model::tdm(), Collective::allreduce(&all).in_chunks(2)));
    assert!(!applies(Model::tdm(), Collective::allreduce(&all[..2])));
    assert!(!applies(Model::tdm(), Collective::allgather(&all, &all)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_found_is_a_schedule(
        parts in odd_network(8), hop in 1u32..3, cyclic: bool, slack in 0u32..3, is_barrier: bool, one_port: bool,
    ) {
        let ports = if one_port { Ports::Each(1) } else { parts.send_ports.clone() };
        let Ok(network) = Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..parts }) else {
            return Ok(());
        };
        let all: Vec<Node> = network.terminals().to_vec();
        let collective = if is_barrier { Collective::barrier(&all) } else { Collective::allreduce(&all) };
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        crate::holds(&SlotGroups, &problem, 4, 3_000_000, slack);
    }
}
