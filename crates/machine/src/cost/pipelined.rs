//! **What:** the time of a schedule whose steps do not wait for each other.
//!
//! Transfers keep the schedule's order, but each begins as soon as its sender has what it carries, its channels are free and its ends
//! have a port free. It holds all of these for its whole time.

use super::{CostError, CostModel};
use kernel::{Network, Node, Semantics, Verified};
use std::collections::HashMap;

/// The time with messages of `message` words, each divided into the collective's chunks. Memory grows with deliveries.
///
/// # Errors
/// Under time-division, for LogGP, whose transfers have no beginning and end of their own, and where orbits are too many to
/// be written down.
pub fn pipelined(schedule: &Verified, model: &CostModel, message: f64) -> Result<f64, CostError> {
    let problem = schedule.problem();
    if problem.model().is_slotted() {
        return Err(CostError::Slots);
    }
    if matches!(model, CostModel::LogGp { .. }) {
        return Err(CostError::Pipelined);
    }
    let (network, collective) = (problem.network(), problem.collective());
    let word = message / f64::from(collective.chunks());
    let merging = collective.semantics() == Semantics::Reduce;
    // Parallel transfers of a channel of capacity c take the one of its c lanes that is free first.
    let mut lanes: Vec<Vec<f64>> =
        network.channels().map(|c| vec![0.0; (network.capacity(c) as usize).min(MOST_LANES)]).collect();
    let mut send = ports(network, Network::send_ports);
    let mut receive = ports(network, Network::receive_ports);
    let mut groups = vec![0.0f64; network.half_duplex().len()];
    // Since when a node has what it has of a message; what it begins with it has from 0 on.
    let mut held: HashMap<(Node, u32), f64> = HashMap::new();
    let mut end = 0.0f64;
    for step in schedule.expanded()?.steps() {
        let mut arrivals = Vec::new();
        for transfer in step {
            let [Some(first), Some(last)] = [transfer.path.first(), transfer.path.last()] else { continue };
            let (from, to) = (network.from(*first), network.to(*last));
            let mut begin = free(&send[from.index()]).max(free(&receive[to.index()]));
            for message in transfer.messages {
                begin = begin.max(held.get(&(from, message.0)).copied().unwrap_or(0.0));
            }
            for channel in transfer.path {
                begin = begin.max(free(&lanes[channel.index()]));
                begin = network.groups_of(*channel).map(|g| groups[g]).fold(begin, f64::max);
            }
            let words = transfer.messages.len() as f64 * word;
            let done = begin + model.transfer(transfer.path.len() as f64, words);
            take(&mut send[from.index()], done);
            take(&mut receive[to.index()], done);
            for channel in transfer.path {
                take(&mut lanes[channel.index()], done);
                network.groups_of(*channel).for_each(|g| groups[g] = done);
            }
            arrivals.extend(transfer.messages.iter().map(|m| ((to, m.0), done)));
            end = end.max(done);
        }
        for ((node, message), done) in arrivals {
            // Of copies the first is enough; contributions are all waited for.
            let own = collective.contributors(kernel::Message(message)).contains(&node);
            let since = held.entry((node, message)).or_insert(if own { 0.0 } else { done });
            *since = if merging { since.max(done) } else { since.min(done) };
        }
    }
    Ok(end)
}

/// Lanes or ports that are told apart; more are as good as any number.
const MOST_LANES: usize = 1 << 10;

/// When the ports of each node are free; no list where their number does not matter.
fn ports(network: &Network, limit: fn(&Network, Node) -> Option<u32>) -> Vec<Vec<f64>> {
    let of = |v: Node| limit(network, v).map(|k| (k as usize).min(MOST_LANES)).unwrap_or(0);
    network.nodes().map(|v| vec![0.0; of(v)]).collect()
}

/// When the first of some is free.
fn free(all: &[f64]) -> f64 {
    all.iter().copied().reduce(f64::min).unwrap_or(0.0)
}

/// Takes the one that is free first until `done`.
fn take(all: &mut [f64], done: f64) {
    if let Some(first) = all.iter_mut().min_by(|a, b| a.total_cmp(b)) {
        *first = done;
    }
}
