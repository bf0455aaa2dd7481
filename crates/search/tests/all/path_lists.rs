//! Paths that are counted are those that are listed.

use kernel::{Collective, Model, Network, Problem};
use proptest::prelude::*;
use run::Budget;
use search::path_lists::PathFinder;
use search::resources::Resources;
use testing::{hypercube, mesh, odd_network};

fn counts_what_it_lists(problem: &Problem) {
    let resources = Resources::new(problem, &mut Budget::unlimited()).expect("the budget does not end");
    let mut finder = PathFinder::new(&resources);
    for to in problem.network().nodes() {
        let counts = finder.shortest_counts(to);
        for from in problem.network().nodes().filter(|&from| from != to) {
            let listed = finder.all(from, to, 0, 1 << 20).expect("small");
            assert_eq!(counts[from.index()], listed.len() as u64, "{from} to {to}");
        }
    }
}

fn alltoall(network: &Network) -> Option<Problem> {
    let t = network.terminals();
    Problem::new(network.clone(), Collective::alltoall(t, t), Model::wormhole()).ok()
}

#[test]
fn shortest_paths_of_meshes_and_hypercubes_are_counted() {
    for network in [mesh(4, 4), hypercube(4)] {
        counts_what_it_lists(&alltoall(&network).expect("connected"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn shortest_paths_are_counted_on_any_network(parts in odd_network(8)) {
        let network = Network::new(parts).expect("sound");
        if let Some(problem) = alltoall(&network) {
            counts_what_it_lists(&problem);
        }
    }
}
