//! **What:** the bound of short periods of time-division, in which everybody speaks for itself: what certificates of kind `direct` prove.
//!
//! **Theory.** What a transfer brings may be sent on hop + 1 slots after the transfer began at the earliest, or never where the transfer ends after the
//! period. So in a period of at most hop + 1 slots no transfer carries anything but what its sender began with, and each destination gets a transfer of its
//! own from each origin or contributor, however messages combine or merge: the problem is one of messages with one destination each, for which
//! weighted distances are a bound. Either that holds, or the period has at least hop + 2 slots. Without wrap-round no channel is used in
//! the last hop slots, since what it carried would arrive after the end.

use crate::lengths::{Tolls, quotient};
use crate::{Problem, Refused, Slots, Weights};

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
