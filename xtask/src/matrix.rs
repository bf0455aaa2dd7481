//! **What:** `cargo xtask matrix`: every collective under every model on small networks, how many are closed, and the worst of the others,
//! as a page in Markdown.
//!
//! **Method.** `quadrille solve … --json --threads 1` runs as a whole command for each cell, several cells side by side where there are
//! processors for them. Every schedule went through `verify`, every floor through `certify`. *Closed:* the steps are the floor.

use super::cells;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const NETWORKS: &[&str] = &[
    "ring:7",
    "ring:8",
    "hypercube:3",
    "hypercube:4",
    "torus:3x3",
    "torus:4x4",
    "mesh:3x3",
    "mesh:4x4",
    "kautz:2,3",
    "petersen",
    "full-tree:7",
    "fat-tree:8",
    "random-regular:12,3",
    "complete:6",
    "dgx1",
    "spidergon:10",
];

const COLLECTIVES: &[&str] = &[
    "broadcast",
    "scatter",
    "gather",
    "reduce",
    "allgather",
    "reduce_scatter",
    "alltoall",
    "allreduce",
    "barrier",
    "scan",
    "exscan",
];

/// How a model is shown, and its flags.
const MODELS: &[(&str, &str)] = &[
    ("stored", "--switching store-and-forward"),
    ("stored, combined", "--switching store-and-forward --combining"),
    ("stored, 4 chunks", "--switching store-and-forward --chunks 4"),
    ("stored, one port", "--switching store-and-forward --ports one"),
    ("stored, one port, combined", "--switching store-and-forward --ports one --combining"),
    ("stored, one port, 4 chunks", "--switching store-and-forward --ports one --chunks 4"),
    ("slots", "--switching tdm"),
    ("slots, one port", "--switching tdm --ports one"),
    ("wormhole", ""),
    ("wormhole, combined", "--combining"),
    ("wormhole, one port", "--ports one"),
    ("wormhole, one port, combined", "--ports one --combining"),
];

/// Open cells that are listed, unless another number is given.
const LISTED: usize = 60;

/// What is asked for.
pub(crate) struct Settings {
    seconds: f64,
    networks: Vec<String>,
    program: Option<PathBuf>,
    listed: usize,
    /// Whether each network has a table of all its cells.
    tables: bool,
}

impl Settings {
    /// From words `--time S`, `--networks A;B`, `--program FILE`, `--listed N`, `--tables`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let networks = NETWORKS.iter().map(|name| (*name).to_owned()).collect();
        let mut settings = Settings { seconds: 2.0, networks, program: None, listed: LISTED, tables: false };
        while let Some(flag) = words.next() {
            if flag == "--tables" {
                settings.tables = true;
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--time" => settings.seconds = value.parse().map_err(|_| format!("--time cannot be {value}"))?,
                "--networks" => settings.networks = value.split(';').map(str::to_owned).collect(),
                "--program" => settings.program = Some(value.into()),
                "--listed" => settings.listed = value.parse().map_err(|_| format!("--listed cannot be {value}"))?,
                _ => {
                    let known = "--time, --networks, --program, --listed and --tables";
                    return Err(format!("unknown flag {flag}; there are {known}"));
                }
            }
        }
        Ok(settings)
    }
}

/// One collective under one model on one network.
#[derive(Clone, Copy)]
struct Cell<'a> {
    network: &'a str,
    collective: usize,
    model: usize,
}

/// What was found for it.
#[derive(Default)]
struct Found {
    /// None where there is no schedule.
    steps: Option<u64>,
    floor: u64,
    method: String,
    seconds: f64,
}

impl Found {
    fn is_closed(&self) -> bool {
        self.steps == Some(self.floor)
    }
}

/// Runs all cells and prints the page.
pub(crate) fn run(root: &Path, settings: &Settings) -> Result<(), String> {
    let program = cells::program(root, settings.program.as_ref())?;
    let of_network = |network| {
        let models = move |collective| (0..MODELS.len()).map(move |model| Cell { network, collective, model });
        (0..COLLECTIVES.len()).flat_map(models)
    };
    let cells: Vec<Cell<'_>> = settings.networks.iter().flat_map(|network| of_network(network.as_str())).collect();
    let found = cells::solved(&cells, None, |cell| cell.solve(&program, settings.seconds));
    let all: Vec<(Cell<'_>, Found)> = cells.into_iter().zip(found).collect();
    print!("{}", page(&all, settings.listed).map_err(|e| e.to_string())?);
    if settings.tables {
        for network in &settings.networks {
            print!("{}", table(network, &all).map_err(|e| e.to_string())?);
        }
    }
    Ok(())
}

impl Cell<'_> {
    fn solve(&self, program: &Path, seconds: f64) -> Found {
        let mut command = Command::new(program);
        command.args(["solve", self.network, COLLECTIVES[self.collective], "--threads", "1", "--json"]);
        command.args(["--time", &seconds.to_string()]).args(MODELS[self.model].1.split_whitespace());
        let Some(answer) = cells::answer(&mut command) else { return Found::default() };
        Found {
            steps: answer["steps"].as_u64(),
            floor: answer["bound"].as_u64().unwrap_or(0),
            method: answer["method"].as_str().unwrap_or_default().to_owned(),
            seconds: answer["seconds"].as_f64().unwrap_or(0.0),
        }
    }
}

/// The table of closed, open and missing cells, and the worst open ones.
fn page(all: &[(Cell<'_>, Found)], listed: usize) -> Result<String, std::fmt::Error> {
    let count = |wanted: &dyn Fn(&Cell<'_>) -> bool| {
        let cells = || all.iter().filter(|(cell, _)| wanted(cell)).map(|(_, found)| found);
        let closed = cells().filter(|found| found.is_closed()).count();
        let none = cells().filter(|found| found.steps.is_none()).count();
        format!("{closed}/{}/{none}", cells().count() - closed - none)
    };
    let mut out = String::new();
    writeln!(out, "{} cells, closed/open/without a schedule: {}.\n", all.len(), count(&|_| true))?;
    out += &grid(|collective, model| count(&|cell| cell.collective == collective && cell.model == model))?;
    let mut open: Vec<&(Cell<'_>, Found)> = all.iter().filter(|(_, f)| f.steps.is_some() && !f.is_closed()).collect();
    let ratio = |found: &Found| found.steps.unwrap_or(0) as f64 / found.floor.max(1) as f64;
    open.sort_by(|a, b| ratio(&b.1).total_cmp(&ratio(&a.1)));
    writeln!(out, "\nThe open cells that are farthest above their floors:\n")?;
    writeln!(out, "| network | collective | model | steps/floor | method | seconds |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    for (cell, found) in open.into_iter().take(listed) {
        let (collective, model) = (COLLECTIVES[cell.collective], MODELS[cell.model].0);
        let Found { steps, floor, method, seconds } = found;
        let steps = steps.unwrap_or(0);
        writeln!(out, "| `{}` | {collective} | {model} | {steps}/{floor} | {method} | {seconds:.2} |", cell.network)?;
    }
    Ok(out)
}

/// A row for each collective and a column for each model.
fn grid(of: impl Fn(usize, usize) -> String) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "| | {} |", MODELS.iter().map(|m| m.0).collect::<Vec<_>>().join(" | "))?;
    writeln!(out, "| --- |{}", " --- |".repeat(MODELS.len()))?;
    for (collective, name) in COLLECTIVES.iter().enumerate() {
        let cells: Vec<String> = (0..MODELS.len()).map(|model| of(collective, model)).collect();
        writeln!(out, "| {name} | {} |", cells.join(" | "))?;
    }
    Ok(out)
}

/// All cells of a network: steps, the floor where it is another number, and seconds.
fn table(network: &str, all: &[(Cell<'_>, Found)]) -> Result<String, std::fmt::Error> {
    let shown = |collective, model| {
        let is = |cell: &Cell<'_>| (cell.network, cell.collective, cell.model) == (network, collective, model);
        let found = &all.iter().find(|(cell, _)| is(cell)).expect("each network is solved under every model").1;
        match found.steps {
            Some(steps) if found.is_closed() => format!("{steps} ({:.2} s)", found.seconds),
            Some(steps) => format!("**{steps}/{}** ({:.2} s)", found.floor, found.seconds),
            None => "–".to_owned(),
        }
    };
    Ok(format!("\n## `{network}`\n\n{}", grid(shown)?))
}
