//! **What:** the page on fat trees: its tables, counted, and its figures by the commands that stand in it.

mod errata;
mod opened;
mod practice;

use std::io;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "docs/fat-trees.md";

/// A table of the page: the lines before and behind it, and what makes it.
type Part = (&'static str, fn() -> String);

const PARTS: [Part; 4] = [
    ("<!-- errata: counted by `cargo xtask fat-trees` -->\n", errata::table),
    ("<!-- steps: counted by `cargo xtask fat-trees` -->\n", practice::steps),
    ("<!-- loads: counted by `cargo xtask fat-trees` -->\n", practice::loads),
    ("<!-- cycles: counted by `cargo xtask fat-trees` -->\n", practice::cycles),
];
const END: &str = "<!-- end -->\n";

/// Writes the tables into the page, and runs the commands of the page that draw. Gives their number.
pub(crate) fn write(root: &Path) -> io::Result<usize> {
    let page = root.join(PAGE);
    let text = std::fs::read_to_string(&page)?;
    let renewed = renewed(&text).ok_or_else(|| io::Error::other("the page has no place for a table"))?;
    if renewed != text {
        std::fs::write(&page, &renewed)?;
    }
    let commands: Vec<&str> = renewed.lines().filter_map(command).collect();
    for command in &commands {
        let words = command.split_whitespace().skip(1);
        let cargo = ["run", "--quiet", "--release", "--package", "quadrille-cli", "--"];
        let status = Command::new(env!("CARGO")).args(cargo).args(words).current_dir(root).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("`{command}` failed")));
        }
    }
    Ok(commands.len())
}

/// A line that is a command which draws.
fn command(line: &str) -> Option<&str> {
    let command = line.strip_prefix("$ ").filter(|c| c.starts_with("quadrille "))?;
    command.ends_with(".svg").then_some(command)
}

/// The page with its tables as they are counted.
fn renewed(text: &str) -> Option<String> {
    PARTS.iter().try_fold(text.to_owned(), |text, (begin, table)| {
        let (before, rest) = text.split_once(begin)?;
        let (_, after) = rest.split_once(END)?;
        Some(format!("{before}{begin}{}{END}{after}", table()))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tables_are_up_to_date() {
        let page = std::fs::read_to_string(crate::root().join(super::PAGE)).unwrap();
        let renewed = super::renewed(&page).unwrap();
        assert!(page == renewed, "{} is not what `cargo xtask fat-trees` writes:\n{renewed}", super::PAGE);
        assert!(page.lines().filter_map(super::command).count() >= 4);
    }
}
