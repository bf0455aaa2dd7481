//! What keeps numbers from being a problem in time.

use super::{World, hundred, pairs, rational};
use kernel::timed::{Links, TimedProblem, TimedProblemError as E, Units};
use kernel::{Network, Node, ProblemError, Rational};

type Change = fn(&mut Links, &mut Units);

/// A message over one channel, with links and units changed.
fn posed(change: impl Fn(&mut Links, &mut Units)) -> Result<TimedProblem, E> {
    let world = World::new(2, &[(0, 1, 25, 7)]);
    let (mut links, mut units) = (world.links(), hundred());
    change(&mut links, &mut units);
    TimedProblem::new(Network::new(world.network).unwrap(), pairs(&[(0, 1)]), false, links, units)
}

#[test]
fn numbers_are_there_positive_and_not_too_fine() {
    assert!(posed(|_, _| {}).is_ok());
    let refused: [(E, Change); 12] = [
        (E::Length { field: "bandwidth", found: 0, expected: 1 }, |links, _| links.bandwidth.clear()),
        (E::Length { field: "latency", found: 2, expected: 1 }, |links, _| links.latency.push(Rational::whole(1))),
        (E::NotPositive { field: "bandwidth", item: Some(0) }, |links, _| links.bandwidth[0] = Rational::whole(0)),
        (E::NotPositive { field: "bandwidth", item: Some(0) }, |links, _| links.bandwidth[0] = rational(1, 0)),
        (E::NotPositive { field: "tick_us", item: None }, |_, units| units.tick_us = Rational::whole(0)),
        (E::NotPositive { field: "chunk_bytes", item: None }, |_, units| units.chunk_bytes = Rational::whole(0)),
        (E::NotPositive { field: "reduce_GBps", item: None }, |links, _| links.reduce = Some(Rational::whole(0))),
        (E::TooFine { field: "latency", item: Some(0) }, |links, units| {
            (links.latency[0], units.tick_us) = (Rational::whole(2), rational(1, u64::MAX));
        }),
        (E::NoNumber { field: "latency", item: 0 }, |links, _| links.latency[0] = rational(1, 0)),
        (E::NoSuchNode { node: 2, nodes: 2 }, |links, _| links.multicast = vec![Node(2)]),
        (E::Twice { node: 1 }, |links, _| links.multicast = vec![Node(1); 2]),
        (E::TooFine { field: "chunk_bytes", item: None }, |_, units| {
            (units.chunk_bytes, units.tick_us) =
                (rational(u64::MAX, u64::MAX - 1), rational(u64::MAX - 2, u64::MAX - 4));
        }),
    ];
    for (error, change) in refused {
        assert_eq!(posed(change).unwrap_err(), error);
    }
}

#[test]
fn no_latencies_are_none() {
    let problem = posed(|links, _| links.latency.clear()).unwrap();
    assert_eq!(problem.latency(kernel::Channel(0)), 0);
}

#[test]
fn bandwidths_are_counted_in_a_common_unit() {
    let world = World::new(2, &[(0, 1, 1, 0), (1, 0, 1, 0)]);
    let mut links = world.links();
    links.bandwidth = vec![rational(217_391, 10_000), rational(25, 2)];
    let network = Network::new(world.network).unwrap();
    let problem = TimedProblem::new(network.clone(), pairs(&[(0, 1)]), false, links.clone(), hundred()).unwrap();
    assert_eq!((problem.scale(), problem.bandwidth(kernel::Channel(1))), (10_000, 125_000));
    links.bandwidth = vec![rational(1, (1 << 40) - 1), rational(1, (1 << 40) - 3)];
    let fine = TimedProblem::new(network, pairs(&[(0, 1)]), false, links, hundred()).unwrap_err();
    assert_eq!(fine, E::TooFine { field: "bandwidth", item: Some(1) });
}

#[test]
fn demands_are_reachable() {
    let world = World::new(3, &[(0, 1, 1, 0)]);
    let network = Network::new(world.network.clone()).unwrap();
    let error = TimedProblem::new(network, pairs(&[(0, 2)]), false, world.links(), hundred()).unwrap_err();
    assert!(matches!(error, E::Problem(ProblemError::Unreachable { .. })), "{error}");
}
