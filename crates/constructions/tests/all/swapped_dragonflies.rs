//! Alltoall on Swapped Dragonflies: what the schedules promise, against published and counted numbers, and under both models.

use crate::common::{Found, find};
use constructions::CONSTRUCTIONS;
use kernel::{Model, verify};
use proptest::prelude::*;

fn named(k: u32, m: u32, name: &str) -> Option<Found> {
    find(&format!("swapped-dragonfly:{k},{m}")).find(|found| found.construction.name == name)
}

fn verified(k: u32, m: u32, name: &str) -> usize {
    let found = named(k, m, name).unwrap();
    let network = topologies::parse(&format!("swapped-dragonfly:{k},{m}")).unwrap();
    let verified = found.verified(&network).unwrap().unwrap_or_else(|e| panic!("{name} {k},{m}: {e}"));
    assert!(verified.orbits().unwrap().problem().is_complete());
    if verified.channel_uses() < 1 << 14 {
        let (problem, schedule) = (verified.problem(), verified.expanded().unwrap());
        assert_eq!(verify(problem, schedule.into_owned()).unwrap().steps(), verified.steps());
    }
    assert_eq!(found.builder.promise().unwrap_or(verified.steps() as u64), verified.steps() as u64, "{name} {k},{m}");
    verified.steps()
}

/// The best promise under store-and-forward.
fn best(k: u32, m: u32) -> u64 {
    let spec = format!("swapped-dragonfly:{k},{m}");
    let all = find(&spec).filter(|found| found.model == Model::store_and_forward());
    all.filter_map(|found| found.builder.promise()).min().unwrap()
}

/// Source vectors alone: each local port 2KM times, each global one M² times.
fn least(k: u32, m: u32) -> u64 {
    u64::from((2 * k * m).max(m * m))
}

#[test]
fn the_best_of_every_size_is_within_two_steps_of_what_vectors_need() {
    for (k, m) in (1..=16).flat_map(|k| (2..=17).map(move |m| (k, m))) {
        let promised = best(k, m);
        assert!((least(k, m)..=least(k, m) + 2).contains(&promised), "{k},{m}: {promised}, {}", least(k, m));
    }
    assert_eq!((best(16, 33), best(64, 64)), (1091, 8192));
}

#[test]
fn every_construction_keeps_its_promise() {
    for (k, m) in [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (2, 6), (5, 4)] {
        for construction in CONSTRUCTIONS {
            if named(k, m, construction.name).is_some() {
                verified(k, m, construction.name);
            }
        }
    }
    assert_eq!((verified(4, 4, "vector-latin"), verified(3, 4, "vector-stream")), (32, 26));
    assert_eq!(verified(4, 4, "doubly-parallel-sequential"), 48);
    assert_eq!(verified(4, 4, "doubly-parallel-paired"), 32);
    assert_eq!(verified(4, 4, "doubly-parallel"), 42);
}

/// Whole vectors in a step: at what vectors need where orders are powers of two, few steps above where they are odd.
#[test]
fn wormhole_steps() {
    for (k, m, most) in [
        (2, 2, 8),
        (4, 4, 32),
        (2, 4, 20),
        (4, 2, 16),
        (6, 4, 48),
        (3, 4, 27),
        (4, 3, 27),
        (3, 5, 35),
        (2, 5, 33),
        (3, 6, 46),
    ] {
        let steps = verified(k, m, "vector-factors");
        assert!(steps as u64 >= least(k, m) && steps <= most, "{k},{m}: {steps}");
    }
}

/// Rounds and delays of the sizes that were counted independently.
#[test]
fn delays_are_exactly_as_many_as_the_theorem_says() {
    for (k, m, s, steps) in [
        (4, 4, 2, 42),
        (8, 8, 4, 162),
        (16, 16, 8, 642),
        (5, 10, 5, 127),
        (4, 6, 2, 90),
        (6, 6, 3, 92),
        (3, 9, 3, 101),
        (2, 8, 2, 78),
        (2, 3, 1, 24),
        (3, 5, 1, 89),
    ] {
        let promised = named(k, m, "doubly-parallel").unwrap().builder.promise();
        assert_eq!(promised, Some(steps), "({k}, {m}, {s})");
        let (rounds, cells) = (u64::from(k * m * m / s), u64::from(m / s));
        let delays = steps - 2 - rounds;
        assert_eq!(delays * cells * cells, (cells - 1) * rounds, "({k}, {m}, {s})");
    }
}

#[path = "../../examples/vectors.rs"]
mod vectors;

#[test]
fn the_table_of_the_docs_is_what_the_program_makes() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/swapped-dragonfly.md");
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains(&vectors::table()), "docs/swapped-dragonfly.md lacks what `cargo xtask vectors` prints");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_size((k, m) in (1u32..7, 2u32..8)) {
        for name in ["vector-latin", "vector-stream", "doubly-parallel", "doubly-parallel-paired", "vector-factors"] {
            if named(k, m, name).is_some() {
                prop_assert!(verified(k, m, name) as u64 >= least(k, m));
            }
        }
    }

    #[test]
    fn another_network_is_no_panic(k in 1u32..4, m in 2u32..5, other in prop::sample::select(vec!["ring:8", "hypercube:3", "mesh:3x4", "swapped-dragonfly:2,2", "swapped-hypercube:1,1"])) {
        let network = topologies::parse(other).unwrap();
        for found in find(&format!("swapped-dragonfly:{k},{m}")) {
            if let Some(verified) = found.verified(&network) {
                let complete = verified.is_ok();
                prop_assert!(!complete || network.node_count() as u32 == k * m * m);
            }
        }
    }
}
