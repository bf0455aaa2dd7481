//! Optima of alltoall that the formula of everything leaves open.

use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use run::Settings;
use search::ExactSat;
use testing::{both_ways, hypercube, mesh, network, ring, solved_with, torus};

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
