//! Optima of alltoall that the formula of everything leaves open.

use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem};
use run::{Method, Progress, Run, Settings};
use search::ExactSat;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use testing::{both_ways, full_tree, hypercube, mesh, network, ring, solved_with, torus};

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

/// How often a method says that it works on something.
#[derive(Default)]
struct Count(AtomicUsize);

impl Progress for Count {
    fn working(&self, _: &'static str, _: u64, _: u64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The solver hands on its proof in large pieces: one that is larger than what is left uses it up, or numbers of steps would be
/// tried without end.
#[test]
fn few_ticks_are_used_up_by_a_few_numbers_of_steps() {
    let network = full_tree(31);
    let collective = Collective::broadcast(Node(0), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
    let (never, count) = (AtomicBool::new(false), Count::default());
    let run = Run::new(Settings { ticks: 1_500_000, ..Settings::default() }, &count, &never);
    assert!(ExactSat.solve(&problem, 3, &run).is_none_or(|found| found.step_count() == 4));
    assert!(count.0.into_inner() < 10);
}
