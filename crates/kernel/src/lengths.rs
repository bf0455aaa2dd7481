//! **What:** the bound of weighted distances: what certificates of kind `lengths` prove.
//!
//! **Theory.** Give every channel a weight, and every node's send and receive ports one, none below 0. A transfer costs the
//! weights of the channels of its path, of its sender's send ports and of its receiver's receive ports. In a step the
//! transfers cost at most the sum of weight × capacity: a channel carries no more transfers than its capacity (of a
//! half-duplex group one channel is busy), and a node sends and receives no more than it can. A message with one
//! destination gets there by a chain of transfers, each from where the one before ended (copies made on the way help
//! nobody else), so it costs at least the cheapest chain. Hence the steps are at least the sum of the cheapest chains over
//! the sum of weight × capacity, whatever the switching. Under time-division the slots of a period obey the same limits,
//! and transfers the same costs.
//!
//! What messages for several nodes and chunks cost at least is said in the module of spanning trees.
//!
//! A chain alternates between a message that is held by a terminal and one that is on a path. To send costs the send
//! ports, to end a path the receive ports; under store-and-forward every channel ends a path, so each hop costs ports.
//!
//! Where an odd set cannot be filled, what it leaves empty is taken off the sum of weight × capacity.

mod arborescence;
mod ascent;
mod counted;
mod odd;
mod places;
mod spanning;

pub use spanning::{Cheapest, Costs, MOST_TERMINALS, Needed, Transfers};

use crate::{Channel, Collective, Node, OddSet, Problem, Quotient, Rational, Refused, Semantics, Weights};
use odd::Spared;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The weights of a certificate.
pub(crate) struct Tolls<'a> {
    /// One a channel.
    pub weights: &'a Weights,
    /// One a node, or none where send ports weigh nothing.
    pub send: &'a [Rational],
    /// One a node, or none where receive ports weigh nothing.
    pub receive: &'a [Rational],
    /// Sets that cannot be filled.
    pub odd: &'a [OddSet],
}

/// The weights in a common unit.
struct Whole<'a> {
    /// The different weights of channels, and which of them each channel has.
    distinct: Vec<u128>,
    which: &'a [u32],
    send: Vec<u128>,
    receive: Vec<u128>,
    odd: Vec<u128>,
}

impl Whole<'_> {
    #[inline]
    fn weight(&self, channel: Channel) -> u128 {
        self.distinct[self.which[channel.index()] as usize]
    }
}

impl<'a> Tolls<'a> {
    /// Channels alone.
    pub(crate) fn channels(weights: &'a Weights) -> Self {
        Tolls { weights, send: &[], receive: &[], odd: &[] }
    }

    /// All weights over a common denominator.
    fn whole(&self, problem: &Problem) -> Result<Whole<'a>, Refused> {
        let (channels, nodes) = (problem.network().channel_count(), problem.network().node_count());
        if self.weights.len() != channels {
            return Err(Refused::WeightCount { found: self.weights.len(), expected: channels });
        }
        for ports in [self.send, self.receive] {
            if !ports.is_empty() && ports.len() != nodes {
                return Err(Refused::PortWeightCount { found: ports.len(), expected: nodes });
            }
        }
        let odd: Vec<Rational> = self.odd.iter().map(|set| set.weight).collect();
        let lists = [self.weights.distinct(), self.send, self.receive, &odd];
        let bad = |list: usize, at: usize| match list {
            0 => {
                let has = |which: &u32| *which as usize == at;
                Refused::BadWeight { channel: self.weights.which().iter().position(has).unwrap_or(0) }
            }
            3 => Refused::BadOddSet { set: at, why: "has a weight with denominator 0, or too fine beside the others" },
            _ => Refused::BadPortWeight { node: at },
        };
        let mut common = 1u128;
        for (list, weights) in lists.iter().enumerate() {
            for (at, weight) in weights.iter().enumerate() {
                let denominator = u128::from(weight.denominator);
                if denominator == 0 {
                    return Err(bad(list, at));
                }
                common = common.checked_mul(denominator / gcd(common, denominator)).ok_or_else(|| bad(list, at))?;
            }
        }
        let scaled = |list: usize| {
            let scale = |(at, weight): (usize, &Rational)| {
                let factor = common / u128::from(weight.denominator);
                // Path lengths add up many weights, so each stays far below the limit of the arithmetic.
                let scaled = factor.checked_mul(u128::from(weight.numerator)).filter(|w| *w < 1 << 80);
                scaled.ok_or_else(|| bad(list, at))
            };
            lists[list].iter().enumerate().map(scale).collect::<Result<Vec<u128>, Refused>>()
        };
        let or_none = |list: Vec<u128>| if list.is_empty() { vec![0; nodes] } else { list };
        let [distinct, send, receive, odd] = [scaled(0)?, or_none(scaled(1)?), or_none(scaled(2)?), scaled(3)?];
        Ok(Whole { distinct, which: self.weights.which(), send, receive, odd })
    }
}

/// The cheapest chains of all messages together, each of which stands for `images` as far apart, and what all channels and ports
/// carry in a step, which is positive: in the largest unit that makes all weights whole numbers.
pub(crate) fn quotient(problem: &Problem, tolls: &Tolls<'_>, images: u128) -> Result<Quotient, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    let refuse = |why| Err(Refused::NotApplicable { kind: "lengths", why });
    if problem.model().combining {
        return refuse("combined messages share channels");
    }
    let single = is_single(collective);
    if !single && images > 1 {
        return refuse("of messages divided by symmetry it needs one destination each");
    }
    if !single && !tolls.odd.is_empty() {
        return refuse("only of messages with one destination each an even number crosses a border");
    }
    let whole = tolls.whole(problem)?;
    let spared = Spared::new(problem, tolls.odd, &whole)?;
    let Whole { distinct, send, receive, odd, .. } = &whole;
    let overflow = Refused::BadWeight { channel: 0 };
    let mut capacity = spared.capacity;
    let mut largest = vec![0u128; network.half_duplex().len()];
    for channel in network.channels() {
        let rest = whole.weight(channel) - spared.channel(channel);
        let most = rest.checked_mul(u128::from(network.capacity(channel)));
        let most = most.ok_or(Refused::BadWeight { channel: channel.index() })?;
        match network.groups_of(channel).next() {
            Some(group) => largest[group] = largest[group].max(most),
            None => capacity = capacity.checked_add(most).ok_or_else(|| overflow.clone())?,
        }
    }
    for most in largest {
        capacity = capacity.checked_add(most).ok_or_else(|| overflow.clone())?;
    }
    for node in network.nodes().filter(|v| send[v.index()] > 0 || receive[v.index()] > 0) {
        let bad = || Refused::BadPortWeight { node: node.index() };
        for (weight, most) in
            [(send[node.index()], network.send_capacity(node)), (receive[node.index()], network.receive_capacity(node))]
        {
            let rest = weight - spared.node(node);
            let most = rest.checked_mul(u128::from(most)).ok_or_else(bad)?;
            capacity = capacity.checked_add(most).ok_or_else(bad)?;
        }
    }
    if capacity == 0 {
        return Err(Refused::ZeroWeights);
    }
    let work = work(problem, tolls, &whole, false)?.checked_mul(images).ok_or(overflow)?;
    let unit = distinct.iter().chain(send).chain(receive).chain(odd).fold(0, |unit, weight| gcd(unit, *weight)).max(1);
    Ok(Quotient { work: work / unit, rate: capacity / unit })
}

/// The cheapest chains, or lightest trees, of all messages together; `joined` as in [`spanning::work`].
fn work(problem: &Problem, tolls: &Tolls<'_>, whole: &Whole<'_>, joined: bool) -> Result<u128, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    let Whole { distinct, which, send, receive, .. } = whole;
    let overflow = Refused::BadWeight { channel: 0 };
    let ports = !tolls.send.is_empty() || !tolls.receive.is_empty();
    // Where every channel weighs nothing or the same, hops are counted level by level.
    let most = distinct.iter().copied().max().unwrap_or(0);
    let even = !ports && distinct.iter().all(|w| *w == 0 || *w == most);
    let heavy: Vec<bool> = distinct.iter().map(|w| *w > 0).collect();
    match is_single(collective) {
        false => {
            let channels = network.channels().map(|c| whole.weight(c)).collect();
            spanning::work(problem, &Costs { channels, send: send.clone(), receive: receive.clone() }, joined)
        }
        true => {
            let mut work = 0u128;
            collective.each_sender(|from, receivers| {
                let distance = match ports {
                    false if even => levels(problem, from, |c| heavy[which[c.index()] as usize]),
                    false => distances(problem, from, |c| whole.weight(c)),
                    true => chains(problem, from, whole),
                };
                for to in receivers {
                    let far = distance[to.index()].expect("a well-posed problem connects sender and receiver");
                    let far = if even { far.checked_mul(most).ok_or_else(|| overflow.clone())? } else { far };
                    work = work.checked_add(far).ok_or_else(|| overflow.clone())?;
                }
                Ok(())
            })?;
            Ok(work)
        }
    }
}

/// What all messages cost at least, and the weights of all channels in the same unit; of messages that are not combined. Terminals between which channels
/// weigh nothing count as one.
pub(crate) fn needed(problem: &Problem, tolls: &Tolls<'_>) -> Result<(u128, Vec<u128>), Refused> {
    let whole = tolls.whole(problem)?;
    let weights = problem.network().channels().map(|c| whole.weight(c)).collect();
    Ok((work(problem, tolls, &whole, true)?, weights))
}

/// Whether every message has one origin and one destination.
fn is_single(collective: &Collective) -> bool {
    collective.semantics() == Semantics::Copy && collective.is_to_single()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Shortest weighted distances from `from`, over nodes that messages get past. `None` where there is no way.
pub(crate) fn distances(problem: &Problem, from: Node, weight: impl Fn(Channel) -> u128) -> Vec<Option<u128>> {
    let network = problem.network();
    let mut distance: Vec<Option<u128>> = vec![None; network.node_count()];
    distance[from.index()] = Some(0);
    let mut queue = BinaryHeap::from([Reverse((0u128, from))]);
    while let Some(Reverse((far, node))) = queue.pop() {
        if distance[node.index()] != Some(far) || (node != from && !problem.passes(node)) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let (next, reached) = (network.to(channel), far + weight(channel));
            if distance[next.index()].is_none_or(|d| reached < d) {
                distance[next.index()] = Some(reached);
                queue.push(Reverse((reached, next)));
            }
        }
    }
    distance
}

/// As [`distances`], where `heavy` channels weigh 1 and all others nothing.
fn levels(problem: &Problem, from: Node, heavy: impl Fn(Channel) -> bool) -> Vec<Option<u128>> {
    let network = problem.network();
    const UNMET: u32 = u32::MAX;
    let mut distance = vec![UNMET; network.node_count()];
    distance[from.index()] = 0;
    let mut unmet = network.node_count() - 1;
    let (mut far, mut level, mut farther) = (0u32, vec![from], Vec::new());
    while !level.is_empty() {
        while let Some(node) = level.pop() {
            // A node that was met as farther may have turned out to be nearer.
            if distance[node.index()] != far || (node != from && !problem.passes(node)) {
                continue;
            }
            for &channel in network.outgoing(node) {
                let (next, heavy) = (network.to(channel), heavy(channel));
                let reached = far + u32::from(heavy);
                let known = &mut distance[next.index()];
                if reached < *known {
                    unmet -= usize::from(*known == UNMET);
                    *known = reached;
                    if heavy { farther.push(next) } else { level.push(next) }
                }
            }
        }
        // What was met by now and is farther is one level farther.
        if unmet == 0 {
            break;
        }
        (far, level) = (far + 1, std::mem::take(&mut farther));
    }
    distance.into_iter().map(|far| (far != UNMET).then_some(u128::from(far))).collect()
}

/// Costs of the cheapest chains of transfers from `from`. `None` where there is no way.
fn chains(problem: &Problem, from: Node, whole: &Whole<'_>) -> Vec<Option<u128>> {
    let (send, receive) = (&whole.send, &whole.receive);
    let network = problem.network();
    // Of each node, first as one that holds the message, then as one that a path has reached.
    let mut cost: [Vec<Option<u128>>; 2] = [vec![None; network.node_count()], vec![None; network.node_count()]];
    const HELD: usize = 0;
    const REACHED: usize = 1;
    cost[HELD][from.index()] = Some(0);
    let mut queue = BinaryHeap::from([Reverse((0u128, HELD, from))]);
    while let Some(Reverse((far, state, node))) = queue.pop() {
        if cost[state][node.index()] != Some(far) {
            continue;
        }
        let mut relax = |state: usize, next: Node, reached: u128| {
            let known = &mut cost[state][next.index()];
            if known.is_none_or(|d| reached < d) {
                *known = Some(reached);
                queue.push(Reverse((reached, state, next)));
            }
        };
        if state == REACHED && network.is_terminal(node) {
            relax(HELD, node, far + receive[node.index()]);
        }
        if state == HELD || problem.path_passes(node) {
            let toll = if state == HELD { send[node.index()] } else { 0 };
            for &channel in network.outgoing(node) {
                relax(REACHED, network.to(channel), far + toll + whole.weight(channel));
            }
        }
    }
    let [held, _] = cost;
    held
}
