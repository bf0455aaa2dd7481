//! **What:** a program: who sends what, by which path, in which order, and what each transfer waits for.
//!
//! **Meaning.** A *gate* opens when all transfers that tell it are held; transfers wait for gates. Transfers of one *stream* begin one after the other, in the
//! order in which they were written down.

use super::routes::Routes;
use kernel::timed::TimedProblem;
use kernel::{Channel, Message, Node, Op, Semantics};
use std::collections::HashMap;

/// What an algorithm calls a gate: a round or a phase, a rank, and a chunk or nothing in particular.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Gate {
    pub phase: usize,
    pub rank: usize,
    pub item: usize,
}

/// Of a chunk that is merged, what a transfer takes.
#[derive(Clone, Debug)]
pub(super) enum Takes {
    /// What its sender has merged by then.
    Merged,
    /// What these transfers brought to its sender, and its own contribution or not.
    Parts { own: bool, of: Vec<usize> },
    /// Partial results by their numbers.
    Numbered(Vec<u32>),
}

/// A transfer that a machine is to play.
#[derive(Clone, Debug)]
pub(super) struct Send {
    pub messages: Vec<Message>,
    pub path: Vec<Channel>,
    pub op: Op,
    pub takes: Takes,
    /// Transfers that must have begun before it does.
    pub after: Vec<usize>,
    /// Gates that it waits for.
    pub waits: Vec<usize>,
    /// Gates that it tells when it is held.
    pub tells: Vec<usize>,
}

/// What an algorithm asks for: a chunk from a rank's node to another's.
pub(super) struct Order<'a> {
    pub message: Message,
    pub from: Node,
    pub to: Node,
    pub op: Op,
    pub takes: Takes,
    /// The stream it is part of, where it has to keep to an order.
    pub stream: Option<usize>,
    pub waits: &'a [Gate],
    pub tells: &'a [Gate],
}

impl Order<'_> {
    /// One that waits for nothing and takes what there is.
    pub(super) fn new(message: Message, from: Node, to: Node) -> Self {
        Order { message, from, to, op: Op::Reduce, takes: Takes::Merged, stream: None, waits: &[], tells: &[] }
    }
}

/// All transfers of an algorithm.
pub(super) struct Program<'a> {
    problem: &'a TimedProblem,
    routes: Routes,
    sends: Vec<Send>,
    gates: HashMap<Gate, usize>,
    /// How many gates there are, those of legs included.
    count: usize,
    /// The last transfer of each stream.
    streams: HashMap<Stream, usize>,
}

/// Transfers that begin in their order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stream {
    /// As an algorithm numbers them.
    Named(usize),
    /// A later leg of the paths between two nodes, by way of one.
    Leg { from: Node, to: Node, via: Node },
}

/// The transfers, and the number of gates.
pub(super) struct Written {
    pub sends: Vec<Send>,
    pub gates: usize,
}

impl<'a> Program<'a> {
    pub(super) fn new(problem: &'a TimedProblem, routes: Routes) -> Self {
        Program { problem, routes, sends: Vec::new(), gates: HashMap::new(), count: 0, streams: HashMap::new() }
    }

    /// Adds a transfer, or as many as its path has legs; the number of the last. Nothing where there is no path.
    pub(super) fn send(&mut self, order: Order<'_>) -> Option<usize> {
        let legs = self.routes.take(order.from, order.to)?;
        let merges = self.problem.collective().semantics() == Semantics::Reduce;
        let last = legs.len().checked_sub(1)?;
        let mut brought = None;
        for (at, path) in legs.into_iter().enumerate() {
            let mut waits: Vec<usize> = Vec::new();
            let (mut takes, mut after) = (order.takes.clone(), Vec::new());
            match brought {
                None => {
                    waits.extend(order.waits.iter().map(|gate| self.gate(*gate)));
                }
                Some((send, gate)) => {
                    waits.push(gate);
                    takes = if merges { Takes::Parts { own: false, of: vec![send] } } else { Takes::Merged };
                }
            }
            // What is stored on the way goes on in the order in which it began.
            let stream = match at {
                0 => order.stream.map(Stream::Named),
                _ => Some(Stream::Leg { from: order.from, to: order.to, via: self.problem.network().from(path[0]) }),
            };
            after.extend(stream.and_then(|stream| self.streams.insert(stream, self.sends.len())));
            let tells: Vec<usize> = match at == last {
                true => order.tells.iter().map(|gate| self.gate(*gate)).collect(),
                false => vec![self.next()],
            };
            // Who stores what is on its way keeps it apart from what it has of that chunk.
            let op = if at == last || !merges { order.op } else { Op::Keep };
            brought = tells.first().map(|gate| (self.sends.len(), *gate));
            self.sends.push(Send { messages: vec![order.message], path, op, takes, after, waits, tells });
        }
        Some(self.sends.len() - 1)
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn gate(&mut self, gate: Gate) -> usize {
        if let Some(known) = self.gates.get(&gate) {
            return *known;
        }
        let next = self.next();
        self.gates.insert(gate, next);
        next
    }

    pub(super) fn done(self) -> Written {
        Written { sends: self.sends, gates: self.count }
    }
}
