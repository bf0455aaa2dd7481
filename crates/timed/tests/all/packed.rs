//! Schedules in time: right on whatever network, and at the optimum where that is simple.

use kernel::timed::{Links, TimedProblem, Units};
use kernel::{Collective, Network, NetworkData, Node, Ports, Rational, Semantics};
use proptest::prelude::*;
use run::{Run, Settings, Silent, TimedMethod};
use std::sync::atomic::AtomicBool;
use timed::{TimedComposition, TimedOneShot, TimedRotation, TimedTrees, TimedWaves};

/// Channels `(from, to, GB/s, ns)`; the first nodes are terminals, which let nothing pass if `stores`.
pub(crate) fn problem(
    terminals: u32,
    stores: bool,
    channels: &[(u32, u32, u64, u64)],
    collective: Collective,
) -> TimedProblem {
    posed(terminals, stores, channels, collective, |_, _| {})
}

fn posed(
    terminals: u32,
    stores: bool,
    channels: &[(u32, u32, u64, u64)],
    collective: Collective,
    change: impl Fn(&mut NetworkData, &mut Links),
) -> TimedProblem {
    let nodes = channels.iter().map(|c| c.0.max(c.1) + 1).max().unwrap();
    let mut network = NetworkData {
        nodes,
        terminals: Some((0..terminals).collect()),
        no_transit: if stores { (0..terminals).collect() } else { Vec::new() },
        channels: channels.iter().map(|c| (c.0, c.1)).collect(),
        ..NetworkData::default()
    };
    let mut links = Links {
        bandwidth: channels.iter().map(|c| Rational::whole(c.2)).collect(),
        latency: channels.iter().map(|c| Rational::new(c.3, 1000)).collect(),
        ..Links::default()
    };
    change(&mut network, &mut links);
    let units = Units { chunk_bytes: Rational::whole(1000), tick_us: Rational::new(1, 1000) };
    TimedProblem::new(Network::new(network).unwrap(), collective, false, links, units).unwrap()
}

pub(crate) fn all(count: u32) -> Vec<Node> {
    (0..count).map(Node).collect()
}

/// Ticks of the schedule that is found, verified.
fn ticks(problem: &TimedProblem, floor: u64) -> u64 {
    let stop = AtomicBool::new(false);
    let claim = TimedTrees.schedule(problem, floor, &Run::new(Settings::default(), &Silent, &stop)).unwrap();
    claim.verify(problem).unwrap().ticks()
}

/// Every collective among some nodes, in so many chunks.
fn collectives(nodes: &[Node], chunks: u32) -> Vec<Collective> {
    let root = nodes[0];
    [
        Collective::broadcast(root, nodes),
        Collective::scatter(root, nodes),
        Collective::gather(root, nodes),
        Collective::reduce(root, nodes),
        Collective::allgather(nodes, nodes),
        Collective::alltoall(nodes, nodes),
        Collective::reduce_scatter(nodes, nodes),
        Collective::allreduce(nodes),
    ]
    .iter()
    .map(|whole| whole.in_chunks(chunks))
    .collect()
}

/// So many terminals on one switch.
fn star(count: u32) -> Vec<(u32, u32, u64, u64)> {
    (0..count).flat_map(|v| [(v, count, 10, 30), (count, v, 10, 30)]).collect()
}

#[test]
fn a_switch_is_kept_busy_to_the_end() {
    for count in [3, 4, 8, 16] {
        let others = u64::from(count) - 1;
        let exchange = problem(count, true, &star(count), Collective::alltoall(&all(count), &all(count)));
        assert_eq!(ticks(&exchange, others * 100 + 60), others * 100 + 60, "{count} terminals");
        let gather = problem(count, true, &star(count), Collective::allgather(&all(count), &all(count)));
        assert_eq!(ticks(&gather, others * 100 + 60), others * 100 + 60, "{count} terminals");
    }
}

#[test]
fn many_chunks_come_near_to_the_optimum_of_trees() {
    // A ring with channels both ways: 5 GB/s into each node for the chunks of 5 others, 200 ns each.
    let ring: Vec<_> = (0..6).flat_map(|v| [(v, (v + 1) % 6, 5, 10), ((v + 1) % 6, v, 5, 10)]).collect();
    let chunks = 64;
    let gather = problem(6, true, &ring, Collective::allgather(&all(6), &all(6)).in_chunks(chunks));
    let floor = u64::from(chunks) * 5 * 200 / 2;
    let found = ticks(&gather, floor);
    assert!(found >= floor && found <= floor + floor / 50, "{found} ticks, {floor} at least");
    let scatter = problem(6, true, &ring, Collective::reduce_scatter(&all(6), &all(6)).in_chunks(chunks));
    let found = ticks(&scatter, floor);
    assert!(found >= floor && found <= floor + floor / 50, "{found} ticks, {floor} at least");
}

#[test]
fn every_collective_is_right_on_a_narrow_network() {
    // Two switches with four terminals each, and a narrow link of another latency each way.
    let leaves = (0..8).flat_map(|v| [(v, 8 + v / 4, 10, 20), (8 + v / 4, v, 7, 35)]);
    let channels: Vec<_> = leaves.chain([(8, 9, 1, 300), (9, 8, 3, 250)]).collect();
    for collective in collectives(&all(8), 3) {
        for stores in [true, false] {
            assert!(ticks(&problem(8, stores, &channels, collective.clone()), 1) > 0, "{}", collective.name());
        }
    }
}

#[test]
fn what_it_does_not_know_it_declines() {
    let reduce = Collective::reduce(Node(0), &all(3));
    let with = |change: &dyn Fn(&mut NetworkData, &mut Links)| posed(3, true, &star(3), reduce.clone(), change);
    assert_eq!(TimedTrees.declines(&with(&|_, _| {})), None);
    assert!(TimedTrees.declines(&with(&|network, _| network.send_ports = Ports::Each(1))).unwrap().contains("ports"));
    assert!(
        TimedTrees
            .declines(&with(&|network, _| network.half_duplex = vec![vec![0, 1]]))
            .unwrap()
            .contains("half-duplex")
    );
    assert!(
        TimedTrees.declines(&with(&|_, links| links.reduce = Some(Rational::whole(1)))).unwrap().contains("merging")
    );
    let slow = with(&|_, links| links.bandwidth[0] = Rational { numerator: 1, denominator: 1 << 60 });
    assert!(TimedTrees.declines(&slow).unwrap().contains("64 bits"));
    let stop = AtomicBool::new(false);
    assert!(TimedTrees.schedule(&slow, 1, &Run::new(Settings::default(), &Silent, &stop)).is_none());
}

#[test]
fn merging_and_spreading_overlap() {
    // A ring of 6 with 5 GB/s each way: every chunk takes 10 transfers of 200 ns on 12 channels.
    let ring: Vec<_> = (0..6).flat_map(|v| [(v, (v + 1) % 6, 5, 10), ((v + 1) % 6, v, 5, 10)]).collect();
    let floor = 96 * 10 * 200 / 12;
    let found = ticks(&problem(6, true, &ring, Collective::allreduce(&all(6)).in_chunks(96)), floor);
    assert!(found >= floor && found <= floor + floor / 20, "{found} ticks, {floor} at least");
}

#[test]
fn an_allreduce_is_two_halves() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let ticks = |problem: &TimedProblem, floor| {
        TimedComposition.schedule(problem, floor, &run).unwrap().verify(problem).unwrap().ticks()
    };
    // Every chunk takes 5 transfers of 100 ns into each of 6 terminals, in either half, and two channels of 30 ns.
    let switch = problem(6, true, &star(6), Collective::allreduce(&all(6)).in_chunks(6));
    assert_eq!(ticks(&switch, 1000), 2 * (5 * 100 + 60));
    let ring: Vec<_> = (0..6).flat_map(|v| [(v, (v + 1) % 6, 5, 10), ((v + 1) % 6, v, 5, 10)]).collect();
    let floor = 96 * 10 * 200 / 12;
    let found = ticks(&problem(6, true, &ring, Collective::allreduce(&all(6)).in_chunks(96)), floor);
    assert!(found >= floor && found <= floor + floor / 20, "{found} ticks, {floor} at least");
    // Where channels have no opposites that are as fast, each half has trees of its own.
    let uneven: Vec<_> = ring.iter().map(|(from, to, ..)| (*from, *to, 5 + u64::from(from < to), 10)).collect();
    assert!(ticks(&problem(6, true, &uneven, Collective::allreduce(&all(6)).in_chunks(96)), floor) < 2 * floor);
    let gather = problem(4, true, &star(4), Collective::allgather(&all(4), &all(4)));
    assert!(TimedComposition.declines(&gather).unwrap().contains("allreduce"));
    assert!(TimedComposition.schedule(&gather, 1, &run).is_none());
}

#[test]
fn one_shot_takes_one_way() {
    let reduce = problem(4, true, &star(4), Collective::allreduce(&all(4)));
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Three contributions of 100 ns come into every node, after two latencies of 30 ns.
    assert_eq!(TimedOneShot.schedule(&reduce, 1, &run).unwrap().verify(&reduce).unwrap().ticks(), 360);
    let gather = problem(4, true, &star(4), Collective::allgather(&all(4), &all(4)));
    assert!(TimedOneShot.declines(&gather).unwrap().contains("reductions with several"));
    assert!(TimedOneShot.schedule(&gather, 1, &run).is_none());
}

#[test]
fn it_is_interrupted() {
    let stop = AtomicBool::new(true);
    let gather = problem(8, true, &star(8), Collective::allgather(&all(8), &all(8)));
    assert!(TimedTrees.schedule(&gather, 1, &Run::new(Settings::default(), &Silent, &stop)).is_none());
}

/// So many machines of some terminals each, which a switch of 40 GB/s joins inside; every terminal has 5 GB/s to its rail's switch. Those of a machine follow each
/// other by so many numbers.
fn machines(sizes: &[u32], step: u32) -> Vec<(u32, u32, u64, u64)> {
    let count: u32 = sizes.iter().sum();
    let (mut number, mut channels) = (0, Vec::new());
    for (machine, size) in (0..).zip(sizes) {
        for rail in 0..*size {
            let terminal = number * step % count;
            number += 1;
            for (switch, bandwidth) in [(count + machine, 40), (count + sizes.len() as u32 + rail, 5)] {
                channels.extend([(terminal, switch, bandwidth, 10), (switch, terminal, bandwidth, 10)]);
            }
        }
    }
    channels
}

#[test]
fn machines_send_in_rotation() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let ticks = |channels: &[(u32, u32, u64, u64)], collective: Collective, floor: u64| {
        let problem = problem(20, true, channels, collective);
        TimedRotation.schedule(&problem, floor, &run).unwrap().verify(&problem).unwrap().ticks()
    };
    // Five machines of four: 16 chunks of 200 ns come in by four channels, and the last ones spread in 25 ns each.
    let near = 16 * 200 / 4 + 2 * 10 + 3 * (25 + 20);
    let even = machines(&[4; 5], 1);
    for channels in [even.clone(), machines(&[4; 5], 7)] {
        assert!(ticks(&channels, Collective::allgather(&all(20), &all(20)), 800) <= near);
        assert!(ticks(&channels, Collective::reduce_scatter(&all(20), &all(20)), 800) <= near);
        assert!(ticks(&channels, Collective::allreduce(&all(20)).in_chunks(20), 1600) <= 2 * near);
        // 64 messages leave every machine; most change rails inside, and wait there for those before them.
        assert!(ticks(&channels, Collective::alltoall(&all(20), &all(20)), 3200) <= 2 * 3200 * 2 / 3);
    }
    // 15 chunks on each of four rails to five machines: 17 rounds, the latencies of two channels in each, the root's way to a rail, and what spreads in the end.
    for collective in [Collective::broadcast(Node(0), &all(20)), Collective::reduce(Node(7), &all(20))] {
        let taken = ticks(&even, collective.in_chunks(60), 3000);
        assert!(taken <= 17 * (200 + 20) + 4 * (25 + 20), "{taken}");
    }
    // A terminal without its own way out, and machines of different sizes.
    let damaged: Vec<_> = even.iter().copied().filter(|(from, to, ..)| *from + *to != 25).collect();
    assert!(damaged.len() < even.len());
    for channels in [damaged, machines(&[4, 4, 4, 5, 3], 3)] {
        for collective in collectives(&all(20), 1) {
            ticks(&channels, collective, 1);
        }
    }
}

#[test]
fn the_rarest_chunks_go_first() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Two machines of 16 round a switch each; every other terminal has a narrow channel to its twin, and takes turns with its neighbour to send and to receive.
    let mut channels = Vec::new();
    for (machine, first) in [(32, 0), (33, 16)] {
        channels.extend((first..first + 16).flat_map(|v| [(v, machine, 10, 140), (machine, v, 10, 140)]));
    }
    channels.extend((0..16).map(|v| if v % 2 == 0 { (v, v + 16, 1, 1040) } else { (v + 16, v, 1, 1040) }));
    for collective in [Collective::allgather(&all(32), &all(32)), Collective::reduce_scatter(&all(32), &all(32))] {
        let problem = problem(32, true, &channels, collective.in_chunks(2));
        let found = TimedRotation.schedule(&problem, 6480, &run).unwrap().verify(&problem).unwrap().ticks();
        // 62 chunks into every terminal that gets none from its twin, and the latencies of two channels.
        assert_eq!(found, 62 * 100 + 2 * 140);
    }
}

#[test]
fn sums_of_machines_cross_once() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let inside: Vec<_> = (0..8).flat_map(|v| [(v, 8 + v / 4, 40, 10), (8 + v / 4, v, 40, 10)]).collect();
    // Every terminal sends and receives by a switch between both machines; or two of each send, and two others receive.
    let both = (0..8).flat_map(|v| [(v, 10 + v % 4, 5, 400), (10 + v % 4, v, 5, 400)]);
    let apart = [(1, 4), (3, 6), (5, 0), (7, 2)].map(|(from, to)| (from, to, 5, 800));
    for (between, chunks) in [(both.collect::<Vec<_>>(), 4), (apart.to_vec(), 2)] {
        let channels = [&inside[..], &between].concat();
        let reduce = problem(8, true, &channels, Collective::allreduce(&all(8)).in_chunks(chunks));
        let taken = TimedOneShot.schedule(&reduce, 1, &run).unwrap().verify(&reduce).unwrap().ticks();
        // Three contributions of 25 ns come to where a chunk leaves its machine, it crosses in 200 ns, and three copies leave where it came in.
        assert_eq!(taken, 2 * (3 * 25 + 20) + 200 + 800);
    }
}

/// One half of an allreduce is not the other run backwards where others contribute than receive.
#[test]
fn who_receives_may_contribute_nothing() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let ends = ((0..8).map(Node).collect(), (4..14).map(Node).collect());
    let merged = Collective::new("allreduce", Semantics::Reduce, None, [ends]).unwrap().in_chunks(12);
    let problem = problem(20, true, &machines(&[4; 5], 1), merged);
    let methods: [&dyn TimedMethod; 5] = [&TimedRotation, &TimedComposition, &TimedTrees, &TimedOneShot, &TimedWaves];
    for method in methods {
        assert_eq!(method.declines(&problem), None, "{}", method.name());
        let claim = method.schedule(&problem, 1, &run).expect("it does not decline");
        assert!(claim.verify(&problem).is_ok(), "{}", method.name());
    }
}

#[test]
fn terminals_outside_a_group_send_only_what_they_have_received() {
    // Two of four terminals of each machine: the others pass chunks on, until a tree no longer leads through them.
    for (terminals, channels) in [(20, machines(&[4; 5], 1)), (8, machines(&[4; 2], 1))] {
        let group = [0, 1, 4, 5].map(Node);
        for chunks in [1, 9, 16] {
            for collective in collectives(&group, chunks) {
                ticks(&problem(terminals, true, &channels, collective), 1);
            }
        }
    }
}

#[test]
fn a_root_hands_each_chunk_on_once() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Four machines of four, in each of which two switches join terminals at 10 GB/s each: rails bring a chunk to another machine in 50 ns, and a root that handed it to
    // the three others of its machine itself would need 150.
    let mut channels = machines(&[4; 4], 1);
    channels.retain(|(from, to, ..)| !(16..20).contains(from) && !(16..20).contains(to));
    for terminal in 0..16u32 {
        for switch in [24 + terminal / 4, 28 + terminal / 4] {
            channels.extend([(terminal, switch, 10, 10), (switch, terminal, 10, 10)]);
        }
    }
    let (chunks, all) = (256, all(16));
    let floor = 50 * u64::from(chunks);
    for collective in [Collective::broadcast(Node(0), &all), Collective::reduce(Node(0), &all)] {
        let problem = problem(16, true, &channels, collective.in_chunks(chunks));
        let verified = TimedRotation.schedule(&problem, floor, &run).unwrap().verify(&problem).unwrap();
        assert!(verified.ticks() < 6 * floor / 5, "{} of {floor}", verified.ticks());
    }
}

/// What is early does not go before what is late: machines send and receive in the order of the rounds.
#[test]
fn streams_keep_their_rounds() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Eight machines of four; inside, switches of 12 and 8 GB/s a terminal, and a way out of 5 GB/s from each.
    let mut channels = machines(&[4; 8], 1);
    channels.retain(|(from, to, ..)| !(32..40).contains(from) && !(32..40).contains(to));
    for terminal in 0..32u32 {
        for (switch, bandwidth) in [(44 + terminal / 4, 12), (52 + terminal / 4, 8)] {
            channels.extend([(terminal, switch, bandwidth, 0), (switch, terminal, bandwidth, 0)]);
        }
    }
    let (chunks, all) = (256, all(32));
    // 64 chunks of 200 ns on each rail, and two rounds more to eight machines.
    let floor = 200 * 66;
    for collective in [Collective::broadcast(Node(0), &all), Collective::reduce(Node(0), &all)] {
        let problem = problem(32, true, &channels, collective.in_chunks(chunks));
        let verified = TimedRotation.schedule(&problem, floor, &run).unwrap().verify(&problem).unwrap();
        assert!(verified.ticks() < 10 * floor / 9, "{} of {floor}", verified.ticks());
    }
}

#[test]
fn waves_lose_no_more_than_their_trees_are_deep() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let ticks = |count: u32, channels: &[(u32, u32, u64, u64)], collective: Collective, floor: u64| {
        let problem = problem(count, true, channels, collective);
        TimedWaves.schedule(&problem, floor, &run).unwrap().verify(&problem).unwrap().ticks()
    };
    let chunks = 64u32;
    // A switch: all transfers of a wave side by side, each a seventh of a port, and no latency but that of the first.
    let floor = u64::from(chunks) * 700 + 60;
    for collective in [Collective::allgather(&all(8), &all(8)), Collective::reduce_scatter(&all(8), &all(8))] {
        let taken = ticks(8, &star(8), collective.in_chunks(chunks), floor);
        assert!(taken >= floor && taken < floor + floor / 1000, "{taken} of {floor}");
    }
    let both = ticks(8, &star(8), Collective::allreduce(&all(8)).in_chunks(8 * chunks), 2 * floor);
    assert!(both < 2 * floor + floor / 500, "{both} of {}", 2 * floor);
    // A ring both ways: a wave of two chunks takes 1000 ns, and the farthest node is three hops away, or five where chunks go one way round.
    let ring: Vec<_> = (0..6).flat_map(|v| [(v, (v + 1) % 6, 5, 10), ((v + 1) % 6, v, 5, 10)]).collect();
    let floor = u64::from(chunks) * 5 * 200 / 2;
    for collective in [Collective::allgather(&all(6), &all(6)), Collective::reduce_scatter(&all(6), &all(6))] {
        let taken = ticks(6, &ring, collective.in_chunks(chunks), floor);
        assert!(taken >= floor && taken <= floor + 4 * 1000 + 500, "{taken} of {floor}");
    }
    // Channels of unlike bandwidths: of three chunks two go by the wider one of two switches, so waves of three are full and waves of one or two are not.
    let unlike: Vec<_> =
        (0..4u32).flat_map(|v| [(v, 4, 20, 10), (4, v, 20, 10), (v, 5, 10, 10), (5, v, 10, 10)]).collect();
    let floor = 96 * 3 * 100 / 3;
    let taken = ticks(4, &unlike, Collective::allgather(&all(4), &all(4)).in_chunks(96), floor);
    assert!(taken >= floor && taken < floor + floor / 20, "{taken} of {floor}");
}

#[test]
fn waves_merge_before_they_spread_whoever_is_to_have_it() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Chunks merged at the same root for different others.
    let to = |m: u32| if m.is_multiple_of(2) { vec![Node(0), Node(1 + m % 3)] } else { vec![Node(2), Node(3)] };
    let messages = (0..12).map(|m| (all(4), to(m)));
    let several = Collective::new("several", Semantics::Reduce, None, messages).unwrap();
    let problem = problem(4, true, &star(4), several);
    assert!(TimedWaves.schedule(&problem, 1, &run).unwrap().verify(&problem).is_ok());
}

#[test]
fn chunks_finer_than_latencies_are_not_looked_at() {
    let stop = AtomicBool::new(false);
    let look = Run::new(Settings { ticks: run::ONE_LOOK, ..Settings::default() }, &Silent, &stop);
    // 15 chunks of 100 ns at the last node; a latency of 20 µs is longer than these.
    let far: Vec<_> = star(4).into_iter().map(|(from, to, bandwidth, _)| (from, to, bandwidth, 20_000)).collect();
    let problem = problem(4, true, &far, Collective::allgather(&all(4), &all(4)).in_chunks(5));
    assert!(TimedWaves.schedule(&problem, 41_500, &look).is_none());
    // Whoever asks for so many gets them.
    let run = Run::new(Settings::default(), &Silent, &stop);
    assert!(TimedWaves.schedule(&problem, 41_500, &run).unwrap().verify(&problem).is_ok());
}

#[test]
fn what_is_fast_goes_beside_what_has_to_be_slow() {
    // Both ranks get their chunks by one channel, the one at 1 GB/s, the other at 2, which is all of that channel.
    let channels = [(0, 3, 2, 0), (3, 1, 2, 0), (3, 2, 1, 0)];
    let scatter = |ranks: u32| Collective::scatter(Node(0), &all(ranks)).in_chunks(8);
    assert_eq!(ticks(&problem(3, true, &channels, scatter(3)), 8000), 8000);
    // Four ranks, one of which gets its chunks at a tenth of the channel, leave the others nine tenths.
    let channels = [(0, 5, 10, 0), (5, 1, 10, 0), (5, 2, 10, 0), (5, 3, 10, 0), (5, 4, 1, 0)];
    let taken = ticks(&problem(5, true, &channels, scatter(5)), 8000);
    assert_eq!(taken, 8000);
}

#[test]
fn without_machines_there_is_no_rotation() {
    let problem = problem(4, true, &star(4), Collective::allgather(&all(4), &all(4)));
    assert!(TimedRotation.declines(&problem).unwrap().contains("machines"));
    let stop = AtomicBool::new(true);
    let run = Run::new(Settings::default(), &Silent, &stop);
    assert!(TimedRotation.schedule(&problem, 1, &run).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn every_collective_is_right_on_random_networks(
        more in prop::collection::vec((0..6u32, 1..6u32, 1..5u64, 0..50u64), 0..10),
        ring in prop::collection::vec((1..5u64, 0..50u64), 6),
        terminals in 2..6u32,
        outside in 0..4u32,
        stores in any::<bool>(),
        chunks in 1..4u32,
    ) {
        let ring = (0..6).zip(ring).map(|(v, (bandwidth, latency))| (v, (v + 1) % 6, bandwidth, latency));
        let more = more.into_iter().map(|(from, by, bandwidth, latency)| (from, (from + by) % 6, bandwidth, latency));
        let channels: Vec<_> = ring.chain(more).collect();
        for collective in collectives(&all(terminals)[(outside.min(terminals - 2) as usize)..], chunks) {
            let problem = problem(terminals, stores, &channels, collective);
            // The same claim whenever it is asked for.
            prop_assert_eq!(ticks(&problem, 1), ticks(&problem, 1));
            let stop = AtomicBool::new(false);
            let run = Run::new(Settings::default(), &Silent, &stop);
            let others: [&dyn TimedMethod; 3] = [&TimedRotation, &TimedComposition, &TimedWaves];
            for claim in others.iter().filter_map(|method| method.schedule(&problem, 1, &run)) {
                prop_assert!(claim.verify(&problem).is_ok());
            }
            if TimedOneShot.declines(&problem).is_none() {
                prop_assert!(TimedOneShot.schedule(&problem, 1, &run).unwrap().verify(&problem).is_ok());
            }
        }
    }
}
