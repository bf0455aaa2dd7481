//! **What:** the collective of a program whose name says nothing: every chunk of output that holds something of other ranks is a message, and chunks that hold
//! the same are one.

use super::ImportError;
use super::needed::Wanted;
use super::trace::{Trace, Value};
use crate::threads::{Buffer, Cell, Threads};
use kernel::{Collective, Message, Node, Semantics};
use std::collections::HashMap;
use std::sync::Arc;

/// Most contributions that are listed.
const MOST: usize = 1 << 25;

/// The input cells that each value is the sum of, ascending.
fn contents(trace: &Trace) -> Result<Vec<Arc<[Cell]>>, ImportError> {
    let mut contents: Vec<Arc<[Cell]>> = Vec::with_capacity(trace.values.len());
    let mut listed = 0;
    for value in &trace.values {
        let content = match value {
            Value::Input(cell) => Arc::from([*cell]),
            Value::Came(lane) => contents[trace.lanes[*lane as usize].value as usize].clone(),
            Value::Sum(of) => {
                let mut all: Vec<Cell> =
                    of.iter().flat_map(|value| contents[*value as usize].iter().copied()).collect();
                all.sort_unstable();
                listed += all.len();
                if listed > MOST {
                    return Err(ImportError::TooLarge { most: MOST });
                }
                all.into()
            }
        };
        contents.push(content);
    }
    Ok(contents)
}

/// The collective, and the cells where its messages end.
pub(super) fn collective(
    trace: &Trace,
    threads: &Threads,
    nodes: &[Node],
) -> Result<(Collective, Vec<Wanted>), ImportError> {
    let contents = contents(trace)?;
    let mut numbers: HashMap<Arc<[Cell]>, u32> = HashMap::new();
    let mut messages: Vec<(Vec<Node>, Vec<Node>)> = Vec::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    let ranks = Ranks::of(threads);
    for (rank, memory) in (0u32..).zip(&threads.memories) {
        for index in 0..memory.sizes[Buffer::Output as usize] {
            let cell = memory.bases[Buffer::Output as usize] + index;
            let Some(value) = trace.end(cell) else { continue };
            let content = &contents[value as usize];
            let from: Vec<u32> = content.iter().map(|cell| ranks.of_input(*cell)).collect();
            if let Some(pair) = from.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(ImportError::OwnTwice { rank, of: pair[0] });
            }
            if from == [rank] {
                continue;
            }
            let message = *numbers.entry(content.clone()).or_insert_with(|| {
                messages.push((from.iter().map(|rank| nodes[*rank as usize]).collect(), Vec::new()));
                messages.len() as u32 - 1
            });
            let to = &mut messages[message as usize].1;
            let node = nodes[rank as usize];
            if to.last() != Some(&node) {
                to.push(node);
                wanted.push(Wanted { message: Message(message), rank, cell });
            }
        }
    }
    let sums = messages.iter().any(|(from, _)| from.len() > 1);
    let semantics = if sums { Semantics::Reduce } else { Semantics::Copy };
    let collective =
        Collective::new("custom", semantics, None, messages).expect("ranks ascend, and none is listed twice");
    Ok((collective, wanted))
}

/// Whose input a cell is.
struct Ranks(Vec<Cell>);

impl Ranks {
    fn of(threads: &Threads) -> Self {
        Ranks(threads.memories.iter().map(|memory| memory.bases[Buffer::Input as usize]).collect())
    }

    fn of_input(&self, cell: Cell) -> u32 {
        self.0.partition_point(|first| *first <= cell) as u32 - 1
    }
}
