//! **What:** all short paths of a message in all steps at once: where one is free, or how few others are in its way.
//!
//! **Method.** Hop by hop from the origin, every node that can still be on a path has, for none, one and two others in the
//! way, the set of steps in which some path comes to it so. A lane hands a set on where it is free, and to the next
//! of the three where it is full. A set is a bit a step, so a lane takes a few operations on words for 64 steps each. Paths are
//! then drawn backwards from the destination.

use super::random_paths::RandomPaths;
use super::step_table::StepTable;
use crate::resources::Resources;
use kernel::Node;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Most that may be in the way, and one.
pub(super) const LEVELS: usize = 3;
/// How often a path that comes back to where it was is drawn anew.
const AGAIN: usize = 3;

/// What can be reached.
#[derive(Default)]
pub(super) struct Reachable {
    /// Words of a set.
    words: usize,
    /// Sets of steps, those of a state together.
    sets: Vec<u64>,
    /// By hops from the origin, the nodes and where their sets begin.
    layers: Vec<Vec<(Node, usize)>>,
}

impl Reachable {
    /// Follows all paths of at most `longest` lanes from `from` to `to`; how many lanes were looked at.
    pub(super) fn spread(
        &mut self,
        (resources, paths, table): (&Resources<'_>, &RandomPaths<'_>, &StepTable<'_>),
        (from, to): (Node, Node),
        longest: u32,
    ) -> u64 {
        let mut looked = 0;
        self.words = table.words();
        self.sets.clear();
        self.layers.clear();
        let start = self.state();
        self.sets[start..start + self.words].copy_from_slice(table.there());
        if let Some(port) = resources.send[from.index()] {
            hold(&mut self.sets[start..], self.words, table.full(port));
        }
        self.layers.push(vec![(from, start)]);
        for left in (0..longest).rev() {
            let mut next: Vec<(Node, usize)> = Vec::new();
            let here = self.layers.last().map_or(&[][..], Vec::as_slice);
            let onward: Vec<(Node, usize)> = here.iter().copied().filter(|(v, _)| *v != to).collect();
            for (node, at) in onward {
                for &lane in &resources.out[node.index()] {
                    let head = resources.ends[lane as usize].1;
                    let passed = head == to || paths.passes(head);
                    if head == from || !passed || paths.distance(head, to) > left {
                        continue;
                    }
                    looked += 1;
                    let known = next.iter().find(|(v, _)| *v == head).map(|(_, at)| *at);
                    let into = known.unwrap_or_else(|| {
                        next.push((head, self.state()));
                        next[next.len() - 1].1
                    });
                    self.hand_on(at, into, resources.taken[lane as usize].iter().map(|r| table.full(*r)));
                }
            }
            if let (Some(port), Some((_, at))) = (resources.receive[to.index()], next.iter().find(|(v, _)| *v == to)) {
                hold(&mut self.sets[*at..], self.words, table.full(port));
            }
            if next.is_empty() {
                break;
            }
            self.layers.push(next);
        }
        looked
    }

    /// A path with so many in its way, and a step for it: a shortest one, where there is one.
    pub(super) fn draw(
        &self,
        (resources, table): (&Resources<'_>, &StepTable<'_>),
        to: Node,
        level: usize,
        random: &mut Pcg64Mcg,
    ) -> Option<(Vec<u32>, usize)> {
        let ends = self.layers.iter().enumerate().filter_map(|(hops, layer)| {
            let at = layer.iter().find(|(v, _)| *v == to)?.1;
            Some((hops, some(self.set(at, level), random)?))
        });
        let ends: Vec<(usize, usize)> = ends.collect();
        ends.into_iter().find_map(|(hops, step)| {
            let path = (0..AGAIN).find_map(|_| self.trace((resources, table), (to, hops), (step, level), random));
            path.map(|path| (path, step))
        })
    }

    /// Draws a path backwards; `None` where it comes back to where it was.
    fn trace(
        &self,
        (resources, table): (&Resources<'_>, &StepTable<'_>),
        (to, hops): (Node, usize),
        (step, mut level): (usize, usize),
        random: &mut Pcg64Mcg,
    ) -> Option<Vec<u32>> {
        let full = |r: &u32| table.is_full(*r, step);
        level -= usize::from(resources.receive[to.index()].as_ref().is_some_and(full));
        let (mut node, mut path, mut passed) = (to, Vec::with_capacity(hops), vec![to]);
        for layer in self.layers[..hops].iter().rev() {
            let (mut chosen, mut choices) = (None, 0u32);
            for &lane in &resources.into[node.index()] {
                let before = resources.ends[lane as usize].0;
                let held = resources.taken[lane as usize].iter().filter(|r| full(r)).count();
                let (Some(level), Some((_, at))) = (level.checked_sub(held), layer.iter().find(|(v, _)| *v == before))
                else {
                    continue;
                };
                // Nothing goes on from the destination.
                if before != to && self.set(*at, level)[step / 64] >> (step % 64) & 1 == 1 {
                    choices += 1;
                    if random.random_range(0..choices) == 0 {
                        chosen = Some((lane, before, level));
                    }
                }
            }
            let (lane, before, rest) = chosen?;
            if passed.contains(&before) {
                return None;
            }
            path.push(lane);
            passed.push(before);
            (node, level) = (before, rest);
        }
        path.reverse();
        Some(path)
    }

    fn set(&self, at: usize, level: usize) -> &[u64] {
        &self.sets[at + level * self.words..][..self.words]
    }

    /// Room for the sets of another state, all empty.
    fn state(&mut self) -> usize {
        let at = self.sets.len();
        self.sets.resize(at + LEVELS * self.words, 0);
        at
    }

    /// Adds to the sets at `into` what comes from those at `at`, a level higher for every resource that is full.
    fn hand_on<'b>(&mut self, at: usize, into: usize, full: impl Iterator<Item = &'b [u64]> + Clone) {
        let words = self.words;
        let (before, after) = self.sets.split_at_mut(into);
        let from = &before[at..at + LEVELS * words];
        for w in 0..words {
            let mut levels: [u64; LEVELS] = std::array::from_fn(|level| from[level * words + w]);
            full.clone().for_each(|full| levels = raised(levels, full[w]));
            levels.iter().enumerate().for_each(|(level, set)| after[level * words + w] |= set);
        }
    }
}

/// Raises the steps of a state in which a resource is full.
fn hold(sets: &mut [u64], words: usize, full: &[u64]) {
    for w in 0..words {
        let levels = raised(std::array::from_fn(|level| sets[level * words + w]), full[w]);
        levels.iter().enumerate().for_each(|(level, set)| sets[level * words + w] = *set);
    }
}

/// Steps in which something is full go a level up, and from the last one out.
fn raised(levels: [u64; LEVELS], full: u64) -> [u64; LEVELS] {
    std::array::from_fn(|level| {
        let raised = if level > 0 { levels[level - 1] & full } else { 0 };
        levels[level] & !full | raised
    })
}

/// One of a set, at random as far as the words are concerned.
fn some(set: &[u64], random: &mut Pcg64Mcg) -> Option<usize> {
    let offset = random.random_range(0..set.len().max(1));
    let word = (offset..set.len()).chain(0..offset).find(|w| set[*w] != 0)?;
    let turn = random.random_range(0..64u32);
    let first = set[word].rotate_right(turn).trailing_zeros();
    Some(word * 64 + ((first + turn) % 64) as usize)
}
