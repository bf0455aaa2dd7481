//! **What:** schedules of one problem made into schedules of another: run backwards, or with the messages of an origin in place
//! of one that stands for them.

use kernel::{Collective, Message, Network, Node, Op, Problem, Schedule, Semantics, Transfer};
use std::collections::BTreeMap;

/// A schedule of `problem` run backwards: steps and paths reversed, after [`deliver_once`]. Channels keep their numbers in
/// [`Network::reversed`](kernel::Network::reversed), so the result fits the reversed problem.
pub fn reverse_schedule(problem: &Problem, schedule: &Schedule) -> Schedule {
    let once = deliver_once(problem, schedule);
    let mut backwards = Schedule::new();
    let mut path = Vec::new();
    for step in (0..once.step_count()).rev() {
        backwards.begin_step();
        for transfer in once.step(step) {
            path.clear();
            path.extend(transfer.path.iter().rev());
            backwards.push(Transfer { messages: transfer.messages, path: &path, op: Op::Reduce });
        }
    }
    backwards
}

/// The same schedule of semantics `copy` without deliveries of a message to a node that has it, or that neither needs it
/// nor sends it on. As many steps; transfers that carry nothing more are dropped.
pub fn deliver_once(problem: &Problem, schedule: &Schedule) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    let nodes = network.node_count();
    let place = |message: Message, node: usize| message.index() * nodes + node;
    let mut holds = vec![false; collective.message_count() * nodes];
    let mut needed = holds.clone();
    for message in collective.messages() {
        holds[place(message, collective.origin(message).index())] = true;
        for &node in collective.destinations(message) {
            needed[place(message, node.index())] = true;
        }
    }
    // Forwards: the first delivery of each message to each node.
    let steps: Vec<Vec<Transfer<'_>>> = schedule.steps().map(Iterator::collect).collect();
    let mut first: Vec<Vec<Vec<Message>>> = Vec::new();
    for step in &steps {
        let mut kept = Vec::new();
        for transfer in step {
            let end = receiver(network, transfer);
            let new = |m: &Message| !std::mem::replace(&mut holds[place(*m, end)], true);
            kept.push(transfer.messages.iter().copied().filter(new).collect());
        }
        first.push(kept);
    }
    // Backwards: those whose receiver needs the message or sends it on.
    for (step, kept) in steps.iter().zip(&mut first).rev() {
        for (transfer, messages) in step.iter().zip(kept) {
            let (start, end) = (sender(network, transfer), receiver(network, transfer));
            messages.retain(|&m| needed[place(m, end)]);
            for &m in messages.iter() {
                needed[place(m, start)] = true;
            }
        }
    }
    let mut once = Schedule::new();
    for (step, kept) in steps.iter().zip(&first) {
        once.begin_step();
        for (transfer, messages) in step.iter().zip(kept) {
            if !messages.is_empty() {
                once.push(Transfer { messages, ..*transfer });
            }
        }
    }
    once
}

fn sender(network: &Network, transfer: &Transfer<'_>) -> usize {
    transfer.path.first().map_or(0, |&c| network.from(c).index())
}

fn receiver(network: &Network, transfer: &Transfer<'_>) -> usize {
    transfer.path.last().map_or(0, |&c| network.to(c).index())
}

/// Whether messages may be combined and some origin has several.
pub fn bundles(problem: &Problem) -> bool {
    let collective = problem.collective();
    if !problem.model().combining || collective.semantics() != Semantics::Copy {
        return false;
    }
    let mut seen = vec![false; problem.network().node_count()];
    collective.messages().any(|m| std::mem::replace(&mut seen[collective.origin(m).index()], true))
}

/// The problem with one message an origin, in the order of the origins.
pub fn tokens(problem: &Problem) -> Option<Problem> {
    let collective = problem.collective();
    let mut all: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for message in collective.messages() {
        all.entry(collective.origin(message)).or_default().extend(collective.destinations(message));
    }
    for receivers in all.values_mut() {
        receivers.sort_unstable();
        receivers.dedup();
    }
    let root = all.keys().next().copied().filter(|_| all.len() == 1);
    let name = if root.is_some() { "broadcast" } else { "allgather" };
    let messages = all.into_iter().map(|(origin, receivers)| (vec![origin], receivers));
    let tokens = Collective::new(name, Semantics::Copy, root, messages).ok()?;
    Problem::new(problem.network().clone(), tokens, problem.model()).ok()
}

/// A schedule of the tokens as one of the messages: each goes the way of its origin's token to its receivers.
pub fn unbundle(problem: &Problem, tokens: &Problem, schedule: &Schedule) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    let nodes = network.node_count();
    // A node gets a token once, so there is one way back to the origin.
    let once = deliver_once(tokens, schedule);
    let steps: Vec<Vec<Transfer<'_>>> = once.steps().map(Iterator::collect).collect();
    let mut token_of = vec![usize::MAX; nodes];
    for token in tokens.collective().messages() {
        token_of[tokens.collective().origin(token).index()] = token.index();
    }
    // The transfer that brings a token to a node, and the node it comes from: `tokens × nodes`.
    let mut brought = vec![None; tokens.collective().message_count() * nodes];
    let transfers = steps.iter().flatten().enumerate();
    for (number, transfer) in transfers {
        let (Some(&first), Some(&last)) = (transfer.path.first(), transfer.path.last()) else { continue };
        for token in transfer.messages {
            brought[token.index() * nodes + network.to(last).index()] = Some((number, network.from(first).index()));
        }
    }
    let mut loads: Vec<Vec<Message>> = vec![Vec::new(); once.transfer_count()];
    for message in collective.messages() {
        let row = token_of[collective.origin(message).index()] * nodes;
        for &receiver in collective.destinations(message) {
            let mut at = receiver.index();
            while let Some((number, from)) = brought[row + at] {
                // Messages come in order, so whatever already goes that way is the last.
                if loads[number].last() == Some(&message) {
                    break;
                }
                loads[number].push(message);
                at = from;
            }
        }
    }
    let mut all = Schedule::new();
    let mut loads = loads.iter();
    for step in &steps {
        all.begin_step();
        for (transfer, messages) in step.iter().zip(loads.by_ref()) {
            if !messages.is_empty() {
                all.push(Transfer { messages, path: transfer.path, op: Op::Reduce });
            }
        }
    }
    all
}
