//! **What:** chunks that go down a tree of ranks, or are merged on their way up.

use super::program::{Gate, Order, Program};
use super::ranks::Ranks;
use kernel::{Message, Op};

/// A tree of ranks: of every place its parent's, and the rank that stands there; the root has place 0.
pub(super) struct Tree {
    pub parents: Vec<usize>,
    pub order: Vec<usize>,
    /// Tells its streams from those of other trees.
    pub number: usize,
}

/// Gates of what has come up, and of what has come down.
const UP: usize = 0;
const DOWN: usize = 1;

impl Tree {
    /// Places other than the root's, the last first, so that the largest subtrees of a binomial tree come first.
    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        (1..self.parents.len()).rev()
    }

    fn stream(&self, way: usize, rank: usize) -> usize {
        (2 * self.number + way) * self.order.len() + rank
    }

    /// Merges chunks towards the root.
    pub(super) fn reduce(&self, ranks: &Ranks, program: &mut Program<'_>, chunks: &[Message]) -> Option<()> {
        for &chunk in chunks {
            for place in self.others() {
                let (from, to) = (self.order[place], self.order[self.parents[place]]);
                program.send(Order {
                    stream: Some(self.stream(UP, from)),
                    waits: &[Gate { phase: UP, rank: from, item: chunk.index() }],
                    tells: &[Gate { phase: UP, rank: to, item: chunk.index() }],
                    ..Order::new(chunk, ranks.node(from), ranks.node(to))
                })?;
            }
        }
        Some(())
    }

    /// Spreads chunks from the root; those that are `merged` wait there until they are.
    pub(super) fn broadcast(
        &self,
        ranks: &Ranks,
        program: &mut Program<'_>,
        chunks: &[Message],
        merged: bool,
    ) -> Option<()> {
        for &chunk in chunks {
            for place in self.others() {
                let (from, to) = (self.order[self.parents[place]], self.order[place]);
                let phase = if self.parents[place] == 0 { UP } else { DOWN };
                program.send(Order {
                    op: if merged { Op::Copy } else { Op::Reduce },
                    stream: Some(self.stream(DOWN, from)),
                    waits: &[Gate { phase, rank: from, item: chunk.index() }],
                    tells: &[Gate { phase: DOWN, rank: to, item: chunk.index() }],
                    ..Order::new(chunk, ranks.node(from), ranks.node(to))
                })?;
            }
        }
        Some(())
    }

    /// Each rank's block along the tree, from the root to it or from it to the root.
    pub(super) fn blocks(&self, ranks: &Ranks, program: &mut Program<'_>, down: bool) -> Option<()> {
        for place in self.others() {
            let mut way = vec![place];
            while way[way.len() - 1] != 0 {
                way.push(self.parents[way[way.len() - 1]]);
            }
            if down {
                way.reverse();
            }
            for &chunk in ranks.block(self.order[place]) {
                for (at, ends) in way.windows(2).enumerate() {
                    let [from, to] = [self.order[ends[0]], self.order[ends[1]]];
                    let waits = (at > 0).then_some(Gate { phase: DOWN, rank: from, item: chunk.index() });
                    program.send(Order {
                        stream: Some(self.stream(DOWN, from)),
                        waits: waits.as_slice(),
                        tells: &[Gate { phase: DOWN, rank: to, item: chunk.index() }],
                        ..Order::new(chunk, ranks.node(from), ranks.node(to))
                    })?;
                }
            }
        }
        Some(())
    }
}
