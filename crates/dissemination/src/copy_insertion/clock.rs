//! **What:** the steps of a schedule, or the slots of a period, in which copies are carried.

use super::plan::Leg;
use kernel::{Problem, Switching};

/// Steps, or slots of a period.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    pub steps: usize,
    /// Slots that a channel takes; 0 where a path of any length takes one step.
    pub hop: usize,
    /// Whether a path may have several channels.
    pub is_carried: bool,
    /// The first step in which nothing arrives: the end of the period, or that of the next one where what begins in a period may arrive after it.
    pub horizon: usize,
    /// Whether, instead, what begins before the period may arrive in it: a copy that its origin sends then. All times are a period later.
    pub begins_before: bool,
}

impl Clock {
    /// A period of so many steps.
    pub(crate) fn new(problem: &Problem, steps: usize) -> Self {
        let switching = problem.model().switching;
        let slots = switching.slots();
        Clock {
            steps,
            hop: slots.map_or(0, |slots| slots.hop as usize),
            is_carried: switching != Switching::StoreAndForward,
            horizon: if slots.is_some_and(|slots| slots.cyclic) { 2 * steps } else { steps },
            begins_before: false,
        }
    }

    /// The first step of the period, in which the first copies arrive.
    pub(super) fn first(&self) -> usize {
        if self.begins_before { self.steps } else { 0 }
    }

    /// The first step in which what comes by a leg may be sent on.
    pub(crate) fn known(&self, leg: &Leg) -> u32 {
        (leg.start + leg.path.len() * self.hop + 1) as u32
    }

    /// The first step in which nothing is sent.
    pub(super) fn end(&self) -> usize {
        (self.first() + self.steps).min(self.horizon)
    }
}
