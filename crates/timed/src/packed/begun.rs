//! **What:** transfers with the ticks at which they begin, turned round in time and put one after the other.

use super::tasks::Tasks;

/// Transfers with their beginnings.
#[derive(Clone, Default)]
pub(super) struct Begun {
    pub tasks: Tasks,
    pub begun: Vec<u64>,
}

impl Begun {
    /// When the last of them has arrived.
    pub(super) fn end(&self) -> u64 {
        let held = self.tasks.0.iter().zip(&self.begun).map(|(one, tick)| tick + one.way.takes());
        held.max().unwrap_or(0)
    }

    /// The same backwards in time.
    pub(super) fn turned(self) -> Self {
        let end = self.end();
        let begun = self.tasks.0.iter().zip(&self.begun).map(|(one, tick)| end - tick - one.way.takes()).collect();
        Begun { tasks: self.tasks.mirrored(), begun }
    }

    /// Others, so many ticks later.
    pub(super) fn append(&mut self, mut others: Begun, later: u64) {
        let base = self.tasks.0.len();
        for one in &mut others.tasks.0 {
            one.inner = one.inner.map(|inner| base + inner);
            one.after.iter_mut().for_each(|before| *before += base);
        }
        self.tasks.0.append(&mut others.tasks.0);
        self.begun.extend(others.begun.into_iter().map(|tick| tick + later));
    }
}
