//! Verified schedules, and collectives without a schedule, played flit by flit.

mod alone;
mod parallel;
mod plan;
mod record;
mod rivals;
mod schedule;
mod script;
mod shapes;
mod transfers;

pub use parallel::{OnParallel, Parallel};
pub use record::{Ended, Frames, Playing, Recorded};
pub use rivals::{RIVALS, Rival, RivalError};
pub use schedule::{Mode, Play};
pub use script::{Order, Planned, Script, Waits};
pub use transfers::{Sent, Transfers};

use crate::settings::SettingsError;
use program::ProgramError;

/// The flits of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many for every message that it carries.
    Flits(u32),
    /// A head, and behind it the bytes of its messages.
    Bytes {
        /// Bytes of a message.
        message: u64,
        /// Bytes of a flit.
        flit: u32,
    },
}

impl Length {
    /// Flits of a packet of so many messages, which are chunks, so many to a message of the collective.
    #[must_use]
    pub fn flits(self, messages: u32, chunks: u32) -> u32 {
        let (messages, chunks) = (u64::from(messages), u64::from(chunks.max(1)));
        let flits = match self {
            Length::Flits(flits) => messages.saturating_mul(u64::from(flits)).div_ceil(chunks).max(1),
            Length::Bytes { message, flit } => {
                messages.saturating_mul(message).div_ceil(chunks).div_ceil(u64::from(flit.max(1))).saturating_add(1)
            }
        };
        u32::try_from(flits).unwrap_or(u32::MAX)
    }
}

/// Why something is not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
#[non_exhaustive]
pub enum PlayError {
    #[error("{found} {what} are more than are simulated one by one ({most})")]
    TooLarge { what: &'static str, found: u64, most: u64 },
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("slots of time-division are no steps that end with a barrier")]
    Slots,
    #[error("{0} half-duplex groups: asynchronously both directions would be used at once")]
    HalfDuplex(usize),
    #[error("a table does not tell who waits for whom")]
    NoDependencies,
    #[error("a circuit holds its whole path at once, and slots of time-division one channel after the other")]
    SlotCircuits,
    #[error("channels with delays of their own, and slots of time-division, which have one length")]
    SlotDelays,
}

impl PlayError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            PlayError::TooLarge { .. } | PlayError::Program(_) => "take a smaller network".into(),
            PlayError::Settings(error) => error.hint(),
            PlayError::Slots => "give --mode timed or --mode async".into(),
            PlayError::HalfDuplex(_) => "give --mode barrier or --mode timed".into(),
            PlayError::NoDependencies => "give --mode barrier or --mode timed, or the schedule's own file".into(),
            PlayError::SlotCircuits => "give another --switching".into(),
            PlayError::SlotDelays => "give --mode async, or one delay for all channels".into(),
        }
    }
}
