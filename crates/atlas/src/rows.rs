//! **What:** tables of results beside the published numbers: a row a network and case, two columns a collective.

use super::{Fault, Found, Place};

/// Collectives in the order of the dissertation's columns; others follow by name.
const ORDER: &[&str] = &["scatter", "alltoall", "broadcast", "allgather"];

/// A table to be printed.
#[derive(Debug)]
pub struct Rows<'a> {
    /// An entry of it, for what the table says of itself.
    pub first: Place<'a>,
    /// The collectives, one pair of columns each.
    pub collectives: Vec<&'a str>,
    /// The rows.
    pub rows: Vec<Row<'a>>,
}

/// A network and case.
#[derive(Debug)]
pub struct Row<'a> {
    /// The network's name.
    pub network: &'a str,
    /// The case; empty where there is only one.
    pub case: &'a str,
    /// An entry for each collective, where there is one.
    pub cells: Vec<Option<Cell<'a>>>,
}

/// An entry and its result.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The entry.
    pub place: Place<'a>,
    /// Its result.
    pub found: &'a Result<Found, Fault>,
}

/// The tables of the places, which must be in the atlas' order, with their results.
pub fn rows<'a>(places: &[Place<'a>], found: &'a [Result<Found, Fault>]) -> Vec<Rows<'a>> {
    let mut tables: Vec<Rows<'a>> = Vec::new();
    let cells: Vec<Cell<'a>> = places.iter().zip(found).map(|(&place, found)| Cell { place, found }).collect();
    for cells in cells.chunk_by(|a, b| a.place.table.stem == b.place.table.stem) {
        let mut collectives: Vec<&str> = cells.iter().map(|cell| cell.place.entry.collective.as_str()).collect();
        collectives.sort_by_key(|name| (ORDER.iter().position(|o| o == name).unwrap_or(ORDER.len()), *name));
        collectives.dedup();
        let mut rows: Vec<Row<'a>> = Vec::new();
        for &cell in cells {
            let (network, case) = (cell.place.group.name.as_str(), cell.place.entry.case.as_deref().unwrap_or(""));
            let at = rows.iter().position(|row| (row.network, row.case) == (network, case)).unwrap_or_else(|| {
                rows.push(Row { network, case, cells: vec![None; collectives.len()] });
                rows.len() - 1
            });
            let column = collectives.iter().position(|name| *name == cell.place.entry.collective);
            rows[at].cells[column.expect("the columns are those of the cells")] = Some(cell);
        }
        tables.push(Rows { first: cells[0].place, collectives, rows });
    }
    tables
}

impl Cell<'_> {
    /// The published numbers.
    pub fn printed(&self) -> String {
        self.place.entry.printed.map_or("–".into(), |printed| printed.to_string())
    }

    /// Our numbers: `32` where the bound is reached, else `33/32`, with a dagger where the table knows that the steps are
    /// the optimum though no certificate says so.
    pub fn ours(&self) -> String {
        match self.found {
            Ok(found) if found.verdict.is_optimal() => found.ceiling().to_string(),
            Ok(found) => {
                let known = self.place.entry.optimum == Some(found.ceiling());
                format!("{}/{}{}", found.ceiling(), found.floor(), if known { "†" } else { "" })
            }
            Err(Fault::Missing) => "–".into(),
            Err(_) => "refused".into(),
        }
    }
}

impl Rows<'_> {
    /// The heading and the rows as cells of text; `ours` says how a result is written.
    pub fn cells(&self, ours: impl Fn(&Cell<'_>) -> String) -> Vec<Vec<String>> {
        let with_cases = self.rows.iter().any(|row| !row.case.is_empty());
        let lead = |network: &str, case: &str| {
            let mut cells = vec![network.to_owned()];
            cells.extend(with_cases.then(|| case.to_owned()));
            cells
        };
        let mut lines = vec![lead("network", "case")];
        lines[0].extend(self.collectives.iter().flat_map(|name| [name.to_string(), "ours".into()]));
        for row in &self.rows {
            let mut line = lead(row.network, row.case);
            line.extend(row.cells.iter().flat_map(|cell| match cell {
                Some(cell) => [cell.printed(), ours(cell)],
                None => [String::new(), String::new()],
            }));
            lines.push(line);
        }
        lines
    }

    /// The table for a terminal: columns of spaces.
    pub fn text(&self) -> String {
        let table = self.first.table;
        let lines = self.cells(|cell| cell.ours());
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
        let mut text = format!("{} ({})", table.title, table.source);
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            text.push_str(&format!("\n  {}", cells.collect::<Vec<_>>().join("  ").trim_end()));
        }
        text
    }
}
