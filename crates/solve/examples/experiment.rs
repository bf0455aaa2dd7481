//! **What:** the dissertation's experiments with evolution, a small version of each: `cargo xtask experiment NAME`.
//!
//! **Parameters:** NAME, then runs a cell (default 5) and seconds a run (default 4). Every run is a line of
//! `docs/measurements/evolution/NAME.tsv`; a run that has its line is not run again, so an interrupted experiment goes on
//! where it was. Pictures are drawn from the lines, with 0 runs a cell from those that are there.
//!
//! **Source:** the dissertation: Tables 7.1 to 7.4 and Figures 7.6 and 7.7 (`scalability`; `small` is the same with 10
//! candidates), Figures 7.1 to 7.4 (`population`), Figure 7.5 (`speed`), Table 8.23 (`networks`).

use kernel::{Collective, Model, Problem};
use pictures::palette::LIGHT;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use solve::evolution::Evolution;
use solve::{Run, Seed, Settings, Silent, bound};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, create_dir_all, read_to_string};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const METHODS: [&str; 3] = ["sga", "umda", "mboa"];
const PATTERNS: [&str; 4] = ["OAS", "AAS", "OAB", "AAB"];
const HEAD: &str = "method\tnetwork\tpattern\tpopulation\tmutation\tsteps\tfloor\tseed\tsolved\tbest\tgenerations\tevaluations\tseconds";

/// One cell: all that is the same for its runs.
struct Cell {
    method: &'static str,
    network: &'static str,
    pattern: &'static str,
    population: u32,
    mutation: f64,
    /// Steps below the floor, so that no run ends early and conflicts can be compared.
    below: u64,
}

type Failure = Box<dyn std::error::Error>;

fn cells(name: &str) -> Option<Vec<Cell>> {
    let usual = |method, network, pattern| Cell { method, network, pattern, population: 100, mutation: 0.9, below: 0 };
    let all = |networks: &[&'static str]| {
        let each = networks.iter().flat_map(|&n| PATTERNS.iter().map(move |&p| (n, p)));
        each.flat_map(|(n, p)| METHODS.iter().map(move |&m| usual(m, n, p))).collect::<Vec<_>>()
    };
    let benchmarks = |pick: &dyn Fn(&'static str, &'static str) -> Vec<Cell>| -> Vec<Cell> {
        METHODS.iter().flat_map(|&m| ["AAS", "AAB"].into_iter().flat_map(move |p| pick(m, p))).collect()
    };
    Some(match name {
        "scalability" => all(&["hypercube:3", "hypercube:4", "hypercube:5"]),
        "small" => {
            let fitting =
                all(&["hypercube:3", "hypercube:4", "hypercube:5"]).into_iter().filter(|c| c.method != "mboa");
            fitting.filter(|c| c.pattern.starts_with("AA")).map(|c| Cell { population: 10, ..c }).collect()
        }
        "networks" => {
            let named = ["ring:8", "ring-uni:8", "spidergon:8", "petersen", "kautz:3,2", "heawood"];
            all(&named).into_iter().filter(|c| c.method == "umda").collect()
        }
        "population" => benchmarks(&|m, p| {
            let settings = [(50, 0.0), (50, 0.5), (50, 0.9), (100, 0.0), (100, 0.5), (100, 0.9), (150, 0.9)];
            let cell = |(population, mutation)| Cell { population, mutation, below: 1, ..usual(m, "hypercube:4", p) };
            settings.into_iter().map(cell).collect()
        }),
        "speed" => benchmarks(&|m, p| {
            let cell = |population| Cell { population, below: 1, ..usual(m, "hypercube:4", p) };
            [50, 100, 150].into_iter().map(cell).collect()
        }),
        _ => return None,
    })
}

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let (runs, seconds) = (words.next().map_or(Ok(5), |w| w.parse())?, words.next().map_or(Ok(4.0), |w| w.parse())?);
    let Some(cells) = cells(&name) else {
        return Err(
            format!("`{name}` is no experiment; there are scalability, small, population, speed and networks").into()
        );
    };
    let folder = Path::new("docs/measurements/evolution");
    create_dir_all(folder)?;
    let path = folder.join(format!("{name}.tsv"));
    if !path.exists() {
        writeln!(File::create(&path)?, "{HEAD}")?;
    }
    let known = read_to_string(&path)?;
    let mut file = OpenOptions::new().append(true).open(&path)?;
    for cell in &cells {
        for seed in 1..=runs {
            measure(cell, seed, seconds, &known, &mut file)?;
        }
    }
    draw(&read_to_string(&path)?, folder, &name)
}

fn measure(cell: &Cell, seed: u64, seconds: f64, known: &str, file: &mut File) -> Result<(), Failure> {
    let network = topologies::parse(cell.network)?;
    let t = network.terminals().to_vec();
    let collective = match cell.pattern {
        "OAS" => Collective::scatter(t[0], &t),
        "OAB" => Collective::broadcast(t[0], &t),
        "AAS" => Collective::alltoall(&t, &t),
        _ => Collective::allgather(&t, &t),
    };
    let problem = Problem::new(network, collective, Model::wormhole())?;
    let no = AtomicBool::new(false);
    let settings = Settings { seed: Seed(seed), seconds: Some(seconds), ..Settings::default() };
    let certificate = bound::strongest(&problem, &Run::new(settings, &Silent, &no));
    let floor = kernel::certify(&problem, certificate).map_err(|_| "a bound that is none")?.steps();
    let steps = floor - cell.below;
    let key = format!(
        "{}\t{}\t{}\t{}\t{}\t{steps}\t{floor}\t{seed}\t",
        cell.method, cell.network, cell.pattern, cell.population, cell.mutation
    );
    if known.lines().any(|line| line.starts_with(&key)) {
        return Ok(());
    }
    let mut engine = Evolution::named(cell.method).ok_or("unknown method")?;
    engine.parameters.set(cell.method, "population", &cell.population.to_string())?;
    engine.parameters.set(cell.method, "mutation", &cell.mutation.to_string())?;
    let begun = Instant::now();
    let trial = engine.trial(&problem, steps, &Run::new(settings, &Silent, &no))?;
    let took = begun.elapsed().as_secs_f64();
    let solved = trial.schedule.is_some_and(|schedule| kernel::verify(&problem, schedule).is_ok());
    let last = trial.last;
    let line = format!("{key}{solved}\t{}\t{}\t{}\t{took:.3}", last.best, last.generation, last.evaluations);
    eprintln!("{line}");
    writeln!(file, "{line}")?;
    Ok(())
}

/// All values at each place on the axis.
type Values = BTreeMap<String, Vec<f64>>;

/// A picture a pattern: conflicts over mutation, or evaluations over nodes; a line a method and population. A mark is the
/// mean of the runs, its bar reaches from the least to the largest.
fn draw(lines: &str, folder: &Path, name: &str) -> Result<(), Failure> {
    let (x, y, over, up) = match name {
        "population" => (4, 9, "mutation probability", "conflicts left"),
        "scalability" => (1, 11, "network", "evaluations of runs that ended without conflicts"),
        "speed" => (3, 11, "population", "evaluations a second"),
        _ => return Ok(()),
    };
    let mut charts: BTreeMap<&str, BTreeMap<String, Values>> = BTreeMap::new();
    for line in lines.lines().skip(1) {
        let parts: Vec<&str> = line.split('\t').collect();
        let series =
            if name == "population" { format!("{}, {} candidates", parts[0], parts[3]) } else { parts[0].to_owned() };
        if name == "scalability" && parts[8] != "true" {
            continue;
        }
        let mut value: f64 = parts[y].parse()?;
        if name == "speed" {
            value /= parts[12].parse::<f64>()?;
        }
        let points = charts.entry(parts[2]).or_default().entry(series).or_default();
        points.entry(parts[x].to_owned()).or_default().push(value);
    }
    for (pattern, series) in charts {
        let names: BTreeSet<&String> = series.values().flat_map(Values::keys).collect();
        let rank = |place: &String| names.iter().position(|n| *n == place).unwrap_or(0) as f64;
        let point = |(place, values): (&String, &Vec<f64>)| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let ends = values.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
            let x = if name == "scalability" { rank(place) } else { place.parse()? };
            Ok(Point { x, y: mean, spread: (values.len() > 1).then_some(ends) })
        };
        let lines = series.iter().map(|(name, points)| {
            let points = points.iter().map(point).collect::<Result<Vec<Point>, std::num::ParseFloatError>>()?;
            Ok(Series { name: name.clone(), style: Style::Line, points })
        });
        let words = names.iter().map(|n| (*n).clone()).collect();
        let plot = Plot {
            title: format!("{pattern}: {up}"),
            x: Axis {
                label: over.into(),
                scale: if name == "scalability" { Scale::Names(words) } else { Scale::Linear },
            },
            y: Axis { label: up.into(), scale: if name == "population" { Scale::Linear } else { Scale::Log } },
            series: lines.collect::<Result<_, std::num::ParseFloatError>>()?,
            references: Vec::new(),
        };
        plot.draw(&LIGHT, &mut File::create(folder.join(format!("{name}-{pattern}.svg")))?)?;
    }
    Ok(())
}
