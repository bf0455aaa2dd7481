//! Published numbers of the method `arborescences`, and what it declines.

use kernel::{Collective, Model, Network, NetworkData, Node, Problem};
use run::Method;
use search::Arborescences;
use testing::{full_tree, hypercube, network, ring, solved, torus};

fn streamed(network: &Network, messages: u32) -> Problem {
    let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(messages);
    Problem::new(network.clone(), collective, Model::store_and_forward()).expect("well posed")
}

#[test]
fn a_long_stream_flows_at_the_rate_of_the_cut() {
    // The binomial trees of the hypercube, turned: d of them, at most d + 1 deep.
    for d in 2..5 {
        let problem = streamed(&hypercube(d), 120);
        assert!(solved(&Arborescences, &problem, 1).steps() as u32 <= 120 / d + d + 1);
    }
    assert!(solved(&Arborescences, &streamed(&torus(4, 4), 400), 1).steps() <= 106);
    // Two ways round a ring, n − 1 channels each.
    assert_eq!(solved(&Arborescences, &streamed(&ring(6), 10), 1).steps(), 5 + 5 - 1);
    // Few messages: one shallow tree.
    assert_eq!(solved(&Arborescences, &streamed(&full_tree(7), 3), 1).steps(), 4);
}

#[test]
fn it_declines_what_is_no_stream() {
    let wormhole =
        Problem::new(ring(4), Collective::broadcast(Node(0), ring(4).terminals()).in_chunks(4), Model::wormhole());
    assert!(!Arborescences.applies(&wormhole.expect("well posed")));
    assert!(!Arborescences.applies(&streamed(&ring(4), 1)));
    let one_port = NetworkData { send_ports: kernel::Ports::Each(1), ..ring(4).data().clone() };
    assert!(!Arborescences.applies(&streamed(&Network::new(one_port).expect("sound"), 4)));
    // A wide channel counts as often as it is wide.
    let wide = Network::new(NetworkData { capacities: Some(vec![3]), ..network(2, vec![(0, 1)]).data().clone() });
    assert_eq!(solved(&Arborescences, &streamed(&wide.expect("sound"), 9), 1).steps(), 3);
}
