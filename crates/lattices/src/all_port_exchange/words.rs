//! **What:** for every node a word of moves that leads there from node 0 by a shortest path.

use super::moves::Moves;
use construct::Control;

/// Moves that may be made in any order, each so many times; those of the next group after them.
pub(super) type Group = Vec<(u32, u32)>;

/// The moves of a message.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// Moves within the super-node of the highest level, which may be made at any time.
    pub free: Group,
    /// Groups of the others, one after the other.
    pub groups: Vec<Group>,
}

impl Word {
    /// All moves, each with how often it is made.
    pub(super) fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.groups.iter().chain([&self.free]).flatten().copied()
    }
}

/// Which of two equal ways was taken last, so that both are taken equally often.
struct Alternation<'a> {
    moves: &'a Moves,
    /// Of each dimension, the way round half a ring.
    rings: Vec<bool>,
    /// Of each level, whether messages within a class cross first or last.
    levels: Vec<bool>,
    /// Of each level but the highest, whether the place is changed with the first register or with the second.
    places: Vec<bool>,
}

/// The words of all nodes, by number; that of node 0 is empty.
pub(super) fn all(moves: &Moves, control: &Control<'_>) -> Option<Vec<Word>> {
    let (net, top) = (&moves.net, moves.net.levels());
    let mut alternation = Alternation {
        moves,
        rings: vec![false; net.sizes().len()],
        levels: vec![false; top + 1],
        places: vec![false; top + 1],
    };
    let inside = if top > 0 { net.super_node(top) } else { &[] };
    let word = |node| {
        control.work(16)?;
        let mut digits = net.digits(top, node);
        let mut free = Group::new();
        for &d in inside {
            let digit = std::mem::take(&mut digits[2 * top + d]);
            free.extend(alternation.along(d, digit));
        }
        Some(Word { free, groups: alternation.word(top, net.number(top, &digits)) })
    };
    (0..net.nodes(top)).map(word).collect()
}

/// How often all words together make each of so many moves.
pub(super) fn loads(words: &[Word], count: usize) -> Vec<u64> {
    let mut loads = vec![0; count];
    words.iter().flat_map(Word::moves).for_each(|(by, times)| loads[by as usize] += u64::from(times));
    loads
}

impl Alternation<'_> {
    /// The move to a digit from digit 0, half-way round either way in turn.
    fn along(&mut self, dimension: usize, digit: u32) -> Option<(u32, u32)> {
        if 2 * digit == self.moves.net.sizes()[dimension] {
            self.rings[dimension] = !self.rings[dimension];
        }
        self.moves.to_digit(dimension, digit, self.rings[dimension])
    }

    /// The groups of moves to a node of a level from node 0 of it.
    fn word(&mut self, level: usize, node: u32) -> Vec<Group> {
        let net = &self.moves.net;
        if level == 0 {
            let digits = net.digits(0, node).into_iter().enumerate();
            let group: Group = digits.filter_map(|(d, digit)| self.along(d, digit)).collect();
            return if group.is_empty() { Vec::new() } else { vec![group] };
        }
        let goal = net.index(level, node);
        let inner = |super_node, place| net.number(level - 1, &net.joined(level, super_node, place));
        // At node 0 the first register is what moves; a crossing lets the second move.
        let (first, second) = match goal.class {
            0 => (goal.super_node, goal.cluster),
            _ => (goal.cluster, goal.super_node),
        };
        if goal.class == 0 && second == 0 {
            return self.word(level - 1, inner(first, goal.place));
        }
        self.places[level] = !self.places[level];
        let (one, other) = if self.places[level] { (goal.place, 0) } else { (0, goal.place) };
        let (first, second) = (inner(first, one), inner(second, other));
        let first = self.word(level - 1, first);
        let second = self.word(level - 1, second);
        let cross = || vec![vec![(self.moves.cross(level), 1)]];
        if goal.class == 1 {
            return [first, cross(), second].concat();
        }
        self.levels[level] = !self.levels[level];
        if self.levels[level] {
            [cross(), second, cross(), first].concat()
        } else {
            [first, cross(), second, cross()].concat()
        }
    }
}
