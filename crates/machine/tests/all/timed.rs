//! Schedules in time: what holds of the critical path, of what channels carry, and of every replay, on random schedules.

use kernel::timed::{Links, TimedProblem, TimedSchedule, Timeline, Units, VerifiedTimed, verify};
use kernel::{
    Channel, Collective, Message, Network, NetworkData, Node, Op, Ports, Rational, Rejected, Transfer, Violation,
};
use machine::timed::critical::{Reason, critical_path};
use machine::timed::replay::{Disturbance, Replay, Replayed};
use machine::timed::usage::Usages;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// A transfer of a schedule that is being made.
#[derive(Clone, Debug)]
struct One {
    tick: u64,
    message: Message,
    path: Vec<Channel>,
    rate: Option<Rational>,
    op: Op,
}

/// The schedule of transfers, in the order of their ticks.
fn claim(ones: &[One]) -> TimedSchedule {
    let mut order: Vec<&One> = ones.iter().collect();
    order.sort_by_key(|one| one.tick);
    let mut claim = TimedSchedule::default();
    for one in order {
        if claim.times().last() != Some(&one.tick) {
            claim.begin_step(one.tick);
        }
        let transfer = Transfer { op: one.op, ..Transfer::new(std::slice::from_ref(&one.message), &one.path) };
        claim.push(transfer, one.rate, &[]);
    }
    claim
}

/// What networks of a kind may have.
#[derive(Clone, Copy)]
struct Kind {
    hops: usize,
    latency: u64,
    ports: bool,
    merging: bool,
    reduce: bool,
}

/// A random problem of a few nodes, ticks of a nanosecond and messages of some ten to hundred ticks.
fn problem(kind: Kind, random: &mut StdRng) -> TimedProblem {
    let nodes = random.random_range(2..5u32);
    let mut channels: Vec<(u32, u32)> = (0..nodes).flat_map(|v| [(v, (v + 1) % nodes), ((v + 1) % nodes, v)]).collect();
    channels.extend((0..random.random_range(0..3)).map(|_| (0, nodes - 1)));
    let pairs = (channels.len() / 2) as u32;
    let half_duplex = if random.random_bool(0.3) {
        (0..pairs).filter(|_| random.random_bool(0.5)).map(|pair| vec![2 * pair, 2 * pair + 1]).collect()
    } else {
        Vec::new()
    };
    let ports = |random: &mut StdRng| {
        if kind.ports && random.random_bool(0.3) { Ports::Each(random.random_range(1..3)) } else { Ports::All }
    };
    let (send_ports, receive_ports) = (ports(random), ports(random));
    let count = channels.len();
    let data = NetworkData { nodes, channels, half_duplex, send_ports, receive_ports, ..NetworkData::default() };
    let network = Network::new(data).unwrap();
    let bandwidths = [Rational::whole(1), Rational::whole(2), Rational::new(3, 2), Rational::whole(4)];
    let links = Links {
        bandwidth: (0..count).map(|_| *bandwidths.choose(random).unwrap()).collect(),
        latency: (0..count).map(|_| Rational::new(random.random_range(0..=kind.latency), 1000)).collect(),
        reduce: (kind.merging && random.random_bool(0.7)).then(|| Rational::whole(random.random_range(1..9))),
        ..Links::default()
    };
    let all = network.terminals().to_vec();
    let collective = if kind.reduce {
        Collective::allreduce(&all)
    } else if random.random_bool(0.5) {
        Collective::allgather(&all, &all)
    } else {
        Collective::broadcast(Node(0), &all)
    };
    let units = Units { chunk_bytes: Rational::whole(random.random_range(20..100)), tick_us: Rational::new(1, 1000) };
    TimedProblem::new(network, collective, false, links, units).unwrap()
}

/// Whether all that a claim lacks is what is still to be sent.
fn goes_on(rejected: &Rejected) -> bool {
    let missing = |v: &Violation| matches!(v, Violation::Undelivered { .. } | Violation::Incomplete { .. });
    rejected.violations().iter().all(missing)
}

/// Random transfers at random ticks, each kept where no rule is broken by it, until the problem is solved.
fn schedule(kind: Kind, random: &mut StdRng) -> Option<(Vec<One>, VerifiedTimed)> {
    let problem = problem(kind, random);
    let network = problem.network();
    let mut ones = Vec::new();
    let mut tick = 0;
    for _ in 0..400 {
        tick += random.random_range(0..12);
        let mut path: Vec<Channel> = vec![*network.channels().collect::<Vec<_>>().choose(random).unwrap()];
        while path.len() < kind.hops && random.random_bool(0.4) {
            let node = network.to(path[path.len() - 1]);
            let next: Vec<Channel> = network.channels().filter(|c| network.from(*c) == node).collect();
            path.push(*next.choose(random).unwrap());
        }
        let widest = path.iter().map(|c| problem.bandwidth(*c)).min().unwrap();
        let rate = random.random_bool(0.4).then(|| Rational::new(widest, random.random_range(1..4) * problem.scale()));
        let message = Message(random.random_range(0..problem.collective().message_count() as u32));
        let op = if kind.reduce && random.random_bool(0.4) { Op::Copy } else { Op::Reduce };
        ones.push(One { tick, message, path, rate, op });
        match verify(&problem, claim(&ones)) {
            Ok(verified) => return Some((ones, verified)),
            Err(rejected) if goes_on(&rejected) => {}
            Err(_) => drop(ones.pop()),
        }
    }
    None
}

/// So many schedules of a kind.
fn some(kind: Kind, count: usize) -> Vec<(Vec<One>, VerifiedTimed)> {
    let mut random = StdRng::seed_from_u64(kind.hops as u64 * 100 + kind.latency + u64::from(kind.reduce));
    let found: Vec<_> =
        std::iter::repeat_with(|| schedule(kind, &mut random)).take(6 * count).flatten().take(count).collect();
    assert_eq!(found.len(), count, "too few schedules come out");
    found
}

const SHORT: Kind = Kind { hops: 1, latency: 30, ports: true, merging: false, reduce: false };
const LONG: Kind = Kind { hops: 3, latency: 30, ports: true, merging: false, reduce: false };
const MERGED: Kind = Kind { hops: 2, latency: 20, ports: true, merging: true, reduce: true };
const FULL: Kind = Kind { hops: 1, latency: 0, ports: false, merging: false, reduce: false };

#[test]
fn a_replay_without_disturbance_is_not_longer() {
    let mut sooner = 0;
    for kind in [SHORT, LONG, MERGED, FULL] {
        for (_, verified) in some(kind, 20) {
            let written = verified.written_out().unwrap();
            let timeline = Timeline::new(&written);
            let replayed = Replay::new(&timeline, &Disturbance::default(), 1).run();
            for (at, sent) in timeline.sent().iter().enumerate() {
                assert!(
                    replayed.begin[at] <= sent.begin && replayed.end[at] <= sent.end,
                    "transfer {at} of {timeline:?}"
                );
            }
            assert!(replayed.ticks <= verified.ticks());
            assert_eq!(replayed.first_late(&timeline), None);
            sooner += usize::from(replayed.ticks < verified.ticks());
        }
    }
    assert!(sooner > 20, "random schedules leave gaps, and replays close them: {sooner}");
}

/// Copies over single hops of which none waits on its way can be claimed as they were replayed, and the checker agrees.
#[test]
fn a_replay_is_a_schedule() {
    let mut moved = 0;
    for kind in [SHORT, FULL] {
        for (ones, verified) in some(kind, 30) {
            let written = verified.written_out().unwrap();
            let timeline = Timeline::new(&written);
            let Replayed { begin, end, ticks } = Replay::new(&timeline, &Disturbance::default(), 1).run();
            if (timeline.sent().iter().enumerate()).any(|(at, sent)| end[at] - begin[at] > sent.end - sent.begin) {
                continue;
            }
            let mut order: Vec<&One> = ones.iter().collect();
            order.sort_by_key(|one| one.tick);
            let again: Vec<One> = order.iter().zip(begin).map(|(one, tick)| One { tick, ..(*one).clone() }).collect();
            assert_eq!(verify(verified.problem(), claim(&again)).unwrap().ticks(), ticks);
            moved += usize::from(ticks < verified.ticks());
        }
    }
    assert!(moved > 20, "{moved}");
}

/// With slow channels and jitter, what is on a channel at once fits into what is left of it; nothing gets faster.
#[test]
fn a_disturbed_replay_overloads_nothing() {
    for (_, verified) in some(FULL, 30) {
        let written = verified.written_out().unwrap();
        let timeline = Timeline::new(&written);
        let slow = vec![(Channel(0), 0.5), (Channel(1), 0.25)];
        let calm = Replay::new(&timeline, &Disturbance { slow: slow.clone(), jitter: 0.0 }, 1).run();
        let mut replay = Replay::new(&timeline, &Disturbance { slow, jitter: 0.5 }, 7);
        for _ in 0..5 {
            let replayed = replay.run();
            for (at, sent) in timeline.sent().iter().enumerate() {
                assert!(replayed.begin[at] >= calm.begin[at] && replayed.end[at] >= calm.end[at]);
                // One hop without latency: a transfer is on its channel from its beginning to its end.
                let channel = timeline.uses()[sent.uses.start].channel;
                let with = timeline.sent().iter().enumerate().filter(|(other, one)| {
                    timeline.uses()[one.uses.start].channel == channel
                        && (replayed.begin[*other]..replayed.end[*other]).contains(&replayed.begin[at])
                });
                let load: u64 = with.map(|(_, one)| one.rate).sum();
                assert!(load <= timeline.bandwidth(channel), "channel {channel}");
            }
        }
    }
}

/// A transfer of the path that begins a tick before its reason breaks a rule, and one that waits for nothing may begin sooner.
#[test]
fn reasons_are_reasons() {
    let (mut waits, mut busy) = (0, 0);
    for kind in [SHORT, LONG, FULL] {
        for (ones, verified) in some(kind, 30) {
            let written = verified.written_out().unwrap();
            let timeline = Timeline::new(&written);
            let path = critical_path(&timeline);
            let mut order: Vec<One> = ones.clone();
            order.sort_by_key(|one| one.tick);
            let moved = |at: usize, tick: u64| {
                let mut moved = order.clone();
                moved[at].tick = tick;
                verify(verified.problem(), claim(&moved))
            };
            let (first, last) = (path[0], path[path.len() - 1]);
            assert_eq!(first.waits, timeline.sent()[first.transfer].begin);
            assert_eq!(timeline.sent()[last.transfer].end, verified.ticks());
            for (at, link) in path.iter().enumerate() {
                let soonest = timeline.sent()[link.transfer].begin - link.waits;
                assert_eq!(link.reason == Reason::Nothing, at == 0);
                if soonest > 0 {
                    assert!(moved(link.transfer, soonest - 1).is_err(), "{link:?} of {timeline:?}");
                }
                // Over one hop nothing else can be in the way.
                if kind.hops == 1 {
                    assert!(moved(link.transfer, soonest).is_ok(), "{link:?} of {timeline:?}");
                }
                waits += usize::from(link.waits > 0);
                busy += usize::from(matches!(link.reason, Reason::Busy(_)));
            }
        }
    }
    assert!(waits > 20 && busy > 20, "{waits} {busy}");
}

/// Two messages over one channel of 1 GB/s, one after the other, and one beside it: by hand.
#[test]
fn a_pair_by_hand() {
    let data = NetworkData { nodes: 2, channels: vec![(0, 1), (0, 1), (1, 0)], ..NetworkData::default() };
    let network = Network::new(data).unwrap();
    let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(3);
    let latency = vec![Rational::new(5, 1000), Rational::whole(0), Rational::whole(0)];
    let links = Links { bandwidth: vec![Rational::whole(1); 3], latency, ..Links::default() };
    let units = Units { chunk_bytes: Rational::whole(100), tick_us: Rational::new(1, 1000) };
    let problem = TimedProblem::new(network, collective, false, links, units).unwrap();
    let one = |tick, message, channel| One {
        tick,
        message: Message(message),
        path: vec![Channel(channel)],
        rate: None,
        op: Op::Reduce,
    };
    let verified = verify(&problem, claim(&[one(0, 0, 0), one(110, 1, 0), one(0, 2, 1)])).unwrap();
    assert_eq!(verified.ticks(), 215);
    let written = verified.written_out().unwrap();
    let timeline = Timeline::new(&written);
    let path: Vec<(usize, u64)> = critical_path(&timeline).iter().map(|link| (link.transfer, link.waits)).collect();
    assert_eq!(path, [(0, 0), (2, 10)]);
    let usages = Usages::of(&timeline);
    let shares: Vec<f64> = usages.channels.iter().map(|usage| (usage.share * 215.0).round()).collect();
    assert_eq!((shares, (usages.average * 645.0).round()), (vec![200.0, 100.0, 0.0], 300.0));
    let run = |slow: &[(Channel, f64)]| {
        let disturbance = Disturbance { slow: slow.to_vec(), jitter: 0.0 };
        let replayed = Replay::new(&timeline, &disturbance, 1).run();
        (replayed.ticks, replayed.first_late(&timeline))
    };
    assert_eq!(run(&[]), (205, None));
    assert_eq!(run(&[(Channel(0), 0.5)]), (405, Some(0)));
    assert_eq!(run(&[(Channel(1), 0.25)]), (400, Some(1)));
    let jitter = Disturbance { slow: Vec::new(), jitter: 0.1 };
    let mut replay = Replay::new(&timeline, &jitter, 1);
    let times: Vec<u64> = (0..50).map(|_| replay.run().ticks).collect();
    assert!(
        times.iter().all(|ticks| (205..=228).contains(ticks)) && times.iter().any(|ticks| *ticks > 212),
        "{times:?}"
    );
    let mut again = Replay::new(&timeline, &jitter, 1);
    assert!(times.iter().all(|ticks| *ticks == again.run().ticks));
}
