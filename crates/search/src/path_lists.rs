//! **What:** lists of paths for messages of one destination: all of up to some length, or a spread of them.
//!
//! **Method.** Depth first along channels that leave enough hops for the distance that remains. Where there are too many paths, the
//! first and the last in the order of channels (on a numbered mesh they take one dimension after another) and random ones.

use crate::resources::Resources;
use graph::distances::{Way, distances};
use kernel::{Message, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::BTreeSet;
use std::ops::Range;

/// Which paths are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limits {
    /// Channels that a path may be longer than the shortest.
    pub slack: u32,
    /// Paths a message at most.
    pub most: usize,
}

/// Some paths of each message, in random order.
pub(crate) struct PathLists {
    /// Shortest length of each message.
    pub lengths: Vec<u32>,
    /// Where the paths of each message begin; one more than messages.
    starts: Vec<u32>,
    /// Where the lanes and the resources of each path begin; one more than paths.
    ends: Vec<(u32, u32)>,
    lanes: Vec<u32>,
    taken: Vec<u32>,
    /// Lanes that were looked at for them.
    pub looks: u64,
}

/// Lanes and resources of all paths together, at most.
const MOST_ENTRIES: usize = 1 << 25;

impl PathLists {
    /// `None` where a message has no path, memory would not suffice, or the budget ends.
    pub(crate) fn new(
        resources: &Resources<'_>,
        messages: &[Message],
        limits: Limits,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let collective = resources.problem.collective();
        // Messages for one destination together, so that distances are found once.
        let mut order: Vec<usize> = (0..messages.len()).collect();
        let destination = |i: usize| collective.destinations(messages[i])[0];
        order.sort_by_key(|&i| (destination(i), i));
        let mut finder = PathFinder::new(resources);
        let mut lists: Vec<Vec<Vec<u32>>> = vec![Vec::new(); messages.len()];
        let mut lengths = vec![0; messages.len()];
        let mut entries = 0;
        for item in order {
            let (from, to) = (collective.origin(messages[item]), destination(item));
            let looks = finder.looks;
            let mut found = finder.find(from, to, limits, random);
            for i in (1..found.len()).rev() {
                found.swap(i, random.random_range(0..=i));
            }
            entries += found.iter().map(Vec::len).sum::<usize>();
            if found.is_empty() || entries > MOST_ENTRIES || !budget.spend(finder.looks - looks) {
                return None;
            }
            lengths[item] = finder.distance(from, to)?;
            lists[item] = found;
        }
        let (lanes, taken) = (Vec::new(), Vec::new());
        let mut all = PathLists { lengths, starts: vec![0], ends: vec![(0, 0)], lanes, taken, looks: finder.looks };
        for list in lists {
            for path in list {
                all.lanes.extend(&path);
                resources.taken_by(&path, |r| all.taken.push(r));
                all.ends.push((u32::try_from(all.lanes.len()).ok()?, u32::try_from(all.taken.len()).ok()?));
            }
            all.starts.push(u32::try_from(all.ends.len() - 1).ok()?);
        }
        Some(all)
    }

    /// The paths of a message, by its place in the list.
    pub(crate) fn paths(&self, item: usize) -> Range<u32> {
        self.starts[item]..self.starts[item + 1]
    }

    /// Messages.
    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The lanes of a path.
    pub(crate) fn lanes(&self, path: u32) -> &[u32] {
        &self.lanes[self.ends[path as usize].0 as usize..self.ends[path as usize + 1].0 as usize]
    }

    /// The resources that a path takes.
    pub(crate) fn taken(&self, path: u32) -> &[u32] {
        &self.taken[self.ends[path as usize].1 as usize..self.ends[path as usize + 1].1 as usize]
    }
}

/// Finds paths to one destination after another.
pub struct PathFinder<'a> {
    resources: &'a Resources<'a>,
    target: Option<Node>,
    distance: Vec<u32>,
    on_path: Vec<bool>,
    /// Lanes looked at so far.
    pub(crate) looks: u64,
}

impl<'a> PathFinder<'a> {
    /// For paths over these lanes.
    pub fn new(resources: &'a Resources<'a>) -> Self {
        let n = resources.out.len();
        PathFinder { resources, target: None, distance: Vec::new(), on_path: vec![false; n], looks: 0 }
    }

    /// Length of a shortest path; `None` where only relays lead to the destination.
    pub(crate) fn distance(&mut self, from: Node, to: Node) -> Option<u32> {
        if self.target != Some(to) {
            self.distance = distances(self.resources.problem, to, Way::Back, &mut Budget::unlimited())?;
            self.looks += self.resources.ends.len() as u64;
            self.target = Some(to);
        }
        Some(self.distance[from.index()]).filter(|d| *d != u32::MAX)
    }

    /// How many shortest paths lead from each node to `to`: none from where only relays lead there.
    pub fn shortest_counts(&mut self, to: Node) -> Vec<u64> {
        let n = self.resources.out.len();
        if self.distance(to, to).is_none() {
            return vec![0; n];
        }
        let mut order: Vec<usize> = (0..n).filter(|&v| self.distance[v] != u32::MAX).collect();
        order.sort_unstable_by_key(|&v| self.distance[v]);
        let mut counts = vec![0u64; n];
        counts[to.index()] = 1;
        for v in order.into_iter().filter(|&v| v != to.index()) {
            let next = self.resources.out[v].iter().map(|&lane| self.resources.ends[lane as usize].1);
            let nearer = next.filter(|w| self.distance[w.index()].checked_add(1) == Some(self.distance[v]));
            let passed = nearer.filter(|&w| w == to || self.resources.problem.path_passes(w));
            counts[v] = passed.fold(0, |sum, w| sum.saturating_add(counts[w.index()]));
        }
        counts
    }

    /// All paths from a node to another, at most `slack` channels longer than the shortest; `None` where they are more than
    /// `most`.
    pub fn all(&mut self, from: Node, to: Node, slack: u32, most: usize) -> Option<Vec<Vec<u32>>> {
        let Some(shortest) = self.distance(from, to) else { return Some(Vec::new()) };
        let mut walk = Walk { finder: self, found: Vec::new(), path: Vec::new(), order: Order::First, steps: 0 };
        walk.run(from, shortest.saturating_add(slack), most.saturating_add(1), usize::MAX);
        Some(walk.found).filter(|found| found.len() <= most)
    }

    /// Paths from a node to another: all within the limits, or as many of them as are allowed.
    pub fn find(&mut self, from: Node, to: Node, limits: Limits, random: &mut Pcg64Mcg) -> Vec<Vec<u32>> {
        let Limits { slack, most } = limits;
        let Some(shortest) = self.distance(from, to) else { return Vec::new() };
        let mut walk = Walk { finder: self, found: Vec::new(), path: Vec::new(), order: Order::First, steps: 0 };
        let length = shortest.saturating_add(slack);
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
    finder: &'w mut PathFinder<'a>,
    found: Vec<Vec<u32>>,
    path: Vec<u32>,
    order: Order,
    steps: usize,
}

impl Walk<'_, '_> {
    fn run(&mut self, from: Node, length: u32, most: usize, limit: usize) {
        self.finder.on_path[from.index()] = true;
        self.extend(from, length, most, limit);
        self.finder.on_path[from.index()] = false;
        self.finder.looks += self.steps as u64;
    }

    /// Depth of the recursion: the length of a path.
    fn extend(&mut self, at: Node, left: u32, most: usize, limit: usize) {
        let resources = self.finder.resources;
        let list = &resources.out[at.index()];
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
            let next = resources.ends[lane as usize].1;
            let distance = self.finder.distance[next.index()];
            if left == 0 || distance == u32::MAX || distance > left - 1 || self.finder.on_path[next.index()] {
                continue;
            }
            self.path.push(lane);
            if distance == 0 {
                self.found.push(self.path.clone());
            } else if resources.problem.path_passes(next) {
                self.finder.on_path[next.index()] = true;
                self.extend(next, left - 1, most, limit);
                self.finder.on_path[next.index()] = false;
            }
            self.path.pop();
        }
    }
}
