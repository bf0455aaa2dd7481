//! **What:** what one search may spend: ticks, counted as they go, with a look at the clock and the user every so many of them.

use crate::Run;

/// Ticks between two looks at the clock; a tick takes some nanoseconds.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// Nothing is left to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

/// The ticks of one search. Every loop that may be long spends them, and ends where there are none left.
pub struct Budget<'a> {
    /// Told where it is spent.
    run: Option<&'a Run<'a>>,
    /// Asked instead of a run.
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    spent: u64,
    limit: u64,
    /// Ticks spent at which the clock is looked at next.
    next_look: u64,
    stopped: bool,
    /// Whether it is all that the run gives, so that the run is told when it is spent.
    is_whole: bool,
}

impl<'a> Budget<'a> {
    /// So many ticks, and no longer than `run` goes on.
    pub fn new(run: &'a Run<'a>, limit: u64) -> Self {
        Budget { run: Some(run), stop: None, spent: 0, limit, next_look: 0, stopped: false, is_whole: true }
    }

    /// One that never ends.
    pub fn unlimited() -> Self {
        Budget::ticks(u64::MAX)
    }

    /// So many ticks, whatever the clock says.
    pub fn ticks(limit: u64) -> Self {
        Budget { run: None, stop: None, spent: 0, limit, next_look: limit, stopped: false, is_whole: false }
    }

    /// So many ticks, and no longer than until `stop` says yes.
    pub fn until(stop: &'a (dyn Fn() -> bool + Sync), limit: u64) -> Self {
        Budget { stop: Some(stop), next_look: 0, ..Budget::ticks(limit) }
    }

    /// So many ticks, of any size, for a part of the search that may do without more of them.
    pub fn part(&self, limit: u64) -> Self {
        Budget { limit, spent: 0, next_look: 0, is_whole: false, ..*self }
    }

    /// Counts `ticks`; whether the search may go on.
    #[inline]
    #[must_use]
    pub fn spend(&mut self, ticks: u64) -> bool {
        self.spent = self.spent.saturating_add(ticks);
        self.spent < self.next_look || self.look()
    }

    /// Counts `ticks`.
    ///
    /// # Errors
    /// The search must end.
    pub fn take(&mut self, ticks: u64) -> Result<(), Spent> {
        self.spend(ticks).then_some(()).ok_or(Spent)
    }

    /// Does `work` within at most so many of the ticks that are left.
    pub fn within<T>(&mut self, limit: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut part = self.part(limit.min(self.left()));
        let done = work(&mut part);
        let spent = part.spent();
        // Whether that was the rest is asked when more is spent.
        let _ = self.spend(spent);
        done
    }

    #[cold]
    fn look(&mut self) -> bool {
        self.stopped = self.stopped || self.run.is_some_and(Run::stopped) || self.stop.is_some_and(|stop| stop());
        self.next_look = if self.stopped { 0 } else { self.limit.min(self.spent.saturating_add(BETWEEN_LOOKS)) };
        !self.is_over()
    }

    /// Whether the search must end. Where that is for want of ticks, the run is told so.
    pub fn is_over(&self) -> bool {
        let told = self.run.filter(|_| self.is_whole);
        let is_spent = told.map_or(self.spent >= self.limit, |run| run.is_spent(self.spent, self.limit));
        self.stopped || is_spent
    }

    /// Ticks spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Ticks left.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Silent};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_search_ends_with_its_ticks_and_wants_more() {
        let never = AtomicBool::new(false);
        let run = Run::new(Settings::default(), &Silent, &never);
        let mut budget = Budget::new(&run, 100_000);
        assert_eq!((1..).take_while(|_| budget.spend(1000)).count(), 99);
        assert!(run.wants_more() && budget.is_over() && budget.left() == 0);
    }

    #[test]
    fn a_stopped_run_is_noticed_at_once_and_wants_nothing() {
        let cancelled = AtomicBool::new(true);
        let run = Run::new(Settings::default(), &Silent, &cancelled);
        let mut budget = Budget::new(&run, 100_000);
        assert!(!budget.spend(1) && !budget.spend(1) && budget.is_over());
        assert!(!run.wants_more());
    }

    #[test]
    fn nothing_ends_an_unlimited_budget() {
        let mut budget = Budget::unlimited();
        assert!(budget.spend(1 << 60) && !budget.is_over());
    }
}
