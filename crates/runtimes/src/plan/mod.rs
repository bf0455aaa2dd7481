//! **What:** an MSCCL++ execution plan as data; a claim until it is checked.
//!
//! **Source:** the reader of microsoft/mscclpp's executor.

mod build;
mod emit;
mod lower;
mod rules;

pub use build::{PlanOptions, export};

use crate::Report;
use crate::import::{ImportError, Transcript};
use crate::threads::{Goal, Threads};
use kernel::Node;
use serde::{Deserialize, Serialize};

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// The collective: allgather, allreduce, reducescatter, alltoall, or another name that says nothing of the result.
    pub collective: String,
    /// Simple or LL.
    pub protocol: String,
    /// Whether input and output are one buffer.
    pub inplace: bool,
    /// What each rank does.
    pub gpus: Vec<Gpu>,
    /// Whether scratch and semaphores are those of other plans too.
    #[serde(default)]
    pub reuse_resources: bool,
    /// Whether the two halves of scratch are used in turn.
    #[serde(default)]
    pub use_double_scratch_buffer: bool,
    /// Bytes.
    #[serde(default = "alignment")]
    pub buffer_alignment: u64,
    /// Threads of a block.
    #[serde(default = "threads")]
    pub num_threads_per_block: u64,
    /// Bytes for which it is chosen, from.
    #[serde(default)]
    pub min_message_size: u64,
    /// To.
    #[serde(default = "most")]
    pub max_message_size: u64,
}

fn alignment() -> u64 {
    16
}

fn threads() -> u64 {
    1024
}

fn most() -> u64 {
    u64::MAX
}

/// A rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    /// Its number.
    pub id: u32,
    /// Chunks of input.
    pub input_chunks: u32,
    /// Chunks of output.
    pub output_chunks: u32,
    /// Chunks of scratch.
    pub scratch_chunks: u32,
    /// Channels, by type.
    pub channels: Vec<Channels>,
    /// Buffers of other ranks.
    pub remote_buffers: Vec<RemoteBuffer>,
    /// Semaphores between its blocks.
    #[serde(default)]
    pub semaphores: Vec<Semaphore>,
    /// Thread blocks.
    pub threadblocks: Vec<Block>,
}

/// Channels of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    /// memory, port or switch.
    pub channel_type: String,
    /// The rank at the other end of each.
    #[serde(default)]
    pub connected_to: Vec<u32>,
}

/// A buffer of another rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteBuffer {
    /// The rank.
    pub rank: u32,
    /// i, o or s.
    #[serde(rename = "type")]
    pub kind: String,
    /// Types of channels that reach it.
    pub access_channel_types: Vec<String>,
}

/// A semaphore.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Semaphore {
    /// Its value at first.
    pub init_value: u32,
}

/// A thread block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its number.
    pub id: u32,
    /// In order.
    pub ops: Vec<Op>,
    /// The channels that its operations number.
    #[serde(default)]
    pub channels: Vec<BlockChannels>,
    /// The remote buffers that they number.
    #[serde(default)]
    pub remote_buffer_refs: Vec<BlockBuffers>,
}

/// Channels of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockChannels {
    /// The type.
    pub channel_type: String,
    /// Numbers at the rank.
    pub channel_ids: Vec<u32>,
}

/// Remote buffers of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockBuffers {
    /// The type of channel.
    pub access_channel_type: String,
    /// Numbers at the rank.
    pub remote_buffer_ids: Vec<u32>,
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Op {
    /// What it does.
    pub name: String,
    /// Sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub src_buff: Vec<Span>,
    /// Destinations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dst_buff: Vec<Span>,
    /// Channels, as the block numbers them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channel_ids: Vec<u32>,
    /// Their type.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub channel_type: String,
    /// Semaphores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub semaphore_ids: Vec<u32>,
    /// A barrier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier_id: Option<u32>,
    /// Blocks that meet there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub num_threadblocks: Option<u32>,
    /// Always sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduce_op: Option<String>,
    /// A share of the work, which is not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbg_info: Option<serde_json::Value>,
}

/// Chunks of a buffer, local by its letter or remote by its number in the block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// i, o or s.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// A remote buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer_id: Option<u32>,
    /// The first chunk.
    pub index: u32,
    /// Chunks.
    pub size: u32,
}

/// Whether a JSON text is meant as a plan, whatever is wrong with it.
#[must_use]
pub fn is_meant(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Outline {
        gpus: Option<serde::de::IgnoredAny>,
        protocol: Option<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Outline>(text).is_ok_and(|found| found.gpus.is_some() || found.protocol.is_some())
}

/// Reads a plan.
///
/// # Errors
/// What is no plan, with its line.
pub fn read(text: &str) -> Result<Plan, serde_json::Error> {
    serde_json::from_str(text)
}

/// The file of a plan.
#[must_use]
pub fn text(plan: &Plan) -> String {
    serde_json::to_string_pretty(plan).expect("a plan is plain data") + "\n"
}

impl Plan {
    /// Checks the rules of the format, waits without end, races, and the result; `goals` say what a collective of another name is to end with.
    #[must_use]
    pub fn check(&self, goals: Option<&[Goal]>) -> Report {
        let findings = rules::broken(self);
        if !findings.is_empty() {
            return Report { findings, ..Report::default() };
        }
        match self.lowered() {
            Ok((threads, own)) => {
                let goals = goals.map(<[Goal]>::to_vec).or(own);
                Report { links: self.links(), ..crate::check(&threads, goals.as_deref()) }
            }
            Err(finding) => Report { findings: vec![finding], ..Report::default() },
        }
    }

    /// The common form, and what it is to end with, where the collective says that. The rules of the format must hold.
    ///
    /// # Errors
    /// What is not checked, or is too large.
    pub fn lowered(&self) -> Result<(Threads, Option<Vec<Goal>>), crate::Finding> {
        lower::threads(self)
    }

    /// What ranks send each other, of a plan that passes the check.
    ///
    /// # Errors
    /// Where no collective does it.
    pub fn transcript(&self, nodes: &[Node]) -> Result<Transcript, ImportError> {
        let (threads, goals) = self.lowered().expect("what passes the check is not too large");
        let name = if goals.is_some() { self.collective.as_str() } else { "custom" };
        Transcript::of(&threads, name, self.chunks(), nodes)
    }

    /// Chunks of the largest buffer of a known collective.
    fn chunks(&self) -> u32 {
        self.gpus.first().map_or(0, |gpu| match self.collective.as_str() {
            "allgather" => gpu.output_chunks,
            _ => gpu.input_chunks,
        })
    }

    /// Pairs of ranks between which data goes, ascending.
    #[must_use]
    pub fn links(&self) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        for gpu in &self.gpus {
            for (block, op) in gpu.threadblocks.iter().flat_map(|block| block.ops.iter().map(move |op| (block, op))) {
                let peer = |span: &Span| Some(gpu.remote(block, op, span)?.rank);
                links.extend(op.dst_buff.iter().filter_map(peer).map(|peer| (gpu.id, peer)));
                links.extend(op.src_buff.iter().filter_map(peer).map(|peer| (peer, gpu.id)));
            }
        }
        links.sort_unstable();
        links.dedup();
        links
    }
}

impl Gpu {
    /// Chunks of input, output and scratch.
    pub(crate) fn sizes(&self) -> [u32; 3] {
        [self.input_chunks, self.output_chunks, self.scratch_chunks]
    }

    /// The ranks at the other ends of all channels of a type.
    pub(crate) fn peers(&self, kind: &str) -> Vec<u32> {
        let of = self.channels.iter().filter(|channels| channels.channel_type == kind);
        of.flat_map(|channels| channels.connected_to.iter().copied()).collect()
    }

    /// The remote buffer that a span names.
    pub(crate) fn remote(&self, block: &Block, op: &Op, span: &Span) -> Option<&RemoteBuffer> {
        let refs = block.remote_buffer_refs.iter().find(|refs| refs.access_channel_type == op.channel_type)?;
        let id = refs.remote_buffer_ids.get(span.buffer_id? as usize)?;
        self.remote_buffers.get(*id as usize)
    }

    /// The number at the rank of a channel of an operation.
    pub(crate) fn channel(block: &Block, op: &Op, id: u32) -> Option<u32> {
        let of = block.channels.iter().find(|channels| channels.channel_type == op.channel_type)?;
        of.channel_ids.get(id as usize).copied()
    }
}
