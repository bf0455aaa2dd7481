//! **What:** `show`: a schedule file, checked, as a page that plays it or as a picture; two files on one page.

use super::export::{facts, saved};
use crate::cli::args::ShowArgs;
use crate::cli::failure::Failure;
use crate::cli::output;
use kernel::{Certified, Verified};
use std::path::Path;

/// The verb.
pub fn run(arguments: &ShowArgs) -> Result<u8, Failure> {
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    match (ending.as_str(), &arguments.files[..]) {
        ("html" | "htm", files) => page(arguments, files),
        ("svg", [file]) => picture(arguments, file),
        ("svg", _) => Err(Failure::input("a picture shows one schedule, but two files are given")
            .hint("name a page that ends in .html to compare them")),
        _ => Err(Failure::input(format!(
            "cannot draw `{}`: no picture has the ending of this name",
            arguments.output.display()
        ))
        .hint("name a page that ends in .html or a picture that ends in .svg")),
    }
}

fn read(file: &Path) -> Result<(Verified, Option<Certified>), Failure> {
    let read = formats::schedule_json::read_any(file).map_err(output::unread)?;
    let (schedule, floor, _) = facts(file, read)?;
    Ok((schedule, floor))
}

fn page(arguments: &ShowArgs, files: &[std::path::PathBuf]) -> Result<u8, Failure> {
    if arguments.step.is_some() || arguments.steps.is_some() {
        return Err(Failure::input("--step and --steps choose what a picture shows; a page has all steps")
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    let read: Vec<(Verified, Option<Certified>)> = files.iter().map(|f| read(f)).collect::<Result<_, _>>()?;
    let shown: Vec<_> = read.iter().map(|(schedule, floor)| (schedule, floor.as_ref())).collect();
    formats::html::write(&shown, &arguments.output).map_err(output::unwritten)?;
    let steps = read.iter().map(|(schedule, _)| schedule.steps()).max().unwrap_or(0);
    saved(steps, "html", &arguments.output, arguments.form.json)
}

fn picture(arguments: &ShowArgs, file: &Path) -> Result<u8, Failure> {
    let (schedule, _) = read(file)?;
    if let Some(step) = arguments.step.filter(|&s| s >= schedule.steps()) {
        return Err(Failure::input(format!("--step: the schedule has no step {step}"))
            .hint(format!("it has {} steps, counted from 0", schedule.steps())));
    }
    formats::svg::write(&schedule, arguments.step, &arguments.output).map_err(output::unwritten)?;
    saved(schedule.steps(), "svg", &arguments.output, arguments.form.json)
}
