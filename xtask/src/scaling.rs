//! **What:** `cargo xtask scaling`: how seconds, memory and the distance from the bound grow with the nodes, as a table in Markdown and as plots.
//!
//! **Method.** `quadrille solve … --json` runs as a whole command, one after the other, the smallest network of a family first. A family ends with the
//! first network that has no schedule within the time. An exponent is the slope of the straight line through the logarithms (least squares), over the networks
//! of 300 nodes and more that were done before the time was up and took at least 0.05 s: a search that goes on to the end takes that long on any network, and to start the program takes 0.01 s.

use super::cells::{self, Measured};
use pictures::palette::LIGHT;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use std::path::{Path, PathBuf};

/// Networks of a family, from the smallest on.
struct Family {
    name: &'static str,
    members: &'static [&'static str],
}

const FAMILIES: &[Family] = &[
    Family {
        name: "mesh",
        members: &["mesh:8x8", "mesh:16x16", "mesh:22x22", "mesh:32x32", "mesh:44x44", "mesh:64x64", "mesh:128x128"],
    },
    Family {
        name: "torus",
        members: &[
            "torus:8x8",
            "torus:16x16",
            "torus:22x22",
            "torus:32x32",
            "torus:44x44",
            "torus:64x64",
            "torus:128x128",
        ],
    },
    Family {
        name: "hypercube",
        members: &[
            "hypercube:6",
            "hypercube:8",
            "hypercube:9",
            "hypercube:10",
            "hypercube:11",
            "hypercube:12",
            "hypercube:14",
        ],
    },
    Family {
        name: "random regular",
        members: &[
            "random-regular:64,4",
            "random-regular:256,4",
            "random-regular:512,4",
            "random-regular:1024,4",
            "random-regular:2048,4",
            "random-regular:4096,4",
        ],
    },
    Family {
        name: "dragonfly",
        members: &[
            "dragonfly:2,6",
            "dragonfly:4,8",
            "dragonfly:5,10",
            "dragonfly:6,12",
            "dragonfly:8,16",
            "dragonfly:10,20",
        ],
    },
    Family {
        name: "fat tree",
        members: &[
            "fat-tree:64",
            "fat-tree:256",
            "fat-tree:512",
            "fat-tree:1024",
            "fat-tree:2048",
            "fat-tree:4096",
            "fat-tree:16384",
        ],
    },
];

const COLLECTIVES: &[&str] = &["alltoall", "allgather", "broadcast", "allreduce"];

/// Processor seconds, and nodes; what takes less, and networks so small that other searches are tried on them, say nothing of growth.
const LEAST: f64 = 0.05;
const FEWEST: f64 = 300.0;

/// What is asked for.
pub(crate) struct Settings {
    seconds: f64,
    program: Option<PathBuf>,
    pictures: Option<PathBuf>,
}

impl Settings {
    /// From words `--time S`, `--program FILE`, `--pictures FOLDER`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings { seconds: 20.0, program: None, pictures: None };
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            match flag.as_str() {
                "--time" => settings.seconds = value.parse().map_err(|_| format!("--time cannot be {value}"))?,
                "--program" => settings.program = Some(value.into()),
                "--pictures" => settings.pictures = Some(value.into()),
                _ => return Err(format!("unknown flag {flag}; there are --time, --program and --pictures")),
            }
        }
        Ok(settings)
    }
}

/// A network with what was found and what that took.
struct Row {
    nodes: f64,
    steps: f64,
    bound: f64,
    method: String,
    /// Whether it ended before the time was up.
    ended: bool,
    cost: Measured,
}

impl Row {
    fn above(&self) -> f64 {
        (self.steps / self.bound - 1.0) * 100.0
    }
}

/// What is plotted of a row.
struct Measure {
    file: &'static str,
    label: &'static str,
    scale: Scale,
    of: fn(&Row) -> f64,
}

const MEASURES: &[Measure] = &[
    Measure { file: "seconds", label: "processor seconds", scale: Scale::Log, of: |row| row.cost.user },
    Measure { file: "memory", label: "MB", scale: Scale::Log, of: |row| row.cost.megabytes },
    Measure { file: "gap", label: "% above the bound", scale: Scale::Linear, of: Row::above },
];

/// Prints all rows and the exponents, and draws the plots.
pub(crate) fn run(root: &Path, settings: &Settings) -> Result<(), String> {
    let program = cells::program(root, settings.program.as_ref())?;
    let mut exponents = Vec::new();
    println!("| network and collective | steps | bound | above | seconds | processor seconds | MB | method |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for collective in COLLECTIVES {
        let mut found: Vec<(&str, Vec<Row>)> = Vec::new();
        for family in FAMILIES {
            let rows = family.rows(&program, collective, settings.seconds)?;
            let [seconds, memory] = [MEASURES[0].of, MEASURES[1].of].map(|of| exponent(&rows, of));
            exponents.push(format!("| {collective} | {} | {seconds} | {memory} |", family.name));
            found.push((family.name, rows));
        }
        for measure in settings.pictures.iter().flat_map(|_| MEASURES) {
            let folder = settings.pictures.as_ref().expect("asked for, as there is a measure");
            draw(&found, collective, measure, &folder.join(format!("scaling-{collective}-{}.svg", measure.file)))?;
        }
    }
    println!("\n| collective | family | exponent of processor seconds | exponent of memory |");
    println!("| --- | --- | ---: | ---: |");
    exponents.iter().for_each(|line| println!("{line}"));
    Ok(())
}

impl Family {
    fn rows(&self, program: &Path, collective: &str, seconds: f64) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        for member in self.members {
            let cost = cells::measured(program, [*member, collective].into_iter(), seconds)?;
            let number = |key: &str| cost.answer.as_ref()?.get(key)?.as_f64();
            let word = |key: &str| cost.answer.as_ref()?.get(key)?.as_str();
            // Within a second there may be a schedule and no bound yet, which is then 0.
            let bound = number("bound").map(|bound| bound.max(1.0));
            let (Some(nodes), Some(steps), Some(bound)) = (number("nodes"), number("steps"), bound) else {
                println!(
                    "| {member} {collective} | - | - | - | {:.1} | {:.1} | {:.0} | none |",
                    cost.wall, cost.user, cost.megabytes
                );
                break;
            };
            let method = word("method").unwrap_or("-").to_owned();
            let ended = word("stopped").is_some_and(|why| why != "time");
            let row = Row { nodes, steps, bound, method, ended, cost };
            let Row { method, cost, .. } = &row;
            println!(
                "| {member} {collective} | {steps} | {bound} | {:.1} % | {:.1} | {:.2} | {:.0} | {method} |",
                row.above(),
                cost.wall,
                cost.user,
                cost.megabytes
            );
            rows.push(row);
        }
        Ok(rows)
    }
}

/// The slope of the straight line through the logarithms; a dash where there are too few rows.
fn exponent(rows: &[Row], of: fn(&Row) -> f64) -> String {
    let told: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.ended && row.cost.user >= LEAST && row.nodes >= FEWEST)
        .map(|row| (row.nodes.ln(), of(row).ln()))
        .collect();
    slope(&told).map_or_else(|| "–".to_owned(), |slope| format!("{slope:.1}"))
}

/// Of at least three points.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let together: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let alone: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    (points.len() >= 3 && alone > 0.0).then(|| together / alone)
}

fn draw(found: &[(&str, Vec<Row>)], collective: &str, measure: &Measure, file: &Path) -> Result<(), String> {
    let series = |(name, rows): &(&str, Vec<Row>)| Series {
        name: (*name).to_owned(),
        style: Style::Line,
        points: rows.iter().map(|row| Point::new(row.nodes, (measure.of)(row))).collect(),
    };
    let plot = Plot {
        title: collective.to_owned(),
        x: Axis { label: "nodes, switches included".into(), scale: Scale::Log },
        y: Axis { label: measure.label.into(), scale: measure.scale.clone() },
        series: found.iter().map(series).collect(),
        references: Vec::new(),
    };
    let mut text = Vec::new();
    plot.draw(&LIGHT, &mut text)
        .and_then(|()| std::fs::write(file, text))
        .map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn slopes_are_exponents() {
        let points: Vec<(f64, f64)> = [100.0_f64, 300.0, 700.0].map(|n| (n.ln(), (0.01 * n.powf(1.5)).ln())).to_vec();
        assert!((slope(&points).unwrap() - 1.5).abs() < 1e-9);
        assert_eq!(slope(&points[..2]), None);
    }
}
