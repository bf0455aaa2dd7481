//! Laws of the method `scatter-trees`, beside `scatter-flow`, which is exact.

use dissemination::{ScatterFlow, ScatterTrees};
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use proptest::prelude::*;
use run::{Method, Settings};
use testing::named::{kautz, petersen, steps, steps_with};
use testing::*;

fn scatter(network: &Network, root: usize, model: Model) -> Problem {
    let collective = Collective::scatter(node(root), network.terminals());
    Problem::new(network.clone(), collective, model).expect("reachable")
}

/// What the channels of the root need for all messages.
fn root_cut(problem: &Problem, root: usize) -> usize {
    problem.collective().message_count().div_ceil(problem.network().outgoing(node(root)).len())
}

proptest! {
    /// With every oddity of a network, what it makes is valid and never below the optimum.
    #[test]
    fn always_verified(
        parts in odd_network(9),
        model in models(),
        slack in prop::option::of(0u32..3),
        chunks in 1u32..4,
    ) {
        let network = Network::new(parts).expect("sound");
        let collective = Collective::scatter(node(0), network.terminals()).in_chunks(chunks);
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        if !ScatterTrees.applies(&problem) {
            return Ok(());
        }
        let settings = Settings { slack, ..Settings::default() };
        let trees = steps_with(&ScatterTrees, &problem, 0, settings);
        // With paths that are a little longer than the shortest, flows are not exact.
        let is_exact = slack.is_none_or(|slack| slack == 0);
        if is_exact && ScatterFlow.applies(&problem) && trees.is_some() {
            prop_assert!(trees >= steps_with(&ScatterFlow, &problem, 0, settings));
        }
    }

    /// The only channel of the root is always busy.
    #[test]
    fn one_tree_is_always_best(parts in random_network(12)) {
        let root = parts.nodes;
        let mut channels = parts.channels.clone();
        channels.extend([(root, 0), (0, root)]);
        let network = Network::new(NetworkData { nodes: root + 1, channels, ..parts }).expect("sound");
        let problem = scatter(&network, root as usize, Model::wormhole());
        prop_assert_eq!(steps(&ScatterTrees, &problem, 0), Some(root as usize));
    }
}

#[test]
fn channels_of_the_root_are_always_busy() {
    let regular =
        [hypercube(3), hypercube(6), hypercube(10), torus(5, 7), torus(8, 8), torus(20, 20), petersen(), kautz(4)];
    for network in regular.into_iter().chain([ring(9), ring_uni(9), mesh(4, 4), mesh(7, 7), mesh(12, 12)]) {
        for root in (0..network.node_count()).step_by(1 + network.node_count() / 30) {
            for model in [Model::wormhole(), Model::store_and_forward()] {
                let problem = scatter(&network, root, model);
                let floor = root_cut(&problem, root);
                let found = steps(&ScatterTrees, &problem, floor as u64);
                // Messages for a narrow part of a mesh have far to go, and pipelines wait for the farthest.
                if model == Model::wormhole() {
                    assert_eq!(found, Some(floor), "{} nodes, root {root}", network.node_count());
                } else {
                    assert!(found.is_some_and(|found| found >= floor));
                }
            }
        }
    }
}

#[test]
fn pipelines_are_full_on_regular_networks() {
    for network in [hypercube(6), torus(8, 8), petersen(), kautz(4)] {
        let problem = scatter(&network, 0, Model::store_and_forward());
        let floor = root_cut(&problem, 0);
        assert_eq!(steps(&ScatterTrees, &problem, floor as u64), Some(floor), "{} nodes", network.node_count());
    }
}

#[test]
fn narrow_places_behind_the_root_are_met_where_trees_can() {
    let network = full_tree(31);
    for root in 0..31 {
        let problem = scatter(&network, root, Model::wormhole());
        let optimum = steps(&ScatterFlow, &problem, 0);
        assert_eq!(steps(&ScatterTrees, &problem, 0), optimum, "root {root}");
    }
}

#[test]
fn ports_of_the_root_are_shared_by_the_trees() {
    for (ports, least) in [(1, 63), (2, 32), (3, 21), (4, 16), (5, 13)] {
        let data = NetworkData { send_ports: Ports::Each(ports), ..hypercube(6).data().clone() };
        let problem = scatter(&Network::new(data).expect("sound"), 0, Model::wormhole());
        assert_eq!(steps(&ScatterTrees, &problem, 0), Some(least), "{ports} ports");
    }
}

#[test]
fn chunks_of_a_node_may_come_by_several_trees() {
    for chunks in 1..6 {
        let collective = Collective::scatter(node(0), torus(4, 4).terminals()).in_chunks(chunks);
        let problem = Problem::new(torus(4, 4), collective, Model::wormhole()).expect("reachable");
        assert_eq!(steps(&ScatterTrees, &problem, 0), Some((15 * chunks as usize).div_ceil(4)));
    }
}

#[test]
fn shortest_paths_are_kept() {
    let problem = scatter(&mesh(4, 4), 1, Model::wormhole());
    let least = |slack| steps_with(&ScatterTrees, &problem, 0, Settings { slack, ..Settings::default() });
    assert_eq!((least(Some(0)), least(Some(2)), least(None)), (Some(6), Some(5), Some(5)));
}
