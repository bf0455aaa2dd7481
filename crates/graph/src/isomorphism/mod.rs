//! **What:** searches for an isomorphism of two graphs, by individualisation and refinement.
//!
//! **Theory.** After refinement a node of the left graph, from a cell that holds more than a pair, is given an image of the
//! same cell, both are individualised, and so on until all cells are pairs; where refinement finds the cells unbalanced,
//! the next image is tried. Where cells are orbits, as in most families, the first image always serves.
//!
//! What the refinement cannot see (groups of channels) is asked at the end, and a refusal is one more dead end.
//!
//! **Images of the first node** that automorphisms of the right graph carry to each other need not all be tried. Those that the
//! caller knows are used; once several images have failed, more are searched for, each of which halves what is left to try.
//!
//! **When it loses:** where refinement tells little apart and there are few automorphisms. The work is limited.

mod digraph;
mod pairing;

pub use digraph::{Digraph, LabelledArc, mix};

pub(crate) use pairing::Pairing;
use pairing::Refined;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Spent};

/// Images of the first node that fail before automorphisms are searched for.
const PATIENCE: usize = 3;

/// The images of the left graph's nodes under some isomorphism; `None` where there is none. Some `automorphisms` of the right
/// graph may be known.
///
/// # Errors
/// The budget ends first.
pub fn isomorphism(
    left: &Digraph,
    right: &Digraph,
    automorphisms: &[Vec<u32>],
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<u32>>, Spent> {
    let Some(mut pairing) = Pairing::new(left, right) else { return Ok(None) };
    budget.take(left.nodes() as u64)?;
    if pairing.refine(budget)? == Refined::Unbalanced {
        return Ok(None);
    }
    let Some(start) = pairing.smallest_open() else { return Ok(Some(pairing.map())) };
    let Some(first) = pairing.left_of(start).min() else { return Ok(None) };
    let mut images: Vec<u32> = pairing.right_of(start).collect();
    images.sort_unstable();
    let mut orbits = Orbits::new(right.nodes());
    automorphisms.iter().for_each(|images| orbits.join_all(images));
    let mut failed: Vec<u32> = Vec::new();
    for image in images {
        let root = orbits.root(image);
        if failed.iter().any(|&f| orbits.root(f) == root) {
            continue;
        }
        if failed.len() >= PATIENCE
            && let Some(automorphism) = carrying(right, failed[0], image, budget)?
        {
            orbits.join_all(&automorphism);
            continue;
        }
        if let Some(map) = descend(&mut pairing, Pair { left: first, right: image }, None, &mut Some, budget)? {
            return Ok(Some(map));
        }
        failed.push(image);
    }
    Ok(None)
}

/// An automorphism that carries one node to another.
fn carrying(graph: &Digraph, from: u32, to: u32, budget: &mut Budget<'_>) -> Result<Option<Vec<u32>>, Spent> {
    let Some(mut pairing) = Pairing::new(graph, graph) else { return Ok(None) };
    budget.take(graph.nodes() as u64)?;
    pairing.refine(budget)?;
    descend(&mut pairing, Pair { left: from, right: to }, None, &mut Some, budget)
}

/// An automorphism drawn by chance, uniformly where cells are orbits; `None` where the draw fails.
///
/// # Errors
/// The budget ends first.
pub fn random_automorphism(
    graph: &Digraph,
    random: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<u32>>, Spent> {
    let Some(mut pairing) = Pairing::new(graph, graph) else { return Ok(None) };
    budget.take(graph.nodes() as u64)?;
    pairing.refine(budget)?;
    let Some(start) = pairing.smallest_open() else { return Ok(Some(pairing.map())) };
    let Some(first) = pairing.left_of(start).min() else { return Ok(None) };
    let images: Vec<u32> = pairing.right_of(start).collect();
    let image = images[random.random_range(0..images.len())];
    descend(&mut pairing, Pair { left: first, right: image }, Some(random), &mut Some, budget)
}

/// A node of the left graph and its image.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub left: u32,
    pub right: u32,
}

/// A choice that was made, and what is left to choose.
struct Choice {
    pair: Pair,
    /// The cell of both before they were individualised, and the trail's length.
    cell: u32,
    mark: usize,
    /// Images that are still to be tried; found when the first has failed.
    others: Option<Vec<u32>>,
}

/// Searches below a first choice for a map that `accept` makes something of; the pairing is as before afterwards.
pub(crate) fn descend<T>(
    pairing: &mut Pairing<'_>,
    first: Pair,
    mut random: Option<&mut Pcg64Mcg>,
    accept: &mut dyn FnMut(Vec<u32>) -> Option<T>,
    budget: &mut Budget<'_>,
) -> Result<Option<T>, Spent> {
    let base = pairing.mark();
    let mut choices: Vec<Choice> = Vec::new();
    let mut pair = first;
    let result = loop {
        pairing.individualise(pair.left, pair.right);
        let refined = match pairing.refine(budget) {
            Err(spent) => break Err(spent),
            Ok(refined) => refined,
        };
        if refined == Refined::Balanced {
            // Cells only ever split, so that those before the last choice's are pairs for good.
            if let Some(cell) = pairing.open_from(choices.last().map_or(0, |c| c.cell)) {
                let Some(left) = pairing.left_of(cell).next() else { break Ok(None) };
                let others: Option<Vec<u32>> = random.as_ref().map(|_| pairing.right_of(cell).collect());
                let right = match (&mut random, &others) {
                    (Some(random), Some(others)) => Some(others[random.random_range(0..others.len())]),
                    _ => pairing.right_of(cell).next(),
                };
                let Some(right) = right else { break Ok(None) };
                pair = Pair { left, right };
                let others = others.map(|list| list.into_iter().filter(|&w| w != right).collect());
                choices.push(Choice { pair, cell, mark: pairing.mark(), others });
                continue;
            }
            if let Some(accepted) = accept(pairing.map()) {
                break Ok(Some(accepted));
            }
        }
        match next_choice(pairing, &mut choices) {
            Some(next) => pair = next,
            None => break Ok(None),
        }
    };
    pairing.back_to(base);
    result
}

/// Takes back the last choice that has another image, and makes that.
fn next_choice(pairing: &mut Pairing<'_>, choices: &mut Vec<Choice>) -> Option<Pair> {
    while let Some(choice) = choices.last_mut() {
        pairing.back_to(choice.mark);
        let tried = choice.pair.right;
        let others =
            choice.others.get_or_insert_with(|| pairing.right_of(choice.cell).filter(|&w| w != tried).collect());
        if let Some(right) = others.pop() {
            choice.pair.right = right;
            return Some(choice.pair);
        }
        choices.pop();
    }
    None
}

/// Orbits of nodes, or of anything numbered, under the automorphisms known so far.
pub struct Orbits {
    parent: Vec<u32>,
}

impl Orbits {
    /// Each of so many alone.
    pub fn new(count: usize) -> Self {
        Orbits { parent: (0..u32::try_from(count).expect("nodes have 32-bit numbers")).collect() }
    }

    /// The least of the orbit of one.
    pub fn root(&mut self, mut of: u32) -> u32 {
        while self.parent[of as usize] != of {
            self.parent[of as usize] = self.parent[self.parent[of as usize] as usize];
            of = self.parent[of as usize];
        }
        of
    }

    /// Makes the orbits of two one.
    pub fn join(&mut self, one: u32, other: u32) {
        let (a, b) = (self.root(one), self.root(other));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Joins each with its image.
    pub fn join_all(&mut self, images: &[u32]) {
        (0..).zip(images).for_each(|(node, &image)| self.join(node, image));
    }
}
