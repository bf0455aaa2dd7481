//! The method `block-rounds`: as many steps as rounds, on complete networks and about a switch, and nothing where some pair has no way.

use dissemination::BlockRounds;
use kernel::{Collective, Model, Network, NetworkData, Node, Problem};
use run::Method;
use testing::{both_ways, network, ring, solved};

fn broadcast(network: &Network, root: u32, chunks: u32, model: Model) -> Problem {
    let collective = Collective::broadcast(Node(root), network.terminals()).in_chunks(chunks);
    Problem::new(network.clone(), collective, model).expect("well posed")
}

fn complete(nodes: u32) -> Network {
    network(nodes, both_ways((0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b)))))
}

/// Terminals around one switch, which has the last number.
fn switch(terminals: u32) -> Network {
    let channels = both_ways((0..terminals).map(|v| (v, terminals)));
    let parts = NetworkData {
        nodes: terminals + 1,
        channels,
        terminals: Some((0..terminals).collect()),
        ..NetworkData::default()
    };
    Network::new(parts).expect("sound")
}

#[test]
fn a_chunk_a_step_and_the_logarithm_of_the_nodes() {
    for nodes in 2..34u32 {
        for (chunks, root) in [(1, 0), (4, 1), (16, nodes - 1)] {
            let steps = (chunks - 1 + nodes.next_power_of_two().ilog2()) as usize;
            for model in [Model::wormhole(), Model::store_and_forward()] {
                let problem = broadcast(&complete(nodes), root, chunks, model);
                assert_eq!(solved(&BlockRounds, &problem, 1).steps(), steps, "{nodes} nodes, {chunks} chunks");
            }
            let problem = broadcast(&switch(nodes), root, chunks, Model::wormhole());
            assert_eq!(solved(&BlockRounds, &problem, 1).steps(), steps, "{nodes} around a switch, {chunks} chunks");
        }
    }
}

#[test]
fn without_a_channel_between_two_it_declines() {
    assert!(!BlockRounds.applies(&broadcast(&ring(8), 0, 4, Model::wormhole())));
}

/// Two switches between all terminals, of which messages pass the second only.
#[test]
fn no_path_leads_through_a_switch_that_no_message_passes() {
    let channels = both_ways((0..4).flat_map(|v| [(v, 4), (v, 5)]));
    let parts = NetworkData { nodes: 6, channels, terminals: Some((0..4).collect()), ..NetworkData::default() };
    let network = Network::new(NetworkData { no_transit: vec![4], ..parts }).expect("sound");
    assert_eq!(solved(&BlockRounds, &broadcast(&network, 0, 4, Model::wormhole()), 1).steps(), 5);
}
