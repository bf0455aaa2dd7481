//! **What:** what the formula of trees says of one chunk.

use super::formula::{Possible, TreeFormula};
use super::plan::Meeting;
use kernel::formula::Literal;
use kernel::{Message, Node, Op};
use std::collections::HashMap;
use std::ops::Range;

/// The variables of a chunk. Lists are of steps: in which, or before which, something holds, where it may.
pub(super) struct Chunk {
    ends: (Vec<Node>, Vec<Node>),
    nodes: Vec<ChunkNode>,
    /// There are two roots.
    are_two: Literal,
    /// Merging is over before a step.
    pub over: Vec<Literal>,
    /// What lanes carry to the roots, and from them.
    up: Vec<Sends>,
    down: Vec<Sends>,
    /// Exchanges of two roots over a lane and one back.
    exchanges: Vec<Sends>,
}

/// What a lane may carry, step by step.
struct Sends {
    lane: u32,
    literals: Vec<Option<Literal>>,
}

/// What a node is to a chunk, and of which transfers it is an end, by their places in the chunk's lists.
#[derive(Default)]
struct ChunkNode {
    /// It is a root; none where it is no terminal.
    root: Option<Literal>,
    is_contributor: bool,
    is_destination: bool,
    out: Vec<usize>,
    into: Vec<usize>,
    exchanges: Vec<usize>,
}

impl Chunk {
    /// `None` where there would be too many.
    pub(super) fn new(
        formula: &mut TreeFormula<'_>,
        message: Message,
        lanes: &[u32],
        meeting: Option<Meeting>,
    ) -> Option<Self> {
        let (resources, steps) = (formula.resources, formula.steps);
        let (network, collective) = (resources.problem.network(), resources.problem.collective());
        let mut chunk = Chunk {
            ends: (collective.contributors(message).to_vec(), collective.destinations(message).to_vec()),
            nodes: network.nodes().map(|_| ChunkNode::default()).collect(),
            are_two: formula.rules.variable()?,
            over: (0..steps).map(|_| formula.rules.variable()).collect::<Option<_>>()?,
            up: Vec::new(),
            down: Vec::new(),
            exchanges: Vec::new(),
        };
        for &node in network.terminals() {
            chunk.nodes[node.index()].root = Some(formula.rules.variable()?);
        }
        collective.contributors(message).iter().for_each(|v| chunk.nodes[v.index()].is_contributor = true);
        collective.destinations(message).iter().for_each(|v| chunk.nodes[v.index()].is_destination = true);
        let by_ends: HashMap<(Node, Node), u32> = lanes.iter().map(|l| (resources.ends[*l as usize], *l)).collect();
        let back = |lane: u32| {
            let (from, to) = resources.ends[lane as usize];
            by_ends.get(&(to, from)).copied().filter(|_| from < to)
        };
        let is_exchange = meeting.is_none_or(|meeting| meeting.is_exchange && lanes.iter().any(|l| back(*l).is_some()));
        // What is sent up before all meet, there, and down after that.
        let [up, meets, down] = match meeting {
            None => [0..steps, 0..steps, 0..steps],
            Some(Meeting { step, .. }) if is_exchange => [0..step, step..step + 1, step + 1..steps],
            Some(Meeting { step, .. }) => [0..step, 0..0, step..steps],
        };
        for (at, &lane) in lanes.iter().enumerate() {
            let (from, to) = resources.ends[lane as usize];
            chunk.up.push(Sends::new(formula, message, &[lane], up.clone(), Op::Reduce)?);
            chunk.down.push(Sends::new(formula, message, &[lane], down.clone(), Op::Copy)?);
            chunk.nodes[from.index()].out.push(at);
            chunk.nodes[to.index()].into.push(at);
            if let Some(back) = back(lane) {
                let both = Sends::new(formula, message, &[lane, back], meets.clone(), Op::Reduce)?;
                for node in [from, to] {
                    chunk.nodes[node.index()].exchanges.push(chunk.exchanges.len());
                }
                chunk.exchanges.push(both);
            }
        }
        if let Some(Meeting { step, .. }) = meeting {
            formula.rules.one_of([if is_exchange { chunk.are_two } else { -chunk.are_two }]);
            formula.rules.one_of([chunk.over[step]]);
            step.checked_sub(1).into_iter().for_each(|before| formula.rules.one_of([-chunk.over[before]]));
        }
        Some(chunk)
    }

    /// Whether chunks have the same contributors and destinations.
    pub(super) fn has_ends_of(&self, other: &Chunk) -> bool {
        self.ends == other.ends
    }

    /// Trees to one root, or to two that exchange what they have.
    pub(super) fn merge(&self, formula: &mut TreeFormula<'_>) -> Option<()> {
        let (steps, ends) = (formula.steps, &formula.resources.ends);
        let roots: Vec<Literal> = self.nodes.iter().filter_map(|node| node.root).collect();
        formula.rules.one_of(roots.iter().copied());
        formula.rules.at_most(2, roots.into_iter().chain([-self.are_two]).collect());
        let exchanges: Vec<Literal> = self.exchanges.iter().flat_map(Sends::all).collect();
        formula.rules.implies(self.are_two, exchanges.iter().copied());
        formula.rules.at_most(1, exchanges);
        self.over.windows(2).for_each(|pair| formula.rules.implies(pair[0], [pair[1]]));
        let mut sent: Vec<Vec<Literal>> = vec![Vec::new(); self.nodes.len()];
        for (node, sent) in self.nodes.iter().zip(&mut sent) {
            let Some(root) = node.root else { continue };
            *sent = (0..steps).map(|_| formula.rules.variable()).collect::<Option<_>>()?;
            sent.windows(2).for_each(|pair| formula.rules.implies(pair[0], [pair[1]]));
            // Once: what it sends in a step it has sent since, and not before.
            for (step, &now) in sent.iter().enumerate() {
                let sends: Vec<Literal> = node.out.iter().filter_map(|at| self.up[*at].literals[step]).collect();
                for literal in &sends {
                    formula.rules.implies(*literal, [now]);
                    step.checked_sub(1).into_iter().for_each(|before| formula.rules.one_of([-*literal, -sent[before]]));
                }
                formula.rules.at_most(1, sends);
            }
            let sends: Vec<Literal> = node.out.iter().flat_map(|at| self.up[*at].all()).collect();
            sends.iter().for_each(|sends| formula.rules.one_of([-root, -*sends]));
            if node.is_contributor {
                formula.rules.one_of(sends.into_iter().chain([root]));
            }
        }
        for sends in &self.up {
            let to = ends[sends.lane as usize].1.index();
            for (step, literal) in sends.steps() {
                formula.rules.one_of([-literal, -sent[to][step]]);
                formula.rules.one_of([-literal, -self.over[step]]);
            }
        }
        for sends in &self.exchanges {
            let (from, to) = ends[sends.lane as usize];
            for (step, literal) in sends.steps() {
                formula.rules.implies(literal, [self.over[step]]);
                formula.rules.implies(literal, [self.are_two]);
                [from, to].iter().for_each(|v| formula.rules.implies(literal, self.nodes[v.index()].root));
            }
        }
        self.nodes.iter().filter(|node| !node.is_contributor).try_for_each(|relay| self.relay(relay, formula))
    }

    /// A relay sends if something has come to it, and only then.
    fn relay(&self, relay: &ChunkNode, formula: &mut TreeFormula<'_>) -> Option<()> {
        let sends = formula.rules.variable()?;
        formula.rules.implies(sends, relay.out.iter().flat_map(|at| self.up[*at].all()).chain(relay.root));
        relay.into.iter().flat_map(|at| self.up[*at].all()).for_each(|came| formula.rules.implies(came, [sends]));
        let mut before: Option<Literal> = None;
        for step in 0..formula.steps {
            let came = formula.rules.variable()?;
            let arrives = |at: &usize| step.checked_sub(1).and_then(|before| self.up[*at].literals[before]);
            formula.rules.implies(came, relay.into.iter().filter_map(arrives).chain(before));
            let exchanges = relay.exchanges.iter().filter_map(|at| self.exchanges[*at].literals[step]);
            let tells = relay.out.iter().filter_map(|at| self.up[*at].literals[step]).chain(exchanges);
            tells.for_each(|tells| formula.rules.implies(tells, [came]));
            before = Some(came);
        }
        Some(())
    }

    /// Copies to all destinations.
    pub(super) fn copy(&self, formula: &mut TreeFormula<'_>) -> Option<()> {
        let steps = formula.steps;
        for node in &self.nodes {
            let Some(root) = node.root else { continue };
            let mut before: Option<Literal> = None;
            for step in 0..steps {
                let has = formula.rules.variable()?;
                before.into_iter().for_each(|before| formula.rules.implies(before, [has]));
                let alone = formula.rules.variable()?;
                formula.rules.implies(alone, [root]);
                formula.rules.implies(alone, [self.over[step]]);
                formula.rules.one_of([-alone, -self.are_two]);
                let came = step.checked_sub(1).map_or(Vec::new(), |before| self.came(node, before));
                formula.rules.implies(has, came.into_iter().chain(before).chain([alone]));
                for at in &node.out {
                    self.down[*at].literals[step].into_iter().for_each(|copy| formula.rules.implies(copy, [has]));
                }
                for at in &node.into {
                    self.down[*at].literals[step].into_iter().for_each(|copy| formula.rules.one_of([-copy, -has]));
                }
                before = Some(has);
            }
            if node.is_destination {
                let last = steps.checked_sub(1).map_or(Vec::new(), |last| self.came(node, last));
                formula.rules.one_of(before.into_iter().chain(last));
            }
            let copies: Vec<Literal> = node.into.iter().flat_map(|at| self.down[*at].all()).collect();
            copies.iter().for_each(|copy| formula.rules.one_of([-root, -*copy]));
            formula.rules.at_most(1, copies);
        }
        Some(())
    }

    /// What brings all of the chunk to a node in a step.
    fn came(&self, node: &ChunkNode, step: usize) -> Vec<Literal> {
        let copies = node.into.iter().filter_map(|at| self.down[*at].literals[step]);
        copies.chain(node.exchanges.iter().filter_map(|at| self.exchanges[*at].literals[step])).collect()
    }
}

impl Sends {
    /// Variables for these steps, each of a transfer over all of the lanes; `None` where there would be too many.
    fn new(formula: &mut TreeFormula<'_>, chunk: Message, lanes: &[u32], within: Range<usize>, op: Op) -> Option<Self> {
        let mut literals = vec![None; formula.steps];
        for step in within {
            let literal = formula.rules.variable()?;
            lanes.iter().for_each(|&lane| formula.allow(Possible { literal, chunk, step, lane, op }));
            literals[step] = Some(literal);
        }
        Some(Sends { lane: lanes[0], literals })
    }

    fn all(&self) -> impl Iterator<Item = Literal> {
        self.literals.iter().copied().flatten()
    }

    fn steps(&self) -> impl Iterator<Item = (usize, Literal)> {
        self.literals.iter().enumerate().filter_map(|(step, literal)| Some((step, (*literal)?)))
    }
}
