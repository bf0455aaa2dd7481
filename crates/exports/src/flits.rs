//! **What:** tables of the flit simulator: traces of packets and matrices of traffic, as comma-separated values.
//!
//! **Parameters:** a trace has a first line that names its columns, among them `time` (cycle), `source`, `destination` (numbers of nodes) and
//! `size` (flits); other columns are passed over, so that what a simulation wrote is read back. A matrix has a row for every sender and a
//! number for every receiver, in the order of the terminals. Lines that begin with `#` and empty ones are passed over in both.
//!
//! **Facts:** written traces have `injected`, `arrived` (cycles) and `hops` (channels) besides, a row a packet in the order of arrival.

use formats::shortened;
use formats::{Fault, Place, ReadError, WriteError, file, read_text};
use kernel::{Network, Node};
use simulate::{Delivery, Event, MOST_FLITS};
use std::io::{self, Write};
use std::path::Path;

/// The columns that a trace needs.
const COLUMNS: [&str; 4] = ["time", "source", "destination", "size"];

/// Reads a trace of packets between terminals of a network.
///
/// # Errors
/// A file that cannot be read, a column that is missing, and rows that are no packets, with their place.
pub fn read_trace(path: impl AsRef<Path>, network: &Network) -> Result<Vec<Event>, ReadError> {
    let path = path.as_ref();
    let text = read_text(path)?;
    let mut rows = rows(&text);
    let Some(head) = rows.next() else {
        return Err(ReadError::new(path, Fault::Missing("time,source,destination,size")));
    };
    let names: Vec<&str> = head.cells().map(|cell| cell.text).collect();
    let mut columns = [0; 4];
    for (column, name) in columns.iter_mut().zip(COLUMNS) {
        let place = names.iter().position(|known| known.eq_ignore_ascii_case(name));
        *column = place.ok_or_else(|| head.fault(path, None, Fault::Missing(name)))?;
    }
    let mut events = Vec::new();
    for row in rows {
        let cells: Vec<Cell<'_>> = row.cells().collect();
        let number = |column: usize, name: &'static str, least: u64, most: u64| {
            let cell = cells.get(column).ok_or_else(|| row.fault(path, None, Fault::Missing(name)))?;
            let number = cell.text.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            let what = || Fault::Syntax(format!("`{name}` must be a whole number from {least} to {most}"));
            number.ok_or_else(|| row.fault(path, Some(*cell), what()))
        };
        let node = |column: usize, name: &'static str| {
            let last = network.node_count() as u64 - 1;
            let node = u32::try_from(number(column, name, 0, last)?).map_or(Node(0), Node);
            let what = || Fault::Syntax(format!("`{name}` is node {node}, which neither sends nor receives"));
            let is_terminal = network.is_terminal(node).then_some(node);
            is_terminal.ok_or_else(|| row.fault(path, cells.get(column).copied(), what()))
        };
        let [time, source, destination, size] = columns;
        let flits = number(size, "size", 1, MOST_FLITS.into())?;
        events.push(Event {
            // Far below the end of all cycles, so that what follows has room.
            cycle: number(time, "time", 0, 1 << 47)?,
            source: node(source, "source")?,
            destination: node(destination, "destination")?,
            flits: u32::try_from(flits).expect("checked above"),
        });
    }
    Ok(events)
}

/// Writes what has arrived as a trace.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_trace(deliveries: &[Delivery], path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| write_trace_to(deliveries, out))
}

fn write_trace_to(deliveries: &[Delivery], mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{},injected,arrived,hops", COLUMNS.join(","))?;
    for Delivery { packet, created, injected, arrived, hops } in deliveries {
        writeln!(
            out,
            "{created},{},{},{},{injected},{arrived},{hops}",
            packet.source, packet.destination, packet.flits
        )?;
    }
    Ok(())
}

/// Reads a matrix of traffic, row by row.
///
/// # Errors
/// A file that cannot be read, and cells that are no numbers, with their place.
pub fn read_matrix(path: impl AsRef<Path>) -> Result<Vec<Vec<f64>>, ReadError> {
    let path = path.as_ref();
    let text = read_text(path)?;
    let number = |row: &Row<'_>, cell: Cell<'_>| {
        let number = cell.text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| row.fault(path, Some(cell), Fault::Syntax("a weight must be a number from 0 on".into())))
    };
    rows(&text).map(|row| row.cells().map(|cell| number(&row, cell)).collect()).collect()
}

/// A line that says something.
struct Row<'a> {
    number: usize,
    text: &'a str,
}

/// What stands between commas.
#[derive(Clone, Copy)]
struct Cell<'a> {
    column: usize,
    text: &'a str,
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let rows = (1..).zip(text.lines()).map(|(number, text)| Row { number, text });
    rows.filter(|row| !row.text.trim().is_empty() && !row.text.starts_with('#'))
}

impl<'a> Row<'a> {
    fn cells(&self) -> impl Iterator<Item = Cell<'a>> + use<'a> {
        let whole = self.text;
        whole.split(',').map(move |cell| {
            let text = cell.trim();
            Cell { column: 1 + text.as_ptr() as usize - whole.as_ptr() as usize, text }
        })
    }

    fn fault(&self, path: &Path, cell: Option<Cell<'_>>, fault: Fault) -> ReadError {
        ReadError {
            place: Some(Place { line: self.number, column: cell.map_or(1, |cell| cell.column) }),
            text: Some(shortened(cell.map_or(self.text, |cell| cell.text))),
            ..ReadError::new(path, fault)
        }
    }
}
