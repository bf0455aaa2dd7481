//! **What:** where buffers lie, and what ranks are to end with: by the name of a collective, or as the layout of a program says.
//!
//! **Source:** NCCL's collectives: blocks by rank, sums of all ranks; in place, a rank's own block of the large buffer is its small one.

use crate::Finding;
use crate::threads::{Buffer, Goal, MOST, Memory, Threads};
use program::{Program, Shape, Source};
use std::sync::Arc;

/// The name that says what ranks end with, where the schedule does all that it means among all ranks.
pub(crate) fn known_name(program: &Program) -> Option<&'static str> {
    let layout = program.layout();
    let name = match layout.shape() {
        Shape::Broadcast => "broadcast",
        Shape::Allgather => "allgather",
        Shape::Alltoall => "alltoall",
        Shape::Reduce => "reduce",
        Shape::Allreduce => "allreduce",
        Shape::ReduceScatter => "reduce_scatter",
        _ => return None,
    };
    (layout.members().len() == program.ranks().len()).then_some(name)
}

/// Goals in the cells of the common form.
pub(crate) fn program_goals(program: &Program, threads: &Threads) -> Vec<Goal> {
    let cells = |source: &Source| {
        let ranks = (source.rank..source.rank + source.ranks).map(|rank| rank as usize);
        let index = source.index;
        ranks.filter_map(move |rank| threads.memories[rank].cell(Buffer::Input, index))
    };
    let mut goals = Vec::new();
    for (rank, places) in (0u32..).zip(program.sources()) {
        for (index, sources) in (0u32..).zip(places).filter(|(_, sources)| !sources.is_empty()) {
            goals.push(Goal { rank, buffer: Buffer::Output, index, of: sources.iter().flat_map(cells).collect() });
        }
    }
    goals
}

/// Where buffers lie; shared: input and output in one.
pub(crate) fn memories(sizes: &[[u32; 3]], collective: &str, shared: bool) -> Result<Vec<Memory>, Finding> {
    let mut memories = Vec::with_capacity(sizes.len());
    let mut next = 0u64;
    for (rank, of) in (0u64..).zip(sizes) {
        let [input, output, scratch] = of.map(u64::from);
        let (mut from, mut to) = (next, next + input);
        if shared {
            (from, to) = match collective {
                "allgather" => (next + rank * input, next),
                "reduce_scatter" | "reducescatter" => (next, next + rank * output),
                _ => (next, next),
            };
        }
        let end = (from + input).max(to + output);
        next = end + scratch;
        if next > MOST {
            let text = format!("the buffers have more than {MOST} chunks, too many to check");
            return Err(Finding { rule: "size", line: 0, element: format!("gpu {rank}"), text });
        }
        memories.push(Memory { sizes: *of, bases: [from, to, end].map(|base| base as u32) });
    }
    Ok(memories)
}

/// What ranks end with, where the name says that; `chunks` are those of the largest buffer, a multiple of the ranks where it has a block for each.
pub(crate) fn collective(name: &str, chunks: u32, threads: &Threads) -> Option<Vec<Goal>> {
    let ranks = threads.memories.len() as u32;
    let memory = |rank: u32| &threads.memories[rank as usize];
    let input = |rank: u32, index: u32| memory(rank).cell(Buffer::Input, index);
    let only = |side: usize| (0..ranks).find(|rank| memory(*rank).sizes[side] > 0).unwrap_or(0);
    let sum = |index: u32| (0..ranks).filter_map(|rank| input(rank, index)).collect::<Arc<[u32]>>();
    let one = |rank: u32, index: u32| input(rank, index).into_iter().collect::<Arc<[u32]>>();
    let block = (chunks / ranks.max(1)).max(1);
    let whole = |rank: u32, of: Vec<Arc<[u32]>>| -> Vec<Goal> {
        (0..).zip(of).map(|(index, of)| Goal { rank, buffer: Buffer::Output, index, of }).collect()
    };
    let all = |of: &dyn Fn(u32) -> Vec<Arc<[u32]>>| (0..ranks).flat_map(|rank| whole(rank, of(rank))).collect();
    Some(match name {
        "allgather" => {
            let every: Vec<_> = (0..chunks).map(|at| one(at / block, at % block)).collect();
            all(&|_| every.clone())
        }
        "alltoall" => all(&|rank| (0..chunks).map(|at| one(at / block, rank * block + at % block)).collect()),
        "allreduce" => {
            let every: Vec<_> = (0..chunks).map(sum).collect();
            all(&|_| every.clone())
        }
        "reduce" => whole(only(1), (0..chunks).map(sum).collect()),
        "reduce_scatter" | "reducescatter" => all(&|rank| (0..block).map(|at| sum(rank * block + at)).collect()),
        "broadcast" => {
            let root = only(0);
            let every: Vec<_> = (0..chunks).map(|at| one(root, at)).collect();
            all(&|_| every.clone())
        }
        _ => return None,
    })
}
