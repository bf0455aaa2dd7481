//! **What:** the verbs that list what there is: families and collectives.

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
