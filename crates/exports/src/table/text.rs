//! **What:** the table as text: as many steps side by side as fit, the others below.

use super::{Column, Table};
use std::io::{self, Write};

/// Columns of text beside each other.
const WIDEST: usize = 120;

pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", table.title)?;
    let mut columns = table.columns("→", str::to_owned, 0, table.steps).into_iter();
    let Some(nodes) = columns.next() else { return Ok(()) };
    let mut beside: Vec<Column> = Vec::new();
    let mut taken = width(&nodes);
    for column in columns {
        let wide = 3 + width(&column);
        if !beside.is_empty() && taken + wide > WIDEST {
            block(&nodes, &beside, out)?;
            (beside, taken) = (Vec::new(), width(&nodes));
        }
        taken += wide;
        beside.push(column);
    }
    block(&nodes, &beside, out)
}

/// Some steps side by side.
fn block(nodes: &Column, steps: &[Column], out: &mut dyn Write) -> io::Result<()> {
    let columns: Vec<&Column> = std::iter::once(nodes).chain(steps).collect();
    let widths: Vec<usize> = columns.iter().map(|column| width(column)).collect();
    let mut line = |words: Vec<&str>| {
        let cells: Vec<String> = words.iter().zip(&widths).map(|(word, width)| format!("{word:width$}")).collect();
        writeln!(out, "{}", cells.join(" | ").trim_end())
    };
    line(vec![])?;
    line(columns.iter().map(|column| column.head.as_str()).collect())?;
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    line(rule.iter().map(String::as_str).collect())?;
    for row in 0..nodes.cells.len() {
        let height = columns.iter().map(|column| column.cells[row].len()).max().unwrap_or(0);
        for at in 0..height {
            line(columns.iter().map(|column| column.cells[row].get(at).map_or("", String::as_str)).collect())?;
        }
    }
    Ok(())
}

fn width(column: &Column) -> usize {
    let cells = column.cells.iter().flatten().map(|text| text.chars().count());
    cells.chain([column.head.chars().count()]).max().unwrap_or(0)
}
