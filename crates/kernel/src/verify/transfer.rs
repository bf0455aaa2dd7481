//! **What:** the rules that a transfer obeys by itself, whatever else is in the schedule.

use crate::violation::Violations;
use crate::{Channel, Model, Network, Node, Problem, Semantics, Switching, Transfer, Violation};
use std::ops::Range;

/// The rules that a transfer obeys by itself, and what was broken so far.
pub(crate) struct Check<'a> {
    /// How many messages there are.
    messages: usize,
    network: &'a Network,
    model: Model,
    /// Whether chunks have partial results.
    has_parts: bool,
    /// The transfer that last used each channel, counted from 1, of those with paths of several; filled when there is one.
    path_of: Vec<u64>,
    transfers: u64,
    /// The positions of a transfer's messages, sorted by them and by what is taken of each, to find repetitions.
    carried: Vec<usize>,
    pub violations: Violations,
}

impl<'a> Check<'a> {
    pub(crate) fn new(problem: &'a Problem, violations: Violations) -> Self {
        Check {
            messages: problem.collective().message_count(),
            network: problem.network(),
            model: problem.model(),
            has_parts: problem.collective().semantics() == Semantics::Reduce,
            path_of: Vec::new(),
            transfers: 0,
            carried: Vec::new(),
            violations,
        }
    }
}

impl<'a> Check<'a> {
    pub(super) fn network(&self) -> &'a Network {
        self.network
    }

    /// The ends of a transfer that carries one of `messages`, whose rules are checked elsewhere; `None` where it cannot have any.
    #[inline]
    pub(super) fn ends_of(&self, transfer: &Transfer<'_>, messages: &Range<u32>) -> Option<(Node, Node)> {
        if !transfer.messages.iter().any(|message| messages.contains(&message.0)) {
            return None;
        }
        let (first, last) = (transfer.path.first()?, transfer.path.last()?);
        let exist = first.index().max(last.index()) < self.network.channel_count();
        exist.then(|| (self.network.from(*first), self.network.to(*last)))
    }

    /// Checks a transfer by itself; its sender and receiver, or `None` where it makes no sense.
    #[inline(always)]
    pub(crate) fn transfer(&mut self, place: (usize, usize), claim: Transfer<'_>) -> Option<(Node, Node)> {
        let carried = self.messages(place, &claim);
        let path = self.channels(place, claim.path)?;
        if carried { self.path(place, path) } else { None }
    }

    /// Checks a path by itself, as a transfer's; its ends, or `None` where it makes no sense.
    pub(crate) fn path_alone(&mut self, place: (usize, usize), path: &[Channel]) -> Option<(Node, Node)> {
        self.channels(place, path).and_then(|path| self.path(place, path))
    }

    /// The channels of a path, if there are some and all exist.
    #[inline(always)]
    fn channels<'b>(&mut self, (step, transfer): (usize, usize), path: &'b [Channel]) -> Option<&'b [Channel]> {
        if path.is_empty() {
            self.violations.push(Violation::EmptyPath { step, transfer });
            return None;
        }
        if let Some(&channel) = path.iter().find(|c| c.index() >= self.network.channel_count()) {
            self.violations.push(Violation::NoSuchChannel { step, transfer, channel });
            return None;
        }
        Some(path)
    }

    #[inline(always)]
    fn path(&mut self, (step, transfer): (usize, usize), path: &[Channel]) -> Option<(Node, Node)> {
        if self.model.switching == Switching::StoreAndForward && path.len() != 1 {
            self.violations.push(Violation::NotOneHop { step, transfer, hops: path.len() });
        }
        let several = path.len() > 1;
        if several && self.path_of.is_empty() {
            self.path_of = vec![0; self.network.channel_count()];
        }
        self.transfers += 1;
        let channels = self.network.data().channels.as_slice();
        let from = Node(channels[path[0].index()].0);
        let mut at = from;
        for (position, &channel) in path.iter().enumerate() {
            let (leaves, enters) = channels[channel.index()];
            let leaves = Node(leaves);
            if leaves != at {
                self.violations.push(Violation::BrokenPath { step, transfer, position, channel, at, leaves });
                return None;
            }
            if position > 0 && !self.network.is_transit(at) {
                self.violations.push(Violation::PassesThrough { step, transfer, node: at });
            }
            if several && std::mem::replace(&mut self.path_of[channel.index()], self.transfers) == self.transfers {
                self.violations.push(Violation::ChannelTwice { step, transfer, channel });
            }
            at = Node(enters);
        }
        if !self.network.is_terminal(from) {
            self.violations.push(Violation::BeginsAtSwitch { step, transfer, node: from });
        }
        if !self.network.is_terminal(at) {
            self.violations.push(Violation::EndsAtSwitch { step, transfer, node: at });
        }
        Some((from, at))
    }

    /// Checks what a transfer carries; whether it is something that exists.
    #[inline(always)]
    fn messages(&mut self, (step, transfer): (usize, usize), claim: &Transfer<'_>) -> bool {
        match claim.messages {
            [] => {
                self.violations.push(Violation::NoMessage { step, transfer });
                false
            }
            &[message] if message.index() < self.messages => true,
            _ => self.several((step, transfer), claim),
        }
    }

    /// As [`Check::messages`], of several, or one that does not exist. One may be there more than once if other partial
    /// results are taken of it each time.
    fn several(&mut self, (step, transfer): (usize, usize), claim: &Transfer<'_>) -> bool {
        let messages = claim.messages;
        let before = self.violations.count();
        let missing = messages.iter().filter(|m| m.index() >= self.messages);
        self.violations.extend(missing.map(|&message| Violation::NoSuchMessage { step, transfer, message }));
        let all_exist = self.violations.count() == before;
        if messages.len() > 1 && !self.model.combining {
            self.violations.push(Violation::Combined { step, transfer, count: messages.len() });
        }
        let claim = Transfer { partials: if self.has_parts { claim.partials } else { &[] }, ..*claim };
        let (count, partials) = (messages.len(), claim.partials.len());
        if partials % count != 0 {
            self.violations.push(Violation::PartialsOfSeveral { step, transfer, count, partials });
        }
        let taken = |at: &usize| (messages[*at], claim.partials_of(*at));
        self.carried.clear();
        self.carried.extend(0..count);
        self.carried.sort_unstable_by_key(taken);
        let twice = self.carried.windows(2).find(|w| taken(&w[0]) == taken(&w[1])).map(|w| messages[w[0]]);
        self.violations.extend(twice.map(|message| Violation::MessageTwice { step, transfer, message }));
        all_exist
    }
}
