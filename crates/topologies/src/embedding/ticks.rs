//! **What:** the elementary moves that a search for maps has left, and who is told of them.

/// Told what is searched by, how many ticks of how many are spent; says whether to stop.
pub type Watch<'a> = &'a dyn Fn(&'static str, u64, u64) -> bool;

/// Ticks between two looks at the watch: some milliseconds.
const PAUSE: u64 = 1 << 16;

/// The ticks of one part of a search.
pub(super) struct Ticks<'a> {
    part: &'static str,
    all: u64,
    left: u64,
    told: u64,
    watch: Watch<'a>,
}

impl<'a> Ticks<'a> {
    pub(super) fn new(part: &'static str, all: u64, watch: Watch<'a>) -> Self {
        let left = if watch(part, 0, all) { 0 } else { all };
        Ticks { part, all, left, told: left, watch }
    }

    /// Whether none are left, or the watch has stopped the search.
    pub(super) fn are_spent(&self) -> bool {
        self.left == 0
    }

    pub(super) fn spend(&mut self, ticks: u64) {
        self.left = self.left.saturating_sub(ticks);
        if self.told - self.left >= PAUSE {
            self.told = self.left;
            if (self.watch)(self.part, self.all - self.left, self.all) {
                self.left = 0;
                self.told = 0;
            }
        }
    }
}
