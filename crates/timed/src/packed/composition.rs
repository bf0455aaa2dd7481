//! **What:** the method `timed-composition`: allreduce as a reduce_scatter and an allgather, which overlap.
//!
//! **Idea.** Every rank merges an equal part of the vector and sends it to all. Where links limit, trees that are packed for each half alone balance the channels at once, which trees
//! for both together take many passes for. The allgather begins with what is merged first: the transfers of both are begun in the order in which one half after the other
//! would begin them. Where every channel has an opposite that is as fast, one half is the other run backwards.
//!
//! **Loses:** where trees up and down of one chunk by different channels are faster than any two halves, and where the latency of both halves counts.
//!
//! **Source:** R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH" (2005); trees as in `timed-trees`.

use super::begun::Begun;
use super::list::{self, Order};
use super::net::Nets;
use super::{Demand, declines, demands, packed, ranks_with_parts, written};
use kernel::timed::{TimedClaim, TimedProblem};
use kernel::{Channel, Node, Op};
use run::{Run, TimedMethod};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So near to the bound is good enough.
pub(super) const ENOUGH: f64 = 1.002;

/// The method.
pub struct TimedComposition;

impl TimedMethod for TimedComposition {
    fn name(&self) -> &'static str {
        "timed-composition"
    }

    fn about(&self) -> &'static str {
        "allreduce as a reduce_scatter and an allgather, each by packed trees, which overlap"
    }

    fn source(&self) -> &'static str {
        "Thakur, Rabenseifner and Gropp 2005; Zhao et al. 2024"
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        if ranks_with_parts(problem) == 1 {
            return Some("it makes allreduce".into());
        }
        declines(problem).map(String::from)
    }

    /// The more there are, the less the pipelines lose.
    fn most_deliveries(&self, _: &TimedProblem) -> u64 {
        200_000
    }

    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        ranks_with_parts(problem)
    }

    fn looks_first(&self, _: &TimedProblem) -> bool {
        true
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        if TimedMethod::declines(self, problem).is_some() {
            return None;
        }
        let (merged, copied): (Vec<Demand>, Vec<Demand>) = demands(problem).into_iter().partition(|one| one.merged);
        let half = floor.div_ceil(2);
        let away = packed(problem, &copied, half, run)?;
        let inwards = match backwards(problem, &away) {
            Some(inwards) => inwards,
            None => packed(problem, &merged, half, run)?,
        };
        Some(written(&one_after_another(&Nets::new(problem), inwards, away, floor, run)).into())
    }
}

/// A channel for each that leads the other way as fast, each of them once; `None` where there is none for some.
fn opposites(problem: &TimedProblem) -> Option<Vec<Channel>> {
    let network = problem.network();
    let measures = |c: Channel| (problem.bandwidth(c), problem.latency(c));
    let mut alike: BTreeMap<_, VecDeque<Channel>> = BTreeMap::new();
    for channel in network.channels() {
        alike.entry((network.from(channel), network.to(channel), measures(channel))).or_default().push_back(channel);
    }
    let opposite = |c: Channel| alike.get_mut(&(network.to(c), network.from(c), measures(c)))?.pop_front();
    network.channels().map(opposite).collect()
}

/// The half of an allreduce that is copied run backwards, on channels that lead the other way, so that it is merged; `None` where some channel has no opposite that is as
/// fast, or others contribute than receive.
pub(super) fn backwards(problem: &TimedProblem, copied: &Begun) -> Option<Begun> {
    let collective = problem.collective();
    let alike = |m| {
        let of = |nodes: &[Node]| nodes.iter().copied().collect::<BTreeSet<Node>>();
        of(collective.contributors(m)) == of(collective.destinations(m))
    };
    let is_mirrored = collective.runs().all(|run| alike(run.first));
    let opposites = opposites(problem).filter(|_| ranks_with_parts(problem) > 1 && is_mirrored)?;
    let mut merged = copied.clone().turned();
    for task in &mut merged.tasks.0 {
        task.op = Op::Reduce;
        task.way.path.iter_mut().for_each(|channel| *channel = opposites[channel.index()]);
    }
    Some(merged)
}

/// What is merged, then what is copied, each as soon as it is ready where that is faster.
pub(super) fn one_after_another(nets: &Nets<'_>, merged: Begun, copied: Begun, floor: u64, run: &Run<'_>) -> Begun {
    let overlaps = !merged.tasks.0.is_empty() && !copied.tasks.0.is_empty();
    let mut all = merged;
    let first = all.end();
    all.append(copied, first);
    let end = all.end();
    // One after the other, they leave channels idle between them.
    if overlaps && end as f64 > floor as f64 * ENOUGH {
        let urgent: Vec<u64> = all.begun.iter().map(|tick| end - tick).collect();
        let mut tasks = all.tasks.clone();
        if let Some(begun) = list::begin(nets.of(false), &mut tasks, Order::fixed(&urgent), None, run) {
            let sooner = Begun { tasks, begun };
            all = if sooner.end() < end { sooner } else { all };
        }
    }
    all
}
