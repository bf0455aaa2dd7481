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
mod single;
mod stages;
mod trees;
mod words;

use crate::shape::Shape;
use run::{Budget, Spent};

/// Where candidates of a family come from.
pub(crate) struct Source {
    /// The family's name, for the law that no family is forgotten.
    #[cfg_attr(not(test), expect(dead_code))]
    pub family: &'static str,
    /// Whether its networks are drawn or searched for, which takes time: only where no other family has been found.
    pub is_last: bool,
    /// The specifications of the family that the shape allows, or more.
    pub specs: fn(&Shape<'_>, &mut Budget<'_>) -> Result<Vec<String>, Spent>,
}

/// A family whose candidates follow from a few numbers.
macro_rules! by_numbers {
    ($family:literal, $specs:expr) => {
        Source {
            family: $family,
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
    by_numbers!("hypercube", grids::hypercube),
    by_numbers!("ring-uni", grids::ring_uni),
    by_numbers!("ring", grids::ring),
    by_numbers!("complete", grids::complete),
    by_numbers!("generalized-hypercube", grids::generalized_hypercube),
    by_numbers!("torus", grids::torus),
    by_numbers!("full-tree", trees::full_tree),
    by_numbers!("binary-tree", trees::binary_tree),
    by_numbers!("fat-tree", trees::fat_tree),
    by_numbers!("gft", trees::gft),
    by_numbers!("xgft", trees::xgft),
    by_numbers!("pgft", trees::pgft),
    by_numbers!("clos", trees::clos),
    by_numbers!("opened", trees::opened),
    by_numbers!("swapped-dragonfly", dragonflies::swapped_dragonfly),
    by_numbers!("swapped-hypercube", dragonflies::swapped_hypercube),
    by_numbers!("mesh", grids::mesh),
    by_numbers!("rdn", dual_nets::rdn),
    by_numbers!("hdn", dual_nets::hdn),
    by_numbers!("dual-cube", dual_nets::dual_cube),
    by_numbers!("petersen", single::petersen),
    by_numbers!("heawood", single::heawood),
    by_numbers!("levi", single::levi),
    by_numbers!("hoffman-singleton", single::hoffman_singleton),
    by_numbers!("dgx1", single::dgx1),
    by_numbers!("multiring", circulants::multiring),
    by_numbers!("midimew", circulants::midimew),
    by_numbers!("spidergon", circulants::spidergon),
    Source { family: "kring", is_last: false, specs: circulants::kring },
    Source { family: "circulant", is_last: false, specs: circulants::circulant },
    by_numbers!("kautz", words::kautz),
    by_numbers!("debruijn", words::debruijn),
    by_numbers!("ccc", words::ccc),
    by_numbers!("dragonfly", dragonflies::dragonfly),
    by_numbers!("omega", stages::omega),
    by_numbers!("butterfly", stages::butterfly),
    by_numbers!("baseline", stages::baseline),
    by_numbers!("flip", stages::flip),
    by_numbers!("reverse-butterfly", stages::reverse_butterfly),
    by_numbers!("reverse-baseline", stages::reverse_baseline),
    by_numbers!("butterfly-butterfly", stages::butterfly_butterfly),
    by_numbers!("benes", stages::benes),
    Source { family: "fat", is_last: false, specs: fat::specs },
    Source { family: "amp", is_last: true, specs: |shape, _| Ok(single::amp(shape)) },
    Source { family: "random-regular", is_last: true, specs: |shape, _| Ok(single::random_regular(shape)) },
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

#[cfg(test)]
mod tests {
    use super::*;
    use topologies::FAMILIES;

    #[test]
    fn every_family_is_looked_for() {
        let mut known: Vec<&str> = FAMILIES.iter().map(|f| f.name).collect();
        let mut sources: Vec<&str> = SOURCES.iter().map(|s| s.family).collect();
        known.sort_unstable();
        sources.sort_unstable();
        assert_eq!(known, sources);
    }
}
