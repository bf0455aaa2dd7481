//! No certificate is above any schedule: every set, pair and some weights, on small random problems with schedules filled in one after the other.

use super::{One, World, claim, one};
use kernel::timed::{TimedCertificate, TimedProblem, TimedProof, TimedRefused, certify, verify};
use kernel::{Channel, Collective, Message, Node, Rational, Semantics};
use proptest::prelude::*;
use std::collections::BTreeSet;

const NODES: u32 = 4;

/// What the kernel grants to a proof; nothing where it does not apply.
fn granted(problem: &TimedProblem, proof: TimedProof) -> u64 {
    match certify(problem, TimedCertificate { ticks: u64::MAX, proof }) {
        Err(TimedRefused::TooWeak { proves, .. }) => proves,
        Ok(_) => panic!("so much cannot be proved"),
        Err(_) => 0,
    }
}

/// Each message to each destination by itself, from the holder that comes first, along the path with fewest channels, as soon as its channels are idle.
fn filled(problem: &TimedProblem) -> Vec<(u64, One)> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut busy: Vec<Vec<(u64, u64)>> = vec![Vec::new(); network.channel_count()];
    let mut sent = Vec::new();
    for message in collective.messages() {
        let mut held = vec![(collective.origin(message), 0u64)];
        for &to in collective.destinations(message) {
            if held.iter().any(|(node, _)| *node == to) {
                continue;
            }
            let tries =
                held.iter().flat_map(|(from, since)| paths(problem, *from, to).into_iter().map(|p| (p, *since)));
            let (end, begin, path) = tries
                .map(|(path, since)| {
                    let slowest = path.iter().map(|c| problem.bandwidth(*c)).min().unwrap();
                    let lasts = problem.duration_in_units(1, slowest).unwrap();
                    let fits = |begin: u64| {
                        let mut at = begin;
                        path.iter().all(|c| {
                            let (from, until) = (at, at + lasts);
                            at += problem.latency(*c);
                            busy[unit(problem, *c)].iter().all(|(a, b)| until <= *a || *b <= from)
                        })
                    };
                    let begin = (since..).find(|begin| fits(*begin)).unwrap();
                    let all: u64 = path.iter().map(|c| problem.latency(*c)).sum();
                    (begin + all + lasts, begin, path)
                })
                .min()
                .unwrap();
            let mut at = begin;
            let latencies: u64 = path.iter().map(|c| problem.latency(*c)).sum();
            for channel in &path {
                busy[unit(problem, *channel)].push((at, at + (end - begin - latencies)));
                at += problem.latency(*channel);
            }
            held.push((to, end));
            sent.push((begin, one(message.0, &path.iter().map(|c| c.0).collect::<Vec<_>>())));
        }
    }
    sent.sort_by_key(|(begin, _)| *begin);
    sent
}

/// What is in use by one transfer at a time: a channel, or its half-duplex group.
fn unit(problem: &TimedProblem, channel: Channel) -> usize {
    let network = problem.network();
    network.groups_of(channel).next().map_or(channel.index(), |group| network.half_duplex()[group][0] as usize)
}

/// All paths of at most three channels that repeat no node, and no half-duplex group.
fn paths(problem: &TimedProblem, from: Node, to: Node) -> Vec<Vec<Channel>> {
    let network = problem.network();
    let (mut found, mut open) = (Vec::new(), vec![(vec![from], Vec::new())]);
    while let Some((nodes, path)) = open.pop() {
        let at = *nodes.last().unwrap();
        if at == to {
            let units: BTreeSet<usize> = path.iter().map(|c| unit(problem, *c)).collect();
            found.extend((units.len() == path.len()).then_some(path));
        } else if path.len() < 3 && (path.is_empty() || network.is_transit(at)) {
            for &channel in network.outgoing(at).iter().filter(|c| !nodes.contains(&network.to(**c))) {
                let mut longer: (Vec<Node>, Vec<Channel>) = (nodes.clone(), path.clone());
                longer.0.push(network.to(channel));
                longer.1.push(channel);
                open.push(longer);
            }
        }
    }
    found
}

fn channel() -> impl Strategy<Value = (u32, u32, u64, u64)> {
    (0..NODES, 1..NODES, 1..4u64, 0..40u64)
        .prop_map(|(from, by, bandwidth, latency)| (from, (from + by) % NODES, bandwidth, latency))
}

fn messages() -> impl Strategy<Value = Vec<(Vec<Node>, Vec<Node>)>> {
    let message = (0..NODES, 1..1u32 << NODES).prop_map(|(from, to)| {
        let to: Vec<Node> = (0..NODES).filter(|v| to >> v & 1 == 1 && *v != from).map(Node).collect();
        (vec![Node(from)], to)
    });
    prop::collection::vec(message.prop_filter("somebody receives", |(_, to)| !to.is_empty()), 1..6)
}

proptest! {
    #[test]
    fn no_bound_is_above_a_schedule(
        more in prop::collection::vec(channel(), 0..8),
        ring in prop::collection::vec((1..4u64, 0..40u64), NODES as usize),
        stores in prop::option::of(0..NODES),
        messages in messages(),
        weights in prop::collection::vec(0..4u64, 12),
        some in prop::collection::vec(prop::option::of(0..1u32 << NODES), 2),
        shared in prop::option::of((0..NODES, 1..NODES)),
    ) {
        let ring = (0..NODES).zip(ring).map(|(v, (bandwidth, latency))| (v, (v + 1) % NODES, bandwidth, latency));
        let channels: Vec<_> = ring.chain(more).collect();
        let mut world = World::new(NODES, &channels);
        world.network.no_transit = stores.into_iter().collect();
        let shared: Vec<Vec<u32>> = shared.map(|(one, by)| vec![one, (one + by) % NODES]).into_iter().collect();
        world.network.half_duplex = shared.clone();
        let collective = Collective::new("some", Semantics::Copy, None, messages).unwrap();
        let problem = world.problem(collective.clone());
        let sent = filled_or_stored(&problem);
        let ticks = verify(&problem, claim(&sent)).unwrap().ticks();
        let cuts = |set: u32| {
            let nodes = |set: u32| (0..NODES).filter(|v| set >> v & 1 == 1).map(Node).collect::<Vec<Node>>();
            let pairs = |some: &[Option<u32>]| {
                let (contributors, destinations) = (some[0].map(nodes), some[1].map(nodes));
                TimedProof::PairCut { nodes: nodes(set), contributors, destinations }
            };
            [TimedProof::LateCut { nodes: nodes(set) }, pairs(&[None, None]), pairs(&some)]
        };
        let mut proofs: Vec<TimedProof> = (0..1u32 << NODES).flat_map(cuts).collect();
        for (from, to) in (0..NODES).flat_map(|a| (0..NODES).map(move |b| (Node(a), Node(b)))).filter(|(a, b)| a != b) {
            proofs.push(TimedProof::Latency { from, to });
        }
        let weights = weights.iter().chain(&[1; 12]).take(channels.len()).map(|w| Rational::whole(*w)).collect();
        proofs.push(TimedProof::Lengths { weights });
        for proof in proofs {
            let granted = granted(&problem, proof.clone());
            prop_assert!(granted <= ticks, "{proof:?} proves {granted} of {ticks} on {channels:?}");
        }
        // Backwards in time every message is merged, in as many ticks.
        let turned: Vec<_> = channels.iter().map(|(from, to, bandwidth, latency)| (*to, *from, *bandwidth, *latency)).collect();
        let mut backwards = World::new(NODES, &turned);
        backwards.network.no_transit = stores.into_iter().collect();
        backwards.network.half_duplex = shared;
        let ends = |m: Message| (collective.destinations(m).to_vec(), vec![collective.origin(m)]);
        let merged: Vec<_> = collective.messages().map(ends).collect();
        let merged = backwards.problem(Collective::new("some", Semantics::Reduce, None, merged).unwrap());
        for proof in (0..1u32 << NODES).flat_map(cuts) {
            let granted = granted(&merged, proof.clone());
            prop_assert!(granted <= ticks, "{proof:?} proves {granted} of {ticks} backwards on {channels:?}");
        }
    }
}

/// Where the path must store, messages go to everybody, one hop after the other.
fn filled_or_stored(problem: &TimedProblem) -> Vec<(u64, One)> {
    let collective = problem.collective();
    let blocked = collective.messages().any(|m: Message| {
        collective.destinations(m).iter().any(|to| paths(problem, collective.origin(m), *to).is_empty())
    });
    if !blocked {
        return filled(problem);
    }
    let mut sent = Vec::new();
    let mut now = 0;
    for message in collective.messages() {
        let origin = collective.origin(message).0;
        for hop in 0..NODES - 1 {
            let channel = Channel((origin + hop) % NODES);
            let lasts = problem.duration_in_units(1, problem.bandwidth(channel)).unwrap();
            sent.push((now, one(message.0, &[channel.0])));
            now += lasts + problem.latency(channel);
        }
    }
    sent
}
