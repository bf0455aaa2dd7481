//! **What:** the program of rounds: in each, every node sends what has to go on to one neighbour.

use super::{MOST_SENT, Reading};
use crate::dimension::DimensionKind;
use construct::Control;
use topologies::dual_net::DualNet;

/// What all nodes do in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// DimensionKind a dimension, by so many places.
    Dimension(usize, i32),
    /// By the cross link of a level.
    Cross(usize),
}

/// A part of the program: the rounds of one cross link, or of the exchange along one dimension.
#[derive(Clone, Copy, Debug)]
struct Stage {
    first: usize,
    part: Move,
}

/// A hop of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    /// The message's destination.
    pub to: u32,
    /// The round it is in.
    pub round: usize,
    /// The node that sends.
    pub at: usize,
}

pub(super) struct Program {
    net: DualNet,
    reading: Reading,
    dimensions: Vec<DimensionKind>,
    stages: Vec<Stage>,
    /// The move of every round, as a position in `next`.
    rounds: Vec<usize>,
    /// Where each move leads from each node; `NOWHERE` at the end of a line.
    next: Vec<Vec<u32>>,
    /// Digits of the base's nodes.
    digits: Vec<Vec<u32>>,
    /// Of every level from 1, the node of the level below at each super-node and place.
    inner: Vec<Vec<u32>>,
}

const NOWHERE: u32 = u32::MAX;

impl Program {
    pub(super) fn new(
        net: &DualNet,
        dimensions: &[DimensionKind],
        reading: Reading,
        control: &Control<'_>,
    ) -> Option<Self> {
        let top = net.levels();
        let digits = (0..net.nodes(0)).map(|v| net.digits(0, v)).collect();
        let inner = (1..=top).map(|level| {
            let nodes = 0..net.clusters(level) * net.places(level);
            let s = net.places(level);
            nodes.map(|at| net.number(level - 1, &net.joined(level, at / s, at % s))).collect()
        });
        let inner = inner.collect();
        let (stages, rounds, next) = (Vec::new(), Vec::new(), Vec::new());
        let (net, dimensions) = (net.clone(), dimensions.to_vec());
        let mut program = Program { net, reading, dimensions, stages, rounds, next, digits, inner };
        program.lay(top, control)?;
        Some(program)
    }

    /// Appends the stages of a level.
    fn lay(&mut self, level: usize, control: &Control<'_>) -> Option<()> {
        if level > 0 {
            for _ in 0..2 {
                self.stage(Move::Cross(level), &[Move::Cross(level)], control)?;
                self.lay(level - 1, control)?;
            }
            return Some(());
        }
        for d in 0..self.dimensions.len() {
            let size = self.net.sizes()[d];
            let rounds = self.dimensions[d].rounds(size);
            let ahead = if self.dimensions[d] == DimensionKind::Ring { size as usize / 2 } else { rounds / 2 };
            let by = |round: usize| match self.dimensions[d] {
                DimensionKind::Complete => i32::try_from(round + 1).expect("no more rounds than nodes"),
                _ if round < ahead => 1,
                _ => -1,
            };
            let moves: Vec<Move> = (0..rounds).map(|round| Move::Dimension(d, by(round))).collect();
            self.stage(Move::Dimension(d, 0), &moves, control)?;
        }
        Some(())
    }

    fn stage(&mut self, part: Move, moves: &[Move], control: &Control<'_>) -> Option<()> {
        self.stages.push(Stage { first: self.rounds.len(), part });
        for &step in moves {
            control.work(self.nodes())?;
            let leads: Vec<u32> = (0..self.net.nodes(self.net.levels())).map(|v| self.leads(step, v)).collect();
            let known = self.next.iter().position(|n| *n == leads);
            self.rounds.push(known.unwrap_or(self.next.len()));
            if known.is_none() {
                self.next.push(leads);
            }
        }
        Some(())
    }

    fn leads(&self, step: Move, node: u32) -> u32 {
        let top = self.net.levels();
        let mut digits = self.net.digits(top, node);
        match step {
            Move::Cross(level) => self.net.cross(level, &mut digits),
            Move::Dimension(d, by) => {
                let size = i64::from(self.net.sizes()[d]);
                let digit = &mut digits[2 * top + d];
                let to = i64::from(*digit) + i64::from(by);
                if self.dimensions[d] == DimensionKind::Path && !(0..size).contains(&to) {
                    return NOWHERE;
                }
                *digit = u32::try_from(to.rem_euclid(size)).expect("a remainder of a u32");
            }
        }
        self.net.number(top, &digits)
    }

    pub(super) fn nodes(&self) -> usize {
        self.net.nodes(self.net.levels()) as usize
    }

    pub(super) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The neighbour that a node sends to in a round.
    pub(super) fn next(&self, round: usize, node: usize) -> Option<u32> {
        Some(self.next[self.rounds[round]][node]).filter(|v| *v != NOWHERE)
    }

    /// How many messages each node sends in each round, round by round; `None` where they are too many.
    pub(super) fn sent(&self, with_own: bool, control: &Control<'_>) -> Option<Vec<u32>> {
        let nodes = self.nodes();
        let mut sent = vec![0u32; nodes * self.rounds.len()];
        for from in 0..self.net.nodes(self.net.levels()) {
            self.walk(from, with_own, control, |hop| sent[hop.round * nodes + hop.at] += 1)?;
        }
        let total: u64 = sent.iter().map(|n| u64::from(*n)).sum();
        (total <= MOST_SENT).then_some(sent)
    }

    /// Tells every hop of every message from a node; `None` when it is time to stop.
    pub(super) fn walk(
        &self,
        from: u32,
        with_own: bool,
        control: &Control<'_>,
        mut tell: impl FnMut(Sent),
    ) -> Option<()> {
        let top = self.net.levels();
        let nodes = self.net.nodes(top);
        let mut plan = vec![0; self.stages.len()];
        for to in (0..nodes).filter(|to| with_own || *to != from) {
            control.work(self.stages.len())?;
            plan.fill(0);
            self.plan(top, from, to, &mut plan);
            let mut at = from;
            for (stage, &amount) in self.stages.iter().zip(&plan) {
                for round in self.rounds_of(stage, amount) {
                    tell(Sent { to, round, at: at as usize });
                    at = self.next[self.rounds[round]][at as usize];
                }
            }
            debug_assert_eq!(at, to, "a message arrives");
        }
        Some(())
    }

    /// The rounds of a stage in which a message moves.
    fn rounds_of(&self, stage: &Stage, amount: i32) -> std::ops::Range<usize> {
        let count = amount.unsigned_abs() as usize;
        let begin = match stage.part {
            _ if amount == 0 => return 0..0,
            Move::Cross(_) => return stage.first..stage.first + 1,
            Move::Dimension(d, _) => match self.dimensions[d] {
                DimensionKind::Complete => return stage.first + count - 1..stage.first + count,
                _ if amount > 0 => 0,
                DimensionKind::Ring => self.net.sizes()[d] as usize / 2,
                DimensionKind::Path => self.dimensions[d].rounds(self.net.sizes()[d]) / 2,
            },
        };
        stage.first + begin..stage.first + begin + count
    }

    /// Writes what a message from one node of a level to another does in each stage of that level.
    fn plan(&self, level: usize, from: u32, to: u32, plan: &mut [i32]) {
        if level == 0 {
            let ends = self.digits[from as usize].iter().zip(&self.digits[to as usize]);
            for (d, ((a, b), amount)) in ends.zip(plan).enumerate() {
                *amount = self.dimensions[d].shift(*a, *b, self.net.sizes()[d]);
            }
            return;
        }
        let (mut at, goal) = (self.net.index(level, from), self.net.index(level, to));
        let s = self.net.places(level);
        let inner = |super_node: u32, place: u32| self.inner[level - 1][(super_node * s + place) as usize];
        let (first, second) = plan.split_at_mut(plan.len() / 2);
        let printed = self.reading == Reading::Printed;
        let same_class = at.class == goal.class;
        if same_class && at.cluster == goal.cluster && !printed {
            return self.plan(
                level - 1,
                inner(at.super_node, at.place),
                inner(goal.super_node, goal.place),
                &mut second[1..],
            );
        }
        // Of the sender's cluster and super-node, the one that is not seen after the second crossing.
        let hidden = if same_class { at.cluster } else { at.super_node };
        if same_class {
            first[0] = 1;
            (at.class, at.cluster, at.super_node) = (1 - at.class, at.super_node, at.cluster);
        }
        // The paper leaves this place open; a sum with what is hidden gives all places the same to do.
        let place = if printed { (goal.place + hidden) % s } else { at.place };
        self.plan(level - 1, inner(at.super_node, at.place), inner(goal.cluster, place), &mut first[1..]);
        second[0] = 1;
        self.plan(level - 1, inner(at.cluster, place), inner(goal.super_node, goal.place), &mut second[1..]);
    }
}
