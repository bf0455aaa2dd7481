//! **What:** schedules of one problem made into schedules of another: run backwards, or with the messages of an origin in place
//! of one that stands for them.

use kernel::{Collective, Message, Network, Node, Problem, Schedule, Semantics, Transfer};
use std::collections::{BTreeMap, BTreeSet, HashSet};

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
            backwards.push(Transfer::new(transfer.messages, &path));
        }
    }
    backwards
}

/// A schedule of `problem` under time-division run backwards, in which each node gets a message once: what arrives in slot e begins e slots
/// before the last one. What is held at the end of a period only must come from its origin, and so must what begins before it: backwards, that is
/// where it ends.
pub fn reverse_slots(problem: &Problem, schedule: &Schedule, hop: u32) -> Schedule {
    let (period, network, collective) = (schedule.step_count(), problem.network(), problem.collective());
    // What neither is to have nor sends on a message gets none.
    let mut kept: Vec<(usize, Transfer<'_>)> =
        schedule.steps().enumerate().flat_map(|(slot, step)| step.map(move |t| (slot, t))).collect();
    loop {
        let sent = |t: &Transfer<'_>| t.messages.iter().map(|m| (*m, sender(network, t))).collect::<Vec<_>>();
        let sends: HashSet<(Message, usize)> = kept.iter().flat_map(|(_, t)| sent(t)).collect();
        let before = kept.len();
        kept.retain(|(_, t)| {
            let end = receiver(network, t);
            let is_wanted = |m: &Message| collective.destinations(*m).iter().any(|v| v.index() == end);
            t.messages.iter().any(|m| is_wanted(m) || sends.contains(&(*m, end)))
        });
        if kept.len() == before {
            break;
        }
    }
    let begins = |(slot, transfer): &(usize, Transfer<'_>)| {
        let arrives = slot + transfer.path.len() * hop as usize;
        ((period - 1) as i64 - arrives as i64).rem_euclid(period as i64)
    };
    kept.sort_by_cached_key(begins);
    let (mut backwards, mut path) = (Schedule::new(), Vec::new());
    let mut rest = kept.iter().peekable();
    for slot in 0..period as i64 {
        backwards.begin_step();
        while let Some((_, transfer)) = rest.next_if(|sent| begins(sent) == slot) {
            path.clear();
            path.extend(transfer.path.iter().rev());
            backwards.push(Transfer::new(transfer.messages, &path));
        }
    }
    backwards
}

/// The same schedule of semantics `copy` without deliveries of a message to a node that has it, or that neither needs it
/// nor sends it on. As many steps; transfers that carry nothing more are dropped.
pub fn deliver_once(problem: &Problem, schedule: &Schedule) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    let most = collective.deliveries() + collective.message_count() as u64 + schedule.transfer_count() as u64;
    let mut holds = Marks::new(collective.message_count(), network.node_count(), most);
    let mut needed = holds.clone();
    for message in collective.messages() {
        holds.add(message, collective.origin(message).index());
        for &node in collective.destinations(message) {
            needed.add(message, node.index());
        }
    }
    // Forwards: the first delivery of each message to each node.
    let steps: Vec<Vec<Transfer<'_>>> = schedule.steps().map(Iterator::collect).collect();
    let mut first: Vec<Vec<Vec<Message>>> = Vec::new();
    for step in &steps {
        let mut kept = Vec::new();
        for transfer in step {
            let end = receiver(network, transfer);
            let new = |m: &Message| holds.add(*m, end);
            kept.push(transfer.messages.iter().copied().filter(new).collect());
        }
        first.push(kept);
    }
    // Backwards: those whose receiver needs the message or sends it on.
    for (step, kept) in steps.iter().zip(&mut first).rev() {
        for (transfer, messages) in step.iter().zip(kept) {
            let (start, end) = (sender(network, transfer), receiver(network, transfer));
            messages.retain(|&m| needed.has(m, end));
            for &m in messages.iter() {
                needed.add(m, start);
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

/// The calls of a schedule, whatever its transfers are said to carry, as a schedule of `problem`, which combines messages: each
/// call carries what its receiver has not got and needs, or needs to send on.
pub fn spoken(problem: &Problem, calls: &Schedule) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    let mut knows: Vec<BTreeSet<Message>> = vec![BTreeSet::new(); network.node_count()];
    for message in collective.messages() {
        knows[collective.origin(message).index()].insert(message);
    }
    let mut all = Schedule::new();
    for step in calls.steps() {
        all.begin_step();
        let before = knows.clone();
        for call in step {
            let (from, to) = (&before[sender(network, &call)], receiver(network, &call));
            let messages: Vec<Message> = from.difference(&knows[to]).copied().collect();
            if !messages.is_empty() {
                all.push(Transfer::new(&messages, call.path));
            }
            knows[to].extend(messages);
        }
    }
    deliver_once(problem, &all).without_empty_steps()
}

/// As [`spoken`], of calls under time-division: a call carries what its sender knows when it begins and its receiver does not know when it
/// ends, or after the period.
pub fn spoken_in_slots(problem: &Problem, calls: &Schedule, hop: u32) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    // From which slot on each node knows of each message.
    let mut since: Vec<BTreeMap<Message, usize>> = vec![BTreeMap::new(); network.node_count()];
    for message in collective.messages() {
        since[collective.origin(message).index()].insert(message, 0);
    }
    let mut all = Schedule::new();
    for (slot, step) in calls.steps().enumerate() {
        all.begin_step();
        for call in step {
            let (from, to) = (sender(network, &call), receiver(network, &call));
            let held = (slot + call.path.len() * hop as usize + 1).min(calls.step_count());
            let known = since[from].iter().filter(|(_, since)| **since <= slot).map(|(message, _)| *message);
            let is_new = |message: &Message| since[to].get(message).is_none_or(|since| *since > held);
            let messages: Vec<Message> = known.filter(is_new).collect();
            if !messages.is_empty() {
                all.push(Transfer::new(&messages, call.path));
            }
            since[to].extend(messages.into_iter().map(|message| (message, held)));
        }
    }
    all
}

/// Messages at nodes: a table of all of both, or a set where few of a large table are marked.
#[derive(Clone)]
struct Marks {
    nodes: u64,
    table: Vec<bool>,
    set: HashSet<u64>,
}

/// Entries of a table that take as much memory and time as one of a set.
const ENTRIES_OF_A_SET: u64 = 32;

impl Marks {
    /// None yet; about `most` are to come.
    fn new(messages: usize, nodes: usize, most: u64) -> Self {
        let entries = (messages as u64).saturating_mul(nodes as u64);
        let in_table = entries / ENTRIES_OF_A_SET <= most;
        let table = if in_table { vec![false; messages * nodes] } else { Vec::new() };
        Marks { nodes: nodes as u64, table, set: HashSet::new() }
    }

    /// Marks a message at a node; whether it was not marked before.
    fn add(&mut self, message: Message, node: usize) -> bool {
        let place = self.place(message, node);
        match self.table.get_mut(place as usize) {
            Some(mark) => !std::mem::replace(mark, true),
            None => self.set.insert(place),
        }
    }

    /// Whether a message is marked at a node.
    fn has(&self, message: Message, node: usize) -> bool {
        let place = self.place(message, node);
        self.table.get(place as usize).copied().unwrap_or_else(|| self.set.contains(&place))
    }

    fn place(&self, message: Message, node: usize) -> u64 {
        u64::from(message.0) * self.nodes + node as u64
    }
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
                all.push(Transfer::new(messages, transfer.path));
            }
        }
    }
    all
}
