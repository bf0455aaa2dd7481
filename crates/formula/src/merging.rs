//! **What:** the rules for chunks that several nodes are to have, each node with one partial result of a chunk: what searches for
//! allreduce satisfy. No certificate rests on it.
//!
//! **Theory:** in a step a node keeps what it has of a chunk or lets it go, and merges it with what arrives. What it has then are
//! the contributions of exactly one of these each: nothing is counted twice. A node that lets its part go gets another. Under time-division
//! what arrives was taken when its transfer began, and what arrives after the period is merged as well, where the chunk is wanted.

use super::calls::Call;
use super::encode::Encoder;
use super::images::{Move, Moves};
use super::{Beyond, Formula, FormulaKind, Image, Literal};
use problem::{Message, Node, Problem};
use std::collections::BTreeMap;

/// Whether a node's partial result holds a contribution when a step begins.
#[derive(Clone, Copy)]
enum Part {
    No,
    Yes,
    If(Literal),
}

impl Formula {
    /// The formula of "there is a schedule of at most `steps` steps in which every node has one partial result of each chunk at a time",
    /// for chunks of semantics `reduce` in transfers of one chunk each.
    ///
    /// `images` is what such schedules are made of, or nothing ([`Image`]).
    ///
    /// # Errors
    /// As [`Formula::encode_within`].
    ///
    /// # Panics
    /// Where the images are not of the problem's network.
    pub fn encode_merging(problem: &Problem, images: &[Image], steps: u64, limit: usize) -> Result<Self, Beyond> {
        Encoder::new(problem, images, FormulaKind::Merging, steps, limit)?.each_message(Encoder::chunk)
    }
}

impl Encoder<'_> {
    /// Everything that concerns one chunk alone.
    pub(super) fn chunk(&mut self, message: Message) -> Result<(), Beyond> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let contributors = collective.contributors(message);
        let moves = self.moves(Some(message));
        // Of each contributor, who has its contribution.
        let begin = |of: &Node| network.nodes().map(|v| if v == *of { Part::Yes } else { Part::No }).collect();
        let mut parts: Vec<Vec<Vec<Part>>> = vec![contributors.iter().map(begin).collect()];
        let mut calls = Vec::new();
        for t in 0..self.steps_of_arrivals() {
            if t < self.formula.steps {
                let first = calls.len();
                self.calls_of_chunk(t, message, &moves, &parts[t], &mut calls)?;
                moves.add_images(first, &mut calls);
                self.has_something(&moves, &parts[t], &calls[first..])?;
            }
            let arriving: Vec<&Call> = calls.iter().filter(|call| call.arrives == t).collect();
            let keeps = self.keeps(t, message, &moves, &arriving)?;
            let after = (0..contributors.len()).map(|at| self.part(at, &moves, &parts, &arriving, &keeps));
            let mut after: Vec<Vec<Part>> = after.collect::<Result<_, _>>()?;
            for Move { image, contributors } in &moves.moves {
                for (at, moved) in contributors.iter().enumerate() {
                    for node in network.nodes().filter(|v| keeps[v.index()].is_some() && moves.is_first(*v)) {
                        after[*moved][image.node(node).index()] = after[at][node.index()];
                    }
                }
            }
            parts.push(after);
        }
        for node in collective.destinations(message).iter().filter(|v| moves.is_first(**v)) {
            for part in parts.last().into_iter().flatten() {
                match part[node.index()] {
                    Part::Yes => {}
                    Part::No => self.rule(1, Vec::new())?,
                    Part::If(literal) => self.rule(1, vec![literal])?,
                }
            }
        }
        Ok(())
    }

    /// The calls that begin in step `t`, of those who may have something.
    fn calls_of_chunk(
        &mut self,
        t: usize,
        message: Message,
        moves: &Moves<'_>,
        parts: &[Vec<Part>],
        calls: &mut Vec<Call>,
    ) -> Result<(), Beyond> {
        let network = self.problem.network();
        let has_nothing = |v: Node| parts.iter().all(|part| matches!(part[v.index()], Part::No));
        for caller in network.nodes().filter(|v| moves.is_first(*v) && !has_nothing(*v)) {
            if self.problem.model().is_slotted() {
                calls.extend(self.calls_of_slot(message, caller, t)?);
                continue;
            }
            let receivers: Vec<bool> = network.nodes().map(|v| v != caller && network.is_terminal(v)).collect();
            self.paths_of_caller(t, caller, message, &receivers, calls)?;
        }
        Ok(())
    }

    /// Whoever calls has some part of the chunk.
    fn has_something(&mut self, moves: &Moves<'_>, parts: &[Vec<Part>], calls: &[Call]) -> Result<(), Beyond> {
        for call in calls.iter().filter(|call| moves.is_first(call.caller)) {
            let of_caller = parts.iter().map(|part| part[call.caller.index()]);
            if !of_caller.clone().any(|part| matches!(part, Part::Yes)) {
                let some = of_caller.filter_map(|part| if let Part::If(has) = part { Some(has) } else { None });
                self.implies(call.ends, some.collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// Whether each node to which something may come keeps what it has in step `t`; it does where nothing arrives.
    fn keeps(
        &mut self,
        t: usize,
        message: Message,
        moves: &Moves<'_>,
        calls: &[&Call],
    ) -> Result<Vec<Option<Literal>>, Beyond> {
        let mut keeps = vec![None; self.problem.network().node_count()];
        if self.formula.keeps.len() <= t {
            self.formula.keeps.resize(t + 1, BTreeMap::new());
        }
        for node in self.problem.network().nodes().filter(|v| moves.is_first(*v)) {
            let arrivals: Vec<Literal> =
                calls.iter().filter(|call| call.receiver == node).map(|call| call.ends).collect();
            if arrivals.is_empty() {
                continue;
            }
            let keep = self.variable();
            self.rule(1, std::iter::once(keep).chain(arrivals).collect())?;
            self.formula.keeps[t].insert((message, node), keep);
            keeps[node.index()] = Some(keep);
            for Move { image, .. } in &moves.moves {
                keeps[image.node(node).index()] = Some(keep);
            }
        }
        Ok(keeps)
    }

    /// Who has one contribution after the last of these steps, of nodes that are no images.
    fn part(
        &mut self,
        contributor: usize,
        moves: &Moves<'_>,
        parts: &[Vec<Vec<Part>>],
        calls: &[&Call],
        keeps: &[Option<Literal>],
    ) -> Result<Vec<Part>, Beyond> {
        let now = parts.len() - 1;
        let mut after = Vec::with_capacity(keeps.len());
        for node in self.problem.network().nodes() {
            let Some(keep) = keeps[node.index()].filter(|_| moves.is_first(node)) else {
                after.push(parts[now][contributor][node.index()]);
                continue;
            };
            let arrivals = calls.iter().filter(|call| call.receiver == node);
            let arrivals = arrivals.map(|call| (call.begins, call.caller, call.ends));
            let mut ways: Vec<Literal> = Vec::new();
            for (step, from, comes) in std::iter::once((now, node, keep)).chain(arrivals) {
                match parts[step][contributor][from.index()] {
                    Part::No => {}
                    Part::Yes => ways.push(comes),
                    Part::If(has) => {
                        let both = self.variable();
                        self.implies(both, [comes])?;
                        self.implies(both, [has])?;
                        self.rule(1, vec![both, -comes, -has])?;
                        ways.push(both);
                    }
                }
            }
            if ways.is_empty() {
                after.push(Part::No);
                continue;
            }
            self.at_most(1, &ways)?;
            let has = self.variable();
            for way in &ways {
                self.implies(*way, [has])?;
            }
            self.implies(has, ways)?;
            after.push(Part::If(has));
        }
        Ok(after)
    }
}
