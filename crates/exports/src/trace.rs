//! **What:** traces of evolution, as `solve --trace` writes them: a line of JSON a moment; and the plot of one or several.
//!
//! **Parameters:** of each line the fields `method`, `steps`, `evaluations`, `best` and `mean` are read, and `network` and `collective` where
//! they are there; others may be there.

use flate2::{Compression, write::GzEncoder};
use formats::schedule_json::parse_as;
use formats::{Fault, Place, ReadError, WriteError, file};
use pictures::palette::Theme;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Moment {
    /// The engine.
    pub method: String,
    /// Steps it aims at.
    pub steps: u64,
    /// Candidates so far.
    pub evaluations: f64,
    /// Conflicts and late deliveries of the best candidate.
    pub best: f64,
    /// The mean of all candidates of the generation.
    pub mean: f64,
    /// The network.
    #[serde(default)]
    pub network: Option<String>,
    /// The collective.
    #[serde(default)]
    pub collective: Option<String>,
}

/// Bytes of a file that are looked at to tell what it is.
const BEGINNING: u64 = 1 << 12;

/// Whether a file's name says that it is a trace.
pub fn is_named(path: &Path) -> bool {
    file::ending(path) == "jsonl"
}

/// Whether a file is a trace, by its name or since its first line is one.
pub fn is_meant(path: &Path) -> bool {
    let begins = || {
        let mut beginning = Vec::new();
        File::open(path).ok()?.take(BEGINNING).read_to_end(&mut beginning).ok()?;
        let line = beginning.trim_ascii_start().split(|b| *b == b'\n').next()?;
        let told: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(told.get("method").is_some() && told.get("evaluations").is_some())
    };
    is_named(path) || (path.is_file() && begins() == Some(true))
}

/// A file of lines, or standard output; packed where its name ends in `.gz`.
///
/// # Errors
/// Where the system refuses.
pub fn create(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    if file::is_standard_output(path) {
        return Ok(Box::new(io::stdout()));
    }
    let out = File::create(path)?;
    Ok(match file::is_compressed(path) {
        true => Box::new(Packed(GzEncoder::new(BufWriter::new(out), Compression::new(3)))),
        false => Box::new(BufWriter::new(out)),
    })
}

/// Packed as a whole: flushing every line would leave nothing to pack.
struct Packed(GzEncoder<BufWriter<File>>);

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a trace; `.gz` is decompressed.
///
/// # Errors
/// The first fault found, with file, line, field and offending text.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<Moment>, ReadError> {
    let path = path.as_ref();
    let text = file::load(path)?;
    let lines = (1..).zip(text.split(|b| *b == b'\n')).filter(|(_, line)| !line.trim_ascii().is_empty());
    let moments: Vec<Moment> = lines.map(|(number, line)| moment(line, number, path)).collect::<Result<_, _>>()?;
    match moments.is_empty() {
        true => Err(ReadError::new(path, Fault::Syntax("a trace without a line".into()))),
        false => Ok(moments),
    }
}

fn moment(line: &[u8], number: usize, path: &Path) -> Result<Moment, ReadError> {
    let placed = |error: ReadError| {
        let column = error.place.map_or(1, |p| p.column);
        ReadError { place: Some(Place { line: number, column }), ..error }
    };
    let moment: Moment = parse_as(line, path).map_err(placed)?;
    match moment.evaluations >= 0.0 && moment.best >= 0.0 {
        true => Ok(moment),
        false => Err(placed(ReadError::new(path, Fault::Syntax("`evaluations` and `best` are never negative".into())))),
    }
}

/// Fitness over evaluations: a line for each trace, engine and number of steps; of one alone the mean, too. An engine
/// takes turns between the numbers of steps it aims at, and counts the candidates of each on its own.
pub fn plot(traces: &[(String, Vec<Moment>)]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for (name, moments) in traces {
        let mut runs: BTreeMap<(&str, u64), Vec<&Moment>> = BTreeMap::new();
        moments.iter().for_each(|m| runs.entry((&m.method, m.steps)).or_default().push(m));
        for ((method, steps), run) in runs {
            let file = if traces.len() > 1 { format!("{name}: ") } else { String::new() };
            let line = |name: String, value: fn(&Moment) -> f64| Series {
                name,
                style: if run.len() > 40 { Style::Bare } else { Style::Line },
                points: run.iter().map(|m| Point::new(m.evaluations, value(m))).collect(),
            };
            series.push(line(format!("{file}{method}, {steps} steps"), |m| m.best));
            if traces.len() == 1 && run.len() == moments.len() {
                series.push(line("mean of the generation".into(), |m| m.mean));
            }
        }
    }
    let all = || traces.iter().flat_map(|(_, moments)| moments);
    let (low, high) = all()
        .filter(|m| m.evaluations > 0.0)
        .fold((f64::MAX, 0.0), |(a, b): (f64, f64), m| (a.min(m.evaluations), b.max(m.evaluations)));
    Plot {
        title: title(traces),
        x: Axis {
            label: "candidates evaluated".into(),
            scale: if high > 30.0 * low { Scale::Log } else { Scale::Linear },
        },
        y: Axis { label: "conflicts and late deliveries of the best".into(), scale: Scale::Linear },
        series,
        references: Vec::new(),
    }
}

/// With the problem, where all traces are of one.
fn title(traces: &[(String, Vec<Moment>)]) -> String {
    let what = "conflicts left by evolution";
    let moments = traces.iter().flat_map(|(_, moments)| moments);
    let problems: BTreeSet<_> = moments.map(|m| (m.collective.as_deref(), m.network.as_deref())).collect();
    match problems.iter().copied().collect::<Vec<_>>()[..] {
        [(Some(collective), Some(network))] => format!("{what}: {collective} on {network}"),
        _ => what.to_owned(),
    }
}

/// Writes a plot to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(plot: &Plot, theme: &'static Theme, path: impl AsRef<Path>) -> Result<(), WriteError> {
    crate::plot::write(plot, theme, path)
}
