//! **What:** what is known of a network as a part of a JSON document.

use super::NetworkReport;
use crate::network_name;
use design::measures;
use serde::Serialize;

/// The part of a JSON document that describes a network. `null` stands where something has no value, was not decided, or
/// would have taken too long.
#[derive(Serialize)]
pub struct Document<'a> {
    name: &'a str,
    /// By what name it is known besides.
    known: Option<String>,
    nodes: usize,
    terminals: usize,
    channels: usize,
    degree: Degree,
    diameter: Option<u64>,
    /// Where the diameter is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    diameter_at_least: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diameter_at_most: Option<u64>,
    average_distance: Option<f64>,
    /// Ordered pairs of different terminals at distance 0, 1, 2 and so on.
    distance_profile: Option<&'a [u64]>,
    bisection: Option<Bisection>,
    vertex_transitive: Option<bool>,
    channel_transitive: Option<bool>,
    /// As text where it does not fit 64 bits.
    automorphisms: Option<serde_json::Value>,
    walks: Option<Vec<Walks>>,
    shortest_paths: Option<Shortest>,
    channel_connectivity: Option<Parted>,
    node_connectivity: Option<Parted>,
    fault_diameter: Option<Faulty>,
    forwarding_index: Option<ForwardingIndex>,
    circuits: Option<Standing<'a>>,
    moore: Option<Moore>,
    girth: Option<u64>,
    cycles: Option<Cycles>,
    cost_ratio: Option<f64>,
}

#[derive(Serialize)]
struct Degree {
    min: u64,
    max: u64,
}

#[derive(Serialize)]
struct Bisection {
    channels: u64,
    at_least: u64,
    exact: bool,
    /// The terminals, and the switches, of one half.
    half: Vec<u32>,
    switches: Vec<u32>,
}

#[derive(Serialize)]
struct Walks {
    hops: u64,
    least: u64,
    least_apart: u64,
}

#[derive(Serialize)]
struct Shortest {
    least: u64,
    average: f64,
}

#[derive(Serialize)]
struct Parted {
    least: u64,
    exact: bool,
    /// Nodes, or channels as pairs of nodes.
    witness: serde_json::Value,
}

#[derive(Serialize)]
struct Faulty {
    faults: u64,
    diameter: u64,
    exact: bool,
}

#[derive(Serialize)]
struct ForwardingIndex {
    at_least: f64,
    at_most: f64,
    exact: bool,
}

/// What permutations pass at once; with a permutation that does not, or with circuits that leave no path for another.
#[derive(Serialize)]
struct Standing<'a> {
    class: &'static str,
    because: &'a str,
    permutation: Option<&'a [u32]>,
    circuits: Option<&'a [Vec<u32>]>,
    refused: Option<[u32; 2]>,
}

#[derive(Serialize)]
struct Moore {
    /// As text where it does not fit 64 bits.
    nodes: Option<serde_json::Value>,
    diameter: u64,
    average_distance: f64,
    excess: Option<f64>,
}

#[derive(Serialize)]
struct Cycles {
    bipartite: bool,
    /// As text where they do not fit 64 bits.
    least_nodes: serde_json::Value,
    most_nodes: Option<serde_json::Value>,
}

/// A number, or text where it is beyond 64 bits.
fn large(number: u128) -> serde_json::Value {
    u64::try_from(number).map_or_else(|_| number.to_string().into(), Into::into)
}

impl<'a> Document<'a> {
    /// What is known, for programs.
    pub fn new(report: &'a NetworkReport<'a>) -> Self {
        let (network, found) = (report.network, report.measures.as_ref());
        let (min, max) = measures::degree(network);
        Document {
            name: network.name(),
            known: network_name::besides(network),
            nodes: network.node_count(),
            terminals: network.terminals().len(),
            channels: network.channel_count(),
            degree: Degree { min, max },
            diameter: report.diameter(),
            diameter_at_least: report.bounds.map(|(least, _)| least),
            diameter_at_most: report.bounds.and_then(|(_, most)| most),
            average_distance: report.average_distance(),
            distance_profile: report.distances().map(|d| &d.profile[..]),
            bisection: found.map(|m| Bisection {
                channels: m.bisection.channels,
                at_least: m.bisection.at_least,
                exact: m.bisection.exact,
                half: m.bisection.half.iter().map(|v| v.0).collect(),
                switches: m.bisection.switches.iter().map(|v| v.0).collect(),
            }),
            vertex_transitive: report.symmetry.vertex_transitive,
            channel_transitive: report.symmetry.channel_transitive,
            automorphisms: report.symmetry.automorphisms.map(large),
            walks: found.filter(|m| !m.diversity.is_empty()).map(|m| {
                let walks = m.diversity.iter();
                walks.map(|d| Walks { hops: d.length, least: d.least, least_apart: d.least_apart }).collect()
            }),
            shortest_paths: found.and_then(|m| m.shortest).map(|s| Shortest { least: s.least, average: s.average }),
            channel_connectivity: found.and_then(|m| m.channel_connectivity.as_ref()).map(|c| {
                let ends: Vec<_> = c.witness.iter().map(|(a, b)| [a.0, b.0]).collect();
                Parted { least: c.least, exact: c.exact, witness: ends.into_iter().map(Vec::from).collect() }
            }),
            node_connectivity: found.and_then(|m| m.node_connectivity.as_ref()).map(|c| {
                let nodes = c.witness.iter().map(|v| v.0);
                Parted { least: c.least, exact: c.exact, witness: nodes.collect() }
            }),
            fault_diameter: found.and_then(|m| m.fault_diameter).map(|f| Faulty {
                faults: f.faults,
                diameter: f.diameter,
                exact: f.exact,
            }),
            forwarding_index: found.and_then(|m| m.routing).map(|r| ForwardingIndex {
                at_least: r.at_least,
                at_most: r.largest,
                exact: r.is_exact(),
            }),
            circuits: report.circuits.as_ref().map(|c| Standing {
                class: c.class.name(),
                because: &c.because,
                permutation: c.permutation.as_deref(),
                circuits: c.obstacle.as_ref().map(|o| &o.circuits[..]),
                refused: c.obstacle.as_ref().map(|o| [o.from, o.to]),
            }),
            moore: found.and_then(|m| m.moore).map(|m| Moore {
                nodes: m.nodes.map(large),
                diameter: m.diameter,
                average_distance: m.average,
                excess: m.excess,
            }),
            girth: found.and_then(|m| m.girth).map(|c| c.girth),
            cycles: found.and_then(|m| m.girth).map(|c| Cycles {
                bipartite: c.bipartite,
                least_nodes: large(c.least_nodes),
                most_nodes: c.most_nodes.map(large),
            }),
            cost_ratio: report.cost_ratio(),
        }
    }
}
