//! **What:** the rules of schedules in time that the kernel of steps does not have, as data.

use crate::{Channel, Message, Node, Rational};

/// A rule of schedules in time that is broken. Steps, transfers of a step and paths of a transfer count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum TimedFault {
    #[error("step {step} begins at tick {tick}, not after tick {before}, where the step before begins")]
    Order { step: usize, tick: u64, before: u64 },
    #[error("step {step}, transfer {transfer}: its rate must be above 0")]
    NoRate { step: usize, transfer: usize },
    #[error(
        "step {step}, transfer {transfer}: its rate of {rate} GB/s is above the {bandwidth} GB/s of channel {channel}"
    )]
    Rate { step: usize, transfer: usize, rate: Rational, channel: Channel, bandwidth: Rational },
    #[error("step {step}, transfer {transfer}: its rate is too fine beside the other rates and bandwidths")]
    TooFine { step: usize, transfer: usize },
    #[error("step {step}, transfer {transfer}: ends 2^64 ticks after the beginning or later")]
    TooLong { step: usize, transfer: usize },
    #[error("step {step}, transfer {transfer}: path {path} parts from the others at node {node}, which does not copy")]
    NoCopy { step: usize, transfer: usize, path: usize, node: Node },
    #[error("step {step}, transfer {transfer}: two of its paths reach channel {channel} by different ways")]
    PathsMeet { step: usize, transfer: usize, channel: Channel },
    #[error("tick {tick}: channel {channel} carries {used} GB/s, its bandwidth is {bandwidth} GB/s")]
    Bandwidth { tick: u64, channel: Channel, used: Rational, bandwidth: Rational },
    #[error("tick {tick}: the channels of half-duplex group {group} carry {used} GB/s, they share {bandwidth} GB/s")]
    HalfDuplex { tick: u64, group: usize, used: Rational, bandwidth: Rational },
    #[error("tick {tick}: node {node} sends {used} transfers over {ports} ports")]
    SendPorts { tick: u64, node: Node, used: u64, ports: u64 },
    #[error("tick {tick}: node {node} receives {used} transfers over {ports} ports")]
    ReceivePorts { tick: u64, node: Node, used: u64, ports: u64 },
    #[error("tick {tick}: a copy and a contribution of chunk {message} reach node {node} at once")]
    CopyAndReduce { tick: u64, node: Node, message: Message },
}

impl TimedFault {
    /// The rule's short name, as `check --json` prints it.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            TimedFault::Order { .. } => "order-of-times",
            TimedFault::NoRate { .. } => "no-rate",
            TimedFault::Rate { .. } => "rate",
            TimedFault::TooFine { .. } => "too-fine",
            TimedFault::TooLong { .. } => "too-long",
            TimedFault::NoCopy { .. } => "no-copy",
            TimedFault::PathsMeet { .. } => "paths-meet",
            TimedFault::Bandwidth { .. } => "bandwidth",
            TimedFault::HalfDuplex { .. } => "half-duplex",
            TimedFault::SendPorts { .. } => "send-ports",
            TimedFault::ReceivePorts { .. } => "receive-ports",
            TimedFault::CopyAndReduce { .. } => "copy-and-reduce",
        }
    }
}
