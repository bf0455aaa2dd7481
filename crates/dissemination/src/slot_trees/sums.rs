//! **What:** trees to roots and copies of their sums as one schedule of the reduction.
//!
//! **Facts.** A node whose contribution is in a sum must not merge that sum with what it has: so the first sum that comes to it replaces this, and the others, its own
//! among them, are merged. Only a root has merged a sum from the beginning.

use super::Part;
use kernel::{Channel, Message, Node, Op, Problem, Schedule, Transfer};
use std::collections::{HashMap, HashSet};

/// A transfer on its way.
#[derive(Clone, Copy)]
struct Sent<'a> {
    slot: usize,
    /// The slot in which it arrives, if the period went on.
    ends: usize,
    /// The number of the sum, and whether it is only a part of it.
    sum: usize,
    is_up: bool,
    from: Node,
    to: Node,
    path: &'a [Channel],
}

/// The schedule; message k of both is the sum of `parts[k]`, in pieces on the way `up`.
pub(super) fn merged(problem: &Problem, parts: &[Part], up: &Schedule, down: &Schedule) -> Schedule {
    let mut sent = all(problem, up, true);
    sent.extend(all(problem, down, false));
    let mut count: HashMap<Message, usize> = HashMap::new();
    parts.iter().for_each(|part| *count.entry(part.chunk).or_default() += 1);
    // Arrivals in the order in which they are merged.
    let mut order: Vec<usize> = (0..sent.len()).collect();
    order.sort_by_key(|at| sent[*at].ends);
    let mut came: HashMap<(Message, Node), u32> = HashMap::new();
    // Of each sum at each node, by number, what came of it and stays apart; a root contributes to its own.
    let mut apart: HashMap<(usize, Node), Vec<u32>> =
        parts.iter().enumerate().map(|(sum, part)| ((sum, part.root), vec![0])).collect();
    let mut ops = vec![Op::Reduce; sent.len()];
    let mut begun: HashSet<(Message, Node)> = parts.iter().map(|part| (part.chunk, part.root)).collect();
    for at in order {
        let Sent { sum, is_up, to, .. } = sent[at];
        let place = (parts[sum].chunk, to);
        let number = came.entry(place).or_default();
        *number += 1;
        if !is_up || to == parts[sum].root {
            apart.entry((sum, to)).or_default().push(*number);
        }
        if !is_up && begun.insert(place) {
            ops[at] = Op::Copy;
        }
    }
    let mut schedule = Schedule::new();
    let mut rest = sent.iter().zip(ops).peekable();
    for slot in 0..up.step_count().max(down.step_count()) {
        schedule.begin_step();
        while let Some((sent, op)) = rest.next_if(|(sent, _)| sent.slot == slot) {
            let chunk = parts[sent.sum].chunk;
            let is_one_of_several = !sent.is_up && count.get(&chunk).is_some_and(|count| *count > 1);
            let partials = apart.get(&(sent.sum, sent.from)).filter(|_| is_one_of_several);
            let partials = partials.map_or(&[][..], Vec::as_slice);
            schedule.push(Transfer { messages: &[chunk], path: sent.path, op, partials });
        }
    }
    schedule
}

/// The transfers of one message each, in the order of their slots.
fn all<'a>(problem: &Problem, schedule: &'a Schedule, is_up: bool) -> Vec<Sent<'a>> {
    let network = problem.network();
    let hop = problem.model().switching.slots().map_or(0, |slots| slots.hop as usize);
    let mut all = Vec::with_capacity(schedule.transfer_count());
    for (slot, step) in schedule.steps().enumerate() {
        for transfer in step {
            let (&[message, ..], &[first, ..], &[.., last]) = (transfer.messages, transfer.path, transfer.path) else {
                continue;
            };
            let (from, to) = (network.from(first), network.to(last));
            let ends = slot + transfer.path.len() * hop;
            all.push(Sent { slot, ends, sum: message.index(), is_up, from, to, path: transfer.path });
        }
    }
    all
}
