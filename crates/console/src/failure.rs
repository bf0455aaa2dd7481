//! **What:** why a verb did not succeed: one sentence, a hint, and the exit status.

mod usage;

use serde_json::{Value, json};
use std::borrow::Cow;
use std::ffi::OsString;

/// Exit status: the answer is no.
pub const NO: u8 = 1;
/// Exit status: bad input or usage.
pub const BAD_INPUT: u8 = 2;

/// What to do where nothing better is known.
const HELP: &str = "`quadrille help` lists the verbs, `quadrille help VERB` its flags";

/// What went wrong, for people.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    message: String,
    hint: Option<String>,
    quiet: bool,
    /// Where in a file, as far as its reader knows it.
    place: Option<Value>,
}

impl Failure {
    /// Bad input: the caller has to change something.
    pub fn input(message: impl std::fmt::Display) -> Self {
        Failure { status: BAD_INPUT, message: message.to_string(), hint: None, quiet: false, place: None }
    }

    /// The answer is no.
    pub fn no(message: impl std::fmt::Display) -> Self {
        Failure { status: NO, message: message.to_string(), hint: None, quiet: false, place: None }
    }

    /// Whoever read the output has gone away; nothing is left to say.
    pub fn nobody_listens() -> Self {
        Failure { status: 0, message: String::new(), hint: None, quiet: true, place: None }
    }

    /// A mistake that the argument parser found, in its words; beside it the arguments.
    pub fn usage(text: &str, arguments: &[OsString]) -> Self {
        let paragraphs: Vec<&str> = text.trim().split("\n\n").map(str::trim).collect();
        let message = paragraphs.first().copied().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        if let Some(failure) = usage::no_number(&message).or_else(|| usage::list_apart(&message, arguments)) {
            return failure;
        }
        let after = |head: &str| paragraphs.iter().find_map(|paragraph| paragraph.strip_prefix(head));
        // An unknown flag is hardly ever meant as a value.
        let tip = after("tip: ").filter(|tip| !tip.starts_with("to pass ")).map(str::to_owned);
        // The verb is what its usage has between the program and the first flag or parameter.
        let is_verb = |word: &&str| !word.starts_with('-') && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        let usage = after("Usage: ").and_then(|usage| {
            let verb: Vec<&str> = usage.split(' ').skip(1).take_while(is_verb).collect();
            (!verb.is_empty()).then(|| format!("usage: {usage}; see `quadrille help {}`", verb.join(" ")))
        });
        let hint = tip.or(usage).unwrap_or_else(|| HELP.into());
        Failure { status: BAD_INPUT, message, hint: Some(hint), quiet: false, place: None }
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        self.status
    }

    /// Adds what the caller may do about it.
    pub fn hint(mut self, hint: impl std::fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// Adds where in a file it is.
    pub fn at(mut self, place: Value) -> Self {
        self.place = Some(place);
        self
    }

    /// What the caller may do about it.
    pub fn what_to_do(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// For programs: the sentence, what to do, and where: the flag, or the place in a file.
    pub fn document(&self) -> Value {
        let place = self.place.clone().or_else(|| flag(&self.message).map(|flag| json!({"flag": flag})));
        json!({
            "error": brief(&self.message), "hint": self.hint.as_deref().map(brief), "where": place, "status": self.status,
        })
    }

    /// Prints it to stderr, where programs listen also as a document to stdout, and gives the exit status.
    pub fn report(&self) -> u8 {
        if !self.quiet && super::output::is_json() {
            // Whoever does not listen any more has the status.
            let _ = super::output::say_json(&self.document());
        }
        if !self.quiet {
            let mut text = format!("error: {}\n", brief(&self.message));
            if let Some(hint) = &self.hint {
                text.push_str(&format!("hint: {}\n", brief(hint)));
            }
            super::output::tell(&text);
        }
        self.status
    }
}

/// The flag that a message begins with.
fn flag(message: &str) -> Option<&str> {
    let first = message.split([' ', ':']).next()?;
    (first.starts_with("--") && first.len() > 2).then_some(first)
}

/// Longest word, and longest text, that is printed whole.
const LONGEST_WORD: usize = 200;
const LONGEST_TEXT: usize = 2000;

/// A text whose long words, and which itself, are cut in the middle: arguments and files may hold anything.
fn brief(text: &str) -> String {
    // On one line, whatever it quotes.
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<_> = text.split(' ').map(|word| cut(word, LONGEST_WORD)).collect();
    cut(&words.join(" "), LONGEST_TEXT).into_owned()
}

fn cut(text: &str, most: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= most {
        return text.into();
    }
    let (head, tail) = (most / 2, most / 4);
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(length - tail).collect();
    format!("{first}…{last}").into()
}
