//! **What:** the writer of schedules stored as orbits, and of the same schedules with every transfer written down as it is
//! made, so that neither needs room for all of them.

use super::write::{Json, certificate_of};
use super::{FORMAT, ORBITS, Provenance};
use crate::{WriteError, file};
use kernel::orbits::{Generator, OrbitProblem, Translations, VerifiedOrbits};
use kernel::{Certificate, Certified, Sent, Verified};
use std::io::{self, Write};
use std::path::Path;

/// Writes the text of a schedule file stored as orbits.
pub(super) fn document(
    schedule: &VerifiedOrbits,
    bound: Option<&Certificate>,
    provenance: &Provenance,
    out: &mut Json<impl Write>,
) -> io::Result<()> {
    let problem = schedule.problem();
    out.head(ORBITS, problem.representatives())?;
    out.generators(problem.translations(), &schedule.schedule().shifts)?;
    out.messages(problem.representatives().collective())?;
    let steps = schedule.schedule().schedule.steps();
    out.steps(steps.map(|step| step.map(Sent::from)), &mut |_| Ok(()))?;
    out.end(bound, provenance)
}

impl<W: Write> Json<W> {
    /// Writes the field `generators`, with what each shifts time by, if any does.
    pub(crate) fn generators(&mut self, translations: &Translations, shifts: &[u64]) -> io::Result<()> {
        self.text(",\n  \"generators\": [")?;
        let generators = translations.generators();
        for (at, generator) in generators.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(self.out, "{comma}\n    {{\"order\": {}, ", generator.order)?;
            if let Some(shift) = shifts.get(at) {
                write!(self.out, "\"shift\": {shift}, ")?;
            }
            self.text("\"nodes\": ")?;
            self.lines(generator.nodes.iter(), "    ", |out, v| out.number(*v))?;
            // Readers find the channels by their ends, and parallel ones by their order.
            let usual = Generator::of_nodes(translations.network(), generator.order, generator.nodes.clone());
            if usual.as_ref() != Some(generator) {
                self.text(", \"channels\": ")?;
                self.lines(generator.channels.iter(), "    ", |out, c| out.number(*c))?;
            }
            self.text("}")?;
        }
        self.text(if generators.is_empty() { "]" } else { "\n  ]" })
    }
}

/// Writes a schedule file with every message and transfer written down, of orbits made one by one; `progress` is told each step
/// before it is written, and ends the writing with an error.
///
/// # Errors
/// Where the system or `progress` refuses; nothing of a half-written file stays behind.
pub fn write_expanded(
    schedule: &Verified,
    bound: Option<&Certified>,
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
    schedule: &Verified,
    bound: Option<&Certified>,
    provenance: &Provenance,
    out: impl Write,
    progress: &mut dyn FnMut(usize) -> io::Result<()>,
) -> io::Result<()> {
    // What bounds the problem by its symmetry bounds it written down: the sums are the same.
    written_out(schedule, certificate_of(schedule, bound), provenance, &mut Json::new(out), progress)
}

/// Writes the text of a schedule file with every message and transfer.
pub(super) fn written_out(
    schedule: &Verified,
    bound: Option<&Certificate>,
    provenance: &Provenance,
    out: &mut Json<impl Write>,
    progress: &mut dyn FnMut(usize) -> io::Result<()>,
) -> io::Result<()> {
    file::all_fits(schedule)?;
    let problem = schedule.problem();
    out.head(FORMAT, problem)?;
    match schedule.orbits() {
        // Of messages for one destination each, all may be more than have numbers.
        Some(orbits) if orbits.problem().is_complete() => messages(out, orbits.problem())?,
        _ => out.messages(problem.collective())?,
    }
    out.steps((0..schedule.steps()).map(|step| schedule.step(step)), progress)?;
    out.end(bound, provenance)
}

/// The field `messages` with every message of alltoall, laid out as for schedules that never were orbits.
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
