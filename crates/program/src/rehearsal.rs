//! **What:** plays a program in memory, with a number in every place, in an order that a seed picks among all that the dependencies allow.
//!
//! **Facts:** each contribution is a random number of 64 bits, and merging adds. A sum of the wrong contributions, or of one twice, is right by chance in
//! one of 2^64 cases. What is sent is read at the beginning or at the end of sending, as the seed has it, and messages take any time; so what is
//! overwritten too early is seen in some order.

use crate::{Action, Buffer, Place, Program};
use kernel::Node;
use std::collections::HashMap;

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Some operations wait for each other.
    #[error("rank {rank}: operation {operation} never begins")]
    Waits {
        /// The rank.
        rank: u32,
        /// Its operation.
        operation: u32,
    },
    /// A place was read before anything was written there.
    #[error("rank {rank}: operation {operation} reads {place:?}, where nothing is")]
    Unwritten {
        /// The rank.
        rank: u32,
        /// Its operation.
        operation: u32,
        /// What it reads.
        place: Place,
    },
    /// The output is not what the collective says.
    #[error("rank {rank} does not end with what the collective says in {place:?}")]
    Wrong {
        /// The rank.
        rank: u32,
        /// Where something else is.
        place: Place,
    },
}

/// A program being played.
pub struct Rehearsal<'p> {
    program: &'p Program,
    /// Operations that each waits for.
    waits: Vec<Vec<u32>>,
    next: Vec<Vec<Vec<u32>>>,
    memory: Vec<HashMap<Place, u64>>,
    /// What can be done next.
    open: Vec<Step>,
    /// Of each transfer, what has come, or that the receiver waits.
    wire: Vec<Wire>,
    state: u64,
}

#[derive(Clone, Copy)]
enum Step {
    Begin(u32, u32),
    /// A send that read its places at its beginning, or reads them now.
    Deliver(u32, u32),
    Land(u32, u32),
}

#[derive(Clone, Default)]
struct Wire {
    read: Option<Vec<u64>>,
    delivered: bool,
    posted: Option<(u32, u32)>,
}

impl<'p> Rehearsal<'p> {
    /// Nothing has begun.
    #[must_use]
    pub fn new(program: &'p Program, seed: u64) -> Self {
        let mut rehearsal = Rehearsal {
            program,
            waits: Vec::new(),
            next: Vec::new(),
            memory: Vec::new(),
            open: Vec::new(),
            wire: vec![Wire::default(); program.transfers as usize],
            state: seed,
        };
        for (rank, of) in (0u32..).zip(program.ranks()) {
            let mut next = vec![Vec::new(); of.operations.len()];
            let waits = of.operations.iter().map(|operation| operation.after.len() as u32).collect();
            for (at, operation) in (0u32..).zip(&of.operations) {
                operation.after.iter().for_each(|before| next[*before as usize].push(at));
                if operation.after.is_empty() {
                    rehearsal.open.push(Step::Begin(rank, at));
                }
            }
            let place = |index| Place { buffer: Buffer::Input, index };
            let input = (0..of.input).map(|index| (place(index), contribution(of.node, index))).collect();
            rehearsal.waits.push(waits);
            rehearsal.next.push(next);
            rehearsal.memory.push(input);
        }
        rehearsal
    }

    fn random(&mut self, below: usize) -> usize {
        self.state = mix(self.state);
        (self.state % below as u64) as usize
    }

    /// Plays it to the end.
    ///
    /// # Errors
    /// What does not hold.
    pub fn run(mut self) -> Result<(), Fault> {
        while !self.open.is_empty() {
            let pick = self.random(self.open.len());
            match self.open.swap_remove(pick) {
                Step::Begin(rank, at) => self.begin(rank, at)?,
                Step::Deliver(rank, at) => {
                    let Action::Send { transfer, places, .. } = &self.operation(rank, at).action else { continue };
                    if self.wire[*transfer as usize].read.is_none() {
                        self.wire[*transfer as usize].read = Some(self.read(rank, at, places)?);
                    }
                    self.wire[*transfer as usize].delivered = true;
                    self.done(rank, at);
                    if let Some((to, receive)) = self.wire[*transfer as usize].posted {
                        self.open.push(Step::Land(to, receive));
                    }
                }
                Step::Land(rank, at) => {
                    let Action::Receive { transfer, places, .. } = &self.operation(rank, at).action else { continue };
                    let read = self.wire[*transfer as usize].read.take().unwrap_or_default();
                    self.memory[rank as usize].extend(places.iter().copied().zip(read));
                    self.done(rank, at);
                }
            }
        }
        for (rank, waits) in (0u32..).zip(&self.waits) {
            if let Some(at) = waits.iter().position(|left| *left != DONE) {
                return Err(Fault::Waits { rank, operation: at as u32 });
            }
        }
        self.check()
    }

    fn operation(&self, rank: u32, at: u32) -> &'p crate::Operation {
        &self.program.ranks()[rank as usize].operations[at as usize]
    }

    fn read(&self, rank: u32, operation: u32, places: &[Place]) -> Result<Vec<u64>, Fault> {
        let memory = &self.memory[rank as usize];
        let read =
            |place: &Place| memory.get(place).copied().ok_or(Fault::Unwritten { rank, operation, place: *place });
        places.iter().map(read).collect()
    }

    fn begin(&mut self, rank: u32, at: u32) -> Result<(), Fault> {
        match &self.operation(rank, at).action {
            Action::Send { transfer, places, .. } => {
                if self.random(2) == 0 {
                    self.wire[*transfer as usize].read = Some(self.read(rank, at, places)?);
                }
                self.open.push(Step::Deliver(rank, at));
            }
            Action::Receive { transfer, .. } => {
                self.wire[*transfer as usize].posted = Some((rank, at));
                if self.wire[*transfer as usize].delivered {
                    self.open.push(Step::Land(rank, at));
                }
            }
            Action::Copy { from, to } => {
                let value = self.read(rank, at, std::slice::from_ref(from))?[0];
                self.memory[rank as usize].insert(*to, value);
                self.done(rank, at);
            }
            Action::Merge { of, into } => {
                let sum = self.read(rank, at, of)?.into_iter().fold(0, u64::wrapping_add);
                self.memory[rank as usize].insert(*into, sum);
                self.done(rank, at);
            }
        }
        Ok(())
    }

    fn done(&mut self, rank: u32, at: u32) {
        self.waits[rank as usize][at as usize] = DONE;
        for next in std::mem::take(&mut self.next[rank as usize][at as usize]) {
            let left = &mut self.waits[rank as usize][next as usize];
            *left -= 1;
            if *left == 0 {
                self.open.push(Step::Begin(rank, next));
            }
        }
    }

    fn check(&self) -> Result<(), Fault> {
        let ranks = self.program.ranks();
        for (rank, places) in (0u32..).zip(self.program.sources()) {
            for (index, sources) in (0u32..).zip(places).filter(|(_, sources)| !sources.is_empty()) {
                let contributions = sources.iter().flat_map(|source| {
                    let from = &ranks[source.rank as usize..(source.rank + source.ranks) as usize];
                    from.iter().map(|of| contribution(of.node, source.index))
                });
                let place = Place { buffer: Buffer::Output, index };
                let right = contributions.fold(0, u64::wrapping_add);
                if self.memory[rank as usize].get(&place) != Some(&right) {
                    return Err(Fault::Wrong { rank, place });
                }
            }
        }
        Ok(())
    }
}

/// What is left to wait for of an operation that is done.
const DONE: u32 = u32::MAX;

/// What a node has at a place of its input.
fn contribution(node: Node, index: u32) -> u64 {
    mix(mix(u64::from(node.0) << 32 | u64::from(index)))
}

/// SplitMix64: each number once, in an order that looks random.
fn mix(state: u64) -> u64 {
    let mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
