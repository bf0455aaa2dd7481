//! **What:** an algorithm in the common form of threads.

use super::Algorithm;
use crate::Finding;
use crate::goals::{collective, memories};
use crate::threads::{Goal, Instruction, Move, Queue, Thread, Threads};
use std::collections::HashMap;

/// The threads of an algorithm whose rules hold.
pub(super) fn threads(of: &Algorithm, shared: bool) -> Result<(Threads, Option<Vec<Goal>>), Finding> {
    let mut sizes = vec![[0; 3]; of.ranks as usize];
    of.gpus.iter().for_each(|gpu| sizes[gpu.id as usize] = gpu.sizes);
    let memories = memories(&sizes, &of.collective, shared)?;
    let mut threads = Threads { memories, ..Threads::default() };
    let mut gpus: Vec<_> = of.gpus.iter().collect();
    gpus.sort_unstable_by_key(|gpu| gpu.id);
    let mut queues: HashMap<(u32, u32, u32), u32> = HashMap::new();
    let mut queue = |channel: u32, from: u32, to: u32, known: &mut Vec<Queue>| {
        *queues.entry((channel, from, to)).or_insert_with(|| {
            known.push(Queue { to, name: format!("from gpu {from} to gpu {to} on channel {channel}") });
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
    let goals = collective(&of.collective, of.chunks, &threads);
    Ok((threads, goals))
}
