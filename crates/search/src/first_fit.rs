//! **What:** first schedules: messages one after the other, each in the earliest steps that are free.

use crate::emit::Sent;
use crate::path_lists::{Limits, PathFinder};
use crate::resources::Resources;
use kernel::Message;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::cmp::Reverse;

/// Which steps of a resource are full, a bit each, and how often each step is taken.
#[derive(Clone, Default)]
struct Column {
    full: Vec<u64>,
    taken: Vec<u32>,
}

/// Steps while they are filled.
pub(crate) struct FirstFit<'a> {
    resources: &'a Resources<'a>,
    columns: Vec<Column>,
}

/// The shortest paths of a message.
struct Choice {
    message: usize,
    length: usize,
    paths: std::ops::Range<usize>,
}

/// Looks at a lane that take about as long as a tick, and that it takes about to find a path.
const LOOKS_A_TICK: u64 = 16;
const LOOKS_A_PATH: u64 = 256;

/// Counts looks in ticks.
fn spend(budget: &mut Budget<'_>, looks: u64, counted: &mut u64) -> bool {
    let ticks = (looks - *counted) / LOOKS_A_TICK;
    *counted += ticks * LOOKS_A_TICK;
    budget.spend(ticks)
}

impl<'a> FirstFit<'a> {
    /// Empty steps.
    pub(crate) fn new(resources: &'a Resources<'a>) -> Self {
        FirstFit { resources, columns: vec![Column::default(); resources.capacity.len()] }
    }

    /// The earliest step, not before one, in which a path is free.
    pub(crate) fn earliest(&self, path: &[u32], from: u32) -> u32 {
        let mut before = (1u64 << (from % 64)) - 1;
        for word in from / 64.. {
            let mut full = std::mem::take(&mut before);
            let at = |r: u32| self.columns[r as usize].full.get(word as usize).copied().unwrap_or(0);
            self.resources.taken_by(path, |r| full |= at(r));
            if full != u64::MAX {
                return word * 64 + full.trailing_ones();
            }
        }
        u32::MAX
    }

    /// Takes a path in a step.
    pub(crate) fn take(&mut self, path: &[u32], step: u32) {
        let (at, word) = (step as usize, step as usize / 64);
        self.resources.taken_by(path, |r| {
            let column = &mut self.columns[r as usize];
            column.taken.resize(column.taken.len().max(at + 1), 0);
            column.full.resize(column.full.len().max(word + 1), 0);
            column.taken[at] += 1;
            if column.taken[at] >= self.resources.capacity[r as usize] {
                column.full[word] |= 1 << (step % 64);
            }
        });
    }

    /// Every message on one of a few of its shortest paths, longest messages first, in the order of `open`. `None` where a
    /// message has no path of its own, or the budget ends.
    pub(crate) fn paths(
        mut self,
        open: &[Message],
        slack: u32,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Sent>> {
        let collective = self.resources.problem.collective();
        let ends = |m: Message| (collective.origin(m), collective.destinations(m)[0]);
        // Where there is little time for each message, it has few paths to choose from.
        let looks = budget.left().saturating_mul(LOOKS_A_TICK / 2) / open.len().max(1) as u64;
        let most = usize::try_from(looks / LOOKS_A_PATH).unwrap_or(usize::MAX);
        let limits = Limits { slack: slack.min(1), most: most.min((1 << 23) / open.len().max(1)).clamp(1, 8) };
        let mut finder = PathFinder::new(self.resources);
        let mut counted = 0;
        // Shortest paths one after the other, and where those of each message begin.
        let mut lanes: Vec<u32> = Vec::new();
        let mut choices: Vec<Choice> = Vec::with_capacity(open.len());
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_by_cached_key(|&i| ends(open[i]).1);
        for message in order {
            let (from, to) = ends(open[message]);
            let paths = finder.find(from, to, limits, random);
            if !spend(budget, finder.looks, &mut counted) {
                return None;
            }
            let (length, begin) = (paths.iter().map(Vec::len).min()?, lanes.len());
            paths.iter().filter(|path| path.len() == length).for_each(|path| lanes.extend(path));
            choices.push(Choice { message, length, paths: begin..lanes.len() });
        }
        choices.sort_by_cached_key(|choice| (Reverse(choice.length), choice.message));
        let mut looks = finder.looks;
        let mut all: Vec<Sent> = open.iter().map(|&message| Sent { step: 0, message, path: Vec::new() }).collect();
        for choice in choices {
            let mut best: Option<(u32, &[u32])> = None;
            for path in lanes[choice.paths].chunks(choice.length) {
                let step = self.earliest(path, 0);
                looks += path.len() as u64 * (u64::from(step) / 64 + 1);
                if best.is_none_or(|(least, _)| step < least) {
                    best = Some((step, path));
                }
            }
            let (step, path) = best.filter(|_| spend(budget, looks, &mut counted))?;
            self.take(path, step);
            let sent = &mut all[choice.message];
            (sent.step, sent.path) = (step, path.to_vec());
        }
        Some(all)
    }
}
