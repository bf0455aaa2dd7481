//! **What:** accesses to one cell that nothing orders.
//!
//! **Facts:** of the accesses to a cell, sorted along the arcs, only neighbours are compared, one of which writes; whether a path leads from one to the other is
//! found for 64 sources at once.

use super::{Order, Pair};
use crate::Finding;
use std::collections::HashMap;

impl Order<'_> {
    /// Accesses to one cell that nothing orders; at most so many.
    pub(crate) fn races(&self, most: usize) -> Vec<Finding> {
        struct Last {
            write: Option<u32>,
            reads: Vec<u32>,
        }
        let mut position = vec![0u32; self.at.len()];
        (0u32..).zip(&self.sorted).for_each(|(at, node)| position[*node as usize] = at);
        let mut cells: HashMap<u32, Last> = HashMap::new();
        let mut asked: HashMap<Pair, u32> = HashMap::new();
        for node in &self.sorted {
            let at = self.at[*node as usize];
            let of = &self.threads.threads[at.thread as usize].instructions[at.instruction as usize];
            let mut ask = |from: u32, cell: u32| {
                if from != *node {
                    asked.entry(Pair { from, to: *node }).or_insert(cell);
                }
            };
            let spans = |bases: fn(&crate::threads::Move) -> &Vec<u32>| {
                of.moves
                    .iter()
                    .flat_map(move |of| bases(of).iter().flat_map(|base| *base..base + of.count))
                    .collect::<Vec<u32>>()
            };
            for cell in spans(|of| &of.sources) {
                let last = cells.entry(cell).or_insert(Last { write: None, reads: Vec::new() });
                last.write.iter().for_each(|from| ask(*from, cell));
                last.reads.push(*node);
            }
            for cell in spans(|of| &of.targets) {
                let last = cells.entry(cell).or_insert(Last { write: None, reads: Vec::new() });
                last.write.iter().chain(&last.reads).for_each(|from| ask(*from, cell));
                *last = Last { write: Some(*node), reads: Vec::new() };
            }
        }
        let mut races = self.unordered(&position, asked.keys().copied().chain(self.turns.iter().copied()).collect());
        races.sort_unstable_by_key(|pair| position[pair.from as usize]);
        races.truncate(most);
        let name = |node: u32| {
            let at = self.at[node as usize];
            let thread = &self.threads.threads[at.thread as usize];
            let step = thread.instructions[at.instruction as usize].step;
            format!("gpu {}, thread block {}, step {step}", thread.rank, thread.block)
        };
        let say = |pair: &Pair| match asked.get(pair) {
            Some(cell) => {
                let text = format!("uses {} at the same time as {}", self.threads.place(*cell), name(pair.to));
                self.say("race", pair.from, text)
            }
            None => self.say("race", pair.from, format!("signals or waits at the same time as {}", name(pair.to))),
        };
        races.iter().map(say).collect()
    }

    /// Pairs without a path from one to the other.
    fn unordered(&self, position: &[u32], mut pairs: Vec<Pair>) -> Vec<Pair> {
        let strict = |pair: &Pair| {
            let (from, to) = (self.at[pair.from as usize], self.at[pair.to as usize]);
            from.thread == to.thread
                && from.instruction < to.instruction
                && !self.threads.threads[from.thread as usize].loose
        };
        pairs.retain(|pair| !strict(pair) && !self.arcs.from(pair.from).contains(&pair.to));
        pairs.sort_unstable_by_key(|pair| (position[pair.from as usize], position[pair.to as usize]));
        let mut found = Vec::new();
        let mut reached = vec![0u64; self.at.len()];
        let mut rest = &pairs[..];
        while let Some(first) = rest.first() {
            let mut sources: Vec<u32> = Vec::new();
            let mut count = 0;
            for pair in rest {
                if sources.last() != Some(&pair.from) {
                    if sources.len() == 64 {
                        break;
                    }
                    sources.push(pair.from);
                }
                count += 1;
            }
            let (now, later) = rest.split_at(count);
            rest = later;
            let start = position[first.from as usize] as usize;
            let end = now.iter().map(|pair| position[pair.to as usize]).max().unwrap_or(0) as usize;
            let span = &self.sorted[start..=end.max(start)];
            span.iter().for_each(|node| reached[*node as usize] = 0);
            (0u32..).zip(&sources).for_each(|(bit, node)| reached[*node as usize] |= 1 << bit);
            for node in span {
                let mask = reached[*node as usize];
                if mask != 0 {
                    for to in self.arcs.from(*node).iter().filter(|to| position[**to as usize] as usize <= end) {
                        reached[*to as usize] |= mask;
                    }
                }
            }
            let mut bit = 0;
            for (at, pair) in now.iter().enumerate() {
                if at > 0 && now[at - 1].from != pair.from {
                    bit += 1;
                }
                if reached[pair.to as usize] >> bit & 1 == 0 {
                    found.push(*pair);
                }
            }
        }
        found
    }
}
