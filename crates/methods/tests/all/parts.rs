//! Laws of the methods that lead a collective back to smaller ones: `side-by-side` and `equal-messages`.

use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Semantics};
use methods::{EqualMessages, SideBySide};
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{hypercube, ring, solved, torus};

fn posed(network: &Network, collective: Collective, model: Model) -> Problem {
    Problem::new(network.clone(), collective, model).expect("well posed")
}

/// Alltoall in each of the groups.
fn in_groups(groups: &[&[u32]]) -> Collective {
    let pair = |from: &u32, to: &u32| (Node(*from), Node(*to));
    let of = |group: &&[u32]| group.iter().flat_map(|a| group.iter().map(|b| pair(a, b)).collect::<Vec<_>>()).collect();
    let pairs: Vec<Vec<(Node, Node)>> = groups.iter().map(of).collect();
    Collective::pairs("alltoall", &pairs.concat())
}

#[test]
fn rows_are_rings() {
    let network = torus(4, 5);
    let rows: Vec<Vec<u32>> = (0..4).map(|r| (5 * r..5 * r + 5).collect()).collect();
    let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
    let alone = posed(&ring(5), in_groups(&[&[0, 1, 2, 3, 4]]), Model::wormhole());
    assert!(!SideBySide.applies(&alone));
    // As many steps as on a ring of five: three nodes are two hops away at most, each way.
    assert_eq!(solved(&SideBySide, &posed(&network, in_groups(&rows), Model::wormhole()), 3).steps(), 3);
}

#[test]
fn groups_of_different_lengths_end_with_the_longest() {
    let network = ring(9);
    let collective = in_groups(&[&[0, 1], &[2, 3, 4, 5], &[6, 7, 8]]);
    for model in [Model::wormhole(), Model::store_and_forward()] {
        assert_eq!(solved(&SideBySide, &posed(&network, collective.clone(), model), 4).steps(), 4);
    }
}

#[test]
fn ports_capacities_and_half_duplex_links_stay_those_of_their_nodes() {
    let links = |data: &NetworkData| (0..data.channels.len() as u32 / 2).map(|l| vec![2 * l, 2 * l + 1]).collect();
    let path = Network::from_links(6, (0..5).map(|v| (v, v + 1))).expect("sound");
    let collective = in_groups(&[&[0, 1, 2], &[3, 4, 5]]);
    let plain = solved(&SideBySide, &posed(&path, collective.clone(), Model::wormhole()), 2).steps();
    assert_eq!(plain, 2);
    let data = path.data().clone();
    let half = Network::new(NetworkData { half_duplex: links(&data), ..data.clone() }).expect("sound");
    assert_eq!(solved(&SideBySide, &posed(&half, collective.clone(), Model::wormhole()), 4).steps(), 4);
    // The middle of the second group alone has one port.
    let ports = Ports::List(vec![None, None, None, None, Some(1), None]);
    let few = NetworkData { send_ports: ports.clone(), receive_ports: ports, ..data.clone() };
    let few = Network::new(few).expect("sound");
    assert_eq!(solved(&SideBySide, &posed(&few, collective.clone(), Model::wormhole()), 2).steps(), 2);
    let wide = NetworkData { capacities: Some(vec![2; 10]), ..data };
    let wide = Network::new(wide).expect("sound");
    assert_eq!(solved(&SideBySide, &posed(&wide, collective, Model::wormhole()), 1).steps(), 1);
}

#[test]
fn groups_that_need_each_other_are_left_to_others() {
    // Every second node of a ring: no channel joins two of a group.
    let problem = posed(&ring(6), in_groups(&[&[0, 2, 4], &[1, 3, 5]]), Model::wormhole());
    assert!(SideBySide.applies(&problem));
    assert!(SideBySide.solve(&problem, 1, &quick()).is_none());
    let slack = Settings { slack: Some(0), ..Settings::default() };
    assert!(SideBySide.declines(&problem, &Run::new(slack, &Silent, &AtomicBool::new(false))).is_some());
}

#[test]
fn reductions_fall_into_groups_too() {
    let list = |of: &[u32]| of.iter().map(|v| Node(*v)).collect::<Vec<_>>();
    let groups = [list(&[0, 1, 2, 3]), list(&[4, 5, 6, 7])];
    let messages = groups.map(|group| (group.clone(), group));
    let collective = Collective::new("allreduce", Semantics::Reduce, None, messages).expect("sound");
    let problem = posed(&hypercube(3), collective, Model::store_and_forward());
    assert_eq!(solved(&SideBySide, &problem, 2).steps(), 2);
}

#[test]
fn equal_messages_cost_what_one_does() {
    let combined = Model { combining: true, ..Model::store_and_forward() };
    for network in [ring(5), hypercube(3)] {
        let t = network.terminals();
        for plain in [Collective::allgather(t, t), Collective::scatter(t[1], t), Collective::reduce_scatter(t, t)] {
            let single = posed(&network, plain.clone(), combined);
            assert!(!EqualMessages.applies(&single), "{}", plain.name());
            let least = methods::best_of(methods::METHODS, &single, 1, &quick()).expect("some").schedule.steps();
            let chunks = posed(&network, plain.in_chunks(3), combined);
            assert!(solved(&EqualMessages, &chunks, least as u64).steps() <= least + 1, "{}", plain.name());
        }
    }
    let network = ring(5);
    let twice = Collective::scatter(Node(0), network.terminals()).in_chunks(2);
    assert!(EqualMessages.applies(&posed(&network, twice.clone(), combined)));
    assert!(!EqualMessages.applies(&posed(&network, twice, Model::wormhole())), "nothing combines");
    // Partial results that are kept apart travel together as well.
    let apart = posed(&network, Collective::allreduce(network.terminals()).in_chunks(2), combined);
    assert_eq!(solved(&EqualMessages, &apart, 2).steps(), 2);
}

fn quick() -> run::Run<'static> {
    static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    run::Run::new(Settings { ticks: 200_000, ..Settings::default() }, &run::Silent, &NEVER)
}
