//! Laws and published numbers of the method `scatter-flow`.

use dissemination::ScatterFlow;
use kernel::{Channel, Collective, Model, Network, Node, Problem};
use methods::Reversal;
use proptest::prelude::*;
use run::{Method, Settings};
use testing::*;

fn scatter(network: &Network, root: usize, model: Model) -> Problem {
    let collective = Collective::scatter(node(root), network.terminals());
    Problem::new(network.clone(), collective, model).expect("reachable")
}

fn steps(network: &Network, root: usize) -> usize {
    solved(&ScatterFlow, &scatter(network, root, Model::wormhole()), 0).steps()
}

/// Messages into a set over channels into it, at its largest over all sets.
fn cut_bound(network: &Network, root: usize) -> u64 {
    let inside = |set: usize, v: Node| set >> v.index() & 1 == 1;
    let sets = (1..1usize << network.node_count()).filter(|&s| !inside(s, node(root)));
    let ratio = |set: usize| {
        let enters = |c: &Channel| !inside(set, network.from(*c)) && inside(set, network.to(*c));
        let capacity: u64 = network.channels().filter(enters).map(|c| u64::from(network.capacity(c))).sum();
        (network.terminals().iter().filter(|v| inside(set, **v)).count() as u64).div_ceil(capacity)
    };
    sets.map(ratio).max().expect("there are other nodes")
}

proptest! {
    #[test]
    fn steps_equal_the_largest_cut(parts in random_network(8), root in 0usize..8) {
        let network = Network::new(parts).expect("sound");
        let root = root % network.node_count();
        prop_assert_eq!(steps(&network, root) as u64, cut_bound(&network, root));
    }

    /// Waiting never helps where paths may pass everywhere: store-and-forward is never shorter.
    #[test]
    fn waiting_is_never_shorter(parts in random_network(7)) {
        let network = Network::new(parts).expect("sound");
        let waiting = solved(&ScatterFlow, &scatter(&network, 0, Model::store_and_forward()), 0);
        prop_assert!(waiting.steps() >= steps(&network, 0));
        prop_assert!(waiting.expanded().unwrap().steps().flatten().all(|t| t.path.len() == 1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// With every oddity of a network, schedules stay right, and backwards too.
    #[test]
    fn always_verified(parts in odd_network(7), model in models(), slack in prop::option::of(0u32..3)) {
        let network = Network::new(parts).expect("sound");
        let others = network.terminals();
        for collective in [Collective::scatter(node(0), others), Collective::gather(node(0), others)] {
            let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
            let engine: &dyn Method = if problem.collective().name() == "gather" { &Reversal } else { &ScatterFlow };
            if engine.applies(&problem) {
                let settings = Settings { slack, ticks: 300_000, ..Settings::default() };
                // Terminals that no path passes may leave a direct path to nobody.
                if slack.is_none() || network.data().no_transit.is_empty() {
                    solved_with(engine, &problem, 0, settings);
                }
            }
        }
    }
}

#[test]
fn published_numbers_of_steps() {
    for (d, published) in [(3, 3), (4, 4), (5, 7), (6, 11), (7, 19), (8, 32)] {
        assert_eq!(steps(&hypercube(d), 0), published, "hypercube of dimension {d}");
    }
    for (n, published) in [(8, 4), (16, 8), (24, 12), (32, 16)] {
        assert_eq!(steps(&ring(n), 0), published);
        assert_eq!(steps(&ring_uni(n), 0), n as usize - 1);
    }
    let classes = |network: Network| {
        let mut found = std::collections::BTreeMap::new();
        (0..network.node_count()).for_each(|root| *found.entry(steps(&network, root)).or_insert(0) += 1);
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(classes(mesh(3, 3)), [(2, 1), (3, 4), (4, 4)]);
    assert_eq!(classes(mesh(4, 8)), [(8, 12), (11, 16), (16, 4)]);
    assert_eq!(classes(mesh(7, 7)), [(12, 25), (16, 20), (24, 4)]);
    assert_eq!(classes(full_tree(31)), [(15, 1), (16, 2), (24, 4), (28, 8), (30, 16)]);
    assert_eq!(steps(&torus(8, 8), 0), 16);
    assert_eq!(steps(&with_hosts(&hypercube(3), 2), 8), 15);
}

#[test]
fn shortest_paths_are_kept() {
    let network = mesh(4, 4);
    let problem = scatter(&network, 1, Model::wormhole());
    let least = |slack| solved_with(&ScatterFlow, &problem, 0, Settings { slack, ..Settings::default() }).steps();
    assert_eq!((least(Some(0)), least(Some(2)), least(None)), (6, 5, 5));
}
