//! Terminals that symmetry moves onto each other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use console::symmetric::{diameter_bounds, orbits};
use design::measures::{distances, distances_from};

#[test]
fn orbits_stand_for_all_terminals() {
    for (spec, expected) in [
        ("hdn:torus:2x3;2", 1),
        ("hdn:hypercube:2;1,1", 1),
        ("hdn:hypercube:1;1,2", 4),
        ("hdn:mesh:2x3;3", 3),
        ("torus:3x4", 1),
        ("swapped-dragonfly:2,3", 3),
        ("fat-tree:8", 1),
        ("petersen", 10),
    ] {
        let family = topologies::topology(spec).unwrap();
        let network = family.network();
        let found = orbits(&network, family.as_ref());
        assert_eq!(found.iter().map(|(_, n)| n).sum::<u64>(), network.terminals().len() as u64, "{spec}");
        assert_eq!(found.len(), expected, "{spec}");
        assert_eq!(distances_from(&network, &found), distances(&network), "{spec}");
        let (least, most) = diameter_bounds(&network).unwrap();
        let diameter = distances(&network).diameter().unwrap();
        assert!(least <= diameter && most.is_none_or(|most| diameter <= most), "{spec}");
    }
}

#[test]
fn of_another_network_no_orbit_is_believed() {
    let family = topologies::topology("torus:3x4").unwrap();
    let network = topologies::parse("mesh:3x4").unwrap();
    assert_eq!(orbits(&network, family.as_ref()).len(), 12);
}
