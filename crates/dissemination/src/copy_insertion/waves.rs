//! **What:** the cheapest way of a message to a node, over nodes that have it and nodes that then will.
//!
//! **Method.** Time goes forwards, so the cheapest way to have the message at a node in a step, at rest or in passing, is found step by
//! step from those before. What is in the way costs what it weighs.

use super::clock::Clock;
use super::plan::{Leg, Plan, UNPAYABLE};
use graph::distances::{Way, hops};
use kernel::{Channel, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a conflict costs, against a channel: 1 to 4, at random.
const CONFLICT: u64 = 64;

/// How the message came to be where it is.
#[derive(Clone, Copy)]
enum Last {
    /// It was there.
    Held,
    /// It stayed.
    Stayed,
    /// It came and stays from now on.
    Arrived,
    /// It came by a channel that it had before been sent or passed on by.
    Sent(Channel),
    Passed(Channel),
}

#[derive(Clone, Copy)]
struct State {
    cost: u64,
    last: Last,
}

const NOWHERE: State = State { cost: UNPAYABLE, last: Last::Held };

/// Most entries of the distances that are kept, to all nodes from each.
const MOST_DISTANCES: usize = 1 << 22;

/// Costs by step and node.
pub(super) struct Waves {
    nodes: usize,
    /// When each node may send the message that is looked for.
    known: Vec<u32>,
    at_rest: Vec<State>,
    passing: Vec<State>,
    /// Nodes from which a message goes on in a step, and at what cost.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    is_terminal: Vec<bool>,
    /// Whether a path may lead on through a node.
    passes: Vec<bool>,
    /// The channels from every node to each that was looked for, then the same backwards; empty where they are not kept.
    far: Vec<Vec<u32>>,
}

/// A node from which the message goes on, at what cost so far, and whether it is sent or passed on there.
struct Leaving {
    from: Node,
    cost: u64,
    last: fn(Channel) -> Last,
}

/// What is looked for.
#[derive(Clone, Copy)]
struct Target {
    message: usize,
    node: Node,
    /// What it costs at most, and no cheaper way is needed.
    limit: u64,
}

impl Waves {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let problem = plan.folded.problem;
        let (network, clock) = (problem.network(), plan.clock);
        let nodes = network.node_count();
        let all = |steps: usize| vec![NOWHERE; steps * nodes];
        Waves {
            nodes,
            known: Vec::new(),
            at_rest: all(clock.end() + 1),
            passing: all(clock.horizon + clock.hop.max(1)),
            heap: BinaryHeap::new(),
            is_terminal: network.nodes().map(|v| network.is_terminal(v)).collect(),
            passes: network.nodes().map(|v| clock.is_carried && problem.path_passes(v)).collect(),
            far: vec![Vec::new(); if nodes.saturating_mul(nodes) <= MOST_DISTANCES { 2 * nodes } else { 0 }],
        }
    }

    /// Ticks that it takes to look.
    pub(super) fn ticks(plan: &Plan<'_>) -> u64 {
        let network = plan.folded.problem.network();
        (plan.clock.horizon * (network.node_count() + network.channel_count())) as u64 / 4 + 8
    }

    /// The cheapest legs of a message to a node; none where there are none.
    pub(super) fn way(&mut self, plan: &Plan<'_>, message: usize, to: Node, random: &mut Pcg64Mcg) -> Option<Vec<Leg>> {
        let far = self.far_at(plan, message, to);
        if self.far.get(far).is_some_and(Vec::is_empty) {
            let passes = |v: Node| self.passes[v.index()] || self.is_terminal[v.index()];
            let network = plan.network(message);
            self.far[far] = hops(network, &[to], Way::Back, passes, &mut Budget::unlimited())?;
        }
        self.known.clear();
        self.known.extend(plan.folded.problem.network().nodes().map(|v| plan.known(message, v)));
        let begins = self.known.iter().copied().min()? as usize;
        if begins >= plan.clock.horizon {
            return None;
        }
        self.spread(plan, begins, Target { message, node: to, limit: UNPAYABLE }, random);
        let ends = plan.clock.first().max(begins)..plan.clock.horizon;
        let cost = |end: &usize| self.cost(plan, message, to, *end);
        let end = ends.filter(|end| cost(end) < UNPAYABLE).min_by_key(|end| (cost(end), *end))?;
        self.legs(plan, message, to, end)
    }

    /// The place of the distances to a node as a message goes there.
    fn far_at(&self, plan: &Plan<'_>, message: usize, to: Node) -> usize {
        to.index() + if plan.is_backwards(message) { self.nodes } else { 0 }
    }

    /// The cost of a way of a message that ends at a node in a step.
    fn cost(&self, plan: &Plan<'_>, message: usize, to: Node, end: usize) -> u64 {
        let way = self.passing[end * self.nodes + to.index()].cost;
        way.saturating_add(CONFLICT.saturating_mul(plan.price_to_receive(message, to, end)))
    }

    /// Fills in all costs that may matter, from the step in which the message is first held.
    fn spread(&mut self, plan: &Plan<'_>, begins: usize, mut target: Target, random: &mut Pcg64Mcg) {
        let (clock, nodes) = (plan.clock, self.nodes);
        let network = plan.network(target.message);
        self.at_rest[begins.min(clock.end()) * nodes..].fill(NOWHERE);
        self.passing[begins * nodes..].fill(NOWHERE);
        for t in begins..clock.horizon {
            if t < clock.end() {
                let here = &mut self.at_rest[t * nodes..][..nodes];
                let held = here.iter_mut().zip(&self.known).filter(|(_, known)| **known <= t as u32);
                held.for_each(|(state, _)| *state = State { cost: 0, last: Last::Held });
            }
            self.step(plan, t, target, random);
            if t >= clock.first() {
                target.limit = target.limit.min(self.cost(plan, target.message, target.node, t));
            }
            if t + 1 >= clock.end() {
                continue;
            }
            for v in network.nodes().filter(|v| self.is_terminal[v.index()]) {
                let here = t * nodes + v.index();
                let mut next = State { cost: self.at_rest[here].cost, last: Last::Stayed };
                let passing = self.passing[here].cost;
                if passing < next.cost && plan.stores(target.message, v, t) && t >= clock.first() {
                    let cost =
                        passing.saturating_add(CONFLICT.saturating_mul(plan.price_to_receive(target.message, v, t)));
                    if cost < next.cost {
                        next = State { cost, last: Last::Arrived };
                    }
                }
                self.at_rest[here + nodes] = next;
            }
        }
    }

    /// Where the message can be carried from the nodes at which it is in a step, and, where paths take one step, on from there in the same step.
    fn step(&mut self, plan: &Plan<'_>, t: usize, target: Target, random: &mut Pcg64Mcg) {
        let (network, nodes, clock) = (plan.network(target.message), self.nodes, plan.clock);
        for v in network.nodes().filter(|v| *v != target.node) {
            let mut sent = UNPAYABLE;
            if t < clock.end() && self.at_rest[t * nodes + v.index()].cost < target.limit {
                let price = CONFLICT.saturating_mul(plan.price_to_send(target.message, v, t));
                sent = self.at_rest[t * nodes + v.index()].cost.saturating_add(price);
            }
            let is_passed = clock.hop > 0 && self.passes[v.index()];
            let passed = if is_passed { self.passing[t * nodes + v.index()].cost } else { UNPAYABLE };
            let last: fn(Channel) -> Last = if sent <= passed { Last::Sent } else { Last::Passed };
            self.leave(plan, t, Leaving { from: v, cost: sent.min(passed), last }, target, random);
        }
        while let Some(Reverse((cost, v))) = self.heap.pop() {
            let is_best = cost == self.passing[t * nodes + v as usize].cost;
            if v != target.node.0 && self.passes[v as usize] && is_best {
                self.leave(plan, t, Leaving { from: Node(v), cost, last: Last::Passed }, target, random);
            }
        }
    }

    /// Carries the message from a node over each channel that leaves it, unless the target is too far from there.
    fn leave(&mut self, plan: &Plan<'_>, t: usize, leaving: Leaving, target: Target, random: &mut Pcg64Mcg) {
        let Leaving { from, cost, last } = leaving;
        let (network, Clock { hop, is_carried, horizon, .. }) = (plan.network(target.message), plan.clock);
        let far = self.far.get(self.far_at(plan, target.message, target.node));
        let far = |v: Node| far.map_or(0, |far| far[v.index()]);
        if cost.saturating_add(u64::from(far(from))) >= target.limit {
            return;
        }
        // Where paths take one step, all of them end in it.
        let pace = if is_carried { hop } else { 1 };
        let mut bits: u64 = random.random();
        for &channel in network.outgoing(from) {
            bits = bits.rotate_left(2);
            let to = network.to(channel);
            let rest = far(to);
            if t + hop + pace.saturating_mul(rest as usize) >= horizon {
                continue;
            }
            let price = CONFLICT.saturating_mul(plan.price(target.message, channel, t)).saturating_add(1 + (bits & 3));
            let cost = cost.saturating_add(price);
            let next = &mut self.passing[(t + hop) * self.nodes + to.index()];
            if cost < next.cost && cost.saturating_add(u64::from(rest)) < target.limit {
                *next = State { cost, last: last(channel) };
                if is_carried && hop == 0 {
                    self.heap.push(Reverse((cost, to.0)));
                }
            }
        }
    }

    /// The legs that end at a node in a step; none where one of them comes to a node twice.
    fn legs(&self, plan: &Plan<'_>, message: usize, to: Node, end: usize) -> Option<Vec<Leg>> {
        let (network, hop) = (plan.network(message), plan.clock.hop);
        let mut legs = Vec::new();
        let (mut receiver, mut at, mut t) = (to, to, end);
        let mut path: Vec<Channel> = Vec::new();
        loop {
            let (Last::Sent(channel) | Last::Passed(channel)) = self.passing[t * self.nodes + at.index()].last else {
                return None;
            };
            let was_sent = matches!(self.passing[t * self.nodes + at.index()].last, Last::Sent(_));
            path.push(channel);
            (at, t) = (network.from(channel), t - hop);
            if at == receiver || path[..path.len() - 1].iter().any(|c| network.from(*c) == at) {
                return None;
            }
            if !was_sent {
                continue;
            }
            path.reverse();
            legs.push(Leg { from: at, to: receiver, start: t, path: std::mem::take(&mut path) });
            while let Last::Stayed = self.at_rest[t * self.nodes + at.index()].last {
                t -= 1;
            }
            match self.at_rest[t * self.nodes + at.index()].last {
                Last::Held => break,
                _ => (receiver, t) = (at, t - 1),
            }
        }
        legs.reverse();
        Some(legs)
    }
}
