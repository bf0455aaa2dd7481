//! Alltoall by exchanges with neighbours: the notes' numbers, and that one port allows no better.

use constructions::total_exchange::{Reading, TotalExchange};
use constructions::{CONSTRUCTIONS, Control};
use kernel::{Collective, Model, Network, Ports, Problem, Switching, verify};
use proptest::prelude::*;
use testing::known::nested_super_nodes;
use topologies::change::with_ports;

fn of(spec: &str, reading: Reading) -> Option<TotalExchange> {
    TotalExchange::of(&topologies::parse(spec).ok()?, reading)
}

fn problem(network: &Network, combining: bool) -> Problem {
    let network = with_ports(network, Ports::Each(1)).unwrap();
    let model = Model { switching: Switching::StoreAndForward, combining };
    Problem::new(network.clone(), Collective::alltoall(network.terminals(), network.terminals()), model).unwrap()
}

/// Start-ups and words, both forms verified.
fn verified(spec: &str, reading: Reading) -> (u64, u64) {
    let exchange = of(spec, reading).expect(spec);
    let network = topologies::parse(spec).unwrap();
    for combining in [true, false] {
        let problem = problem(&network, combining);
        let claim = exchange.schedule(problem.network(), combining, &Control::default()).expect(spec);
        let steps = verify(&problem, claim).unwrap_or_else(|e| panic!("{spec}: {e}")).steps() as u64;
        assert_eq!(steps, if combining { exchange.start_ups() } else { exchange.words() }, "{spec}");
    }
    (exchange.start_ups(), exchange.words())
}

/// What a node has to send at least, if all nodes are alike.
fn distances(spec: &str) -> u64 {
    let facts = topologies::topology(spec).unwrap().closed_forms();
    u64::try_from(facts.distances.expect("a closed form") / u128::from(facts.nodes)).unwrap()
}

#[test]
fn nested_dual_nets_meet_the_sum_of_distances() {
    let known = [
        ("hdn:hypercube:2;2", 5, 40),
        ("hdn:hypercube:2;1", 6, 104),
        ("hdn:hypercube:3;2", 7, 240),
        ("hdn:hypercube:3;4", 6, 96),
        ("hdn:hypercube:1;1,1", 10, 688),
        ("hdn:hypercube:2;4,2", 7, 240),
        ("hdn:torus:2x3x5;3x5", 10, 464),
        ("hdn:torus:2x3;2", 7, 108),
        ("hypercube:4", 4, 32),
        ("hypercube:7", 7, 448),
    ];
    for (spec, start_ups, words) in known {
        assert_eq!(verified(spec, Reading::Improved), (start_ups, words), "{spec}");
        assert_eq!(words, distances(spec), "{spec}");
    }
    // Larger ones by their counts alone.
    for (spec, start_ups, words) in [("hdn:hypercube:2;2,2", 11, 1504), ("hdn:torus:2x3x5;2x3", 13, 1460)] {
        let exchange = of(spec, Reading::Improved).unwrap();
        assert_eq!((exchange.start_ups(), exchange.words()), (start_ups, words), "{spec}");
        assert_eq!(words, distances(spec), "{spec}");
    }
}

/// Every chain of nested super-nodes over a base with at most so many nodes, of dimensions of equal size one choice.
fn chains(base: &str, sizes: &[u32], most: u64) -> Vec<String> {
    let all = (1usize << sizes.len()) - 1;
    let name = |mask: usize| {
        let dims: Vec<String> = (0..sizes.len()).filter(|d| mask >> d & 1 == 1).map(|d| format!("d{d}")).collect();
        if dims.is_empty() { "1".into() } else { dims.join("x") }
    };
    let alike = |mask: usize| {
        let mut kept: Vec<u32> = (0..sizes.len()).filter(|d| mask >> d & 1 == 1).map(|d| sizes[d]).collect();
        kept.sort_unstable();
        kept
    };
    let (mut found, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    let mut open: Vec<Vec<usize>> = (0..=all).map(|mask| vec![mask]).collect();
    while let Some(chain) = open.pop() {
        let supers: Vec<String> = chain.iter().map(|mask| name(*mask)).collect();
        let spec = format!("hdn:{base};{}", supers.join(","));
        let Ok(made) = topologies::topology(&spec) else { continue };
        if made.closed_forms().nodes <= most && seen.insert(chain.iter().map(|m| alike(*m)).collect::<Vec<_>>()) {
            let last = chain[chain.len() - 1];
            open.extend((0..=all).filter(|m| m & last == *m).map(|m| [&chain[..], &[m]].concat()));
            found.push(spec);
        }
    }
    found
}

/// All nested super-nodes over products, hypercubes, rings and complete networks, of one, two and three levels; counted up to 600
/// nodes and verified up to 100. `cargo xtask dual-nets exchange` goes on to 2048.
#[test]
fn all_nested_super_nodes_meet_the_sum_of_distances() {
    let bases: [(&str, &[u32]); 9] = [
        ("hypercube:1", &[2]),
        ("hypercube:2", &[2, 2]),
        ("hypercube:3", &[2, 2, 2]),
        ("hypercube:4", &[2, 2, 2, 2]),
        ("torus:2x3x5", &[2, 3, 5]),
        ("torus:3x4", &[3, 4]),
        ("ring:5", &[5]),
        ("complete:4", &[4]),
        ("generalized-hypercube:3,2", &[3, 3]),
    ];
    let mut levels = [0; 4];
    for (base, sizes) in bases {
        for spec in chains(base, sizes, 400) {
            let made = topologies::topology(&spec).unwrap();
            let exchange = of(&spec, Reading::Improved).expect(&spec);
            assert_eq!(exchange.words(), distances(&spec), "{spec}");
            if made.closed_forms().nodes <= 100 {
                verified(&spec, Reading::Improved);
            }
            levels[made.dual_net().unwrap().levels()] += 1;
        }
    }
    assert_eq!(levels, [0, 29, 22, 1]);
}

/// Where super-nodes are not nested the exchange is right, but above what distances ask for.
#[test]
fn others_are_right_all_the_same() {
    for (spec, words) in [("hdn:hypercube:1;1,2", 0), ("hdn:mesh:2x3;3", 0)] {
        assert!(verified(spec, Reading::Improved).1 > words, "{spec}");
    }
    let exchange = of("hdn:hypercube:2;d0,d1", Reading::Improved).unwrap();
    assert_eq!(exchange.words(), 1568);
}

/// T(k) of the corrected formula: a start-up and a word cost 1, the base is an n-cube.
fn corrected(dimensions: u64, nodes: u64, levels: u32) -> (u64, u64) {
    let power = 1 << levels;
    (2 * (power - 1) + power * dimensions, (power - 1) * 3 * nodes / 2 + power * dimensions * nodes / 2)
}

#[test]
fn the_printed_algorithm_costs_what_the_corrected_formula_says() {
    for (spec, dimensions, levels, printed) in [
        ("hdn:hypercube:2;2", 2, 1, 48),
        ("hdn:hypercube:2;1", 2, 1, 96),
        ("hdn:hypercube:3;4", 3, 1, 128),
        ("hdn:hypercube:2;2,2", 2, 2, 1792),
    ] {
        let exchange = of(spec, Reading::Printed).unwrap();
        let nodes = topologies::topology(spec).unwrap().closed_forms().nodes;
        let (start_ups, words) = corrected(dimensions, nodes, levels);
        assert_eq!((exchange.start_ups(), exchange.words_with_own()), (start_ups, Some(words)), "{spec}");
        let power = 1 << levels;
        assert_eq!(printed, (2 * power - 2) * nodes / 2 + power * dimensions * nodes / 2, "{spec}, as printed");
        assert!(printed < words);
    }
    assert_eq!(verified("hdn:hypercube:2;2", Reading::Printed).0, 6);
}

/// Promises are told without counting messages; they are what counting them says.
#[test]
fn promises_are_what_is_counted() {
    let construction = CONSTRUCTIONS.iter().find(|c| c.name == "total-exchange").unwrap();
    let more =
        ["hypercube:7", "hdn:torus:2x3x5;3x5", "hdn:hypercube:1;1,1", "hdn:hypercube:2;4,2", "complete:9", "torus:4x6"];
    for spec in construction.examples.iter().copied().chain(more).filter(|spec| !spec.starts_with("mesh")) {
        let (network, exchange) = (topologies::parse(spec).unwrap(), of(spec, Reading::Improved).unwrap());
        let promise = |combining| construction.builder(&problem(&network, combining)).unwrap().promise();
        let counted = (Some(exchange.start_ups()), Some(exchange.words()));
        assert_eq!((promise(true), promise(false)), counted, "{spec}");
    }
}

#[test]
fn networks_that_are_no_products_have_none() {
    for spec in ["petersen", "hdn:petersen;1", "fat-tree:8", "kautz:2,3", "ring-uni:5", "hypercube:14", "", "torus:4x"]
    {
        assert!(of(spec, Reading::Improved).is_none(), "{spec}");
    }
    let exchange = of("hypercube:4", Reading::Improved).unwrap();
    for other in ["ring:16", "torus:4x4", "hypercube:3", "fat-tree:16"] {
        // A torus of sides of 4 is a hypercube under other numbers, so some channels are not where they are looked for.
        assert!(exchange.schedule(&topologies::parse(other).unwrap(), true, &Control::default()).is_none(), "{other}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Products of rings, links and complete networks, and nested dual-nets over them.
    #[test]
    fn one_port_allows_no_better(sizes in proptest::collection::vec(2u32..6, 1..4), masks in proptest::collection::vec(0u32..8, 0..3)) {
        let base = format!("torus:{}", sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x"));
        let supers = nested_super_nodes(sizes.len(), &masks);
        let spec = if supers.is_empty() { base } else { format!("hdn:{base};{supers}") };
        let Ok(made) = topologies::topology(&spec) else { return Ok(()) };
        prop_assume!(made.closed_forms().nodes <= 200);
        let (_, words) = verified(&spec, Reading::Improved);
        prop_assert_eq!(words, distances(&spec), "{}", spec);
    }
}
