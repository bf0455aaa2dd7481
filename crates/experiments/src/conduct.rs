//! **What:** [`conduct`]: runs an experiment, or what is left of it.

use crate::measure::{Limit, measure};
use crate::plots::draw;
use crate::record::LEAST_COLUMNS;
use crate::{Cell, ExperimentError, Record, csv, summaries};
use std::fs::{File, OpenOptions, create_dir_all, read_to_string};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How an experiment is conducted.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the file and its pictures; made where there is none.
    pub folder: PathBuf,
    /// What the names of files begin with, before the experiment's name.
    pub prefix: String,
    /// Runs a cell; 0: pictures alone, from the runs that are there.
    pub runs: u64,
    /// How long a run may last.
    pub limit: Limit,
    /// When to leave the rest for another time.
    pub deadline: Option<Instant>,
}

/// What an experiment came to.
#[derive(Clone, Debug)]
#[must_use]
pub struct Conducted {
    /// The file of runs.
    pub file: PathBuf,
    /// The file of what the runs of each cell came to.
    pub table: PathBuf,
    /// The pictures.
    pub pictures: Vec<PathBuf>,
    /// The cells that were chosen.
    pub cells: Vec<Cell>,
    /// All runs of the file.
    pub records: Vec<Record>,
    /// Cells of which a run was given up.
    pub given_up: usize,
    /// Whether runs are left, since time is over or the user stopped it.
    pub is_cut_short: bool,
}

/// What an experiment tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// A run begins.
    Begins {
        /// Its cell.
        cell: &'a Cell,
        /// Runs that have their record, those of earlier calls too.
        done: usize,
        /// Runs that there will be.
        of: usize,
    },
    /// A run has ended.
    Ended {
        /// Its cell.
        cell: &'a Cell,
        /// What it came to.
        record: &'a Record,
    },
}

/// Runs what has no record yet of an experiment of that name and these cells, writes each record at once, then the table and the
/// pictures; `tell` hears of every new run.
///
/// # Errors
/// [`ExperimentError`]: files, lines of the file, and cells that pose no problem.
pub fn conduct(
    name: &str,
    mut cells: Vec<Cell>,
    options: &Options,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Told<'_>),
) -> Result<Conducted, ExperimentError> {
    let chosen = cells.clone();
    let file = options.folder.join(format!("{}{name}.tsv", options.prefix));
    let table = options.folder.join(format!("{}{name}-cells.csv", options.prefix));
    let io = |source| ExperimentError::Io { path: file.clone(), source };
    create_dir_all(&options.folder).map_err(io)?;
    if !file.exists() {
        writeln!(File::create(&file).map_err(io)?, "{}", Record::HEAD).map_err(io)?;
    }
    let (width, mut records) = read(&file)?;
    let mut out = OpenOptions::new().append(true).open(&file).map_err(io)?;
    let (before, mut is_cut_short) = (cells.len(), false);
    // One run of every cell after another: whatever is interrupted has seen all cells alike.
    'runs: for seed in 1..=options.runs {
        let mut patient = Vec::with_capacity(cells.len());
        for cell in &cells {
            if records.iter().any(|record| record.seed == seed && record.is_of(cell)) {
                patient.push(cell.clone());
                continue;
            }
            let left = options.deadline.map(|d| d.saturating_duration_since(Instant::now()).as_secs_f64());
            if left == Some(0.0) || stop.load(Ordering::Relaxed) {
                is_cut_short = true;
                break 'runs;
            }
            let is_done = |record: &Record| record.seed <= options.runs && cells.iter().any(|cell| record.is_of(cell));
            let done = records.iter().filter(|record| is_done(record)).count();
            let of = usize::try_from(options.runs).unwrap_or(usize::MAX).saturating_mul(cells.len());
            tell(Told::Begins { cell, done, of });
            let limit = Limit { seconds: shorter(options.limit.seconds, left), ..options.limit };
            if let Some(record) = measure(cell, seed, limit, stop)? {
                writeln!(out, "{}", columns(&record, width)).map_err(io)?;
                tell(Told::Ended { cell, record: &record });
                records.push(record);
                patient.push(cell.clone());
            }
        }
        cells = patient;
    }
    let given_up = if is_cut_short { 0 } else { before - cells.len() };
    std::fs::write(&table, csv(&summaries(&chosen, &records)))
        .map_err(|source| ExperimentError::Io { path: table.clone(), source })?;
    let pictures = draw(&chosen, &records, &options.folder, &options.prefix, name)?;
    let is_cut_short = is_cut_short || stop.load(Ordering::Relaxed);
    Ok(Conducted { file, table, pictures, cells: chosen, records, given_up, is_cut_short })
}

/// The line of a record, as wide as its file: older files have fewer columns, and what is usual in those.
fn columns(record: &Record, width: usize) -> String {
    record.line().split('\t').take(width).collect::<Vec<_>>().join("\t")
}

/// The columns and the records of a file.
fn read(file: &Path) -> Result<(usize, Vec<Record>), ExperimentError> {
    let text = read_to_string(file).map_err(|source| ExperimentError::Io { path: file.into(), source })?;
    let lines = text.lines().enumerate().skip(1);
    let refused = |line: usize, why| ExperimentError::Line { path: file.into(), line, why };
    let records =
        lines.map(|(at, line)| Record::parse(line).map_err(|why| refused(at + 1, why))).collect::<Result<_, _>>()?;
    let width = text.lines().next().map_or(0, |head| head.split('\t').count());
    Ok((width.max(LEAST_COLUMNS), records))
}

/// The lesser of a limit, where 0 is none, and the time that is left.
fn shorter(limit: f64, left: Option<f64>) -> f64 {
    match left {
        Some(left) if limit > 0.0 => limit.min(left),
        Some(left) => left,
        None => limit,
    }
}
