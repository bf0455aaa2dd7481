//! Readers and writers: files of networks and schedules.
//!
//! What is read is a claim ([`schedule_json::Document`], [`network::NetworkFile`]); what is written is a fact
//! ([`kernel::Verified`], [`kernel::Certified`], [`kernel::Network`]). Names that end in `.gz` are gzip-compressed. Every
//! output is written beside its target and renamed, so a file is whole or absent.

pub mod algorithm_json;
pub mod archive;
mod array;
mod binary;
mod c_names;
pub mod chakra;
pub mod choice;
pub mod csv;
mod decimal;
pub mod design_json;
mod error;
mod fields;
mod file;
pub mod flits;
pub mod goal;
pub mod hardware;
pub mod html;
pub mod lft;
pub mod mpi_c;
pub mod network;
pub mod npz;
pub mod played;
pub mod plot;
mod positions;
mod runtimes_files;
pub mod schedule_json;
pub mod svg;
pub mod switches;
pub mod table;
pub mod timed_json;
pub mod timed_table;
pub mod trace;
pub mod units;
mod writers;

pub use array::{ARRAY_ENDINGS, Array};
pub use error::{Fault, Place, ReadError, WriteError};
pub use file::{
    BytesRead, PICTURE_ENDINGS, Target, abandon, ending, is_kept, is_picture, is_standard_output, read_text,
};
pub use network::is_schedule;
pub use writers::{InSteps, InTime, SCHEDULE_WRITERS, ScheduleWriter, WriteTimed, schedule_file};
