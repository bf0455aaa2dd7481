//! What must be sent, be received and leave a set, counted message by message; and who is reached.

use kernel::{Collective, Model, Network, NetworkData, Node, Problem, Semantics};

fn nodes(list: &[u32]) -> Vec<Node> {
    list.iter().map(|v| Node(*v)).collect()
}

fn problem(channels: Vec<(u32, u32)>, semantics: Semantics, messages: &[(&[u32], &[u32])]) -> Problem {
    let network = Network::new(NetworkData { nodes: 4, channels, ..NetworkData::default() }).unwrap();
    let messages = messages.iter().map(|(from, to)| (nodes(from), nodes(to)));
    let collective = Collective::new("some", semantics, None, messages).unwrap();
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

fn ring() -> Vec<(u32, u32)> {
    (0..4).map(|v| (v, (v + 1) % 4)).collect()
}

/// Of each node, what it must send and receive.
fn counts(problem: &Problem) -> Vec<(u64, u64)> {
    (0..4).map(|v| (problem.must_send(Node(v)), problem.must_receive(Node(v)))).collect()
}

#[test]
fn what_is_for_oneself_is_not_sent() {
    let messages: &[(&[u32], &[u32])] = &[(&[0], &[0, 1]), (&[0], &[0]), (&[1], &[2, 3]), (&[2], &[0, 2])];
    assert_eq!(counts(&problem(ring(), Semantics::Copy, messages)), [(1, 1), (1, 1), (1, 1), (0, 1)]);
}

#[test]
fn foreign_contributions_are_received() {
    let messages: &[(&[u32], &[u32])] = &[(&[0, 1], &[0]), (&[1], &[1]), (&[0, 2], &[0, 2]), (&[3], &[0])];
    assert_eq!(counts(&problem(ring(), Semantics::Reduce, messages)), [(1, 3), (1, 0), (1, 1), (1, 0)]);
}

#[test]
fn what_leaves_a_set_begins_in_it_and_ends_outside() {
    let messages: &[(&[u32], &[u32])] = &[(&[0], &[1]), (&[0], &[1, 2]), (&[2], &[3, 0]), (&[3], &[1])];
    let problem = problem(ring(), Semantics::Copy, messages);
    let leave = |list: &[usize]| problem.must_leave(&(0..4).map(|v| list.contains(&v)).collect::<Vec<_>>());
    let sets: [&[usize]; 7] = [&[], &[0], &[0, 1], &[2, 3], &[0, 1, 2], &[3], &[0, 1, 2, 3]];
    assert_eq!(sets.map(leave), [0, 2, 1, 2, 1, 1, 0]);
}

#[test]
fn who_contributes_reaches_itself() {
    // Nodes 0 and 2 reach 1, which reaches 3, and nobody reaches 0.
    let problem = problem(vec![(0, 1), (2, 1), (1, 3)], Semantics::Reduce, &[(&[0, 1, 2], &[1, 3])]);
    assert_eq!(problem.must_receive(Node(1)), 1);
}
