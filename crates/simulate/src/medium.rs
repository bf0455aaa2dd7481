//! **What:** half-duplex links: channels that share a medium, on which one of them sends at a time.
//!
//! **Method.** A medium carries a flit an interval, that of the fastest of its channels. In a cycle the first channel that asks has it, if it is free. One
//! that asked in vain comes before all others as long as it goes on asking. So of two directions that always have something to send each
//! sends half, and among several none waits for ever.

use crate::interval::{Due, Interval};
use crate::packets::NONE;

/// What several channels share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Medium {
    due: Due,
    interval: Interval,
    /// The output that may send in the cycle `asked`.
    chosen: u32,
    asked: u64,
    /// An output that asked in vain, and when it did so last.
    waits: u32,
    waited: u64,
}

impl Medium {
    pub(crate) fn new(interval: Interval) -> Self {
        Medium { due: Due::default(), interval, chosen: NONE, asked: 0, waits: NONE, waited: 0 }
    }

    /// Whether an output may send in this cycle on all media that it shares.
    pub(crate) fn all_may(media: &mut [Medium], shared: &[u32], output: u32, now: u64) -> bool {
        shared.iter().all(|medium| media[*medium as usize].may(output, now))
    }

    fn may(&mut self, output: u32, now: u64) -> bool {
        let is_taken = self.chosen != NONE && self.asked == now;
        if is_taken && self.chosen == output {
            return true;
        }
        let another = self.waits != NONE && self.waits != output && self.waited + 1 >= now;
        if !another && (is_taken || self.due.is_after(now)) {
            (self.waits, self.waited) = (output, now);
        } else if self.waits == output {
            self.waited = now;
        }
        if another || is_taken || self.due.is_after(now) {
            return false;
        }
        (self.chosen, self.asked) = (output, now);
        true
    }

    /// An output that might send does.
    pub(crate) fn send(&mut self, output: u32, now: u64) {
        self.due.send(now, self.interval);
        if self.waits == output {
            self.waits = NONE;
        }
    }
}
