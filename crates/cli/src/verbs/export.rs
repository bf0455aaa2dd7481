//! **What:** `export`: a schedule file, checked, in another format.

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output::{self, say, say_json};
use crate::problem::nearest;
use crate::progress;
use formats::SCHEDULE_WRITERS;
use formats::schedule_json::{AnyDocument, Document, OrbitDocument, Provenance};
use kernel::orbits::{certify_orbits, verify_orbits};
use kernel::{Certified, Rejected, Verified, certify, verify};
use serde_json::json;
use std::path::Path;

/// The verb `export`.
pub fn export(arguments: &ExportArgs) -> Result<u8, Failure> {
    let Some(writer) = SCHEDULE_WRITERS.iter().find(|w| w.name == arguments.to) else {
        let names = || SCHEDULE_WRITERS.iter().map(|w| w.name);
        let known: Vec<&str> = names().collect();
        let near = nearest(&arguments.to, names()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        return Err(Failure::input(format!("--to: `{}` is no format", arguments.to))
            .hint(format!("{near}formats: {}", known.join(", "))));
    };
    let (schedule, floor, provenance) =
        match formats::schedule_json::read_any(&arguments.file).map_err(output::unread)? {
            AnyDocument::Orbits(read) if writer.name == "json" => return written_out(arguments, read),
            read => facts(&arguments.file, read)?,
        };
    (writer.write)(&schedule, floor.as_ref(), &provenance, &arguments.output).map_err(output::unwritten)?;
    saved(schedule.steps(), writer.name, &arguments.output, arguments.form.json)
}

/// The schedule of a file, verified, and its bound where that holds; orbits are written out.
fn facts(file: &Path, read: AnyDocument) -> Result<(Verified, Option<Certified>, Provenance), Failure> {
    let (problem, schedule, bound, provenance) = match read {
        AnyDocument::Plain(read) => return plain(file, read),
        AnyDocument::Orbits(read) => {
            let whole = verify_orbits(&read.problem, read.schedule).map_err(|rejected| invalid(file, &rejected))?;
            let (problem, schedule) = whole.expanded().map_err(|error| {
                Failure::input(format!("{}: {error}", file.display()))
                    .hint("`quadrille export FILE --to json` writes any number, one by one")
            })?;
            (problem, schedule, read.bound, read.provenance)
        }
    };
    let schedule = verify(&problem, schedule).map_err(|rejected| invalid(file, &rejected))?;
    let floor = bound.and_then(|claim| certify(&problem, claim).ok());
    Ok((schedule, floor, provenance))
}

/// The same of a file in which every transfer is written down.
pub(super) fn plain(file: &Path, mut read: Document) -> Result<(Verified, Option<Certified>, Provenance), Failure> {
    // A bound whose proof is missing is no bound; what is exported is the schedule.
    let attached = read.bound.as_mut().map(|bound| formats::schedule_json::attach(bound, file));
    if attached.is_some_and(|read| read.is_err()) {
        read.bound = None;
    }
    let schedule = verify(&read.problem, read.schedule).map_err(|rejected| invalid(file, &rejected))?;
    let floor = read.bound.and_then(|claim| certify(&read.problem, claim).ok());
    Ok((schedule, floor, read.provenance))
}

pub(super) fn invalid(file: &Path, rejected: &Rejected) -> Failure {
    Failure::no(format!("{}: {rejected}", file.display()))
        .hint("`quadrille check` prints every violation; only a valid schedule is exported")
}

/// A schedule stored as orbits with every transfer written down, without room for all of them.
fn written_out(arguments: &ExportArgs, read: OrbitDocument) -> Result<u8, Failure> {
    let schedule =
        verify_orbits(&read.problem, read.schedule).map_err(|rejected| invalid(&arguments.file, &rejected))?;
    let floor = read.bound.and_then(|claim| certify_orbits(&read.problem, claim).ok());
    progress::interruptible();
    let line = progress::Count::new(schedule.steps(), "steps");
    let written = formats::schedule_json::write_expanded(
        &schedule,
        floor.as_ref(),
        &read.provenance,
        &arguments.output,
        &mut |step| {
            line.reached(step);
            if progress::interrupted() { Err(std::io::Error::other("interrupted")) } else { Ok(()) }
        },
    );
    line.finish();
    written.map_err(output::unwritten)?;
    saved(schedule.steps(), "json", &arguments.output, arguments.form.json)
}

pub(super) fn saved(steps: usize, format: &str, file: &Path, json: bool) -> Result<u8, Failure> {
    let file = file.display().to_string();
    if json {
        say_json(&json!({"file": file, "format": format, "steps": steps}))?;
    } else {
        say(&format!("{file}: {steps} steps as {format}"))?;
    }
    Ok(0)
}
