//! Each rule of the file format, broken exactly once: the verifier finds that and nothing else.

use kernel::{
    Channel, Collective, Message, Model, Network, NetworkData, Node, Op, Ports, Problem, Schedule, Switching, Transfer,
    Violation, verify,
};

/// A directed ring of `n` nodes: channel i leads from node i to node i + 1.
pub(super) fn ring(n: u32) -> NetworkData {
    NetworkData {
        name: format!("ring-uni:{n}"),
        nodes: n,
        channels: (0..n).map(|i| (i, (i + 1) % n)).collect(),
        ..NetworkData::default()
    }
}

/// A ring of `n` nodes with channels both ways: i → i + 1 is channel i, i + 1 → i channel n + i.
pub(super) fn both(n: u32) -> NetworkData {
    let mut parts = ring(n);
    parts.channels.extend((0..n).map(|i| ((i + 1) % n, i)));
    parts
}

pub(super) fn problem(parts: NetworkData, collective: Collective, model: Model) -> Problem {
    Problem::new(Network::new(parts).unwrap(), collective, model).unwrap()
}

pub(super) fn pairs(list: &[(u32, u32)]) -> Collective {
    Collective::pairs("permutation", &list.iter().map(|&(a, b)| (Node(a), Node(b))).collect::<Vec<_>>())
}

/// Steps of transfers `(messages, path)`.
pub(super) fn schedule(steps: &[&[(&[u32], &[u32])]]) -> Schedule {
    let mut schedule = Schedule::new();
    for step in steps {
        schedule.begin_step();
        for (messages, path) in *step {
            let messages: Vec<_> = messages.iter().map(|m| Message(*m)).collect();
            let path: Vec<_> = path.iter().map(|c| Channel(*c)).collect();
            schedule.push(Transfer::new(&messages, &path));
        }
    }
    schedule
}

pub(super) fn found(problem: &Problem, schedule: Schedule) -> Vec<Violation> {
    verify(problem, schedule).map_or_else(|r| r.violations().to_vec(), |_| Vec::new())
}

pub(super) fn exactly(problem: &Problem, steps: &[&[(&[u32], &[u32])]], expected: &[Violation]) {
    assert_eq!(found(problem, schedule(steps)), expected);
}

pub(super) fn undelivered(message: u32, node: u32) -> Violation {
    Violation::Undelivered { message: Message(message), node: Node(node) }
}

#[test]
fn a_right_schedule_has_none() {
    let p = problem(ring(4), pairs(&[(0, 2), (2, 0)]), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0, 1]), (&[1], &[2, 3])]], &[]);
}

#[test]
fn no_such_message() {
    let p = problem(ring(4), pairs(&[(0, 1)]), Model::wormhole());
    for message in [1, 7] {
        let expected = [Violation::NoSuchMessage { step: 0, transfer: 1, message: Message(message) }];
        exactly(&p, &[&[(&[0], &[0]), (&[message], &[1])]], &expected);
    }
}

#[test]
fn no_such_channel() {
    let p = problem(ring(4), pairs(&[(0, 1)]), Model::wormhole());
    let expected = [Violation::NoSuchChannel { step: 0, transfer: 0, channel: Channel(9) }, undelivered(0, 1)];
    exactly(&p, &[&[(&[0], &[9])]], &expected);
}

#[test]
fn no_message_and_empty_path() {
    let p = problem(ring(4), pairs(&[(0, 1)]), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0]), (&[], &[1])]], &[Violation::NoMessage { step: 0, transfer: 1 }]);
    exactly(&p, &[&[(&[0], &[0]), (&[0], &[])]], &[Violation::EmptyPath { step: 0, transfer: 1 }]);
}

#[test]
fn combined_without_combining() {
    let collective = pairs(&[(0, 1), (0, 1)]);
    let steps: &[&[(&[u32], &[u32])]] = &[&[(&[0, 1], &[0])]];
    let p = problem(ring(4), collective.clone(), Model::wormhole());
    exactly(&p, steps, &[Violation::Combined { step: 0, transfer: 0, count: 2 }]);
    let p = problem(ring(4), collective, Model { combining: true, ..Model::wormhole() });
    exactly(&p, steps, &[]);
    let twice = [Violation::MessageTwice { step: 0, transfer: 0, message: Message(0) }];
    exactly(&p, &[&[(&[0, 1, 0], &[0])]], &twice);
}

#[test]
fn broken_path() {
    let p = problem(ring(4), pairs(&[(0, 2)]), Model::wormhole());
    let broken =
        Violation::BrokenPath { step: 0, transfer: 0, position: 1, channel: Channel(2), at: Node(1), leaves: Node(2) };
    exactly(&p, &[&[(&[0], &[0, 2])]], &[broken, undelivered(0, 2)]);
}

#[test]
fn channel_twice() {
    let wide = NetworkData { capacities: Some(vec![2; 4]), ..ring(4) };
    let p = problem(wide, pairs(&[(0, 1)]), Model::wormhole());
    let expected = [Violation::ChannelTwice { step: 0, transfer: 0, channel: Channel(0) }];
    exactly(&p, &[&[(&[0], &[0, 1, 2, 3, 0])]], &expected);
}

#[test]
fn switches_neither_send_nor_receive() {
    // 0 → 1 → 2 → 3 → 0 where 1 is a switch; the second transfer begins, the third ends there.
    let parts = NetworkData { terminals: Some(vec![0, 2, 3]), ..ring(4) };
    let p = problem(parts, pairs(&[(0, 2), (3, 0)]), Model::wormhole());
    let good: &[(&[u32], &[u32])] = &[(&[0], &[0, 1]), (&[1], &[3])];
    exactly(&p, &[good], &[]);
    let ends = Violation::EndsAtSwitch { step: 1, transfer: 0, node: Node(1) };
    let begins = Violation::BeginsAtSwitch { step: 2, transfer: 0, node: Node(1) };
    exactly(&p, &[good, &[(&[0], &[0])], &[(&[0], &[1])]], &[ends, begins]);
}

#[test]
fn passes_through_a_host() {
    let parts = NetworkData { no_transit: vec![1], ..ring(4) };
    let p = problem(parts, pairs(&[(0, 1), (0, 2)]), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0])], &[(&[1], &[0])], &[(&[1], &[1])]], &[]);
    let through = Violation::PassesThrough { step: 0, transfer: 0, node: Node(1) };
    exactly(&p, &[&[(&[1], &[0, 1])], &[(&[0], &[0])]], &[through]);
}

#[test]
fn store_and_forward_takes_one_hop() {
    let p = problem(ring(4), pairs(&[(0, 2)]), Model::store_and_forward());
    exactly(&p, &[&[(&[0], &[0])], &[(&[0], &[1])]], &[]);
    exactly(&p, &[&[(&[0], &[0, 1])]], &[Violation::NotOneHop { step: 0, transfer: 0, hops: 2 }]);
}

#[test]
fn capacity() {
    let p = problem(ring(4), pairs(&[(0, 1), (0, 2), (0, 3)]), Model::wormhole());
    let steps: &[&[(&[u32], &[u32])]] = &[&[(&[0], &[0]), (&[1], &[0, 1]), (&[2], &[0, 1, 2])]];
    let overloaded =
        |channel, used| Violation::ChannelOverloaded { step: 0, channel: Channel(channel), used, capacity: 1 };
    exactly(&p, steps, &[overloaded(0, 3), overloaded(1, 2)]);
    let p = problem(
        NetworkData { capacities: Some(vec![3, 2, 1, 1]), ..ring(4) },
        p.collective().clone(),
        Model::wormhole(),
    );
    exactly(&p, steps, &[]);
}

#[test]
fn half_duplex() {
    let parts = NetworkData { half_duplex: vec![vec![0, 4]], ..both(4) };
    let p = problem(parts, pairs(&[(0, 1), (1, 0)]), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0])], &[(&[1], &[4])]], &[]);
    let busy = Violation::HalfDuplex { step: 0, group: 0, first: Channel(0), second: Channel(4) };
    exactly(&p, &[&[(&[0], &[0]), (&[1], &[4])]], &[busy]);
}

#[test]
fn ports() {
    let one = NetworkData { send_ports: Ports::Each(1), ..both(4) };
    let p = problem(one, pairs(&[(0, 1), (0, 3)]), Model::wormhole());
    let steps: &[&[(&[u32], &[u32])]] = &[&[(&[0], &[0]), (&[1], &[7])]];
    exactly(&p, steps, &[Violation::SendPorts { step: 0, node: Node(0), used: 2, ports: 1 }]);
    let one = NetworkData { receive_ports: Ports::List(vec![Some(2), Some(1), None, Some(2)]), ..both(4) };
    let p = problem(one, pairs(&[(0, 1), (2, 1)]), Model::wormhole());
    let receives = Violation::ReceivePorts { step: 0, node: Node(1), used: 2, ports: 1 };
    exactly(&p, &[&[(&[0], &[0]), (&[1], &[5])]], &[receives]);
}

#[test]
fn what_is_not_held_cannot_be_sent() {
    let p = problem(ring(4), Collective::broadcast(Node(0), &[Node(1), Node(2)]), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0])], &[(&[0], &[1])]], &[]);
    // Node 1 is informed in the very step in which it sends.
    let early = Violation::NotHeld { step: 0, transfer: 1, node: Node(1), message: Message(0) };
    exactly(&p, &[&[(&[0], &[0]), (&[0], &[1])]], &[early, undelivered(0, 2)]);
}

#[test]
fn a_wide_message_is_followed_too() {
    let all: Vec<_> = (0..100).map(Node).collect();
    let p = problem(ring(100), Collective::broadcast(Node(0), &all), Model::wormhole());
    let claim = |hops: u32| (0..hops).map(|i| vec![(Message(0), vec![Channel(i)])]).collect::<Schedule>();
    assert_eq!(found(&p, claim(99)), []);
    assert_eq!(found(&p, claim(98)), [undelivered(0, 99)]);
}

#[test]
fn reduce_counts_each_contribution_once() {
    let all: Vec<_> = (0..4).map(Node).collect();
    let p = problem(ring(4), Collective::reduce(Node(3), &all), Model::wormhole());
    exactly(&p, &[&[(&[0], &[0])], &[(&[0], &[1])], &[(&[0], &[2])]], &[]);
    let twice =
        Violation::CountedTwice { step: 2, transfer: 0, node: Node(3), message: Message(0), contributor: Node(2) };
    exactly(&p, &[&[(&[0], &[0]), (&[0], &[2])], &[(&[0], &[1])], &[(&[0], &[2])]], &[twice]);
    let incomplete = Violation::Incomplete { message: Message(0), node: Node(3), contributor: Node(0) };
    exactly(&p, &[&[(&[0], &[1])], &[(&[0], &[2])]], &[incomplete]);
}

#[test]
fn allreduce_copies_the_result_back() {
    let all: Vec<_> = (0..3).map(Node).collect();
    let p = problem(ring(3), Collective::allreduce(&all), Model::wormhole());
    let mut claim = schedule(&[&[(&[0], &[0])], &[(&[0], &[1])]]);
    for channel in [2, 0] {
        claim.begin_step();
        claim.push(Transfer { op: Op::Copy, ..Transfer::new(&[Message(0)], &[Channel(channel)]) });
    }
    assert_eq!(found(&p, claim), []);
}

#[test]
fn partial_results_kept_apart_are_taken_by_their_numbers() {
    // On a line of three nodes and back, the middle tells each end of the other, and all merge at home: two steps.
    let line = NetworkData { nodes: 3, channels: vec![(0, 1), (2, 1), (1, 0), (1, 2)], ..NetworkData::default() };
    let all: Vec<_> = (0..3).map(Node).collect();
    let p = problem(line, Collective::allreduce(&all), Model::wormhole());
    let claim = |op: Op, left: &[u32], right: &[u32]| {
        let mut claim = schedule(&[&[(&[0], &[0]), (&[0], &[1])]]);
        claim.begin_step();
        claim.push(Transfer { partials: left, op, ..Transfer::new(&[Message(0)], &[Channel(2)]) });
        claim.push(Transfer { partials: right, op, ..Transfer::new(&[Message(0)], &[Channel(3)]) });
        found(&p, claim)
    };
    assert_eq!(claim(Op::Reduce, &[0, 2], &[1, 0]), []);
    let missing = |node, contributor| Violation::Incomplete {
        message: Message(0),
        node: Node(node),
        contributor: Node(contributor),
    };
    assert_eq!(claim(Op::Reduce, &[2], &[1]), [missing(0, 1), missing(2, 1)]);
    assert_eq!(claim(Op::Keep, &[0, 2], &[1, 0]), [missing(0, 1), missing(2, 0)]);
    let (step, message) = (1, Message(0));
    let twice = Violation::CountedTwice { step, transfer: 0, node: Node(1), message, contributor: Node(2) };
    assert_eq!(claim(Op::Reduce, &[0, 2, 2], &[1, 0])[..1], [twice]);
    let none = Violation::NoSuchPartial { step, transfer: 1, node: Node(1), message, partial: 3 };
    assert_eq!(claim(Op::Reduce, &[0, 2], &[0, 3]), [none, missing(2, 0)]);
    // What comes in a step may be taken from the next on.
    let mut early = schedule(&[&[(&[0], &[1])]]);
    early.push(Transfer { partials: &[1], ..Transfer::new(&[Message(0)], &[Channel(2)]) });
    let early = found(&p, early);
    assert_eq!(early[0], Violation::NoSuchPartial { step: 0, transfer: 1, node: Node(1), message, partial: 1 });
}

#[test]
fn several_messages_share_the_partial_results_evenly() {
    let all: Vec<_> = (0..3).map(Node).collect();
    let model = Model { combining: true, ..Model::wormhole() };
    let p = problem(ring(3), Collective::allreduce(&all), model);
    let claim = |steps: &[(&[u32], u32, &[u32])], p: &Problem| {
        let mut claim = Schedule::new();
        for (messages, channel, partials) in steps {
            let messages: Vec<Message> = messages.iter().copied().map(Message).collect();
            claim.begin_step();
            claim.push(Transfer { partials, ..Transfer::new(&messages, &[Channel(*channel)]) });
        }
        found(p, claim)
    };
    // Node 2 gets two contributions apart in one step, and node 0 another one from it that node 1 has not.
    let apart: [(&[u32], u32, &[u32]); 4] =
        [(&[0], 0, &[0]), (&[0, 0], 1, &[0, 1]), (&[0, 0], 2, &[0, 1]), (&[0], 0, &[1])];
    assert_eq!(claim(&apart, &p), []);
    let single = problem(ring(3), Collective::allreduce(&all), Model::wormhole());
    assert_eq!(claim(&apart, &single)[0], Violation::Combined { step: 1, transfer: 0, count: 2 });
    let twice = |step| Violation::MessageTwice { step, transfer: 0, message: Message(0) };
    assert_eq!(claim(&[(&[0, 0], 0, &[])], &p)[0], twice(0));
    assert_eq!(claim(&[(&[0, 0], 0, &[0, 0])], &p)[0], twice(0));
    let merged = claim(&[apart[0], (&[0, 0], 1, &[0, 1, 0, 1])], &p);
    assert_eq!(merged[0], twice(1));
    // The first two are those of the first chunk.
    let two = problem(ring(3), Collective::allreduce(&all).in_chunks(2), model);
    let missing = |message, node, contributor| Violation::Incomplete {
        message: Message(message),
        node: Node(node),
        contributor: Node(contributor),
    };
    let lacks = [missing(0, 0, 1), missing(0, 1, 2), missing(1, 0, 1), missing(1, 1, 2)];
    assert_eq!(claim(&[(&[0, 1], 0, &[0, 0]), (&[0, 1], 1, &[0, 1, 1, 0])], &two), lacks);
    let uneven = Violation::PartialsOfSeveral { step: 0, transfer: 0, count: 2, partials: 3 };
    assert_eq!(claim(&[(&[0, 1], 0, &[0, 0, 0])], &two)[0], uneven);
    // Copies have no parts, so there is nothing that is chosen.
    let p = problem(ring(3), Collective::broadcast(Node(0), &all).in_chunks(2), model);
    let mut claim = schedule(&[]);
    claim.push(Transfer { partials: &[0], ..Transfer::new(&[Message(0), Message(1)], &[Channel(0)]) });
    claim.begin_step();
    claim.push(Transfer { partials: &[0], ..Transfer::new(&[Message(0), Message(1)], &[Channel(1)]) });
    assert!(verify(&p, claim).is_ok());
}

#[test]
fn who_contributes_nothing_has_nothing_to_send() {
    let p = problem(ring(4), Collective::reduce(Node(3), &[Node(2)]), Model::wormhole());
    let empty = Violation::NotHeld { step: 0, transfer: 0, node: Node(0), message: Message(0) };
    exactly(&p, &[&[(&[0], &[0]), (&[0], &[2])]], &[empty]);
}

#[test]
fn slots_of_a_cyclic_period_wrap_round() {
    let p = problem(ring(4), pairs(&[(0, 2), (1, 3)]), Model::tdm());
    // Message 0 uses channel 0 in slot 0 and channel 1 in slot 1; message 1 uses channel 1 in slot 0.
    exactly(&p, &[&[(&[0], &[0, 1]), (&[1], &[1, 2])], &[]], &[]);
    let clash = Violation::ChannelOverloaded { step: 1, channel: Channel(1), used: 2, capacity: 1 };
    exactly(&p, &[&[(&[0], &[0, 1])], &[(&[1], &[1, 2])]], &[clash]);
}

#[test]
fn slots_of_one_period_end_within_it() {
    let model = Model { switching: Switching::Tdm { hop: 2, cyclic: false }, combining: false };
    let p = problem(ring(4), pairs(&[(0, 2)]), model);
    exactly(&p, &[&[(&[0], &[0, 1])], &[], &[], &[], &[]], &[]);
    let late = Violation::AfterPeriod { step: 0, transfer: 0, ends: 4, period: 4 };
    exactly(&p, &[&[(&[0], &[0, 1])], &[], &[], &[]], &[late, undelivered(0, 2)]);
}

#[test]
fn a_relay_of_time_division_waits_for_its_message() {
    let collective = Collective::broadcast(Node(0), &[Node(1), Node(2)]);
    let p = problem(ring(4), collective, Model::tdm());
    exactly(&p, &[&[(&[0], &[0])], &[], &[(&[0], &[1])]], &[]);
    let early = Violation::NotHeld { step: 1, transfer: 0, node: Node(1), message: Message(0) };
    exactly(&p, &[&[(&[0], &[0])], &[(&[0], &[1])]], &[early, undelivered(0, 2)]);
}

#[test]
fn an_empty_schedule_of_an_empty_collective_is_right() {
    let p = problem(ring(4), pairs(&[]), Model::tdm());
    assert_eq!(found(&p, Schedule::new()), []);
}
