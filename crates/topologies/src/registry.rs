//! **What:** what a family of networks is, and the registry [`FAMILIES`].

use crate::build;
use crate::dual_net::DualNet;
use crate::families;
use crate::grid::Grid;
use crate::levels::Levels;
pub(crate) use crate::route::Route;
use crate::spec::{Arguments, SpecError};
use crate::stages::Stages;
use kernel::timed::Links;
use kernel::{Network, Node};

/// Closed forms of one network; tests compare them with the network as built. `None` where no closed form is claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClosedForms {
    /// Nodes, switches included.
    pub nodes: u64,
    /// Terminals.
    pub terminals: u64,
    /// Directed channels.
    pub channels: u64,
    /// Least and largest number of channels that leave a terminal.
    pub degree: Option<(u64, u64)>,
    /// Largest distance between terminals, in hops.
    pub diameter: Option<u64>,
    /// Sum of the distances over ordered pairs of terminals; divided by their number it is the average distance.
    pub distances: Option<u128>,
    /// Whether automorphisms carry every terminal to every other; generators are then in [`Topology::automorphisms`]
    /// where they are simple to state.
    pub vertex_transitive: Option<bool>,
}

impl ClosedForms {
    /// A direct network: every node is a terminal.
    pub(crate) fn direct(nodes: u64, channels: u64, degree: (u64, u64)) -> Self {
        ClosedForms { nodes, terminals: nodes, channels, degree: Some(degree), ..ClosedForms::default() }
    }

    /// An indirect network whose terminals have one channel each way.
    pub(crate) fn hosts(terminals: u64, switches: u64, channels: u64) -> Self {
        Self::switched(terminals + switches, terminals, channels, (1, 1))
    }

    /// Terminals and switches, with what leaves a terminal.
    pub(crate) fn switched(nodes: u64, terminals: u64, channels: u64, degree: (u64, u64)) -> Self {
        ClosedForms { terminals, ..Self::direct(nodes, channels, degree) }
    }

    pub(crate) fn diameter(self, diameter: u64) -> Self {
        ClosedForms { diameter: Some(diameter), ..self }
    }

    pub(crate) fn distances(self, sum: u128) -> Self {
        ClosedForms { distances: Some(sum), ..self }
    }

    /// All terminals are `hops` apart.
    pub(crate) fn equidistant(self, hops: u64) -> Self {
        let n = u128::from(self.terminals);
        self.diameter(hops).distances(n * (n - 1) * u128::from(hops))
    }

    pub(crate) fn transitive(self, yes: bool) -> Self {
        ClosedForms { vertex_transitive: Some(yes), ..self }
    }
}

/// One network of a family, its parameters valid by construction.
pub trait Topology {
    /// The canonical specification.
    fn spec(&self) -> String;

    /// Closed forms.
    fn closed_forms(&self) -> ClosedForms;

    /// The network itself; its name is the specification.
    fn network(&self) -> Network;

    /// Some automorphisms, as images of the nodes; enough to generate a transitive group where there are any.
    fn automorphisms(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    /// The sizes of the dimensions, the slowest first, of a lattice whose translations are automorphisms; `None` where no such
    /// lattice is known.
    fn translations(&self) -> Option<Vec<u32>> {
        None
    }

    /// Where the automorphism that takes node 0 to `one` takes `other`, of automorphisms that together are a group with one such for
    /// every node; `None` where no such group is known. Node 0 is its one.
    fn product(&self, one: u32, other: u32) -> Option<u32> {
        let sizes = self.translations()?;
        let digits = build::digits(one, &sizes).into_iter().zip(build::digits(other, &sizes)).zip(&sizes);
        let sums: Vec<u32> = digits.map(|((one, other), size)| (one + other) % size).collect();
        Some(build::node_of(&sums, &sizes))
    }

    /// The coordinates of its nodes, where links change one of them at a time.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The sizes of its dimensions, the slowest first, where a node's number has its coordinates as digits and a channel changes one
    /// of them; a factor without coordinates is one dimension.
    fn dimensions(&self) -> Option<Vec<u32>> {
        self.grid().map(|grid| grid.sizes().to_vec())
    }

    /// What the channels of `network` carry in time, in their order; `None` where no machine with public figures is meant.
    fn links(&self) -> Option<Links> {
        None
    }

    /// The levels of switches above the terminals, where the network is made of such.
    fn levels(&self) -> Option<Levels> {
        None
    }

    /// The stages of switches, where it is a multistage network.
    fn stages(&self) -> Option<Stages> {
        None
    }

    /// The levels of clusters, where it is a dual-net.
    fn dual_net(&self) -> Option<&DualNet> {
        None
    }

    /// The family's own way between two terminals of its `network`; `None` where it has no rule.
    fn route(&self, network: &Network, from: Node, to: Node) -> Option<Route> {
        let _ = (network, from, to);
        None
    }
}

/// A family: how it is written and made.
pub struct Family {
    /// The name before the colon.
    pub name: &'static str,
    /// The whole form, such as `torus:AxBx…`.
    pub form: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Specifications that the law tests build.
    pub examples: &'static [&'static str],
    /// Makes a member from its parameters.
    pub(crate) make: fn(&Arguments<'_>) -> Result<Box<dyn Topology>, SpecError>,
}

/// Every family, in the order of the book.
pub const FAMILIES: &[&Family] = &[
    &families::ring::FAMILY,
    &families::ring_uni::FAMILY,
    &families::complete::FAMILY,
    &families::mesh::FAMILY,
    &families::torus::FAMILY,
    &families::hypercube::FAMILY,
    &families::generalized_hypercube::FAMILY,
    &families::product::FAMILY,
    &families::twisted_cube::FAMILY,
    &families::banyan_hypercube::FAMILY,
    &families::circulant::FAMILY,
    &families::multiring::FAMILY,
    &families::kring::FAMILY,
    &families::midimew::FAMILY,
    &families::spidergon::FAMILY,
    &families::spidergon_cascade::FAMILY,
    &families::multi_spidergon::FAMILY,
    &families::amp::FAMILY,
    &families::utility::FAMILY,
    &families::petersen::FAMILY,
    &families::heawood::FAMILY,
    &families::levi::FAMILY,
    &families::hoffman_singleton::FAMILY,
    &families::kautz::FAMILY,
    &families::debruijn::FAMILY,
    &families::ccc::FAMILY,
    &families::star::FAMILY,
    &families::pancake::FAMILY,
    &families::dual_cube::FAMILY,
    &families::rdn::FAMILY,
    &families::hdn::FAMILY,
    &families::swapped_dragonfly::FAMILY,
    &families::dragonfly::FAMILY,
    &families::swapped_hypercube::FAMILY,
    &families::shuffle::FAMILY,
    &families::omega::FAMILY,
    &families::butterfly::FAMILY,
    &families::baseline::FAMILY,
    &families::flip::FAMILY,
    &families::reverse_butterfly::FAMILY,
    &families::reverse_baseline::FAMILY,
    &families::benes::FAMILY,
    &families::butterfly_butterfly::FAMILY,
    &families::clos::FAMILY,
    &families::binary_tree::FAMILY,
    &families::full_tree::FAMILY,
    &families::fat_tree::FAMILY,
    &families::gft::FAMILY,
    &families::xgft::FAMILY,
    &families::pgft::FAMILY,
    &families::opened::FAMILY,
    &families::fat::FAMILY,
    &families::dgx1::FAMILY,
    &families::ndv2::FAMILY,
    &families::dgx2::FAMILY,
    &families::dgx_a100::FAMILY,
    &families::dgx_h100::FAMILY,
    &families::mi250x::FAMILY,
    &families::mi300x::FAMILY,
    &families::tpu_v4::FAMILY,
    &families::random_regular::FAMILY,
];

/// The family of that name.
pub fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().copied().find(|f| f.name == name)
}
