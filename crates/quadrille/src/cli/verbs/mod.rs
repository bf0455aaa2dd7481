//! The verbs, one a file.

pub mod shell;
