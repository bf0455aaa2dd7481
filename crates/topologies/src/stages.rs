//! **What:** multistage networks: lines that run through stages of square switches, in one direction, from the terminals back
//! to the terminals.
//!
//! **Theory.** Before each stage the lines change places; lines d·i to d·i + d − 1 then enter switch i, which sends each of
//! them on in any of the same places. With log_d N stages there is one path a pair; two settings of the switches differ in the
//! permutation that they realise.

use crate::build;
use crate::registry::Facts;
use crate::spec::{Arguments, SpecError};
use kernel::Network;

/// Lines through stages of switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    radix: u32,
    /// Where each line goes before each stage, and behind the last.
    wiring: Vec<Vec<u32>>,
}

/// The size of a multistage network: N = radix^digits lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub radix: u32,
    pub digits: u32,
}

impl Size {
    /// Reads `N` or `N,D`.
    pub fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let numbers = a.list(',', "N or D", 2..=1 << 16)?;
        let (lines, radix) = match numbers[..] {
            [lines] => (lines, 2),
            [lines, radix] => (lines, radix),
            _ => return Err(a.form()),
        };
        let digits = lines.ilog(radix);
        if radix.pow(digits) != lines {
            return Err(a.range("N", lines, format!("a power of {radix}")));
        }
        Ok(Size { radix, digits })
    }

    /// Number of lines.
    pub fn lines(self) -> u32 {
        self.radix.pow(self.digits)
    }

    /// The parameters as they are written.
    pub fn spec(self) -> String {
        match self.radix {
            2 => self.lines().to_string(),
            radix => format!("{},{radix}", self.lines()),
        }
    }

    /// Closed forms of a network with so many stages; every path has one switch of each.
    pub fn facts(self, stages: u32) -> Facts {
        let (n, stages) = (u64::from(self.lines()), u64::from(stages));
        Facts::hosts(n, stages * n / u64::from(self.radix), n * (stages + 1)).equidistant(stages + 1)
    }

    /// The line with its digits turned left by one: where a perfect shuffle takes it.
    pub fn shuffled(self, line: u32) -> u32 {
        let top = self.lines() / self.radix;
        line % top * self.radix + line / top
    }

    /// The line with its lowest `digits` digits turned right by one.
    pub fn unshuffled(self, line: u32, digits: u32) -> u32 {
        let (block, top) = (self.radix.pow(digits), self.radix.pow(digits - 1));
        let low = line % block;
        line - low + low / self.radix + low % self.radix * top
    }

    /// The line with two of its digits exchanged.
    pub fn exchanged(self, line: u32, a: u32, b: u32) -> u32 {
        if a == b {
            return line;
        }
        let (first, second) = (self.radix.pow(a), self.radix.pow(b));
        let (x, y) = (line / first % self.radix, line / second % self.radix);
        line - x * first - y * second + y * first + x * second
    }
}

impl Stages {
    /// Stages with `moved(s, line)` as the place that a line goes to before stage s, and behind the last.
    pub(crate) fn new(size: Size, stages: u32, moved: impl Fn(u32, u32) -> u32) -> Self {
        let wiring = (0..=stages).map(|s| (0..size.lines()).map(|line| moved(s, line)).collect()).collect();
        Stages { radix: size.radix, wiring }
    }

    /// Stages that may exchange the lines that differ in the digits `order`, one after the other, and leave lines at their
    /// places.
    pub(crate) fn exchanging(size: Size, order: &[u32]) -> Self {
        // Lines that differ in digit b become neighbours when digits b and 0 change places.
        let place = |line: u32, digit: u32| size.exchanged(line, digit, 0);
        let stages = u32::try_from(order.len()).expect("a stage or two a digit");
        Stages::new(size, stages, |stage, line| {
            let back = if stage == 0 { line } else { place(line, order[stage as usize - 1]) };
            order.get(stage as usize).map_or(back, |b| place(back, *b))
        })
    }

    /// The same network with all channels turned round.
    pub(crate) fn reversed(&self) -> Self {
        let inverse = |wires: &Vec<u32>| {
            let mut inverse = vec![0; wires.len()];
            (0u32..).zip(wires).for_each(|(from, to)| inverse[*to as usize] = from);
            inverse
        };
        Stages { radix: self.radix, wiring: self.wiring.iter().rev().map(inverse).collect() }
    }

    /// Lines, and terminals.
    pub fn lines(&self) -> u32 {
        u32::try_from(self.wiring[0].len()).expect("lines have 32-bit numbers")
    }

    /// Lines that enter a switch.
    pub fn radix(&self) -> u32 {
        self.radix
    }

    /// Number of stages.
    pub fn count(&self) -> u32 {
        u32::try_from(self.wiring.len() - 1).expect("a stage or two a digit")
    }

    /// Where a line goes before a stage; `stage` = [`Stages::count`]: to which terminal.
    pub fn moved(&self, stage: u32, line: u32) -> u32 {
        self.wiring[stage as usize][line as usize]
    }

    /// The node of the switch that a line enters at a stage.
    pub fn switch(&self, stage: u32, line: u32) -> u32 {
        self.lines() + stage * (self.lines() / self.radix) + line / self.radix
    }

    pub(crate) fn network(&self, name: String) -> Network {
        let (n, stages) = (self.lines(), self.count());
        let mut channels: Vec<_> = (0..n).map(|t| (t, self.switch(0, self.moved(0, t)))).collect();
        for stage in 1..=stages {
            for line in 0..n {
                let to = self.moved(stage, line);
                let node = if stage == stages { to } else { self.switch(stage, to) };
                channels.push((self.switch(stage - 1, line), node));
            }
        }
        let switches = stages * (n / self.radix);
        build::indirect(name, n, Some(build::lettered(n, switches)), n + switches, channels)
    }
}
