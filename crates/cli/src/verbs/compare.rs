//! **What:** `compare`: the measures of several networks side by side.

use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::network::load;
use crate::network_report::{Document, NetworkReport, lines};
use crate::output::{say, say_json};
use kernel::Network;

/// The verb.
pub(crate) fn run(arguments: &CompareArgs) -> Result<u8, Failure> {
    if !(0.0..=1.0).contains(&arguments.weight) {
        return Err(Failure::input(format!("--weight: {} is no weight of the degree", arguments.weight))
            .hint("write a number from 0, the diameter alone, to 1, the degree alone"));
    }
    let networks: Vec<Network> =
        arguments.networks.iter().map(|n| Ok(load(n)?.network)).collect::<Result<_, Failure>>()?;
    let report: Vec<NetworkReport<'_>> =
        networks.iter().map(|n| NetworkReport::new(n).weighing(arguments.weight)).collect();
    if arguments.report.json {
        let documents: Vec<Document<'_>> = report.iter().map(Document::new).collect();
        say_json(&documents)?;
        return Ok(0);
    }
    let columns: Vec<Vec<(&str, Option<String>)>> = report.iter().map(lines).collect();
    let mut rows = vec![(String::new(), networks.iter().map(|n| n.name().to_owned()).collect::<Vec<_>>())];
    for (at, (name, _)) in columns[0].iter().enumerate() {
        let cells: Vec<Option<&String>> = columns.iter().map(|c| c[at].1.as_ref()).collect();
        // A measure that none of them has says nothing.
        if cells.iter().any(Option::is_some) {
            let said = cells.into_iter().map(|cell| cell.map_or("–".to_owned(), String::clone));
            rows.push(((*name).to_owned(), said.collect()));
        }
    }
    say(&aligned(&rows)).map(|()| 0)
}

/// Rows under each other, columns as wide as their widest cell.
fn aligned(rows: &[(String, Vec<String>)]) -> String {
    let length = |text: &String| text.chars().count();
    let first = rows.iter().map(|(name, _)| length(name)).max().unwrap_or(0);
    let widest = |at: usize| rows.iter().map(|(_, cells)| length(&cells[at])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].1.len()).map(widest).collect();
    let line = |(name, cells): &(String, Vec<String>)| {
        let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("{name:first$}  {}", cells.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
