//! **What:** every format that schedules are written to.

use crate::hardware;
use crate::played::Played;
use crate::runtimes_files::{self, As};
use crate::{chakra, csv, goal, html, npz, svg, switches, table, timed_table};
use formats::{PICTURE_ENDINGS, WriteError, binary, schedule_json, timed_json};
use kernel::timed::{CertifiedTimed, Timeline};
use kernel::{Certified, Rational, Verified};
use std::path::Path;

/// A format that schedules are written to.
pub struct ScheduleWriter {
    /// Its name.
    pub name: &'static str,
    /// Endings of file names, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    /// Whether it holds sizes in bytes, which a schedule of steps does not give.
    pub needs_bytes: bool,
    /// Writes a schedule, with its bound and provenance where the format has room for them.
    pub write: fn(&InSteps<'_>, &Path) -> Result<(), WriteError>,
    /// Writes a schedule in time, where the format can.
    pub write_timed: Option<WriteTimed>,
}

/// A schedule of steps, and what goes with it.
pub struct InSteps<'a> {
    /// The schedule.
    pub schedule: &'a Verified,
    /// Its bound.
    pub floor: Option<&'a Certified>,
    /// How it came to be.
    pub provenance: &'a schedule_json::Provenance,
    /// Bytes of each of its messages, where whoever writes it has said so.
    pub message_bytes: Option<Rational>,
}

impl InSteps<'_> {
    /// What each rank does.
    fn played(&self, path: &Path) -> Result<Played<'_>, WriteError> {
        Played::new(self.schedule, self.schedule.problem().network(), self.message_bytes, path)
    }
}

/// Writes a schedule in time to a file.
pub type WriteTimed = fn(&InTime<'_>, &Path) -> Result<(), WriteError>;

/// A schedule in time, and what goes with it.
pub struct InTime<'a> {
    /// The schedule.
    pub timeline: &'a Timeline<'a>,
    /// Its bound.
    pub floor: Option<&'a CertifiedTimed>,
    /// The transfers of its critical path, by their numbers in the timeline.
    pub critical: &'a [usize],
    /// Of each transfer, why it begins when it does.
    pub because: &'a [html::Because],
    /// The size of the collective as nccl-tests counts it.
    pub bytes: Option<Rational>,
    /// How it came to be.
    pub provenance: &'a schedule_json::Provenance,
}

impl InTime<'_> {
    /// What each rank does.
    fn played(&self, path: &Path) -> Result<Played<'_>, WriteError> {
        let problem = self.timeline.problem();
        let bytes = problem.units().chunk_bytes;
        Ok(Played {
            merging: problem.links().reduce,
            ..Played::new(self.timeline.schedule(), problem.network(), Some(bytes), path)?
        })
    }

    /// Its chart.
    pub fn gantt(&self, rows: svg::RowsOf) -> svg::Gantt<'_> {
        svg::Gantt { timeline: self.timeline, floor: self.floor, critical: self.critical, rows }
    }
}

/// The form of schedule files that a file's name asks for.
#[must_use]
pub fn schedule_file(path: &Path) -> &'static ScheduleWriter {
    &SCHEDULE_WRITERS[usize::from(binary::is_named(path))]
}

/// All formats that schedules are written to, the two forms of schedule files first.
pub const SCHEDULE_WRITERS: &[ScheduleWriter] = &[
    ScheduleWriter {
        name: "json",
        endings: &["json"],
        about: "schedule file, format 1: network, collective, steps and the proof of the bound",
        needs_bytes: false,
        write: |of, path| schedule_json::write_as(false, of.schedule, of.floor, of.provenance, path),
        write_timed: Some(|of, path| {
            timed_json::write_as(false, of.timeline.schedule().verified(), of.floor, of.bytes, of.provenance, path)
        }),
    },
    ScheduleWriter {
        name: "binary",
        endings: &[binary::ENDING],
        about: "the same in a hundredth of the space: header and packed columns, in the form that the schedule is stored in",
        needs_bytes: false,
        write: |of, path| schedule_json::write_as(true, of.schedule, of.floor, of.provenance, path),
        write_timed: Some(|of, path| {
            timed_json::write_as(true, of.timeline.schedule().verified(), of.floor, of.bytes, of.provenance, path)
        }),
    },
    ScheduleWriter {
        name: "csv",
        endings: &["csv"],
        about: "one row per transfer: step, messages, ends and nodes of the path",
        needs_bytes: false,
        write: |of, path| csv::write(of.schedule, path),
        write_timed: Some(|of, path| timed_table::write_csv(of.timeline, path)),
    },
    ScheduleWriter {
        name: "source-routes",
        endings: &["csv", "json", "h"],
        about: "headers of packets by node and step, output ports hop by hop, not which messages: CSV, JSON or a C header by the ending",
        needs_bytes: false,
        write: |of, path| hardware::write(of.schedule, hardware::Kind::SourceRoutes, path),
        write_timed: None,
    },
    ScheduleWriter {
        name: "slot-tables",
        endings: &["csv", "json", "h"],
        about: "input to output port of every router by step or slot, of channels that carry one transfer: CSV, JSON or a C header",
        needs_bytes: false,
        write: |of, path| hardware::write(of.schedule, hardware::Kind::SlotTables, path),
        write_timed: None,
    },
    ScheduleWriter {
        name: "table",
        endings: &["txt", "csv", "tex", "h"],
        about: "sources × steps, as the dissertation prints schedules: text, CSV or LaTeX by the file's ending; in C that of --to switches",
        needs_bytes: false,
        write: |of, path| table::write(of.schedule, path),
        write_timed: Some(|of, path| timed_table::write(of.timeline, path)),
    },
    ScheduleWriter {
        name: "switches",
        endings: &["csv", "json", "txt", "tex", "h"],
        about: "input to output of every switch, or every node's router, in every step: CSV, JSON, text, LaTeX or C",
        needs_bytes: false,
        write: |of, path| switches::write(of.schedule, path),
        write_timed: None,
    },
    ScheduleWriter {
        name: "svg",
        endings: PICTURE_ENDINGS,
        about: "a picture of the steps side by side",
        needs_bytes: false,
        write: |of, path| svg::write(of.schedule, None, None, &svg::LIGHT, path),
        write_timed: Some(|of, path| svg::write_gantt(&of.gantt(svg::RowsOf::Channels), &svg::LIGHT, path)),
    },
    ScheduleWriter {
        name: "html",
        endings: &["html", "htm"],
        about: "a page that plays the schedule, all in one file",
        needs_bytes: false,
        write: |of, path| html::write(&[(of.schedule, of.floor)], path),
        write_timed: Some(|of, path| html::write_timed(&of.gantt(svg::RowsOf::Channels), of.because, path)),
    },
    ScheduleWriter {
        name: "npz",
        endings: &["npz"],
        about: "NumPy's arrays: one number per transfer, lists as values with their offsets",
        needs_bytes: false,
        write: |of, path| npz::write(of.schedule, path),
        write_timed: Some(|of, path| npz::write_timed(of.timeline, path)),
    },
    ScheduleWriter {
        name: "goal",
        endings: &["goal"],
        about: "GOAL, for LogGOPSim and ATLAHS: sends and receives of every rank with their dependencies",
        needs_bytes: true,
        write: |of, path| goal::write(&of.played(path)?, path),
        write_timed: Some(|of, path| goal::write(&of.played(path)?, path)),
    },
    ScheduleWriter {
        name: "chakra",
        endings: &["et"],
        about: "Chakra execution traces, for ASTRA-sim: one file per rank, NAME.RANK.et",
        needs_bytes: true,
        write: |of, path| chakra::write(&of.played(path)?, path),
        write_timed: Some(|of, path| chakra::write(&of.played(path)?, path)),
    },
    ScheduleWriter {
        name: "mpi-c",
        endings: &["c"],
        about: "one C file that performs the schedule over MPI, with a main that checks its data (-DQUADRILLE_MAIN)",
        needs_bytes: false,
        write: |of, path| crate::mpi_c::write(of.schedule, path),
        write_timed: Some(|of, path| crate::mpi_c::write(of.timeline.schedule(), path)),
    },
    ScheduleWriter {
        name: "msccl-xml",
        endings: &["xml"],
        about: "MSCCL XML, for NCCL and RCCL with MSCCL: thread blocks of every GPU; input and output are two buffers",
        needs_bytes: false,
        write: |of, path| runtimes_files::write(of, As::Xml { in_place: false }, path),
        write_timed: Some(|of, path| runtimes_files::write_timed(of, As::Xml { in_place: false }, path)),
    },
    ScheduleWriter {
        name: "msccl-xml-in-place",
        endings: &["xml"],
        about: "the same for calls in place",
        needs_bytes: false,
        write: |of, path| runtimes_files::write(of, As::Xml { in_place: true }, path),
        write_timed: Some(|of, path| runtimes_files::write_timed(of, As::Xml { in_place: true }, path)),
    },
    ScheduleWriter {
        name: "mscclpp",
        endings: &["json"],
        about: "MSCCL++ execution plan over memory channels",
        needs_bytes: false,
        write: |of, path| runtimes_files::write(of, As::Plan { port: false }, path),
        write_timed: Some(|of, path| runtimes_files::write_timed(of, As::Plan { port: false }, path)),
    },
    ScheduleWriter {
        name: "mscclpp-port",
        endings: &["json"],
        about: "the same over port channels",
        needs_bytes: false,
        write: |of, path| runtimes_files::write(of, As::Plan { port: true }, path),
        write_timed: Some(|of, path| runtimes_files::write_timed(of, As::Plan { port: true }, path)),
    },
];
