//! **What:** words that do not belong: those of the machine a text was written on, and those that the glossary lists as not used.

use super::files::File;
use std::path::Path;

/// Words of a workplace. Written in two parts, so that this file does not name them.
const WORKPLACE: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!(".lib", "rary"),
    concat!("developer ses", "sion"),
    concat!("this ses", "sion"),
];

/// Pages that quote words of other days.
const QUOTING: &[&str] = &["GLOSSARY.md", "CHANGELOG.md", "fixtures/", "docs/decisions/"];

/// A word that is not used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unused {
    word: String,
    instead: String,
    /// Whether names in code are kept free of it, too.
    in_code: bool,
}

/// Paths and words of the machine.
pub(super) fn workplace(file: &File) -> Vec<String> {
    let lines = (1..).zip(file.text.lines());
    let hits = lines.flat_map(|(n, line)| WORKPLACE.iter().filter(move |w| line.contains(**w)).map(move |w| (n, w)));
    hits.map(|(number, word)| format!("{}:{number}: `{word}` belongs to a machine, not here", file.path)).collect()
}

/// The words that GLOSSARY.md lists as not used.
pub(super) fn unused(root: &Path) -> Result<Vec<Unused>, String> {
    let page = std::fs::read_to_string(root.join("GLOSSARY.md")).map_err(|e| format!("GLOSSARY.md: {e}"))?;
    let words = table(&page);
    if words.is_empty() { Err("GLOSSARY.md: no table of words not used".into()) } else { Ok(words) }
}

/// The rows of the table whose head begins with `not used`: a word, what to say instead, and where.
fn table(page: &str) -> Vec<Unused> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| not used |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [word, instead, place] = cells[..] else { return None };
            Some(Unused { word: word.to_lowercase(), instead: instead.to_owned(), in_code: place == "text and code" })
        })
        .collect()
}

/// Words that are not used, in pages and Rust files.
pub(super) fn faults(file: &File, unused: &[Unused]) -> Vec<String> {
    let quotes = QUOTING.iter().any(|place| file.path.starts_with(place));
    if quotes || !(file.is_page() || file.is_rust()) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        let is_text = file.is_page() || line.trim_start().starts_with("//");
        // Once a line, not once a word.
        let (text, names) = match is_text {
            true => (line.to_lowercase(), Vec::new()),
            false => (String::new(), names(line).collect()),
        };
        let has = |entry: &&Unused| match is_text {
            true => has_word(&text, &entry.word),
            false => entry.in_code && file.is_rust() && names.contains(&entry.word),
        };
        let told =
            |entry: &Unused| format!("{}:{number}: `{}`; the glossary says `{}`", file.path, entry.word, entry.instead);
        faults.extend(unused.iter().filter(has).map(told));
    }
    faults
}

/// Whether `word` stands in `line`, which is in lower case, by itself: not as a name in code, nor in a compound such as
/// "vertex-transitive", which is the term of art.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || "_-`".contains(c))
    })
}

/// The words that names in a line of code are made of, in lower case: `ArcSlot` and `arc_slot` are made of `arc` and `slot`. What
/// stands between quotation marks is no name.
fn names(line: &str) -> impl Iterator<Item = String> + '_ {
    let code = line.split('"').step_by(2);
    let words = code.flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric()));
    words.flat_map(|word| {
        let mut parts: Vec<String> = Vec::new();
        for c in word.chars() {
            match parts.last_mut() {
                Some(part) if !c.is_ascii_uppercase() => part.push(c),
                _ => parts.push(c.to_ascii_lowercase().to_string()),
            }
        }
        parts
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(word: &str, in_code: bool) -> Unused {
        Unused { word: word.into(), instead: "x".into(), in_code }
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("a vertex of it", "vertex"));
        assert!(!has_word("`vertex` of it", "vertex"));
        assert!(!has_word("a vertex-transitive network", "vertex"));
    }

    #[test]
    fn the_table_is_read_from_the_page() {
        let page = "| not used | but | where |\n| --- | --- | --- |\n| loom | step layout | text and code |\n| vertex | node | text |\n";
        let words = table(page);
        assert_eq!((words.len(), &words[0].word[..], words[0].in_code, words[1].in_code), (2, "loom", true, false));
    }

    #[test]
    fn words_are_found_in_comments_and_in_names() {
        let text = "let packets = 1;\n// two Packets\nstruct OpenLoom;\nlet open_loom = \"loom\";\nfn bloom() {}\n";
        let file = File { path: "crates/a/src/b.rs".into(), text: text.into() };
        let found = faults(&file, &[entry("packets", false), entry("loom", true)]);
        let lines: Vec<&str> = found.iter().filter_map(|fault| fault.split(':').nth(1)).collect();
        assert_eq!(lines, ["2", "3", "4"]);
        let quoting = File { path: "CHANGELOG.md".into(), text: "the loom\n".into() };
        assert!(faults(&quoting, &[entry("loom", true)]).is_empty());
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let file = File { path: "README.md".into(), text: format!("see {}x\n", WORKPLACE[0]) };
        assert_eq!(workplace(&file).len(), 1);
    }
}
