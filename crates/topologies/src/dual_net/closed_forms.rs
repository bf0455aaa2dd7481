//! **What:** closed forms of dual-nets.
//!
//! With q super-nodes a cluster, of s nodes, and n = 2q²s nodes in all, the sum of distances over ordered pairs is that of both registers,
//! 2σ(Q)(2qs)², of the super-node, σ(S)(2q²)², and of crossings: n²/2 pairs of different classes cross once, and of the
//! others all but one in q cross twice. The diameter is 2D(Q) + D(S) + 2, unless a class has one cluster: then it is D(G) + 1,
//! where the paper's formula is one too large (and two at the next level).

use super::DualNet;
use crate::registry::ClosedForms;

pub(super) fn of(net: &DualNet) -> ClosedForms {
    let base = net.forms;
    let levels = net.levels() as u64;
    let nodes = u64::from(net.nodes[net.levels()]);
    let channels = nodes / base.nodes * base.channels + nodes * levels;
    let forms = ClosedForms { nodes, terminals: nodes, channels, ..ClosedForms::default() };
    let forms = ClosedForms { degree: base.degree.map(|(least, most)| (least + levels, most + levels)), ..forms };
    if !net.is_nested() {
        return forms;
    }
    let transitive = net.dimensions.iter().all(|f| f.vertex_transitive == Some(true));
    let forms = if transitive { forms.transitive(true) } else { forms };
    ClosedForms { diameter: diameter(net), distances: distances(net), ..forms }
}

/// Diameter of the super-node of a level.
fn inside(net: &DualNet, level: usize) -> Option<u64> {
    net.super_node(level).iter().map(|d| net.dimensions[*d].diameter).sum()
}

fn base_diameter(net: &DualNet) -> Option<u64> {
    net.dimensions.iter().map(|f| f.diameter).sum()
}

fn diameter(net: &DualNet) -> Option<u64> {
    let mut diameter = base_diameter(net)?;
    for level in 1..=net.levels() {
        let inside = inside(net, level)?;
        diameter = if net.clusters(level) == 1 { diameter + 1 } else { 2 * (diameter - inside) + inside + 2 };
    }
    Some(diameter)
}

pub(super) fn printed_diameter(net: &DualNet) -> Option<i64> {
    let signed = |d: u64| i64::try_from(d).ok();
    let mut diameter = signed(base_diameter(net)?)?;
    for level in 1..=net.levels() {
        diameter = 2 * diameter - signed(inside(net, level)?)? + 2;
    }
    Some(diameter)
}

fn distances(net: &DualNet) -> Option<u128> {
    let of_product = |dims: &[usize]| {
        let nodes: u128 = dims.iter().map(|d| u128::from(net.sizes[*d])).product();
        let along = |d: &usize| {
            let others = nodes / u128::from(net.sizes[*d]);
            net.dimensions[*d].distances.map(|sum| sum * others * others)
        };
        dims.iter().map(along).sum::<Option<u128>>()
    };
    let mut sum = of_product(&(0..net.sizes.len()).collect::<Vec<_>>())?;
    for level in 1..=net.levels() {
        let (q, s) = (u128::from(net.clusters(level)), u128::from(net.places(level)));
        let inside = of_product(net.super_node(level))?;
        let outside = (sum - inside * q * q) / (s * s);
        let n = 2 * q * q * s;
        sum = 2 * outside * (2 * q * s).pow(2) + inside * (2 * q * q).pow(2) + n * n / 2 + n * n - n * (n / q);
    }
    Some(sum)
}
