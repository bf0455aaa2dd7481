//! **What:** pictures of an experiment: conflicts over mutation, evaluations over nodes, or speed over population. A mark is the mean of
//! the runs, its bar reaches from the least to the largest.

use crate::{ExperimentError, Record};
use pictures::palette::LIGHT;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// All values at each place on the axis.
type Values = BTreeMap<String, Vec<f64>>;

/// What is drawn of an experiment.
struct Drawn {
    over: &'static str,
    up: &'static str,
    place: fn(&Record) -> String,
    value: fn(&Record) -> Option<f64>,
}

fn drawn(name: &str) -> Option<Drawn> {
    Some(match name {
        "population" => Drawn {
            over: "mutation probability",
            up: "conflicts left",
            place: |record| record.mutation.to_string(),
            value: |record| Some(f64::from(record.best)),
        },
        "scalability" => Drawn {
            over: "network",
            up: "evaluations of runs that ended without conflicts",
            place: |record| record.network.clone(),
            value: |record| record.solved.then_some(record.evaluations as f64),
        },
        "speed" => Drawn {
            over: "population",
            up: "evaluations a second",
            place: |record| record.population.to_string(),
            value: |record| (record.seconds > 0.0).then(|| record.evaluations as f64 / record.seconds),
        },
        _ => return None,
    })
}

/// The chart that a record is in, and its line there.
fn chart(name: &str, record: &Record) -> (String, String) {
    let Record { method, pattern, population, crossover, refine, drawn, .. } = record;
    match (name, method.as_str()) {
        ("population", "sga") => (format!("{pattern}-sga-{population}"), format!("crossover {crossover}")),
        ("population", _) => (format!("{pattern}-{method}"), format!("{population} candidates")),
        ("speed", "sga") => (pattern.clone(), format!("sga, refine {refine}")),
        ("speed", _) => (pattern.clone(), format!("{method}, refine {refine}, drawn {drawn}")),
        _ => (pattern.clone(), method.clone()),
    }
}

/// Draws what there is to draw; the files.
pub(crate) fn draw(
    records: &[Record],
    folder: &Path,
    prefix: &str,
    name: &str,
) -> Result<Vec<PathBuf>, ExperimentError> {
    let Some(drawn) = drawn(name) else { return Ok(Vec::new()) };
    let mut charts: BTreeMap<String, BTreeMap<String, Values>> = BTreeMap::new();
    for record in records {
        let Some(value) = (drawn.value)(record) else { continue };
        let place = (drawn.place)(record);
        let (at, series) = chart(name, record);
        charts.entry(at).or_default().entry(series).or_default().entry(place.clone()).or_default().push(value);
        if name == "population" {
            // The settings of each method side by side; the best is marked by the end of its bar.
            let all = charts.entry(format!("{}-all", record.pattern)).or_default();
            all.entry(record.method.clone()).or_default().entry(place).or_default().push(value);
        }
    }
    let mut files = Vec::new();
    for (chart, series) in charts {
        let path = folder.join(format!("{prefix}{name}-{chart}.svg"));
        let io = |source| ExperimentError::Io { path: path.clone(), source };
        plot(&drawn, name, &chart, &series).draw(&LIGHT, &mut File::create(&path).map_err(io)?).map_err(io)?;
        files.push(path);
    }
    Ok(files)
}

fn plot(drawn: &Drawn, name: &str, chart: &str, series: &BTreeMap<String, Values>) -> Plot {
    let names: BTreeSet<&String> = series.values().flat_map(Values::keys).collect();
    // A place is a number, or it is the name of a network and stands in the order of all.
    let at = |place: &String| place.parse().unwrap_or(names.iter().position(|n| *n == place).unwrap_or(0) as f64);
    let point = |(place, values): (&String, &Vec<f64>)| Point {
        x: at(place),
        y: values.iter().sum::<f64>() / values.len() as f64,
        spread: (values.len() > 1)
            .then(|| values.iter().fold((f64::MAX, f64::MIN), |(least, most), v| (least.min(*v), most.max(*v)))),
    };
    let line = |(name, values): (&String, &Values)| {
        let mut points: Vec<Point> = values.iter().map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.clone(), style: Style::Line, points }
    };
    let words = names.iter().map(|n| (*n).clone()).collect();
    Plot {
        title: format!("{chart}: {}", drawn.up),
        x: Axis {
            label: drawn.over.into(),
            scale: if name == "scalability" { Scale::Names(words) } else { Scale::Linear },
        },
        y: Axis { label: drawn.up.into(), scale: if name == "population" { Scale::Linear } else { Scale::Log } },
        series: series.iter().map(line).collect(),
        references: Vec::new(),
    }
}
