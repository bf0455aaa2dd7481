//! **What:** colour refinement of two graphs side by side, and back.
//!
//! **Theory.** The nodes of both graphs lie in common *cells*. A cell is split by the weight of the channels that its nodes have from
//! (and to) the nodes of another, until no cell splits any more: an equitable partition. An isomorphism that respects the
//! cells respects the new ones too, so as many nodes of the one graph as of the other must be in each; where they are not,
//! there is none. To *individualise* two nodes puts them in a cell of their own. All splits are kept on a trail, so that
//! a search can take them back.
//!
//! **Cost:** of a cell that was split, the largest part need not be looked at again (Hopcroft): O(m log n) in all.

use super::Digraph;
use run::{Budget, Spent};

/// What refinement came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refined {
    /// No cell splits any more, and both graphs have as many nodes in each.
    Balanced,
    /// No isomorphism respects the cells.
    Unbalanced,
}

/// The nodes of two graphs in common cells; those of the right one follow those of the left one.
pub(crate) struct Pairing<'a> {
    left: &'a Digraph,
    right: &'a Digraph,
    /// Nodes, cell by cell.
    elements: Vec<u32>,
    /// Where a node stands in `elements`.
    position: Vec<u32>,
    /// The first position of a node's cell, which names it.
    cell: Vec<u32>,
    /// Length of the cell that begins at a position.
    length: Vec<u32>,
    /// Weight of the channels from the splitting cell, of the nodes that have any.
    count: Vec<u64>,
    /// Cells that others are still to be split by.
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// Cells that were split off, and the cell that each was split from.
    trail: Vec<(u32, u32)>,
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("nodes have 32-bit numbers")
}

impl<'a> Pairing<'a> {
    /// Cells of the graphs' colours; `None` where the colours differ.
    pub(crate) fn new(left: &'a Digraph, right: &'a Digraph) -> Option<Self> {
        let n = left.nodes();
        if right.nodes() != n {
            return None;
        }
        let colour = |v: u32| if (v as usize) < n { left.colours[v as usize] } else { right.colours[v as usize - n] };
        let mut elements: Vec<u32> = (0..number(2 * n)).collect();
        elements.sort_by_key(|&v| (colour(v), v));
        let mut pairing = Pairing {
            left,
            right,
            position: vec![0; 2 * n],
            cell: vec![0; 2 * n],
            length: vec![0; 2 * n],
            count: vec![0; 2 * n],
            queue: Vec::new(),
            queued: vec![false; 2 * n],
            trail: Vec::new(),
            elements: Vec::new(),
        };
        let mut start = 0;
        for cell in elements.chunk_by(|&a, &b| colour(a) == colour(b)) {
            // The left nodes come first.
            if cell.len() % 2 == 1 || cell[cell.len() / 2 - 1] as usize >= n || (cell[cell.len() / 2] as usize) < n {
                return None;
            }
            for (at, &v) in (start..).zip(cell) {
                pairing.position[v as usize] = at;
                pairing.cell[v as usize] = start;
            }
            pairing.length[start as usize] = number(cell.len());
            pairing.enqueue(start);
            start += number(cell.len());
        }
        pairing.elements = elements;
        Some(pairing)
    }

    fn enqueue(&mut self, start: u32) {
        if !std::mem::replace(&mut self.queued[start as usize], true) {
            self.queue.push(start);
        }
    }

    fn is_left(&self, node: u32) -> bool {
        (node as usize) < self.left.nodes()
    }

    /// The nodes of a cell, those of the right graph beyond the left's.
    fn cell(&self, start: u32) -> &[u32] {
        &self.elements[start as usize..][..self.length[start as usize] as usize]
    }

    /// The left graph's nodes of a cell.
    pub(crate) fn left_of(&self, start: u32) -> impl Iterator<Item = u32> + '_ {
        self.cell(start).iter().copied().filter(|&v| self.is_left(v))
    }

    /// The right graph's nodes of a cell.
    pub(crate) fn right_of(&self, start: u32) -> impl Iterator<Item = u32> + '_ {
        let n = number(self.left.nodes());
        self.cell(start).iter().filter_map(move |&v| v.checked_sub(n))
    }

    /// The first cell from a position on that holds more than a pair.
    pub(crate) fn open_from(&self, mut at: u32) -> Option<u32> {
        while (at as usize) < self.elements.len() {
            let start = self.cell[self.elements[at as usize] as usize];
            match self.length[start as usize] {
                2 => at = start + 2,
                _ => return Some(start),
            }
        }
        None
    }

    /// The smallest cell that holds more than a pair.
    pub(crate) fn smallest_open(&self) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut at = 0;
        while let Some(start) = self.open_from(at) {
            let length = self.length[start as usize];
            if best.is_none_or(|b| length < self.length[b as usize]) {
                best = Some(start);
            }
            at = start + length;
        }
        best
    }

    /// The image of every left node, where all cells are pairs.
    pub(crate) fn map(&self) -> Vec<u32> {
        let mut map = vec![0; self.left.nodes()];
        let n = number(self.left.nodes());
        for pair in self.elements.chunks(2) {
            let (a, b) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            map[a as usize] = b.saturating_sub(n);
        }
        map
    }

    /// How far the trail has come.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all splits since a mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some((parent, child)) = self.trail.pop() else { return };
            let end = child + self.length[child as usize];
            for at in child..end {
                self.cell[self.elements[at as usize] as usize] = parent;
            }
            self.length[parent as usize] += self.length[child as usize];
        }
    }

    /// Puts a node of each graph, of the same cell, in a cell of their own.
    pub(crate) fn individualise(&mut self, left: u32, right: u32) {
        let right = right + number(self.left.nodes());
        let start = self.cell[left as usize];
        let end = start + self.length[start as usize];
        self.swap(left, end - 1);
        self.swap(right, end - 2);
        self.split_off(start, end - 2);
        self.enqueue(end - 2);
    }

    fn swap(&mut self, node: u32, at: u32) {
        let (from, other) = (self.position[node as usize], self.elements[at as usize]);
        self.elements.swap(from as usize, at as usize);
        self.position[node as usize] = at;
        self.position[other as usize] = from;
    }

    /// Makes the rest of a cell, from a position on, a cell of its own.
    fn split_off(&mut self, start: u32, child: u32) {
        let end = start + self.length[start as usize];
        self.length[start as usize] = child - start;
        self.length[child as usize] = end - child;
        for at in child..end {
            self.cell[self.elements[at as usize] as usize] = child;
        }
        self.trail.push((start, child));
    }

    /// Splits cells until none splits any more.
    pub(crate) fn refine(&mut self, budget: &mut Budget<'_>) -> Result<Refined, Spent> {
        while let Some(start) = self.queue.pop() {
            self.queued[start as usize] = false;
            let members = self.cell(start).to_vec();
            for along in [true, false] {
                let touched = self.count_from(&members, along, budget);
                if touched.is_empty() {
                    continue;
                }
                let balanced = match budget.take(touched.len() as u64 + 1) {
                    Ok(()) => self.split_by_count(touched),
                    Err(spent) => {
                        touched.iter().for_each(|&v| self.count[v as usize] = 0);
                        self.forget();
                        return Err(spent);
                    }
                };
                if !balanced {
                    self.forget();
                    return Ok(Refined::Unbalanced);
                }
            }
        }
        Ok(Refined::Balanced)
    }

    fn forget(&mut self) {
        for start in self.queue.drain(..) {
            self.queued[start as usize] = false;
        }
    }

    /// Adds up the channels from `members` (or to them) of every node; returns the nodes that have any.
    fn count_from(&mut self, members: &[u32], along: bool, budget: &mut Budget<'_>) -> Vec<u32> {
        let n = number(self.left.nodes());
        let mut touched = Vec::new();
        for &v in members {
            let (graph, node, by) = if v < n { (self.left, v, 0) } else { (self.right, v - n, n) };
            let mut looks = 1;
            for (to, weight) in graph.neighbours(node, along) {
                let count = &mut self.count[(to + by) as usize];
                if *count == 0 {
                    touched.push(to + by);
                }
                *count += weight;
                looks += 1;
            }
            // What is spent here is missed when the touched nodes are split, before anything depends on it.
            let _ = budget.spend(looks);
        }
        touched
    }

    /// Splits the cells of the touched nodes by their counts, and forgets these; whether both graphs have as many in each.
    fn split_by_count(&mut self, mut touched: Vec<u32>) -> bool {
        touched.sort_unstable_by_key(|&v| (self.cell[v as usize], self.count[v as usize]));
        let mut balanced = true;
        let mut rest = &touched[..];
        while let Some(&first) = rest.first() {
            let start = self.cell[first as usize];
            let length = rest.iter().take_while(|&&v| self.cell[v as usize] == start).count();
            let (group, others) = rest.split_at(length);
            rest = others;
            balanced = balanced && self.split_cell(start, group);
        }
        touched.iter().for_each(|&v| self.count[v as usize] = 0);
        balanced
    }

    /// Splits one cell; `group` are its nodes with counts, by ascending count.
    fn split_cell(&mut self, start: u32, group: &[u32]) -> bool {
        let whole = self.length[start as usize];
        let untouched = whole - number(group.len());
        let counts = |v: &u32| self.count[*v as usize];
        if untouched == 0 && counts(&group[0]) == counts(&group[group.len() - 1]) {
            return true;
        }
        let parts: Vec<u32> = group.chunk_by(|a, b| counts(a) == counts(b)).map(|part| number(part.len())).collect();
        // The whole cell was balanced, and so is what is left of it if all parts are.
        let even = |part: &[u32]| 2 * part.iter().filter(|&&v| self.is_left(v)).count() == part.len();
        let balanced = group.chunk_by(|a, b| counts(a) == counts(b)).all(even);
        // From the end backwards: largest counts last.
        for (&v, at) in group.iter().rev().zip((start..start + whole).rev()) {
            self.swap(v, at);
        }
        let was_queued = self.queued[start as usize];
        let mut cells = vec![start];
        let mut child = start + untouched;
        let mut at = start;
        for part in parts {
            if child > start {
                self.split_off(at, child);
                cells.push(child);
                at = child;
            }
            child += part;
        }
        let largest = cells.iter().copied().max_by_key(|&cell| self.length[cell as usize]);
        for cell in cells {
            if was_queued || Some(cell) != largest {
                self.enqueue(cell);
            }
        }
        balanced
    }
}
