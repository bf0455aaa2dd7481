//! Who holds what: neither another message nor another node's copy stands in for the one that is sent.

use crate::violations::{exactly, found, pairs, problem, ring};
use kernel::{Channel, Collective, Message, Model, NetworkData, Node, Schedule, Semantics, Transfer, Violation};

fn not_held(step: usize, transfer: usize, node: u32, message: u32) -> Violation {
    Violation::NotHeld { step, transfer, node: Node(node), message: Message(message) }
}

#[test]
fn a_message_for_many_is_not_another_for_the_same() {
    let to: Vec<Node> = (1..100).map(Node).collect();
    let messages = (0..3).map(|_| (vec![Node(0)], to.clone()));
    let collective = Collective::new("copies", Semantics::Copy, Some(Node(0)), messages).unwrap();
    let p = problem(ring(100), collective, Model::wormhole());
    for (sent, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let mut claim = Schedule::new();
        for (message, channel) in [(sent, 0), (other, 1), (sent, 1)] {
            claim.begin_step();
            claim.send(Message(message), &[Channel(channel)]);
        }
        let found = found(&p, claim);
        assert_eq!(found[0], not_held(1, 0, 1, other));
        assert!(found[1..].iter().all(|v| matches!(v, Violation::Undelivered { .. })), "{sent} {other}");
    }
}

#[test]
fn a_node_without_a_copy_sends_none_however_many_have_one() {
    // Node 0 has a channel to every other node and one back: 2v - 2 and 2v - 1.
    let n = 14;
    let channels = (1..n).flat_map(|v| [(0, v), (v, 0)]).collect();
    let star = NetworkData { nodes: n, channels, ..NetworkData::default() };
    let p = problem(star, pairs(&[(0, n - 1)]), Model::wormhole());
    for copies in 1..n - 2 {
        let out: Vec<[u32; 1]> = (1..=copies).map(|v| [2 * v - 2]).collect();
        let back: Vec<[u32; 1]> = (1..=copies).map(|v| [2 * v - 1]).collect();
        let first: Vec<(&[u32], &[u32])> = out.iter().map(|path| (&[0][..], &path[..])).collect();
        let second: Vec<(&[u32], &[u32])> = back.iter().map(|path| (&[0][..], &path[..])).collect();
        let last: &[(&[u32], &[u32])] = &[(&[0], &[2 * n - 4])];
        exactly(&p, &[&first, &second, last], &[]);
        let stranger: &[(&[u32], &[u32])] = &[(&[0], &[2 * copies + 1])];
        exactly(&p, &[&first, stranger, last], &[not_held(1, 0, copies + 1, 0)]);
    }
}

/// A reduction to node 0 from these nodes of a line, which have channel v - 1 from node v to the one before.
fn reduction(n: u32, contributors: &[u32]) -> kernel::Problem {
    let channels = (1..n).map(|v| (v, v - 1)).collect();
    let line = NetworkData { nodes: n, channels, ..NetworkData::default() };
    let from = contributors.iter().map(|v| Node(*v)).collect();
    let collective = Collective::new("reduce", Semantics::Reduce, Some(Node(0)), [(from, vec![Node(0)])]).unwrap();
    problem(line, collective, Model::wormhole())
}

#[test]
fn the_first_contribution_that_is_missing_is_named() {
    let incomplete = |node: u32| Violation::Incomplete { message: Message(0), node: Node(0), contributor: Node(node) };
    // Half of the nodes and more, words of them, and lists in any order.
    let upper: Vec<u32> = (128..256).collect();
    assert_eq!(found(&reduction(256, &upper), Schedule::new()), [incomplete(128)]);
    for (contributors, first) in [(&[130, 5][..], 5), (&[70, 200, 71, 3, 140, 201], 3), (&[255, 254, 64], 64)] {
        assert_eq!(found(&reduction(256, contributors), Schedule::new()), [incomplete(first)]);
    }
}

#[test]
fn contributors_in_any_order_are_gathered_by_any_path() {
    let p = reduction(256, &[200, 3, 130, 4]);
    let path = |from: u32, to: u32| (to..from).rev().collect::<Vec<u32>>();
    let (a, b, c, d) = (path(200, 130), path(130, 4), path(4, 3), path(3, 0));
    exactly(&p, &[&[(&[0], &a)], &[(&[0], &b)], &[(&[0], &c)], &[(&[0], &d)]], &[]);
}

#[test]
fn two_whole_words_of_nodes_are_not_all_nodes() {
    let contributors: Vec<u32> = (0..64).chain(128..192).collect();
    let p = reduction(256, &contributors);
    for stranger in [64, 127, 192, 255] {
        let mut claim = Schedule::new();
        claim.begin_step();
        claim.push(Transfer::new(&[Message(0)], &[Channel(stranger - 1)]));
        assert_eq!(found(&p, claim)[0], not_held(0, 0, stranger, 0));
    }
}
