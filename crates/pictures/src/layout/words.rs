//! **What:** networks of words, such as Kautz' and de Bruijn's: every node sends to all nodes of one group, and all members of a
//! group are sent to by the same nodes. Up to [`WHOLE`] nodes each begins in the middle between the two words of the smaller network
//! that it joins, a little to the side, and then all move to where their distances pull them; the smallest network is on a circle, so what
//! turns its letters turns the picture. Larger networks stand on a circle, group beside group, and the groups in turn by the groups
//! that they send to.
//!
//! **Theory.** These are line digraphs: the nodes are the channels of a smaller network, x y z the one from x y to y z. Members
//! of a group are channels of the same sender; so the smaller network can be read off, and what is true of it again, its
//! own. Loops, such as that of 0 0 0, are no channels of a network, but are found where a node lacks one of each.
//!
//! **Source:** F. Harary and R. Norman, *Some properties of line digraphs*, Rendiconti di Palermo 9 (1960) 161–168.

use super::round::{on_circle, turned};
use super::shape::Shape;
use super::stress::{self, WHOLE};
use super::{Point, Sketch};
use kernel::Network;
use std::collections::{BTreeMap, BTreeSet};

/// Room between groups, in places of nodes, at each level.
const GAP: f64 = 1.3;

/// How far a word of two letters stands beside the middle of its letters, and a longer one beside the middle of its two parts, in
/// lengths of the way between them. The mirror images of these are the same pictures.
const STARTS: [(f64, f64); 6] = [(0.3, -0.15), (0.15, -0.3), (0.3, 0.15), (0.15, 0.3), (0.15, 0.15), (0.3, -0.3)];

/// Every word in the middle between what it is without its last and without its first letter, a little to the side; letters on a circle.
fn between(words: &[Vec<u32>], sides: (f64, f64)) -> Vec<Point> {
    let letters = words.iter().flatten().max().map_or(1, |most| *most as usize + 1);
    let circle = on_circle(letters);
    let place = |word: &Vec<u32>| {
        // Places of all parts of the same length, from single letters on.
        let mut parts: Vec<Point> = word.iter().map(|letter| circle[*letter as usize]).collect();
        let mut side = sides.0;
        while parts.len() > 1 {
            let middle = |pair: &[Point]| {
                let (a, b) = (pair[0], pair[1]);
                ((a.0 + b.0) / 2.0 - side * (b.1 - a.1), (a.1 + b.1) / 2.0 + side * (b.0 - a.0))
            };
            parts = parts.windows(2).map(middle).collect();
            side = sides.1;
        }
        parts[0]
    };
    let mut points: Vec<Point> = words.iter().map(place).collect();
    // Only what stands at one place is moved, since that ends symmetry.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| points[*a].0.total_cmp(&points[*b].0).then(points[*a].1.total_cmp(&points[*b].1)));
    for pair in order.windows(2) {
        let (p, q) = (points[pair[0]], points[pair[1]]);
        if (p.0 - q.0).hypot(p.1 - q.1) < 1e-6 {
            points[pair[1]] = stress::hair(pair[1], q);
        }
    }
    points
}

/// Where all nodes fall into such groups, and few channels are answered.
pub(super) fn place(network: &Network, shape: &Shape) -> Option<Sketch> {
    let nodes = network.node_count();
    let twice = network.channel_count().saturating_sub(shape.link_count());
    if nodes < 6 || network.members().len() < nodes || 3 * twice > 2 * shape.link_count() {
        return None;
    }
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    network.channels().for_each(|c| next[network.from(c).index()].push(network.to(c).0));
    let words = words(&with_loops(next)?)?;
    if nodes <= WHOLE {
        let starts = STARTS.map(|sides| between(&words, sides));
        return Some(Sketch::new("words", stress::from_starts(shape, starts.to_vec())));
    }
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    order.sort_by(|a, b| words[*a as usize].cmp(&words[*b as usize]));
    // The sooner two words differ, the farther they are apart.
    let mut at = 0.0;
    let mut places = vec![0.0; nodes];
    for pair in order.windows(2) {
        let (a, b) = (&words[pair[0] as usize], &words[pair[1] as usize]);
        let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        at += 1.0 + GAP * (a.len() - 1 - same) as f64;
        places[pair[1] as usize] = at;
    }
    let all = at + 1.0 + GAP * (words[0].len() - 1) as f64;
    let around = 0.5 / (std::f64::consts::PI / all).sin();
    Some(Sketch::new("words", places.into_iter().map(|p| turned(p / all, around)).collect()))
}

/// Receivers of every node, with itself where that is what it lacks; all have the same number.
fn with_loops(mut next: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    let degree = next.iter().map(Vec::len).max().filter(|d| *d >= 2)?;
    for (v, list) in next.iter_mut().enumerate() {
        if list.len() + 1 == degree {
            list.push(v as u32);
        }
        list.sort_unstable();
        list.dedup();
        if list.len() != degree {
            return None;
        }
    }
    Some(next)
}

/// A word for each node: the group it belongs to, spelled by the smaller network, then the group it sends to.
fn words(next: &[Vec<u32>]) -> Option<Vec<Vec<u32>>> {
    let degree = next.first()?.len();
    // A group is what one node sends to, and every node is in one group only; groups are numbered by their first members.
    let lists: BTreeSet<&Vec<u32>> = next.iter().collect();
    let groups: BTreeMap<&Vec<u32>, u32> = lists.into_iter().zip(0..).collect();
    let mut own = vec![u32::MAX; next.len()];
    for (list, group) in &groups {
        for &v in list.iter() {
            if own[v as usize] != u32::MAX {
                return None;
            }
            own[v as usize] = *group;
        }
    }
    if groups.len() * degree != next.len() {
        return None;
    }
    let to: Vec<u32> = next.iter().map(|list| groups[list]).collect();
    let mut smaller: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
    own.iter().zip(&to).for_each(|(a, b)| smaller[*a as usize].push(*b));
    smaller.iter_mut().for_each(|list| list.sort_unstable());
    let single = |list: &Vec<u32>| list.windows(2).all(|w| w[0] != w[1]);
    let spelled = if smaller.len() > degree && smaller.iter().all(single) { words(&smaller) } else { None };
    let spelled = spelled.unwrap_or_else(|| (0..groups.len() as u32).map(|g| vec![g]).collect());
    Some(
        own.iter()
            .zip(&to)
            .map(|(a, b)| {
                spelled[*a as usize].iter().copied().chain([*spelled[*b as usize].last().unwrap_or(b)]).collect()
            })
            .collect(),
    )
}
