//! Laws over the registry: every member of every family is found by its name, under another, and renumbered.

use identify::{Effort, Identity, identify, identities};
use kernel::{Channel, Network, NetworkData, Ports};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use topologies::{FAMILIES, change, parse};

fn examples() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|f| f.examples.iter().copied())
}

/// The network with nodes and channels in a random order, under no name.
fn renumbered(network: &Network, seed: u64) -> Network {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let parts = network.data().clone();
    let mut nodes: Vec<u32> = (0..parts.nodes).collect();
    nodes.shuffle(&mut random);
    let mut order: Vec<usize> = (0..parts.channels.len()).collect();
    order.shuffle(&mut random);
    let mut place = vec![0; order.len()];
    (0u32..).zip(&order).for_each(|(new, &old)| place[old] = new);
    let image = |v: &u32| nodes[*v as usize];
    let moved = |v: (u32, u32)| (image(&v.0), image(&v.1));
    let mut half_duplex: Vec<Vec<u32>> =
        parts.half_duplex.iter().map(|group| group.iter().rev().map(|&c| place[c as usize]).collect()).collect();
    half_duplex.shuffle(&mut random);
    let renumbered = NetworkData {
        name: "a network".into(),
        labels: None,
        terminals: Some(network.terminals().iter().map(|v| image(&v.0)).collect()),
        no_transit: parts.no_transit.iter().map(image).collect(),
        channels: order.iter().map(|&c| moved(parts.channels[c])).collect(),
        capacities: parts.capacities.map(|list| order.iter().map(|&c| list[c]).collect()),
        half_duplex,
        ..parts
    };
    Network::new(renumbered).unwrap()
}

fn titled(network: &Network) -> Network {
    Network::new(NetworkData { name: "a network".into(), labels: None, ..network.data().clone() }).unwrap()
}

/// Looks at the maps anew, without the crate's own checks.
fn check(identity: &Identity, ours: &Network, text: &str) {
    let family = identity.network();
    assert_eq!(family.name(), identity.spec(), "{text}");
    assert_eq!((family.node_count(), family.channel_count()), (ours.node_count(), ours.channel_count()), "{text}");
    for v in ours.nodes() {
        let w = identity.node(v);
        assert_eq!(identity.node_back(w), v, "{text}");
        assert_eq!((ours.is_terminal(v), ours.is_transit(v)), (family.is_terminal(w), family.is_transit(w)), "{text}");
        assert_eq!(
            (ours.send_ports(v), ours.receive_ports(v)),
            (family.send_ports(w), family.receive_ports(w)),
            "{text}"
        );
    }
    for c in ours.channels() {
        let d = identity.channel(c);
        assert_eq!(identity.channel_back(d), c, "{text}");
        assert_eq!(identity.node(ours.from(c)), family.from(d), "{text}");
        assert_eq!(identity.node(ours.to(c)), family.to(d), "{text}");
        assert_eq!(ours.capacity(c), family.capacity(d), "{text}");
    }
    let sorted = |groups: Vec<Vec<u32>>| {
        let mut groups = groups;
        groups.iter_mut().for_each(|g| g.sort_unstable());
        groups.sort();
        groups
    };
    let image = |group: &Vec<u32>| group.iter().map(|&c| identity.channel(Channel(c)).0).collect();
    let moved = ours.half_duplex().iter().map(image).collect();
    assert_eq!(sorted(moved), sorted(family.half_duplex().to_vec()), "{text}");
}

fn found(network: &Network, text: &str) -> Identity {
    let identity = identify(network, Effort::default()).unwrap_or_else(|| panic!("{text} is not identified"));
    check(&identity, network, text);
    identity
}

#[test]
fn every_family_is_identified_in_any_numbering() {
    for spec in examples() {
        let network = parse(spec).unwrap();
        let named = found(&network, spec);
        let other = found(&titled(&network), spec);
        assert_eq!(named.spec(), other.spec(), "{spec} under another name");
        for seed in 0..3 {
            let identity = found(&renumbered(&network, seed), spec);
            assert_eq!(named.spec(), identity.spec(), "{spec} renumbered by seed {seed}");
        }
    }
}

/// A new family needs a line in the table of candidates: without it, its networks are known by their own name alone, or as
/// members of another.
#[test]
fn every_family_is_looked_for() {
    for family in FAMILIES {
        let is_found = |spec: &&str| {
            let unnamed = titled(&parse(spec).unwrap());
            identities(&unnamed, Effort::default()).iter().any(|i| i.spec().split(':').next() == Some(family.name))
        };
        assert!(family.examples.iter().any(is_found), "{}", family.name);
    }
}

#[test]
fn changes_that_are_the_same_everywhere_are_kept() {
    for spec in examples().filter(|s| !s.starts_with("amp:23")) {
        let network = parse(spec).unwrap();
        let plain = found(&network, spec);
        let one_port = change::with_ports(&network, Ports::Each(1)).unwrap();
        let halved = change::half_duplex(&one_port).unwrap();
        let wide = NetworkData { capacities: Some(vec![2; network.channel_count()]), ..network.data().clone() };
        for changed in [halved, one_port, Network::new(wide).unwrap()] {
            for ours in [renumbered(&changed, 5), changed] {
                assert_eq!(found(&ours, spec).spec(), plain.spec(), "{spec}");
            }
        }
    }
}

#[test]
fn changes_of_some_nodes_or_channels_make_another_network() {
    let torus = parse("torus:3x5").unwrap();
    let data = || torus.data().clone();
    let mut ports = vec![Some(1); 15];
    ports[4] = None;

    let mut capacities = vec![1; torus.channel_count()];
    capacities[7] = 3;
    let halved = change::half_duplex(&torus).unwrap().data().half_duplex.clone();
    for changed in [
        NetworkData { send_ports: Ports::List(ports), ..data() },
        NetworkData { capacities: Some(capacities), ..data() },
        NetworkData { half_duplex: halved[1..].to_vec(), ..data() },
        NetworkData { half_duplex: vec![vec![0, 1]], ..data() },
        NetworkData { terminals: Some((0..14).collect()), ..data() },
        NetworkData { no_transit: vec![3], ..data() },
    ] {
        assert!(identify(&Network::new(changed).unwrap(), Effort::default()).is_none());
    }
    let alike = NetworkData { receive_ports: Ports::List(vec![Some(2); 15]), ..data() };
    assert_eq!(found(&Network::new(alike).unwrap(), "ports in a list").spec(), "torus:3x5");
}

#[test]
fn a_network_less_a_link_is_none() {
    for spec in ["torus:5x7", "hypercube:5", "gft:2,4,4", "omega:16", "kautz:3,3", "dragonfly:2,4", "mesh:4x8"] {
        let network = parse(spec).unwrap();
        let (from, to) = (network.from(Channel(0)), network.to(Channel(0)));
        let damaged = change::without_link(&network, from, to, false).unwrap();
        assert!(identify(&damaged, Effort::default()).is_none(), "{spec}");
    }
}

#[test]
fn networks_without_structure_are_none() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for nodes in [50u32, 1000] {
        let links = (1..nodes).flat_map(|v| [random.random_range(0..v), random.random_range(0..v)].map(|w| (v, w)));
        let channels = links.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap();
        assert!(identify(&network, Effort::default()).is_none());
        // Regular, and of no draw that is looked at.
        let drawn = parse(&format!("random-regular:{nodes},4,4711")).unwrap();
        assert!(identify(&renumbered(&drawn, 1), Effort::default()).is_none());
        assert_eq!(found(&drawn, "by name").spec(), drawn.name());
    }
}

#[test]
fn a_name_is_not_believed() {
    let torus = parse("torus:3x5").unwrap();
    let named = |name: &str| Network::new(NetworkData { name: name.into(), ..torus.data().clone() }).unwrap();
    for name in ["mesh:3x5", "kring:15;1,4", "torus:5x3", "random-regular:15,4"] {
        assert_eq!(found(&named(name), name).spec(), "torus:3x5");
    }
    let twisted = NetworkData { name: "torus:3x5".into(), ..parse("kring:15;1,4").unwrap().data().clone() };
    assert_eq!(found(&Network::new(twisted).unwrap(), "twisted").spec(), "kring:15;1,4");
}

#[test]
fn it_stops_when_told_and_when_spent() {
    let network = renumbered(&parse("torus:9x11").unwrap(), 1);
    let stop: &(dyn Fn() -> bool + Sync) = &|| true;
    assert!(identify(&network, Effort { stop, ..Effort::default() }).is_none());
    assert!(identify(&network, Effort { ticks: 100, ..Effort::default() }).is_none());
    assert!(identify(&network, Effort::default()).is_some());
}
