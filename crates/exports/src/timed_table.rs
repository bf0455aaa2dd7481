//! **What:** schedules in time as a table: one row a transfer, as comma-separated values, as text or as LaTeX.
//!
//! **Parameters:** columns `begin_us`, `end_us` (all bytes have come to all receivers), `held_us` (and are merged, where merging takes time), `from`, `to`,
//! `path`, `channels`, `messages`, `rate_GBps`, `op`, `partials`. Times are microseconds. Lists within a field are divided by blanks, several
//! paths of one transfer by `;`. `path` are the nodes from sender to receiver, both included; `op` is empty under semantics `copy`.
//!
//! **Facts:** rows stand in the order of the file, thus of their beginnings. No field holds commas or quotes (RFC 4180, lines ended by a line feed).
//! Text and LaTeX leave out `channels` and `partials`; LaTeX is a `tabular` for every forty rows, without a package, to be put in by `\input`.

use crate::fields;
use formats::{WriteError, file};
use kernel::timed::Timeline;
use kernel::{Channel, Node, Op, Semantics};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

const COLUMNS: [&str; 11] =
    ["begin_us", "end_us", "held_us", "from", "to", "path", "channels", "messages", "rate_GBps", "op", "partials"];
/// The columns of text and LaTeX, and what they are called there.
const SHOWN: [(usize, &str); 9] = [
    (0, "begin µs"),
    (1, "end µs"),
    (2, "held µs"),
    (3, "from"),
    (4, "to"),
    (5, "path"),
    (7, "messages"),
    (8, "GB/s"),
    (9, "op"),
];
/// Rows of a `tabular`.
const LINES: usize = 40;

type Row = [String; COLUMNS.len()];

/// Writes the table as comma-separated values to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_csv(timeline: &Timeline<'_>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| csv(timeline, out))
}

/// Writes the table to a file, in the form that its name asks for: `.csv`, `.tex`, else text.
///
/// # Errors
/// Where the system refuses, and of a header of C (`.h`), which needs steps; nothing of a half-written file stays behind.
pub fn write(timeline: &Timeline<'_>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let ending = file::ending(path.as_ref());
    if ending == "h" {
        let source = io::Error::new(
            io::ErrorKind::InvalidData,
            "a schedule in time has no steps, by which a header of C tells ports",
        );
        return Err(WriteError { path: path.as_ref().to_owned(), source });
    }
    file::save(path.as_ref(), |out| match ending.as_str() {
        "csv" => csv(timeline, out),
        "tex" => latex(timeline, out),
        _ => text(timeline, out),
    })
}

/// Text and LaTeX call nodes by their names, CSV by their numbers.
fn rows<'t>(timeline: &'t Timeline<'_>, names: Option<&'t [String]>) -> impl Iterator<Item = Row> + 't {
    (0..timeline.sent().len()).map(move |at| row(timeline, at, names))
}

fn names<'t>(timeline: &'t Timeline<'_>) -> Option<&'t [String]> {
    timeline.problem().network().names()
}

fn row(timeline: &Timeline<'_>, at: usize, names: Option<&[String]>) -> Row {
    let (sent, problem) = (&timeline.sent()[at], timeline.problem());
    let (network, transfer) = (problem.network(), &timeline.transfers()[at]);
    let receivers = &timeline.receivers()[sent.receivers.clone()];
    let arrives = receivers.iter().map(|to| to.arrives).max().unwrap_or(sent.begin);
    let op = match (problem.collective().semantics(), transfer.transfer.op) {
        (Semantics::Copy, _) => "",
        (Semantics::Reduce, Op::Reduce) => "reduce",
        (Semantics::Reduce, Op::Copy) => "copy",
        (Semantics::Reduce, Op::Keep) => "keep",
    };
    let name = |node: Node| names.map_or_else(|| node.to_string(), |names| names[node.index()].clone());
    let nodes =
        |path: &[Channel]| listed(std::iter::once(sent.from).chain(path.iter().map(|c| network.to(*c))).map(name));
    let paths = |of: &dyn Fn(&[Channel]) -> String| transfer.paths().map(of).collect::<Vec<_>>().join(";");
    [
        problem.micros(sent.begin).to_string(),
        problem.micros(arrives).to_string(),
        problem.micros(sent.end).to_string(),
        name(sent.from),
        listed(receivers.iter().map(|to| name(to.node))),
        paths(&nodes),
        paths(&|path| listed(path.iter())),
        listed(transfer.transfer.messages.iter()),
        timeline.gigabytes(sent.rate).to_string(),
        op.to_owned(),
        listed(transfer.transfer.partials.iter()),
    ]
}

fn listed(items: impl Iterator<Item = impl Display>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

fn csv(timeline: &Timeline<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    rows(timeline, None).try_for_each(|row| writeln!(out, "{}", row.join(",")))
}

/// What it is a table of; a file may name its network anything, and the title has one line.
fn title(timeline: &Timeline<'_>) -> String {
    let (problem, count) = (timeline.problem(), timeline.sent().len());
    let title = format!("{}, {count} transfers in {} µs", problem.title(), timeline.schedule().micros());
    title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn text(timeline: &Timeline<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut widths = SHOWN.map(|(_, head)| head.chars().count());
    for row in rows(timeline, names(timeline)) {
        for (width, (column, _)) in widths.iter_mut().zip(SHOWN) {
            *width = row[column].chars().count().max(*width);
        }
    }
    let line = |cells: [&str; SHOWN.len()]| {
        let cells: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        cells.join(" | ").trim_end().to_owned()
    };
    writeln!(out, "{}\n", title(timeline))?;
    writeln!(out, "{}", line(SHOWN.map(|(_, head)| head)))?;
    let rules = widths.map(|width| "-".repeat(width));
    writeln!(out, "{}", line(std::array::from_fn(|at| rules[at].as_str())))?;
    rows(timeline, names(timeline))
        .try_for_each(|row| writeln!(out, "{}", line(SHOWN.map(|(column, _)| row[column].as_str()))))
}

fn latex(timeline: &Timeline<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "% {}", title(timeline))?;
    let heads = SHOWN.map(|(_, head)| head.replace('µ', "$\\mu$"));
    for (at, row) in rows(timeline, names(timeline)).enumerate() {
        if at % LINES == 0 {
            writeln!(out, "\\begin{{tabular}}{{|rrr|l|l|l|l|r|l|}}\n\\hline\n{} \\\\ \\hline", heads.join(" & "))?;
        }
        writeln!(out, "{} \\\\", SHOWN.map(|(column, _)| fields::latex(&row[column])).join(" & "))?;
        if at % LINES == LINES - 1 || at + 1 == timeline.sent().len() {
            writeln!(out, "\\hline\n\\end{{tabular}}\\par\\medskip")?;
        }
    }
    Ok(())
}
