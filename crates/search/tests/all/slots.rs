//! Messages for many under time-division: floors that `greedy` and `allgather-matching` reach, and every kind of slots.

use kernel::{Collective, Model, Network, NetworkData, Ports, Problem, Switching};
use run::{Run, Settings};
use search::{AllgatherMatching, Greedy};
use testing::{full_tree, hypercube, network, ring_uni, solved, solved_with, with_hosts};

fn slotted(network: &Network, all: bool, hop: u32, cyclic: bool) -> Problem {
    let terminals = network.terminals();
    let collective = match all {
        true => Collective::allgather(terminals, terminals),
        false => Collective::broadcast(terminals[0], terminals),
    };
    let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
    Problem::new(network.clone(), collective, model).unwrap()
}

fn one_port(network: &Network) -> Network {
    let ports = Ports::Each(1);
    Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() }).unwrap()
}

fn floor(problem: &Problem) -> u64 {
    let stop = std::sync::atomic::AtomicBool::new(false);
    bounds::strongest(problem, &Run::new(Settings::default(), &run::Silent, &stop)).steps
}

/// The floors count how long a copy is in flight; these are reached.
#[test]
fn broadcasts_at_their_floors() {
    for (d, all_ports, one) in [(3, 3, 4), (4, 3, 6)] {
        for (network, slots) in [(hypercube(d), all_ports), (one_port(&hypercube(d)), one)] {
            let problem = slotted(&network, false, 1, true);
            assert_eq!(floor(&problem), slots);
            assert_eq!(solved(&Greedy, &problem, slots).steps() as u64, slots);
        }
    }
}

#[test]
fn allgather_near_its_floor() {
    let problem = slotted(&hypercube(6), true, 1, true);
    assert!(solved(&AllgatherMatching, &problem, 11).steps() <= 12);
    let problem = slotted(&one_port(&hypercube(4)), true, 1, true);
    assert_eq!(solved_with(&Greedy, &problem, 15, Settings::default()).steps(), 15);
}

/// Long hops, periods without wrap-round, switches, and terminals that must relay.
#[test]
fn every_kind_of_slots() {
    let relays = NetworkData { no_transit: vec![1, 2, 3], ..ring_uni(5).data().clone() };
    let networks = [full_tree(7), with_hosts(&network(2, vec![(0, 1), (1, 0)]), 2), Network::new(relays).unwrap()];
    for network in networks {
        for (hop, cyclic) in [(1, true), (1, false), (3, true), (3, false)] {
            for all in [false, true] {
                let problem = slotted(&network, all, hop, cyclic);
                let least = floor(&problem);
                let few = Settings { ticks: 30_000, ..Settings::default() };
                assert!(solved_with(&Greedy, &problem, least, few).steps() as u64 >= least);
            }
        }
    }
}
