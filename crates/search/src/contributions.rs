//! **What:** the contributions to a reduction as messages that are copied to all who are to have the result.
//!
//! **Theory:** what is kept [apart](kernel::Transfer::partials) travels as a message does, so a schedule of these copies is one of the reduction.

use kernel::{Collective, Message, Node, Op, Problem, Schedule, Semantics, Transfer};
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

    /// A schedule of the copies as one of the reduction. A transfer of several copies is of contributions to one chunk that its sender
    /// received one by one; of these it carries those that its receiver does not merge from another transfer, as a sum.
    pub fn merged(&self, problem: &Problem, copies: &Schedule) -> Schedule {
        let (network, collective) = (problem.network(), problem.collective());
        let hop = problem.model().switching.slots().map(|slots| u64::from(slots.hop));
        // Of every chunk at every node, what came and stays apart, in the order in which it came.
        let mut apart: HashMap<(Message, Node), Vec<Vec<Message>>> = HashMap::new();
        let mut merged: BTreeSet<(Message, Node)> = BTreeSet::new();
        let mut due: BTreeMap<u64, Vec<Came>> = BTreeMap::new();
        let mut schedule = Schedule::new();
        for (now, step) in (0u64..).zip(copies.steps()) {
            schedule.begin_step();
            while let Some(entry) = due.first_entry().filter(|entry| *entry.key() < now) {
                for Came { node, chunk, shares } in entry.remove() {
                    apart.entry((chunk, node)).or_default().push(shares);
                }
            }
            for transfer in step {
                let (&[first_share, ..], [first, ..], [.., last]) = (transfer.messages, transfer.path, transfer.path)
                else {
                    continue;
                };
                let chunk = self.chunk_of[first_share.index()];
                let (from, to) = (network.from(*first), network.to(*last));
                let is_end = collective.destinations(chunk).contains(&to);
                let mut is_new =
                    |share: &Message| is_end && self.copies.origin(*share) != to && merged.insert((*share, to));
                let mut shares: Vec<Message> = transfer.messages.iter().copied().filter(&mut is_new).collect();
                let op = if shares.is_empty() { Op::Keep } else { Op::Reduce };
                match transfer.messages {
                    // What is alone may be sent on, whether it is merged or not.
                    [only] => shares = vec![*only],
                    _ if shares.is_empty() => continue,
                    _ => {}
                }
                let came = apart.get(&(chunk, from));
                let partial = |share: &Message| {
                    let place = came.and_then(|all| all.iter().position(|one| one[..] == [*share]));
                    place.map_or(0, |at| at as u32 + 1)
                };
                let partials: Vec<u32> = shares.iter().map(partial).collect();
                schedule.push(Transfer { messages: &[chunk], path: transfer.path, op, partials: &partials });
                let ends = now + hop.map_or(0, |hop| hop * transfer.path.len() as u64);
                due.entry(ends).or_default().push(Came { node: to, chunk, shares });
            }
        }
        schedule
    }
}

/// Contributions that have come to a node together.
struct Came {
    node: Node,
    chunk: Message,
    shares: Vec<Message>,
}
