//! **What:** the words, numbers and signs of a header for C, without its comments, and rows of numbers.

use formats::shortened;
use formats::{Fault, Place, ReadError};
use std::path::Path;

/// A word, a number or a sign, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    at: usize,
}

/// The text without comments, from token to token.
pub(super) struct Tokens<'a> {
    path: &'a Path,
    text: &'a str,
    at: usize,
    /// The name of the port of the node itself, which is no number.
    pub local: String,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(path: &'a Path, text: &'a str) -> Self {
        Tokens { path, text, at: 0, local: String::new() }
    }

    pub(super) fn fault(&self, token: Token<'_>, fault: Fault) -> ReadError {
        let text = (!token.text.is_empty()).then(|| shortened(token.text));
        let place = Some(Place::of(self.text.as_bytes(), token.at));
        ReadError { place, text, ..ReadError::new(self.path, fault) }
    }

    pub(super) fn wanted(&self, token: Token<'_>, what: &str) -> ReadError {
        let end = if token.text.is_empty() { ", and the file ends" } else { "" };
        self.fault(token, Fault::Syntax(format!("{what} should stand here{end}")))
    }

    /// The next token; an empty one at the end.
    pub(super) fn next(&mut self) -> Result<Token<'a>, ReadError> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = &rest[blank..];
            if !rest.starts_with("/*") {
                let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
                let token = Token { text: &rest[..length], at: self.at };
                self.at += length;
                return Ok(token);
            }
            let Some(end) = rest.find("*/") else {
                let token = Token { text: "/*", at: self.at };
                return Err(self.fault(token, Fault::Syntax("this comment does not end".into())));
            };
            self.at += end + 2;
        }
    }

    pub(super) fn expect(&mut self, all: &[&str]) -> Result<(), ReadError> {
        for wanted in all {
            let token = self.next()?;
            if token.text != *wanted {
                return Err(self.wanted(token, &format!("`{wanted}`")));
            }
        }
        Ok(())
    }

    pub(super) fn number(&mut self) -> Result<u32, ReadError> {
        let token = self.next()?;
        token.text.parse().map_err(|_| self.wanted(token, "a whole number below 2^32"))
    }

    /// `{ … };` of numbers in rows of their own, or of one list; [`Tokens::local`] is no number.
    pub(super) fn numbers(&mut self, width: usize) -> Result<Vec<Vec<Option<u32>>>, ReadError> {
        self.expect(&["[", "]", "=", "{"])?;
        let mut rows = Vec::new();
        loop {
            let mut token = self.next()?;
            if token.text == "}" {
                self.expect(&[";"])?;
                return Ok(rows);
            }
            let is_row = width > 1;
            if is_row {
                if token.text != "{" {
                    return Err(self.wanted(token, "a row, or the end of rows,"));
                }
                token = self.next()?;
            }
            let mut row = Vec::with_capacity(width);
            loop {
                let number = if token.text == self.local { None } else { token.text.parse().ok() };
                if number.is_none() && token.text != self.local {
                    return Err(self.wanted(token, "a whole number below 2^32"));
                }
                row.push(number);
                if row.len() == width {
                    break;
                }
                self.expect(&[","])?;
                token = self.next()?;
            }
            if is_row {
                self.expect(&["}"])?;
            }
            self.expect(&[","])?;
            rows.push(row);
        }
    }
}
