//! A graph in memory is the network of the file that says the same.

use formats::network::graph::{Attribute, Graph, GraphEdge, GraphNode, network};
use formats::network::parse;
use std::path::Path;

fn attributes(known: &[(&str, &str)]) -> Vec<Attribute> {
    known.iter().map(|(name, value)| Attribute { name: (*name).into(), value: (*value).into() }).collect()
}

fn node(name: &str, known: &[(&str, &str)]) -> GraphNode {
    GraphNode { name: name.into(), attributes: attributes(known) }
}

fn edge(from: usize, to: usize, known: &[(&str, &str)]) -> GraphEdge {
    GraphEdge { from, to, attributes: attributes(known) }
}

fn hub(directed: bool) -> Graph {
    let carries = [("bandwidth", "25GB/s"), ("latency", "0.7us"), ("weight", "3")];
    Graph {
        name: "hub".into(),
        directed,
        nodes: vec![node("a", &[("role", "host")]), node("x", &[("role", "switch")]), node("b", &[])],
        edges: vec![edge(0, 1, &carries), edge(2, 1, &carries[..2]), edge(1, 0, &carries[..2])],
    }
}

#[test]
fn a_graph_is_what_its_file_is() {
    let text = |directed| {
        format!(
            r#"<graphml><key id="r" for="node" attr.name="role"/><key id="w" for="edge" attr.name="weight"/>
            <key id="b" for="edge" attr.name="bandwidth"><default>25GB/s</default></key>
            <key id="l" for="edge" attr.name="latency"><default>0.7us</default></key>
            <graph id="hub" edgedefault="{directed}"><node id="a"><data key="r">host</data></node>
            <node id="x"><data key="r">switch</data></node><node id="b"/>
            <edge source="a" target="x"><data key="w">3</data></edge><edge source="b" target="x"/>
            <edge source="x" target="a"/></graph></graphml>"#
        )
    };
    for (directed, word) in [(true, "directed"), (false, "undirected")] {
        let file = parse(text(word).as_bytes(), Path::new("hub.graphml")).unwrap();
        assert_eq!(network(&hub(directed)).unwrap(), file);
        assert_eq!(file.ignored, ["weight"]);
    }
}

#[test]
fn nodes_named_by_numbers_keep_them() {
    let links = Graph {
        nodes: ["2", "0", "1"].map(|name| node(name, &[])).into(),
        edges: vec![edge(0, 1, &[])],
        ..Graph::default()
    };
    let read = network(&links).unwrap().network;
    assert_eq!((read.data().channels.clone(), read.data().labels.clone()), (vec![(2, 0), (0, 2)], None));
}

#[test]
fn faults_name_the_node_or_the_link() {
    let changed = |change: fn(&mut Graph)| {
        let mut graph = hub(true);
        change(&mut graph);
        network(&graph).unwrap_err().to_string()
    };
    for (change, says) in [
        ((|graph| graph.nodes.push(node("a", &[]))) as fn(&mut Graph), "hub: node a: two nodes have this name"),
        (|graph| graph.edges.push(edge(0, 9, &[])), "hub: edge 3: it ends at a node that is not there"),
        (|graph| graph.edges.push(edge(0, 2, &[])), "hub: link a b: has no `bandwidth`, as link a x has; all need one"),
        (|graph| graph.edges.push(edge(1, 1, &[("bandwidth", "1"), ("latency", "0")])), "hub: node x: "),
        (
            |graph| graph.nodes[2].attributes = attributes(&[("role", "router")]),
            "hub: node b: `role` is not one of terminal, host, switch; give an attribute of another meaning another name, such as kind (found `router`)",
        ),
        (
            |graph| graph.edges[0].attributes = attributes(&[("capacity", "0")]),
            "hub: link a x: the capacity is no number above 0, such as 2, 0.5 or 3/2 (found `0`)",
        ),
    ] {
        let said = changed(change);
        assert!(said.starts_with(says), "{said}");
    }
}
