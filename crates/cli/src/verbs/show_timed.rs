//! **What:** `show` and `export` of a schedule in time: a chart of its transfers over time, with its critical path and its bound, and the page of it; other formats.

use super::cost_timed;
use console::args::{ExportArgs, RowsChoice, ShowArgs};
use console::failure::Failure;
use console::output::{self, say, say_json};
use console::schedule_file::CheckedTimed;
use exports::html::Because;
use exports::svg::{RowsOf, theme};
use exports::{InTime, SCHEDULE_WRITERS, ScheduleWriter};
use formats::WriteError;
use kernel::timed::Timeline;
use machine::timed::critical::{Cause, causes, path};
use serde_json::json;
use std::path::Path;

/// Draws the chart, or writes the page of it.
pub(super) fn chart(arguments: &ShowArgs, read: &CheckedTimed) -> Result<u8, Failure> {
    let wrong = [
        ("--step", arguments.step.is_some()),
        ("--steps", arguments.steps.is_some()),
        ("--columns", arguments.columns.is_some()),
        ("--as", arguments.kind != "steps"),
    ];
    if let Some((flag, _)) = wrong.iter().find(|(_, given)| *given) {
        return Err(Failure::input(format!("{flag}: a schedule in time is drawn over its time, without steps"))
            .hint("leave it out; --rows channels|nodes chooses what has a row"));
    }
    let rows = match arguments.rows {
        None | Some(RowsChoice::Channels) => RowsOf::Channels,
        Some(RowsChoice::Nodes) => RowsOf::Nodes,
    };
    let theme = theme(arguments.dark, !arguments.no_title);
    let is_picture = formats::is_picture(&arguments.output);
    let ending = formats::ending(&arguments.output);
    let format = if is_picture { ending.as_str() } else { "html" };
    give(read, (format, &arguments.output, arguments.report.json), |of, path| match is_picture {
        true => exports::svg::write_gantt(&of.gantt(rows), theme, path),
        false => exports::html::write_timed(&of.gantt(rows), of.because, path),
    })
}

/// Writes it in another format.
pub(super) fn export(arguments: &ExportArgs, writer: &ScheduleWriter, read: &CheckedTimed) -> Result<u8, Failure> {
    let Some(write) = writer.write_timed else {
        let known = SCHEDULE_WRITERS.iter().filter(|writer| writer.write_timed.is_some()).map(|writer| writer.name);
        let names = known.collect::<Vec<_>>().join(", ");
        return Err(Failure::input(format!(
            "--to {}: this is a schedule in time, which that format has no room for",
            writer.name
        ))
        .hint(format!("formats that do: {names}")));
    };
    let is_binary = writer.name == "binary";
    if read.schedule.orbits().is_some() && (is_binary || arguments.stored && writer.name == "json") {
        let (floor, provenance) = (read.floor.as_ref(), &read.provenance);
        formats::timed_json::write_as(is_binary, &read.schedule, floor, read.bytes, provenance, &arguments.output)
            .map_err(output::unwritten)?;
        let file = arguments.output.display().to_string();
        return saved(read.schedule.transfer_count(), writer.name, &file, arguments.report.json);
    }
    give(read, (writer.name, &arguments.output, arguments.report.json), write)
}

/// Writes a file by one of the writers, and tells so.
fn give(
    read: &CheckedTimed,
    (format, file, json): (&str, &Path, bool),
    write: impl Fn(&InTime<'_>, &Path) -> Result<(), WriteError>,
) -> Result<u8, Failure> {
    let written = read.written_out()?;
    let timeline = Timeline::new(&written);
    let causes = causes(&timeline);
    let critical: Vec<usize> = path(&timeline, &causes).iter().map(|link| link.transfer).collect();
    let because = |cause: &Cause| Because { text: cost_timed::why(&timeline, cause.reason, cause.waits), by: cause.by };
    let because: Vec<Because> = causes.iter().map(because).collect();
    let (floor, bytes, provenance) = (read.floor.as_ref(), read.bytes, &read.provenance);
    let of = InTime { timeline: &timeline, floor, critical: &critical, because: &because, bytes, provenance };
    write(&of, file).map_err(output::unwritten)?;
    saved(timeline.sent().len() as u64, format, &file.display().to_string(), json)
}

/// Tells that a file in another format is written.
fn saved(transfers: u64, format: &str, file: &str, json: bool) -> Result<u8, Failure> {
    if json {
        say_json(&json!({"file": file, "format": format, "transfers": transfers}))?;
    } else {
        say(&format!("{file}: {transfers} transfers as {format}"))?;
    }
    Ok(0)
}
