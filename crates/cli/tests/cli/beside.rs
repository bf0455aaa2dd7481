//! Certificates whose formula and proof stand in files beside the schedule's: written whole, checked whole, refused otherwise.

use crate::{Folder, quadrille};

/// A solved broadcast whose floor needs a proof from a solver, in a folder of its own.
fn solved(name: &str) -> Folder {
    let folder = Folder::new();
    let answer = quadrille(&format!("solve full-tree:31 broadcast -o {} --json", folder.path(name))).json(0);
    assert_eq!((&answer["certificate"]["kind"], &answer["optimal"]), (&"unsat".into(), &true.into()));
    folder
}

fn check(folder: &Folder, status: i32) -> String {
    let answer = quadrille(&format!("check {}", folder.path("tree.json")));
    assert_eq!(answer.status, status, "{}{}", answer.out, answer.err);
    answer.out + &answer.err
}

#[test]
fn formula_and_proof_are_written_beside_the_schedule_and_verified() {
    let folder = solved("tree.json");
    assert_eq!(folder.names(), ["tree.cnf", "tree.json", "tree.lrat"]);
    let people = check(&folder, 0);
    assert!(people.contains("4 steps, lower bound 4: optimal") && people.contains("certified by unsat"), "{people}");
    // A copy made by `export` takes them along, under its own name.
    let copy = folder.path("copy.json.gz");
    quadrille(&format!("export {} --to json -o {copy}", folder.path("tree.json"))).good();
    let names = ["copy.cnf.gz", "copy.json.gz", "copy.lrat.gz", "tree.cnf", "tree.json", "tree.lrat"];
    assert_eq!(folder.names(), names);
    let answer = quadrille(&format!("check {copy} --json")).json(0);
    assert_eq!((&answer["optimal"], &answer["certificate"]["kind"]), (&true.into(), &"unsat".into()));
}

#[test]
fn compressed_files_have_compressed_neighbours() {
    let folder = solved("tree.json.gz");
    assert_eq!(folder.names(), ["tree.cnf.gz", "tree.json.gz", "tree.lrat.gz"]);
    quadrille(&format!("check {}", folder.path("tree.json.gz"))).good();
}

#[test]
fn altered_and_cut_short_files_are_refused() {
    let folder = solved("tree.json");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let (clauses, proof, schedule) = (read("tree.cnf"), read("tree.lrat"), read("tree.json"));
    let half = |text: &str| text[..text.len() / 2].rsplit_once('\n').unwrap().0.to_owned();

    folder.write("tree.lrat", &half(&proof));
    assert!(check(&folder, 1).contains("tree.lrat: it ends before the empty clause"));
    folder.write("tree.lrat", &format!("99999999 0 1 0\n{proof}"));
    assert!(check(&folder, 1).contains("tree.lrat: line 1: has a hint that leaves more than one literal"));
    folder.write("tree.lrat", &proof);

    folder.write("tree.cnf", &half(&clauses));
    assert!(check(&folder, 1).contains("tree.cnf: line"));
    let (head, rest) = clauses.split_once('\n').unwrap();
    let (first, rest) = rest.split_once('\n').unwrap();
    folder.write("tree.cnf", &format!("{head}\n-{first}\n{rest}").replace("--", ""));
    assert!(check(&folder, 1).contains("is not the formula of 3 steps: clause 1 is another"));
    folder.write("tree.cnf", &clauses);

    // The proof that 4 steps are needed does not prove that 5 are, nor anything about another root.
    folder.write("tree.json", &schedule.replace("\"bound\": {\"steps\": 4", "\"bound\": {\"steps\": 5"));
    assert!(check(&folder, 1).contains("claims 5 steps, more than the 4 of the schedule beside it"));
    folder.write("tree.json", &schedule);
    check(&folder, 0);
}

#[test]
fn missing_files_and_names_that_lead_elsewhere_are_bad_input() {
    let folder = solved("tree.json");
    let schedule = std::fs::read_to_string(folder.path("tree.json")).unwrap();
    for elsewhere in ["../tree.lrat", "/tree.lrat", "proofs/tree.lrat", "..", "", "a\\\\b.lrat"] {
        folder.write("tree.json", &schedule.replace("tree.lrat", elsewhere));
        quadrille(&format!("check {}", folder.path("tree.json"))).fails(
            2,
            "bound.certificate.proof: is not the name of a file in the same folder",
            "correct the file",
        );
    }
    folder.write("tree.json", &schedule);
    std::fs::remove_file(folder.path("tree.lrat")).unwrap();
    quadrille(&format!("check {}", folder.path("tree.json"))).fails(2, "tree.lrat: cannot be read", "name a file");
    // The schedule itself is as good as before.
    quadrille(&format!("export {} --to csv -o {}", folder.path("tree.json"), folder.path("tree.csv"))).good();
}

#[test]
fn what_cannot_be_written_whole_leaves_the_files_before_it() {
    let folder = solved("tree.json");
    let formula = folder.write("tree.cnf", "p cnf 0 0\n");
    std::fs::remove_file(folder.path("tree.lrat")).unwrap();
    std::fs::create_dir(folder.path("tree.lrat")).unwrap();
    quadrille(&format!("solve full-tree:31 broadcast -o {}", folder.path("tree.json"))).fails(
        2,
        "tree.lrat: cannot be written: it is a folder",
        "name a file",
    );
    assert_eq!(std::fs::read_to_string(formula).unwrap(), "p cnf 0 0\n");
    assert_eq!(folder.names(), ["tree.cnf", "tree.json", "tree.lrat"]);
}

#[test]
fn prices_of_calls_need_no_other_file() {
    let folder = Folder::new();
    let file = folder.path("mesh.json");
    let answer = quadrille(&format!("solve mesh:5x5 broadcast --root 12 -o {file} --json")).json(0);
    assert_eq!((&answer["certificate"]["kind"], &answer["optimal"]), (&"two-calls".into(), &true.into()));
    assert_eq!(folder.names(), ["mesh.json"]);
    quadrille(&format!("check {file}")).good();
    let text = std::fs::read_to_string(&file).unwrap();
    let fewer = text.replacen("\"bound\": {\"steps\": 3", "\"bound\": {\"steps\": 4", 1);
    let people = quadrille(&format!("check {}", folder.write("more.json", &fewer)));
    assert_eq!(people.status, 1, "{}", people.out);
    assert!(people.out.contains("REFUSED"), "{}", people.out);
}
