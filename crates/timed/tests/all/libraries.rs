//! What libraries do, in time: right on whatever network, and as fast as the formulas of the literature where nothing is in the way.

use kernel::timed::{Links, TimedProblem, Units, VerifiedTimed};
use kernel::{Collective, Network, NetworkData, Node, Ports, Rational, Semantics};
use proptest::prelude::*;
use run::{Run, Settings, Silent, TimedMethod};
use std::sync::atomic::AtomicBool;
use timed::libraries::{
    BINARY_TREE, BINOMIAL, BRUCK, DIRECT, DOUBLING, LibraryAlgorithm, NCCL_RING, NCCL_TREE, OnChannels, PAIRWISE,
    RABENSEIFNER, RING, retimed,
};

const ALL: [&LibraryAlgorithm; 8] =
    [&RING, &BINARY_TREE, &BINOMIAL, &DOUBLING, &RABENSEIFNER, &BRUCK, &PAIRWISE, &DIRECT];

/// A chunk takes 100 ticks at 10 GB/s.
const CHUNK: u64 = 1000;

fn problem(network: NetworkData, links: Links, collective: &Collective, chunk: u64) -> TimedProblem {
    let units = Units { chunk_bytes: Rational::whole(chunk), tick_us: Rational::new(1, 1000) };
    TimedProblem::new(Network::new(network).unwrap(), collective.clone(), false, links, units).unwrap()
}

/// So many terminals on one switch, 10 GB/s and 30 ticks a channel.
fn star(count: u32, collective: &Collective) -> TimedProblem {
    let channels: Vec<_> = (0..count).flat_map(|v| [(v, count), (count, v)]).collect();
    let links = Links {
        bandwidth: vec![Rational::whole(10); channels.len()],
        latency: vec![Rational::new(30, 1000); channels.len()],
        ..Links::default()
    };
    let stores = (0..count).collect::<Vec<_>>();
    let network = NetworkData {
        nodes: count + 1,
        terminals: Some(stores.clone()),
        no_transit: stores,
        channels,
        ..NetworkData::default()
    };
    problem(network, links, collective, CHUNK)
}

fn played(method: &dyn TimedMethod, problem: &TimedProblem) -> VerifiedTimed {
    let stop = AtomicBool::new(false);
    assert_eq!(method.declines(problem), None, "{}", method.name());
    let claim = method.schedule(problem, 0, &Run::new(Settings::default(), &Silent, &stop)).unwrap();
    claim.verify(problem).unwrap_or_else(|why| panic!("{} of {}: {why:?}", method.name(), problem.collective().name()))
}

/// So many machines of four terminals, joined inside by a switch of 40 GB/s; every terminal has 5 GB/s to its rail's switch.
fn machines(count: u32, collective: &Collective) -> TimedProblem {
    let terminals = 4 * count;
    let joined = (0..terminals).flat_map(|v| [(v, terminals + v / 4, 40), (v, terminals + count + v % 4, 5)]);
    let both: Vec<(u32, u32, u64)> =
        joined.flat_map(|(v, switch, rate)| [(v, switch, rate), (switch, v, rate)]).collect();
    let links = Links { bandwidth: both.iter().map(|c| Rational::whole(c.2)).collect(), ..Links::default() };
    let stores = (0..terminals).collect::<Vec<_>>();
    let network = NetworkData {
        nodes: terminals + count + 4,
        terminals: Some(stores.clone()),
        no_transit: stores,
        channels: both.iter().map(|c| (c.0, c.1)).collect(),
        ..NetworkData::default()
    };
    problem(network, links, collective, CHUNK)
}

fn all(count: u32) -> Vec<Node> {
    (0..count).map(Node).collect()
}

/// Every collective that has a size, among the first nodes.
fn collectives(count: u32, root: u32) -> Vec<Collective> {
    let (nodes, root) = (all(count), Node(root % count));
    vec![
        Collective::broadcast(root, &nodes),
        Collective::scatter(root, &nodes),
        Collective::gather(root, &nodes),
        Collective::reduce(root, &nodes),
        Collective::allgather(&nodes, &nodes),
        Collective::alltoall(&nodes, &nodes),
        Collective::reduce_scatter(&nodes, &nodes),
        Collective::allreduce(&nodes),
    ]
}

#[test]
fn channels_of_nccl_use_all_network_cards() {
    // 16 blocks of 32 chunks (allreduce: a vector of 128), 200 ticks a chunk on a card.
    let nodes = all(16);
    let ticks = |method: &LibraryAlgorithm, whole: &Collective, chunks: u32| {
        let problem = machines(4, &whole.in_chunks(chunks));
        assert!(chunks.is_multiple_of(method.chunks_are_multiples_of(&problem)), "{}", method.name());
        played(method, &problem).ticks()
    };
    let gather = Collective::allgather(&nodes, &nodes);
    let scatter = Collective::reduce_scatter(&nodes, &nodes);
    let reduce = Collective::allreduce(&nodes);
    for (whole, chunks) in
        [(&gather, 32), (&scatter, 32), (&reduce, 128), (&Collective::broadcast(Node(5), &nodes), 128)]
    {
        let [ring, rings] = [&RING, &NCCL_RING].map(|method| ticks(method, whole, chunks));
        assert!(3 * rings < 2 * ring, "{}: {rings}, {ring}", whole.name());
    }
    let [tree, trees] = [&BINARY_TREE, &NCCL_TREE].map(|method| ticks(method, &reduce, 128));
    assert!(3 * trees < 2 * tree, "{trees}, {tree}");
    // All that a card carries at least: of each ring 15 of 16 blocks, once (allgather) or twice.
    assert!(ticks(&NCCL_RING, &gather, 32) >= 15 * 32 / 4 * 200);
    assert!(ticks(&NCCL_RING, &reduce, 128) >= 2 * 15 * 128 / 16 / 4 * 200);
}

/// Libraries know no allreduce among ranks of which some contribute nothing, or receive nothing.
#[test]
fn an_allreduce_is_of_all_its_ranks() {
    let ends = ((0..8).map(Node).collect(), (4..12).map(Node).collect());
    let merged = Collective::new("allreduce", Semantics::Reduce, None, [ends]).unwrap().in_chunks(48);
    let problem = machines(3, &merged);
    for method in [&NCCL_RING, &NCCL_TREE, &RING, &BINARY_TREE, &DOUBLING, &RABENSEIFNER] {
        assert!(method.declines(&problem).unwrap().contains("not of all its ranks alike"), "{}", method.name());
    }
}

#[test]
fn without_machines_there_are_no_channels() {
    let star = star(4, &Collective::allreduce(&all(4)));
    assert_eq!(NCCL_RING.declines(&star).unwrap(), "there are no machines of several ranks");
    // A group of one rank a machine.
    let group = [0, 4, 8, 12].map(Node);
    assert!(NCCL_TREE.declines(&machines(4, &Collective::allreduce(&group))).is_some());
    // Two of each, of four.
    let group = [0, 2, 4, 6, 9, 11].map(Node);
    for whole in
        [Collective::allreduce(&group), Collective::allgather(&group, &group), Collective::broadcast(Node(9), &group)]
    {
        let problem = machines(3, &whole.in_chunks(24));
        assert!(NCCL_RING.chunks_are_multiples_of(&problem).is_multiple_of(2));
        assert!(played(&NCCL_RING, &problem).ticks() > 0);
    }
}

#[test]
fn a_switch_gives_the_times_of_the_literature() {
    // A message to any other rank takes two latencies of 30, and 100 ticks a chunk.
    let (alpha, chunk) = (60, 100);
    let ticks = |method: &dyn TimedMethod, count: u32, collective: &Collective| {
        let multiple = method.chunks_are_multiples_of(&star(count, collective));
        played(method, &star(count, &collective.in_chunks(multiple))).ticks()
    };
    for count in [4u32, 8, 16] {
        let (nodes, n, rounds) = (all(count), u64::from(count), u64::from(count.ilog2()));
        let gather = Collective::allgather(&nodes, &nodes);
        // Thakur, Rabenseifner and Gropp 2005, section 4.1.
        assert_eq!(ticks(&RING, count, &gather), (n - 1) * (alpha + chunk));
        assert_eq!(ticks(&DOUBLING, count, &gather), rounds * alpha + (n - 1) * chunk);
        assert_eq!(ticks(&BRUCK, count, &gather), rounds * alpha + (n - 1) * chunk);
        let scatter = Collective::reduce_scatter(&nodes, &nodes);
        assert_eq!(ticks(&DOUBLING, count, &scatter), rounds * alpha + (n - 1) * chunk);
        assert_eq!(ticks(&RING, count, &scatter), (n - 1) * (alpha + chunk));
        let exchange = Collective::alltoall(&nodes, &nodes);
        assert_eq!(ticks(&PAIRWISE, count, &exchange), (n - 1) * (alpha + chunk));
        assert_eq!(ticks(&BRUCK, count, &exchange), rounds * (alpha + n / 2 * chunk));
        // Nobody waits for anybody where all begin with another one.
        assert_eq!(ticks(&DIRECT, count, &exchange), alpha + (n - 1) * chunk);
        let reduce = Collective::allreduce(&nodes);
        assert_eq!(ticks(&DOUBLING, count, &reduce), rounds * (alpha + chunk));
        assert_eq!(ticks(&RABENSEIFNER, count, &reduce), 2 * rounds * alpha + 2 * (n - 1) * chunk);
        assert_eq!(ticks(&RING, count, &reduce), 2 * (n - 1) * (alpha + chunk));
        let broadcast = Collective::broadcast(Node(1), &nodes);
        assert_eq!(ticks(&BINOMIAL, count, &broadcast), rounds * (alpha + chunk));
    }
    // A chain of k chunks: as many chunks' times as chunks, and as ranks to pass on the last.
    let broadcast = Collective::broadcast(Node(2), &all(6)).in_chunks(10);
    assert_eq!(played(&RING, &star(6, &broadcast)).ticks(), 5 * (alpha + chunk) + 9 * chunk);
    // Down two trees at once no inner rank sends more than it gets, and the last gets the first chunk soon.
    let broadcast = star(32, &Collective::broadcast(Node(0), &all(32)).in_chunks(20));
    let [trees, chain] = [&BINARY_TREE, &RING].map(|method| played(method, &broadcast).ticks());
    assert!(trees < chain && trees >= 20 * chunk, "{trees} {chain}");
}

#[test]
fn played_again_a_schedule_takes_as_long_and_longer_in_larger_sizes() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    for whole in collectives(8, 3) {
        for method in ALL.iter().filter(|method| method.declines(&star(8, &whole)).is_none()) {
            let posed = star(8, &whole.in_chunks(method.chunks_are_multiples_of(&star(8, &whole))));
            let made = played(*method, &posed);
            let again = |posed: &TimedProblem| {
                retimed(&made, posed, OnChannels::AsBefore, &run).unwrap().verify(posed).unwrap().ticks()
            };
            assert!(again(&posed) <= made.ticks(), "{}", method.name());
            let larger = problem(posed.network().data().clone(), posed.links().clone(), posed.collective(), 2 * CHUNK);
            assert!(again(&larger) > again(&posed) && again(&larger) <= 2 * made.ticks(), "{}", method.name());
        }
    }
    let other = star(3, &Collective::allgather(&all(3), &all(3)));
    let made = played(&RING, &star(4, &Collective::allgather(&all(4), &all(4))));
    assert!(retimed(&made, &other, OnChannels::AsBefore, &run).is_none());
}

#[test]
fn what_has_no_room_waits_and_is_not_put_in_another_order() {
    // Through one port a node, direct sends of two others to one come one after the other.
    let gather = Collective::gather(Node(0), &all(3));
    let mut network = star(3, &gather).network().data().clone();
    network.receive_ports = Ports::Each(1);
    let posed = problem(network, star(3, &gather).links().clone(), &gather, CHUNK);
    assert_eq!(played(&DIRECT, &posed).ticks(), 60 + 200);
}

#[test]
fn what_an_algorithm_does_not_make_it_declines() {
    let (three, four) = (all(3), all(4));
    let declines = |method: &LibraryAlgorithm, problem: &TimedProblem| method.declines(problem).unwrap_or_default();
    let gather = star(3, &Collective::allgather(&three, &three));
    assert!(declines(&DOUBLING, &gather).contains("3 ranks are no power of two"));
    assert!(declines(&PAIRWISE, &gather).contains("it makes alltoall"));
    assert!(
        declines(&RING, &star(4, &Collective::allgather(&four, &four[..2]))).contains("not of all its ranks alike")
    );
    // One way only, and no way back.
    let line = NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() };
    let links = Links { bandwidth: vec![Rational::whole(1)], ..Links::default() };
    let posed = problem(line, links, &Collective::broadcast(Node(0), &all(2)), CHUNK);
    let never = AtomicBool::new(false);
    assert!(RING.schedule(&posed, 1, &Run::new(Settings::default(), &Silent, &never)).is_none());
    let slow = Links { bandwidth: vec![Rational::new(1, 1 << 60); 2], ..Links::default() };
    let pair = NetworkData { nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() };
    let posed = problem(pair, slow, &Collective::broadcast(Node(0), &all(2)), CHUNK);
    assert!(declines(&RING, &posed).contains("64 bits"));
    let stop = AtomicBool::new(true);
    let gather = star(4, &Collective::allgather(&four, &four));
    assert!(RING.schedule(&gather, 0, &Run::new(Settings::default(), &Silent, &stop)).is_none());
}

#[test]
fn channels_in_parallel_take_turns() {
    // Two channels each way: twice the chunks in a little more than the time.
    let channels = vec![(0, 1), (0, 1), (1, 0), (1, 0)];
    let network = NetworkData { nodes: 2, channels, ..NetworkData::default() };
    let links = Links { bandwidth: vec![Rational::whole(10); 4], ..Links::default() };
    let gather = Collective::allgather(&all(2), &all(2)).in_chunks(8);
    assert_eq!(played(&DIRECT, &problem(network, links, &gather, CHUNK)).ticks(), 400);
}

/// A ring of six nodes with other channels, of which the first are ranks.
#[derive(Clone, Debug)]
struct Drawn {
    network: NetworkData,
    links: Links,
    ranks: u32,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let channel = || (1..5u64, 0..50u64);
    let more = prop::collection::vec((0..6u32, 1..6u32, channel()), 0..10);
    let ring = prop::collection::vec(channel(), 6);
    (more, ring, 2..7u32, any::<bool>(), any::<bool>(), prop::option::of(1..3u32), prop::option::of(1..4u64)).prop_map(
        |(more, ring, ranks, stores, half, ports, reduce)| {
            let ring = (0..6u32).zip(ring).map(|(v, channel)| (v, (v + 1) % 6, channel));
            let all: Vec<_> = ring.chain(more.into_iter().map(|(v, by, channel)| (v, (v + by) % 6, channel))).collect();
            let network = NetworkData {
                nodes: 6,
                terminals: Some((0..ranks).collect()),
                no_transit: if stores { (0..ranks).collect() } else { Vec::new() },
                channels: all.iter().map(|(from, to, _)| (*from, *to)).collect(),
                // Some two channels share a wire.
                half_duplex: if half { vec![vec![0, all.len() as u32 - 1]] } else { Vec::new() },
                send_ports: ports.map_or(Ports::All, Ports::Each),
                receive_ports: ports.map_or(Ports::All, Ports::Each),
                ..NetworkData::default()
            };
            let links = Links {
                bandwidth: all.iter().map(|(.., (bandwidth, _))| Rational::whole(*bandwidth)).collect(),
                latency: all.iter().map(|(.., (_, latency))| Rational::new(*latency, 1000)).collect(),
                multicast: Vec::new(),
                reduce: reduce.map(Rational::whole),
            };
            Drawn { network, links, ranks }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_algorithm_is_right_on_random_networks(drawn in drawn(), root in 0..6u32, times in 1..3u32) {
        let stop = AtomicBool::new(false);
        let run = Run::new(Settings::default(), &Silent, &stop);
        for whole in collectives(drawn.ranks, root) {
            let pose = |collective: &Collective, chunk| {
                problem(drawn.network.clone(), drawn.links.clone(), collective, chunk)
            };
            let mut makers = 0;
            for method in ALL {
                if let Some(why) = method.declines(&pose(&whole, CHUNK)) {
                    prop_assert!(why.starts_with("it makes ") || why.ends_with("no power of two"), "{}", why);
                    continue;
                }
                makers += 1;
                let chunks = times * method.chunks_are_multiples_of(&pose(&whole, CHUNK));
                let posed = pose(&whole.in_chunks(chunks), CHUNK);
                prop_assert_eq!(method.declines(&posed), None);
                // A path may have both channels of a wire; then there is no such schedule.
                let Some(claim) = method.schedule(&posed, 0, &run) else {
                    prop_assert!(!drawn.network.half_duplex.is_empty());
                    continue;
                };
                let again = method.schedule(&posed, 0, &run);
                prop_assert_eq!(again.as_ref(), Some(&claim));
                let made = claim.verify(&posed);
                prop_assert!(made.is_ok(), "{} of {}: {:?}", method.name(), whole.name(), made);
                let made = made.unwrap();
                // Played in another size it is right, unless what is named by numbers comes in another order.
                let larger = pose(&whole.in_chunks(chunks), 7 * CHUNK);
                for order in [OnChannels::AsBefore, OnChannels::AsTheyCome] {
                    match retimed(&made, &larger, order, &run) {
                        None => prop_assert!(posed.merging() > 0),
                        Some(claim) => {
                            let right = claim.verify(&larger).is_ok();
                            prop_assert!(right || whole.semantics() == Semantics::Reduce, "{}", method.name());
                        }
                    }
                }
            }
            prop_assert!(makers > 0);
        }
    }
}
