//! **What:** how a schedule is shared among cores that check it together.

use crate::holdings::all;
use crate::{Message, Problem, Schedule};
use std::ops::Range;

/// What one core looks at: the rules of some steps, and who holds some messages in all steps.
pub(super) struct Share {
    pub steps: Range<usize>,
    pub messages: Range<u32>,
}

/// Fewest channel uses that are worth a core.
const WORTH: usize = 1 << 20;

impl Share {
    /// All of it.
    pub(super) fn whole(problem: &Problem, schedule: &Schedule) -> Self {
        Share { steps: 0..schedule.step_count(), messages: all(problem.collective()) }
    }

    /// As many shares as there are cores, of about as many transfers and messages each; fewer where there is too little to do, and so few
    /// that what each core needs for the network is less than the schedule. Slots overlap, so under time-division there is one.
    pub(super) fn of(problem: &Problem, schedule: &Schedule) -> Vec<Self> {
        let uses = schedule.channel_uses();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let worth = uses / WORTH.max(problem.network().channel_count());
        let count = if worth > 1 && !problem.model().is_slotted() { worth.min(cores()) } else { 1 };
        // A share is what lies between two borders.
        let border = |of: usize, share: usize| (of as u128 * share as u128 / count as u128) as usize;
        let step = |share: usize| match share == count {
            true => schedule.step_count(),
            false => schedule.first_step_from(border(schedule.transfer_count(), share)),
        };
        let message = |share: usize| Message::new(border(problem.collective().message_count(), share)).0;
        let share = |at: usize| Share { steps: step(at)..step(at + 1), messages: message(at)..message(at + 1) };
        (0..count).map(share).collect()
    }
}
