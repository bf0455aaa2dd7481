//! `mpirun` as a user types it: the same answer on any number of ranks, and what is left when one of them dies.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Islands that meet often; `alltoall` in so few steps takes them a while.
const ISLANDS: &str = "--method umda --param islands=4 --param migrate-every=20 --param population=20 --seed 3";

/// Never without conflicts in the time of a test.
const LONG: &str = "solve hypercube:5 alltoall --method sga --param refine=0 --param population=20 --param generations=1000000000 --ticks 1000000000000000";

/// `mpirun` with `ranks` processes that may share cores.
fn mpirun(options: &str, ranks: usize, line: &str, folder: &Path) -> Command {
    let mut command = Command::new("mpirun");
    command.args(options.split_whitespace()).args(["--oversubscribe", "-n", &ranks.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_quadrille-mpi")).args(line.split_whitespace()).current_dir(folder);
    // Containers have no other user.
    // More ranks than cores: whoever waits lets the others work.
    command.env("OMPI_MCA_mpi_yield_when_idle", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
}

fn good(output: Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{:?}\n{out}{err}", output.status);
    out.into_owned()
}

/// The schedule in a file, without who made it and how long it took.
fn schedule(path: &Path) -> Value {
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file.as_object_mut().unwrap().remove("provenance").expect("who made it");
    assert!(file["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    file
}

/// Runs plain `quadrille`.
fn quadrille(line: &str, folder: &Path) -> Output {
    // Tests of the whole workspace build it beside; with the features of one package it would be built again.
    let beside = Path::new(env!("CARGO_BIN_EXE_quadrille-mpi")).with_file_name("quadrille");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let mut command = Command::new(if beside.exists() { beside.as_os_str() } else { env!("CARGO").as_ref() });
    if !beside.exists() {
        command.args(["run", "--quiet", "--package", "quadrille-cli", "--manifest-path"]).arg(workspace).arg("--");
    }
    command.args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

#[test]
fn the_same_islands_give_the_same_schedule_however_they_are_spread() {
    let folder = tempfile::tempdir().unwrap();
    for (problem, ticks) in [("hypercube:3 allgather", 100_000_000), ("ring:6 alltoall", 200_000)] {
        let line = |rest: &str| format!("solve {problem} {ISLANDS} --ticks {ticks} {rest}");
        good(quadrille(&line("--threads 4 -o threads.json"), folder.path()));
        let threads = schedule(&folder.path().join("threads.json"));
        for ranks in [1, 2, 4] {
            let out = good(mpirun("", ranks, &line("-o ranks.json"), folder.path()).output().unwrap());
            assert!(out.contains("saved to ranks.json"), "{out}");
            assert_eq!(schedule(&folder.path().join("ranks.json")), threads, "{problem} on {ranks} ranks");
        }
    }
}

#[test]
fn every_search_gives_the_same_schedule_however_its_tasks_are_spread() {
    let folder = tempfile::tempdir().unwrap();
    for problem in ["random-regular:10,3,4 alltoall --draws 2", "kautz:2,2 alltoall --method packing --draws 3"] {
        let line = |rest: &str| format!("solve {problem} --ticks 30000 --threads 1 {rest}");
        good(quadrille(&line("-o alone.json"), folder.path()));
        let alone = schedule(&folder.path().join("alone.json"));
        for ranks in [2, 3] {
            good(mpirun("", ranks, &line("-o ranks.json"), folder.path()).output().unwrap());
            assert_eq!(schedule(&folder.path().join("ranks.json")), alone, "{problem} on {ranks} ranks");
        }
    }
}

#[test]
fn one_rank_speaks_and_there_are_as_many_islands_as_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let json = |islands: &str, ranks| {
        let line = format!("solve ring:6 alltoall --method umda {islands} --ticks 200000 --json -o a.json");
        let out = good(mpirun("", ranks, &line, folder.path()).output().unwrap());
        let document: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
        assert_eq!((document["certified"].as_bool(), document["method"].as_str()), (Some(true), Some("umda")));
        schedule(&folder.path().join("a.json"))
    };
    assert_eq!(json("", 3), json("--param islands=3", 2));
}

#[test]
fn what_cannot_be_spread_is_refused_once() {
    let folder = tempfile::tempdir().unwrap();
    for (line, error, hint) in [
        ("solve ring:8 alltoall --method nothing", "`nothing` is not a method", "`quadrille methods`"),
        ("solve dgx1 allgather --bytes 1M -o nowhere/x.json", "nowhere", ""),
        ("solve ring:8 alltoall --method umda --param population=1", "population: 1 is not allowed", "from 2"),
        ("networks", "only `solve`, `tune`, `atlas --solve`, `design multiring` and `run`", "`quadrille`"),
        ("design multiring --degree 7 --diameter 3 --parallelism 1 --symmetric", "odd", "even degree"),
    ] {
        let output = mpirun("", 2, line, folder.path()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        let lines = |start: &str| err.lines().filter(|l| l.starts_with(start)).collect::<Vec<_>>();
        let (errors, hints) = (lines("error: "), lines("hint: "));
        assert!(errors.len() == 1 && errors[0].contains(error), "{err}");
        assert!(hints.len() == 1 && hints[0].contains(hint), "{err}");
    }
}

/// Until `done`, but not for ever.
fn wait(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The process that is a certain rank of the job which `mpirun` started.
fn pid_of(mpirun: &Child, rank: usize) -> String {
    let wanted = format!("OMPI_COMM_WORLD_RANK={rank}");
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", mpirun.id())).unwrap();
    let is = |pid: &&str| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
    };
    children.split_whitespace().find(is).expect("a rank").to_owned()
}

/// Ends the process that `victim` chooses once the search goes on; gives what mpirun said.
fn interrupted(options: &str, signal: &str, victim: impl Fn(&Child) -> String) -> (PathBuf, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = mpirun(options, 3, &format!("{LONG} --trace trace.jsonl -o best.json"), folder.path());
    let errors = std::fs::File::create(folder.path().join("errors")).unwrap();
    let mut job = command.stdout(Stdio::null()).stderr(errors).spawn().unwrap();
    let trace = folder.path().join("trace.jsonl");
    wait("no trace", || {
        assert!(job.try_wait().unwrap().is_none(), "the search was to take longer");
        std::fs::read_to_string(&trace).is_ok_and(|text| text.lines().count() > 3)
    });
    let pid = victim(&job);
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    wait("mpirun goes on", || job.try_wait().unwrap().is_some());
    let said = std::fs::read_to_string(folder.path().join("errors")).unwrap();
    (folder.path().join("best.json"), said, folder)
}

/// The file passes every rule, and nothing half-written lies beside it; what a rank leaves that `mpirun` kills while it saves, the next run
/// takes away.
fn check(file: &Path, said: &str) {
    let folder = file.parent().unwrap();
    assert!(file.exists(), "{said}");
    good(quadrille("check best.json", folder));
    std::thread::sleep(Duration::from_millis(1100));
    good(quadrille("solve ring:4 broadcast -o next.json", folder));
    let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let known = ["best.json", "next.json", "trace.jsonl", "errors"];
    let left: Vec<String> = names.filter(|name| !known.contains(&name.as_str())).collect();
    assert!(left.is_empty(), "{left:?}\n{said}");
}

#[test]
fn a_rank_that_dies_ends_the_run_with_what_the_others_know() {
    for (options, rank) in [("", 2), ("", 0), ("--enable-recovery", 1)] {
        let (file, said, _folder) = interrupted(options, "-KILL", |job| pid_of(job, rank));
        check(&file, &said);
        assert!(said.contains("the best so far"), "{said}");
    }
}

#[test]
fn ctrl_c_keeps_the_best() {
    let (file, said, _folder) = interrupted("", "-INT", |job| job.id().to_string());
    check(&file, &said);
}

const RINGS: &str = "design multiring --degree 12 --diameter 3 --parallelism 6 --symmetric --threads 1 --json";

/// What a search for multirings came to.
fn rings(output: Output) -> Value {
    let out = good(output);
    let mut answer: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
    answer.as_object_mut().unwrap().remove("seconds").expect("how long it took");
    answer
}

#[test]
fn multirings_are_the_same_on_any_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{RINGS} --ticks 300000");
    let alone = rings(quadrille(&line, folder.path()));
    for ranks in [1, 3] {
        assert_eq!(rings(mpirun("", ranks, &line, folder.path()).output().unwrap()), alone, "{ranks} ranks");
    }
}

#[test]
fn a_search_for_multirings_goes_on_after_a_rank_has_died() {
    let folder = tempfile::tempdir().unwrap();
    let errors = std::fs::File::create(folder.path().join("errors")).unwrap();
    let line = format!("{RINGS} --ticks 1000000000000000 --checkpoint kept.json");
    let mut job = mpirun("", 3, &line, folder.path()).stdout(Stdio::null()).stderr(errors).spawn().unwrap();
    let kept = || std::fs::read_to_string(folder.path().join("kept.json")).unwrap_or_default();
    wait("nothing found", || {
        assert!(job.try_wait().unwrap().is_none(), "the search was to take longer");
        kept().contains("\"best\":[")
    });
    assert!(Command::new("kill").args(["-KILL", &pid_of(&job, 1)]).status().unwrap().success());
    wait("mpirun goes on", || job.try_wait().unwrap().is_some());
    let said = std::fs::read_to_string(folder.path().join("errors")).unwrap();
    assert!(said.contains("the same command continues from kept.json"), "{said}");
    // With fewer ticks than it has had, it says what it has.
    let answer = rings(quadrille(&format!("{RINGS} --ticks 1 --checkpoint kept.json"), folder.path()));
    assert!(answer["nodes"].as_u64() >= Some(130) && answer["ticks"].as_u64() > Some(0), "{answer}");
}

/// What does not depend on the machine.
fn timeless(output: Output) -> Value {
    fn strip(of: &mut Value) {
        match of {
            Value::Object(fields) => {
                ["seconds", "file", "files"].iter().for_each(|name| drop(fields.remove(*name)));
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let out = good(output);
    let mut answer: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
    strip(&mut answer);
    answer
}

#[test]
fn schedules_in_time_are_the_same_on_any_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "solve ring:4 alltoall --bytes 1MB --bandwidth 25GB/s --latency 1us -o s.json",
        "tune ring:4 allgather --bytes 1KB,16KB,64KB --bandwidth 25GB/s --chunks 1",
    ] {
        let line = format!("{line} --json");
        let file = folder.path().join("s.json");
        let _ = std::fs::remove_file(&file);
        let alone = timeless(quadrille(&line, folder.path()));
        let read = || file.exists().then(|| schedule(&file));
        let kept = read();
        let _ = std::fs::remove_file(&file);
        assert_eq!(timeless(mpirun("", 3, &line, folder.path()).output().unwrap()), alone);
        assert_eq!(read(), kept, "{line}");
    }
}

#[test]
fn entries_of_the_atlas_are_found_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let cases = r#"[{ collective = "alltoall" }, { collective = "allgather" }, { collective = "scatter", root = 2 }, { collective = "allreduce" }]"#;
    let table =
        format!("title = \"a\"\nsource = \"b\"\n[[network]]\nname = \"R\"\nspec = \"ring:6\"\ncases = {cases}\n");
    let atlas = |name: &str| {
        let atlas = folder.path().join(name);
        std::fs::create_dir(&atlas).unwrap();
        std::fs::write(atlas.join("a.toml"), &table).unwrap();
    };
    atlas("one");
    atlas("three");
    let alone = timeless(quadrille("atlas --solve --dir one --json", folder.path()));
    let told = timeless(mpirun("", 3, "atlas --solve --dir three --json", folder.path()).output().unwrap());
    assert_eq!(told, alone);
    assert_eq!(told["entries"].as_array().map(Vec::len), Some(4), "{told}");
    let checked = |name: &str| timeless(quadrille(&format!("atlas --check --dir {name} --json"), folder.path()));
    assert_eq!(checked("three"), checked("one"));
}
