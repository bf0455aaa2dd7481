//! **What:** an algorithm of MSCCL XML as data; a claim until it is checked.
//!
//! **Source:** readers of microsoft/msccl, Azure/msccl-executor-nccl and RCCL.

mod build;
mod drafts;
mod in_place;
mod lower;
mod read;
mod rules;
mod steps;
mod streams;
mod text;

pub use build::{XmlOptions, export};
pub use read::{ReadXml, read};
pub use text::text;

use crate::import::{ImportError, Transcript};
use crate::threads::{Buffer, Goal, Threads};
use crate::{Finding, Report};
use kernel::Node;

/// An algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Algorithm {
    /// Its name.
    pub name: String,
    /// The collective, one of [`Algorithm::COLLECTIVES`].
    pub collective: String,
    /// Simple, LL or LL128.
    pub protocol: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Number of channels.
    pub channels: u32,
    /// Chunks that the collective's buffer is cut into.
    pub chunks: u32,
    /// Whether it may be called with one buffer for input and output.
    pub in_place: bool,
    /// Whether it may be called with two; absent in older files, where it is what `in_place` is not.
    pub out_of_place: Option<bool>,
    /// Bytes for which it is chosen, from and to.
    pub bytes: Option<(u64, u64)>,
    /// What each rank does.
    pub gpus: Vec<Gpu>,
}

/// A rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gpu {
    /// Its number.
    pub id: u32,
    /// Chunks of input, output and scratch.
    pub sizes: [u32; 3],
    /// Thread blocks.
    pub blocks: Vec<Block>,
    /// Its line in the file, or 0.
    pub line: usize,
}

/// A thread block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its number.
    pub id: u32,
    /// Whom it sends to.
    pub send: Option<u32>,
    /// Whom it receives from.
    pub receive: Option<u32>,
    /// Its channel.
    pub channel: u32,
    /// One after the other.
    pub steps: Vec<Step>,
    /// Its line in the file, or 0.
    pub line: usize,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub kind: Kind,
    /// Source buffer and offset.
    pub source: (Buffer, u32),
    /// Destination buffer and offset.
    pub target: (Buffer, u32),
    /// Chunks.
    pub count: u32,
    /// A step of the same rank that must be finished: thread block and number.
    pub after: Option<(u32, u32)>,
    /// Whether others wait for it.
    pub awaited: bool,
    /// Its line in the file, or 0.
    pub line: usize,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The word in the file.
    pub word: &'static str,
    /// Takes a message.
    pub receives: bool,
    /// Reads its source.
    pub reads: bool,
    /// Adds to the destination what it reads there.
    pub adds: bool,
    /// Writes its destination.
    pub writes: bool,
    /// Gives a message.
    pub sends: bool,
}

const fn kind(word: &'static str, [receives, reads, adds, writes, sends]: [bool; 5]) -> Kind {
    Kind { word, receives, reads, adds, writes, sends }
}

impl Kind {
    /// Sends.
    pub const SEND: Kind = kind("s", [false, true, false, false, true]);
    /// Receives.
    pub const RECEIVE: Kind = kind("r", [true, false, false, true, false]);
    /// Receives, keeps and sends.
    pub const RELAY: Kind = kind("rcs", [true, false, false, true, true]);
    /// Receives, adds the source and sends the sum.
    pub const ADD_SEND: Kind = kind("rrs", [true, true, false, false, true]);
    /// Receives, adds the source and keeps the sum.
    pub const ADD_KEEP: Kind = kind("rrc", [true, true, false, true, false]);
    /// Receives, adds the source, keeps and sends the sum.
    pub const ADD_KEEP_SEND: Kind = kind("rrcs", [true, true, false, true, true]);
    /// Copies.
    pub const COPY: Kind = kind("cpy", [false, true, false, true, false]);
    /// Adds the source to the destination.
    pub const ADD: Kind = kind("re", [false, true, true, true, false]);
    /// Waits only.
    pub const NOP: Kind = kind("nop", [false, false, false, false, false]);

    /// All kinds that are checked.
    pub const ALL: [Kind; 9] = [
        Kind::SEND,
        Kind::RECEIVE,
        Kind::RELAY,
        Kind::ADD_SEND,
        Kind::ADD_KEEP,
        Kind::ADD_KEEP_SEND,
        Kind::COPY,
        Kind::ADD,
        Kind::NOP,
    ];
}

impl Algorithm {
    /// The collectives that the format knows.
    pub const COLLECTIVES: [&str; 7] =
        ["allreduce", "allgather", "reduce", "broadcast", "alltoall", "reduce_scatter", "custom"];

    /// Checks the rules of the format, waits without end, races, and the result; `goals` say what `custom` is to end with.
    #[must_use]
    pub fn check(&self, goals: Option<&[Goal]>) -> Report {
        let findings = rules::broken(self);
        if !findings.is_empty() {
            return Report { findings, ..Report::default() };
        }
        match self.lowered(false) {
            Ok((threads, own)) => {
                let goals = goals.map(<[Goal]>::to_vec).or(own);
                let mut report = crate::check(&threads, goals.as_deref());
                if self.in_place && self.out_of_place == Some(true) {
                    let (threads, own) = self.lowered(true).unwrap_or_default();
                    report.findings.extend(crate::check(&threads, own.as_deref()).findings);
                }
                report.links = self.links();
                report
            }
            Err(finding) => Report { findings: vec![finding], ..Report::default() },
        }
    }

    /// The common form, as it is called with one buffer or with two, and what it is to end with, where the collective says that.
    /// The rules of the format must hold.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn lowered(&self, shared: bool) -> Result<(Threads, Option<Vec<Goal>>), Finding> {
        lower::threads(self, shared || (self.in_place && self.out_of_place != Some(true)))
    }

    /// What ranks send each other, of an algorithm that passes the check.
    ///
    /// # Errors
    /// Where no collective does it.
    pub fn transcript(&self, nodes: &[Node]) -> Result<Transcript, ImportError> {
        let (threads, _) = self.lowered(false).expect("what passes the check is not too large");
        Transcript::of(&threads, &self.collective, self.chunks, nodes)
    }

    /// Pairs of ranks between which messages go, ascending.
    #[must_use]
    pub fn links(&self) -> Vec<(u32, u32)> {
        let to = |gpu: &Gpu| {
            let sends = |block: &Block| block.steps.iter().any(|step| step.kind.sends);
            gpu.blocks
                .iter()
                .filter(|block| sends(block))
                .filter_map(|block| Some((gpu.id, block.send?)))
                .collect::<Vec<_>>()
        };
        let mut links: Vec<(u32, u32)> = self.gpus.iter().flat_map(to).collect();
        links.sort_unstable();
        links.dedup();
        links
    }
}
