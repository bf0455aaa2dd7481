//! **What:** multistage networks: lines that run through stages of square switches, in one direction, from the terminals back
//! to the terminals.
//!
//! **Theory.** Before each stage the lines change places; lines d·i to d·i + d − 1 then enter switch i, which sends each of
//! them on in any of the same places. With log_d N stages there is one path a pair; two settings of the switches differ in the
//! permutation that they realise.

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use std::marker::PhantomData;

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
    pub(crate) radix: u32,
    pub(crate) digits: u32,
}

impl Size {
    /// Reads `N` or `N,D`.
    pub(crate) fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
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
    pub(crate) fn lines(self) -> u32 {
        self.radix.pow(self.digits)
    }

    /// The parameters as they are written.
    pub(crate) fn spec(self) -> String {
        match self.radix {
            2 => self.lines().to_string(),
            radix => format!("{},{radix}", self.lines()),
        }
    }
}

/// A move of all lines on their way to the next stage. Digits count from the lowest, which tells a line's place at its switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The lowest so many digits turn left by one: with all digits, a perfect shuffle.
    Left(u32),
    /// The lowest so many digits turn right by one.
    Right(u32),
    /// This digit and the lowest change places: lines that differ in it become neighbours.
    Swap(u32),
}

impl Move {
    pub(crate) fn apply(self, size: Size, line: u32) -> u32 {
        let radix = size.radix;
        match self {
            Move::Left(digits) => {
                let (block, top) = (radix.pow(digits), radix.pow(digits - 1));
                let low = line % block;
                line - low + low % top * radix + low / top
            }
            Move::Right(digits) => {
                let (block, top) = (radix.pow(digits), radix.pow(digits - 1));
                let low = line % block;
                line - low + low / radix + low % radix * top
            }
            Move::Swap(0) => line,
            Move::Swap(digit) => {
                let place = radix.pow(digit);
                let (high, low) = (line / place % radix, line % radix);
                line - high * place - low + low * place + high
            }
        }
    }
}

/// The moves before each stage and behind the last: what tells one family of multistage networks from another.
pub(crate) trait Wiring: 'static {
    /// The family's line in the registry.
    const FAMILY: &'static Family;

    /// One list of moves more than there are stages, for lines numbered by so many digits.
    fn moves(digits: u32) -> Vec<Vec<Move>>;
}

/// Moves for stages that may exchange the lines that differ in the digits `order`, one after the other, and leave lines at their
/// places.
pub(crate) fn exchanging(order: &[u32]) -> Vec<Vec<Move>> {
    let first = order.iter().take(1).map(|b| vec![Move::Swap(*b)]);
    let inner = order.windows(2).map(|w| vec![Move::Swap(w[0]), Move::Swap(w[1])]);
    let last = order.iter().rev().take(1).map(|b| vec![Move::Swap(*b)]);
    first.chain(inner).chain(last).collect()
}

/// A multistage network of the family that `W` wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multistage<W> {
    size: Size,
    wiring: PhantomData<W>,
}

#[expect(private_bounds, reason = "the families are listed; a wiring from outside would be none of them")]
impl<W: Wiring> Multistage<W> {
    /// The network of this many terminals, of square switches with `radix` lines a side.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(terminals: u32, radix: u32) -> Result<Self, SpecError> {
        spec::made(W::FAMILY, &format!("{terminals},{radix}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Multistage { size: Size::read(a)?, wiring: PhantomData })
    }

    /// For the family's line in the registry.
    pub(crate) fn make(a: &Arguments<'_>) -> Result<Box<dyn Topology>, SpecError> {
        Ok(Box::new(Self::read(a)?))
    }

    fn wired(&self) -> Stages {
        Stages::new(self.size, &W::moves(self.size.digits))
    }
}

impl<W: Wiring> Topology for Multistage<W> {
    fn spec(&self) -> String {
        format!("{}:{}", W::FAMILY.name, self.size.spec())
    }

    /// Every path has one switch of each stage.
    fn closed_forms(&self) -> ClosedForms {
        let stages = W::moves(self.size.digits).len() as u64 - 1;
        let n = u64::from(self.size.lines());
        ClosedForms::hosts(n, stages * n / u64::from(self.size.radix), n * (stages + 1)).equidistant(stages + 1)
    }

    fn network(&self) -> Network {
        self.wired().network(self.spec())
    }

    fn stages(&self) -> Option<Stages> {
        Some(self.wired())
    }
}

impl Stages {
    fn new(size: Size, moves: &[Vec<Move>]) -> Self {
        let wires = |moves: &Vec<Move>| {
            let moved = |line| moves.iter().fold(line, |line, step| step.apply(size, line));
            (0..size.lines()).map(moved).collect()
        };
        Stages { radix: size.radix, wiring: moves.iter().map(wires).collect() }
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

    fn network(&self, name: String) -> Network {
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
