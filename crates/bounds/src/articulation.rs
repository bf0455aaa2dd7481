//! **What:** a node without which the network falls apart, that much must pass and that can send nothing on before it has received it.
//!
//! **Idea:** on trees, and where switches join nodes to the rest, the ports of such a node are what most steps are for; in the first steps it has nothing to send on yet, in the
//! last ones nobody waits for what it receives. All such nodes are tried while ticks last.
//!
//! **Loses** where there are none, and where channels rather than one node are full.

use super::{Finder, Wanted, measure};
use kernel::{Certificate, Network, Node, Problem, Proof, Switching};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "articulation",
    about: "store-and-forward: what passes a node without which the network falls apart, which can send nothing on before it has received it",
    source: "ours; stated in docs/certificates.md",
    find,
};

/// Most ticks.
const TICKS: u64 = 1 << 23;

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let (network, collective) = (problem.network(), problem.collective());
    let is_for_it = problem.model().switching == Switching::StoreAndForward && !problem.model().combining;
    if !is_for_it || !collective.is_numbered() || collective.deliveries() > 1 << 23 {
        return None;
    }
    let contributions: u64 = collective.deliveries().saturating_add(2 * collective.message_count() as u64);
    let look = 4 * (network.node_count() + network.channel_count()) as u64;
    let mut best: Option<Certificate> = None;
    // What was found until ticks ended counts.
    let _ = budget.within(TICKS, |budget| {
        for &node in network.terminals() {
            budget.spend(look).then_some(())?;
            if !is_articulation(network, node) {
                continue;
            }
            budget.spend(look + 16 * contributions).then_some(())?;
            let found = measure(problem, Proof::Articulation { node });
            if found.steps > best.as_ref().map_or(wanted.floor, |best| best.steps) {
                let is_enough = wanted.reached(found.steps);
                best = Some(found);
                if is_enough {
                    break;
                }
            }
        }
        Some(())
    });
    best
}

/// Whether the network falls apart without it, whatever the direction of channels.
fn is_articulation(network: &Network, node: Node) -> bool {
    let Some(first) = network.nodes().find(|v| *v != node) else { return false };
    let mut is_seen = vec![false; network.node_count()];
    is_seen[node.index()] = true;
    is_seen[first.index()] = true;
    let mut queue = vec![first];
    let mut seen = 2;
    while let Some(v) = queue.pop() {
        let on = network.outgoing(v).iter().map(|c| network.to(*c));
        for next in on.chain(network.incoming(v).iter().map(|c| network.from(*c))) {
            if !std::mem::replace(&mut is_seen[next.index()], true) {
                seen += 1;
                queue.push(next);
            }
        }
    }
    seen < network.node_count()
}
