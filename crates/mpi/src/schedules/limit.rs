//! **What:** ends the process when time is up, or when nothing has come from others for long: MPI waits for ever for a rank that is lost.
//!
//! **Facts:** the thread that speaks MPI counts what it gets done: operations that end, meetings of all. Where it gets nothing done, it waits for others. `mpirun` as a
//! rule ends all where one dies; where it does not (`--enable-recovery`), each of the others notices by itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How much longer each rank waits than the one before, so that as a rule one alone speaks.
const STAGGER: Duration = Duration::from_millis(300);

/// Between two looks.
const NAP: Duration = Duration::from_millis(50);

/// Seconds without anything from others, before rank 0 has told what the command line says.
pub(super) const SILENCE: f64 = 30.0;

/// What a rank gets done.
#[derive(Clone, Default)]
pub(super) struct Pulse(Arc<AtomicU64>);

impl Pulse {
    /// Something is done.
    pub(super) fn beat(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Limits that hold until they end.
pub(super) struct Limit(Sender<()>);

/// Seconds.
#[derive(Clone, Copy)]
pub(super) struct Seconds {
    /// In all; infinite for no limit.
    pub all: f64,
    /// Without a beat.
    pub silence: f64,
}

impl Limit {
    /// Begins now.
    pub(super) fn begin(rank: i32, seconds: Seconds, pulse: Pulse) -> Self {
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            let later = STAGGER * rank.unsigned_abs();
            let [all, silence] = [seconds.all, seconds.silence]
                .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).saturating_add(later));
            let begun = Instant::now();
            let (mut known, mut heard) = (u64::MAX, begun);
            while ended.recv_timeout(NAP) == Err(RecvTimeoutError::Timeout) {
                let now = pulse.0.load(Ordering::Relaxed);
                if now != known {
                    (known, heard) = (now, Instant::now());
                }
                if heard.elapsed() >= silence {
                    give_up(&format!(
                        "error: rank {rank} has waited {} s for others, and nothing has come: a rank is lost, or hangs\nhint: see what became of the other ranks; where a message may take so long, allow more with --silence SECONDS",
                        seconds.silence
                    ));
                }
                if begun.elapsed() >= all {
                    give_up(&format!(
                        "error: rank {rank} is not done after {} s, or another rank is lost\nhint: allow more with --time SECONDS, or choose fewer --iterations",
                        seconds.all
                    ));
                }
            }
        });
        Limit(sender)
    }

    /// All is done.
    pub(super) fn end(self) {
        // The thread is gone only where it ended the process.
        let _ = self.0.send(());
    }

    /// It holds as long as the process.
    pub(super) fn stays(self) {
        std::mem::forget(self.0);
    }
}

/// Without MPI, which may wait for the lost one; `mpirun` as a rule then ends all others.
fn give_up(text: &str) -> ! {
    eprintln!("{text}");
    std::process::exit(1)
}
