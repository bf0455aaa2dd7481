//! **What:** what `simulate` says: tables for people, and JSON.

use super::simulate::status;
use super::simulate_outputs::Outputs;
use super::simulate_routers::rooted;
use console::args::SimulateArgs;
use console::failure::Failure;
use console::output::{say, say_json_of, tell};
use console::render::table;
use console::render::{channel, count};
use kernel::{Channel, Network, Node};
use serde_json::json;
use simulate::play::Parallel;
use simulate::{Deadlock, Delivery, Histogram, Latency, Point, Saturation, Settings, Simulator, Sum, Trace};

/// Channels of a circle, and busiest channels, that people are shown.
const MOST_SHOWN: usize = 24;
/// Quantiles of latencies.
pub(super) const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];

/// What was simulated.
pub(super) struct Found<'a> {
    pub network: &'a Network,
    pub settings: &'a Settings,
    pub arguments: &'a SimulateArgs,
    /// One a routing.
    pub answers: Vec<Answered>,
}

/// What came out of one routing.
pub(super) struct Answered {
    pub routes: String,
    /// The root of up-down.
    pub root: Option<Node>,
    pub answer: Answer,
}

/// What came out.
pub(super) enum Answer {
    Point(Point),
    Curve {
        points: Vec<Point>,
        saturation: Option<Saturation>,
        is_whole: bool,
    },
    Saturation {
        points: Vec<Point>,
        saturation: Option<Saturation>,
    },
    Trace(Traced),
    Deadlock {
        deadlock: Deadlock,
        /// The rate at which packets were sent; none of a trace.
        rate: Option<f64>,
    },
}

/// What became of a trace.
pub(super) struct Traced {
    pub deliveries: Vec<Delivery>,
    /// Flits of every channel.
    pub carried: Vec<u64>,
    pub blocked: u64,
    /// The cycle of the last arrival.
    pub last: u64,
}

impl Traced {
    pub(super) fn of(simulator: &Simulator<'_>, network: &Network, trace: Trace) -> Self {
        let deliveries = trace.deliveries().to_vec();
        let last = deliveries.iter().map(|delivery| delivery.arrived).max().unwrap_or(0);
        let carried = network.channels().map(|channel| simulator.carried(channel)).collect();
        Traced { deliveries, carried, blocked: simulator.blocked(), last }
    }

    pub(super) fn spread(&self) -> (Sum, Histogram) {
        let (mut sum, mut spread) = (Sum::default(), Histogram::default());
        for delivery in &self.deliveries {
            sum.count += 1;
            sum.sum += delivery.latency();
            spread.add(delivery.latency());
        }
        (sum, spread)
    }
}

impl Answer {
    /// Nothing, since it was stopped.
    pub(super) fn stopped() -> Self {
        Answer::Curve { points: Vec::new(), saturation: None, is_whole: false }
    }

    /// The same, of the network's own channels.
    pub(super) fn on(mut self, parallel: &Parallel) -> Self {
        if parallel.is_plain() {
            return self;
        }
        match &mut self {
            Answer::Point(point) => point.loads = parallel.by_channel(&point.loads),
            Answer::Curve { points, .. } | Answer::Saturation { points, .. } => {
                points.iter_mut().for_each(|point| point.loads = parallel.by_channel(&point.loads));
            }
            Answer::Trace(traced) => traced.carried = parallel.by_channel(&traced.carried),
            Answer::Deadlock { deadlock, .. } => {
                deadlock.circle.iter_mut().for_each(|held| held.channel = parallel.base(held.channel));
            }
        }
        self
    }

    fn is_good(&self) -> bool {
        match self {
            Answer::Point(point) => !point.is_saturated,
            Answer::Deadlock { .. } => false,
            _ => true,
        }
    }
}

impl Found<'_> {
    /// Writes the files, prints the answers; the exit status.
    pub(super) fn say(&self, outputs: &Outputs) -> Result<u8, Failure> {
        for Answered { answer, .. } in &self.answers {
            match answer {
                Answer::Point(point) if point.is_stopped => return Err(nothing()),
                Answer::Curve { points, .. } if points.is_empty() => return Err(nothing()),
                Answer::Curve { is_whole: false, .. } => {
                    tell("warning: stopped; these are the rates measured so far\n")
                }
                _ => {}
            }
        }
        let files = outputs.save(self.network, &self.answers)?;
        if self.arguments.report.json {
            let mut value = match &self.answers[..] {
                [one] => self.json(one),
                several => {
                    let names: Vec<&str> = several.iter().map(|answered| &*answered.routes).collect();
                    let mut value = self.common(&names.join("; "));
                    value["routings"] = several.iter().map(|answered| self.json(answered)).collect();
                    value
                }
            };
            value["files"] = json!(files);
            say_json_of(self.network, &value)?;
        } else {
            let answers = self.answers.iter().map(|answered| self.people(answered)).collect::<Vec<_>>().join("\n");
            let saved = files.iter().map(|file| format!("\n  saved to {file}"));
            say(&format!("{answers}{}", saved.collect::<String>()))?;
        }
        Ok(status(self.answers.iter().all(|answered| answered.answer.is_good())))
    }

    fn head(&self, routes: &str, what: &str) -> String {
        let traffic = &self.arguments.traffic;
        let packet = traffic.packet.as_deref().unwrap_or("1");
        let pattern = traffic.traffic.as_deref().unwrap_or("uniform");
        let sent = if traffic.trace.is_some() {
            String::new()
        } else {
            format!(", {pattern} traffic, packets of {packet} {}", if packet == "1" { "flit" } else { "flits" })
        };
        let Settings { virtual_channels, buffer, .. } = self.settings;
        let channels = count((*virtual_channels).into(), "virtual channel");
        let flits = count((*buffer).into(), "flit");
        format!("{what} on {}{sent}\n  {routes}, {channels} of {flits}", self.network.name())
    }

    fn people(&self, Answered { routes, root, answer }: &Answered) -> String {
        let routes = &rooted(routes, *root, self.network);
        match answer {
            Answer::Point(point) => self.point(routes, point),
            Answer::Curve { points, saturation, .. } => {
                let mut rows = vec![
                    ["rate", "accepted", "latency", "±", "p50", "p99", "in network", "hops", "blocked per cycle"]
                        .map(String::from)
                        .to_vec(),
                ];
                rows.extend(points.iter().map(row));
                let ends = saturation.iter().map(|saturation| format!("\n  {}", saturated(saturation)));
                let rows = table(&rows).replace('\n', "\n  ");
                format!("{}\n  {rows}{}", self.head(routes, "latency in cycles against rate"), ends.collect::<String>())
            }
            Answer::Saturation { points, saturation } => {
                let zero = points.first().and_then(|point| point.latency.as_ref());
                let zero =
                    zero.map(|latency| format!("\n  latency without contention: {:.2} cycles", latency.mean.mean));
                let found = saturation.as_ref().map(saturated).unwrap_or_default();
                format!("{}\n  {found}{}", self.head(routes, "saturation"), zero.unwrap_or_default())
            }
            Answer::Trace(traced) => {
                let (sum, spread) = traced.spread();
                let mean = sum.mean().unwrap_or(0.0);
                let quantiles = QUANTILES.map(|(name, share)| format!("{name} {}", spread.quantile(share))).join(", ");
                format!(
                    "{}\n  {} packets, the last delivered in cycle {}\n  latency {mean:.2} cycles: {quantiles}, at most {}\n  {} requests were not granted",
                    self.head(routes, "a trace"),
                    sum.count,
                    traced.last,
                    spread.most(),
                    traced.blocked
                )
            }
            Answer::Deadlock { deadlock, rate } => self.deadlock(routes, deadlock, *rate),
        }
    }

    fn point(&self, routes: &str, point: &Point) -> String {
        let mut lines = vec![self.head(routes, "traffic")];
        let most = busiest(&point.loads);
        let mean = point.loads.iter().sum::<f64>() / point.loads.len().max(1) as f64;
        lines.push(format!(
            "  offered {:.4}, accepted {:.4} flits per terminal and cycle",
            point.offered, point.accepted
        ));
        if point.is_saturated {
            lines.push(
                "  saturated: the network carries less than is offered, so latency grows with the length of the run"
                    .into(),
            );
            if let Some(slowest) = point.slowest.filter(|_| point.held_up > 0) {
                lines.push(format!(
                    "  {} of {} terminals are held up, most of all {}: of {:.4} flits per cycle, {:.4} arrive",
                    point.held_up,
                    self.network.terminals().len(),
                    self.network.name_of(slowest.node),
                    slowest.offered,
                    slowest.accepted
                ));
            }
        }
        if let Some(Latency { mean, network, spread }) = &point.latency {
            let half = mean.half.map(|half| format!(" ± {half:.2}")).unwrap_or_default();
            lines.push(format!(
                "  latency {:.2}{half} cycles, {network:.2} of them in the network; {:.2} hops",
                mean.mean, point.hops
            ));
            let quantiles = QUANTILES.map(|(name, share)| format!("{name} {}", spread.quantile(share))).join(", ");
            lines.push(format!("  {quantiles}, at most {}, of {} packets", spread.most(), spread.count()));
        }
        if let Some(most) = most {
            let [from, to] = [self.network.from(most), self.network.to(most)].map(|node| self.network.name_of(node));
            lines.push(format!(
                "  channels carry {mean:.3} flits per cycle on average, at most {:.3}, from {from} to {to}",
                point.loads[most.index()]
            ));
        }
        lines.push(format!(
            "  {} cycles, {} warm-up windows; {:.3} requests per cycle were not granted",
            point.cycles, point.warm, point.blocked
        ));
        lines.join("\n")
    }

    fn deadlock(&self, routes: &str, deadlock: &Deadlock, rate: Option<f64>) -> String {
        let network = self.network;
        let name = |node| network.name_of(node);
        let held = |held: &simulate::Held| {
            let channel = channel(network, held.channel, " > ");
            let packet =
                held.packet.map(|ends| format!(": a packet from {} to {}", name(ends.source), name(ends.destination)));
            format!("\n  {channel}, virtual channel {}{}", held.vc, packet.unwrap_or_default())
        };
        let shown: String = deadlock.circle.iter().take(MOST_SHOWN).map(held).collect();
        let more = deadlock.circle.len().saturating_sub(MOST_SHOWN);
        let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
        let at = rate.map(|rate| format!(", at a rate of {rate:.4} flits per terminal and cycle")).unwrap_or_default();
        format!(
            "{}\n  deadlock in cycle {}{at}: {} virtual channels are permanently blocked; each of these is held by a packet that holds or waits for the next{shown}{more}",
            self.head(routes, "deadlock"),
            deadlock.cycle,
            deadlock.stuck
        )
    }
}

fn nothing() -> Failure {
    Failure::no("stopped before anything was measured")
        .hint("allow more with --time SECONDS, or measure less with --window and --batches")
}

/// The channel that carries most.
fn busiest(loads: &[f64]) -> Option<Channel> {
    let most = loads.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
    most.map(|(channel, _)| Channel::new(channel))
}

fn saturated(saturation: &Saturation) -> String {
    match saturation.refused {
        Some(refused) => {
            format!("saturated between {:.4} and {refused:.4} flits per terminal and cycle", saturation.carried)
        }
        None => {
            format!(
                "not saturated: {:.4} flits per terminal and cycle, the most that nodes can send",
                saturation.carried
            )
        }
    }
}

fn row(point: &Point) -> Vec<String> {
    let mut row = vec![format!("{:.4}", point.rate), format!("{:.4}", point.accepted)];
    match &point.latency {
        Some(Latency { mean, network, spread }) if !point.is_saturated => {
            row.push(format!("{:.2}", mean.mean));
            row.push(mean.half.map_or("-".into(), |half| format!("{half:.2}")));
            row.extend([0.5, 0.99].map(|share| spread.quantile(share).to_string()));
            row.push(format!("{network:.2}"));
        }
        _ => row.extend([if point.is_saturated { "saturated" } else { "-" }, "", "", "", ""].map(String::from)),
    }
    row.extend([format!("{:.2}", point.hops), format!("{:.3}", point.blocked)]);
    row
}
