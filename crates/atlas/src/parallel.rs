//! **What:** the same work on many items, on several threads, the first items first.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` gives for each item, in the items' order. A thread takes the first item that nobody has taken.
pub(super) fn each<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, work(item))),
                None => return done,
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(take)).collect();
        let done = workers.into_iter().map(|w| w.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)));
        done.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
