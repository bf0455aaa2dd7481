//! **What:** levels of a broadcast made greedily, from the end and from the beginning.
//!
//! **Method.** From the end: a small set of nodes whose flow reaches all others must be informed one step earlier; a small set that
//! reaches that set, two steps earlier; and so on until the root alone suffices. What a set reaches is a submodular
//! function of it, so a node's gain only falls while the set grows and few gains need to be computed anew. Among equal
//! gains the node nearest to the set packs the regions tightly.
//!
//! From the beginning: in each step as many nodes as possible, those with the longest way ahead first.

use super::step::StepFlow;
use super::{Broadcast, Levels};
use graph::distances::{Way, hops};
use kernel::Node;
use rand::RngExt;
use rand::seq::IteratorRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::cmp::Reverse;

/// The levels of all nodes (0 the root, then the step that informs it, `None` never), from the end; `None` where a set
/// cannot be reached from a smaller one, or the budget ends.
pub(super) fn from_the_end(
    broadcast: &Broadcast<'_>,
    step: &mut StepFlow<'_>,
    rng: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Option<Levels> {
    let mut chain = vec![broadcast.receivers.clone()];
    chain[0][broadcast.root.index()] = true;
    loop {
        let last = chain.last().expect("starts with one set");
        let size = last.iter().filter(|&&m| m).count();
        if size == 1 {
            break;
        }
        let before = dominating(broadcast, step, last, rng, budget)?;
        if before.iter().filter(|&&m| m).count() >= size {
            return None;
        }
        chain.push(before);
    }
    chain.reverse();
    let first = |v: usize| chain.iter().position(|set| set[v]).map(|l| l as u32);
    Some((0..broadcast.receivers.len()).map(first).collect())
}

/// A small set with `root` from which one step reaches all of `targets`.
fn dominating(
    broadcast: &Broadcast<'_>,
    step: &mut StepFlow<'_>,
    targets: &[bool],
    rng: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Option<Vec<bool>> {
    let (network, root) = (broadcast.problem.network(), broadcast.root);
    let all = targets.iter().filter(|&&t| t).count() as u64;
    // Near nodes first, far ones first, or any.
    let weight = [1i64, 1, 0, -1][rng.random_range(0..4)];
    let mut set = vec![false; targets.len()];
    let mut gain: Vec<u64> =
        network.nodes().map(|v| if network.is_terminal(v) { 1 + network.send_capacity(v) } else { 0 }).collect();
    let mut saved = Vec::new();
    step.clear(|v| targets[v]);
    step.inform(root.index());
    set[root.index()] = true;
    gain[root.index()] = 0;
    let mut reached = step.serve(budget);
    while reached < all {
        let near: Vec<Node> = network.nodes().filter(|v| set[v.index()]).collect();
        let distance = hops(network, &near, Way::On, |_| true, budget)?;
        let mut order: Vec<(i64, u32, usize)> = (0..targets.len())
            .filter(|&v| gain[v] > 0)
            .map(|v| (weight * i64::from(distance[v]), rng.random(), v))
            .collect();
        order.sort_unstable();
        let choice = loop {
            let Some(most) = order.iter().map(|o| gain[o.2]).max().filter(|&g| g > 0) else {
                return Some(targets.to_vec());
            };
            if !budget.spend(1 + step.graph.arc_count() as u64) {
                return None;
            }
            let &(_, _, v) = order.iter().find(|o| gain[o.2] == most).expect("one has the largest gain");
            step.graph.save(&mut saved);
            step.inform(v);
            gain[v] = step.serve(budget);
            if gain[v] == most {
                break v;
            }
            step.graph.restore(&saved);
        };
        reached += gain[choice];
        gain[choice] = 0;
        set[choice] = true;
    }
    Some(set)
}

/// The levels of all reachable terminals, from the beginning: in each step, nodes in the order of how much lies behind
/// them, as long as the flow serves them. Fewer terminals where the budget ends first.
pub(super) fn from_the_root(
    broadcast: &Broadcast<'_>,
    step: &mut StepFlow<'_>,
    rng: &mut Pcg64Mcg,
    budget: &mut Budget<'_>,
) -> Levels {
    let Broadcast { problem, root, receivers } = broadcast;
    let network = problem.network();
    let mut levels = vec![None; receivers.len()];
    levels[root.index()] = Some(0);
    let Some(ahead) = ways_ahead(broadcast, rng, budget) else { return levels };
    for level in 1.. {
        let open = (0..receivers.len()).any(|v| receivers[v] && levels[v].is_none());
        let mut order: Vec<(i64, u32, usize)> = network
            .terminals()
            .iter()
            .filter(|v| levels[v.index()].is_none())
            .map(|v| (-ahead[v.index()], rng.random(), v.index()))
            .collect();
        order.sort_unstable();
        step.begin(|v| levels[v].is_some(), |_| false);
        let mut progress = false;
        for (_, _, v) in order.into_iter().filter(|_| open) {
            step.want(v);
            if step.serve(budget) > 0 {
                levels[v] = Some(level);
                progress = true;
            } else {
                step.unwant(v);
            }
        }
        if !progress || budget.is_over() {
            break;
        }
    }
    levels
}

/// How long it takes behind each node on a random tree of shortest ways from the root, where a node serves as many others a
/// step as it can send; −1 where no receiver lies behind. `None` where the budget ends.
fn ways_ahead(broadcast: &Broadcast<'_>, rng: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Vec<i64>> {
    let network = broadcast.problem.network();
    let far = hops(network, &[broadcast.root], Way::On, |_| true, budget)?;
    let mut order: Vec<Node> = network.nodes().filter(|v| far[v.index()] != u32::MAX).collect();
    order.sort_by_key(|v| Reverse(far[v.index()]));
    let mut below: Vec<Vec<i64>> = vec![Vec::new(); far.len()];
    let mut ahead = vec![-1i64; far.len()];
    for node in order {
        let children = &mut below[node.index()];
        children.sort_unstable_by_key(|c| Reverse(*c));
        let width = i64::try_from(network.send_capacity(node).max(1)).unwrap_or(i64::MAX);
        let waits = (0i64..).zip(children.iter()).map(|(i, c)| i / width + 1 + c).max();
        // Behind a node that no receiver lies behind nothing is urgent.
        let behind = waits.unwrap_or(if broadcast.receivers[node.index()] { 0 } else { -1 });
        ahead[node.index()] = behind;
        let before = network.incoming(node).iter().map(|c| network.from(*c).index());
        if let Some(parent) = before.filter(|u| far[*u] < far[node.index()]).choose(rng).filter(|_| behind >= 0) {
            below[parent].push(behind);
        }
    }
    Some(ahead)
}
