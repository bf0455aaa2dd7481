//! Laws and published numbers of the method `broadcast-levels`.

use dissemination::BroadcastLevels;
use kernel::{Collective, Model, Network, Node, Problem};
use methods::Reversal;
use proptest::prelude::*;
use run::{Method, Seed, Settings};
use testing::*;

fn broadcast(network: &Network, root: usize) -> Problem {
    let collective = Collective::broadcast(node(root), network.terminals());
    Problem::new(network.clone(), collective, Model::wormhole()).expect("reachable")
}

fn steps(network: &Network, root: usize, floor: u64) -> u64 {
    solved(&BroadcastLevels, &broadcast(network, root), floor).steps() as u64
}

proptest! {
    /// With every oddity of a network, schedules stay right, and backwards too.
    #[test]
    fn always_verified(parts in odd_network(8), model in models(), slack in prop::option::of(0u32..3), seed: u64) {
        let network = Network::new(parts).expect("sound");
        // Some terminals receive, the others may help.
        let some: Vec<Node> = network.terminals().iter().copied().filter(|v| seed >> v.0 & 1 == 0).collect();
        for collective in [Collective::broadcast(node(0), &some), Collective::reduce(node(0), &some)] {
            if collective.message_count() == 0 {
                continue;
            }
            let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
            let engine: &dyn Method =
                if problem.collective().name() == "reduce" { &Reversal } else { &BroadcastLevels };
            if engine.applies(&problem) {
                let settings = Settings { slack, ticks: 30_000, seed: Seed(seed), ..Settings::default() };
                solved_with(engine, &problem, 0, settings);
            }
        }
    }
}

#[test]
fn published_numbers_of_steps() {
    for (d, published) in [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3)] {
        assert_eq!(steps(&hypercube(d), 0, published), published, "hypercube of dimension {d}");
    }
    for (n, published) in [(8, 2), (16, 3), (24, 3), (32, 4)] {
        assert_eq!(steps(&ring(n), 0, published), published, "ring of {n}");
    }
    for (n, published) in [(8, 3), (16, 4)] {
        assert_eq!(steps(&ring_uni(n), 0, published), published, "one-way ring of {n}");
    }
    for (side, published) in [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (8, 3), (9, 3)] {
        assert_eq!(steps(&torus(side, side), 0, published), published, "torus of side {side}");
    }
    for (n, leaf, published) in [(7, 6, 3), (15, 14, 3), (31, 30, 4), (63, 62, 5)] {
        assert_eq!(steps(&full_tree(n), leaf, published), published, "full tree of {n}");
    }
    let classes = |rows, columns| {
        let network = mesh(rows, columns);
        let mut found = std::collections::BTreeMap::new();
        (0..network.node_count()).for_each(|root| *found.entry(steps(&network, root, 2)).or_insert(0) += 1);
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(classes(3, 3), [(2, 9)]);
    assert_eq!(classes(3, 4), [(2, 12)]);
    assert_eq!(classes(4, 4), [(2, 12), (3, 4)]);
    for (d, hosts, published) in [(2, 2, 3), (3, 2, 4), (4, 2, 5)] {
        let network = with_hosts(&hypercube(d), hosts);
        assert_eq!(steps(&network, 1 << d, published), published, "{hosts} hosts at each of 2^{d} routers");
    }
}

/// Far-apart terminals first: large networks of any kind at the floor of growth, with a few flows a step.
#[test]
fn large_networks_at_the_floor_of_growth() {
    for (network, root, floor) in [
        (hypercube(11), 5, 4),
        (torus(30, 31), 8, 5),
        (torus(50, 44), 0, 5),
        (mesh(40, 40), 820, 5),
        (topologies::parse("random-regular:1000,4").unwrap(), 3, 5),
        (topologies::parse("torus:9x10x11").unwrap(), 1, 4),
    ] {
        let found = solved_with(&BroadcastLevels, &broadcast(&network, root), floor, Settings::default());
        assert_eq!(found.steps() as u64, floor, "{}", network.name());
    }
}
