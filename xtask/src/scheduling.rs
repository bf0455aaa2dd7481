//! **What:** `cargo xtask scheduling [PROGRAM]`: what scheduling buys, as a table in Markdown: collectives on networks of several kinds, scheduled and
//! not, flit by flit.
//!
//! **Method.** `quadrille solve` and `quadrille simulate --against … --json` run as whole commands, with the default settings of both; numbers are
//! cycles and do not depend on the machine. PROGRAM is a `quadrille` that is built already; without one it is built.

use super::cells;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const NETWORKS: &[&str] = &[
    "mesh:8x8",
    "torus:8x8",
    "hypercube:6",
    "gft:2,4,4",
    "dragonfly:2,4",
    "spidergon:64",
    "mesh:8x8 --fail-link 27-28 --fail-link 35-36 --fail-node 18",
];

const COLLECTIVES: &[(&str, &[&str])] = &[
    ("alltoall", &["direct", "pairwise", "random", "dimension-order"]),
    ("allgather", &["direct", "pairwise", "random", "dimension-order", "binomial", "ring"]),
    ("broadcast", &["direct", "binomial", "ring", "dimension-order"]),
    ("reduce_scatter", &["direct", "pairwise", "ring", "dimension-order"]),
    ("allreduce", &["direct", "ring", "binomial", "recursive-doubling"]),
];

pub(crate) fn run(root: &Path, program: Option<String>) -> Result<(), String> {
    let program = cells::program(root, program.map(PathBuf::from).as_ref())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("schedule.json");
    println!("| network | collective | steps | schedule | way | cycles | × | requests not granted |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for network in NETWORKS {
        for (collective, ways) in COLLECTIVES {
            let solved = Command::new(&program)
                .arg("solve")
                .args(network.split(' ').take(1))
                .arg(collective)
                .args(network.split(' ').skip(1))
                .arg("-o")
                .arg(&file)
                .output();
            let solved = solved.map_err(|error| error.to_string())?;
            if !solved.status.success() {
                return Err(format!("{network} {collective}: {}", String::from_utf8_lossy(&solved.stderr)));
            }
            let mut is_first = true;
            for way in *ways {
                let out = Command::new(&program).arg("simulate").arg(&file).args(["--json", "--against", way]).output();
                let out = out.map_err(|error| error.to_string())?;
                // A network without coordinates has no dimension order.
                let Ok(answer) = serde_json::from_slice::<Value>(&out.stdout) else { continue };
                row(network, collective, &answer, way, std::mem::take(&mut is_first));
            }
        }
    }
    Ok(())
}

fn row(network: &str, collective: &str, answer: &Value, way: &str, is_first: bool) {
    let (own, other) = (&answer["runs"][0], &answer["runs"][1]);
    let cycles = |run: &Value| run["cycles"].as_f64().unwrap_or(0.0);
    let head = if is_first {
        let blocked = if own["blocked"] == 0 && answer["predicted"] == own["cycles"] { "" } else { " (waits)" };
        format!("{network} | {collective} | {} | {}{blocked}", answer["steps"], own["cycles"])
    } else {
        " | | | ".into()
    };
    let (found, times) = if other["ended"] == "finished" {
        (other["cycles"].to_string(), format!("{:.2}", cycles(other) / cycles(own).max(1.0)))
    } else {
        (other["ended"].as_str().unwrap_or("-").to_owned(), "-".into())
    };
    println!("| {head} | {way} | {found} | {times} | {} |", other["blocked"]);
}
