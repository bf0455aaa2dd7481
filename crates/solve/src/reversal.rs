//! **What:** collectives that end at few nodes, made by running those that begin there backwards: gather from scatter,
//! reduce from broadcast, reduce_scatter from allgather, on the network with all channels turned round.
//!
//! **Theory:** run backwards, the last steps come first and every path is walked from its end, so capacities, ports and
//! half-duplex groups are obeyed step by step. A message that is delivered once to each node travels along a tree; backwards,
//! every node sends once, to its parent, after all its children have sent, which merges each contribution exactly once.
//! So deliveries of what a node already has, and those that help nobody, are taken out first.
//!
//! **Loses** nothing: a problem and its reversal have schedules of the same numbers of steps.

use crate::portfolio::best_of;
use crate::{ENGINES, Engine, Run};
use kernel::{Message, Network, Op, Problem, Schedule, Semantics, Switching, Transfer};

/// The engine "reversal".
pub struct Reversal;

const NAME: &str = "reversal";

impl Engine for Reversal {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "gather, reduce and reduce_scatter: scatter, broadcast and allgather run backwards"
    }

    fn source(&self) -> &'static str {
        "folklore; the dissertation's section on reductions"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let mut ends = collective.messages().map(|m| collective.destinations(m));
        let gathers = ends.next().is_some_and(|first| first.len() == 1 && ends.all(|e| e == first));
        let merges = collective.semantics() == Semantics::Reduce;
        let slots = matches!(problem.model().switching, Switching::Tdm { .. });
        (gathers || merges) && !slots && problem.reversed().is_some_and(|r| others().any(|e| e.applies(&r)))
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let reversed = problem.reversed()?;
        let engines: Vec<&'static dyn Engine> = others().collect();
        let solution = best_of(&engines, &reversed, floor, run)?;
        Some(reverse_schedule(solution.schedule.problem(), solution.schedule.schedule()))
    }
}

/// Reversing twice leads back, so the engine does not call itself.
fn others() -> impl Iterator<Item = &'static dyn Engine> {
    ENGINES.iter().copied().filter(|e| e.name() != NAME)
}

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
