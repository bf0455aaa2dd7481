//! **What:** for every node a word of moves that leads there from node 0 by a shortest path.

use super::moves::Moves;

/// Moves that may be made in any order, each so many times; those of the next group after them.
pub(super) type Group = Vec<(u32, u32)>;

/// Groups of moves, one after the other.
pub(super) type Word = Vec<Group>;

/// Which of two equal ways was taken last, so that both are taken equally often.
struct Turns<'a> {
    moves: &'a Moves,
    /// Of each dimension, the way round half a ring.
    rings: Vec<bool>,
    /// Of each level, whether messages within a class cross first or last.
    levels: Vec<bool>,
    /// Of each level, whether the place is changed with the first register or with the second.
    places: Vec<bool>,
}

/// The words of all nodes, by number; that of node 0 is empty.
pub(super) fn all(moves: &Moves) -> Vec<Word> {
    let (net, top) = (&moves.net, moves.net.levels());
    let mut turns = Turns {
        moves,
        rings: vec![false; net.sizes().len()],
        levels: vec![false; top + 1],
        places: vec![false; top + 1],
    };
    (0..net.nodes(top)).map(|node| turns.word(top, node)).collect()
}

/// How often all words together make each of so many moves.
pub(super) fn loads(words: &[Word], count: usize) -> Vec<u64> {
    let mut loads = vec![0; count];
    words.iter().flatten().flatten().for_each(|(by, times)| loads[*by as usize] += u64::from(*times));
    loads
}

impl Turns<'_> {
    /// The word to a node of a level from node 0 of it.
    fn word(&mut self, level: usize, node: u32) -> Word {
        let net = &self.moves.net;
        if level == 0 {
            let along = |(d, digit): (usize, u32)| {
                if 2 * digit == net.sizes()[d] {
                    self.rings[d] = !self.rings[d];
                }
                self.moves.to_digit(d, digit, self.rings[d])
            };
            let group: Group = net.digits(0, node).into_iter().enumerate().filter_map(along).collect();
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
