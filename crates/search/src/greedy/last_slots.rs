//! **What:** the last slots of a period that may be run backwards, from which all arrives after its end: what origins send there to nodes near them.
//!
//! Nothing can be passed on from there, and nobody else may send there, so these slots are filled before all others: what they
//! bring is needed no sooner.

use super::Filling;
use super::policy::{Near, Policy, Turn};
use graph::distances::Way;
use kernel::{Node, Schedule};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;

impl Filling<'_> {
    /// A schedule of one step each; `None` where the budget ends.
    pub(super) fn fill_last(
        &mut self,
        period: usize,
        policy: &Policy,
        random: &mut Pcg64Mcg,
        near: &mut Near<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Schedule>> {
        let mut all = Vec::new();
        let mut order: Vec<Node> = self.problem.network().terminals().to_vec();
        let slots = if self.rest.wraps_from_origins { self.table.duration(1).min(period) } else { 0 };
        for slot in period - slots..period {
            self.table.begin(slot);
            let mut schedule = Schedule::new();
            schedule.begin_step();
            let mut came = vec![0; self.problem.network().node_count()];
            let longest = (1..=policy.longest_last).take_while(|&length| self.table.is_in_time(length)).count();
            for length in 1..=longest {
                order.shuffle(random);
                if !budget.spend(order.len() as u64) {
                    return None;
                }
                for &node in &order {
                    let turn = Turn { node, way: Way::Back, length };
                    while came[node.index()] < policy.last
                        && self.take_path(turn, &mut schedule, random, near, budget).is_some()
                    {
                        came[node.index()] += 1;
                    }
                }
            }
            all.push(schedule);
        }
        Some(all)
    }
}
