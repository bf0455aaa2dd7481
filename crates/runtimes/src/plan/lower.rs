//! **What:** a plan in the common form of threads.
//!
//! **Facts:** memory is ordered inside a block by `nop` alone (and by barriers). What goes over a port channel is done by a proxy in the order in which it was
//! handed over, a thread of its own here; `flush` waits for it. Barriers are an arrival and a wait for all arrivals.

use super::{Gpu, Op, Plan, Span};
use crate::Finding;
use crate::goals::{collective, memories};
use crate::threads::{Buffer, Count, Counter, Goal, Instruction, Move, Thread, Threads};
use std::collections::HashMap;

/// The threads of a plan whose rules hold.
pub(super) fn threads(plan: &Plan) -> Result<(Threads, Option<Vec<Goal>>), Finding> {
    let sizes: Vec<[u32; 3]> = plan.gpus.iter().map(Gpu::sizes).collect();
    let memories = memories(&sizes, &plan.collective, plan.inplace)?;
    let mut lowering = Lowering { threads: Threads { memories, ..Threads::default() }, counters: HashMap::new() };
    for gpu in &plan.gpus {
        lowering.gpu(gpu);
    }
    let known = ["allgather", "allreduce", "reducescatter", "alltoall"].contains(&plan.collective.as_str());
    let goals = if known { collective(&plan.collective, plan.chunks(), &lowering.threads) } else { None };
    Ok((lowering.threads, goals))
}

/// What a counter counts.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    /// The signals of a rank to another over the k-th channel between them.
    Channel {
        kind: String,
        from: u32,
        to: u32,
        k: usize,
    },
    Semaphore {
        rank: u32,
        id: u32,
    },
}

struct Lowering {
    threads: Threads,
    counters: HashMap<Key, u32>,
}

impl Lowering {
    fn counter(&mut self, key: Key, initial: u32) -> u32 {
        let known = &mut self.threads.counters;
        *self.counters.entry(key.clone()).or_insert_with(|| {
            let name = match key {
                Key::Channel { kind, from, to, .. } => {
                    format!("signals of gpu {from} to gpu {to} over a {kind} channel")
                }
                Key::Semaphore { rank, id } => format!("semaphore {id} of gpu {rank}"),
            };
            known.push(Counter { initial, name });
            known.len() as u32 - 1
        })
    }

    /// The counters of an operation's channels, of what comes or goes.
    fn channels(&mut self, gpu: &Gpu, block: &super::Block, op: &Op, comes: bool) -> Vec<Count> {
        let peers = gpu.peers(&op.channel_type);
        let relaxed = op.name.starts_with("rlx");
        let ids: Vec<u32> = op.channel_ids.iter().filter_map(|id| Gpu::channel(block, op, *id)).collect();
        let count = |id: &u32| {
            let peer = peers[*id as usize];
            let k = peers[..*id as usize].iter().filter(|other| **other == peer).count();
            let (from, to) = if comes { (peer, gpu.id) } else { (gpu.id, peer) };
            let counter = self.counter(Key::Channel { kind: op.channel_type.clone(), from, to, k }, 0);
            Count { counter, relaxed }
        };
        ids.iter().map(count).collect()
    }

    fn cell(&self, gpu: &Gpu, block: &super::Block, op: &Op, span: &Span) -> u32 {
        let (rank, kind) = match &span.kind {
            Some(kind) => (gpu.id, kind),
            None => {
                let remote = gpu.remote(block, op, span).expect("rules of buffers hold");
                (remote.rank, &remote.kind)
            }
        };
        let buffer = Buffer::of(kind).expect("rules of buffers hold");
        self.threads.memories[rank as usize].cell(buffer, span.index).expect("rules of bounds hold")
    }

    fn moves(&self, gpu: &Gpu, block: &super::Block, op: &Op) -> Vec<Move> {
        let cells = |spans: &[Span]| spans.iter().map(|span| self.cell(gpu, block, op, span)).collect::<Vec<u32>>();
        let (sources, targets) = (cells(&op.src_buff), cells(&op.dst_buff));
        match op.name.as_str() {
            "put" | "pws" | "pwsf" | "get" | "copy" => {
                let pairs = sources.into_iter().zip(targets).zip(&op.src_buff);
                pairs
                    .map(|((from, to), span)| Move { sources: vec![from], targets: vec![to], count: span.size })
                    .collect()
            }
            "re" | "res" | "rre" | "rres" => vec![Move { sources, targets, count: op.src_buff[0].size }],
            _ => Vec::new(),
        }
    }

    fn gpu(&mut self, gpu: &Gpu) {
        let base = self.threads.threads.len() as u32;
        let thread = |block: u32, loose| Thread { rank: gpu.id, block, loose, instructions: Vec::new() };
        self.threads.threads.extend(gpu.threadblocks.iter().map(|block| thread(block.id, true)));
        let mut proxies: HashMap<(u32, u32), u32> = HashMap::new();
        // Arrivals at barriers by barrier and round.
        let mut arrivals: HashMap<(u32, usize), Vec<(u32, u32)>> = HashMap::new();
        let mut leaving: Vec<(u32, u32, (u32, usize))> = Vec::new();
        for block in &gpu.threadblocks {
            let own = base + block.id;
            let mut rounds: HashMap<u32, usize> = HashMap::new();
            for (step, op) in (0u32..).zip(&block.ops) {
                let mut now = Instruction { step, orders: op.name == "nop", ..Instruction::default() };
                let is_port = op.channel_type == "port";
                let semaphores = |lowering: &mut Self| {
                    let one = |id: &u32| {
                        let initial = gpu.semaphores[*id as usize].init_value;
                        let counter = lowering.counter(Key::Semaphore { rank: gpu.id, id: *id }, initial);
                        Count { counter, relaxed: false }
                    };
                    op.semaphore_ids.iter().map(one).collect::<Vec<Count>>()
                };
                // What the proxies of the operation's channels do.
                let mut handed: Vec<Instruction> = Vec::new();
                match op.name.as_str() {
                    "sem_acquire" => now.waits = semaphores(self),
                    "sem_release" => now.signals = semaphores(self),
                    "wait" | "rlxwait" => now.waits = self.channels(gpu, block, op, true),
                    "signal" | "rlxsignal" if !is_port => now.signals = self.channels(gpu, block, op, false),
                    "signal" | "rlxsignal" | "put" | "pws" | "pwsf" if is_port => {
                        let mut moves = self.moves(gpu, block, op);
                        let signals = self.channels(gpu, block, op, false);
                        let is_put = op.name == "put";
                        let one = |signal: Count| Instruction {
                            step,
                            moves: std::mem::take(&mut moves),
                            signals: if is_put { Vec::new() } else { vec![signal] },
                            ..Instruction::default()
                        };
                        handed = signals.into_iter().map(one).collect();
                    }
                    "barrier" => {
                        let id = op.barrier_id.unwrap_or(0);
                        let round = rounds.entry(id).or_default();
                        let at = self.threads.threads[own as usize].instructions.len() as u32;
                        arrivals.entry((id, *round)).or_default().push((own, at));
                        leaving.push((own, at + 1, (id, *round)));
                        *round += 1;
                        now.orders = true;
                        self.threads.threads[own as usize].instructions.push(now.clone());
                    }
                    _ => now.moves = self.moves(gpu, block, op),
                }
                let flushes = ["flush", "pwsf"].contains(&op.name.as_str());
                let is_handed = is_port && (!handed.is_empty() || flushes);
                let mut handed = handed.into_iter();
                for id in op.channel_ids.iter().filter(|_| is_handed) {
                    let proxy = *proxies.entry((block.id, *id)).or_insert_with(|| {
                        self.threads.threads.push(thread(block.id, false));
                        self.threads.threads.len() as u32 - 1
                    });
                    let at = self.threads.threads[own as usize].instructions.len() as u32;
                    if let Some(handed) = handed.next() {
                        let next = Instruction { after: vec![(own, at)], ..handed };
                        self.threads.threads[proxy as usize].instructions.push(next);
                    }
                    let done = self.threads.threads[proxy as usize].instructions.len() as u32;
                    if flushes && op.name == "flush" && done > 0 {
                        now.after.push((proxy, done - 1));
                    }
                }
                let instructions = &mut self.threads.threads[own as usize].instructions;
                instructions.push(now);
                if op.name == "pwsf" {
                    let proxy = proxies.get(&(block.id, op.channel_ids[0])).copied();
                    let done =
                        proxy.map(|proxy| (proxy, self.threads.threads[proxy as usize].instructions.len() as u32 - 1));
                    let wait = Instruction { step, after: done.into_iter().collect(), ..Instruction::default() };
                    self.threads.threads[own as usize].instructions.push(wait);
                }
            }
        }
        for (thread, at, meeting) in leaving {
            let others = arrivals[&meeting].clone();
            self.threads.threads[thread as usize].instructions[at as usize].after = others;
        }
    }
}
