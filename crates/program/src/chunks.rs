//! **What:** which chunk of its message each place holds. Of inputs and outputs the position tells; of scratch it follows from what comes there.

use crate::{Action, Buffer, Place, Program};

/// The chunk of every place of scratch, by rank; 0 where nothing comes.
pub(crate) fn of_scratch(program: &Program) -> Vec<Vec<u32>> {
    let ranks = program.ranks();
    let mut walk = Walk {
        chunks: program.layout().chunks(),
        scratch: ranks.iter().map(|rank| vec![0; rank.scratch as usize]).collect(),
        sent: vec![None; program.transfers() as usize],
        waiting: vec![None; program.transfers() as usize],
    };
    let mut next = vec![0; ranks.len()];
    let mut open: Vec<usize> = (0..ranks.len()).collect();
    while let Some(rank) = open.pop() {
        while let Some(operation) = ranks[rank].operations.get(next[rank]) {
            match walk.does(rank, &operation.action) {
                Does::Waits => break,
                Does::Nothing => {}
                Does::Wakes(other) => open.push(other),
            }
            next[rank] += 1;
        }
    }
    walk.scratch
}

struct Walk {
    chunks: u32,
    scratch: Vec<Vec<u32>>,
    /// Of each transfer, the chunks it carries, once it is sent.
    sent: Vec<Option<Vec<u32>>>,
    /// Of each transfer, the rank that can go no further without it.
    waiting: Vec<Option<usize>>,
}

/// What an operation comes to.
enum Does {
    Waits,
    Nothing,
    Wakes(usize),
}

impl Walk {
    fn chunk(&self, rank: usize, place: Place) -> u32 {
        match place.buffer {
            Buffer::Input | Buffer::Output => place.index % self.chunks,
            Buffer::Scratch => self.scratch[rank][place.index as usize],
        }
    }

    fn set(&mut self, rank: usize, place: Place, chunk: u32) {
        if place.buffer == Buffer::Scratch {
            self.scratch[rank][place.index as usize] = chunk;
        }
    }

    fn does(&mut self, rank: usize, action: &Action) -> Does {
        match action {
            Action::Send { transfer, places, .. } => {
                let carried = places.iter().map(|place| self.chunk(rank, *place)).collect();
                self.sent[*transfer as usize] = Some(carried);
                return self.waiting[*transfer as usize].take().map_or(Does::Nothing, Does::Wakes);
            }
            Action::Receive { transfer, places, .. } => {
                let Some(carried) = self.sent[*transfer as usize].take() else {
                    self.waiting[*transfer as usize] = Some(rank);
                    return Does::Waits;
                };
                for (place, chunk) in places.iter().zip(carried) {
                    self.set(rank, *place, chunk);
                }
            }
            Action::Copy { from, to } => self.set(rank, *to, self.chunk(rank, *from)),
            Action::Merge { of, into } => self.set(rank, *into, self.chunk(rank, of[0])),
        }
        Does::Nothing
    }
}
