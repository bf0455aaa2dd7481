//! Random networks, and schedules of any collective on them, one transfer a step.

use kernel::{
    Channel, Collective, Message, Model, Network, NetworkData, Node, Op, Ports, Problem, Schedule, Semantics,
    Switching, Transfer, Verified, verify,
};
use proptest::prelude::*;
use std::collections::VecDeque;

/// Names a user might give: blanks, quotes, signs of the formats' grammars, letters of other scripts.
pub fn name() -> impl Strategy<Value = String> {
    "[a-z0-9 \"\\\\<>&,;#:{}\\[\\]=é→-]{1,8}"
}

/// A ring, so that all is connected, with further channels, and a field of each kind now and then.
pub fn network() -> impl Strategy<Value = Network> {
    (2u32..9).prop_flat_map(|n| {
        let nodes = n as usize;
        let channels = prop::collection::vec((0..n, 0..n), 0..12);
        let labels = prop::option::of(prop::collection::vec(name(), nodes));
        let ports = || {
            prop_oneof![
                Just(Ports::All),
                (1u32..4).prop_map(Ports::Each),
                prop::collection::vec(prop::option::weighted(0.8, 1u32..4), nodes).prop_map(Ports::List)
            ]
        };
        let capacities = prop::option::of(prop::collection::vec(1u32..5, nodes + 12));
        let half = prop::collection::btree_set(0..n, 0..3);
        (name(), channels, labels, capacities, half, ports(), ports(), prop::bool::ANY).prop_map(
            move |(name, more, labels, capacities, half, send_ports, receive_ports, named)| {
                let mut channels: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
                channels.extend(more.into_iter().filter(|(a, b)| a != b));
                let labels = labels.map(|l| l.into_iter().zip(0..).map(|(l, at)| format!("{l}{at}")).collect());
                // Channels that leave the same node: no shortest path uses two of them.
                let leaving =
                    |v: u32| (0u32..).zip(&channels).filter(move |(_, ends)| ends.0 == v).map(|(c, _)| c).collect();
                let half_duplex = half.into_iter().map(leaving).collect();
                let parts = NetworkData {
                    name,
                    nodes: n,
                    labels,
                    ids: None,
                    positions: named.then(|| (0..n).map(|v| (i64::from(v) * 1_250_000, -3)).collect()),
                    terminals: named.then(|| (0..n).collect()),
                    relays: Vec::new(),
                    no_transit: Vec::new(),
                    capacities: capacities.map(|c| c[..channels.len()].to_vec()),
                    channels,
                    half_duplex,
                    send_ports,
                    receive_ports,
                };
                Network::new(parts).expect("sound")
            },
        )
    })
}

/// The channels of a shortest path.
fn path(network: &Network, from: Node, to: Node) -> Vec<Channel> {
    let mut by: Vec<Option<Channel>> = vec![None; network.node_count()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if next != from && by[next.index()].is_none() {
                by[next.index()] = Some(channel);
                queue.push_back(next);
            }
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let channel = by[at.index()].expect("connected");
        path.push(channel);
        at = network.from(channel);
    }
    path.reverse();
    path
}

/// One transfer a step: contributions to the first destination, then copies from there to the others.
pub fn one_by_one(problem: Problem) -> Verified {
    let (network, collective) = (problem.network(), problem.collective());
    let mut claim = Schedule::new();
    let mut send = |message: Message, from: Node, to: Node, op: Op, partials: &[u32]| {
        let path = path(network, from, to);
        let pieces: Vec<&[Channel]> = match problem.model().switching {
            Switching::StoreAndForward => path.chunks(1).collect(),
            _ => vec![&path],
        };
        let single = pieces.len() == 1;
        for piece in pieces.into_iter().filter(|p| !p.is_empty()) {
            claim.begin_step();
            let partials = if single { partials } else { &[] };
            claim.push(Transfer { op, partials, ..Transfer::new(&[message], piece) });
            if let Switching::Tdm { hop, .. } = problem.model().switching {
                // Nothing else is injected before it is absorbed.
                (0..piece.len() * hop as usize).for_each(|_| claim.begin_step());
            }
        }
    };
    for message in collective.messages() {
        let to = collective.destinations(message);
        for &from in collective.contributors(message) {
            // That everybody's own part is named says nothing new.
            let own: &[u32] = if collective.semantics() == Semantics::Reduce { &[0] } else { &[] };
            send(message, from, to[0], Op::Reduce, own);
        }
        for &other in &to[1..] {
            let (from, op) = match collective.semantics() {
                Semantics::Copy => (collective.origin(message), Op::Reduce),
                Semantics::Reduce => (to[0], Op::Copy),
            };
            send(message, from, other, op, &[]);
        }
    }
    verify(&problem, claim).expect("one transfer a step collides with nothing")
}

/// A problem of any collective and model, solved one transfer a step.
pub fn verified() -> impl Strategy<Value = Verified> {
    (network(), 0..6usize, 0..3usize, prop::bool::ANY).prop_map(|(network, which, switching, combining)| {
        let all = network.terminals();
        let root = all[all.len() - 1];
        let collective = match which {
            0 => Collective::broadcast(root, all),
            1 => Collective::alltoall(all, all),
            2 => Collective::gather(root, all),
            3 => Collective::reduce(root, all),
            4 => Collective::allgather(all, all),
            _ => Collective::allreduce(all),
        };
        let reduces = collective.semantics() == Semantics::Reduce;
        let switching = match switching {
            1 if !reduces => Switching::StoreAndForward,
            2 => Switching::Tdm { hop: 2, cyclic: true },
            _ => Switching::Wormhole,
        };
        one_by_one(Problem::new(network, collective, Model { switching, combining }).expect("well posed"))
    })
}
