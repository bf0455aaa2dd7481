//! **What:** nodes in groups whose members are near each other.

use super::asked::Asked;
use crate::near_groups::NearGroups;
use kernel::Node;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Orders of the nodes of which each is improved.
const ORDERS: usize = 16;

/// So many groups of near nodes: all of the ways in which the sum of their distances is the least that was found.
pub(super) fn groups(asked: &Asked<'_>, count: usize, random: &mut Pcg64Mcg) -> Vec<Vec<Vec<Node>>> {
    let nodes: Vec<Node> = asked.terminals().collect();
    let far_from = |v: &Node| nodes.iter().map(|to| u64::from(asked.far[v.index()][to.index()])).collect();
    let far: Vec<Vec<u64>> = nodes.iter().map(far_from).collect();
    // The caller counts ticks.
    let budget = &mut Budget::unlimited();
    let drawn: Vec<NearGroups> = (0..ORDERS).filter_map(|_| NearGroups::draw(&far, count, random, budget)).collect();
    let least = drawn.iter().map(|drawn| drawn.far).min();
    let nodes_of = |group: &Vec<usize>| group.iter().map(|at| nodes[*at]).collect();
    let best = drawn.iter().filter(|drawn| Some(drawn.far) == least);
    best.map(|drawn| drawn.groups.iter().map(nodes_of).collect()).collect()
}
