//! Certificates of kind `late-cut`: which message is the last, and over which channels it comes.

use crate::certificates::proves;
use kernel::{Collective, Model, Network, NetworkData, Node, Problem, Proof};

fn hop_by_hop(parts: NetworkData, pairs: &[(u32, u32)]) -> Problem {
    let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
    let collective = Collective::pairs("pairs", &pairs);
    Problem::new(Network::new(parts).unwrap(), collective, Model::store_and_forward()).unwrap()
}

fn line(nodes: u32) -> NetworkData {
    let channels = (1..nodes).map(|v| (v - 1, v)).collect();
    NetworkData { name: format!("line:{nodes}"), nodes, channels, ..NetworkData::default() }
}

fn cut(nodes: &[u32]) -> Proof {
    Proof::LateCut { nodes: nodes.iter().copied().map(Node).collect() }
}

#[test]
fn the_last_to_leave_may_be_the_one_with_the_shortest_way() {
    for pairs in [&[(0, 3), (0, 1)], &[(0, 1), (0, 3)]] {
        proves(&hop_by_hop(line(4), pairs), cut(&[0]), 2);
    }
    proves(&hop_by_hop(line(4), &[(0, 3), (0, 3), (0, 2)]), cut(&[0]), 4);
    proves(&hop_by_hop(line(4), &[(0, 3), (0, 3)]), cut(&[0]), 4);
}

#[test]
fn channels_from_switches_carry_nothing_out() {
    // Node 1 is a switch beside the line 0, 2, 3, and lets nothing on where every hop is a transfer.
    let channels = vec![(0, 1), (1, 3), (0, 2), (2, 3)];
    let parts = NetworkData { nodes: 4, channels, terminals: Some(vec![0, 2, 3]), ..NetworkData::default() };
    proves(&hop_by_hop(parts, &[(0, 3), (0, 3)]), cut(&[0, 1, 2]), 3);
}

#[test]
fn channels_that_are_ready_later_help_later() {
    // Nodes 0 to 4 in a line, of which 0, 2 and 4 have a channel to node 5: one is ready at once, one after 2 steps, one after 4.
    let mut parts = NetworkData { nodes: 6, ..line(5) };
    parts.channels.extend([(0, 5), (2, 5), (4, 5)]);
    for (messages, steps) in [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5), (9, 5), (10, 6)] {
        proves(&hop_by_hop(parts.clone(), &vec![(0, 5); messages]), cut(&[0, 1, 2, 3, 4]), steps);
    }
}

#[test]
fn the_way_behind_a_cut_leads_round_switches() {
    // From node 1 to node 3 over the switch 2, or over the terminals 4 and 5.
    let channels = vec![(0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (5, 3)];
    let parts = NetworkData { nodes: 6, channels, terminals: Some(vec![0, 1, 3, 4, 5]), ..NetworkData::default() };
    proves(&hop_by_hop(parts, &[(0, 3)]), cut(&[0]), 4);
    // The way is counted from the head of any channel that leaves the set, be it a switch.
    let channels = vec![(0, 1), (1, 3), (0, 2), (2, 4), (4, 3)];
    let parts = NetworkData { nodes: 5, channels, terminals: Some(vec![0, 2, 3, 4]), ..NetworkData::default() };
    proves(&hop_by_hop(parts, &[(0, 3)]), cut(&[0]), 2);
}

#[test]
fn what_comes_back_into_a_set_may_leave_it_elsewhere() {
    // Of the set {0, 1} only 0 > 2 leads out for a message that has not left it; then 2 > 1 and 1 > 3 are two hops, the way outside four.
    let channels = vec![(0, 2), (2, 1), (1, 3), (2, 4), (4, 5), (5, 6), (6, 3)];
    let problem = hop_by_hop(NetworkData { nodes: 7, channels, ..NetworkData::default() }, &[(0, 3)]);
    proves(&problem, cut(&[0, 1]), 1);
}
