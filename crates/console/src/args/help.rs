//! **What:** texts behind the flags of a verb: paragraphs that the terminal's width wraps once, and examples that are not wrapped.

/// Letters of an example with its comment on one line; longer ones have the comment above.
const WIDEST: usize = 78;

/// The paragraphs of a help text, each on one line for whoever wraps it; lines that are indented stay as they are.
pub(super) fn help(texts: &[&str]) -> String {
    let whole = texts.join("\n\n");
    let paragraphs = whole.split("\n\n").map(|paragraph| match paragraph.contains("\n  ") {
        true => examples(paragraph),
        false => paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" "),
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// An example, and what is said of it.
struct Example<'t> {
    command: &'t str,
    comment: String,
}

/// A heading with examples, a command a line, with comments beside them, below them or none.
fn examples(paragraph: &str) -> String {
    let mut lines = paragraph.lines();
    let heading = lines.next().unwrap_or_default().to_owned();
    let mut found: Vec<Example<'_>> = Vec::new();
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        match found.last_mut() {
            Some(last) if indent > 8 => {
                let gap = if last.comment.is_empty() { "" } else { " " };
                last.comment.push_str(&format!("{gap}{}", line.trim()));
            }
            _ => {
                let (command, comment) = line.trim().split_once("   ").unwrap_or((line.trim(), ""));
                found.push(Example { command, comment: comment.trim().to_owned() });
            }
        }
    }
    // The comments of short lines stand below each other.
    let width = |example: &Example<'_>| example.command.chars().count();
    let fits = |e: &&Example<'_>| !e.comment.is_empty() && width(e) + e.comment.chars().count() + 5 <= WIDEST;
    let column = found.iter().filter(fits).map(width).max().unwrap_or(0);
    let line = |example: &Example<'_>| {
        let Example { command, comment } = example;
        match comment.as_str() {
            "" => format!("  {command}"),
            _ if column + comment.chars().count() + 5 <= WIDEST && width(example) <= column => {
                format!("  {command:column$}   {comment}")
            }
            _ => format!("  {command}\n      {comment}"),
        }
    };
    std::iter::once(heading).chain(found.iter().map(line)).collect::<Vec<_>>().join("\n")
}

/// The registry of routings, for the help.
pub(super) fn routings() -> String {
    let line = |entry: &&routing::Entry| format!("  {:16} {}", entry.name, entry.about);
    format!("Routings:\n{}", routing::ROUTINGS.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Patterns of traffic and kinds of routes, for the help.
pub(super) fn traffic_help() -> String {
    let line = |name: &str, about: &str| format!("  {name:16} {about}");
    let patterns = simulate::PATTERNS.iter().map(|pattern| line(pattern.name, pattern.about));
    let own = simulate::ROUTES.iter().map(|entry| line(entry.name, entry.about));
    let others = routing::ROUTINGS.iter().filter(|entry| entry.name != "dimension-order");
    let routes = own.chain(others.map(|entry| line(entry.name, entry.about)));
    let list = |lines: Vec<String>| lines.join("\n");
    format!("Traffic patterns:\n{}\n\nRoutings:\n{}", list(patterns.collect()), list(routes.collect()))
}
