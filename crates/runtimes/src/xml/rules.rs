//! **What:** what the format asks of an algorithm: numbers that fit together, limits, bounds of buffers, dependencies that exist.

use super::{Algorithm, Block, Gpu, Step};
use crate::Finding;
use std::collections::HashSet;

/// Steps of a thread block.
pub(super) const STEPS: usize = 256;
/// Thread blocks of a GPU and channel.
pub(super) const BLOCKS_A_CHANNEL: usize = 32;
/// Thread blocks of a GPU.
pub(super) const BLOCKS: usize = 216;
/// Channels.
pub(super) const CHANNELS: u32 = 32;
/// Chunks of a step.
pub(super) const COUNT: u32 = 71;
/// Characters of a name that are kept.
pub(super) const NAME: usize = 63;

/// Where a finding is.
struct Site<'a> {
    rule: &'static str,
    line: usize,
    element: &'a str,
}

struct Broken(Vec<Finding>);

impl Broken {
    fn unless(&mut self, holds: bool, at: &Site<'_>, text: impl FnOnce() -> String) {
        if !holds {
            let Site { rule, line, element } = *at;
            self.0.push(Finding { rule, line, element: element.to_owned(), text: text() });
        }
    }
}

/// All rules that are broken.
pub(super) fn broken(of: &Algorithm) -> Vec<Finding> {
    let mut broken = Broken(Vec::new());
    let at = |rule| Site { rule, line: 1, element: "algo" };
    let known = Algorithm::COLLECTIVES.contains(&of.collective.as_str());
    broken
        .unless(known, &at("coll"), || format!("`{}` is none of {}", of.collective, Algorithm::COLLECTIVES.join(", ")));
    let protocol = ["Simple", "LL", "LL128"].contains(&of.protocol.as_str());
    broken.unless(protocol, &at("proto"), || format!("`{}` is none of Simple, LL, LL128", of.protocol));
    broken.unless(of.ranks as usize == of.gpus.len(), &at("ngpus"), || {
        format!("is {}, where the file has {} gpus", of.ranks, of.gpus.len())
    });
    broken.unless((1..=CHANNELS).contains(&of.channels), &at("nchannels"), || {
        format!("{} channels; 1 to {CHANNELS} are possible", of.channels)
    });
    broken.unless(of.chunks > 0, &at("nchunksperloop"), || "is 0".into());
    let by_rank = ["allgather", "alltoall", "reduce_scatter"].contains(&of.collective.as_str());
    broken.unless(!by_rank || of.chunks.is_multiple_of(of.ranks.max(1)), &at("nchunksperloop"), || {
        format!("{} chunks of `{}` are no equal blocks for {} gpus", of.chunks, of.collective, of.ranks)
    });
    broken.unless(u64::from(of.chunks) * u64::from(of.ranks) <= crate::threads::MOST, &at("size"), || {
        format!("{} chunks at {} gpus are too many to check", of.chunks, of.ranks)
    });
    broken.unless(of.in_place || of.out_of_place != Some(false), &at("inplace"), || {
        "neither inplace nor outofplace is 1, so it is never chosen".into()
    });
    let mut ids = HashSet::new();
    for gpu in &of.gpus {
        let site = |rule| Site { rule, line: gpu.line, element: "gpu" };
        broken.unless(gpu.id < of.ranks && ids.insert(gpu.id), &site("id"), || {
            format!("gpu {} is listed twice, or is not below ngpus ({})", gpu.id, of.ranks)
        });
        gpu_rules(of, gpu, &mut broken);
    }
    broken.0
}

fn gpu_rules(of: &Algorithm, gpu: &Gpu, broken: &mut Broken) {
    let name = format!("gpu {}", gpu.id);
    let at = |rule| Site { rule, line: gpu.line, element: &name };
    let times = |is: bool| if is { u64::from(of.ranks) } else { 1 };
    let input = u64::from(gpu.sizes[0]) * times(of.collective == "allgather");
    let output = u64::from(gpu.sizes[1]) * times(of.collective == "reduce_scatter");
    for (what, chunks) in [("i_chunks", input), ("o_chunks", output)] {
        broken.unless(chunks == 0 || chunks == u64::from(of.chunks), &at("chunks"), || {
            format!("{what} stand for {chunks} chunks, where nchunksperloop is {}", of.chunks)
        });
    }
    broken.unless(gpu.blocks.len() <= BLOCKS, &at("limit"), || {
        format!("{} thread blocks; {BLOCKS} are possible", gpu.blocks.len())
    });
    let (mut ids, mut senders, mut receivers) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut counts = std::collections::HashMap::<u32, usize>::new();
    for block in &gpu.blocks {
        let name = format!("gpu {}, thread block {}", gpu.id, block.id);
        let at = |rule| Site { rule, line: block.line, element: &name };
        broken.unless((block.id as usize) < gpu.blocks.len() && ids.insert(block.id), &at("id"), || {
            "ids of thread blocks are 0, 1, …, each once".into()
        });
        broken.unless(block.channel < of.channels, &at("chan"), || {
            format!("channel {} is not below nchannels ({})", block.channel, of.channels)
        });
        let count = counts.entry(block.channel).or_default();
        *count += 1;
        broken.unless(*count <= BLOCKS_A_CHANNEL, &at("limit"), || {
            format!("more than {BLOCKS_A_CHANNEL} thread blocks on channel {}", block.channel)
        });
        for (what, peer, seen) in [("send", block.send, &mut senders), ("recv", block.receive, &mut receivers)] {
            let Some(peer) = peer else { continue };
            broken.unless(peer < of.ranks && peer != gpu.id, &at("peer"), || {
                format!("{what}=\"{peer}\" is no other gpu")
            });
            broken.unless(seen.insert((block.channel, peer)), &at("peer"), || {
                format!("another thread block has {what}=\"{peer}\" on channel {} too", block.channel)
            });
        }
        broken.unless(block.steps.len() <= STEPS, &at("limit"), || {
            format!("{} steps; {STEPS} are possible", block.steps.len())
        });
        for (number, step) in block.steps.iter().enumerate() {
            step_rules(gpu, block, number, step, broken);
        }
    }
}

fn step_rules(gpu: &Gpu, block: &Block, number: usize, step: &Step, broken: &mut Broken) {
    let name = format!("gpu {}, thread block {}, step {number}", gpu.id, block.id);
    let at = |rule| Site { rule, line: step.line, element: &name };
    let word = step.kind.word;
    broken
        .unless(!step.kind.sends || block.send.is_some(), &at("peer"), || format!("`{word}` sends, and `send` is -1"));
    broken.unless(!step.kind.receives || block.receive.is_some(), &at("peer"), || {
        format!("`{word}` receives, and `recv` is -1")
    });
    let moves = step.kind.reads || step.kind.writes;
    broken.unless(!moves || (1..=COUNT).contains(&step.count), &at("limit"), || {
        format!("cnt is {}; 1 to {COUNT} are possible", step.count)
    });
    for (used, what, (buffer, offset)) in
        [(step.kind.reads, "src", step.source), (step.kind.writes, "dst", step.target)]
    {
        let size = gpu.sizes[buffer as usize];
        let end = u64::from(offset) + u64::from(step.count);
        broken.unless(!used || end <= u64::from(size), &at("bounds"), || {
            format!("{what} {}[{offset}..{end}] is outside its buffer of {size} chunks", buffer.letter())
        });
    }
    if let Some((of, on)) = step.after {
        let found = gpu.blocks.iter().find(|block| block.id == of).and_then(|block| block.steps.get(on as usize));
        broken.unless(found.is_some(), &at("dependency"), || {
            format!("waits for step {on} of thread block {of}, which is not there")
        });
        broken.unless(found.is_none_or(|found| found.awaited), &at("dependency"), || {
            format!("waits for step {on} of thread block {of}, whose hasdep is 0: it tells nobody")
        });
    }
}
