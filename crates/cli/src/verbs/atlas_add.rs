//! **What:** `atlas --add` and `atlas --added`: results of others, checked and kept beside the atlas.

use super::atlas::unusable;
use atlas::{Added, Additions, Atlas, Change, Fault, Found};
use console::args::AtlasArgs;
use console::failure::{self, Failure};
use console::output::{self, say, say_json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder given, or that of the user.
fn additions(arguments: &AtlasArgs) -> Result<Additions, Failure> {
    if let Some(folder) = &arguments.atlas {
        return Ok(Additions::new(folder));
    }
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")));
    let data = data.ok_or_else(|| {
        Failure::input("neither XDG_DATA_HOME nor HOME is set").hint("name a folder with --atlas DIR")
    })?;
    Ok(Additions::new(data.join("quadrille").join("atlas")))
}

/// Adds a file.
pub(super) fn add(arguments: &AtlasArgs, file: &Path, atlas: Option<&Atlas>) -> Result<u8, Failure> {
    let added = additions(arguments)?.add(file, atlas).map_err(|fault| refused(file, fault))?;
    let Added { change, entry, before, found, path } = added;
    if arguments.report.json {
        say_json(&json!({
            "file": file.display().to_string(), "change": change.name(), "entry": entry, "result": numbers(&found),
            "before": before.as_ref().map(numbers), "saved": path.as_ref().map(|path| path.display().to_string()),
        }))?;
    } else {
        let of = entry.map_or("no entry of the atlas".into(), |entry| format!("entry {entry}"));
        let known = before.map_or("no earlier result".into(), |before| {
            format!("before {}, lower bound {}", console::render::count(before.ceiling(), "step"), before.floor())
        });
        let mut text = format!("{}\n  {}: {known}, {of}", found.verdict, change.name());
        if let Some(path) = path {
            text.push_str(&format!("\n  saved to {}", path.display()));
        }
        say(&text)?;
    }
    Ok(if change == Change::Worse { failure::NO } else { 0 })
}

/// Shows what was added.
pub(super) fn added(arguments: &AtlasArgs) -> Result<u8, Failure> {
    let additions = additions(arguments)?;
    let added = additions.added().map_err(unusable)?;
    let status = if added.iter().any(|(_, found)| found.is_err()) { failure::NO } else { 0 };
    if arguments.report.json {
        let entries = added.iter().map(|(path, found)| {
            let (result, fault) = (found.as_ref().ok().map(numbers), found.as_ref().err().map(Fault::to_string));
            json!({"file": path.display().to_string(), "result": result, "fault": fault})
        });
        say_json(&json!({"folder": additions.folder().display().to_string(), "entries": entries.collect::<Vec<_>>()}))?;
        return Ok(status);
    }
    let mut text = format!("{} added in {}", added.len(), additions.folder().display());
    for (path, found) in &added {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match found {
            Ok(found) => text.push_str(&format!("\n  {name}: {}, by {}", found.verdict, found.provenance.method)),
            Err(fault) => text.push_str(&format!("\n  {name}: refused: {fault}")),
        }
    }
    say(&text)?;
    Ok(status)
}

fn numbers(found: &Found) -> Value {
    json!({
        "network": found.verdict.problem().network().name(), "collective": found.verdict.problem().collective().name(),
        "steps": found.ceiling(), "bound": found.floor(), "optimal": found.verdict.is_optimal(),
        "method": found.provenance.method,
    })
}

/// Why a file was not added.
fn refused(file: &Path, fault: Fault) -> Failure {
    match fault {
        Fault::Unreadable(error) => output::unread(error),
        Fault::Entry(error) => unusable(error),
        Fault::NoBound => Failure::no(format!("{}: {fault}", file.display()))
            .hint("a file that `quadrille solve` writes has one; docs/certificates.md explains what proves a bound"),
        fault => Failure::no(format!("{}: {fault}", file.display()))
            .hint("`quadrille check` prints everything that is wrong"),
    }
}
