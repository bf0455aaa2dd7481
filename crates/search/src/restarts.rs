//! **What:** one randomised attempt after the other, each of use only with fewer steps than the best before it.

use kernel::Schedule;
use run::{Budget, Run};

/// What all attempts have in common.
pub struct Restarts<'r, 'a> {
    /// The method, told with what it finds.
    pub name: &'static str,
    /// What they run with.
    pub run: &'r Run<'a>,
    /// Steps that no schedule is below.
    pub floor: u64,
    /// Ticks that it takes to begin.
    pub cost: u64,
    /// Attempts at most.
    pub attempts: u64,
    /// Most steps of use where no schedule is known.
    pub most: usize,
}

impl Restarts<'_, '_> {
    /// The best of the attempts, each told its number and the most steps of use; they end at the goal or with the budget.
    pub fn best(
        &self,
        budget: &mut Budget<'_>,
        mut attempt: impl FnMut(u64, usize, &mut Budget<'_>) -> Option<Schedule>,
    ) -> Option<Schedule> {
        let goal = self.run.goal(self.floor).max(1) as usize;
        let mut limit = self.run.incumbent.map_or(self.most, |known| known.steps().saturating_sub(1));
        let mut best = None;
        for number in 0..self.attempts {
            if !budget.spend(self.cost) {
                break;
            }
            if let Some(found) = attempt(number, limit, budget) {
                self.run.progress.found(self.name, found.step_count() as u64);
                limit = found.step_count().saturating_sub(1);
                best = Some(found);
            }
            if limit < goal || budget.is_over() {
                break;
            }
        }
        best
    }
}
