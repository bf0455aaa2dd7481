//! Hierarchical dual-nets against the published tables, and their closed forms against searches.

use kernel::{Network, Node};
use proptest::prelude::*;
use std::collections::VecDeque;
use testing::known::nested_super_nodes;
use topologies::dual_net::Index;
use topologies::{parse, topology};

/// Hops from a node to every node.
fn hops(network: &Network, from: Node) -> Vec<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    far[from.index()] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for c in network.outgoing(at) {
            let next = network.to(*c);
            if far[next.index()] == u32::MAX {
                far[next.index()] = far[at.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    far
}

/// Diameter and sum of distances over ordered pairs.
fn measured(network: &Network) -> (u64, u128) {
    let (mut diameter, mut sum) = (0, 0);
    for from in network.nodes() {
        for d in hops(network, from) {
            diameter = diameter.max(u64::from(d));
            sum += u128::from(d);
        }
    }
    (diameter, sum)
}

const SIZES: [u64; 8] = [1, 2, 3, 5, 6, 10, 15, 30];

#[test]
fn table_1_has_the_printed_sizes() {
    let one = [1800, 900, 600, 360, 300, 180, 120, 60];
    #[rustfmt::skip]
    let two = [
        [6_480_000, 3_240_000, 2_160_000, 1_296_000, 1_080_000, 648_000, 432_000, 216_000],
        [1_620_000, 810_000, 540_000, 324_000, 270_000, 162_000, 108_000, 54_000],
        [720_000, 360_000, 240_000, 144_000, 120_000, 72_000, 48_000, 24_000],
        [259_200, 129_600, 86_400, 51_840, 43_200, 25_920, 17_280, 8_640],
        [180_000, 90_000, 60_000, 36_000, 30_000, 18_000, 12_000, 6_000],
        [64_800, 32_400, 21_600, 12_960, 10_800, 6_480, 4_320, 2_160],
        [28_800, 14_400, 9_600, 5_760, 4_800, 2_880, 1_920, 960],
        [7_200, 3_600, 2_400, 1_440, 1_200, 720, 480, 240],
    ];
    let base = topologies::families::torus::Torus::new([2, 3, 5]).unwrap();
    for (s, nodes) in SIZES.into_iter().zip(one) {
        let made = topology(&format!("hdn:torus:2x3x5;{s}")).unwrap();
        assert_eq!(made.closed_forms().nodes, nodes, "({s})");
        // A link instead of a ring of two makes the base's degree 5, not 6.
        assert_eq!(made.closed_forms().degree, Some((6, 6)), "({s})");
    }
    for (s1, row) in SIZES.into_iter().zip(two) {
        for (s2, nodes) in SIZES.into_iter().zip(row) {
            // Those of millions of nodes are beyond what is built.
            let supers = [s1, s2].map(|s| s.to_string());
            match topologies::families::hdn::Hdn::new(&base, &[&supers[0], &supers[1]]) {
                Ok(made) => assert_eq!(topologies::Topology::closed_forms(&made).nodes, nodes, "({s1},{s2})"),
                Err(_) => assert!(nodes * 7 > 1 << 24, "({s1},{s2})"),
            }
            assert_eq!(nodes, 2 * (1800 / s1).pow(2) / s2, "({s1},{s2})");
        }
    }
}

/// Table 3: diameters as printed; the cost ratio only with the degree of a base whose dimension of 2 has two links.
#[test]
fn table_3_has_the_printed_diameters() {
    let rows = [
        ("hdn:torus:2x3x5;1", 1800, 10, 0.79, "0.740"),
        ("hdn:torus:2x3x5;2", 900, 9, 0.82, "0.764"),
        ("hdn:torus:2x3x5;3", 600, 9, 0.87, "0.813"),
        ("hdn:torus:2x3x5;2,2", 810_000, 19, 0.69, "0.662"),
    ];
    for (spec, nodes, diameter, printed, corrected) in rows {
        let forms = topology(spec).unwrap().closed_forms();
        assert_eq!((forms.nodes, forms.diameter), (nodes, Some(diameter)), "{spec}");
        let ratio = |degree: u64| (degree + diameter) as f64 / 2.0 / (nodes as f64).log2();
        let degree = forms.degree.unwrap().0;
        assert!((ratio(degree + 1) - printed).abs() < 0.005, "{spec}: {}", ratio(degree + 1));
        assert_eq!(format!("{:.3}", ratio(degree)), corrected, "{spec}");
    }
    for (spec, nodes, diameter) in [("hdn:torus:2x3x5;2,5", 324_000, 18), ("hdn:torus:2x3x5;5,2", 129_600, 17)] {
        let made = topology(spec).unwrap();
        assert_eq!((made.closed_forms().nodes, made.closed_forms().diameter), (nodes, None), "{spec} is not nested");
        assert_eq!(made.dual_net().unwrap().printed_diameter(), Some(diameter), "{spec}");
    }
}

#[test]
fn table_4_holds_in_two_rows_of_four() {
    let made = topology("hdn:torus:2x3x5;2x3,3x5").unwrap();
    let net = made.dual_net().unwrap();
    let rows = [
        ([0, 0, 0, 0], (0, 0), (0, 0)),
        ([1, 4, 2, 3], (19, 2), (19, 0)),
        ([0, 0, 2, 2], (0, 12), (0, 14)),
        ([1, 4, 4, 5], (19, 14), (19, 14)),
    ];
    let mut right = 0;
    for ([class, cluster, super_node, place], ours, printed) in rows {
        let node = net.node(1, Index { class, cluster, super_node, place });
        let found = net.split(2, &net.digits(1, node));
        assert_eq!(found, ours, "node {node}");
        right += usize::from(found == printed);
        // What is printed keeps the serial number instead of the dimensions.
        assert_eq!(printed, (node / 15, node % 15));
    }
    assert_eq!(right, 2);
}

#[test]
fn re_indexing_and_crossing() {
    for spec in ["hdn:torus:2x3x5;2x3,5", "hdn:hypercube:2;4,2", "hdn:hypercube:1;1,2", "hdn:hypercube:1;2,2,1"] {
        let made = topology(spec).unwrap();
        let net = made.dual_net().unwrap();
        let top = net.levels();
        for node in (0..net.nodes(top)).step_by(7) {
            let digits = net.digits(top, node);
            assert_eq!(net.number(top, &digits), node, "{spec}");
            let at = net.index(top, node);
            let mut there = digits.clone();
            net.cross(top, &mut there);
            let other = net.index(top, net.number(top, &there));
            let expected =
                Index { class: 1 - at.class, cluster: at.super_node, super_node: at.cluster, place: at.place };
            assert_eq!(other, expected, "{spec}");
            for level in 1..=top {
                let mut there = digits.clone();
                net.cross(level, &mut there);
                net.cross(level, &mut there);
                assert_eq!(there, digits, "{spec}");
            }
        }
    }
}

#[test]
fn dual_cubes_are_recursive_dual_nets() {
    for n in 2..=5 {
        let cube = topology(&format!("dual-cube:{n}")).unwrap();
        let net = topology(&format!("rdn:hypercube:{};1", n - 1)).unwrap();
        let forms = net.closed_forms();
        assert_eq!(cube.closed_forms(), topologies::ClosedForms { distances: None, ..forms });
        if n < 5 {
            let sum = measured(&cube.network()).1;
            assert_eq!(Some(sum), forms.distances);
        }
    }
}

/// The formula of Theorem 1 is one too large where a super-node is all of the base, two at the next level.
#[test]
fn the_printed_diameter_is_wrong_for_single_clusters_alone() {
    for dimensions in 1..=3u32 {
        let whole = 1u32 << dimensions;
        for first in 0..=dimensions {
            for second in 0..=dimensions {
                let spec = format!("hdn:hypercube:{dimensions};{},{}", 1 << first, 1 << second);
                let made = topology(&spec).unwrap();
                if made.closed_forms().nodes > 1024 {
                    continue;
                }
                let found = i64::try_from(measured(&made.network()).0).unwrap();
                let printed = made.dual_net().unwrap().printed_diameter().unwrap();
                assert_eq!(printed - found, if 1 << first == whole { 2 } else { 0 }, "{spec}");
            }
        }
    }
}

/// From one node of `apart`: how many pairs Algorithm 1 leads a longer way than needed, and how many beyond the bound of Theorem 2; the longest way.
fn detours(spec: &str, apart: usize) -> (usize, usize, usize) {
    let made = topology(spec).unwrap();
    let (network, net) = (made.network(), made.dual_net().unwrap());
    let bound = usize::try_from(net.printed_diameter().unwrap()).unwrap();
    let (mut longer, mut beyond, mut longest) = (0, 0, 0);
    for from in network.nodes().step_by(apart) {
        let far = hops(&network, from);
        for to in network.nodes() {
            let way = net.algorithm_1(from, to);
            assert_eq!((way[0], way[way.len() - 1]), (from.0, to.0));
            for pair in way.windows(2) {
                assert!(network.outgoing(Node(pair[0])).iter().any(|c| network.to(*c).0 == pair[1]), "{spec}: {way:?}");
            }
            let length = way.len() - 1;
            longer += usize::from(length > far[to.index()] as usize);
            beyond += usize::from(length > bound);
            longest = longest.max(length);
        }
    }
    (longer, beyond, longest)
}

#[test]
fn algorithm_1_is_shortest_where_super_nodes_are_nested() {
    let nested = [
        "hdn:hypercube:2;1",
        "hdn:hypercube:2;4",
        "hdn:hypercube:3;2",
        "hdn:torus:2x3;3",
        "hdn:mesh:2x3;2",
        "hdn:hypercube:1;1,1",
        "hdn:hypercube:2;4,2",
        "hdn:hypercube:2;2,1",
        "rdn:ring:5;1",
    ];
    for spec in nested {
        // Every fourth sender: clusters are alike.
        let (longer, beyond, _) = detours(spec, 4);
        assert_eq!((longer, beyond), (0, 0), "{spec}");
    }
}

#[test]
fn algorithm_1_and_theorem_2_fail_where_they_are_not() {
    let (longer, beyond, longest) = detours("hdn:hypercube:1;1,2", 1);
    assert_eq!((longer > 0, beyond, longest), (true, 0, 9));
    // 640 pairs of 2-cubes with single nodes below all of the base have ways of up to 14 hops; Theorem 2 says 12.
    let (_, beyond, longest) = detours("hdn:hypercube:2;1,4", 1);
    assert_eq!((beyond, longest), (640, 14));
}

/// Hops that Algorithm 1 takes.
fn net_of(made: &dyn topologies::Topology, from: u32, to: u32) -> usize {
    made.dual_net().unwrap().algorithm_1(Node(from), Node(to)).len() - 1
}

#[test]
fn routes_say_where_they_fall_back() {
    let made = topology("hdn:hypercube:1;1,2").unwrap();
    let network = made.network();
    assert_eq!((net_of(&*made, 1, 22), made.route(&network, Node(1), Node(22)).unwrap().hops()), (8, 4));
    let mut fallen = 0;
    for from in network.nodes() {
        let far = hops(&network, from);
        for to in network.nodes() {
            let route = made.route(&network, from, to).unwrap();
            assert!(route.shortest);
            assert_eq!(route.hops(), far[to.index()] as usize);
            fallen += usize::from(route.rule.starts_with("shortest path, since"));
        }
    }
    assert_eq!(fallen, detours("hdn:hypercube:1;1,2", 1).0);
    assert!(parse("ring:5").is_ok_and(|n| topology("ring:5").unwrap().route(&n, Node(0), Node(1)).is_none()));
}

#[test]
fn wrong_super_nodes_are_named() {
    for (spec, word) in [
        ("hdn:torus:2x3x5;4", "sub-product"),
        ("hdn:torus:2x3x5;2x2", "sub-product"),
        ("hdn:torus:2x3x5;d3", "sub-product"),
        ("hdn:petersen;5", "not a product"),
        ("hdn:torus:2x3x5;", "sub-product"),
        ("hdn:torus:2x3x5", "form"),
        ("hdn:hdn:ring:3;1;1", "no dual-net itself"),
        ("hdn:fat-tree:8;1", "terminals"),
        ("hdn:nothing:8;1", "no family"),
        ("rdn:ring:5;0", "must be 1"),
        ("rdn:ring:5;5", "channels"),
        ("hdn:torus:30x30x30;1,1", "channels"),
    ] {
        let error = topology(spec).err().unwrap_or_else(|| panic!("{spec} was accepted")).to_string();
        assert!(error.contains(word), "{spec}: {error}");
    }
}

/// The dimensions that a super-node of one level over a torus of these sizes is read as.
fn dimensions(sizes: &str, super_node: &str) -> Option<Vec<usize>> {
    let made = topology(&format!("hdn:torus:{sizes};{super_node}")).ok()?;
    made.dual_net().map(|net| net.super_node(1).to_vec())
}

#[test]
fn sub_products_by_sizes_numbers_and_nodes() {
    let read = |text| dimensions("2x3x5", text);
    assert_eq!(read("1"), Some(vec![]));
    assert_eq!(read("3x5"), Some(vec![1, 2]));
    assert_eq!(read("5x3"), Some(vec![1, 2]));
    assert_eq!(read("d2xd0"), Some(vec![0, 2]));
    assert_eq!(read("15"), Some(vec![1, 2]));
    assert_eq!(read("30"), Some(vec![0, 1, 2]));
    for wrong in ["", "0", "4", "7", "2x2", "d3", "d0xd0", "x", "2x", "1x2", "-1", "d", "60", "99999999999999999999"] {
        assert_eq!(read(wrong), None, "{wrong}");
    }
}

#[test]
fn super_nodes_that_are_written_are_read() {
    let sizes = "2x2x3x2";
    for mask in 0..16usize {
        let dims: Vec<usize> = (0..4).filter(|d| mask >> d & 1 == 1).collect();
        let numbers: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
        let numbers = if dims.is_empty() { "1".into() } else { numbers.join("x") };
        let written = topology(&format!("hdn:torus:{sizes};{numbers}")).unwrap().dual_net().unwrap().super_nodes();
        assert_eq!(dimensions(sizes, &written), Some(dims), "{numbers} as {written}");
    }
    assert_eq!(dimensions(sizes, "8"), Some(vec![0, 1, 3]));
}

/// Bases with what their dimensions are, and super-nodes of one or two levels.
fn nested() -> impl Strategy<Value = String> {
    let base = prop_oneof![
        proptest::collection::vec(2u32..5, 1..3).prop_map(|s| ("torus", s)),
        proptest::collection::vec(2u32..4, 1..3).prop_map(|s| ("mesh", s)),
    ];
    (base, proptest::collection::vec(0u32..4, 1..3)).prop_map(|((family, sizes), masks)| {
        let supers = nested_super_nodes(sizes.len(), &masks);
        let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
        format!("hdn:{family}:{};{supers}", sizes.join("x"))
    })
}

/// Searches that list no channels find what searches on the network as built find, from every node.
#[test]
fn distances_are_searched_without_the_channels() {
    for spec in [
        "hdn:torus:2x3;2",
        "hdn:hypercube:2;1",
        "hdn:hypercube:1;1,2",
        "hdn:hypercube:2;2,d1",
        "hdn:petersen;1",
        "rdn:ring:3;2",
    ] {
        let made = topology(spec).unwrap();
        let (net, network) = (made.dual_net().unwrap(), made.network());
        for node in network.nodes() {
            let mut profile = vec![0u64; 1];
            for far in hops(&network, node) {
                profile.resize(profile.len().max(far as usize + 1), 0);
                profile[far as usize] += 1;
            }
            assert_eq!(net.profile_from(node.0), profile, "{spec} from {node}");
        }
    }
}

/// The closed forms of a network too large to be built, beside a search from a node, which stands for all: they are alike.
#[test]
fn closed_forms_hold_where_the_network_is_too_large() {
    let made = topologies::unbuilt("hdn:hypercube:2;1,1,1").unwrap();
    let (forms, profile) = (made.closed_forms(), made.dual_net().unwrap().profile_from(5));
    assert_eq!((forms.nodes, forms.vertex_transitive), (profile.iter().sum(), Some(true)));
    assert_eq!(forms.diameter, Some(profile.len() as u64 - 1));
    let sum: u128 = (0u128..).zip(&profile).map(|(far, nodes)| far * u128::from(*nodes)).sum();
    assert_eq!(forms.distances, Some(sum * u128::from(forms.nodes)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn closed_forms_of_nested_super_nodes(spec in nested()) {
        let made = topology(&spec).unwrap();
        let forms = made.closed_forms();
        prop_assume!(forms.nodes <= 1000);
        let network = made.network();
        let (diameter, sum) = measured(&network);
        prop_assert_eq!(forms.diameter, Some(diameter), "{}", &spec);
        prop_assert_eq!(forms.distances, Some(sum), "{}", &spec);
        prop_assert_eq!(topology(&made.spec()).unwrap().network(), network);
    }
}
