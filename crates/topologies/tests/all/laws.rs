//! Laws over the registry: every family's closed forms against its networks as built.

use design::measures;
use kernel::{Network, NetworkData, Node};
use proptest::prelude::*;
use std::collections::BTreeMap;
use topologies::change::{without_link, without_node};
use topologies::{FAMILIES, SpecError, parse, topology};

fn examples() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|f| f.examples.iter().copied())
}

#[test]
fn every_family_has_examples_of_its_own() {
    for family in FAMILIES {
        assert!(!family.examples.is_empty(), "{}", family.name);
        assert!(family.form.starts_with(family.name) && !family.about.is_empty() && !family.source.is_empty());
        for example in family.examples {
            assert_eq!(example.split(':').next(), Some(family.name));
        }
    }
}

/// What the closed forms are compared with.
struct Found {
    degree: (u64, u64),
    diameter: Option<u64>,
    average_distance: Option<f64>,
}

fn measure(network: &Network) -> Found {
    let distances = measures::distances(network);
    let (diameter, average_distance) = (distances.diameter(), distances.average());
    Found { degree: measures::degree(network), diameter, average_distance }
}

#[test]
fn networks_agree_with_their_closed_forms() {
    for spec in examples() {
        let made = topology(spec).unwrap();
        let (forms, network) = (made.closed_forms(), made.network());
        let found = measure(&network);
        assert_eq!(network.name(), made.spec(), "{spec}");
        assert_eq!(network.node_count() as u64, forms.nodes, "nodes of {spec}");
        assert_eq!(network.terminals().len() as u64, forms.terminals, "terminals of {spec}");
        assert_eq!(network.channel_count() as u64, forms.channels, "channels of {spec}");
        // Where no path passes through a terminal, messages go from one to the next.
        let open = Network::new(NetworkData { no_transit: Vec::new(), ..network.data().clone() }).unwrap();
        assert!(found.diameter.or(measure(&open).diameter).is_some(), "{spec} falls apart");
        if let Some(degree) = forms.degree {
            assert_eq!(found.degree, degree, "degree of {spec}");
        }
        if let Some(diameter) = forms.diameter {
            assert_eq!(found.diameter, Some(diameter), "diameter of {spec}");
        }
        if let Some(sum) = forms.distances {
            let pairs = forms.terminals * forms.terminals.saturating_sub(1);
            let average = found.average_distance.map_or(0.0, |mean| mean * pairs as f64);
            assert!((average - sum as f64).abs() < 1e-6 * (1.0 + average), "distances of {spec}: {sum}, not {average}");
        }
    }
}

#[test]
fn machines_have_a_bandwidth_a_channel() {
    let with = examples().filter_map(|spec| topology(spec).unwrap().links().map(|links| (spec, links)));
    let mut machines = 0;
    for (spec, links) in with {
        links.check(&parse(spec).unwrap()).unwrap_or_else(|error| panic!("{spec}: {error}"));
        machines += 1;
    }
    assert!(machines > 15, "{machines}");
}

/// GB/s that leave, and enter, a node of so many machines.
fn around(spec: &str, node: u32) -> [f64; 2] {
    let made = topology(spec).unwrap();
    let (network, links) = (made.network(), made.links().unwrap());
    let sum = |channels: &[kernel::Channel]| {
        let number = |c: &kernel::Channel| {
            let rate = links.bandwidth[c.index()];
            rate.numerator as f64 / rate.denominator as f64
        };
        channels.iter().map(number).sum()
    };
    [sum(network.outgoing(Node(node))), sum(network.incoming(Node(node)))]
}

/// What makers and papers print, not what the families were made from.
#[test]
fn bandwidths_of_a_gpu_are_as_published() {
    for (spec, node, leaving, entering) in [
        // Six NVLinks, 300 GB/s both ways.
        ("dgx1", 0, 150.0, 150.0),
        ("ndv2:1", 5, 150.0, 150.0),
        // The NIC of a machine: 100 Gb/s.
        ("ndv2:2", 0, 162.5, 150.0),
        ("ndv2:2", 9, 150.0, 162.5),
        ("dgx2:4", 17, 137.5, 125.0),
        // 600 GB/s both ways, and a port of 200 Gb/s.
        ("dgx-a100:1", 7, 300.0, 300.0),
        ("dgx-a100:3", 11, 325.0, 325.0),
        // 900 GB/s both ways, and a port of 400 Gb/s.
        ("dgx-h100:1", 3, 450.0, 450.0),
        ("dgx-h100:2", 15, 500.0, 500.0),
        // Seven links of 128 GB/s both ways.
        ("mi300x:1", 0, 448.0, 448.0),
        ("mi300x:2", 9, 498.0, 498.0),
        // Of a die of an MI250X seven links at most lead to others.
        ("mi250x:1", 0, 350.0, 350.0),
        ("mi250x:2", 31, 366.0, 366.0),
        ("tpu-v4:4x4x8", 100, 300.0, 300.0),
    ] {
        assert_eq!(around(spec, node), [leaving, entering], "{spec}, node {node}");
    }
}

#[test]
fn specifications_are_canonical() {
    for spec in examples() {
        let name = topology(spec).unwrap().spec();
        assert_eq!(topology(&name).unwrap().spec(), name, "{spec}");
        assert_eq!(topology(&name).unwrap().network(), parse(spec).unwrap(), "{spec}");
    }
}

/// How many channels lead from one node to another.
fn ends(network: &Network, image: impl Fn(Node) -> u32) -> BTreeMap<(u32, u32), u32> {
    let mut count = BTreeMap::new();
    for c in network.channels() {
        *count.entry((image(network.from(c)), image(network.to(c)))).or_insert(0) += 1;
    }
    count
}

#[test]
fn known_automorphisms_are_automorphisms_and_transitive_where_claimed() {
    for spec in examples() {
        let made = topology(spec).unwrap();
        let network = made.network();
        let generators = made.automorphisms();
        let channels = ends(&network, |v| v.0);
        for image in &generators {
            assert_eq!(ends(&network, |v| image[v.index()]), channels, "{spec}");
            assert!(network.terminals().iter().all(|t| network.is_terminal(Node(image[t.index()]))), "{spec}");
        }
        if !generators.is_empty() && made.closed_forms().vertex_transitive == Some(true) {
            let mut reached = vec![network.terminals()[0].0];
            let mut next = 0;
            while next < reached.len() {
                for image in &generators {
                    let to = image[reached[next] as usize];
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
                next += 1;
            }
            assert_eq!(reached.len(), network.terminals().len(), "{spec} is claimed to be vertex-transitive");
        }
    }
}

#[test]
fn networks_of_links_have_every_channel_both_ways() {
    let directed = [
        "ring-uni",
        "circulant",
        "multiring",
        "kautz",
        "debruijn",
        "shuffle",
        "omega",
        "butterfly",
        "baseline",
        "flip",
        "reverse",
        "benes",
        "clos",
        "opened",
        "fat:1,kautz",
        "product:kautz",
        "product:star:3,ring-uni",
        "ndv2",
        "dgx2",
    ];
    for spec in examples().filter(|s| !directed.iter().any(|d| s.starts_with(d))) {
        let network = parse(spec).unwrap();
        let forth = ends(&network, |v| v.0);
        let back: BTreeMap<_, _> = forth.iter().map(|((a, b), n)| ((*b, *a), *n)).collect();
        assert_eq!(forth, back, "{spec}");
    }
}

#[test]
fn faults_leave_the_other_nodes_as_they_were() {
    for spec in examples() {
        let network = parse(spec).unwrap();
        let Some(channel) = network.channels().last() else { continue };
        let (from, to) = (network.from(channel), network.to(channel));
        let between = |a: Node, b: Node| network.outgoing(a).iter().filter(|&&c| network.to(c) == b).count();
        let one_way = without_link(&network, from, to, true).unwrap();
        assert_eq!(one_way.channel_count(), network.channel_count() - between(from, to), "{spec}");
        let neither = without_link(&network, from, to, false).unwrap();
        assert_eq!(neither.channel_count(), one_way.channel_count() - between(to, from), "{spec}");
        assert_eq!((neither.node_count(), neither.terminals()), (network.node_count(), network.terminals()), "{spec}");
        assert!(without_link(&neither, from, to, false).is_err(), "{spec}");
        if network.terminals().len() == 1 {
            continue;
        }
        let first = network.terminals()[0];
        let damaged = without_node(&network, first).unwrap();
        let lost = network.incoming(first).len() + network.outgoing(first).len();
        assert_eq!(damaged.channel_count(), network.channel_count() - lost, "{spec}");
        assert_eq!(damaged.terminals(), &network.terminals()[1..], "{spec}");
        assert!(damaged.nodes().all(|v| damaged.label(v) == network.label(v)), "{spec}");
    }
}

#[test]
fn girths_of_the_cages() {
    // A shortest cycle through node 0 shows as two nodes at the same distance that are joined, or a node met twice.
    for (spec, girth) in [("petersen", 5), ("heawood", 6), ("levi", 8), ("hoffman-singleton", 5)] {
        let network = parse(spec).unwrap();
        let mut shortest = usize::MAX;
        for root in network.nodes() {
            let mut far = vec![usize::MAX; network.node_count()];
            let mut parent = vec![root; network.node_count()];
            far[root.index()] = 0;
            let mut queue = vec![root];
            let mut next = 0;
            while next < queue.len() {
                let v = queue[next];
                next += 1;
                for c in network.outgoing(v) {
                    let w = network.to(*c);
                    if far[w.index()] == usize::MAX {
                        far[w.index()] = far[v.index()] + 1;
                        parent[w.index()] = v;
                        queue.push(w);
                    } else if parent[v.index()] != w {
                        shortest = shortest.min(far[v.index()] + far[w.index()] + 1);
                    }
                }
            }
        }
        assert_eq!(shortest, girth, "{spec}");
    }
}

#[test]
fn wrong_specifications_say_what_is_wrong() {
    let refused = |spec: &str| topology(spec).err().unwrap_or_else(|| panic!("{spec} was accepted"));
    assert!(matches!(refused("tours:4x4"), SpecError::UnknownFamily { nearest: "torus", .. }));
    assert!(matches!(refused(""), SpecError::UnknownFamily { .. }));
    for spec in [
        "torus",
        "torus:",
        "torus:4x",
        "torus:axb",
        "dgx2",
        "dgx-h100:two",
        "tpu-v4:4x4",
        "kautz:1",
        "ring:-3",
        "petersen:5",
        "clos:2,3",
        "fat:2",
        "circulant:8",
        "gft:2,2",
        "gft:2,2,2,2",
        "xgft:2,2",
        "pgft:2;2",
        "omega:8,2,2",
        "swapped-dragonfly:3",
        "dragonfly:3,4,5,1,2",
        "swapped-hypercube:3,",
    ] {
        assert!(matches!(refused(spec), SpecError::Form { .. }), "{spec}: {}", refused(spec));
    }
    for spec in [
        "torus:0x4",
        "ring:2",
        "ndv2:0",
        "mi300x:1025",
        "tpu-v4:4x4x6",
        "tpu-v4:64x64x4",
        "spidergon:7",
        "omega:12",
        "full-tree:8",
        "kautz:1,2",
        "random-regular:5,3",
        "amp:4",
        "hypercube:99999999999",
        "circulant:8;2,4",
        "multiring:3,6",
        "kring:8;1,1",
        "fat:2,omega:8",
        "fat:2,fat:2,ring:4",
        "gft:2,0,2",
        "gft:3,1,1",
        "xgft:2,2;1",
        "pgft:2,2;1,2;1",
        "omega:27",
        "omega:8,3",
        "benes:8,1",
        "swapped-dragonfly:0,3",
        "swapped-dragonfly:3,1",
        "dragonfly:2,4,10",
        "dragonfly:0,4",
        "dragonfly:3,4,5,4",
        "dragonfly:3,4,5,0",
        "swapped-hypercube:2,0",
        "opened:ring:4",
        "opened:opened:gft:2,2,2",
    ] {
        assert!(matches!(refused(spec), SpecError::Range { .. }), "{spec}: {}", refused(spec));
    }
    for spec in [
        "torus:70000x70000",
        "mesh:4000000000",
        "debruijn:60,60",
        "generalized-hypercube:4000,10",
        "swapped-dragonfly:65,64",
        "dragonfly:4096,4096",
        "swapped-hypercube:24,12",
        "gft:24,60000,60000",
        "xgft:60000,60000;60000,60000",
    ] {
        assert!(matches!(refused(spec), SpecError::TooLarge { .. }), "{spec}: {}", refused(spec));
    }
}

#[test]
fn large_networks_that_fit_are_made() {
    for (spec, channels) in [("kautz:2,16", 196_608), ("debruijn:2,15", 65_534), ("hypercube:12", 49_152)] {
        assert_eq!(parse(spec).unwrap().channel_count(), channels, "{spec}");
    }
    assert_eq!(topology("kautz:2,20").unwrap().closed_forms().channels, 3_145_728);
}

proptest! {
    /// Whatever a specification says, a network that is made from it agrees with its closed forms.
    #[test]
    fn any_parameters_make_what_they_promise(head in 0..FAMILIES.len(), numbers in proptest::collection::vec(1u32..20, 1..4), marks in "[,x;]{3}") {
        let marks: Vec<char> = marks.chars().collect();
        let tail: Vec<String> = numbers.iter().zip(&marks).map(|(n, mark)| format!("{n}{mark}")).collect();
        let tail = tail.concat();
        let text = format!("{}:{}", FAMILIES[head].name, &tail[..tail.len() - 1]);
        if let Ok(made) = topology(&text) {
            let forms = made.closed_forms();
            if forms.channels < 5000 {
                let network = made.network();
                prop_assert_eq!(network.node_count() as u64, forms.nodes, "{}", &text);
                prop_assert_eq!(network.terminals().len() as u64, forms.terminals, "{}", &text);
                prop_assert_eq!(network.channel_count() as u64, forms.channels, "{}", &text);
                prop_assert_eq!(network.name(), made.spec());
                let found = measure(&network);
                prop_assert_eq!(forms.degree.unwrap_or(found.degree), found.degree, "{}", &text);
                prop_assert_eq!(forms.diameter.or(found.diameter), found.diameter, "{}", &text);
                if let (Some(sum), Some(mean)) = (forms.distances, found.average_distance) {
                    let pairs = forms.terminals * (forms.terminals - 1);
                    prop_assert!((mean - sum as f64 / pairs as f64).abs() < 1e-9, "{}: {} of {}", &text, mean, sum);
                }
            }
        }
    }

    #[test]
    fn no_text_makes_a_panic(head in 0..FAMILIES.len(), tail in "[0-9x,;:±+a-z-]{0,12}", any in "\\PC{0,20}") {
        let _ = topology(&any);
        let _ = topology(&format!("{}:{tail}", FAMILIES[head].name));
    }

    #[test]
    fn tori_and_meshes_of_any_sizes(sizes in proptest::collection::vec(1u32..6, 1..4)) {
        for family in ["mesh", "torus"] {
            let text = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            let made = topology(&format!("{family}:{text}")).unwrap();
            let (network, forms) = (made.network(), made.closed_forms());
            let found = measure(&network);
            prop_assert_eq!(network.channel_count() as u64, forms.channels);
            prop_assert_eq!(found.diameter, forms.diameter);
            prop_assert_eq!(Some(found.degree), forms.degree);
        }
    }

    #[test]
    fn random_regular_networks_are_regular(nodes in 5u32..30, degree in 2u32..5) {
        prop_assume!(nodes * degree % 2 == 0);
        let network = parse(&format!("random-regular:{nodes},{degree}")).unwrap();
        let found = measure(&network);
        prop_assert_eq!(found.degree, (u64::from(degree), u64::from(degree)));
        prop_assert!(found.diameter.is_some());
    }
}

#[test]
fn groups_of_automorphisms_are_groups_of_automorphisms() {
    let mut groups = 0;
    for spec in examples() {
        let member = topology(spec).unwrap();
        let Some(0) = member.product(0, 0) else { continue };
        groups += 1;
        let network = member.network();
        let n = network.data().nodes.min(130);
        let product = |one, other| member.product(one, other).unwrap();
        let count = |a: u32, b: u32| {
            let ends = network.outgoing(Node(a)).iter().filter(|c| network.to(**c) == Node(b));
            ends.map(|c| network.capacity(*c)).sum::<u32>()
        };
        for one in 0..n {
            assert_eq!((product(one, 0), product(0, one)), (one, one), "{spec}");
            for c in network.channels() {
                let (from, to) = (network.from(c).0, network.to(c).0);
                assert_eq!(count(product(one, from), product(one, to)), count(from, to), "{spec}");
            }
            for (two, three) in (0..n).map(|k| (k, (7 * k + 1) % n)) {
                assert_eq!(product(product(one, two), three), product(one, product(two, three)), "{spec}");
            }
        }
        if let Some(sizes) = member.translations() {
            assert_eq!(sizes.iter().product::<u32>(), network.data().nodes, "{spec}");
        }
    }
    assert!(groups > 30, "{groups}");
}
