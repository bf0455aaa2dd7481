//! **What:** the specifications that a network of some shape may have, family by family, those that are preferred first.
//!
//! **Preference.** Several specifications may name one network; the first that is isomorphic is the network's identity. First come the
//! families with the best closed forms (in the order of the registry of constructions), then the more special ones, so that a
//! hypercube is not called a torus, nor a torus a circulant network. A new family needs a line here, or it is known by its
//! name and numbering alone; a law test looks for it.

mod circulants;
mod dragonflies;
mod dual_nets;
mod fat;
mod grids;
mod machines;
mod products;
mod single;
mod stages;
mod trees;
mod variants;
mod words;

use crate::shape::Shape;
use run::{Budget, Spent};

/// Where candidates of a family come from.
pub(crate) struct Source {
    /// Whether its networks are drawn or searched for, which takes time: only where no other family has been found.
    pub is_last: bool,
    /// The specifications of the family that the shape allows, or more.
    pub specs: fn(&Shape<'_>, &mut Budget<'_>) -> Result<Vec<String>, Spent>,
}

/// A family whose candidates follow from a few numbers.
macro_rules! by_numbers {
    ($specs:expr) => {
        Source {
            is_last: false,
            specs: |shape, _| {
                let specs: fn(&Shape<'_>) -> Vec<String> = $specs;
                Ok(specs(shape))
            },
        }
    };
}

/// Every family, the preferred first.
pub(crate) const SOURCES: &[Source] = &[
    by_numbers!(grids::hypercube),
    by_numbers!(grids::ring_uni),
    by_numbers!(grids::ring),
    by_numbers!(grids::complete),
    by_numbers!(grids::generalized_hypercube),
    by_numbers!(grids::torus),
    by_numbers!(trees::full_tree),
    by_numbers!(trees::binary_tree),
    by_numbers!(trees::fat_tree),
    by_numbers!(trees::gft),
    by_numbers!(trees::xgft),
    by_numbers!(trees::pgft),
    by_numbers!(trees::clos),
    by_numbers!(trees::opened),
    by_numbers!(dragonflies::swapped_dragonfly),
    by_numbers!(dragonflies::swapped_hypercube),
    by_numbers!(grids::mesh),
    Source { is_last: false, specs: products::specs },
    by_numbers!(dual_nets::rdn),
    by_numbers!(dual_nets::hdn),
    by_numbers!(dual_nets::dual_cube),
    by_numbers!(single::petersen),
    by_numbers!(single::heawood),
    by_numbers!(single::levi),
    by_numbers!(single::hoffman_singleton),
    by_numbers!(single::dgx1),
    by_numbers!(machines::specs),
    by_numbers!(circulants::multiring),
    by_numbers!(circulants::midimew),
    by_numbers!(circulants::spidergon),
    Source { is_last: false, specs: circulants::kring },
    Source { is_last: false, specs: circulants::circulant },
    by_numbers!(variants::twisted_cube),
    by_numbers!(single::utility),
    by_numbers!(variants::spidergon_cascade),
    by_numbers!(variants::multi_spidergon),
    by_numbers!(variants::banyan_hypercube),
    by_numbers!(words::kautz),
    by_numbers!(words::debruijn),
    by_numbers!(words::ccc),
    by_numbers!(words::star),
    by_numbers!(words::pancake),
    by_numbers!(dragonflies::dragonfly),
    by_numbers!(stages::shuffle),
    by_numbers!(stages::omega),
    by_numbers!(stages::butterfly),
    by_numbers!(stages::baseline),
    by_numbers!(stages::flip),
    by_numbers!(stages::reverse_butterfly),
    by_numbers!(stages::reverse_baseline),
    by_numbers!(stages::butterfly_butterfly),
    by_numbers!(stages::benes),
    Source { is_last: false, specs: fat::specs },
    Source { is_last: true, specs: |shape, _| Ok(single::amp(shape)) },
    Source { is_last: true, specs: |shape, _| Ok(single::random_regular(shape)) },
];

/// `family:numbers`, with a separator between the numbers.
fn spec(family: &str, numbers: &[u32], separator: &str) -> String {
    format!("{family}:{}", joined(numbers, separator))
}

fn joined(numbers: &[u32], separator: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
}

/// The specification, where `holds`.
fn only(holds: bool, spec: impl FnOnce() -> String) -> Vec<String> {
    if holds { vec![spec()] } else { Vec::new() }
}

/// The exponent of `base` that gives `power`.
fn log(power: u32, base: u32) -> Option<u32> {
    let exponent = if base > 1 && power > 0 { power.ilog(base) } else { return None };
    (base.checked_pow(exponent) == Some(power)).then_some(exponent)
}

fn divisors(n: u32) -> impl Iterator<Item = u32> {
    (1..=n).take_while(move |d| *d as u64 * *d as u64 <= u64::from(n)).filter(move |d| n.is_multiple_of(*d)).flat_map(
        move |d| {
            let other = n / d;
            std::iter::once(d).chain((other != d).then_some(other))
        },
    )
}
