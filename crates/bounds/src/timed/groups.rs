//! **What:** machines: terminals joined by channels that are wider than those between them.
//!
//! **Method.** For every bandwidth of the network, nodes that wider channels join are one part. Each part with terminals, and all but it, is a set for `late-cut`; for chunks that
//! several contribute to and several get, a weight of 1 on every channel into, or out of, such a part counts transfers between machines. Where a machine's own channels
//! are wider than those behind the switches that it leads to, as of GPUs that share a NIC, the same is done with its side of the minimum cut between it and all
//! other parts, the least such side (isolating cuts, Dahlhaus et al., 1994).

use super::Search;
use super::cuts::Cuts;
use kernel::timed::TimedProof;
use kernel::{Channel, Node, Rational};
use std::collections::BTreeSet;

/// Bandwidths that are looked at, the smallest first.
const LEVELS: usize = 16;

/// Offers the sets and weights.
pub(super) fn find(search: &mut Search<'_>) {
    let (network, collective) = (search.problem.network(), search.problem.collective());
    let bandwidths: BTreeSet<u64> = network.channels().map(|c| search.problem.bandwidth(c)).collect();
    let several =
        collective.messages().any(|m| collective.contributors(m).len() > 1 && collective.destinations(m).len() > 1);
    let mut before = Vec::new();
    for least in bandwidths.into_iter().take(LEVELS) {
        let parts = parts(search, least);
        if parts == before {
            continue;
        }
        let with_terminals: BTreeSet<usize> = network.terminals().iter().map(|v| parts[v.index()]).collect();
        // One is the whole network, and nodes by themselves are looked at in any case.
        if with_terminals.len() > 1 && with_terminals.len() < network.terminals().len() {
            if !offer(search, &parts, &with_terminals, several) {
                return;
            }
            let Some(sides) = isolated(search, &parts, &with_terminals) else { return };
            if !offer(search, &sides, &with_terminals, several) {
                return;
            }
        }
        before = parts;
    }
}

/// Offers each of these parts, all but it, and where there are chunks of several for several the channels into all of them, or out of them;
/// whether there was time for it.
fn offer(search: &mut Search<'_>, parts: &[usize], with_terminals: &BTreeSet<usize>, several: bool) -> bool {
    let network = search.problem.network();
    for part in with_terminals {
        if !search.goes_on(2 * search.a_set()) {
            return false;
        }
        search.offer_set(|v| parts[v.index()] == *part);
        search.offer_set(|v| parts[v.index()] != *part);
        search.note_for_pairs(|v| parts[v.index()] == *part);
        search.note_for_pairs(|v| parts[v.index()] != *part);
    }
    for into in [true, false].into_iter().filter(|_| several) {
        if !search.goes_on(search.a_set()) {
            return false;
        }
        let weight = |c: Channel| {
            let (from, to) = (parts[network.from(c).index()], parts[network.to(c).index()]);
            let end = if into { to } else { from };
            Rational::whole(u64::from(from != to && with_terminals.contains(&end)))
        };
        search.offer(TimedProof::Lengths { weights: network.channels().map(weight).collect() });
    }
    true
}

/// The part on whose side of the minimum cut between it and all other parts with terminals each node is; of a node that is on none, none of these.
fn isolated(search: &mut Search<'_>, parts: &[usize], with_terminals: &BTreeSet<usize>) -> Option<Vec<usize>> {
    let mut cuts = Cuts::new(search);
    let mut sides = vec![usize::MAX; parts.len()];
    for part in with_terminals {
        let others = |v: Node| parts[v.index()] != *part && with_terminals.contains(&parts[v.index()]);
        let side = cuts.between(search, |v| parts[v.index()] == *part, others)?;
        // The least sides do not meet.
        sides.iter_mut().zip(side).filter(|(_, is_inside)| *is_inside).for_each(|(of, _)| *of = *part);
    }
    Some(sides)
}

/// The least node of each node's part: those that channels wider than a bandwidth join.
fn parts(search: &Search<'_>, bandwidth: u64) -> Vec<usize> {
    let network = search.problem.network();
    let mut part = vec![usize::MAX; network.node_count()];
    let wide = |c: &&Channel| search.problem.bandwidth(**c) > bandwidth;
    for first in network.nodes() {
        let mut stack: Vec<Node> = vec![first];
        while let Some(node) = stack.pop() {
            if part[node.index()] != usize::MAX {
                continue;
            }
            part[node.index()] = first.index();
            let (out, into) = (network.outgoing(node).iter(), network.incoming(node).iter());
            stack.extend(out.filter(wide).map(|c| network.to(*c)).chain(into.filter(wide).map(|c| network.from(*c))));
        }
    }
    part
}
