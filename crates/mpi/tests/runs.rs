//! `run` and `export --to mpi-c` as a user types them: real ranks, real data, the same as the library's own collectives, and errors that end all ranks.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille-mpi");

fn mpirun(ranks: usize, words: &[&str], folder: &Path) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "-n", &ranks.to_string()]).args(words).current_dir(folder);
    // More ranks than cores: whoever waits lets the others work. Containers have no other user.
    command.env("OMPI_MCA_mpi_yield_when_idle", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
}

/// `quadrille-mpi run …` on so many ranks.
fn run(ranks: usize, line: &str, folder: &Path) -> Output {
    let words: Vec<&str> = [PROGRAM, "run"].into_iter().chain(line.split_whitespace()).collect();
    mpirun(ranks, &words, folder).output().unwrap()
}

fn good(output: Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{:?}\n{out}{err}", output.status);
    out.into_owned()
}

fn json(output: Output) -> Value {
    let out = good(output);
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

/// Plain `quadrille`, which tests of the whole workspace build beside.
fn quadrille(line: &str, folder: &Path) -> Output {
    let beside = Path::new(PROGRAM).with_file_name("quadrille");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let mut command = Command::new(if beside.exists() { beside.as_os_str() } else { env!("CARGO").as_ref() });
    if !beside.exists() {
        command.args(["run", "--quiet", "--package", "quadrille-cli", "--manifest-path"]).arg(workspace).arg("--");
    }
    command.args(line.split_whitespace()).current_dir(folder).output().unwrap()
}

/// What `solve` is asked for, and the type that it is run with.
const SCHEDULES: &[(&str, &str)] = &[
    ("mesh:2x2 alltoall", "u8"),
    ("ring:4 scatter --root 2", "i64"),
    ("ring:4 gather --root 1", "i32"),
    ("ring:4 broadcast --root 3", "u64"),
    ("ring:4 allgather", "f64"),
    ("ring:4 reduce --root 1", "u32"),
    ("hypercube:2 allreduce", "f32"),
    ("ring:4 reduce_scatter", "i32"),
    ("hypercube:2 scan", "i8"),
    ("ring:4 exscan", "f64"),
    ("ring:4 allreduce --bytes 1M --bandwidth 10GB/s --chunks 8", "f32"),
];

#[test]
fn every_collective_comes_to_what_the_library_comes_to() {
    let folder = tempfile::tempdir().unwrap();
    for (problem, element) in SCHEDULES {
        good(quadrille(&format!("solve {problem} -o s.json"), folder.path()));
        // No multiple of chunks or blocks.
        let line = format!("s.json --bytes 5003 --type {element} --iterations 2 --warmup 0 --json");
        let answer = json(run(4, &line, folder.path()));
        assert_eq!((answer["checked"].as_bool(), answer["ranks"].as_u64()), (Some(true), Some(4)), "{problem}");
        assert!(answer["ratio"].as_f64() > Some(0.0) && answer["library"].is_object(), "{problem}: {answer}");
        let times = &answer["schedule"];
        assert!(times["min_us"].as_f64() <= times["median_us"].as_f64(), "{answer}");
        assert!(times["median_us"].as_f64() <= times["max_us"].as_f64(), "{answer}");
    }
}

#[test]
fn terminals_share_ranks_and_others_have_no_rival_in_the_library() {
    let folder = tempfile::tempdir().unwrap();
    good(quadrille("solve torus:3x3 reduce_scatter -o a.json", folder.path()));
    for (ranks, map) in [(1, "block"), (4, "round-robin")] {
        let line = format!("a.json --bytes 9K --map {map} --type i64 --iterations 3");
        let out = good(run(ranks, &line, folder.path()));
        assert!(out.contains("data: correct on every rank") && out.contains("terminals share ranks"), "{out}");
    }
    good(quadrille("solve ring:4 allgatherv --counts 3,1,0,2 -o v.json", folder.path()));
    let out = good(run(4, "v.json --bytes 1K --iterations 3", folder.path()));
    assert!(out.contains("1000 bytes per message") || out.contains("1K bytes per message"), "{out}");
    assert!(out.contains("MPI has no such collective") && out.contains("data: correct"), "{out}");
}

#[test]
fn twenty_five_ranks_on_few_cores() {
    let folder = tempfile::tempdir().unwrap();
    good(quadrille("solve torus:5x5 allgather -o big.json", folder.path()));
    let answer = json(run(25, "big.json --bytes 64K --iterations 2 --warmup 0 --json", folder.path()));
    assert_eq!((answer["terminals"].as_u64(), answer["checked"].as_bool()), (Some(25), Some(true)), "{answer}");
}

#[test]
fn what_cannot_be_run_is_refused_once() {
    let folder = tempfile::tempdir().unwrap();
    good(quadrille("solve ring:4 alltoall -o a.json", folder.path()));
    // Ranks 0 runs the plain program, which finds the same faults.
    for (ranks, line, error, hint) in [
        (2, "a.json --bytes 1K", "of 4 terminals, and there are 2 ranks", "--map block"),
        (5, "a.json --bytes 1K", "of 4 terminals, and there are 5 ranks", "mpirun -n 4"),
        (2, "a.json --bytes 1K --map heap", "invalid value 'heap'", "help"),
        (0, "a.json --bytes 1K", "`run` needs an MPI library", "mpirun -n 4 quadrille-mpi run a.json --bytes 1K"),
        (0, "none.json --bytes 1K", "none.json: cannot be read", "name a file"),
        (0, "a.json --bytes much", "`much` is not a size", "64K"),
        (0, "a.json --bytes 3", "less than one element", "at least 16"),
        (0, "a.json --bytes 99G", "2^31 - 1", "smaller size"),
        (0, "a.json --bytes 1K --iterations 0", "--iterations 0", "at least one"),
        (0, "a.json --bytes 1K --time 0", "--time: 0", "seconds"),
        (0, "a.json --bytes 1K --silence -1", "--silence: -1", "seconds"),
    ] {
        let output = match ranks {
            0 => quadrille(&format!("run {line}"), folder.path()),
            _ => run(ranks, line, folder.path()),
        };
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {err}");
        let lines = |start: &str| err.lines().filter(|l| l.starts_with(start)).collect::<Vec<_>>();
        let (errors, hints) = (lines("error: "), lines("hint: "));
        assert!(errors.len() == 1 && errors[0].contains(error), "{line}: {err}");
        assert!(hints.len() == 1 && hints[0].contains(hint), "{line}: {err}");
    }
}

#[test]
fn ranks_with_other_arguments_and_ranks_that_are_late_end_all() {
    let folder = tempfile::tempdir().unwrap();
    good(quadrille("solve ring:4 alltoall -o a.json", folder.path()));
    let words =
        [PROGRAM, "run", "a.json", "--bytes", "1K", ":", "--oversubscribe", "-n", "1", PROGRAM, "run", "b.json"];
    let output = mpirun(3, &words, folder.path()).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && err.contains("rank 3 was started with other arguments"), "{err}");
    let output = run(4, "a.json --bytes 1K --iterations 10000000 --time 0.5", folder.path());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && err.contains("is not done after 0.5 s"), "{err}");
}

/// Hundredths of a second that a process has used; none where there is no such process.
fn hundredths(process: &str) -> u32 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
    fields.take(2).filter_map(|field| field.parse::<u32>().ok()).sum()
}

/// Children of a process.
fn children(of: u32) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// Also where `mpirun` lets the others go on.
#[test]
fn a_rank_that_dies_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    good(quadrille("solve ring:4 alltoall -o a.json", folder.path()));
    for (options, silence) in [(&[][..], "30"), (&["--enable-recovery"], "1")] {
        let words = [PROGRAM, "run", "a.json", "--bytes", "1K", "--iterations", "10000000", "--silence", silence];
        let words: Vec<&str> = options.iter().copied().chain(words).collect();
        let errors = std::fs::File::create(folder.path().join("errors")).unwrap();
        let mut job = mpirun(4, &words, folder.path()).stdout(Stdio::null()).stderr(errors).spawn().unwrap();
        let begun = Instant::now();
        // To find each other takes them less; from then on they are never idle.
        let runs = |rank: &String| hundredths(rank) >= 25;
        while children(job.id()).iter().filter(|rank| runs(rank)).count() < 4 {
            assert!(begun.elapsed() < Duration::from_secs(60), "no ranks");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(job.try_wait().unwrap().is_none(), "it was to take longer");
        assert!(Command::new("kill").args(["-KILL", &children(job.id())[2]]).status().unwrap().success());
        let killed = Instant::now();
        let status = loop {
            if let Some(status) = job.try_wait().unwrap() {
                break status;
            }
            assert!(killed.elapsed() < Duration::from_secs(60), "mpirun goes on");
            std::thread::sleep(Duration::from_millis(20));
        };
        let told = std::fs::read_to_string(folder.path().join("errors")).unwrap();
        // Where the others go on, the status is that of Open MPI, which takes it for a recovery.
        match options {
            [] => assert!(!status.success(), "{told}"),
            _ => assert!(told.contains("has waited 1 s for others"), "{told}"),
        }
    }
}

fn compiled(folder: &Path, source: &str, flags: &[&str]) -> Output {
    let strict = ["-Wall", "-Wextra", "-Werror", "-std=c99", source];
    Command::new("mpicc").args(strict).args(flags).current_dir(folder).output().unwrap()
}

#[test]
fn exported_c_compiles_and_checks_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (problem, _) in [0, 3, 10].map(|at| SCHEDULES[at]) {
        good(quadrille(&format!("solve {problem} -o s.json"), folder.path()));
        good(quadrille("export s.json --to mpi-c -o s.c", folder.path()));
        good(compiled(folder.path(), "s.c", &["-c", "-o", "s.o"]));
        good(compiled(folder.path(), "s.c", &["-DQUADRILLE_MAIN", "-o", "s"]));
        let out = good(mpirun(4, &["./s", "1001", "3"], folder.path()).output().unwrap());
        assert!(out.contains("4 ranks, 1001 elements") && out.contains("data: correct on every rank"), "{out}");
    }
    let output = mpirun(3, &["./s"], folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // Without the second contribution of each merge the data is wrong, and it says so.
    let text = std::fs::read_to_string(at("s.c")).unwrap();
    let broken = text.replacen("if (of[at] != into)", "if (of[at] != into && at > count)", 1);
    assert_ne!(text, broken);
    std::fs::write(at("broken.c"), broken).unwrap();
    good(compiled(folder.path(), "broken.c", &["-DQUADRILLE_MAIN", "-o", "broken"]));
    let output = mpirun(4, &["./broken"], folder.path()).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && out.contains("elements are wrong"), "{out}");
}
