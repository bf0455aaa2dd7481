//! **What:** `design multiring table`: a table of the multiring paper computed anew, beside what the paper prints.

use crate::design_progress::Onlooker;
use console::args::Limits;
use console::args::MultiringTableArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use design::multiring::bound::Wanted;
use design::multiring::known::{self, Known};
use design::multiring::paper::Machine;
use design::multiring::search::{Found, Peers, Search, Settings};
use design::multiring::tables::{self, Cell, Joined, Table};
use serde_json::{Value, json};

/// The verb.
pub(super) fn run(arguments: &MultiringTableArgs) -> Result<u8, Failure> {
    let number = arguments.table.number;
    misplaced(arguments)?;
    super::solve::seconds(Some(arguments.time))?;
    let joined = Joined { base: arguments.base, high_degree: arguments.high_degree };
    let searched = |wanted: Wanted| search(wanted, arguments.time);
    let find: tables::Finder<'_> = if arguments.recompute { &searched } else { &tables::stored };
    let Some(table) = tables::table_by(number, joined, find) else {
        return Err(Failure::input(format!("the paper has no table {number} of networks")).hint(format!(
            "tables are {} to {}",
            tables::NUMBERS.start(),
            tables::NUMBERS.end()
        )));
    };
    if arguments.table.report.json {
        say_json(&document(&table, arguments.recompute))
    } else {
        say(&people(&table, arguments.recompute))
    }
    .map(|()| 0)
}

/// Refuses flags of other tables, and multirings that are not there.
fn misplaced(arguments: &MultiringTableArgs) -> Result<(), Failure> {
    let number = arguments.table.number;
    let flags = [
        ("--recompute", arguments.recompute, [5, 8]),
        ("--base", arguments.base.is_some(), [6, 7]),
        ("--high-degree", arguments.high_degree.is_some(), [6, 7]),
    ];
    if let Some((flag, _, [one, other])) =
        flags.into_iter().find(|(_, given, tables)| *given && !tables.contains(&number))
    {
        return Err(Failure::input(format!("{flag} is for tables {one} and {other}, not {number}"))
            .hint("`quadrille help design multiring table` has examples"));
    }
    if let Some(base) = arguments.base.filter(|base| base.is_multiple_of(2)) {
        return Err(Failure::input(format!("--base {base}: lengths that go both ways need an odd base"))
            .hint(format!("use {} or {}", base - 1, base + 1)));
    }
    let degree = arguments.high_degree;
    if let Some(degree) = degree.filter(|m| known::best(*m, 2, 1, false).is_none()) {
        let mut degrees: Vec<u32> = known::all().filter(|k| k.wanted.hops == 2).map(|k| k.wanted.degree).collect();
        degrees.sort_unstable();
        degrees.dedup();
        let degrees: Vec<String> = degrees.iter().map(u32::to_string).collect();
        return Err(Failure::input(format!(
            "--high-degree {degree}: no lengths of two hops are stored for this degree"
        ))
        .hint(format!("use one of {}, or compose two files with `design multiring compose`", degrees.join(", "))));
    }
    Ok(())
}

/// The best lengths that a search finds in so many seconds, by what it proves.
fn search(wanted: Wanted, seconds: f64) -> Option<Known> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one = |wanted: Wanted| {
        let settings = Settings { wanted, nodes: None, exhaust: false, seed: 1, ticks: u64::MAX };
        let mut search = Search::new(settings).ok()?;
        let onlooker = Onlooker::new(Limits { ticks: u64::MAX, seconds: Some(seconds) }, None);
        search.run_on(threads, &onlooker, &Peers::alone())
    };
    let known = |found: Found, proved: bool| Known { circulant: found.circulant, wanted, proved };
    let any = one(wanted).map(|found| {
        let proved = found.proved;
        known(found, proved)
    });
    // Among lengths that may go one way, those that go both ways are fewer and often as good; they prove nothing of the others.
    let both = Some(wanted).filter(|w| !w.symmetric && w.degree % 2 == 0);
    let both = both.and_then(|wanted| Some(known(one(Wanted { symmetric: true, ..wanted })?, false)));
    any.into_iter().chain(both).max_by_key(|k| (k.circulant.nodes(), k.proved))
}

/// Where the lengths of a table come from, as the table says below.
fn source(table: &Table, recomputed: bool) -> Option<&'static str> {
    match (table.number, recomputed) {
        (5 | 8, true) => Some("Lengths are from searches made now."),
        (5, false) => Some(
            "Lengths are stored results of earlier searches; each σ is counted and each bound computed now. --recompute repeats the searches.",
        ),
        (8, false) => Some(
            "Lengths of the rows `any lengths` are stored results of earlier searches; each σ is counted, and each bound and each row `full` computed now. --recompute repeats the searches.",
        ),
        (6 | 7, _) => {
            Some("The multirings above are stored results of earlier searches; everything else is computed now.")
        }
        _ => None,
    }
}

fn document(table: &Table, recomputed: bool) -> Value {
    let cell = |cell: &Cell| {
        json!({
            "parallelism": cell.parallelism, "paper": cell.paper, "ours": cell.ours, "largest": cell.largest,
            "equal": cell.paper == cell.ours, "network": cell.network.as_ref().map(|n| n.spec()),
            "at_most": cell.bound.map(|b| b.0), "optimal": cell.bound.map(|b| b.1), "counted": cell.counted,
            "reason": cell.reason, "times_the_machine": table.machine.and_then(|machine| cell.beats(machine)),
        })
    };
    let machine = table.machine.map(
        |m| json!({"name": m.name, "ports": m.ports, "nodes": m.nodes, "hops": m.hops, "parallelism": m.parallelism}),
    );
    let row = |(label, cells): &(String, Vec<Cell>)| json!({"row": label, "cells": cells.iter().map(cell).collect::<Vec<_>>()});
    json!({"table": table.number, "title": table.title, "recomputed": recomputed, "source": source(table, recomputed), "machine": machine, "rows": table.rows.iter().map(row).collect::<Vec<_>>()})
}

/// A line a cell: what is in it does not fit a table of eleven columns.
fn people(table: &Table, recomputed: bool) -> String {
    let mut lines = vec![format!("Table {}: {}", table.number, table.title), String::new()];
    let number = |n: Option<u64>| n.map_or("–".into(), |n| n.to_string());
    let one = |c: &Cell| c.largest == c.ours;
    let both = !table.rows.iter().all(|(_, cells)| cells.iter().all(one));
    let rule = if both { "   largest" } else { "" };
    let bound = table.rows.iter().any(|(_, cells)| cells.iter().any(|c| c.bound.is_some()));
    let at_most = if bound { "   at most" } else { "" };
    let width = table.rows.iter().map(|(label, _)| label.chars().count()).chain([2]).max().unwrap_or(2);
    lines.push(format!("{:width$}  {:>5}  {:>6}  {:>6}{rule}{at_most}", table.head, "σ", "paper", "ours"));
    for (label, cells) in &table.rows {
        for cell in cells {
            let sigma = if table.number == 3 { "max".into() } else { cell.parallelism.to_string() };
            let mut line = format!("{label:width$}  {sigma:>5}  {:>6}  {:>6}", number(cell.paper), number(cell.ours));
            if both {
                line.push_str(&format!("{:>10}", if one(cell) { String::new() } else { number(cell.largest) }));
            }
            if bound {
                line.push_str(&match cell.bound {
                    Some((_, true)) => format!("{:>10}", "optimal"),
                    Some((most, false)) => format!("{most:>10}"),
                    None => " ".repeat(10),
                });
            }
            if let Some(counted) = cell.counted {
                line.push_str(&format!("  σ counted {counted}"));
            }
            if let (Some(network), None) = (&cell.network, cell.counted) {
                line.push_str(&format!("  {}", network.spec()));
            }
            match (cell.paper, cell.ours) {
                (Some(paper), Some(ours)) if ours > paper && cell.network.is_some() => {
                    line.push_str(&format!("  {} more than printed", ours - paper));
                }
                _ => {}
            }
            if let Some(times) = table.machine.and_then(|machine| cell.beats(machine)) {
                line.push_str(&format!("  {times:.2} × the machine's nodes"));
            }
            if let Some(reason) = cell.reason {
                line.push_str(&format!("  ({reason})"));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    if let Some(machine) = table.machine {
        let Machine { name, ports, nodes, hops, parallelism, .. } = machine;
        let cells: Vec<f64> =
            table.rows.iter().flat_map(|(_, cells)| cells.iter().filter_map(|cell| cell.beats(machine))).collect();
        let most = cells.iter().copied().fold(0.0, f64::max);
        lines.push(format!(
            "\n{name} in the paper: {ports} ports, {nodes} nodes, {parallelism} walks of at most {hops} hops. {} cells have more \
             nodes and no fewer walks, up to {most:.2} times as many nodes.",
            cells.len()
        ));
    }
    lines.extend(source(table, recomputed).map(|source| format!("\n{source}")));
    lines.join("\n")
}
