//! **What:** `cargo xtask clusters`: collectives of many sizes on accelerator clusters, beside published times and beside our bounds, as tables in Markdown.
//!
//! **Method.** `quadrille solve … --bytes SIZE --json` runs as a whole command for each cell, one after the other, so that seconds are those of an idle machine.
//! Every schedule went through `verify`, every bound through `certify`. The published times, and the networks they were published on, are in `fixtures/clusters`.

use super::cells;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Collectives whose bandwidth and latency are measured on every network.
const COLLECTIVES: &[&str] = &["allgather", "reduce_scatter", "alltoall", "allreduce"];
const SIZES: &[&str] = &["1K", "64K", "1M", "1G"];
/// Machines of hundreds of GPUs, and what is measured on them.
const LARGE: &[&str] = &["dgx-h100:64", "dgx-h100:63", "dgx-a100:48", "mi300x:32"];
const LARGE_COLLECTIVES: &[&str] =
    &["allgather", "reduce_scatter", "allreduce", "alltoall", "broadcast", "reduce", "scatter", "gather"];
const LARGE_SIZES: &[&str] = &["1G", "64K"];

/// What is asked for.
#[derive(Default)]
pub(crate) struct Settings {
    seconds: Option<f64>,
    program: Option<PathBuf>,
    /// Networks whose name contains this.
    only: String,
    table: Option<String>,
}

impl Settings {
    /// From words `--time S`, `--only NETWORK`, `--table published|sizes|large`, `--program FILE`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings::default();
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--time" => settings.seconds = Some(value.parse().map_err(|_| format!("--time cannot be {value}"))?),
                "--only" => settings.only = value,
                "--table" if ["published", "sizes", "large"].contains(&value.as_str()) => settings.table = Some(value),
                "--program" => settings.program = Some(value.into()),
                _ => {
                    return Err(format!(
                        "{flag} {value}: there are --time, --only, --table published|sizes|large and --program"
                    ));
                }
            }
        }
        Ok(settings)
    }
}

/// A collective of a size on a network.
struct Cell {
    network: String,
    collective: String,
    bytes: String,
    published: Option<Published>,
}

/// What others found.
struct Published {
    micros: f64,
    solver_seconds: f64,
    rows: u32,
    source: String,
}

/// What we found.
#[derive(Default)]
struct Found {
    micros: f64,
    bound: f64,
    chunks: u64,
    method: String,
    seconds: f64,
}

/// Runs all cells and prints the tables.
pub(crate) fn run(root: &Path, settings: &Settings) -> Result<(), String> {
    let program = cells::program(root, settings.program.as_ref())?;
    let folder = root.join("fixtures").join("clusters");
    let solve = |cell: &Cell| {
        let mut command = Command::new(&program);
        // Families have a colon, files of the folder have none.
        let network = if cell.network.contains(':') { cell.network.clone() } else { format!("{}.json", cell.network) };
        command.args(["solve", &network, &cell.collective, "--bytes", &cell.bytes, "--json"]);
        command.args(settings.seconds.iter().flat_map(|seconds| ["--time".into(), seconds.to_string()]));
        let answer = cells::answer(command.current_dir(&folder))?;
        Some(Found {
            micros: answer["time_us"].as_f64()?,
            bound: answer["bound_us"].as_f64()?,
            chunks: answer["chunks"].as_u64()?,
            method: answer["method"].as_str()?.to_owned(),
            seconds: answer["seconds"].as_f64()?,
        })
    };
    let wanted = |table: &str| settings.table.as_ref().is_none_or(|asked| asked == table);
    let of =
        |cells: Vec<Cell>| -> Vec<Cell> { cells.into_iter().filter(|c| c.network.contains(&settings.only)).collect() };
    if wanted("published") {
        let cells = of(published(&folder)?);
        let found = cells::solved(&cells, Some(1), solve);
        print!("{}", beside_others(&cells, &found).map_err(|e| e.to_string())?);
    }
    if wanted("sizes") {
        let cells = of(all_sizes(&folder)?);
        let found = cells::solved(&cells, Some(1), solve);
        print!("{}", beside_bounds(&cells, &found).map_err(|e| e.to_string())?);
    }
    if wanted("large") {
        let cells = of(cells_of(LARGE.iter().map(|name| (*name).to_owned()), LARGE_COLLECTIVES, LARGE_SIZES));
        let found = cells::solved(&cells, Some(1), solve);
        print!("{}", large(&cells, &found).map_err(|e| e.to_string())?);
    }
    Ok(())
}

/// The published rows.
fn published(folder: &Path) -> Result<Vec<Cell>, String> {
    let text = std::fs::read_to_string(folder.join("published.tsv")).map_err(|e| e.to_string())?;
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| -> Option<Cell> {
        let [network, collective, bytes, micros, seconds, rows, source] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let published = Published {
            micros: micros.parse().ok()?,
            solver_seconds: seconds.parse().ok()?,
            rows: rows.parse().ok()?,
            source: source.into(),
        };
        Some(Cell {
            network: network.into(),
            collective: collective.into(),
            bytes: bytes.into(),
            published: Some(published),
        })
    };
    rows.map(|line| row(line).ok_or_else(|| format!("published.tsv: `{line}` has not seven fields"))).collect()
}

/// Every collective in every size on every network whose switches do not copy.
fn all_sizes(folder: &Path) -> Result<Vec<Cell>, String> {
    let files = std::fs::read_dir(folder).map_err(|e| e.to_string())?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut networks: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".json")?.to_owned())).collect();
    networks.retain(|name| !name.ends_with("-copying"));
    networks.sort();
    Ok(cells_of(networks, COLLECTIVES, SIZES))
}

/// Every collective in every size on every network.
fn cells_of(networks: impl IntoIterator<Item = String>, collectives: &[&str], sizes: &[&str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for network in networks {
        for collective in collectives {
            cells.extend(sizes.iter().map(|bytes| Cell {
                network: network.clone(),
                collective: (*collective).into(),
                bytes: (*bytes).into(),
                published: None,
            }));
        }
    }
    cells
}

/// All rows of a source.
#[derive(Default)]
struct Sum {
    rows: u32,
    met: u32,
    /// Seconds.
    ours: f64,
    theirs: f64,
}

fn beside_others(cells: &[Cell], found: &[Option<Found>]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    writeln!(
        out,
        "| network | collective | bytes | published µs | ours µs | bound µs | over bound | chunks | method | s | theirs s |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
    for (cell, found) in cells.iter().zip(found) {
        let Some(published) = &cell.published else { continue };
        let sum = sums.entry(published.source.as_str()).or_default();
        sum.rows += published.rows;
        sum.theirs += published.solver_seconds;
        let place = format!("{} | {} | {}", cell.network, cell.collective, cell.bytes);
        let Some(found) = found else {
            writeln!(out, "| {place} | {} | none | | | | | | |", published.micros)?;
            continue;
        };
        sum.met += if found.micros <= published.micros { published.rows } else { 0 };
        sum.ours += found.seconds;
        let Found { micros, bound, chunks, method, seconds } = found;
        let mark = if *micros <= published.micros { "" } else { " (more)" };
        let over = (micros / bound - 1.0) * 100.0;
        writeln!(
            out,
            "| {place} | {} {} | {micros:.4}{mark} | {bound:.4} | {over:.2} % | {chunks} | {method} | {seconds:.1} | {} |",
            published.micros, published.source, published.solver_seconds
        )?;
    }
    for (source, Sum { rows, met, ours, theirs }) in sums {
        writeln!(out, "\n{source}: {met} of {rows} published rows met or beaten; {ours:.0} s, theirs {theirs:.0} s.")?;
    }
    writeln!(out)?;
    Ok(out)
}

fn beside_bounds(cells: &[Cell], found: &[Option<Found>]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "Time over bound (chunks; seconds):\n")?;
    writeln!(out, "| network | collective | {} |", SIZES.join(" | "))?;
    writeln!(out, "| --- | --- |{}", " --- |".repeat(SIZES.len()))?;
    for (row, found) in cells.chunks(SIZES.len()).zip(found.chunks(SIZES.len())) {
        let cell = |found: &Option<Found>| match found {
            None => "none".to_owned(),
            Some(Found { micros, bound, chunks, seconds, .. }) => {
                format!("{:.3} ({chunks}; {seconds:.1})", micros / bound)
            }
        };
        let all: Vec<String> = found.iter().map(cell).collect();
        writeln!(out, "| {} | {} | {} |", row[0].network, row[0].collective, all.join(" | "))?;
    }
    Ok(out)
}

fn large(cells: &[Cell], found: &[Option<Found>]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "| network | collective | bytes | µs | bound µs | over bound | chunks | method | s |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
    for (Cell { network, collective, bytes, .. }, found) in cells.iter().zip(found) {
        match found {
            None => writeln!(out, "| {network} | {collective} | {bytes} | none | | | | | |")?,
            Some(Found { micros, bound, chunks, method, seconds }) => writeln!(
                out,
                "| {network} | {collective} | {bytes} | {micros:.4} | {bound:.4} | {:.2} % | {chunks} | {method} | {seconds:.1} |",
                (micros / bound - 1.0) * 100.0
            )?,
        }
    }
    Ok(out)
}
