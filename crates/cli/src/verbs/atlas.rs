//! **What:** `atlas`: published tables compared with our results; their checking, their finding anew, their page.

use crate::verbs;
use atlas::{self, Atlas, AtlasError, Change, Fault, Found, Listener, Place, Solved};
use console::args::AtlasArgs;
use console::failure::{self, Failure};
use console::output::{self, say, say_json};
use console::progress;
use methods::Settings;
use run::{Ranks, Silent};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The atlas of the repository that this program was built from, where it still exists.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../atlas");

/// The verb, as one of several processes or alone.
pub(crate) fn run(arguments: &AtlasArgs, ranks: &dyn Ranks) -> Result<u8, Failure> {
    let begun = Instant::now();
    let threads = verbs::solve::threads(arguments.threads)?;
    verbs::solve::seconds(arguments.time)?;
    if let Some(file) = &arguments.add {
        // Without an atlas at hand there is still what was added before.
        let atlas = match (folder(arguments.dir.as_deref()), &arguments.dir) {
            (Err(_), None) => None,
            (folder, _) => Some(Atlas::open(folder?).map_err(unusable)?),
        };
        return super::atlas_add::add(arguments, file, atlas.as_ref());
    }
    if arguments.added {
        return super::atlas_add::added(arguments);
    }
    let atlas = Atlas::open(folder(arguments.dir.as_deref())?).map_err(unusable)?;
    let places = atlas.select(&arguments.names).map_err(unusable)?;
    if arguments.solve {
        return solve_anew(arguments, &atlas, &places, threads, begun, ranks);
    }
    if let Some(path) = &arguments.output {
        output::ends_as(path, "a page of Markdown", &["md", "markdown"])?;
        // An unwritable place is known now; nothing is left behind.
        output::probe(path)?;
    }
    let bar = progress::Bar::default();
    let found = atlas.stored(&places, threads, &bar);
    bar.finish();
    let found = found.map_err(unusable)?;
    let faults = faults(&places, &found);
    let refused = found.iter().any(|found| matches!(found, Err(fault) if !matches!(fault, Fault::Missing)));
    let status = if refused || (arguments.check && !faults.is_empty()) { failure::NO } else { 0 };
    if arguments.check {
        check(arguments, &found, &faults, begun)?;
    } else if arguments.report.json {
        say_json(&json!({"entries": places.iter().zip(&found).map(|(p, f)| entry(p, f)).collect::<Vec<_>>()}))?;
    } else if arguments.markdown {
        let page = atlas::page(&atlas::rows(&places, &found));
        match &arguments.output {
            Some(path) => output::write(path, page.as_bytes())?,
            None => say(page.trim_end())?,
        }
    } else {
        let tables: Vec<String> = atlas::rows(&places, &found).iter().map(|table| table.text()).collect();
        let refused = places.iter().zip(&found).filter_map(|(place, found)| match found {
            Err(Fault::Missing) | Ok(_) => None,
            Err(fault) => Some(format!("\nrefused: {}: {fault}", place.entry.name)),
        });
        say(&format!("{}\n\n{}{}", tables.join("\n\n"), summary(&found), refused.collect::<String>()))?;
    }
    Ok(status)
}

/// The folder given, or the nearest `atlas` with a table in it in this folder or above, or the program's own.
fn folder(given: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(folder) = given {
        return Ok(folder.to_owned());
    }
    // A folder of that name with a program in it is another thing.
    let has_table = |folder: &PathBuf| {
        !folder.join("Cargo.toml").exists()
            && std::fs::read_dir(folder).is_ok_and(|files| {
                files.flatten().any(|file| file.path().extension().is_some_and(|ending| ending == "toml"))
            })
    };
    let here = std::env::current_dir().unwrap_or_default();
    let above = here.ancestors().map(|folder| folder.join("atlas"));
    above.chain([PathBuf::from(OWN)]).find(has_table).ok_or_else(|| {
        Failure::input(format!("no atlas found in {} or above it", here.display()))
            .hint("name its folder with --dir PATH")
    })
}

pub(super) fn unusable(error: AtlasError) -> Failure {
    let hint = match &error {
        AtlasError::Io { .. } | AtlasError::NoTables { .. } => "name the folder of an atlas with --dir PATH".into(),
        AtlasError::Unknown { nearest: Some(near), .. } => {
            format!("did you mean `{near}`? `quadrille atlas` lists all")
        }
        AtlasError::Unknown { .. } => "`quadrille atlas` lists all; patterns have * and ?".into(),
        AtlasError::Orphan { .. } => "`quadrille atlas --solve` removes what no table has".into(),
        AtlasError::Read(_) => "restore the file, or remove it and run `quadrille atlas --solve`".into(),
        AtlasError::Write(_) => "an existing file is left unchanged; free some space, or name another folder".into(),
        _ => "correct the table at that place".to_owned(),
    };
    Failure::input(error).hint(hint)
}

/// What is wrong with which entry.
fn faults(places: &[Place<'_>], found: &[Result<Found, Fault>]) -> Vec<(String, String)> {
    let fault = |(place, found): (&Place<'_>, &Result<Found, Fault>)| {
        Some((place.entry.name.clone(), found.as_ref().err()?.to_string()))
    };
    places.iter().zip(found).filter_map(fault).collect()
}

fn summary(found: &[Result<Found, Fault>]) -> String {
    let good: Vec<_> = found.iter().flatten().collect();
    let optimal = good.iter().filter(|found| found.verdict.is_optimal()).count();
    format!("{} entries, {} verified and certified, {optimal} of them optimal", found.len(), good.len())
}

fn check(
    arguments: &AtlasArgs,
    found: &[Result<Found, Fault>],
    faults: &[(String, String)],
    begun: Instant,
) -> Result<(), Failure> {
    let seconds = begun.elapsed().as_secs_f64();
    if arguments.report.json {
        let failures: Vec<Value> = faults.iter().map(|(name, text)| json!({"entry": name, "text": text})).collect();
        let optimal = found.iter().flatten().filter(|found| found.verdict.is_optimal()).count();
        return say_json(&json!({"valid": faults.is_empty(), "entries": found.len(), "optimal": optimal,
                                "failures": failures, "seconds": seconds}));
    }
    let mut text = format!("{}, in {seconds:.2} s", summary(found));
    for (name, why) in faults {
        text.push_str(&format!("\n  {name}: {why}"));
    }
    say(&text)
}

/// An entry and its result as an object.
fn entry(place: &Place<'_>, found: &Result<Found, Fault>) -> Value {
    let Place { table, group, entry } = place;
    let mut object = json!({
        "name": entry.name, "table": table.stem, "source": table.source, "network": group.spec,
        "collective": entry.collective,
        "printed": entry.printed.map(|p| p.reached), "printed_bound": entry.printed.and_then(|p| p.bound),
        "printed_time": entry.printed_time, "optimum": entry.optimum,
    });
    let ours = match found {
        Ok(found) => json!({
            "steps": found.ceiling(), "bound": found.floor(), "certified": true,
            "optimal": found.verdict.is_optimal(), "certificate": console::render::certified(found.verdict.floor()),
            "method": found.provenance.method, "seconds": found.provenance.seconds,
        }),
        Err(fault) => json!({"steps": null, "bound": null, "certified": false, "optimal": false,
                             "fault": fault.to_string()}),
    };
    if let (Value::Object(object), Value::Object(ours)) = (&mut object, ours) {
        object.extend(ours);
    }
    object
}

fn solve_anew(
    arguments: &AtlasArgs,
    atlas: &Atlas,
    places: &[Place<'_>],
    threads: usize,
    begun: Instant,
    ranks: &dyn Ranks,
) -> Result<u8, Failure> {
    let searching = progress::interruptible();
    let bar = progress::Bar::default();
    let mut settings = Settings::default().with_threads(threads);
    settings.seconds = arguments.time;
    let first = ranks.rank() == 0;
    let shown: &dyn Listener = if first { &bar } else { &Silent };
    let solved = atlas.solve(places, &settings, arguments.renew, searching.switch(), shown, ranks);
    drop(searching);
    bar.finish();
    let solved = solved.map_err(unusable)?;
    if !first {
        return Ok(0);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let count = |change: Change| solved.iter().filter(|one| one.change == change).count();
    if progress::interrupted() {
        output::tell(&format!("warning: interrupted; {} entries were left as they were\n", count(Change::Skipped)));
    }
    if arguments.report.json {
        let entries: Vec<Value> = solved.iter().map(outcome).collect();
        say_json(&json!({"seconds": seconds, "entries": entries}))?;
    } else {
        let optimal = solved.iter().filter_map(|one| one.found.as_ref()).filter(|f| f.verdict.is_optimal()).count();
        let mut text = format!(
            "{} entries in {seconds:.2} s: {optimal} optimal; {} new, {} better, {} same, {} worse, {} without a schedule",
            solved.len(),
            count(Change::New),
            count(Change::Better),
            count(Change::Same),
            count(Change::Worse),
            count(Change::Nothing),
        );
        for one in solved.iter().filter(|one| !matches!(one.change, Change::Same | Change::Skipped)) {
            text.push_str(&format!("\n  {}: {}", one.place.entry.name, told(one)));
        }
        say(&text)?;
    }
    Ok(if count(Change::Worse) + count(Change::Nothing) > 0 { failure::NO } else { 0 })
}

/// Steps and bound before and after.
fn told(one: &Solved<'_>) -> String {
    let numbers = |found: &Found| format!("{}/{}", found.ceiling(), found.floor());
    let before = match &one.before {
        Ok(found) => numbers(found),
        Err(fault) => fault.to_string(),
    };
    let after = one.found.as_ref().map_or("no schedule".into(), numbers);
    format!("{}, {before} before, {after} now", one.change.name())
}

fn outcome(one: &Solved<'_>) -> Value {
    let before = one.before.as_ref().ok().map(|f| json!({"steps": f.ceiling(), "bound": f.floor()}));
    let found = one.found.as_ref();
    json!({
        "name": one.place.entry.name, "change": one.change.name(), "before": before,
        "steps": found.map(Found::ceiling), "bound": found.map(Found::floor),
        "optimal": found.is_some_and(|f| f.verdict.is_optimal()),
        "method": found.map(|f| f.provenance.method.as_str()), "seconds": found.and_then(|f| f.provenance.seconds),
    })
}
