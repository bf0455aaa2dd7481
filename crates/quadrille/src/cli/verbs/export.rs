//! **What:** `export` and `show`: a schedule file, checked, in another format or as a picture.

use crate::cli::args::{ExportArgs, ShowArgs};
use crate::cli::failure::Failure;
use crate::cli::output::{self, say, say_json};
use crate::cli::problem::nearest;
use formats::SCHEDULE_WRITERS;
use formats::schedule_json::Provenance;
use kernel::{Certified, Verified, certify, verify};
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
    let (schedule, floor, provenance) = facts(&arguments.file)?;
    (writer.write)(&schedule, floor.as_ref(), &provenance, &arguments.output).map_err(output::unwritten)?;
    saved(&schedule, writer.name, &arguments.output, arguments.form.json)
}

/// The verb `show`.
pub fn show(arguments: &ShowArgs) -> Result<u8, Failure> {
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if ending != "svg" {
        return Err(Failure::input(format!(
            "cannot draw `{}`: no picture has the ending of this name",
            arguments.output.display()
        ))
        .hint("name a picture that ends in .svg"));
    }
    let (schedule, ..) = facts(&arguments.file)?;
    if let Some(step) = arguments.step.filter(|&s| s >= schedule.steps()) {
        return Err(Failure::input(format!("--step: the schedule has no step {step}"))
            .hint(format!("it has {} steps, counted from 0", schedule.steps())));
    }
    formats::svg::write(&schedule, arguments.step, &arguments.output).map_err(output::unwritten)?;
    saved(&schedule, "svg", &arguments.output, arguments.form.json)
}

/// The schedule of a file, verified, and its bound where that holds.
fn facts(file: &Path) -> Result<(Verified, Option<Certified>, Provenance), Failure> {
    let read = formats::schedule_json::read(file).map_err(output::unread)?;
    let schedule = verify(&read.problem, read.schedule).map_err(|rejected| {
        Failure::no(format!("{}: {rejected}", file.display()))
            .hint("`quadrille check` prints every violation; only a valid schedule is exported")
    })?;
    let floor = read.bound.and_then(|claim| certify(&read.problem, claim).ok());
    Ok((schedule, floor, read.provenance))
}

fn saved(schedule: &Verified, format: &str, file: &Path, json: bool) -> Result<u8, Failure> {
    let (steps, file) = (schedule.steps(), file.display().to_string());
    if json {
        say_json(&json!({"file": file, "format": format, "steps": steps}))?;
    } else {
        say(&format!("{file}: {steps} steps as {format}"))?;
    }
    Ok(0)
}
