//! **What:** messages with one destination, each pushed on by the terminal that holds it.
//!
//! **Method.** Those with the longest way to go begin, and walk down the distances over what is free; what is left free in a step
//! is filled with detours. A message that has come to a relay waits there for the next transfer.

use crate::relays::Relays;
use crate::timetable::Timetable;
use graph::distances::{Distances, Way};
use graph::{paths::Descent, paths::Paths, residual::Residual};
use kernel::{Channel, Message, Node, Problem, Schedule, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// A message at the terminal that holds it.
#[derive(Clone, Copy)]
struct Single {
    message: Message,
    /// The rest of its route in [`Singles::routes`].
    next: usize,
    end: usize,
    distance: u32,
}

/// A terminal whose messages look for paths in a step.
struct Sender {
    node: Node,
    /// The position in its queue that is tried next.
    next: usize,
    /// How many more may be tried.
    tries: usize,
}

/// All messages with one destination.
#[derive(Clone)]
pub(super) struct Singles<'a> {
    problem: &'a Problem,
    /// Deliveries that are not under way, those to relays included.
    pub open: u64,
    routes: Vec<Node>,
    /// By holder, the longest way first.
    queues: Vec<Vec<Single>>,
    pub distances: Distances<'a>,
    /// Whether distances are affordable.
    guided: bool,
    /// What arrives at the end of this step, of the next, and so on.
    under_way: VecDeque<Vec<Single>>,
}

impl<'a> Singles<'a> {
    /// Every message at its origin; `None` if some destination is beyond reach, or the budget is.
    pub(super) fn new(problem: &'a Problem, messages: &[Message], budget: &mut Budget<'_>) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        let n = network.node_count();
        let entries = network.terminals().len().min(messages.len()).saturating_mul(n);
        let mut singles = Singles {
            problem,
            open: 0,
            routes: Vec::with_capacity(messages.len()),
            queues: vec![Vec::new(); n],
            distances: Distances::new(problem, Way::Back),
            guided: entries <= Distances::MOST_ENTRIES || problem.model().is_slotted(),
            under_way: VecDeque::new(),
        };
        let mut relays = Relays::new(problem);
        for &message in messages {
            let origin = collective.origin(message);
            let destination = collective.destinations(message).iter().find(|d| **d != origin)?;
            let route = relays.route(message, *destination, |_| false, budget)?;
            let next = singles.routes.len();
            singles.routes.extend_from_slice(&route);
            singles.open += route.len() as u64;
            let single = Single { message, next, end: singles.routes.len(), distance: 0 };
            singles.wait(origin, single, budget)?;
        }
        Some(singles)
    }

    /// Puts a message in the queue of the terminal that holds it.
    fn wait(&mut self, at: Node, mut single: Single, budget: &mut Budget<'_>) -> Option<()> {
        if self.guided {
            single.distance = self.distances.of(self.routes[single.next], budget)?[at.index()];
        }
        self.queues[at.index()].push(single);
        Some(())
    }

    /// Messages with equally long ways in random order.
    pub(super) fn shuffle(&mut self, random: &mut Pcg64Mcg) {
        for queue in &mut self.queues {
            queue.shuffle(random);
            sort(queue);
        }
    }

    /// What arrives in this step waits at its next holder; `None` where the budget ends.
    pub(super) fn end_step(&mut self, budget: &mut Budget<'_>) -> Option<()> {
        let mut grown: Vec<Node> = Vec::new();
        for single in self.under_way.pop_front().into_iter().flatten() {
            if single.next < single.end {
                let at = self.routes[single.next - 1];
                self.wait(at, single, budget)?;
                grown.push(at);
            }
        }
        grown.sort_unstable();
        grown.dedup();
        grown.into_iter().try_for_each(|node| {
            let queue = &mut self.queues[node.index()];
            sort(queue);
            budget.spend(queue.len() as u64).then_some(())
        })
    }

    /// Holders push messages along shortest ways, one message a turn.
    pub(super) fn push(
        &mut self,
        table: &mut Timetable<'_>,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) {
        if !self.guided {
            return;
        }
        let network = self.problem.network();
        let waiting = network.terminals().iter().filter(|v| !self.queues[v.index()].is_empty());
        let sender = |&node| Sender { node, next: 0, tries: 32 * (network.outgoing(node).len() + 1) };
        let mut senders: Vec<Sender> = waiting.map(sender).collect();
        senders.shuffle(random);
        senders.sort_by_key(|sender| Reverse(self.queues[sender.node.index()].len()));
        while !senders.is_empty() {
            senders.retain_mut(|sender| self.push_one(sender, table, schedule, random, budget).is_some());
        }
    }

    /// Pushes the next message of a sender that has a path; `None` where none has.
    fn push_one(
        &mut self,
        sender: &mut Sender,
        table: &mut Timetable<'_>,
        schedule: &mut Schedule,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<()> {
        let node = sender.node;
        let channels = self.problem.network().outgoing(node);
        let mut path: Vec<Channel> = Vec::new();
        while let Some(&single) = self.queues[node.index()].get(sender.next) {
            let blocked = !table.can_send(node) || !channels.iter().any(|&c| table.is_free(0, c));
            if sender.tries == 0 || blocked || !budget.spend(1 + channels.len() as u64) {
                return None;
            }
            sender.tries -= 1;
            let to = self.routes[single.next];
            let distance = self.distances.of(to, budget)?;
            let length = distance[node.index()] as usize;
            if table.can_receive(to, length) && table.is_in_time(length) {
                let rotation = random.random_range(0..64);
                let descent = Descent { problem: self.problem, distance, limit: 8 * length + 16, rotation };
                if descent.walk(node, &mut path, table, budget) {
                    table.take_ends(node, to, length);
                    self.send(node, sender.next, &path, table.duration(length), schedule, budget);
                    return Some(());
                }
            }
            sender.next += 1;
        }
        None
    }

    /// Sends the message at position `at` of a queue, with all others that go the same way where the model combines.
    fn send(
        &mut self,
        sender: Node,
        at: usize,
        path: &[Channel],
        duration: usize,
        schedule: &mut Schedule,
        budget: &mut Budget<'_>,
    ) {
        let queue = &mut self.queues[sender.index()];
        // Whether that was too much is asked by whoever goes on.
        let _ = budget.spend(queue.len() as u64 / 8);
        let (routes, to) = (&self.routes, self.routes[queue[at].next]);
        let sent: Vec<Single> = match self.problem.model().combining {
            true => queue.extract_if(.., |single| routes[single.next] == to).collect(),
            false => vec![queue.remove(at)],
        };
        let messages: Vec<Message> = sent.iter().map(|single| single.message).collect();
        schedule.push(Transfer::new(&messages, path));
        self.open -= sent.len() as u64;
        if self.under_way.len() <= duration {
            self.under_way.resize(duration + 1, Vec::new());
        }
        self.under_way[duration].extend(sent.into_iter().map(|single| Single { next: single.next + 1, ..single }));
    }

    /// Messages that found no shortest way in this step take any free way.
    pub(super) fn detours(
        &mut self,
        free: &mut Residual<'_>,
        paths: &mut Paths<'_>,
        schedule: &mut Schedule,
        budget: &mut Budget<'_>,
    ) {
        let network = self.problem.network();
        // Position in the sender's queue of the first message that goes to a node next, counted from 1.
        let mut first = vec![0usize; network.node_count()];
        for &sender in network.terminals() {
            loop {
                let queue = &self.queues[sender.index()];
                if queue.is_empty() || !budget.spend(2 * queue.len() as u64) {
                    break;
                }
                for (at, single) in queue.iter().enumerate().rev() {
                    first[self.routes[single.next].index()] = at + 1;
                }
                let found = paths.nearest(free, sender, Way::On, |v| first[v.index()].checked_sub(1), budget);
                for single in queue {
                    first[self.routes[single.next].index()] = 0;
                }
                let Some((at, path)) = found else { break };
                self.send(sender, at, path, 0, schedule, budget);
            }
        }
    }
}

/// The longest way first: transfers left, then channels of the next.
fn sort(queue: &mut [Single]) {
    queue.sort_by_key(|s| Reverse((s.end - s.next, s.distance)));
}
