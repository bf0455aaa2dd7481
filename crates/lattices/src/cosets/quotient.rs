//! **What:** a quotient of a network by a subgroup of its translations, and paths in it from node 0 that share no channel.
//!
//! **Facts.** Two nodes are one in the quotient where the characters that are 1 on the subgroup have the same values. The nodes of the
//! next subgroup are those on which the characters that it was made from are 1.

use super::Classes;
use super::chain::Paths;
use crate::lattice::Lattice;
use graph::flow::FlowGraph;
use run::Budget;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// No node of the quotient.
const NONE: u32 = u32::MAX;

/// Most channels of a network that is looked at as a whole; of larger ones, boxes of shortest paths.
const MOST_CHANNELS: usize = 1 << 22;
/// Most nodes of all boxes.
const MOST_IN_BOXES: usize = 1 << 18;
/// Most channels among which the shortest disjoint paths are found; among more, any.
const MOST_PRICED: usize = 1 << 17;

/// A quotient, or a part of it with node 0.
pub(super) struct Quotient {
    /// Of each node, where the channel of each class leads.
    next: Vec<Vec<u32>>,
    /// The nodes that are to be informed.
    ends: Vec<u32>,
}

/// The values of some characters at a node: whole numbers, in parts of the exponent.
type Values = Box<[u32]>;

impl Quotient {
    /// The quotient by the subgroup on which all characters are 1. The nodes on which the first `fewer` are 1 are to be informed.
    pub(super) fn by(lattice: &Lattice, classes: &Classes, characters: &[u32], fewer: usize) -> Option<Self> {
        let values = CharacterValues::new(lattice, characters);
        let steps: Vec<Values> = classes.ends.iter().map(|end| values.at(*end)).collect();
        let zero: Values = values.at(0);
        let mut numbers = HashMap::from([(zero.clone(), 0u32)]);
        let mut nodes = vec![zero];
        let mut next = Vec::new();
        while next.len() < nodes.len() {
            let at = nodes[next.len()].clone();
            let mut row = Vec::with_capacity(steps.len());
            for step in &steps {
                let count = u32::try_from(nodes.len()).ok()?;
                let there: Values = at.iter().zip(step).map(|(a, b)| (a + b) % values.exponent).collect();
                row.push(match numbers.entry(there) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        nodes.push(new.key().clone());
                        *new.insert(count)
                    }
                });
            }
            next.push(row);
        }
        let is_end = |values: &Values| values[..fewer].iter().all(|value| *value == 0);
        let ends = (1u32..).zip(&nodes[1..]).filter(|(_, values)| is_end(values)).map(|(node, _)| node).collect();
        Some(Quotient { next, ends })
    }

    /// The network itself, or as much of it as the paths may need; the nodes on which all characters are 1 are to be informed. `None`
    /// where it is too large.
    pub(super) fn whole(lattice: &Lattice, classes: &Classes, characters: &[u32]) -> Option<Self> {
        let values = CharacterValues::new(lattice, characters);
        let ends: Vec<u32> = values.kernel(lattice).filter(|node| *node > 0).collect();
        if lattice.nodes() as usize * classes.count() <= MOST_CHANNELS {
            let row = |node| (0..classes.count()).map(|class| classes.next(lattice, node, class)).collect();
            return Some(Quotient { next: (0..lattice.nodes()).map(row).collect(), ends });
        }
        let mut numbers = HashMap::from([(0, 0u32)]);
        let mut nodes = vec![0u32];
        for end in &ends {
            for node in shortest_box(lattice, *end) {
                let count = u32::try_from(nodes.len()).ok()?;
                if let Entry::Vacant(new) = numbers.entry(node) {
                    new.insert(count);
                    nodes.push(node);
                }
                if nodes.len() > MOST_IN_BOXES {
                    return None;
                }
            }
        }
        let number = |node: u32| numbers.get(&node).copied().unwrap_or(NONE);
        let row = |node: &u32| (0..classes.count()).map(|class| number(classes.next(lattice, *node, class))).collect();
        Some(Quotient { next: nodes.iter().map(row).collect(), ends: ends.into_iter().map(number).collect() })
    }

    /// Paths from node 0 to all nodes that are to be informed, no two by the same channel; `None` where there are none.
    pub(super) fn paths(&self) -> Option<Paths> {
        let sink = self.next.len();
        let mut graph = FlowGraph::new(sink + 1);
        // Of each arc its class.
        let mut class_of = Vec::new();
        for (node, row) in self.next.iter().enumerate() {
            for (class, to) in row.iter().enumerate() {
                // No path returns to its beginning.
                if *to != NONE && *to != 0 && *to as usize != node {
                    graph.priced_arc(node, *to as usize, 1, 1);
                    class_of.push(class);
                }
            }
        }
        for end in &self.ends {
            graph.arc(*end as usize, sink, 1);
        }
        let budget = &mut Budget::unlimited();
        let found = match graph.arc_count() <= MOST_PRICED {
            true => graph.min_cost_flow(0, sink, u64::MAX, budget).0,
            false => graph.max_flow(0, sink, budget),
        };
        if found < self.ends.len() as u64 {
            return None;
        }
        let paths = graph.unit_paths(0, sink, budget)?;
        let classes = |arcs: Vec<graph::flow::ArcId>| {
            arcs.into_iter().filter_map(|arc| class_of.get(arc.index()).copied()).collect::<Vec<usize>>()
        };
        Some(paths.into_iter().map(classes).collect())
    }
}

/// The nodes whose every digit lies on the shorter way from 0 to that of `end`.
fn shortest_box(lattice: &Lattice, end: u32) -> Vec<u32> {
    let mut nodes = vec![0];
    for (dimension, size) in lattice.sizes().iter().enumerate() {
        let digit = i64::from(lattice.digit(end, dimension));
        let way = if 2 * digit <= i64::from(*size) { 0..=digit } else { digit - i64::from(*size)..=0 };
        nodes = nodes.iter().flat_map(|n| way.clone().map(|by| lattice.moved(*n, dimension, by))).collect();
        if nodes.len() > MOST_IN_BOXES {
            break;
        }
    }
    nodes
}

/// Some characters, ready to be taken at nodes.
struct CharacterValues {
    exponent: u32,
    /// Of each dimension and character, the value at the node whose digit there is 1 and whose others are 0.
    units: Vec<Values>,
    sizes: Vec<u32>,
    count: usize,
}

impl CharacterValues {
    fn new(lattice: &Lattice, characters: &[u32]) -> Self {
        let sizes = lattice.sizes().to_vec();
        let exponent = sizes.iter().fold(1, |a, b| num_integer::lcm(a, *b));
        let unit = |d: usize| characters.iter().map(|c| lattice.digit(*c, d) * (exponent / sizes[d])).collect();
        CharacterValues { exponent, units: (0..sizes.len()).map(unit).collect(), sizes, count: characters.len() }
    }

    fn at(&self, node: u32) -> Values {
        let mut values = vec![0; self.count];
        let mut rest = node;
        for (unit, size) in self.units.iter().zip(&self.sizes).rev() {
            self.add(&mut values, unit, rest % size);
            rest /= size;
        }
        values.into()
    }

    fn add(&self, values: &mut [u32], unit: &[u32], times: u32) {
        for (value, unit) in values.iter_mut().zip(unit) {
            let sum = u64::from(*value) + u64::from(*unit) * u64::from(times);
            *value = u32::try_from(sum % u64::from(self.exponent)).expect("a remainder of a 32-bit number");
        }
    }

    /// The nodes on which all characters are 1, in their order: node by node, of which most differ in the last digits only.
    fn kernel<'a>(&'a self, lattice: &'a Lattice) -> impl Iterator<Item = u32> + 'a {
        let mut values = vec![0; self.count];
        (0..lattice.nodes()).filter(move |node| {
            if *node > 0 {
                // Digits that turn from their last value to 0 add what one more unit does: size units are 0.
                let last = self.sizes.len() - 1;
                let turned = (0..last).rev().take_while(|d| (d + 1..=last).all(|e| lattice.digit(*node, e) == 0));
                let changed = std::iter::once(last).chain(turned);
                changed.for_each(|d| self.add(&mut values, &self.units[d], 1));
            }
            values.iter().all(|value| *value == 0)
        })
    }
}
