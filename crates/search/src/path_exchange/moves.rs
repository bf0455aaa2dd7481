//! **What:** the two moves on a loom: one that makes a strand for a missing message, and one at random.
//!
//! **Mending** looks, in every layer, at all ways to make a strand for a message out of one or two strands that are there,
//! and takes the one that costs least; what is cut off stays on the loom and may itself serve. Messages with
//! [openings](super::openings) cost little, as they get another strand at once. **Stirring** lets a strand
//! that no message needs exchange what follows a node with another, at a temperature: it keeps what is to spare in motion.
//! Where both are needed two messages would be lost, which the temperature never allows, so these are not even tried.

use super::frame::{NONE, PIECE};
use super::loom::{Loom, Thread};
use super::openings::Openings;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Hops a strand may be longer than the shortest when it is made.
const LONGER: u16 = 2;

/// What it costs to lose a message that gets another strand at once.
const PASSING: i32 = 20;

/// Ways are not followed that cost so much more than the cheapest before it is known what they gain.
const SLACK: i32 = 100;

/// A way to make a strand for a message: arcs `first ..= arc` of one strand, `next ..= last` of another.
#[derive(Clone, Copy)]
struct Way {
    base: usize,
    first: u32,
    arc: u32,
    /// `NONE` where one strand is enough: then `arc` is the last.
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
pub(super) struct Heat(Vec<u32>);

impl Heat {
    /// `temperature` in the units of weights.
    pub fn new(temperature: f64) -> Self {
        let chance = |loss: i32| ((-f64::from(loss) / temperature).exp() * f64::from(u32::MAX)) as u32;
        Heat((0..).map(chance).take_while(|&c| c > 16).collect())
    }

    fn accepts(&self, loss: i32, random: &mut Pcg64Mcg) -> bool {
        let chance = usize::try_from(loss).map_or(u32::MAX, |loss| self.0.get(loss).copied().unwrap_or(0));
        loss <= 0 || (chance > 0 && random.random::<u32>() < chance)
    }
}

impl Loom<'_> {
    /// Makes a strand for a missing message, other than in the layer `forbidden`; returns what it looked at, and the
    /// layer. Messages with openings in other layers may lose their strands to it.
    pub fn mend(
        &mut self,
        pair: u32,
        forbidden: Option<usize>,
        openings: Option<&Openings>,
        random: &mut Pcg64Mcg,
    ) -> (u64, Option<usize>) {
        let mut cheapest = Cheapest { cost: i32::MAX, ties: 0, way: None };
        let mut looks = 0;
        // Of a message and its images, another one in each layer.
        let images = self.frame.images();
        let shift = if images.len() > 1 { random.random_range(0..images.len()) } else { 0 };
        let (origin, target) = self.frame.first(pair);
        for layer in (0..self.layers).filter(|l| Some(*l) != forbidden) {
            let nodes = &images[(layer + shift) % images.len()].0;
            let ends = (nodes[origin as usize], nodes[target as usize]);
            looks += self.ways(layer, ends, openings, &mut cheapest, random);
        }
        let Some(way) = cheapest.way else { return (looks, None) };
        self.take(way);
        (looks, Some(way.base / self.frame.ends.len()))
    }

    fn ways(
        &self,
        layer: usize,
        (origin, target): (u32, u32),
        openings: Option<&Openings>,
        cheapest: &mut Cheapest,
        random: &mut Pcg64Mcg,
    ) -> u64 {
        let (frame, base) = (self.frame, self.base(layer));
        let here = u32::try_from(layer).unwrap_or(NONE);
        // Messages with an opening elsewhere are lost for a moment only.
        let lose = |pair: u32, strands: i32| match self.price(pair, strands) {
            0 => 0,
            all if openings.is_some_and(|o| o.elsewhere(pair, here)) => all - self.weights[pair as usize] + PASSING,
            all => all,
        };
        let far = frame.distance(origin, target) + LONGER;
        let toll = |arc: u32| self.tolls.arcs[arc as usize];
        let mut looks = 0;
        for &first in &frame.out[origin as usize] {
            let one = self.thread(base, first);
            let whole = frame.pair(one.from, one.to);
            let before =
                lose(whole, 1) - self.worth(frame.pair(one.from, origin)) - self.detour(one.from, one.to, one.all)
                    + self.detour(one.from, origin, one.at - toll(first));
            if before > cheapest.cost.saturating_add(SLACK) {
                continue;
            }
            let (mut arc, mut hops) = (first, 1);
            while arc != NONE && hops <= far {
                looks += 1;
                let node = frame.ends[arc as usize].1;
                if node == target {
                    let at = self.thread(base, arc).at;
                    let cost = before - self.worth(frame.pair(target, one.to))
                        + self.detour(target, one.to, one.all - at)
                        + self.detour(origin, target, at - one.at + toll(first));
                    cheapest.offer(cost, random, Way { base, first, arc, next: NONE, last: arc, apart: false });
                    break;
                }
                let follows = self.thread(base, arc).next;
                let open = frame.passes[node as usize] && hops + frame.distance(node, target).min(far) <= far;
                for &next in frame.out[node as usize].iter().filter(|&&next| open && next != follows) {
                    let ahead = frame.ends[next as usize].1;
                    if hops + 1 + frame.distance(ahead, target).min(far) > far || ahead == frame.ends[arc as usize].0 {
                        continue;
                    }
                    looks += 1;
                    let other = self.thread(base, next);
                    let Some(last) = self.reaches(base, next, (origin, target), far - hops) else { continue };
                    if other.head == one.head {
                        continue;
                    }
                    let rest = frame.pair(other.from, other.to);
                    let lost = if rest == whole { lose(whole, 2) - lose(whole, 1) } else { lose(rest, 1) };
                    if before + lost > cheapest.cost.saturating_add(SLACK) {
                        continue;
                    }
                    // At the node where the strands meet, their rests may be joined or stay apart.
                    let (end, at) = (self.thread(base, last).at, self.thread(base, arc).at);
                    let (behind, after) = (other.at - toll(next), one.all - at);
                    let joined =
                        self.worth(frame.pair(other.from, one.to)) - self.detour(other.from, one.to, behind + after);
                    let apart = self.worth(frame.pair(other.from, node)) + self.worth(frame.pair(node, one.to))
                        - self.detour(other.from, node, behind)
                        - self.detour(node, one.to, after);
                    let cost = before + lost
                        - self.worth(frame.pair(target, other.to))
                        - joined.max(apart)
                        - self.detour(other.from, other.to, other.all)
                        + self.detour(target, other.to, other.all - end)
                        + self.detour(origin, target, at - one.at + toll(first) + end - behind);
                    let apart = apart > joined || (apart == joined && random.random());
                    cheapest.offer(cost, random, Way { base, first, arc, next, last, apart });
                }
                arc = follows;
                hops += 1;
            }
        }
        looks
    }

    /// The arc by which the strand of `arc` comes to the target within so many hops, without passing the origin.
    fn reaches(&self, base: usize, mut arc: u32, (origin, target): (u32, u32), hops: u16) -> Option<u32> {
        for _ in 0..hops {
            if arc == NONE {
                return None;
            }
            match self.frame.ends[arc as usize].1 {
                node if node == target => return Some(arc),
                node if node == origin => return None,
                _ => arc = self.thread(base, arc).next,
            }
        }
        None
    }

    fn take(&mut self, way: Way) {
        let Way { base, first, arc, next, last, apart } = way;
        let before = self.thread(base, first).prev;
        if before != NONE {
            self.cut(base, before);
        }
        self.cut(base, last);
        if next == NONE {
            return;
        }
        let (behind, after) = (self.thread(base, next).prev, self.thread(base, arc).next);
        if behind != NONE {
            self.cut(base, behind);
        }
        self.cut(base, arc);
        self.join(base, arc, next);
        if !apart && behind != NONE && after != NONE {
            self.join(base, behind, after);
        }
    }

    /// Lets a random strand that no message needs exchange what follows a node, or what comes before it, with another, if
    /// `heat` allows.
    pub fn stir(&mut self, heat: &Heat, random: &mut Pcg64Mcg) {
        let frame = self.frame;
        let Some(chosen) = self.loose.pick(random) else { return };
        let arcs = u32::try_from(frame.ends.len()).unwrap_or(NONE);
        let (base, own) = ((chosen - chosen % arcs) as usize, chosen % arcs);
        let Thread { from, to, .. } = self.thread(base, own);
        if self.price(frame.pair(from, to), 1) > 0 {
            self.loose.set(chosen, false);
            return;
        }
        // What follows the strand's arc changes, or what comes before it.
        let (arc, next) = if random.random() {
            let out = &frame.out[frame.ends[own as usize].1 as usize];
            (own, out.get(random.random_range(0..=out.len())).copied().unwrap_or(NONE))
        } else {
            let into = &frame.into[frame.ends[own as usize].0 as usize];
            let Some(&arc) = into.get(random.random_range(0..into.len().max(1))) else { return };
            (arc, own)
        };
        let (back, node) = frame.ends[arc as usize];
        if !frame.passes[node as usize] {
            return;
        }
        let one = self.thread(base, arc);
        if one.next == next {
            return;
        }
        let mut two = (node, node);
        let (mut lead, mut tail) = (0, 0);
        // Strands more than before.
        let mut more = i32::from(next == NONE);
        if next != NONE {
            let other = self.thread(base, next);
            if other.head == one.head || frame.ends[next as usize].1 == back {
                return;
            }
            two = (if other.prev == NONE { node } else { other.from }, other.to);
            more = -i32::from(one.next == NONE && other.prev == NONE);
            lead = other.at - self.tolls.arcs[next as usize];
            tail = other.all - lead;
        }
        let end = if one.next == NONE { node } else { one.to };
        let (a, b) = (frame.pair(one.from, end), frame.pair(two.0, two.1));
        let (c, d) = (frame.pair(one.from, two.1), frame.pair(two.0, end));
        let loss = match a == b {
            true => self.price(a, 2),
            false => self.price(a, 1) + self.price(b, 1),
        };
        // Where the new pairs are alike, the second counts only if two are missing: an estimate that errs on the safe side.
        let gain = self.worth(c) + if c == d { 0 } else { self.worth(d) };
        let longer = self.detour(one.from, two.1, one.at + tail) + self.detour(two.0, end, lead + one.all - one.at)
            - self.detour(one.from, end, one.all)
            - self.detour(two.0, two.1, lead + tail);
        if heat.accepts(loss - gain + longer + more * PIECE, random) {
            self.exchange(base, arc, next);
        }
    }
}
