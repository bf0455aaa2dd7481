//! **What:** the rules of a formula of calls, for messages that combine and for chunks that several nodes are to have.
//!
//! **Theory:** whatever a transfer carries, it tells its receiver no more than all that its sender knows. So where a schedule
//! exists, its transfers are calls after which everybody has heard of all who contribute to what it is to have. Where
//! messages combine, the converse is true as well: a call may carry everything its sender has, and a chunk for one node is
//! merged along the last calls by which its contributions go there. Chunks for several nodes may need more steps than calls
//! do, since nothing is to be counted twice; so a refutation holds for them and a solution need not be a schedule.
//!
//! Of several messages that are alike and do not combine, one has no more than its share of all channels: the calls are those of that one.
//!
//! **Without loss:** keep, for everybody that is to be heard of and everybody that is to hear, one chain of calls that visits no
//! node twice, and of calls with the same ends in the same step one.

use super::encode::{Encoder, Held, Scope};
use super::images::{Move, Moves};
use super::reach::{Reach, helping};
use super::{Beyond, Lane, Literal};
use problem::{Message, Node, Switching};
use std::collections::{BTreeMap, BTreeSet};

/// What is to be heard of one node.
struct Source {
    node: Node,
    /// Where knowledge of it may be of use, after each number of steps.
    holds: Vec<Vec<bool>>,
    /// The variable of each node that it knows of it, in the step that is written.
    known: BTreeMap<Node, Literal>,
}

/// A call of a step.
pub(super) struct Call {
    pub caller: Node,
    /// The step, or slot, in which it begins.
    pub begins: usize,
    pub receiver: Node,
    /// The step in which it arrives; the same, but under time-division.
    pub arrives: usize,
    /// Whether it takes place, by one of its lanes.
    pub ends: Literal,
}

impl Encoder<'_> {
    /// Everything but what calls share: channels, groups and ports.
    pub(super) fn calls(&mut self) -> Result<(), Beyond> {
        let mut sources = self.sources()?;
        let moves = self.moves(None);
        for t in 0..self.formula.steps {
            let calls = self.calls_of_step(t, &moves, &sources)?;
            self.knowledge(t, &moves, &calls, &mut sources)?;
        }
        Ok(())
    }

    /// Who is to hear of whom, ascending.
    pub(super) fn hearers(&self) -> BTreeMap<Node, BTreeSet<Node>> {
        let collective = self.problem.collective();
        let mut wanted: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                let others = collective.destinations(message).iter().copied().filter(|to| *to != from);
                wanted.entry(from).or_default().extend(others);
            }
        }
        wanted.retain(|_, to| !to.is_empty());
        wanted
    }

    /// All of whom others are to hear, ascending; and the rule that nothing satisfies for each who cannot.
    fn sources(&mut self) -> Result<Vec<Source>, Beyond> {
        let mut sources = Vec::new();
        for (node, to) in self.hearers() {
            let to: Vec<Node> = to.into_iter().collect();
            let reach = Reach::new(self.problem, node, &to, self.formula.steps);
            let heard = &reach.holds[self.formula.steps];
            for _ in to.iter().filter(|v| !heard[v.index()]) {
                self.rule(1, Vec::new())?;
            }
            sources.push(Source { node, holds: reach.holds, known: BTreeMap::new() });
        }
        Ok(sources)
    }

    /// The calls of step `t`, caller by caller.
    fn calls_of_step(&mut self, t: usize, moves: &Moves<'_>, sources: &[Source]) -> Result<Vec<Call>, Beyond> {
        let network = self.problem.network();
        let mut calls = Vec::new();
        for caller in network.nodes().filter(|v| moves.is_first(*v)) {
            let mut receivers = vec![false; network.node_count()];
            for source in sources.iter().filter(|s| s.holds[t][caller.index()]) {
                let hears = network.nodes().filter(|v| *v != source.node && source.holds[t + 1][v.index()]);
                hears.for_each(|v| receivers[v.index()] = true);
            }
            receivers[caller.index()] = false;
            self.paths_of_caller(t, caller, Message(caller.0), &receivers, &mut calls)?;
        }
        moves.add_images(0, &mut calls);
        Ok(calls)
    }

    /// The paths of the calls of one node to `receivers` in step `t`, which are added to `calls`.
    pub(super) fn paths_of_caller(
        &mut self,
        t: usize,
        caller: Node,
        message: Message,
        receivers: &[bool],
        calls: &mut Vec<Call>,
    ) -> Result<(), Beyond> {
        if !receivers.contains(&true) {
            return Ok(());
        }
        let network = self.problem.network();
        let helps = helping(self.problem, caller, receivers);
        let mut held = vec![Held::Never; network.node_count()];
        held[caller.index()] = Held::Always;
        let first = self.formula.lanes[t].len();
        self.lanes(&Scope { message, origin: caller, receivers, helps: &helps }, t, &held)?;
        let lanes: Vec<Lane> = self.formula.lanes[t][first..].to_vec();
        self.paths(t, first, &lanes, &held)?;
        let made: Vec<Call> = lanes
            .iter()
            .filter_map(|lane| Some(Call { caller, begins: t, receiver: lane.head, arrives: t, ends: lane.ends? }))
            .collect();
        for to in network.nodes().filter(|v| receivers[v.index()]) {
            let ends: Vec<Literal> = made.iter().filter(|c| c.receiver == to).map(|c| c.ends).collect();
            self.at_most(1, &ends)?;
        }
        calls.extend(made);
        Ok(())
    }

    /// No more channels than the share of one message, of several that are alike and do not combine.
    pub(super) fn share_of_one(&mut self) -> Result<(), Beyond> {
        let (network, collective, model) = (self.problem.network(), self.problem.collective(), self.problem.model());
        let ends = |m| (collective.contributors(m), collective.destinations(m));
        let mut messages = collective.messages();
        let first = messages.next();
        let count = collective.message_count() as u64;
        if count < 2 || model.combining || messages.any(|m| first.is_some_and(|first| ends(m) != ends(first))) {
            return Ok(());
        }
        let mut rate = network.capacity_of(network.channels());
        if model.switching == Switching::StoreAndForward {
            // Every channel ends a transfer.
            rate = rate.min(network.nodes().map(|v| network.send_capacity(v)).sum());
            rate = rate.min(network.nodes().map(|v| network.receive_capacity(v)).sum());
        }
        let most = rate.saturating_mul(self.formula.steps as u64) / count;
        let busy: Vec<Literal> = self.formula.lanes.iter().flatten().map(|lane| lane.busy).collect();
        self.at_most(u32::try_from(most).unwrap_or(u32::MAX), &busy)
    }

    /// Who knows of whom after step `t`: whoever knew before, and whoever is called by one who did.
    fn knowledge(&mut self, t: usize, moves: &Moves<'_>, calls: &[Call], sources: &mut [Source]) -> Result<(), Beyond> {
        let network = self.problem.network();
        let last = t + 1 == self.formula.steps;
        let mut after: BTreeMap<Node, BTreeMap<Node, Literal>> = BTreeMap::new();
        for source in &*sources {
            let mut known = BTreeMap::new();
            let told = |v: &Node| *v != source.node && source.holds[t + 1][v.index()] && moves.is_first(*v);
            for node in network.nodes().filter(told) {
                let mut ways: Vec<Literal> = Vec::new();
                for call in calls.iter().filter(|call| call.receiver == node) {
                    if call.caller == source.node {
                        ways.push(call.ends);
                    } else if let Some(&knows) = source.known.get(&call.caller) {
                        let tells = self.variable();
                        self.implies(tells, [call.ends])?;
                        self.implies(tells, [knows])?;
                        ways.push(tells);
                    }
                }
                ways.extend(source.known.get(&node));
                if last {
                    self.rule(1, ways)?;
                    continue;
                }
                let knows = self.variable();
                known.insert(node, knows);
                self.implies(knows, ways)?;
            }
            for Move { image, .. } in &moves.moves {
                let moved = known.iter().map(|(node, knows)| (image.node(*node), *knows));
                after.entry(image.node(source.node)).or_default().extend(moved);
            }
            after.entry(source.node).or_default().extend(known);
        }
        for source in sources {
            source.known = after.remove(&source.node).unwrap_or_default();
        }
        Ok(())
    }
}
