//! **What:** a bound of the lightest tree that leads from one place to some others, by way of whichever places it likes: R. T. Wong, A dual ascent
//! approach for Steiner tree problems on a directed graph, 1984.
//!
//! **Theory.** Let a set of places hold a destination but not the root. Every tree has a way into it. Take the cheapest of all ways into the set off each
//! of them, and add it to the bound: whatever tree is left costs less by no less than this, since it loses it at least once. So it goes on with the costs that
//! are left, which never fall below 0, for as many sets as one likes; the bound never exceeds the lightest tree. It is exact where the ways are those of a tree.
//!
//! **Method.** The set of a destination is all from where free ways lead to it; when the root is in it, the destination is done. The smallest set comes first,
//! of equals that of the destination with the least number. It ends after so many looks at ways; the bound holds by then as well.

use super::arborescence::NO_WAY;
use std::collections::VecDeque;

/// Looks at ways, times the third power of the places: some times what the lightest tree to all takes.
pub(super) const LOOKS: usize = 4;

/// What is known of the lightest tree from a root to some places.
pub(super) struct Tree {
    /// What it costs at least.
    pub least: u128,
    /// Ways, from and to, one into each of these places and into those on the way to them, that cost little.
    pub ways: Vec<(usize, usize)>,
}

/// A destination that is not done.
struct Open {
    place: usize,
    /// How large its set was when it was last looked at; it never shrinks.
    size: usize,
}

/// The bound of a tree from `root` to `others`, all different; `None` where one of them cannot be reached. `cost` as in
/// [`lightest_tree`](super::arborescence::lightest_tree).
pub(super) fn ascent(count: usize, root: usize, others: &[usize], cost: &[u128]) -> Option<Tree> {
    let mut left = cost.to_vec();
    let mut least = 0u128;
    let mut open: Vec<Open> = others.iter().map(|place| Open { place: *place, size: 1 }).collect();
    open.sort_unstable_by_key(|open| open.place);
    let mut looks = LOOKS * count.pow(3);
    while let Some(at) = (0..open.len()).min_by_key(|at| open[*at].size).filter(|_| looks > 0) {
        let inside = before_by_free_ways(count, open[at].place, &left);
        if inside[root] {
            open.remove(at);
            continue;
        }
        let size = inside.iter().filter(|is_inside| **is_inside).count();
        looks = looks.saturating_sub(size * count);
        if size > open[at].size {
            open[at].size = size;
            continue;
        }
        let outer = |from: &usize| !inside[*from];
        let into: Vec<usize> = (0..count)
            .filter(outer)
            .flat_map(|from| (0..count).filter(|to| inside[*to]).map(move |to| from * count + to))
            .filter(|way| left[*way] != NO_WAY)
            .collect();
        let cheapest = into.iter().map(|way| left[*way]).min()?;
        into.iter().for_each(|way| left[*way] -= cheapest);
        least = least.saturating_add(cheapest);
    }
    Some(Tree { least, ways: ways(count, root, others, cost, &left) })
}

/// Whether free ways lead from each place to this one.
fn before_by_free_ways(count: usize, end: usize, left: &[u128]) -> Vec<bool> {
    let mut inside = vec![false; count];
    inside[end] = true;
    let mut queue = vec![end];
    while let Some(to) = queue.pop() {
        let next = |from: &usize| !inside[*from] && left[from * count + to] == 0;
        let found: Vec<usize> = (0..count).filter(next).collect();
        found.iter().for_each(|from| inside[*from] = true);
        queue.extend(found);
    }
    inside
}

/// Ways from the root to the destinations along free ways, no two of which lead to the same place; the cheapest way into each that they do not lead to.
fn ways(count: usize, root: usize, others: &[usize], cost: &[u128], left: &[u128]) -> Vec<(usize, usize)> {
    let mut before = vec![None; count];
    let mut queue = VecDeque::from([root]);
    while let Some(from) = queue.pop_front() {
        for to in (0..count).filter(|to| *to != root && left[from * count + to] == 0) {
            if before[to].is_none() {
                before[to] = Some(from);
                queue.push_back(to);
            }
        }
    }
    let mut ways = Vec::new();
    let mut is_in = vec![false; count];
    is_in[root] = true;
    for other in others {
        let mut at = *other;
        while !std::mem::replace(&mut is_in[at], true) {
            let cheapest = || (0..count).filter(|from| *from != at).min_by_key(|from| cost[from * count + at]);
            let Some(from) = before[at].or_else(cheapest) else { break };
            ways.push((from, at));
            // Where no free way leads, what comes before is not looked for.
            if before[at].is_none() {
                break;
            }
            at = from;
        }
    }
    ways
}
