//! Commands in the book, the README and the help that no test runs, which are those without a `$`: their verbs, flags and values are at least those that
//! there are.

use crate::pages::docs;
use crate::quadrille;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// All pages.
fn pages() -> Vec<PathBuf> {
    let (mut folders, mut pages) = (vec![docs()], vec![docs().join("../README.md")]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "md") => pages.push(path),
                false => {}
            }
        }
    }
    pages
}

/// The commands of a page: in blocks a line each, also over two lines where help is wrapped, and between backticks.
fn commands(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, part) in text.split("```").enumerate() {
        if at % 2 == 0 {
            let inline = part.split('`').skip(1).step_by(2).map(|code| code.split_whitespace().collect::<Vec<_>>());
            found.extend(inline.map(|words| words.join(" ")).filter(|code| code.starts_with("quadrille ")));
            continue;
        }
        let mut lines = part.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(command) = line.trim_start().strip_prefix("quadrille ") else { continue };
            let mut command = format!("quadrille {command}");
            let begins = |rest: &str| ["quadrille", "mpirun", " "].iter().any(|begin| rest.starts_with(begin));
            let goes_on =
                |next: &&str| line.starts_with("  ") && next.strip_prefix("  ").is_some_and(|rest| !begins(rest));
            while let Some(more) = lines.next_if(goes_on) {
                command.push_str(&more[1..]);
            }
            found.insert(command);
        }
    }
    found
}

/// The words of a command, up to where a shell does something else with it, and without what is said of it.
fn words(command: &str) -> Vec<String> {
    let ends = ["   ", " | ", " > ", " || ", " && ", " # ", " < "];
    let end = ends.iter().filter_map(|end| command.find(end)).min().unwrap_or(command.len());
    let (mut words, mut quote) = (vec![String::new()], None);
    for sign in command[..end].chars() {
        match (sign, quote) {
            ('\'' | '"', None) => quote = Some(sign),
            (_, Some(open)) if open == sign => quote = None,
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().unwrap().push(sign),
        }
    }
    words.into_iter().skip(1).filter(|word| !word.is_empty()).collect()
}

#[test]
fn what_the_pages_tell_to_type_is_understood() {
    let mut tried = BTreeSet::new();
    for page in pages() {
        for command in commands(&std::fs::read_to_string(&page).unwrap()) {
            if !tried.insert(command.clone()) {
                continue;
            }
            let mut words = words(&command);
            // What is left for the reader to fill in, and flags that are only named.
            let is_left = |word: &String| word == "SHELL" || word.contains(['…', '\\']);
            let is_named = words.last().is_none_or(|word| word.starts_with("--") && command.ends_with(word));
            if words.iter().any(is_left) || is_named || words[0] == "help" {
                continue;
            }
            // What stands before `--help` is read, and nothing is run.
            words.push("--help".into());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let answer = crate::arguments(&words);
            assert_eq!(answer.status, 0, "{}: {command}: {}", page.display(), answer.err);
        }
    }
    assert!(tried.len() > 100, "{}", tried.len());
    quadrille("solve torus:4x4 alltoall --nothing --help").fails(2, "--nothing", "");
}
