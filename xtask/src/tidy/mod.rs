//! **What:** the rules of the house that a program can check.
//!
//! Which crate imports which; that files stay short and begin by saying what they hold; that nothing outside tests panics;
//! that texts keep to the glossary and name nothing of the machine they were written on.

mod crates;
mod files;
mod headings;
mod unbuilt;
mod words;

use files::File;
use std::path::Path;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Files looked at.
    pub files: usize,
    /// What has to be mended.
    pub faults: Vec<String>,
    /// What deserves a look.
    pub warnings: Vec<String>,
}

/// Longest a file may be without a warning, in lines.
const LONG: usize = 500;

/// Files that every visitor looks for.
const EXPECTED: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "GLOSSARY.md",
    "SHORTCOMINGS.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "test",
    ".ci/run",
];

/// Checks the repository below `root`.
pub(crate) fn check(root: &Path) -> Report {
    let files = files::all(root);
    let mut report = Report { files: files.len(), ..Report::default() };
    for name in EXPECTED.iter().filter(|name| !root.join(name).exists()) {
        report.faults.push(format!("{name} is missing"));
    }
    match crates::faults(root) {
        Ok(faults) => report.faults.extend(faults),
        Err(error) => report.faults.push(format!("cargo metadata: {error}")),
    }
    let unused = words::unused(root).unwrap_or_else(|error| {
        report.faults.push(error);
        Vec::new()
    });
    report.faults.extend(unbuilt::faults(&files));
    for file in &files {
        report.faults.extend(words::workplace(file));
        report.faults.extend(words::faults(file, &unused));
        report.faults.extend(headings::faults(file));
        report.faults.extend(panics(file));
        if file.is_code() && file.text.lines().count() > LONG {
            report.warnings.push(format!("{}: {} lines", file.path, file.text.lines().count()));
        }
    }
    report
}

/// Calls that end the program. Written in two parts, so that this file does not hold them.
const CALLS: &[&str] = &[
    concat!(".unw", "rap()"),
    concat!(".unwrap", "_err()"),
    concat!("pan", "ic!("),
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("db", "g!("),
];

/// Calls that end the program, outside tests.
fn panics(file: &File) -> Vec<String> {
    if !file.is_rust() || file.is_test() {
        return Vec::new();
    }
    let lines = file.code_before_tests().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let hits =
        lines.flat_map(|(number, line)| CALLS.iter().filter(move |c| line.contains(**c)).map(move |c| (number, c)));
    hits.map(|(number, call)| format!("{}:{number}: `{call}` outside tests; return an error", file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_found_outside_tests_only() {
        let text = "fn a() { b().unwrap() }\n// c.unwrap()\n#[cfg(test)]\nmod tests { fn d() { e().unwrap() } }\n";
        let file = File { path: "crates/kernel/src/a.rs".into(), text: text.into() };
        assert_eq!(panics(&file), ["crates/kernel/src/a.rs:1: `.unwrap()` outside tests; return an error"]);
        let test = File { path: "crates/kernel/tests/a.rs".into(), ..file };
        assert!(panics(&test).is_empty());
    }
}
