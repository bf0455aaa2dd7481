//! Measures of a network, one a file, each exact or saying that it is not.
//!
//! [`measure`] takes those that are worth the wait; each by itself is a function here.

mod bisection;
mod connectivity;
mod distances;
mod diversity;
mod fault_diameter;
mod forwarding;
mod girth;
mod moore;

pub use bisection::{Bisection, bisection};
pub use connectivity::{Connectivity, of_channels, of_nodes};
pub use distances::{Distances, distances, distances_from};
pub use diversity::{Diversity, Shortest, diversity};
pub use fault_diameter::{FaultDiameter, fault_diameter};
pub use forwarding::{Routing, routing};
pub use girth::{girth, is_bipartite};
pub use moore::{Cycles, Moore, cycles, least, moore};

use kernel::{Network, Node};

/// What was measured of a network; `None` where it has no such measure, or where it would take too long.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// How far terminals are apart.
    pub distances: Distances,
    /// Walks of at most so many hops, from 1 up to one more than the diameter.
    pub diversity: Vec<Diversity>,
    /// Shortest paths from terminal to terminal.
    pub shortest: Option<Shortest>,
    /// Channels whose failure parts two terminals.
    pub channel_connectivity: Option<Connectivity<(Node, Node)>>,
    /// Nodes whose failure parts two terminals.
    pub node_connectivity: Option<Connectivity<Node>>,
    /// The diameter when one node fewer fails.
    pub fault_diameter: Option<FaultDiameter>,
    /// The loads of channels in an alltoall.
    pub routing: Option<Routing>,
    /// The parting of the terminals into halves with fewest channels between them.
    pub bisection: Bisection,
    /// What the degree allows.
    pub moore: Option<Moore>,
    /// The shortest cycle, and what it allows.
    pub girth: Option<Cycles>,
    /// The weighted cost ratio with equal weights, see [`cost_ratio`].
    pub cost_ratio: Option<f64>,
}

/// Terminals × channels × hops beyond which walks are not counted, nor flows sought.
const MODERATE: u64 = 400_000_000;

/// Measures `network`; `alike`: every terminal is known to look like every other, which makes some measures cheap.
pub fn measure(network: &Network, alike: bool) -> Measures {
    measure_with(network, alike, distances(network))
}

/// As [`measure`], where the distances are known.
pub fn measure_with(network: &Network, alike: bool, distances: Distances) -> Measures {
    let work = (network.terminals().len() as u64).saturating_mul(network.channel_count() as u64);
    let hops = distances.diameter().unwrap_or(network.node_count() as u64);
    let moderate = work.saturating_mul(hops + 1) <= MODERATE;
    let routing = if work <= MODERATE { routing(network, &distances) } else { None };
    let (diversity, shortest) = if moderate { diversity(network, hops + 1) } else { (Vec::new(), None) };
    let flows = work <= MODERATE;
    let node_connectivity = flows.then(|| of_nodes(network, alike));
    let least = node_connectivity.as_ref().filter(|c| c.exact).map_or(0, |c| c.least);
    Measures {
        fault_diameter: if least > 0 && moderate { fault_diameter(network, least, alike) } else { None },
        channel_connectivity: flows.then(|| of_channels(network, alike)),
        bisection: bisection(network, routing.as_ref()),
        moore: moore(network, &distances),
        girth: if work <= MODERATE || alike { cycles(network, &distances, alike) } else { None },
        cost_ratio: distances.diameter().and_then(|diameter| cost_ratio(network, diameter, 0.5)),
        diversity,
        shortest,
        node_connectivity,
        routing,
        distances,
    }
}

/// Least and largest number of channels that leave a terminal.
pub fn degree(network: &Network) -> (u64, u64) {
    let degrees = || network.terminals().iter().map(|t| network.outgoing(*t).len() as u64);
    (degrees().min().unwrap_or(0), degrees().max().unwrap_or(0))
}

/// The weighted cost ratio CR_w of Y. Li, S. Peng, W. Chu: `weight` × degree + (1 − `weight`) × diameter, over the
/// logarithm of the number of nodes; 1 on every hypercube. `None` with switches or one node.
pub fn cost_ratio(network: &Network, diameter: u64, weight: f64) -> Option<f64> {
    let nodes = network.node_count();
    if network.terminals().len() != nodes || nodes < 2 {
        return None;
    }
    cost_ratio_of(nodes as u64, degree(network).1, diameter, weight)
}

/// The same of a direct network of so many nodes, this largest degree and this diameter; `None` of one node.
pub fn cost_ratio_of(nodes: u64, degree: u64, diameter: u64, weight: f64) -> Option<f64> {
    let (degree, diameter) = (degree as f64, diameter as f64);
    (nodes > 1).then(|| (weight * degree + (1.0 - weight) * diameter) / (nodes as f64).log2())
}
