//! **What:** how fast copies become more, by what nodes can send and receive.

use kernel::{Network, Node};

/// Transfers that each of some nodes can send and receive in a step.
pub(crate) fn rate(network: &Network, members: &[Node]) -> u64 {
    let rates = members.iter().map(|v| network.send_capacity(*v).min(network.receive_capacity(*v)));
    rates.min().unwrap_or(1).max(1)
}

/// Steps at least in which copies at so many nodes become copies at so many, at a rate.
pub(crate) fn steps_to_reach(members: u64, holders: u64, rate: u64) -> u64 {
    let mut holders = holders.max(1);
    let mut steps = 0;
    while holders < members {
        holders = holders.saturating_mul(1 + rate);
        steps += 1;
    }
    steps
}
