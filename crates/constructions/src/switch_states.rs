//! **What:** how the switches of a fat tree opened at the top stand in each row of a Latin square: what `lls`, `cls` and
//! `digits` send, as states of switches.
//!
//! **Theory.** Switches on the way up stand straight: in pass p input i goes to up-port i − w·p, if there is such a port.
//! Let W be the terminals below a child of a switch. In rotation k a switch of the way down, or at the top, is in state q and
//! sends what has digit d (its input, plus w·p below the top) to output d − q modulo its children, with
//! q = k div W, plus 1 where the lowest digits of the messages that it sees are less than k mod W: they are known from its
//! root's number, since that is made of the ports that they chose. In a row of exclusive ors, or of additions, the state is
//! the row's digit.
//!
//! **Source:** F. Magliocca, thesis, Rome 2021, algorithms 1 and 2. Errata: state i is input k to output k − i (printed: i − k;
//! then state 0 of more than two ports is not straight); W is w·m^(x−1) (printed: w^x, right only where m = w); the first
//! k mod W roots are the first when their digits are read from the other end; leaf switches have w states, not 1; a pass
//! takes w·p away (printed: adds); three levels of slimmed switches take ⌈m/w⌉ passes each.
//!
//! **Example:**
//! ```
//! use constructions::switch_states::{Row, SwitchStates};
//! let levels = topologies::topology("gft:2,2,2")?.levels().expect("a fat tree has levels");
//! let settings = SwitchStates::new(&levels, Row::Rotation(5), 0)?;
//! assert_eq!(settings.states(2), "0111");
//! assert_eq!(settings.sends(0), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::up_down::{passes, passes_at};
use topologies::levels::Levels;

/// One row of a Latin square of permutations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// Terminal T sends to T − k modulo N.
    Rotation(u32),
    /// Terminal T sends to T ⊕ l.
    Xor(u32),
    /// Terminal T sends to the sum of T and l digit by digit.
    Digits(u32),
}

/// One switch: its state, and the output of each input; `None` where nothing goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The number of the state.
    pub state: Option<u32>,
    /// The output of each input.
    pub outputs: Vec<Option<u32>>,
    /// Number of outputs.
    pub width: u32,
}

/// Why there are no settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum SwitchStatesError {
    #[error("there is no row {row}: rows are 0 to {last}", last = terminals - 1)]
    Row { row: u32, terminals: u32 },
    #[error("there is no pass {pass}: passes are 0 to {last}", last = passes - 1)]
    Pass { pass: u32, passes: u64 },
    #[error(
        "exclusive or needs numbers of children that are powers of 2, not {children}; digit-wise addition serves any"
    )]
    PowerOfTwo { children: u32 },
    #[error("states are known of trees without parallel links, with one channel a terminal")]
    Links,
}

/// The switches of all stages, from the leaves up to the top and down again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchStates {
    levels: Levels,
    /// Stage by stage, the roots of a subtree: switches of other subtrees stand alike.
    stages: Vec<Vec<Switch>>,
}

impl SwitchStates {
    /// The settings of one pass of a row.
    ///
    /// # Errors
    /// A row or a pass that there is not, or a tree whose states are not known.
    pub fn new(levels: &Levels, row: Row, pass: u32) -> Result<Self, SwitchStatesError> {
        let (Row::Rotation(number) | Row::Xor(number) | Row::Digits(number)) = row;
        let (terminals, passes, height) = (levels.terminals(), passes(levels), levels.height());
        if levels.up_ports(0) != 1 || (1..=height).any(|x| levels.cables(x) != 1) {
            return Err(SwitchStatesError::Links);
        }
        if number >= terminals {
            return Err(SwitchStatesError::Row { row: number, terminals });
        }
        if u64::from(pass) >= passes {
            return Err(SwitchStatesError::Pass { pass, passes });
        }
        if let (Row::Xor(_), Some(children)) =
            (row, (1..=height).map(|x| levels.children(x)).find(|m| !m.is_power_of_two()))
        {
            return Err(SwitchStatesError::PowerOfTwo { children });
        }
        let mut skipped = vec![0];
        let mut rest = pass;
        for level in 1..height {
            skipped.push(rest % passes_at(levels, level) * levels.parents(level + 1));
            rest /= passes_at(levels, level);
        }
        skipped.push(0);
        let states = States { levels, row, skipped };
        let up = (1..height).map(|x| states.up(x));
        let down = (1..=height).rev().map(|x| states.down(x));
        Ok(SwitchStates { levels: levels.clone(), stages: up.chain(down).collect() })
    }

    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.stages.len()
    }

    /// The level of the switches of a stage.
    pub fn level(&self, stage: usize) -> usize {
        let height = self.levels.height();
        if stage < height { stage + 1 } else { 2 * height - 1 - stage }
    }

    /// A switch of a stage, by its number in its level.
    pub fn switch(&self, stage: usize, number: u32) -> &Switch {
        &self.stages[stage][number as usize % self.stages[stage].len()]
    }

    /// The states of a stage in a row, `-` for a switch without work; parted by blanks where states may have two digits.
    pub fn states(&self, stage: usize) -> String {
        let wide = self.stages[stage].iter().any(|s| s.width > 10 || s.outputs.len() > 10);
        let one = |a: u32| self.switch(stage, a).state.map_or("-".to_owned(), |q| q.to_string());
        let count = u32::try_from(self.levels.nodes_of(self.level(stage))).expect("nodes have 32-bit numbers");
        (0..count).map(one).collect::<Vec<_>>().join(if wide { " " } else { "" })
    }

    /// Where a terminal's message comes out, found by walking through the switches; `None` where it waits for another pass.
    pub fn sends(&self, from: u32) -> Option<u32> {
        let levels = &self.levels;
        let (mut subtree, mut root) = (from, 0);
        for level in 1..levels.height() {
            let input = subtree % levels.children(level);
            subtree /= levels.children(level);
            let switch = self.switch(level - 1, subtree * levels.roots(level) + root);
            root = root * levels.parents(level + 1) + switch.outputs[input as usize]?;
        }
        let height = levels.height();
        let mut input = subtree;
        let mut subtree = 0;
        for level in (1..=height).rev() {
            let stage = 2 * height - 1 - level;
            let switch = self.switch(stage, subtree * levels.roots(level) + root);
            subtree = subtree * levels.children(level) + switch.outputs[input as usize]?;
            input = root % levels.parents(level);
            root /= levels.parents(level);
        }
        Some(subtree)
    }
}

struct States<'a> {
    levels: &'a Levels,
    row: Row,
    /// For each level, digits that earlier passes have served.
    skipped: Vec<u32>,
}

impl States<'_> {
    /// A stage of the way up.
    fn up(&self, level: usize) -> Vec<Switch> {
        let (inputs, width) = (self.levels.children(level), self.levels.parents(level + 1));
        let output = |i: u32| i.checked_sub(self.skipped[level]).filter(|port| *port < width);
        vec![Switch { state: Some(self.skipped[level]), outputs: (0..inputs).map(output).collect(), width }]
    }

    /// The top, or a stage of the way down.
    fn down(&self, level: usize) -> Vec<Switch> {
        let top = level == self.levels.height();
        let width = self.levels.children(level);
        let inputs = if top { width } else { self.levels.parents(level + 1) };
        let switch = |root: u32| {
            let low = self.lowest(level, root);
            let digit = low.map(|low| self.state(level, low));
            let known = |i: u32| Some(i + self.skipped[level]).filter(|d| *d < width);
            let outputs = (0..inputs).map(|i| Some(self.leaves(level, known(i)?, digit?)));
            Switch { state: digit.map(|q| self.shown(level, q)), outputs: outputs.collect(), width }
        };
        (0..self.levels.roots(level)).map(switch).collect()
    }

    /// The state of a pass: from input to output, not from digit to output.
    fn shown(&self, level: usize, state: u32) -> u32 {
        let (m, skipped) = (self.levels.children(level), self.skipped[level]);
        match self.row {
            Row::Rotation(_) => (state + m - skipped % m) % m,
            Row::Digits(_) => (state + skipped) % m,
            Row::Xor(_) => state ^ skipped,
        }
    }

    /// The lowest digits of the sources whose messages a root sees; `None` where there are no such sources.
    fn lowest(&self, level: usize, root: u32) -> Option<u32> {
        let levels = self.levels;
        let (mut rest, mut low) = (root, 0);
        for below in (1..level).rev() {
            let digit = rest % levels.parents(below + 1) + self.skipped[below];
            rest /= levels.parents(below + 1);
            if digit >= levels.children(below) {
                return None;
            }
            low += digit * levels.terminals_below(below - 1);
        }
        Some(low)
    }

    fn state(&self, level: usize, low: u32) -> u32 {
        let (below, m) = (self.levels.terminals_below(level - 1), self.levels.children(level));
        match self.row {
            Row::Rotation(k) => (k / below + u32::from(low < k % below)) % m,
            Row::Xor(l) | Row::Digits(l) => l / below % m,
        }
    }

    fn leaves(&self, level: usize, digit: u32, state: u32) -> u32 {
        let m = self.levels.children(level);
        match self.row {
            Row::Rotation(_) => (digit + m - state) % m,
            Row::Xor(_) => digit ^ state,
            Row::Digits(_) => (digit + state) % m,
        }
    }
}
