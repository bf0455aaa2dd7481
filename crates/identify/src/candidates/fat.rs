//! Fat networks: what carries the terminals is identified first.

use crate::find_matches;
use crate::shape::Shape;
use kernel::{Network, NetworkData, Node};
use run::{Budget, Spent};

pub(super) fn specs(shape: &Shape<'_>, work: &mut Budget<'_>) -> Result<Vec<String>, Spent> {
    let network = shape.network;
    let routers: Vec<Node> = network.nodes().filter(|v| !network.is_terminal(*v)).collect();
    let carried = match u32::try_from(routers.len()) {
        Ok(n) if n > 0 && shape.is_indirect && shape.terminals.is_multiple_of(n) => shape.terminals / n,
        _ => return Ok(Vec::new()),
    };
    let mut number = vec![None; network.node_count()];
    (0u32..).zip(&routers).for_each(|(i, v)| number[v.index()] = Some(i));
    let ends = |c| Some((number[network.from(c).index()]?, number[network.to(c).index()]?));
    let channels: Vec<(u32, u32)> = network.channels().filter_map(ends).collect();
    let inner = Network::new(NetworkData { nodes: Node::new(routers.len()).0, channels, ..NetworkData::default() });
    let Ok(inner) = inner else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    find_matches(&Shape::of(&inner), None, 1, &mut found, work)?;
    Ok(found.into_iter().map(|found| format!("fat:{carried},{}", found.spec)).collect())
}
