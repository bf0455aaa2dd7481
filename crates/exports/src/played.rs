//! **What:** what every rank does to play a schedule, with sizes in bytes: what the formats of others' simulators are written from.

use formats::WriteError;
use kernel::{Network, Rational};
use program::{Playable, Program};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// A program, its network and its sizes.
pub struct Played<'a> {
    /// What every rank does.
    pub program: Program,
    /// The network that it was made for.
    pub network: &'a Network,
    /// Bytes of a message; of a schedule in time, of a chunk.
    pub message_bytes: Rational,
    /// GB/s at which a node merges, where that takes time.
    pub merging: Option<Rational>,
}

impl<'a> Played<'a> {
    /// What a verified schedule does with messages of so many bytes; errors name the file that was to be written.
    ///
    /// # Errors
    /// Where it is not known how many bytes a message has, or there are too many transfers.
    pub fn new(
        schedule: impl Into<Playable<'a>>,
        network: &'a Network,
        message_bytes: Option<Rational>,
        path: &Path,
    ) -> Result<Self, WriteError> {
        let unfit = |kind, why: String| WriteError { path: path.to_owned(), source: Error::new(kind, why) };
        let program = Program::new(schedule).map_err(|error| unfit(ErrorKind::FileTooLarge, error.to_string()))?;
        let message_bytes = message_bytes
            .ok_or_else(|| unfit(ErrorKind::InvalidInput, "the size of its messages is not known".into()))?;
        Ok(Played { program, network, message_bytes, merging: None })
    }

    /// Bytes of so many messages that travel together, rounded up, at least 1.
    #[must_use]
    pub fn bytes(&self, messages: usize) -> u64 {
        let Rational { numerator, denominator } = self.message_bytes;
        let bytes = (u128::from(numerator) * messages as u128).div_ceil(u128::from(denominator.max(1)));
        u64::try_from(bytes).unwrap_or(u64::MAX).max(1)
    }

    /// Nanoseconds that merging so many contributions takes, rounded up; 0 where the network does not tell a rate.
    #[must_use]
    pub fn merging_ns(&self, contributions: usize) -> u64 {
        let Some(Rational { numerator, denominator }) = self.merging else { return 0 };
        // A GB/s is a byte in a nanosecond.
        let bytes = u128::from(self.bytes(1)) * contributions as u128 * u128::from(denominator);
        u64::try_from(bytes.div_ceil(u128::from(numerator.max(1)))).unwrap_or(u64::MAX)
    }
}
