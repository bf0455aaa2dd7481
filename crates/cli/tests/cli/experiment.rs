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
    assert!(lines.starts_with("method\t") && lines.lines().next().unwrap().contains("\tseconds\trules\t"));
    quadrille(&format!("{line} --generations 0")).fails(2, "--generations", "");
    quadrille(&format!("{line} --generations 5 --full")).fails(2, "cannot be used with", "");
}

#[test]
fn an_experiment_of_ones_own() {
    let folder = Folder::new();
    let place = folder.path("runs");
    let line = format!(
        "experiment own --network hypercube:3 --network ring:8 --collective AAS,reduce --method sga,umda --param population=10,20 \
         --param crossover=0.5 --param refine=0 --runs 3 --generations 40 --run-time 0 -o {place}"
    );
    let first = quadrille(&format!("{line} --json")).json(0);
    let cells = first["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2 * 2 * 2 * 2, "networks × collectives × methods × populations");
    for cell in cells {
        assert_eq!((&cell["runs"], &cell["parameters"]), (&json!(3), &json!({"generations": 40.0})), "{cell}");
        let (solved, success) = (cell["solved"].as_f64().unwrap(), cell["success"].as_f64().unwrap());
        assert!((success - solved / 3.0).abs() < 1e-9, "{cell}");
        assert!(cell["generations_deviation"].is_number() && cell["evaluations_deviation"].is_number(), "{cell}");
        assert!(cell["reached"]["least"].as_u64() >= cell["bound"].as_u64(), "{cell}");
        // A method takes the parameters that it has.
        assert_eq!(cell["crossover"], if cell["method"] == "sga" { json!(0.5) } else { json!(0.9) });
    }
    let table = std::fs::read_to_string(folder.path("runs/own-cells.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + cells.len());
    assert_eq!(std::fs::read_to_string(folder.path("runs/own.tsv")).unwrap().lines().count(), 1 + 3 * cells.len());
    assert!(!first["pictures"].as_array().unwrap().is_empty());
    // The same runs, which are not run again, as a table.
    let text = quadrille(&line);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    assert!(
        text.out.contains("40 ± 0") && text.out.contains("3 of 3") && !text.out.contains("printed:"),
        "{}",
        text.out
    );
    // Runs of another length, with other steps or parameters, are others. Their lines name what differs.
    let more = quadrille(&format!("{line} --generations 10").replace("--generations 40 ", ""));
    let told = "AAS on hypercube:3 by sga with population 20, seed 1: ";
    assert_eq!((more.status, more.err.lines().count()), (0, 48), "{}", more.err);
    assert!(more.err.contains(told), "{}", more.err);
    let quiet = quadrille(&format!("{line} --steps 9 --param migrants=1 --quiet"));
    assert_eq!((quiet.status, quiet.err.as_str()), (0, ""));
    assert!(quiet.out.contains("9/") && quiet.out.contains("migrants=1"), "{}", quiet.out);
}

#[test]
fn an_experiment_of_ones_own_takes_files() {
    let folder = Folder::new();
    let network = crate::fixtures().join("figure-6-01.txt").display().to_string();
    let line = format!(
        "experiment own --network {network} --collective MNB --method umda --runs 1 -o {}",
        folder.path("runs")
    );
    let answer = quadrille(&format!("{line} --steps 8 --json")).json(0);
    assert_eq!((&answer["cells"][0]["solved"], &answer["cells"][0]["steps"]), (&json!(1), &json!(8)), "{answer}");
}

/// Who takes part is told in the name of the collective, so that runs among others are other runs.
#[test]
fn an_experiment_of_ones_own_among_some_nodes() {
    let folder = Folder::new();
    let line = format!(
        "experiment own --network ring:8 --collective AAS --method umda --runs 1 --generations 50 --run-time 0 --json -o {}",
        folder.path("runs")
    );
    let some = quadrille(&format!("{line} --senders 0,2-4 --receivers 1,5")).json(0);
    assert_eq!(some["cells"][0]["pattern"], "AAS-senders-0+2-4-receivers-1+5", "{some}");
    let bound = quadrille("bound ring:8 AAS --senders 0,2-4 --receivers 1,5 --json").json(0);
    assert_eq!(some["cells"][0]["bound"], bound["bound"]);
    let all = quadrille(&line).json(0);
    assert_eq!(all["cells"][0]["runs"], 1);
    let rooted = quadrille(&format!("{line} --root 3").replace("AAS", "broadcast")).json(0);
    assert_eq!(rooted["cells"][0]["pattern"], "OAB-root-3");
    quadrille(&format!("{line} --root 3")).fails(2, "root", "");
    quadrille(&format!("{line} --senders 0,9")).fails(2, "--senders", "");
    quadrille("experiment rules --root 1").fails(2, "--root: the cells of rules", "experiment own");
}

#[test]
fn experiments_of_ones_own_that_cannot_be() {
    let own = |rest: &str| quadrille(&format!("experiment own --network ring:8 --collective AAS {rest}"));
    quadrille("experiment own").fails(2, "networks and collectives", "--network hypercube:3 --collective AAS");
    own("--method ant").fails(2, "`ant` is not an evolutionary method", "sga, umda, mboa");
    own("--param poplation=9").fails(2, "`poplation` is not a parameter", "did you mean `population`?");
    own("--param population=50,1").fails(2, "population: 1 is not allowed", "a whole number from 2");
    own("--method umda --param crossover=0.5").fails(2, "`crossover` is not a parameter of umda", "drawn");
    own("--param population").fails(2, "no `=`", "population=50,100");
    own("--full").fails(2, "--full", "--runs N");
    quadrille("experiment own --network ring:8 --collective AAX").fails(2, "not a collective", "");
    quadrille("experiment rules --slack 1").fails(2, "--slack: the cells of rules", "experiment own");
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
    let answer = quadrille(&format!("{line} --param generations=8 --json")).json(1);
    assert_eq!((&answer["asked"], &answer["bound"], &answer["steps"]), (&json!(7), &json!(8), &json!(null)));
    // 512 channel uses on 7 × 64 channels.
    assert_eq!(answer["least_conflicts"], json!(64));
    assert!(answer["conflicts"].as_u64().unwrap() + answer["late"].as_u64().unwrap() > 0);
    let again = quadrille(&format!("{line} --param generations=8 --json")).json(1);
    assert_eq!((&answer["conflicts"], &answer["late"]), (&again["conflicts"], &again["late"]));
    // The technique as printed leaves no delivery late, so it cannot fall below them.
    let printed = quadrille(&format!("{line} --param refine=0 --param drawn=1 --param generations=10 --json")).json(1);
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
