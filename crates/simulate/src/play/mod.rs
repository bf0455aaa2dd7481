//! Verified schedules, and collectives without a schedule, played flit by flit.

mod alone;
mod needs;
mod parallel;
mod plan;
mod record;
mod reductions;
mod rivals;
mod schedule;
mod script;
mod shapes;
mod timed;
mod transfers;

pub use needs::Needs;
pub use parallel::{OnParallel, Parallel};
pub use record::{Ended, Frames, Playing, Recorded};
pub use rivals::{RIVALS, Rival, RivalError};
pub use schedule::{Mode, Play};
pub use script::{Order, Planned, Script, Waits};
pub use timed::CycleTime;
pub use transfers::{Sent, Transfers};

use crate::settings::SettingsError;
use kernel::Rational;
use program::ProgramError;

/// The flits of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many for every message that it carries.
    Flits(u32),
    /// Some flits of its own, and behind them the bytes of its messages.
    Bytes {
        /// Flits before the first byte.
        head: u32,
        /// Bytes of a message.
        message: Rational,
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
            Length::Bytes { head, message, flit } => {
                let Rational { numerator, denominator } = message;
                let bytes = u128::from(messages).saturating_mul(numerator.into());
                let each = (u128::from(denominator) * u128::from(flit.max(1))).saturating_mul(chunks.into());
                let flits = u64::try_from(bytes.div_ceil(each.max(1))).unwrap_or(u64::MAX);
                flits.saturating_add(head.into()).max(1)
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
    #[error("slots of time-division do not end with a barrier")]
    Slots,
    #[error("transfer {transfer} goes to several receivers through switches that copy, which routers here cannot do")]
    Copies { transfer: u32 },
    #[error("a schedule in time has no steps that end with a barrier")]
    NoSteps,
    #[error("a latency of {cycles} cycles is more than the {most} that a channel may take")]
    Latency { cycles: u64, most: u32 },
    #[error("its bandwidths, sizes and times are too fine, or too far apart, to be expressed in flits and cycles")]
    TooFine,
    #[error("a table does not say which transfers wait for which")]
    NoDependencies,
    #[error("a circuit holds its whole path at once, but time-division uses one channel after the other")]
    SlotCircuits,
    #[error("slots of time-division have one length, so channels cannot have delays of their own")]
    SlotDelays,
}

impl PlayError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            PlayError::TooLarge { .. } | PlayError::Program(_) => "choose a smaller network".into(),
            PlayError::Settings(error) => error.hint(),
            PlayError::Slots => "use --mode timed or --mode async".into(),
            PlayError::Copies { .. } => "`quadrille replay` plays it; solve for a network without `multicast`".into(),
            PlayError::NoSteps => "use --mode timed or --mode async".into(),
            PlayError::Latency { .. } => "use larger flits with --flit-bytes".into(),
            PlayError::TooFine => "`quadrille replay` counts in ticks; --flit-bytes sets the size of a flit".into(),
            PlayError::NoDependencies => {
                "use --mode barrier or --mode timed, or simulate the schedule's own file".into()
            }
            PlayError::SlotCircuits => "use another --switching".into(),
            PlayError::SlotDelays => "use --mode async, or one delay for all channels".into(),
        }
    }
}
