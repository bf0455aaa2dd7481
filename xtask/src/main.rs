//! Tasks of the repository: `cargo xtask tidy` checks what no compiler checks.

mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    if task.as_deref() != Some("tidy") {
        eprintln!("usage: cargo xtask tidy");
        return ExitCode::from(2);
    }
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
