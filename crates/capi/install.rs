//! **What:** puts libquadrille where C compilers find it: both libraries, the headers, and a file for pkg-config. A part of `cargo xtask install-c` and of the tests.

use std::path::{Path, PathBuf};

/// Headers, from the root of the repository.
const HEADERS: &[&str] =
    &["crates/capi/include/quadrille.h", "crates/capi/include/quadrille_mpi.h", "crates/program/c/quadrille_engine.h"];

/// Copies what lies in `built` as `libquadrille_capi`, and the headers of the repository at `root`, to `prefix`, an absolute path.
///
/// # Errors
/// What cannot be read or written, and why.
pub(crate) fn install(root: &Path, built: &Path, prefix: &Path) -> Result<(), String> {
    let shared = if cfg!(target_os = "macos") { "dylib" } else { "so" };
    for ending in ["a", shared] {
        copy(&built.join(format!("libquadrille_capi.{ending}")), &prefix.join(format!("lib/libquadrille.{ending}")))?;
    }
    for header in HEADERS {
        let name = Path::new(header).file_name().ok_or("headers have names")?;
        copy(&root.join(header), &prefix.join("include").join(name))?;
    }
    let file = prefix.join("lib/pkgconfig/quadrille.pc");
    write(&file, |file| std::fs::write(file, pkg_config(prefix)))
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
    write(to, |to| std::fs::copy(from, to).map(drop)).map_err(|error| format!("{}: {error}", from.display()))
}

fn write(to: &PathBuf, how: impl FnOnce(&PathBuf) -> std::io::Result<()>) -> Result<(), String> {
    let folder = to.parent().ok_or("files lie in folders")?;
    std::fs::create_dir_all(folder).and_then(|()| how(to)).map_err(|error| format!("{}: {error}", to.display()))
}
