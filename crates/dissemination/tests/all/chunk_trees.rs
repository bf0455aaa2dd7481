//! The method `chunk-trees`: chunks follow each other through trees, and what it declines.

use dissemination::ChunkTrees;
use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{full_tree, hypercube, mesh, solved, solved_with};

fn line(nodes: u32) -> Network {
    mesh(1, nodes)
}

fn in_chunks(network: &Network, model: Model, chunks: u32) -> Problem {
    let collective = Collective::allreduce(network.terminals()).in_chunks(chunks);
    Problem::new(network.clone(), collective, model).expect("well posed")
}

/// On trees a chunk needs each link once in each direction, so the first is done after twice the depth from the middle, and another in each step from then on.
#[test]
fn chunks_follow_each_other_through_a_tree() {
    for (network, depth) in [(line(5), 2), (line(8), 4), (full_tree(7), 2), (full_tree(15), 3)] {
        for chunks in [1, 4, 16] {
            let problem = in_chunks(&network, Model::store_and_forward(), chunks);
            let found = solved(&ChunkTrees, &problem, 1);
            let steps = chunks as usize + 2 * depth - 1;
            assert!(found.steps() <= steps, "{}: {} of {steps}", network.name(), found.steps());
        }
    }
}

#[test]
fn trees_share_a_network_with_circles() {
    // One after the other, as a reduce and a broadcast of all chunks, 32 chunks take 32 steps on the mesh: each corner has two channels in and out.
    let settings = Settings { ticks: 1 << 24, ..Settings::default() };
    let found = solved_with(&ChunkTrees, &in_chunks(&mesh(5, 5), Model::store_and_forward(), 32), 1, settings);
    assert!(found.steps() <= 30, "{}", found.steps());
    // Of 30 transfers a chunk 64 channels carry two chunks and some a step, 30 steps of 64 chunks if all were always busy.
    let found = solved(&ChunkTrees, &in_chunks(&hypercube(4), Model::store_and_forward(), 64), 1);
    assert!(found.steps() <= 44, "{}", found.steps());
}

#[test]
fn nodes_that_only_relay_are_in_trees_where_they_are_needed() {
    let parts = NetworkData { relays: vec![2], ..line(5).data().clone() };
    let network = Network::new(parts).expect("sound");
    let problem = in_chunks_of_members(&network, 3);
    assert!(solved(&ChunkTrees, &problem, 1).steps() <= 6);
    // A relay at the end is left out.
    let parts = NetworkData { relays: vec![4], ..line(5).data().clone() };
    let problem = in_chunks_of_members(&Network::new(parts).expect("sound"), 1);
    let found = solved(&ChunkTrees, &problem, 1);
    assert_eq!(found.expanded().expect("plain").transfer_count(), 6);
}

fn in_chunks_of_members(network: &Network, chunks: u32) -> Problem {
    let collective = Collective::allreduce(network.members()).in_chunks(chunks);
    Problem::new(network.clone(), collective, Model::store_and_forward()).expect("well posed")
}

#[test]
fn what_it_is_not_for() {
    let applies = |model, collective: Collective| {
        ChunkTrees.applies(&Problem::new(line(4), collective, model).expect("well posed"))
    };
    let all = line(4).terminals().to_vec();
    assert!(applies(Model::wormhole(), Collective::allreduce(&all)));
    assert!(!applies(Model::tdm(), Collective::allreduce(&all)));
    assert!(!applies(Model::wormhole(), Collective::broadcast(all[0], &all)));
    assert!(!applies(Model::wormhole(), Collective::reduce_scatter(&all, &all)));
    // So many transfers are for methods that store orbits.
    assert!(!applies(Model::wormhole(), Collective::allreduce(&all).in_chunks(1 << 20)));
}

#[test]
fn a_stopped_run_gives_what_there_is() {
    let problem = in_chunks(&mesh(5, 5), Model::store_and_forward(), 64);
    let stop = AtomicBool::new(true);
    let found = ChunkTrees.solve(&problem, 1, &Run::new(Settings::default(), &Silent, &stop));
    assert!(found.is_none());
}

/// Four nodes that take one message a step need two steps to merge in one root, and two to copy;
/// two roots that exchange what they have need one step less.
#[test]
fn trees_meet_in_two_roots() {
    let one = Ports::Each(1);
    let parts = NetworkData { send_ports: one.clone(), receive_ports: one, ..mesh(2, 2).data().clone() };
    let square = Network::new(parts).expect("sound");
    let found = solved(&ChunkTrees, &in_chunks(&square, Model::store_and_forward(), 1), 1);
    assert_eq!(found.steps(), 3, "in one root there are four");
}
