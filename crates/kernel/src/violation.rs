//! **What:** every way in which a schedule can break a rule of its problem, as data.

use crate::product::ProductFault;
use crate::timed::TimedFault;
use crate::{Channel, Message, Node};

/// A rule broken, with where and by what. Steps, transfers of a step and positions on a path count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum Violation {
    #[error("the {messages} messages are too many to be numbered, so transfers cannot name all of them")]
    Unnumbered { messages: usize },
    #[error("the schedule is stored as orbits of another problem")]
    OtherProblem,
    #[error("step {step}, transfer {transfer}: message {message} does not exist")]
    NoSuchMessage { step: usize, transfer: usize, message: Message },
    #[error("step {step}, transfer {transfer}: channel {channel} does not exist")]
    NoSuchChannel { step: usize, transfer: usize, channel: Channel },
    #[error("step {step}, transfer {transfer}: carries no message")]
    NoMessage { step: usize, transfer: usize },
    #[error("step {step}, transfer {transfer}: its path is empty")]
    EmptyPath { step: usize, transfer: usize },
    #[error("step {step}, transfer {transfer}: carries {count} messages, but the model does not combine")]
    Combined { step: usize, transfer: usize, count: usize },
    #[error("step {step}, transfer {transfer}: carries message {message} twice")]
    MessageTwice { step: usize, transfer: usize, message: Message },
    #[error(
        "step {step}, transfer {transfer}: channel {channel} at position {position} leaves node {leaves}, but the path is at node {at}"
    )]
    BrokenPath { step: usize, transfer: usize, position: usize, channel: Channel, at: Node, leaves: Node },
    #[error("step {step}, transfer {transfer}: the path uses channel {channel} twice")]
    ChannelTwice { step: usize, transfer: usize, channel: Channel },
    #[error("step {step}, transfer {transfer}: begins at node {node}, which is a switch")]
    BeginsAtSwitch { step: usize, transfer: usize, node: Node },
    #[error("step {step}, transfer {transfer}: ends at node {node}, which is a switch")]
    EndsAtSwitch { step: usize, transfer: usize, node: Node },
    #[error("step {step}, transfer {transfer}: passes through node {node}, which lets nothing pass")]
    PassesThrough { step: usize, transfer: usize, node: Node },
    #[error("step {step}, transfer {transfer}: a path of {hops} channels, but store-and-forward takes exactly one")]
    NotOneHop { step: usize, transfer: usize, hops: usize },
    #[error("step {step}, transfer {transfer}: ends in slot {ends}, after the period of {period} slots")]
    AfterPeriod { step: usize, transfer: usize, ends: u64, period: usize },
    #[error("step {step}: channel {channel} carries {used} transfers, its capacity is {capacity}")]
    ChannelOverloaded { step: usize, channel: Channel, used: u32, capacity: u32 },
    #[error("step {step}: channels {first} and {second} of half-duplex group {group} are both busy")]
    HalfDuplex { step: usize, group: usize, first: Channel, second: Channel },
    #[error("step {step}: node {node} sends {used} transfers over {ports} ports")]
    SendPorts { step: usize, node: Node, used: u32, ports: u32 },
    #[error("step {step}: node {node} receives {used} transfers over {ports} ports")]
    ReceivePorts { step: usize, node: Node, used: u32, ports: u32 },
    #[error("step {step}, transfer {transfer}: node {node} does not hold message {message}")]
    NotHeld { step: usize, transfer: usize, node: Node, message: Message },
    #[error(
        "step {step}, transfer {transfer}: node {node} would count the contribution of node {contributor} to chunk {message} twice"
    )]
    CountedTwice { step: usize, transfer: usize, node: Node, message: Message, contributor: Node },
    #[error("step {step}, transfer {transfer}: node {node} has no partial result {partial} of chunk {message}")]
    NoSuchPartial { step: usize, transfer: usize, node: Node, message: Message, partial: u32 },
    #[error(
        "step {step}, transfer {transfer}: names {partials} partial results, which its {count} messages cannot share evenly"
    )]
    PartialsOfSeveral { step: usize, transfer: usize, count: usize, partials: usize },
    #[error("message {message} never reaches node {node}")]
    Undelivered { message: Message, node: Node },
    #[error("node {node} ends without the contribution of node {contributor} to chunk {message}")]
    Incomplete { message: Message, node: Node, contributor: Node },
    #[error("{found} shifts of time for {expected} generators")]
    ShiftCount { found: usize, expected: usize },
    #[error(
        "generator {generator} shifts time by {shift} steps, and {order} times that is no multiple of the {steps} steps"
    )]
    ShiftNotCyclic { generator: usize, shift: u64, order: u32, steps: u64 },
    #[error(
        "a generator shifts time, but chunks are merged, which images must do at the same time as what they are images of"
    )]
    ShiftedMerging,
    #[error(transparent)]
    Product(#[from] ProductFault),
    #[error(transparent)]
    Timed(#[from] TimedFault),
}

impl Violation {
    /// The rule's short name, as `check --json` prints it.
    pub fn rule(&self) -> &'static str {
        match self {
            Violation::Unnumbered { .. } => "unnumbered",
            Violation::OtherProblem => "other-problem",
            Violation::NoSuchMessage { .. } => "no-such-message",
            Violation::NoSuchChannel { .. } => "no-such-channel",
            Violation::NoMessage { .. } => "no-message",
            Violation::EmptyPath { .. } => "empty-path",
            Violation::Combined { .. } => "combined",
            Violation::MessageTwice { .. } => "message-twice",
            Violation::BrokenPath { .. } => "broken-path",
            Violation::ChannelTwice { .. } => "channel-twice",
            Violation::BeginsAtSwitch { .. } => "begins-at-switch",
            Violation::EndsAtSwitch { .. } => "ends-at-switch",
            Violation::PassesThrough { .. } => "passes-through",
            Violation::NotOneHop { .. } => "not-one-hop",
            Violation::AfterPeriod { .. } => "after-period",
            Violation::ChannelOverloaded { .. } => "channel-overloaded",
            Violation::HalfDuplex { .. } => "half-duplex",
            Violation::SendPorts { .. } => "send-ports",
            Violation::ReceivePorts { .. } => "receive-ports",
            Violation::NotHeld { .. } => "not-held",
            Violation::CountedTwice { .. } => "counted-twice",
            Violation::NoSuchPartial { .. } => "no-such-partial",
            Violation::PartialsOfSeveral { .. } => "partials-of-several",
            Violation::Undelivered { .. } => "undelivered",
            Violation::Incomplete { .. } => "incomplete",
            Violation::ShiftCount { .. } => "shift-count",
            Violation::ShiftNotCyclic { .. } => "shift-not-cyclic",
            Violation::ShiftedMerging => "shifted-merging",
            Violation::Product(_) => "product",
            Violation::Timed(fault) => fault.rule(),
        }
    }
}

/// Violations as they are found: all are counted, and the first so many kept.
#[derive(Debug)]
pub(crate) struct Violations {
    kept: Vec<Violation>,
    count: u64,
    most: usize,
}

impl Violations {
    pub(crate) fn new(most: usize) -> Self {
        // Something is always there to show.
        Violations { kept: Vec::new(), count: 0, most: most.max(1) }
    }

    #[inline]
    pub(crate) fn push(&mut self, violation: Violation) {
        self.count += 1;
        if self.kept.len() < self.most {
            self.kept.push(violation);
        }
    }

    pub(crate) fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        violations.into_iter().for_each(|violation| self.push(violation));
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Itself while there are none.
    pub(crate) fn none(self) -> Result<Self, Rejected> {
        match self.count {
            0 => Ok(self),
            count => Err(Rejected { violations: self.kept, count }),
        }
    }
}

/// Why a schedule was rejected: the violations found, never none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} violation(s), the first: {}", .violations[0])]
#[must_use]
pub struct Rejected {
    violations: Vec<Violation>,
    count: u64,
}

impl Rejected {
    /// Most violations that [`verify`](crate::verify) keeps.
    pub const KEPT: usize = 100;

    /// The first violations, in the order of the steps.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// How many there are, kept or not.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl From<Violation> for Rejected {
    fn from(violation: Violation) -> Self {
        Rejected { violations: vec![violation], count: 1 }
    }
}
