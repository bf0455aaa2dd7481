//! **What:** `network`: what a network is, or the network as a file.

use console::args::NetworkArgs;
use console::failure::Failure;
use console::network_report::{self, Document, NetworkReport};
use console::outline::Outline;
use console::output::{self, say, say_json, say_json_of};
use console::render::count;
use console::{links, lists, network, progress};
use exports::svg::{Ends, theme};
use kernel::{Network, Node, Rational};
use serde::Serialize;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    network: Document<'a>,
    ports: Ports,
    capacities: Vec<Width>,
    /// Whether nodes have positions.
    positions: bool,
    half_duplex_groups: usize,
    /// Of channels, where the network has bandwidths; `null` where not.
    #[serde(rename = "bandwidth_GBps")]
    bandwidth: Option<Span>,
    latency_us: Option<Span>,
    file: Option<String>,
}

/// The largest number of messages a terminal sends and receives in a step; `null` where only channels limit it.
#[derive(Serialize)]
struct Ports {
    send: Option<u32>,
    receive: Option<u32>,
}

/// The least and the largest of some numbers.
#[derive(Serialize)]
struct Span {
    min: f64,
    max: f64,
}

impl Span {
    fn of(numbers: &[Rational]) -> Option<Self> {
        let numbers = numbers.iter().map(|number| number.numerator as f64 / number.denominator as f64);
        numbers.fold(None, |span, number| {
            let Span { min, max } = span.unwrap_or(Span { min: number, max: number });
            Some(Span { min: min.min(number), max: max.max(number) })
        })
    }
}

/// Different numbers that are listed with how many channels have each.
const LISTED: usize = 6;

/// How many channels have which of some numbers, the largest first, or their least and largest where too many differ.
fn each(numbers: &[Rational], unit: &str) -> Option<String> {
    let span = Span::of(numbers)?;
    let mut counts = std::collections::HashMap::<Rational, usize>::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_default() += 1);
    if counts.len() == 1 || counts.len() > LISTED {
        return Some(format!("{span} {unit} a channel"));
    }
    let float = |(number, channels): (Rational, usize)| (number.numerator as f64 / number.denominator as f64, channels);
    let mut counts: Vec<(f64, usize)> = counts.into_iter().map(float).collect();
    counts.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let parts =
        counts.iter().map(|(number, channels)| format!("{number} {unit} on {}", count(*channels as u64, "channel")));
    Some(parts.collect::<Vec<_>>().join(", "))
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.min == self.max { write!(f, "{}", self.min) } else { write!(f, "{} to {}", self.min, self.max) }
    }
}

/// The verb.
pub(crate) fn run(arguments: &NetworkArgs) -> Result<u8, Failure> {
    if let Some(status) = super::settings::run(arguments)? {
        return Ok(status);
    }
    if let Some(status) = super::route::run(arguments)? {
        return Ok(status);
    }
    if let Some(status) = super::vectors::run(arguments)? {
        return Ok(status);
    }
    let choice = &arguments.network;
    let whole = choice.fail_link.is_empty()
        && choice.fail_node.is_empty()
        && choice.ports.is_none()
        && !choice.half_duplex
        && arguments.bandwidth.is_none()
        && arguments.latency.is_none();
    let described = arguments.output.is_none() && arguments.routing.is_none() && arguments.deadlock.is_none();
    if let Some(outline) = Outline::of(&choice.network, 0.5).filter(|_| whole && described) {
        return if arguments.report.json { say_json(&outline.document()) } else { say(&outline.people()) }.map(|()| 0);
    }
    let mut given = network::choose(&arguments.network)?;
    links::set(&mut given, arguments.bandwidth.as_deref(), arguments.latency.as_deref())?;
    if arguments.latency.is_some() && given.links.is_none() {
        return Err(Failure::input(format!("--latency: {} has no bandwidths", given.network.name()))
            .hint("add --bandwidth 25GB/s, or name a network with bandwidths"));
    }
    match given.links {
        Some(_) => links::slow(&mut given, &arguments.network.slow_link)?,
        None => links::slow_capacities(&mut given, &arguments.network.slow_link)?,
    }
    if let Some(status) = super::routing::run(arguments, &given.network)? {
        return Ok(status);
    }
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if let Some(path) = &arguments.output.as_ref().map(|path| output::usually(path, "json")) {
        let picture = formats::is_picture(path);
        if (arguments.dark || arguments.no_title) && !picture {
            let flag = if arguments.dark { "--dark" } else { "--no-title" };
            return Err(Failure::input(format!("{flag} is for pictures"))
                .hint("leave the flag out, or name a picture that ends in .svg"));
        }
        if picture {
            let ends = Ends { senders: given.senders.as_deref(), receivers: given.receivers.as_deref() };
            let bandwidths = given.links.as_ref().map(|links| &links.bandwidth[..]);
            let theme = theme(arguments.dark, !arguments.no_title);
            exports::svg::write_network(&given.network, ends, bandwidths, theme, path)
        } else {
            formats::network::write(&given.network, given.links.as_ref(), path)
        }
        .map_err(output::unwritten)?;
    }
    let network = &given.network;
    if let (Some(file), false) = (&file, arguments.report.json) {
        let (nodes, channels) = (network.node_count(), network.channel_count());
        return say(&format!("{}: {nodes} nodes, {channels} channels, saved to {file}", network.name())).map(|()| 0);
    }
    let report = NetworkReport::new(network);
    let measuring = format!("measuring {}", network.name());
    if !arguments.report.json {
        let is_file = topologies::topology(&arguments.network.network).is_err();
        return say(&progress::during(&measuring, || people(&given, &report, is_file))).map(|()| 0);
    }
    let measured = progress::during(&measuring, || Document::new(&report));
    say_json_of(
        network,
        &Answer {
            network: measured,
            ports: Ports {
                send: largest(network, Network::send_ports),
                receive: largest(network, Network::receive_ports),
            },
            capacities: widths(network),
            positions: network.data().positions.is_some(),
            half_duplex_groups: network.half_duplex().len(),
            bandwidth: given.links.as_ref().and_then(|links| Span::of(&links.bandwidth)),
            latency_us: given.links.as_ref().and_then(|links| Span::of(&links.latency)),
            file,
        },
    )?;
    Ok(0)
}

fn largest(network: &Network, ports: fn(&Network, Node) -> Option<u32>) -> Option<u32> {
    let all: Option<Vec<u32>> = network.terminals().iter().map(|v| ports(network, *v)).collect();
    all.and_then(|list| list.into_iter().max())
}

/// Channels of one capacity.
#[derive(Serialize)]
struct Width {
    capacity: u32,
    channels: usize,
}

/// How many channels have each capacity, the largest first.
fn widths(network: &Network) -> Vec<Width> {
    let mut counts = std::collections::BTreeMap::<u32, usize>::new();
    network.channels().for_each(|channel| *counts.entry(network.capacity(channel)).or_default() += 1);
    counts.into_iter().rev().map(|(capacity, channels)| Width { capacity, channels }).collect()
}

/// What a file may say beside nodes and links: widths where not all are 1, positions, names.
fn of_file(network: &Network) -> Vec<(&'static str, String)> {
    let widths = widths(network);
    let width = |width: &Width| format!("{} of capacity {}", count(width.channels as u64, "channel"), width.capacity);
    let mut lines = Vec::new();
    if widths.iter().any(|width| width.capacity > 1) {
        lines.push(("widths", widths.iter().map(width).collect::<Vec<_>>().join(", ")));
    }
    let positions = if network.data().positions.is_some() { "given" } else { "not given (x and y of nodes)" };
    lines.push(("positions", positions.to_owned()));
    if network.names().is_some() {
        let nodes: Vec<Node> = network.nodes().collect();
        lines.push(("names", lists::named(network, &nodes)));
    }
    lines
}

fn people(given: &network::LoadedNetwork, report: &NetworkReport<'_>, is_file: bool) -> String {
    let network = &given.network;
    let mut lines = vec![network.name().to_owned()];
    let mut add = |name: &str, value: String| lines.push(format!("  {name:20} {value}"));
    for (name, value) in network_report::lines(report) {
        if let Some(value) = value {
            add(name, value);
        }
        if name == network_report::PERMUTATIONS {
            network_report::circuit_lines(report).into_iter().for_each(|(name, value)| add(name, value));
        }
    }
    if is_file {
        of_file(network).into_iter().for_each(|(name, value)| add(name, value));
    }
    for (name, ports) in
        [("send ports", Network::send_ports as fn(&Network, Node) -> _), ("receive ports", Network::receive_ports)]
    {
        if let Some(most) = largest(network, ports) {
            add(name, format!("at most {most} a terminal"));
        }
    }
    if !network.half_duplex().is_empty() {
        add("half-duplex", format!("{} groups of channels", network.half_duplex().len()));
    }
    if let Some(links) = &given.links {
        for (name, numbers, unit) in [("bandwidth", &links.bandwidth, "GB/s"), ("latency", &links.latency, "µs")] {
            if let Some(text) = each(numbers, unit) {
                add(name, text);
            }
        }
    }
    for (name, list) in [("senders", &given.senders), ("receivers", &given.receivers)] {
        if let Some(list) = list {
            add(name, lists::named(network, list));
        }
    }
    lines.join("\n")
}
