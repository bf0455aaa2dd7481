//! Laws of layouts, on every family and on random networks; and of what a page and a picture hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use kernel::{Channel, Network, NetworkData, Node};
use pictures::Layout;
use proptest::prelude::*;
use topologies::FAMILIES;

/// Every node has its place, every channel leads from rim to rim, and all of it is inside the frame.
fn check(network: &Network) {
    let layout = Layout::new(network);
    let name = network.name();
    assert_eq!((layout.points.len(), layout.wires.len()), (network.node_count(), network.channel_count()), "{name}");
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    let inside = |p: (f64, f64)| (0.0..=layout.size.0).contains(&p.0) && (0.0..=layout.size.1).contains(&p.1);
    assert!(layout.points.iter().all(|p| inside(*p)), "{name}: a node is outside");
    assert!(layout.wires.iter().flatten().all(|[a, _, b]| inside(*a) && inside(*b)), "{name}: a channel is outside");
    for (v, p) in layout.points.iter().enumerate() {
        for (w, q) in layout.points.iter().enumerate().skip(v + 1) {
            assert!(near(*p, *q) > 1.5 * layout.radius, "{name}: nodes {v} and {w} overlap");
        }
    }
    let rim = 1.6 * layout.radius;
    let places = |node: Node| {
        let again = layout.again.iter().filter(move |(v, _)| *v == node.0).map(|(_, p)| *p);
        std::iter::once(layout.points[node.index()]).chain(again)
    };
    for channel in network.channels() {
        let wire = &layout.wires[channel.index()];
        let (start, end) = (wire.first().unwrap()[0], wire.last().unwrap()[2]);
        assert!(
            places(network.from(channel)).any(|p| near(p, start) < rim),
            "{name}: channel {channel} begins elsewhere"
        );
        assert!(places(network.to(channel)).any(|p| near(p, end) < rim), "{name}: channel {channel} ends elsewhere");
    }
}

#[test]
fn every_family_is_laid_out() {
    for family in FAMILIES {
        for spec in family.examples {
            let network = topologies::parse(spec).unwrap();
            if network.node_count() <= 150 {
                check(&network);
            }
        }
    }
}

#[test]
fn routers_with_many_terminals_are_laid_out() {
    for spec in ["fat:4,mesh:3x4", "fat:16,torus:4x5", "fat:9,ring:6", "fat:3,hypercube:4", "fat:12,complete:5"] {
        check(&topologies::parse(spec).unwrap());
    }
}

/// The layout that a specification's network gets, with and without its labels.
fn kinds(spec: &str) -> (&'static str, &'static str) {
    let network = topologies::parse(spec).unwrap();
    let bare = Network::new(NetworkData { labels: None, ..network.data().clone() }).unwrap();
    (Layout::new(&network).kind, Layout::new(&bare).kind)
}

#[test]
fn structure_is_found_without_names_or_labels() {
    for (spec, kind) in [
        ("ring:12", "circle"),
        ("spidergon:16", "circle"),
        ("circulant:20;1,4", "circle"),
        ("mesh:5x7", "grid"),
        ("torus:5x6", "grid"),
        ("hypercube:5", "hypercube"),
        ("petersen", "rings"),
        ("ccc:3", "groups"),
        ("full-tree:15", "tree"),
        ("binary-tree:8", "tree"),
        ("fat-tree:16", "levels"),
        ("omega:8", "stages"),
        ("benes:8", "stages"),
        ("random-regular:40,3", "distances"),
        ("torus:3x3x3", "grid"),
        ("mesh:2x3x4", "grid"),
        ("torus:3x4x5x2", "grid"),
        ("kautz:3,3", "words"),
        ("debruijn:2,4", "words"),
        ("dual-cube:3", "groups"),
        ("dgx1", "grid"),
    ] {
        assert_eq!(kinds(spec), (kind, kind), "{spec}");
    }
}

/// The same network under other numbers, without labels.
fn shuffled(spec: &str, seed: u64) -> Network {
    let network = topologies::parse(spec).unwrap();
    let nodes = network.node_count() as u32;
    let mut numbers: Vec<u32> = (0..nodes).collect();
    // Any order will do that depends on the seed.
    numbers.sort_by_key(|v| (u64::from(*v) + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let other = |v: u32| numbers[v as usize];
    let channels = network.data().channels.iter().map(|(a, b)| (other(*a), other(*b))).collect();
    Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap()
}

#[test]
fn structure_is_found_under_any_numbers() {
    for (spec, kind) in [
        ("ring:11", "circle"),
        ("torus:5x6", "grid"),
        ("mesh:3x4x5", "grid"),
        ("torus:4x5x6", "grid"),
        ("hypercube:6", "hypercube"),
        ("kautz:2,4", "words"),
        ("debruijn:3,3", "words"),
        ("dual-cube:3", "groups"),
        ("ccc:3", "groups"),
    ] {
        for seed in [3, 17, 2024] {
            let network = shuffled(spec, seed);
            assert_eq!(Layout::new(&network).kind, kind, "{spec}");
            check(&network);
        }
    }
}

/// The product of two networks: links between nodes that differ in one of the two.
fn product(a: &Network, b: &Network) -> Network {
    let (rows, columns) = (a.node_count() as u32, b.node_count() as u32);
    let down =
        (0..columns).flat_map(|c| a.data().channels.iter().map(move |(x, y)| (x * columns + c, y * columns + c)));
    let across = (0..rows).flat_map(|r| b.data().channels.iter().map(move |(x, y)| (r * columns + x, r * columns + y)));
    Network::new(NetworkData {
        nodes: rows * columns,
        channels: down.chain(across).collect(),
        ..NetworkData::default()
    })
    .unwrap()
}

#[test]
fn products_of_other_networks_are_pictures_of_pictures() {
    let petersen = topologies::parse("petersen").unwrap();
    for other in ["ring:5", "mesh:1x3", "petersen", "heawood"] {
        let network = product(&petersen, &topologies::parse(other).unwrap());
        assert_eq!(Layout::new(&network).kind, "product", "petersen and {other}");
        check(&network);
    }
}

/// How many pairs of links without a common end cross, all drawn straight.
fn crossings(network: &Network, points: &[(f64, f64)]) -> usize {
    let mut links: Vec<(usize, usize)> =
        network.channels().map(|c| (network.from(c).index(), network.to(c).index())).collect();
    links.iter_mut().for_each(|(a, b)| (*a, *b) = ((*a).min(*b), (*a).max(*b)));
    links.sort_unstable();
    links.dedup();
    let turn = |a: usize, b: usize, c: usize| {
        let [a, b, c] = [points[a], points[b], points[c]];
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    };
    let cross = |(a, b): (usize, usize), (c, d): (usize, usize)| {
        ![c, d].iter().any(|v| [a, b].contains(v))
            && turn(a, b, c) * turn(a, b, d) < 0.0
            && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    links.iter().enumerate().map(|(at, one)| links[..at].iter().filter(|other| cross(*one, **other)).count()).sum()
}

#[test]
fn words_cross_far_less_than_on_a_circle() {
    // A circle with the nodes in the order of their words has 2573 crossings of kautz:3,3 and 99 of kautz:2,3.
    for (spec, most) in [("kautz:3,3", 2573 / 8), ("kautz:2,3", 99 / 8)] {
        for seed in [1, 5] {
            let network = shuffled(spec, seed);
            let found = crossings(&network, &Layout::new(&network).points);
            assert!(found <= most, "{spec}: {found} crossings");
        }
    }
}

#[test]
fn a_hypercube_is_found_under_other_numbers() {
    let cube = topologies::parse("hypercube:4").unwrap();
    // Multiplication by an odd number shuffles the numbers below 16.
    let other = |v: u32| v * 7 % 16;
    let channels = cube.data().channels.iter().map(|(a, b)| (other(*a), other(*b))).collect();
    let shuffled = Network::new(NetworkData { channels, ..cube.data().clone() }).unwrap();
    assert_eq!(Layout::new(&shuffled).kind, "hypercube");
    check(&shuffled);
}

/// Groups of routers all joined within, a link between each pair of groups, and a terminal a router.
fn dragonfly(groups: u32) -> Network {
    let size = groups - 1;
    let routers = groups * size;
    let mut links = Vec::new();
    for group in 0..groups {
        let router = |at: u32| group * size + at;
        for at in 0..size {
            links.extend((at + 1..size).map(|other| (router(at), router(other))));
            // The link of this router leads to the group so many further on.
            let far = (group + at + 1) % groups;
            if group < far {
                links.push((router(at), far * size + (size - 1 - at)));
            }
            links.push((router(at), routers + router(at)));
        }
    }
    let channels = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let terminals = Some((routers..2 * routers).collect());
    Network::new(NetworkData { nodes: 2 * routers, channels, terminals, ..NetworkData::default() }).unwrap()
}

#[test]
fn groups_of_routers_with_terminals_are_found() {
    for groups in [5, 7, 9] {
        let network = dragonfly(groups);
        assert_eq!(Layout::new(&network).kind, "groups");
        check(&network);
        // Also where a file does not say which nodes are terminals.
        let bare = Network::new(NetworkData { terminals: None, ..network.data().clone() }).unwrap();
        assert_eq!(Layout::new(&bare).kind, "groups");
    }
}

#[test]
fn links_around_a_torus_are_two_stubs() {
    let network = topologies::parse("torus:4x5").unwrap();
    let layout = Layout::new(&network);
    let cut = |c: Channel| layout.wires[c.index()].len() == 2;
    // Five columns and four rows, each with one link around, two channels a link.
    assert_eq!(network.channels().filter(|c| cut(*c)).count(), 2 * (5 + 4));
}

/// Two nodes with one link are no guests of a switch.
#[test]
fn pairs_beside_switches_with_guests_have_places() {
    let channels = vec![(3, 9), (0, 4), (8, 0), (1, 2), (8, 7), (5, 6), (0, 2)];
    let data = NetworkData { nodes: 10, channels, terminals: Some(vec![0]), ..NetworkData::default() };
    check(&Network::new(data).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_network_is_laid_out_the_same_each_time(
        nodes in 1..40u32,
        ends in prop::collection::vec((0..40u32, 1..40u32), 0..120),
        switches in any::<u64>(),
    ) {
        let channels = ends.iter().map(|(a, b)| (a % nodes, (a % nodes + 1 + b % nodes.max(2).saturating_sub(1)) % nodes));
        let channels: Vec<(u32, u32)> = channels.filter(|(a, b)| a != b).collect();
        let terminals = (0..nodes).filter(|v| *v == 0 || switches >> v & 1 == 1).collect();
        let network = Network::new(NetworkData { nodes, channels, terminals: Some(terminals), ..NetworkData::default() }).unwrap();
        check(&network);
        let (one, two) = (Layout::new(&network), Layout::new(&network));
        prop_assert_eq!(one.points, two.points);
        prop_assert_eq!(one.wires, two.wires);
    }
}
