//! **What:** a portfolio of independent searches: of those that succeed, the first in order counts.
//!
//! Every task has its own random numbers and a fixed budget, so the answer does not depend on the number of threads.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What a task is told.
pub struct Task<'a> {
    /// Its position among the tasks.
    pub position: usize,
    winner: &'a AtomicUsize,
}

impl Task<'_> {
    /// Whether a task before this one has succeeded, so that its own result would not count.
    pub fn is_beaten(&self) -> bool {
        self.winner.load(Ordering::Relaxed) < self.position
    }
}

/// So many threads; none beside the one that asks where that is enough.
#[must_use]
pub fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten()
}

/// Runs `task` on each of `plans` until one succeeds; its result and the ticks spent on it and those before it.
///
/// A task gives its result, if any, with the ticks it took. Tasks that might overdraw `left`, each taking `budget`, are
/// left out.
pub fn race<P: Sync, T: Send>(
    pool: Option<&rayon::ThreadPool>,
    plans: &[P],
    (budget, left): (u64, u64),
    task: impl Fn(&P, &Task<'_>) -> (Option<T>, u64) + Sync,
) -> (Option<T>, u64) {
    let ticks: Vec<AtomicU64> = plans.iter().map(|_| AtomicU64::new(0)).collect();
    let winner = AtomicUsize::new(usize::MAX);
    let run = |(position, plan): (usize, &P)| {
        let told = Task { position, winner: &winner };
        if told.is_beaten() || budget.saturating_mul(position as u64) > left {
            return None;
        }
        let (found, spent) = task(plan, &told);
        ticks[position].store(spent, Ordering::Relaxed);
        if found.is_some() {
            winner.fetch_min(position, Ordering::Relaxed);
        }
        found
    };
    let found = match pool {
        None => plans.iter().enumerate().find_map(run),
        Some(pool) => pool.install(|| plans.par_iter().enumerate().find_map_first(run)),
    };
    // Tasks after the winner may have been cut short, so they do not count.
    let counted = winner.into_inner().min(plans.len().saturating_sub(1));
    let spent = ticks.iter().take(counted + 1).map(|t| t.load(Ordering::Relaxed)).sum();
    (found, spent)
}
