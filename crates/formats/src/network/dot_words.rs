//! **What:** the words of Graphviz' language: names, quoted and not, and punctuation, each with its place.

use super::assembly::fault;
use crate::{Place, ReadError};
use std::path::Path;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A name, a number or a quoted text; `bare` where it may be a keyword.
    Name { text: String, bare: bool },
    /// `{ } [ ] ; , = :` or `+`.
    Sign(char),
    /// `->` (directed) or `--`.
    Edge { directed: bool },
    /// The end of the text.
    End,
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Word::Name { text, .. } => f.write_str(text),
            Word::Sign(sign) => write!(f, "{sign}"),
            Word::Edge { directed: true } => f.write_str("->"),
            Word::Edge { directed: false } => f.write_str("--"),
            Word::End => f.write_str("end of file"),
        }
    }
}

/// Graphviz' attributes of nodes and edges, which are about drawing.
///
/// **Source:** <https://graphviz.org/doc/info/attrs.html>.
const DRAWING: &str = "URL area arrowhead arrowsize arrowtail class color colorscheme comment constraint decorate dir distortion edgeURL \
    edgehref edgetarget edgetooltip fillcolor fixedsize fontcolor fontname fontsize gradientangle group headURL head_lp headclip headhref \
    headlabel headport headtarget headtooltip height href id image imagepos imagescale label labelURL labelangle labeldistance \
    labelfloat labelfontcolor labelfontname labelfontsize labelhref labeljust labelloc labeltarget labeltooltip layer len lhead lp \
    ltail margin minlen nojustify ordering orientation penwidth peripheries pin pos radius rects regular root samehead sametail \
    samplepoints shape shapefile showboxes sides size skew sortv style tail_lp tailURL tailclip tailhref taillabel tailport \
    tailtarget tailtooltip target tooltip weight width xlabel xlp z";

/// Whether an attribute is one of Graphviz' own.
pub(super) fn is_drawing(name: &str) -> bool {
    DRAWING.split_whitespace().any(|word| word == name)
}

/// All words of `text`, the last one [`Word::End`].
pub(super) fn words(text: &str, path: &Path) -> Result<Vec<(Word, Place)>, ReadError> {
    let mut scan = Scan { rest: text, place: Place { line: 1, column: 1 }, path };
    let mut words = Vec::new();
    loop {
        scan.skip()?;
        let place = scan.place;
        let word = scan.word()?;
        let end = word == Word::End;
        words.push((word, place));
        if end {
            return Ok(words);
        }
    }
}

struct Scan<'a> {
    rest: &'a str,
    place: Place,
    path: &'a Path,
}

impl<'a> Scan<'a> {
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        match taken.rfind('\n') {
            Some(at) => {
                self.place.line += taken.bytes().filter(|b| *b == b'\n').count();
                self.place.column = taken.len() - at;
            }
            None => self.place.column += taken.len(),
        }
        self.rest = rest;
        taken
    }

    fn wrong(&self, text: &str, why: &str) -> ReadError {
        fault(self.path, self.place, None, text, why)
    }

    /// White space and comments.
    fn skip(&mut self) -> Result<(), ReadError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.advance(blank);
            // A line that begins with `#` is what a preprocessor leaves.
            if self.rest.starts_with("//") || (self.place.column == 1 && self.rest.starts_with('#')) {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(self.wrong("/*", "a comment without end"));
                };
                self.advance(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<Word, ReadError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Word::End) };
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        let second = self.rest[first.len_utf8()..].chars().next();
        match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' | '+' => {
                self.advance(1);
                Ok(Word::Sign(first))
            }
            '-' if matches!(second, Some('>' | '-')) => {
                self.advance(2);
                Ok(Word::Edge { directed: second == Some('>') })
            }
            '"' => self.quoted(),
            '<' => self.markup(),
            c if letter(c) => {
                let length = self.rest.find(|c: char| !letter(c) && !c.is_ascii_digit()).unwrap_or(self.rest.len());
                Ok(Word::Name { text: self.advance(length).to_owned(), bare: true })
            }
            c if c.is_ascii_digit() || c == '.' || c == '-' => {
                let digits = self.rest.strip_prefix('-').unwrap_or(self.rest);
                let length = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
                let (number, after) = digits.split_at(length);
                let proper = number.bytes().any(|b| b.is_ascii_digit()) && number.matches('.').count() < 2;
                if !proper || after.starts_with(letter) {
                    let text = self.rest.split(|c: char| c.is_whitespace() || ";,[]{}=".contains(c)).next();
                    return Err(
                        self.wrong(text.unwrap_or_default(), "neither a number nor a name; such a name needs quotes")
                    );
                }
                let length = self.rest.len() - after.len();
                Ok(Word::Name { text: self.advance(length).to_owned(), bare: false })
            }
            other => Err(self.wrong(&other.to_string(), "no word of the language begins with this; names need quotes")),
        }
    }

    /// A text in quotes, in which only `\"`, `\\` and a backslash before a line's end mean something here.
    fn quoted(&mut self) -> Result<Word, ReadError> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.advance(at + 1);
                    return Ok(Word::Name { text, bare: false });
                }
                '\\' => match letters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, '\n')) => {}
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(self.wrong(self.rest, "a quoted text without end"))
    }

    /// A text in balanced angle brackets, kept as it stands.
    fn markup(&mut self) -> Result<Word, ReadError> {
        let mut depth = 0usize;
        for (at, byte) in self.rest.bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let text = self.advance(at + 1);
                return Ok(Word::Name { text: text[1..at].to_owned(), bare: false });
            }
        }
        Err(self.wrong(self.rest, "an angle bracket without its answer"))
    }
}
