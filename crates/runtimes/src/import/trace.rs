//! **What:** plays threads once, with symbols in place of numbers: what each cell holds, and what each transfer carries, as sums of inputs and of what came.

use super::Lane;
use crate::CAPACITY;
use crate::order::Order;
use crate::threads::{Cell, Threads};
use std::collections::{HashMap, VecDeque};

/// What a cell holds. Sums are of values with smaller numbers.
pub(super) enum Value {
    /// What the cell held at first.
    Input(Cell),
    /// What a transfer brought.
    Came(u32),
    /// The sum of values.
    Sum(Vec<u32>),
}

/// A chunk that goes from one rank to another.
pub(super) struct Carried {
    pub lane: Lane,
    pub value: u32,
}

/// All values and transfers.
pub(super) struct Trace {
    pub values: Vec<Value>,
    pub lanes: Vec<Carried>,
    /// What each cell holds at the end, where it holds anything.
    cells: Vec<Option<u32>>,
}

struct Player<'t> {
    threads: &'t Threads,
    trace: Trace,
    owners: Vec<u32>,
    /// Values under way, and their receivers, which pop them.
    queues: Vec<VecDeque<Vec<u32>>>,
    /// The connections of pairs of ranks between which memory is moved.
    direct: HashMap<(u32, u32), u32>,
}

impl Trace {
    /// The trace of threads that pass the check.
    pub(super) fn of(threads: &Threads) -> Self {
        let count = threads.cells() as usize;
        let (mut owners, mut cells, mut values) = (vec![0; count], vec![None; count], Vec::new());
        for (rank, memory) in (0u32..).zip(&threads.memories) {
            for side in 0..3 {
                let (first, size) = (memory.bases[side] as usize, memory.sizes[side] as usize);
                owners[first..first + size].fill(rank);
            }
            for cell in memory.bases[0]..memory.bases[0] + memory.sizes[0] {
                cells[cell as usize] = Some(values.len() as u32);
                values.push(Value::Input(cell));
            }
        }
        let queues = vec![VecDeque::new(); threads.queues.len()];
        let trace = Trace { values, lanes: Vec::new(), cells };
        let mut player = Player { threads, trace, owners, queues, direct: HashMap::new() };
        let order = Order::of(threads, CAPACITY).unwrap_or_else(|_| unreachable!("the check has found an order"));
        for at in order.in_order() {
            player.run(at.thread, at.instruction);
        }
        player.trace
    }

    /// What a cell holds at the end; what passes the check holds what is asked for.
    pub(super) fn end(&self, cell: Cell) -> Option<u32> {
        self.cells[cell as usize]
    }

    fn value(&mut self, value: Value) -> u32 {
        self.values.push(value);
        u32::try_from(self.values.len() - 1).expect("accesses are at most 2^25")
    }

    /// A transfer of a value; what it is where it has come.
    fn lane(&mut self, lane: Lane, value: u32) -> u32 {
        self.lanes.push(Carried { lane, value });
        let number = u32::try_from(self.lanes.len() - 1).expect("accesses are at most 2^25");
        self.value(Value::Came(number))
    }
}

impl Player<'_> {
    fn run(&mut self, thread: u32, instruction: u32) {
        let of = &self.threads.threads[thread as usize];
        let (rank, of) = (of.rank, &of.instructions[instruction as usize]);
        let popped = of.pop.and_then(|queue| self.queues[queue as usize].pop_front());
        // All is read before anything is written.
        let mut read = Vec::with_capacity(of.moves.len());
        for moved in &of.moves {
            let mut lanes = Vec::with_capacity(moved.count as usize);
            for lane in 0..moved.count {
                let mut parts: Vec<u32> = popped.iter().map(|popped| popped[lane as usize]).collect();
                for source in &moved.sources {
                    let cell = (source + lane) as usize;
                    let value = self.trace.cells[cell].expect("what passes the check reads what is there");
                    parts.push(self.carried(value, self.owners[cell], rank));
                }
                lanes.push(if let [one] = parts[..] { one } else { self.trace.value(Value::Sum(parts)) });
            }
            read.push(lanes);
        }
        for (moved, values) in of.moves.iter().zip(&read) {
            for target in &moved.targets {
                for (lane, value) in (0u32..).zip(values) {
                    let cell = (target + lane) as usize;
                    self.trace.cells[cell] = Some(self.carried(*value, rank, self.owners[cell]));
                }
            }
        }
        if let Some(queue) = of.push {
            let to = self.receiver(queue);
            let values = read.into_iter().next().unwrap_or_default();
            let lanes =
                values.into_iter().map(|value| self.trace.lane(Lane { from: rank, to, connection: queue }, value));
            let lanes = lanes.collect();
            self.queues[queue as usize].push_back(lanes);
        }
    }

    /// The rank that takes what a queue brings.
    fn receiver(&self, queue: u32) -> u32 {
        self.threads.queues[queue as usize].to
    }

    /// A value that is moved from memory to memory.
    fn carried(&mut self, value: u32, from: u32, to: u32) -> u32 {
        if from == to {
            return value;
        }
        let next = u32::try_from(self.queues.len() + self.direct.len()).expect("accesses are at most 2^25");
        let connection = *self.direct.entry((from, to)).or_insert(next);
        self.trace.lane(Lane { from, to, connection }, value)
    }
}
