//! **What:** the fewest rounds in which one of several ranks sends blocks to all others, where each sends a block and receives one in a round.
//!
//! **Idea.** In round i every rank sends to the one s_k after it, k being i modulo q, the rounded-up logarithm of the number of ranks: the skips s_k halve that number again and again, rounded up. All is
//! the same q rounds later, but for blocks whose numbers are q greater. In q rounds a rank receives one block that the root has sent in these, the one of the least skip in its number as a sum of
//! skips, and all that the root has sent in the q rounds before but one, which it has. For each skip in turn, the block is that of the last rank from which the others lead here by
//! skips that were not yet used.
//!
//! **Facts:** n blocks take n − 1 + q rounds, and no fewer do: the last block leaves the root after n − 1 others, and in each round the ranks that have it at most double.
//!
//! **Source:** J. L. Träff, Round-optimal n-block broadcast schedules in logarithmic time, 2023.

/// Who receives which block from whom in each of some rounds, the same again and again.
#[derive(Clone, Debug)]
pub struct BlockRounds {
    skips: Vec<usize>,
    /// Of every rank, the block it receives in each round of a period; below 0: one of the period before.
    received: Vec<Vec<isize>>,
}

/// A block that a rank receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The round, from 0.
    pub round: usize,
    /// The rank that sends it.
    pub from: usize,
    /// The rank that receives it.
    pub to: usize,
}

impl BlockRounds {
    /// Rounds for so many ranks, the root first; `None` where a rank finds no block for one of them, as it does for no number of ranks that was tried.
    #[must_use]
    pub fn new(ranks: usize) -> Option<Self> {
        let mut skips = vec![ranks];
        while skips.last().is_some_and(|skip| *skip > 1) {
            skips.push(skips[skips.len() - 1].div_ceil(2));
        }
        skips.reverse();
        let received = (0..ranks).map(|rank| Choice::new(&skips, rank).made()).collect::<Option<_>>()?;
        Some(BlockRounds { skips, received })
    }

    /// The rounds of a period.
    fn period(&self) -> usize {
        self.skips.len() - 1
    }

    /// Rounds for so many blocks.
    #[must_use]
    pub fn rounds(&self, blocks: usize) -> usize {
        if blocks == 0 || self.period() == 0 { 0 } else { blocks - 1 + self.period() }
    }

    /// Of each block, its arrivals at all ranks but the root, in the order of rounds.
    #[must_use]
    pub fn arrivals(&self, blocks: usize) -> Vec<Vec<Arrival>> {
        let (ranks, period, rounds) = (self.received.len(), self.period(), self.rounds(blocks));
        let mut arrivals = vec![Vec::new(); blocks];
        let mut has = vec![vec![false; ranks]; blocks];
        if rounds == 0 {
            return arrivals;
        }
        // Rounds before the first, in which nothing is sent, make whole periods.
        let before = (period - rounds % period) % period;
        for round in 0..rounds {
            let (turn, at) = ((before + round) / period, (before + round) % period);
            for (to, received) in self.received.iter().enumerate().skip(1) {
                let block = received[at] + (turn * period) as isize - before as isize;
                let Ok(block) = usize::try_from(block) else { continue };
                // The root goes on with the last block.
                let block = block.min(blocks - 1);
                if !std::mem::replace(&mut has[block][to], true) {
                    arrivals[block].push(Arrival { round, from: (to + ranks - self.skips[at]) % ranks, to });
                }
            }
        }
        arrivals
    }
}

/// The blocks of one rank, as they are chosen.
struct Choice<'a> {
    skips: &'a [usize],
    /// The rank, seen a whole round later, so that all lies before it.
    rank: usize,
    /// The block that is new in every period: the least skip of the rank as a sum of skips.
    own: usize,
    /// Skips that may be used.
    free: Vec<bool>,
    /// The last rank that was chosen; the next lies before it.
    last: usize,
    chosen: Vec<usize>,
}

impl<'a> Choice<'a> {
    fn new(skips: &'a [usize], rank: usize) -> Self {
        let ranks = skips[skips.len() - 1];
        let (mut left, mut own) = (rank, skips.len() - 1);
        for at in (0..skips.len() - 1).rev() {
            if left > 0 && skips[at] <= left {
                (left, own) = (left - skips[at], at);
            }
        }
        let mut free = vec![true; skips.len()];
        free[own] = rank == 0;
        Choice { skips, rank: ranks + rank, own, free, last: 2 * ranks + 1, chosen: Vec::new() }
    }

    fn made(mut self) -> Option<Vec<isize>> {
        let period = self.skips.len() - 1;
        self.choose(0, period);
        let block = |at: &usize| if *at == period { self.own as isize } else { *at as isize - period as isize };
        (self.chosen.len() == period).then(|| self.chosen.iter().map(block).collect())
    }

    /// The rank that lies a skip before this one.
    fn before(&self, skip: usize) -> usize {
        self.rank - self.skips[skip]
    }

    /// From a sum of skips on, with skips up to one.
    fn choose(&mut self, sum: usize, most: usize) {
        let period = self.skips.len() - 1;
        for at in (0..=most).rev() {
            if self.chosen.len() == period {
                return;
            }
            let next = sum + self.skips[at];
            if !self.free[at] || next > self.before(self.chosen.len()) || next >= self.last {
                continue;
            }
            if at > 0 {
                self.choose(next, at - 1);
            }
            if self.chosen.len() == period || sum > self.before(self.chosen.len() + 1) {
                return;
            }
            self.last = next;
            self.chosen.push(at);
            self.free[at] = false;
        }
    }
}
