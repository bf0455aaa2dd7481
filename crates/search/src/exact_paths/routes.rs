//! **What:** all paths of a message up to some length, shortest first.

use crate::packing::lanes::Lanes;
use graph::distances::{Distances, Way};
use kernel::{Message, Node, Problem};
use run::Budget;

/// For each message its paths of lanes, at most `slack` longer than the shortest and at most `most`; no path where only
/// relays lead to the destination. `None` where the budget ends first.
pub(super) fn of_all(
    problem: &Problem,
    lanes: &Lanes,
    messages: &[Message],
    slack: u32,
    most: usize,
    budget: &mut Budget<'_>,
) -> Option<Vec<Vec<Vec<u32>>>> {
    let collective = problem.collective();
    let mut distances = Distances::new(problem, Way::Back);
    let list = messages.iter().map(|&m| {
        let (from, to) = (collective.origin(m), collective.destinations(m)[0]);
        let distance = distances.of(to, budget)?;
        let mut walk =
            Walk { problem, lanes, distance, path: Vec::new(), visited: vec![from], found: Vec::new(), most };
        let shortest = walk.distance[from.index()];
        for length in shortest..=shortest.saturating_add(slack) {
            if shortest != u32::MAX {
                walk.extend(from, length, budget);
            }
        }
        Some(walk.found).filter(|_| !budget.is_over())
    });
    list.collect()
}

struct Walk<'a> {
    problem: &'a Problem,
    lanes: &'a Lanes,
    distance: &'a [u32],
    path: Vec<u32>,
    visited: Vec<Node>,
    found: Vec<Vec<u32>>,
    most: usize,
}

impl Walk<'_> {
    /// Goes on from `at` with exactly `left` lanes; that is as deep as a path is long.
    fn extend(&mut self, at: Node, left: u32, budget: &mut Budget<'_>) {
        for &lane in &self.lanes.out[at.index()] {
            let next = self.lanes.ends[lane as usize].1;
            let distance = self.distance[next.index()];
            if self.found.len() >= self.most || !budget.spend(1) {
                return;
            }
            if left == 0 || distance == u32::MAX || distance > left - 1 || self.visited.contains(&next) {
                continue;
            }
            self.path.push(lane);
            if distance == 0 {
                if left == 1 {
                    self.found.push(self.path.clone());
                }
            } else if self.problem.path_passes(next) {
                self.visited.push(next);
                self.extend(next, left - 1, budget);
                self.visited.pop();
            }
            self.path.pop();
        }
    }
}
