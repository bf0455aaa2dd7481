//! Each rule of schedules in time, broken exactly once beside a schedule that is right.

use super::{One, World, broken, fault, one, pairs, rational, ticks};
use kernel::timed::TimedFault;
use kernel::{Channel, Collective, Message, Node, Ports, Rational, Violation};

/// Two messages from node 0 to node 1, 100 ticks each, over a channel that takes 7 ticks.
fn two() -> (World, Collective) {
    (World::new(2, &[(0, 1, 1, 7)]), pairs(&[(0, 1), (0, 1)]))
}

#[test]
fn a_transfer_takes_its_latency_and_its_bytes() {
    let (world, collective) = two();
    assert_eq!(ticks(&world.problem(collective), &[(0, one(0, &[0])), (100, one(1, &[0]))]), 207);
}

#[test]
fn steps_begin_one_after_the_other() {
    let world = World::new(3, &[(0, 1, 1, 0), (1, 2, 1, 0)]);
    let problem = world.problem(pairs(&[(0, 1), (1, 2)]));
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (5, one(1, &[1]))]), 105);
    let disorder = TimedFault::Order { step: 1, tick: 4, before: 5 };
    assert_eq!(broken(&problem, &[(5, one(1, &[1])), (4, one(0, &[0]))]), fault(disorder));
}

#[test]
fn a_channel_carries_its_bandwidth() {
    let (world, collective) = two();
    let problem = world.problem(collective);
    let at = |tick| TimedFault::Bandwidth {
        tick,
        channel: Channel(0),
        used: Rational::whole(2),
        bandwidth: Rational::whole(1),
    };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (99, one(1, &[0]))]), fault(at(99)));
    // At rates that add up to the bandwidth, and to a little more.
    let slow =
        |message, numerator, denominator| One { rate: Some(rational(numerator, denominator)), ..one(message, &[0]) };
    assert_eq!(ticks(&problem, &[(0, slow(0, 2, 3)), (0, slow(1, 1, 3))]), 307);
    let over = TimedFault::Bandwidth {
        tick: 0,
        channel: Channel(0),
        used: rational(20001, 20000),
        bandwidth: Rational::whole(1),
    };
    assert_eq!(broken(&problem, &[(0, slow(0, 1, 2)), (0, slow(1, 10001, 20000))]), fault(over));
}

#[test]
fn what_is_used_again_and_again_is_told_each_time() {
    let world = World::new(2, &[(0, 1, 1, 0)]);
    let problem = world.problem(pairs(&[(0, 1); 4]));
    let found = broken(&problem, &[(0, one(0, &[0])), (50, one(1, &[0])), (200, one(2, &[0])), (250, one(3, &[0]))]);
    let ticks: Vec<u64> = found
        .iter()
        .map(|violation| match violation {
            Violation::Timed(TimedFault::Bandwidth { tick, .. }) => *tick,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(ticks, [50, 250]);
}

#[test]
fn later_channels_are_used_later() {
    // Both paths have channel 2; the one by way of channel 0 comes to it 30 ticks after its beginning.
    let world = World::new(4, &[(0, 1, 1, 30), (3, 1, 1, 0), (1, 2, 1, 5)]);
    let problem = world.problem(pairs(&[(0, 2), (3, 2)]));
    assert_eq!(ticks(&problem, &[(70, one(0, &[0, 2])), (200, one(1, &[1, 2]))]), 305);
    let at = TimedFault::Bandwidth {
        tick: 199,
        channel: Channel(2),
        used: Rational::whole(2),
        bandwidth: Rational::whole(1),
    };
    assert_eq!(broken(&problem, &[(70, one(0, &[0, 2])), (199, one(1, &[1, 2]))]), fault(at));
}

#[test]
fn half_duplex_channels_share_the_largest_bandwidth() {
    let mut world = World::new(2, &[(0, 1, 2, 0), (1, 0, 3, 0)]);
    world.network.half_duplex = vec![vec![0, 1]];
    let problem = world.problem(pairs(&[(0, 1), (1, 0)]));
    let slow = |message, channel, rate| One { rate: Some(Rational::whole(rate)), ..one(message, &[channel]) };
    assert_eq!(ticks(&problem, &[(0, slow(0, 0, 2)), (0, slow(1, 1, 1))]), 100);
    let shared = TimedFault::HalfDuplex { tick: 0, group: 0, used: Rational::whole(4), bandwidth: Rational::whole(3) };
    assert_eq!(broken(&problem, &[(0, slow(0, 0, 2)), (0, slow(1, 1, 2))]), fault(shared));
}

#[test]
fn ports_limit_transfers_at_one_time() {
    let mut world = World::new(3, &[(0, 1, 1, 9), (0, 2, 1, 0), (1, 2, 1, 0)]);
    world.network.send_ports = Ports::Each(1);
    let problem = world.problem(pairs(&[(0, 1), (0, 2)]));
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (100, one(1, &[1]))]), 200);
    let sends = TimedFault::SendPorts { tick: 99, node: Node(0), used: 2, ports: 1 };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (99, one(1, &[1]))]), fault(sends));

    let mut world = World::new(3, &[(0, 2, 1, 9), (1, 2, 1, 0)]);
    world.network.receive_ports = Ports::Each(1);
    let problem = world.problem(pairs(&[(0, 2), (1, 2)]));
    // What comes from node 0 arrives from tick 9 to tick 109.
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (109, one(1, &[1]))]), 209);
    let receives = TimedFault::ReceivePorts { tick: 108, node: Node(2), used: 2, ports: 1 };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (108, one(1, &[1]))]), fault(receives));
}

#[test]
fn a_rate_is_positive_fits_its_path_and_is_not_too_fine() {
    let world = World::new(3, &[(0, 1, 5, 0), (1, 2, 2, 0)]);
    let problem = world.problem(pairs(&[(0, 2)]));
    let at = |rate| [(0, One { rate: Some(rate), ..one(0, &[0, 1]) })];
    assert_eq!(ticks(&problem, &at(rational(3, 2))), 67);
    let above = TimedFault::Rate {
        step: 0,
        transfer: 0,
        rate: rational(5, 2),
        channel: Channel(1),
        bandwidth: Rational::whole(2),
    };
    let mut expected = fault(above);
    let over =
        TimedFault::Bandwidth { tick: 0, channel: Channel(1), used: rational(5, 2), bandwidth: Rational::whole(2) };
    expected.push(over.into());
    assert_eq!(broken(&problem, &at(rational(5, 2))), expected);
    let undelivered = Violation::Undelivered { message: Message(0), node: Node(2) };
    for rate in [rational(0, 3), rational(1, 0)] {
        let none = TimedFault::NoRate { step: 0, transfer: 0 };
        assert_eq!(broken(&problem, &at(rate)), [none.into(), undelivered.clone()]);
    }
    let fine = TimedFault::TooFine { step: 0, transfer: 0 };
    assert_eq!(broken(&problem, &at(rational(1, u64::MAX))), [fine.into(), undelivered]);
}

#[test]
fn time_has_an_end() {
    let (world, collective) = two();
    let problem = world.problem(collective);
    let late = u64::MAX - 107;
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (late, one(1, &[0]))]), u64::MAX);
    let long = TimedFault::TooLong { step: 1, transfer: 0 };
    let undelivered = Violation::Undelivered { message: Message(1), node: Node(1) };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (late + 1, one(1, &[0]))]), [long.into(), undelivered]);
}

#[test]
fn a_sender_holds_what_it_sends() {
    let world = World::new(3, &[(0, 1, 1, 7), (1, 2, 2, 0)]);
    let problem = world.problem(pairs(&[(0, 2)]));
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (107, one(0, &[1]))]), 157);
    let not_held = Violation::NotHeld { step: 1, transfer: 0, node: Node(1), message: Message(0) };
    let undelivered = Violation::Undelivered { message: Message(0), node: Node(2) };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (106, one(0, &[1]))]), [not_held, undelivered]);
}

#[test]
fn what_lets_nothing_pass_stores() {
    let mut world = World::new(3, &[(0, 1, 1, 7), (1, 2, 2, 0)]);
    let problem = world.problem(pairs(&[(0, 2)]));
    assert_eq!(ticks(&problem, &[(0, one(0, &[0, 1]))]), 107);
    world.network.no_transit = vec![1];
    let problem = world.problem(pairs(&[(0, 2)]));
    let passes = Violation::PassesThrough { step: 0, transfer: 0, node: Node(1) };
    assert_eq!(broken(&problem, &[(0, one(0, &[0, 1]))]), [passes]);
}

#[test]
fn several_messages_take_several_times_as_long() {
    let (mut world, collective) = two();
    let both = One { messages: vec![0, 1], ..one(0, &[0]) };
    let combined = Violation::Combined { step: 0, transfer: 0, count: 2 };
    assert_eq!(broken(&world.problem(collective.clone()), &[(0, both.clone())]), [combined]);
    world.combining = true;
    assert_eq!(ticks(&world.problem(collective), &[(0, both)]), 207);
}

/// Node 0 sends by way of switch 1 to nodes 2 and 3, and to node 4 by way of switch 1 and switch 5.
fn star() -> World {
    let mut world = World::new(
        6,
        &[(0, 1, 2, 3), (1, 2, 1, 0), (1, 3, 2, 5), (1, 5, 2, 1), (5, 4, 2, 1), (0, 2, 1, 0), (5, 3, 1, 0)],
    );
    world.network.terminals = Some(vec![0, 2, 3, 4]);
    world.multicast = vec![Node(1)];
    world
}

fn to_all() -> Collective {
    Collective::broadcast(Node(0), &[Node(2), Node(3), Node(4)])
}

#[test]
fn switches_copy_to_several() {
    let mut world = star();
    let all = One { paths: vec![vec![0, 1], vec![0, 2], vec![0, 3, 4]], ..one(0, &[0]) };
    // 100 ticks at the rate of the slowest channel, and the latencies to the farthest receiver.
    assert_eq!(ticks(&world.problem(to_all()), &[(0, all.clone())]), 108);
    world.multicast = Vec::new();
    let part = |path| TimedFault::NoCopy { step: 0, transfer: 0, path, node: Node(1) }.into();
    assert_eq!(broken(&world.problem(to_all()), &[(0, all)]), [part(1), part(2)]);
}

#[test]
fn paths_part_at_switches_that_copy() {
    let world = star();
    let sent = |paths: &[&[u32]]| [(0, One { paths: paths.iter().map(|p| p.to_vec()).collect(), ..one(0, &[0]) })];
    // Switch 5 copies nothing.
    let part = TimedFault::NoCopy { step: 0, transfer: 0, path: 2, node: Node(5) }.into();
    assert_eq!(broken(&world.problem(to_all()), &sent(&[&[0, 1], &[0, 3, 4], &[0, 3, 6]])), [part]);
    // From the sender on, these are two transfers.
    let part = TimedFault::NoCopy { step: 0, transfer: 0, path: 2, node: Node(0) }.into();
    assert_eq!(broken(&world.problem(to_all()), &sent(&[&[0, 2], &[0, 3, 4], &[5]])), [part]);
    // The same path twice parts nowhere, and node 2 is no switch that copies.
    let part = TimedFault::NoCopy { step: 0, transfer: 0, path: 3, node: Node(2) }.into();
    assert_eq!(broken(&world.problem(to_all()), &sent(&[&[0, 1], &[0, 2], &[0, 3, 4], &[0, 1]])), [part]);
}

#[test]
fn paths_that_have_parted_do_not_meet() {
    let mut world = World::new(5, &[(0, 1, 1, 0), (1, 2, 1, 0), (1, 3, 1, 0), (3, 2, 1, 0), (2, 4, 1, 0)]);
    world.multicast = vec![Node(1)];
    let problem = world.problem(Collective::broadcast(Node(0), &[Node(2), Node(4)]));
    let sent = |paths: &[&[u32]]| [(0, One { paths: paths.iter().map(|p| p.to_vec()).collect(), ..one(0, &[0]) })];
    assert_eq!(ticks(&problem, &sent(&[&[0, 1, 4], &[0, 2, 3]])), 100);
    let meet = TimedFault::PathsMeet { step: 0, transfer: 0, channel: Channel(4) };
    assert_eq!(broken(&problem, &sent(&[&[0, 1, 4], &[0, 2, 3, 4]]))[0], meet.into());
}
