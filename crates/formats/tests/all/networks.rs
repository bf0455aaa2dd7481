//! Laws of network files: what a format carries reads back the same, and a damaged text is refused where it is damaged.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use formats::network::{NetworkFile, READERS, WRITERS, parse, read, write, write_to};
use formats::{Fault, ReadError};
use kernel::{Network, NetworkData, Node, Ports};
use proptest::prelude::*;
use std::path::Path;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() }
}

fn written(network: &Network, format: &str) -> Vec<u8> {
    let mut text = Vec::new();
    write_to(network, None, format, &mut text).unwrap();
    text
}

fn read_as(text: &str, format: &str) -> Result<NetworkFile, ReadError> {
    parse(text.as_bytes(), Path::new(&format!("title.{format}")))
}

fn parts(text: &str, format: &str) -> NetworkData {
    read_as(text, format).unwrap_or_else(|e| panic!("{e}")).network.data().clone()
}

/// What a format keeps of a network.
fn kept(network: &Network, format: &str) -> NetworkData {
    let mut parts = network.data().clone();
    if parts.name.is_empty() {
        parts.name = "title".into();
    }
    if format == "json" {
        return parts;
    }
    parts.half_duplex = Vec::new();
    if parts.channels.is_empty() {
        parts.capacities = None;
    }
    if matches!(format, "graphml" | "dot") {
        // The same number for all nodes, whichever way it was said.
        let plain = |ports: Ports| match ports {
            Ports::List(list) if list.iter().all(|ports| *ports == list[0]) => list[0].map_or(Ports::All, Ports::Each),
            ports => ports,
        };
        (parts.send_ports, parts.receive_ports) = (plain(parts.send_ports), plain(parts.receive_ports));
        return parts;
    }
    (parts.send_ports, parts.receive_ports, parts.positions) = (Ports::All, Ports::All, None);
    parts.name = "title".into();
    parts.labels = None;
    parts.no_transit = Vec::new();
    // A list of all nodes says nothing.
    parts.terminals = parts.terminals.filter(|t| t.len() < parts.nodes as usize);
    if format == "edges" {
        return parts;
    }
    parts.capacities = None;
    parts.channels.sort_by_key(|c| c.0);
    parts
}

/// A random network with switches and nodes without transit.
fn with_roles() -> impl Strategy<Value = Network> {
    (testing::facts::network(), any::<u16>(), any::<u16>(), any::<bool>()).prop_map(|(network, roles, stops, twice)| {
        let mut parts = network.data().clone();
        let chosen = |bits: u16| (0..parts.nodes).filter(|v| bits >> v & 1 == 1).collect::<Vec<_>>();
        if roles % 3 > 0 && !chosen(roles).is_empty() {
            parts.terminals = Some(chosen(roles));
        }
        parts.no_transit = chosen(stops);
        if twice {
            // Every channel followed by its answer.
            parts.channels = parts.channels.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
            parts.capacities = parts.capacities.map(|c| c.iter().flat_map(|&k| [k, k]).collect());
        }
        Network::new(parts).unwrap()
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_format_reads_back_what_it_carries(network in with_roles()) {
        // Networks that BookSim has no place for are refused: the law below is of the others.
        for writer in WRITERS.iter().filter(|w| w.name != "anynet" && READERS.iter().any(|r| r.name == w.name)) {
            let text = written(&network, writer.name);
            let path = format!("title.{}", writer.endings[0]);
            let back = parse(&text, Path::new(&path)).map_err(|e| TestCaseError::fail(format!("{e}\n{}", String::from_utf8_lossy(&text))))?;
            prop_assert_eq!(back.network.data(), &kept(&network, writer.name), "{}", String::from_utf8_lossy(&text));
            prop_assert_eq!((back.senders, back.receivers), (None, None));
        }
    }

    #[test]
    fn any_text_is_refused_or_read(text in "[a-c0-3 \n\t\"\\\\{}\\[\\];=:,<>/#&-]{0,60}", head in any::<bool>()) {
        for reader in READERS {
            let text = if head && reader.name == "dot" { format!("digraph {{ {text} }}") } else { text.clone() };
            drop(read_as(&text, reader.endings[0]));
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        for reader in READERS {
            drop(parse(&bytes, Path::new(&format!("x.{}", reader.endings[0]))));
        }
    }

    #[test]
    fn a_damaged_text_is_refused_or_read(
        network in with_roles(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"019-.>e\"[]{}/,:nx \n\xff".to_vec())), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        for reader in READERS.iter().filter(|r| r.name != "anynet" && WRITERS.iter().any(|w| w.name == r.name)) {
            let mut text = written(&network, reader.name);
            for (at, byte) in &damage {
                let at = at.index(text.len());
                text[at] = *byte;
            }
            if let Some(cut) = cut {
                text.truncate(cut.index(text.len()));
            }
            let lines = 1 + text.iter().filter(|&&b| b == b'\n').count();
            if let Err(error) = parse(&text, Path::new(&format!("x.{}", reader.endings[0]))) {
                prop_assert!(error.place.is_none_or(|p| p.line <= lines && p.line > 0), "{error}");
            }
        }
    }
}

/// Figure 6.1 of the dissertation.
const FIGURE: &str = "# number of nodes and
# maximal number of links per node
16 4
# node index, operation mode, neighbors
0 T 1 4\n1 T 2 5 0\n2 T 3 6 1\n3 N 7 2\n4 B 5 8 0\n5 B 6 9 4 1\n6 B 7 10 5 2\n7 R 11 6 3
8 B 9 12 4\n9 B 10 13 8 5\n10 B 11 14 9 6\n11 R 15 10 7\n12 T 13 8\n13 T 14 12 9\n14 T 15 13 10\n15 N 14 11\n";

#[test]
fn the_dissertations_figure() {
    let file = read_as(FIGURE, "txt").unwrap();
    let network = &file.network;
    assert_eq!((network.node_count(), network.channel_count()), (16, 48));
    // "Six of them are operating only as transmitters, two only as receivers, six execute both", two are switches.
    let (senders, receivers) = (file.senders.unwrap(), file.receivers.unwrap());
    assert_eq!((senders.len(), receivers.len()), (12, 8));
    assert_eq!(senders.iter().filter(|v| receivers.contains(v)).count(), 6);
    let switches: Vec<_> = network.nodes().filter(|v| !network.is_terminal(*v)).collect();
    assert_eq!(switches, [Node(3), Node(15)]);
    for channel in network.channels() {
        let (a, b) = (network.from(channel).0, network.to(channel).0);
        assert!(a.abs_diff(b) == 4 || (a.abs_diff(b) == 1 && a / 4 == b / 4), "{a} {b} are not neighbours of a mesh");
    }
}

#[test]
fn lists_that_do_not_answer_each_other_are_directed() {
    let ring = parts("3 1\n2 B 0\n0 B 1\n1 B 2 # last\n", "txt");
    assert_eq!((ring.channels, ring.terminals), (vec![(0, 1), (1, 2), (2, 0)], None));
}

#[test]
fn dot_as_people_and_programs_write_it() {
    let text = r#"
        /* a comment
           of two lines */
        digraph "two words" {
            rankdir=LR; graph [bgcolor=white]  // drawing
            node [label="\N", shape=circle];
            subgraph cluster_0 { node [role=switch]; s1; s2 }
            a -> s1 -> "b \"c\"" [capacity="2.0", color=red][weight=9]
            s2:port:n -> {a x} ;
            x [label=ex transit=false]
        }"#;
    let found = parts(text, "dot");
    assert_eq!(found.name, "two words");
    assert_eq!(found.labels.unwrap(), ["s1", "s2", "a", "b \"c\"", "ex"]);
    assert_eq!(found.terminals.unwrap(), [2, 3, 4]);
    assert_eq!(found.no_transit, [4]);
    assert_eq!(found.channels, [(2, 0), (0, 3), (1, 2), (1, 4)]);
    assert_eq!(found.capacities.unwrap(), [2, 2, 1, 1]);
}

#[test]
fn dot_of_undirected_graphs() {
    // What NetworkX writes through pydot, and what `strict` means.
    let found = parts("strict graph  {\n2;\n0;\n1;\n0 -- 1  [key=0];\n1 -- 0;\n1 -- 2;\n}\n", "dot");
    assert_eq!((found.nodes, found.labels), (3, None));
    assert_eq!(found.channels, [(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(parts("graph{0--1--0}", "dot").channels.len(), 4);
}

#[test]
fn graphml_as_networkx_writes_it() {
    let text = r#"<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d1" for="edge" attr.name="capacity" attr.type="long"><default>3</default></key>
  <key id="d0" for="node" attr.name="role" attr.type="string"/>
  <graph edgedefault="undirected">
    <node id="host &amp; one"><data key="d0">terminal</data></node>
    <node id="b"><data key="d0">switch</data></node>
    <node id="c"/>
    <edge source="host &amp; one" target="b"/>
    <edge source="b" target="c" directed="true"><data key="d1">5</data></edge>
  </graph>
</graphml>"#;
    let found = parts(text, "graphml");
    assert_eq!(found.labels.unwrap(), ["host & one", "b", "c"]);
    assert_eq!(found.terminals.unwrap(), [0, 2]);
    assert_eq!(found.channels, [(0, 1), (1, 0), (1, 2)]);
    assert_eq!(found.capacities.unwrap(), [3, 3, 5]);
}

#[test]
fn edges_as_people_and_programs_write_them() {
    let found = parts(
        "# a star\nhub a\nhub > b 2\nc -> hub\nd - hub {'capacity': 4}\nhub e {}\nalone\n# switches: hub\n",
        "edges",
    );
    assert_eq!(found.labels.unwrap(), ["hub", "a", "b", "c", "d", "e", "alone"]);
    assert_eq!(found.channels, [(0, 1), (1, 0), (0, 2), (3, 0), (4, 0), (0, 4), (0, 5), (5, 0)]);
    assert_eq!(found.capacities.unwrap(), [1, 1, 2, 1, 4, 4, 1, 1]);
    assert_eq!(found.terminals.unwrap(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(parts("# directed\n1 0\n2 1\n", "edges").channels, [(1, 0), (2, 1)]);
}

#[test]
fn the_network_of_a_document_is_a_network() {
    let document = r#"{"format": "quadrille-schedule/1", "steps": 7, "network": {"nodes": 2, "channels": [[0, 1]]}}"#;
    assert_eq!(parts(document, "json").channels, [(0, 1)]);
    assert_eq!(parts(r#"{"nodes": 2, "channels": [[0, 1]]}"#, "json").name, "title");
    let error = read_as(r#"{"network": {"nodes": 2, "channels": [[0, 1], [1, 2]]}}"#, "json").unwrap_err();
    assert_eq!(error.field.as_deref(), Some("network.channels[1]"));
}

/// Text, line, column, and what the message must say.
#[test]
fn errors_name_line_field_and_text() {
    for (format, text, line, column, says) in [
        ("txt", "2 1\n0 B 1\n1 B x\n", 3, 5, "node 1: a neighbour is not a number (found `x`)"),
        ("txt", "2 1\n0 B 1\n1 B 0 0\n", 3, 7, "node 1: has 2 neighbours, the first line allows 1"),
        ("txt", "2 1\n0 B 1\n0 B 1\n", 3, 1, "node 0: described a second time, after line 2"),
        ("txt", "2 1\n0 B 1\n1 Q 0\n", 3, 3, "node 1: the mode is not one of T, R, B, N (found `Q`)"),
        ("txt", "2 1\n0 B 1\n1\n", 3, 1, "node 1: has no mode"),
        ("txt", "2 1\n0 B 2\n", 2, 5, "neighbours are numbered from 0 to below 2 (found `2`)"),
        ("txt", "2 1\n0 B 0\n", 2, 5, "its own neighbour"),
        ("txt", "2 1\n7 B 0\n", 2, 1, "nodes are numbered from 0 to below 2 (found `7`)"),
        ("txt", "2 1\n-1 B 0\n", 2, 1, "the node's number is not a number (found `-1`)"),
        ("txt", "# none\n2\n", 2, 1, "two numbers"),
        ("txt", "4000000000 2\n", 1, 1, "4000000000 nodes are more than"),
        (
            "edges",
            "0 1\n1 2 0\n",
            2,
            5,
            "link 1 2: the capacity is no number above 0, such as 2, 0.5 or 3/2 (found `0`)",
        ),
        ("edges", "0 1\n1 2 1 1\n", 2, 7, "nothing more"),
        ("edges", "0 1\n  2 ->\n", 2, 3, "a link with one end"),
        ("edges", "0 1\na a\n", 2, 1, "node a: channel 2 leads from node 2 to itself"),
        ("edges", "0 1\n# switches: 0 7\n", 2, 15, "no link names this node (found `7`)"),
        ("dot", "digraph {\n a -> b\n a -- b }", 3, 4, "a `digraph` has edges `->` (found `--`)"),
        ("dot", "graph {\n a -> b }", 2, 4, "a `graph` has edges `--`"),
        ("dot", "digraph {\n a -> \n", 3, 1, "expected a node, an edge or an attribute (found `end of file`)"),
        ("dot", "digraph {\n \"a", 2, 2, "a quoted text without end"),
        ("dot", "digraph {\n a -> 3b }", 2, 7, "needs quotes (found `3b`)"),
        ("dot", "digraph {\n a -> b [capacity=two] }", 2, 19, "(found `two`)"),
        ("dot", "digraph {\n a [role=king] }", 2, 10, "node a: `role` is not one of"),
        ("dot", "digraph { a -> node }", 1, 16, "needs quotes"),
        ("dot", "netwrok {}", 1, 1, "expected `graph` or `digraph` (found `netwrok`)"),
        ("dot", "graph {\n a -- é\n é -- é}", 3, 8, "itself"),
        ("graphml", "<graphml>\n<graph edgedefault=\"both\"/></graphml>", 2, 1, "(found `both`)"),
        ("graphml", "<graphml><graph edgedefault=\"directed\">\n<node/></graph></graphml>", 2, 1, "`id`"),
        (
            "graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/>\n <edge source=\"a\" target=\"b\"/></graph></graphml>",
            2,
            2,
            "no element declares (found `b`)",
        ),
        ("graphml", "<graphml>\n<graph edgedefault=\"directed\"></graphml>", 2, 31, "graph"),
        ("graphml", "<html/>", 1, 1, "no element `graph`"),
    ] {
        let error = read_as(text, format).expect_err(text);
        let message = error.to_string();
        assert!(message.contains(says), "{message} does not say {says}");
        let place = error.place.expect(&message);
        assert_eq!((place.line, place.column), (line, column), "{message}");
    }
    let error = read_as("3 1\n0 B 1\n1 B 0\n", "txt").unwrap_err();
    assert_eq!(error.to_string(), "title.txt: node 2: no line describes this node");
    for reader in READERS {
        assert!(read_as("", reader.endings[0]).is_err(), "{}", reader.name);
    }
}

#[test]
fn short_texts_do_not_ask_for_much() {
    let deep = format!("graph {}", "{".repeat(1_000_000));
    assert!(read_as(&deep, "dot").unwrap_err().to_string().contains("nested too deep"));
    let group: String = (0..20_000).map(|v| format!("a{v} ")).collect();
    let other = group.replace('a', "b");
    let error = read_as(&format!("digraph {{ {{{group}}} -> {{{other}}} }}"), "dot").unwrap_err();
    assert!(error.to_string().contains("too many edges"));
    assert!(read_as(&"<a>".repeat(100_000), "graphml").is_err());
}

#[test]
fn files_are_chosen_by_their_ending() {
    let folder = tempfile::tempdir().unwrap();
    let network = read_as("0 1\n1 2\n", "edges").unwrap().network;
    for name in ["a.json", "a.GraphML", "a.gv.gz", "a.edges", "a.txt.gz"] {
        let path = folder.path().join(name);
        write(&network, None, &path).unwrap();
        assert_eq!(read(&path).unwrap().network.node_count(), 3, "{name}");
    }
    let error = read("ring.xyz").unwrap_err();
    assert!(matches!(*error.fault, Fault::Ending { .. }));
    assert!(error.to_string().contains(".graphml"));
    assert!(write(&network, None, "ring.xyz").unwrap_err().to_string().contains(".dot"));
}
