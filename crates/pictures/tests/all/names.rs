//! Laws of the names of nodes: all are there, in their nodes or beside them, and none lies on another.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use kernel::{Network, NetworkData};
use pictures::Layout;
use pictures::layout::Name;
use topologies::FAMILIES;

/// Nodes up to which every name must have room.
const MOST: usize = 64;

/// What is wrong with the names of a network, in words.
fn faults(network: &Network) -> Vec<String> {
    let layout = Layout::new(network);
    let mut faults = Vec::new();
    let (width, height) = layout.size;
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    let overlap = |a: &Name, b: &Name| {
        let ((a, b), (c, d)) = (a.extent(), b.extent());
        a.0 < d.0 && c.0 < b.0 && a.1 < d.1 && c.1 < b.1
    };
    for (at, name) in layout.names.iter().enumerate() {
        let (low, high) = name.extent();
        if low.0 < 0.0 || low.1 < 0.0 || high.0 > width || high.1 > height {
            faults.push(format!("{} is cut at the border", name.text));
        }
        if name.inside && near(low, high) > 2.0 * layout.radius + 1.0 {
            faults.push(format!("{} overruns its node", name.text));
        }
        let others = layout.names[..at].iter().filter(|other| overlap(name, other));
        faults.extend(others.map(|other| format!("{} lies on {}", name.text, other.text)));
        if !name.inside {
            let hidden = layout
                .points
                .iter()
                .any(|p| near(*p, (p.0.clamp(low.0, high.0), p.1.clamp(low.1, high.1))) < layout.radius);
            faults.extend(hidden.then(|| format!("{} lies on a node", name.text)));
        }
    }
    faults
}

#[test]
fn no_name_lies_on_another_in_any_family() {
    let mut wrong = Vec::new();
    for spec in FAMILIES.iter().flat_map(|family| family.examples) {
        let network = topologies::parse(spec).unwrap();
        if network.node_count() <= MOST {
            let found = faults(&network);
            if !found.is_empty() {
                wrong.push(format!(
                    "{spec} ({} nodes): {} faults: {}",
                    network.node_count(),
                    found.len(),
                    found[..found.len().min(4)].join(", ")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A ring whose nodes have these names.
fn ring(names: &[&str]) -> Layout {
    let nodes = names.len() as u32;
    let channels = (0..nodes).flat_map(|v| [(v, (v + 1) % nodes), ((v + 1) % nodes, v)]).collect();
    let labels = Some(names.iter().map(ToString::to_string).collect());
    let network = Network::new(NetworkData { nodes, channels, labels, ..NetworkData::default() }).unwrap();
    assert_eq!(faults(&network), Vec::<String>::new());
    Layout::new(&network)
}

#[test]
fn a_name_too_wide_for_its_node_stands_beside_it() {
    let layout = ring(&["Ulm", "Bonn", "WWWW", "Paris", "London", "Saint Petersburg, Florida"]);
    let of = |node: u32| layout.names.iter().find(|name| name.node == node).unwrap();
    assert_eq!([0, 1, 2, 3, 4, 5].map(|v| of(v).inside), [true, true, false, true, false, false]);
    assert_eq!(of(5).text, "Saint Petersburg,…");
}

#[test]
fn names_that_begin_alike_keep_their_ends() {
    let layout = ring(&["a.long.prefix.gpu0", "a.long.prefix.gpu1", "a.long.prefix.gpu2", "a.long.prefix.gpu3"]);
    assert!(layout.names.iter().all(|name| name.text.ends_with(&format!("gpu{}", name.node))), "{:?}", layout.names);
}

#[test]
fn links_that_have_failed_are_where_they_were() {
    let mesh = topologies::parse("mesh:4x4").unwrap();
    let without = |network: &Network, a: u32, b: u32, directed: bool| {
        topologies::change::without_link(network, kernel::Node(a), kernel::Node(b), directed).unwrap()
    };
    let damaged = without(&without(&mesh, 5, 6, false), 9, 8, true);
    let damaged = topologies::change::without_node(&damaged, kernel::Node(15)).unwrap();
    let layout = Layout::new(&damaged);
    assert_eq!(layout.failed.iter().map(|lost| lost.directed).collect::<Vec<_>>(), [false, true]);
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1) < 1.5 * layout.radius;
    for (lost, (from, to)) in layout.failed.iter().zip([(5, 6), (9, 8)]) {
        assert!(near(lost.curve[0], layout.points[from]) && near(lost.curve[2], layout.points[to]), "{lost:?}");
    }
    assert!(Layout::new(&mesh).failed.is_empty());
    // Names with hyphens, of nodes of a file.
    let labels = Some(["a-b", "c", "d"].map(String::from).to_vec());
    let channels = vec![(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)];
    let named = Network::new(NetworkData { nodes: 3, channels, labels, ..NetworkData::default() }).unwrap();
    assert_eq!(Layout::new(&without(&named, 0, 1, false)).failed.len(), 1);
}
