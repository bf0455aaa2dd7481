//! Latin squares on the command line.

use crate::{Folder, quadrille};
use serde_json::json;

#[test]
fn squares_are_printed_and_read_back() {
    let folder = Folder::new();
    let text = quadrille("latin print lls gft:2,2,2").good();
    assert_eq!(text.lines().nth(1), Some("7 0 1 2 3 4 5 6"));
    let said = quadrille(&format!("latin check {}", folder.write("lls.txt", &text))).good();
    assert!(said.contains("a Latin square of order 8"), "{said}");
    let document = quadrille("latin print xor 4 --json").good();
    let checked = quadrille(&format!("latin check {} --json", folder.write("xor.json", &document))).json(0);
    assert_eq!(
        checked,
        json!({"version": 1, "valid": true, "order": 4, "reduced": true, "symmetric": true, "violations": []})
    );
    let sixth = quadrille("latin print partition gft:2,2,2 --square 6 --json").json(0);
    assert_eq!(sixth["rows"][0], json!([0, 1, 3, 2, 5, 4, 6, 7]));
}

/// Figures 4.1 and 3.7 of the thesis on fat trees, and squares of slimmed trees and multistage networks.
#[test]
fn squares_as_papers_print_them() {
    let folder = Folder::new();
    let left = quadrille("latin print lls gft:2,2,2 --by-output").good();
    assert_eq!(left.lines().nth(1), Some("1 2 3 4 5 6 7 0"));
    assert_eq!(quadrille("latin print rls butterfly-butterfly:8").good(), left);
    let five = "A B C D E\nB C E A D\nC E D B A\nD A B E C\nE D A C B\n";
    let file = folder.write("five.txt", five);
    let said = quadrille(&format!("latin check {file}")).good();
    assert!(said.contains("of order 5, reduced and symmetric"), "{said}");
    assert_eq!(quadrille(&format!("latin print {file} --letters")).good(), five);
    let slimmed = quadrille("latin print partition gft:2,4,2 --square 6 --json").json(0);
    // As Figure 5.5 has it for 6: the last two leaves but one are crossed.
    assert_eq!(
        slimmed["rows"][0].as_array().map(|row| row[24..].to_vec()),
        json!([24, 25, 27, 26, 29, 28, 30, 31]).as_array().cloned()
    );
    let omega = quadrille("latin print partition omega:8 --square 6 --letters").good();
    assert_eq!(omega.lines().count(), 8);
    quadrille(&format!("latin check {}", folder.write("omega.txt", &omega))).good();
    quadrille("latin print cyclic 27 --letters").fails(2, "27 symbols, more than the 26 letters", "--letters");
    quadrille("latin print partition omega:8 --square 512").fails(2, "squares of omega:8 are 0 to 511", "partition");
    quadrille("latin print partition benes:8").fails(2, "one path a pair", "omega:8");
    quadrille("latin print lls baseline:8").fails(2, "terminals 0 and 1 both need line", "partition NETWORK");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::new();
    let file = folder.write("wrong.txt", "0,1,2 # a row\n1 2 0\n2 1 0\n");
    let answer = quadrille(&format!("latin check {file}"));
    assert_eq!((answer.status, answer.err.as_str()), (1, ""));
    assert!(answer.out.contains("column 1 has the symbol 1 in rows 0 and 2"), "{}", answer.out);
    let found = quadrille(&format!("latin check {file} --json")).json(1);
    assert_eq!((&found["valid"], found["violations"].as_array().map(Vec::len)), (&json!(false), Some(2)));
    assert_eq!(found["violations"][1]["rows"], json!([1, 2]));
    let short = quadrille(&format!("latin check {} --json", folder.write("short.txt", "0 1\n1\n"))).json(1);
    assert_eq!(short["violations"][0]["rule"], json!("length"));
    quadrille(&format!("latin mates {file}")).fails(1, "this is not a Latin square", "latin check");
}

#[test]
fn mates_are_counted() {
    let found = quadrille("latin mates xor 4 --json").json(0);
    assert_eq!(found["transversals"], json!(8));
    assert_eq!((&found["mates"], &found["complete"]), (&json!(2), &json!(true)));
    assert_eq!(found["mate"][0], json!([0, 1, 2, 3]));
    let none = quadrille("latin mates cyclic 6").good();
    assert!(none.starts_with("order 6: 0 transversals; 0 orthogonal mates"), "{none}");
    let many = quadrille("latin mates digits 2,6 --json").json(0);
    assert_eq!((&many["transversals"], &many["mates"]), (&json!(198_144), &json!(null)));
    let some = quadrille("latin mates xor 8 --ticks 200000 --json").json(1);
    assert_eq!((&some["transversals"], &some["complete"]), (&json!(384), &json!(false)));
    quadrille("latin mates cyclic 14 --ticks 10000").fails(1, "not counted in 10000 moves", "--ticks");
}

#[test]
fn bad_squares_are_refused() {
    let folder = Folder::new();
    quadrille("latin print xor 6").fails(2, "a power of 2, not 6", "digits 2,3");
    quadrille("latin print xor 6").fails(2, "digit-wise addition, serves any", "digits");
    quadrille("latin print cls gft:2,3,3").fails(2, "powers of 2, not 3", "digits NETWORK");
    quadrille("latin print lls gft:2,2").fails(2, "`gft:H,M,W`", "gft:2,4,4");
    quadrille("latin print lls ring:6").fails(2, "do not stand in levels or stages", "gft:2,4,4");
    quadrille("latin print partition gft:2,2,2 --square 512").fails(
        2,
        "squares of gft:2,2,2 are 0 to 511",
        "partition",
    );
    quadrille("latin print cycle 6").fails(2, "`cycle` is not a kind", "did you mean `cyclic`?");
    quadrille("latin print cyclic").fails(2, "`cyclic` needs a size", "cyclic N");
    quadrille("latin print cyclic 100000").fails(2, "100000 symbols are more than 2048", "cyclic N");
    quadrille("latin mates cyclic 65").fails(2, "transversals are counted up to 64", "smaller");
    quadrille("latin check nowhere.txt").fails(2, "nowhere.txt: cannot be read", "a row a line");
    let word = folder.write("word.txt", "0 1\n1 x\n");
    quadrille(&format!("latin check {word}")).fails(2, "word.txt:2: `x` is not a symbol", "symbols 0 to n-1");
    quadrille(&format!("latin check {}", folder.write("bad.json", "[[0, 1], 3]"))).fails(
        2,
        "bad.json",
        "a list of rows",
    );
}
