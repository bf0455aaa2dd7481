//! **What:** the bound of short periods of time-division, in which everybody speaks for itself: what certificates of kind `direct` prove.
//!
//! **Theory.** What a transfer brings may be sent on hop + 1 slots after the transfer began at the earliest, or never where the transfer ends after the
//! period. So in a period of at most hop + 1 slots no transfer carries anything but what its sender began with, and each destination gets a transfer of its
//! own from each origin or contributor, however messages combine or merge: the problem is one of messages with one destination each, for which
//! weighted distances are a bound. Either that holds, or the period has at least hop + 2 slots. Without wrap-round no channel is used in
//! the last hop slots, since what it carried would arrive after the end.

use crate::lengths::{Tolls, quotient};
use crate::{Collective, Model, Node, Problem, Refused, Semantics, Slots, Weights};
use std::collections::BTreeSet;

/// Most transfers that are told one by one.
const MOST: u64 = 1 << 20;

impl Problem {
    /// What a period of at most hop + 1 slots has to carry: a message for each transfer that there must be. `None` where switching is not
    /// time-division, where there is nothing to carry, and where it would be more than 2^20 messages.
    pub fn direct(&self) -> Option<Problem> {
        let (network, collective, model) = (self.network(), self.collective(), self.model());
        let ends = |m| collective.contributors(m).len() as u64 * collective.destinations(m).len() as u64;
        let few = || {
            collective.messages().try_fold(0u64, |sum, m| Some(sum.saturating_add(ends(m))).filter(|sum| *sum <= MOST))
        };
        if !model.is_slotted() || !collective.is_numbered() || few().is_none() {
            return None;
        }
        let mut carried: Vec<(Node, Node)> = Vec::new();
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                let others = collective.destinations(message).iter().filter(|to| **to != from);
                carried.extend(others.map(|to| (from, *to)));
            }
        }
        if model.combining {
            // One transfer takes all that its sender has for its receiver.
            carried = carried.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        }
        if carried.is_empty() {
            return None;
        }
        let messages = carried.into_iter().map(|(from, to)| (vec![from], vec![to]));
        let messages = Collective::new("direct", Semantics::Copy, None, messages).ok()?;
        Problem::new(network.clone(), messages, Model { combining: false, ..model }).ok()
    }
}

/// The slots that transfers from each origin to each destination take, or one more than those in which there are no others.
pub(super) fn direct(problem: &Problem, weights: &Weights) -> Result<u64, Refused> {
    let refuse = |why| Err(Refused::NotApplicable { kind: "direct", why });
    let Some(Slots { hop, cyclic }) = problem.model().switching.slots() else {
        return refuse("only under time-division does what is sent arrive later");
    };
    let Some(direct) = problem.direct() else {
        return refuse("there is nothing to carry, or more than 2^20 transfers");
    };
    let slots = quotient(&direct, &Tolls::channels(weights), 1)?.steps(&direct);
    let unused = if cyclic { 0 } else { u64::from(hop) };
    Ok(slots.min(u64::from(hop) + 2) + unused)
}
