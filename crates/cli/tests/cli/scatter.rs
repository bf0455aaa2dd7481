//! Scatter and gather on large networks: at the floor of the root's channels, written, checked, and the same for any number of threads.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

#[test]
fn large_networks_are_at_the_floor() {
    for (line, steps) in [
        ("hypercube:14 scatter", 1171),
        ("hypercube:13 gather", 631),
        ("torus:60x60 scatter", 900),
        ("mesh:60x60 scatter --root 1", 1200),
        ("kautz:2,11 scatter", 1536),
        ("random-regular:1024,4 gather --root 7", 256),
        ("hypercube:12 scatter --switching store-and-forward", 342),
        ("hypercube:12 scatter --slack 0", 342),
        ("torus:30x30 scatter --chunks 3", 675),
        ("torus:30x30 scatter --receivers 5-84", 20),
    ] {
        let found = quadrille(&format!("solve {line} --json")).json(0);
        assert_eq!((&found["steps"], &found["optimal"]), (&json!(steps), &json!(true)), "{line}");
    }
}

#[test]
fn files_are_checked_and_do_not_depend_on_threads() {
    let folder = Folder::new();
    let [one, two] = ["one.json.gz", "two.json.gz"].map(|name| folder.path(name));
    for (file, threads) in [(&one, 1), (&two, 2)] {
        quadrille(&format!("solve torus:16x16 gather --threads {threads} -o {file}")).good();
    }
    let steps = |file: &str| {
        let text = quadrille(&format!("export {file} --to json -o -")).out;
        serde_json::from_str::<Value>(&text).unwrap()["steps"].clone()
    };
    assert!(steps(&one) == steps(&two));
    let people = quadrille(&format!("check {one}")).good();
    assert!(people.starts_with("gather on torus:16x16: 64 steps, lower bound 64: optimal"), "{people}");
}

#[test]
fn narrow_places_and_unfit_models() {
    // The narrowest place lies behind the root.
    let found = quadrille("solve full-tree:63 scatter --root 1 --json").json(0);
    assert_eq!((&found["steps"], &found["optimal"]), (&json!(32), &json!(true)));
    // Messages would travel as one.
    quadrille("solve hypercube:4 scatter --combining --method scatter-trees").fails(2, "scatter-trees", "");
}
