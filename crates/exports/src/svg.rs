//! **What:** pictures in SVG as files; drawn by `pictures`.

use formats::{WriteError, file};
use kernel::{Network, Rational, Verified};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

pub use pictures::NoSpread;
pub use pictures::palette::{DARK, LIGHT, Theme, theme};
pub use pictures::svg::{Chromosome, Columns, Diagram, Ends, Gantt, RowsOf, SwitchBox, Tree};

/// Draws the steps of a schedule side by side, or those of a range, on white; steps count from 0.
///
/// # Errors
/// Those of `out`; a range that is empty or has a step that the schedule does not have.
pub fn schedule(drawn: &Verified, steps: Option<Range<usize>>, out: &mut dyn Write) -> io::Result<()> {
    pictures::svg::schedule(drawn, steps, Columns::Slide, &LIGHT, out)
}

/// Writes the steps of a schedule side by side, or those of a range, to a file; steps count from 0. Unless so many steps are to be beside
/// each other, a PDF has as few as can be read in print.
///
/// # Errors
/// Where the system refuses, or there are no such steps; nothing of a half-written file stays behind.
pub fn write(
    drawn: &Verified,
    steps: Option<Range<usize>>,
    columns: Option<u32>,
    theme: &'static Theme,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    let usual = if formats::ending(path.as_ref()) == "pdf" { Columns::Print } else { Columns::Slide };
    let columns = columns.map_or(usual, Columns::Of);
    file::save(path.as_ref(), |out| pictures::svg::schedule(drawn, steps, columns, theme, out))
}

/// Writes the steps of several ranges to a PDF, a page each; steps count from 0.
///
/// # Errors
/// Where the system refuses, or there are no such steps; nothing of a half-written file stays behind.
#[cfg(feature = "images")]
pub fn write_pages(
    drawn: &Verified,
    pages: &[Range<usize>],
    columns: Option<u32>,
    theme: &'static Theme,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    let (path, columns) = (path.as_ref(), columns.map_or(Columns::Print, Columns::Of));
    let draw = |steps: &Range<usize>| {
        let mut svg = Vec::new();
        pictures::svg::schedule(drawn, Some(steps.clone()), columns, theme, &mut svg).map(|()| svg)
    };
    let pages = pages.iter().map(draw).collect::<io::Result<Vec<_>>>();
    file::save_pages(path, &pages.map_err(|source| WriteError { path: path.to_owned(), source })?)
}

/// Writes a picture of a network, with its senders and receivers and its links by bandwidth (GB/s, one a channel), to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_network(
    drawn: &Network,
    ends: Ends<'_>,
    bandwidths: Option<&[Rational]>,
    theme: &'static Theme,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| pictures::svg::network(drawn, ends, bandwidths, theme, out))
}

/// Writes a diagram of stages of switches to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_diagram(diagram: &Diagram, theme: &'static Theme, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| diagram.draw(theme, out))
}

/// Writes the tree along which a message spreads to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_tree(tree: &Tree<'_>, theme: &'static Theme, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| tree.draw(theme, out))
}

/// Writes the genes of a schedule to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_chromosome(
    chromosome: &Chromosome<'_>,
    theme: &'static Theme,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| chromosome.draw(theme, out))
}

/// Writes the chart of a schedule in time to a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_gantt(gantt: &Gantt<'_>, theme: &'static Theme, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| gantt.draw(theme, out))
}
