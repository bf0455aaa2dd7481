//! **What:** the contributions to a reduction as messages that are copied to all who are to have the result.
//!
//! **Theory:** what is kept [apart](kernel::Transfer::partials) travels as a message does, so a schedule of these copies is one of the reduction.

use kernel::{Collective, Message, Network, Node, Op, Problem, Schedule, Semantics, Transfer};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The contributions as messages.
pub struct Contributions {
    /// One message a contribution, to all destinations of its chunk but its own node.
    pub copies: Collective,
    /// The chunk that each is a contribution to.
    pub chunk_of: Vec<Message>,
}

impl Contributions {
    /// Those of a collective of semantics `reduce`; `None` where there are none, or too many to be numbered.
    #[must_use]
    pub fn of(collective: &Collective) -> Option<Self> {
        let (mut copies, mut chunk_of) = (Vec::new(), Vec::new());
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                let to: Vec<Node> = collective.destinations(message).iter().copied().filter(|to| *to != from).collect();
                if !to.is_empty() {
                    copies.push((vec![from], to));
                    chunk_of.push(message);
                }
            }
        }
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        Some(Contributions { copies, chunk_of })
    }

    /// A schedule of the copies as one of the reduction. Where messages combine, a transfer carries its copies apart, but for those that
    /// come to its receiver by another one. Elsewhere a transfer of several copies is of contributions to one chunk that its sender
    /// received one by one; of these it carries those that its receiver does not merge from another transfer, as a sum.
    pub fn merged(&self, problem: &Problem, copies: &Schedule) -> Schedule {
        let (network, collective) = (problem.network(), problem.collective());
        let hop = problem.model().switching.slots().map(|slots| u64::from(slots.hop));
        let combines = problem.model().combining;
        let firsts = if combines { self.firsts(network, copies, hop) } else { HashMap::new() };
        let mut kept = Kept::default();
        let mut merged: BTreeSet<(Message, Node)> = BTreeSet::new();
        let mut due: BTreeMap<u64, Vec<Came>> = BTreeMap::new();
        let mut schedule = Schedule::new();
        let mut number = 0;
        for (now, step) in (0u64..).zip(copies.steps()) {
            schedule.begin_step();
            while let Some(entry) = due.first_entry().filter(|entry| *entry.key() < now) {
                entry.remove().into_iter().for_each(|came| kept.add(came));
            }
            for transfer in step {
                number += 1;
                let (&[first_share, ..], [first, ..], [.., last]) = (transfer.messages, transfer.path, transfer.path)
                else {
                    continue;
                };
                let (from, to) = (network.from(*first), network.to(*last));
                let is_end = collective.destinations(self.chunk_of[first_share.index()]).contains(&to);
                let mut is_new = |share: &Message| match combines {
                    true => firsts.get(&(*share, to)).is_some_and(|(_, by)| *by == number),
                    false => is_end && self.copies.origin(*share) != to && merged.insert((*share, to)),
                };
                let mut shares: Vec<Message> = transfer.messages.iter().copied().filter(&mut is_new).collect();
                let op = if shares.is_empty() { Op::Keep } else { Op::Reduce };
                match transfer.messages {
                    _ if shares.is_empty() && combines => continue,
                    // What is alone may be sent on, whether it is merged or not.
                    [only] => shares = vec![*only],
                    _ if shares.is_empty() => continue,
                    _ => {}
                }
                let partials: Vec<u32> = shares.iter().map(|share| kept.number(*share, from)).collect();
                let together: Vec<Vec<Message>> = match combines {
                    true => shares.into_iter().map(|share| vec![share]).collect(),
                    false => vec![shares],
                };
                let messages: Vec<Message> = together.iter().map(|shares| self.chunk_of[shares[0].index()]).collect();
                schedule.push(Transfer { messages: &messages, path: transfer.path, op, partials: &partials });
                let ends = ends(now, &transfer, hop);
                let came = together.into_iter().zip(&messages);
                due.entry(ends).or_default().extend(came.map(|(shares, chunk)| Came {
                    node: to,
                    chunk: *chunk,
                    shares,
                }));
            }
        }
        schedule
    }

    /// When each copy first comes to each node that it does not start from, and by which transfer, counted from 1.
    fn firsts(&self, network: &Network, copies: &Schedule, hop: Option<u64>) -> HashMap<(Message, Node), (u64, usize)> {
        let mut firsts = HashMap::new();
        let sent = (0u64..).zip(copies.steps()).flat_map(|(now, step)| step.map(move |transfer| (now, transfer)));
        for (number, (now, transfer)) in (1..).zip(sent) {
            let Some(last) = transfer.path.last() else { continue };
            let (to, this) = (network.to(*last), (ends(now, &transfer, hop), number));
            for share in transfer.messages.iter().filter(|share| self.copies.origin(**share) != to) {
                let first = firsts.entry((*share, to)).or_insert(this);
                *first = this.min(*first);
            }
        }
        firsts
    }
}

/// When a transfer that begins in a step or slot has come.
fn ends(now: u64, transfer: &Transfer<'_>, hop: Option<u64>) -> u64 {
    now + hop.map_or(0, |hop| hop * transfer.path.len() as u64)
}

/// Contributions that have come to a node together.
struct Came {
    node: Node,
    chunk: Message,
    shares: Vec<Message>,
}

/// What came to the nodes and stays apart.
#[derive(Default)]
struct Kept {
    /// Of every chunk at every node, how much has come.
    counts: HashMap<(Message, Node), u32>,
    /// The number of each contribution that came by itself.
    numbers: HashMap<(Message, Node), u32>,
}

impl Kept {
    fn add(&mut self, Came { node, chunk, shares }: Came) {
        let count = self.counts.entry((chunk, node)).or_insert(0);
        *count += 1;
        if let [share] = shares[..] {
            self.numbers.entry((share, node)).or_insert(*count);
        }
    }

    /// The number of a contribution at a node that has it by itself; 0 at its origin.
    fn number(&self, share: Message, node: Node) -> u32 {
        self.numbers.get(&(share, node)).copied().unwrap_or(0)
    }
}
