//! **What:** what is under way and comes at a known cycle: flits on channels and credits on their way back.
//!
//! **Layout:** a ring of as many slots as the longest delay, each a list that keeps its memory, so that nothing is allocated a cycle.

/// A flit that comes somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The virtual channel of an input, or [`TO_NODE`].
    pub(crate) target: u32,
    /// The flit.
    pub(crate) flit: u32,
}

/// The target of flits that leave the network.
pub(crate) const TO_NODE: u32 = u32::MAX;

/// What comes in one cycle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// Flits.
    pub(crate) flits: Vec<Arrival>,
    /// Virtual channels of outputs that get a credit.
    pub(crate) credits: Vec<u32>,
}

/// The ring.
#[derive(Clone, Debug)]
pub(crate) struct Wheel {
    slots: Vec<Slot>,
    pending: usize,
}

impl Wheel {
    /// For delays up to `longest`.
    pub(crate) fn new(longest: u32) -> Self {
        Wheel { slots: vec![Slot::default(); (longest as usize + 1).next_power_of_two()], pending: 0 }
    }

    #[inline]
    fn slot(&mut self, cycle: u64) -> &mut Slot {
        let mask = self.slots.len() as u64 - 1;
        // The position is below the number of slots, which is a usize.
        &mut self.slots[(cycle & mask) as usize]
    }

    /// A flit comes at `cycle`, which is later than now.
    #[inline]
    pub(crate) fn flit(&mut self, cycle: u64, target: u32, flit: u32) {
        self.pending += 1;
        self.slot(cycle).flits.push(Arrival { target, flit });
    }

    /// A credit comes at `cycle`, which is later than now.
    #[inline]
    pub(crate) fn credit(&mut self, cycle: u64, target: u32) {
        self.pending += 1;
        self.slot(cycle).credits.push(target);
    }

    /// Takes what comes at `cycle`; give the lists back when they are read, so that their memory stays.
    #[inline]
    pub(crate) fn take(&mut self, cycle: u64) -> Slot {
        let slot = std::mem::take(self.slot(cycle));
        self.pending -= slot.flits.len() + slot.credits.len();
        slot
    }

    /// Gives the lists of `cycle` back.
    #[inline]
    pub(crate) fn give_back(&mut self, cycle: u64, mut slot: Slot) {
        slot.flits.clear();
        slot.credits.clear();
        *self.slot(cycle) = slot;
    }

    /// The first cycle from `now` on in which something comes.
    pub(crate) fn next(&self, now: u64) -> Option<u64> {
        let mask = self.slots.len() as u64 - 1;
        let is_used = |cycle: &u64| {
            let slot = &self.slots[(cycle & mask) as usize];
            !slot.flits.is_empty() || !slot.credits.is_empty()
        };
        if self.pending == 0 { None } else { (now..=now + mask).find(is_used) }
    }

    /// Flits and credits under way.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// Everything under way, in no order.
    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
