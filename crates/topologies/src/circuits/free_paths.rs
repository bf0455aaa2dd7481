//! **What:** circuits that stand in a multistage network, and the free paths that they leave.

use crate::stages::Stages;

/// Circuits that stand.
pub(super) struct FreePaths<'a> {
    stages: &'a Stages,
    /// For each stage, the lines behind it that are taken.
    taken: Vec<Vec<bool>>,
    receives: Vec<bool>,
    /// The nodes of each circuit.
    circuits: Vec<Vec<u32>>,
}

impl<'a> FreePaths<'a> {
    /// No circuits yet.
    pub(super) fn new(stages: &'a Stages) -> Self {
        let none = vec![false; stages.lines() as usize];
        let taken = vec![none.clone(); stages.count() as usize];
        FreePaths { stages, taken, receives: none, circuits: Vec::new() }
    }

    /// Sets a circuit up from a terminal, over free lines that `allowed(stage, line behind it)` lets through, and tells where it
    /// comes to.
    pub(super) fn stand(&mut self, from: u32, allowed: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let lines = self.path(from, allowed)?;
        let stages = self.stages;
        let mut nodes = vec![from];
        let mut enters = stages.moved(0, from);
        for (stage, line) in (0u32..).zip(&lines) {
            nodes.push(stages.switch(stage, enters));
            self.taken[stage as usize][*line as usize] = true;
            enters = stages.moved(stage + 1, *line);
        }
        nodes.push(enters);
        self.receives[enters as usize] = true;
        self.circuits.push(nodes);
        Some(enters)
    }

    /// Whether there is no free path.
    pub(super) fn is_refused(&self, from: u32, to: u32) -> bool {
        let (last, end) = (self.stages.count() - 1, self.stages.count());
        self.path(from, |stage, line| stage < last || self.stages.moved(end, line) == to).is_none()
    }

    /// Whether no circuit ends there.
    pub(super) fn receives_nothing(&self, terminal: u32) -> bool {
        !self.receives[terminal as usize]
    }

    /// The nodes of all circuits.
    pub(super) fn circuits(self) -> Vec<Vec<u32>> {
        self.circuits
    }

    /// The lines behind all stages of a free path that comes to any terminal.
    fn path(&self, from: u32, allowed: impl Fn(u32, u32) -> bool) -> Option<Vec<u32>> {
        let (stages, d) = (self.stages, self.stages.radix());
        // For each line behind a stage, the line behind the one before that it was reached from.
        let mut before: Vec<Vec<Option<u32>>> = Vec::new();
        let mut reached = vec![(from, stages.moved(0, from))];
        for stage in 0..stages.count() {
            let mut came = vec![None; stages.lines() as usize];
            let mut next = Vec::new();
            for (last, enters) in reached {
                let first = enters - enters % d;
                for line in (first..first + d).filter(|line| !self.taken[stage as usize][*line as usize]) {
                    if came[line as usize].is_none() && allowed(stage, line) {
                        came[line as usize] = Some(last);
                        next.push((line, stages.moved(stage + 1, line)));
                    }
                }
            }
            before.push(came);
            reached = next;
        }
        let (mut line, _) = *reached.iter().find(|(_, to)| *to != from && !self.receives[*to as usize])?;
        let mut lines = Vec::with_capacity(before.len());
        for came in before.iter().rev() {
            lines.push(line);
            line = came[line as usize]?;
        }
        lines.reverse();
        Some(lines)
    }
}
