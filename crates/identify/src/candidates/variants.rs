//! Networks made of hypercubes or spidergons: twisted, joined by a banyan, in a row, in several dimensions.

use super::{log, only, spec};
use crate::shape::Shape;

fn links(shape: &Shape<'_>) -> bool {
    shape.is_direct && shape.is_symmetric
}

pub(super) fn twisted_cube(shape: &Shape<'_>) -> Vec<String> {
    let dimensions = log(shape.nodes, 2).filter(|d| *d >= 3 && links(shape) && shape.regular() == Some(u64::from(*d)));
    dimensions.map(|d| spec("twisted-cube", &[d], "")).into_iter().collect()
}

/// C spidergons of N nodes have C(N − 1) + 1 nodes and 3NC channels.
pub(super) fn spidergon_cascade(shape: &Shape<'_>) -> Vec<String> {
    let links_of_all = shape.channels / 3;
    let spidergons = (links_of_all + 1).checked_sub(u64::from(shape.nodes)).filter(|c| *c > 0);
    let fits = |c: &u64| {
        links(shape)
            && shape.channels.is_multiple_of(3)
            && links_of_all.is_multiple_of(*c)
            && (links_of_all / c).is_multiple_of(2)
    };
    let numbers =
        spidergons.filter(fits).and_then(|c| Some([u32::try_from(links_of_all / c).ok()?, u32::try_from(c).ok()?]));
    numbers.map(|numbers| spec("spidergon-cascade", &numbers, ",")).into_iter().collect()
}

/// Three channels a node and dimension.
pub(super) fn multi_spidergon(shape: &Shape<'_>) -> Vec<String> {
    let degree = shape.regular().filter(|d| links(shape) && d.is_multiple_of(3));
    let mut found = Vec::new();
    if let Some(dimensions) = degree.and_then(|d| usize::try_from(d / 3).ok()).filter(|d| *d < 16) {
        sizes(shape.nodes, dimensions, 4, &mut Vec::new(), &mut found);
    }
    found.iter().map(|sizes| spec("multispidergon", sizes, "x")).collect()
}

/// All lists of so many even sizes with this product, ascending, none below `least`.
fn sizes(product: u32, dimensions: usize, least: u32, chosen: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    if dimensions == 1 {
        if product >= least && product.is_multiple_of(2) {
            found.push([&chosen[..], &[product]].concat());
        }
        return;
    }
    let fits = |size: &u32| size.checked_mul(*size).is_some_and(|square| square <= product);
    for size in (least..).step_by(2).take_while(fits).filter(|size| product.is_multiple_of(*size)).collect::<Vec<_>>() {
        chosen.push(size);
        sizes(product / size, dimensions - 1, size, chosen, found);
        chosen.pop();
    }
}

/// H levels of 2^B nodes each, B a multiple of the bits of a digit.
pub(super) fn banyan_hypercube(shape: &Shape<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for levels in (1..=21).filter(|levels| links(shape) && shape.nodes.is_multiple_of(*levels)) {
        let Some(within) = log(shape.nodes / levels, 2).filter(|bits| (1..=20).contains(bits)) else { continue };
        for bits in (1..=within).filter(|bits| within.is_multiple_of(*bits) && levels <= within / bits + 1) {
            let channels = |level: u64| {
                u64::from(levels) * level * u64::from(within) + 2 * u64::from(levels - 1) * level * (1 << bits)
            };
            let fits = channels(1 << within) == shape.channels;
            found.extend(only(fits, || spec("banyan-hypercube", &[levels, within / bits, 1 << bits], ",")));
        }
    }
    found
}
