//! How many trees there is room for.

use super::packing::Ground;
use crate::Arborescences;
use kernel::{Collective, Model, Network, Node, Problem};
use proptest::prelude::*;
use run::Budget;
use testing::{full_tree, hypercube, mesh, random_network, ring, solved, torus};

fn streamed(network: &Network, messages: u32) -> Problem {
    let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(messages);
    Problem::new(network.clone(), collective, Model::store_and_forward()).expect("well posed")
}

/// The smallest number of channels into a set without node 0, over all sets.
fn least_cut(network: &Network) -> u64 {
    let into = |set: usize| {
        let inside = |v: Node| set >> v.index() & 1 == 1;
        network.channels().filter(|c| inside(network.to(*c)) && !inside(network.from(*c))).count()
    };
    (2..1usize << network.node_count()).step_by(2).map(into).min().expect("there are two nodes") as u64
}

#[test]
fn as_many_trees_as_the_smallest_cut() {
    for (network, trees) in [(ring(7), 2), (torus(3, 4), 4), (hypercube(4), 4), (mesh(3, 4), 2), (full_tree(7), 1)] {
        let ground = Ground::new(&streamed(&network, 2), &mut Budget::unlimited()).expect("reached");
        assert_eq!(ground.connectivity, trees);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Edmonds' theorem, and no step more than the deepest of the trees above the cut's.
    #[test]
    fn trees_fill_the_cut(parts in random_network(8), messages in 2u32..40) {
        let network = Network::new(parts).expect("sound");
        let problem = streamed(&network, messages);
        let ground = Ground::new(&problem, &mut Budget::unlimited()).expect("reached");
        let cut = least_cut(&network);
        prop_assert_eq!(ground.connectivity as u64, cut);
        let order: Vec<usize> = (0..ground.units.len()).collect();
        let trees = ground.pack(cut as usize, &order, &mut Budget::unlimited()).expect("Edmonds");
        let mut used: Vec<usize> = trees.iter().flat_map(|t| t.hops.iter().map(|hop| hop.channel.index())).collect();
        prop_assert_eq!(used.len(), cut as usize * (network.node_count() - 1));
        used.sort_unstable();
        used.dedup();
        prop_assert_eq!(used.len(), cut as usize * (network.node_count() - 1));
        let deepest = trees.iter().map(|t| t.depth).max().expect("a tree");
        let steps = solved(&Arborescences, &problem, 1).steps() as u64;
        prop_assert!(steps < u64::from(messages).div_ceil(cut) + deepest);
    }
}
