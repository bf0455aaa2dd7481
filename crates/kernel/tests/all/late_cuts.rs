//! Certificates of kind `late-cut`: which message is the last, and over which channels it comes.

use crate::certificates::{proves, refused};
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Proof, Refused};

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
    // One has three hops to go and leaves in step 1 at the earliest; of both, the last leaves in step 2.
    for pairs in [&[(0, 3), (0, 1)], &[(0, 1), (0, 3)]] {
        proves(&hop_by_hop(line(4), pairs), cut(&[0]), 3);
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
    // No transfer ends at a switch that a channel leads to.
    let channels = vec![(0, 1), (1, 3), (0, 2), (2, 4), (4, 3)];
    let parts = NetworkData { nodes: 5, channels, terminals: Some(vec![0, 2, 3, 4]), ..NetworkData::default() };
    proves(&hop_by_hop(parts, &[(0, 3)]), cut(&[0]), 3);
}

#[test]
fn what_comes_back_into_a_set_may_leave_it_elsewhere() {
    // Of the set {0, 1} only 0 > 2 leads out for a message that has not left it; then 2 > 1 and 1 > 3 are two hops, the way outside four.
    let channels = vec![(0, 2), (2, 1), (1, 3), (2, 4), (4, 5), (5, 6), (6, 3)];
    let problem = hop_by_hop(NetworkData { nodes: 7, channels, ..NetworkData::default() }, &[(0, 3)]);
    proves(&problem, cut(&[0, 1]), 1);
}

/// Two complete networks of four nodes, joined by the link 3-4.
fn dumbbell() -> NetworkData {
    let halves = (0..8u32).flat_map(|a| (0..8).map(move |b| (a, b))).filter(|(a, b)| a != b && (a < &4) == (b < &4));
    NetworkData { nodes: 8, channels: halves.chain([(3, 4), (4, 3)]).collect(), ..NetworkData::default() }
}

fn among_all(parts: NetworkData, model: Model, collective: impl Fn(&[Node]) -> Collective) -> Problem {
    let network = Network::new(parts).unwrap();
    let collective = collective(network.terminals());
    Problem::new(network, collective, model).unwrap()
}

#[test]
fn what_leaves_last_has_still_to_multiply() {
    // The last of k chunks crosses the link in step k, and is then with one node of four; in the next step three others can have it.
    for chunks in [1, 2, 5] {
        let broadcast = |t: &[Node]| Collective::broadcast(Node(0), t).in_chunks(chunks);
        let problem = among_all(dumbbell(), Model::wormhole(), broadcast);
        proves(&problem, cut(&[0, 1, 2, 3]), u64::from(chunks) + 1);
        // Behind all but one node nothing multiplies.
        proves(&problem, cut(&[0, 1, 2, 3, 4, 5, 6]), u64::from(chunks.div_ceil(3)));
        // With one port the second step behind the link makes one node two (and a third comes over it), the third all four.
        let one = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..dumbbell() };
        proves(&among_all(one, Model::wormhole(), broadcast), cut(&[0, 1, 2, 3]), u64::from(chunks) + 2);
    }
    // What is combined crosses at once.
    let combined = Model { combining: true, ..Model::wormhole() };
    proves(&among_all(dumbbell(), combined, |t| Collective::broadcast(Node(0), t).in_chunks(5)), cut(&[0, 1, 2, 3]), 2);
    proves(&among_all(dumbbell(), Model::wormhole(), |t| Collective::allgather(t, t)), cut(&[0, 1, 2, 3]), 5);
}

#[test]
fn contributions_come_together_before_a_border() {
    // Backwards a reduce is a broadcast; of allreduce both directions count, and the set may be either half.
    for chunks in [1, 4] {
        let reduce = |t: &[Node]| Collective::reduce(Node(0), t).in_chunks(chunks);
        proves(&among_all(dumbbell(), Model::wormhole(), reduce), cut(&[4, 5, 6, 7]), u64::from(chunks) + 1);
        let all = |t: &[Node]| Collective::allreduce(t).in_chunks(chunks);
        for set in [[0, 1, 2, 3], [4, 5, 6, 7]] {
            proves(&among_all(dumbbell(), Model::wormhole(), all), cut(&set), u64::from(chunks) + 1);
        }
    }
    proves(&among_all(dumbbell(), Model::wormhole(), |t| Collective::reduce_scatter(t, t)), cut(&[4, 5, 6, 7]), 5);
    // Hop by hop what is gathered from the far end of a line has its way before the border.
    let back = NetworkData { channels: vec![(3, 2), (2, 1), (1, 0)], ..line(4) };
    let reduce = |t: &[Node]| Collective::reduce(Node(0), t).in_chunks(2);
    proves(&among_all(back, Model::store_and_forward(), reduce), cut(&[1, 2, 3]), 4);
}

#[test]
fn a_path_through_the_set_takes_two_channels_of_its_border() {
    // Nodes that hang on node 0 alone: between them all paths lead through it.
    let star = |leaves: u32| {
        let channels = (1..=leaves).flat_map(|v| [(0, v), (v, 0)]).collect();
        NetworkData { nodes: leaves + 1, channels, ..NetworkData::default() }
    };
    let broadcast = |t: &[Node]| Collective::broadcast(Node(0), t).in_chunks(4);
    proves(&among_all(star(3), Model::wormhole(), broadcast), cut(&[0]), 2);
    // One port at the root alone: each leaf sends one transfer a step, through the root, beside the one that the root sends.
    let ports = (0..6).map(|v| if v == 0 { Some(1) } else { None }).collect();
    let one = NetworkData { send_ports: Ports::List(ports), ..star(5) };
    proves(&among_all(one, Model::wormhole(), broadcast), cut(&[0]), 6);
}

#[test]
fn slots_are_counted_elsewhere() {
    let problem = among_all(dumbbell(), Model::tdm(), |t| Collective::broadcast(Node(0), t));
    assert!(matches!(refused(&problem, cut(&[0, 1, 2, 3])), Refused::NotApplicable { kind: "late-cut", .. }));
}
