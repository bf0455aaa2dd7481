//! Networks as other programs write them, where they are not quite what the format's page says.

use crate::inputs::with_input;
use crate::{Folder, quadrille};

#[test]
fn a_zoo_in_graphml_has_its_name() {
    let folder = Folder::new();
    let zoo = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key attr.name="Network" attr.type="string" for="graph" id="d5" />
  <key attr.name="label" attr.type="string" for="node" id="d33" />
  <graph edgedefault="undirected">
    <data key="d5">Abilene</data>
    <node id="0"><data key="d33">New York</data></node>
    <node id="1"><data key="d33">Chicago</data></node>
    <edge source="0" target="1"/>
  </graph>
</graphml>"#;
    let file = folder.write("zoo.graphml", zoo);
    let text = quadrille(&format!("network {file}")).good();
    assert!(text.starts_with("Abilene\n") && text.contains("New York, Chicago"), "{text}");
    let bound = format!("bound {file} broadcast --root Chicago");
    assert!(quadrille(&bound).good().contains(" on Abilene: lower bound 1 step, certified"));
}

/// Grids of NetworkX have tuples for nodes.
#[test]
fn tuples_are_names() {
    let folder = Folder::new();
    let links = folder.write("grid.edgelist", "(0, 0) (1, 0) {}\n(0, 0) (0, 1) {'capacity': 2}\n");
    let neighbours = folder.write("grid.adjlist", "#made by hand\n(0, 0) (1, 0) (0, 1)\n(1, 0)\n(0, 1)\n");
    for file in [links, neighbours] {
        let answer = quadrille(&format!("network {file} --json")).json(0);
        assert_eq!((&answer["nodes"], &answer["channels"]), (&3.into(), &4.into()), "{file}");
        assert!(quadrille(&format!("network {file}")).good().contains("(0, 0), (1, 0), (0, 1)"), "{file}");
    }
}

#[test]
fn commas_separate_where_nothing_else_does() {
    let folder = Folder::new();
    // Names of columns are the first line but for comments.
    for text in ["Source,Target\n# a comment\na,b\nb,c\n", "# a comment\n\nfrom,to\na,b\nb,c\n"] {
        let rows = folder.write("a.edges", text);
        let answer = quadrille(&format!("network {rows} --json")).json(0);
        assert_eq!((&answer["nodes"], &answer["channels"]), (&3.into(), &4.into()), "{text}");
    }
    let wide = with_input("network - -o -.edges", b"a,b,2\nb,c\n").out;
    assert!(wide.contains("\n0 1 2\n1 2 1\n"), "{wide}");
    // A comma in one name is a part of it.
    let named = folder.write("b.edges", "0,0 0,1\n0,1 dram\n");
    assert!(quadrille(&format!("network {named}")).good().contains("names                0,0, 0,1, dram"));
    let wrong = folder.write("c.edges", "a,b\nb,c,much\n");
    quadrille(&format!("network {wrong}")).fails(2, "c.edges:2:5: link b c: the capacity is no number", "correct");
}

#[test]
fn json_of_another_kind_is_told_from_one_that_is_broken() {
    let folder = Folder::new();
    let other = folder.write("adjacency.json", r#"{"nodes": [{"id": 0}], "adjacency": [[{"id": 1}]]}"#);
    quadrille(&format!("network {other}")).fails(2, "nor node-link data, as NetworkX' node_link_data gives it", "");
    let cut = folder.write("cut.json", r#"{"nodes": [{"id": 0}], "links": [{"source": 0, "tar"#);
    quadrille(&format!("network {cut}")).fails(2, "EOF while parsing", "");
    let ours = folder.write("ours.json", r#"{"nodes": 2, "channels": [[0, 2]]}"#);
    quadrille(&format!("network {ours}")).fails(2, "channels[0]", "");
}
