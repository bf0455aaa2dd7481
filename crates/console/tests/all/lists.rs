//! Lists of nodes and links, as they are typed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use console::lists::{link, nodes, ranges, terminals};
use console::names::Ends;
use kernel::{Network, NetworkData, Node};

fn star() -> Network {
    let links = (1..10).flat_map(|v| [(0, v), (v, 0)]).collect();
    let terminals = Some((1..10).collect());
    Network::new(NetworkData { name: "star".into(), nodes: 10, channels: links, terminals, ..NetworkData::default() })
        .unwrap()
}

fn numbers(list: &[Node]) -> Vec<u32> {
    list.iter().map(|v| v.0).collect()
}

#[test]
fn lists_are_numbers_and_ranges() {
    let star = star();
    assert_eq!(numbers(&terminals(&star, "--senders", "9,1,3-5").unwrap()), [1, 3, 4, 5, 9]);
    assert_eq!(ranges(star.terminals()), "1-9");
    // A range passes over switches, and a list of nodes may name them.
    assert_eq!(numbers(&terminals(&star, "--senders", "0-2").unwrap()), [1, 2]);
    assert_eq!(numbers(&nodes(&star, "--fail-node", "3,0-1").unwrap()), [0, 1, 3]);
}

#[test]
fn bad_lists_say_which_entry() {
    let star = star();
    for (text, says) in [
        ("1,12", "no node 12"),
        ("0", "is a switch"),
        ("1,,2", "empty entry"),
        ("5-3", "runs backwards"),
        ("1-3,2", "listed twice"),
        ("x", "`x` is not a node"),
        ("1 2-3", "commas between them: 1,2-3"),
        ("0-0", "is a switch"),
        ("99999999999999999999999", "is not a node"),
        ("1-40", "no node 40"),
    ] {
        let failure = terminals(&star, "--senders", text).unwrap_err();
        assert!(format!("{failure:?}").contains(says), "{text}: {failure:?}");
    }
}

#[test]
fn links_have_a_direction_or_two() {
    let star = star();
    assert_eq!(link(&star, "--fail-link", "0-3").unwrap(), Ends { from: Node(0), to: Node(3), directed: false });
    assert_eq!(link(&star, "--fail-link", "0>3").unwrap(), Ends { from: Node(0), to: Node(3), directed: true });
    assert!(link(&star, "--fail-link", "03").is_err());
    let hyphens = NetworkData {
        labels: Some(vec!["a-0".into(), "b-0".into()]),
        nodes: 2,
        channels: vec![(0, 1), (1, 0)],
        ..NetworkData::default()
    };
    let hyphens = Network::new(hyphens).unwrap();
    assert_eq!(link(&hyphens, "--fail-link", "a-0-b-0").unwrap(), Ends { from: Node(0), to: Node(1), directed: false });
    assert_eq!(link(&hyphens, "--fail-link", "b-0>a-0").unwrap(), Ends { from: Node(1), to: Node(0), directed: true });
}
