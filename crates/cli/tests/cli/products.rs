//! Products of networks: cylinders, HyperX networks and others, by name, from files in any numbering, and in bad specifications.

use crate::{Folder, quadrille};
use serde_json::json;

#[test]
fn products_are_solved_by_name_and_from_files() {
    let folder = Folder::new();
    let (network, schedule) = (folder.path("network.edges"), folder.path("schedule.json"));
    for (spec, collective, method, steps) in [
        ("product:ring:16,mesh:8", "alltoall", "torus-products", 256),
        ("product:complete:4,mesh:8", "alltoall", "mesh-tours", 64),
        ("product:complete:4,complete:6", "alltoall", "generalized-hypercube", 6),
        ("product:star:4,ring:5", "allgather", "translated-tree", 24),
        ("product:complete:8,ring:16", "broadcast", "coset-broadcast", 3),
    ] {
        let found = quadrille(&format!("solve {spec} {collective} --json")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{spec}");
        assert_eq!(found["method"], json!(method), "{spec}");
        quadrille(&format!("network {spec} -o {network}")).good();
        // The other way round: node 0 is the last.
        let text = std::fs::read_to_string(&network).unwrap();
        let ends = |line: &str| line.split(' ').map(|end| end.parse::<u32>().unwrap()).collect::<Vec<_>>();
        let lines: Vec<Vec<u32>> = text.lines().filter(|line| !line.starts_with('#')).map(ends).collect();
        let last = *lines.iter().flatten().max().unwrap();
        let turned = lines.iter().rev().map(|ends| format!("{} {}", last - ends[0], last - ends[1]));
        std::fs::write(&network, format!("# directed\n{}\n", turned.collect::<Vec<_>>().join("\n"))).unwrap();
        let found = quadrille(&format!("solve {network} {collective} --json -o {schedule}")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{spec}");
        let identity = found["identity"].as_str().unwrap();
        assert!(identity.starts_with("product:") || identity.starts_with("torus:"), "{spec} is {identity}");
        let people = quadrille(&format!("check {schedule}")).good();
        assert!(people.contains(&format!("{steps} steps, lower bound {steps}: optimal")), "{people}");
    }
}

#[test]
fn terminals_of_switches_take_turns() {
    let folder = Folder::new();
    let [network, schedule] = ["network.json", "schedule.json"].map(|name| folder.path(name));
    for (spec, steps) in [("fat:2,mesh:6x6", 216), ("fat:3,hypercube:4", 72), ("fat:2,product:complete:4,mesh:4", 64)] {
        quadrille(&format!("network {spec} -o {network}")).good();
        let found = quadrille(&format!("solve {network} alltoall --json -o {schedule}")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{spec}");
        assert_eq!(found["method"], json!("fat-copies"), "{spec}");
        quadrille(&format!("check {schedule}")).good();
    }
}

#[test]
fn bad_products_are_told() {
    for (spec, why) in [
        ("product:ring:8", "does not have the form"),
        ("product:ring:8,,mesh:3", "does not have the form"),
        ("product:ring:8,mesh:x", "`mesh:x`"),
        ("product:ring:8,fat:2,mesh:3", "all of whose nodes are terminals"),
        ("product:ring:8,product:ring:3,ring:4", "neither a product nor a dual-net"),
        ("product:gft:2,3,2,mesh:3", "all of whose nodes are terminals"),
        ("product:ring:8,lattice:3", "no family of networks `lattice`"),
    ] {
        quadrille(&format!("network {spec}")).fails(2, why, "");
    }
    // Described, but not built.
    let large = "product:complete:3000,complete:3000";
    assert!(quadrille(&format!("network {large}")).good().contains("too large to be built"));
    quadrille(&format!("solve {large} alltoall")).fails(2, "channels", "smaller parameters");
}

#[test]
fn bounds_of_closed_forms_need_no_schedule() {
    for (spec, bound) in
        [("mesh:48x50", 30_000), ("product:complete:10,mesh:120", 36_000), ("product:ring:30,mesh:30", 6750)]
    {
        let found = quadrille(&format!("bound {spec} alltoall --json")).json(0);
        assert_eq!((&found["bound"], &found["certified"]), (&json!(bound), &json!(true)), "{spec}");
    }
}
