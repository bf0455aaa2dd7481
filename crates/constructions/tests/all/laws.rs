//! Laws of the registry: what every construction owes.

use crate::common::{examples, find, verified};
use constructions::{CONSTRUCTIONS, Claim, Control, Pattern, Request, applicable};
use graph::distances::{Way, hops};
use kernel::{Model, Network, Node, Ports, verify};
use proptest::prelude::*;
use run::Budget;
use testing::known::CHORDAL_RINGS;

/// What alltoall needs at least: channel uses of shortest paths, spread over all channels of a direct network.
fn by_distances(network: &Network) -> u64 {
    let far = |from: &Node| hops(network, &[*from], Way::On, |_| true, &mut Budget::unlimited()).expect("unlimited");
    let of = |from: &Node| {
        let far = far(from);
        network.terminals().iter().map(|to| u64::from(far[to.index()])).sum::<u64>()
    };
    let total: u64 = network.terminals().iter().map(of).sum();
    total.div_ceil(network.channel_count() as u64)
}

#[test]
fn every_example_is_verified_at_its_promise() {
    for construction in CONSTRUCTIONS {
        assert!(!construction.examples.is_empty(), "{}", construction.name);
        for spec in construction.examples {
            for problem in examples(construction, spec) {
                let name = format!("{} on {spec}", construction.name);
                let builder = construction.builder(&problem).expect(&name);
                let claim = builder.build(problem.network(), &Control::default()).expect(&name);
                let steps = verified(&problem, claim).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!(steps, builder.promise().unwrap_or(steps), "{name}");
                // Distances between all nodes of larger networks take longer than their schedules.
                let small = problem.network().node_count() <= 256;
                let whole = small && construction.scope.pattern == Pattern::Alltoall;
                assert!(!whole || problem.model().combining || steps >= by_distances(problem.network()), "{name}");
            }
        }
    }
}

/// What stands for all messages of an orbit, written out message by message.
#[test]
fn every_example_of_orbits_is_right_written_out() {
    for construction in CONSTRUCTIONS {
        for spec in construction.examples {
            let network = topologies::parse(spec).unwrap();
            for found in find(spec).filter(|found| found.construction.name == construction.name) {
                let orbits = found.verified(&network).expect(spec).expect(spec);
                if orbits.channel_uses() < 1 << 17 {
                    let schedule = orbits.expanded().unwrap().into_owned();
                    verify(orbits.problem(), schedule)
                        .unwrap_or_else(|e| panic!("{} on {spec}: {e}", construction.name));
                }
            }
        }
    }
}

/// Whenever a construction is stopped it ends at once, with nothing.
#[test]
fn every_example_can_be_stopped() {
    for construction in CONSTRUCTIONS {
        for spec in construction.examples {
            for problem in examples(construction, spec) {
                let builder = construction.builder(&problem).expect(spec);
                let (asked, none) = (std::cell::Cell::new(0), &|| true);
                let _ = builder.build(problem.network(), &Control::new(0, none));
                let third = || asked.replace(asked.get() + 1) >= 2;
                let _ = builder.build(problem.network(), &Control::new(0, &third));
                assert!(asked.get() <= 3, "{} on {spec} goes on", construction.name);
            }
        }
    }
}

/// With few ports a node, translations that leave time alone take a step for so many differences.
#[test]
fn ports_thin_steps_out() {
    for (spec, ports, steps) in [
        ("hypercube:5", 1, 31),
        ("hypercube:5", 2, 16),
        ("hypercube:8", 1, 255),
        ("complete:9", 1, 8),
        ("complete:9", 3, 3),
        ("generalized-hypercube:3,2", 1, 8),
        ("generalized-hypercube:3,2", 2, 5),
    ] {
        let network = topologies::change::with_ports(&topologies::parse(spec).unwrap(), Ports::Each(ports)).unwrap();
        let request = Request::alltoall(&network, Model::wormhole());
        let (_, builder) = applicable(&request).next().unwrap();
        let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).unwrap();
        let verified = claim.verified(&network, Model::wormhole()).unwrap();
        assert_eq!((verified.steps(), builder.promise()), (steps, None), "{spec} with {ports} ports");
    }
}

/// Specifications of all kinds; what the promise of each must be, told by its parameters alone.
fn promised() -> impl Strategy<Value = (String, u64)> {
    let ring =
        (3..40u64).prop_map(|n| (format!("ring:{n}"), if n % 2 == 0 { (n * n).div_ceil(8) } else { (n * n - 1) / 8 }));
    let uni = (3..40u64).prop_map(|n| (format!("ring-uni:{n}"), n * (n - 1) / 2));
    let cube = (1..9u32).prop_map(|d| (format!("hypercube:{d}"), 1 << (d - 1)));
    let words = (2..7u64, 1..4u32).prop_map(|(k, n)| (format!("generalized-hypercube:{k},{n}"), k.pow(n - 1)));
    let odd = (1..8u64).prop_map(|m| (format!("torus:{0}x{0}", 2 * m + 1), (2 * m + 1) * m * (m + 1) / 2));
    let deep = (1..5u64).prop_map(|m| (format!("torus:{0}x{0}x{0}", 2 * m + 1), (2 * m + 1).pow(2) * m * (m + 1) / 2));
    let flat = (1..8u64, 2..8u64).prop_map(|(a, b)| (format!("torus:{}x{}", 2 * a, 2 * b), a * b * a.max(b)));
    let equal = (2..5u64, 3..5u32).prop_map(|(h, k)| {
        (["torus:".into(), vec![(2 * h).to_string(); k as usize].join("x")].concat(), (2 * h).pow(k) / 4 * h)
    });
    let tours = (3..24u64, 3..24u64)
        .prop_filter("one is odd, and the sizes differ", |(a, b)| a != b && (a % 2 == 1 || b % 2 == 1))
        .prop_map(|(a, b)| {
            let (short, long) = (a.min(b), a.max(b));
            let layers = if long % 2 == 0 { (long * long).div_ceil(8) } else { (long * long - 1) / 8 };
            (format!("torus:{a}x{b}"), short * layers)
        });
    let leaves = (1..7u32).prop_map(|d| (format!("binary-tree:{}", 1u64 << d), 4u64.pow(d - 1)));
    let full =
        (2..7u32).prop_map(|d| (format!("full-tree:{}", (1u64 << d) - 1), ((1u64 << (2 * d)) - (2u64 << d)) / 4));
    prop_oneof![ring, uni, cube, words, odd, deep, flat, equal, tours, leaves, full]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn promises_are_formulas_and_kept((spec, steps) in promised()) {
        let network = topologies::parse(&spec).unwrap();
        let found = find(&spec).next().expect("a closed form");
        prop_assert_eq!(found.builder.promise(), Some(steps));
        let verified = found.verified(&network).expect("a schedule").map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(verified.steps() as u64, steps);
        prop_assert!(verified.orbits().unwrap().problem().is_complete());
    }

    #[test]
    fn another_network_is_no_panic(a in 1..6u32, b in 1..6u32) {
        let specs = ["ring:8", "ring:9", "ring-uni:6", "hypercube:4", "complete:6", "torus:4x6", "torus:5x5", "full-tree:7", "spidergon:8"];
        let network = topologies::parse(&format!("mesh:{}x{b}", a + 1)).unwrap();
        for found in specs.iter().flat_map(|spec| find(spec)) {
            if let Some(verified) = found.verified(&network) {
                prop_assert!(verified.is_ok());
            }
        }
    }
}

#[test]
fn the_dissertation_and_beyond() {
    let known = [
        ("hypercube:4", 8),
        ("torus:3x3", 3),
        ("torus:5x5", 15),
        ("torus:7x7", 42),
        ("torus:9x9", 90),
        ("torus:6x6", 27),
        ("torus:5x5x5", 75),
    ];
    let large = [
        ("torus:64x64", 32768),
        ("torus:16x16x16", 8192),
        ("hypercube:14", 8192),
        ("torus:10x10", 125),
        ("torus:8x8x8", 512),
        ("torus:31x32", 3968),
        ("torus:30x31", 3600),
        ("torus:63x64", 32256),
    ];
    for (spec, steps) in known.into_iter().chain(large) {
        assert_eq!(find(spec).next().expect(spec).builder.promise(), Some(steps), "{spec}");
    }
}

#[test]
fn what_is_packed_meets_known_optima() {
    let known = [
        ("spidergon:128", 1024),
        ("circulant:16;±1,±4", 8),
        ("circulant:36;±1,±6", 27),
        ("circulant:64;±1,±8", 64),
        ("circulant:100;±1,±10", 125),
        ("circulant:256;±1,±16", 512),
        ("circulant:1024;±1,±32", 4096),
        ("torus:3x3x3x3", 27),
        ("multiring:5,25", 5),
    ];
    for (spec, steps) in known.iter().chain(CHORDAL_RINGS) {
        let network = topologies::parse(spec).unwrap();
        let found = find(spec).next().expect(spec);
        assert_eq!(found.builder.promise(), None, "{spec}");
        let verified = found.verified(&network).expect(spec).unwrap();
        assert_eq!(verified.steps() as u64, *steps, "{spec}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Rings of two lengths in any proportion: valid, and near what distances ask for where pairs close circles.
    #[test]
    fn circulants_of_two_lengths_are_packed(a in 2..10u32, b in 2..10u32) {
        let (spec, square) = (format!("circulant:{};±1,±{a}", a * b), a == b && a % 2 == 0);
        let Ok(network) = topologies::parse(&spec) else { return Ok(()) };
        let found = find(&spec).next().expect("circulants are packed");
        let verified = found.verified(&network).expect("a schedule").map_err(|e| TestCaseError::fail(e.to_string()))?;
        let steps = verified.steps() as u64;
        prop_assert!(steps >= by_distances(&network));
        prop_assert!(!square || a < 3 || steps == u64::from(a).pow(3) / 8, "{} in {}", spec, steps);
    }
}

#[test]
fn what_has_no_closed_form_has_none() {
    for spec in [
        "",
        "ring",
        "ring:",
        "ring:x",
        "ring:2",
        "ring:4294967295",
        "torus:",
        "torus:0x4",
        "torus:4x",
        "hypercube:0",
        "hypercube:99",
        "generalized-hypercube:2",
        "generalized-hypercube:1,3",
        "torus:4096x4096",
        "petersen",
    ] {
        assert_eq!(find(spec).count(), 0, "{spec}");
    }
}
