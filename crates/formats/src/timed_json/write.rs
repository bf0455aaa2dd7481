//! **What:** the writer of schedules in time: one step a line, everything streamed.

use super::SWITCHING;
use crate::binary::{self, Row};
use crate::decimal::json;
use crate::schedule_json::{FORMAT, Json, ORBITS, Provenance};
use crate::{WriteError, file};
use kernel::timed::{CertifiedTimed, Links, TimedOrbits, TimedSchedule, TimedTransfer, Units, VerifiedTimed};
use kernel::{Op, Rational, Transfer};
use std::io::{self, Write};
use std::path::Path;

/// Writes a schedule file in time, binary where the name ends in `.qdr`, gzip-compressed where it ends in `.gz`. A bound of another problem is left out.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(
    schedule: &VerifiedTimed,
    bound: Option<&CertifiedTimed>,
    bytes: Option<Rational>,
    provenance: &Provenance,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    write_as(binary::is_named(path), schedule, bound, bytes, provenance, path)
}

/// As [`write()`], binary or not whatever the name.
///
/// # Errors
/// As [`write()`].
pub fn write_as(
    is_binary: bool,
    schedule: &VerifiedTimed,
    bound: Option<&CertifiedTimed>,
    bytes: Option<Rational>,
    provenance: &Provenance,
    path: &Path,
) -> Result<(), WriteError> {
    let document = Timed { schedule, bound, bytes, provenance };
    file::save(path, |out| match is_binary {
        true => binary::write(path, out, |json| document.write(json)),
        false => document.write(&mut Json::new(out)),
    })
}

/// Writes the text of a schedule file in time; `out` should be buffered. `bytes` is the size of the collective as nccl-tests counts it.
///
/// # Errors
/// Those of `out`.
pub fn write_to(
    schedule: &VerifiedTimed,
    bound: Option<&CertifiedTimed>,
    bytes: Option<Rational>,
    provenance: &Provenance,
    out: impl Write,
) -> io::Result<()> {
    Timed { schedule, bound, bytes, provenance }.write(&mut Json::new(out))
}

/// What a file holds.
struct Timed<'a> {
    schedule: &'a VerifiedTimed,
    bound: Option<&'a CertifiedTimed>,
    bytes: Option<Rational>,
    provenance: &'a Provenance,
}

impl Timed<'_> {
    fn write(&self, out: &mut Json<impl Write>) -> io::Result<()> {
        let &Timed { schedule, bound, bytes, provenance } = self;
        let problem = schedule.problem();
        let orbits = schedule.orbits();
        let collective = orbits.map_or(problem, TimedOrbits::representatives).collective();
        let Units { chunk_bytes, tick_us } = problem.units();
        out.text("{\n  \"format\": ")?;
        out.string(if orbits.is_some() { ORBITS } else { FORMAT })?;
        out.text(",\n  \"network\": ")?;
        out.network(problem.network(), Some(problem.links()), "  ")?;
        out.text(",\n  \"collective\": ")?;
        out.collective(collective, bytes)?;
        let combining = problem.plain().model().combining;
        write!(out.out, ",\n  \"model\": {{\"switching\": \"{SWITCHING}\", \"tick_us\": \"{tick_us}\", ")?;
        write!(out.out, "\"combining\": {combining}}}")?;
        if let Some(orbits) = orbits {
            out.generators(orbits.translations(), &[])?;
        }
        out.messages(collective)?;
        write!(out.out, ",\n  \"chunk_bytes\": \"{chunk_bytes}\",\n  \"times\": ")?;
        out.lines(schedule.stored().times().iter(), "  ", |out, tick| out.number(*tick))?;
        out.timed_steps(schedule.stored())?;
        if let Some(bound) = bound.filter(|bound| bound.problem() == problem) {
            out.timed_bound(bound.certificate())?;
        }
        out.end(None, provenance)
    }
}

impl<W: Write> Json<W> {
    fn timed_steps(&mut self, schedule: &TimedSchedule) -> io::Result<()> {
        if let Some(packing) = &mut self.packing {
            for step in schedule.steps() {
                packing.begin_step()?;
                for sent in step {
                    let Transfer { messages, op, partials, .. } = sent.transfer;
                    let messages = messages.iter().map(|message| u64::from(message.0));
                    let paths: Vec<_> = sent.paths().collect();
                    let paths = paths.into_iter();
                    packing.transfer(Row { messages, paths, op, partials, rate: sent.rate })?;
                }
            }
            return Ok(());
        }
        self.text(",\n  \"steps\": [")?;
        for (at, step) in schedule.steps().enumerate() {
            self.text(if at == 0 { "\n    [" } else { ",\n    [" })?;
            for (at, transfer) in step.enumerate() {
                self.text(if at == 0 { "" } else { ", " })?;
                self.timed_transfer(&transfer)?;
            }
            self.text("]")?;
        }
        self.text(if schedule.times().is_empty() { "]" } else { "\n  ]" })
    }

    fn timed_transfer(&mut self, sent: &TimedTransfer<'_>) -> io::Result<()> {
        self.text("{\"messages\":")?;
        self.numbers(sent.transfer.messages.iter().map(|m| m.0))?;
        let channels = |out: &mut Self, path: &[kernel::Channel]| out.numbers(path.iter().map(|c| c.0));
        if sent.branches() {
            self.text(",\"paths\":[")?;
            for (at, path) in sent.paths().enumerate() {
                self.text(if at == 0 { "" } else { "," })?;
                channels(self, path)?;
            }
            self.text("]")?;
        } else {
            self.text(",\"path\":")?;
            channels(self, sent.transfer.path)?;
        }
        if let Some(rate) = sent.rate {
            write!(self.out, ",\"rate\":{}", json(rate))?;
        }
        match sent.transfer.op {
            Op::Reduce => {}
            Op::Copy => self.text(",\"op\":\"copy\"")?,
            Op::Keep => self.text(",\"op\":\"keep\"")?,
        }
        if !sent.transfer.partials.is_empty() {
            self.text(",\"partials\":")?;
            self.numbers(sent.transfer.partials.iter().copied())?;
        }
        self.text("}")
    }

    /// The fields of `network` that say what channels do in time.
    pub(crate) fn links(&mut self, links: &Links, indent: &str) -> io::Result<()> {
        for (name, list) in [("bandwidth", &links.bandwidth), ("latency", &links.latency)] {
            // No latencies are none; bandwidths are what tells such a network.
            if name == "bandwidth" || !list.is_empty() {
                write!(self.out, ",\n{indent}\"{name}\": ")?;
                self.lines(list.iter(), indent, |out, number| out.text(&json(*number)))?;
            }
        }
        if !links.multicast.is_empty() {
            write!(self.out, ",\n{indent}\"multicast\": ")?;
            self.nodes(&links.multicast)?;
        }
        match links.reduce {
            Some(rate) => write!(self.out, ",\n{indent}\"reduce_GBps\": {}", json(rate)),
            None => Ok(()),
        }
    }
}
