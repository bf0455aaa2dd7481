//! **What:** the files of `simulate`: the picture of a curve, and tables of points, loads and packets.

use super::simulate_report::{Answer, Answered};
use console::args::SimulateArgs;
use console::failure::Failure;
use console::output;
use exports::plot::{Axis, Plot, Point as Mark, Scale, Series, Style};
use exports::svg::{DARK, LIGHT};
use kernel::Network;
use simulate::Point;
use std::path::PathBuf;

/// Latencies that are drawn, over the least.
const MOST_SHOWN: f64 = 10.0;

/// Where answers go.
pub(super) struct Outputs {
    pictures: Vec<PathBuf>,
    tables: Vec<PathBuf>,
    dark: bool,
    pattern: String,
}

impl Outputs {
    /// What the arguments ask for; an unwritable place is known before the work.
    pub(super) fn new(arguments: &SimulateArgs) -> Result<Self, Failure> {
        let measure = &arguments.measure;
        let mut outputs = Outputs {
            pictures: Vec::new(),
            tables: Vec::new(),
            dark: measure.dark,
            pattern: arguments.traffic.traffic.clone().unwrap_or_else(|| "uniform".into()),
        };
        for path in &measure.output {
            match formats::ending(path).as_str() {
                "svg" if arguments.traffic.curve.is_some() => outputs.pictures.push(path.clone()),
                "svg" => {
                    return Err(
                        Failure::input(format!("-o {}: only curves are drawn", path.display())).hint("add --curve")
                    );
                }
                "csv" if arguments.traffic.saturation => {
                    return Err(Failure::input(format!("-o {}: saturation is one number", path.display()))
                        .hint("--curve writes the points up to saturation"));
                }
                "csv" if arguments.traffic.trace.is_some() && arguments.routers.routing.len() > 1 => {
                    return Err(Failure::input(format!(
                        "-o {}: the packets of one routing are written",
                        path.display()
                    ))
                    .hint("name only one --routing"));
                }
                "csv" => outputs.tables.push(path.clone()),
                _ => {
                    return Err(Failure::input(format!("-o {}: no format has the ending of this name", path.display()))
                        .hint("name a file that ends in .svg (the curve) or .csv (points, loads of channels, packets of a trace)"));
                }
            }
            output::probe(path)?;
        }
        Ok(outputs)
    }

    /// Writes everything; the names of the files.
    pub(super) fn save(&self, network: &Network, answers: &[Answered]) -> Result<Vec<String>, Failure> {
        if answers.iter().all(|answered| matches!(answered.answer, Answer::Deadlock { .. })) {
            return Ok(Vec::new());
        }
        for path in &self.pictures {
            let theme = if self.dark { &DARK } else { &LIGHT };
            exports::plot::write(&self.plot(network, answers), theme, path).map_err(output::unwritten)?;
        }
        for path in &self.tables {
            match answers {
                [Answered { answer: Answer::Trace(traced), .. }] => {
                    exports::flits::write_trace(&traced.deliveries, path).map_err(output::unwritten)?;
                }
                [Answered { answer: Answer::Point(point), .. }] => {
                    output::write(path, loads(network, point).as_bytes())?;
                }
                _ => output::write(path, rows(answers).as_bytes())?,
            }
        }
        Ok(self.pictures.iter().chain(&self.tables).map(|path| path.display().to_string()).collect())
    }

    /// Latency over the rate.
    fn plot(&self, network: &Network, answers: &[Answered]) -> Plot {
        // Close to saturation latencies are many times those of all other rates, which would lie on the axis.
        let mean_of = |point: &Point| point.latency.as_ref().map_or(0.0, |latency| latency.mean.mean);
        let all = answers.iter().flat_map(|answered| points(&answered.answer));
        let least = all.map(mean_of).filter(|mean| *mean > 0.0).fold(f64::INFINITY, f64::min);
        let is_shown = |point: &&Point| !point.is_saturated && mean_of(point) <= MOST_SHOWN * least;
        let series = |answered: &Answered, name: &str, mark: &dyn Fn(&Point) -> Option<Mark>| Series {
            name: if answers.len() > 1 { format!("{}, {name}", answered.routes) } else { name.into() },
            style: Style::Line,
            points: points(&answered.answer).iter().filter(is_shown).filter_map(mark).collect(),
        };
        let mean = |point: &Point| {
            let latency = point.latency.as_ref()?;
            let half = latency.mean.half.unwrap_or(0.0);
            let y = latency.mean.mean;
            Some(Mark { x: point.rate, y, spread: Some((y - half, y + half)) })
        };
        let quantile = |share: f64| {
            move |point: &Point| {
                // Cycles of a run are below 2^53.
                point.latency.as_ref().map(|latency| Mark::new(point.rate, latency.spread.quantile(share) as f64))
            }
        };
        Plot {
            title: format!("{} traffic on {}", self.pattern, network.name()),
            x: Axis { label: "rate in flits per terminal and cycle".into(), scale: Scale::Linear },
            y: Axis { label: "latency in cycles".into(), scale: Scale::Linear },
            series: (answers.iter())
                .flat_map(|answered| {
                    // Beside each other means are enough.
                    let tail = (answers.len() == 1).then(|| series(answered, "99 % of packets", &quantile(0.99)));
                    std::iter::once(series(answered, "mean", &mean)).chain(tail)
                })
                .collect(),
            references: Vec::new(),
        }
    }
}

/// The points of a curve, or of one rate.
fn points(answer: &Answer) -> &[Point] {
    match answer {
        Answer::Curve { points, .. } => points,
        Answer::Point(point) => std::slice::from_ref(point),
        Answer::Saturation { .. } | Answer::Trace(_) | Answer::Deadlock { .. } => &[],
    }
}

/// The points of all curves; of several with their routings.
fn rows(answers: &[Answered]) -> String {
    let is_one = answers.len() == 1;
    let mut text = String::from(if is_one { "" } else { "routing," });
    text.push_str(
        "rate,offered,accepted,saturated,latency,half_interval_95,network_latency,p50,p95,p99,p99.9,most,packets,hops,blocked,cycles\n",
    );
    for Answered { routes, answer, .. } in answers {
        for point in points(answer) {
            let latency = point.latency.as_ref().map(|latency| {
                let quantiles = [0.5, 0.95, 0.99, 0.999].map(|share| latency.spread.quantile(share).to_string());
                let (half, quantiles) = (latency.mean.half.map(|half| half.to_string()), quantiles.join(","));
                let (most, packets) = (latency.spread.most(), latency.spread.count());
                let half = half.unwrap_or_default();
                format!("{},{half},{},{quantiles},{most},{packets}", latency.mean.mean, latency.network)
            });
            let latency = latency.unwrap_or_else(|| ",,,,,,,,".into());
            let Point { rate, offered, accepted, is_saturated, hops, blocked, cycles, .. } = point;
            if !is_one {
                text.push_str(&format!("{},", routes.replace(',', ";")));
            }
            text.push_str(&format!("{rate},{offered},{accepted},{is_saturated},{latency},{hops},{blocked},{cycles}\n"));
        }
    }
    text
}

/// The loads of channels.
fn loads(network: &Network, point: &Point) -> String {
    let more = if network.names().is_some() { ",from_name,to_name" } else { "" };
    let mut text = format!("channel,from,to,flits_a_cycle{more}\n");
    for (channel, load) in network.channels().zip(&point.loads) {
        let (from, to) = (network.from(channel), network.to(channel));
        text.push_str(&format!("{channel},{from},{to},{load}"));
        for name in network.names().into_iter().flat_map(|names| [&names[from.index()], &names[to.index()]]) {
            text.push_str(&format!(",{}", exports::csv::field(name)));
        }
        text.push('\n');
    }
    text
}
