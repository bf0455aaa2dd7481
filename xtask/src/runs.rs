//! **What:** `cargo xtask runs`: schedules run over MPI on this machine, beside the MPI library's own collectives, as a table in Markdown.
//!
//! **Method.** Each schedule is made by `quadrille solve`, run by `mpirun … quadrille-mpi run … --json` with a rank for every terminal, and its data is checked
//! at every rank. The schedule and the library's own collective take turns within one run. One run after the other, on an otherwise idle machine.

use super::{cells, target_folder};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a row of the table is about, and what `solve` is told.
struct Network {
    name: &'static str,
    flags: &'static [&'static str],
}

const fn plain(name: &'static str) -> Network {
    Network { name, flags: &[] }
}

const NETWORKS: &[Network] = &[
    plain("ring:8"),
    plain("torus:3x3"),
    plain("hypercube:3"),
    plain("fat-tree:8"),
    Network { name: "mesh:3x3", flags: &["--fail-link", "0-1", "--fail-link", "4-5"] },
    plain("dgx1"),
    plain("random-regular:12,4,1"),
];

const COLLECTIVES: &[&str] = &["alltoall", "allgather", "broadcast", "reduce", "allreduce", "reduce_scatter", "scan"];
const SIZES: &[&str] = &["1K", "64K", "1M"];

/// Runs all and prints the table. Words: `--bin FOLDER`, where the programs are built already.
pub(crate) fn run(root: &Path, mut words: impl Iterator<Item = String>) -> Result<(), String> {
    let programs = match (words.next().as_deref(), words.next()) {
        (None, _) => built(root)?,
        (Some("--bin"), Some(folder)) => folder.into(),
        (Some(word), _) => return Err(format!("{word}: there is --bin FOLDER")),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let heads: Vec<String> = SIZES.iter().map(|size| format!("{size}: schedule, library, ratio")).collect();
    println!("| network | ranks | collective | {} |", heads.join(" | "));
    println!("| --- | ---: | --- |{}", " ---: |".repeat(SIZES.len()));
    for network in NETWORKS {
        for collective in COLLECTIVES {
            println!("{}", row(&programs, folder.path(), network, collective)?);
        }
    }
    Ok(())
}

/// The folder of this repository's programs, built for release.
fn built(root: &Path) -> Result<PathBuf, String> {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--quiet", "--package", "quadrille-cli", "--package", "quadrille-mpi"]);
    if !build.current_dir(root).status().map_err(|error| error.to_string())?.success() {
        return Err("quadrille-mpi does not build".into());
    }
    Ok(target_folder(root)?.join("release"))
}

fn row(programs: &Path, folder: &Path, network: &Network, collective: &str) -> Result<String, String> {
    let mut solve = Command::new(programs.join("quadrille"));
    solve.args(["solve", network.name, collective, "--time", "5", "--json", "-o", "s.json"]);
    solve.args(network.flags).current_dir(folder);
    let what = format!("{collective} on {}", network.name);
    cells::answer(&mut solve).ok_or_else(|| format!("{what}: no schedule"))?;
    let (mut cells, mut ranks) = (Vec::new(), 0);
    for size in SIZES {
        let measured = measured(programs, folder, size).map_err(|error| format!("{what}, {size}: {error}"))?;
        ranks = measured["ranks"].as_u64().unwrap_or_default();
        let median = |of: &str| measured[of]["median_us"].as_f64().unwrap_or(f64::NAN);
        let ratio = measured["ratio"].as_f64().unwrap_or(f64::NAN);
        cells.push(format!("{:.1}, {:.1}, {ratio:.2}", median("schedule"), median("library")));
    }
    let name = if network.flags.is_empty() { network.name.to_owned() } else { format!("{}, faulty", network.name) };
    Ok(format!("| {name} | {ranks} | {collective} | {} |", cells.join(" | ")))
}

/// One run with as many ranks as it needs, which the program tells.
fn measured(programs: &Path, folder: &Path, size: &str) -> Result<Value, String> {
    let words = ["run", "s.json", "--bytes", size, "--iterations", "100", "--warmup", "10", "--json"];
    let told = Command::new(programs.join("quadrille")).args(words).current_dir(folder).output();
    let hint = String::from_utf8_lossy(&told.map_err(|error| error.to_string())?.stderr).into_owned();
    let ranks = hint.split("mpirun -n ").nth(1).and_then(|rest| rest.split(' ').next()).ok_or(hint.clone())?;
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", ranks]);
    mpirun.arg(programs.join("quadrille-mpi")).args(words).current_dir(folder);
    cells::answer(&mut mpirun).ok_or_else(|| "mpirun fails".to_owned())
}
