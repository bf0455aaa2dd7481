//! `cargo xtask book`: what the commands on the pages print, written anew, and the pages as a book in `target/book`, by mdBook.

mod links;

use std::path::Path;
use std::process::{Command, Stdio};

/// mdBook is put here where the machine has none.
const TOOLS: &str = "target/tools";

/// Where the book is built, as `docs/book.toml` says.
const BOOK: &str = "target/book";

/// The version that is installed.
const MDBOOK: &str = "mdbook@^0.5";

/// With `--pages` only the pages are written, with `--html` only the book is built.
pub(crate) fn run(root: &Path, mut words: impl Iterator<Item = String>) -> Result<(), String> {
    let only = words.next();
    match only.as_deref() {
        None | Some("--pages" | "--html") => {}
        Some(word) => return Err(format!("`{word}` is neither --pages nor --html")),
    }
    if only.as_deref() != Some("--html") {
        // The test that compares the pages writes them.
        let mut test = cargo(&["test", "--quiet", "--package", "quadrille-cli", "--test", "cli", "book::"]);
        done(test.env("QUADRILLE_PAGES", "overwrite").current_dir(root))?;
    }
    if only.as_deref() == Some("--pages") {
        return Ok(());
    }
    let own = root.join(TOOLS).join("bin/mdbook");
    let known = Command::new("mdbook").arg("--version").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    if !known && !own.exists() {
        done(
            cargo(&["install", "--locked", "--no-default-features", "--features", "search", "--root", TOOLS, MDBOOK])
                .current_dir(root),
        )?;
    }
    let program = if known { Path::new("mdbook") } else { own.as_path() };
    done(Command::new(program).args(["build", "docs"]).current_dir(root))?;
    let files = links::bring_in(root, &root.join(BOOK))?;
    eprintln!("book: {BOOK}/index.html, with {files} files of the repository that its pages link to");
    Ok(())
}

fn cargo(words: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(words);
    cargo
}

fn done(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} ended with {status}")),
        Err(error) => Err(format!("{command:?} cannot be started: {error}")),
    }
}
