//! **What:** fields of tables in comma-separated values and in LaTeX.

/// A text as LaTeX prints it.
pub(crate) fn latex(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => plain.extend(['\\', letter]),
            '\\' => plain.push_str("\\textbackslash{}"),
            '^' => plain.push_str("\\^{}"),
            '~' => plain.push_str("\\~{}"),
            _ => plain.push(letter),
        }
    }
    plain
}

/// A field, in quotes where it would not be one field without.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
