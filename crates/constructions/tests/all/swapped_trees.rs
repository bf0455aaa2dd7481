//! Broadcast on Swapped Dragonflies: every message by every tree, and which trees share channels.

use constructions::{CONSTRUCTIONS, Claim, Construction, Control};
use kernel::{Collective, Message, Model, Network, Node, Problem, Schedule, verify};
use proptest::prelude::*;
use std::collections::BTreeSet;
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Router, Synchronised, Vector};

fn construction(name: &str) -> &'static Construction {
    CONSTRUCTIONS.iter().find(|c| c.name == name).expect("its name is in the registry")
}

fn broadcast(network: &Network, root: Node, messages: u32) -> Problem {
    let collective = Collective::broadcast(root, network.terminals()).in_chunks(messages);
    Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap()
}

/// What a construction sends of so many messages.
fn sent(name: &str, d3: SwappedDragonfly, root: Router, messages: u32) -> Schedule {
    let network = d3.network();
    let problem = broadcast(&network, Node(d3.node(root)), messages);
    let builder = construction(name).builder(&problem).unwrap();
    builder.build(&network, &Control::default()).and_then(Claim::plain).unwrap()
}

/// The channels of the tree by which a message goes.
fn tree(schedule: &Schedule, d3: SwappedDragonfly, message: u32) -> BTreeSet<(Router, Router)> {
    let network = d3.network();
    let hops = schedule.steps().flatten().filter(|hop| hop.messages == [Message(message)]);
    let ends = hops.flat_map(|hop| hop.path).map(|c| (network.from(*c), network.to(*c)));
    ends.map(|(from, to)| (d3.router(from.0), d3.router(to.0))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_root_and_number_of_messages((k, m) in (1u32..4, 2u32..6), root in any::<prop::sample::Index>(), messages in 1u32..24) {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let network = d3.network();
        let root = Node(root.index(network.node_count()) as u32);
        let problem = broadcast(&network, root, messages);
        for construction in ["streamed-trees", "chained-trees", "shallow-tree"].map(construction) {
            let Some(builder) = construction.builder(&problem) else {
                prop_assert_eq!((construction.name, k, m), ("streamed-trees", 1, 2));
                continue;
            };
            let steps = builder.promise().unwrap();
            let schedule = builder.build(&network, &Control::default()).and_then(Claim::plain).unwrap();
            // Every router takes every message once.
            prop_assert_eq!(schedule.transfer_count() as u32, messages * (k * m * m - 1), "{}", construction.name);
            let verified = verify(&problem, schedule);
            prop_assert!(verified.is_ok(), "{}: {:?}", construction.name, verified.err());
            prop_assert_eq!(verified.unwrap().steps() as u64, steps, "{}", construction.name);
            let (x, m) = (u64::from(messages), u64::from(m));
            let promised = match construction.name {
                "shallow-tree" => x + 2,
                "chained-trees" => 6 * (x.div_ceil(m) - 1).div_euclid(2) + (x.div_ceil(m) - 1) % 2 + 5,
                _ if k > 1 || d3.router(root.0)[1] == d3.router(root.0)[2] => x.div_ceil(m - 1) + 4,
                _ => x.div_ceil(m - 2) + 4,
            };
            prop_assert!(steps <= promised, "{}: {} of {}", construction.name, steps, promised);
        }
    }
}

/// Published trees count hops that are not needed: routers they deliver twice.
#[test]
fn trees_as_published_are_none() {
    let (d3, root) = (SwappedDragonfly::new(3, 4).unwrap(), [0, 0, 1]);
    let vectors = (0..3).flat_map(|global| (0..16).map(move |i| Vector { global, first: i / 4, last: i % 4 }));
    let walks = vectors.map(|vector| Synchronised { hops: 4, vector }.walk(d3, root));
    let channels: BTreeSet<Vec<Router>> =
        walks.flat_map(|walk| walk.windows(2).map(<[Router]>::to_vec).collect::<Vec<_>>()).collect();
    // Message 1 goes by the tree of place 1, with all its hops before it reaches the own drawer last.
    let needed = tree(&sent("chained-trees", d3, root, 4), d3, 1).len();
    assert_eq!((channels.len(), needed), (57, 47));
}

#[test]
fn only_the_tree_of_the_roots_drawer_shares_channels() {
    for (k, m) in [(3, 4), (2, 5), (2, 3)] {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let root = [0, 0, 1];
        // Streams go by the trees of all places but that of the root's drawer, which is among the chained ones.
        let (chained, streamed) = (sent("chained-trees", d3, root, m), sent("streamed-trees", d3, root, m - 1));
        let mut all = vec![tree(&chained, d3, 0)];
        all.extend((0..m - 1).map(|message| tree(&streamed, d3, message)));
        for x in 0..m as usize {
            for y in 0..x {
                assert_eq!(all[x].is_disjoint(&all[y]), y != 0, "({k}, {m}): {x} and {y}");
            }
        }
    }
}
