//! **What:** the paths a chromosome may choose from: for each pair of a sender and a receiver all shortest paths, and those
//! longer by no more than a slack, in flat arrays.
//!
//! **Facts:** on a hypercube two nodes at distance d have d! shortest paths; a 4×4 mesh has 744 of them in all and, as the
//! dissertation prints, 2784 with a slack of 2. Parallel channels are one lane, so they make no more paths.
//!
//! **Source:** the dissertation, section 6.1. Where all paths would be too many, so many a pair are drawn at random instead.

use super::Refusal;
use super::parameters::Tuning;
use kernel::{Node, Problem};
use rand_pcg::Pcg64Mcg;
use run::Budget;
use search::path_lists::{Limits, PathFinder};
use search::resources::Resources;
use std::ops::Range;

/// Paths drawn for each pair where all are too many.
const DRAWN: usize = 16;

/// The paths of all pairs.
pub(crate) struct PathStore<'a> {
    pub(super) resources: Resources<'a>,
    /// What each resource carries in a step.
    pub(super) capacity: Vec<u16>,
    /// The first path between two nodes and the one after the last: `nodes × nodes`.
    between: Vec<(u32, u32)>,
    ends: Vec<(u32, u32)>,
    /// Where the lanes and the resources of each path begin; one entry more than paths.
    begin: Vec<(u32, u32)>,
    lanes: Vec<u32>,
    taken: Vec<u32>,
}

impl<'a> PathStore<'a> {
    /// The paths of `pairs`, which must be distinct, longer than the shortest by `slack` channels at most; pairs without a
    /// path stay without one. Where all are too many and nothing was said of how many to draw, some are drawn.
    ///
    /// # Errors
    /// [`Refusal::Paths`] where there are more than may be stored, [`Refusal::Stopped`] where `stopped` says so before all are listed.
    pub(crate) fn new(
        problem: &'a Problem,
        mut pairs: Vec<(Node, Node)>,
        tuning: &Tuning,
        slack: u32,
        rng: &mut Pcg64Mcg,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        // Those for one receiver together, so that distances are found once.
        pairs.sort_unstable_by_key(|&(from, to)| (to, from));
        let drawn = |sample| Tuning { sample, ..*tuning };
        match Self::of_sorted(problem, &pairs, tuning, slack, rng, stopped) {
            Err(Refusal::Paths { .. }) if tuning.sample == 0 => {
                Self::of_sorted(problem, &pairs, &drawn(DRAWN), slack, rng, stopped)
            }
            known => known,
        }
    }

    fn of_sorted(
        problem: &'a Problem,
        pairs: &[(Node, Node)],
        tuning: &Tuning,
        slack: u32,
        rng: &mut Pcg64Mcg,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        let Tuning { sample, paths: most, .. } = *tuning;
        let nodes = problem.network().node_count();
        let resources = Resources::new(problem, &mut Budget::unlimited()).expect("the budget does not end");
        let mut store = PathStore {
            capacity: resources.capacity.iter().map(|&n| u16::try_from(n).unwrap_or(u16::MAX)).collect(),
            between: vec![(0, 0); nodes * nodes],
            ends: Vec::new(),
            begin: vec![(0, 0)],
            lanes: Vec::new(),
            taken: Vec::new(),
            resources,
        };
        if sample == 0 && store.shortest(pairs) > most as u64 {
            return Err(Refusal::Paths { most, slack });
        }
        let mut left = most;
        for pairs in pairs.chunk_by(|a, b| a.1 == b.1) {
            if stopped() {
                return Err(Refusal::Stopped);
            }
            let mut finder = PathFinder::new(&store.resources);
            let mut find = |&(from, to): &(Node, Node)| {
                let mut paths = match sample {
                    0 => finder.all(from, to, slack, left)?,
                    sample => finder.find(from, to, Limits { slack, most: sample }, rng),
                };
                left = left.checked_sub(paths.len())?;
                paths.sort_by_key(Vec::len);
                Some(paths)
            };
            let found: Option<Vec<_>> = pairs.iter().map(&mut find).collect();
            for ((from, to), paths) in pairs.iter().zip(found.ok_or(Refusal::Paths { most, slack })?) {
                let first = store.len();
                paths.iter().for_each(|path| store.push(path, (from.0, to.0)));
                store.between[from.index() * nodes + to.index()] = (first, store.len());
            }
        }
        Ok(store)
    }

    /// How many shortest paths these pairs have, those for one receiver together.
    fn shortest(&self, pairs: &[(Node, Node)]) -> u64 {
        let mut finder = PathFinder::new(&self.resources);
        pairs.chunk_by(|a, b| a.1 == b.1).fold(0, |sum, pairs| {
            let counts = finder.shortest_counts(pairs[0].1);
            pairs.iter().fold(sum, |sum: u64, (from, _)| sum.saturating_add(counts[from.index()]))
        })
    }

    fn push(&mut self, path: &[u32], ends: (u32, u32)) {
        let start = self.taken.len();
        self.resources.taken_by(path, |r| self.taken.push(r));
        let uses = &self.taken[start..];
        if (1..uses.len()).any(|k| uses[..k].contains(&uses[k])) {
            // Two channels of one half-duplex group: such a path can never be used.
            self.taken.truncate(start);
            return;
        }
        self.lanes.extend(path);
        self.begin.push((self.lanes.len() as u32, self.taken.len() as u32));
        self.ends.push(ends);
    }

    /// How many paths there are.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The ids of the paths between two nodes, shortest first.
    #[inline]
    pub(crate) fn between(&self, from: u32, to: u32) -> Range<u32> {
        let (first, end) = self.between[from as usize * self.resources.send.len() + to as usize];
        first..end
    }

    /// Sender and receiver of a path.
    #[inline]
    pub(crate) fn ends(&self, path: u32) -> (u32, u32) {
        self.ends[path as usize]
    }

    /// What a path uses.
    #[inline]
    pub(super) fn resources(&self, path: u32) -> &[u32] {
        &self.taken[self.begin[path as usize].1 as usize..self.begin[path as usize + 1].1 as usize]
    }

    /// Whether there is room for a path beside so many users of each resource.
    pub(super) fn fits(&self, path: u32, load: &[u16]) -> bool {
        self.resources(path).iter().all(|&r| load[r as usize] < self.capacity[r as usize])
    }

    /// The lanes of a path, in order.
    pub(crate) fn lanes(&self, path: u32) -> &[u32] {
        &self.lanes[self.begin[path as usize].0 as usize..self.begin[path as usize + 1].0 as usize]
    }
}
