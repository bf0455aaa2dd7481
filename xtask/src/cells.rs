//! **What:** whole commands of the program for the cells of a table, several side by side where there are processors for them.

use super::target_folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program that was given, or this repository's, built for release.
pub(crate) fn program(root: &Path, given: Option<&PathBuf>) -> Result<PathBuf, String> {
    if let Some(program) = given {
        return Ok(program.clone());
    }
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--quiet", "--package", "quadrille-cli"]).current_dir(root);
    if !build.status().map_err(|e| e.to_string())?.success() {
        return Err("quadrille does not build".into());
    }
    Ok(target_folder(root)?.join("release").join("quadrille"))
}

/// What `solve` finds for every cell, in their order.
pub(crate) fn solved<C: Sync, F: Send>(cells: &[C], jobs: Option<usize>, solve: impl Fn(&C) -> F + Sync) -> Vec<F> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(cell) = cells.get(at) else { break };
                    let answer = solve(cell);
                    found.lock().expect("no thread panics while it holds the lock").push((at, answer));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("all threads have ended");
    found.sort_unstable_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, answer)| answer).collect()
}

/// What the program prints with `--json`; none where it fails.
pub(crate) fn answer(command: &mut Command) -> Option<Value> {
    command.output().ok().and_then(|out| serde_json::from_slice(&out.stdout).ok())
}

/// What `solve` printed, and what the whole command took.
pub(crate) struct Measured {
    /// None where it failed.
    pub(crate) answer: Option<Value>,
    /// Seconds.
    pub(crate) wall: f64,
    /// Seconds of processor time, without the system's.
    pub(crate) user: f64,
    /// At most.
    pub(crate) megabytes: f64,
}

/// Runs `solve` on these words for so many seconds, under GNU time.
pub(crate) fn measured<'a>(
    program: &Path,
    words: impl Iterator<Item = &'a str>,
    seconds: f64,
) -> Result<Measured, String> {
    let told = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["--format", "%e %U %M", "--output"]).arg(told.path()).arg(program).arg("solve");
    timed.args(words).args(["--json", "--time", &seconds.to_string()]);
    let answer = answer(&mut timed);
    let told = std::fs::read_to_string(told.path()).map_err(|e| format!("GNU time: {e}"))?;
    // Where the program fails, a line before the last one says so.
    let numbers: Vec<f64> =
        told.lines().last().unwrap_or("").split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[wall, user, kilobytes] = &numbers[..] else { return Err(format!("GNU time printed: {told}")) };
    Ok(Measured { answer, wall, user, megabytes: kilobytes / 1024.0 })
}
