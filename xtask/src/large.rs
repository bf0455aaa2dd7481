//! **What:** `cargo xtask large`: large networks without a closed form, before and after, as a table in Markdown.
//!
//! **Method.** `quadrille solve … --json` runs as a whole command, one after the other, under GNU time, which tells user time and
//! memory; the release before it likewise, where `--before` says which program that is. Every schedule went through `verify`, every
//! floor through `certify`.

use super::cells;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Networks with a collective.
const CELLS: &[&str] = &[
    "random-regular:256,4 alltoall",
    "random-regular:512,5 alltoall",
    "dragonfly:4,8 alltoall",
    "dragonfly:4,2,3,2 alltoall",
    "gft:2,16,8 alltoall",
    "random-regular:300,3 alltoall",
    "random-regular:200,6 alltoall",
    "torus:15x15 --fail-link 0-1 alltoall",
    "mesh:14x14 --fail-node 20 alltoall",
    "torus:32x32 --fail-link 0-1 allgather",
    "hypercube:10 --fail-link 0-1 allgather",
    "random-regular:1024,4 allgather",
    "random-regular:4096,4 allgather",
];

/// What is asked for.
pub(crate) struct Settings {
    seconds: f64,
    cells: Vec<String>,
    before: Option<PathBuf>,
    program: Option<PathBuf>,
}

impl Settings {
    /// From words `--time S`, `--cells "NETWORK COLLECTIVE;…"`, `--before FILE`, `--program FILE`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let cells = CELLS.iter().map(|cell| (*cell).to_owned()).collect();
        let mut settings = Settings { seconds: 60.0, cells, before: None, program: None };
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--time" => settings.seconds = value.parse().map_err(|_| format!("--time cannot be {value}"))?,
                "--cells" => settings.cells = value.split(';').map(str::to_owned).collect(),
                "--before" => settings.before = Some(value.into()),
                "--program" => settings.program = Some(value.into()),
                _ => return Err(format!("unknown flag {flag}; there are --time, --cells, --before and --program")),
            }
        }
        Ok(settings)
    }
}

/// Prints a row for each network.
pub(crate) fn run(root: &Path, settings: &Settings) -> Result<(), String> {
    let program = cells::program(root, settings.program.as_ref())?;
    println!("| network and collective | which | steps | bound | above | seconds | user seconds | MB | method |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for cell in &settings.cells {
        for (which, program) in settings.before.iter().map(|before| ("before", before)).chain([("after", &program)]) {
            println!("| {cell} | {which} | {} |", columns(program, cell, settings.seconds)?);
        }
    }
    Ok(())
}

/// What one program finds within the time.
fn columns(program: &Path, cell: &str, seconds: f64) -> Result<String, String> {
    let words = cell.split_whitespace();
    let cells::Measured { answer, wall, user, megabytes } = cells::measured(program, words, seconds)?;
    let cost = format!("{wall:.1} | {user:.1} | {megabytes:.0}");
    let Some(answer) = answer else { return Ok(format!("- | - | - | {cost} | none")) };
    let number = |key: &str| answer.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let (steps, bound) = (number("steps"), number("bound"));
    let method = answer.get("method").and_then(Value::as_str).unwrap_or("-");
    Ok(format!("{steps} | {bound} | {:.1} % | {cost} | {method}", (steps / bound - 1.0) * 100.0))
}
