//! **What:** regions of terminals that open transfers join, the paths inside them, and what waits for open transfers.

use crate::packed::list::Paths;
use crate::packed::net::Net;
use crate::packed::tasks::{Task, Way};
use graph::cheapest::{Arcs, cheapest_ways};
use kernel::{Channel, Node};
use std::collections::HashSet;

/// The region of every node, and how many there are: nodes that pairs join are in one.
pub(super) fn regions(nodes: usize, pairs: impl Iterator<Item = [Node; 2]>) -> (Vec<usize>, usize) {
    let mut beside = vec![Vec::new(); nodes];
    for [a, b] in pairs {
        beside[a.index()].push(b.index());
        beside[b.index()].push(a.index());
    }
    let (mut region, mut count) = (vec![usize::MAX; nodes], 0);
    for first in 0..nodes {
        let mut stack = if region[first] == usize::MAX { vec![first] } else { continue };
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut region[node], count) == usize::MAX {
                stack.append(&mut beside[node]);
            }
        }
        count += 1;
    }
    (region, count)
}

/// Adds the paths of regions that no tree takes: between any two terminals one of the least latency, over channels no slower than trees use into the receiver at their fastest.
pub(super) fn join(net: &Net<'_>, paths: &mut Paths, region: &[usize], least: &[u64]) {
    let network = &net.network;
    let ends: Vec<(u32, u32)> =
        network.channels().map(|c| (network.from(c).index() as u32, network.to(c).index() as u32)).collect();
    let into: Vec<Vec<u32>> =
        network.nodes().map(|v| network.incoming(v).iter().map(|c| c.index() as u32).collect()).collect();
    let passes: Vec<bool> = network.nodes().map(|v| network.is_transit(v) && !network.is_terminal(v)).collect();
    let known: HashSet<[Node; 2]> = paths.ends.iter().copied().collect();
    for &to in network.terminals() {
        let near = |from: &Node| *from != to && region[from.index()] == region[to.index()];
        let unknown = |from: &Node| !known.contains(&[*from, to]);
        let from: Vec<Node> = network.terminals().iter().copied().filter(near).filter(unknown).collect();
        if from.is_empty() {
            continue;
        }
        let cost = |c: u32| match net.busy[c as usize] <= least[to.index()] {
            true => net.problem.latency(Channel(c)).saturating_add(1),
            false => u64::MAX,
        };
        let ways = cheapest_ways(Arcs { ends: &ends, into: &into, passes: &passes }, to.index() as u32, cost);
        for from in from.into_iter().filter(|from| ways.by[from.index()] != u32::MAX) {
            let step = |node: &usize| (*node != to.index()).then(|| ends[ways.by[*node] as usize].1 as usize);
            let nodes = std::iter::successors(Some(from.index()), step).take_while(|node| *node != to.index());
            let path: Vec<Channel> = nodes.map(|node| Channel(ways.by[node])).collect();
            paths.add(net, Way::new(net, path));
        }
    }
}

/// What the longest chain behind each transfer takes that ends with one that is kept.
pub(super) fn tails(tasks: &[Task], open: &[bool]) -> Vec<u64> {
    let mut tails = vec![0; tasks.len()];
    for kept in (0..tasks.len()).filter(|at| !open[*at]) {
        let (mut at, mut takes) = (kept, 0);
        while let Some(inner) = tasks[at].inner {
            takes += tasks[at].way.takes();
            if tails[inner] >= takes {
                break;
            }
            tails[inner] = takes;
            at = inner;
        }
    }
    tails
}
