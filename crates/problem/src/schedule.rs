//! **What:** the claim of a schedule: steps of transfers, plain data that nobody needs to trust.
//!
//! Stored flat (a few arrays for the whole schedule) so that a million transfers cost a few allocations and are read in order;
//! where each carries one message along one channel, eight bytes say all of it.

use crate::pieces::Pieces;
use crate::{Channel, Message};
use std::ops::Range;

/// What a receiver does with a transfer of semantics `reduce`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Op {
    /// It merges what arrives with what it has.
    #[default]
    Reduce,
    /// What arrives replaces what it has.
    Copy,
    /// It keeps what arrives apart from what it has, for transfers that name it among their `partials`.
    Keep,
}

/// One transfer: messages that travel together along one path in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer<'a> {
    /// The messages it carries.
    pub messages: &'a [Message],
    /// The channels from its sender to its receiver.
    pub path: &'a [Channel],
    /// What the receiver does; only semantics `reduce` looks at it.
    pub op: Op,
    /// Under semantics `reduce` the partial results that its sender takes: 0 is its own contribution, k the k-th that came to it
    /// of the chunk, whatever it did with it then. Several messages share the list evenly: the first of n takes the first n-th of it,
    /// merged, and so on; a message may be among them more than once, to take other partial results apart. None stands for what
    /// its sender has merged so far.
    pub partials: &'a [u32],
}

impl<'a> Transfer<'a> {
    /// A transfer that is merged where it arrives.
    pub fn new(messages: &'a [Message], path: &'a [Channel]) -> Self {
        Transfer { messages, path, op: Op::Reduce, partials: &[] }
    }

    /// The partial results that are taken of the message at this position.
    #[must_use]
    pub fn partials_of(&self, at: usize) -> &'a [u32] {
        let each = self.partials.len() / self.messages.len().max(1);
        self.partials.get(at * each..(at + 1) * each).unwrap_or(&[])
    }
}

/// Steps of transfers. Build with [`Schedule::begin_step`] and [`Schedule::push`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Schedule {
    step_starts: Vec<usize>,
    messages: Pieces<Message>,
    paths: Pieces<Channel>,
    /// The transfers that are not merged where they arrive, ascending; few schedules have any.
    ops: Vec<(usize, Op)>,
    /// The transfers whose partial results are chosen, ascending, and their choices.
    choosing: Vec<usize>,
    chosen: Pieces<u32>,
}

impl Schedule {
    /// A schedule of no steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for transfers of one message each, with so many channels together, before a large schedule is written; whether
    /// there is the memory for it.
    #[must_use]
    pub fn reserve(&mut self, transfers: usize, channel_uses: usize) -> bool {
        self.messages.reserve(transfers) && self.paths.reserve(channel_uses)
    }

    /// Opens the next step; it stays empty until transfers are pushed.
    pub fn begin_step(&mut self) {
        self.step_starts.push(self.transfer_count());
    }

    /// Adds a transfer to the last step, opening the first if there is none.
    pub fn push(&mut self, transfer: Transfer<'_>) {
        if self.step_starts.is_empty() {
            self.begin_step();
        }
        if transfer.op != Op::Reduce {
            self.ops.push((self.transfer_count(), transfer.op));
        }
        if !transfer.partials.is_empty() {
            self.choosing.push(self.transfer_count());
            self.chosen.push(transfer.partials);
        }
        self.messages.push(transfer.messages);
        self.paths.push(transfer.path);
    }

    /// Adds a transfer of one message to the last step.
    pub fn send(&mut self, message: Message, path: &[Channel]) {
        self.push(Transfer::new(&[message], path));
    }

    /// Number of steps.
    pub fn step_count(&self) -> usize {
        self.step_starts.len()
    }

    /// Number of transfers in all steps.
    pub fn transfer_count(&self) -> usize {
        self.messages.count()
    }

    /// Number of channel uses in all steps: the sum of the paths' lengths.
    pub fn channel_uses(&self) -> usize {
        self.paths.items().len()
    }

    /// The transfer of this number, counted over all steps.
    #[inline(always)]
    pub fn transfer(&self, index: usize) -> Transfer<'_> {
        let op = match self.ops.is_empty() {
            true => Op::Reduce,
            false => self.ops.binary_search_by_key(&index, |(at, _)| *at).map_or(Op::Reduce, |at| self.ops[at].1),
        };
        let partials = match self.choosing.is_empty() {
            true => &[][..],
            false => self.choosing.binary_search(&index).map_or(&[][..], |at| self.chosen.of(at)),
        };
        Transfer { messages: self.messages.of(index), path: self.paths.of(index), op, partials }
    }

    /// Whether some transfer chooses among partial results that its sender keeps apart.
    pub fn keeps_partials(&self) -> bool {
        !self.choosing.is_empty()
    }

    /// The first step that begins at or behind the transfer of this number, counted over all steps.
    pub fn first_step_from(&self, transfer: usize) -> usize {
        self.step_starts.partition_point(|start| *start < transfer)
    }

    /// The transfers of a step, in the order they were pushed.
    pub fn step(&self, step: usize) -> impl ExactSizeIterator<Item = Transfer<'_>> {
        self.numbers(step).map(|i| self.transfer(i))
    }

    /// The numbers of a step's transfers, counted over all steps.
    pub fn numbers(&self, step: usize) -> Range<usize> {
        let end = self.step_starts.get(step + 1).copied().unwrap_or(self.transfer_count());
        self.step_starts[step]..end
    }

    /// The steps, in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = impl ExactSizeIterator<Item = Transfer<'_>>> {
        (0..self.step_count()).map(|s| self.step(s))
    }

    /// Appends the steps of `other`.
    pub fn append(&mut self, other: &Schedule) {
        for step in other.steps() {
            self.begin_step();
            for transfer in step {
                self.push(transfer);
            }
        }
    }

    /// The schedule without its empty steps (only meaningful where steps are not slots of a period).
    pub fn without_empty_steps(&self) -> Self {
        let mut kept = Schedule::new();
        for step in self.steps().filter(|s| s.len() > 0) {
            kept.begin_step();
            for transfer in step {
                kept.push(transfer);
            }
        }
        kept
    }
}

/// Builds a schedule from steps of `(message, path)` with one message a transfer.
impl FromIterator<Vec<(Message, Vec<Channel>)>> for Schedule {
    fn from_iter<I: IntoIterator<Item = Vec<(Message, Vec<Channel>)>>>(steps: I) -> Self {
        let mut schedule = Schedule::new();
        for step in steps {
            schedule.begin_step();
            for (message, path) in step {
                schedule.send(message, &path);
            }
        }
        schedule
    }
}
