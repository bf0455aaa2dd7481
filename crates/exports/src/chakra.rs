//! **What:** Chakra execution traces, which ASTRA-sim reads as a custom collective: a file a rank, `NAME.RANK.et` for `-o NAME.et`.
//!
//! **Parameters:** a file is a sequence of protobuf messages, each behind its length: metadata, then a node for every send (type 5), receive (6) and merge
//! (computation, 4). Node ids are those of the rank's operations, and `data_deps` what a node waits for. Sizes are bytes, tags are numbers of
//! transfers, durations whole microseconds rounded up.
//!
//! **Facts:** what is lost: paths, bandwidths and times; ASTRA-sim takes them from its own network. Copies within a rank are left out, as nothing waits
//! for them. A rank without operations has a file of metadata alone, since every rank needs one. Each attribute stands in the field that
//! Chakra's feeder takes it from (`comm_size` in `int64_val`, ranks and tags in `int32_val`).
//!
//! **Source:** MLCommons Chakra, `et_def.proto` (schema 0.0.4); ASTRA-sim, custom collectives.

use crate::played::Played;
use formats::{WriteError, file};
use program::{Action, Operation};
use prost::Message;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The first message of a file.
#[derive(Clone, PartialEq, Message)]
pub struct GlobalMetadata {
    /// Of the schema.
    #[prost(string, tag = "1")]
    pub version: String,
    /// What else is to be said.
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<Attribute>,
}

/// An operation.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Its number.
    #[prost(uint64, tag = "1")]
    pub id: u64,
    /// Its name, for people.
    #[prost(string, tag = "2")]
    pub name: String,
    /// 4 computes, 5 sends, 6 receives.
    #[prost(int32, tag = "3")]
    pub kind: i32,
    /// What must be finished before.
    #[prost(uint64, repeated, tag = "5")]
    pub data_deps: Vec<u64>,
    /// Microseconds.
    #[prost(uint64, tag = "7")]
    pub duration_micros: u64,
    /// Size, peer and tag.
    #[prost(message, repeated, tag = "10")]
    pub attributes: Vec<Attribute>,
}

/// A named value.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its value.
    #[prost(oneof = "Value", tags = "7, 9, 27")]
    pub value: Option<Value>,
}

/// The kinds of values that are written.
#[derive(Clone, Copy, PartialEq, prost::Oneof)]
pub enum Value {
    /// Ranks and tags.
    #[prost(int32, tag = "7")]
    Int32(i32),
    /// Sizes.
    #[prost(int64, tag = "9")]
    Int64(i64),
    /// Flags.
    #[prost(bool, tag = "27")]
    Bool(bool),
}

const COMPUTES: i32 = 4;
const SENDS: i32 = 5;
const RECEIVES: i32 = 6;

/// The file of a rank: `NAME.RANK.et`, or `NAME.RANK.et.gz`.
#[must_use]
pub fn file_of(path: &Path, rank: usize) -> PathBuf {
    let packed = if file::is_compressed(path) { ".gz" } else { "" };
    path.with_file_name(format!("{}.{rank}.et{packed}", file::title(path)))
}

/// Writes a file for every rank.
///
/// # Errors
/// Where the system refuses, or a number has no room in the format. Every file is whole or absent; those of earlier ranks stay.
pub fn write(played: &Played<'_>, path: &Path) -> Result<(), WriteError> {
    if file::is_standard_output(path) {
        let why = "a trace is a file for every rank; name one such as trace.et";
        return Err(WriteError { path: path.to_owned(), source: io::Error::new(ErrorKind::InvalidInput, why) });
    }
    for rank in 0..played.program.ranks().len() {
        let path = file_of(path, rank);
        let trace = trace(played, rank).map_err(|source| WriteError { path: path.clone(), source })?;
        file::save(&path, |out| out.write_all(&trace))?;
    }
    Ok(())
}

/// The trace of a rank.
fn trace(played: &Played<'_>, rank: usize) -> io::Result<Vec<u8>> {
    let collective = played.program.collective().name();
    let mut bytes = Vec::new();
    let metadata = GlobalMetadata { version: "0.0.4".into(), attributes: Vec::new() };
    metadata.encode_length_delimited(&mut bytes)?;
    for (id, operation) in (0u64..).zip(&played.program.ranks()[rank].operations) {
        if let Some(node) = node(played, rank, id, operation)? {
            let node = Node { name: format!("{collective}_{}", node.name), ..node };
            node.encode_length_delimited(&mut bytes)?;
        }
    }
    Ok(bytes)
}

fn node(played: &Played<'_>, rank: usize, id: u64, operation: &Operation) -> io::Result<Option<Node>> {
    let attribute = |name: &str, value| Attribute { name: name.into(), value: Some(value) };
    let small = |number: u64| {
        i32::try_from(number)
            .map_err(|_| io::Error::new(ErrorKind::InvalidData, format!("{number} needs over 31 bits")))
    };
    let transfer = |ends: [u64; 2], transfer: u32, messages: usize| -> io::Result<Vec<Attribute>> {
        let bytes = i64::try_from(played.bytes(messages));
        let bytes = bytes.map_err(|_| io::Error::new(ErrorKind::InvalidData, "a transfer of over 2^63 bytes"))?;
        Ok(vec![
            attribute("is_cpu_op", Value::Bool(false)),
            attribute("comm_size", Value::Int64(bytes)),
            attribute("comm_tag", Value::Int32(small(transfer.into())?)),
            attribute("comm_src", Value::Int32(small(ends[0])?)),
            attribute("comm_dst", Value::Int32(small(ends[1])?)),
        ])
    };
    let own = rank as u64;
    let (kind, name, duration_micros, attributes) = match &operation.action {
        Action::Send { to, transfer: number, places } => {
            (SENDS, format!("send_{number}"), 0, transfer([own, (*to).into()], *number, places.len())?)
        }
        Action::Receive { from, transfer: number, places } => {
            (RECEIVES, format!("receive_{number}"), 0, transfer([(*from).into(), own], *number, places.len())?)
        }
        Action::Merge { of, .. } => {
            let micros = played.merging_ns(of.len() - 1).div_ceil(1000);
            (COMPUTES, format!("merge_{id}"), micros, vec![attribute("is_cpu_op", Value::Bool(false))])
        }
        Action::Copy { .. } => return Ok(None),
    };
    let data_deps = operation.after.iter().map(|before| u64::from(*before)).collect();
    Ok(Some(Node { id, name, kind, data_deps, duration_micros, attributes }))
}
