//! **What:** the bound of distances under prices that change from step to step: what certificates of kind `late-lengths` prove.
//!
//! **Theory.** Under store-and-forward a transfer takes one channel, a send port of its tail and a receive port of its head, all in one step, and what it brings is
//! sent on in a later one. Let each channel and port have a price in each of T steps. Without combining, a message with one destination gets there by a
//! chain of transfers in later and later steps, which are its own, so in T steps it costs no less than the cheapest such chain. All transfers of a step cost no more
//! than the sum of price × capacity. Where all messages together cost more than all steps can give, no schedule has T steps.
//!
//! With prices that are the same in all steps this is the bound of weighted distances. What it adds is that in the first steps nothing has come far yet, and in the last ones all must be
//! near: channels in the middle cannot be used then, and cost nothing.

use crate::step_prices::StepPrices;
use crate::{Node, Problem, Refused, Semantics, Switching};
use std::collections::BTreeMap;

/// Most channels and nodes in all steps, over all destinations together.
const MOST_LOOKS: usize = 1 << 24;

/// One step more than those for which there are prices, where they refute these, and otherwise 0.
pub(super) fn late_lengths(problem: &Problem, prices: &StepPrices) -> Result<u64, Refused> {
    let refuse = |why| Err(Refused::NotApplicable { kind: "late-lengths", why });
    let (network, collective, model) = (problem.network(), problem.collective(), problem.model());
    if model.switching != Switching::StoreAndForward || model.combining {
        return refuse(
            "only under store-and-forward, without combining, does a message take one channel a step for itself",
        );
    }
    // How many messages each origin has for each destination.
    let mut wanted: BTreeMap<Node, BTreeMap<Node, u64>> = BTreeMap::new();
    for message in collective.messages() {
        let &[to] = collective.destinations(message) else { return refuse("each message needs one destination") };
        if collective.semantics() != Semantics::Copy {
            return refuse("each message needs one origin");
        }
        *wanted.entry(to).or_default().entry(collective.origin(message)).or_default() += 1;
    }
    let a_step = network.channel_count() + network.node_count();
    let looks = a_step.saturating_mul(prices.steps()).saturating_mul(wanted.len());
    if !prices.are_of(network) || !prices.are_small() {
        return refuse("it needs one price a channel, or a node, for each step, all below 2^32");
    }
    if looks > MOST_LOOKS {
        return refuse("it is for at most 2^24 channels and nodes, in all steps and for all destinations");
    }
    let capacity = prices.cost(network);
    let mut needed = 0u128;
    for (to, counts) in &wanted {
        let costs = cheapest(problem, prices, *to);
        for (from, count) in counts {
            // What cannot come in time costs more than there is.
            needed += costs[from.index()].map_or(capacity + 1, |cost| u128::from(*count) * u128::from(cost));
        }
    }
    Ok(if needed > capacity { prices.steps() as u64 + 1 } else { 0 })
}

/// What the cheapest chain from each node to one costs; `None` where there is none in so few steps.
fn cheapest(problem: &Problem, prices: &StepPrices, to: Node) -> Vec<Option<u64>> {
    let network = problem.network();
    let mut far: Vec<Option<u64>> = vec![None; network.node_count()];
    far[to.index()] = Some(0);
    for step in (0..prices.steps()).rev() {
        let after = far.clone();
        for channel in network.channels() {
            let (tail, head) = (network.from(channel), network.to(channel));
            let Some(rest) = after[head.index()].filter(|_| network.is_terminal(tail)) else { continue };
            let cost = rest + prices.channels[step][channel.index()] + prices.ports(step, tail, head);
            let best = &mut far[tail.index()];
            *best = Some(best.map_or(cost, |best| best.min(cost)));
        }
    }
    far
}
