//! **What:** networks with switches in levels: terminals below, every switch as high as it is far from the terminals.

use super::shape::Shape;
use super::{Point, Sketch};
use kernel::Network;

/// Where no two switches of a level are joined.
pub(super) fn place(network: &Network, shape: &Shape) -> Option<Sketch> {
    let terminals: Vec<u32> = network.members().iter().map(|t| t.0).collect();
    if terminals.len() == shape.len() {
        return None;
    }
    let level = shape.distances(&terminals);
    let flat = |(a, b): (u32, u32)| level[a as usize] == level[b as usize];
    if shape.links().any(flat) || level.contains(&u32::MAX) {
        return None;
    }
    let top = *level.iter().max()?;
    // Two levels of a direct network with some nodes that do not take part are no hierarchy.
    let leaves = terminals.iter().filter(|t| shape.neighbours[**t as usize].len() == 1).count();
    if leaves * 2 < terminals.len() {
        return None;
    }
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); top as usize + 1];
    (0u32..).zip(&level).for_each(|(v, l)| rows[*l as usize].push(v));
    let widest = rows.iter().map(Vec::len).max()? as f64;
    let mut across = vec![f64::NAN; shape.len()];
    for row in &mut rows {
        let mean = |v: &u32| {
            let known: Vec<f64> =
                shape.neighbours[*v as usize].iter().map(|w| across[*w as usize]).filter(|x| !x.is_nan()).collect();
            known.iter().sum::<f64>() / known.len().max(1) as f64
        };
        let mut means: Vec<(f64, u32)> = row.iter().map(|v| (mean(v), *v)).collect();
        means.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let share = widest / row.len() as f64;
        for (at, (_, v)) in means.into_iter().enumerate() {
            across[v as usize] = (at as f64 + 0.5) * share;
        }
    }
    // Two levels are as far apart as their links lead sideways: where all hang straight down there would be nothing to see.
    let mut sideways = vec![0.0f64; top as usize];
    for (a, b) in shape.links() {
        let lower = level[a as usize].min(level[b as usize]) as usize;
        sideways[lower] = sideways[lower].max((across[a as usize] - across[b as usize]).abs());
    }
    let mut heights = vec![0.0];
    for (below, far) in sideways.iter().enumerate() {
        heights.push(heights[below] + (0.3 * far).clamp(1.7, 6.0));
    }
    let highest = heights[top as usize];
    let point = |v: usize| -> Point { (across[v], highest - heights[level[v] as usize]) };
    Some(Sketch::new("levels", (0..shape.len()).map(point).collect()))
}
