//! **What:** who holds what while a schedule is replayed: all messages, or those of a range, which do not depend on the others.
//!
//! Memory is proportional to the messages and transfers ([`Copies`], [`Contributions`]), and each look is short.

mod contributions;
mod copies;

use crate::violation::Violations;
use crate::{Collective, Message, Node, Op, Schedule, Transfer, Violation};
pub(crate) use contributions::Contributions;
pub(crate) use copies::Copies;
use std::ops::Range;

/// Holders of messages of one semantics.
pub(crate) trait Holders<'a>: Sized {
    /// What arrives at the end of a step.
    type Arrival;

    /// Who holds these messages at the beginning.
    fn new(collective: &'a Collective, nodes: usize, messages: Range<u32>) -> Self;

    /// The messages whose holders are kept; only they may be asked for.
    fn messages(&self) -> &Range<u32>;

    /// Keeps apart, from the start on, what comes to the nodes that a schedule lets choose among partial results.
    fn keep_partials(&mut self, _: &Schedule, _: impl Fn(&Transfer<'_>) -> Option<Node>) {}

    /// What the receiver will get if the message is sent now.
    ///
    /// # Errors
    /// Why the sender has nothing of the kind to send.
    fn send(&self, sending: &Sending<'_>) -> Result<Self::Arrival, Box<Violation>>;

    /// Hands over what was sent.
    fn arrive(&mut self, arrival: Self::Arrival, violations: &mut Violations);

    /// Reports what is missing at the end.
    fn finish(&self, violations: &mut Violations);
}

/// All messages of a collective.
pub(crate) fn all(collective: &Collective) -> Range<u32> {
    0..Message::new(collective.message_count()).0
}

/// One message that a transfer is to carry.
pub(crate) struct Sending<'a> {
    pub step: usize,
    pub transfer: usize,
    pub message: Message,
    pub from: Node,
    pub to: Node,
    pub op: Op,
    pub partials: &'a [u32],
}

impl Sending<'_> {
    #[cold]
    pub(crate) fn not_held(&self) -> Box<Violation> {
        let &Sending { step, transfer, message, from: node, .. } = self;
        Box::new(Violation::NotHeld { step, transfer, node, message })
    }
}
