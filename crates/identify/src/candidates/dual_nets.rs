//! Hierarchical dual-nets: level by level, 2b²/s nodes over b nodes below and s in a super-node.

use super::{grids, spec};
use crate::shape::Shape;
use topologies::topology;

/// Candidates that are looked at.
const MOST_CANDIDATES: usize = 400;

/// A base's size, and the super-nodes' sizes above it, from below.
struct Sizes {
    base: u32,
    supers: Vec<u32>,
}

/// All sizes of dual-nets of so many nodes and at most so many levels, those of more levels over smaller bases first.
fn sizes(nodes: u32, levels: usize) -> Vec<Sizes> {
    if levels == 0 {
        return Vec::new();
    }
    let n = u64::from(nodes);
    let least = (1..).find(|b| 2 * b * b >= n).unwrap_or(1);
    let below = (least.max(2)..=n / 2).filter(|b| (2 * b * b).is_multiple_of(n));
    let mut all = Vec::new();
    for b in below {
        let Ok(base) = u32::try_from(b) else { continue };
        let Ok(inside) = u32::try_from(2 * b * b / n) else { continue };
        for mut deeper in sizes(base, levels - 1) {
            deeper.supers.push(inside);
            all.push(deeper);
        }
        all.push(Sizes { base, supers: vec![inside] });
    }
    all.retain(|s| s.supers.iter().all(|inside| s.base.is_multiple_of(*inside)));
    all
}

/// Bases of so many nodes and channels; a square is a hypercube here, whose dimensions may be told apart.
fn bases(nodes: u32, channels: u64) -> Vec<String> {
    let n = u64::from(nodes);
    let degree = channels / n;
    let regular = channels.is_multiple_of(n);
    let mut all = Vec::new();
    let mut add = |spec: String| {
        let fits = topology(&spec)
            .is_ok_and(|base| (base.closed_forms().nodes, base.closed_forms().channels) == (n, channels));
        if fits && !all.contains(&spec) {
            all.push(spec);
        }
    };
    add(spec("hypercube", &[nodes.ilog2()], ""));
    if regular && degree == 1 && nodes > 2 {
        add(spec("ring-uni", &[nodes], ""));
    }
    if regular && degree == 2 {
        add(spec("ring", &[nodes], ""));
    }
    add(spec("complete", &[nodes], ""));
    (2..=nodes.ilog2()).for_each(|digits| {
        let values = (2..).find(|k: &u32| k.checked_pow(digits).is_none_or(|n| n >= nodes)).unwrap_or(2);
        add(spec("generalized-hypercube", &[values, digits], ","));
    });
    for sizes in grids::products(nodes, 8) {
        add(spec("torus", &sizes, "x"));
        add(spec("mesh", &sizes, "x"));
    }
    ["petersen", "heawood", "levi", "hoffman-singleton", "dgx1"].map(str::to_owned).into_iter().for_each(add);
    all
}

fn all_of(shape: &Shape<'_>, only_single: bool) -> Vec<String> {
    let mut specs = Vec::new();
    if !shape.is_direct {
        return specs;
    }
    let mut all = sizes(shape.nodes, 5);
    // A super-node that is all of the base only doubles it; most such networks have a base of one more dimension.
    all.sort_by_key(|sizes| sizes.supers[0] == sizes.base);
    for sizes in all {
        let levels = sizes.supers.len() as u64;
        let single = sizes.supers.iter().all(|s| *s == 1);
        let n = u64::from(shape.nodes);
        let inner = shape.channels.checked_sub(n * levels).map(|inner| inner / (n / u64::from(sizes.base)));
        let Some(channels) = inner.filter(|_| single == only_single) else { continue };
        for base in bases(sizes.base, channels) {
            if only_single {
                specs.push(format!("rdn:{base};{levels}"));
            } else {
                specs.extend(supers(&base, &sizes.supers).into_iter().map(|s| format!("hdn:{base};{s}")));
            }
        }
    }
    specs.truncate(MOST_CANDIDATES);
    specs
}

/// The ways to choose dimensions of `base` with the wanted numbers of nodes, a list for each level.
fn supers(base: &str, wanted: &[u32]) -> Vec<String> {
    let Ok(base) = topology(base) else { return Vec::new() };
    let whole = || vec![u32::try_from(base.closed_forms().nodes).unwrap_or(u32::MAX)];
    let sizes = base.grid().map_or_else(whole, |grid| grid.sizes().to_vec());
    let subsets = |size: u32| -> Vec<String> {
        let product = |set: u32| (0..sizes.len()).filter(|d| set >> d & 1 == 1).map(|d| sizes[d]).product::<u32>();
        let text = |set: u32| match set {
            0 => "1".to_owned(),
            _ => (0..sizes.len()).filter(|d| set >> d & 1 == 1).map(|d| format!("d{d}")).collect::<Vec<_>>().join("x"),
        };
        (0..1u32 << sizes.len().min(10)).filter(|set| product(*set) == size).map(text).collect()
    };
    let mut lists = vec![String::new()];
    for &size in wanted {
        let longer = |list: &String| {
            let list = list.clone();
            subsets(size).into_iter().map(move |s| if list.is_empty() { s } else { format!("{list},{s}") })
        };
        lists = lists.iter().flat_map(longer).take(MOST_CANDIDATES).collect();
    }
    lists
}

pub(super) fn rdn(shape: &Shape<'_>) -> Vec<String> {
    all_of(shape, true)
}

pub(super) fn hdn(shape: &Shape<'_>) -> Vec<String> {
    all_of(shape, false)
}

pub(super) fn dual_cube(shape: &Shape<'_>) -> Vec<String> {
    let degree = (2..=10u32).find(|d| 1 << (2 * d - 1) == shape.nodes).filter(|_| shape.is_direct);
    degree.map(|d| spec("dual-cube", &[d], "")).into_iter().collect()
}
