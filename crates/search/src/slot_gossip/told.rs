//! **What:** calls as a schedule of a reduction: each carries contributions that its sender has apart.

use super::Call;
use kernel::{Message, Node, Op, Problem, Schedule, Transfer};
use std::collections::{BTreeMap, BTreeSet};

/// The schedule of one chunk whose transfers are numbered calls; of several calls that tell a node of the same contribution the first does.
pub(super) fn merged(problem: &Problem, calls: &[Call], raw: &Schedule, hop: u32) -> Schedule {
    let (network, chunk) = (problem.network(), Message(0));
    let mut is_end = vec![false; network.node_count()];
    problem.collective().destinations(chunk).iter().for_each(|v| is_end[v.index()] = true);
    // Of every node, what came and stays apart, in the order in which it came: a contribution, or a sum that is not sent on.
    let mut apart: Vec<Vec<Option<Node>>> = vec![Vec::new(); network.node_count()];
    let mut has: BTreeSet<(Node, Node)> = BTreeSet::new();
    let mut due: BTreeMap<u64, Vec<(Node, Option<Node>)>> = BTreeMap::new();
    let mut schedule = Schedule::new();
    // What is told of one by one is merged first, wherever it is told of again.
    for call in calls.iter().filter(|call| is_end[call.to.index()]) {
        if let [of] = call.of[..] {
            has.insert((call.to, of));
        }
    }
    let mut merged: BTreeSet<(Node, Node)> = BTreeSet::new();
    for (now, step) in (0u64..).zip(raw.steps()) {
        schedule.begin_step();
        while let Some(entry) = due.first_entry().filter(|entry| *entry.key() < now) {
            entry.remove().into_iter().for_each(|(node, what)| apart[node.index()].push(what));
        }
        for transfer in step {
            let Some(call) = transfer.messages.first().map(|m| &calls[m.index()]) else { continue };
            let (from, to) = (call.from, call.to);
            let partial = |of: Node| match of == from {
                true => Some(0),
                false => apart[from.index()].iter().position(|what| *what == Some(of)).map(|at| at as u32 + 1),
            };
            let (of, op): (Vec<Node>, Op) = match call.of[..] {
                [one] if !is_end[to.index()] || !merged.insert((to, one)) => (vec![one], Op::Keep),
                [one] => (vec![one], Op::Reduce),
                _ => (call.of.iter().copied().filter(|of| *of != to && has.insert((to, *of))).collect(), Op::Reduce),
            };
            let partials: Vec<u32> = of.iter().filter_map(|of| partial(*of)).collect();
            if partials.is_empty() {
                continue;
            }
            schedule.push(Transfer { messages: &[chunk], path: transfer.path, op, partials: &partials });
            let arrives = now + transfer.path.len() as u64 * u64::from(hop);
            let what = if let [one] = of[..] { Some(one) } else { None };
            due.entry(arrives).or_default().push((to, what));
        }
    }
    schedule
}
