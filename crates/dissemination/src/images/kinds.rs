//! **What:** which of the groups drawn are tried before others.

use super::{Element, Generator};
use kernel::{Channel, Network, Node, Problem};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A group that was drawn.
pub(super) struct Drawn {
    /// How many elements it has.
    pub order: usize,
    pub generators: Vec<Generator>,
    /// How many before it are of its kind, where that counts.
    like_it: usize,
    left_in_place: usize,
}

/// What groups have in common that automorphisms of the network take to each other, and which have the same schedules: how many elements they have, and
/// what these do.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    elements: usize,
    /// That leave chunks in place.
    of_chunk: usize,
    /// Nodes that they leave in place.
    in_place: usize,
    /// Nodes that they move to neighbours.
    to_neighbours: usize,
}

impl Kind {
    fn of(network: &Network, elements: &[Element]) -> Self {
        let moves = || elements.iter().flat_map(|element| network.nodes().zip(&element.nodes));
        let is_neighbour = |v: Node, to: u32| network.outgoing(v).iter().any(|c| network.to(*c).0 == to);
        Kind {
            elements: elements.len(),
            of_chunk: elements.iter().filter(|element| element.shift == 0).count(),
            in_place: moves().filter(|(v, to)| v.0 == **to).count(),
            to_neighbours: moves().filter(|(v, to)| is_neighbour(*v, **to)).count(),
        }
    }
}

/// The largest first, and of one order those that leave least in place; but one of each kind before others like it where `is_kinds_first`.
pub(super) fn in_order(
    problem: &Problem,
    groups: BTreeMap<Vec<Element>, Vec<Generator>>,
    is_kinds_first: bool,
) -> Vec<Drawn> {
    let drawn = |(elements, generators): (Vec<Element>, Vec<Generator>)| {
        let kind = is_kinds_first.then(|| Kind::of(problem.network(), &elements));
        let left_in_place = left_in_place(problem, &elements);
        (kind, Drawn { order: elements.len(), generators, like_it: 0, left_in_place })
    };
    let mut all: Vec<(Option<Kind>, Drawn)> = groups.into_iter().map(drawn).collect();
    let rank = |group: &Drawn| (Reverse(group.order), group.like_it, group.left_in_place);
    all.sort_by_key(|(_, group)| rank(group));
    let mut known: BTreeMap<Kind, usize> = BTreeMap::new();
    for (kind, group) in &mut all {
        if let Some(kind) = kind.take() {
            let before = known.entry(kind).or_insert(0);
            group.like_it = *before;
            *before += 1;
        }
    }
    all.sort_by_key(|(_, group)| rank(group));
    all.into_iter().map(|(_, group)| group).collect()
}

/// How often an element leaves a terminal or channel in place, which then has to have room for as many messages.
fn left_in_place(problem: &Problem, elements: &[Element]) -> usize {
    let network = problem.network();
    let stays = |element: &Element, v: Node| element.nodes[v.index()] == v.0;
    let moved = elements.iter().filter(|element| element.shift > 0 || network.nodes().any(|v| !stays(element, v)));
    let in_place = |element: &Element| {
        let channel = |c: &Channel| stays(element, network.from(*c)) && stays(element, network.to(*c));
        network.channels().filter(channel).count() + network.terminals().iter().filter(|v| stays(element, **v)).count()
    };
    moved.map(in_place).sum()
}
