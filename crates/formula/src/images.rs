//! **What:** formulas of schedules that are made of images of a part of them, moved by automorphisms of the network, from chunk to chunk and to later steps: as
//! many times smaller as there are images, and with far fewer solutions to look through. No certificate rests on them.
//!
//! **Method:** what is one message's, or one node's with one chunk, has variables and rules where no image comes before it; the variables of its images are the
//! same. What messages share in a step is said of all images, and once where it comes to the same.

use super::calls::Call;
use super::encode::Encoder;
use super::partials::{Choice, Origin};
use super::{Beyond, FormulaKind, Lane, LaneInSlot, Literal};
use problem::{Channel, Message, Network, Node};

/// Where the part of a schedule that a formula speaks of is moved: by an automorphism of the network that moves messages to messages with the images of their ends.
///
/// A formula takes none, and speaks of all of a schedule, or a list: first the identity, then images under which every message (where a message is left in place, every pair of it
/// and a terminal) comes from one place alone, as by a group of which only the identity leaves such a pair in place.
#[derive(Clone, Debug)]
pub struct Image {
    /// The image of each node.
    pub nodes: Vec<u32>,
    /// The image of each channel.
    pub channels: Vec<u32>,
    /// The image of each message.
    pub messages: Vec<Message>,
    /// Steps by which it is later; 0 under time-division.
    pub delay: usize,
}

impl Image {
    pub(super) fn node(&self, node: Node) -> Node {
        Node(self.nodes[node.index()])
    }

    fn message(&self, kind: FormulaKind, message: Message) -> Message {
        match kind {
            // Lanes have the number of the caller.
            FormulaKind::Calls => Message(self.nodes[message.index()]),
            _ => self.messages[message.index()],
        }
    }

    /// The image of a lane that goes on with others so many places further on.
    fn lane(&self, kind: FormulaKind, network: &Network, lane: &Lane, further: usize) -> Lane {
        let channel = Channel(self.channels[lane.channel.index()]);
        Lane {
            message: self.message(kind, lane.message),
            channel,
            tail: network.from(channel),
            head: network.to(channel),
            after: lane.after.iter().map(|(before, goes_on)| (before + further, *goes_on)).collect(),
            ..*lane
        }
    }

    pub(super) fn origin(&self, origin: Origin) -> Origin {
        match origin {
            Origin::Own => Origin::Own,
            Origin::Sent { step, by, arrives } => {
                Origin::Sent { step: step + self.delay, by: self.node(by), arrives: arrives + self.delay }
            }
        }
    }

    fn choice(&self, choice: &Choice) -> Choice {
        Choice {
            message: self.messages[choice.message.index()],
            node: self.node(choice.node),
            transfer: choice.transfer.map(|(origin, to)| (self.origin(origin), self.node(to))),
            of: choice.of.iter().map(|(origin, literal)| (self.origin(*origin), *literal)).collect(),
        }
    }
}

/// The images, but for what is moved itself, that leave a chunk in place; and what they do to what is said of a node.
pub(super) struct Moves<'a> {
    pub moves: Vec<Move<'a>>,
    is_first: Vec<bool>,
}

/// An image that leaves a chunk in place.
pub(super) struct Move<'a> {
    pub image: &'a Image,
    /// Where each of the chunk's contributors is moved, among them.
    pub contributors: Vec<usize>,
}

impl Moves<'_> {
    /// Whether what is said of a node is no image of what is said of one before.
    pub(super) fn is_first(&self, node: Node) -> bool {
        self.is_first[node.index()]
    }

    /// Adds the images of the calls from position `first` on.
    pub(super) fn add_images(&self, first: usize, calls: &mut Vec<Call>) {
        let made = first..calls.len();
        for Move { image, .. } in &self.moves {
            for at in made.clone() {
                let Call { caller, receiver, .. } = calls[at];
                calls.push(Call { caller: image.node(caller), receiver: image.node(receiver), ..calls[at] });
            }
        }
    }
}

impl<'a> Encoder<'a> {
    /// Whether a message is no image of one before.
    pub(super) fn is_first(&self, message: Message) -> bool {
        self.images.iter().all(|image| message <= image.messages[message.index()])
    }

    /// The images that leave a chunk, or where there is none all knowledge, in place.
    pub(super) fn moves(&self, chunk: Option<Message>) -> Moves<'a> {
        let stays = |image: &&Image| chunk.is_none_or(|chunk| image.messages[chunk.index()] == chunk);
        let contributors = chunk.map_or(&[][..], |chunk| self.problem.collective().contributors(chunk));
        let place = |moved: Node| contributors.iter().position(|other| *other == moved);
        let place = |moved| place(moved).expect("what leaves a chunk in place moves its contributors to each other");
        let moved = |image: &'a Image| Move {
            image,
            contributors: contributors.iter().map(|node| place(image.node(*node))).collect(),
        };
        let moves: Vec<Move<'a>> = self.images.iter().skip(1).filter(stays).map(moved).collect();
        let is_first = |v: Node| moves.iter().all(|moved| v <= moved.image.node(v));
        let is_first = self.problem.network().nodes().map(is_first).collect();
        Moves { moves, is_first }
    }

    /// From the lanes, and what goes with them, to those of all images.
    pub(super) fn spread(&mut self) {
        let Some(later) = self.images.iter().map(|image| image.delay).max() else { return };
        let (network, formula) = (self.problem.network(), &mut self.formula);
        let kind = formula.kind;
        formula.steps += later;
        let lanes = std::mem::replace(&mut formula.lanes, vec![Vec::new(); formula.steps]);
        let timed = std::mem::take(&mut formula.timed);
        let keeps = std::mem::take(&mut formula.keeps);
        formula.keeps.resize(keeps.len() + later, Default::default());
        let choices = std::mem::take(&mut formula.choices);
        for image in self.images {
            for (t, lanes) in lanes.iter().enumerate() {
                let all = &mut formula.lanes[t + image.delay];
                let further = all.len();
                all.extend(lanes.iter().map(|lane| image.lane(kind, network, lane, further)));
            }
            let further = formula.timed.len();
            let moved = |at: &LaneInSlot| LaneInSlot { lane: image.lane(kind, network, &at.lane, further), ..*at };
            formula.timed.extend(timed.iter().map(moved));
            for (t, keeps) in keeps.iter().enumerate() {
                let moved = |(&(message, node), keep): (&(Message, Node), &Literal)| {
                    ((image.message(kind, message), image.node(node)), *keep)
                };
                formula.keeps[t + image.delay].extend(keeps.iter().map(moved));
            }
            formula.choices.extend(choices.iter().map(|choice| image.choice(choice)));
        }
    }

    /// At most `most` of the literals hold, of which several may be the same.
    pub(super) fn limit(&mut self, most: u32, literals: &[Literal]) -> Result<(), Beyond> {
        if self.images.is_empty() {
            return self.at_most(most, literals);
        }
        let mut sorted = sorted(literals);
        if !self.said.insert((most, sorted.clone())) {
            return Ok(());
        }
        let often: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[Literal]>::len).collect();
        sorted.dedup();
        match often[..] {
            [each, ..] if often.iter().all(|of_it| *of_it == each) => self.at_most(most / each as u32, &sorted),
            _ => {
                // Some schedules are lost: those that use what has room for several images.
                let several = sorted.iter().zip(&often).filter(|(_, of_it)| **of_it > 1);
                several.map(|(literal, _)| -literal).try_for_each(|not| self.rule(1, vec![not]))?;
                let once = sorted.iter().zip(&often).filter(|(_, of_it)| **of_it == 1).map(|(literal, _)| *literal);
                self.at_most(most, &once.collect::<Vec<_>>())
            }
        }
    }
}

/// The literals in order: the same ones where images of one another are limited.
pub(super) fn sorted(literals: &[Literal]) -> Vec<Literal> {
    let mut sorted = literals.to_vec();
    sorted.sort_unstable();
    sorted
}
