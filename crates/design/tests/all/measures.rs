//! Measures against closed forms, against each other, and against counting by hand.

use design::measures::{Connectivity, distances, diversity, fault_diameter, measure, of_channels, of_nodes};
use kernel::{Network, NetworkData, Node};
use proptest::prelude::*;

fn network(spec: &str) -> Network {
    topologies::parse(spec).unwrap()
}

#[test]
fn what_is_known_of_small_networks() {
    // Channels that part it, nodes that part it, diameter after one node fewer failed, channels across the halves.
    for (spec, channels, nodes, faulty, across) in [
        ("ring:8", 2, 2, 6, 4),
        ("complete:6", 5, 5, 1, 18),
        ("hypercube:4", 4, 4, 5, 16),
        ("torus:4x4", 4, 4, 5, 16),
        ("mesh:4x4", 2, 2, 6, 8),
        ("petersen", 3, 3, 3, 10),
        ("heawood", 3, 3, 4, 14),
        ("debruijn:2,3", 1, 1, 3, 4),
    ] {
        let found = measure(&network(spec), false);
        let (c, n) = (found.channel_connectivity.unwrap(), found.node_connectivity.unwrap());
        assert_eq!((c.least, c.exact, n.least, n.exact), (channels, true, nodes, true), "{spec}");
        let after = found.fault_diameter.unwrap();
        assert_eq!((after.faults, after.diameter, after.exact), (nodes - 1, faulty, true), "{spec}");
        assert_eq!((found.bisection.channels, found.bisection.exact), (across, true), "{spec}");
    }
}

#[test]
fn larger_symmetric_networks_have_their_bisection_proved() {
    for (spec, across) in [("hypercube:6", 64), ("torus:8x8", 32), ("ring:100", 4), ("hypercube:8", 256)] {
        let found = measure(&network(spec), true);
        assert_eq!((found.bisection.channels, found.bisection.exact), (across, true), "{spec}");
        assert!(found.routing.unwrap().is_exact(), "{spec}");
    }
}

#[test]
fn bisections_without_symmetry_are_gone_through() {
    // Square meshes and tori of an odd side n take n + 1 and 2n + 2 links, cube-connected cycles 2^(n − 1).
    for (spec, across) in [("mesh:5x5", 12), ("torus:5x5", 24), ("complete:9", 40), ("ccc:3", 8), ("full-tree:31", 2)] {
        let found = measure(&network(spec), false).bisection;
        assert_eq!((found.channels, found.exact), (across, true), "{spec}");
        assert_eq!(found.half.len(), network(spec).node_count() / 2, "{spec}");
    }
    // By Kernighan and Lin's passes; any parting of a random one cuts more than half the links by chance.
    let found = measure(&network("random-regular:256,4"), false).bisection;
    assert!(!found.exact && found.at_least <= found.channels && found.channels < 200, "{found:?}");
}

#[test]
fn symmetric_networks_take_as_many_channels_as_a_node_has() {
    let found = design::measures::of_channels(&network("hypercube:11"), true);
    assert_eq!((found.least, found.exact, found.witness.len()), (11, true, 11));
    // Two rings side by side look alike everywhere, and nothing needs to fail.
    let rings = (0..2).flat_map(|r| (0..8).flat_map(move |v| [1, 7].map(|by| (r * 8 + v, r * 8 + (v + by) % 8))));
    let apart = Network::new(NetworkData { nodes: 16, channels: rings.collect(), ..NetworkData::default() }).unwrap();
    assert_eq!(design::measures::of_channels(&apart, true).least, 0);
}

#[test]
fn moore_networks_meet_their_bound() {
    for spec in ["petersen", "hoffman-singleton", "complete:5", "ring:7"] {
        let found = measure(&network(spec), true).moore.unwrap();
        assert_eq!(found.nodes, Some(network(spec).node_count() as u128), "{spec}");
        assert!(found.excess.unwrap().abs() < 1e-12, "{spec}");
    }
    assert!(measure(&network("torus:4x4"), true).moore.unwrap().excess.unwrap() > 0.01);
    assert!(measure(&network("fat-tree:8"), false).moore.is_none());
}

#[test]
fn the_cost_ratio_of_hypercubes_is_one() {
    for spec in ["hypercube:3", "hypercube:7"] {
        assert!((measure(&network(spec), true).cost_ratio.unwrap() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn walks_are_counted_as_the_paper_does() {
    // The multiring of base 4 with 28 nodes has one walk of at most three hops to some node, with 27 two.
    let (rows, _) = diversity(&network("multiring:4,28"), 3);
    assert_eq!((rows[2].least, rows[1].least), (1, 0));
    assert_eq!(diversity(&network("multiring:4,27"), 3).0[2].least, 2);
    let (_, shortest) = diversity(&network("hypercube:4"), 4);
    assert_eq!(shortest.unwrap().least, 1);
}

#[test]
fn networks_that_fall_apart_have_no_diameter() {
    let apart =
        Network::new(NetworkData { nodes: 3, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() }).unwrap();
    let found = measure(&apart, false);
    assert_eq!((found.distances.diameter(), found.distances.apart), (None, 4));
    assert_eq!((found.channel_connectivity.unwrap().least, found.fault_diameter), (0, None));
    let alone = Network::new(NetworkData { nodes: 1, ..NetworkData::default() }).unwrap();
    assert_eq!(measure(&alone, false).distances.diameter(), Some(0));
}

/// Whether every terminal left reaches every other without these nodes and channels.
fn holds(network: &Network, nodes: &[Node], channels: &[(Node, Node)]) -> bool {
    let left = |v: Node| !nodes.contains(&v);
    let kept = network.channels().map(|c| (network.from(c), network.to(c)));
    let kept = kept.filter(|e| left(e.0) && left(e.1) && !channels.contains(e));
    let terminals = network.terminals().iter().filter(|v| left(**v)).map(|v| v.0).collect();
    let parts = NetworkData {
        nodes: network.node_count() as u32,
        terminals: Some(terminals),
        channels: kept.map(|(a, b)| (a.0, b.0)).collect(),
        ..NetworkData::default()
    };
    distances(&Network::new(parts).unwrap()).apart == 0
}

/// Subsets of so many of these.
fn subsets<T: Copy>(of: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with = |i: usize| subsets(&of[i + 1..], size - 1).into_iter().map(move |rest| [&[of[i]], &rest[..]].concat());
    (0..of.len()).flat_map(with).collect()
}

fn random_network() -> impl Strategy<Value = Network> {
    (3u32..7).prop_flat_map(|nodes| {
        proptest::collection::btree_set((0..nodes, 0..nodes), 2..16).prop_map(move |pairs| {
            let channels = pairs.into_iter().filter(|(a, b)| a != b).collect();
            Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn witnesses_part_the_network_and_nothing_smaller_does(network in random_network()) {
        let channels: Connectivity<_> = of_channels(&network, false);
        prop_assert!(channels.exact && channels.witness.len() as u64 == channels.least);
        prop_assert!(!holds(&network, &[], &channels.witness));
        let all: Vec<_> = network.channels().map(|c| (network.from(c), network.to(c))).collect();
        if let Some(fewer) = (channels.least as usize).checked_sub(1) {
            prop_assert!(subsets(&all, fewer).iter().all(|set| holds(&network, &[], set)));
        }
        let nodes = of_nodes(&network, false);
        let count = network.node_count();
        if nodes.least as usize == count - 1 {
            prop_assert!(nodes.witness.is_empty());
        } else {
            prop_assert_eq!(nodes.witness.len() as u64, nodes.least);
            prop_assert!(!holds(&network, &nodes.witness, &[]));
        }
        let everything: Vec<Node> = network.nodes().collect();
        let fewer = (nodes.least as usize).min(count - 1);
        prop_assert!((0..fewer).all(|size| subsets(&everything, size).iter().all(|set| holds(&network, set, &[]))));
        if nodes.least > 0 {
            let after = fault_diameter(&network, nodes.least, false);
            prop_assert!(after.is_none_or(|a| a.exact && a.diameter >= distances(&network).diameter().unwrap()));
        }
    }

    #[test]
    fn profiles_count_all_pairs(network in random_network()) {
        let found = distances(&network);
        let pairs = (network.node_count() * (network.node_count() - 1)) as u64;
        prop_assert_eq!(found.profile.iter().sum::<u64>() + found.apart, pairs);
        // A walk of at most the diameter leads everywhere, and of one hop less it does not.
        if let Some(diameter) = found.diameter() {
            let (rows, _) = diversity(&network, diameter);
            prop_assert!(rows.last().unwrap().least_apart > 0);
            prop_assert!(rows.iter().rev().nth(1).is_none_or(|row| row.least_apart == 0));
        }
    }
}

#[test]
fn moore_bounds_with_girth() {
    // Girth, least nodes of it, most nodes of two colours: (4.3) and Table 4.1 for degree 3, the others by hand.
    for (spec, girth, least, most) in [
        ("heawood", 6, 14, Some(14)),
        ("levi", 8, 30, Some(30)),
        ("petersen", 5, 10, None),
        ("hoffman-singleton", 5, 50, None),
        ("hypercube:3", 4, 6, Some(14)),
        ("hypercube:4", 4, 8, Some(80)),
        ("complete:5", 3, 5, None),
        ("ring:8", 8, 8, Some(8)),
        ("ring:7", 7, 7, None),
        ("mesh:3x3", 4, 4, Some(80)),
    ] {
        let found = measure(&network(spec), false).girth.unwrap();
        assert_eq!((found.girth, found.least_nodes, found.most_nodes), (girth, least, most), "{spec}");
        assert_eq!(measure(&network(spec), spec != "mesh:3x3").girth, Some(found), "{spec}");
    }
    for spec in ["ring-uni:8", "omega:8", "full-tree:7"] {
        assert_eq!(measure(&network(spec), false).girth, None, "{spec}");
    }
}
