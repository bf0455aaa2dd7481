//! **What:** multistage networks of one direction: from the terminals at the left through stages to the terminals at the right,
//! which are the same and drawn again.

use super::{Point, Sketch};
use kernel::{Network, Node};
use std::collections::VecDeque;

/// Where every channel between switches leads from a stage to the next, and only the last returns to terminals.
pub(super) fn place(network: &Network) -> Option<Sketch> {
    let terminals = network.members();
    if terminals.len() == network.node_count() {
        return None;
    }
    let mut stage = vec![usize::MAX; network.node_count()];
    let mut queue: VecDeque<Node> = terminals.iter().copied().collect();
    terminals.iter().for_each(|t| stage[t.index()] = 0);
    while let Some(node) = queue.pop_front() {
        for next in network.outgoing(node).iter().map(|c| network.to(*c)) {
            if stage[next.index()] == usize::MAX {
                stage[next.index()] = stage[node.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    let last = *stage.iter().max()?;
    if last == usize::MAX || last < 2 {
        return None;
    }
    let forward = |c: kernel::Channel| {
        let (from, to) = (network.from(c), network.to(c));
        match network.is_member(to) {
            true => stage[from.index()] == last,
            false => stage[to.index()] == stage[from.index()] + 1,
        }
    };
    if !network.channels().all(forward) {
        return None;
    }
    let mut columns: Vec<Vec<Node>> = vec![Vec::new(); last + 1];
    network.nodes().for_each(|v| columns[stage[v.index()]].push(v));
    let tallest = columns.iter().map(Vec::len).max()? as f64;
    let gap = (0.34 * tallest).clamp(1.7, 6.0);
    let mut points: Vec<Point> = vec![(0.0, 0.0); network.node_count()];
    for (at, column) in columns.iter().enumerate() {
        let share = tallest / column.len() as f64;
        for (row, node) in column.iter().enumerate() {
            points[node.index()] = (at as f64 * gap, (row as f64 + 0.5) * share);
        }
    }
    let mut sketch = Sketch::new("stages", points);
    for (at, terminal) in terminals.iter().enumerate() {
        let row = sketch.points[terminal.index()].1;
        sketch.again.push((terminal.0, ((last + 1) as f64 * gap, row)));
        sketch.ends_again.extend(network.incoming(*terminal).iter().map(|c| (c.0, at)));
    }
    Some(sketch)
}
