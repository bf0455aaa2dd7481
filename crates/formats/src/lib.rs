//! Readers and writers: files of networks and schedules.
//!
//! What is read is a claim ([`schedule_json::Document`], [`network::NetworkFile`]); what is written is a fact
//! ([`kernel::Verified`], [`kernel::Certified`], [`kernel::Network`]). Names that end in `.gz` are gzip-compressed. Every
//! output is written beside its target and renamed, so a file is whole or absent.

mod error;
mod file;
pub mod network;
pub mod schedule_json;

pub use error::{Fault, Place, ReadError, WriteError};
