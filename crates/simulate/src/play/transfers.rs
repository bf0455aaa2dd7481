//! **What:** transfers with their paths, by steps: what of a schedule, or of a table for hardware, is played.

use super::PlayError;
use kernel::{Channel, Op, Semantics, Slots, Verified};

/// Channel uses of one play at most: some hundreds of megabytes.
pub(super) const MOST_USES: u64 = 1 << 25;

/// A transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent<'a> {
    /// Its step; under time-division its slot.
    pub step: u32,
    /// Messages that it carries.
    pub messages: u32,
    /// Whether its receiver merges them.
    pub merges: bool,
    /// The channels from its sender to its receiver.
    pub path: &'a [Channel],
}

/// Transfers by steps, ascending.
#[derive(Clone, Debug, Default)]
pub struct Transfers {
    steps: u32,
    slots: Option<Slots>,
    all: Vec<Carried>,
    channels: Vec<Channel>,
}

#[derive(Clone, Copy, Debug)]
struct Carried {
    step: u32,
    messages: u32,
    merges: bool,
    end: u32,
}

impl Transfers {
    /// None, of steps or of the slots of a period.
    #[must_use]
    pub fn new(slots: Option<Slots>) -> Self {
        Transfers { slots, ..Self::default() }
    }

    /// Those of a verified schedule, however it is stored.
    ///
    /// # Errors
    /// More than are written down.
    pub fn of(schedule: &Verified) -> Result<Self, PlayError> {
        let uses = schedule.channel_uses();
        if uses > MOST_USES {
            return Err(PlayError::TooLarge { what: "channel uses", found: uses, most: MOST_USES });
        }
        let mut transfers = Transfers::new(schedule.problem().model().switching.slots());
        let is_reduction = schedule.problem().collective().semantics() == Semantics::Reduce;
        for step in 0..schedule.steps() {
            transfers.begin_step();
            for sent in schedule.step(step) {
                let messages = u32::try_from(sent.messages().len()).expect("messages have 32-bit numbers");
                transfers.push(messages, is_reduction && sent.op == Op::Reduce, &sent.path);
            }
        }
        Ok(transfers)
    }

    /// Opens the next step.
    pub fn begin_step(&mut self) {
        self.steps += 1;
    }

    /// Adds a transfer of a path that is not empty to the last step.
    pub fn push(&mut self, messages: u32, merges: bool, path: &[Channel]) {
        self.steps = self.steps.max(1);
        self.channels.extend_from_slice(path);
        let end = u32::try_from(self.channels.len()).expect("the uses are bounded");
        self.all.push(Carried { step: self.steps - 1, messages, merges, end });
    }

    /// Number of steps.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// How time is divided, under time-division.
    #[must_use]
    pub fn slots(&self) -> Option<Slots> {
        self.slots
    }

    /// Number of transfers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Sent<'_>> {
        (0..self.all.len()).map(|at| {
            let Carried { step, messages, merges, end } = self.all[at];
            let start = at.checked_sub(1).map_or(0, |before| self.all[before].end);
            Sent { step, messages, merges, path: &self.channels[start as usize..end as usize] }
        })
    }
}
