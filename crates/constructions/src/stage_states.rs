//! **What:** how the switches of a multistage network stand when every terminal sends to one other at the same time: rotations,
//! exclusive ors, sums digit by digit.
//!
//! **Theory.** Through the first log_d N stages one way leads from a terminal to each line behind them. With no more stages the
//! states are therefore known, or two messages need the same line and there are none. With more, the states of the stages
//! behind are fixed beforehand and the first log_d N stages do the rest: straight on Benes networks, and on two butterflies
//! in a row those that take the first butterfly's reflection back.
//!
//! **Parameters:** the line that each terminal's message is to leave on; state k of a d×d switch takes input i to output
//! i + k modulo d, so 0 is straight and, where d = 2, 1 is crossed. A switch may need other states than these, where d > 2.
//!
//! **Source:** thesis of F. Magliocca, Rome 2021, section 3.2.4, after D. Izzi, A. Massini, HPCC 2020
//!
//! **Example:**
//! ```
//! use constructions::stage_states::StageStates;
//! let stages = topologies::topology("omega:8")?.stages().expect("an omega network has stages");
//! let states = StageStates::new(&stages, |t| (t + 7) % 8)?;
//! assert_eq!(states.sends(0), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::rls::Reflections;
use crate::stage_paths::{digits, trace};
use crate::switch_states::Row;
use topologies::stages::Stages;

/// Two messages that need the same line behind a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the switches cannot do this in one step: terminals {first} and {second} both need line {line} behind stage {stage}"
)]
pub struct Meeting {
    /// A terminal that sends.
    pub first: u32,
    /// Another.
    pub second: u32,
    /// The stage, counted from 0.
    pub stage: u32,
    /// The line.
    pub line: u32,
}

/// Why there are no states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum StageStatesError {
    #[error("there is no row {row}: rows are 0 to {last}", last = terminals - 1)]
    Row { row: u32, terminals: u32 },
    #[error("exclusive or needs a number of terminals that is a power of 2, not {terminals}")]
    PowerOfTwo { terminals: u32 },
    #[error(transparent)]
    Meeting(#[from] Meeting),
}

/// The switches of all stages.
#[derive(Clone, Debug)]
pub struct StageStates {
    stages: Stages,
    /// For each stage, the line that a message leaves on, by the line that it enters on.
    leaves: Vec<Vec<u32>>,
}

impl StageStates {
    /// The states of one row of a Latin square. Digits are of base d, or of base 2 for exclusive or.
    ///
    /// # Errors
    /// A row that there is not, or two messages that meet.
    pub fn of_row(stages: &Stages, row: Row) -> Result<Self, StageStatesError> {
        let (n, d) = (stages.lines(), stages.radix());
        let (Row::Rotation(number) | Row::Xor(number) | Row::Digits(number)) = row;
        if number >= n {
            return Err(StageStatesError::Row { row: number, terminals: n });
        }
        Ok(match row {
            Row::Rotation(k) => Self::new(stages, |t| (t + n - k) % n)?,
            Row::Xor(_) if !n.is_power_of_two() => return Err(StageStatesError::PowerOfTwo { terminals: n }),
            Row::Xor(l) => Self::new(stages, |t| t ^ l)?,
            Row::Digits(l) => {
                let places = || (0..digits(stages)).map(|at| d.pow(at));
                Self::new(stages, |t| places().map(|p| (t / p % d + l / p % d) % d * p).sum())?
            }
        })
    }

    /// The states that send every terminal's message to `to`, a permutation.
    ///
    /// # Errors
    /// Two messages that meet.
    pub fn new(stages: &Stages, to: impl Fn(u32) -> u32) -> Result<Self, Meeting> {
        let behind = stages.count() - digits(stages).min(stages.count());
        let straight = vec![(0..stages.lines()).collect::<Vec<u32>>(); behind as usize];
        let reflected = || {
            let reflections = (stages.radix() == 2 && behind > 0).then(|| Reflections::new(stages));
            // The source complements a stage in odd rotations; the first stage is then straight in all.
            let parity = to(0) % 2;
            reflections.into_iter().flat_map(move |r| [r.behind(parity), r.behind(1 - parity)])
        };
        let first = Self::with(stages, straight, &to);
        match first {
            Err(_) => reflected().find_map(|behind| Self::with(stages, behind, &to).ok()).map_or(first, Ok),
            found => found,
        }
    }

    /// The states with given ones in the stages behind the first log_d N.
    fn with(stages: &Stages, behind: Vec<Vec<u32>>, to: impl Fn(u32) -> u32) -> Result<Self, Meeting> {
        let (n, front) = (stages.lines(), stages.count() - u32::try_from(behind.len()).expect("stages are few"));
        // The line behind the first stages from which each terminal is reached.
        let mut line_to = vec![0; n as usize];
        for line in 0..n {
            let mut at = stages.moved(front, line);
            for (stage, leaves) in (front..).zip(&behind) {
                at = stages.moved(stage + 1, leaves[at as usize]);
            }
            line_to[at as usize] = line;
        }
        let ways = Ways::new(stages, front);
        let mut leaves = vec![vec![u32::MAX; n as usize]; front as usize];
        let mut holder = leaves.clone();
        for from in 0..n {
            let mut line = stages.moved(0, from);
            for (stage, output) in (0u32..).zip(ways.outputs(line_to[to(from) as usize])) {
                let out = line - line % stages.radix() + output;
                let before = std::mem::replace(&mut holder[stage as usize][out as usize], from);
                if before != u32::MAX {
                    return Err(Meeting { first: before, second: from, stage, line: out });
                }
                leaves[stage as usize][line as usize] = out;
                line = stages.moved(stage + 1, out);
            }
        }
        leaves.extend(behind);
        Ok(StageStates { stages: stages.clone(), leaves })
    }

    /// The stages.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// The outputs of a switch, by its inputs.
    pub fn outputs(&self, stage: u32, switch: u32) -> Vec<u32> {
        let d = self.stages.radix();
        (0..d).map(|i| self.leaves[stage as usize][(switch * d + i) as usize] % d).collect()
    }

    /// The state of a switch; `None` where it is not one of the d that turn inputs on.
    pub fn state(&self, stage: u32, switch: u32) -> Option<u32> {
        let (d, outputs) = (self.stages.radix(), self.outputs(stage, switch));
        (0u32..).zip(&outputs).all(|(i, out)| (i + outputs[0]) % d == *out).then_some(outputs[0])
    }

    /// Where a terminal's message comes out, found by walking through the switches.
    pub fn sends(&self, from: u32) -> u32 {
        trace(&self.stages, from, |stage, line| self.leaves[stage as usize][line as usize]).0
    }
}

/// The one way from each line into the first stages to each line out of them.
struct Ways {
    radix: u32,
    /// For each stage but the first, the line behind the stage before that leads to each line into it.
    back: Vec<Vec<u32>>,
}

impl Ways {
    fn new(stages: &Stages, front: u32) -> Self {
        let back = (1..front).map(|stage| {
            let mut back = vec![0; stages.lines() as usize];
            (0..stages.lines()).for_each(|line| back[stages.moved(stage, line) as usize] = line);
            back
        });
        Ways { radix: stages.radix(), back: back.collect() }
    }

    /// The output that leads to `end` at each stage. It is the same from wherever a message comes: the wiring of every family
    /// moves digits of lines, so each stage decides one digit of the end. One way back from the end therefore tells it.
    fn outputs(&self, end: u32) -> Vec<u32> {
        let mut outputs = vec![end % self.radix];
        let mut line = end;
        for back in self.back.iter().rev() {
            line = back[(line - line % self.radix) as usize];
            outputs.push(line % self.radix);
        }
        outputs.reverse();
        outputs
    }
}
