//! **What:** the paths that the searches of a folding choose from, listed once for all of them.

use super::lanes::Lanes;
use super::routes::Routes;
use kernel::{Message, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::ops::Range;

/// Some paths of each message, in random order.
pub(super) struct Choices {
    /// Shortest length of each message.
    pub lengths: Vec<u32>,
    /// Where the paths of each message begin; one more than messages.
    starts: Vec<u32>,
    /// Where the lanes and the resources of each path begin; one more than paths.
    ends: Vec<(u32, u32)>,
    lanes: Vec<u32>,
    resources: Vec<u32>,
}

/// Lanes and resources of all paths together, at most.
const MOST_ENTRIES: usize = 1 << 25;

impl Choices {
    /// `None` where a message has no path, memory would not suffice, or the budget ends.
    pub fn new(
        (problem, lanes): (&Problem, &Lanes),
        messages: &[Message],
        (slack, most): (u32, usize),
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let collective = problem.collective();
        // Messages for one destination together, so that distances are found once.
        let mut order: Vec<u32> = (0u32..).zip(messages).map(|(i, _)| i).collect();
        let destination = |i: u32| collective.destinations(messages[i as usize])[0];
        order.sort_by_key(|&i| (destination(i), i));
        let mut routes = Routes::new(problem, lanes);
        let mut lists: Vec<Vec<Vec<u32>>> = vec![Vec::new(); messages.len()];
        let mut lengths = vec![0; messages.len()];
        let mut entries = 0;
        for item in order {
            let (from, to) = (collective.origin(messages[item as usize]), destination(item));
            let looks = routes.looks;
            let mut found = routes.find(from, to, slack, most, random);
            for i in (1..found.len()).rev() {
                found.swap(i, random.random_range(0..=i));
            }
            entries += found.iter().map(Vec::len).sum::<usize>();
            if found.is_empty() || entries > MOST_ENTRIES || !budget.spend(routes.looks - looks) {
                return None;
            }
            lengths[item as usize] = routes.distance(from, to)?;
            lists[item as usize] = found;
        }
        let mut choices =
            Choices { lengths, starts: vec![0], ends: vec![(0, 0)], lanes: Vec::new(), resources: Vec::new() };
        for path in lists.into_iter().map(|list| list.into_iter()) {
            for path in path {
                choices.lanes.extend(&path);
                lanes.resources(&path, |r| choices.resources.push(r));
                choices
                    .ends
                    .push((u32::try_from(choices.lanes.len()).ok()?, u32::try_from(choices.resources.len()).ok()?));
            }
            choices.starts.push(u32::try_from(choices.ends.len() - 1).ok()?);
        }
        Some(choices)
    }

    /// The paths of a message, by its place in the list.
    pub fn paths(&self, item: usize) -> Range<u32> {
        self.starts[item]..self.starts[item + 1]
    }

    /// Messages.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    pub fn lanes(&self, path: u32) -> &[u32] {
        &self.lanes[self.ends[path as usize].0 as usize..self.ends[path as usize + 1].0 as usize]
    }

    pub fn resources(&self, path: u32) -> &[u32] {
        &self.resources[self.ends[path as usize].1 as usize..self.ends[path as usize + 1].1 as usize]
    }
}
