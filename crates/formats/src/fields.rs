//! **What:** fields of tables in comma-separated values.

/// A field, in quotes where it would not be one field without.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
