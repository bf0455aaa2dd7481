//! **What:** `cargo xtask install-c PREFIX`: libquadrille, static and shared, its headers and a file for pkg-config.

#[path = "../../crates/capi/install.rs"]
mod files;

use super::target_folder;
use std::path::Path;
use std::process::Command;

/// Builds and copies. Words: the folder, and `--debug` for what is built fastest.
pub(crate) fn run(root: &Path, words: impl Iterator<Item = String>) -> Result<(), String> {
    let words: Vec<String> = words.collect();
    let usage = || "usage: cargo xtask install-c PREFIX [--debug]".to_owned();
    let (prefix, debug) = match &words[..] {
        [prefix] => (prefix, false),
        [prefix, flag] if flag == "--debug" => (prefix, true),
        _ => return Err(usage()),
    };
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{prefix}: {error}"))?;
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "quadrille-capi"]).current_dir(root);
    build.args((!debug).then_some("--release"));
    if !build.status().map_err(|error| error.to_string())?.success() {
        return Err("quadrille-capi does not build".into());
    }
    let built = target_folder(root)?.join(if debug { "debug" } else { "release" });
    files::install(root, &built, &prefix)?;
    println!("{}: libquadrille, headers and pkgconfig/quadrille.pc", prefix.display());
    Ok(())
}
