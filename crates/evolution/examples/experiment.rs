//! **What:** the dissertation's experiments with evolution: `cargo xtask experiment NAME [RUNS [SECONDS]]`, or
//! `cargo xtask experiment full [SECONDS [PATIENCE [METHOD [NAME]]]]` for all of them at the dissertation's scale.
//!
//! **Parameters:** NAME, then runs a cell (default 3) and seconds of the processor a run (default 4; 0: no limit). At full
//! scale a run ends after 500 000 generations, and there are 30 runs a cell (`scalability` 10, `networks` 5), as there. Every
//! run is a line of `docs/measurements/evolution/NAME.tsv` (`full-NAME.tsv`); a run that has its line is not run again, so an
//! interrupted experiment goes on where it was. Pictures are drawn from the lines, with 0 runs a cell from those that are
//! there. Seconds are those of the processor: what else the machine does counts little.
//!
//! Full scale takes days, so it goes in pieces: SECONDS (0: no limit) for this piece, PATIENCE seconds (0: no limit) after
//! which a run is given up without a line and its cell left for a piece with more, one METHOD (`all`) and one NAME. A run
//! of `population` also ends where no fewer conflicts are possible, since nothing changes its best after that.
//!
//! **Source:** the dissertation: Tables 7.1 to 7.4 and Figures 7.6 and 7.7 (`scalability`; `beyond`: where it prints no
//! success), Figures 7.1 to 7.4 (`population`), Figure 7.5 (`speed`), Table 8.23 (`networks`).

use cpu_time::ProcessTime;
use evolution::{Evolution, Generation, Trial};
use kernel::{Certificate, Collective, Model, Problem, Proof, Rational};
use pictures::palette::LIGHT;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use run::{Progress, Run, Seed, Settings, Silent};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, create_dir_all, read_to_string};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const METHODS: [&str; 3] = ["sga", "umda", "mboa"];
const PATTERNS: [&str; 4] = ["OAS", "AAS", "OAB", "AAB"];
const EXPERIMENTS: [&str; 5] = ["scalability", "beyond", "population", "speed", "networks"];
const PROBABILITIES: [f64; 5] = [0.0, 0.2, 0.5, 0.7, 0.9];
const HEAD: &str = "method\tnetwork\tpattern\tpopulation\tcrossover\tmutation\trefine\tdrawn\tslack\tsteps\tfloor\tseed\tsolved\tbest\tgenerations\tevaluations\tseconds";

/// One cell: all that is the same for its runs.
#[derive(Clone, Copy)]
struct Cell {
    method: &'static str,
    network: &'static str,
    pattern: &'static str,
    population: u32,
    crossover: f64,
    mutation: f64,
    refine: u32,
    drawn: f64,
    slack: u32,
    /// Steps below the floor, so that no run ends early and conflicts can be compared.
    below: u64,
}

/// How long a run may last.
#[derive(Clone, Copy)]
struct Limit {
    /// Of the processor.
    seconds: f64,
    generations: u64,
    /// Whether what is stopped by the clock leaves no line.
    whole: bool,
    /// Whether a run ends where fewer conflicts are impossible.
    settles: bool,
}

/// Stops a run at the least number of conflicts possible.
struct Watch<'a> {
    least: u32,
    stop: &'a AtomicBool,
}

impl Progress for Watch<'_> {
    fn generation(&self, generation: &Generation) {
        if generation.best <= self.least {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

type Failure = Box<dyn std::error::Error>;

fn usual(method: &'static str, network: &'static str, pattern: &'static str) -> Cell {
    let (population, crossover, mutation, refine, drawn) = (100, 0.9, 0.9, 100, 0.01);
    Cell { method, network, pattern, population, crossover, mutation, refine, drawn, slack: 0, below: 0 }
}

/// One step below the floor on 16 nodes, which compares settings.
fn benchmark(method: &'static str, pattern: &'static str) -> Cell {
    Cell { below: 1, ..usual(method, "hypercube:4", pattern) }
}

fn cells(name: &str) -> Option<Vec<Cell>> {
    let each = |methods: &[&'static str], networks: &[&'static str], patterns: &[&'static str]| {
        let mut cells = Vec::new();
        for (&network, &pattern) in networks.iter().flat_map(|n| patterns.iter().map(move |p| (n, p))) {
            cells.extend(methods.iter().map(|&m| usual(m, network, pattern)));
        }
        cells
    };
    let benchmarks = || METHODS.iter().flat_map(|&m| ["AAS", "AAB"].map(|p| benchmark(m, p)));
    Some(match name {
        "scalability" => {
            let cubes = ["hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6", "hypercube:7"];
            [
                each(&METHODS, &cubes, &["OAS", "OAB"]),
                each(&METHODS, &cubes[..3], &["AAS"]),
                each(&METHODS, &cubes[..4], &["AAB"]),
            ]
            .concat()
        }
        "beyond" => [each(&METHODS, &["hypercube:6"], &["AAS"]), each(&METHODS, &["hypercube:7"], &["AAB"])].concat(),
        "networks" => {
            let all = [
                "ring:8",
                "ring-uni:8",
                "spidergon:8",
                "petersen",
                "kautz:3,2",
                "heawood",
                "spidergon:16",
                "levi",
                "hypercube:5",
                "kautz:3,3",
            ];
            let mut cells = each(&["umda"], &all, &PATTERNS);
            // Its shortest paths alone do not reach these floors.
            let tight = |c: &&mut Cell| c.network == "kautz:3,3" && c.pattern.ends_with('S');
            cells.iter_mut().filter(tight).for_each(|c| c.slack = 1);
            cells
        }
        // The technique as the dissertation has it: no refinement, all genes from the model.
        "population" => {
            let mut cells = Vec::new();
            for plain in benchmarks().map(|c| Cell { refine: 0, drawn: 1.0, ..c }) {
                for (population, mutation) in [50, 100, 150].into_iter().flat_map(|n| PROBABILITIES.map(|m| (n, m))) {
                    let crossed = if plain.method == "sga" { &PROBABILITIES[..] } else { &[0.9] };
                    let cell = |&crossover: &f64| Cell { population, mutation, crossover, ..plain };
                    cells.extend(crossed.iter().map(cell));
                }
            }
            cells
        }
        "speed" => {
            let variants = [(100, 0.01), (0, 0.01), (0, 1.0)];
            let all = benchmarks().flat_map(|c| variants.map(|(refine, drawn)| Cell { refine, drawn, ..c }));
            // Nothing is drawn from a model in `sga`.
            let all = all.filter(|c| c.method != "sga" || c.drawn < 1.0);
            all.flat_map(|c| [50, 100, 150].map(|population| Cell { population, ..c })).collect()
        }
        _ => return None,
    })
}

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let folder = Path::new("docs/measurements/evolution");
    create_dir_all(folder)?;
    if name == "full" {
        let mut number = || words.next().map_or(Ok(0.0), |w| w.parse::<f64>());
        let (seconds, patience) = (number()?, number()?);
        let method = words.next().filter(|w| w != "all");
        let only = words.next();
        let deadline = (seconds > 0.0).then(|| Instant::now() + Duration::from_secs_f64(seconds));
        for name in EXPERIMENTS.into_iter().filter(|name| only.as_ref().is_none_or(|only| only == name)) {
            let runs = match name {
                "scalability" | "beyond" => 10,
                "networks" => 5,
                _ => 30,
            };
            let limit = Limit { seconds: patience, generations: 500_000, whole: true, settles: name == "population" };
            experiment(folder, name, "full-", runs, limit, method.as_deref(), deadline)?;
        }
        return Ok(());
    }
    let (runs, seconds) = (words.next().map_or(Ok(3), |w| w.parse())?, words.next().map_or(Ok(4.0), |w| w.parse())?);
    experiment(
        folder,
        &name,
        "",
        runs,
        Limit { seconds, generations: 500_000, whole: false, settles: false },
        None,
        None,
    )
}

fn experiment(
    folder: &Path,
    name: &str,
    prefix: &str,
    runs: u64,
    limit: Limit,
    method: Option<&str>,
    deadline: Option<Instant>,
) -> Result<(), Failure> {
    let Some(mut cells) = cells(name) else {
        return Err(format!("`{name}` is no experiment; there are {} and full", EXPERIMENTS.join(", ")).into());
    };
    cells.retain(|cell| method.is_none_or(|method| method == cell.method));
    let path = folder.join(format!("{prefix}{name}.tsv"));
    if !path.exists() {
        writeln!(File::create(&path)?, "{HEAD}")?;
    }
    let known = read_to_string(&path)?;
    let mut file = OpenOptions::new().append(true).open(&path)?;
    // One run of every cell after another: whatever is interrupted has seen all cells alike.
    for seed in 1..=runs {
        let mut patient = Vec::with_capacity(cells.len());
        for cell in cells {
            let left = deadline.map_or(f64::MAX, |d| d.saturating_duration_since(Instant::now()).as_secs_f64());
            if left == 0.0
                || measure(&cell, seed, Limit { seconds: shorter(limit.seconds, left), ..limit }, &known, &mut file)?
            {
                patient.push(cell);
            }
        }
        cells = patient;
    }
    draw(&read_to_string(&path)?, folder, prefix, name)
}

/// The lesser of a limit, where 0 is none, and the time that is left.
fn shorter(limit: f64, left: f64) -> f64 {
    match (limit > 0.0, left < f64::MAX) {
        (true, _) => limit.min(left),
        (false, true) => left,
        (false, false) => 0.0,
    }
}

/// Conflicts that no candidate without late deliveries avoids: uses of channels along shortest paths, or a channel a delivery
/// that may come from a neighbour, beyond what the channels carry.
fn least_conflicts(problem: &Problem, pattern: &str, steps: u64) -> Result<u32, Failure> {
    let (network, collective) = (problem.network(), problem.collective());
    let uses = if pattern.ends_with('S') {
        let proof = Proof::Lengths { weights: vec![Rational::whole(1); network.channel_count()].into() };
        kernel::certify(problem, Certificate { steps: 1, proof })?.lengths_quotient().ok_or("no weights")?.0
    } else {
        let receivers = collective.messages().map(|m| collective.destinations(m).len() as u128);
        receivers.sum()
    };
    let carried = u128::from(steps * network.capacity_of(network.channels()));
    Ok(u32::try_from(uses.saturating_sub(carried))?)
}

/// Runs a cell once and writes its line, unless it has one; false where the run was given up without a line.
fn measure(cell: &Cell, seed: u64, limit: Limit, known: &str, file: &mut File) -> Result<bool, Failure> {
    let Cell { method, network, pattern, population, crossover, mutation, refine, drawn, slack, below } = *cell;
    let setting =
        format!("{method}\t{network}\t{pattern}\t{population}\t{crossover}\t{mutation}\t{refine}\t{drawn}\t{slack}\t");
    let seeded = |line: &str| line.starts_with(&setting) && line.split('\t').nth(11) == Some(&seed.to_string());
    if known.lines().any(seeded) {
        return Ok(true);
    }
    let network = topologies::parse(network)?;
    let t = network.terminals().to_vec();
    let collective = match pattern {
        "OAS" => Collective::scatter(t[0], &t),
        "OAB" => Collective::broadcast(t[0], &t),
        "AAS" => Collective::alltoall(&t, &t),
        _ => Collective::allgather(&t, &t),
    };
    let problem = Problem::new(network, collective, Model::wormhole())?;
    let stop = AtomicBool::new(false);
    let settings = Settings { seed: Seed(seed), slack: Some(slack), ..Settings::default() };
    let certificate = bounds::strongest(&problem, &Run::new(settings, &Silent, &stop));
    let floor = kernel::certify(&problem, certificate).map_err(|_| "a bound that is none")?.steps();
    let mut engine = Evolution::named(method).ok_or("unknown method")?;
    let mut values = vec![
        ("population", f64::from(population)),
        ("mutation", mutation),
        ("refine", f64::from(refine)),
        ("generations", limit.generations as f64),
    ];
    values.push(if method == "sga" { ("crossover", crossover) } else { ("drawn", drawn) });
    for (name, value) in values {
        engine.parameters.set(method, name, &value.to_string())?;
    }
    // Refinement trades conflicts for late deliveries, of which fewer may be enough.
    let least = if refine == 0 && limit.settles { least_conflicts(&problem, pattern, floor - below)? } else { 0 };
    let watch = Watch { least, stop: &stop };
    let begun = ProcessTime::now();
    let trial =
        limited(&stop, limit.seconds, || engine.trial(&problem, floor - below, &Run::new(settings, &watch, &stop)))?;
    let took = begun.elapsed().as_secs_f64();
    if limit.whole && stop.into_inner() && trial.last.best > least {
        eprintln!("{setting}{seed}: given up after {took:.1} s");
        return Ok(false);
    }
    let solved = trial.schedule.is_some_and(|schedule| kernel::verify(&problem, schedule).is_ok());
    let last = trial.last;
    let line = format!(
        "{setting}{}\t{floor}\t{seed}\t{solved}\t{}\t{}\t{}\t{took:.3}",
        floor - below,
        last.best,
        last.generation,
        last.evaluations
    );
    eprintln!("{line}");
    writeln!(file, "{line}")?;
    Ok(true)
}

/// Sets `stop` once the process has used so many seconds of the processor.
fn limited<E>(stop: &AtomicBool, seconds: f64, work: impl FnOnce() -> Result<Trial, E>) -> Result<Trial, E> {
    let begun = ProcessTime::now();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        if seconds > 0.0 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(5));
                    if begun.elapsed().as_secs_f64() > seconds {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
        let made = work();
        over.store(true, Ordering::Relaxed);
        made
    })
}

/// All values at each place on the axis.
type Values = BTreeMap<String, Vec<f64>>;

/// Pictures of an experiment: conflicts over mutation, evaluations over nodes, or speed over population. A mark is the mean of
/// the runs, its bar reaches from the least to the largest.
fn draw(lines: &str, folder: &Path, prefix: &str, name: &str) -> Result<(), Failure> {
    let (x, y, over, up) = match name {
        "population" => (5, 13, "mutation probability", "conflicts left"),
        "scalability" => (1, 15, "network", "evaluations of runs that ended without conflicts"),
        "speed" => (3, 15, "population", "evaluations a second"),
        _ => return Ok(()),
    };
    let mut charts: BTreeMap<String, BTreeMap<String, Values>> = BTreeMap::new();
    for line in lines.lines().skip(1) {
        let parts: Vec<&str> = line.split('\t').collect();
        let (method, pattern) = (parts[0], parts[2]);
        let (chart, series) = match (name, method) {
            ("population", "sga") => (format!("{pattern}-sga-{}", parts[3]), format!("crossover {}", parts[4])),
            ("population", _) => (format!("{pattern}-{method}"), format!("{} candidates", parts[3])),
            ("speed", "sga") => (pattern.to_owned(), format!("sga, refine {}", parts[6])),
            ("speed", _) => (pattern.to_owned(), format!("{method}, refine {}, drawn {}", parts[6], parts[7])),
            _ => (pattern.to_owned(), method.to_owned()),
        };
        if name == "scalability" && parts[12] != "true" {
            continue;
        }
        let mut value: f64 = parts[y].parse()?;
        if name == "speed" {
            value /= parts[16].parse::<f64>()?;
        }
        charts.entry(chart).or_default().entry(series).or_default().entry(parts[x].to_owned()).or_default().push(value);
        if name == "population" {
            // The settings of each method side by side; the best is marked by the end of its bar.
            let all = charts.entry(format!("{pattern}-all")).or_default().entry(method.to_owned()).or_default();
            all.entry(parts[5].to_owned()).or_default().push(value);
        }
    }
    for (chart, series) in charts {
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
            title: format!("{chart}: {up}"),
            x: Axis {
                label: over.into(),
                scale: if name == "scalability" { Scale::Names(words) } else { Scale::Linear },
            },
            y: Axis { label: up.into(), scale: if name == "population" { Scale::Linear } else { Scale::Log } },
            series: lines.collect::<Result<_, std::num::ParseFloatError>>()?,
            references: Vec::new(),
        };
        plot.draw(&LIGHT, &mut File::create(folder.join(format!("{prefix}{name}-{chart}.svg")))?)?;
    }
    Ok(())
}
