//! **What:** alltoall on two butterflies in a row by rotations, the rows of the right Latin square.
//!
//! **Promise:** N − 1 steps, the floor.
//!
//! **Construction:** let π leave a number alone whose first and last binary digits agree, and take any other i to N − 1 − i. One
//! butterfly realises π, and both together π(π(i)) = i, the identity. In rotation k the second butterfly keeps its states,
//! but that for odd k all switches of the stage behind the shared middle one are the other way round, and the first
//! takes i to where the second takes to i + k, which it can for every k and with a straight first stage.
//!
//! **Source:** D. Izzi, A. Massini, Optimal all-to-all personalized communication on butterfly networks through a reduced Latin
//! square, HPCC 2020. For odd k the first butterfly can do without the complemented stage, but then crosses its first stage.
//!
//! **Example:** `butterfly-butterfly:16`, 15 steps

use crate::stage_paths::{digits, fits, trace, uses};
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers};
use kernel::{Certificate, Network, Node, Proof};
use topologies::stages::Stages;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "rls",
    about: "two butterflies of 2×2 switches: all rotations, the second butterfly never changed",
    source: "Izzi, Massini, HPCC 2020",
    promise: "N-1",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &["butterfly-butterfly:2", "butterfly-butterfly:4", "butterfly-butterfly:8", "butterfly-butterfly:64"],
    make: |request| {
        request.parameters_of(&["butterfly-butterfly"])?;
        let stages = request.stages()?;
        (stages.radix() == 2 && uses(&stages) <= MOST_USES).then(|| Box::new(Rls::new(stages)) as Box<dyn Builder>)
    },
};

struct Rls {
    stages: Stages,
    reflections: Reflections,
}

/// The second butterfly, set to π.
pub(crate) struct Reflections {
    /// The line that leaves each stage of the second butterfly in the identity, for each line that enters.
    second: Vec<Vec<u32>>,
    /// The line from which the second butterfly goes to each terminal, for even and for odd rotations.
    middle: [Vec<u32>; 2],
}

impl Reflections {
    /// Of two networks of 2×2 switches in a row that share a stage.
    pub(crate) fn new(stages: &Stages) -> Self {
        let (n, digits) = (stages.lines(), digits(stages));
        let mut second = vec![vec![0; n as usize]; digits as usize];
        for from in 0..n {
            let to = if from & 1 == from >> (digits - 1) & 1 { from } else { n - 1 - from };
            let mut line = from;
            for (stage, leaves) in (0u32..).zip(&mut second) {
                // A stage decides one digit of the line behind the butterfly, the highest first.
                let out = line & !1 | to >> (digits - 1 - stage) & 1;
                leaves[line as usize] = out;
                line = stages.moved(digits + stage, out);
            }
        }
        let mut reflections = Reflections { second, middle: [Vec::new(), Vec::new()] };
        reflections.middle = [0, 1].map(|parity| {
            let mut middle = vec![0; n as usize];
            for from in 0..n {
                let mut line = from;
                for stage in 0..digits {
                    line = stages.moved(digits + stage, reflections.leaves(parity, stage, line));
                }
                middle[line as usize] = from;
            }
            middle
        });
        reflections
    }

    /// The line that leaves a stage of the second butterfly.
    fn leaves(&self, k: u32, stage: u32, line: u32) -> u32 {
        self.second[stage as usize][line as usize] ^ u32::from(stage == 1 && k % 2 == 1)
    }

    /// The lines that leave the stages behind the shared one, in even or odd rotations.
    pub(crate) fn behind(&self, parity: u32) -> Vec<Vec<u32>> {
        let lines = |stage: u32| (0u32..).zip(&self.second[0]).map(move |(line, _)| self.leaves(parity, stage, line));
        (1u32..).zip(&self.second[1..]).map(|(stage, _)| lines(stage).collect()).collect()
    }
}

impl Rls {
    fn new(stages: Stages) -> Self {
        let reflections = Reflections::new(&stages);
        Rls { stages, reflections }
    }

    /// Where a message comes to in rotation k, and the nodes on its way.
    fn way(&self, k: u32, from: u32) -> (u32, Vec<u32>) {
        let digits = digits(&self.stages);
        let to = (from + k) % self.stages.lines();
        let middle = self.reflections.middle[k as usize % 2][to as usize];
        trace(&self.stages, from, |stage, line| match stage + 1 {
            first if first < digits => line & !1 | middle >> (digits - first) & 1,
            // The last stage of the first butterfly is the first of the second: both act, one after the other.
            shared if shared == digits => self.reflections.leaves(k, 0, middle),
            second => self.reflections.leaves(k, second - digits, line),
        })
    }
}

impl Builder for Rls {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.stages.lines() - 1))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.stages, network) {
            return None;
        }
        let mut transfers = Transfers::new(network, control);
        for k in 1..self.stages.lines() {
            for from in 0..self.stages.lines() {
                transfers.send(u64::from(k - 1), from, self.way(k, from).1)?;
            }
        }
        transfers.claim(u64::from(self.stages.lines() - 1), Vec::new())
    }

    fn floor(&self, _: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(Certificate { steps: u64::from(self.stages.lines() - 1), proof: Proof::Send { node: Node(0) } })
    }
}
