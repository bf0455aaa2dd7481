//! **What:** the atlas as a page of Markdown: tables, times and errata, made from facts and from what the tables say.

use super::rows::{Cell, Rows};

/// The page.
pub fn page(tables: &[Rows<'_>]) -> String {
    let cells: Vec<Cell<'_>> =
        tables.iter().flat_map(|t| t.rows.iter().flat_map(|row| row.cells.iter().flatten().copied())).collect();
    let mut page = opening(&cells);
    for table in tables {
        page.push_str(&section(table));
    }
    page.push_str(&times(&cells));
    page.push_str(&errata(tables));
    format!("{}\n", page.trim_end())
}

fn opening(cells: &[Cell<'_>]) -> String {
    let results: Vec<_> = cells.iter().filter_map(|cell| Some((cell, cell.found.as_ref().ok()?))).collect();
    let optimal = results.iter().filter(|(_, found)| found.verdict.is_optimal()).count();
    let known = results.iter().filter(|(cell, _)| cell.ours().ends_with('†')).count();
    let printed: Vec<_> =
        results.iter().filter_map(|(c, found)| Some((found.ceiling(), c.place.entry.printed?.reached))).collect();
    let below = printed.iter().filter(|(ours, theirs)| ours < theirs).count();
    let above = printed.iter().filter(|(ours, theirs)| ours > theirs).count();
    format!(
        "# Atlas

Made by `quadrille atlas --markdown -o docs/atlas.md` from the folder `atlas`; do not edit by hand.

The networks and patterns of the tables of *Evolutionary Design of Collective Communications on Wormhole Networks* (J. Jaroš, Brno
University of Technology, 2010): scatter (OAS), alltoall (AAS), broadcast (OAB) and allgather (AAB), with faults and from many nodes to
many. Each of our numbers is that of a stored schedule that was verified, and of a bound that was certified, when this page was made.
`quadrille atlas --check` checks them again, and `quadrille atlas --solve` finds everything anew with default flags.

{} entries: {optimal} optimal by certificate, {known} more at a known optimum without a certificate, {} open. Beside the {}
published numbers, ours are lower {below} times and higher {above} times (where the published number is below a certified bound, or the
network is not the same; see the errata).

How to read the tables: the column of a pattern has the published number (`35/32`: 35 reached, the bound is 32; `–`: not tested). The next
column has ours: `32` is optimal, `33/32` has a gap, and † marks a known optimum above the strongest certificate. After it are the seconds
that floor and search took together on one core.

",
        cells.len(),
        results.len() - optimal - known,
        printed.len(),
    )
}

/// Seconds as people read them.
fn seconds(seconds: f64) -> String {
    if seconds < 0.005 { "<0.01 s".into() } else { format!("{seconds:.2} s") }
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn section(table: &Rows<'_>) -> String {
    let about = table.first.table;
    let mut text = format!("## {} ({})\n\n", about.title, about.source);
    if let Some(about) = &about.about {
        text.push_str(&format!("{about}\n\n"));
    }
    let lines = table.cells(|cell| match cell.found.as_ref().ok().and_then(|found| found.provenance.seconds) {
        Some(took) => format!("{} · {}", cell.ours(), seconds(took)),
        None => cell.ours(),
    });
    for (at, cells) in lines.iter().enumerate() {
        text.push_str(&line(cells));
        if at == 0 {
            text.push_str(&line(&vec!["---".to_owned(); cells.len()]));
        }
    }
    let mut notes: Vec<String> = Vec::new();
    for cell in table.rows.iter().flat_map(|row| row.cells.iter().flatten()) {
        let group = cell.place.group;
        let of_network = group.note.iter().map(|note| format!("- {}: {note}\n", group.name));
        let of_entry = cell.place.entry.note.iter().map(|note| format!("- {}: {note}\n", cell.place.entry.name));
        for note in of_network.chain(of_entry) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    if !notes.is_empty() {
        text.push_str(&format!("\n{}", notes.concat()));
    }
    text + "\n"
}

/// Seconds beside the published times, where there are any.
fn times(cells: &[Cell<'_>]) -> String {
    let rows = cells.iter().filter_map(|cell| {
        let took = cell.found.as_ref().ok().and_then(|found| found.provenance.seconds).map_or("–".into(), seconds);
        let (network, entry) = (&cell.place.group.name, cell.place.entry);
        Some(format!("| {network} | {} | {} | {took} |\n", entry.collective, entry.printed_time.as_ref()?))
    });
    let rows: String = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "## Times (Table 8.23)

The dissertation's times are averages of five runs of its search on one core of an AMD Opteron 275, to the printed steps above. Ours are
single runs on one core of a current machine, to our steps above, with the proof of the bound.

| network | pattern | dissertation | ours |
| --- | --- | --- | --- |
{rows}
"
    )
}

/// What a result says against the published numbers, as a row.
fn erratum(cell: &Cell<'_>) -> Option<String> {
    let (table, entry) = (cell.place.table, cell.place.entry);
    let (printed, found) = (entry.printed?, cell.found.as_ref().ok()?);
    let bound = printed.bound.or(table.bounds.then_some(printed.reached));
    if cell.place.group.stand_in {
        return None;
    }
    let what = if found.floor() > printed.reached {
        "no schedule has so few steps"
    } else if bound == Some(printed.reached) && found.ceiling() < printed.reached {
        "printed as reaching its bound; fewer steps are enough"
    } else if bound.is_some_and(|bound| found.floor() > bound) {
        "the printed bound is too low"
    } else {
        return None;
    };
    Some(line(&[entry.name.clone(), printed.to_string(), cell.ours(), what.to_owned()]))
}

fn errata(tables: &[Rows<'_>]) -> String {
    let mut text = String::new();
    for table in tables {
        let told: String = table.first.table.errata.iter().map(|erratum| format!("- {erratum}\n")).collect();
        let rows: String = table.rows.iter().flat_map(|row| row.cells.iter().flatten()).filter_map(erratum).collect();
        if told.is_empty() && rows.is_empty() {
            continue;
        }
        text.push_str(&format!("\n### {}\n", table.first.table.source));
        if !told.is_empty() {
            text.push_str(&format!("\n{told}"));
        }
        if !rows.is_empty() {
            text.push_str(&format!("\n| entry | printed | ours | |\n| --- | --- | --- | --- |\n{rows}"));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "## Errata\n\nWhere verified schedules and certified bounds, or a second reading, contradict the dissertation.\n{text}"
    )
}
