//! The refuter `late-lengths`: what prices that change from step to step prove beyond those that do not.

use crate::finders::{all, family, finder, found, problem, with_run};
use bounds::*;
use kernel::{Collective, Model, NetworkData, Ports, Problem, certify};
use topologies::change::with_storing_switches;

/// The steps that it proves, from nothing.
fn raised(problem: &Problem) -> u64 {
    let refuter = *REFUTERS.iter().find(|refuter| refuter.name == "late-lengths").unwrap();
    let claim = with_run(|run| raise(&[refuter], problem, 0, 1000, run));
    claim.map_or(0, |claim| certify(problem, claim).unwrap().steps())
}

fn stored(parts: NetworkData, collective: Collective) -> Problem {
    problem(parts, collective, Model::store_and_forward())
}

#[test]
fn messages_that_go_far_leave_early_and_arrive_late() {
    let parts = with_storing_switches(&topologies::parse("fat-tree:8").unwrap()).data().clone();
    let alltoall = |chunks| stored(parts.clone(), Collective::alltoall(&all(8), &all(8)).in_chunks(chunks));
    assert_eq!([1, 2].map(|chunks| raised(&alltoall(chunks))), [11, 18]);
    assert_eq!([1, 2].map(|chunks| found(finder("lengths"), &alltoall(chunks))), [7, 14]);
    // Two of three messages through a line of three channels wait.
    let line = NetworkData { nodes: 4, channels: vec![(0, 1), (1, 2), (2, 3)], ..NetworkData::default() };
    let three = Collective::pairs("three", &[(all(4)[0], all(4)[3]); 3]);
    assert_eq!(raised(&stored(line, three)), 5);
}

#[test]
fn ports_are_priced_as_channels_are() {
    // The root sends three messages, and one of them goes two channels.
    let ring = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..family("ring:4") };
    assert_eq!(raised(&stored(ring, Collective::scatter(all(4)[0], &all(4)))), 3);
    let link = NetworkData { nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() };
    let both = |parts: NetworkData| raised(&stored(parts, Collective::alltoall(&all(2), &all(2))));
    assert_eq!(both(link.clone()), 1);
    assert_eq!(both(NetworkData { half_duplex: vec![vec![0, 1]], ..link }), 2);
}

#[test]
fn it_is_for_messages_that_move_alone() {
    let ring = || family("ring:4");
    let alltoall = || Collective::alltoall(&all(4), &all(4));
    for model in [Model::wormhole(), Model::tdm(), Model { combining: true, ..Model::store_and_forward() }] {
        assert_eq!(raised(&problem(ring(), alltoall(), model)), 0);
    }
    assert_eq!(raised(&stored(ring(), Collective::allgather(&all(4), &all(4)))), 0);
}
