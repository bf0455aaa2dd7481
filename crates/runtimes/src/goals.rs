//! **What:** what the ranks of a program are to end with, as its layout says.

use crate::threads::{Buffer, Goal, Threads};
use kernel::{Message, Node, Semantics};
use program::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// Goals in the cells of the common form.
pub(crate) fn program_goals(program: &Program, threads: &Threads) -> Vec<Goal> {
    let (layout, collective) = (program.layout(), program.collective());
    let ranks: HashMap<Node, u32> = program.ranks().iter().zip(0..).map(|(rank, at)| (rank.node, at)).collect();
    let cell = |message: Message, node: &Node| {
        let place = layout.input(message, *node)?;
        threads.memories[ranks[node] as usize].cell(Buffer::Input, place.index)
    };
    let mut goals = Vec::new();
    for message in collective.messages() {
        let of: Arc<[u32]> = match collective.semantics() {
            Semantics::Copy => cell(message, &collective.origin(message)).into_iter().collect(),
            Semantics::Reduce => {
                collective.contributors(message).iter().filter_map(|node| cell(message, node)).collect()
            }
        };
        for node in collective.destinations(message) {
            if let Some(place) = layout.output(message, *node) {
                goals.push(Goal { rank: ranks[node], buffer: Buffer::Output, index: place.index, of: of.clone() });
            }
        }
    }
    for (rank, of) in (0u32..).zip(program.ranks()) {
        for (from, to) in layout.own(of.node) {
            let from = threads.memories[rank as usize].cell(Buffer::Input, from.index);
            goals.push(Goal { rank, buffer: Buffer::Output, index: to.index, of: from.into_iter().collect() });
        }
    }
    goals
}
