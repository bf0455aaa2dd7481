//! **What:** algorithms in the JSON of msccl-tools: which chunk goes from which rank to which in each step, on a topology, for a collective.
//!
//! **Parameters:** a chunk has an `addr` and begins at one rank, `pre`; chunks of one address are contributions that are summed where they meet, and a rank of `post` is to end
//! with all that name it. Addresses are cut into `instance.chunks` parts: part p of address a is a × chunks + p in `steps`.
//!
//! **Facts:** a step's sends take what was there when it began. A step of r rounds may send r times what the links carry, so it is r steps here, or fewer.
//!
//! **Source:** msccl-tools, `msccl/serialization.py`, `msccl/algorithm.py` and `msccl/collectives.py`.

mod collective;
mod replay;

use crate::network::msccl;
use crate::schedule_json::{item, parse_as, refuse, steps_of};
use crate::{Fault, ReadError, file};
use kernel::{Network, Node};
use runtimes::import::Transcript;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;

/// What tells such a file from others.
const TYPE: &str = "algorithm";

#[derive(Deserialize)]
struct Outline {
    msccl_type: Option<String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    name: String,
    instance: Instance,
    steps: Vec<Step>,
    collective: Whole,
    topology: msccl::Topology,
}

#[derive(Deserialize)]
struct Instance {
    chunks: Option<u32>,
    pipeline: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Step {
    sends: Vec<Send>,
}

/// An address, a sender and a receiver.
#[derive(Clone, Copy, Deserialize)]
struct Send(u32, u32, u32);

#[derive(Deserialize)]
struct Whole {
    name: String,
    nodes: u32,
    chunks: Vec<Chunk>,
    runtime_name: Option<String>,
}

#[derive(Deserialize)]
struct Chunk {
    pre: Vec<u32>,
    post: Vec<u32>,
    addr: u32,
}

/// Most parts of addresses, times ranks.
const MOST: u64 = 1 << 25;

/// An algorithm as read.
#[derive(Debug)]
pub struct AlgorithmFile {
    /// Its name, or the file's.
    pub name: String,
    /// Its topology.
    pub network: Network,
    /// What ranks send each other.
    pub transcript: Transcript,
}

/// The file at hand, for errors.
struct Source<'a> {
    text: &'a [u8],
    path: &'a Path,
}

impl Source<'_> {
    fn wrong(&self, list: &str, at: usize, why: impl Into<String>) -> ReadError {
        refuse(self.path, self.text, &item(list, at), Fault::Syntax(why.into()))
    }

    fn wrong_field(&self, field: &str, why: impl Into<String>) -> ReadError {
        refuse(self.path, self.text, &steps_of(field), Fault::Syntax(why.into()))
    }
}

/// Whether a text is such a file.
#[must_use]
pub fn is_meant(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"msccl_type").is_some()
        && serde_json::from_slice(text).is_ok_and(|Outline { msccl_type }| msccl_type.is_some_and(|kind| kind == TYPE))
}

/// Reads a text.
///
/// # Errors
/// What is wrong, with its place: JSON that is no algorithm, ranks and addresses that do not exist, sends of what is not there, and results that are not what
/// the collective says.
pub fn parse(text: &[u8], path: &Path, nodes: Option<&[Node]>) -> Result<AlgorithmFile, ReadError> {
    let read: File = parse_as(text, path)?;
    let source = Source { text, path };
    if read.instance.pipeline.is_some() {
        return Err(
            source.wrong_field("instance.pipeline", "pipelined algorithms overlap with themselves, and are not read")
        );
    }
    let network = msccl::network(read.topology, text, path, "topology.")?.network;
    let ranks = read.collective.nodes;
    if network.terminals().len() as u64 != u64::from(ranks) {
        let why = format!("{ranks} ranks on a topology of {}", network.terminals().len());
        return Err(source.wrong_field("collective.nodes", why));
    }
    let parts = read.instance.chunks.unwrap_or(1).max(1);
    let size = read.collective.chunks.len() as u64 * u64::from(parts) * u64::from(ranks);
    if size > MOST {
        let why =
            format!("{} chunks in {parts} parts at {ranks} ranks are too many to follow", read.collective.chunks.len());
        return Err(source.wrong_field("collective.chunks", why));
    }
    let nodes = nodes.unwrap_or(network.terminals());
    let asked = collective::Asked::of(&read.collective, parts, &source)?;
    let transcript = replay::transcript(&asked, &read.steps, nodes, &source)?;
    let name = if read.name.is_empty() { file::title(path) } else { read.name };
    Ok(AlgorithmFile { name, network, transcript })
}
