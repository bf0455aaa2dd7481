//! **What:** how much work an identification may cost, counted in ticks, and when it is to stop.

/// How much work an identification may cost.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Looks at a channel, about 10 ns each; what is found depends on these alone.
    pub ticks: u64,
    /// Asked every few thousand ticks; once it says yes, the search ends without an answer.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Effort<'_> {
    /// Enough for tori of 10⁵ nodes, and not interrupted.
    fn default() -> Self {
        Effort { ticks: 400_000_000, stop: &|| false }
    }
}

/// Ticks between two looks at [`Effort::stop`].
const PERIOD: u64 = 1 << 14;

/// Nothing is left to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

/// Work that is being spent.
pub(crate) struct Work<'a> {
    left: u64,
    /// Ticks that are set aside while a part of the work runs within a limit of its own.
    aside: u64,
    until_poll: u64,
    stopped: bool,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Work<'a> {
    pub fn new(effort: Effort<'a>) -> Self {
        Work { left: effort.ticks, aside: 0, until_poll: 0, stopped: false, stop: effort.stop }
    }

    /// Takes `ticks` from what is left.
    pub fn spend(&mut self, ticks: u64) -> Result<(), Spent> {
        if self.until_poll <= ticks {
            self.until_poll = PERIOD;
            self.stopped = self.stopped || (self.stop)();
        } else {
            self.until_poll -= ticks;
        }
        if self.stopped || self.left < ticks {
            self.left = 0;
            return Err(Spent);
        }
        self.left -= ticks;
        Ok(())
    }

    /// Whether nothing more can be done at all.
    pub fn is_over(&self) -> bool {
        self.stopped || self.left + self.aside == 0
    }

    /// Runs `part` with at most `limit` of the ticks that are left.
    pub fn within<T>(&mut self, limit: u64, part: impl FnOnce(&mut Self) -> T) -> T {
        let aside = self.left.saturating_sub(limit);
        self.left -= aside;
        self.aside += aside;
        let result = part(self);
        self.left += aside;
        self.aside -= aside;
        result
    }
}
