//! BookSim's network files: what is written is read back, and what has no place there is refused.

use formats::network::{parse, write_to};
use kernel::{Network, NetworkData};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

fn written(network: &Network) -> std::io::Result<String> {
    let mut text = Vec::new();
    write_to(network, None, "anynet", &mut text).map(|()| String::from_utf8(text).unwrap())
}

fn read(text: &str) -> Result<Network, String> {
    parse(text.as_bytes(), Path::new("x.anynet")).map(|file| file.network).map_err(|error| error.to_string())
}

/// Channels both ways, and terminals.
fn shape(network: &Network) -> (usize, BTreeSet<(u32, u32)>, Vec<u32>) {
    let channels = network.data().channels.iter().copied().collect();
    (network.node_count(), channels, network.terminals().iter().map(|node| node.0).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn networks_of_links_come_back(nodes in 1u32..7, links in prop::collection::btree_set((0u32..7, 0u32..7), 0..12), roles in 1u32..128, hosts in 0u32..4) {
        let links = links.into_iter().filter(|(a, b)| a < b && *b < nodes);
        let mut channels: Vec<(u32, u32)> = links.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        let mut terminals: Vec<u32> = (0..nodes).filter(|node| roles >> node & 1 == 1).collect();
        let mut all = nodes;
        if hosts > 1 {
            // Every router becomes a switch with terminals.
            all = nodes * (hosts + 1);
            channels.extend((nodes..all).flat_map(|host| [(host, host % nodes), (host % nodes, host)]));
            terminals = (nodes..all).collect();
        }
        prop_assume!(!terminals.is_empty());
        let data = NetworkData { nodes: all, channels, terminals: Some(terminals), ..NetworkData::default() };
        let network = Network::new(data).unwrap();
        let written = written(&network);
        // Terminals that happen to hang on one switch are numbered behind the routers, or refused beside others.
        let hang = written.as_ref().map_or(true, |text| text.lines().any(|line| line.matches("node").count() > 1));
        prop_assume!(hosts > 1 || !hang);
        let text = written.unwrap();
        prop_assert_eq!(shape(&read(&text).unwrap()), shape(&network), "{}", text);
    }

    #[test]
    fn any_text_is_refused_or_read(words in prop::collection::vec(prop::sample::select(vec!["router", "node", "0", "1", "2", "-1", "x", "\n"]), 0..24)) {
        drop(read(&words.join(" ")));
    }
}

#[test]
fn the_example_of_booksim_is_read() {
    let text = "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\nrouter 2 node 6 node 7 node 8 router 1 router 0 15\n";
    let network = read(text).unwrap();
    assert_eq!((network.node_count(), network.terminals().len(), network.channel_count()), (12, 9, 24));
    let file = parse(text.as_bytes(), Path::new("x.anynet")).unwrap();
    assert_eq!(file.ignored, ["weight of a link"]);
}

#[test]
fn what_has_no_place_is_refused() {
    let data = |channels: Vec<(u32, u32)>| NetworkData { nodes: 3, channels, ..NetworkData::default() };
    let both = vec![(0, 1), (1, 0), (1, 2), (2, 1)];
    let cases = [
        (data(vec![(0, 1), (1, 0), (1, 2)]), "a channel without one back from 1 to 2"),
        (data([both.clone(), both.clone()].concat()), "parallel channels"),
        (NetworkData { no_transit: vec![1], ..data(both) }, "node 1 lets nothing pass"),
    ];
    for (data, why) in cases {
        let error = written(&Network::new(data).unwrap()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    for (text, why) in [
        ("node 0 node 1", "a node is linked to a node"),
        ("router 0 node 0\nrouter 1 node 0", "hangs on router 0 already"),
        ("switch 0", "not one of `router` and `node`"),
        ("router 0 router", "is not a number"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(why) && error.contains("x.anynet:"), "{error}");
    }
}
