//! Dragonflies of all kinds.

use super::{divisors, spec};
use crate::shape::Shape;

pub(super) fn swapped_dragonfly(shape: &Shape<'_>) -> Vec<String> {
    let drawers = (2..=4096u32).take_while(|m| m.pow(2) <= shape.nodes && shape.is_direct);
    let fits = |&[k, m]: &[u32; 2]| {
        let [n, k, m] = [shape.nodes, k, m].map(u64::from);
        shape.channels == n * (m - 1) + (k * m).pow(2) - k * m
    };
    let cabinets = drawers.filter(|m| shape.nodes.is_multiple_of(m.pow(2))).map(|m| [shape.nodes / m.pow(2), m]);
    cabinets.filter(fits).map(|p| spec("swapped-dragonfly", &p, ",")).collect()
}

pub(super) fn swapped_hypercube(shape: &Shape<'_>) -> Vec<String> {
    let Some(bits) = super::log(shape.nodes, 2).filter(|_| shape.is_direct) else { return Vec::new() };
    let fields = (1..=bits / 2).map(|m| [bits - 2 * m, m]);
    fields.map(|p| spec("swapped-hypercube", &p, ",")).collect()
}

pub(super) fn dragonfly(shape: &Shape<'_>) -> Vec<String> {
    if !(shape.is_direct && shape.is_symmetric) {
        return Vec::new();
    }
    let of = |routers: u32| {
        let (groups, m) = (shape.nodes / routers, u64::from(routers));
        let global = shape.channels.checked_sub(u64::from(shape.nodes) * (m - 1))?;
        let pairs = u64::from(groups) * u64::from(groups.checked_sub(1).filter(|g| *g > 0)?);
        let links = u32::try_from(global / pairs).ok().filter(|l| *l > 0 && global.is_multiple_of(pairs))?;
        // As few global ports as the routers need.
        let dealt = || [(links * (groups - 1)).div_ceil(routers), routers, groups, links];
        let ports = u32::try_from(shape.degree.1.checked_sub(m - 1)?).ok().filter(|_| links == 1);
        let mut specs = Vec::new();
        match ports {
            Some(k) if groups == k * routers + 1 => specs.push(spec("dragonfly", &[k, routers], ",")),
            Some(k) => specs.push(spec("dragonfly", &[k, routers, groups], ",")),
            None => {}
        }
        specs.push(spec("dragonfly", &dealt(), ","));
        Some(specs)
    };
    divisors(shape.nodes).filter_map(of).flatten().collect()
}
