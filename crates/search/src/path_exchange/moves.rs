//! **What:** the two moves on a layout: one that makes a path for a missing message, and one at random.
//!
//! **Method.** A *repair* looks, in every step, at all ways to make a path for a message out of one or two paths that are there,
//! and takes the one that costs least; what is cut off stays in the layout and may itself serve. A *random move* lets a path
//! that no message needs exchange what follows a node with another, at a temperature: it keeps what is to spare in motion.
//! Where both are needed two messages would be lost, which the temperature never allows, so these are not even tried.

use super::layout::{ArcSlot, StepLayout};
use super::network::NONE;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Hops a path may be longer than the shortest when it is made.
const LONGER: u16 = 2;

/// What a path costs: arcs to spare that follow one another are worth more in one piece.
const PIECE: i32 = 50;

/// Ways are not followed that cost so much more than the cheapest before it is known what they gain.
const SLACK: i32 = 100;

/// A way is taken without a look at all steps where it costs no more than this part of what the message weighs, once so many
/// steps were looked at: as long as there are far more steps than are needed, most are.
const CHEAP: i32 = 4;
const ENOUGH: usize = 64;

/// A way to make a path for a message: arcs `first ..= arc` of one path, `next ..= last` of another.
#[derive(Clone, Copy)]
struct Way {
    base: usize,
    first: u32,
    arc: u32,
    /// `NONE` where one path is enough: then `arc` is the last.
    next: u32,
    last: u32,
    /// Whether the rests at the meeting node stay apart.
    apart: bool,
}

/// The cheapest ways so far.
struct Cheapest {
    cost: i32,
    ties: u32,
    way: Option<Way>,
}

impl Cheapest {
    fn offer(&mut self, cost: i32, random: &mut Pcg64Mcg, way: Way) {
        if cost < self.cost {
            *self = Cheapest { cost, ties: 1, way: Some(way) };
        } else if cost == self.cost {
            self.ties += 1;
            if random.random_range(0..self.ties) == 0 {
                self.way = Some(way);
            }
        }
    }
}

/// Chances to accept a loss, of 2^32, by what is lost.
pub(super) struct Temperature(Vec<u32>);

impl Temperature {
    /// `temperature` in the units of weights.
    pub(super) fn new(temperature: f64) -> Self {
        let chance = |loss: i32| ((-f64::from(loss) / temperature).exp() * f64::from(u32::MAX)) as u32;
        Temperature((0..).map(chance).take_while(|&c| c > 16).collect())
    }

    fn accepts(&self, loss: i32, random: &mut Pcg64Mcg) -> bool {
        let chance = usize::try_from(loss).map_or(u32::MAX, |loss| self.0.get(loss).copied().unwrap_or(0));
        loss <= 0 || (chance > 0 && random.random::<u32>() < chance)
    }
}

impl StepLayout<'_> {
    /// Makes a path for a missing message, other than in the step `forbidden`; returns what it looked at, and the step.
    pub(super) fn repair(
        &mut self,
        pair: u32,
        forbidden: Option<usize>,
        random: &mut Pcg64Mcg,
    ) -> (u64, Option<usize>) {
        let mut cheapest = Cheapest { cost: i32::MAX, ties: 0, way: None };
        let mut looks = 0;
        let ends = self.network.ends_of(pair, random);
        let cheap = self.weights[pair as usize] / CHEAP;
        let first = random.random_range(0..self.steps);
        for number in 0..self.steps {
            if number >= ENOUGH && cheapest.cost <= cheap {
                break;
            }
            let step = (first + number) % self.steps;
            if Some(step) != forbidden {
                looks += self.ways(step, ends, &mut cheapest, random);
            }
        }
        let Some(way) = cheapest.way else { return (looks, None) };
        self.take(way);
        (looks, Some(way.base / self.network.ends.len()))
    }

    fn ways(&self, step: usize, (origin, target): (u32, u32), cheapest: &mut Cheapest, random: &mut Pcg64Mcg) -> u64 {
        let (network, base) = (self.network, self.base(step));
        let far = network.distance(origin, target) + LONGER;
        let price_of = |arc: u32| self.prices.arcs[arc as usize];
        let mut looks = 0;
        for &first in &network.out[origin as usize] {
            let one = self.slot(base, first);
            let whole = network.pair(one.from, one.to);
            let before = self.price(whole, 1)
                - self.worth(network.pair(one.from, origin))
                - self.detour(one.from, one.to, one.all)
                + self.detour(one.from, origin, one.at - price_of(first));
            if before > cheapest.cost.saturating_add(SLACK) {
                continue;
            }
            let (mut arc, mut hops) = (first, 1);
            while arc != NONE && hops <= far {
                looks += 1;
                let node = network.ends[arc as usize].1;
                if node == target {
                    let at = self.slot(base, arc).at;
                    let cost = before - self.worth(network.pair(target, one.to))
                        + self.detour(target, one.to, one.all - at)
                        + self.detour(origin, target, at - one.at + price_of(first));
                    cheapest.offer(cost, random, Way { base, first, arc, next: NONE, last: arc, apart: false });
                    break;
                }
                let follows = self.slot(base, arc).next;
                let open = network.passes[node as usize] && hops + network.distance(node, target).min(far) <= far;
                for &next in network.out[node as usize].iter().filter(|&&next| open && next != follows) {
                    let ahead = network.ends[next as usize].1;
                    if hops + 1 + network.distance(ahead, target).min(far) > far
                        || ahead == network.ends[arc as usize].0
                    {
                        continue;
                    }
                    looks += 1;
                    let other = self.slot(base, next);
                    let Some(last) = self.reaches(base, next, (origin, target), far - hops) else { continue };
                    if other.head == one.head {
                        continue;
                    }
                    let rest = network.pair(other.from, other.to);
                    let lost =
                        if rest == whole { self.price(whole, 2) - self.price(whole, 1) } else { self.price(rest, 1) };
                    if before + lost > cheapest.cost.saturating_add(SLACK) {
                        continue;
                    }
                    // At the node where the paths meet, their rests may be joined or stay apart.
                    let (end, at) = (self.slot(base, last).at, self.slot(base, arc).at);
                    let (behind, after) = (other.at - price_of(next), one.all - at);
                    let joined =
                        self.worth(network.pair(other.from, one.to)) - self.detour(other.from, one.to, behind + after);
                    let apart = self.worth(network.pair(other.from, node)) + self.worth(network.pair(node, one.to))
                        - self.detour(other.from, node, behind)
                        - self.detour(node, one.to, after);
                    let cost = before + lost
                        - self.worth(network.pair(target, other.to))
                        - joined.max(apart)
                        - self.detour(other.from, other.to, other.all)
                        + self.detour(target, other.to, other.all - end)
                        + self.detour(origin, target, at - one.at + price_of(first) + end - behind);
                    let apart = apart > joined || (apart == joined && random.random());
                    cheapest.offer(cost, random, Way { base, first, arc, next, last, apart });
                }
                arc = follows;
                hops += 1;
            }
        }
        looks
    }

    /// The arc by which the path of `arc` comes to the target within so many hops, without passing the origin.
    fn reaches(&self, base: usize, mut arc: u32, (origin, target): (u32, u32), hops: u16) -> Option<u32> {
        for _ in 0..hops {
            if arc == NONE {
                return None;
            }
            match self.network.ends[arc as usize].1 {
                node if node == target => return Some(arc),
                node if node == origin => return None,
                _ => arc = self.slot(base, arc).next,
            }
        }
        None
    }

    fn take(&mut self, way: Way) {
        let Way { base, first, arc, next, last, apart } = way;
        let before = self.slot(base, first).prev;
        if before != NONE {
            self.cut(base, before);
        }
        self.cut(base, last);
        if next == NONE {
            return;
        }
        let (behind, after) = (self.slot(base, next).prev, self.slot(base, arc).next);
        if behind != NONE {
            self.cut(base, behind);
        }
        self.cut(base, arc);
        self.join(base, arc, next);
        if !apart && behind != NONE && after != NONE {
            self.join(base, behind, after);
        }
    }

    /// Lets a random path that no message needs exchange what follows a node, or what comes before it, with another, if
    /// the temperature allows.
    pub(super) fn random_move(&mut self, temperature: &Temperature, random: &mut Pcg64Mcg) {
        let network = self.network;
        let Some(chosen) = self.loose.pick(random) else { return };
        let arcs = u32::try_from(network.ends.len()).unwrap_or(NONE);
        let (base, own) = ((chosen - chosen % arcs) as usize, chosen % arcs);
        let ArcSlot { from, to, .. } = self.slot(base, own);
        if self.price(network.pair(from, to), 1) > 0 {
            self.loose.set(chosen, false);
            return;
        }
        // What follows the path's arc changes, or what comes before it.
        let (arc, next) = if random.random() {
            let out = &network.out[network.ends[own as usize].1 as usize];
            (own, out.get(random.random_range(0..=out.len())).copied().unwrap_or(NONE))
        } else {
            let into = &network.into[network.ends[own as usize].0 as usize];
            let Some(&arc) = into.get(random.random_range(0..into.len().max(1))) else { return };
            (arc, own)
        };
        let (back, node) = network.ends[arc as usize];
        if !network.passes[node as usize] {
            return;
        }
        let one = self.slot(base, arc);
        if one.next == next {
            return;
        }
        let mut two = (node, node);
        let (mut lead, mut tail) = (0, 0);
        // Paths more than before.
        let mut more = i32::from(next == NONE);
        if next != NONE {
            let other = self.slot(base, next);
            if other.head == one.head || network.ends[next as usize].1 == back {
                return;
            }
            two = (if other.prev == NONE { node } else { other.from }, other.to);
            more = -i32::from(one.next == NONE && other.prev == NONE);
            lead = other.at - self.prices.arcs[next as usize];
            tail = other.all - lead;
        }
        let end = if one.next == NONE { node } else { one.to };
        let (a, b) = (network.pair(one.from, end), network.pair(two.0, two.1));
        let (c, d) = (network.pair(one.from, two.1), network.pair(two.0, end));
        let loss = match a == b {
            true => self.price(a, 2),
            false => self.price(a, 1) + self.price(b, 1),
        };
        // Where the new pairs are alike, the second counts only if two are missing: an estimate that errs on the safe side.
        let gain = self.worth(c) + if c == d { 0 } else { self.worth(d) };
        let longer = self.detour(one.from, two.1, one.at + tail) + self.detour(two.0, end, lead + one.all - one.at)
            - self.detour(one.from, end, one.all)
            - self.detour(two.0, two.1, lead + tail);
        if temperature.accepts(loss - gain + longer + more * PIECE, random) {
            self.exchange(base, arc, next);
        }
    }
}
