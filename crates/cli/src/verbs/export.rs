//! **What:** `export`: a schedule file, checked, in another format.

use console::args::ExportArgs;
use console::failure::Failure;
use console::output::{self, say, say_json};
use console::progress;
use console::render::count;
use console::schedule_file::{AnyFile, Checked};
use console::timed_problem::known_size;
use exports::{InSteps, SCHEDULE_WRITERS, ScheduleWriter};
use kernel::timed::Size;
use kernel::{Rational, Verified};
use serde_json::json;
use std::path::Path;
use topologies::nearest;

/// The verb `export`.
pub(crate) fn export(arguments: &ExportArgs) -> Result<u8, Failure> {
    let writer = writer(arguments)?;
    let read = match AnyFile::read(&arguments.file)? {
        AnyFile::Steps(read) => read,
        AnyFile::Timed(_) if arguments.bytes.is_some() => {
            return Err(Failure::input("--bytes: a schedule in time has its size in the file").hint("leave it out"));
        }
        AnyFile::Timed(read) => return super::show_timed::export(arguments, writer, &read),
    };
    let message_bytes = message_bytes(arguments, writer, &read.schedule)?;
    if writer.name == "json" && !arguments.stored && !read.schedule.is_written_down() {
        return written_out(arguments, &read);
    }
    let (schedule, floor, provenance) = (&read.schedule, read.floor.as_ref(), &read.provenance);
    (writer.write)(&InSteps { schedule, floor, provenance, message_bytes }, &arguments.output)
        .map_err(output::unwritten)?;
    saved(read.schedule.steps(), writer.name, &arguments.output, arguments.report.json)
}

/// The format that is named, or the first one of the file's ending.
fn writer(arguments: &ExportArgs) -> Result<&'static ScheduleWriter, Failure> {
    let names = || SCHEDULE_WRITERS.iter().map(|w| w.name);
    let all = || names().collect::<Vec<_>>().join(", ");
    let Some(to) = &arguments.to else {
        let ending = formats::ending(&arguments.output);
        let known = SCHEDULE_WRITERS.iter().find(|writer| writer.endings.contains(&ending.as_str()));
        let path = arguments.output.display();
        return known.ok_or_else(|| {
            let why = if ending.is_empty() { "it has no ending".into() } else { format!("none ends in .{ending}") };
            Failure::input(format!("-o {path}: its ending names no format: {why}"))
                .hint(format!("name the format with --to: {}", all()))
        });
    };
    let Some(writer) = SCHEDULE_WRITERS.iter().find(|w| w.name == to) else {
        let near = nearest(to, names()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        return Err(Failure::input(format!("--to: `{to}` is not a format")).hint(format!("{near}formats: {}", all())));
    };
    output::named_as(&arguments.output, writer)?;
    Ok(writer)
}

/// The bytes of a message, where the format holds sizes.
fn message_bytes(
    arguments: &ExportArgs,
    writer: &ScheduleWriter,
    schedule: &Verified,
) -> Result<Option<Rational>, Failure> {
    match &arguments.bytes {
        None if writer.needs_bytes => Err(Failure::input(format!(
            "--to {}: the format holds sizes in bytes, which a schedule of steps does not give",
            writer.name
        ))
        .hint("add the size of the collective, such as --bytes 1M")),
        None => Ok(None),
        Some(_) if !writer.needs_bytes => {
            let with = SCHEDULE_WRITERS.iter().filter(|writer| writer.needs_bytes).map(|writer| writer.name);
            let with = with.collect::<Vec<_>>().join(", ");
            Err(Failure::input(format!("--bytes: the format {} holds no sizes", writer.name))
                .hint(format!("leave it out; formats that hold sizes: {with}")))
        }
        Some(text) => {
            let size = known_size(text)?;
            let messages = Size::of(schedule.problem().collective()).map_or(1, |size| size.messages.max(1));
            let denominator = size.denominator.checked_mul(messages);
            let fits = denominator.map(|denominator| Rational::new(size.numerator, denominator));
            fits.map(Some).ok_or_else(|| Failure::input("--bytes: a message is too fine for 64 bits"))
        }
    }
}

/// A schedule stored as orbits with every transfer written down, without room for all of them.
fn written_out(arguments: &ExportArgs, read: &Checked) -> Result<u8, Failure> {
    let line = progress::Count::new(read.schedule.steps(), "steps");
    let written = formats::schedule_json::write_expanded(
        &read.schedule,
        read.floor.as_ref(),
        &read.provenance,
        &arguments.output,
        &mut |step| {
            line.reached(step);
            Ok(())
        },
    );
    line.finish();
    written.map_err(output::unwritten)?;
    saved(read.schedule.steps(), "json", &arguments.output, arguments.report.json)
}

pub(super) fn saved(steps: usize, format: &str, file: &Path, json: bool) -> Result<u8, Failure> {
    let file = file.display().to_string();
    if json {
        say_json(&json!({"file": file, "format": format, "steps": steps}))?;
    } else {
        say(&format!("{file}: {} as {format}", count(steps as u64, "step")))?;
    }
    Ok(0)
}
