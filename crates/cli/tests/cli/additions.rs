//! `atlas --add`: results of others are checked, compared with what is known, and kept beside the atlas.

use crate::{Folder, quadrille};
use serde_json::Value;

const TABLE: &str = r#"
title = "Rings"
source = "a test"

[[network]]
name = "Ring-4"
spec = "ring:4"
cases = [{ collective = "alltoall", printed = "3/2", optimum = 2 }]
"#;

/// A folder with an atlas of one entry, which is solved where `solved` says so, and the words that name it and its additions.
fn atlas(solved: bool) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("rings.toml", TABLE);
    if solved {
        quadrille(&format!("atlas --solve --dir {}", folder.path(""))).good();
    }
    let words = format!("--dir {} --atlas {}", folder.path(""), folder.path("added"));
    (folder, words)
}

/// The document of an optimal alltoall on four nodes in a ring, changed.
fn result(folder: &Folder, name: &str, change: impl Fn(&mut Value)) -> String {
    let file = folder.path(name);
    quadrille(&format!("solve ring:4 alltoall -o {file}")).good();
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    change(&mut document);
    folder.write(name, &document.to_string())
}

/// A step more than there need be, and a bound of less.
fn longer(document: &mut Value) {
    document["steps"].as_array_mut().unwrap().push(Value::Array(Vec::new()));
}

#[test]
fn new_better_same_and_worse() {
    let (folder, words) = atlas(false);
    let (long, short) = (result(&folder, "long.json", longer), result(&folder, "short.json", |_| ()));
    let add = |file: &str, status| quadrille(&format!("atlas --add {file} {words} --json")).json(status);
    let first = add(&long, 0);
    assert_eq!(
        (&first["change"], &first["entry"], &first["before"]),
        (&"new".into(), &"ring-4/alltoall".into(), &Value::Null)
    );
    assert_eq!((&first["result"]["steps"], &first["result"]["bound"]), (&3.into(), &2.into()));
    let kept = first["saved"].as_str().unwrap().to_owned();
    assert_eq!(kept, folder.path("added/alltoall-on-ring-4.qdr"));
    let second = add(&short, 0);
    assert_eq!(
        (&second["change"], &second["before"]["steps"], &second["saved"]),
        (&"better".into(), &3.into(), &kept.clone().into())
    );
    assert_eq!(quadrille(&format!("check {kept} --json")).json(0)["optimal"], true);
    let third = add(&short, 0);
    assert_eq!((&third["change"], &third["saved"]), (&"same".into(), &Value::Null));
    assert_eq!(add(&long, 1)["change"], "worse");
    let shown = quadrille(&format!("atlas --added {words}")).good();
    assert!(shown.contains("1 added in") && shown.contains("alltoall-on-ring-4.qdr: alltoall on ring:4"), "{shown}");
    // The tables of the atlas stay as they are.
    assert!(!folder.names().contains(&"results".to_owned()));
}

#[test]
fn what_the_atlas_has_counts() {
    let (folder, words) = atlas(true);
    let long = result(&folder, "long.json", longer);
    let told = quadrille(&format!("atlas --add {long} {words}"));
    assert_eq!(told.status, 1, "{}{}", told.out, told.err);
    assert!(told.out.contains("worse: before 2 steps, lower bound 2, entry ring-4/alltoall"), "{}", told.out);
    // Other names and no bound: it is the same problem, whose bound is known.
    let anonymous = result(&folder, "theirs.json", |document| {
        document["network"]["name"] = "theirs".into();
        document["collective"]["name"] = "total exchange".into();
        document.as_object_mut().unwrap().remove("bound");
    });
    let same = quadrille(&format!("atlas --add {anonymous} {words} --json")).json(0);
    assert_eq!((&same["change"], &same["result"]["bound"]), (&"same".into(), &2.into()));
    // Another problem is new.
    let other = folder.path("other.qdr");
    quadrille(&format!("solve ring:5 alltoall -o {other}")).good();
    let told = quadrille(&format!("atlas --add {other} {words}")).good();
    assert!(told.contains("new: no earlier result, no entry of the atlas") && told.contains("saved to"), "{told}");
}

#[test]
fn what_does_not_hold_is_not_added() {
    let (folder, words) = atlas(false);
    let add = |file: &str| quadrille(&format!("atlas --add {file} {words}"));
    let broken = result(&folder, "broken.json", |document| document["steps"][0] = Value::Array(Vec::new()));
    add(&broken).fails(1, "the schedule breaks", "`quadrille check` prints everything that is wrong");
    let claims = result(&folder, "claims.json", |document| document["bound"]["steps"] = 3.into());
    add(&claims).fails(1, "refused", "`quadrille check`");
    let boundless =
        result(&folder, "boundless.json", |document| drop(document.as_object_mut().unwrap().remove("bound")));
    add(&boundless).fails(1, "it has no bound, and none is known of its problem", "docs/certificates.md");
    add(&folder.write("text.json", "words")).fails(2, "text.json:1:1", "");
    add(&folder.path("nowhere.json")).fails(2, "nowhere.json", "name a file that exists");
    assert!(!folder.names().contains(&"added".to_owned()));
    // A file that was damaged after it was added is told of, and refuses no other.
    let good = result(&folder, "good.json", |_| ());
    add(&good).good();
    folder.write("added/damaged.qdr", "no such file");
    let shown = quadrille(&format!("atlas --added {words} --json")).json(1);
    assert_eq!(shown["entries"].as_array().unwrap().len(), 2);
    assert_eq!(add(&good).status, 0);
}
