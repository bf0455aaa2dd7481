//! **What:** the rules for chunks that several nodes are to have, each node with one partial result of a chunk: what searches for
//! allreduce satisfy. No certificate rests on it.
//!
//! **Theory:** in a step a node keeps what it has of a chunk or lets it go, and merges it with what arrives. What it has then are
//! the contributions of exactly one of these each: nothing is counted twice. A node that lets its part go gets another.

use super::calls::Call;
use super::encode::Encoder;
use super::{Beyond, Formula, FormulaKind, Literal};
use crate::{Message, Node, Problem};

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
    /// # Errors
    /// As [`Formula::encode_within`].
    pub fn encode_merging(problem: &Problem, steps: u64, limit: usize) -> Result<Self, Beyond> {
        let mut encoder = Encoder::new(problem, FormulaKind::Merging, steps, limit)?;
        for message in problem.collective().messages() {
            encoder.chunk(message)?;
        }
        for t in 0..encoder.formula.steps {
            encoder.limits(t)?;
        }
        Ok(encoder.formula)
    }
}

impl Encoder<'_> {
    /// Everything that concerns one chunk alone.
    pub(super) fn chunk(&mut self, message: Message) -> Result<(), Beyond> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let contributors = collective.contributors(message);
        // Of each contributor, who has its contribution.
        let begin = |of: &Node| network.nodes().map(|v| if v == *of { Part::Yes } else { Part::No }).collect();
        let mut parts: Vec<Vec<Part>> = contributors.iter().map(begin).collect();
        for t in 0..self.formula.steps {
            let mut calls = Vec::new();
            for caller in network.nodes() {
                if parts.iter().all(|part| matches!(part[caller.index()], Part::No)) {
                    continue;
                }
                let receivers: Vec<bool> = network.nodes().map(|v| v != caller && network.is_terminal(v)).collect();
                let first = calls.len();
                self.paths_of_caller(t, caller, message, &receivers, &mut calls)?;
                self.has_something(&parts, &calls[first..])?;
            }
            let keeps = self.keeps(t, message, &calls)?;
            for part in &mut parts {
                *part = self.part(part, &calls, &keeps)?;
            }
        }
        for node in collective.destinations(message) {
            for part in &parts {
                match part[node.index()] {
                    Part::Yes => {}
                    Part::No => self.rule(1, Vec::new())?,
                    Part::If(literal) => self.rule(1, vec![literal])?,
                }
            }
        }
        Ok(())
    }

    /// Whoever calls has some part of the chunk.
    fn has_something(&mut self, parts: &[Vec<Part>], calls: &[Call]) -> Result<(), Beyond> {
        for call in calls {
            let of_caller = parts.iter().map(|part| part[call.caller.index()]);
            if !of_caller.clone().any(|part| matches!(part, Part::Yes)) {
                let some = of_caller.filter_map(|part| if let Part::If(has) = part { Some(has) } else { None });
                self.implies(call.ends, some.collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// Whether each node keeps what it has in step `t`; it does where nothing arrives.
    fn keeps(&mut self, t: usize, message: Message, calls: &[Call]) -> Result<Vec<Literal>, Beyond> {
        let mut keeps = Vec::new();
        for node in self.problem.network().nodes() {
            let keep = self.variable();
            let arrivals = calls.iter().filter(|call| call.receiver == node).map(|call| call.ends);
            self.rule(1, std::iter::once(keep).chain(arrivals).collect())?;
            self.formula.keeps[t].insert((message, node), keep);
            keeps.push(keep);
        }
        Ok(keeps)
    }

    /// Who has one contribution after a step.
    fn part(&mut self, before: &[Part], calls: &[Call], keeps: &[Literal]) -> Result<Vec<Part>, Beyond> {
        let mut after = Vec::with_capacity(before.len());
        for node in self.problem.network().nodes() {
            let arrivals = calls.iter().filter(|call| call.receiver == node).map(|call| (call.caller, call.ends));
            let all = std::iter::once((node, keeps[node.index()])).chain(arrivals);
            let mut ways: Vec<Literal> = Vec::new();
            for (from, comes) in all {
                match before[from.index()] {
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
