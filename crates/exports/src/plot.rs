//! **What:** plots as pictures in SVG; drawn by `pictures`.

use formats::{WriteError, file};
use pictures::palette::Theme;
use std::io;
use std::path::Path;

pub use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};

/// Writes a plot to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(plot: &Plot, theme: &'static Theme, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out: &mut dyn io::Write| plot.draw(theme, out))
}
