//! A network is what it is, however it came: under another name, with nodes and channels numbered at random, floor and steps are the same.

use kernel::{Collective, Model, Network, NetworkData, Problem};
use methods::{Settings, solve};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use run::Seed;
use topologies::FAMILIES;

/// Members of more nodes are left to the sweep of `cargo xtask`.
const MOST_NODES: usize = 16;

/// The same network under another name, with other numbers of nodes and channels.
fn renumbered(network: &Network, seed: u64) -> Network {
    let parts = network.data();
    let mut random = Seed(seed).generator(0);
    let mut image: Vec<u32> = (0..parts.nodes).collect();
    image.shuffle(&mut random);
    let mut order: Vec<usize> = (0..parts.channels.len()).collect();
    order.shuffle(&mut random);
    let node = |v: u32| image[v as usize];
    let nodes = |list: &[u32]| {
        let mut list: Vec<u32> = list.iter().map(|v| node(*v)).collect();
        list.sort_unstable();
        list
    };
    let channels = order.iter().map(|c| parts.channels[*c]).map(|(a, b)| (node(a), node(b))).collect();
    let capacities = parts.capacities.as_ref().map(|all| order.iter().map(|c| all[*c]).collect());
    let mut groups = parts.half_duplex.clone();
    let place = |c: u32| order.iter().position(|o| *o == c as usize).expect("a permutation") as u32;
    groups.iter_mut().flatten().for_each(|c| *c = place(*c));
    let terminals = parts.terminals.as_deref().map(nodes);
    let no_transit = nodes(&parts.no_transit);
    let moved = NetworkData {
        name: "shuffled".into(),
        channels,
        capacities,
        terminals,
        no_transit,
        half_duplex: groups,
        labels: None,
        ..parts.clone()
    };
    Network::new(moved).expect("sound")
}

fn answer(network: Network, collective: fn(&Network) -> Collective, model: Model) -> Option<(u64, Option<u64>)> {
    let collective = collective(&network);
    let problem = Problem::new(network, collective, model).ok()?;
    let outcome = solve(&problem, &Settings::default().with_ticks(40_000)).ok()?;
    Some((outcome.floor.steps(), outcome.steps()))
}

#[test]
fn a_network_is_what_it_is() {
    let collectives: [fn(&Network) -> Collective; 2] = [
        |n| Collective::allgather(n.terminals(), n.terminals()),
        |n| Collective::alltoall(n.terminals(), n.terminals()),
    ];
    let networks: Vec<Network> = FAMILIES
        .iter()
        .flat_map(|family| {
            let small = family.examples.iter().filter_map(|spec| topologies::topology(spec).ok());
            small.map(|member| member.network()).filter(|n| n.node_count() <= MOST_NODES).take(2)
        })
        .collect();
    assert!(networks.len() > 40, "only {} members are small enough", networks.len());
    // Each network both ways of switching and both collectives, in one of the two combinations.
    networks.par_iter().enumerate().for_each(|(at, network)| {
        let models = [Model::wormhole(), Model::store_and_forward()];
        for (which, model) in models.into_iter().enumerate() {
            let collective = collectives[(at + which) % 2];
            let expected = answer(network.clone(), collective, model);
            let found = answer(renumbered(network, 7), collective, model);
            assert_eq!(found, expected, "{} {model:?}", network.name());
        }
    });
}
