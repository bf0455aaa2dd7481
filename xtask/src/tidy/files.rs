//! **What:** the texts of the repository.

use std::path::Path;
use std::process::Command;

/// A text file.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Its path below the root, with `/`.
    pub path: String,
    /// What it says.
    pub text: String,
}

impl File {
    /// Whether it is a Rust file.
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it is a program.
    pub(super) fn is_code(&self) -> bool {
        self.is_rust() || self.path.ends_with(".py")
    }

    /// Whether it is a page for readers.
    pub(super) fn is_page(&self) -> bool {
        self.path.ends_with(".md")
    }

    /// Whether all of it is tests, benchmarks or examples.
    pub(super) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| ["tests", "benches", "examples", "tests.rs", "testing"].contains(&part))
    }

    /// Its lines with their numbers, up to the tests at its end.
    pub(super) fn code_before_tests(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines()).take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"))
    }
}

/// All texts below `root` that are, or are to be, kept by git; without git, all but what is built.
pub(super) fn all(root: &Path) -> Vec<File> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success());
    let mut paths: Vec<String> = match listed {
        Some(output) => String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect(),
        None => walk(root),
    };
    paths.sort();
    paths.dedup();
    let read = |path: String| std::fs::read_to_string(root.join(&path)).ok().map(|text| File { path, text });
    paths.into_iter().filter_map(read).collect()
}

fn walk(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && name != "target" && name != ".git" => folders.push(path),
                Ok(kind) if kind.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found
}
