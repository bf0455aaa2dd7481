//! Laws of the method `edge-colouring`.

use kernel::{Collective, Model, Network, NetworkData, Node, Problem};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use run::{Method, Run, Settings, Silent};
use search::EdgeColouring;
use std::sync::atomic::AtomicBool;
use testing::solved;

/// Networks on which every permutation passes in one step, and the ways of making their like.
const REARRANGEABLE: &[&str] = &[
    "gft:1,2,2",
    "gft:2,2,2",
    "gft:3,2,2",
    "gft:5,2,2",
    "gft:2,3,3",
    "gft:3,3,3",
    "gft:2,4,4",
    "gft:3,4,4",
    "gft:2,5,5",
    "gft:2,2,3",
    "gft:3,2,4",
    "gft:1,7,4",
    "fat-tree:4",
    "fat-tree:16",
    "fat-tree:64",
    "xgft:4,3,2;1,4,3",
    "xgft:3,5;1,3",
    "xgft:2,2,2,2;1,3,2,5",
    "xgft:4,4;2,4",
    "xgft:3,2;2,2",
    "pgft:4,4;1,2;1,2",
    "pgft:2,2,2;1,1,4;1,2,1",
    "pgft:3,2,2;1,1,3;1,3,2",
    "pgft:4,2,2;1,2,1;1,2,4",
    "clos:3,3,4",
    "clos:5,3,7",
    "clos:1,1,9",
    "benes:2",
    "benes:8",
    "benes:64",
    "benes:27,3",
    "benes:256,4",
    "opened:gft:2,2,2",
    "opened:gft:3,3,3",
    "opened:gft:2,2,3",
    "opened:pgft:4,4;1,2;1,2",
    "complete-switch",
];

/// One switch with eight terminals, or a network of a family.
fn network(spec: &str) -> Network {
    if spec != "complete-switch" {
        return topologies::parse(spec).unwrap();
    }
    let channels = (0..8).flat_map(|t| [(t, 8), (8, t)]).collect();
    let terminals = Some((0..8).collect());
    Network::new(NetworkData { nodes: 9, channels, terminals, no_transit: (0..8).collect(), ..NetworkData::default() })
        .unwrap()
}

/// The same network, its nodes under other numbers and its channels in another order.
fn shuffled(network: &Network, seed: u64) -> Network {
    let mut random = run::Seed(seed).generator(7);
    let mut number: Vec<u32> = (0..network.node_count() as u32).collect();
    number.shuffle(&mut random);
    let mut parts = NetworkData { labels: None, name: "shuffled".into(), ..network.data().clone() };
    parts.channels.iter_mut().for_each(|(a, b)| (*a, *b) = (number[*a as usize], number[*b as usize]));
    parts.channels.shuffle(&mut random);
    parts.no_transit.iter_mut().for_each(|v| *v = number[*v as usize]);
    parts.terminals.iter_mut().flatten().for_each(|v| *v = number[*v as usize]);
    Network::new(parts).unwrap()
}

/// A random permutation of a share of the terminals, in eighths: as many targets as sources, none its own.
fn job(network: &Network, share: u64, seed: u64) -> Option<Problem> {
    let mut random = run::Seed(seed).generator(0);
    let mut ends = [network.terminals().to_vec(), network.terminals().to_vec()];
    ends.iter_mut().for_each(|list| list.shuffle(&mut random));
    let count = (ends[0].len() as u64 * share).div_ceil(8) as usize;
    let pairs: Vec<(Node, Node)> = ends[0].iter().copied().zip(ends[1].iter().copied()).take(count).collect();
    let collective = Collective::pairs("permutation", &pairs);
    (collective.message_count() > 0).then(|| Problem::new(network.clone(), collective, Model::wormhole()).unwrap())
}

fn floor(problem: &Problem) -> u64 {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings { ticks: 3_000_000, ..Settings::default() }, &Silent, &stop);
    bounds::strongest(problem, &run).steps
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// König's theorem, level by level: whole permutations and partial ones alike, whatever the numbers of nodes.
    #[test]
    fn permutations_pass_in_one_step(which in 0..REARRANGEABLE.len(), share in 1..9u64, seed: u64, renamed: bool) {
        let mut network = network(REARRANGEABLE[which]);
        if renamed {
            network = shuffled(&network, seed);
        }
        if let Some(problem) = job(&network, share, seed) {
            prop_assert_eq!(solved(&EdgeColouring, &problem, 1).steps(), 1, "{}", REARRANGEABLE[which]);
        }
    }

    /// Where levels narrow, everything arrives, in no fewer steps than the floor.
    #[test]
    fn slimmed_trees(sizes in prop::collection::vec((1..5u32, 1..4u32, 1..3u32), 2..5), opened: bool, share in 1..9u64, seed: u64) {
        let list = |number: fn(&(u32, u32, u32)) -> u32| sizes.iter().map(|s| number(s).to_string()).collect::<Vec<_>>().join(",");
        let opening = if opened { "opened:" } else { "" };
        let spec = format!("{opening}pgft:{};{};{}", list(|s| s.0), list(|s| s.1), list(|s| s.2));
        let Ok(network) = topologies::parse(&spec) else { return Ok(()) };
        if let Some(problem) = job(&network, share, seed) {
            let floor = floor(&problem);
            let steps = solved(&EdgeColouring, &problem, floor).steps() as u64;
            prop_assert!(steps >= floor, "{spec}: {steps} steps, floor {floor}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// So many messages that every terminal sends and receives h of them take h steps.
    #[test]
    fn several_messages_a_terminal(which in 0..REARRANGEABLE.len(), h in 2..6usize, seed: u64) {
        let network = network(REARRANGEABLE[which]);
        prop_assume!(network.outgoing(network.terminals()[0]).len() == 1 && network.terminals().len() < 100);
        let mut random = run::Seed(seed).generator(1);
        let mut pairs = Vec::new();
        for _ in 0..h {
            let mut to = network.terminals().to_vec();
            to.shuffle(&mut random);
            pairs.extend(network.terminals().iter().copied().zip(to));
        }
        let problem = Problem::new(network, Collective::pairs("alltoallv", &pairs), Model::wormhole()).unwrap();
        let count = |side: usize, t: &Node| pairs.iter().filter(|p| p.0 != p.1 && [p.0, p.1][side] == *t).count();
        let terminals = problem.network().terminals();
        let most = terminals.iter().map(|t| count(0, t).max(count(1, t))).max().unwrap();
        prop_assume!(most > 0);
        prop_assert_eq!(solved(&EdgeColouring, &problem, 1).steps(), most, "{}", REARRANGEABLE[which]);
    }
}

#[test]
fn alltoall_under_other_numbers_is_at_its_floor() {
    for spec in ["gft:2,4,4", "gft:2,3,3", "clos:4,4,4", "benes:32", "fat-tree:32"] {
        let network = shuffled(&topologies::parse(spec).unwrap(), 3);
        let everybody = network.terminals().to_vec();
        let steps = everybody.len() - 1;
        let collective = Collective::alltoall(&everybody, &everybody);
        let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
        assert_eq!(solved(&EdgeColouring, &problem, steps as u64).steps(), steps, "{spec}");
    }
}

#[test]
fn networks_without_planes_are_left_to_others() {
    for (spec, applies) in [("torus:4x4", false), ("fat:2,torus:3x3", true), ("omega:16", true)] {
        let problem = job(&topologies::parse(spec).unwrap(), 8, 1).unwrap();
        assert_eq!(EdgeColouring.applies(&problem), applies, "{spec}");
    }
    let problem = job(&topologies::parse("fat:2,torus:3x3").unwrap(), 8, 1).unwrap();
    let stop = AtomicBool::new(false);
    assert!(EdgeColouring.solve(&problem, 1, &Run::new(Settings::default(), &Silent, &stop)).is_none());
}
