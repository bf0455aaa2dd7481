//! **What:** nodes in groups whose members are near each other.

use super::asked::Asked;
use kernel::Node;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Orders of the nodes of which each is improved.
const ORDERS: usize = 16;

/// So many groups, in size no more than one apart, and in each the distances small: two nodes change places as long as that makes their sum
/// less. All of the ways in which it is the least that was found.
pub(super) fn groups(asked: &Asked<'_>, count: usize, random: &mut Pcg64Mcg) -> Vec<Vec<Vec<Node>>> {
    let mut order: Vec<Node> = asked.terminals().collect();
    let drawn = (0..ORDERS).map(|_| {
        order.shuffle(random);
        let groups = improved(asked, &order, count);
        (groups.iter().map(|group| inside(asked, group)).sum(), groups)
    });
    let drawn: Vec<(u64, Vec<Vec<Node>>)> = drawn.collect();
    let least = drawn.iter().map(|(far, _)| *far).min();
    drawn.into_iter().filter(|(far, _)| Some(*far) == least).map(|(_, groups)| groups).collect()
}

/// The sum of all distances in a group.
fn inside(asked: &Asked<'_>, group: &[Node]) -> u64 {
    group.iter().map(|v| to_all(asked, *v, group, *v)).sum()
}

/// The distances both ways between a node and those of a group but one.
fn to_all(asked: &Asked<'_>, node: Node, group: &[Node], but: Node) -> u64 {
    let between = |other: &Node| asked.far[node.index()][other.index()] + asked.far[other.index()][node.index()];
    group.iter().filter(|other| **other != but).map(|other| u64::from(between(other))).sum()
}

/// Groups of nodes that follow each other, improved.
fn improved(asked: &Asked<'_>, order: &[Node], count: usize) -> Vec<Vec<Node>> {
    let mut groups: Vec<Vec<Node>> = vec![Vec::new(); count];
    order.iter().enumerate().for_each(|(at, node)| groups[at * count / order.len()].push(*node));
    let mut again = true;
    while again {
        again = false;
        for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let (of_one, of_other) = (groups[one].len(), groups[other].len());
            for (a, b) in (0..of_one).flat_map(|a| (0..of_other).map(move |b| (a, b))) {
                let (of_one, of_other) = (groups[one][a], groups[other][b]);
                let as_is =
                    to_all(asked, of_one, &groups[one], of_one) + to_all(asked, of_other, &groups[other], of_other);
                let changed =
                    to_all(asked, of_one, &groups[other], of_other) + to_all(asked, of_other, &groups[one], of_one);
                if changed < as_is {
                    (groups[one][a], groups[other][b]) = (of_other, of_one);
                    again = true;
                }
            }
        }
    }
    groups
}
