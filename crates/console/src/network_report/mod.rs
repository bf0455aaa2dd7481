//! **What:** what `network` and `compare` say of a network: the measures of crate `design`, joined with symmetry from crate
//! `solve` and closed forms from crate `topologies`.

mod document;
mod lines;

use crate::symmetric::{diameter_bounds, orbits};
use design::measures::{self, Distances, Measures};
use graph::automorphisms::Group;
use kernel::Network;
use serde::Serialize;
use topologies::ClosedForms;
use topologies::circuits::{self, Circuits};

pub use document::Document;
pub use lines::{PERMUTATIONS, circuit_lines, lines, range};

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
