//! Tasks of the repository: `cargo xtask tidy` checks what no compiler checks, `cargo xtask atlas` makes `docs/atlas.md` anew,
//! `cargo xtask gallery` draws the layout of every family and every kind of result, light and dark, `cargo xtask fat-trees` makes the errata and figures of its page,
//! `cargo xtask rotations` tries every rotation on small fat trees, `cargo xtask rival` compares with the encoding of SCCL, `cargo xtask matrix` solves every collective
//! under every model on small networks, `cargo xtask large` large networks before and after, `cargo xtask scaling` how time and memory grow with the nodes, `cargo xtask clusters` collectives of many sizes on accelerator clusters, `cargo xtask sccl` the published points of SCCL, `cargo
//! xtask vectors` prints the table of alltoall on Swapped Dragonflies, `cargo xtask dual-nets exchange` verifies total exchange on hierarchical dual-nets, `cargo xtask engines` what engines and constructions make of both families, `cargo xtask products` what
//! products of matrices cost, `cargo xtask tours` builds and verifies alltoall on all meshes and tori up to a size, `cargo xtask
//! trees` allgather on tori, hypercubes and circulants, `cargo xtask slimmed-trees` alltoall on random slimmed fat trees, `cargo xtask runs` times schedules over MPI beside the library's own, `cargo xtask install-c PREFIX` puts libquadrille somewhere, `cargo xtask fuzz SECONDS` gives mutated files and command lines to the
//! program and to the second checker, `cargo xtask wheel` builds the package for Python, `cargo xtask simulator` measures the simulator of flits beside another's figures (`rival-simulator PATH` beside its program), `cargo xtask packets` counts that a million packets arrive once, `cargo xtask simulated-atlas` plays every stored schedule of the atlas in it, `cargo xtask scheduling` prints the table of docs/simulation-schedules.md, `cargo xtask book` writes
//! what commands on pages print anew and builds the pages as a book.

mod book;
mod cells;
mod clusters;
mod engines;
mod fat_trees;
mod fuzz;
mod gallery;
mod install;
mod large;
mod matrix;
mod rival;
mod rotations;
mod runs;
mod scaling;
mod sccl;
mod scheduling;
mod slimmed_trees;
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
        Some("atlas") => {
            cargo("run --release --package quadrille-cli -- atlas --dir atlas --markdown -o docs/atlas.md")
        }
        Some("experiment") => {
            cargo("run --release --package quadrille-cli -- experiment -o docs/measurements/evolution")
        }
        Some("gallery") => gallery(),
        Some("fat-trees") => fat_trees(),
        Some("slimmed-trees") => told(slimmed_trees::table().map(|table| print!("{table}"))),
        Some("rival") => rival(),
        Some("matrix") => matrix(),
        Some("large") => {
            let settings = large::Settings::parse(std::env::args().skip(2));
            told(settings.and_then(|settings| large::run(&root(), &settings)))
        }
        Some("scaling") => {
            let settings = scaling::Settings::parse(std::env::args().skip(2));
            told(settings.and_then(|settings| scaling::run(&root(), &settings)))
        }
        Some("clusters") => clusters(),
        Some("sccl") => told(sccl::run(&root())),
        Some("runs") => told(runs::run(&root(), std::env::args().skip(2))),
        Some("install-c") => told(install::run(&root(), std::env::args().skip(2))),
        Some("rotations") => rotations(),
        Some("products") => cargo("run --package quadrille-machine --example products --"),
        Some("dual-nets") => dual_nets(),
        Some("fuzz") => fuzz(),
        Some("engines") => engines(),
        Some("tours") => cargo("run --release --package quadrille-constructions --example tours --"),
        Some("trees") => cargo("run --release --package quadrille-constructions --example translated_trees --"),
        Some("simulator" | "rival-simulator") => {
            cargo("run --release --package quadrille-simulate --example beside --")
        }
        Some("simulated-atlas") => cargo("run --release --package quadrille-atlas --example simulated --"),
        Some("scheduling") => told(scheduling::run(&root(), std::env::args().nth(2))),
        Some("packets") => cargo("run --release --package quadrille-simulate --example packets --"),
        Some("wheel") => wheel(),
        Some("book") => told(book::run(&root(), std::env::args().skip(2))),
        Some("vectors") => cargo("run --package quadrille-constructions --example vectors --"),
        _ => {
            eprintln!(
                "usage: cargo xtask tidy|atlas|gallery [PROGRAM]|fat-trees|rotations|rival|matrix|large|scaling|clusters|vectors|tours|trees|runs|install-c PREFIX|dual-nets exchange|engines|products|simulator|rival-simulator PATH|packets|simulated-atlas [NODES]|scheduling [PROGRAM]|wheel|book|fuzz SECONDS|experiment NAME"
            );
            ExitCode::from(2)
        }
    }
}

/// Runs cargo with these words; those after the task's name go on to what it runs.
fn cargo(words: &str) -> ExitCode {
    run_cargo(words, &std::env::args().skip(2).collect::<Vec<_>>())
}

/// Runs cargo with these words and some more.
fn run_cargo(words: &str, more: &[String]) -> ExitCode {
    let mut cargo = Command::new(env!("CARGO"));
    match cargo.args(words.split(' ')).args(more).current_dir(root()).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds a wheel for every Python from the oldest that `pyproject.toml` names on; pip brings maturin.
fn wheel() -> ExitCode {
    let words = ["-m", "pip", "wheel", "--no-deps", "--wheel-dir", "target/wheels", "."];
    match Command::new("python3").args(words).current_dir(root()).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: python3 cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Draws the sheets of all families and of every kind of result. Argument: a program `quadrille` that is already built.
fn gallery() -> ExitCode {
    let folder = root().join("docs/gallery");
    let families = gallery::draw(&folder).map_err(|error| format!("docs/gallery: {error}"));
    let program = std::env::args().nth(2).map(PathBuf::from);
    told(families.and_then(|families| {
        let results = gallery::draw_results(&root(), &folder, program)?;
        eprintln!("gallery: {families} networks, {results} results");
        Ok(())
    }))
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

/// Tries every rotation on small fat trees.
fn rotations() -> ExitCode {
    match rotations::sweep() {
        Ok(trees) => {
            println!("{trees} trees realise every rotation");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Verifies total exchange on dual-nets.
fn dual_nets() -> ExitCode {
    if std::env::args().nth(2).as_deref() != Some("exchange") {
        eprintln!(
            "usage: cargo xtask dual-nets exchange [NODES [one|all]]; `quadrille design dual-net table N` has the tables"
        );
        return ExitCode::from(2);
    }
    let rest: Vec<String> = std::env::args().skip(3).collect();
    run_cargo("run --release --package quadrille-constructions --example total_exchange --", &rest)
}

/// Compares engines with constructions. Arguments: how many seconds engines have for each row, 10 unless given, and a program
/// `quadrille` that is already built.
fn engines() -> ExitCode {
    let seconds = std::env::args().nth(2).map_or(Some(10.0), |text| text.parse().ok().filter(|s: &f64| *s > 0.0));
    let Some(seconds) = seconds else {
        eprintln!("usage: cargo xtask engines [SECONDS [PROGRAM]]");
        return ExitCode::from(2);
    };
    match engines::run(&root(), seconds, std::env::args().nth(3).map(PathBuf::from)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Solves every collective under every model on small networks.
fn matrix() -> ExitCode {
    told(matrix::Settings::parse(std::env::args().skip(2)).and_then(|settings| matrix::run(&root(), &settings)))
}

/// Collectives in time on clusters.
fn clusters() -> ExitCode {
    told(clusters::Settings::parse(std::env::args().skip(2)).and_then(|settings| clusters::run(&root(), &settings)))
}

fn told(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The folder of what cargo builds.
fn target_folder(root: &Path) -> Result<PathBuf, String> {
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(root).no_deps().exec();
    metadata.map(|m| m.target_directory.into_std_path_buf()).map_err(|e| e.to_string())
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

/// Mutates the corpus and compares what the program and the second checker say.
fn fuzz() -> ExitCode {
    let settings = match fuzz::Settings::parse(std::env::args().skip(2)) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match fuzz::run(&root(), settings) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
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
