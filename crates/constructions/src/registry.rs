//! **What:** what a construction is, and the registry [`CONSTRUCTIONS`].

use crate::{
    Plan, all_port_exchange, circulant, cls, digits, doubly_parallel, generalized_hypercube, hypercube, lls, min_xor,
    partition, priced, ring_even, ring_odd, ring_uni, rls, slimmed, torus_even, torus_odd, torus_packed, torus_tours,
    tree, vector_factors, vector_latin, vector_stream,
};
use kernel::{Certificate, Model, Network};

/// A closed form for the parameters of one network.
pub trait Form {
    /// The number of steps promised; `None` where the construction packs and promises none.
    fn promise(&self) -> Option<u64>;

    /// The schedule; `None` where the network is not that of the specification.
    fn plan(&self, network: &Network) -> Option<Plan>;

    /// The rules that the schedule obeys.
    fn model(&self) -> Model {
        Model::wormhole()
    }

    /// As [`Form::plan`], of several schedules the one that `seed` chooses.
    fn plan_of(&self, network: &Network, seed: u64) -> Option<Plan> {
        let _ = seed;
        self.plan(network)
    }

    /// A bound of the network's that is known beforehand; `None` where it is to be searched for.
    fn floor(&self, network: &Network) -> Option<Certificate> {
        let _ = network;
        None
    }
}

/// A construction: what it is good for and how it is made.
pub struct Construction {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The number of steps, as a formula.
    pub promise: &'static str,
    /// Specifications that the law tests build.
    pub examples: &'static [&'static str],
    /// The form for a family's name and its parameters; `None` where it does not apply.
    pub(crate) make: fn(&str, &str) -> Option<Box<dyn Form>>,
}

/// Every construction. Of several that apply, the first is the best.
pub const CONSTRUCTIONS: &[&Construction] = &[
    &ring_uni::CONSTRUCTION,
    &ring_even::CONSTRUCTION,
    &ring_odd::CONSTRUCTION,
    &hypercube::CONSTRUCTION,
    &generalized_hypercube::CONSTRUCTION,
    &torus_even::CONSTRUCTION,
    &torus_odd::CONSTRUCTION,
    &torus_tours::CONSTRUCTION,
    &torus_packed::CONSTRUCTION,
    &tree::CONSTRUCTION,
    &circulant::CONSTRUCTION,
    &slimmed::CONSTRUCTION,
    &digits::CONSTRUCTION,
    &cls::CONSTRUCTION,
    &lls::CONSTRUCTION,
    &partition::CONSTRUCTION,
    &rls::CONSTRUCTION,
    &min_xor::CONSTRUCTION,
    &vector_latin::CONSTRUCTION,
    &vector_stream::CONSTRUCTION,
    &doubly_parallel::PIPELINED,
    &doubly_parallel::PAIRED,
    &doubly_parallel::SEQUENTIAL,
    &vector_factors::CONSTRUCTION,
    &priced::HOPS,
    &priced::PATHS,
    &all_port_exchange::CONSTRUCTION,
];

/// The constructions that apply to a specification such as `torus:64x64`, with their forms.
pub fn find(spec: &str) -> impl Iterator<Item = (&'static Construction, Box<dyn Form>)> {
    let (family, parameters) = spec.split_once(':').unwrap_or((spec, ""));
    CONSTRUCTIONS.iter().filter_map(move |c| Some((*c, (c.make)(family, parameters)?)))
}

/// Why the construction of that name does not apply where another does, and which.
pub fn hint(name: &str, spec: &str) -> Option<String> {
    let (family, parameters) = spec.split_once(':').unwrap_or((spec, ""));
    match name {
        "cls" => cls::hint(family, parameters),
        _ => None,
    }
}

/// Most channel uses by representatives that are written down; beyond, a construction does not apply.
pub(crate) const MOST_USES: u64 = 1 << 26;

/// The one parameter of a specification.
pub(crate) fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// The parameters of a specification.
pub(crate) fn numbers(text: &str, separator: char) -> Option<Vec<u32>> {
    text.split(separator).map(number).collect()
}
