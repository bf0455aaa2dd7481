//! **What:** the common form of programs of runtimes that is checked and interpreted: threads of instructions over cells of memory, which wait for each
//! other, push and pop messages, and signal counters.
//!
//! **Facts:** the form knows nothing of who wrote a program. A thread does its instructions one after the other. The n-th pop of a queue takes what the n-th push
//! put in; the n-th wait of a counter passes after the n-th signal.

use crate::Finding;
use std::sync::Arc;

/// A cell of memory: room for one chunk. Cells of all ranks are numbered together.
pub type Cell = u32;

/// Most cells, instructions and accesses of a program that is checked.
pub(crate) const MOST: u64 = 1 << 25;

/// A part of a rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// Input.
    Input,
    /// Output.
    Output,
    /// Scratch.
    Scratch,
}

impl Buffer {
    /// The letter that both formats have for it.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Buffer::Input => "i",
            Buffer::Output => "o",
            Buffer::Scratch => "s",
        }
    }

    /// The buffer of a letter.
    #[must_use]
    pub fn of(letter: &str) -> Option<Self> {
        [Buffer::Input, Buffer::Output, Buffer::Scratch].into_iter().find(|buffer| buffer.letter() == letter)
    }
}

/// Chunks of a rank's buffers, and the cells where they begin. In place, input and output share cells.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Chunks by buffer: input, output, scratch.
    pub sizes: [u32; 3],
    /// First cells by buffer.
    pub bases: [u32; 3],
}

impl Memory {
    /// The cell of a place inside its buffer.
    #[must_use]
    pub fn cell(&self, buffer: Buffer, index: u32) -> Option<Cell> {
        (index < self.sizes[buffer as usize]).then(|| self.bases[buffer as usize] + index)
    }
}

/// Chunks that are summed and stored: for each lane below `count`, every target gets the sum of what was popped and of all sources.
#[derive(Clone, Debug, Default)]
pub struct Move {
    /// First cells that are read.
    pub sources: Vec<Cell>,
    /// First cells that are written.
    pub targets: Vec<Cell>,
    /// Cells of each.
    pub count: u32,
}

/// A signal of a counter, or a wait for one.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The counter.
    pub counter: u32,
    /// Says nothing of memory.
    pub relaxed: bool,
}

/// What a thread does at once.
#[derive(Clone, Debug, Default)]
pub struct Instruction {
    /// Its line in the file, or 0.
    pub line: usize,
    /// Its number in its block of the file.
    pub step: u32,
    /// Instructions (thread, number there) that are finished before.
    pub after: Vec<(u32, u32)>,
    /// A queue whose next message is taken.
    pub pop: Option<u32>,
    /// What is moved.
    pub moves: Vec<Move>,
    /// A queue that gets the result of the first move.
    pub push: Option<u32>,
    /// Counters that are signalled at the end.
    pub signals: Vec<Count>,
    /// Counters that are waited for at the beginning.
    pub waits: Vec<Count>,
    /// Of a loose thread: what comes before is finished before what follows.
    pub orders: bool,
}

/// A thread of a rank.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// The rank.
    pub rank: u32,
    /// What the file calls it.
    pub block: u32,
    /// Whether memory is ordered between its instructions only by those that say so.
    pub loose: bool,
    /// In order.
    pub instructions: Vec<Instruction>,
}

/// A counter.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    /// Waits that pass without a signal.
    pub initial: u32,
    /// What it is, for people.
    pub name: String,
}

/// A queue of messages.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// The rank that takes them.
    pub to: u32,
    /// What it is, for people.
    pub name: String,
}

/// What a cell is to hold at the end: the sum of what cells held at the beginning.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The rank.
    pub rank: u32,
    /// The buffer, for people.
    pub buffer: Buffer,
    /// The place there.
    pub index: u32,
    /// Input cells.
    pub of: Arc<[Cell]>,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// Of each rank.
    pub memories: Vec<Memory>,
    /// All threads.
    pub threads: Vec<Thread>,
    /// All queues.
    pub queues: Vec<Queue>,
    /// All counters.
    pub counters: Vec<Counter>,
}

impl Threads {
    /// All cells.
    #[must_use]
    pub fn cells(&self) -> u32 {
        let end = |memory: &Memory| (0..3).map(|at| memory.bases[at] + memory.sizes[at]).max();
        self.memories.iter().filter_map(end).max().unwrap_or(0)
    }

    pub(crate) fn finding(&self, rule: &'static str, at: At, text: String) -> Finding {
        let thread = &self.threads[at.thread as usize];
        let found = &thread.instructions[at.instruction as usize];
        Finding {
            rule,
            line: found.line,
            element: format!("gpu {}, thread block {}, step {}", thread.rank, thread.block, found.step),
            text,
        }
    }

    /// A place of memory, for people.
    pub(crate) fn place(&self, cell: Cell) -> String {
        for (rank, memory) in self.memories.iter().enumerate() {
            for buffer in [Buffer::Output, Buffer::Input, Buffer::Scratch] {
                let (base, size) = (memory.bases[buffer as usize], memory.sizes[buffer as usize]);
                if (base..base + size).contains(&cell) {
                    return format!("{}[{}] of gpu {rank}", buffer.letter(), cell - base);
                }
            }
        }
        format!("cell {cell}")
    }
}

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub thread: u32,
    pub instruction: u32,
}
