//! **What:** the calls that a solver chooses.

use super::asked::Call;
use super::formula::SumFormula;
use super::{TICKS_A_BYTE, TICKS_A_VARIABLE};
use graph::{sat::Answer, sat::decide};
use kernel::Node;
use kernel::formula::Literal;
use std::collections::BTreeSet;

/// How often paths may come back to a lane before the solver is not asked again.
const MOST_REPAIRS: u64 = 64;

impl SumFormula<'_> {
    /// The calls that a solver finds with so many ticks, each sum at most once to a node; what it took is taken off what is left. Each tells so many partial
    /// results of its sender.
    pub(super) fn calls(
        &mut self,
        ticks: u64,
        left: &mut u64,
        partials: impl Fn(Node) -> u32,
    ) -> Answer<(), Vec<Call>> {
        *left = left.saturating_sub(u64::from(self.rules.variables()) * TICKS_A_VARIABLE);
        let mut most = ticks;
        loop {
            let (answer, bytes) = decide(&self.rules.cnf(), most / TICKS_A_BYTE, self.asked.run);
            *left = left.saturating_sub(bytes * TICKS_A_BYTE);
            most = most.saturating_sub((bytes * TICKS_A_BYTE).max(ticks / MOST_REPAIRS));
            let values = match answer {
                Answer::Solution(values) => values,
                Answer::None(()) => return Answer::None(()),
                Answer::Open => return Answer::Open,
            };
            // The rules do not say that a path crosses no lane twice: one that does so is excluded when it is seen.
            let paths = self.begun(&values);
            let loops: Vec<Vec<Literal>> = paths.iter().filter_map(|path| self.without_loop(path)).collect();
            if loops.is_empty() {
                return Answer::Solution(self.decode(&paths, partials));
            }
            loops.into_iter().for_each(|literals| self.rules.one_of(literals));
        }
    }

    /// The crossings, one after the other, of each call that values describe; none twice to a node.
    fn begun(&self, values: &[bool]) -> Vec<Vec<usize>> {
        let holds = |literal: Literal| usize::try_from(literal - 1).is_ok_and(|at| values[at]);
        let mut told = BTreeSet::new();
        let begun = |at: &usize| self.crossings[*at].begins.is_some_and(holds);
        let path = |first: usize| {
            let mut path = vec![first];
            let mut last = &self.crossings[first];
            while let Some((next, _)) = last.next.iter().find(|(_, goes_on)| holds(*goes_on)) {
                path.push(*next);
                last = &self.crossings[*next];
            }
            let to = self.asked.resources.ends[last.lane as usize].1;
            (last.ends.is_some_and(holds) && told.insert((last.sum, to))).then_some(path)
        };
        (0..self.crossings.len()).filter(begun).filter_map(path).collect()
    }

    /// Where a path comes back to a lane, that it does not go on so.
    fn without_loop(&self, path: &[usize]) -> Option<Vec<Literal>> {
        let lane = |at: usize| self.crossings[path[at]].lane;
        let pairs = (0..path.len()).flat_map(|last| (0..last).map(move |first| (first, last)));
        let (first, last) = pairs.into_iter().find(|(first, last)| lane(*first) == lane(*last))?;
        let goes_on = |at: usize| {
            let next = self.crossings[path[at]].next.iter().find(|(next, _)| *next == path[at + 1]);
            next.map(|(_, goes_on)| -goes_on)
        };
        Some((first..last).filter_map(goes_on).collect())
    }

    /// The calls along these paths, and their images.
    fn decode(&self, paths: &[Vec<usize>], partials: impl Fn(Node) -> u32) -> Vec<Call> {
        let mut calls = Vec::new();
        for path in paths {
            let slot = self.crossings[path[0]].slot;
            for moved in self.stage.images {
                let lane = |at: &usize| moved.lanes[self.crossings[*at].lane as usize];
                let path: Vec<u32> = path.iter().map(lane).collect();
                let from = self.asked.resources.ends[path[0] as usize].0;
                calls.push(Call { from, slot, path, partials: partials(from) });
            }
        }
        calls
    }
}
