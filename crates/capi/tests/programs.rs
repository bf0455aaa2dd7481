//! The examples in C, compiled against the library and run: what a rank does, a persistent collective, and MPI_Alltoall replaced at link time.

#[path = "../install.rs"]
mod install;

use methods::{Settings, solve};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The static library, which is built beside the tests.
fn library() -> PathBuf {
    newest("libquadrille_capi", |path| path.extension().is_some_and(|ending| ending == "a"))
}

/// The shared library beside it: to link the other takes a second or two each time.
fn shared_library() -> PathBuf {
    newest("libquadrille_capi", |path| path.extension().is_some_and(|ending| ending == "so" || ending == "dylib"))
}

/// The newest file of a kind that is built beside the tests.
fn newest(name: &str, is_one: impl Fn(&PathBuf) -> bool) -> PathBuf {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let found = std::fs::read_dir(&deps).unwrap().map(|entry| entry.unwrap().path());
    let found = found.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(name) && is_one(path));
    found.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).expect("the library is built")
}

fn good(output: Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{:?}\n{out}{err}", output.status);
    format!("{out}{err}")
}

/// Compiles examples to a program, with a library.
fn compile(compiler: &str, sources: &[&str], library: &Path, to: &Path) {
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Werror", "-std=c99", "-o"]).arg(to);
    command.arg("-I").arg(here("include")).arg("-I").arg(here("../program/c"));
    let places = sources.iter().map(|source| [here("examples").join(source), here("tests").join(source)]);
    command.args(places.map(|[example, test]| if example.exists() { example } else { test }));
    // What is not used is left out before it is linked, which is quicker.
    let sections: &[&str] = if cfg!(target_os = "linux") { &["-Wl,--gc-sections"] } else { &[] };
    good(command.arg(library).args(["-lm", "-lpthread", "-ldl"]).args(sections).output().unwrap());
}

fn schedule(network: &str, collective: &str, file: &Path) {
    let network = topologies::parse(network).unwrap();
    let collective = collectives::build(collective, &network).unwrap();
    let problem = kernel::Problem::new(network, collective, kernel::Model::wormhole()).unwrap();
    let best = solve(&problem, &Settings::default().with_threads(1)).unwrap().best.unwrap();
    formats::schedule_json::write(&best.schedule, None, &Default::default(), file).unwrap();
}

fn mpirun(ranks: usize, program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", &ranks.to_string()]).arg(program).args(words);
    command.current_dir(program.parent().unwrap()).env("OMPI_MCA_mpi_yield_when_idle", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
}

#[test]
fn a_rank_is_described_without_mpi_and_errors_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("s.json"), folder.path().join("describe"));
    schedule("ring:4", "broadcast", &file);
    compile("cc", &["describe.c"], &library(), &program);
    let described = |words: &[&str]| Command::new(&program).args(words).current_dir(folder.path()).output().unwrap();
    let out = good(described(&["s.json", "1"]));
    assert!(out.contains("broadcast on ring:4: 4 ranks, root 0") && out.contains("receive from 0 out[0]"), "{out}");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(folder.path().join("half.json"), &text[..text.len() / 2]).unwrap();
    // A schedule that breaks a rule is not loaded: the first step is gone.
    let mut broken: serde_json::Value = serde_json::from_str(&text).unwrap();
    broken["steps"].as_array_mut().unwrap().remove(0);
    std::fs::write(folder.path().join("broken.json"), broken.to_string()).unwrap();
    for (words, error) in [
        (&["none.json"][..], "none.json: cannot be read"),
        (&["half.json"], "half.json:"),
        (&["broken.json"], "broken.json: "),
        (&["s.json", "4"], "there is no rank 4 among 4"),
        (&["s.json", "-1"], "there is no rank -1"),
        (&[], "the file name is a null pointer"),
    ] {
        let output = described(words);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && err.contains(error), "{words:?}: {err}");
    }
}

#[test]
fn a_persistent_collective_overlaps_with_work() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("persistent");
    schedule("hypercube:3", "allreduce", &folder.path().join("s.json"));
    compile("mpicc", &["persistent.c"], &shared_library(), &program);
    let out = good(mpirun(8, &program, &["s.json"]).output().unwrap());
    assert!(out.contains("5 rounds on 8 ranks: 0 wrong"), "{out}");
    let output = mpirun(2, &program, &["s.json"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && err.contains("is no allreduce of 2 ranks"), "{err}");
}

/// Each collective twice in turn with two buffers and with one, the same as the library's own.
#[test]
fn equal_calls_are_prepared_once_and_may_be_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("at_once");
    compile("mpicc", &["at_once.c"], &shared_library(), &program);
    let collectives = [
        "broadcast",
        "scatter",
        "gather",
        "allgather",
        "alltoall",
        "reduce",
        "allreduce",
        "reduce_scatter",
        "scan",
        "exscan",
    ];
    let files: Vec<String> = collectives.iter().map(|collective| format!("{collective}.json")).collect();
    for (collective, file) in collectives.iter().zip(&files) {
        schedule("ring:4", collective, &folder.path().join(file));
    }
    // All in one run: to start ranks takes longer than their work.
    let words: Vec<&str> = files.iter().map(String::as_str).collect();
    let out = good(mpirun(4, &program, &words).output().unwrap());
    for file in files {
        assert!(out.contains(&format!("{file}: right, prepared again: 0")), "{file}: {out}");
    }
}

#[test]
fn alltoall_is_replaced_in_a_program_that_knows_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("transpose");
    schedule("mesh:2x3", "alltoall", &folder.path().join("a.json"));
    schedule("mesh:2x3", "allgather", &folder.path().join("g.json"));
    compile("mpicc", &["transpose.c", "replace_alltoall.c"], &shared_library(), &program);
    let with = |file: &str, ranks| {
        let out = good(mpirun(ranks, &program, &[]).env("QUADRILLE_ALLTOALL", file).output().unwrap());
        assert!(out.contains(": 0 wrong"), "{out}");
        out
    };
    assert!(with("a.json", 6).contains("MPI_Alltoall: alltoall on mesh:2x3"));
    assert!(with("g.json", 6).contains("g.json is not used: it is no alltoall"));
    with("a.json", 4);
}

/// What `cargo xtask install-c` installs, and the commands of docs/running.md with it.
#[test]
fn the_page_with_the_library_installed() {
    let folder = tempfile::tempdir().unwrap();
    let (prefix, built) = (folder.path().join("prefix"), folder.path().join("built"));
    // Beside the tests the libraries may have names of their own.
    std::fs::create_dir(&built).unwrap();
    for (from, ending) in [(library(), "a"), (shared_library(), std::env::consts::DLL_EXTENSION)] {
        std::os::unix::fs::symlink(from, built.join(format!("libquadrille_capi.{ending}"))).unwrap();
    }
    install::install(&here("../.."), &built, &prefix).unwrap();
    assert!(install::install(&here("../.."), &folder.path().join("none"), &prefix).unwrap_err().contains("none"));
    for entry in std::fs::read_dir(here("examples")).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&entry, folder.path().join(entry.file_name().unwrap())).unwrap();
    }
    for collective in ["alltoall", "allreduce"] {
        schedule("mesh:2x3", collective, &folder.path().join(format!("{collective}.json")));
    }
    let page = std::fs::read_to_string(here("../../docs/running.md")).unwrap();
    let script = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(folder.path()).env("PREFIX", &prefix);
    shell.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_mpi_yield_when_idle", "1");
    shell.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    let out = good(shell.output().unwrap());
    for said in ["alltoall on mesh:2x3: 6 ranks", "rounds on 6 ranks: 0 wrong", "MPI_Alltoall: alltoall on mesh:2x3"] {
        assert!(out.contains(said), "{said}: {out}");
    }
}
