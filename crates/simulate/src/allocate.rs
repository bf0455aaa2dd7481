//! **What:** a router's cycle: heads get virtual channels, then flits get the switch.

use crate::simulator::Simulator;

impl Simulator<'_> {
    /// One router's cycle.
    pub(crate) fn allocate(&mut self, router: usize) {
        let words = self.words[router] as usize..self.words[router + 1] as usize;
        if self.waiting[words.clone()].iter().any(|word| *word != 0) {
            self.allocate_vcs(router);
        }
        if self.ready[words.clone()].iter().any(|word| *word != 0) {
            self.allocate_switch(router);
        }
        if words.into_iter().all(|word| self.waiting[word] | self.ready[word] == 0) {
            self.routers.clear(router);
        }
    }
}
