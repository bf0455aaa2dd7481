//! The command as a user types it: what it prints, what it writes, and its exit status.

mod additions;
mod allgather;
mod answers;
mod atlas;
mod bad_input;
mod beside;
mod binary;
mod book;
mod broadcast;
mod claims;
mod collectives;
mod combined;
mod commands;
mod compute;
mod cost;
mod design;
mod embed;
mod every_bound;
mod evolution_page;
mod experiment;
mod exports;
mod fat_trees;
mod fat_trees_page;
mod figures;
mod foreign;
mod headers;
mod hints;
mod import;
mod inputs;
mod latex;
mod latin;
mod machines;
mod measured;
mod orbits;
mod outputs;
mod pages;
mod permutations;
mod pipes;
mod products;
mod proofs;
mod round_trips;
mod routing;
mod runtimes;
mod scatter;
mod schemas;
mod shell;
mod simulate;
mod simulate_schedules;
mod solve;
mod strangers;
mod swapped_dragonflies;
mod tables;
mod textbook;
mod timed;
mod timed_orbits;
mod timed_verbs;
mod trees;
mod tune;

use serde_json::Value;
use snapbox::cmd::Command;
use std::path::{Path, PathBuf};

/// What a command answered.
struct Answer {
    status: i32,
    out: String,
    err: String,
}

/// Runs `quadrille` with the words of `line`.
fn quadrille(line: &str) -> Answer {
    arguments(&line.split_whitespace().collect::<Vec<_>>())
}

/// Runs `quadrille` with arguments that may hold spaces.
fn arguments(arguments: &[&str]) -> Answer {
    let output = Command::new(snapbox::cmd::cargo_bin!("quadrille")).args(arguments).output().unwrap();
    Answer {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Answer {
    /// Asserts success without a word on stderr, which is no terminal here, and gives what was printed.
    fn good(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// Asserts the exit status and gives the one JSON document on stdout.
    fn json(self, status: i32) -> Value {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }

    /// Asserts that nothing but a document of the error went to stdout, and that stderr is one `error:` and one `hint:` line with these words in them.
    fn fails(self, status: i32, error: &str, hint: &str) {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        // With `--json` the same is on stdout as a document.
        if !self.out.is_empty() {
            let document: Value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out));
            assert_eq!(
                (&document["status"], document["error"].is_string()),
                (&Value::from(status), true),
                "{document}"
            );
        }
        let lines: Vec<&str> = self.err.lines().collect();
        assert_eq!(lines.len(), 2, "{}", self.err);
        assert!(lines[0].starts_with("error: ") && lines[0].contains(error), "`{error}` is not in: {}", self.err);
        assert!(lines[1].starts_with("hint: ") && lines[1].contains(hint), "`{hint}` is not in: {}", self.err);
    }
}

/// A folder for one test, and the paths in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The names in it, ascending.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The dissertation's fixtures.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/thesis")
}
