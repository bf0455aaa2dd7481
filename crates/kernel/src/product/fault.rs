//! **What:** why a schedule stored as a product is none.

use crate::{Channel, Node};

/// A rule of schedules stored as products that is broken. Dimensions, classes, rounds and blocks count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
#[non_exhaustive]
pub enum ProductFault {
    #[error(
        "a product stores alltoall among all nodes, under wormhole switching, with all ports and full-duplex channels"
    )]
    OtherModel,
    #[error("node {node} is a switch or lets nothing pass, which no node of a product is")]
    NoTerminal { node: Node },
    #[error("the sizes multiply to {places} places, the network has {nodes} nodes")]
    Size { places: u64, nodes: usize },
    #[error("the list of nodes does not name each of the {nodes} nodes once")]
    Nodes { nodes: usize },
    #[error("the order does not name each of the {dimensions} dimensions once")]
    Order { dimensions: usize },
    #[error("dimension {dimension}: channel {channel} is a loop, a repetition, or ends where no digit is")]
    BadChannel { dimension: usize, channel: usize },
    #[error("dimension {dimension}: no channel leads from node {from} to node {to}")]
    NoChannel { dimension: usize, from: Node, to: Node },
    #[error(
        "dimension {dimension}, class {class}, part {part}: its path does not lead from its first digit to its last"
    )]
    Path { dimension: usize, class: usize, part: usize },
    #[error(
        "dimension {dimension}: its classes do not hold each of the {pairs} pairs of digits once, or one of them is empty"
    )]
    Pairs { dimension: usize, pairs: u64 },
    #[error("round {round}, block {block}: it does not have a class and a factor for each dimension")]
    Block { round: usize, block: usize },
    #[error("round {round}, block {block}: another block has the same classes")]
    BlockTwice { round: usize, block: usize },
    #[error("blocks of {missing} tuples of classes are missing, so some messages are never sent")]
    Missing { missing: u128 },
    #[error(
        "round {round}: {steps} steps for {transfers} transfers at most; there must be 1 and no more than transfers"
    )]
    Steps { round: usize, steps: u64, transfers: u128 },
    #[error(
        "dimension {dimension}, class {class}: digit {digit} does not {does} once, so steps along other dimensions cannot be told"
    )]
    NotOnce { dimension: usize, class: usize, digit: u32, does: &'static str },
    #[error("round {round}: its blocks meet in more ways than are looked at ({most})")]
    TooManyWays { round: usize, most: usize },
    #[error("step {step}: several transfers use channel {channel}")]
    Shared { step: u64, channel: Channel },
}
