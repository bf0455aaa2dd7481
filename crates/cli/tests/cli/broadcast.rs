//! Broadcast and reduction on large networks, at the floor of growth, also where the network comes from a file.

use crate::{Folder, quadrille};
use serde_json::json;

#[test]
fn large_networks_are_at_the_floor() {
    for (line, steps) in [
        ("hypercube:15 broadcast --root 77", 4),
        ("hypercube:12 reduce", 4),
        ("torus:100x100 broadcast --root 9999", 6),
        ("torus:50x50 reduce --root 7", 5),
        ("mesh:30x30 reduce --root 460", 5),
        ("circulant:125;±1,±7 broadcast", 3),
        ("mesh:30x30 broadcast --root 465", 5),
        ("star:6 broadcast", 4),
        ("random-regular:200,4 broadcast --root 3", 4),
    ] {
        let found = quadrille(&format!("solve {line} --json")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{line}");
    }
}

#[test]
fn networks_from_files_are_known_by_what_they_are() {
    let folder = Folder::new();
    let (network, schedule) = (folder.path("network.edges"), folder.path("schedule.json"));
    for (spec, problem, method, steps) in [
        ("torus:25x25", "broadcast --root 13", "coset-broadcast", 4),
        ("star:5", "allgather", "translated-tree", 30),
        ("pancake:4", "allgather", "translated-tree", 8),
    ] {
        quadrille(&format!("network {spec} -o {network}")).good();
        let found = quadrille(&format!("solve {network} {problem} --json -o {schedule}")).json(0);
        assert_eq!((&found["steps"], &found["method"]), (&json!(steps), &json!(method)), "{spec}");
        assert_eq!(found["identity"], json!(spec));
        let people = quadrille(&format!("check {schedule}")).good();
        assert!(people.contains(&format!("{steps} steps, lower bound {steps}: optimal")), "{people}");
    }
}

#[test]
fn a_permutation_network_of_too_many_symbols_is_one_error() {
    quadrille("solve star:10 broadcast").fails(2, "N is 10, but must be 2 to 9", "quadrille networks");
    quadrille("solve pancake:1 broadcast").fails(2, "N is 1, but must be 2 to 9", "quadrille networks");
}
