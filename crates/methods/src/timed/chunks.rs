//! **What:** the numbers of chunks that are tried where the caller leaves them open.

use kernel::timed::TimedProblem;

/// Transfers that a schedule may have where the number of chunks is chosen here.
const TRANSFERS: u64 = 100_000;
/// A schedule so much faster is worth more chunks.
const WORTH: f64 = 0.999;
/// Numbers of chunks that may fail to be worth it in a row.
const PATIENCE: u32 = 7;

/// Numbers of chunks as they go on being worth it: 1, 2, 3, 4, 6, 8, 12, … times a number.
pub(super) struct Numbers {
    multiple: u32,
    next: u32,
    best: f64,
    failed: u32,
}

impl Numbers {
    pub(super) fn multiples_of(multiple: u32) -> Self {
        Numbers { multiple: multiple.max(1), next: 0, best: f64::INFINITY, failed: 0 }
    }

    /// The next one; `None` where more are too many, or not worth it.
    pub(super) fn next(&mut self) -> Option<u32> {
        // 1, then 2 and 3, 4 and 6, 8 and 12, …
        let power = self.next.checked_sub(1).map(|number| (2 + number % 2, number / 2));
        let times = power.map_or(Some(1), |(first, power)| first.checked_shl(power).filter(|_| power < 29));
        self.next += 1;
        times.and_then(|times| times.checked_mul(self.multiple)).filter(|_| self.failed <= PATIENCE)
    }

    /// What came of it.
    pub(super) fn learn(&mut self, micros: f64, transfers: usize) {
        self.failed = if micros < self.best * WORTH { 0 } else { self.failed + 1 };
        self.best = self.best.min(micros);
        if transfers as u64 * 2 > TRANSFERS {
            self.failed = u32::MAX;
        }
    }
}

/// Whether so many deliveries are few enough to be written down where nobody asked for so many chunks.
pub(super) fn is_small(problem: &TimedProblem) -> bool {
    problem.collective().deliveries() <= 2 * TRANSFERS
}
