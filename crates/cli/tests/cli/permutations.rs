//! Permutations: from a file or by name, at their floors, and what is none.

use crate::{Folder, quadrille};
use serde_json::json;

#[test]
fn one_step_where_no_level_narrows() {
    let folder = Folder::new();
    // Every terminal to the one whose digits in base 4 are complemented, written as a file of 256 lines.
    let pairs: Vec<String> = (0..256).map(|t| format!("{t} {}", 255 - t)).collect();
    let place = folder.write("pairs.txt", &pairs.join("\n"));
    let saved = folder.path("permutation.json.gz");
    let found = quadrille(&format!("solve gft:3,4,4 permutation --pairs {place} -o {saved} --json")).json(0);
    assert_eq!((&found["steps"], &found["optimal"]), (&json!(1), &json!(true)));
    assert_eq!(quadrille(&format!("check {saved} --json")).json(0)["optimal"], json!(true));
    for network in ["gft:2,2,3", "pgft:4,4;1,2;1,2", "fat-tree:64", "benes:64", "clos:5,4,8", "opened:gft:2,4,4"] {
        for name in ["random:7", "shift:5"] {
            let found = quadrille(&format!("solve {network} permutation --pairs {name} --json")).json(0);
            assert_eq!((&found["steps"], &found["optimal"]), (&json!(1), &json!(true)), "{network}, {name}");
        }
    }
    let some = quadrille("solve gft:3,4,4 permutation --pairs shift:1 --senders 3,77-150,201 --json").json(0);
    assert_eq!((&some["steps"], &some["transfers"]), (&json!(1), &json!(76)));
}

#[test]
fn hundreds_of_terminals() {
    let found = quadrille("solve gft:4,4,4 permutation --pairs random:1 --json").json(0);
    assert_eq!(
        (&found["steps"], &found["optimal"], &found["method"]),
        (&json!(1), &json!(true), &json!("edge-colouring"))
    );
}

#[test]
fn the_fewest_steps_where_a_level_narrows() {
    // What leaves a subtree over its channels: half of all for reversal, 16 terminals on 4 channels, and so on.
    for (network, name, steps) in [
        ("gft:2,4,2", "reversal", 2),
        ("gft:3,4,2", "reversal", 4),
        ("gft:4,2,1", "reversal", 8),
        ("clos:2,4,4", "shift:4", 2),
    ] {
        let found = quadrille(&format!("solve {network} permutation --pairs {name} --json")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{network}, {name}");
    }
}

#[test]
fn what_is_no_permutation() {
    let folder = Folder::new();
    let solve = |pairs: &str| quadrille(&format!("solve gft:2,2,2 permutation --pairs {pairs}"));
    solve(&folder.write("twice.txt", "0 5\n1 2\n# and\n3 5\n")).fails(
        2,
        "twice.txt:4: node 5 receives for the second time, after line 1",
        "at most once",
    );
    solve(&folder.write("from.txt", "0 5\n0 2\n")).fails(
        2,
        "from.txt:2: node 0 sends for the second time",
        "alltoallv",
    );
    solve(&folder.write("count.txt", "0 5 2\n")).fails(2, "count.txt:1: 2 messages from node 0", "alltoallv");
    solve(&folder.write("range.txt", "0 5\n1 99\n")).fails(2, "range.txt:2: to: gft:2,2,2 has no node 99", "0 to");
    solve(&folder.write("switch.txt", "0 8\n")).fails(2, "switch.txt:1: to: node 8 of gft:2,2,2 is a switch", "0-7");
    solve(&folder.write("self.txt", "0 0\n1 1\n")).fails(2, "no message to send", "");
    solve(&folder.write("words.txt", "0\n")).fails(2, "words.txt:1: 1 words", "from to");
    solve("nothing.txt").fails(2, "nothing.txt: cannot be read", "bit-reversal");
    solve("shift").fails(2, "`shift` is not of the form `shift:K`, with a number below 8", "ranks");
    solve("transpose").fails(2, "transpose needs a square number of terminals, not 8", "ranks");
    quadrille("solve gft:2,2,2 permutation").fails(2, "permutation needs pairs", "shift:1");
    // A node that keeps what it has is part of a permutation, and needs no message.
    let kept = folder.write("kept.txt", "0 1\n1 0\n2 2\n");
    assert_eq!(quadrille(&format!("solve gft:2,2,2 permutation --pairs {kept} --json")).json(0)["transfers"], json!(2));
}
