//! Products of networks: the prime factors are found from distances, and identified one by one.

use crate::find_matches;
use crate::shape::Shape;
use graph::factors::{Factor, factors};
use kernel::{Network, NetworkData};
use run::{Budget, Spent};

/// Nodes times channels above which no factors are looked for.
const MOST_WORK: u64 = 200_000_000;

pub(super) fn specs(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Vec<String>, Spent> {
    if !shape.is_direct || !shape.is_simple || u64::from(shape.nodes) * shape.channels > MOST_WORK {
        return Ok(Vec::new());
    }
    let factors = factors(shape.network, work)?;
    if factors.len() < 2 {
        return Ok(Vec::new());
    }
    let pairs = factors.iter().filter(|factor| factor.is_pair()).count();
    let mut specs = Vec::new();
    for factor in factors.into_iter().filter(|factor| !factor.is_pair()) {
        if let Some(spec) = line_or_triangle(&factor) {
            specs.push(spec);
            continue;
        }
        let data = NetworkData { nodes: factor.nodes, channels: factor.channels, ..NetworkData::default() };
        let Ok(network) = Network::new(data) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        find_matches(&Shape::of(&network), None, 1, &mut found, work)?;
        let Some(found) = found.pop() else { return Ok(Vec::new()) };
        specs.push(found.spec);
    }
    specs.sort_unstable();
    match pairs {
        0 => {}
        1 => specs.push("mesh:2".into()),
        _ => specs.push(format!("hypercube:{pairs}")),
    }
    Ok(if specs.len() > 1 { vec![format!("product:{}", specs.join(","))] } else { Vec::new() })
}

/// Three nodes are a ring and a complete network, and a line of three is a tree: of these names those that have closed forms.
fn line_or_triangle(factor: &Factor) -> Option<String> {
    let n = factor.nodes;
    let leaving = |v: u32| factor.channels.iter().filter(|(from, _)| *from == v).count();
    let is_mutual = factor.channels.iter().all(|(a, b)| factor.channels.binary_search(&(*b, *a)).is_ok());
    let links = factor.channels.len() as u64 / 2;
    match is_mutual {
        true if n == 3 && links == 3 => Some("complete:3".into()),
        true if links + 1 == u64::from(n) && n <= 1 << 12 && (0..n).all(|v| leaving(v) <= 2) => {
            Some(format!("mesh:{n}"))
        }
        _ => None,
    }
}
