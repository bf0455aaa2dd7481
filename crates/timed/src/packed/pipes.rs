//! **What:** chunks that follow each other through the hops of trees, which share channels.
//!
//! **Method.** Each hop of a tree is a pipe. In every turn it passes one chunk on; a pipe begins a turn after the last of those that it waits for. The pipes that are open in a turn share
//! each channel evenly: one has the smallest of its parts along its path. Where a channel's pipes are those of the turn before, each takes over from itself, and
//! latencies cost nothing; where some open or close, all wait until the channel is free, and share it anew. So no channel ever carries more than its bandwidth.
//!
//! **Source:** schedules in steady state, Beaumont, Legrand, Marchal and Robert (2005).

use super::begun::Begun;
use super::net::Net;
use super::tasks::{Task, Tasks};
use kernel::{Channel, Message};

/// A hop of a tree.
struct Pipe<'a> {
    task: Task,
    /// The turn in which it begins.
    level: usize,
    /// The pipes that bring chunks to its sender.
    waits: Vec<usize>,
    chunks: &'a [Message],
    /// When each chunk that it has passed on is held, and when the last one has been sent.
    held: Vec<u64>,
    free: u64,
}

/// Transfers of all chunks along the trees of the first ones, with rates and beginnings. `chunks` are those of each of the first transfers; they are as many in all trees of one chunk. `None` where a
/// part of a bandwidth is too small to be said.
pub(super) fn streamed(net: &Net<'_>, first: Tasks, chunks: &[&[Message]]) -> Option<Begun> {
    let channels = net.network.channel_count();
    let mut pipes = pipes(first, chunks);
    let mut all = Begun::default();
    let (mut sharers, mut free) = (vec![0u64; channels], vec![0u64; channels]);
    let mut changes = vec![false; channels];
    let turns = pipes.iter().map(|pipe| pipe.level + pipe.chunks.len()).max().unwrap_or(0);
    for turn in 0..turns {
        changes.fill(false);
        for pipe in &pipes {
            let (opens, closes) = (turn == pipe.level, turn == pipe.level + pipe.chunks.len());
            for channel in pipe.task.way.path.iter().filter(|_| opens || closes) {
                changes[channel.index()] = true;
                let sharers = &mut sharers[channel.index()];
                *sharers = if opens { *sharers + 1 } else { *sharers - 1 };
            }
        }
        let before = all.begun.len();
        for at in 0..pipes.len() {
            let number = turn.checked_sub(pipes[at].level).filter(|number| *number < pipes[at].chunks.len());
            let Some(number) = number else { continue };
            let came = pipes[at].waits.iter().map(|other| pipes[*other].held[number]).max();
            let pipe = &mut pipes[at];
            let (mut begins, mut ahead) = (pipe.free.max(came.unwrap_or(0)), 0);
            for &channel in &pipe.task.way.path {
                if changes[channel.index()] {
                    begins = begins.max(free[channel.index()].saturating_sub(ahead));
                }
                ahead += net.problem.latency(channel);
            }
            if pipe.task.way.path.iter().any(|c| changes[c.index()]) {
                let part = |c: &Channel| net.problem.bandwidth(*c) as f64 / sharers[c.index()] as f64;
                let tight = *pipe.task.way.path.iter().min_by(|a, b| part(a).total_cmp(&part(b)))?;
                pipe.task.way.share(net, tight, sharers[tight.index()])?;
            }
            pipe.held.push(begins + pipe.task.way.takes());
            pipe.free = begins + pipe.task.way.lasts;
            all.begun.push(begins);
            all.tasks.0.push(Task { message: pipe.chunks[number], ..pipe.task.clone() });
        }
        for (task, begun) in all.tasks.0[before..].iter().zip(&all.begun[before..]) {
            let mut ends = begun + task.way.lasts;
            for &channel in &task.way.path {
                free[channel.index()] = free[channel.index()].max(ends);
                ends += net.problem.latency(channel);
            }
        }
    }
    Some(all)
}

/// The hops of the first chunks' trees, with all chunks that take them.
fn pipes<'a>(first: Tasks, chunks: &[&'a [Message]]) -> Vec<Pipe<'a>> {
    let next = first.next();
    let mut waits = vec![Vec::new(); next.len()];
    for (at, next) in next.iter().enumerate() {
        next.iter().for_each(|next| waits[*next].push(at));
    }
    let mut pipes: Vec<Pipe<'a>> = first
        .0
        .into_iter()
        .zip(chunks)
        .zip(waits)
        // What chunks came by is the business of the pipes from now on.
        .map(|((task, chunks), waits)| (Task { inner: None, ..task }, chunks, waits))
        .map(|(task, chunks, waits)| Pipe { task, level: 0, waits, chunks, held: Vec::new(), free: 0 })
        .collect();
    let mut open: Vec<usize> = pipes.iter().map(|pipe| pipe.waits.len()).collect();
    let mut ready: Vec<usize> = (0..pipes.len()).filter(|at| open[*at] == 0).collect();
    while let Some(at) = ready.pop() {
        for &after in &next[at] {
            pipes[after].level = pipes[after].level.max(pipes[at].level + 1);
            open[after] -= 1;
            ready.extend((open[after] == 0).then_some(after));
        }
    }
    pipes
}
