//! **What:** abelian groups of symmetries of a problem under which no message stays where it is.
//!
//! Under such a group the messages fall into orbits of full length, so a search may place one message of each and let the
//! group place the others.
//!
//! **Method.** A group grows by one cyclic factor at a time. The next factor must commute with those it has, so it is
//! taken from the automorphisms of the network with an arc from every node to its image under each factor: the
//! centraliser. Of random elements there, the largest powers are tried that keep every message moving.

use crate::Seed;
use crate::automorphisms::{Automorphism, Group};
use kernel::{Message, Node, Problem};
use std::collections::{BTreeMap, BTreeSet};

/// A direct product of cyclic groups of symmetries.
#[derive(Clone, Debug)]
pub(crate) struct Abelian {
    /// The orders of the factors.
    pub factors: Vec<u64>,
    /// Every element, with its power of each factor; the identity first.
    pub elements: Vec<(Automorphism, Vec<u64>)>,
}

/// Messages by their ends.
pub(crate) struct Ends {
    by_ends: BTreeMap<(Node, Node), Vec<Message>>,
    /// Whether every terminal sends to every other once.
    all_pairs: bool,
}

impl Ends {
    /// `messages` that each have one origin and one other destination.
    pub(crate) fn new(problem: &Problem, messages: &[Message]) -> Self {
        let collective = problem.collective();
        let mut by_ends: BTreeMap<(Node, Node), Vec<Message>> = BTreeMap::new();
        for &m in messages {
            by_ends.entry((collective.origin(m), collective.destinations(m)[0])).or_default().push(m);
        }
        let t = problem.network().terminals().len();
        let all_pairs = by_ends.len() == t * t.saturating_sub(1) && messages.len() == by_ends.len();
        Ends { by_ends, all_pairs }
    }

    /// The messages between the images of each pair of ends: the image of each message, by its number; `None` where the
    /// set of messages changes.
    pub(crate) fn images(&self, map: &Automorphism, count: usize) -> Option<Vec<Message>> {
        let mut images = vec![Message(u32::MAX); count];
        for (&(from, to), list) in &self.by_ends {
            let ends = (Node(map.nodes[from.index()]), Node(map.nodes[to.index()]));
            let other = self.by_ends.get(&ends).filter(|o| o.len() == list.len())?;
            list.iter().zip(other).for_each(|(m, image)| images[m.index()] = *image);
        }
        Some(images)
    }

    fn arcs(&self) -> Vec<(u32, u32, u32)> {
        if self.all_pairs {
            // Every map of terminals respects these.
            return Vec::new();
        }
        let arcs = self.by_ends.iter().flat_map(|(&(a, b), list)| list.iter().map(move |_| (a.0, b.0, 0)));
        arcs.collect()
    }

    /// Whether `map` leaves some message in place.
    fn fixes_one(&self, map: &Automorphism) -> bool {
        let fixed = |v: Node| map.nodes[v.index()] == v.0;
        if map.nodes.iter().enumerate().all(|(v, &w)| v != w as usize) {
            return false;
        }
        self.by_ends.keys().any(|&(a, b)| fixed(a) && fixed(b))
    }
}

/// Groups of different make, largest first, within about `ticks` looks at a channel.
pub(crate) fn abelian_groups(problem: &Problem, ends: &Ends, seed: Seed, ticks: u64) -> Vec<Abelian> {
    let network = problem.network();
    let arcs = ends.arcs();
    let each = ticks / 8;
    let whole = Group::with_arcs(network, &arcs, each);
    if whole.generators().is_empty() {
        return Vec::new();
    }
    let nodes = network.node_count() as u64;
    let look = network.channel_count() as u64 + nodes;
    // What remains is spent on checking elements; each costs about a look at every node.
    let tries = usize::try_from((each / (look * 16).max(1)).clamp(4, 48)).expect("at most 48");
    let mut found: Vec<Abelian> = Vec::new();
    let mut known = BTreeSet::new();
    let starts = if tries < 8 { 2 } else { 8 };
    let mut spent = 0;
    for start in 0..starts {
        let mut random = seed.generator(0x5e11_0000 + start);
        let identity = whole.generators()[0].power(0);
        let mut grown = Abelian { factors: Vec::new(), elements: vec![(identity, Vec::new())] };
        let mut centraliser = whole.clone();
        let mut arcs = arcs.clone();
        while spent < ticks {
            let mut next = None;
            for attempt in 0..tries {
                let generators = centraliser.generators();
                let Some(element) = generators
                    .get(attempt)
                    .cloned()
                    .or_else(|| (!generators.is_empty()).then(|| centraliser.random(&mut random)))
                else {
                    break;
                };
                // The first factors of different starts are random ones.
                let element =
                    if start > 0 && attempt < generators.len() { centraliser.random(&mut random) } else { element };
                spent += look;
                next = grown.with_power_of(&element, ends, &mut spent);
                if next.is_some() {
                    break;
                }
            }
            let Some(next) = next else { break };
            grown = next;
            // Smaller groups sometimes fit where larger ones do not.
            if known.insert(grown.signature()) {
                found.push(grown.clone());
            }
            if grown.elements.len() as u64 >= 4 * nodes || grown.elements.len() * network.channel_count() > 1 << 22 {
                break;
            }
            let label = u32::try_from(grown.factors.len()).expect("few factors");
            let factor = grown.generator(grown.factors.len() - 1);
            arcs.extend((0u32..).zip(&factor.nodes).map(|(v, &w)| (v, w, label)));
            centraliser = Group::with_arcs(network, &arcs, each);
            spent += look * 8;
        }
    }
    found.sort_by_key(|g| std::cmp::Reverse(g.elements.len()));
    found
}

impl Abelian {
    /// The group that leaves everything in place.
    pub(crate) fn trivial(problem: &Problem) -> Self {
        let network = problem.network();
        let identity = Automorphism {
            nodes: network.nodes().map(|v| v.0).collect(),
            channels: network.channels().map(|c| c.0).collect(),
        };
        Abelian { factors: Vec::new(), elements: vec![(identity, Vec::new())] }
    }

    fn generator(&self, factor: usize) -> &Automorphism {
        let is = |powers: &[u64]| powers.iter().enumerate().all(|(i, &p)| p == u64::from(i == factor));
        &self.elements.iter().find(|(_, p)| is(p)).expect("each factor has a generator").0
    }

    /// Two groups of the same signature move nodes alike.
    fn signature(&self) -> Vec<Vec<u32>> {
        let mut images: Vec<Vec<u32>> = self.elements.iter().map(|(e, _)| e.nodes.clone()).collect();
        images.sort_unstable();
        images
    }

    /// The product with the largest cyclic group of powers of `element` that keeps every message moving.
    fn with_power_of(&self, element: &Automorphism, ends: &Ends, spent: &mut u64) -> Option<Abelian> {
        let order = element.order()?;
        if !(2..=1 << 20).contains(&order) {
            return None;
        }
        let mut divisors: Vec<u64> =
            (1..=order.isqrt()).filter(|d| order % d == 0).flat_map(|d| [d, order / d]).collect();
        divisors.sort_unstable();
        divisors.dedup();
        divisors.into_iter().filter(|&d| d < order && order / d <= 256).find_map(|d| {
            let factor = element.power(d);
            let mut elements = Vec::with_capacity(self.elements.len() * (order / d) as usize);
            let mut power = element.power(0);
            for exponent in 0..order / d {
                for (e, powers) in &self.elements {
                    *spent += power.nodes.len() as u64 / 4;
                    let product = e.then(&power);
                    if !elements.is_empty() && ends.fixes_one(&product) {
                        return None;
                    }
                    let mut powers = powers.clone();
                    powers.push(exponent);
                    elements.push((product, powers));
                }
                power = power.then(&factor);
            }
            let mut factors = self.factors.clone();
            factors.push(order / d);
            Some(Abelian { factors, elements })
        })
    }
}
