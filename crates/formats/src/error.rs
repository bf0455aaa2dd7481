//! **What:** why a file could not be read or written, with the file, the line, the field and the offending text.

use crate::file;
use crate::network::Wire;
use kernel::orbits::{OrbitError, TranslationsError};
use kernel::timed::TimedProblemError;
use kernel::{CollectiveError, NetworkError, ProblemError};
use std::path::{Path, PathBuf};

/// A position in a text; lines and columns (in bytes) count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl Place {
    /// The position of byte `offset` of `text`.
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        Place { line, column: 1 + before.len() - line_start }
    }
}

/// A file that could not be read.
#[derive(Debug, thiserror::Error)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Where in it, as far as known.
    pub place: Option<Place>,
    /// The field, such as `network.channels[3]` or `node 3`.
    pub field: Option<String>,
    /// The offending text, shortened.
    pub text: Option<String>,
    /// What is wrong.
    #[source]
    pub fault: Box<Fault>,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(place) = self.place {
            write!(f, ":{}:{}", place.line, place.column)?;
        }
        f.write_str(": ")?;
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        write!(f, "{}", self.fault)?;
        if let Some(text) = &self.text {
            write!(f, " (found `{text}`)")?;
        }
        Ok(())
    }
}

impl ReadError {
    /// What is wrong with a file, at a place yet to be said.
    #[must_use]
    pub fn new(path: &Path, fault: Fault) -> Self {
        let path = if file::is_standard_input(path) { "stdin".into() } else { path.to_owned() };
        ReadError { path, place: None, field: None, text: None, fault: Box::new(fault) }
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file cannot be opened, read or decompressed.
    #[error("cannot be read: {0}")]
    Io(std::io::Error),
    /// The bytes of a binary file are not those that were written.
    #[error("{0}")]
    Damaged(String),
    /// No reader knows the ending of the file's name.
    #[error("no format has the ending of this name; known endings: {known}")]
    Ending {
        /// The endings that are known.
        known: String,
    },
    /// No format has this name.
    #[error("`{name}` is not a format of networks; known formats: {known}")]
    Format {
        /// The name given.
        name: String,
        /// The names that are known.
        known: String,
    },
    /// A text without a name is like no format.
    #[error("is in no format that can be recognised by its text; known formats: {known}")]
    NoFormat {
        /// The names that are known.
        known: String,
    },
    /// The text does not follow the format's grammar, or a value has the wrong type.
    #[error("{0}")]
    Syntax(String),
    /// A field that is needed is absent.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A word that is none of those the format knows.
    #[error("is not one of {known}")]
    Unknown {
        /// The words that are known.
        known: &'static str,
    },
    /// A weight that is not a fraction of two whole numbers below 2⁶⁴.
    #[error("is not a non-negative fraction such as \"1/2\"")]
    Rational,
    /// The name of a file beside this one that leads to another folder.
    #[error("is not the name of a file in the same folder")]
    Elsewhere,
    /// More nodes than a reader makes room for: as many as the text has bytes, and some thousands in any.
    #[error("{nodes} nodes are more than the {limit} that a file of its size may have")]
    TooManyNodes {
        /// Nodes asked for.
        nodes: u64,
        /// Most nodes.
        limit: u32,
    },
    /// A schedule in time, where one of steps is read.
    #[error("is a schedule in time, which `quadrille check` reads; nothing else here does yet")]
    Timed,
    /// Bandwidths, latencies, sizes and the collective do not fit together.
    #[error("{0}")]
    TimedProblem(TimedProblemError),
    /// A machine is described without a rate that its network needs.
    #[error("has a connection whose rate the file does not give: {}", .0.name())]
    NoRate(Wire),
    /// A rate is given that the network of a machine does not need.
    #[error("no connection of its network needs the rate {}", .0.name())]
    UnusedRate(Wire),
    /// What a description of a machine does not say is given for a file that describes none.
    #[error("describes a network and not a machine, so it takes no rates and no number of machines")]
    NoMachine,
    /// The network is not sound.
    #[error("{0}")]
    Network(NetworkError),
    /// The collective is not sound.
    #[error("{0}")]
    Collective(CollectiveError),
    /// Network, collective and model do not fit together.
    #[error("{0}")]
    Problem(ProblemError),
    /// The generators are no abelian group of automorphisms that acts freely.
    #[error("{0}")]
    Translations(TranslationsError),
    /// Representatives and group do not fit together.
    #[error("{0}")]
    Orbit(OrbitError),
}

/// A file that could not be written; an existing file is left unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be written: {source}", .path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub source: std::io::Error,
}

/// `text` cut to a length that fits a message.
#[must_use]
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if line.len() < text.trim_end().len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
