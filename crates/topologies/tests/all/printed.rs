//! Families against the dissertation's printed schedules: the numbering of nodes is the one that the prints use.

use kernel::Node;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use topologies::parse;

fn read(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/thesis").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect("a fixture")).expect("fixtures are JSON")
}

fn ends_of(network: &Value) -> BTreeSet<(u64, u64)> {
    let pairs = network["channels"].as_array().expect("a list of channels");
    let end = |v: &Value| v.as_u64().expect("a node");
    pairs.iter().map(|c| (end(&c[0]), end(&c[1]))).collect()
}

fn ends(spec: &str) -> BTreeSet<(u64, u64)> {
    let network = parse(spec).expect("a family's network");
    network.channels().map(|c| (u64::from(network.from(c).0), u64::from(network.to(c).0))).collect()
}

#[test]
fn lettered_networks_are_members_of_their_families() {
    let networks = [
        ("network-kautz-12.json", "kautz:3,2"),
        ("network-fat-tree-8.json", "fat-tree:8"),
        ("network-2-fat-hypercube-4.json", "fat:2,hypercube:2"),
    ];
    for (file, spec) in networks {
        assert_eq!(ends_of(&read(file)), ends(spec), "{spec}");
    }
    // Switches carry the letters of the prints.
    for (file, spec) in &networks[1..] {
        let network = parse(spec).unwrap();
        let printed = read(file);
        let letters: Vec<_> = network.nodes().map(|v| Value::from(network.label(v))).collect();
        assert_eq!(printed["labels"].as_array(), Some(&letters), "{spec}");
        let terminals: Vec<_> = network.terminals().iter().map(|t| Value::from(t.0)).collect();
        assert_eq!(printed["terminals"].as_array(), Some(&terminals), "{spec}");
        assert!(network.terminals().iter().all(|t| !network.is_transit(*t)), "{spec}");
    }
}

#[test]
fn printed_schedules_run_on_the_families_they_name() {
    let mut met = BTreeSet::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/thesis");
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if !file.starts_with("table") || !file.ends_with(".json") {
            continue;
        }
        let network = &read(&file)["network"];
        if let Ok(family) = parse(network["name"].as_str().unwrap()) {
            assert_eq!(ends_of(network), ends(family.name()), "{file}");
            met.insert(family.name().to_string());
        }
    }
    assert_eq!(Vec::from_iter(met), ["hypercube:3", "mesh:4x4", "ring-uni:8", "ring:8", "spidergon:8"]);
}

/// Channels of a network of words drop the first letter and append one.
#[test]
fn words_shift_along_the_channels() {
    for spec in ["kautz:3,2", "kautz:2,4", "kautz:3,3", "kautz:4,1", "debruijn:2,4", "debruijn:3,3"] {
        let network = parse(spec).unwrap();
        let words: BTreeSet<_> = network.nodes().map(|v| network.label(v)).collect();
        assert_eq!(words.len(), network.node_count(), "{spec}");
        for c in network.channels() {
            let (from, to) = (network.label(network.from(c)), network.label(network.to(c)));
            assert_eq!(from[1..], to[..to.len() - 1], "{spec}");
            assert!(spec.starts_with("debruijn") || to.as_bytes().windows(2).all(|w| w[0] != w[1]), "{spec}: {to}");
        }
    }
}

/// Sizes of the dissertation's networks (chapter 8), and what its Tables 8.9 to 8.17 need.
#[test]
fn networks_of_the_dissertation() {
    let sizes = [
        ("kautz:3,2", 12, 36),
        ("kautz:3,3", 36, 108),
        ("levi", 30, 90),
        ("heawood", 14, 42),
        ("petersen", 10, 30),
        ("kring:8;1,3", 8, 32),
        ("midimew:8", 8, 32),
        ("amp:8", 8, 32),
        ("amp:32", 32, 128),
        ("utility", 6, 18),
        ("spidergon-cascade:8,2", 15, 48),
        ("multispidergon:8x8", 64, 384),
        ("spidergon:4", 4, 12),
        ("spidergon:6", 6, 18),
    ];
    for (spec, nodes, channels) in sizes {
        let network = parse(spec).unwrap();
        assert_eq!((network.node_count(), network.channel_count()), (nodes, channels), "{spec}");
    }
}

/// Stages of 2×2 switches have one path a pair; the labelling decides which permutations pass in one step.
#[test]
fn aligned_butterflies_pass_every_exchange() {
    for spec in ["butterfly:8", "butterfly:16"] {
        let network = parse(spec).unwrap();
        let n = u32::try_from(network.terminals().len()).unwrap();
        for x in 0..n {
            let mut used = BTreeSet::new();
            for t in 0..n {
                for hop in path(&network, Node(t), Node(t ^ x)) {
                    assert!(used.insert(hop), "{spec}: i to i ⊕ {x} meets itself");
                }
            }
        }
    }
}

/// The only path between two terminals of a multistage network, as channels.
fn path(network: &kernel::Network, from: Node, to: Node) -> Vec<kernel::Channel> {
    fn onward(network: &kernel::Network, at: Node, to: Node, path: &mut Vec<kernel::Channel>) -> usize {
        let mut found = 0;
        for &c in network.outgoing(at) {
            let next = network.to(c);
            let mut rest = Vec::new();
            let ways = if next == to { 1 } else { 0 };
            let ways = if network.is_transit(next) { onward(network, next, to, &mut rest) } else { ways };
            if ways > 0 {
                path.clear();
                path.push(c);
                path.append(&mut rest);
            }
            found += ways;
        }
        found
    }
    let mut path = Vec::new();
    assert_eq!(onward(network, from, to, &mut path), 1);
    path
}
