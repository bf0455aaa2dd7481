//! **What:** the rules for chunks that several nodes are to have, each node keeping all partial results of a chunk apart: what
//! searches for allreduce satisfy. No certificate rests on it.
//!
//! **Theory:** the partial results at a node are its own contribution and whatever came to it. A transfer takes some of its sender's, and so
//! does everybody who is to have the chunk at the end; no contribution may be in two that are taken together.

use super::calls::Call;
use super::encode::Encoder;
use super::images::Move;
use super::{Beyond, Formula, FormulaKind, Image, Literal};
use problem::{Channel, Message, Node, Op, Problem, Schedule, Transfer};
use std::collections::{BTreeMap, BTreeSet};

/// A partial result at a node: its own contribution, or what one node sent it in one step, which comes in that or, under time-division, in a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Own,
    Sent { step: usize, by: Node, arrives: usize },
}

/// What is taken at a node for a transfer, or at the end.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub message: Message,
    pub node: Node,
    /// The transfer and its receiver; none at the end.
    pub transfer: Option<(Origin, Node)>,
    /// What may be taken.
    pub of: Vec<(Origin, Literal)>,
}

/// Whether a partial result holds a contribution.
#[derive(Clone, Copy)]
enum Holds {
    No,
    Yes,
    If(Literal),
}

/// A partial result that a node may have.
struct Partial {
    origin: Origin,
    /// Whether it has it; own contributions are always there.
    there: Option<Literal>,
    /// Of each contribution, whether it is in it.
    holds: Vec<Holds>,
}

impl Partial {
    /// Whether it may be sent on in this step.
    fn is_there_in(&self, step: usize) -> bool {
        match self.origin {
            Origin::Own => true,
            Origin::Sent { arrives, .. } => arrives < step,
        }
    }
}

impl Formula {
    /// The formula of "there is a schedule of at most `steps` steps in which nodes keep their partial results apart", for chunks of
    /// semantics `reduce` in transfers of one chunk each.
    ///
    /// `images` is what such schedules are made of, or nothing ([`Image`]).
    ///
    /// # Errors
    /// As [`Formula::encode_within`].
    ///
    /// # Panics
    /// Where the images are not of the problem's network.
    pub fn encode_partials(problem: &Problem, images: &[Image], steps: u64, limit: usize) -> Result<Self, Beyond> {
        Encoder::new(problem, images, FormulaKind::Partials, steps, limit)?.each_message(Encoder::apart)
    }

    /// The schedule with the choices that values describe, from its transfers alone.
    pub(super) fn with_partials(&self, calls: &Schedule, holds: &dyn Fn(Literal) -> bool) -> Schedule {
        let lanes = self.lanes.iter().flatten().chain(self.timed.iter().map(|at| &at.lane));
        let ends: BTreeMap<Channel, (Node, Node)> = lanes.map(|lane| (lane.channel, (lane.tail, lane.head))).collect();
        let taken = |choice: &Choice| -> Vec<Origin> {
            choice.of.iter().filter(|(_, literal)| holds(*literal)).map(|(origin, _)| *origin).collect()
        };
        let (mut of_transfer, mut of_end) = (BTreeMap::new(), BTreeMap::new());
        for choice in &self.choices {
            match choice.transfer {
                Some((origin, to)) => drop(of_transfer.insert((choice.message, origin, to), taken(choice))),
                None => drop(of_end.insert((choice.message, choice.node), taken(choice))),
            }
        }
        let came = |step: usize, transfer: &Transfer<'_>| {
            let (first, last) = (transfer.path.first()?, transfer.path.last()?);
            let (by, to) = (ends[first].0, ends[last].1);
            let arrives = step + self.hop * transfer.path.len();
            Some(Came { message: *transfer.messages.first()?, origin: Origin::Sent { step, by, arrives }, arrives, to })
        };
        let numbered = calls.steps().enumerate().flat_map(|(step, all)| all.map(move |transfer| (step, transfer)));
        let mut all: Vec<Came> = numbered.filter_map(|(step, transfer)| came(step, &transfer)).collect();
        // The order in which they arrive; of those at once that in which they begin.
        all.sort_by_key(|came| came.arrives);
        let mut numbers: BTreeMap<(Message, Node), Vec<&Came>> = BTreeMap::new();
        let mut ops = BTreeMap::new();
        let mut merged = BTreeSet::new();
        for came in &all {
            let end = of_end.get(&(came.message, came.to)).map_or(&[][..], Vec::as_slice);
            // Who does not take its own contribution at the end lets the first that it takes replace it.
            let op = match end.contains(&came.origin) {
                false => Op::Keep,
                true if merged.insert((came.message, came.to)) && !end.contains(&Origin::Own) => Op::Copy,
                true => Op::Reduce,
            };
            ops.insert((came.message, came.origin, came.to), op);
            numbers.entry((came.message, came.to)).or_default().push(came);
        }
        let mut schedule = Schedule::new();
        for (step, transfers) in calls.steps().enumerate() {
            schedule.begin_step();
            for transfer in transfers {
                let Some(Came { message, origin, to, .. }) = came(step, &transfer) else { continue };
                let Origin::Sent { by, .. } = origin else { continue };
                let has = numbers.get(&(message, by)).map_or(&[][..], Vec::as_slice);
                let number = |origin: &Origin| match origin {
                    Origin::Own => Some(0),
                    sent => has.iter().position(|came| came.origin == *sent).map(|at| at as u32 + 1),
                };
                let takes = of_transfer.get(&(message, origin, to)).map_or(&[][..], Vec::as_slice);
                let partials: Vec<u32> = takes.iter().filter_map(number).collect();
                let op = ops.get(&(message, origin, to)).copied().unwrap_or(Op::Keep);
                schedule.push(Transfer { op, partials: &partials, ..transfer });
            }
        }
        schedule
    }
}

/// A partial result that comes to a node.
struct Came {
    message: Message,
    origin: Origin,
    arrives: usize,
    to: Node,
}

impl Encoder<'_> {
    /// Everything that concerns one chunk alone.
    fn apart(&mut self, message: Message) -> Result<(), Beyond> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let contributors = collective.contributors(message);
        let moves = self.moves(Some(message));
        let mut partials: Vec<Vec<Partial>> = network.nodes().map(|_| Vec::new()).collect();
        for &node in contributors {
            let holds = contributors.iter().map(|c| if *c == node { Holds::Yes } else { Holds::No }).collect();
            partials[node.index()].push(Partial { origin: Origin::Own, there: None, holds });
        }
        for t in 0..self.formula.steps {
            let last = t + 1 == self.formula.steps;
            let mut calls = Vec::new();
            let calls_in =
                |v: &Node| moves.is_first(*v) && partials[v.index()].iter().any(|partial| partial.is_there_in(t));
            for caller in network.nodes().filter(calls_in) {
                if self.problem.model().is_slotted() {
                    calls.extend(self.calls_of_slot(message, caller, t)?);
                    continue;
                }
                let wants = |v: &Node| !last || collective.destinations(message).contains(v);
                let receivers: Vec<bool> =
                    network.nodes().map(|v| v != caller && network.is_terminal(v) && wants(&v)).collect();
                self.paths_of_caller(t, caller, message, &receivers, &mut calls)?;
            }
            let sent = self.sent(t, message, &calls, &partials)?;
            for Move { image, contributors } in &moves.moves {
                for (to, partial) in &sent {
                    let mut holds = partial.holds.clone();
                    partial.holds.iter().zip(contributors).for_each(|(held, place)| holds[*place] = *held);
                    let origin = image.origin(partial.origin);
                    partials[image.node(*to).index()].push(Partial { origin, there: partial.there, holds });
                }
            }
            for (to, partial) in sent {
                partials[to.index()].push(partial);
            }
        }
        for &node in collective.destinations(message).iter().filter(|v| moves.is_first(**v)) {
            let (ways, of) = self.taken(partials[node.index()].iter(), None, contributors.len())?;
            for ways in ways {
                self.rule(1, ways)?;
            }
            self.formula.choices.push(Choice { message, node, transfer: None, of });
        }
        Ok(())
    }

    /// What the calls of a step bring, and to whom.
    fn sent(
        &mut self,
        step: usize,
        message: Message,
        calls: &[Call],
        partials: &[Vec<Partial>],
    ) -> Result<Vec<(Node, Partial)>, Beyond> {
        let contributors = self.problem.collective().contributors(message).len();
        let mut pairs: BTreeMap<(Node, Node, usize), Vec<Literal>> = BTreeMap::new();
        for call in calls {
            pairs.entry((call.caller, call.receiver, call.arrives)).or_default().push(call.ends);
        }
        let mut sent = Vec::new();
        for ((by, to, arrives), ends) in pairs {
            let there = self.variable();
            self.implies(there, ends.clone())?;
            for end in ends {
                self.implies(end, [there])?;
            }
            let known = partials[by.index()].iter().filter(|partial| partial.is_there_in(step));
            let (ways, of) = self.taken(known, Some(there), contributors)?;
            let origin = Origin::Sent { step, by, arrives };
            self.implies(there, of.iter().map(|(_, takes)| *takes))?;
            let mut holds = Vec::with_capacity(contributors);
            for ways in ways {
                if ways.is_empty() {
                    holds.push(Holds::No);
                    continue;
                }
                let has = self.variable();
                for way in &ways {
                    self.implies(*way, [has])?;
                }
                self.implies(has, ways)?;
                holds.push(Holds::If(has));
            }
            self.formula.choices.push(Choice { message, node: by, transfer: Some((origin, to)), of });
            sent.push((to, Partial { origin, there: Some(there), holds }));
        }
        Ok(sent)
    }

    /// A choice among partial results: of each contribution the ways in which it is taken, of which at most one holds, and the literals
    /// of what is taken, which imply `only_if`.
    #[allow(clippy::type_complexity, reason = "two lists that belong to one choice")]
    fn taken<'a>(
        &mut self,
        partials: impl Iterator<Item = &'a Partial>,
        only_if: Option<Literal>,
        contributors: usize,
    ) -> Result<(Vec<Vec<Literal>>, Vec<(Origin, Literal)>), Beyond> {
        let mut ways: Vec<Vec<Literal>> = vec![Vec::new(); contributors];
        let mut of = Vec::new();
        for partial in partials {
            let takes = self.variable();
            of.push((partial.origin, takes));
            for needed in only_if.into_iter().chain(partial.there) {
                self.implies(takes, [needed])?;
            }
            for (holds, ways) in partial.holds.iter().zip(&mut ways) {
                match *holds {
                    Holds::No => {}
                    Holds::Yes => ways.push(takes),
                    Holds::If(has) => {
                        let both = self.variable();
                        self.implies(both, [takes])?;
                        self.implies(both, [has])?;
                        self.rule(1, vec![both, -takes, -has])?;
                        ways.push(both);
                    }
                }
            }
        }
        for ways in &ways {
            self.at_most(1, ways)?;
        }
        Ok((ways, of))
    }
}
