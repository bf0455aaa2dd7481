//! `experiment`, and `solve --below-floor`: the dissertation's chapter 7 as a user types it.

use crate::{Folder, quadrille};
use serde_json::json;

#[test]
fn experiments_are_listed() {
    let text = quadrille("experiment --list").good();
    assert!(text.contains("scalability") && text.contains("[section 7.2, Figures 7.1 to 7.4]"), "{text}");
    let list = quadrille("experiment --list --json").json(0);
    assert_eq!((list.as_array().unwrap().len(), &list[2]["cells"]), (8, &json!(210)));
}

#[test]
fn an_experiment_goes_on_where_it_was() {
    let folder = Folder::new();
    let line =
        format!("experiment scalability --network hypercube:3 --method umda --run-time 2 -o {}", folder.path("runs"));
    let first = quadrille(&format!("{line} --runs 1 --json")).json(0);
    let cells = first["cells"].as_array().unwrap();
    assert_eq!((cells.len(), &first["complete"]), (4, &json!(true)));
    for cell in cells {
        assert_eq!((&cell["runs"], &cell["solved"], &cell["left"]), (&json!(1), &json!(1), &json!(0.0)), "{cell}");
        assert_eq!(cell["steps"], cell["bound"]);
        // Table 7.1 to 7.4, 8 nodes: every run of `umda`.
        assert_eq!(cell["printed_success"], json!(100), "{cell}");
    }
    let file = folder.path("runs/scalability.tsv");
    let before = std::fs::read_to_string(&file).unwrap();
    assert_eq!(before.lines().count(), 5);
    let text = quadrille(&format!("{line} --runs 2"));
    assert_eq!((text.status, text.err.lines().count()), (0, 4), "{}", text.err);
    let told = "OAS on hypercube:3 by umda, seed 2: solved after ";
    assert!(text.err.contains(told), "{}", text.err);
    assert!(text.out.contains("2 of 2  100 %") && text.out.contains("with 4 pictures"), "{}", text.out);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(&before));
    assert_eq!(first["pictures"].as_array().unwrap().len(), 4);
    // Nothing is left to run, so nothing is run.
    quadrille(&format!("{line} --runs 2")).good();
    quadrille(&format!("{line} --full --time 0 --json")).json(0);
    assert!(std::fs::read_to_string(folder.path("runs/full-scalability.tsv")).unwrap().lines().count() == 1);
}

#[test]
fn rules_of_a_generation_are_compared_alike() {
    let folder = Folder::new();
    let line = format!("experiment rules --network hypercube:3 --runs 1 --run-time 0 -o {}", folder.path("runs"));
    let first = quadrille(&format!("{line} --generations 30 --json")).json(0);
    let cells = first["cells"].as_array().unwrap();
    let named = |rules: &str| cells.iter().filter(|cell| cell["rules"] == rules).count();
    // Crossovers of 0.9, 0 and 0.5 of `sga` among the usual rules; roulette is for `sga` alone.
    assert_eq!((cells.len(), named("usual"), named("best"), named("older"), named("best+older")), (19, 5, 3, 3, 3));
    assert_eq!((named("roulette"), named("best+older+roulette"), named("best+either+roulette")), (1, 1, 1));
    assert_eq!((named("whole"), named("best+whole")), (1, 1));
    // No run goes on for longer, so those that are not solved have made as many candidates.
    for cell in cells.iter().filter(|cell| cell["solved"] == 0) {
        assert_eq!(cell["evaluations"], json!(100.0 + 30.0 * 67.0), "{cell}");
    }
    let lines = std::fs::read_to_string(folder.path("runs/rules.tsv")).unwrap();
    assert!(lines.starts_with("method\t") && lines.lines().next().unwrap().ends_with("\tseconds\trules"));
    quadrille(&format!("{line} --generations 0")).fails(2, "--generations", "");
    quadrille(&format!("{line} --generations 5 --full")).fails(2, "cannot be used with", "");
}

#[test]
fn files_without_rules_go_on_without_them() {
    let folder = Folder::new();
    let head = "method\tnetwork\tpattern\tpopulation\tcrossover\tmutation\trefine\tdrawn\tslack\tsteps\tfloor\tseed\tsolved\tbest\tgenerations\tevaluations\tseconds\n";
    let file = folder.write("scalability.tsv", head);
    let place = std::path::Path::new(&file).parent().unwrap().display().to_string();
    quadrille(&format!(
        "experiment scalability --network hypercube:3 --method sga --runs 1 --run-time 1 -o {place} --json"
    ))
    .json(0);
    let lines = std::fs::read_to_string(&file).unwrap();
    assert!(lines.lines().count() == 5 && lines.lines().all(|line| line.split('\t').count() == 17), "{lines}");
}

#[test]
fn experiments_that_cannot_be_run() {
    quadrille("experiment populaton").fails(2, "`populaton` is not an experiment", "did you mean `population`?");
    quadrille("experiment --nonsense").fails(
        2,
        "--nonsense",
        "usage: quadrille experiment [OPTIONS] [NAME]; see `quadrille help experiment`",
    );
    assert_eq!(quadrille("experiment").good(), quadrille("experiment --list").good());
    quadrille("experiment beyond --method ant").fails(2, "no cell with `ant`", "mboa, sga, umda");
    quadrille("experiment beyond --network ring:8").fails(2, "no cell with `ring:8`", "hypercube:6, hypercube:7");
    quadrille("experiment beyond --run-time -1").fails(2, "--run-time: not a number of seconds", "0 is no limit");
    quadrille("experiment beyond --time -1").fails(2, "--time: not a number of seconds", "0 or more");
    let folder = Folder::new();
    let file = folder.write("beyond.tsv", "method\nnonsense\n");
    let line = format!("experiment beyond -o {}", std::path::Path::new(&file).parent().unwrap().display());
    quadrille(&line).fails(2, "beyond.tsv line 2: it has no three columns", "take that line out");
}

#[test]
fn conflicts_left_below_the_floor() {
    let line = "solve hypercube:4 alltoall --method umda --steps 7 --below-floor";
    let answer = quadrille(&format!("{line} --param generations=20 --json")).json(1);
    assert_eq!((&answer["asked"], &answer["bound"], &answer["steps"]), (&json!(7), &json!(8), &json!(null)));
    // 512 channel uses on 7 × 64 channels.
    assert_eq!(answer["least_conflicts"], json!(64));
    assert!(answer["conflicts"].as_u64().unwrap() + answer["late"].as_u64().unwrap() > 0);
    let again = quadrille(&format!("{line} --param generations=20 --json")).json(1);
    assert_eq!((&answer["conflicts"], &answer["late"]), (&again["conflicts"], &again["late"]));
    // The technique as printed leaves no delivery late, so it cannot fall below them.
    let printed = quadrille(&format!("{line} --param refine=0 --param drawn=1 --time 1 --json")).json(1);
    assert!(printed["conflicts"].as_u64().unwrap() + printed["late"].as_u64().unwrap() >= 64, "{printed}");
    let text = quadrille(&format!("{line} --param generations=5"));
    assert_eq!((text.status, text.err.as_str()), (1, ""));
    assert!(text.out.contains("7 steps requested, certified lower bound 8: no schedule exists"), "{}", text.out);
}

#[test]
fn below_the_floor_is_asked_for_by_name() {
    let solve = |rest: &str| quadrille(&format!("solve hypercube:3 alltoall {rest}"));
    solve("--method umda --steps 3").fails(2, "no schedule has fewer than 4 steps", "--below-bound");
    solve("--method umda --steps 4 --below-floor").fails(
        2,
        "4 steps are not below the lower bound of 4",
        "leave the flag out",
    );
    solve("--method umda --below-floor").fails(2, "--steps", "");
    solve("--steps 3 --below-bound").fails(2, "only evolutionary methods have it", "sga|umda|mboa");
    solve("--method umda --steps 3 --below-floor --param nothing=1").fails(2, "`nothing` is not a parameter", "");
    solve("--method umda --steps 3 --below-floor -o x.json").fails(2, "cannot be used with", "");
}
