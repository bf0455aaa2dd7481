//! **What:** the table as comma-separated values: a column a step, `; ` between transfers (RFC 4180, lines ended by a line feed).

use super::Table;
use crate::fields::quoted;
use std::io::{self, Write};

pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", table.head)?;
    for step in 0..table.steps {
        write!(out, ",step {step}")?;
    }
    writeln!(out)?;
    for (node, cells) in &table.rows {
        write!(out, "{}", quoted(&table.row(*node)))?;
        for cell in cells {
            let transfers: Vec<String> = cell.iter().map(|transfer| transfer.with("->", |v| table.node(v))).collect();
            write!(out, ",{}", quoted(&transfers.join("; ")))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
