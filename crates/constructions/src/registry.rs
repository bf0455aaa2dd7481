//! **What:** the list of all constructions.

use crate::construction::{Builder, Construction};
use crate::request::Request;
use crate::{
    all_port_exchange, circulant, cls, cosets, digits, doubly_parallel, dragonfly, fat_copies, generalized_hypercube,
    hypercube, lls, min_xor, necklaces, partition, priced, ring_even, ring_odd, ring_uni, rls, slimmed, sub_network,
    swapped_trees, torus_even, torus_odd, torus_packed, torus_tours, total_exchange, tours, translated_tree, tree,
    tree_colouring, turned_dimensions, vector_factors, vector_latin, vector_stream,
};

/// Every construction.
#[rustfmt::skip]
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
    &tours::MESH,
    &tours::TORUS,
    &fat_copies::CONSTRUCTION,
    &tree::CONSTRUCTION,
    &circulant::CONSTRUCTION,
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
    &all_port_exchange::CONSTRUCTION,
    &total_exchange::IMPROVED,
    &total_exchange::PRINTED,
    &dragonfly::HOPS,
    &dragonfly::WHOLE,
    &swapped_trees::STREAMED,
    &swapped_trees::CHAINED,
    &swapped_trees::SHALLOW,
    &sub_network::CONSTRUCTION,
    &cosets::CONSTRUCTION,
    &necklaces::CONSTRUCTION,
    &translated_tree::CONSTRUCTION,
    &turned_dimensions::CONSTRUCTION,
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
