//! **What:** a verified schedule of a product, and its transfers step by step.

use super::table::Table;
use super::{Block, Part, ProductSchedule, residue};
use crate::orbits::OrbitError;
use crate::{Channel, Message, Node, Problem, Schedule};
use std::collections::HashMap;

/// A schedule of a product that obeys every rule of its problem: a form of [`Verified`](crate::Verified).
#[derive(Clone, Debug)]
pub struct VerifiedProduct {
    problem: Problem,
    form: ProductSchedule,
    table: Table,
}

/// One transfer of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductTransfer {
    /// The number of its message.
    pub message: u64,
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// The channels from the one to the other.
    pub path: Vec<Channel>,
}

/// The parts of the dimensions chosen so far, with what they add to the step.
struct Chosen<'a> {
    parts: Vec<&'a Part>,
    step: u64,
}

impl VerifiedProduct {
    /// Most channel uses that are written down at once.
    const MOST_USES: u64 = 1 << 26;

    pub(super) fn new(problem: Problem, form: ProductSchedule, table: Table) -> Self {
        VerifiedProduct { problem, form, table }
    }

    /// The problem it solves.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The form it is stored in.
    pub fn schedule(&self) -> &ProductSchedule {
        &self.form
    }

    /// The transfers of one step, made as they are asked for.
    pub fn step(&self, index: usize) -> Vec<ProductTransfer> {
        let index = index as u64;
        let round = self.table.starts.partition_point(|start| *start <= index) - 1;
        let (start, steps) = (self.table.starts[round], self.form.rounds[round].steps);
        let mut transfers = Vec::new();
        for block in &self.form.rounds[round].blocks {
            self.block(block, steps, index - start, &mut transfers);
        }
        transfers
    }

    /// The transfers of a block in one of its steps.
    fn block(&self, block: &Block, steps: u64, step: u64, transfers: &mut Vec<ProductTransfer>) {
        // All parts along the largest dimension are known from the others' and the step.
        let sizes = self.form.dimensions.iter().map(|d| d.size);
        let Some((largest, _)) = sizes.enumerate().max_by_key(|(_, size)| *size) else { return };
        let mut by_step: HashMap<u64, Vec<&Part>> = HashMap::new();
        for part in &self.form.dimensions[largest].classes[block.classes[largest]] {
            by_step.entry(block.adds(largest, part.slot, steps)).or_default().push(part);
        }
        let mut chosen = Chosen { parts: Vec::new(), step: residue(block.offset.into(), steps) };
        let last = |chosen: &mut Chosen<'_>| {
            let left = residue(i128::from(step) - i128::from(chosen.step), steps);
            let fitting = by_step.get(&left).map_or(&[][..], Vec::as_slice);
            for part in fitting {
                let parts: Vec<&Part> =
                    chosen.parts[..largest].iter().chain([part]).chain(&chosen.parts[largest..]).copied().collect();
                transfers.extend(self.transfer(&parts));
            }
        };
        let others: Vec<usize> = (0..self.form.dimensions.len()).filter(|d| *d != largest).collect();
        let mut last = last;
        self.choose(&others, block, steps, &mut chosen, &mut last);
    }

    /// Chooses parts along `dimensions` in all ways.
    fn choose<'a>(
        &'a self,
        dimensions: &[usize],
        block: &Block,
        steps: u64,
        chosen: &mut Chosen<'a>,
        last: &mut dyn FnMut(&mut Chosen<'_>),
    ) {
        let Some((&dimension, others)) = dimensions.split_first() else { return last(chosen) };
        let before = chosen.step;
        for part in &self.form.dimensions[dimension].classes[block.classes[dimension]] {
            chosen.parts.push(part);
            let adds = block.adds(dimension, part.slot, steps);
            chosen.step = residue(i128::from(before) + i128::from(adds), steps);
            self.choose(others, block, steps, chosen, last);
            chosen.parts.pop();
        }
        chosen.step = before;
    }

    /// The transfer of a message; `None` where nothing moves.
    fn transfer(&self, parts: &[&Part]) -> Option<ProductTransfer> {
        let place = |digit: fn(&Part) -> u32| -> usize {
            parts.iter().zip(&self.table.strides).map(|(part, stride)| digit(part) as usize * stride).sum()
        };
        let (mut at, to) = (place(|part| part.from), place(|part| part.to));
        let mut path = Vec::with_capacity(parts.iter().map(|part| part.path.len()).sum());
        let (from, to) = (self.form.nodes[at], self.form.nodes[to]);
        for &dimension in &self.form.order {
            let (part, stride) = (parts[dimension], self.table.strides[dimension]);
            path.extend(part.path.iter().map(|c| self.table.channel(&self.form, dimension, at, *c)));
            at = at + part.to as usize * stride - part.from as usize * stride;
        }
        // Alltoall has a message for every pair of different nodes, and none else.
        let message = self.problem.collective().product()?.number(from, to)?;
        Some(ProductTransfer { message, from, to, path })
    }

    pub(crate) fn expanded(&self) -> Result<Schedule, OrbitError> {
        let uses = self.form.channel_uses();
        if uses > Self::MOST_USES {
            return Err(OrbitError::TooManyUses { uses, most: Self::MOST_USES });
        }
        let mut schedule = Schedule::new();
        for index in 0..self.form.step_count() {
            schedule.begin_step();
            for transfer in self.step(index) {
                let number =
                    u32::try_from(transfer.message).expect("every message uses a channel, of which there are few");
                schedule.send(Message(number), &transfer.path);
            }
        }
        Ok(schedule)
    }
}
