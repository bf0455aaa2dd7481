//! **What:** a set of nodes that a stream leaves late, or behind which it has far to go, under store-and-forward.
//!
//! **Idea:** many messages from one root need as many steps as a cut says, and the first of them is as late at the cut, and the last as
//! late behind it, as these are far. Sets that are tried: all that is at most so far from the root; all but what is at most so
//! far from a destination, the destination itself at first; and the set of the plain cut. Destinations that are far from the root are first in turn,
//! while ticks last.
//!
//! **Loses** where neither end of a stream and its narrowest cut are balls around a node.

use super::{Finder, Wanted, cut, measure};
use kernel::{Message, Network, Node, Problem, Proof, Semantics, Switching};
use run::Run;
use std::collections::VecDeque;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "late-cut",
    about: "a set that a stream must leave, with the steps to its end and from there to the farthest (store-and-forward)",
    source: "ours; pipelined broadcasts as in Johnsson and Ho 1989",
    find,
};

fn find(problem: &Problem, wanted: Wanted, run: &Run<'_>) -> Option<Proof> {
    let (network, collective) = (problem.network(), problem.collective());
    let root = collective.messages().next().map(|_| collective.origin(Message(0)))?;
    let streams = problem.model().switching == Switching::StoreAndForward
        && collective.semantics() == Semantics::Copy
        && collective.message_count() > 1
        && collective.messages().all(|m| collective.origin(m) == root);
    if !streams {
        return None;
    }
    let mut best = (wanted.floor, None);
    let mut spent = 0;
    let a_set = (network.node_count() + network.channel_count() + collective.message_count()) as u64;
    // Whether there is time for more.
    let mut try_set = |inside: &dyn Fn(Node) -> bool| {
        let proof = Proof::LateCut { nodes: network.nodes().filter(|v| inside(*v)).collect() };
        let steps = measure(problem, &proof);
        spent += a_set;
        if steps > best.0 {
            best = (steps, Some(proof));
        }
        !wanted.reached(best.0) && spent < run.settings.ticks && !run.stopped()
    };
    let far = hops(problem, network, root);
    let deepest = far.iter().flatten().copied().max().unwrap_or(0);
    let mut more = (0..deepest).all(|radius| try_set(&|v| far[v.index()].is_some_and(|far| far <= radius)));
    if more && let Some(Proof::Cut { nodes }) = cut::find(problem, Wanted { floor: 0, ceiling: None }, run) {
        more = try_set(&|v| nodes.binary_search(&v).is_ok());
    }
    let mut ends: Vec<Node> = collective.messages().flat_map(|m| collective.destinations(m)).copied().collect();
    ends.sort_unstable();
    ends.dedup();
    ends.sort_by_key(|v| std::cmp::Reverse(far[v.index()]));
    let reversed = network.reversed();
    for end in ends.into_iter().filter(|v| *v != root) {
        if !more {
            break;
        }
        let near = hops(problem, &reversed, end);
        let way = far[end.index()].unwrap_or(0);
        more = (0..way).all(|radius| try_set(&|v| near[v.index()].is_none_or(|near| near > radius)));
    }
    best.1
}

/// Fewest channels of `network` from `from` to each node, over nodes that messages get past.
fn hops(problem: &Problem, network: &Network, from: Node) -> Vec<Option<u64>> {
    let mut hops = vec![None; network.node_count()];
    hops[from.index()] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, far)) = queue.pop_front() {
        if node != from && !problem.passes(node) {
            continue;
        }
        for to in network.outgoing(node).iter().map(|c| network.to(*c)) {
            if hops[to.index()].is_none() {
                hops[to.index()] = Some(far + 1);
                queue.push_back((to, far + 1));
            }
        }
    }
    hops
}
