//! **What:** ends the process when time is up: MPI waits for ever for a rank that is lost.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How much longer each rank waits than the one before, so that as a rule one alone speaks.
const STAGGER: Duration = Duration::from_millis(300);

/// A limit that runs until it is dropped or ends.
pub(super) struct Limit(Sender<()>);

impl Limit {
    /// Begins now.
    pub(super) fn begin(rank: i32, seconds: f64) -> Self {
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            let time = Duration::from_secs_f64(seconds) + STAGGER * rank.unsigned_abs();
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                eprintln!(
                    "error: rank {rank} is not done after {seconds} s, or another rank is lost\nhint: allow more with --time SECONDS, or choose fewer --iterations"
                );
                // Without MPI, which may wait for the lost one; `mpirun` then ends all others.
                std::process::exit(1);
            }
        });
        Limit(sender)
    }

    /// All is done.
    pub(super) fn end(self) {
        // The thread is gone only where it ended the process.
        let _ = self.0.send(());
    }
}
