//! **What:** the cheapest way of a message to a node, over nodes that have it and nodes that then will.
//!
//! **Method.** Time goes forwards, so the cheapest way to have the message at a node in a step, at rest or in passing, is found step by
//! step from those before. What is in the way costs what it weighs.

use super::plan::{Clock, Leg, NEVER, Plan, UNPAYABLE};
use kernel::{Channel, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

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

/// Costs by step and node.
pub(super) struct Waves {
    nodes: usize,
    at_rest: Vec<State>,
    passing: Vec<State>,
}

impl Waves {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let nodes = plan.folded.problem.network().node_count();
        let (clock, all) = (plan.clock, |steps: usize| vec![NOWHERE; steps * nodes]);
        let end = clock.first() + clock.steps;
        Waves { nodes, at_rest: all(end + 1), passing: all(Self::horizon(clock) + clock.hop.max(1)) }
    }

    /// Ticks that it takes to look.
    pub(super) fn ticks(plan: &Plan<'_>) -> u64 {
        let network = plan.folded.problem.network();
        (Self::horizon(plan.clock) * (network.node_count() + network.channel_count())) as u64 / 4 + 8
    }

    /// The first step in which no way ends.
    fn horizon(clock: Clock) -> usize {
        if clock.is_cyclic { 2 * clock.steps } else { clock.steps }
    }

    /// The cheapest legs of a message to a node; none where there are none.
    pub(super) fn way(&mut self, plan: &Plan<'_>, message: usize, to: Node, random: &mut Pcg64Mcg) -> Option<Vec<Leg>> {
        self.spread(plan, message, to, random);
        let cost = |end: &usize| {
            let way = self.passing[end * self.nodes + to.index()].cost;
            way.saturating_add(CONFLICT.saturating_mul(plan.price_to_receive(to, *end)))
        };
        let ends = plan.clock.first()..Self::horizon(plan.clock);
        let end = ends.filter(|end| cost(end) < UNPAYABLE).min_by_key(|end| (cost(end), *end))?;
        self.legs(plan, to, end)
    }

    /// Fills in all costs.
    fn spread(&mut self, plan: &Plan<'_>, message: usize, to: Node, random: &mut Pcg64Mcg) {
        let (problem, clock) = (plan.folded.problem, plan.clock);
        let (network, nodes, hop) = (problem.network(), self.nodes, clock.hop);
        let (first, end) = (clock.first(), clock.first() + clock.steps);
        self.at_rest.fill(NOWHERE);
        self.passing.fill(NOWHERE);
        for t in 0..Self::horizon(clock) {
            for v in network.nodes() {
                let here = t * nodes + v.index();
                if t < end && plan.known(message, v) <= t as u32 {
                    self.at_rest[here] = State { cost: 0, last: Last::Held };
                }
                let sent = match t < end {
                    true => self.at_rest[here].cost.saturating_add(CONFLICT.saturating_mul(plan.price_to_send(v, t))),
                    false => UNPAYABLE,
                };
                let passed = if hop > 0 && problem.path_passes(v) { self.passing[here].cost } else { UNPAYABLE };
                let before = sent.min(passed);
                if before >= UNPAYABLE || v == to {
                    continue;
                }
                let mut bits: u64 = random.random();
                for &channel in network.outgoing(v) {
                    bits = bits.rotate_left(2);
                    let price = CONFLICT.saturating_mul(plan.price(channel, t)).saturating_add(1 + (bits & 3));
                    let cost = before.saturating_add(price);
                    let next = &mut self.passing[(t + hop) * nodes + network.to(channel).index()];
                    if cost < next.cost {
                        let last = if sent <= passed { Last::Sent(channel) } else { Last::Passed(channel) };
                        *next = State { cost, last };
                    }
                }
            }
            if t + 1 >= end {
                continue;
            }
            for v in network.nodes().filter(|v| network.is_terminal(*v)) {
                let here = t * nodes + v.index();
                let mut next = State { cost: self.at_rest[here].cost, last: Last::Stayed };
                if plan.known(message, v) == NEVER && t >= first {
                    let price = CONFLICT.saturating_mul(plan.price_to_receive(v, t));
                    let cost = self.passing[here].cost.saturating_add(price);
                    if cost < next.cost {
                        next = State { cost, last: Last::Arrived };
                    }
                }
                self.at_rest[here + nodes] = next;
            }
        }
    }

    /// The legs that end at a node in a step; none where one of them comes to a node twice.
    fn legs(&self, plan: &Plan<'_>, to: Node, end: usize) -> Option<Vec<Leg>> {
        let (network, hop) = (plan.folded.problem.network(), plan.clock.hop);
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
