//! Closed forms of alltoall, stored and checked as orbits.

use crate::{Folder, quadrille};
use serde_json::{Value, json};

fn read(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_million_messages_are_a_thousand_orbits() {
    let folder = Folder::new();
    let file = folder.path("cube.json.gz");
    let found = quadrille(&format!("solve hypercube:10 alltoall -o {file} --json")).json(0);
    for (field, value) in [("steps", json!(512)), ("optimal", json!(true)), ("symmetry", json!(1024))] {
        assert_eq!(found[field], value, "{field}");
    }
    assert_eq!((&found["transfers"], &found["hops"]), (&json!(1_047_552), &json!(5_242_880)));
    let checked = quadrille(&format!("check {file} --json")).json(0);
    for field in ["steps", "bound", "optimal", "transfers", "symmetry"] {
        assert_eq!(checked[field], found[field], "{field}");
    }
    let people = quadrille(&format!("check {file}")).good();
    assert!(people.starts_with("alltoall on hypercube:10: 512 steps, lower bound 512: optimal"), "{people}");
    assert!(people.contains("symmetry: 1023 orbits of 1024 messages each"), "{people}");
    let bound = quadrille("bound hypercube:10 alltoall --json").json(0);
    assert_eq!((&bound["bound"], &bound["certified"]), (&json!(512), &json!(true)));
}

#[test]
fn orbits_are_written_out() {
    let folder = Folder::new();
    let (orbits, plain) = (folder.path("orbits.json"), folder.path("plain.json"));
    let said = quadrille(&format!("solve torus:4x4 alltoall --orbits -o {orbits}")).good();
    assert!(said.starts_with("alltoall on torus:4x4: 8 steps, lower bound 8: optimal"), "{said}");
    assert_eq!(read(&orbits)["format"], "quadrille-schedule/1+orbits/1");
    quadrille(&format!("export {orbits} --to json -o {plain}")).good();
    let written = read(&plain);
    assert_eq!(written["format"], "quadrille-schedule/1");
    assert_eq!(written["messages"].as_array().unwrap().len(), 240);
    assert_eq!(quadrille(&format!("check {plain} --json")).json(0)["optimal"], json!(true));
    for (format, name) in [("csv", "steps.csv"), ("svg", "steps.svg")] {
        let (one, other) = (folder.path(name), folder.path(&format!("again-{name}")));
        quadrille(&format!("export {orbits} --to {format} -o {one}")).good();
        quadrille(&format!("export {plain} --to {format} -o {other}")).good();
        assert_eq!(std::fs::read(one).unwrap(), std::fs::read(other).unwrap(), "{format}");
    }
    // What is shown of orbits, which are not written out for it, is what is shown of the file in which they are.
    for (name, flags) in [("one.svg", "--step 3"), ("dark.svg", "--dark"), ("page.html", "")] {
        let (one, other) = (folder.path(name), folder.path(&format!("again-{name}")));
        quadrille(&format!("show {orbits} {flags} -o {one}")).good();
        quadrille(&format!("show {plain} {flags} -o {other}")).good();
        assert!(std::fs::read(one).unwrap() == std::fs::read(other).unwrap(), "{name}");
    }
}

#[test]
fn what_is_too_much_for_a_picture_is_left_out_and_said() {
    let folder = Folder::new();
    let (file, picture) = (folder.path("cube.json.gz"), folder.path("cube.svg"));
    quadrille(&format!("solve hypercube:13 alltoall -o {file}")).good();
    quadrille(&format!("show {file} --step 3 -o {picture}")).good();
    let drawn = std::fs::read_to_string(picture).unwrap();
    let why =
        "left out, as too many for a picture: the transfers of all senders but 0, of whose transfers they are images";
    assert!(drawn.contains("67100672 transfers") && drawn.contains(why), "{}", &drawn[..800]);
    // Of a step that delivers as many messages as there are channels, those of one sender have a mark where they begin.
    let marks = drawn.matches("<circle cx").count() - 8192;
    assert!((1..=8).contains(&marks), "{marks}");
}

#[test]
fn broken_orbits_are_refused() {
    let folder = Folder::new();
    let good = folder.path("good.json");
    quadrille(&format!("solve torus:5x5 alltoall --orbits -o {good}")).good();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file = read(&good);
        change(&mut file);
        folder.write("changed.json", &file.to_string())
    };
    // Time does not come round.
    let path = changed(&|f| f["generators"][0]["shift"] = json!(1));
    let answer = quadrille(&format!("check {path} --json")).json(1);
    assert_eq!((&answer["valid"], &answer["violations"][0]["rule"]), (&json!(false), &json!("shift-not-cyclic")));
    quadrille(&format!("export {path} --to json -o {}", folder.path("no.json"))).fails(1, "shifts time", "check");
    // A representative that is not sent.
    let path = changed(&|f| {
        let steps = f["steps"].as_array_mut().unwrap();
        let busy = steps.iter().position(|s| !s.as_array().unwrap().is_empty()).unwrap();
        steps[busy].as_array_mut().unwrap().pop();
    });
    assert_eq!(quadrille(&format!("check {path} --json")).json(1)["violations"][0]["rule"], json!("undelivered"));
    // No automorphism.
    let path = changed(&|f| f["generators"][0]["nodes"].as_array_mut().unwrap().swap(0, 1));
    quadrille(&format!("check {path}")).fails(2, "generators[0]", "correct the file");
    // Weights that differ between images say nothing of orbits, but are weights of the schedule written out.
    let path = changed(&|f| {
        let weights: Vec<&str> = (0..100).map(|c| if c == 7 { "2" } else { "1" }).collect();
        f["bound"] = json!({"steps": 15, "certificate": {"kind": "lengths", "weights": weights}});
    });
    let answer = quadrille(&format!("check {path}"));
    assert!(answer.status == 0 && answer.out.contains("certified by lengths"), "{}", answer.out);
}

#[test]
fn closed_forms_apply_where_they_hold() {
    // What is changed about the network breaks the form, and the search takes over.
    for flags in ["--fail-link 0-1", "--half-duplex", "--slack 0"] {
        let found = quadrille(&format!("solve hypercube:3 alltoall {flags} --ticks 100000 --json")).json(0);
        assert!(found["symmetry"].is_null() && found["method"] != "hypercube", "{flags}: {found}");
    }
    quadrille("solve petersen alltoall --method hypercube").fails(2, "does not apply", "methods");
    quadrille("solve hypercube:3 scatter --method hypercube").fails(2, "does not apply", "methods");
    quadrille("solve hypercube:3 alltoall --method hypercub").fails(2, "`hypercub` is not a method", "hypercube");
}

#[test]
fn faults_are_repaired_in_the_closed_form() {
    let folder = Folder::new();
    let path = folder.path("repaired.json");
    let faults = "--fail-link 0-1 --fail-node 9";
    quadrille(&format!("solve hypercube:6 alltoall {faults} --method insertion -o {path}")).good();
    let answer = quadrille(&format!("check {path} --json")).json(0);
    // Without faults 32 steps.
    assert!(answer["valid"] == json!(true) && answer["steps"].as_u64().unwrap() <= 40, "{answer}");
    quadrille("solve hypercube:6 alltoall --method insertion").fails(2, "has lost nothing", "--fail-link");
}

/// Searches work under symmetries that they find, and write out what they find.
#[test]
fn a_schedule_that_was_searched_for_is_stored_by_its_symmetry() {
    let folder = Folder::new();
    let (small, large) = (folder.path("small.json"), folder.path("large.json"));
    let line = "solve hypercube:5 alltoall --method packing";
    let told = quadrille(&format!("{line} --orbits -o {small}")).good();
    assert!(told.contains("stored as 31 orbits of 32 messages each"), "{told}");
    quadrille(&format!("{line} -o {large}")).good();
    let size = |file: &str| std::fs::metadata(file).unwrap().len();
    assert!(size(&small) * 3 < size(&large), "{} and {} bytes", size(&small), size(&large));
    let checked = quadrille(&format!("check {small} --json")).json(0);
    assert_eq!((&checked["optimal"], &checked["symmetry"]), (&true.into(), &32.into()));
}

#[test]
fn chunks_that_are_merged_are_orbits() {
    let folder = Folder::new();
    let problems = [
        ("torus:40x40 reduce_scatter", [400, 400], 1),
        ("torus:40x40 allreduce --chunks 3200 --switching store-and-forward", [1600, 1599], 2),
    ];
    for (what, [steps, bound], orbits) in problems {
        let [file, packed] = [".json", ".qdr"].map(|ending| folder.path(&format!("{orbits}{ending}")));
        let found = quadrille(&format!("solve {what} -o {file} --json")).json(0);
        assert_eq!(
            (&found["steps"], &found["bound"], &found["symmetry"]),
            (&json!(steps), &json!(bound), &json!(1600))
        );
        assert_eq!(read(&file)["messages"].as_array().unwrap().len(), orbits);
        quadrille(&format!("export {file} --to binary -o {packed}")).good();
        for file in [&file, &packed] {
            let checked = quadrille(&format!("check {file} --json")).json(0);
            assert_eq!((&checked["steps"], &checked["bound"]), (&json!(steps), &json!(bound)), "{file}");
        }
    }
    // The last step is left out.
    let file = folder.path("1.json");
    let mut broken = read(&file);
    broken["steps"][399] = json!([]);
    std::fs::write(&file, broken.to_string()).unwrap();
    let said = quadrille(&format!("check {file} --json")).json(1);
    assert!(said["violations"].as_array().unwrap().iter().any(|v| v["rule"] == "incomplete"), "{said}");
}

#[test]
fn merged_orbits_are_written_out_and_checked_by_another_program() {
    let folder = Folder::new();
    for (at, what) in ["torus:3x4 reduce_scatter", "torus:3x4 allreduce --chunks 12"].iter().enumerate() {
        let [orbits, plain] = ["orbits", "plain"].map(|name| folder.path(&format!("{at}-{name}.json")));
        quadrille(&format!("solve {what} --orbits -o {orbits}")).good();
        assert_eq!(read(&orbits)["format"], "quadrille-schedule/1+orbits/1");
        quadrille(&format!("export {orbits} --to json -o {plain}")).good();
        assert_eq!(read(&plain)["format"], "quadrille-schedule/1");
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/check.py");
        let both = std::process::Command::new("python3").args([checker, &orbits, &plain]).output().unwrap();
        assert!(both.status.success(), "{}", String::from_utf8_lossy(&both.stdout));
    }
    let said = quadrille("solve torus:3x4 reduce_scatter --orbits --method reversal").good();
    assert!(!said.contains("stored as"), "{said}");
}
