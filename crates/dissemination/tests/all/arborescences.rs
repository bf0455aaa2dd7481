//! Laws and published numbers of the method `arborescences`, and what it declines.

use dissemination::Arborescences;
use kernel::{Collective, Model, Network, NetworkData, Node, Problem};
use proptest::prelude::*;
use run::Method;
use std::collections::BTreeSet;
use testing::{full_tree, hypercube, mesh, network, random_network, ring, solved, torus};

fn streamed(network: &Network, messages: u32) -> Problem {
    let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(messages);
    Problem::new(network.clone(), collective, Model::store_and_forward()).expect("well posed")
}

/// The smallest number of channels into a set without node 0, over all sets.
fn least_cut(network: &Network) -> usize {
    let into = |set: usize| {
        let inside = |v: Node| set >> v.index() & 1 == 1;
        network.channels().filter(|c| inside(network.to(*c)) && !inside(network.from(*c))).count()
    };
    (2..1usize << network.node_count()).step_by(2).map(into).min().expect("there are two nodes")
}

/// The trees that messages take, of which each spans all nodes and no two have a channel in common: how many they are, and
/// the largest depth. There are so many messages that one tree less would take longer, however deep the trees are.
fn trees(network: &Network, cut: usize) -> (usize, usize) {
    let nodes = network.node_count();
    let found = solved(&Arborescences, &streamed(network, (cut * cut * nodes) as u32), 1);
    // Of each message: its channels, and the steps that it is on its way.
    let mut ways = vec![(BTreeSet::new(), usize::MAX, 0); cut * cut * nodes];
    for (step, transfers) in found.expanded().expect("plain").steps().enumerate() {
        for transfer in transfers {
            for message in transfer.messages {
                let (channels, first, last) = &mut ways[message.index()];
                (*first, *last) = (step.min(*first), step + 1);
                transfer.path.iter().for_each(|c| assert!(channels.insert(*c), "once over each channel"));
            }
        }
    }
    let deepest = ways.iter().map(|(_, first, last)| last - first).max().expect("a message");
    let trees: BTreeSet<_> = ways.into_iter().map(|(channels, ..)| channels).collect();
    let mut used = BTreeSet::new();
    for tree in &trees {
        let reached: BTreeSet<Node> = tree.iter().map(|c| network.to(*c)).collect();
        assert_eq!((tree.len(), reached.len()), (nodes - 1, nodes - 1), "each node once, and the root not at all");
        assert!(!reached.contains(&Node(0)) && tree.iter().all(|c| used.insert(*c)), "no channel twice");
    }
    (trees.len(), deepest)
}

#[test]
fn as_many_trees_as_the_smallest_cut() {
    for (network, cut) in [(ring(7), 2), (torus(3, 4), 4), (hypercube(4), 4), (mesh(3, 4), 2), (full_tree(7), 1)] {
        assert_eq!(trees(&network, cut).0, cut);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Edmonds' theorem, and no step more than the deepest of the trees above the cut's.
    #[test]
    fn trees_fill_the_cut(parts in random_network(8), messages in 2u32..40) {
        let network = Network::new(parts).expect("sound");
        let cut = least_cut(&network);
        let (count, deepest) = trees(&network, cut);
        prop_assert_eq!(count, cut);
        let steps = solved(&Arborescences, &streamed(&network, messages), 1).steps();
        prop_assert!(steps < (messages as usize).div_ceil(cut) + deepest);
    }
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
