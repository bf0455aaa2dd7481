//! Fat trees and multistage networks: constructions by name, settings of switches, and what is refused.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

#[test]
fn alltoall_is_at_its_floor() {
    for (network, steps, method) in [
        ("gft:2,4,4", 63, "digits"),
        ("gft:2,4,2", 48, "slimmed"),
        ("fat-tree:32", 31, "digits"),
        ("clos:4,4,4", 15, "digits"),
        ("omega:16", 15, "min-xor"),
        ("butterfly:8", 7, "min-xor"),
        ("baseline:8", 8, "min-xor"),
        ("butterfly-butterfly:8", 7, "rls"),
        ("pgft:4,4;1,2;1,2", 15, "digits"),
    ] {
        let found = quadrille(&format!("solve {network} alltoall --json")).json(0);
        let expected = (json!(steps), json!(true), json!(method));
        assert_eq!((&found["steps"], &found["optimal"], &found["method"]), (&expected.0, &expected.1, &expected.2));
    }
}

#[test]
fn thousands_of_terminals_are_stored_as_orbits() {
    let folder = Folder::new();
    let file = folder.path("tree.json.gz");
    let found = quadrille(&format!("solve gft:5,4,4 alltoall -o {file} --json")).json(0);
    assert_eq!((&found["steps"], &found["optimal"]), (&json!(4095), &json!(true)));
    let checked = quadrille(&format!("check {file} --json")).json(0);
    assert_eq!((&checked["optimal"], &checked["transfers"]), (&json!(true), &json!(16_773_120)));
}

#[test]
fn constructions_are_chosen_by_name() {
    let steps = |line: &str| quadrille(&format!("solve {line} --json")).json(0)["steps"].clone();
    assert_eq!(steps("gft:2,2,2 alltoall --method lls"), json!(7));
    assert_eq!(steps("gft:2,4,2 alltoall --method cls"), json!(62));
    assert_eq!(steps("gft:2,2,2 alltoall --method partition --seed 77 --ticks 300000"), json!(8));
    let wrong = quadrille("solve gft:2,3,3 alltoall --method cls");
    wrong.fails(2, "`cls` does not apply", "`digits`, digit-wise addition, works for any");
    quadrille("solve gft:0,1,1 alltoall").fails(2, "the number of terminals is 1", "quadrille networks");
    quadrille("network gft:2,2").fails(2, "`gft:H,M,W`", "gft:2,4,4");
    quadrille("network xgft:4,4;1").fails(2, "the number of Ws is 1, but must be 2", "quadrille networks");
}

#[test]
fn settings_of_a_schedule() {
    let folder = Folder::new();
    let (file, table, document) = (folder.path("omega.json"), folder.path("s.csv"), folder.path("s.json"));
    quadrille(&format!("solve omega:8 alltoall -o {file}")).good();
    quadrille(&format!("export {file} --to switches -o {table}")).good();
    quadrille(&format!("export {file} --to switches -o {document}")).good();
    let table = std::fs::read_to_string(table).unwrap();
    // The first step exchanges neighbours: only the switches of the last stage cross.
    assert_eq!(
        table.lines().take(3).collect::<Vec<_>>(),
        ["step,switch,label,setting", "0,8,A,0>0 1>1", "0,9,B,0>0 1>1"]
    );
    assert_eq!(table.lines().nth(12), Some("0,19,L,0>1 1>0"));
    assert_eq!(table.lines().count(), 1 + 7 * 12);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(document).unwrap()).unwrap();
    assert_eq!(document["steps"][0][11], json!({"switch": 19, "setting": [[0, 1], [1, 0]]}));
}

/// The states of two butterflies in a row, stage by stage, in rotations 1, 2 and 4.
#[test]
fn settings_of_two_butterflies() {
    let folder = Folder::new();
    let (file, table) = (folder.path("two.json"), folder.path("two.csv"));
    quadrille(&format!("solve butterfly-butterfly:8 alltoall --method rls -o {file}")).good();
    quadrille(&format!("export {file} --to switches -o {table}")).good();
    let table = std::fs::read_to_string(table).unwrap();
    let crossed = |step: &str| {
        let lines = table.lines().filter(|line| line.split(',').next() == Some(step));
        lines.map(|line| if line.ends_with(",0>1 1>0") { '1' } else { '0' }).collect::<String>()
    };
    assert_eq!(crossed("0"), "00001011101010010110");
    assert_eq!(crossed("1"), "00001100100101100110");
    assert_eq!(crossed("3"), "00001001011001100110");
}

/// Figure 3.8 of the thesis: the identity through two butterflies; and an omega network, whose lines cross before the first stage.
#[test]
fn settings_of_multistage_networks() {
    let folder = Folder::new();
    let file = folder.path("identity.svg");
    let said = quadrille(&format!("network butterfly-butterfly:8 --rotation 0 -o {file}")).good();
    let lines: Vec<&str> = said.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(lines[1..6], ["0000", "0110", "0110", "0110", "0110"]);
    let drawn = std::fs::read_to_string(file).unwrap();
    assert_eq!(drawn.matches("<rect").count(), 21);
    assert!(
        (0..8).all(|t| drawn.contains(&format!(">{t} <tspan")) && drawn.contains(&format!("&#8592; {t}<"))),
        "{drawn}"
    );
    let row = quadrille("network omega:8 --rotation 3 --json").json(0);
    assert_eq!(row["sends"], json!([5, 6, 7, 0, 1, 2, 3, 4]));
    assert_eq!(row["stages"][0]["switches"][3], json!({"state": 0, "outputs": [0, 1]}));
    let wide = quadrille("network omega:16,4 --xor 1").good();
    assert!(wide.contains("1-0-3-2"), "{wide}");
    quadrille("network baseline:8 --xor 0").fails(2, "terminals 0 and 1 both need line 0 behind stage 0", "shift:K");
    quadrille("network omega:8 --xor 8").fails(2, "rows are 0 to 7", "terminals");
    quadrille("network omega:27,3 --xor 1").fails(2, "a power of 2, not 27", "--sum");
    quadrille("network omega:8 --xor 1 --pass 1").fails(2, "no pass 1", "--pass");
}

#[test]
fn what_networks_pass_at_once() {
    let said = quadrille("network omega:8").good();
    assert!(
        said.contains(
            "  permutations         blocking\n    because            terminals 0 and 4, to 0 and to 1, need the same output"
        ),
        "{said}"
    );
    assert!(said.contains("    for example        1>4 4>1 and every other node to itself"), "{said}");
    let benes = quadrille("network benes:8 --json").json(0);
    assert_eq!(benes["circuits"]["class"], json!("rearrangeable"));
    assert_eq!(
        (benes["circuits"]["circuits"].as_array().map(Vec::len), &benes["circuits"]["permutation"]),
        (Some(2), &Value::Null)
    );
    assert_eq!(benes["circuits"]["refused"], json!([4, 7]));
    assert!(
        quadrille("network clos:5,3,4")
            .good()
            .contains("strictly non-blocking\n    because            5 parents of a leaf")
    );
    assert_eq!(quadrille("network torus:4x4 --json").json(0)["circuits"], Value::Null);
    // The witness takes more than one step, by a certified floor.
    let tree = quadrille("network gft:2,4,2 --json").json(0);
    let folder = Folder::new();
    let pairs: Vec<String> = (0..32).map(|t| format!("{t} {}", tree["circuits"]["permutation"][t])).collect();
    let file = folder.write("pairs.txt", &pairs.join("\n"));
    let bound = quadrille(&format!("bound gft:2,4,2 permutation --pairs {file} --json")).json(0);
    assert_eq!(bound["bound"], json!(2));
}

#[test]
fn settings_of_a_row() {
    let folder = Folder::new();
    let file = folder.path("rotation.svg");
    let said = quadrille(&format!("network gft:2,2,2 --rotation 5 -o {file}")).good();
    let lines: Vec<&str> = said.lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(lines[1..6], ["0000", "0000", "0111", "1010", "1111"]);
    let drawn = std::fs::read_to_string(file).unwrap();
    // A ground and 4 switches in each of 5 stages.
    assert_eq!(drawn.matches("<rect").count(), 21);
    assert!(drawn.contains(">&#8592; 5<"), "{drawn}");
    let row = quadrille("network gft:2,4,2 --rotation 3 --pass 1 --json").json(0);
    assert_eq!((&row["sends"][4], &row["sends"][0]), (&json!(1), &Value::Null));
    quadrille("network gft:2,3,3 --xor 6").fails(2, "powers of 2, not 3; digit-wise addition serves any", "--sum");
    quadrille("network gft:2,3,3 --rotation 27").fails(2, "rows are 0 to 26", "terminals");
    quadrille("network gft:2,3,3 --rotation 2 --pass 1").fails(2, "passes are 0 to 0", "passes count from 0");
    quadrille("network ring:5 --rotation 2").fails(2, "do not stand in levels or stages", "gft");
    quadrille("network gft:5,4,4 --rotation 2 -o x.svg").fails(2, "too many to draw", "smaller");
}
