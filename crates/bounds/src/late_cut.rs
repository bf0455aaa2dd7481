//! **What:** a set of nodes that a stream leaves late, or behind which it has far to go, under store-and-forward.
//!
//! **Idea:** many messages from one root need as many steps as a cut says, and the first of them is as late at the cut, and the last as
//! late behind it, as these are far. Sets that are tried: all that is at most so far from the root; all but what is at most so
//! far from a destination, the destination itself at first; and the set of the plain cut. Destinations that are far from the root are first in turn,
//! while ticks last.
//!
//! **Loses** where neither end of a stream and its narrowest cut are balls around a node.

use super::{Finder, Wanted, cut, measure};
use graph::distances::{Way, hops};
use kernel::{Certificate, Message, Node, Problem, Proof, Semantics, Switching};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "late-cut",
    about: "a set that a stream must leave, with the steps to its end and from there to the farthest (store-and-forward)",
    source: "ours; pipelined broadcasts as in Johnsson and Ho 1989",
    find,
};

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let (network, collective) = (problem.network(), problem.collective());
    let root = collective.messages().next().map(|_| collective.origin(Message(0)))?;
    let streams = problem.model().switching == Switching::StoreAndForward
        && collective.semantics() == Semantics::Copy
        && collective.message_count() > 1
        && collective.messages().all(|m| collective.origin(m) == root);
    if !streams {
        return None;
    }
    let mut best: Option<Certificate> = None;
    let a_set = (network.node_count() + network.channel_count() + collective.message_count()) as u64;
    // Whether there is time for more.
    let mut try_set = |inside: &dyn Fn(Node) -> bool, budget: &mut Budget<'_>| {
        let claim = measure(problem, Proof::LateCut { nodes: network.nodes().filter(|v| inside(*v)).collect() });
        let reached = wanted.reached(claim.steps);
        if best.as_ref().is_none_or(|best| claim.steps > best.steps) {
            best = Some(claim);
        }
        !reached && budget.spend(a_set)
    };
    let far = hops(network, &[root], Way::On, |v| problem.passes(v), budget)?;
    let deepest = far.iter().copied().filter(|far| *far != u32::MAX).max().unwrap_or(0);
    let mut more = (0..deepest).all(|radius| try_set(&|v| far[v.index()] <= radius, budget));
    if more
        && let Some(Certificate { proof: Proof::Cut { nodes }, .. }) =
            cut::find(problem, Wanted { floor: 0, ceiling: None }, budget)
    {
        more = try_set(&|v| nodes.binary_search(&v).is_ok(), budget);
    }
    let mut ends: Vec<Node> = collective.messages().flat_map(|m| collective.destinations(m)).copied().collect();
    ends.sort_unstable();
    ends.dedup();
    ends.sort_by_key(|v| std::cmp::Reverse(far[v.index()]));
    for end in ends.into_iter().filter(|v| *v != root) {
        if !more {
            break;
        }
        let Some(near) = hops(network, &[end], Way::Back, |v| problem.passes(v), budget) else { break };
        more = (0..far[end.index()]).all(|radius| try_set(&|v| near[v.index()] > radius, budget));
    }
    best
}
