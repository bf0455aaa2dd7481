//! **What:** what short periods of time-division have to carry, in which nobody can send on what it received: a message of its own from each origin or contributor to each
//! destination (`docs/certificates.md`, `direct`).

use crate::{Collective, Model, Node, Problem, Semantics};
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
