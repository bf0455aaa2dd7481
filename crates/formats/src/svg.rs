//! **What:** pictures in SVG as files; drawn by `pictures`.

use crate::{WriteError, file};
use kernel::{Network, Verified};
use std::io::{self, Write};
use std::path::Path;

pub use pictures::svg::{network, schedule};

/// Writes the steps of a schedule side by side, or one of them, to a file; steps count from 0.
///
/// # Errors
/// Where the system refuses, or there is no such step; nothing of a half-written file stays behind.
pub fn write(verified: &Verified, step: Option<usize>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| schedule(verified, step, out))
}

/// Writes a picture of a network to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_network(drawn: &Network, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out: &mut dyn Write| -> io::Result<()> { network(drawn, out) })
}
