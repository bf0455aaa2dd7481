//! **What:** `cargo xtask install-c PREFIX`: libquadrille, static and shared, its headers and a file for pkg-config.

use super::target_folder;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEADERS: &[&str] =
    &["crates/capi/include/quadrille.h", "crates/capi/include/quadrille_mpi.h", "crates/program/c/quadrille_engine.h"];

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
    let shared = if cfg!(target_os = "macos") { "dylib" } else { "so" };
    for ending in ["a", shared] {
        copy(&built.join(format!("libquadrille_capi.{ending}")), &prefix.join(format!("lib/libquadrille.{ending}")))?;
    }
    for header in HEADERS {
        let name = Path::new(header).file_name().ok_or("headers have names")?;
        copy(&root.join(header), &prefix.join("include").join(name))?;
    }
    let file = prefix.join("lib/pkgconfig/quadrille.pc");
    write(&file, |file| std::fs::write(file, pkg_config(&prefix)))?;
    println!("{}: libquadrille, headers and pkgconfig/quadrille.pc", prefix.display());
    Ok(())
}

/// What pkg-config reads. The private libraries are those that Rust needs where the library is linked statically.
fn pkg_config(prefix: &Path) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "prefix={}\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\nName: quadrille\nDescription: Verified schedules of collective communications\n\
         Version: {version}\nCflags: -I${{includedir}}\nLibs: -L${{libdir}} -lquadrille\nLibs.private: -lm -lpthread -ldl\n",
        prefix.display()
    )
}

fn copy(from: &Path, to: &PathBuf) -> Result<(), String> {
    write(to, |to| std::fs::copy(from, to).map(drop))
}

fn write(to: &PathBuf, how: impl FnOnce(&PathBuf) -> std::io::Result<()>) -> Result<(), String> {
    let folder = to.parent().ok_or("files lie in folders")?;
    std::fs::create_dir_all(folder).and_then(|()| how(to)).map_err(|error| format!("{}: {error}", to.display()))
}
