//! **What:** the verbs that list what there is: families, collectives and formats.

use super::failure::Failure;
use super::output::{say, say_json};
use collectives::COLLECTIVES;
use serde_json::{Value, json};
use topologies::FAMILIES;

/// Columns of text, each as wide as its widest entry.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(text, &width)| format!("{text:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The families of networks, and the files that networks are read from.
pub(crate) fn networks(json: bool) -> Result<u8, Failure> {
    if json {
        let entry = |f: &&topologies::Family| json!({"name": f.name, "form": f.form, "about": f.about, "source": f.source, "examples": f.examples});
        return say_json(&FAMILIES.iter().map(entry).collect::<Vec<_>>()).map(|()| 0);
    }
    let mut rows: Vec<Vec<String>> =
        FAMILIES.iter().map(|f| vec![f.form.into(), f.about.into(), format!("[{}]", f.source)]).collect();
    rows.extend(formats::network::READERS.iter().map(|r| {
        let endings: Vec<String> = r.endings.iter().map(|e| format!("FILE.{e}")).collect();
        vec![endings.join(" "), r.about.into()]
    }));
    say(&table(&rows)).map(|()| 0)
}

/// The collectives.
pub(crate) fn collectives(json: bool) -> Result<u8, Failure> {
    if json {
        let entry = |k: &collectives::Kind| -> Value {
            let semantics = match k.semantics {
                kernel::Semantics::Copy => "copy",
                kernel::Semantics::Reduce => "reduce",
            };
            json!({"name": k.name, "also": k.also, "about": k.about, "parameters": k.parameters,
                   "semantics": semantics, "source": k.source})
        };
        return say_json(&COLLECTIVES.iter().map(entry).collect::<Vec<_>>()).map(|()| 0);
    }
    let rows: Vec<Vec<String>> = COLLECTIVES
        .iter()
        .map(|k| {
            let flags: Vec<String> = k.parameters.iter().map(|p| format!("--{p}")).collect();
            vec![k.name.into(), k.also.join(" "), k.about.into(), flags.join(" ")]
        })
        .collect();
    say(&table(&rows)).map(|()| 0)
}

/// The formats that are read and written, with what each holds.
pub(crate) fn formats(json: bool) -> Result<u8, Failure> {
    let schedules = formats::SCHEDULE_WRITERS.iter().map(|writer| {
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
    let choices = formats::choice::CHOICE_WRITERS.iter().map(|writer| Listed {
        what: "choice by size",
        name: writer.name,
        way: "written",
        endings: &[],
        holds: String::new(),
        about: writer.about,
    });
    let all: Vec<Listed> = schedules.chain(read).chain(written).chain(choices).collect();
    if json {
        let entry = |of: &Listed| json!({"what": of.what, "name": of.name, "way": of.way, "endings": of.endings, "holds": of.holds, "about": of.about});
        return say_json(&all.iter().map(entry).collect::<Vec<_>>()).map(|()| 0);
    }
    let row = |of: &Listed| {
        let endings: Vec<String> = of.endings.iter().map(|ending| format!(".{ending}")).collect();
        let holds = if of.holds.is_empty() { String::new() } else { format!(" [{}]", of.holds) };
        vec![of.what.into(), of.name.into(), of.way.into(), endings.join(" "), format!("{}{holds}", of.about)]
    };
    say(&table(&all.iter().map(row).collect::<Vec<_>>())).map(|()| 0)
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
