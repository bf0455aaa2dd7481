//! Reductions in time: what is merged when, and what an order within a tick would decide.

use super::{One, World, broken, fault, one, rational, ticks};
use kernel::timed::TimedFault;
use kernel::{Collective, Message, Node, Op, Violation};

/// Nodes 1 and 2 contribute to a chunk of node 0, in 100 and in 50 ticks.
fn reduce() -> (World, Collective) {
    let world = World::new(3, &[(1, 0, 1, 0), (2, 0, 2, 0), (1, 2, 1, 0)]);
    (world, Collective::reduce(Node(0), &[Node(0), Node(1), Node(2)]))
}

#[test]
fn contributions_are_merged_once() {
    let (world, collective) = reduce();
    let problem = world.problem(collective);
    assert_eq!(ticks(&problem, &[(0, one(0, &[0])), (3, one(0, &[1]))]), 100);
    // What node 2 sends at tick 100 holds what came from node 1 at that tick.
    assert_eq!(ticks(&problem, &[(0, one(0, &[2])), (100, one(0, &[1]))]), 150);
    let incomplete = Violation::Incomplete { message: Message(0), node: Node(0), contributor: Node(1) };
    assert_eq!(broken(&problem, &[(0, one(0, &[2])), (99, one(0, &[1]))]), [incomplete]);
    let twice =
        Violation::CountedTwice { step: 1, transfer: 0, node: Node(0), message: Message(0), contributor: Node(1) };
    assert_eq!(broken(&problem, &[(0, one(0, &[0])), (1, one(0, &[0])), (150, one(0, &[1]))])[0], twice);
}

#[test]
fn merging_takes_its_time() {
    let (mut world, collective) = reduce();
    // A chunk takes 40 ticks to merge: the one from node 2 from tick 50 on, the one from node 1 from tick 100 on.
    world.reduce = Some(rational(5, 2));
    assert_eq!(ticks(&world.problem(collective.clone()), &[(0, one(0, &[0])), (0, one(0, &[1]))]), 140);
    // One after the other: what came at tick 100 waits for what came at tick 90.
    assert_eq!(ticks(&world.problem(collective.clone()), &[(0, one(0, &[0])), (40, one(0, &[1]))]), 170);
    let problem = world.problem(collective);
    assert_eq!(ticks(&problem, &[(0, one(0, &[2])), (140, one(0, &[1]))]), 230);
    let incomplete = Violation::Incomplete { message: Message(0), node: Node(0), contributor: Node(1) };
    assert_eq!(broken(&problem, &[(0, one(0, &[2])), (139, one(0, &[1]))]), [incomplete]);
}

#[test]
fn a_copy_and_a_contribution_come_at_different_ticks() {
    // Node 1 has gathered everything at tick 100, and node 2 may get it as a copy.
    let world = World::new(3, &[(0, 1, 1, 0), (2, 1, 1, 0), (1, 2, 1, 0), (0, 2, 1, 0), (1, 0, 1, 0)]);
    let problem = world.problem(Collective::allreduce(&[Node(0), Node(1), Node(2)]));
    let copy = |channel| One { op: Op::Copy, ..one(0, &[channel]) };
    let gather = [(0, one(0, &[0])), (0, one(0, &[1]))];
    let with = |more: &[(u64, One)]| [&gather[..], more].concat();
    assert_eq!(ticks(&problem, &with(&[(100, copy(2)), (100, copy(4))])), 200);
    let found = broken(&problem, &with(&[(100, copy(2)), (100, copy(4)), (100, one(0, &[3]))]));
    let at_once = TimedFault::CopyAndReduce { tick: 200, node: Node(2), message: Message(0) };
    assert_eq!(found[..1], fault(at_once));
}
