//! **What:** what is known of a network for people: names and values, a line each.

use super::NetworkReport;
use crate::render;
use design::measures;
use topologies::circuits::Circuits;

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
            let terminals = render::count(network.terminals().len() as u64, "terminal");
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
