//! Alltoall with all ports on nested dual-nets: at the load of the busiest channels, which is certified.

use crate::common::{Found, find};
use constructions::{Claim, Control, Request, applicable};
use kernel::{Model, Ports, Verdict, verify};
use proptest::prelude::*;

fn exchange(spec: &str) -> Option<Found> {
    find(spec).find(|found| found.construction.name == "all-port-exchange")
}

/// Floor and ceiling, both certified.
fn steps(spec: &str) -> (u64, u64) {
    let network = topologies::parse(spec).unwrap();
    let found = exchange(spec).unwrap_or_else(|| panic!("{spec}: no construction"));
    let ceiling = found.verified(&network).expect(spec).unwrap_or_else(|e| panic!("{spec}: {e}"));
    assert!(ceiling.orbits().unwrap().problem().is_complete(), "{spec}");
    let claim = found.builder.floor(&network, &Control::default()).expect(spec);
    let floor = ceiling.certify(claim).unwrap_or_else(|e| panic!("{spec}: {e}"));
    let verdict = Verdict::new(floor, ceiling).unwrap();
    (verdict.floor().steps(), verdict.ceiling().steps() as u64)
}

#[test]
fn one_level_takes_three_halves_of_a_word_for_every_other_node() {
    for spec in [
        "hdn:hypercube:2;2",
        "hdn:hypercube:2;1",
        "hdn:hypercube:3;d0",
        "hdn:hypercube:3;4",
        "hdn:torus:2x3;2",
        "hdn:torus:2x3x5;1",
        "hdn:complete:5;1",
        "hdn:torus:5x5;1",
    ] {
        let family = topologies::topology(spec).unwrap();
        let net = family.dual_net().unwrap();
        let by_crossings = u64::from(3 * net.nodes(1) / 2 - 2 * net.nodes(0));
        assert_eq!(steps(spec), (by_crossings, by_crossings), "{spec}");
    }
}

#[test]
fn two_levels_and_none() {
    for (spec, expected) in [
        ("rdn:hypercube:1;2", 256),
        ("hdn:hypercube:2;2,2", 512),
        ("hdn:hypercube:2;4,2", 80),
        ("hdn:ring:8;8,1", 1024),
        ("hdn:torus:2x3;2x3,2x3,3", 3072),
        ("hypercube:7", 64),
        ("hypercube:10", 512),
        // All of the base is the super-node: a hypercube under other numbers, all of whose channels are always busy.
        ("hdn:hypercube:8;256", 256),
        ("torus:5x5", 15),
        ("torus:4x4", 8),
        ("generalized-hypercube:3,3", 9),
    ] {
        assert_eq!(steps(spec), (expected, expected), "{spec}");
    }
}

/// Half of the odd number of messages of some even rings goes round one way.
#[test]
fn some_even_rings_lose_steps() {
    for (spec, floor) in [("ring:8", 8), ("torus:3x4", 6)] {
        let (proved, found) = steps(spec);
        assert!(proved == floor && found <= floor + 2, "{spec}: {proved}/{found}");
    }
}

#[test]
fn other_networks_have_none() {
    for spec in ["hdn:hypercube:2;d0,d1", "mesh:3x3", "hdn:mesh:2x3;3", "petersen", "hdn:petersen;1", "ring-uni:5"] {
        assert!(exchange(spec).is_none(), "{spec}");
    }
    let other = topologies::parse("hypercube:5").unwrap();
    assert!(exchange("hdn:hypercube:2;1").unwrap().verified(&other).is_none());
    // One port a node cannot do as much.
    let network = topologies::parse("hdn:hypercube:2;1").unwrap();
    let thin = topologies::change::with_ports(&network, Ports::Each(1)).unwrap();
    let request = Request::alltoall(&thin, Model::store_and_forward());
    let (_, builder) = applicable(&request).find(|(c, _)| c.name == "all-port-exchange").unwrap();
    let claim = builder.build(&thin, &Control::default()).and_then(Claim::orbits).unwrap();
    assert!(claim.verified(&thin, Model::store_and_forward()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Products of rings and complete networks, and nested dual-nets over them; written out, the plain checker agrees.
    #[test]
    fn nested_dual_nets_are_at_the_floor(
        sizes in proptest::collection::vec(2u32..7, 1..4), masks in proptest::collection::vec(0u32..8, 1..4), complete in any::<bool>(),
    ) {
        let base = match complete {
            true => format!("generalized-hypercube:{},{}", sizes[0], sizes.len()),
            false => format!("torus:{}", sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x")),
        };
        let mut kept = u32::MAX;
        let supers = masks.iter().map(|mask| {
            kept &= mask;
            let dims: Vec<String> = (0..sizes.len()).filter(|d| kept >> d & 1 == 1).map(|d| format!("d{d}")).collect();
            if dims.is_empty() { "1".into() } else { dims.join("x") }
        });
        let spec = format!("hdn:{base};{}", supers.collect::<Vec<String>>().join(","));
        let Ok(made) = topologies::topology(&spec) else { return Ok(()) };
        prop_assume!(made.closed_forms().nodes <= 700 && exchange(&spec).is_some());
        let (floor, found) = steps(&spec);
        prop_assert_eq!(floor, found, "{}", spec);
        if made.closed_forms().nodes <= 100 {
            let network = topologies::parse(&spec).unwrap();
            let verified = exchange(&spec).unwrap().verified(&network).unwrap().unwrap();
            prop_assert!(verify(verified.problem(), verified.expanded().unwrap().into_owned()).is_ok());
        }
    }
}
