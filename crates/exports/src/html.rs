//! **What:** the page that plays a schedule, as a file; made by `pictures`.

use formats::{WriteError, file};
pub use pictures::page::Shown;
pub use pictures::page::simulation::{Run, Seen, Simulated};
pub use pictures::page::timed::Because;
use pictures::svg::Gantt;
use std::path::Path;

/// Writes a page of one schedule, or of several side by side, each with its bound where there is one.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(shown: &[Shown<'_>], path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| pictures::page::write(shown, out))
}

/// Writes the page of a schedule in time; `because` tells of each of its transfers why it begins when it does.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_timed(gantt: &Gantt<'_>, because: &[Because], path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| pictures::page::timed::write(gantt, because, out))
}

/// Writes the page that plays simulations.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_simulation(simulated: &Simulated<'_>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| pictures::page::simulation::write(simulated, out))
}
