//! **What:** how many steps messages take at least that travel in one piece each, where networks leave them no choice of paths.
//!
//! **Theory.** Where the nodes that paths may pass through lie on no cycle, as in multistage networks, walks are counted by one
//! pass over the channels. A message with one walk only takes all resources on it, whatever the step, and a resource lets
//! so many transfers a step through. A schedule with relays at terminals may take fewer steps, so this is no floor: it
//! tells searches without relays where to stop.

use crate::resources::Resources;
use kernel::{Message, Node};
use run::Budget;

/// Fewer steps than these cannot do without relays at terminals; 1 where nothing is known, or the budget ends.
pub(crate) fn steps(resources: &Resources<'_>, open: &[Message], budget: &mut Budget<'_>) -> u64 {
    let ticks = budget.left() / 8;
    budget.within(ticks, |part| least(resources, open, part)).unwrap_or(1)
}

fn least(resources: &Resources<'_>, open: &[Message], budget: &mut Budget<'_>) -> Option<u64> {
    let collective = resources.problem.collective();
    let order = passed_in_order(resources)?;
    let mut by_source: Vec<(Node, Node)> =
        open.iter().map(|m| (collective.origin(*m), collective.destinations(*m)[0])).collect();
    by_source.sort_unstable();
    let mut load = vec![0u64; resources.capacity.len()];
    for messages in by_source.chunk_by(|a, b| a.0 == b.0) {
        if !budget.spend(resources.ends.len() as u64) {
            return None;
        }
        let source = messages[0].0;
        let walks = walks(resources, &order, source);
        for &(_, to) in messages.iter().filter(|(_, to)| walks[to.index()] == 1) {
            let mut at = to;
            while at != source {
                let into = resources.into[at.index()].iter();
                let lane = *into.clone().find(|lane| begins(resources, &walks, source, **lane))?;
                resources.taken[lane as usize].iter().for_each(|resource| load[*resource as usize] += 1);
                at = resources.ends[lane as usize].0;
            }
        }
    }
    let steps = load.iter().zip(&resources.capacity).map(|(load, capacity)| load.div_ceil(u64::from(*capacity)));
    steps.max()
}

/// Whether a walk from the source may come over a lane.
fn begins(resources: &Resources<'_>, walks: &[u64], source: Node, lane: u32) -> bool {
    let from = resources.ends[lane as usize].0;
    from == source || resources.problem.network().is_transit(from) && walks[from.index()] > 0
}

/// Walks from a source to each node, up to 2.
fn walks(resources: &Resources<'_>, order: &[Node], source: Node) -> Vec<u64> {
    let mut walks = vec![0u64; resources.out.len()];
    walks[source.index()] = 1;
    let passed = order.iter().filter(|node| **node != source);
    for node in std::iter::once(&source).chain(passed) {
        let so_far = walks[node.index()];
        for lane in resources.out[node.index()].iter().filter(|_| so_far > 0) {
            let there = &mut walks[resources.ends[*lane as usize].1.index()];
            *there = (*there + so_far).min(2);
        }
    }
    walks
}

/// The nodes that paths may pass through, each behind all from which channels lead to it; `None` where there is a cycle.
fn passed_in_order(resources: &Resources<'_>) -> Option<Vec<Node>> {
    let network = resources.problem.network();
    let inner: Vec<Node> = network.nodes().filter(|v| network.is_transit(*v)).collect();
    let mut before = vec![0usize; network.node_count()];
    for node in &inner {
        let inner = |lane: &&u32| network.is_transit(resources.ends[**lane as usize].0);
        before[node.index()] = resources.into[node.index()].iter().filter(inner).count();
    }
    let mut order: Vec<Node> = inner.iter().filter(|v| before[v.index()] == 0).copied().collect();
    let mut next = 0;
    while let Some(node) = order.get(next).copied() {
        next += 1;
        for lane in &resources.out[node.index()] {
            let to = resources.ends[*lane as usize].1;
            if network.is_transit(to) {
                before[to.index()] -= 1;
                if before[to.index()] == 0 {
                    order.push(to);
                }
            }
        }
    }
    (order.len() == inner.len()).then_some(order)
}
