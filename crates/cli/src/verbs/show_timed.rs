//! **What:** `show` and `export` of a schedule in time: a chart of its transfers over time, with its critical path and its bound; other formats.

use super::timed_file::CheckedTimed;
use crate::args::{ExportArgs, RowsChoice, ShowArgs};
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use formats::svg::{DARK, Gantt, LIGHT, RowsOf};
use formats::{InTime, SCHEDULE_WRITERS, ScheduleWriter};
use kernel::timed::Timeline;
use machine::timed::critical::critical_path;
use serde_json::json;

/// Draws the chart.
pub(super) fn picture(arguments: &ShowArgs, read: &CheckedTimed) -> Result<u8, Failure> {
    let wrong = [
        ("--step", arguments.step.is_some()),
        ("--steps", arguments.steps.is_some()),
        ("--as", arguments.kind != "steps"),
    ];
    if let Some((flag, _)) = wrong.iter().find(|(_, given)| *given) {
        return Err(Failure::input(format!("{flag}: a schedule in time is drawn over its time, without steps"))
            .hint("leave it out; --rows channels|nodes chooses what has a row"));
    }
    let timeline = Timeline::new(&read.schedule);
    let critical: Vec<usize> = critical_path(&timeline).iter().map(|link| link.transfer).collect();
    let rows = match arguments.rows {
        None | Some(RowsChoice::Channels) => RowsOf::Channels,
        Some(RowsChoice::Nodes) => RowsOf::Nodes,
    };
    let gantt = Gantt { timeline: &timeline, floor: read.floor.as_ref(), critical: &critical, rows };
    let theme = if arguments.dark { &DARK } else { &LIGHT };
    formats::svg::write_gantt(&gantt, theme, &arguments.output).map_err(output::unwritten)?;
    saved(&timeline, "svg", &arguments.output.display().to_string(), arguments.report.json)
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
    let timeline = Timeline::new(&read.schedule);
    let critical: Vec<usize> = critical_path(&timeline).iter().map(|link| link.transfer).collect();
    let of = InTime {
        timeline: &timeline,
        floor: read.floor.as_ref(),
        critical: &critical,
        bytes: read.bytes,
        provenance: &read.provenance,
    };
    write(&of, &arguments.output).map_err(output::unwritten)?;
    saved(&timeline, writer.name, &arguments.output.display().to_string(), arguments.report.json)
}

/// Tells that a file in another format is written.
fn saved(timeline: &Timeline<'_>, format: &str, file: &str, json: bool) -> Result<u8, Failure> {
    let transfers = timeline.sent().len();
    if json {
        say_json(&json!({"file": file, "format": format, "transfers": transfers}))?;
    } else {
        say(&format!("{file}: {transfers} transfers as {format}"))?;
    }
    Ok(0)
}
