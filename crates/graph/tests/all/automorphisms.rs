//! Groups of automorphisms against orders that are known and against trying all permutations.

use graph::automorphisms::{Automorphism, Group};
use kernel::{Channel, Network, NetworkData, Node};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use testing::odd_network;

fn built(spec: &str) -> Network {
    topologies::parse(spec).expect("a known network")
}

/// Whether a map respects everything, checked without the finder.
fn respects(network: &Network, map: &Automorphism) -> bool {
    let permutes = |list: &[u32]| list.iter().collect::<BTreeSet<_>>().len() == list.len();
    let node = |v: Node| Node(map.nodes[v.index()]);
    let channel = |c: Channel| Channel(map.channels[c.index()]);
    let nodes = network.nodes().all(|v| {
        network.is_terminal(v) == network.is_terminal(node(v))
            && network.is_transit(v) == network.is_transit(node(v))
            && network.send_ports(v) == network.send_ports(node(v))
            && network.receive_ports(v) == network.receive_ports(node(v))
    });
    let channels = network.channels().all(|c| {
        network.from(channel(c)) == node(network.from(c))
            && network.to(channel(c)) == node(network.to(c))
            && network.capacity(channel(c)) == network.capacity(c)
    });
    let set = |g: &Vec<u32>, f: &dyn Fn(u32) -> u32| g.iter().map(|&c| f(c)).collect::<BTreeSet<u32>>();
    let groups: BTreeSet<_> = network.half_duplex().iter().map(|g| set(g, &|c| c)).collect();
    let kept = network.half_duplex().iter().all(|g| groups.contains(&set(g, &|c| map.channels[c as usize])));
    permutes(&map.nodes) && permutes(&map.channels) && nodes && channels && kept
}

#[test]
fn orders_of_known_groups() {
    let known: &[(&str, u128, bool)] = &[
        ("petersen", 120, true),
        ("heawood", 336, true),
        ("hypercube:4", 384, true),
        ("hypercube:5", 3840, true),
        ("ring:8", 16, true),
        ("ring-uni:8", 8, true),
        ("torus:5x5", 200, true),
        ("mesh:3x3", 8, false),
        ("mesh:3x4", 4, false),
    ];
    for &(spec, order, transitive) in known {
        let network = built(spec);
        let group = Group::new(&network, 100_000_000);
        assert!(group.is_complete());
        assert_eq!(group.order(), Some(order), "{spec}");
        assert_eq!(group.orbits().iter().all(|v| *v == Node(0)), transitive, "{spec}");
        assert!(group.generators().iter().all(|g| respects(&network, g)), "{spec}");
    }
}

/// All permutations of the nodes that can be completed to an automorphism, by trying each.
fn brute_force(network: &Network) -> u128 {
    let n = network.node_count();
    let mut multiplicity = BTreeMap::new();
    for c in network.channels() {
        let ends = (network.from(c).0, network.to(c).0);
        multiplicity.entry(ends).or_insert_with(Vec::new).push(network.capacity(c));
    }
    multiplicity.values_mut().for_each(|l: &mut Vec<u32>| l.sort_unstable());
    let mut count = 0;
    let mut permutation: Vec<u32> = (0..n as u32).collect();
    permute(&mut permutation, 0, &mut |p| {
        let at = |v: u32| p[v as usize];
        let same = |v: u32| {
            let (a, b) = (Node(v), Node(at(v)));
            network.is_terminal(a) == network.is_terminal(b) && network.is_transit(a) == network.is_transit(b)
        };
        let fits = multiplicity.iter().all(|(&(a, b), l)| multiplicity.get(&(at(a), at(b))) == Some(l));
        count += u128::from(fits && (0..n as u32).all(same));
    });
    count
}

fn permute(list: &mut Vec<u32>, from: usize, visit: &mut impl FnMut(&[u32])) {
    if from == list.len() {
        return visit(list);
    }
    for i in from..list.len() {
        list.swap(from, i);
        permute(list, from + 1, visit);
        list.swap(from, i);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn as_many_as_by_trying_all(parts in odd_network(6)) {
        // Pairs of channels that share a link narrow the group by more than trying nodes shows.
        let network = Network::new(NetworkData { half_duplex: Vec::new(), ..parts }).expect("sound");
        let group = Group::new(&network, 100_000_000);
        prop_assert!(group.is_complete());
        prop_assert_eq!(group.order(), Some(brute_force(&network)));
    }

    #[test]
    fn every_element_respects_the_network(parts in odd_network(8), seed in any::<u64>()) {
        let network = Network::new(parts).expect("sound");
        let group = Group::new(&network, 10_000_000);
        let mut random = run::Seed(seed).generator(0);
        for _ in 0..5 {
            let element = group.random(&mut random);
            prop_assert!(respects(&network, &element));
            let order = element.order().expect("small");
            prop_assert!(element.power(order).is_identity());
            prop_assert_eq!(element.power(2), element.then(&element));
        }
    }
}
