//! **What:** pictures of an experiment: conflicts over mutation, evaluations over nodes, or speed over population; of one of the
//! user's own, evaluations and conflicts over networks. A mark is the mean of the runs, its bar reaches from the least to the largest.

use crate::{Cell, ExperimentError, OWN, Record};
use pictures::palette::LIGHT;
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// All values at each place on the axis.
type Values = BTreeMap<String, Vec<f64>>;

/// The lines of each picture, by their names.
type Charts = BTreeMap<String, BTreeMap<String, Values>>;

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

/// What is drawn of an experiment of the user's own, a picture for each collective.
const OF_OWN: [Drawn; 2] = [
    Drawn {
        over: "network",
        up: "evaluations of runs that ended without conflicts",
        place: |record| record.network.clone(),
        value: |record| record.solved.then_some(record.evaluations as f64),
    },
    Drawn {
        over: "network",
        up: "conflicts left",
        place: |record| record.network.clone(),
        value: |record| Some(f64::from(record.best)),
    },
];

/// Draws what there is to draw; the files.
pub(crate) fn draw(
    cells: &[Cell],
    records: &[Record],
    folder: &Path,
    prefix: &str,
    name: &str,
) -> Result<Vec<PathBuf>, ExperimentError> {
    let mut files = Vec::new();
    let mut save = |drawn: &Drawn, charts: Charts| -> Result<(), ExperimentError> {
        for (chart, series) in charts {
            let path = folder.join(format!("{prefix}{name}-{chart}.svg"));
            let io = |source| ExperimentError::Io { path: path.clone(), source };
            plot(drawn, &chart, &series).draw(&LIGHT, &mut File::create(&path).map_err(io)?).map_err(io)?;
            files.push(path);
        }
        Ok(())
    };
    if name == OWN {
        for drawn in OF_OWN {
            save(&drawn, own_charts(cells, records, &drawn))?;
        }
        return Ok(files);
    }
    let Some(drawn) = drawn(name) else { return Ok(Vec::new()) };
    let mut charts = Charts::new();
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
    save(&drawn, charts)?;
    Ok(files)
}

/// A picture for each collective, in which every method and its parameters are a line.
fn own_charts(cells: &[Cell], records: &[Record], drawn: &Drawn) -> Charts {
    let mut charts = Charts::new();
    let file = if drawn.up.starts_with("conflicts") { "-left" } else { "" };
    for cell in cells {
        let apart = cell.differences(cells);
        let line = if apart.is_empty() { cell.method.to_owned() } else { format!("{}, {apart}", cell.method) };
        for record in records.iter().filter(|record| record.is_of(cell)) {
            let Some(value) = (drawn.value)(record) else { continue };
            let chart = charts.entry(format!("{}{file}", cell.pattern)).or_default();
            chart.entry(line.clone()).or_default().entry((drawn.place)(record)).or_default().push(value);
        }
    }
    charts
}

/// Numbers in words of both by their values, the rest as text.
fn naturally(a: &str, b: &str) -> Ordering {
    let number = |word: &str| word.trim_end_matches(',').parse::<f64>().ok();
    let compared = a.split(' ').zip(b.split(' ')).map(|(a, b)| match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    compared.fold(Ordering::Equal, Ordering::then).then_with(|| a.cmp(b))
}

fn plot(drawn: &Drawn, chart: &str, series: &BTreeMap<String, Values>) -> Plot {
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
    let mut series: Vec<Series> = series.iter().map(line).collect();
    series.sort_by(|a, b| naturally(&a.name, &b.name));
    let has_bars = series.iter().any(|line| line.points.iter().any(|point| point.spread.is_some()));
    let bars = if has_bars { " (mean; bars: least and largest)" } else { "" };
    let is_log = !drawn.up.starts_with("conflicts");
    let words = names.iter().map(|n| (*n).clone()).collect();
    Plot {
        title: format!("{chart}: {}", drawn.up),
        x: Axis {
            label: drawn.over.into(),
            scale: if drawn.over == "network" { Scale::Names(words) } else { Scale::Linear },
        },
        y: Axis { label: format!("{}{bars}", drawn.up), scale: if is_log { Scale::Log } else { Scale::Linear } },
        series,
        references: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_is_in_the_order_of_its_numbers() {
        let mut names = ["150 candidates", "50 candidates", "umda, refine 100", "100 candidates", "umda, refine 0"];
        names.sort_by(|a, b| naturally(a, b));
        assert_eq!(names[..3], ["50 candidates", "100 candidates", "150 candidates"]);
        assert_eq!(names[3..], ["umda, refine 0", "umda, refine 100"]);
    }
}
