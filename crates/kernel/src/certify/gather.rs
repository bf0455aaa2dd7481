//! **What:** how much can come together at one node under time-division: the part of the kind `growth` that looks back from the end.
//!
//! **Facts:** a transfer that begins in slot b carries at most what its sender has by then: its own contribution, and what transfers brought that
//! ended before slot b. One that ends in slot e has begun in slot e − hop or before, and as many end at a node in a slot as it can receive. So with `rate` for the
//! largest of all rates, what a transfer of slot b carries is at most sent(b) = 1 + rate × (sent(0) + … + sent(b − 1 − hop)). What ends
//! after the period is held only when nothing is sent any more, so it counts at its destination alone, where it takes one of the receptions of
//! the period; [proved](../../../docs/certificates.md#growth).

use crate::Slots;
use std::collections::HashMap;

/// Slots that are known, by the rate of the node and the number of others.
pub(super) struct Gather {
    /// The largest rate at which a terminal receives.
    rate: u64,
    slots: Slots,
    known: HashMap<(u64, u64), u64>,
}

impl Gather {
    pub(super) fn new(rate: u64, slots: Slots) -> Self {
        Gather { rate, slots, known: HashMap::new() }
    }

    /// The slots of a period in which a node that receives at `rate` can have something of `others` nodes beside itself.
    pub(super) fn slots(&mut self, rate: u64, others: u64) -> u64 {
        if others == 0 || rate == 0 {
            return 0;
        }
        let (largest, Slots { hop, cyclic }) = (self.rate, self.slots);
        *self.known.entry((rate, others)).or_insert_with(|| {
            // What transfers carry that begin in one of the slots up to each.
            let mut sums: Vec<u64> = Vec::new();
            loop {
                let slot = sums.len();
                let in_time =
                    slot.checked_sub(1).and_then(|slot| slot.checked_sub(hop as usize)).map_or(0, |last| sums[last]);
                let sent = largest.saturating_mul(in_time).saturating_add(1);
                sums.push(sums.last().map_or(0, |sum| *sum).saturating_add(sent));
                let passed = slot as u64 + 1;
                // Without wrap-round `hop` slots more, since what begins in the last of them is to end within the period.
                let (come, period) = match cyclic {
                    true => (sent.saturating_mul(passed), passed),
                    false => (sums[slot], passed + u64::from(hop)),
                };
                if rate.saturating_mul(come) >= others {
                    return period;
                }
            }
        })
    }
}
