//! **What:** programs of accelerator runtimes: MSCCL XML and MSCCL++ execution plans, through the writers of `runtimes`, which check what they made.
//!
//! **Parameters:** a rank is a terminal, in ascending order; places of buffers are chunks.
//!
//! **Facts:** what is lost: paths, bandwidths and times. What the formats have no room for is refused with the limit that is in the way.

use crate::{InSteps, InTime};
use formats::{WriteError, file};
use kernel::{Collective, Network};
use program::{Playable, Program};
use runtimes::ExportError;
use runtimes::{plan, xml};
use std::io::{Error, ErrorKind};
use std::path::Path;

/// What is written, and as what.
#[derive(Clone, Copy)]
pub(crate) enum As {
    /// MSCCL XML for calls with two buffers, or with one.
    Xml { in_place: bool },
    /// An MSCCL++ plan over memory channels, or port channels.
    Plan { port: bool },
}

/// Writes a schedule of steps.
pub(crate) fn write(of: &InSteps<'_>, kind: As, path: &Path) -> Result<(), WriteError> {
    let problem = of.schedule.problem();
    save(of.schedule.into(), problem.collective(), problem.network(), kind, path)
}

/// Writes a schedule in time.
pub(crate) fn write_timed(of: &InTime<'_>, kind: As, path: &Path) -> Result<(), WriteError> {
    let problem = of.timeline.problem();
    save(of.timeline.schedule().into(), problem.collective(), problem.network(), kind, path)
}

fn save(
    schedule: Playable<'_>,
    collective: &Collective,
    network: &Network,
    kind: As,
    path: &Path,
) -> Result<(), WriteError> {
    let unfit = |why: String| WriteError { path: path.to_owned(), source: Error::new(ErrorKind::Unsupported, why) };
    let program = Program::new(schedule).map_err(|error| unfit(error.to_string()))?;
    let name = collective.title(network);
    let text = match kind {
        As::Xml { in_place } => {
            xml::export(&program, &xml::XmlOptions { name, in_place }).map(|algorithm| xml::text(&algorithm))
        }
        As::Plan { port } => plan::export(&program, &plan::PlanOptions { name, port }).map(|plan| plan::text(&plan)),
    };
    let text = text.map_err(|error: ExportError| unfit(error.to_string()))?;
    file::save(path, |out| out.write_all(text.as_bytes()))
}
