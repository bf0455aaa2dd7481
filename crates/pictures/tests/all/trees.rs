//! The tree of a message: its nodes by their names.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Problem, Schedule, verify};
use pictures::{palette::LIGHT, svg};

#[test]
fn the_nodes_of_a_tree_have_their_names() {
    let labels = Some(["Bonn", "Saint Petersburg", "ib-0"].map(String::from).to_vec());
    let channels = vec![(0, 1), (1, 2)];
    let network = Network::new(NetworkData { nodes: 3, channels, labels, ..NetworkData::default() }).unwrap();
    let broadcast = Collective::broadcast(kernel::Node(0), network.terminals());
    let problem = Problem::new(network, broadcast, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for channel in [0, 1] {
        claim.begin_step();
        claim.send(Message(0), &[Channel(channel)]);
    }
    let verified = verify(&problem, claim).unwrap();
    let mut text = Vec::new();
    svg::Tree::of(&verified, 0).unwrap().draw(&LIGHT, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    for words in [">Bonn<", ">Saint Petersburg<", ">ib-0<", ">Bonn-Saint Petersburg<", ">Saint Petersburg → ib-0<"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // No name is wider than the sign that holds it.
    assert_eq!(text.matches("rx=\"12\"").count(), 3);
}
