//! Readers and writers: files of networks and schedules.
//!
//! What is read is a claim ([`schedule_json::Document`], [`network::NetworkFile`]); what is written is a fact
//! ([`kernel::Verified`], [`kernel::Certified`], [`kernel::Network`]). Names that end in `.gz` are gzip-compressed. Every
//! output is written beside its target and renamed, so a file is whole or absent.

pub mod archive;
mod array;
pub mod choice;
pub mod csv;
mod decimal;
pub mod design_json;
mod error;
mod fields;
mod file;
pub mod html;
pub mod lft;
pub mod mpi_c;
pub mod network;
pub mod plot;
pub mod schedule_json;
pub mod svg;
pub mod switches;
pub mod table;
pub mod timed_json;
pub mod timed_table;
pub mod trace;
pub mod units;

pub use array::{ARRAY_ENDINGS, Array};
pub use error::{Fault, Place, ReadError, WriteError};
pub use file::{Target, abandon, ending, read_text};

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
    /// Writes a schedule, with its bound and provenance where the format has room for them.
    pub write: fn(&Verified, Option<&Certified>, &schedule_json::Provenance, &Path) -> Result<(), WriteError>,
    /// Writes a schedule in time, where the format can.
    pub write_timed: Option<WriteTimed>,
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
    /// Its chart.
    pub fn gantt(&self, rows: svg::RowsOf) -> svg::Gantt<'_> {
        svg::Gantt { timeline: self.timeline, floor: self.floor, critical: self.critical, rows }
    }
}

/// All formats that schedules are written to.
pub const SCHEDULE_WRITERS: &[ScheduleWriter] = &[
    ScheduleWriter {
        name: "json",
        endings: &["json"],
        about: "schedule file, format 1: network, collective, steps and the proof of the bound",
        write: |schedule, bound, provenance, path| schedule_json::write(schedule, bound, provenance, path),
        write_timed: Some(|of, path| {
            timed_json::write(of.timeline.schedule(), of.floor, of.bytes, of.provenance, path)
        }),
    },
    ScheduleWriter {
        name: "csv",
        endings: &["csv"],
        about: "one row a transfer: step, messages, ends and nodes of the path",
        write: |schedule, _, _, path| csv::write(schedule, path),
        write_timed: Some(|of, path| timed_table::write_csv(of.timeline, path)),
    },
    ScheduleWriter {
        name: "switches",
        endings: &["csv", "json"],
        about: "how every switch, or every node's router, stands in every step: a table, or one document in a .json file",
        write: |schedule, _, _, path| switches::write(schedule, path),
        write_timed: None,
    },
    ScheduleWriter {
        name: "table",
        endings: &["txt", "csv", "tex"],
        about: "sources × steps, as the dissertation prints schedules: text, CSV or LaTeX by the file's ending",
        write: |schedule, _, _, path| table::write(schedule, path),
        write_timed: Some(|of, path| timed_table::write(of.timeline, path)),
    },
    ScheduleWriter {
        name: "svg",
        endings: &["svg"],
        about: "a picture of the steps side by side",
        write: |schedule, _, _, path| svg::write(schedule, None, &svg::LIGHT, path),
        write_timed: Some(|of, path| svg::write_gantt(&of.gantt(svg::RowsOf::Channels), &svg::LIGHT, path)),
    },
    ScheduleWriter {
        name: "html",
        endings: &["html", "htm"],
        about: "a page that plays the schedule, all in one file",
        write: |schedule, bound, _, path| html::write(&[(schedule, bound)], path),
        write_timed: Some(|of, path| html::write_timed(&of.gantt(svg::RowsOf::Channels), of.because, path)),
    },
    ScheduleWriter {
        name: "mpi-c",
        endings: &["c"],
        about: "one file of C that does it over MPI, with a main that checks its data (-DQUADRILLE_MAIN)",
        write: |schedule, _, _, path| mpi_c::write(schedule, path),
        write_timed: Some(|of, path| mpi_c::write(of.timeline.schedule(), path)),
    },
];
