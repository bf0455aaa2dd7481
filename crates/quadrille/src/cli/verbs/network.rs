//! **What:** `network`: what a network is, or the network as a file.

use crate::cli::args::NetworkArgs;
use crate::cli::failure::Failure;
use crate::cli::output::{self, say, say_json};
use crate::cli::{lists, network};
use kernel::{Network, Node};
use serde::Serialize;
use topologies::{Facts, Measures, measure};

/// What `--json` prints. `null` stands where something has no value, or where it was not decided.
#[derive(Serialize)]
struct Document<'a> {
    name: &'a str,
    nodes: usize,
    terminals: usize,
    channels: usize,
    degree: Degree,
    diameter: Option<u64>,
    average_distance: Option<f64>,
    bisection: Option<Bisection>,
    vertex_transitive: Option<bool>,
    ports: Ports,
    half_duplex_groups: usize,
    file: Option<String>,
}

#[derive(Serialize)]
struct Degree {
    min: u64,
    max: u64,
}

#[derive(Serialize)]
struct Bisection {
    channels: u64,
    exact: bool,
}

/// The largest number of messages a terminal sends and receives in a step; `null` where only channels limit it.
#[derive(Serialize)]
struct Ports {
    send: Option<u32>,
    receive: Option<u32>,
}

/// The verb.
pub fn run(arguments: &NetworkArgs) -> Result<u8, Failure> {
    if let Some(status) = super::settings::run(arguments)? {
        return Ok(status);
    }
    if let Some(status) = super::route::run(arguments)? {
        return Ok(status);
    }
    if let Some(status) = super::vectors::run(arguments)? {
        return Ok(status);
    }
    let given = network::choose(&arguments.network)?;
    if let Some(status) = super::routing::run(arguments, &given.network)? {
        return Ok(status);
    }
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if let Some(path) = &arguments.output {
        let picture = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
        match (arguments.dark, picture) {
            (true, true) => formats::svg::write_network(&given.network, &formats::svg::DARK, path),
            (true, false) => {
                return Err(Failure::input("--dark is for pictures")
                    .hint("leave the flag out, or name a picture that ends in .svg"));
            }
            (false, _) => formats::network::write(&given.network, path),
        }
        .map_err(output::unwritten)?;
    }
    let network = &given.network;
    if let (Some(file), false) = (&file, arguments.form.json) {
        let (nodes, channels) = (network.node_count(), network.channel_count());
        return say(&format!("{}: {nodes} nodes, {channels} channels, saved to {file}", network.name())).map(|()| 0);
    }
    let measures = measures(network);
    let transitive = transitive(network);
    if !arguments.form.json {
        return say(&people(&given, measures.as_ref(), transitive)).map(|()| 0);
    }
    say_json(&Document {
        name: network.name(),
        nodes: network.node_count(),
        terminals: network.terminals().len(),
        channels: network.channel_count(),
        degree: degree(network),
        diameter: diameter(network, measures.as_ref()),
        average_distance: measures.as_ref().and_then(|m| m.average_distance),
        bisection: measures.as_ref().map(|m| Bisection { channels: m.bisection.channels, exact: m.bisection.exact }),
        vertex_transitive: transitive,
        ports: Ports { send: largest(network, Network::send_ports), receive: largest(network, Network::receive_ports) },
        half_duplex_groups: network.half_duplex().len(),
        file,
    })?;
    Ok(0)
}

/// Terminals × channels beyond which nothing is measured: it would take more than some seconds.
const LARGEST: u64 = 2_000_000_000;

fn measures(network: &Network) -> Option<Measures> {
    let work = network.terminals().len() as u64 * network.channel_count() as u64;
    (work <= LARGEST).then(|| measure(network))
}

fn degree(network: &Network) -> Degree {
    let degrees = || network.terminals().iter().map(|v| network.outgoing(*v).len() as u64);
    Degree { min: degrees().min().unwrap_or(0), max: degrees().max().unwrap_or(0) }
}

/// As measured, or the family's closed form where that is of the very network.
fn diameter(network: &Network, measures: Option<&Measures>) -> Option<u64> {
    match measures {
        Some(measures) => measures.diameter,
        None => closed_form(network)?.diameter,
    }
}

fn closed_form(network: &Network) -> Option<Facts> {
    let family = topologies::topology(network.name()).ok()?;
    (family.network() == *network).then(|| family.facts())
}

fn largest(network: &Network, ports: fn(&Network, Node) -> Option<u32>) -> Option<u32> {
    let all: Option<Vec<u32>> = network.terminals().iter().map(|v| ports(network, *v)).collect();
    all.and_then(|list| list.into_iter().max())
}

/// Nodes up to which automorphisms are searched for: a second or so.
const MOST_NODES_TO_SEARCH: usize = 1024;

/// Whether automorphisms carry every terminal to every other: the closed form of a family, where it claims one of the very
/// network; unequal degrees decide against it; otherwise a search for automorphisms, on networks of moderate size.
fn transitive(network: &Network) -> Option<bool> {
    let shape = |v: &Node| (network.outgoing(*v).len(), network.incoming(*v).len());
    let mut shapes = network.terminals().iter().map(shape);
    let first = shapes.next();
    if shapes.any(|s| Some(s) != first) {
        return Some(false);
    }
    let known = closed_form(network).and_then(|facts| facts.vertex_transitive);
    let small = network.node_count() <= MOST_NODES_TO_SEARCH;
    known.or_else(|| small.then(|| solve::automorphisms::vertex_transitive(network)).flatten())
}

fn people(given: &network::Given, measures: Option<&Measures>, transitive: Option<bool>) -> String {
    let network = &given.network;
    let mut lines = vec![network.name().to_owned()];
    let mut add = |name: &str, value: String| lines.push(format!("  {name:17} {value}"));
    let switches = network.node_count() - network.terminals().len();
    add(
        "nodes",
        match switches {
            0 => network.node_count().to_string(),
            _ => format!("{}: {} terminals, {switches} switches", network.node_count(), network.terminals().len()),
        },
    );
    add("channels", network.channel_count().to_string());
    let Degree { min, max } = degree(network);
    add("degree", if min == max { min.to_string() } else { format!("{min} to {max}") });
    match measures {
        Some(measures) => {
            let apart = || "none: some terminals do not reach each other".to_owned();
            add("diameter", measures.diameter.map_or_else(apart, |d| d.to_string()));
            let average = measures.average_distance.map_or_else(|| "none".into(), |d| format!("{d:.4}"));
            add("average distance", average);
            let at_most = if measures.bisection.exact { "" } else { "at most " };
            add("bisection", format!("{at_most}{} channels", measures.bisection.channels));
        }
        None => {
            if let Some(diameter) = diameter(network, None) {
                add("diameter", format!("{diameter}, by the family's closed form"));
            }
            add("distances", "not measured: the network is too large".into());
        }
    }
    let symmetric = match transitive {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    };
    add("vertex-transitive", symmetric.into());
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
    for (name, list) in [("senders", &given.senders), ("receivers", &given.receivers)] {
        if let Some(list) = list {
            add(name, lists::ranges(list));
        }
    }
    lines.join("\n")
}
