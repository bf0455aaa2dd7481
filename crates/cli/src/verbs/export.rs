//! **What:** `export`: a schedule file, checked, in another format.

use super::timed_file::AnyFile;
use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::problem::nearest;
use crate::render::count;
use crate::timed_problem::known_size;
use crate::{network_name, progress};
use exports::{InSteps, SCHEDULE_WRITERS, ScheduleWriter};
use formats::schedule_json::{Document, Provenance};
use kernel::timed::Size;
use kernel::{Certified, Rational, Rejected, Verified, verify};
use serde_json::json;
use std::path::Path;

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

/// What a file claims, checked.
pub(crate) struct Checked {
    /// The schedule.
    pub schedule: Verified,
    /// Its bound, where that holds.
    pub floor: Option<Certified>,
    /// How the schedule came to be.
    pub provenance: Provenance,
}

impl Checked {
    /// Checks what was read of a file; its schedule must obey every rule.
    pub(super) fn of(mut read: Document, file: &Path) -> Result<Self, Failure> {
        if let Some(note) = network_name::misnamed(read.problem.network()) {
            output::tell(&format!("note: {}: {note}\n", file.display()));
        }
        // A bound whose proof is missing is no bound; what is exported is the schedule.
        let attached = read.bound.as_mut().map(|bound| formats::schedule_json::attach(bound, file));
        let bound = read.bound.filter(|_| attached.is_some_and(|read| read.is_ok()));
        let floor = bound.and_then(|bound| read.claim.certify(&read.problem, bound).ok());
        let schedule = verify(&read.problem, read.claim).map_err(|rejected| invalid(file, &rejected))?;
        Ok(Checked { schedule, floor, provenance: read.provenance })
    }
}

pub(super) fn invalid(file: &Path, rejected: &Rejected) -> Failure {
    Failure::no(format!("{}: {rejected}", file.display()))
        .hint("`quadrille check` prints every violation; only a valid schedule is exported")
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
