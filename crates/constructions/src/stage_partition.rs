//! **What:** all permutations of a multistage network with one path a pair, of switches that turn their inputs on, parted into
//! Latin squares.
//!
//! **Promise:** N steps for each square.
//!
//! **Construction:** as in trees: step x turns every switch of stage j on by digit j of x, added modulo d. Two steps of a
//! terminal differ first at some stage, part there and never meet again, so N steps from any setting make a Latin square; the
//! squares are cosets, N^(N/d − 1) of them, each with one setting whose first switches are all straight. A square's number,
//! in digits of base d, is the sequence of the rows of the matrix of states, one row a switch and one column a stage. For
//! d > 2 the permutations are those of turned switches, not of all d! states, and a setting to begin with need not be straight.
//!
//! **Source:** A. Massini, All-to-all personalized communication on multistage interconnection networks, DAM 128, 2003; V. W. Liu,
//! C. Chen, R. B. Chen, J. Comb. Optim. 14, 2007; thesis of F. Magliocca, Rome 2021, sections 3.2.4.1 and 3.2.4.3
//!
//! **Example:** `quadrille latin print partition omega:8 --square 6`

use crate::partition::{Squares, chosen};
use crate::stage_paths::{digit, digits, fits, shifted, trace, uses};
use construct::{Builder, Claim, Control, MOST_USES, Transfers};
use kernel::Network;
use topologies::stages::Stages;

/// The Latin squares of one multistage network.
#[derive(Clone, Debug)]
pub(crate) struct StagePartition(Stages);

impl StagePartition {
    /// The squares of a network; `None` where pairs have several paths, since several settings then make one permutation, and
    /// of networks too large.
    pub(crate) fn new(stages: Stages) -> Option<Self> {
        (stages.count() == digits(&stages) && uses(&stages) <= MOST_USES).then_some(StagePartition(stages))
    }

    fn switches(&self) -> u32 {
        self.0.lines() / self.0.radix()
    }

    fn way(&self, states: &[Vec<u32>], row: u32, from: u32) -> (u32, Vec<u32>) {
        let (stages, d) = (&self.0, self.0.radix());
        trace(stages, from, |stage, line| {
            let state = states[stage as usize][(line / d) as usize];
            shifted(stages, line, state + digit(stages, row, stage))
        })
    }
}

impl Squares for StagePartition {
    /// States of all switches but the first of each stage.
    fn squares(&self) -> Option<u128> {
        u128::from(self.0.lines()).checked_pow(self.switches() - 1)
    }

    /// Stage by stage; the number's last digit is the last switch of the last stage, the one before it that of the stage before.
    fn representative(&self, square: u128) -> Vec<Vec<u32>> {
        let (count, d) = (self.0.count() as usize, u128::from(self.0.radix()));
        let mut states = vec![vec![0; self.switches() as usize]; count];
        let mut rest = square;
        for switch in (1..self.switches() as usize).rev() {
            for stage in states.iter_mut().rev() {
                stage[switch] = u32::try_from(rest % d).expect("below the switches' size");
                rest /= d;
            }
        }
        states
    }

    fn permutation(&self, states: &[Vec<u32>], row: u32) -> Vec<u32> {
        (0..self.0.lines()).map(|from| self.way(states, row, from).0).collect()
    }
}

impl Builder for StagePartition {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.lines()))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.0, network) {
            return None;
        }
        let states = self.representative(chosen(self, control.seed));
        let mut transfers = Transfers::new(network, control);
        for row in 0..self.0.lines() {
            for from in 0..self.0.lines() {
                let (to, nodes) = self.way(&states, row, from);
                if to != from {
                    transfers.send(u64::from(row), from, nodes)?;
                }
            }
        }
        transfers.claim(u64::from(self.0.lines()), Vec::new())
    }
}
