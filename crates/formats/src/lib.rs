//! Readers and writers: files of networks and schedules.
//!
//! What is read is a claim ([`schedule_json::Document`], [`network::NetworkFile`]); what is written is a fact
//! ([`kernel::Verified`], [`kernel::Certified`], [`kernel::Network`]). Names that end in `.gz` are gzip-compressed. Every
//! output is written beside its target and renamed, so a file is whole or absent.

pub mod algorithm_json;
pub mod archive;
mod array;
pub mod binary;
mod decimal;
pub mod design_json;
mod error;
pub mod file;
pub mod network;
mod positions;
pub mod schedule_json;
pub mod timed_json;
pub mod units;

pub use array::{ARRAY_ENDINGS, Array};
pub use error::{Fault, Place, ReadError, WriteError, shortened};
pub use file::{
    BytesRead, PICTURE_ENDINGS, Target, abandon, ending, is_kept, is_picture, is_standard_output, read_text,
};
pub use network::is_schedule;
