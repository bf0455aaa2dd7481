//! **What:** from a program to a plan: each rank does its operations one after the other, in as many thread blocks as their limits need, of which each
//! waits for the one before.
//!
//! **Facts:** a program is in an order that works one after the other with sends that wait for nobody, and puts wait for nobody. Signals of what was put are given before
//! the next wait. A wait for what a rank sent later waits for all that it sent before.

use super::emit::{Draft, Place, Stream, numbered};
use super::{Block, BlockBuffers, BlockChannels, Channels, Gpu, Op, Plan, RemoteBuffer, Semaphore, rules};
use crate::{ExportError, known_name, program_goals};
use program::{Action, Buffer, Program};
use std::collections::HashMap;

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// The name of the plan.
    pub name: String,
    /// Whether data goes over port channels (through a proxy on the host, as between machines), not over memory channels.
    pub port: bool,
}

fn letter(buffer: Buffer) -> &'static str {
    match buffer {
        Buffer::Input => "i",
        Buffer::Output => "o",
        Buffer::Scratch => "s",
    }
}

/// Where a transfer goes.
struct Landing {
    to: u32,
    places: Vec<program::Place>,
    /// Its number among those of its pair, from 1.
    number: u32,
}

/// A plan that has gone through the check.
///
/// # Errors
/// What the format cannot hold.
pub fn export(program: &Program, options: &PlanOptions) -> Result<Plan, ExportError> {
    let mut landings: HashMap<u32, Landing> = HashMap::new();
    let mut peers: Vec<Vec<u32>> = vec![Vec::new(); program.ranks().len()];
    for (rank, of) in (0u32..).zip(program.ranks()) {
        for operation in &of.operations {
            if let Action::Receive { from, transfer, places } = &operation.action {
                landings.insert(*transfer, Landing { to: rank, places: places.clone(), number: 0 });
                peers[rank as usize].push(*from);
                peers[*from as usize].push(rank);
            }
        }
    }
    for of in &mut peers {
        of.sort_unstable();
        of.dedup();
    }
    for (rank, of) in (0u32..).zip(program.ranks()) {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for operation in &of.operations {
            if let Action::Send { transfer, to, .. } = &operation.action {
                let count = counts.entry(*to).or_default();
                *count += 1;
                let landing = landings.get_mut(transfer);
                landing.ok_or_else(|| ExportError::Fault(format!("rank {rank} sends what nobody receives")))?.number =
                    *count;
            }
        }
    }
    let collective = match known_name(program) {
        Some("reduce_scatter") => "reducescatter",
        Some(name) => name,
        None => "custom",
    };
    let gpus = (0u32..).zip(program.ranks()).map(|(rank, of)| {
        let stream = stream(rank, of, &landings, &peers[rank as usize], options.port);
        gpu(rank, of, &stream.ops, &peers[rank as usize], options.port)
    });
    let plan = Plan {
        name: options.name.clone(),
        collective: collective.to_owned(),
        protocol: "Simple".into(),
        gpus: gpus.collect::<Result<_, _>>()?,
        buffer_alignment: 16,
        num_threads_per_block: 1024,
        // Offsets have 32 bits.
        max_message_size: u64::from(u32::MAX) / 256 * 256,
        ..Plan::default()
    };
    let read = super::read(&super::text(&plan)).map_err(|error| ExportError::Fault(error.to_string()))?;
    // What a name means is for the check to know; of `custom` the program says it.
    let unnamed = collective == "custom" && rules::broken(&read).is_empty();
    let goals = unnamed.then(|| read.lowered().ok()).flatten().map(|(threads, _)| program_goals(program, &threads));
    match read.check(goals.as_deref()).findings.into_iter().next() {
        None => Ok(read),
        Some(finding) if finding.rule == "limit" || finding.rule == "size" => {
            Err(ExportError::Limit(finding.to_string()))
        }
        Some(finding) => Err(ExportError::Fault(finding.to_string())),
    }
}

fn stream(
    rank: u32,
    of: &program::RankProgram,
    landings: &HashMap<u32, Landing>,
    peers: &[u32],
    is_port: bool,
) -> Stream {
    let mut stream = Stream::new(rank, is_port);
    stream.meet(peers);
    let mut arrived: HashMap<u32, u32> = HashMap::new();
    for operation in &of.operations {
        match &operation.action {
            Action::Send { to, transfer, places } => {
                let landing = &landings[transfer];
                let mut runs: Vec<(Place, Place, u32)> = Vec::new();
                for (from, at) in places.iter().zip(&landing.places) {
                    let (from, at) =
                        ((rank, letter(from.buffer), from.index), (landing.to, letter(at.buffer), at.index));
                    match runs.last_mut() {
                        Some((source, target, count))
                            if (source.0, source.1, source.2 + *count) == from
                                && (target.0, target.1, target.2 + *count) == at =>
                        {
                            *count += 1;
                        }
                        _ => runs.push((from, at, 1)),
                    }
                }
                stream.put(*to, runs);
            }
            Action::Receive { from, transfer, .. } => {
                let seen = arrived.entry(*from).or_default();
                while *seen < landings[transfer].number {
                    *seen += 1;
                    stream.wait(*from);
                }
            }
            Action::Copy { from, to } => {
                let (from, to) = (stream.own(letter(from.buffer), from.index), stream.own(letter(to.buffer), to.index));
                stream.local("copy", &[from], to);
            }
            Action::Merge { of, into } => {
                let place = |place: &program::Place| (rank, letter(place.buffer), place.index);
                let target = place(into);
                let mut parts: Vec<Place> = of.iter().map(place).collect();
                parts.sort_by_key(|part| *part != target);
                stream.local("re", &parts[..2], target);
                for part in &parts[2..] {
                    stream.local("re", &[target, *part], target);
                }
            }
        }
    }
    stream.flush();
    stream
}

/// Operations of a block that are not those of the stream: acquire, nop; nop, release.
const FRAME: usize = 4;

/// Operations that a block over port channels has free before it begins to hand over something.
const PROXIED: usize = 16;

fn gpu(rank: u32, of: &program::RankProgram, ops: &[Draft], peers: &[u32], is_port: bool) -> Result<Gpu, ExportError> {
    let kind = if is_port { "port" } else { "memory" };
    let mut remote: Vec<(u32, &'static str)> = Vec::new();
    let mut parts: Vec<(Vec<Draft>, Vec<u32>)> = Vec::new();
    for op in ops {
        for ((to, letter, _), _) in op.sources.iter().chain(&op.targets) {
            if *to != rank && !remote.contains(&(*to, *letter)) {
                remote.push((*to, *letter));
            }
        }
        let fits = |(held, used): &&mut (Vec<Draft>, Vec<u32>)| {
            let more = op.peers.iter().filter(|peer| !used.contains(peer)).count();
            // What is handed to a proxy is signalled and waited for in the same block.
            let is_whole = is_port && held.last().is_some_and(|last| last.name == "flush");
            held.len() < rules::OPS - if is_whole { FRAME + PROXIED } else { FRAME }
                && used.len() + more <= rules::CHANNELS
        };
        if parts.last_mut().filter(fits).is_none() {
            parts.push((Vec::new(), Vec::new()));
        }
        let (held, used) = parts.last_mut().expect("there is one");
        for peer in &op.peers {
            if !used.contains(peer) {
                used.push(*peer);
            }
        }
        held.push(op.clone());
    }
    let count = parts.len();
    if count > rules::SEMAPHORES + 1 {
        let text = format!(
            "rank {rank} has {} operations in {count} thread blocks, one after the other; {} semaphores join {} at most",
            ops.len(),
            rules::SEMAPHORES,
            rules::SEMAPHORES + 1
        );
        return Err(ExportError::Limit(text));
    }
    let semaphore = |name: &str, id: usize| Op { name: name.into(), semaphore_ids: vec![id as u32], ..Op::default() };
    let nop = || Op { name: "nop".into(), ..Op::default() };
    let blocks = parts.into_iter().enumerate().map(|(at, (held, used))| {
        let channel = |peer: u32| used.iter().position(|of| *of == peer).unwrap_or(0) as u32;
        let buffer = |to: u32, letter: &str| remote.iter().position(|of| *of == (to, letter)).unwrap_or(0) as u32;
        let mut ops: Vec<Op> = Vec::new();
        if at > 0 {
            ops.extend([semaphore("sem_acquire", at - 1), nop()]);
        }
        ops.extend(held.iter().map(|draft| numbered(draft, rank, kind, &channel, &buffer)));
        if at + 1 < count {
            ops.extend([nop(), semaphore("sem_release", at)]);
        }
        let ids = used.iter().map(|peer| peers.iter().position(|of| of == peer).unwrap_or(0) as u32).collect();
        Block {
            id: at as u32,
            ops,
            channels: vec![BlockChannels { channel_type: kind.into(), channel_ids: ids }],
            remote_buffer_refs: vec![BlockBuffers {
                access_channel_type: kind.into(),
                remote_buffer_ids: (0..remote.len() as u32).collect(),
            }],
        }
    });
    let threadblocks = blocks.collect();
    let to_remote = |(rank, letter): &(u32, &'static str)| RemoteBuffer {
        rank: *rank,
        kind: (*letter).to_owned(),
        access_channel_types: vec![kind.to_owned()],
    };
    Ok(Gpu {
        id: rank,
        input_chunks: of.input,
        output_chunks: of.output,
        scratch_chunks: of.scratch,
        channels: vec![Channels { channel_type: kind.into(), connected_to: peers.to_vec() }],
        remote_buffers: remote.iter().map(to_remote).collect(),
        semaphores: (1..count).map(|_| Semaphore { init_value: 0 }).collect(),
        threadblocks,
    })
}
