//! **What:** the table as LaTeX: a `tabular` for every four steps, without a package, to be put in by `\input`.

use super::Table;
use crate::fields::latex;
use std::io::{self, Write};

/// Steps side by side, as many as the dissertation has.
const BESIDE: usize = 4;

pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "% {}", table.title)?;
    for first in (0..table.steps).step_by(BESIDE) {
        let columns = table.columns(" $\\rightarrow$ ", latex, first, (first + BESIDE).min(table.steps));
        writeln!(out, "\\begin{{tabular}}{{|c|{}}}", "l|".repeat(columns.len().saturating_sub(1)))?;
        writeln!(out, "\\hline")?;
        let heads: Vec<&str> = columns.iter().map(|column| column.head.as_str()).collect();
        writeln!(out, "{} \\\\ \\hline", heads.join(" & "))?;
        for row in 0..table.rows.len() {
            let cells: Vec<String> = columns.iter().map(|column| lines(&column.cells[row])).collect();
            writeln!(out, "{} \\\\ \\hline", cells.join(" & "))?;
        }
        writeln!(out, "\\end{{tabular}}\\par\\medskip")?;
    }
    Ok(())
}

/// A cell of several lines.
fn lines(cell: &[String]) -> String {
    let cell: Vec<String> = cell.iter().map(|text| text.replace('#', "\\#")).collect();
    match &cell[..] {
        [] => String::new(),
        [only] => only.clone(),
        several => format!("\\begin{{tabular}}[t]{{@{{}}l@{{}}}}{}\\end{{tabular}}", several.join(" \\\\ ")),
    }
}
