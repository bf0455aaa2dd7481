//! **What:** names in headers for C: of every file and kind its own, so that one program can include several.
//!
//! **Parameters:** `slots.h` of kind `slot` has names that begin with `slots_slot_`, macros with `SLOTS_SLOT_`. What C does not allow in a name is `_`; a
//! name that begins with a digit has `table_` before it, and standard output is `quadrille`.

use formats::file;
use std::path::Path;

/// How the names of a header begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CNames {
    /// Of types and arrays: `slots_slot`.
    pub lower: String,
    /// Of macros: `SLOTS_SLOT`.
    pub upper: String,
}

impl CNames {
    /// Those of a header of that kind in that file.
    pub(crate) fn of(path: &Path, kind: &str) -> Self {
        let stem = if file::is_standard_output(path) { "quadrille".to_owned() } else { file::title(path) };
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let mut lower: String = stem.chars().map(letter).collect();
        // Names that begin with `_` belong to compilers.
        if !lower.starts_with(|c: char| c.is_ascii_lowercase()) {
            lower.insert_str(0, "table_");
        }
        let lower = format!("{lower}_{kind}");
        CNames { upper: lower.to_ascii_uppercase(), lower }
    }
}

/// A text of a stranger within a comment of C: on one line, and neither ends the comment nor begins another.
pub(crate) fn comment(text: &str) -> String {
    text.replace(char::is_control, " ").replace("*/", "* /").replace("/*", "/ *")
}
