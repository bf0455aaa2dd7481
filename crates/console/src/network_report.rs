//! **What:** what `network` and `compare` say of a network: the measures of crate `design`, joined with symmetry from crate
//! `solve` and closed forms from crate `topologies`.

use super::network_name;
use super::symmetric::{diameter_bounds, orbits};
use design::measures::{self, Distances, Measures};
use graph::automorphisms::Group;
use kernel::Network;
use serde::Serialize;
use topologies::ClosedForms;
use topologies::circuits::{self, Circuits};

/// Terminals measured × channels beyond which nothing is measured: it would take more than some seconds.
const LARGEST: u64 = 2_000_000_000;
/// Beyond this, terminals that automorphisms carry to each other are measured once.
const MOST_OUTRIGHT: u64 = 100_000_000;
/// Nodes up to which automorphisms are searched for, and looks at a channel that the search may take: a second or so.
const MOST_NODES_TO_SEARCH: usize = 1024;
const TICKS: u64 = 100_000_000;

/// A network with all that is known of it.
pub struct NetworkReport<'a> {
    /// The network.
    pub network: &'a Network,
    /// What moves it onto itself.
    pub symmetry: Symmetry,
    /// What its family says of it.
    pub closed: Option<ClosedForms>,
    /// What permutations pass at once, where switches stand in stages or levels.
    circuits: Option<Circuits>,
    /// `None`: the network is too large.
    pub measures: Option<Measures>,
    /// The distances alone, where more would take too long.
    far: Option<Distances>,
    /// The diameter at least and at most, where it is not known.
    bounds: Option<(u64, Option<u64>)>,
    /// What the degree weighs in the cost ratio.
    weight: f64,
}

/// What automorphisms do; `None` where it was not decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Symmetry {
    /// Whether they carry every terminal to every other.
    pub vertex_transitive: Option<bool>,
    /// Whether they carry every channel to every other.
    pub channel_transitive: Option<bool>,
    /// How many there are; of maps of nodes, parallel channels in order.
    pub automorphisms: Option<u128>,
}

impl<'a> NetworkReport<'a> {
    /// Measures a network.
    pub fn new(network: &'a Network) -> Self {
        let family = topologies::topology(network.name()).ok().filter(|family| family.network() == *network);
        let closed = family.as_ref().map(|family| family.closed_forms());
        let circuits = family.as_ref().and_then(|family| circuits::of(family.as_ref()));
        let symmetry = symmetry(network, closed.as_ref());
        let alike = symmetry.vertex_transitive == Some(true);
        let terminals = network.terminals();
        let sources = match &family {
            Some(family) if work(network, terminals.len()) > MOST_OUTRIGHT => orbits(network, family.as_ref()),
            _ => terminals.iter().map(|t| (*t, 1)).collect(),
        };
        let far = (work(network, sources.len()) <= LARGEST).then(|| measures::distances_from(network, &sources));
        let known = far.is_some() || closed.is_some_and(|f| f.diameter.is_some());
        let bounds = if known { None } else { diameter_bounds(network) };
        let (far, measures) = match far {
            Some(far) if work(network, terminals.len()) <= LARGEST => {
                (None, Some(measures::measure_with(network, alike, far)))
            }
            far => (far, None),
        };
        NetworkReport { network, symmetry, closed, circuits, measures, far, bounds, weight: 0.5 }
    }

    /// With another weight of the degree in the cost ratio; the diameter has the rest of 1.
    pub fn weighing(self, weight: f64) -> Self {
        NetworkReport { weight, ..self }
    }

    /// As measured, or by the family's closed form.
    pub fn diameter(&self) -> Option<u64> {
        match self.distances() {
            Some(distances) => distances.diameter(),
            None => self.closed.as_ref()?.diameter,
        }
    }

    /// As measured.
    fn distances(&self) -> Option<&Distances> {
        self.measures.as_ref().map(|m| &m.distances).or(self.far.as_ref())
    }

    /// As measured, or by the family's closed form.
    pub fn average_distance(&self) -> Option<f64> {
        let pairs = |f: &ClosedForms| (f.terminals * f.terminals.saturating_sub(1)) as f64;
        match self.distances() {
            Some(distances) => distances.average(),
            None => self.closed.filter(|f| f.terminals > 1).and_then(|f| Some(f.distances? as f64 / pairs(&f))),
        }
    }

    /// The weighted cost ratio, where the diameter is known.
    pub fn cost_ratio(&self) -> Option<f64> {
        measures::cost_ratio(self.network, self.diameter()?, self.weight)
    }
}

fn work(network: &Network, sources: usize) -> u64 {
    (sources as u64).saturating_mul(network.channel_count() as u64)
}

/// The closed form of a family, where it claims symmetry; unequal degrees decide against it; otherwise a search for
/// automorphisms, on networks of moderate size.
fn symmetry(network: &Network, closed: Option<&ClosedForms>) -> Symmetry {
    let mut found = Symmetry { vertex_transitive: closed.and_then(|f| f.vertex_transitive), ..Symmetry::default() };
    let shape = |v: &kernel::Node| (network.outgoing(*v).len(), network.incoming(*v).len());
    let mut shapes = network.terminals().iter().map(shape);
    let first = shapes.next();
    if shapes.any(|s| Some(s) != first) {
        found.vertex_transitive = Some(false);
    }
    if network.node_count() > MOST_NODES_TO_SEARCH {
        return found;
    }
    let group = Group::new(network, TICKS);
    let complete = group.is_complete();
    let decided = |one: bool| if one { Some(true) } else { complete.then_some(false) };
    let (orbits, terminals) = (group.orbits(), network.terminals());
    let together = terminals.iter().all(|t| orbits[t.index()] == orbits[terminals[0].index()]);
    found.vertex_transitive = found.vertex_transitive.or(decided(together));
    found.channel_transitive = if network.channel_count() == 0 { None } else { decided(one_orbit(network, &group)) };
    found.automorphisms = group.order().filter(|_| complete);
    found
}

/// Whether the generators carry channel 0 to every other.
fn one_orbit(network: &Network, group: &Group) -> bool {
    let mut seen = vec![false; network.channel_count()];
    let (mut open, mut met) = (vec![0u32], 1);
    seen[0] = true;
    while let Some(at) = open.pop() {
        for generator in group.generators() {
            let image = generator.channels[at as usize];
            if !std::mem::replace(&mut seen[image as usize], true) {
                met += 1;
                open.push(image);
            }
        }
    }
    met == seen.len()
}

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
    forwarding_index: Option<TimeExpanded>,
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
struct TimeExpanded {
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
            forwarding_index: found.and_then(|m| m.routing).map(|r| TimeExpanded {
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

/// `4`, or `2 to 4`.
pub fn range((min, max): (u64, u64)) -> String {
    if min == max { min.to_string() } else { format!("{min} to {max}") }
}

/// What permutations pass at once.
pub const PERMUTATIONS: &str = "permutations";

/// Why it is so, and an example; too long for tables of several networks.
pub fn circuit_lines(report: &NetworkReport<'_>) -> Vec<(&'static str, String)> {
    let because = report.circuits.iter().map(|c| ("  because", c.because.clone()));
    because.chain(report.circuits.as_ref().and_then(witness).map(|w| ("  for example", w))).collect()
}

/// Messages listed at most.
const MOST_LISTED: usize = 16;

/// The permutation that blocks, or the circuits that leave no path for another; where they are few.
fn witness(circuits: &Circuits) -> Option<String> {
    if let Some(obstacle) = &circuits.obstacle {
        let ways: Vec<String> =
            obstacle.circuits.iter().map(|way| way.iter().map(u32::to_string).collect::<Vec<_>>().join(">")).collect();
        let short = ways.len() <= MOST_LISTED;
        return short.then(|| format!("{} leave no path from {} to {}", ways.join(", "), obstacle.from, obstacle.to));
    }
    let to = circuits.permutation.as_ref()?;
    let moved = (0u32..).zip(to).filter(|(from, to)| from != *to);
    let moved: Vec<String> = moved.map(|(from, to)| format!("{from}>{to}")).collect();
    match moved.len() {
        0 => Some("the identity needs more than one step".to_owned()),
        few if few <= MOST_LISTED => Some(format!("{} and every other node to itself", moved.join(" "))),
        _ => Some(format!("{} … (all with --json)", moved[..MOST_LISTED].join(" "))),
    }
}

/// What is known, for people: names and values, all networks the same names in the same order; `None` where there is nothing
/// to say.
pub fn lines(report: &NetworkReport<'_>) -> Vec<(&'static str, Option<String>)> {
    let (network, found) = (report.network, report.measures.as_ref());
    let switches = network.node_count() - network.terminals().len();
    let nodes = match switches {
        0 => network.node_count().to_string(),
        _ => {
            let terminals = super::render::count(network.terminals().len() as u64, "terminal");
            format!("{}: {terminals}, {switches} switch{}", network.node_count(), if switches == 1 { "" } else { "es" })
        }
    };
    let yes = |known: Option<bool>| match known {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => "not decided".to_owned(),
    };
    let about = |exact: bool, word: &str| if exact { String::new() } else { format!("{word} ") };
    let diameter = match (report.distances(), report.diameter()) {
        (Some(_), None) => Some(match network.terminals().iter().all(|v| network.is_transit(*v)) {
            true => "none: some terminals cannot reach each other".into(),
            false => "none: paths do not pass through some terminals, which store and forward messages".into(),
        }),
        (None, Some(d)) => Some(format!("{d}, by the family's closed form")),
        (Some(_), found) => found.map(|d| d.to_string()),
        (None, None) => report.bounds.map(|(least, most)| match most {
            Some(most) => format!("{least} to {most}"),
            None => format!("at least {least}"),
        }),
    };
    let walks = found.and_then(|m| m.diversity.len().checked_sub(2).map(|at| (m.diversity[at], m.diversity[at + 1])));
    let walks = walks.map(|(exact, longer)| {
        format!("{} of at most {} hops, {} of at most {}", exact.least, exact.length, longer.least, longer.length)
    });
    let average = match (report.distances(), report.average_distance()) {
        (Some(_), None) => Some("none".into()),
        (None, Some(d)) => Some(format!("{d:.4}, by the family's closed form")),
        (_, found) => found.map(|d| format!("{d:.4}")),
    };
    let parted = |least: u64, exact: bool| format!("{}{least}", about(exact, "at most"));
    let moore = found.and_then(|m| m.moore);
    let cycles = found.and_then(|m| m.girth);
    let reached = |nodes: u128| format!("{:.1} % reached", 100.0 * network.node_count() as f64 / nodes as f64);
    vec![
        ("nodes", Some(nodes)),
        ("channels", Some(network.channel_count().to_string())),
        ("degree", Some(range(measures::degree(network)))),
        ("diameter", diameter),
        ("average distance", average.or(Some("not measured: the network is too large".into()))),
        (
            "bisection",
            found.map(|m| format!("{}{} channels", about(m.bisection.exact, "at most"), m.bisection.channels)),
        ),
        ("vertex-transitive", Some(yes(report.symmetry.vertex_transitive))),
        ("channel-transitive", report.symmetry.channel_transitive.map(|t| yes(Some(t)))),
        ("automorphisms", report.symmetry.automorphisms.map(|n| n.to_string())),
        ("fewest walks", walks),
        (
            "shortest paths",
            found.and_then(|m| m.shortest).map(|s| format!("{:.2} on average, at least {}", s.average, s.least)),
        ),
        ("channel connectivity", found.and_then(|m| m.channel_connectivity.as_ref()).map(|c| parted(c.least, c.exact))),
        ("node connectivity", found.and_then(|m| m.node_connectivity.as_ref()).map(|c| parted(c.least, c.exact))),
        (
            "fault diameter",
            found.and_then(|m| m.fault_diameter).map(|f| {
                let nodes = if f.faults == 1 { "1 node fails".to_owned() } else { format!("{} nodes fail", f.faults) };
                format!("{}{} after {nodes}", about(f.exact, "at least"), f.diameter)
            }),
        ),
        (
            "forwarding index",
            found.and_then(|m| m.routing).map(|r| match r.is_exact() {
                true => format!("{:.2}", r.largest),
                false => format!("{:.2} to {:.2}", r.at_least, r.largest),
            }),
        ),
        (PERMUTATIONS, report.circuits.as_ref().map(|c| c.class.name().to_owned())),
        (
            "Moore bound",
            moore.and_then(|m| {
                let nodes = m.nodes?;
                Some(format!("{nodes} nodes, {}", reached(nodes)))
            }),
        ),
        ("  if bipartite", cycles.and_then(|c| c.most_nodes).map(|nodes| format!("{nodes} nodes, {}", reached(nodes)))),
        ("girth", cycles.map(|c| format!("{}, which needs at least {} nodes", c.girth, c.least_nodes))),
        (
            "average bound",
            moore.and_then(|m| Some(format!("{:.4}, exceeded by {:.1} %", m.average, 100.0 * m.excess?.max(0.0)))),
        ),
        ("cost ratio", report.cost_ratio().map(|c| format!("{c:.3}"))),
    ]
}
