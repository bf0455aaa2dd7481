//! **What:** shortest paths for many pairs of nodes, spread over the channels.

use kernel::{Channel, Network, Node};
use std::collections::BTreeMap;

/// The nodes of a level: the largest load and the sum of loads so far, and the channel they came by.
type Level = BTreeMap<Node, (u64, u64, Option<Channel>)>;

/// Times that every path is looked at again.
const PASSES: u32 = 3;
/// Above so many pairs times channels paths are looked at only once.
const MANY: usize = 1 << 28;

/// A shortest path for each pair; `None` where one has none. Paths are laid one by one where the busiest channel of theirs is as idle as
/// can be, then the sum of squared loads; and laid anew, in a few passes.
pub(super) fn routes(host: &Network, pairs: &[(Node, Node)]) -> Option<Vec<Vec<Channel>>> {
    let mut loads = vec![0u64; host.channel_count()];
    let mut paths: Vec<Vec<Channel>> = vec![Vec::new(); pairs.len()];
    let mut of_target: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    pairs.iter().enumerate().for_each(|(at, pair)| of_target.entry(pair.1).or_default().push(at));
    let passes = if pairs.len().saturating_mul(host.channel_count()) > MANY { 1 } else { PASSES };
    for _ in 0..passes {
        for (&target, pairs_to) in &of_target {
            let far = host.hops_to(target);
            for &at in pairs_to {
                paths[at].iter().for_each(|c| loads[c.index()] -= 1);
                let path = idle(host, &far, &loads, pairs[at].0)?;
                path.iter().for_each(|c| loads[c.index()] += 1);
                paths[at] = path;
            }
        }
    }
    Some(paths)
}

/// The shortest path from a node along falling distances that costs least: (largest load, sum of loads), level by level.
fn idle(host: &Network, far: &[u32], loads: &[u64], from: Node) -> Option<Vec<Channel>> {
    if far[from.index()] == u32::MAX {
        return None;
    }
    // The nodes of a level, with the least cost so far and the channel it came by.
    let mut levels: Vec<Level> = vec![BTreeMap::from([(from, (0, 0, None))])];
    for distance in (0..far[from.index()]).rev() {
        let mut next: Level = BTreeMap::new();
        for (&node, &(most, sum, _)) in &levels[levels.len() - 1] {
            for &channel in host.outgoing(node) {
                let to = host.to(channel);
                let passes = distance == 0 || host.is_transit(to);
                if far[to.index()] != distance || !passes {
                    continue;
                }
                let load = loads[channel.index()];
                let cost = (most.max(load), sum + load, Some(channel));
                let held = next.entry(to).or_insert(cost);
                if (cost.0, cost.1) < (held.0, held.1) {
                    *held = cost;
                }
            }
        }
        levels.push(next);
    }
    let mut path = Vec::new();
    let mut at = *levels.last()?.keys().next()?;
    for level in levels.iter().rev() {
        let Some(channel) = level.get(&at)?.2 else { break };
        path.push(channel);
        at = host.from(channel);
    }
    path.reverse();
    Some(path)
}
