//! Tasks of the repository: `cargo xtask tidy` checks what no compiler checks, `cargo xtask atlas` makes `docs/atlas.md` anew,
//! `cargo xtask gallery` draws the layout of every family, `cargo xtask fat-trees` makes the errata and figures of its page,
//! `cargo xtask rival` compares with the encoding of SCCL, `cargo xtask vectors` prints the table of alltoall on Swapped
//! Dragonflies.

mod fat_trees;
mod gallery;
mod rival;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy(),
        Some("atlas") => cargo("run --release --package quadrille -- atlas --dir atlas --markdown -o docs/atlas.md"),
        Some("experiment") => cargo("run --release --package quadrille-solve --example experiment --"),
        Some("gallery") => gallery(),
        Some("fat-trees") => fat_trees(),
        Some("rival") => rival(),
        Some("vectors") => cargo("run --package quadrille-constructions --example vectors --"),
        _ => {
            eprintln!("usage: cargo xtask tidy|atlas|gallery|fat-trees|rival|vectors|experiment NAME");
            ExitCode::from(2)
        }
    }
}

/// Runs cargo with these words; those after the task's name go on to what it runs.
fn cargo(words: &str) -> ExitCode {
    let mut cargo = Command::new(env!("CARGO"));
    match cargo.args(words.split(' ')).args(std::env::args().skip(2)).current_dir(root()).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Draws the sheet of all families.
fn gallery() -> ExitCode {
    match gallery::draw(&root().join("docs/gallery")) {
        Ok(networks) => {
            eprintln!("gallery: {networks} networks");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: docs/gallery: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Counts the errata of the page on fat trees and draws its figures.
fn fat_trees() -> ExitCode {
    match fat_trees::write(&root()) {
        Ok(figures) => {
            eprintln!("fat-trees: {figures} figures");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: docs/fat-trees: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares with another solver under store-and-forward.
fn rival() -> ExitCode {
    let settings = match rival::Settings::parse(std::env::args().skip(2)) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match rival::run(&root(), &settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tidy() -> ExitCode {
    let report = tidy::check(&root());
    for line in &report.warnings {
        eprintln!("warning: {line}");
    }
    for line in &report.faults {
        eprintln!("error: {line}");
    }
    eprintln!("tidy: {} files, {} faults, {} warnings", report.files, report.faults.len(), report.warnings.len());
    if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let report = super::tidy::check(&super::root());
        assert!(report.files > 20, "only {} files were looked at", report.files);
        assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
    }
}
