//! **What:** schedules as a table for spreadsheets and data frames: one row a transfer.
//!
//! **Parameters:** columns `step`, `transfer`, `messages`, `from`, `to`, `path`, `channels`, `op`, `partials`. Steps and transfers of a
//! step count from 0, as in the schedule file; lists within a field are divided by blanks. `path` are the nodes from
//! sender to receiver, both included; `op` is empty under semantics `copy`, `partials` where a sender does not choose among
//! [partial results](kernel::Transfer::partials).
//!
//! Where the nodes have names, `from_name` and `to_name` follow.
//!
//! **Facts:** only names may hold commas or quotes, and are quoted then (RFC 4180, lines ended by
//! a line feed). Steps without transfers have no row.

use crate::fields::quoted;
use formats::{WriteError, file};
use kernel::{Op, Semantics, Verified};
use std::io::{self, Write};
use std::path::Path;

/// A text as one field, in quotes where it would not be one without.
#[must_use]
pub fn field(text: &str) -> String {
    quoted(text)
}

/// Writes the table to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| write_to(schedule, out))
}

/// Writes the table; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and where the transfers have too many channels for one file.
pub fn write_to(schedule: &Verified, mut out: impl Write) -> io::Result<()> {
    file::all_fits(schedule)?;
    let problem = schedule.problem();
    let network = problem.network();
    let names = network.names();
    let more = if names.is_some() { ",from_name,to_name" } else { "" };
    writeln!(out, "step,transfer,messages,from,to,path,channels,op,partials{more}")?;
    for step in 0..schedule.steps() {
        for (number, transfer) in schedule.step(step).enumerate() {
            let nodes: Vec<_> = (transfer.path.first().map(|&c| network.from(c)))
                .into_iter()
                .chain(transfer.path.iter().map(|&c| network.to(c)))
                .collect();
            // A verified path has a channel, so two ends.
            let [from, .., to] = nodes[..] else { continue };
            let op = match (problem.collective().semantics(), transfer.op) {
                (Semantics::Copy, _) => "",
                (Semantics::Reduce, Op::Reduce) => "reduce",
                (Semantics::Reduce, Op::Copy) => "copy",
                (Semantics::Reduce, Op::Keep) => "keep",
            };
            write!(out, "{step},{number},")?;
            list(&mut out, transfer.messages())?;
            write!(out, ",{from},{to},")?;
            list(&mut out, nodes.iter())?;
            out.write_all(b",")?;
            list(&mut out, transfer.path.iter())?;
            write!(out, ",{op},")?;
            list(&mut out, transfer.partials.iter())?;
            if let Some(names) = names {
                let [from, to] = [from, to].map(|node| quoted(&names[node.index()]));
                write!(out, ",{from},{to}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn list(out: &mut impl Write, items: impl Iterator<Item = impl std::fmt::Display>) -> io::Result<()> {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.write_all(b" ")?;
        }
        write!(out, "{item}")?;
    }
    Ok(())
}
