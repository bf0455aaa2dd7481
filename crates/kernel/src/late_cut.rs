//! **What:** what a cut proves where messages take a channel a step: they come to it late, and have a way to go behind it.
//!
//! **Rule:** let A be a set of nodes, and X messages of copies have their origin in it and a destination outside. Before a message
//! first leaves A all its copies are in A, so it cannot leave over a channel whose tail is d hops from its origin, counted
//! within A, before step d + 1. So what can have left A for the first time after step t is at most the sum over all steps s ≤ t of the
//! capacity of the channels whose tails are nearer than s to an origin; the ports and half-duplex groups of the tails count. Let T be the
//! first step after which that reaches X. Some message first leaves A in step T or later, and before that no node outside has it.
//! Each of its destinations outside is reached over nodes outside from the head of a channel that leaves A (any of them, since what has left A may
//! come back), counted from the last time a copy on its way comes out of A; so the schedule has at least T + r steps, r being the most hops from the nearest head to
//! a destination, counted outside A, for that message for which it is least.

use crate::certify::{Refused, members, steps};
use crate::{Channel, Message, Node, Problem, Semantics, Switching};
use std::collections::BTreeSet;

/// Steps that the set proves.
pub(crate) fn late_cut(problem: &Problem, nodes: &[Node]) -> Result<u64, Refused> {
    let inside = members(problem, nodes)?;
    let (network, collective) = (problem.network(), problem.collective());
    let refuse = |why| Err(Refused::NotApplicable { kind: "late-cut", why });
    if problem.model().switching != Switching::StoreAndForward {
        return refuse("only under store-and-forward does a transfer take one channel");
    }
    if collective.semantics() != Semantics::Copy {
        return refuse("contributions of a chunk are no copies");
    }
    let outside: Vec<bool> = inside.iter().map(|inside| !inside).collect();
    let leaves = |m: &Message| {
        inside[collective.origin(*m).index()] && collective.destinations(*m).iter().any(|v| outside[v.index()])
    };
    let leaving: Vec<Message> = collective.messages().filter(leaves).collect();
    let origins: BTreeSet<Node> = leaving.iter().map(|m| collective.origin(*m)).collect();
    let near = hops(problem, origins, &inside);
    let leads_out = |c: &Channel| inside[network.from(*c).index()] && outside[network.to(*c).index()];
    let crossing: Vec<(u64, Channel)> = network
        .channels()
        .filter(leads_out)
        .filter(|c| problem.passes(network.from(*c)) || near[network.from(*c).index()] == Some(0))
        .filter_map(|c| Some((near[network.from(c).index()]?, c)))
        .collect();
    // A copy may come back into the set, and leave it over a channel that the first ones cannot reach.
    let heads: BTreeSet<Node> = network.channels().filter(leads_out).map(|c| network.to(c)).collect();
    let behind = hops(problem, heads, &outside);
    let way = |m: &Message| {
        let to = collective.destinations(*m).iter().filter(|v| outside[v.index()]);
        to.filter_map(|v| behind[v.index()]).max().unwrap_or(0)
    };
    // Messages of a stream are alike: each list of destinations is looked at once.
    let mut least: Option<u64> = None;
    for (at, message) in leaving.iter().enumerate() {
        let destinations = collective.destinations(*message);
        if at == 0 || collective.destinations(leaving[at - 1]) != destinations {
            least = Some(least.map_or(way(message), |least| least.min(way(message))));
        }
    }
    let Some(way) = least else { return Ok(0) };
    Ok(last(problem, leaving.len() as u64, crossing) + way)
}

/// The first step after which so many messages can have left over channels that are ready after so many steps.
fn last(problem: &Problem, messages: u64, mut crossing: Vec<(u64, Channel)>) -> u64 {
    crossing.sort_unstable();
    let (mut left, mut step) = (if problem.model().combining { messages.min(1) } else { messages }, 0);
    let mut ready = 0;
    loop {
        let later = crossing[ready..].iter().position(|(after, _)| *after > step);
        ready = later.map_or(crossing.len(), |more| ready + more);
        let capacity = rate(problem, &crossing[..ready]);
        match crossing.get(ready) {
            // A well-posed problem has channels where something must leave.
            None => return step + steps(problem, left, capacity),
            Some((after, _)) => {
                let lasts = after - step;
                if left <= capacity.saturating_mul(lasts) {
                    return step + steps(problem, left, capacity);
                }
                left -= capacity * lasts;
                step = *after;
            }
        }
    }
}

/// Most transfers over these channels in a step, by capacities, half-duplex groups and the ports of their tails.
fn rate(problem: &Problem, channels: &[(u64, Channel)]) -> u64 {
    let network = problem.network();
    let mut by_tail: Vec<(Node, Channel)> = channels.iter().map(|(_, c)| (network.from(*c), *c)).collect();
    by_tail.sort_unstable();
    let tails = by_tail.chunk_by(|a, b| a.0 == b.0).map(|of| {
        let capacity = network.capacity_of(of.iter().map(|(_, c)| *c));
        network.send_ports(of[0].0).map_or(capacity, |ports| capacity.min(ports.into()))
    });
    tails.sum::<u64>().min(network.capacity_of(by_tail.iter().map(|(_, c)| *c)))
}

/// Fewest channels from some of `starts` to each node, over nodes of the set `within` that messages get past.
fn hops(problem: &Problem, starts: BTreeSet<Node>, within: &[bool]) -> Vec<Option<u64>> {
    let network = problem.network();
    let mut hops = vec![None; network.node_count()];
    let mut level: Vec<Node> = starts.into_iter().collect();
    level.iter().for_each(|v| hops[v.index()] = Some(0));
    let mut far = 0;
    while !level.is_empty() {
        far += 1;
        let mut next = Vec::new();
        for node in level {
            if far > 1 && !problem.passes(node) {
                continue;
            }
            for to in network.outgoing(node).iter().map(|c| network.to(*c)) {
                if within[to.index()] && hops[to.index()].is_none() {
                    hops[to.index()] = Some(far);
                    next.push(to);
                }
            }
        }
        level = next;
    }
    hops
}
