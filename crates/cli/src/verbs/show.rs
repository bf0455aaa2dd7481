//! **What:** `show`: a schedule file, checked, as a page that plays it or as a picture; two files on one page; traces of
//! evolution as a plot.

use super::export::{Checked, saved};
use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::output;
use formats::svg::{DARK, LIGHT};
use std::path::{Path, PathBuf};

/// The verb.
pub(crate) fn run(arguments: &ShowArgs) -> Result<u8, Failure> {
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    if arguments.files.iter().any(|f| is_trace(f)) {
        return traces(arguments, &ending);
    }
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

/// Whether a file's name says that it is a trace of evolution.
fn is_trace(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
}

/// One trace or two as a plot.
fn traces(arguments: &ShowArgs, ending: &str) -> Result<u8, Failure> {
    if let Some(other) = arguments.files.iter().find(|f| !is_trace(f)) {
        return Err(Failure::input(format!("`{}` is no trace, and the other file is one", other.display()))
            .hint("name traces (.jsonl) alone, or schedules alone"));
    }
    if ending != "svg" || arguments.step.is_some() || arguments.steps.is_some() {
        return Err(Failure::input("a trace of evolution is drawn as one plot")
            .hint("name a picture that ends in .svg, without --step and --steps"));
    }
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let read = |file: &PathBuf| Ok((name(file), formats::trace::read(file).map_err(output::unread)?));
    let read = arguments.files.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let theme = if arguments.dark { &DARK } else { &LIGHT };
    let plot = formats::trace::plot(&read);
    formats::trace::write(&plot, theme, &arguments.output).map_err(output::unwritten)?;
    let file = arguments.output.display().to_string();
    let moments: usize = read.iter().map(|(_, moments)| moments.len()).sum();
    match arguments.report.json {
        true => output::say_json(&serde_json::json!({"file": file, "format": "svg", "moments": moments})),
        false => output::say(&format!("{file}: {moments} moments as svg")),
    }
    .map(|()| 0)
}

fn page(arguments: &ShowArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    if arguments.step.is_some() || arguments.steps.is_some() {
        return Err(Failure::input("--step and --steps choose what a picture shows; a page has all steps")
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    if arguments.dark {
        return Err(Failure::input("--dark is for pictures; a page is light or dark as the reader's system has it")
            .hint("leave the flag out, or name a picture that ends in .svg"));
    }
    let read: Vec<Checked> = files.iter().map(|f| Checked::read(f)).collect::<Result<_, _>>()?;
    let shown: Vec<_> = read.iter().map(|read| (&read.schedule, read.floor.as_ref())).collect();
    formats::html::write(&shown, &arguments.output).map_err(output::unwritten)?;
    let steps = shown.iter().map(|(schedule, _)| schedule.steps()).max().unwrap_or(0);
    saved(steps, "html", &arguments.output, arguments.report.json)
}

fn picture(arguments: &ShowArgs, file: &Path) -> Result<u8, Failure> {
    let schedule = Checked::read(file)?.schedule;
    if let Some(step) = arguments.step.filter(|&s| s >= schedule.steps()) {
        return Err(Failure::input(format!("--step: the schedule has no step {step}"))
            .hint(format!("it has {} steps, counted from 0", schedule.steps())));
    }
    let theme = if arguments.dark { &DARK } else { &LIGHT };
    formats::svg::write(&schedule, arguments.step, theme, &arguments.output).map_err(output::unwritten)?;
    saved(schedule.steps(), "svg", &arguments.output, arguments.report.json)
}
