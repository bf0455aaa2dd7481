//! **What:** what the first slots of time-division cost where messages must multiply: what certificates of kind `start` prove.
//!
//! **Theory.** A transfer that begins in slot s is held by its receiver from slot s + hop + 1 on at the earliest, so in the
//! first hop + 1 slots only origins send. Let R be the number of arrivals that must be, C the capacity of all channels, and
//! N the most transfers of one channel that origins can begin then: a message is told to each neighbour once. A transfer
//! of L channels takes L − 1 more than an arrival must; call all that together E. In those slots, channels carry at most N
//! transfers of one channel. A longer one that begins there has at most two channels there, since they are hop slots apart;
//! of one that comes round the end of the period, its first channel is not among them. So at most N + 2E of C · (hop + 1) are
//! used there, and in a period P:
//!
//! - R + E ≤ C · P,
//! - R + E + (C · (hop + 1) − N − 2E) ≤ C · P,
//!
//! which add up to 2R + C · (hop + 1) − N ≤ 2 · C · P. Without wrap-round no channel is used in the last hop slots, since what it
//! carried would arrive after the end.

use crate::{Problem, Refused, Semantics, Slots};
use std::collections::BTreeMap;

/// Slots that all arrivals take, with what is lost in the first ones.
pub(super) fn start(problem: &Problem) -> Result<u64, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    let refuse = |why| Err(Refused::NotApplicable { kind: "start", why });
    let Some(Slots { hop, cyclic }) = problem.model().switching.slots() else {
        return refuse("only under time-division does what is sent arrive later");
    };
    if problem.model().combining || collective.semantics() != Semantics::Copy {
        return refuse("it counts copies of messages that are not combined");
    }
    let mut arrivals = 0u128;
    let mut starts = vec![0u128; network.node_count()];
    for message in collective.messages() {
        let origin = collective.origin(message);
        let others = collective.destinations(message).iter().filter(|v| **v != origin).count();
        arrivals += others as u128;
        starts[origin.index()] += 1;
    }
    let channels = u128::from(network.capacity_of(network.channels()));
    if arrivals == 0 || channels == 0 {
        return Ok(0);
    }
    let window = u128::from(hop) + 1;
    let mut between = BTreeMap::new();
    for channel in network.channels() {
        let ends = (network.from(channel), network.to(channel));
        if network.is_terminal(ends.0) && network.is_terminal(ends.1) {
            *between.entry(ends).or_insert(0u128) += u128::from(network.capacity(channel));
        }
    }
    let told = between.iter().map(|((from, _), capacity)| starts[from.index()].min(capacity * window)).sum::<u128>();
    let volume = arrivals.div_ceil(channels);
    let slots = match volume >= window {
        true => (2 * arrivals + (channels * window).saturating_sub(told)).div_ceil(2 * channels),
        // The period may be shorter than the slots that are spoken of.
        false => volume,
    };
    let slots = slots + if cyclic { 0 } else { u128::from(hop) };
    Ok(u64::try_from(slots).unwrap_or(u64::MAX))
}
