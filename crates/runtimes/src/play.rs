//! **What:** the interpreter: plays threads in an order that a seed picks, on a random number in every input cell.
//!
//! **Facts:** an instruction reads when it begins and writes when it ends, and others may run between. A sum of the wrong contributions is right by chance
//! in one of 2^64 cases. A queue holds a limited number of messages, the one that is being written counted.

use crate::Finding;
use crate::threads::{At, Goal, Threads};
use std::collections::VecDeque;

/// What a rank has in a cell at first.
fn contribution(seed: u64, cell: u32) -> u64 {
    mix(mix(seed ^ 0x51_7c_c1_b7) ^ u64::from(cell))
}

/// SplitMix64: each number once, in an order that looks random.
fn mix(state: u64) -> u64 {
    let mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

struct Player<'t> {
    threads: &'t Threads,
    memory: Vec<Option<u64>>,
    /// Of each thread, instructions that are finished.
    done: Vec<u32>,
    /// Of each thread, what the instruction that has begun has read: the values of each move.
    begun: Vec<Option<Vec<Vec<u64>>>>,
    queues: Vec<VecDeque<Vec<u64>>>,
    /// Messages of each queue that are being written.
    writing: Vec<usize>,
    counters: Vec<u64>,
    capacity: usize,
}

/// Plays a program to its end and compares what the goals say.
///
/// # Errors
/// The first thing that does not hold in this order.
pub fn play(threads: &Threads, goals: &[Goal], capacity: usize, seed: u64) -> Result<(), Finding> {
    let mut memory = vec![None; threads.cells() as usize];
    let inputs = || threads.memories.iter().flat_map(|memory| (0..memory.sizes[0]).map(|at| memory.bases[0] + at));
    for cell in inputs() {
        memory[cell as usize] = Some(contribution(seed, cell));
    }
    let count = threads.threads.len();
    let mut player = Player {
        threads,
        memory,
        done: vec![0; count],
        begun: vec![None; count],
        queues: vec![VecDeque::new(); threads.queues.len()],
        writing: vec![0; threads.queues.len()],
        counters: threads.counters.iter().map(|counter| u64::from(counter.initial)).collect(),
        capacity,
    };
    player.run(seed)?;
    for goal in goals {
        let cell = threads.memories[goal.rank as usize].cell(goal.buffer, goal.index);
        let right = goal.of.iter().map(|cell| contribution(seed, *cell)).fold(0, u64::wrapping_add);
        let found = cell.and_then(|cell| player.memory[cell as usize]);
        if found != Some(right) {
            let of = goal.of.iter().map(|cell| threads.place(*cell)).collect::<Vec<_>>();
            let has = match found {
                None => "nothing".to_owned(),
                Some(value) => match inputs().find(|cell| contribution(seed, *cell) == value) {
                    Some(cell) => threads.place(cell),
                    None => "another sum".to_owned(),
                },
            };
            let shown = if of.len() > 8 {
                format!("{} + … ({} in all)", of[..4].join(" + "), of.len())
            } else {
                of.join(" + ")
            };
            return Err(Finding {
                rule: "result",
                line: 0,
                element: format!("gpu {}", goal.rank),
                text: format!("ends with {has} in {}[{}], where {shown} is to be", goal.buffer.letter(), goal.index),
            });
        }
    }
    Ok(())
}

impl Player<'_> {
    fn run(&mut self, seed: u64) -> Result<(), Finding> {
        let mut state = mix(seed);
        let mut live: Vec<u32> = (0..self.threads.threads.len() as u32).collect();
        live.retain(|thread| !self.threads.threads[*thread as usize].instructions.is_empty());
        while !live.is_empty() {
            state = mix(state);
            let start = (state % live.len() as u64) as usize;
            // The first that can do something, from a random one on.
            let Some(at) = (0..live.len()).map(|at| (start + at) % live.len()).find(|at| self.can(live[*at])) else {
                let thread = live[0];
                let at = At { thread, instruction: self.done[thread as usize] };
                return Err(self.threads.finding("deadlock", at, "waits for ever".into()));
            };
            let thread = live[at];
            self.advance(thread)?;
            if self.done[thread as usize] as usize == self.threads.threads[thread as usize].instructions.len() {
                live.swap_remove(at);
            }
        }
        Ok(())
    }

    fn can(&self, thread: u32) -> bool {
        if self.begun[thread as usize].is_some() {
            return true;
        }
        let next = &self.threads.threads[thread as usize].instructions[self.done[thread as usize] as usize];
        next.after.iter().all(|(of, step)| self.done[*of as usize] > *step)
            && next.pop.is_none_or(|queue| !self.queues[queue as usize].is_empty())
            && next.push.is_none_or(|queue| {
                let queue = queue as usize;
                self.queues[queue].len() + self.writing[queue] < self.capacity
            })
            && next.waits.iter().all(|wait| self.counters[wait.counter as usize] > 0)
    }

    fn advance(&mut self, thread: u32) -> Result<(), Finding> {
        let at = At { thread, instruction: self.done[thread as usize] };
        let instruction = &self.threads.threads[thread as usize].instructions[at.instruction as usize];
        let Some(values) = self.begun[thread as usize].take() else {
            for wait in &instruction.waits {
                self.counters[wait.counter as usize] -= 1;
            }
            let popped = instruction.pop.and_then(|queue| self.queues[queue as usize].pop_front());
            if let Some(queue) = instruction.push {
                self.writing[queue as usize] += 1;
            }
            let mut read = Vec::new();
            for of in &instruction.moves {
                let mut values = popped.clone().unwrap_or_default();
                values.resize(of.count as usize, 0);
                for source in &of.sources {
                    for (lane, value) in (0..).zip(&mut values) {
                        let cell = source + lane;
                        let found = self.memory[cell as usize].ok_or_else(|| {
                            let text = format!("reads {}, where nothing is", self.threads.place(cell));
                            self.threads.finding("unwritten", at, text)
                        })?;
                        *value = value.wrapping_add(found);
                    }
                }
                read.push(values);
            }
            self.begun[thread as usize] = Some(read);
            return Ok(());
        };
        for (of, values) in instruction.moves.iter().zip(&values) {
            for target in &of.targets {
                for (lane, value) in (0..).zip(values) {
                    self.memory[(target + lane) as usize] = Some(*value);
                }
            }
        }
        if let Some(queue) = instruction.push {
            self.writing[queue as usize] -= 1;
            self.queues[queue as usize].push_back(values.into_iter().next().unwrap_or_default());
        }
        for signal in &instruction.signals {
            self.counters[signal.counter as usize] += 1;
        }
        self.done[thread as usize] += 1;
        Ok(())
    }
}
