//! Laws of the engine `aggregation`.

use kernel::{Collective, Model, Network, Node, Problem};
use methods::Aggregation;
use run::Settings;
use testing::{hypercube, ring, solved, solved_with, torus};

fn combined(network: &Network, collective: &Collective) -> Problem {
    let model = Model { combining: true, ..Model::wormhole() };
    Problem::new(network.clone(), collective.clone(), model).expect("well posed")
}

fn one_port(network: &Network) -> Network {
    let ports = kernel::Ports::Each(1);
    Network::new(kernel::NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() })
        .expect("sound")
}

#[test]
fn a_scatter_takes_as_many_steps_as_a_broadcast() {
    // The spanning binomial tree: as many steps as dimensions, where messages one by one take 2^d − 1.
    for d in 2..6 {
        let network = one_port(&hypercube(d));
        let scatter = combined(&network, &Collective::scatter(Node(0), network.terminals()));
        assert_eq!(solved(&Aggregation, &scatter, u64::from(d)).steps(), d as usize);
    }
}

#[test]
fn every_message_arrives() {
    for network in [hypercube(3), ring(7), torus(3, 4)] {
        let t = network.terminals();
        let pairs: Vec<(Node, Node)> = t.iter().flat_map(|&a| [(a, t[1]), (t[0], a), (t[2], a)]).collect();
        for collective in
            [Collective::alltoall(t, t), Collective::scatter(t[1], t), Collective::pairs("alltoallv", &pairs)]
        {
            let few = Settings { ticks: 500_000, ..Settings::default() };
            solved_with(&Aggregation, &combined(&network, &collective), 1, few);
        }
    }
}
