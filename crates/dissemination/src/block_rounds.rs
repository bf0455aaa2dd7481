//! **What:** the method `block-rounds`: broadcast in several chunks where any node can call any other, each receiving one chunk a step.
//!
//! **Facts.** n chunks to p members take n − 1 + ⌈log₂ p⌉ steps, which is least with one port. In a step all members call the ones at one distance in their
//! order, so calls go over single channels of complete networks, or in and out of a switch that all are attached to.
//!
//! **When it loses.** With several ports per node. It declines where two members have neither a channel nor a switch between them.
//!
//! **Source:** J. L. Träff, Round-optimal n-block broadcast schedules in logarithmic time, 2023.

use graph::block_rounds::{self as rounds, Arrival};
use graph::residual::Residual;
use kernel::{Channel, Message, Node, Problem, Schedule, Semantics, Switching};
use run::{Budget, Method, Run};

/// The method.
pub struct BlockRounds;

impl Method for BlockRounds {
    fn name(&self) -> &'static str {
        "block-rounds"
    }

    fn about(&self) -> &'static str {
        "broadcast in n chunks among p nodes that can all call each other: n - 1 + log2 p steps through one port"
    }

    fn source(&self) -> &'static str {
        "J. L. Träff, Round-optimal n-block broadcast schedules in logarithmic time, 2023"
    }

    fn is_quick(&self, _: &Problem) -> bool {
        true
    }

    fn applies(&self, problem: &Problem) -> bool {
        !problem.model().is_slotted()
            && members(problem).is_some_and(|members| {
                // Distances are powers of two and what halving leaves; the rest is seen when it is made.
                members.len() > 1 && path(problem, members[0], members[members.len().div_ceil(2)]).is_some()
            })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let members = members(problem)?;
        let chunks = problem.collective().message_count();
        let rounds = rounds::BlockRounds::new(members.len())?;
        let steps = rounds.rounds(chunks);
        if run.incumbent.is_some_and(|known| known.steps() <= steps) || (steps as u64) < floor {
            return None;
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        if !budget.spend((members.len() * chunks) as u64) {
            return None;
        }
        let mut calls: Vec<Vec<Call>> = vec![Vec::new(); steps];
        for (chunk, arrivals) in rounds.arrivals(chunks).into_iter().enumerate() {
            for Arrival { round, from, to } in arrivals {
                calls[round].push(Call { chunk, from: members[from], to: members[to] });
            }
        }
        let mut free = Residual::new(problem.network());
        let mut schedule = Schedule::new();
        for step in calls {
            if !budget.spend(step.len() as u64) {
                return None;
            }
            schedule.begin_step();
            free.clear();
            for call in step {
                let path = path(problem, call.from, call.to)?;
                if !free.try_take(&path) {
                    return None;
                }
                schedule.send(Message(u32::try_from(call.chunk).ok()?), &path);
            }
        }
        Some(schedule)
    }
}

/// A chunk that a member sends to another.
#[derive(Clone)]
struct Call {
    chunk: usize,
    from: Node,
    to: Node,
}

/// The root of a broadcast and those that all its chunks are for; `None` of other collectives.
fn members(problem: &Problem) -> Option<Vec<Node>> {
    let collective = problem.collective();
    if collective.semantics() != Semantics::Copy || collective.message_count() == 0 {
        return None;
    }
    let (root, others) = (collective.origin(Message(0)), collective.destinations(Message(0)));
    let is_one = |m: Message| collective.origin(m) == root && collective.destinations(m) == others;
    let others = others.iter().copied().filter(|v| *v != root);
    collective.messages().all(is_one).then(|| [root].into_iter().chain(others).collect())
}

/// From one node to the other in one step: a channel, or two with a switch between them.
fn path(problem: &Problem, from: Node, to: Node) -> Option<Vec<Channel>> {
    let network = problem.network();
    if let Some(direct) = network.channel_between(from, to) {
        return Some(vec![direct]);
    }
    if problem.model().switching != Switching::Wormhole {
        return None;
    }
    let through = |first: &Channel| {
        let switch = network.to(*first);
        let is_between = !network.is_terminal(switch) && problem.path_passes(switch);
        is_between.then(|| Some(vec![*first, network.channel_between(switch, to)?])).flatten()
    };
    network.outgoing(from).iter().find_map(through)
}
