//! **What:** what the first slots of time-division cost where messages must multiply, and the last ones where contributions must come together: what
//! certificates of kind `start` prove.
//!
//! **Theory.** A transfer that begins in slot s is held by its receiver from slot s + hop + 1 on at the earliest, so in the
//! first hop + 1 slots only origins send. Let R be the number of arrivals that must be, C the capacity of all channels, and
//! N the most transfers of one channel that origins can begin then: a message is told to each neighbour once. A transfer
//! of L channels takes L − 1 more than an arrival must; call all that together E. In those slots, channels carry at most N
//! transfers of one channel. A longer one takes L ≤ 2(L − 1) channels in all. So at most N + 2E of C · (hop + 1) are
//! used there, and in a period P:
//!
//! - R + E ≤ C · P,
//! - R + E + (C · (hop + 1) − N − 2E) ≤ C · P,
//!
//! which add up to 2R + C · (hop + 1) − N ≤ 2 · C · P. Without wrap-round no channel is used in the last hop slots, since what it
//! carried would arrive after the end.
//!
//! Of chunks for one node each, every contributor but the destination sends a part that reaches the destination: R is the number of these, one transfer
//! each, and E all other uses of channels. What is sent in the last hop + 1 slots is held after the last of them, when nothing is
//! sent any more; so there a transfer of one channel that is one of the R leads to the destination, and there are at most N of these:
//! each contributor sends a chunk for a neighbour once. The rest is the same.

use crate::{Collective, Node, Problem, Refused, Semantics, Slots};
use std::collections::BTreeMap;

/// Slots that all arrivals, or all contributions, take, with what is lost in the first or last ones.
pub(super) fn start(problem: &Problem) -> Result<u64, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    let refuse = |why| Err(Refused::NotApplicable { kind: "start", why });
    let Some(Slots { hop, cyclic }) = problem.model().switching.slots() else {
        return refuse("only under time-division does what is sent arrive later");
    };
    if problem.model().combining {
        return refuse("it counts messages that are not combined");
    }
    let mut between = BTreeMap::new();
    for channel in network.channels() {
        let ends = (network.from(channel), network.to(channel));
        if network.is_terminal(ends.0) && network.is_terminal(ends.1) {
            *between.entry(ends).or_insert(0u128) += u128::from(network.capacity(channel));
        }
    }
    let Some(needed) = needed(collective, &between) else {
        return refuse("it counts copies, and chunks for one node each");
    };
    let channels = u128::from(network.capacity_of(network.channels()));
    if needed.transfers == 0 || channels == 0 {
        return Ok(0);
    }
    let window = u128::from(hop) + 1;
    let told = between.iter().map(|(pair, capacity)| needed.between(*pair).min(capacity * window)).sum::<u128>();
    let volume = needed.transfers.div_ceil(channels);
    let slots = match volume >= window {
        true => (2 * needed.transfers + (channels * window).saturating_sub(told)).div_ceil(2 * channels),
        // The period may be shorter than the slots that are spoken of.
        false => volume,
    };
    let slots = slots + if cyclic { 0 } else { u128::from(hop) };
    Ok(u64::try_from(slots).unwrap_or(u64::MAX))
}

/// Transfers that there must be.
struct Needed {
    transfers: u128,
    /// Those between neighbours that origins may begin first, or that may be last: by origin, or by contributor and destination.
    direct: BTreeMap<(Node, Option<Node>), u128>,
}

impl Needed {
    fn between(&self, (from, to): (Node, Node)) -> u128 {
        [None, Some(to)].iter().filter_map(|to| self.direct.get(&(from, *to))).sum()
    }
}

/// Those of copies, or of chunks for one node each.
fn needed(collective: &Collective, between: &BTreeMap<(Node, Node), u128>) -> Option<Needed> {
    let mut needed = Needed { transfers: 0, direct: BTreeMap::new() };
    for message in collective.messages() {
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        match (collective.semantics(), to) {
            (Semantics::Copy, _) => {
                let origin = collective.origin(message);
                needed.transfers += to.iter().filter(|v| **v != origin).count() as u128;
                *needed.direct.entry((origin, None)).or_insert(0) += 1;
            }
            (Semantics::Reduce, [to]) => {
                for from in from.iter().filter(|v| *v != to) {
                    needed.transfers += 1;
                    if between.contains_key(&(*from, *to)) {
                        *needed.direct.entry((*from, Some(*to))).or_insert(0) += 1;
                    }
                }
            }
            (Semantics::Reduce, _) => return None,
        }
    }
    Some(needed)
}
