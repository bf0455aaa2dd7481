//! **What:** the numbers of chunks that are tried where the caller leaves them open.
//!
//! **Idea.** Many chunks fill pipelines, but a chunk is whole: a channel that has time for 7.9 of them carries 7. So where a bound says that some channels must
//! all be busy to the end, a number of chunks that suits their bandwidths loses nothing, and its neighbours lose several per cent. For each number the time is counted
//! in which those channels carry enough whole chunks; of the numbers between two powers of two, those that lose least are tried.

use kernel::timed::{CertifiedTimed, TimedProblem, TimedProof};
use kernel::{Channel, Node, Semantics};
use std::collections::BTreeSet;

/// Numbers that are tried of those between two powers of two.
const TRIED: usize = 2;
/// Numbers that are looked at of those between two powers of two.
const LOOKED_AT: u32 = 512;
/// A part of the longest time that is nearly all of it.
const NEARLY: f64 = 0.98;
/// Halvings of an interval of time.
const HALVINGS: u32 = 24;
/// A schedule so much faster is worth more chunks.
const WORTH: f64 = 0.998;
/// A schedule so much faster says that still more are.
const MUCH: f64 = 0.95;
/// Where numbers differ by what channels carry, so many may fail to be worth it in a row; twice as many chunks halve what they lose, and if that is not worth it, more are not.
const PATIENCE: u32 = 9;
/// A schedule so near to the bound of the most chunks is good enough.
pub(super) const ENOUGH: f64 = 1.002;

/// Numbers of chunks, as they go on being worth it: ascending, but for those between two powers of two, of which what loses least comes first.
pub(super) struct Numbers {
    left: std::vec::IntoIter<u32>,
    best: f64,
    failed: u32,
    /// Numbers that may fail to be worth it in a row.
    patience: u32,
    /// Whether more chunks have been much better, as far as is known.
    rises: bool,
}

impl Numbers {
    /// Multiples of a number, of so many chunks at most, such that one for each of them suits the bound of a problem posed in one chunk.
    pub(super) fn multiples_of(multiple: u32, most: u64, floor: &CertifiedTimed) -> Self {
        let sets = sets(floor.problem(), floor);
        let most = u32::try_from(most / u64::from(multiple)).unwrap_or(u32::MAX).max(1);
        let mut numbers = Vec::new();
        for power in 0..u32::BITS - most.leading_zeros() {
            let (first, last) = (1u32 << power, most.min((2 << power) - 1));
            let step = ((last - first) / LOOKED_AT).max(1) as usize;
            let mut octave: Vec<u32> = (first..=last).step_by(step).filter_map(|n| n.checked_mul(multiple)).collect();
            let lost = |chunks: u32| sets.iter().map(|set| set.lost(chunks)).fold(1.0, f64::max);
            octave.sort_by_cached_key(|chunks| (lost(*chunks / multiple) * 1e6) as u64);
            octave.truncate(TRIED);
            numbers.extend(octave);
        }
        Numbers::new(numbers, PATIENCE)
    }

    /// So many times a number, and twice as many again and again, of so many chunks at most.
    pub(super) fn doubling(multiple: u32, first: u32, most: u64) -> Self {
        let first = first.saturating_mul(multiple);
        let next = |chunks: &u32| chunks.checked_mul(2).filter(|chunks| u64::from(*chunks) <= most);
        Numbers::new(std::iter::successors(Some(first), next).collect(), 0)
    }

    fn new(numbers: Vec<u32>, patience: u32) -> Self {
        Numbers { left: numbers.into_iter(), best: f64::INFINITY, failed: 0, patience, rises: true }
    }

    /// The next one; `None` where more are too many, or not worth it.
    pub(super) fn next(&mut self) -> Option<u32> {
        self.left.next().filter(|_| self.failed <= self.patience)
    }

    /// Up to so many that come next if what is learnt of each is as of those before; none for which patience would be at an end.
    pub(super) fn ahead(&self, count: usize) -> Vec<u32> {
        let patience = (self.patience + 1).saturating_sub(self.failed) as usize;
        let mut left = self.left.as_slice();
        let mut ahead = Vec::new();
        while ahead.len() < count.min(patience)
            && let Some((next, others)) = left.split_first()
        {
            ahead.push(*next);
            left = if self.rises { &others[near(*next, others)..] } else { others };
        }
        ahead
    }

    /// Whether the last number was better than those before, or there was none.
    pub(super) fn gained(&self) -> bool {
        self.failed == 0
    }

    /// No more are to be tried.
    pub(super) fn end(&mut self) {
        self.failed = u32::MAX;
    }

    /// The largest of them.
    pub(super) fn most(&self) -> Option<u32> {
        self.left.as_slice().iter().max().copied()
    }

    /// What came of so many, where no number of chunks can come to less than a bound.
    pub(super) fn learn(&mut self, chunks: u32, micros: f64, bound: f64) {
        self.failed = if micros < self.best * WORTH { 0 } else { self.failed + 1 };
        // As long as more are much better, those next to it can be passed by.
        self.rises = micros < self.best * MUCH;
        if self.rises {
            let far = near(chunks, self.left.as_slice());
            self.left.by_ref().take(far).for_each(drop);
        }
        self.best = self.best.min(micros);
        if micros <= bound * ENOUGH {
            self.end();
        }
    }
}

/// How many of those that follow a number are less than half as large again.
fn near(chunks: u32, following: &[u32]) -> usize {
    following.iter().take_while(|next| u64::from(**next) * 2 < u64::from(chunks) * 3).count()
}

/// Channels that together need some time at least, in whatever chunks.
#[derive(PartialEq)]
struct Set {
    /// Messages that one of them carries in that time, where all are busy, and what each of them counts; ascending.
    channels: Vec<(f64, f64)>,
    /// That time, in units of a message at a unit of bandwidth.
    time: f64,
}

impl Set {
    /// The channels, each with what it counts for, and the messages, counted as often, that they must carry.
    fn new(problem: &TimedProblem, weights: impl Iterator<Item = (Channel, f64)>, messages: f64) -> Option<Self> {
        let all: Vec<(f64, f64)> = weights.map(|(c, weight)| (problem.bandwidth(c) as f64, weight)).collect();
        let total: f64 = all.iter().map(|(bandwidth, weight)| bandwidth * weight).sum();
        let share = |(bandwidth, weight)| (bandwidth * messages / total, weight);
        let mut channels: Vec<(f64, f64)> = all.into_iter().map(share).collect();
        channels.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        (total > 0.0 && messages > 0.0).then_some(Set { channels, time: messages / total })
    }

    /// How many times that time the set needs where messages are in so many chunks, each of them whole.
    fn lost(&self, chunks: u32) -> f64 {
        let chunks = f64::from(chunks);
        let wanted: f64 = self.channels.iter().map(|(messages, weight)| messages * weight * chunks).sum();
        let carried = |times: f64| -> f64 {
            self.channels.iter().map(|(messages, weight)| (messages * chunks * times + 1e-9).floor() * weight).sum()
        };
        let enough = |times: f64| carried(times) >= wanted * (1.0 - 1e-12) - 1e-6;
        if enough(1.0) {
            return 1.0;
        }
        let (mut few, mut many) = (1.0, 2.0);
        while !enough(many) {
            many *= 2.0;
        }
        for _ in 0..HALVINGS {
            let half = f64::midpoint(few, many);
            if enough(half) { many = half } else { few = half }
        }
        many
    }
}

/// The channels that the bound speaks of, and those into and out of every terminal, where these need nearly as long.
fn sets(problem: &TimedProblem, floor: &CertifiedTimed) -> Vec<Set> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut sets = Vec::new();
    match &floor.certificate().proof {
        TimedProof::LateCut { nodes } => {
            let inside: BTreeSet<Node> = nodes.iter().copied().collect();
            let leaves = |m| {
                collective.contributors(m).iter().any(|v| inside.contains(v))
                    && collective.destinations(m).iter().any(|v| !inside.contains(v))
            };
            let messages = collective.messages().filter(|m| leaves(*m)).count() as f64;
            let crosses = |c: &Channel| inside.contains(&network.from(*c)) && !inside.contains(&network.to(*c));
            sets.extend(Set::new(problem, network.channels().filter(crosses).map(|c| (c, 1.0)), messages));
        }
        TimedProof::Lengths { weights } => {
            let all =
                network.channels().zip(weights.iter()).map(|(c, w)| (c, w.numerator as f64 / w.denominator as f64));
            let used: Vec<(Channel, f64)> = all.filter(|(_, weight)| *weight > 0.0).collect();
            // What they carry in the time that is proved, which latencies lengthen a little.
            let rate: f64 = used.iter().map(|(c, weight)| problem.bandwidth(*c) as f64 * weight).sum();
            let message = problem.work(1).map_or(f64::INFINITY, |work| work as f64);
            sets.extend(Set::new(problem, used.into_iter(), rate * floor.ticks() as f64 / message));
        }
        TimedProof::Latency { .. } | TimedProof::PairCut { .. } | TimedProof::Argument { .. } => {}
    }
    if collective.semantics() == Semantics::Copy {
        let mut into = vec![0u64; network.node_count()];
        for message in collective.messages() {
            let others = collective.destinations(message).iter().filter(|to| **to != collective.origin(message));
            others.for_each(|to| into[to.index()] += 1);
        }
        for &node in network.terminals() {
            let into = into[node.index()] as f64;
            sets.extend(Set::new(problem, network.incoming(node).iter().map(|c| (*c, 1.0)), into));
        }
    }
    // Whoever needs a small part of the time may carry chunks as it likes.
    let longest = sets.iter().map(|set| set.time).fold(0.0, f64::max);
    let mut tight: Vec<Set> = Vec::new();
    for set in sets {
        if set.time > NEARLY * longest && !tight.contains(&set) {
            tight.push(set);
        }
    }
    tight
}
