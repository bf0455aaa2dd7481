//! **What:** `design multiring table`: a table of the multiring paper computed anew, beside what the paper prints.

use crate::args::TableArgs;
use crate::failure::Failure;
use crate::output::{say, say_json};
use design::multiring::tables::{self, Cell, Table};
use serde_json::{Value, json};

/// The verb.
pub(super) fn run(arguments: &TableArgs) -> Result<u8, Failure> {
    let Some(table) = tables::table(arguments.number) else {
        return Err(Failure::input(format!("the paper has no table {} of networks", arguments.number)).hint(format!(
            "tables are {} to {}",
            tables::NUMBERS.start(),
            tables::NUMBERS.end()
        )));
    };
    if arguments.report.json { say_json(&document(&table)) } else { say(&people(&table)) }.map(|()| 0)
}

fn document(table: &Table) -> Value {
    let cell = |cell: &Cell| {
        json!({
            "parallelism": cell.parallelism, "paper": cell.paper, "ours": cell.ours, "largest": cell.largest,
            "equal": cell.paper == cell.ours, "network": cell.network.as_ref().map(|n| n.spec()),
            "at_most": cell.bound.map(|b| b.0), "optimal": cell.bound.map(|b| b.1), "counted": cell.counted,
            "reason": cell.reason,
        })
    };
    let row = |(label, cells): &(String, Vec<Cell>)| json!({"row": label, "cells": cells.iter().map(cell).collect::<Vec<_>>()});
    json!({"table": table.number, "title": table.title, "rows": table.rows.iter().map(row).collect::<Vec<_>>()})
}

/// A line a cell: what is in it does not fit a table of eleven columns.
fn people(table: &Table) -> String {
    let mut lines = vec![format!("Table {}: {}", table.number, table.title), String::new()];
    let number = |n: Option<u64>| n.map_or("–".into(), |n| n.to_string());
    let one = |c: &Cell| c.largest == c.ours;
    let both = !table.rows.iter().all(|(_, cells)| cells.iter().all(one));
    let rule = if both { "   largest" } else { "" };
    let bound = table.rows.iter().any(|(_, cells)| cells.iter().any(|c| c.bound.is_some()));
    let at_most = if bound { "   at most" } else { "" };
    let width = table.rows.iter().map(|(label, _)| label.chars().count()).chain([2]).max().unwrap_or(2);
    lines.push(format!("{:width$}  {:>5}  {:>6}  {:>6}{rule}{at_most}", table.head, "σ", "paper", "ours"));
    for (label, cells) in &table.rows {
        for cell in cells {
            let sigma = if table.number == 3 { "max".into() } else { cell.parallelism.to_string() };
            let mut line = format!("{label:width$}  {sigma:>5}  {:>6}  {:>6}", number(cell.paper), number(cell.ours));
            if both {
                line.push_str(&format!("{:>10}", if one(cell) { String::new() } else { number(cell.largest) }));
            }
            if bound {
                line.push_str(&match cell.bound {
                    Some((_, true)) => format!("{:>10}", "optimal"),
                    Some((most, false)) => format!("{most:>10}"),
                    None => " ".repeat(10),
                });
            }
            if let Some(counted) = cell.counted {
                line.push_str(&format!("  σ counted {counted}"));
            }
            if let (Some(network), None) = (&cell.network, cell.counted) {
                line.push_str(&format!("  {}", network.spec()));
            }
            match (cell.paper, cell.ours) {
                (Some(paper), Some(ours)) if ours > paper && cell.network.is_some() => {
                    line.push_str(&format!("  {} more than printed", ours - paper));
                }
                _ => {}
            }
            if let Some(reason) = cell.reason {
                line.push_str(&format!("  ({reason})"));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    lines.join("\n")
}
