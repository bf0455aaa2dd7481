//! Routings: loads of shifts, tables of switches, and circles of waiting.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

#[test]
fn a_torus_may_block_and_a_mesh_may_not() {
    let said = quadrille("network mesh:4x4 --deadlock dimension-order").good();
    assert!(said.contains("cannot block each other") && said.contains("between 48 channels"), "{said}");
    let torus = quadrille("network torus:4x4 --deadlock dimension-order --json").json(1);
    assert_eq!((&torus["free"], &torus["channels"]), (&json!(false), &json!(64)));
    assert_eq!(torus["cycle"].as_array().unwrap().len(), 4);
    let said = quadrille("network torus:4x4 --deadlock dimension-order");
    assert_eq!((said.status, said.err.as_str()), (1, ""));
    assert!(said.out.contains("a cycle of 4: 0>1 1>2 2>3 3>0"), "{}", said.out);
    let up = quadrille("network torus:4x4 --deadlock up-down --root 5 --json").json(0);
    assert_eq!((&up["free"], &up["routing"], &up["root"]), (&json!(true), &json!("up-down"), &json!(5)));
    assert!(
        quadrille("network torus:4x4 --deadlock up-down --root 5")
            .good()
            .starts_with("torus:4x4, up-down with root 5\n")
    );
    // A root that nobody chose is told, too.
    let up = quadrille("network petersen --deadlock up-down --json").json(0);
    let root = up["root"].as_u64().unwrap();
    assert!(quadrille("network petersen --deadlock up-down").good().contains(&format!("up-down with root {root}\n")));
}

#[test]
fn schedules_may_block_each_other_across_steps() {
    let folder = Folder::new();
    let (ring, tree) = (folder.path("ring.json"), folder.path("tree.json"));
    quadrille(&format!("solve ring:6 alltoall -o {ring}")).good();
    let checked = quadrille(&format!("check {ring} --deadlock --json")).json(1);
    assert_eq!((&checked["valid"], &checked["deadlock"]["free"]), (&json!(true), &json!(false)));
    assert_eq!(checked["deadlock"]["steps_with_cycles"], json!([]));
    assert_eq!(quadrille(&format!("check {ring} --json")).json(0)["deadlock"], Value::Null);
    // Stored as orbits.
    quadrille(&format!("solve gft:2,2,2 alltoall --orbits -o {tree}")).good();
    let said = quadrille(&format!("check {tree} --deadlock")).good();
    assert!(said.contains("the transfers of all steps together cannot block each other"), "{said}");
}

#[test]
fn loads_of_shifts() {
    let full = quadrille("network xgft:4,4;1,4 --routing d-mod-k --json").json(0);
    assert_eq!(full["loads"], json!(vec![1; 15]));
    let said = quadrille("network xgft:4,3;1,5 --routing d-mod-k").good();
    assert!(said.contains("load 2"), "{said}");
    let some = quadrille("network xgft:4,4,4;1,4,4 --routing d-mod-k --terminals 0-2,5-40,44,50-63 --json").json(0);
    assert_eq!(some["terminals"], json!(54));
    assert!(some["largest"].as_u64().unwrap() >= 2, "{some}");
    let folder = Folder::new();
    let file = folder.write("some.txt", "0-2 5-40 # the first half\n44, 50-63\n");
    let read = quadrille(&format!("network xgft:4,4,4;1,4,4 --routing d-mod-k --terminals {file} --json")).json(0);
    assert_eq!(read["loads"], some["loads"]);
}

#[test]
fn tables_of_switches() {
    let folder = Folder::new();
    let (text, document) = (folder.path("lft.txt"), folder.path("lft.json"));
    let said = quadrille(&format!("network xgft:2,2;1,2 --routing d-mod-k --to lft -o {text}")).good();
    assert!(said.contains("4 tables of 4 entries, saved to"), "{said}");
    let text = std::fs::read_to_string(text).unwrap();
    let expected = [
        "Unicast lids [0x1-0x8] of switch Lid 5 guid 0x0000000000000005 (1:0):",
        "  Lid  Out   Destination",
        "       Port     Info",
        "0x0001 001 : (Channel Adapter portguid 0x0000000000000001: '0')",
        "0x0002 002 : (Channel Adapter portguid 0x0000000000000002: '1')",
        "0x0003 003 : (Channel Adapter portguid 0x0000000000000003: '2')",
        "0x0004 004 : (Channel Adapter portguid 0x0000000000000004: '3')",
        "4 valid lids dumped",
    ];
    assert_eq!(text.lines().take(8).collect::<Vec<_>>(), expected);
    assert_eq!(text.lines().count(), 32);
    quadrille(&format!("network xgft:2,2;1,2 --routing s-mod-k --to lft -o {document}")).good();
    let document: Value = serde_json::from_str(&std::fs::read_to_string(document).unwrap()).unwrap();
    assert_eq!((&document["format"], &document["stride"]), (&json!("quadrille-lft/1"), &json!(2)));
    assert_eq!(document["classes"], json!([0, 1, 0, 1]));
    // Two addresses per terminal: below the first switch, and by either parent.
    assert_eq!(document["switches"][0]["table"], json!([1, 1, 2, 2, 3, 4, 3, 4]));
}

#[test]
fn the_help_names_every_routing() {
    let help = quadrille("help network").good();
    for entry in routing::ROUTINGS {
        assert!(help.contains(&format!("  {} ", entry.name)), "{}", entry.name);
    }
}

#[test]
fn what_is_refused() {
    let folder = Folder::new();
    let empty = folder.write("empty.txt", "# nobody\n");
    quadrille(&format!("network gft:2,2,2 --routing d-mod-k --terminals {empty}")).fails(
        2,
        "no terminal in",
        "numbers",
    );
    quadrille("network torus:4x4 --deadlock e-cube").fails(2, "no routing `e-cube`", "dimension-order");
    quadrille("network torus:4x4 --deadlock d-mod-k").fails(2, "is for whole fat trees", "`shortest`");
    quadrille("network torus:4x4 --routing shortest --root 3").fails(2, "starts at no root", "up-down");
    quadrille("network gft:2,2,2 --deadlock up-down --root 3").fails(2, "node 3 is not a root", "switch");
    quadrille("network torus:4x4 --routing minimal").fails(2, "leaves messages a choice", "d-mod-k");
    quadrille("network ring-uni:5 --deadlock up-down").fails(1, "has no path from node", "needs links");
    let named = folder.write("named.edges", "# directed\nleft right\nright left\nleft out\nright out\n");
    quadrille(&format!("network {named} --deadlock up-down")).fails(1, "no path from node out to node left", "links");
    quadrille("network gft:2,2,2 --routing d-mod-k --to ltf -o x.txt").fails(2, "`ltf` is not a format", "`lft`");
    quadrille("network gft:2,2,2 --routing d-mod-k -o x.txt").fails(2, "needs --to", "lft");
    quadrille("network gft:2,2,2 --routing d-mod-k --terminals 3").fails(2, "at least two terminals", "more");
    quadrille("network gft:2,2,2 --routing d-mod-k --terminals 3,9").fails(2, "node 9 of gft:2,2,2 is a switch", "0-7");
    quadrille("network gft:2,2,2 --root 9").fails(2, "--root goes with a routing", "up-down");
    quadrille("network gft:2,4,4 --fail-link 0-64 --routing d-mod-k").fails(2, "is for whole fat trees", "shortest");
}
