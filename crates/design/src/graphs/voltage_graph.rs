//! **What:** a network of links that a group maps onto itself, as few links with shifts; and exchanges of its links.
//!
//! Nodes are `class + classes × element`; to multiply all elements with one from the left maps the network onto itself. A
//! `Link` (a, b, s) stands for all links from a at element g to b at element g·s. A loose link has one end: it joins a at g
//! with a at g·s, where s is its own inverse; or nothing where the group has no other element, so that a node may have a
//! channel fewer where nodes × degree is odd. The trivial group: any network. As many elements as nodes: a Cayley network.
//!
//! **Source:** derived graphs of voltage graphs, J. Gross, T. Tucker, "Topological Graph Theory" (1987), chapter 2.

use super::group::{Group, Products};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// The end of a loose link.
const LOOSE: u32 = u32::MAX;

/// All images of a link under the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    from: u32,
    to: u32,
    shift: u32,
}

/// The size of a network and its symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GraphShape {
    /// Nodes.
    pub nodes: u32,
    /// Most links of a node.
    pub degree: u32,
    /// What maps the network onto itself; its order divides the nodes.
    pub group: Group,
}

impl GraphShape {
    /// Any network.
    pub fn plain(nodes: u32, degree: u32) -> Self {
        GraphShape { nodes, degree, group: Group::rotation(1) }
    }

    /// Nodes that the group does not map onto each other.
    pub fn classes(&self) -> u32 {
        self.nodes / self.group.order()
    }

    /// Whether a network of the full degree (but for one node where nodes × degree is odd) may have such a symmetry.
    pub fn possible(&self) -> bool {
        let order = self.group.order();
        self.nodes.is_multiple_of(order)
            && (order == 1 || order.is_multiple_of(2) || (self.classes() * self.degree).is_multiple_of(2))
    }
}

/// A network with its symmetry, ready for exchanges.
#[derive(Clone, Debug)]
pub struct VoltageGraph {
    shape: GraphShape,
    products: Products,
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

impl VoltageGraph {
    fn empty(shape: GraphShape) -> Option<Self> {
        let near = (0..shape.nodes).flat_map(|v| std::iter::repeat_n(v, shape.degree as usize)).collect();
        Some(VoltageGraph { shape, products: Products::new(&shape.group)?, links: Vec::new(), near })
    }

    /// A random network; `None` where the dice did not make one, which is rare but near the complete network.
    pub fn random(shape: GraphShape, random: &mut impl Rng) -> Option<Self> {
        let mut made = Self::empty(shape)?;
        let degree = shape.degree as usize;
        let mut ends: Vec<u32> = (0..shape.classes()).flat_map(|v| std::iter::repeat_n(v, degree)).collect();
        ends.shuffle(random);
        if !ends.len().is_multiple_of(2) {
            let from = ends.pop()?;
            let link = (0..TRIES).map(|_| made.loose(from, random)).find(|link| made.fits(link))?;
            made.add(link);
        }
        while let (Some(from), Some(to)) = (ends.pop(), ends.pop()) {
            let joined = (0..TRIES).any(|_| made.join(from, to, random));
            (joined || (0..TRIES).any(|_| made.squeeze(from, to, random))).then_some(())?;
        }
        Some(made)
    }

    /// The network of these links, each at most once; `None` where a node would have too many of them, or one with itself.
    pub fn plain(nodes: u32, degree: u32, links: &[(u32, u32)]) -> Option<Self> {
        let mut all: Vec<Link> = links.iter().map(|&(from, to)| Link { from, to, shift: 0 }).collect();
        // What a node lacks is a loose link, so that exchanges move or repair it.
        let mut lacking = vec![degree; nodes as usize];
        for end in links.iter().flat_map(|(a, b)| [*a, *b]) {
            let left = lacking.get_mut(end as usize)?;
            *left = left.checked_sub(1)?;
        }
        let loose = |(from, left): (u32, u32)| std::iter::repeat_n(Link { from, to: LOOSE, shift: 0 }, left as usize);
        all.extend((0..).zip(lacking).flat_map(loose));
        Self::restore(GraphShape::plain(nodes, degree), &all)
    }

    /// The network of what [`VoltageGraph::links`] gave; `None` where that is not so.
    pub fn restore(shape: GraphShape, links: &[Link]) -> Option<Self> {
        // Before anything is computed from the order.
        Products::new(&shape.group)?;
        (shape.possible() && shape.degree < shape.nodes).then_some(())?;
        let order = shape.group.order();
        let mut made = Self::empty(shape)?;
        let mut free = vec![shape.degree; shape.classes() as usize];
        for link in links {
            for end in [link.from, link.to].into_iter().filter(|end| *end != LOOSE) {
                let left = free.get_mut(end as usize)?;
                *left = left.checked_sub(1)?;
            }
            let bent = link.to == LOOSE && order > 1 && !made.products.involutions().contains(&link.shift);
            if link.shift >= order || bent || !made.fits(link) {
                return None;
            }
            made.add(*link);
        }
        Some(made)
    }

    /// What it is made of, for [`VoltageGraph::restore`].
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// A loose link with a random shift.
    fn loose(&self, from: u32, random: &mut impl Rng) -> Link {
        Link { from, to: LOOSE, shift: self.products.involutions().choose(random).copied().unwrap_or(0) }
    }

    /// Joins two free ends, perhaps by two loose links.
    fn join(&mut self, from: u32, to: u32, random: &mut impl Rng) -> bool {
        if from == to && !self.products.involutions().is_empty() && random.random_bool(0.5) {
            let (first, second) = (self.loose(from, random), self.loose(to, random));
            let fit = first.shift != second.shift && self.fits(&first) && self.fits(&second);
            if fit {
                self.add(first);
                self.add(second);
            }
            return fit;
        }
        let link = Link { from, to, shift: random.random_range(0..self.shape.group.order()) };
        let fit = self.fits(&link);
        if fit {
            self.add(link);
        }
        fit
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
        let mut shift = || random.random_range(0..self.shape.group.order());
        let into =
            [Some(Link { from, to: old.from, shift: shift() }), Some(Link { from: to, to: old.to, shift: shift() })];
        self.replace([Some(place), None], into).is_some()
    }

    /// The size of it.
    pub fn shape(&self) -> GraphShape {
        self.shape
    }

    /// The neighbours of all nodes, `degree` places each; an empty place holds the node itself.
    pub fn near(&self) -> &[u32] {
        &self.near
    }

    /// Both channels of every link, in ascending order.
    pub fn channels(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> =
            self.links.iter().flat_map(|l| images(&self.shape, &self.products, *l)).collect();
        all.extend(all.clone().into_iter().map(|(a, b)| (b, a)));
        all.sort_unstable();
        all
    }

    /// Whether a link joins different nodes that are not joined yet.
    fn fits(&self, link: &Link) -> bool {
        let again = |shift: u32| self.products.times(shift, shift) == 0;
        let loops = link.from == link.to && again(link.shift);
        !loops
            && images(&self.shape, &self.products, *link)
                .next()
                .is_none_or(|(a, b)| a != b && !self.row(a).contains(&b))
    }

    fn row(&self, node: u32) -> &[u32] {
        let degree = self.shape.degree as usize;
        &self.near[node as usize * degree..][..degree]
    }

    fn put(&mut self, link: &Link) {
        for (a, b) in images(&self.shape, &self.products, *link) {
            write(&mut self.near, self.shape.degree, a, a, b);
            write(&mut self.near, self.shape.degree, b, b, a);
        }
    }

    fn take(&mut self, link: &Link) {
        for (a, b) in images(&self.shape, &self.products, *link) {
            write(&mut self.near, self.shape.degree, a, b, a);
            write(&mut self.near, self.shape.degree, b, a, b);
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
        let (count, order) = (self.links.len(), self.shape.group.order());
        let place = random.random_range(0..count);
        let link = self.links[place];
        let roll = if order > 1 { random.random_range(0..16) } else { u32::MAX };
        if roll < 5 {
            let fresh = match link.to {
                LOOSE => self.loose(link.from, random),
                _ => Link { shift: random.random_range(0..order), ..link },
            };
            return self.replace([Some(place), None], [Some(fresh), None]);
        }
        if roll == 5 && link.to != LOOSE && !self.products.involutions().is_empty() {
            let into = [link.from, link.to].map(|end| Some(self.loose(end, random)));
            return self.replace([Some(place), None], into);
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
            (from, LOOSE) | (LOOSE, from) => Some(self.loose(from, random)),
            (from, to) => Some(Link { from, to, shift: random.random_range(0..order) }),
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
                into.extend((0..self.shape.group.order()).map(|j| class + self.shape.classes() * j));
            }
        }
    }
}

/// The ends of all that a link stands for.
fn images<'a>(shape: &GraphShape, products: &'a Products, link: Link) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    let (classes, loose) = (shape.classes(), link.to == LOOSE);
    let to = if loose { link.from } else { link.to };
    let pairs = (0..shape.group.order()).map(move |g| (g, products.times(g, link.shift)));
    // The two ends of a loose link's image change places under its shift: each image is met twice.
    pairs.filter(move |(g, h)| !loose || g < h).map(move |(g, h)| (link.from + classes * g, to + classes * h))
}

/// In the places of `node`, puts `new` where `old` is.
fn write(near: &mut [u32], degree: u32, node: u32, old: u32, new: u32) {
    let row = &mut near[(node * degree) as usize..][..degree as usize];
    let place = row.iter().position(|at| *at == old).expect("every link end has its place");
    row[place] = new;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn exchanges_keep_degrees_and_the_symmetry(
            classes in 1u32..9, order in 1u32..13, which: prop::sample::Index, degree in 2u32..6, seed: u64,
        ) {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let mut groups = Group::all(order);
            groups.extend(Group::twisted(order, &mut random));
            let shape = GraphShape { nodes: classes * order, degree, group: groups[which.index(groups.len())] };
            prop_assume!(shape.possible() && shape.nodes > degree + 2);
            let Some(mut made) = VoltageGraph::random(shape, &mut random) else { return Ok(()) };
            let products = Products::new(&shape.group).unwrap();
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
                for g in 0..order {
                    let turn = |v: u32| v % classes + classes * products.times(g, v / classes);
                    prop_assert!(all.iter().all(|&(a, b)| a != b && all.contains(&(turn(a), turn(b)))));
                }
                prop_assert!(all.iter().all(|&(a, b)| all.contains(&(b, a))));
                let lacking = (shape.nodes * degree) as usize - all.len();
                prop_assert_eq!(lacking, if order == 1 { (classes * degree % 2) as usize } else { 0 });
                let places: BTreeSet<_> = (0..shape.nodes)
                    .flat_map(|v| made.row(v).iter().filter(move |u| **u != v).map(move |u| (v, *u)))
                    .collect();
                prop_assert_eq!(all, places);
            }
            let again = VoltageGraph::restore(shape, made.links()).map(|m| m.channels());
            prop_assert_eq!(again, Some(made.channels()));
        }
    }

    #[test]
    fn what_is_no_network_is_not_restored() {
        let link = |from, to, shift| Link { from, to, shift };
        let shape = GraphShape { nodes: 8, degree: 2, group: Group::rotation(4) };
        assert!(VoltageGraph::restore(shape, &[link(0, 1, 0), link(0, 1, 1)]).is_some());
        let wrong = [
            vec![link(0, 1, 0), link(0, 1, 0)],
            vec![link(0, 2, 0)],
            vec![link(0, 1, 4)],
            vec![link(0, 0, 2)],
            vec![link(0, LOOSE, 1)],
            vec![link(0, 0, 1), link(0, 1, 0)],
            vec![link(0, 1, 0), link(0, 1, 1), link(1, LOOSE, 2)],
        ];
        for links in wrong {
            assert!(VoltageGraph::restore(shape, &links).is_none(), "{links:?}");
        }
        let unsound = GraphShape { group: Group { lifts: 2, factor: 2, ..Group::rotation(4) }, ..shape };
        assert!(VoltageGraph::restore(unsound, &[]).is_none());
    }
}
