//! **What:** an algorithm in the common form of threads, and what its collective says that ranks end with.

use super::Algorithm;
use crate::Finding;
use crate::play::goals;
use crate::threads::{Buffer, Goal, Instruction, MOST, Memory, Move, Queue, Thread, Threads};
use std::collections::HashMap;
use std::sync::Arc;

/// The threads of an algorithm whose rules hold.
pub(super) fn threads(of: &Algorithm, shared: bool) -> Result<(Threads, Option<Vec<Goal>>), Finding> {
    let mut threads = Threads { memories: memories(of, shared)?, ..Threads::default() };
    let mut gpus: Vec<_> = of.gpus.iter().collect();
    gpus.sort_unstable_by_key(|gpu| gpu.id);
    let mut queues: HashMap<(u32, u32, u32), u32> = HashMap::new();
    let mut queue = |channel: u32, from: u32, to: u32, known: &mut Vec<Queue>| {
        *queues.entry((channel, from, to)).or_insert_with(|| {
            known.push(Queue { name: format!("from gpu {from} to gpu {to} on channel {channel}") });
            known.len() as u32 - 1
        })
    };
    for gpu in gpus {
        let memory = threads.memories[gpu.id as usize];
        let base = threads.threads.len() as u32;
        let numbers: HashMap<u32, u32> = gpu.blocks.iter().zip(base..).map(|(block, at)| (block.id, at)).collect();
        for block in &gpu.blocks {
            let mut instructions = Vec::with_capacity(block.steps.len());
            for (number, step) in (0u32..).zip(&block.steps) {
                let cell = |(buffer, offset)| memory.cell(buffer, offset).expect("rules of bounds hold");
                let sources = step.kind.reads.then(|| cell(step.source)).into_iter();
                let targets = step.kind.writes.then(|| cell(step.target)).into_iter();
                let moved = Move {
                    sources: sources.chain(step.kind.adds.then(|| cell(step.target))).collect(),
                    targets: targets.collect(),
                    count: step.count,
                };
                let push = block.send.filter(|_| step.kind.sends);
                let pop = block.receive.filter(|_| step.kind.receives);
                instructions.push(Instruction {
                    line: step.line,
                    step: number,
                    after: step.after.iter().map(|(block, step)| (numbers[block], *step)).collect(),
                    pop: pop.map(|peer| queue(block.channel, peer, gpu.id, &mut threads.queues)),
                    push: push.map(|peer| queue(block.channel, gpu.id, peer, &mut threads.queues)),
                    moves: if step.kind.reads || step.kind.writes { vec![moved] } else { Vec::new() },
                    ..Instruction::default()
                });
            }
            threads.threads.push(Thread { rank: gpu.id, block: block.id, loose: false, instructions });
        }
    }
    let goals = collective(of, &threads);
    Ok((threads, goals))
}

/// Where buffers lie; shared: input and output in one.
fn memories(of: &Algorithm, shared: bool) -> Result<Vec<Memory>, Finding> {
    let mut memories = vec![Memory { sizes: [0; 3], bases: [0; 3] }; of.ranks as usize];
    let mut next = 0u64;
    for gpu in &of.gpus {
        let [input, output, scratch] = gpu.sizes.map(u64::from);
        let (mut from, mut to) = (next, next + input);
        if shared {
            let rank = u64::from(gpu.id);
            (from, to) = match of.collective.as_str() {
                "allgather" => (next + rank * input, next),
                "reduce_scatter" => (next, next + rank * output),
                _ => (next, next),
            };
        }
        let end = (from + input).max(to + output);
        next = end + scratch;
        if next > MOST {
            let text = format!("the buffers have more than {MOST} chunks, too many to check");
            return Err(Finding { rule: "size", line: gpu.line, element: format!("gpu {}", gpu.id), text });
        }
        memories[gpu.id as usize] = Memory { sizes: gpu.sizes, bases: [from, to, end].map(|base| base as u32) };
    }
    Ok(memories)
}

/// What ranks end with.
fn collective(of: &Algorithm, threads: &Threads) -> Option<Vec<Goal>> {
    let ranks = of.ranks;
    let memory = |rank: u32| &threads.memories[rank as usize];
    let input = |rank: u32, index: u32| memory(rank).cell(Buffer::Input, index);
    let only = |side: usize| (0..ranks).find(|rank| memory(*rank).sizes[side] > 0).unwrap_or(0);
    let sum = |index: u32| (0..ranks).filter_map(|rank| input(rank, index)).collect::<Arc<[u32]>>();
    let cells = |cells: Vec<Option<u32>>| cells.into_iter().flatten().collect::<Arc<[u32]>>();
    let chunks = of.chunks;
    let block = chunks / ranks.max(1);
    let for_rank = |rank: u32, of: Vec<Arc<[u32]>>| goals(rank, Buffer::Output, of);
    let all = |of: &dyn Fn(u32) -> Vec<Arc<[u32]>>| (0..ranks).flat_map(|rank| for_rank(rank, of(rank))).collect();
    let one = |rank: u32, index: u32| cells(vec![input(rank, index)]);
    Some(match of.collective.as_str() {
        "allgather" => {
            let every: Vec<_> = (0..chunks).map(|at| one(at / block.max(1), at % block.max(1))).collect();
            all(&|_| every.clone())
        }
        "alltoall" => all(&|rank| (0..chunks).map(|at| one(at / block.max(1), rank * block + at % block.max(1))).collect()),
        "allreduce" => {
            let every: Vec<_> = (0..chunks).map(sum).collect();
            all(&|_| every.clone())
        }
        "reduce" => for_rank(only(1), (0..chunks).map(sum).collect()),
        "reduce_scatter" => all(&|rank| (0..block).map(|at| sum(rank * block + at)).collect()),
        "broadcast" => {
            let root = only(0);
            let every: Vec<_> = (0..chunks).map(|at| one(root, at)).collect();
            all(&|_| every.clone())
        }
        _ => return None,
    })
}
