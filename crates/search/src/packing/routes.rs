//! **What:** the paths of a message that a search may choose from: all of up to some length, or a spread of them.

use super::lanes::Lanes;
use kernel::{Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;

/// Finds paths to one destination after another.
pub(super) struct Routes<'a> {
    problem: &'a Problem,
    lanes: &'a Lanes,
    target: Option<Node>,
    distance: Vec<u32>,
    on_path: Vec<bool>,
    /// Lanes looked at so far.
    pub looks: u64,
}

impl<'a> Routes<'a> {
    pub fn new(problem: &'a Problem, lanes: &'a Lanes) -> Self {
        let n = problem.network().node_count();
        Routes { problem, lanes, target: None, distance: Vec::new(), on_path: vec![false; n], looks: 0 }
    }

    /// Length of a shortest path; `None` where only relays lead to the destination.
    pub fn distance(&mut self, from: Node, to: Node) -> Option<u32> {
        if self.target != Some(to) {
            self.distance = graph::paths::distances_to(self.problem, to);
            self.looks += self.lanes.ends.len() as u64;
            self.target = Some(to);
        }
        Some(self.distance[from.index()]).filter(|d| *d != u32::MAX)
    }

    /// Paths at most `slack` channels longer than the shortest: all, if they are at most `most`; else the first and the
    /// last in the order of channels (on a numbered mesh they take one dimension after another) and random ones.
    pub fn find(&mut self, from: Node, to: Node, slack: u32, most: usize, random: &mut Pcg64Mcg) -> Vec<Vec<u32>> {
        let Some(shortest) = self.distance(from, to) else { return Vec::new() };
        let mut walk = Walk { routes: self, found: Vec::new(), path: Vec::new(), order: Order::First, steps: 0 };
        let length = shortest + slack;
        walk.run(from, length, most + 1, 64 * (most + 1) * (length as usize + 1));
        if walk.found.len() <= most && walk.steps < 64 * (most + 1) * (length as usize + 1) {
            return walk.found;
        }
        let mut spread: BTreeSet<Vec<u32>> = BTreeSet::new();
        let limit = 200 * (length as usize + 1);
        for attempt in 0..3 * most {
            if spread.len() >= most {
                break;
            }
            walk.found.clear();
            walk.steps = 0;
            walk.order = match attempt {
                0 => Order::First,
                1 => Order::Last,
                _ => Order::Random(random.random()),
            };
            // Longer paths are a part of the spread only.
            let length = if attempt % 2 == 0 { shortest } else { length };
            walk.run(from, length, 1, limit);
            spread.extend(walk.found.pop());
        }
        spread.into_iter().collect()
    }
}

#[derive(Clone, Copy)]
enum Order {
    First,
    Last,
    Random(u64),
}

struct Walk<'w, 'a> {
    routes: &'w mut Routes<'a>,
    found: Vec<Vec<u32>>,
    path: Vec<u32>,
    order: Order,
    steps: usize,
}

impl Walk<'_, '_> {
    fn run(&mut self, from: Node, length: u32, most: usize, limit: usize) {
        self.routes.on_path[from.index()] = true;
        self.extend(from, length, most, limit);
        self.routes.on_path[from.index()] = false;
        self.routes.looks += self.steps as u64;
    }

    /// Depth of the recursion: the length of a path.
    fn extend(&mut self, at: Node, left: u32, most: usize, limit: usize) {
        let lanes = self.routes.lanes;
        let list = &lanes.out[at.index()];
        let shift = match &mut self.order {
            Order::First | Order::Last => 0,
            Order::Random(state) => {
                *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (*state >> 33) as usize
            }
        };
        for i in 0..list.len() {
            if self.found.len() >= most || self.steps >= limit {
                return;
            }
            self.steps += 1;
            let lane = match self.order {
                Order::Last => list[list.len() - 1 - i],
                _ => list[(i + shift) % list.len()],
            };
            let next = lanes.ends[lane as usize].1;
            let distance = self.routes.distance[next.index()];
            if left == 0 || distance == u32::MAX || distance > left - 1 || self.routes.on_path[next.index()] {
                continue;
            }
            self.path.push(lane);
            if distance == 0 {
                self.found.push(self.path.clone());
            } else if self.routes.problem.path_passes(next) {
                self.routes.on_path[next.index()] = true;
                self.extend(next, left - 1, most, limit);
                self.routes.on_path[next.index()] = false;
            }
            self.path.pop();
        }
    }
}
