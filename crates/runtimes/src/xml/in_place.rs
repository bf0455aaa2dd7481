//! **What:** one buffer for input and output: which places share room, what waits for that, and what is copied before it is written over.

use super::build::Writer;
use super::streams::places;
use program::{Action, Operation, Place, Program};
use std::collections::{HashMap, HashSet};

impl Writer<'_> {
    /// One name for places that share room.
    pub(super) fn shared(&self, rank: u32, place: Place) -> Place {
        let block = self.program.layout().chunks() * rank;
        let (buffer, by) = match (self.options.in_place, place.buffer, self.collective) {
            (true, program::Buffer::Input, "allgather") => (program::Buffer::Output, block),
            (true, program::Buffer::Output, "reduce_scatter") => (program::Buffer::Input, block),
            (true, program::Buffer::Input, "reduce_scatter") => (program::Buffer::Input, 0),
            (true, program::Buffer::Input, _) => (program::Buffer::Output, 0),
            (_, buffer, _) => (buffer, 0),
        };
        Place { buffer, index: place.index + by }
    }

    /// The program in place: input that is read after something was written over it is copied before.
    pub(super) fn with_inputs_kept(&self) -> Program {
        let mut ranks = self.program.ranks().to_vec();
        for (rank, of) in (0u32..).zip(&mut ranks) {
            let (mut overwritten, mut kept) = (HashSet::new(), Vec::<Place>::new());
            // Of each operation, whether it reads what was kept.
            let mut late = Vec::new();
            for operation in &of.operations {
                let (reads, writes) = places(&operation.action);
                let is_late = |place: &&Place| {
                    place.buffer == program::Buffer::Input && overwritten.contains(&self.shared(rank, **place))
                };
                let found: Vec<Place> = reads.iter().filter(is_late).copied().collect();
                kept.extend(&found);
                late.push(found);
                overwritten.extend(writes.iter().map(|place| self.shared(rank, *place)));
            }
            kept.sort_unstable();
            kept.dedup();
            let by = kept.len() as u32;
            let scratch = of.scratch;
            let copy = |place: &Place| {
                let at = kept.binary_search(place).ok()? as u32;
                Some((at, Place { buffer: program::Buffer::Scratch, index: scratch + at }))
            };
            for (operation, late) in of.operations.iter_mut().zip(late) {
                operation.after.iter_mut().for_each(|before| *before += by);
                operation.after.splice(0..0, late.iter().filter_map(copy).map(|(at, _)| at));
                operation.after.dedup();
                let renew = |place: &mut Place| {
                    if let Some((_, copy)) = copy(place).filter(|_| late.contains(place)) {
                        *place = copy;
                    }
                };
                match &mut operation.action {
                    Action::Send { places, .. } => places.iter_mut().for_each(renew),
                    Action::Merge { of, .. } => of.iter_mut().for_each(renew),
                    Action::Copy { from, .. } => renew(from),
                    Action::Receive { .. } => {}
                }
            }
            let copies = kept.iter().filter_map(|place| Some((place, copy(place)?.1)));
            let copies =
                copies.map(|(from, to)| Operation { action: Action::Copy { from: *from, to }, after: Vec::new() });
            of.operations.splice(0..0, copies.collect::<Vec<_>>());
            of.scratch += by;
        }
        self.program.clone().with_ranks(ranks).expect("copies come before what reads them")
    }

    /// What each operation waits for: what the program says, and in place what used the same room before.
    pub(super) fn waits(&self, rank: u32, operations: &[Operation]) -> Vec<Vec<u32>> {
        let mut after: Vec<Vec<u32>> = operations.iter().map(|operation| operation.after.clone()).collect();
        if self.options.in_place {
            let mut last: HashMap<Place, (Option<u32>, Vec<u32>)> = HashMap::new();
            for (at, operation) in (0u32..).zip(operations) {
                let (reads, writes) = places(&operation.action);
                for place in reads {
                    let used = last.entry(self.shared(rank, *place)).or_default();
                    after[at as usize].extend(used.0);
                    used.1.push(at);
                }
                for place in writes {
                    let used = last.entry(self.shared(rank, *place)).or_default();
                    after[at as usize].extend(used.0.iter().chain(&used.1).filter(|before| **before != at));
                    *used = (Some(at), Vec::new());
                }
            }
        }
        after
    }
}
