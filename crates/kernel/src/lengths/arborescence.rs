//! **What:** the lightest tree that leads from one place to all others: J. Edmonds, Optimum branchings, 1967 (and Chu and Liu, 1965).
//!
//! **Method.** Every place takes its lightest way in. Where these close circles, each is drawn together into one place, and what enters it
//! costs as much more as it spares of the circle's own ways; then once more. Time grows with the third power of the places.

/// What leads nowhere: no way from one place to another.
pub(super) const NO_WAY: u128 = u128::MAX;

/// The places that each place is reached from in a lightest tree from `root` to all, `usize::MAX` for the root itself; `None` where
/// some place cannot be reached. `cost[from * count + to]` is what a way costs, below 2^100, or [`NO_WAY`].
pub(super) fn lightest_tree(count: usize, root: usize, cost: &[u128]) -> Option<Vec<usize>> {
    let best = |to: usize| (0..count).filter(|from| *from != to).min_by_key(|from| cost[from * count + to]);
    let mut before = vec![usize::MAX; count];
    for to in (0..count).filter(|to| *to != root) {
        before[to] = best(to).filter(|from| cost[from * count + to] != NO_WAY)?;
    }
    let Circles { circle_of, circles } = Circles::of(&before, root);
    if circles == 0 {
        return Some(before);
    }
    // Each circle becomes one place, all else keeps its own.
    let mut place = vec![usize::MAX; count];
    let mut places = circles;
    for node in 0..count {
        place[node] = circle_of[node].unwrap_or_else(|| {
            places += 1;
            places - 1
        });
    }
    let mut contracted = vec![NO_WAY; places * places];
    let mut stands_for = vec![(usize::MAX, usize::MAX); places * places];
    for to in (0..count).filter(|to| *to != root) {
        let spared = if circle_of[to].is_some() { cost[before[to] * count + to] } else { 0 };
        for from in (0..count).filter(|from| place[*from] != place[to] && cost[from * count + to] != NO_WAY) {
            let at = place[from] * places + place[to];
            if cost[from * count + to] - spared < contracted[at] {
                contracted[at] = cost[from * count + to] - spared;
                stands_for[at] = (from, to);
            }
        }
    }
    let outer = lightest_tree(places, place[root], &contracted)?;
    for (at, from) in outer.iter().enumerate().filter(|(_, from)| **from != usize::MAX) {
        // Of a circle, the way that enters it takes the place of the circle's own.
        let (from, to) = stands_for[from * places + at];
        before[to] = from;
    }
    Some(before)
}

/// The circles that lightest ways close.
struct Circles {
    circle_of: Vec<Option<usize>>,
    circles: usize,
}

impl Circles {
    fn of(before: &[usize], root: usize) -> Self {
        let mut circle_of = vec![None; before.len()];
        let mut circles = 0;
        // The walk on which each place was met.
        let mut met = vec![usize::MAX; before.len()];
        met[root] = root;
        for start in 0..before.len() {
            let mut at = start;
            while met[at] == usize::MAX {
                met[at] = start;
                at = before[at];
            }
            if met[at] == start && at != root && circle_of[at].is_none() {
                let mut on = at;
                while circle_of[on].is_none() {
                    circle_of[on] = Some(circles);
                    on = before[on];
                }
                circles += 1;
            }
        }
        Circles { circle_of, circles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The weight of a tree, by all choices of ways in that reach everything from the root.
    fn least(count: usize, root: usize, cost: &[u128]) -> Option<u128> {
        let mut best = None;
        let choices = count.pow(count as u32);
        for choice in 0..choices {
            let before: Vec<usize> = (0..count).map(|v| choice / count.pow(v as u32) % count).collect();
            let reaches =
                |v: usize| (0..count).try_fold(v, |at, _| if at == root { Err(()) } else { Ok(before[at]) }).is_err();
            let others = || (0..count).filter(|v| *v != root);
            if others().all(reaches) && others().all(|v| cost[before[v] * count + v] != NO_WAY) {
                let weight = others().map(|v| cost[before[v] * count + v]).sum();
                best = Some(best.map_or(weight, |known: u128| known.min(weight)));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn it_is_the_lightest_of_all(count in 1usize..5, root in 0usize..5, costs in prop::collection::vec(0u128..7, 25)) {
            let root = root % count;
            let cost: Vec<u128> = (0..count * count)
                .map(|at| if at % (count + 1) == 0 || costs[at] == 6 { NO_WAY } else { costs[at] }).collect();
            let tree = lightest_tree(count, root, &cost);
            let weight = tree.map(|before| {
                (0..count).filter(|v| *v != root).map(|v| cost[before[v] * count + v]).sum::<u128>()
            });
            prop_assert_eq!(weight, least(count, root, &cost));
        }
    }
}
