//! **What:** the writer of schedules stored as orbits, and of the same schedules with every transfer written down as it is
//! made, so that neither needs room for all of them.

use super::write::Json;
use super::{FORMAT, ORBITS, Provenance};
use crate::{WriteError, file};
use kernel::orbits::{CertifiedOrbits, Generator, OrbitProblem, VerifiedOrbits};
use std::io::{self, Write};
use std::path::Path;

/// Writes a schedule file stored as orbits, gzip-compressed where the name ends in `.gz`. A bound of another problem is
/// left out.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_orbits(
    schedule: &VerifiedOrbits,
    bound: Option<&CertifiedOrbits>,
    provenance: &Provenance,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| write_orbits_to(schedule, bound, provenance, out))
}

/// Writes the text of a schedule file stored as orbits; `out` should be buffered.
///
/// # Errors
/// Those of `out`.
pub fn write_orbits_to(
    schedule: &VerifiedOrbits,
    bound: Option<&CertifiedOrbits>,
    provenance: &Provenance,
    out: impl Write,
) -> io::Result<()> {
    let mut out = Json::new(out);
    let problem = schedule.problem();
    out.head(ORBITS, problem.representatives())?;
    out.text(",\n  \"generators\": [")?;
    let translations = problem.translations();
    let generators = translations.generators();
    for (at, (generator, shift)) in generators.iter().zip(&schedule.schedule().shifts).enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out.out, "{comma}\n    {{\"order\": {}, \"shift\": {shift}, \"nodes\": ", generator.order)?;
        out.lines(generator.nodes.iter(), "    ", |out, v| out.number(*v))?;
        // Readers find the channels by their ends, and parallel ones by their order.
        let usual = Generator::of_nodes(problem.network(), generator.order, generator.nodes.clone());
        if usual.as_ref() != Some(generator) {
            out.text(", \"channels\": ")?;
            out.lines(generator.channels.iter(), "    ", |out, c| out.number(*c))?;
        }
        out.text("}")?;
    }
    out.text(if generators.is_empty() { "]" } else { "\n  ]" })?;
    out.messages(problem.representatives().collective())?;
    out.steps(&schedule.schedule().schedule)?;
    if let Some(bound) = bound.filter(|b| b.problem() == problem) {
        out.bound(bound.certificate())?;
    }
    out.provenance(provenance)?;
    out.text("\n}\n")
}

/// Writes a schedule file with every message and transfer of all orbits, made one by one; `progress` is told each step
/// before it is written, and ends the writing with an error.
///
/// # Errors
/// Where the system or `progress` refuses; nothing of a half-written file stays behind.
pub fn write_expanded(
    schedule: &VerifiedOrbits,
    bound: Option<&CertifiedOrbits>,
    provenance: &Provenance,
    path: impl AsRef<Path>,
    progress: &mut dyn FnMut(usize) -> io::Result<()>,
) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| write_expanded_to(schedule, bound, provenance, out, progress))
}

/// Writes the text of a schedule file with every message and transfer of all orbits; `out` should be buffered.
///
/// # Errors
/// Those of `out` and of `progress`.
pub fn write_expanded_to(
    schedule: &VerifiedOrbits,
    bound: Option<&CertifiedOrbits>,
    provenance: &Provenance,
    out: impl Write,
    progress: &mut dyn FnMut(usize) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = Json::new(out);
    let problem = schedule.problem();
    out.head(FORMAT, problem.representatives())?;
    messages(&mut out, problem)?;
    out.text(",\n  \"steps\": [")?;
    for step in 0..schedule.steps() {
        progress(step)?;
        out.text(if step == 0 { "\n    [" } else { ",\n    [" })?;
        for (at, sent) in schedule.step(step).enumerate() {
            out.text(if at == 0 { "{\"messages\":[" } else { ", {\"messages\":[" })?;
            write!(out.out, "{}", problem.number(sent.message, sent.element))?;
            out.text("],\"path\":")?;
            out.numbers(sent.path.iter().map(|c| c.0))?;
            out.text("}")?;
        }
        out.text("]")?;
    }
    out.text(if schedule.steps() == 0 { "]" } else { "\n  ]" })?;
    // What bounds the problem with its symmetry bounds it written down: the sums are the same.
    if let Some(bound) = bound.filter(|b| b.problem() == problem) {
        out.bound(bound.certificate())?;
    }
    out.provenance(provenance)?;
    out.text("\n}\n")
}

/// The field `messages` with every message, laid out as for schedules that never were orbits.
fn messages<W: Write>(out: &mut Json<W>, problem: &OrbitProblem) -> io::Result<()> {
    out.text(",\n  \"messages\": ")?;
    let count = usize::try_from(problem.message_count()).map_err(io::Error::other)?;
    out.list(problem.pairs(), count, "  ", |out, (from, to)| {
        out.text("{\"from\":")?;
        out.number(from.0)?;
        out.text(",\"to\":")?;
        out.numbers([to.0])?;
        out.text("}")
    })
}
