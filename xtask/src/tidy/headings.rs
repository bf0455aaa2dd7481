//! **What:** that a Rust file begins by saying what it holds, and a family, engine or format under the headings that all have.

use super::files::File;

/// Folders (by the end of their path) whose files carry headings, and which.
const HEADINGS: &[(&str, &[&str])] = &[
    ("topologies/src/families", &["What", "Parameters", "Facts", "Source", "Example"]),
    ("bounds/src", &["What"]),
    ("exports/src", &["What"]),
    ("formats/src", &["What"]),
];

/// What a file that makes an engine or a construction holds, and the headings it carries; an engine's source is in the
/// registry.
const KINDS: &[(&str, &[&str])] = &[
    ("impl Method for", &["What"]),
    ("pub const CONSTRUCTION:", &["What", "Promise", "Construction", "Source", "Example"]),
];

/// A file without its opening comment, or without a heading.
pub(super) fn faults(file: &File) -> Vec<String> {
    if !file.is_rust() || file.is_test() || !file.path.contains("/src/") {
        return Vec::new();
    }
    let opening: Vec<&str> = file.text.lines().take_while(|line| line.starts_with("//!")).collect();
    if opening.is_empty() {
        return vec![format!("{}: begins without a comment that says what it holds", file.path)];
    }
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let kind = KINDS.iter().find(|kind| file.code_before_tests().any(|(_, line)| line.starts_with(kind.0)));
    if kind.is_none() && (name == "mod.rs" || name == "lib.rs") {
        return Vec::new();
    }
    let placed = HEADINGS.iter().filter(|(end, _)| folder.ends_with(end)).flat_map(|(_, headings)| *headings);
    let wanted = placed.chain(kind.iter().flat_map(|(_, headings)| *headings));
    let has = |heading: &str| opening.iter().any(|line| line.contains(&format!("**{heading}")));
    wanted.filter(|h| !has(h)).map(|h| format!("{}: no heading **{h}** in its opening comment", file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_headings_are_found() {
        let text =
            "//! **What:** a ring.\n//! **Parameters:** n\n//! **Source:** folklore\n//! **Example:**\n\nfn a() {}\n";
        let file = File { path: "crates/topologies/src/families/ring.rs".into(), text: text.into() };
        assert_eq!(
            faults(&file),
            ["crates/topologies/src/families/ring.rs: no heading **Facts** in its opening comment"]
        );
        let bare = File { path: "crates/search/src/a.rs".into(), text: "fn a() {}\n".into() };
        assert_eq!(faults(&bare).len(), 1);
    }
}
