//! **What:** the verbs that list what there is: families, collectives and formats, in short lines, or one of them in full.

use collectives::{COLLECTIVES, Kind};
use console::args::ListArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use console::render::{short_lines, table};
use serde_json::{Value, json};
use topologies::nearest;
use topologies::{FAMILIES, Family};

/// A line of what is described.
fn fact(name: &str, value: &str) -> Vec<String> {
    vec![format!("  {name}"), value.to_owned()]
}

/// What is described by name: the heading, and facts below it.
fn described(heading: String, facts: Vec<Vec<String>>) -> String {
    let facts: Vec<Vec<String>> = facts.into_iter().filter(|fact| !fact[1].is_empty()).collect();
    format!("{heading}\n{}", table(&facts))
}

fn unknown(what: &str, verb: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Failure {
    Failure::input(format!("`{name}` is not a {what}")).hint(match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`? `quadrille {verb}` lists all"),
        None => format!("`quadrille {verb}` lists all"),
    })
}

fn family_document(f: &Family) -> Value {
    json!({"name": f.name, "form": f.form, "about": f.about, "source": f.source, "examples": f.examples})
}

/// The families of networks, and the files that networks are read from.
pub(crate) fn networks(arguments: &ListArgs) -> Result<u8, Failure> {
    let json = arguments.report.json;
    if let Some(name) = &arguments.name {
        let bare = name.split(':').next().unwrap_or_default();
        let names = FAMILIES.iter().map(|family| family.name);
        let family = topologies::family(bare).ok_or_else(|| unknown("family", "networks", name, names))?;
        if json {
            return say_json(&family_document(family)).map(|()| 0);
        }
        let examples = family.examples.join("  ");
        let facts = vec![fact("form", family.form), fact("source", family.source), fact("examples", &examples)];
        return say(&described(format!("{}: {}", family.name, family.about), facts)).map(|()| 0);
    }
    if json {
        return say_json(&FAMILIES.iter().map(|family| family_document(family)).collect::<Vec<_>>()).map(|()| 0);
    }
    let families: Vec<Vec<String>> = FAMILIES.iter().map(|f| vec![f.form.into(), f.about.into()]).collect();
    let files = formats::network::READERS.iter().map(|reader| {
        let endings: Vec<String> = reader.endings.iter().map(|ending| format!("FILE.{ending}")).collect();
        vec![endings.join(" "), reader.about.into()]
    });
    say(&format!(
        "{}\n\nFiles, and - for standard input:\n{}\n\n`quadrille networks NAME` has the source and examples of a family.",
        short_lines(&families),
        short_lines(&files.collect::<Vec<_>>())
    ))
    .map(|()| 0)
}

fn collective_document(k: &Kind) -> Value {
    let semantics = match k.semantics {
        kernel::Semantics::Copy => "copy",
        kernel::Semantics::Reduce => "reduce",
    };
    json!({"name": k.name, "also": k.also, "about": k.about, "parameters": k.parameters,
           "semantics": semantics, "source": k.source})
}

/// The collectives.
pub(crate) fn collectives(arguments: &ListArgs) -> Result<u8, Failure> {
    let json = arguments.report.json;
    if let Some(name) = &arguments.name {
        let names = COLLECTIVES.iter().map(|kind| kind.name);
        let kind = collectives::find(name).ok_or_else(|| unknown("collective", "collectives", name, names))?;
        if json {
            return say_json(&collective_document(kind)).map(|()| 0);
        }
        let flags: Vec<String> = kind.parameters.iter().map(|p| format!("--{p}")).collect();
        let facts = vec![
            fact("also called", &kind.also.join(" ")),
            fact("flags", &flags.join(" ")),
            fact("source", kind.source),
        ];
        return say(&described(format!("{}: {}", kind.name, kind.about), facts)).map(|()| 0);
    }
    if json {
        return say_json(&COLLECTIVES.iter().map(collective_document).collect::<Vec<_>>()).map(|()| 0);
    }
    let row = |k: &Kind| vec![k.name.into(), k.also.join(" "), k.about.into()];
    let rows = short_lines(&COLLECTIVES.iter().map(row).collect::<Vec<_>>());
    say(&format!("{rows}\n\n`quadrille collectives NAME` has the flags of one.")).map(|()| 0)
}

/// The formats that are read and written, with what each holds.
pub(crate) fn formats(arguments: &ListArgs) -> Result<u8, Failure> {
    let json = arguments.report.json;
    let mut all = listed();
    if let Some(name) = &arguments.name {
        all.retain(|of| of.name == name || of.endings.contains(&name.trim_start_matches('.')));
        if all.is_empty() {
            return Err(unknown("format", "formats", name, listed().into_iter().map(|of| of.name)));
        }
    }
    if json {
        let entry = |of: &Listed| json!({"what": of.what, "name": of.name, "way": of.way, "endings": of.endings, "holds": of.holds, "about": of.about});
        return say_json(&all.iter().map(entry).collect::<Vec<_>>()).map(|()| 0);
    }
    let endings = |of: &Listed| of.endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(" ");
    if arguments.name.is_some() {
        let one = |of: &Listed| {
            let facts = vec![fact("endings", &endings(of)), fact("holds", &of.holds)];
            described(format!("{}, {} {}: {}", of.name, of.what, of.way, of.about), facts)
        };
        return say(&all.iter().map(one).collect::<Vec<_>>().join("\n")).map(|()| 0);
    }
    let row = |of: &Listed| vec![of.what.into(), of.name.into(), of.way.into(), endings(of), of.about.into()];
    let rows = short_lines(&all.iter().map(row).collect::<Vec<_>>());
    say(&format!("{rows}\n\n`quadrille formats NAME` describes one.")).map(|()| 0)
}

/// Everything that is read or written.
fn listed() -> Vec<Listed> {
    let schedules = exports::SCHEDULE_WRITERS.iter().map(|writer| {
        let kinds = if writer.write_timed.is_some() { "steps, time" } else { "steps" };
        Listed {
            what: "schedule",
            name: writer.name,
            way: "written",
            endings: writer.endings,
            holds: kinds.into(),
            about: writer.about,
        }
    });
    let read = formats::network::READERS.iter().map(|reader| Listed {
        what: "network",
        name: reader.name,
        way: "read",
        endings: reader.endings,
        holds: String::new(),
        about: reader.about,
    });
    let written = formats::network::WRITERS.iter().map(|writer| {
        let holds = writer.holds().collect::<Vec<_>>().join(", ");
        Listed {
            what: "network",
            name: writer.name,
            way: "written",
            endings: writer.endings,
            holds,
            about: writer.about,
        }
    });
    let choices = exports::choice::CHOICE_WRITERS.iter().map(|writer| Listed {
        what: "choice by size",
        name: writer.name,
        way: "written",
        endings: &[],
        holds: String::new(),
        about: writer.about,
    });
    let imported = super::verbs::import::FORMATS.iter().map(|format| Listed {
        what: "schedule",
        name: format.name,
        way: "imported",
        endings: format.endings,
        holds: "steps".into(),
        about: format.about,
    });
    schedules.chain(imported).chain(read).chain(written).chain(choices).collect()
}

/// A format in the list.
struct Listed {
    what: &'static str,
    name: &'static str,
    way: &'static str,
    endings: &'static [&'static str],
    /// Kinds of schedules, or parts of a network beside nodes and channels.
    holds: String,
    about: &'static str,
}
