//! **What:** words that do not belong: those of the machine a text was written on, and second names of things.

use super::files::File;

/// Words of a workplace. Written in two parts, so that this file does not name them.
const WORKPLACE: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!(".lib", "rary"),
    concat!("developer ses", "sion"),
    concat!("this ses", "sion"),
];

/// Second names of things, and the name in the glossary.
const SYNONYMS: &[(&str, &str)] = &[
    ("timeslot", "step"),
    ("time slot", "step"),
    ("vertex", "node"),
    ("vertices", "node"),
    ("packet", "message"),
    ("packets", "message"),
];

/// Paths and words of the machine.
pub fn workplace(file: &File) -> Vec<String> {
    let lines = (1..).zip(file.text.lines());
    let hits = lines.flat_map(|(n, line)| WORKPLACE.iter().filter(move |w| line.contains(**w)).map(move |w| (n, w)));
    hits.map(|(number, word)| format!("{}:{number}: `{word}` belongs to a machine, not here", file.path)).collect()
}

/// Second names in pages and in the comments of Rust files. The glossary names them to avoid them; fixtures quote.
pub fn synonyms(file: &File) -> Vec<String> {
    if file.path == "GLOSSARY.md" || file.path.starts_with("fixtures/") || !(file.is_page() || file.is_rust()) {
        return Vec::new();
    }
    let told = |line: &str| file.is_page() || line.trim_start().starts_with("//");
    let lines = (1..).zip(file.text.lines()).filter(|(_, line)| told(line));
    let hits = lines.flat_map(|(number, line)| {
        SYNONYMS.iter().filter(move |(word, _)| has_word(line, word)).map(move |pair| (number, pair))
    });
    hits.map(|(number, (word, instead))| format!("{}:{number}: `{word}`; the glossary says `{instead}`", file.path))
        .collect()
}

/// Whether `word` stands in `line` by itself, in any case: not as a name in code, nor in a compound such as
/// "vertex-transitive", which is the term of art.
fn has_word(line: &str, word: &str) -> bool {
    let line = line.to_lowercase();
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after].into_iter().flatten().any(|c| c.is_alphanumeric() || "_-`".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert!(has_word("a Vertex of it", "vertex"));
        assert!(!has_word("`vertex` of it", "vertex"));
        assert!(!has_word("a vertex-transitive network", "vertex"));
    }

    #[test]
    fn second_names_are_found_in_comments_only() {
        let text = "let packets = 1;\n// two packets\n";
        let file = File { path: "crates/a/src/b.rs".into(), text: text.into() };
        assert_eq!(synonyms(&file).len(), 1);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let file = File { path: "README.md".into(), text: format!("see {}x\n", WORKPLACE[0]) };
        assert_eq!(workplace(&file).len(), 1);
    }
}
