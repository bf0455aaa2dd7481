//! **What:** tables for hardware as comma-separated values, with what they are for in lines before.

use super::rows::{Route, Rows, Turn};
use super::{Head, Kind, ports};
use formats::shortened;
use formats::{Fault, Place, ReadError, read_text};
use kernel::{Network, Slots};
use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

const ROUTES: &str = "step,node,to,messages,ports";
const TURNS: &str = "step,node,input,output,messages";

pub(super) fn write(head: &Head, rows: &Rows, network: &Network, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# format: {}", head.kind.format())?;
    writeln!(out, "# network: {}", head.network)?;
    writeln!(out, "# steps: {}\n# chunks: {}", head.steps, head.chunks)?;
    if let Some(Slots { hop, cyclic }) = head.slots {
        writeln!(out, "# hop: {hop}\n# cyclic: {cyclic}")?;
    }
    for line in ports::lines(network, head.kind.has_inputs()) {
        writeln!(out, "# {line}")?;
    }
    match rows {
        Rows::Routes(routes) => {
            writeln!(out, "{ROUTES}")?;
            for Route { step, node, to, messages, ports } in routes {
                let ports: Vec<String> = ports.iter().map(u32::to_string).collect();
                writeln!(out, "{step},{node},{to},{messages},{}", ports.join(" "))?;
            }
        }
        Rows::Turns(turns) => {
            writeln!(out, "{TURNS}")?;
            for Turn { step, node, input, output, messages } in turns {
                write!(out, "{step},{node},{input},{output},")?;
                if *messages > 0 {
                    write!(out, "{messages}")?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// A line, and where it stands.
struct Line<'a> {
    path: &'a Path,
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn fault(&self, column: usize, text: &str, fault: Fault) -> ReadError {
        ReadError {
            place: Some(Place { line: self.number, column }),
            text: Some(shortened(text)),
            ..ReadError::new(self.path, fault)
        }
    }

    fn cells<const COUNT: usize>(&self) -> Result<[&'a str; COUNT], ReadError> {
        let cells: Vec<&str> = self.text.split(',').map(str::trim).collect();
        let why = || Fault::Syntax(format!("a row has {COUNT} cells, and this one {}", cells.len()));
        <[&str; COUNT]>::try_from(cells.as_slice()).map_err(|_| self.fault(1, self.text, why()))
    }

    fn read<T: FromStr>(&self, text: &str, what: &str) -> Result<T, ReadError> {
        let column = 1 + (text.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        text.parse().map_err(|_| self.fault(column, text, Fault::Syntax(format!("is no {what}"))))
    }
}

pub(super) fn read(path: &Path) -> Result<(Head, Rows), ReadError> {
    let text = read_text(path)?;
    let mut lines = (1..).zip(text.lines()).map(|(number, text)| Line { path, number, text });
    let (mut kind, mut network, mut steps, mut chunks) = (None, String::new(), None, 1);
    let (mut hop, mut cyclic) = (None, false);
    let columns = loop {
        let Some(line) = lines.next() else { return Err(ReadError::new(path, Fault::Missing("step,node,…"))) };
        let Some(said) = line.text.strip_prefix('#') else {
            if line.text.trim().is_empty() {
                continue;
            }
            break line;
        };
        let Some((name, value)) = said.split_once(':').map(|(name, value)| (name.trim(), value.trim())) else {
            continue;
        };
        match name {
            "format" => {
                let known = "quadrille-source-routes/1, quadrille-slot-tables/1";
                kind = Some(Kind::named(value).ok_or_else(|| line.fault(1, value, Fault::Unknown { known }))?);
            }
            "network" => network = value.into(),
            "steps" => steps = Some(line.read(value, "number of steps")?),
            "chunks" => chunks = line.read(value, "number of chunks")?,
            "hop" => hop = Some(line.read(value, "number of slots")?),
            "cyclic" => cyclic = line.read(value, "`true` or `false`")?,
            _ => {}
        }
    };
    let kind = kind.ok_or_else(|| ReadError::new(path, Fault::Missing("# format:")))?;
    let steps = steps.ok_or_else(|| ReadError::new(path, Fault::Missing("# steps:")))?;
    let slots = hop.map(|hop| Slots { hop, cyclic });
    let head = Head { kind, network, steps, chunks, slots };
    let (wanted, known) = match kind {
        Kind::SourceRoutes => (ROUTES, "the columns step,node,to,messages,ports"),
        Kind::SlotTables => (TURNS, "the columns step,node,input,output,messages"),
    };
    if columns.text.split(',').map(str::trim).ne(wanted.split(',')) {
        return Err(columns.fault(1, columns.text, Fault::Unknown { known }));
    }
    let rows = lines.filter(|line| !line.text.trim().is_empty() && !line.text.starts_with('#'));
    let rows = match kind {
        Kind::SourceRoutes => Rows::Routes(rows.map(|line| route(&line)).collect::<Result<_, _>>()?),
        Kind::SlotTables => Rows::Turns(rows.map(|line| turn(&line)).collect::<Result<_, _>>()?),
    };
    Ok((head, rows))
}

fn route(line: &Line<'_>) -> Result<Route, ReadError> {
    let [step, node, to, messages, ports] = line.cells()?;
    Ok(Route {
        step: line.read(step, "step")?,
        node: line.read(node, "node")?,
        to: line.read(to, "node")?,
        messages: line.read(messages, "number of messages")?,
        ports: ports.split_whitespace().map(|port| line.read(port, "output port")).collect::<Result<_, _>>()?,
    })
}

fn turn(line: &Line<'_>) -> Result<Turn, ReadError> {
    let [step, node, input, output, messages] = line.cells()?;
    Ok(Turn {
        step: line.read(step, "step")?,
        node: line.read(node, "node")?,
        input: line.read(input, "port and not `local`")?,
        output: line.read(output, "port and not `local`")?,
        messages: if messages.is_empty() { 0 } else { line.read(messages, "number of messages")? },
    })
}
