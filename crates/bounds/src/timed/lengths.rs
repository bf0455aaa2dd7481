//! **What:** weights of channels for messages with one destination each, by the finder of steps.
//!
//! **Idea:** where a channel's capacity is its bandwidth, a step is a unit of time, and prices that prove steps prove time as well. So that rounding up to
//! whole steps costs little, every message stands there for many.

use super::Search;
use crate::{FINDERS, Wanted, is_unicast};
use kernel::timed::TimedProof;
use kernel::{Model, Network, NetworkData, Ports, Problem, Proof};

/// The largest capacity: with more, too few steps would be left to tell prices apart.
const WIDEST: u64 = 64;

/// Messages that the finder is given, at most.
const MESSAGES: u64 = 1 << 18;

/// Offers the weights.
pub(super) fn find(search: &mut Search<'_>) {
    // Of messages with many ends, so many copies would be more than there is room for.
    if !is_unicast(search.problem.plain()) {
        return;
    }
    let Some(steps) = in_steps(search) else { return };
    let lengths = FINDERS.iter().find(|finder| finder.name == "lengths").expect("it is one of them");
    let found = (lengths.find)(&steps, Wanted { floor: 0, ceiling: None }, &mut search.budget);
    if let Some(Proof::Lengths { weights }) = found.map(|found| found.proof) {
        search.offer(TimedProof::Lengths { weights });
    }
}

/// The problem with bandwidths as capacities; `None` where the messages are too many.
fn in_steps(search: &Search<'_>) -> Option<Problem> {
    let problem = search.problem;
    let collective = problem.collective();
    let each = MESSAGES.checked_div(collective.message_count() as u64).filter(|each| *each > 0)?;
    let bandwidths: Vec<u64> = problem.network().channels().map(|c| problem.bandwidth(c)).collect();
    let common = bandwidths.iter().fold(0, |common, bandwidth| num_integer::gcd(common, *bandwidth)).max(1);
    let widest = bandwidths.iter().max()? / common;
    // Where bandwidths are fine they are rounded: weights that are a little off prove a little less.
    let capacity = |bandwidth: &u64| match widest {
        0..=WIDEST => bandwidth / common,
        _ => (u128::from(bandwidth / common) * u128::from(WIDEST)).div_ceil(widest.into()) as u64,
    };
    let capacities = bandwidths.iter().map(|bandwidth| u32::try_from(capacity(bandwidth)).ok());
    let capacities = capacities.collect::<Option<Vec<u32>>>()?;
    let data = problem.network().data().clone();
    let data = NetworkData { capacities: Some(capacities), send_ports: Ports::All, receive_ports: Ports::All, ..data };
    let network = Network::new(data).ok()?;
    let many = collective.in_chunks(u32::try_from(each).ok()?);
    Problem::new(network, many, Model::wormhole()).ok()
}
