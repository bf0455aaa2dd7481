//! **What:** `network`: what a network is, or the network as a file.

use crate::cli::args::NetworkArgs;
use crate::cli::failure::Failure;
use crate::cli::output::{self, say, say_json};
use crate::cli::{lists, network};
use kernel::{Network, Node};
use serde::Serialize;
use topologies::{Measures, measure};

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
    bisection: Bisection,
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
    let given = network::choose(&arguments.network)?;
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if let Some(path) = &arguments.output {
        formats::network::write(&given.network, path).map_err(output::unwritten)?;
    }
    let network = &given.network;
    if let (Some(file), false) = (&file, arguments.form.json) {
        let (nodes, channels) = (network.node_count(), network.channel_count());
        return say(&format!("{}: {nodes} nodes, {channels} channels, saved to {file}", network.name())).map(|()| 0);
    }
    let measures = measure(network);
    let transitive = transitive(network);
    if !arguments.form.json {
        return say(&people(&given, &measures, transitive)).map(|()| 0);
    }
    say_json(&Document {
        name: network.name(),
        nodes: network.node_count(),
        terminals: network.terminals().len(),
        channels: network.channel_count(),
        degree: Degree { min: measures.degree.0, max: measures.degree.1 },
        diameter: measures.diameter,
        average_distance: measures.average_distance,
        bisection: Bisection { channels: measures.bisection.channels, exact: measures.bisection.exact },
        vertex_transitive: transitive,
        ports: Ports { send: largest(network, Network::send_ports), receive: largest(network, Network::receive_ports) },
        half_duplex_groups: network.half_duplex().len(),
        file,
    })?;
    Ok(0)
}

fn largest(network: &Network, ports: fn(&Network, Node) -> Option<u32>) -> Option<u32> {
    let all: Option<Vec<u32>> = network.terminals().iter().map(|v| ports(network, *v)).collect();
    all.and_then(|list| list.into_iter().max())
}

/// Whether automorphisms carry every terminal to every other: the closed form of a family, where it claims one of the very
/// network; unequal degrees decide against it.
fn transitive(network: &Network) -> Option<bool> {
    let shape = |v: &Node| (network.outgoing(*v).len(), network.incoming(*v).len());
    let mut shapes = network.terminals().iter().map(shape);
    let first = shapes.next();
    if shapes.any(|s| Some(s) != first) {
        return Some(false);
    }
    let family = topologies::topology(network.name()).ok()?;
    if family.network() == *network { family.facts().vertex_transitive } else { None }
}

fn people(given: &network::Given, measures: &Measures, transitive: Option<bool>) -> String {
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
    let (least, most) = measures.degree;
    add("degree", if least == most { least.to_string() } else { format!("{least} to {most}") });
    let apart = || "none: some terminals do not reach each other".to_owned();
    add("diameter", measures.diameter.map_or_else(apart, |d| d.to_string()));
    add("average distance", measures.average_distance.map_or_else(|| "none".into(), |d| format!("{d:.4}")));
    let bisection = measures.bisection;
    let exact = if bisection.exact { "" } else { "at most " };
    add("bisection", format!("{exact}{} channels", bisection.channels));
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
