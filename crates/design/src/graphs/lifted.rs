//! **What:** a network of links that a rotation maps onto itself, as few links with shifts; and exchanges of its links.
//!
//! Nodes are `class + classes × turn`; adding `classes` to every node, modulo their number, maps the network onto itself. A
//! `Link` (a, b, s) stands for all links from a at turn j to b at turn j + s. A loose link has one end: it joins a at turn
//! j with a at the opposite turn, or nothing where there is one turn only, so that a node may have a channel fewer where
//! nodes × degree is odd. One turn: any network. As many turns as nodes: a circulant network.
//!
//! **Source:** derived graphs of voltage graphs, J. Gross, T. Tucker, "Topological Graph Theory" (1987), chapter 2.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// The end of a loose link.
const LOOSE: u32 = u32::MAX;

/// All images of a link under the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Link {
    from: u32,
    to: u32,
    shift: u32,
}

/// The size of a network and of its symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Nodes.
    pub nodes: u32,
    /// Most links of a node.
    pub degree: u32,
    /// After so many rotations every node is back; a divisor of the nodes.
    pub turns: u32,
}

impl Frame {
    /// Nodes that the rotation does not map onto each other.
    pub fn classes(&self) -> u32 {
        self.nodes / self.turns
    }

    /// Whether a network of the full degree (but for one node where nodes × degree is odd) may have such a symmetry.
    pub fn possible(&self) -> bool {
        self.nodes.is_multiple_of(self.turns)
            && (self.turns == 1 || self.turns.is_multiple_of(2) || (self.classes() * self.degree).is_multiple_of(2))
    }

    fn halves(&self) -> bool {
        self.turns.is_multiple_of(2)
    }
}

/// A network with its symmetry, ready for exchanges.
#[derive(Clone, Debug)]
pub struct Lifted {
    frame: Frame,
    links: Vec<Link>,
    /// Neighbours, `degree` places a node; an empty place holds the node itself.
    near: Vec<u32>,
}

/// Links that were replaced by others, to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    out: [Option<Link>; 2],
    into: [Option<Link>; 2],
}

/// Tries before a random choice is given up.
const TRIES: usize = 400;

impl Lifted {
    /// A random network; `None` where the dice did not make one, which is rare but near the complete network.
    pub fn random(frame: Frame, random: &mut impl Rng) -> Option<Self> {
        let degree = frame.degree as usize;
        let near = (0..frame.nodes).flat_map(|v| std::iter::repeat_n(v, degree)).collect();
        let mut made = Lifted { frame, links: Vec::new(), near };
        let mut ends: Vec<u32> = (0..frame.classes()).flat_map(|v| std::iter::repeat_n(v, degree)).collect();
        ends.shuffle(random);
        if !ends.len().is_multiple_of(2) {
            made.add(Link { from: ends.pop()?, to: LOOSE, shift: 0 });
        }
        while let (Some(from), Some(to)) = (ends.pop(), ends.pop()) {
            let mut fits = (0..TRIES).map(|_| Link { from, to, shift: random.random_range(0..frame.turns) });
            let found = if from == to && frame.turns < 3 { None } else { fits.find(|link| made.fits(link)) };
            match found {
                Some(link) => made.add(link),
                None => (0..TRIES).any(|_| made.squeeze(from, to, random)).then_some(())?,
            }
        }
        Some(made)
    }

    /// Joins two ends with those of a link at random, which goes.
    fn squeeze(&mut self, from: u32, to: u32, random: &mut impl Rng) -> bool {
        if self.links.is_empty() {
            return false;
        }
        let place = random.random_range(0..self.links.len());
        let old = self.links[place];
        if old.to == LOOSE {
            return false;
        }
        let mut shift = || random.random_range(0..self.frame.turns);
        let into =
            [Some(Link { from, to: old.from, shift: shift() }), Some(Link { from: to, to: old.to, shift: shift() })];
        self.replace([Some(place), None], into).is_some()
    }

    /// The size of it.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The neighbours of all nodes, `degree` places each; an empty place holds the node itself.
    pub fn near(&self) -> &[u32] {
        &self.near
    }

    /// Both channels of every link, in ascending order.
    pub fn channels(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = self.links.iter().flat_map(|l| self.images(l)).collect();
        all.extend(all.clone().into_iter().map(|(a, b)| (b, a)));
        all.sort_unstable();
        all
    }

    /// The ends of all that a link stands for.
    fn images(&self, link: &Link) -> impl Iterator<Item = (u32, u32)> + use<> {
        let Frame { turns, nodes, .. } = self.frame;
        let (link, classes, loose) = (*link, self.frame.classes(), link.to == LOOSE);
        let count = match (loose, self.frame.halves()) {
            (false, _) => turns,
            (true, true) => turns / 2,
            (true, false) => 0,
        };
        let (to, shift) = if loose { (link.from, turns / 2) } else { (link.to, link.shift) };
        (0..count).map(move |j| {
            let begin = link.from + classes * j;
            (begin, (to + classes * ((j + shift) % turns)) % nodes)
        })
    }

    /// Whether a link joins different nodes that are not joined yet.
    fn fits(&self, link: &Link) -> bool {
        let loops = link.from == link.to && (link.shift == 0 || 2 * link.shift == self.frame.turns);
        !loops && self.images(link).next().is_none_or(|(a, b)| a != b && !self.row(a).contains(&b))
    }

    fn row(&self, node: u32) -> &[u32] {
        let degree = self.frame.degree as usize;
        &self.near[node as usize * degree..][..degree]
    }

    /// In the places of `node`, puts `new` where `old` is.
    fn write(&mut self, node: u32, old: u32, new: u32) {
        let degree = self.frame.degree as usize;
        let row = &mut self.near[node as usize * degree..][..degree];
        let place = row.iter().position(|at| *at == old).expect("every link end has its place");
        row[place] = new;
    }

    fn put(&mut self, link: &Link) {
        for (a, b) in self.images(link) {
            self.write(a, a, b);
            self.write(b, b, a);
        }
    }

    fn take(&mut self, link: &Link) {
        for (a, b) in self.images(link) {
            self.write(a, b, a);
            self.write(b, a, b);
        }
    }

    fn add(&mut self, link: Link) {
        self.put(&link);
        self.links.push(link);
    }

    /// Replaces the links at these places where the new ones fit; the new ones come last.
    fn replace(&mut self, places: [Option<usize>; 2], into: [Option<Link>; 2]) -> Option<Exchange> {
        let out = places.map(|place| place.map(|p| self.links[p]));
        out.iter().flatten().for_each(|link| self.take(link));
        let [first, second] = into;
        let mut fit = first.is_none_or(|link| self.fits(&link));
        if fit {
            first.iter().for_each(|link| self.put(link));
            fit = second.is_none_or(|link| self.fits(&link));
            match fit {
                true => second.iter().for_each(|link| self.put(link)),
                false => first.iter().for_each(|link| self.take(link)),
            }
        }
        if !fit {
            out.iter().flatten().for_each(|link| self.put(link));
            return None;
        }
        let mut places: Vec<usize> = places.into_iter().flatten().collect();
        places.sort_unstable();
        for place in places.into_iter().rev() {
            self.links.swap_remove(place);
        }
        self.links.extend(into.into_iter().flatten());
        Some(Exchange { out, into })
    }

    /// A random exchange, done: two links swap ends, a link gets another shift, or splits into loose ones. `None` where the
    /// one drawn does not fit.
    pub fn exchange(&mut self, random: &mut impl Rng) -> Option<Exchange> {
        let (count, turns) = (self.links.len(), self.frame.turns);
        let place = random.random_range(0..count);
        let link = self.links[place];
        let roll = if turns > 1 && link.to != LOOSE { random.random_range(0..16) } else { u32::MAX };
        if roll < 5 {
            let shift = random.random_range(0..turns);
            return self.replace([Some(place), None], [Some(Link { shift, ..link }), None]);
        }
        if roll == 5 && self.frame.halves() {
            let loose = |from| Some(Link { from, to: LOOSE, shift: 0 });
            return self.replace([Some(place), None], [loose(link.from), loose(link.to)]);
        }
        let second = random.random_range(0..count);
        if second == place {
            return None;
        }
        let mut other = self.links[second];
        if other.to != LOOSE && random.random_bool(0.5) {
            (other.from, other.to) = (other.to, other.from);
        }
        let mut join = |from: u32, to: u32| match (from, to) {
            (LOOSE, LOOSE) => None,
            (from, LOOSE) | (LOOSE, from) => Some(Link { from, to: LOOSE, shift: 0 }),
            (from, to) => Some(Link { from, to, shift: random.random_range(0..turns) }),
        };
        let into = [join(link.from, other.from), join(link.to, other.to)];
        self.replace([Some(place), Some(second)], into)
    }

    /// Takes the last exchange back.
    pub fn undo(&mut self, exchange: &Exchange) {
        for link in exchange.into.iter().flatten() {
            self.take(link);
            self.links.pop();
        }
        exchange.out.iter().flatten().for_each(|link| self.add(*link));
    }

    /// The nodes whose neighbours an exchange changed, some of them twice.
    pub fn touched(&self, exchange: &Exchange, into: &mut Vec<u32>) {
        into.clear();
        for link in exchange.out.iter().chain(&exchange.into).flatten() {
            for class in [link.from, link.to].into_iter().filter(|c| *c != LOOSE) {
                into.extend((0..self.frame.turns).map(|j| class + self.frame.classes() * j));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn exchanges_keep_degrees_and_the_rotation(classes in 1u32..9, turns in 1u32..9, degree in 2u32..6, seed: u64) {
            let frame = Frame { nodes: classes * turns, degree, turns };
            prop_assume!(frame.possible() && frame.nodes > degree + 2);
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let Some(mut made) = Lifted::random(frame, &mut random) else { return Ok(()) };
            for round in 0..60 {
                let before = made.channels();
                if let Some(exchange) = made.exchange(&mut random)
                    && round % 3 == 0
                {
                    made.undo(&exchange);
                    prop_assert_eq!(&before, &made.channels());
                }
                let all: BTreeSet<_> = made.channels().into_iter().collect();
                prop_assert_eq!(all.len(), made.channels().len());
                let turn = |v: u32| (v + classes) % frame.nodes;
                prop_assert!(all.iter().all(|&(a, b)| a != b && all.contains(&(turn(a), turn(b)))));
                let lacking = (frame.nodes * degree) as usize - all.len();
                prop_assert_eq!(lacking, if turns == 1 { (classes * degree % 2) as usize } else { 0 });
                let places: BTreeSet<_> = (0..frame.nodes)
                    .flat_map(|v| made.row(v).iter().filter(move |u| **u != v).map(move |u| (v, *u)))
                    .collect();
                prop_assert_eq!(all, places);
            }
        }
    }
}
