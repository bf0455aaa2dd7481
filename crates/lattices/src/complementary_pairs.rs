//! **What:** pairs of differences for packing on a network of translations, which together use whole circles of channels.
//!
//! **Idea:** translations shift time so that so many channels of one class in a row come back to the same place: a circle. A
//! difference takes a channels of a class x and then b of a class y; one that takes b′ channels of y and then a′ of x, begun where
//! the first ends, closes the circle of y if b + b′ is its length. If a + a′ is the same for all pairs, their arcs of x have one
//! length and can be laid end to end. So pairs fill rows without gaps, where differences on their own leave many. The few that
//! have no such partner close a circle with one whose arc is another class's; they come first, as nothing else fits beside them.

/// Two differences, each with the classes of its path.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// The differences, in the order of their parts along the circle.
    pub differences: [usize; 2],
    /// The paths; the second begins where the first ends.
    pub paths: [Vec<usize>; 2],
    /// Channels of the class that is not closed, or those that it begins with.
    pub arc: u32,
}

impl Pair {
    /// The same pair begun with the other difference.
    pub(crate) fn turned(&self) -> Pair {
        let [first, second] = &self.paths;
        let back = |path: &Vec<usize>| path.iter().rev().copied().collect();
        let [d, e] = self.differences;
        Pair { differences: [e, d], paths: [back(second), back(first)], arc: self.arc }
    }
}

/// Pairs of differences and those that are left: `routes` are the paths of each difference as classes, `circles` the lengths
/// of the circles of each class. Only classes of which some path takes a whole circle are closed. Of several paths a
/// difference takes that over the classes used least so far.
pub(crate) fn pairs(routes: &[Vec<Vec<usize>>], circles: &[u32]) -> (Vec<Pair>, Vec<usize>) {
    let count = |path: &[usize], class: usize| path.iter().filter(|c| **c == class).count();
    let most = |class: usize| routes.iter().flatten().map(|p| count(p, class)).max().unwrap_or(0);
    let most: Vec<usize> = (0..circles.len()).map(most).collect();
    let closes = |class: usize| most[class] == circles[class] as usize;
    let mut partner: Vec<Option<()>> = vec![None; routes.len()];
    let mut load = vec![0usize; circles.len()];
    let mut found = Vec::new();
    let mut order: Vec<usize> = (0..routes.len()).collect();
    // Those with the fewest paths have the least choice.
    order.sort_by_key(|&d| (routes[d].len(), std::cmp::Reverse(routes[d][0].len()), d));
    for &d in &order {
        if partner[d].is_some() {
            continue;
        }
        let mut best: Option<(usize, Pair)> = None;
        for x in 0..circles.len() {
            for y in (0..circles.len()).filter(|&y| y != x && closes(y)) {
                for first in routes[d].iter().filter(|p| is_run(p, x, y)) {
                    let (a, b) = (most[x].checked_sub(count(first, x)), most[y].checked_sub(count(first, y)));
                    let (Some(a), Some(b)) = (a, b) else { continue };
                    let second = [vec![y; b], vec![x; a]].concat();
                    let fits = |e: &usize| *e != d && partner[*e].is_none() && routes[*e].contains(&second);
                    let Some(e) = order.iter().copied().find(fits) else { continue };
                    let weight = load[x] + load[y];
                    if best.as_ref().is_none_or(|(least, _)| weight < *least) {
                        let arc = u32::try_from(most[x]).unwrap_or(u32::MAX);
                        best = Some((weight, Pair { differences: [d, e], paths: [first.clone(), second], arc }));
                    }
                }
            }
        }
        if let Some((_, pair)) = best {
            pair.differences.iter().for_each(|&d| partner[d] = Some(()));
            pair.paths.iter().flatten().for_each(|&class| load[class] += 1);
            found.push(pair);
        }
    }
    // What is left closes a circle with any other, in front: their arcs do not fit all others'.
    let mut first = Vec::new();
    for &d in &order {
        let halves = |d: usize| routes[d].iter().filter_map(|path| Some((path, turn(path)?)));
        let fits =
            |e: &usize, y: usize, b: usize| *e > d && partner[*e].is_none() && begun_by(&routes[*e], y, b).is_some();
        let closing = halves(d).filter(|_| partner[d].is_none()).find_map(|(path, at)| {
            let y = path[at];
            let b = most[y].checked_sub(path.len() - at).filter(|b| *b > 0 && closes(y))?;
            let e = order.iter().copied().find(|e| fits(e, y, b))?;
            let arc = u32::try_from(at).ok()?;
            Some(Pair { differences: [d, e], paths: [path.clone(), begun_by(&routes[e], y, b)?.clone()], arc })
        });
        if let Some(pair) = closing {
            pair.differences.iter().for_each(|&d| partner[d] = Some(()));
            first.push(pair);
        }
    }
    first.extend(found);
    let left = (0..routes.len()).filter(|&d| partner[d].is_none()).collect();
    (first, left)
}

/// Whether a path takes only channels of class x and then only those of class y.
fn is_run(path: &[usize], x: usize, y: usize) -> bool {
    let turn = path.iter().position(|c| *c != x).unwrap_or(path.len());
    path[turn..].iter().all(|c| *c == y)
}

/// Where a path of two runs goes over to its second class.
fn turn(path: &[usize]) -> Option<usize> {
    let at = path.iter().position(|c| *c != path[0])?;
    path[at..].iter().all(|c| *c == path[at]).then_some(at)
}

/// A route of exactly b channels of class y and then one other run.
fn begun_by(routes: &[Vec<usize>], y: usize, b: usize) -> Option<&Vec<usize>> {
    routes.iter().find(|path| path[0] == y && turn(path) == Some(b))
}
