//! **What:** the list of all constructions.

use crate::{
    cls, digits, doubly_parallel, dragonfly, fat_copies, lls, min_xor, partition, priced, rls, slimmed, sub_network,
    swapped_trees, tree, tree_colouring, vector_factors, vector_latin, vector_stream,
};
use construct::{Builder, Construction, Request};

/// Every construction.
#[rustfmt::skip]
pub const CONSTRUCTIONS: &[&Construction] = &[
    &lattices::RING_UNI,
    &lattices::RING_EVEN,
    &lattices::RING_ODD,
    &lattices::HYPERCUBE,
    &lattices::GENERALIZED_HYPERCUBE,
    &lattices::TORUS_EVEN,
    &lattices::TORUS_ODD,
    &lattices::TORUS_TOURS,
    &lattices::TORUS_PACKED,
    &lattices::MESH,
    &lattices::TORUS,
    &fat_copies::CONSTRUCTION,
    &tree::CONSTRUCTION,
    &lattices::CIRCULANT,
    &slimmed::CONSTRUCTION,
    &tree_colouring::CONSTRUCTION,
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
    &lattices::ALL_PORT_EXCHANGE,
    &lattices::total_exchange::IMPROVED,
    &lattices::total_exchange::PRINTED,
    &dragonfly::HOPS,
    &dragonfly::WHOLE,
    &swapped_trees::STREAMED,
    &swapped_trees::CHAINED,
    &swapped_trees::SHALLOW,
    &sub_network::CONSTRUCTION,
    &lattices::COSETS,
    &lattices::NECKLACES,
    &lattices::TRANSLATED_TREE,
    &lattices::TURNED_DIMENSIONS,
];

/// The constructions that apply, in the order of the list.
pub fn applicable(request: &Request<'_>) -> impl Iterator<Item = (&'static Construction, Box<dyn Builder>)> {
    CONSTRUCTIONS.iter().filter_map(move |c| Some((*c, c.builder_for(request)?)))
}

/// Why the construction of that name does not apply to a network where another does, and which.
pub fn hint(name: &str, network: &str) -> Option<String> {
    if name == cls::CONSTRUCTION.name { cls::hint(network) } else { doubly_parallel::hint(name, network) }
}

/// The parameter that the construction of that name takes, a whole number of at least 1: its name and what it is.
pub fn parameter_of(name: &str) -> Option<(&'static str, &'static str)> {
    let all = [doubly_parallel::SEQUENTIAL, doubly_parallel::PAIRED, doubly_parallel::PIPELINED];
    all.iter().any(|c| c.name == name).then_some(doubly_parallel::PARAMETER)
}
