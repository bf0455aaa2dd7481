//! **What:** command lines whose words are exchanged, doubled, dropped and replaced.

use super::values::word;
use super::{Case, Kind};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

/// Numbers, and what is none; the last one is empty.
const NUMBERS: &str = "0 1 2 5 17 100 1000 65536 1000000 2147483648 4294967295 4294967296 18446744073709551615 18446744073709551616 \
    99999999999999999999999999 -1 -4294967297 1.5 1e9 nan inf 0x10 ";

const ODD: &[&str] = &[
    "",
    " ",
    "-",
    "--",
    "---",
    "--=",
    "=",
    ":",
    ";",
    ",",
    "x",
    "é",
    "\u{1f600}",
    "\u{202e}",
    "a\nb",
    "%s",
    "*",
    "'",
    "\"",
    "..",
    "\u{7f}",
    "--json",
    "--help",
    "--version",
    "-h",
    "s.json",
    "n.graphml",
    "missing.json",
    "torus:4x4",
    "alltoall",
];

/// The verb that searches, and ends after a time that is given.
const SEARCHING: &str = "solve";

/// Whether a case may take longer than the limit: a command line without a time to keep.
pub(super) fn may_take_long(case: &Case) -> bool {
    case.kind == Kind::Line && case.words.first().is_none_or(|verb| verb != SEARCHING)
}

/// A line drawn and mutated.
pub(super) fn mutated(lines: &[Vec<String>], random: &mut Pcg64Mcg) -> Vec<String> {
    let other = lines[random.random_range(0..lines.len())].clone();
    let mut words = lines[random.random_range(0..lines.len())].clone();
    for _ in 0..random.random_range(1..=3).min(random.random_range(1..=3)) {
        // Words of verbs are left where they are most of the time, or all lines would end there.
        let first = usize::from(random.random_bool(0.95) && words.len() > 1);
        if words.len() <= first {
            break;
        }
        let (at, to) = (random.random_range(first..words.len()), random.random_range(first..words.len()));
        match random.random_range(0..10) {
            0 => drop(words.remove(at)),
            1 => words.swap(at, to),
            2 => words.insert(to, words[at].clone()),
            3..5 => words[at] = other.choose(random).cloned().unwrap_or_default(),
            5 => words.extend(other.iter().skip(3).cloned()),
            6 => words[at] = (*ODD.choose(random).unwrap_or(&"")).to_owned(),
            _ => words[at] = renumbered(&words[at], random),
        }
    }
    // A program that is asked to search ends soon, and outputs stay in the folder of the case.
    words.iter_mut().filter(|word| word.contains('/')).for_each(|word| *word = word.replace('/', "_"));
    words.retain(|word| !word.starts_with("--time") && !word.starts_with("--threads") && word != "--exhaustive");
    if words.first().is_some_and(|verb| verb == SEARCHING) {
        words.extend(["--time", "0.2", "--threads", "1"].map(str::to_owned));
    }
    words
}

/// A word in which one number is another.
fn renumbered(old: &str, random: &mut Pcg64Mcg) -> String {
    let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let mut parts: Vec<String> = Vec::new();
    for c in old.chars() {
        match parts.last_mut() {
            Some(part) if is_number(part) == c.is_ascii_digit() => part.push(c),
            _ => parts.push(c.into()),
        }
    }
    let numbers: Vec<usize> = (0..parts.len()).filter(|at| is_number(&parts[*at])).collect();
    let new = word(NUMBERS, random).to_owned();
    match numbers.choose(random) {
        Some(&at) => parts[at] = new,
        None => parts.push(new),
    }
    parts.concat()
}
