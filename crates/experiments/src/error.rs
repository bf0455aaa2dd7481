//! **What:** why an experiment cannot go on.

use std::path::PathBuf;

/// Why an experiment cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A file that cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of runs that is none.
    #[error("{} line {line}: {why}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A cell that poses no problem, or that the method cannot work on.
    #[error("{cell}: {why}")]
    Cell {
        /// The cell.
        cell: String,
        /// Why.
        why: String,
    },
}
