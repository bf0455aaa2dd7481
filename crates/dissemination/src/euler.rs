//! **What:** broadcast and allgather on a circuit through all channels.
//!
//! **Facts.** Where as many channels enter every node as leave it, and the network is connected, one closed walk uses every
//! channel exactly once. The stretches of the walk between the members of the collective share no channel, so the members
//! form a one-way ring in which all may send to their successors at once. Allgather then takes `P − 1` steps, which is
//! least where a member receives one message a step; broadcast takes `⌈log2 P⌉`: each informed member serves the middle
//! of the stretch of members behind it, over disjoint parts of the walk.
//!
//! **When it loses.** Where nodes have many channels, of which this uses one each at a time.
//!
//! **Source:** C. Hierholzer, "Über die Möglichkeit, einen Linienzug ohne Wiederholung zu umfahren" (1873); A. Farley,
//! "Minimum-time line broadcast networks" (1980).

use graph::distances::within_slack;
use kernel::{Channel, Message, Node, Problem, Schedule, Semantics, Switching};
use run::{Budget, Method, Run};

/// The engine "euler-ring".
pub struct EulerRing;

impl Method for EulerRing {
    fn name(&self) -> &'static str {
        "euler-ring"
    }

    fn about(&self) -> &'static str {
        "broadcast and allgather along a circuit through all channels"
    }

    fn source(&self) -> &'static str {
        "Hierholzer 1873; Farley 1980"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let network = problem.network();
        let balanced = |v: Node| network.incoming(v).len() == network.outgoing(v).len();
        let members = members(problem);
        // An allgather of P − 1 steps is worth making where it is the best possible.
        let narrow = |m: &[Node]| is_broadcast(problem) || m.iter().any(|&v| network.receive_capacity(v) == 1);
        problem.model().switching == Switching::Wormhole
            && network.half_duplex().is_empty()
            && network.nodes().all(balanced)
            && members.is_some_and(|m| m.len() > 1 && narrow(&m))
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        // One look, which takes about as long as the schedule is large; only a clock ends it.
        let budget = &mut Budget::new(run, u64::MAX);
        let members = members(problem)?;
        let ring = Ring::new(problem, &members, budget)?;
        let schedule = if is_broadcast(problem) { ring.broadcast(budget) } else { ring.allgather(budget) };
        // Nothing keeps the stretches of the walk short.
        schedule.filter(|schedule| within_slack(problem, schedule, run.settings.slack, budget))
    }
}

fn is_broadcast(problem: &Problem) -> bool {
    problem.collective().message_count() == 1
}

/// The nodes that start with the message or end with it, where each of them starts with one message for all others, or one
/// of them with the only message; the first is the origin of message 0.
pub(crate) fn members(problem: &Problem) -> Option<Vec<Node>> {
    let collective = problem.collective();
    if collective.semantics() != Semantics::Copy || collective.message_count() == 0 {
        return None;
    }
    let with_origin = |m: Message| {
        let mut all = collective.destinations(m).to_vec();
        all.push(collective.origin(m));
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut members = with_origin(Message(0));
    if collective.message_count() > 1 {
        let mut origins: Vec<Node> = collective.messages().map(|m| collective.origin(m)).collect();
        origins.sort_unstable();
        if origins != members || collective.messages().any(|m| with_origin(m) != members) {
            return None;
        }
    }
    let first = members.iter().position(|&v| v == collective.origin(Message(0)))?;
    members.rotate_left(first);
    Some(members)
}

/// The members in the order in which the circuit first meets them, with the stretch of it from each to the next.
pub(crate) struct Ring<'a> {
    problem: &'a Problem,
    order: Vec<Node>,
    stretches: Vec<Vec<Channel>>,
}

impl<'a> Ring<'a> {
    fn new(problem: &'a Problem, members: &[Node], budget: &mut Budget<'_>) -> Option<Self> {
        let network = problem.network();
        let mut open = vec![false; network.node_count()];
        members.iter().for_each(|v| open[v.index()] = true);
        let mut order = Vec::new();
        let mut stretches: Vec<Vec<Channel>> = Vec::new();
        for channel in circuit(problem, members[0], budget)? {
            if std::mem::replace(&mut open[network.from(channel).index()], false) {
                order.push(network.from(channel));
                stretches.push(Vec::new());
            }
            stretches.last_mut()?.push(channel);
        }
        (order.len() == members.len()).then_some(Ring { problem, order, stretches })
    }

    /// The ring of these members, with a stretch from each to the next.
    pub(crate) fn along(problem: &'a Problem, order: Vec<Node>, stretches: Vec<Vec<Channel>>) -> Self {
        Ring { problem, order, stretches }
    }

    /// A path along the ring over `count` stretches from position `at`, without the circles of the walk; `None` where it
    /// passes a node that lets nothing pass.
    fn path(&self, at: usize, count: usize, budget: &mut Budget<'_>) -> Option<Vec<Channel>> {
        let network = self.problem.network();
        let mut path: Vec<Channel> = Vec::new();
        for &channel in (at..at + count).flat_map(|i| &self.stretches[i % self.stretches.len()]) {
            let from = network.from(channel);
            if !budget.spend(1 + path.len() as u64 / 8) {
                return None;
            }
            if let Some(before) = path.iter().position(|&c| network.from(c) == from) {
                path.truncate(before);
            }
            path.push(channel);
        }
        path.iter().skip(1).all(|&c| self.problem.path_passes(network.from(c))).then_some(path)
    }

    fn broadcast(&self, budget: &mut Budget<'_>) -> Option<Schedule> {
        let mut schedule = Schedule::new();
        // Stretches of members of which the first is informed.
        let mut parts = vec![(0, self.order.len())];
        while parts.iter().any(|&(_, length)| length > 1) {
            schedule.begin_step();
            let mut next = Vec::new();
            for (at, length) in parts {
                let half = length.div_ceil(2);
                if length > 1 {
                    schedule.send(Message(0), &self.path(at, half, budget)?);
                    next.push((at + half, length - half));
                }
                next.push((at, half));
            }
            parts = next;
        }
        Some(schedule)
    }

    pub(crate) fn allgather(&self, budget: &mut Budget<'_>) -> Option<Schedule> {
        let collective = self.problem.collective();
        let mut message_of = vec![Message(0); self.problem.network().node_count()];
        collective.messages().for_each(|m| message_of[collective.origin(m).index()] = m);
        let members = self.order.len();
        let paths: Vec<Vec<Channel>> = (0..members).map(|at| self.path(at, 1, budget)).collect::<Option<_>>()?;
        let mut schedule = Schedule::new();
        for step in 0..members - 1 {
            schedule.begin_step();
            if !budget.spend(members as u64) {
                return None;
            }
            for (at, path) in paths.iter().enumerate() {
                // What the member made, or received in the step before.
                let origin = self.order[(at + members - step) % members];
                schedule.send(message_of[origin.index()], path);
            }
        }
        Some(schedule)
    }
}

/// A closed walk from `start` over all channels that it can reach, each once; every node is balanced. `None` where the budget
/// ends first.
fn circuit(problem: &Problem, start: Node, budget: &mut Budget<'_>) -> Option<Vec<Channel>> {
    let network = problem.network();
    let mut next = vec![0; network.node_count()];
    let mut walk: Vec<Channel> = Vec::new();
    let mut circuit = Vec::new();
    while budget.spend(1) {
        let at = walk.last().map_or(start, |&c| network.to(c));
        if let Some(&channel) = network.outgoing(at).get(next[at.index()]) {
            next[at.index()] += 1;
            walk.push(channel);
        } else if let Some(channel) = walk.pop() {
            circuit.push(channel);
        } else {
            circuit.reverse();
            return Some(circuit);
        }
    }
    None
}
