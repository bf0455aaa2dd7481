//! How fast messages multiply, by numbers: the kinds `growth` and `start` where one more or one less would tell.

use crate::certificates::{on, proves, refused};
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Proof, Refused, Switching};

fn nodes(n: u32) -> Vec<Node> {
    (0..n).map(Node).collect()
}

fn network(nodes: u32, channels: Vec<(u32, u32)>) -> Network {
    Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap()
}

fn slotted(network: &Network, collective: Collective, hop: u32, cyclic: bool) -> Problem {
    let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
    Problem::new(network.clone(), collective, model).unwrap()
}

#[test]
fn who_contributes_and_receives_is_no_other() {
    let pair = network(2, vec![(0, 1), (1, 0)]);
    proves(&on(&pair, Collective::reduce(Node(0), &nodes(2))), Proof::Growth, 1);
    proves(&on(&pair, Collective::allreduce(&nodes(2))), Proof::Growth, 1);
    let ring = network(4, (0..4).map(|v| (v, (v + 1) % 4)).collect());
    // Of three others, who send to one a step, one has two more to tell in the second step.
    proves(&on(&ring, Collective::allreduce(&nodes(4))), Proof::Growth, 2);
}

#[test]
fn the_root_sends_once_a_step_whatever_others_send() {
    // Nodes 0 and 1 send two messages a step, the other nodes one: 1, 3 and 8 are told.
    let ring = (0..9).map(|v| (v, (v + 1) % 9)).chain([(0, 4), (1, 5)]).collect();
    let ring = network(9, ring);
    for root in [0, 1] {
        proves(&on(&ring, Collective::broadcast(Node(root), &nodes(9))), Proof::Growth, 3);
        proves(&on(&ring, Collective::broadcast(Node(root), &nodes(8))), Proof::Growth, 2);
    }
    // From a node that sends one, 2 are told, and then its helper is one of two: 2 + 1 + 2 = 5, and then 5 + 2 + 2 + 1 + 1 + 1.
    proves(&on(&ring, Collective::broadcast(Node(2), &nodes(5))), Proof::Growth, 2);
    proves(&on(&ring, Collective::broadcast(Node(2), &nodes(6))), Proof::Growth, 3);
    proves(&on(&ring, Collective::broadcast(Node(2), &nodes(9))), Proof::Growth, 3);
}

/// Allgather that is kept as the list of its members.
#[test]
fn members_tell_all_others_and_hear_of_them() {
    let n = 2048;
    let allgather = || Collective::allgather(&nodes(n), &nodes(n));
    let ring = network(n, (0..n).map(|v| (v, (v + 1) % n)).collect());
    // There are 2^11 members, one of which has nothing to be told.
    proves(&on(&ring, allgather()), Proof::Growth, 11);
    // Who sends three a step tells 4^6 in six steps, but who receives one hears of no more than before.
    let channels = (0..n).flat_map(|v| (1..4).map(move |k| (v, (v + k) % n))).collect();
    let parts = NetworkData { nodes: n, channels, receive_ports: Ports::Each(1), ..NetworkData::default() };
    let wide = Network::new(parts).unwrap();
    proves(&on(&wide, allgather()), Proof::Growth, 11);
    // Where copies rest for a slot, transfers of slot s bring 1, 1, 2, 3, 5, 8 … 233 in slot 12, so thirteen may bring all others. (2683 are told after 9.)
    proves(&slotted(&wide, allgather(), 1, true), Proof::Growth, 13);
}

/// What comes together at one node under time-division: each transfer brings at most what its sender had when it began.
#[test]
fn what_ends_after_the_period_is_sent_no_further() {
    // With one reception a slot: 1, 2, 6, 12 and 25 others in periods of 1 to 5 slots, since transfers carry 1, 1, 2, 3 and 5.
    let one = |n: u32| {
        let channels = (0..n).flat_map(|v| (0..n).filter(move |to| *to != v).map(move |to| (v, to))).collect();
        let parts = NetworkData { nodes: n, channels, receive_ports: Ports::Each(1), ..NetworkData::default() };
        Network::new(parts).unwrap()
    };
    for (others, slots) in [(1, 1), (2, 2), (3, 3), (6, 3), (7, 4), (12, 4), (13, 5), (25, 5), (26, 6)] {
        let (network, all) = (one(others + 1), nodes(others + 1));
        for collective in [Collective::reduce(Node(0), &all), Collective::allreduce(&all)] {
            proves(&slotted(&network, collective, 1, true), Proof::Growth, slots);
        }
    }
    // Without wrap-round a transfer of slot s ends in s + hop, which is the last slot at the latest: 1, 2, 4, 7 and 12 others in 1 slot and the hop, and so on.
    for (others, slots) in [(1, 2), (2, 3), (3, 4), (4, 4), (5, 5), (7, 5), (8, 6), (12, 6)] {
        let (network, all) = (one(others + 1), nodes(others + 1));
        proves(&slotted(&network, Collective::reduce(Node(0), &all), 1, false), Proof::Growth, slots);
    }
    // The longer a hop takes the longer everybody sends alone; also where it takes as good as for ever.
    for (hop, slots) in [(2, 5), (3, 6), (1000, 12), (u32::MAX, 12)] {
        let (network, all) = (one(13), nodes(13));
        proves(&slotted(&network, Collective::reduce(Node(0), &all), hop, true), Proof::Growth, slots);
    }
}

#[test]
fn the_first_slots_count_what_origins_send() {
    let pair = network(2, vec![(0, 1), (1, 0)]);
    let allgather = |chunks| Collective::allgather(&nodes(2), &nodes(2)).in_chunks(chunks);
    // Origins have messages for both of the first slots, so nothing is lost.
    proves(&slotted(&pair, allgather(2), 1, true), Proof::Start, 2);
    proves(&slotted(&pair, allgather(3), 1, true), Proof::Start, 3);
    let parts = NetworkData { capacities: Some(vec![2, 2]), ..pair.data().clone() };
    let wide = Network::new(parts).unwrap();
    proves(&slotted(&wide, allgather(6), 2, true), Proof::Start, 3);
    // Two channels from node to node count as one that is as wide.
    let double = network(2, vec![(0, 1), (0, 1), (1, 0), (1, 0)]);
    proves(&slotted(&double, allgather(6), 2, true), Proof::Start, 3);
    // Over a switch every path takes two channels, and none of them one: 20 + 8 uses of 8 in two slots.
    let channels = vec![(0, 2), (1, 2), (2, 0), (2, 1)];
    let star = NetworkData { nodes: 3, channels, terminals: Some(vec![0, 1]), ..NetworkData::default() };
    proves(&slotted(&Network::new(star).unwrap(), allgather(5), 1, true), Proof::Start, 4);
}

#[test]
fn the_first_slots_are_of_copies_that_are_not_combined() {
    let pair = network(2, vec![(0, 1), (1, 0)]);
    let not = |problem: &Problem| matches!(refused(problem, Proof::Start), Refused::NotApplicable { .. });
    assert!(not(&slotted(&pair, Collective::allreduce(&nodes(2)), 1, true)));
    let combining = Model { combining: true, ..Model::tdm() };
    assert!(not(&Problem::new(pair.clone(), Collective::allgather(&nodes(2), &nodes(2)), combining).unwrap()));
    proves(&slotted(&pair, Collective::pairs("none", &[]), 3, false), Proof::Start, 0);
}
