//! Bounds of time: each kind proves what was counted by hand, and not a tick more.

use super::{World, one, pairs, rational, ticks};
use kernel::timed::{
    TimedCertificate, TimedProblem, TimedProof, TimedRefused, TimedVerdict, TimedVerdictError, certify, verify,
};
use kernel::{Collective, Node, Rational, Refused};

fn nodes(list: &[u32]) -> Vec<Node> {
    list.iter().copied().map(Node).collect()
}

fn latency(from: u32, to: u32) -> TimedProof {
    TimedProof::Latency { from: Node(from), to: Node(to) }
}

fn late_cut(list: &[u32]) -> TimedProof {
    TimedProof::LateCut { nodes: nodes(list) }
}

fn pair_cut(list: &[u32]) -> TimedProof {
    some_pairs(list, None, None)
}

fn some_pairs(list: &[u32], contributors: Option<&[u32]>, destinations: Option<&[u32]>) -> TimedProof {
    let (contributors, destinations) = (contributors.map(nodes), destinations.map(nodes));
    TimedProof::PairCut { nodes: nodes(list), contributors, destinations }
}

fn lengths(weights: &[u64]) -> TimedProof {
    TimedProof::Lengths { weights: weights.iter().copied().map(Rational::whole).collect() }
}

/// Asserts that a certificate proves so many ticks and no more.
fn proves(problem: &TimedProblem, proof: &TimedProof, ticks: u64) {
    let claim = |ticks| certify(problem, TimedCertificate { ticks, proof: proof.clone() });
    let certified = claim(ticks).unwrap_or_else(|refused| panic!("{proof:?}: {refused}"));
    assert_eq!(certified.ticks(), ticks);
    let more = TimedRefused::TooWeak { claims: ticks + 1, proves: ticks };
    assert_eq!(claim(ticks + 1).unwrap_err(), more);
}

fn refuses(problem: &TimedProblem, proof: TimedProof) -> TimedRefused {
    certify(problem, TimedCertificate { ticks: 0, proof }).unwrap_err()
}

#[test]
fn a_message_takes_its_latencies_and_its_duration() {
    let mut world = World::new(3, &[(0, 1, 1, 7), (1, 2, 2, 3)]);
    let to_the_end = pairs(&[(0, 2)]);
    proves(&world.problem(to_the_end.clone()), &latency(0, 2), 110);
    assert_eq!(ticks(&world.problem(to_the_end.clone()), &[(0, one(0, &[0, 1]))]), 110);
    // Where nothing passes through node 1 there are two transfers.
    world.network.no_transit = vec![1];
    proves(&world.problem(to_the_end.clone()), &latency(0, 2), 160);
    let none = Refused::NotApplicable { kind: "latency", why: "no message goes from the one node to the other" };
    assert_eq!(refuses(&world.problem(to_the_end.clone()), latency(0, 1)), none.into());
    assert_eq!(refuses(&world.problem(to_the_end), latency(0, 3)), Refused::NoSuchNode { node: Node(3) }.into());
}

#[test]
fn the_best_path_is_best_in_both() {
    // Directly 5 ticks and 100, by way of node 1 40 ticks and 50, by way of node 2 (where it is stored) 2 ticks and 25 + 25.
    let mut world = World::new(4, &[(0, 3, 1, 5), (0, 1, 2, 20), (1, 3, 2, 20), (0, 2, 4, 1), (2, 3, 4, 1)]);
    world.network.no_transit = vec![2];
    proves(&world.problem(pairs(&[(0, 3)])), &latency(0, 3), 52);
    world.links[3].0 = 1;
    proves(&world.problem(pairs(&[(0, 3)])), &latency(0, 3), 90);
    world.links[1].0 = 1;
    proves(&world.problem(pairs(&[(0, 3)])), &latency(0, 3), 105);
}

#[test]
fn a_reduction_takes_as_long_as_its_farthest_contribution() {
    let world = World::new(3, &[(0, 1, 1, 7), (1, 2, 2, 3), (2, 1, 1, 1), (1, 0, 1, 1)]);
    let problem = world.problem(Collective::reduce(Node(2), &[Node(0), Node(1), Node(2)]));
    proves(&problem, &latency(0, 2), 110);
}

#[test]
fn a_cut_is_left_late_and_has_a_way_behind_it() {
    // Node 0 sends 4 messages to node 3: 10 ticks to node 1, two channels of 5 ticks to node 2, 20 ticks to node 3.
    let world = World::new(4, &[(0, 1, 4, 10), (1, 2, 1, 5), (1, 2, 1, 5), (2, 3, 4, 20)]);
    let problem = world.problem(pairs(&[(0, 3); 4]));
    // At tick 10 the channels are ready, 400 bytes take 200 ticks, and the last byte 25 more.
    proves(&problem, &late_cut(&[0, 1]), 235);
    proves(&problem, &late_cut(&[0]), 135);
    proves(&problem, &late_cut(&[0, 1, 2]), 15 + 100 + 20);
    let sent = [(0, one(0, &[0, 1, 3])), (0, one(1, &[0, 2, 3])), (100, one(2, &[0, 1, 3])), (100, one(3, &[0, 2, 3]))];
    assert_eq!(ticks(&problem, &sent), 235);
    // Nothing must leave these.
    proves(&problem, &late_cut(&[3]), 0);
    proves(&problem, &late_cut(&[]), 0);
    assert_eq!(refuses(&problem, late_cut(&[0, 4])), Refused::NoSuchNode { node: Node(4) }.into());
    assert_eq!(refuses(&problem, late_cut(&[0, 0])), Refused::NodeTwice { node: Node(0) }.into());
}

#[test]
fn channels_are_ready_one_after_the_other() {
    // From node 0 directly at once, by way of node 1 after 30 ticks; stored there, after 130.
    let mut world = World::new(3, &[(0, 2, 1, 0), (0, 1, 1, 30), (1, 2, 1, 0)]);
    let problem = world.problem(pairs(&[(0, 2); 3]));
    proves(&problem, &late_cut(&[0, 1]), 165);
    world.network.no_transit = vec![1];
    proves(&world.problem(pairs(&[(0, 2); 3])), &late_cut(&[0, 1]), 215);
}

#[test]
fn what_comes_back_into_a_set_may_leave_it_elsewhere() {
    // Nodes 0 and 1 are the set: what leaves by way of node 2 comes back to node 1, and from there to node 3 at once.
    let world = World::new(4, &[(0, 2, 1, 0), (2, 1, 1, 0), (1, 3, 1, 0), (2, 3, 1, 500)]);
    let problem = world.problem(pairs(&[(0, 3)]));
    assert_eq!(ticks(&problem, &[(0, one(0, &[0, 1, 2]))]), 100);
    proves(&problem, &late_cut(&[0, 1]), 100);
}

#[test]
fn the_way_behind_is_that_of_the_message_with_the_nearest_ends() {
    let world = World::new(4, &[(0, 1, 1, 0), (1, 2, 1, 50), (1, 3, 1, 8)]);
    proves(&world.problem(pairs(&[(0, 2), (0, 2)])), &late_cut(&[0]), 250);
    proves(&world.problem(pairs(&[(0, 2), (0, 3)])), &late_cut(&[0]), 208);
    let to_both = Collective::broadcast(Node(0), &nodes(&[2, 3]));
    proves(&world.problem(to_both), &late_cut(&[0]), 150);
}

#[test]
fn what_is_merged_leaves_when_the_farthest_contribution_is_there() {
    let world = World::new(4, &[(1, 0, 1, 0), (2, 1, 1, 50), (3, 1, 1, 8)]);
    let problem = world.problem(Collective::reduce(Node(0), &nodes(&[2, 3])));
    // Backwards, a message copied from node 0 to nodes 2 and 3.
    proves(&problem, &late_cut(&[1, 2, 3]), 150);
}

#[test]
fn half_duplex_channels_share_what_crosses() {
    // Of the group one channel of 2 and one of 3 GB/s leave node 0, together they carry 4.
    let mut world = World::new(2, &[(0, 1, 2, 0), (0, 1, 3, 0), (1, 0, 4, 0)]);
    world.network.half_duplex = vec![vec![0, 1, 2]];
    let problem = world.problem(pairs(&[(0, 1); 8]));
    proves(&problem, &late_cut(&[0]), 200);
    proves(&problem, &lengths(&[1, 1, 0]), 200);
    world.network.half_duplex = vec![vec![1, 2], vec![0]];
    let problem = world.problem(pairs(&[(0, 1); 10]));
    proves(&problem, &late_cut(&[0]), 200);
    // The channel of 3 GB/s is not known to leave room for the one of 4.
    proves(&problem, &lengths(&[1, 1, 0]), 167);
}

#[test]
fn chunks_leave_once_whatever_is_merged() {
    let world = World::new(3, &[(0, 1, 1, 5), (1, 0, 1, 5), (1, 2, 1, 5), (2, 1, 1, 5)]);
    let all = Collective::allreduce(&nodes(&[0, 1, 2])).in_chunks(4);
    let problem = world.problem(all);
    proves(&problem, &late_cut(&[0]), 410);
    proves(&problem, &late_cut(&[0, 2]), 205);
    // Every chunk takes 2 (n - 1) transfers over one channel each.
    proves(&problem, &lengths(&[1; 4]), 405);
}

/// Three nodes, each joined to each other by a channel of 1 GB/s and so many ticks.
fn triangle(latency: u64) -> World {
    World::new(
        3,
        &[
            (0, 1, 1, latency),
            (1, 0, 1, latency),
            (1, 2, 1, latency),
            (2, 1, 1, latency),
            (2, 0, 1, latency),
            (0, 2, 1, latency),
        ],
    )
}

#[test]
fn contributions_that_have_not_met_take_a_transfer_each() {
    // One chunk of all for all, 100 ticks a transfer. Where channels are slow to cross, all send to all.
    let all = Collective::allreduce(&nodes(&[0, 1, 2]));
    proves(&triangle(1000).problem(all.clone()), &pair_cut(&[1, 2]), 1100);
    // Eight chunks by two channels: all bytes up to tick 1100 serve one of two contributors, and those after it both, up to 1000 ticks before the end.
    let eight = all.in_chunks(8);
    proves(&triangle(1000).problem(eight.clone()), &pair_cut(&[1, 2]), 1000 + 800);
    // Six times the latency of 100: after 200 ticks contributions have met, and 2 x (200 x 1 + t x 2) is 2 x 8 x 100.
    proves(&triangle(100).problem(eight.clone()), &pair_cut(&[1, 2]), 100 + 200 + 300);
    // Backwards in time, the destinations that bytes can serve take the place of the contributors that have met.
    proves(&triangle(100).problem(eight), &pair_cut(&[0]), 100 + 200 + 300);
    let copied = Collective::broadcast(Node(0), &nodes(&[1, 2])).in_chunks(8);
    proves(&triangle(100).problem(copied), &pair_cut(&[0]), 100 + 200 + 300);
}

#[test]
fn pairs_with_one_end_on_each_side_are_counted() {
    let world = World::new(4, &[(0, 1, 4, 10), (1, 2, 1, 5), (1, 2, 1, 5), (2, 3, 4, 20)]);
    let problem = world.problem(pairs(&[(0, 3); 4]));
    // As the late cut: each pair has its message, and one end.
    proves(&problem, &pair_cut(&[0, 1]), 235);
    // Nothing must leave these.
    proves(&problem, &pair_cut(&[3]), 0);
    proves(&problem, &pair_cut(&[]), 0);
    assert_eq!(refuses(&problem, pair_cut(&[0, 4])), Refused::NoSuchNode { node: Node(4) }.into());
    assert_eq!(refuses(&problem, pair_cut(&[0, 0])), Refused::NodeTwice { node: Node(0) }.into());
    // Two channels of 2 GB/s and 10 or 20 ticks, which serve four pairs from tick 0 on; where they share a link, one pair at a time.
    let mut shared = World::new(2, &[(0, 1, 2, 10), (0, 1, 2, 20), (1, 0, 2, 0)]);
    proves(&shared.problem(pairs(&[(0, 1); 4])), &pair_cut(&[0]), 115);
    shared.network.half_duplex = vec![vec![0, 1]];
    proves(&shared.problem(pairs(&[(0, 1); 4])), &pair_cut(&[0]), 210);
}

#[test]
fn pairs_far_from_the_border_prove_more_by_themselves() {
    // Two machines of two nodes each, which a narrow link joins; what is far from it comes there 100 ticks later.
    let links = [(0, 1, 10, 100), (1, 2, 1, 0), (2, 3, 10, 100)];
    let both_ways: Vec<_> = links.iter().flat_map(|&(a, b, bw, late)| [(a, b, bw, late), (b, a, bw, late)]).collect();
    let chunks = Collective::allreduce(&nodes(&[0, 1, 2, 3])).in_chunks(8);
    let problem = World::new(4, &both_ways).problem(chunks);
    let machine = [0, 1];
    // Up to tick 110 bytes have met one of two contributors, in the last 110 they reach one of two destinations: 110 x 2 + 690 x 4 + 110 x 2 is 8 x 4 x 100.
    proves(&problem, &pair_cut(&machine), 110 + 690 + 110);
    // Of the far contributor and the far destination, bytes serve one pair a chunk, from 100 ticks on up to 100 ticks before the end.
    proves(&problem, &some_pairs(&machine, Some(&[0]), Some(&[3])), 100 + 800 + 100);
    // Of the far contributor and both destinations, 745 x 2 + 110 x 1 is 8 x 2 x 100.
    proves(&problem, &some_pairs(&machine, Some(&[0]), None), 100 + 745 + 110);
    proves(&problem, &some_pairs(&machine, None, Some(&[3])), 100 + 745 + 110);
    // All by name is all; the pairs of nobody, and of nodes on the other side, are none.
    proves(&problem, &some_pairs(&machine, Some(&[0, 1, 2]), Some(&[1, 3, 2])), 110 + 690 + 110);
    proves(&problem, &some_pairs(&machine, Some(&[]), None), 0);
    proves(&problem, &some_pairs(&machine, None, Some(&[0, 1])), 0);
    let refused = refuses(&problem, some_pairs(&machine, Some(&[4]), None));
    assert_eq!(refused, Refused::NoSuchNode { node: Node(4) }.into());
    let refused = refuses(&problem, some_pairs(&machine, None, Some(&[3, 3])));
    assert_eq!(refused, Refused::NodeTwice { node: Node(3) }.into());
}

#[test]
fn a_switch_that_copies_serves_all_it_reaches() {
    // Node 0 sends to nodes 1 and 2 by way of switch 3: one transfer for both where it copies, else one each.
    let mut world = World::new(4, &[(0, 3, 1, 50), (3, 1, 1, 50), (3, 2, 1, 50), (1, 3, 1, 50)]);
    world.network.terminals = Some(vec![0, 1, 2]);
    let copied = Collective::broadcast(Node(0), &nodes(&[1, 2])).in_chunks(4);
    // Bytes serve both up to 300 ticks before the end (100 to the first, then 100 and the transfer to the second), and one up to 100 ticks before it.
    proves(&world.problem(copied.clone()), &pair_cut(&[0]), 300 + 300);
    world.multicast = vec![Node(3)];
    proves(&world.problem(copied), &pair_cut(&[0]), 500);
}

#[test]
fn lengths_count_what_channels_give() {
    // All pairs of a directed ring of four: 4 x (1 + 2 + 3) hops of 100 bytes over 4 channels of 2 GB/s and 7 ticks.
    let channels: Vec<_> = (0..4).map(|v| (v, (v + 1) % 4, 2, 7)).collect();
    let mut world = World::new(4, &channels);
    let all = Collective::alltoall(&nodes(&[0, 1, 2, 3]), &nodes(&[0, 1, 2, 3]));
    let problem = world.problem(all.clone());
    proves(&problem, &lengths(&[1; 4]), 307);
    proves(&problem, &lengths(&[5, 5, 5, 5]), 307);
    proves(&problem, &lengths(&[1, 0, 0, 0]), 307);
    let weights = |list: Vec<Rational>| TimedProof::Lengths { weights: list.into() };
    proves(&problem, &weights(vec![rational(1, 3); 4]), 307);
    let count = Refused::WeightCount { found: 3, expected: 4 };
    assert_eq!(refuses(&problem, lengths(&[1; 3])), count.into());
    assert_eq!(refuses(&problem, lengths(&[0; 4])), Refused::ZeroWeights.into());
    assert_eq!(refuses(&problem, weights(vec![rational(1, 0); 4])), Refused::BadWeight { channel: 0 }.into());
    // Messages that share a transfer take as long as apart.
    world.combining = true;
    proves(&world.problem(all), &lengths(&[1; 4]), 307);
}

#[test]
fn lengths_know_when_a_channel_is_of_use() {
    // By way of switch 2: the channel into it is ready at once and 4 ticks before the end, the one out of it the other way round.
    let mut world = World::new(3, &[(0, 2, 1, 3), (2, 1, 1, 4)]);
    world.network.terminals = Some(vec![0, 1]);
    let problem = world.problem(pairs(&[(0, 1); 2]));
    for weights in [[1, 0], [0, 1], [1, 1]] {
        proves(&problem, &lengths(&weights), 207);
    }
}

#[test]
fn lengths_of_several_destinations_need_switches_that_copy_nothing() {
    let mut world = World::new(4, &[(0, 1, 1, 0), (1, 2, 1, 0), (1, 3, 1, 0)]);
    world.network.terminals = Some(vec![0, 2, 3]);
    let both = Collective::broadcast(Node(0), &nodes(&[2, 3]));
    proves(&world.problem(both.clone()), &lengths(&[1, 0, 0]), 200);
    world.multicast = nodes(&[1]);
    let why = "switches that copy serve several destinations at once";
    assert_eq!(
        refuses(&world.problem(both), lengths(&[1, 0, 0])),
        Refused::NotApplicable { kind: "lengths", why }.into()
    );
    proves(&world.problem(pairs(&[(0, 2), (0, 3)])), &lengths(&[1, 0, 0]), 200);
}

#[test]
fn words_are_no_proof() {
    let problem = World::new(2, &[(0, 1, 1, 0)]).problem(pairs(&[(0, 1)]));
    let refused = refuses(&problem, TimedProof::Argument { text: "look".into() });
    assert_eq!(refused, Refused::Unchecked { kind: "argument" }.into());
}

#[test]
fn a_verdict_joins_facts_of_one_problem() {
    let world = World::new(2, &[(0, 1, 1, 7)]);
    let problem = world.problem(pairs(&[(0, 1)]));
    let floor = |ticks| certify(&problem, TimedCertificate { ticks, proof: latency(0, 1) }).unwrap();
    let ceiling = |tick| verify(&problem, super::claim(&[(tick, one(0, &[0]))])).unwrap();
    assert!(TimedVerdict::new(floor(107), ceiling(0)).unwrap().is_optimal());
    assert!(!TimedVerdict::new(floor(107), ceiling(1)).unwrap().is_optimal());
    let other = World::new(2, &[(0, 1, 1, 8)]).problem(pairs(&[(0, 1)]));
    let floor = certify(&other, TimedCertificate { ticks: 0, proof: latency(0, 1) }).unwrap();
    assert_eq!(TimedVerdict::new(floor, ceiling(0)).unwrap_err(), TimedVerdictError::DifferentProblems);
}
