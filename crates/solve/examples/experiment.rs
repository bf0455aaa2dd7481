//! **What:** the dissertation's experiments with evolution, a small version of each: `cargo xtask experiment NAME`.
//!
//! **Parameters:** NAME, then runs a cell (default 5) and seconds a run (default 4). Every run is a line of
//! `docs/measurements/evolution/NAME.tsv`; a run that has its line is not run again, so an interrupted experiment goes on
//! where it was. Pictures are drawn from the lines.
//!
//! **Source:** the dissertation: Tables 7.1 to 7.4 and Figures 7.6 and 7.7 (`scalability`; `small` is the same with 10
//! candidates), Figures 7.1 to 7.4 (`population`), Figure 7.5 (`speed`), Table 8.23 (`networks`).

use kernel::{Collective, Model, Problem};
use solve::evolution::Evolution;
use solve::{Run, Seed, Settings, Silent, bound};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, create_dir_all, read_to_string};
use std::io::Write as _;
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

/// A sum and a count for each place on the axis.
type Sums = BTreeMap<String, (f64, f64)>;

/// A picture a pattern: conflicts over mutation, or evaluations over nodes; a line a method and population.
fn draw(lines: &str, folder: &Path, name: &str) -> Result<(), Failure> {
    let (x, y, over, up) = match name {
        "population" => (4, 9, "mutation probability", "conflicts left, mean"),
        "scalability" => (1, 11, "hypercube's dimension", "evaluations of solved runs, mean, log10"),
        "speed" => (3, 11, "population", "evaluations a second, thousands"),
        _ => return Ok(()),
    };
    let mut charts: BTreeMap<&str, BTreeMap<String, Sums>> = BTreeMap::new();
    for line in lines.lines().skip(1) {
        let parts: Vec<&str> = line.split('\t').collect();
        let at = parts[x].trim_start_matches("hypercube:");
        let series = if name == "population" { format!("{} {}", parts[0], parts[3]) } else { parts[0].to_owned() };
        if name == "scalability" && parts[8] != "true" {
            continue;
        }
        let mut value: f64 = parts[y].parse()?;
        if name == "speed" {
            value /= 1000.0 * parts[12].parse::<f64>()?;
        }
        let point = charts.entry(parts[2]).or_default().entry(series).or_default().entry(at.to_owned()).or_default();
        *point = (point.0 + value, point.1 + 1.0);
    }
    for (pattern, series) in charts {
        let mean = |&(sum, count): &(f64, f64)| if name == "scalability" { (sum / count).log10() } else { sum / count };
        let series = series.iter().map(|(name, points)| {
            let points = points.iter().map(|(x, y)| Ok((x.parse()?, mean(y))));
            Ok((name.clone(), points.collect::<Result<Vec<(f64, f64)>, std::num::ParseFloatError>>()?))
        });
        let series: Vec<_> = series.collect::<Result<_, std::num::ParseFloatError>>()?;
        std::fs::write(folder.join(format!("{name}-{pattern}.svg")), chart(pattern, over, up, &series))?;
    }
    Ok(())
}

const COLOURS: [&str; 9] =
    ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#34495e", "#b03a76"];

/// Lines over a common scale, from 0 on.
fn chart(title: &str, over: &str, up: &str, series: &[(String, Vec<(f64, f64)>)]) -> String {
    let points = || series.iter().flat_map(|(_, points)| points);
    let (left, right) = points().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.0), b.max(p.0)));
    let top = points().fold(1e-9f64, |a, p| a.max(p.1)) * 1.05;
    let x = |v: f64| 70.0 + 400.0 * (v - left) / (right - left).max(1e-9);
    let y = |v: f64| 280.0 - 240.0 * v / top;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 620 330\" font-family=\"sans-serif\" font-size=\"12\">\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<rect width=\"620\" height=\"330\" fill=\"white\"/>\n<text x=\"70\" y=\"22\">{title}: {up}</text>"
    );
    let _ = writeln!(svg, "<text x=\"270\" y=\"320\" text-anchor=\"middle\">{over}</text>");
    for k in 0..=4 {
        let value = top * f64::from(k) / 4.0;
        let at = y(value);
        let _ = writeln!(
            svg,
            "<path d=\"M70 {at:.1}H470\" stroke=\"#ddd\"/><text x=\"64\" y=\"{:.1}\" text-anchor=\"end\">{value:.1}</text>",
            at + 4.0
        );
    }
    let mut marks: Vec<f64> = points().map(|p| p.0).collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    for mark in marks {
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"298\" text-anchor=\"middle\">{mark}</text>", x(mark));
    }
    for (k, (name, points)) in series.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let mut points = points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let line: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for p in &points {
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(p.0), y(p.1));
        }
        let _ = writeln!(svg, "<text x=\"485\" y=\"{}\" fill=\"{colour}\">{name}</text>", 44 + 18 * k);
    }
    svg + "</svg>\n"
}
