//! Bounds of time on networks whose optimum is known.

use bounds::timed::strongest;
use kernel::timed::{Links, TimedProblem, Units, certify};
use kernel::{Collective, Network, NetworkData, Node, Rational};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// Messages of 1000 bytes, ticks of a nanosecond; channels `(from, to, GB/s, ns)`; the first nodes are terminals.
fn problem(terminals: u32, channels: &[(u32, u32, u64, u64)], collective: Collective) -> TimedProblem {
    let nodes = channels.iter().map(|c| c.0.max(c.1) + 1).max().unwrap();
    let network = NetworkData {
        nodes,
        terminals: Some((0..terminals).collect()),
        no_transit: (0..terminals).collect(),
        channels: channels.iter().map(|c| (c.0, c.1)).collect(),
        ..NetworkData::default()
    };
    let links = Links {
        bandwidth: channels.iter().map(|c| Rational::whole(c.2)).collect(),
        latency: channels.iter().map(|c| Rational::new(c.3, 1000)).collect(),
        ..Links::default()
    };
    let units = Units { chunk_bytes: Rational::whole(1000), tick_us: Rational::new(1, 1000) };
    TimedProblem::new(Network::new(network).unwrap(), collective, false, links, units).unwrap()
}

/// The kind and the ticks of the strongest bound.
fn found(problem: &TimedProblem) -> (&'static str, u64) {
    let stop = AtomicBool::new(false);
    let certificate = strongest(problem, &Run::new(Settings::default(), &Silent, &stop));
    let certified = certify(problem, certificate).unwrap();
    (certified.certificate().proof.kind(), certified.ticks())
}

fn all(count: u32) -> Vec<Node> {
    (0..count).map(Node).collect()
}

/// Terminals 0 to 3 on one switch, 4 to 7 on another, and a narrow link between the switches.
fn two_stars() -> Vec<(u32, u32, u64, u64)> {
    let leaves = (0..8).flat_map(|v| [(v, 8 + v / 4, 10, 20), (8 + v / 4, v, 10, 20)]);
    leaves.chain([(8, 9, 1, 300), (9, 8, 1, 300)]).collect()
}

#[test]
fn the_narrowest_cut_is_found_with_what_lies_before_and_behind() {
    // Four messages, 1000 ns each, over the link from 20 ns on, then 300 + 20 ns.
    assert_eq!(found(&problem(8, &two_stars(), Collective::alltoall(&all(8), &all(8)))), ("late-cut", 16_340));
    assert_eq!(found(&problem(8, &two_stars(), Collective::scatter(Node(0), &all(8)[1..]))), ("late-cut", 4340));
    assert_eq!(found(&problem(8, &two_stars(), Collective::gather(Node(0), &all(8)[1..]))), ("late-cut", 4340));
}

#[test]
fn transfers_between_machines_are_counted() {
    // Four machines of two terminals at a wide switch each, and a narrow channel of every terminal to one switch for all.
    let inside = (0..8).flat_map(|v| [(v, 8 + v / 2, 40, 0), (8 + v / 2, v, 40, 0)]);
    let machines: Vec<_> = inside.chain((0..8).flat_map(|v| [(v, 12, 5, 0), (12, v, 5, 0)])).collect();
    // Every chunk comes out of three machines and into three, 200 ns each, by eight channels; a cut counts four transfers.
    let chunks = Collective::allreduce(&all(8)).in_chunks(8);
    assert_eq!(found(&problem(8, &machines, chunks)), ("lengths", 2 * 3 * 8 * 200 / 8));
}

#[test]
fn transfers_between_machines_that_share_their_ways_out_are_counted() {
    // As above, where the channels of the terminals lead to a switch of their machine, and one narrow channel from there on.
    let inside = (0..8)
        .flat_map(|v| [(v, 8 + v / 2, 40, 0), (8 + v / 2, v, 40, 0), (v, 12 + v / 2, 5, 0), (12 + v / 2, v, 5, 0)]);
    let machines: Vec<_> = inside.chain((12..16).flat_map(|v| [(v, 16, 5, 0), (16, v, 5, 0)])).collect();
    // Six transfers a chunk, 200 ns each, by four channels; a cut counts one by one.
    let chunks = Collective::allreduce(&all(8)).in_chunks(8);
    assert_eq!(found(&problem(8, &machines, chunks)), ("lengths", 2 * 3 * 8 * 200 / 4));
}

#[test]
fn one_small_message_takes_its_latency() {
    let broadcast = Collective::broadcast(Node(0), &[Node(4)]);
    // 20 + 300 + 20 ns, and 1000 bytes over the slowest channel.
    assert_eq!(found(&problem(8, &two_stars(), broadcast)), ("latency", 1340));
}

#[test]
fn what_comes_late_serves_one_receiver() {
    // Four receivers behind the link, each served by 1000 bytes from 20 ns on; bytes that leave it in the last 460 ns serve one of them, by 320 ns before the end.
    let broadcast = Collective::broadcast(Node(0), &all(8));
    let ticks = found(&problem(8, &two_stars(), broadcast));
    assert_eq!(ticks, ("pair-cut", 480 + (4000 - 140) / 4));
    // So it is with four messages of allgather, and backwards where contributions are merged; with both on either side of the link.
    let ticks = found(&problem(8, &two_stars(), Collective::allgather(&all(8), &all(8))));
    assert_eq!(ticks, ("pair-cut", 480 + (16_000 - 140) / 4));
    let ticks = found(&problem(8, &two_stars(), Collective::reduce_scatter(&all(8), &all(8))));
    assert_eq!(ticks, ("pair-cut", 480 + (16_000 - 140) / 4));
    let chunks = Collective::allreduce(&all(8)).in_chunks(16);
    assert_eq!(found(&problem(8, &two_stars(), chunks)), ("pair-cut", 160 + 460 + (16 * 16_000 - 2 * 4 * 140) / 16));
}

#[test]
fn pairs_of_nodes_far_from_the_border_are_counted_alone() {
    // Two machines of two nodes each and a narrow link between them; nodes 0 and 3 are 100 ns from it.
    let links = [(0, 1, 10, 100), (1, 2, 1, 0), (2, 3, 10, 100)];
    let both_ways: Vec<_> = links.iter().flat_map(|&(a, b, bw, late)| [(a, b, bw, late), (b, a, bw, late)]).collect();
    let allreduce = problem(4, &both_ways, Collective::allreduce(&all(4)).in_chunks(8));
    // A chunk is stored next to the border, 200 ns after it left the node that is far from it, and as long before it comes to the other.
    assert_eq!(found(&allreduce), ("pair-cut", 200 + 8 * 1000 + 200));
    // Where messages have one end on each side, all four that cross need more than the one from the far node to the far node.
    let alltoall = problem(4, &both_ways, Collective::alltoall(&all(4), &all(4)));
    assert_eq!(found(&alltoall), ("late-cut", 4000));
}

#[test]
fn weights_are_found_where_no_cut_is_tight() {
    // A directed ring of four: 4 x (1 + 2 + 3) hops over 4 channels of 2 GB/s, 500 ns a message; four messages leave two nodes by one channel.
    let ring: Vec<_> = (0..4).map(|v| (v, (v + 1) % 4, 2, 0)).collect();
    let alltoall = Collective::alltoall(&all(4), &all(4)).in_chunks(8);
    assert_eq!(found(&problem(4, &ring, alltoall)), ("lengths", 8 * 6 * 500));
}

#[test]
fn chunks_of_all_for_all_are_counted() {
    // Every chunk takes 2 (n - 1) transfers into terminals, which together take in 4 GB/s from 50 ns on, and from there on 50 ns.
    let star: Vec<_> = (0..4).flat_map(|v| [(v, 4, 1, 50), (4, v, 1, 50)]).collect();
    let chunks = Collective::allreduce(&all(4)).in_chunks(8);
    assert_eq!(found(&problem(4, &star, chunks)), ("lengths", 100 + 8 * 6 * 1000 / 4));
}

#[test]
fn nothing_to_do_takes_no_time() {
    let nobody = Collective::pairs("permutation", &[]);
    assert_eq!(found(&problem(2, &[(0, 1, 1, 1)], nobody)).1, 0);
}
