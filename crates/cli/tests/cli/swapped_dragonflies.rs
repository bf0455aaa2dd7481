//! Swapped dragonflies: alltoall as orbits under store-and-forward, broadcasts, parts and source vectors.

use crate::{Folder, quadrille};
use serde_json::json;

const HOPS: &str = "--switching store-and-forward";

#[test]
fn store_and_forward_is_stored_as_orbits() {
    let folder = Folder::new();
    let (orbits, plain) = (folder.path("orbits.json.gz"), folder.path("plain.json.gz"));
    let solve = format!("solve swapped-dragonfly:4,5 alltoall {HOPS} --method vector-stream");
    let found = quadrille(&format!("{solve} --orbits -o {orbits} --json")).json(0);
    assert_eq!((&found["steps"], &found["symmetry"]), (&json!(42), &json!(20)));
    let checked = quadrille(&format!("check {orbits} --json")).json(0);
    assert_eq!((&checked["valid"], &checked["steps"], &checked["bound"]), (&json!(true), &json!(42), &found["bound"]));
    quadrille(&format!("export {orbits} --to json -o {plain}")).good();
    let written = quadrille(&format!("check {plain} --json")).json(0);
    assert_eq!((&written["steps"], &written["transfers"]), (&json!(42), &found["transfers"]));
    quadrille(&format!("show {orbits} -o {}", folder.path("page.html"))).good();
}

#[test]
fn many_messages_are_broadcast_by_trees() {
    let ask = |method: &str| {
        quadrille(&format!(
            "solve swapped-dragonfly:3,4 broadcast --root 1 --chunks 30 {HOPS} --method {method} --ticks 1000 --json"
        ))
    };
    for (method, steps) in [("shallow-tree", 32), ("chained-trees", 24), ("streamed-trees", 14)] {
        assert_eq!(ask(method).json(0)["steps"], json!(steps), "{method}");
    }
    ask("streamed-tree").fails(2, "`streamed-tree` is not a method", "`streamed-trees`");
}

#[test]
fn a_stream_is_bounded_by_a_late_cut() {
    let folder = Folder::new();
    let file = folder.path("stream.json");
    let solve = format!(
        "solve swapped-dragonfly:3,4 broadcast --root 1 --messages 30 {HOPS} --method streamed-trees --ticks 1000000"
    );
    let found = quadrille(&format!("{solve} -o {file} --json")).json(0);
    // Five channels lead to a router that is three hops away.
    assert_eq!((&found["steps"], &found["bound"], &found["certified"]), (&json!(14), &json!(9), &json!(true)));
    let checked = quadrille(&format!("check {file} --json")).json(0);
    assert_eq!((&checked["valid"], &checked["bound"], &checked["certified"]), (&json!(true), &json!(9), &json!(true)));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(r#""kind": "late-cut", "nodes": ["#));
    let more = text.replace(r#""bound": {"steps": 9"#, r#""bound": {"steps": 10"#);
    std::fs::write(&file, more).unwrap();
    assert_eq!(quadrille(&format!("check {file} --json")).json(1)["certified"], json!(false));
}

#[test]
fn dragonflies_and_swapped_hypercubes_are_written_down() {
    let solve = |network: &str, rest: &str| quadrille(&format!("solve {network} alltoall {rest} --json")).json(0);
    let found = solve("dragonfly:3,4,5,1", &format!("{HOPS} --method coloured-vectors"));
    assert_eq!((&found["steps"], &found["bound"]), (&json!(18), &json!(16)));
    let found = solve("dragonfly:3,4,5,1", "--method coloured-factors");
    assert!(found["steps"].as_u64().unwrap() <= 22, "{found}");
    for (network, floor) in [("swapped-hypercube:1,2", 25), ("swapped-dragonfly:3,3", 15)] {
        for (model, method) in [(HOPS, "priced-hops"), ("--switching wormhole", "priced-paths")] {
            let found = solve(network, &format!("{model} --method {method}"));
            assert_eq!(found["method"], json!(method));
            let (steps, bound) = (found["steps"].as_u64().unwrap(), found["bound"].as_u64().unwrap());
            assert!(bound >= floor && steps <= bound + 3, "{found}");
        }
    }
    let limited = format!("solve dragonfly:2,4 alltoall {HOPS} --ports one --method coloured-vectors");
    quadrille(&limited).fails(2, "does not apply", "quadrille methods");
    quadrille("solve dragonfly:2,4 alltoall --method coloured-vectors").fails(2, "does not apply", "quadrille methods");
}

#[test]
fn parts_and_vectors() {
    let part = quadrille("network swapped-dragonfly:3,5 --part 2,0;1,2,4 --json").json(0);
    assert_eq!(part["part"], json!("swapped-dragonfly:2,3"));
    let text = quadrille("network swapped-dragonfly:3,5 --part 0,2;1,2,4").good();
    let nodes = text.lines().nth(1).unwrap();
    let solve = format!("solve swapped-dragonfly:3,5 alltoall --senders {nodes} --receivers {nodes} {HOPS}");
    let found = quadrille(&format!("{solve} --method sub-network --json")).json(0);
    assert_eq!((&found["steps"], &found["method"]), (&json!(11), &json!("sub-network")));
    let way = quadrille("network swapped-dragonfly:3,4 --vector 6:2;1,3 --json").json(0);
    assert_eq!((&way["nodes"], &way["vector"]), (&json!([6, 7, 45, 44]), &json!("(2; 1, 3)")));
    let route = quadrille("network swapped-dragonfly:3,4 --route 6-44 --json").json(0);
    assert_eq!((&route["nodes"], &route["rule"]), (&way["nodes"], &json!("source vector (2; 1, 3)")));
}

#[test]
fn what_is_wrong_is_said() {
    let network = |rest: &str| quadrille(&format!("network {rest}"));
    network("swapped-dragonfly:0,4").fails(2, "K is 0", "quadrille networks");
    network("swapped-dragonfly:3,1").fails(2, "M is 1", "quadrille networks");
    network("dragonfly:2,4,12").fails(2, "G is 12, but must be 2 to 9", "quadrille networks");
    network("swapped-dragonfly:3,4 --vector 6:3;1,1").fails(
        2,
        "γ is 3, but the global ports are 0 to 2",
        "such as 0;1,1",
    );
    network("swapped-dragonfly:3,4 --vector 6:0;4,1").fails(2, "π is 4", "π and δ are 0 to 3");
    network("swapped-dragonfly:3,4 --vector 48:0;1,1").fails(2, "no node 48", "0 to 47");
    network("swapped-dragonfly:3,4 --vector 6").fails(2, "names no router", "6:2;1,3");
    network("ring:8 --vector 1:0;1,1").fails(2, "for swapped dragonflies", "swapped-dragonfly:3,4");
    network("swapped-dragonfly:3,4 --part 0,3;1,2").fails(2, "no smaller network", "cabinets are 0 to 2");
    network("swapped-dragonfly:3,4 --part 0").fails(2, "not a list", "0,2;1,2,4");
    quadrille("solve swapped-dragonfly:3,4 alltoall --method vector-latin").fails(2, "does not apply", "switching");
}

#[test]
fn headers_are_followed_hop_by_hop() {
    let ask = |rest: &str| quadrille(&format!("network swapped-dragonfly:3,4 --vector {rest}"));
    let nodes: Vec<u64> = ask("6:4;2;1,3 --json").json(0)["hops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hop| hop["node"].as_u64().unwrap())
        .collect();
    // The last is the router moved by (2, 1, 3).
    assert_eq!(nodes, [41, 42, 42, 41]);
    let tree = ask("6:4;*;*,* --json").json(0);
    assert_eq!((&tree["reached"], &tree["channels"], &tree["surplus"]), (&48.into(), &57.into(), &10.into()));
    let edges: usize = tree["tree"].as_array().unwrap().iter().map(|hop| hop.as_array().unwrap().len()).sum();
    assert_eq!(edges, 47);
    ask("6:0;2;1,3").fails(2, "`0` is not a number of hops", "1 to 64");
    ask("6:4;5;1,3").fails(2, "γ is 5", "γ is 0 to 2");
    ask("6:4;*;1,9").fails(2, "no router has", "0 to 3");
    ask("6:4;*;1").fails(2, "not three ports", "A:t;γ;π,δ");
}

#[test]
fn the_cells_of_doubly_parallel_exchanges_can_be_chosen() {
    let solve = |rest: &str| {
        quadrille(&format!("solve swapped-dragonfly:6,6 alltoall --switching store-and-forward --method {rest}"))
    };
    for (method, cell, steps) in
        [("doubly-parallel", 2, 134), ("doubly-parallel", 3, 92), ("doubly-parallel-paired", 6, 72)]
    {
        let answer = solve(&format!("{method} --param cell={cell} --ticks 1000 --json")).json(0);
        assert_eq!((&answer["steps"], &answer["method"]), (&steps.into(), &method.into()), "{method} {cell}");
    }
    solve("doubly-parallel --param cell=6").fails(2, "does not apply", "one of 1, 2, 3");
    solve("doubly-parallel --param s=2").fails(2, "the only parameter of doubly-parallel is `cell`", "cell=2");
    solve("doubly-parallel --param cell=two").fails(2, "not a number", "");
    assert!(quadrille("methods doubly-parallel").good().contains("--param cell=VALUE"));
}
