//! **What:** one search for ways of all copies in so many steps.

use super::clock::Clock;
use super::folded::Folded;
use super::plan::{Begun, Leg, Plan};
use super::waves::Waves;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Most copies, and most places of channels and ports in steps, of a schedule, or of a part of it that stands for the rest.
pub(super) const MOST_COPIES: usize = 1 << 18;
const MOST_PLACES: usize = 1 << 22;

/// Insertions without fewer open copies before everything is begun again: so many, and so many more for each copy.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    pub least: u64,
    pub a_copy: u64,
}

/// A search for a schedule of so many steps.
pub(crate) struct Search<'s, 'a> {
    pub folded: &'s Folded<'a>,
    pub clock: Clock,
    pub begun: &'s Begun,
    pub patience: Patience,
    /// How often it is begun.
    pub attempts: usize,
    /// The part of the network in all steps that a look goes through, as a rule: one in so many.
    pub looked_at: u64,
}

impl Search<'_, '_> {
    /// The legs of all copies, with the number of their message; until everything has its way, or there is none, or the budget ends.
    pub(crate) fn run(&self, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Vec<(usize, Leg)>> {
        if self.clock.steps == 0 || !self.is_small() {
            return None;
        }
        let mut is_first = self.folded.order() > 1;
        for _ in 0..self.attempts {
            let mut plan = Plan::new(self.folded, self.clock, self.begun);
            let mut waves = Waves::new(&plan);
            if std::mem::take(&mut is_first) {
                // Where images share channels that have no room for them, some copies have no way at all.
                let has_way = |copy: &u32| {
                    let (message, node) = plan.ends(*copy);
                    budget.spend(Waves::ticks(&plan)) && waves.way(&plan, message, node, random).is_some()
                };
                if !plan.open().iter().all(has_way) {
                    return None;
                }
            }
            let (ticks, mut fewest, mut since) = (Waves::ticks(&plan).div_ceil(self.looked_at), usize::MAX, 0);
            let patience = self.patience.least + self.patience.a_copy * plan.open().len() as u64;
            if !budget.spend(ticks + plan.copies() as u64 / 4) {
                return None;
            }
            while since < patience {
                if plan.open().is_empty() {
                    return Some(plan.sent());
                }
                if plan.open().len() < fewest {
                    (fewest, since) = (plan.open().len(), 0);
                }
                if !budget.spend(ticks) {
                    return None;
                }
                let copy = plan.open()[random.random_range(0..plan.open().len())];
                plan.insist(copy);
                let (message, node) = plan.ends(copy);
                if let Some(legs) = waves.way(&plan, message, node, random) {
                    plan.insert(message, legs);
                }
                since += 1;
            }
        }
        None
    }

    /// Whether there is room for all copies and places.
    fn is_small(&self) -> bool {
        let network = self.folded.problem.network();
        let copies = self.folded.messages.len().saturating_mul(network.node_count());
        let places = (network.channel_count() + 2 * network.node_count())
            .saturating_mul(self.clock.steps.saturating_mul(2).saturating_add(self.clock.hop));
        copies <= MOST_COPIES && places <= MOST_PLACES
    }
}
