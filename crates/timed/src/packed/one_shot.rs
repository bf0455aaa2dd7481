//! **What:** the method `timed-one-shot`: reductions for several in which everybody sends its contribution to all, and these merge what arrives.
//!
//! **Idea.** Contributions that travel [apart](kernel::Transfer::partials) are messages that are copied: a schedule of allgather is one of allreduce. It takes the latency of one
//! way where merging and spreading take that of two, and n times the bytes.
//!
//! **Loses** where messages are large.
//!
//! **Source:** the one-shot allreduce of accelerator libraries; Chan, Heimlich, Purkayastha and van de Geijn (2007) for short vectors.

use super::begun::Begun;
use super::{TimedTrees, declines, demands, in_order, packed};
use kernel::timed::{TimedClaim, TimedProblem, TimedSchedule};
use kernel::{Message, Node, Op, Semantics, Transfer};
use run::{Run, TimedMethod};
use search::Contributions;
use std::collections::HashMap;

/// Most deliveries of contributions.
const MOST: u64 = 1 << 17;

/// The method.
pub struct TimedOneShot;

impl TimedMethod for TimedOneShot {
    fn name(&self) -> &'static str {
        "timed-one-shot"
    }

    fn about(&self) -> &'static str {
        "allreduce as allgather: every node merges all contributions"
    }

    fn source(&self) -> &'static str {
        "Chan, Heimlich, Purkayastha and van de Geijn 2007"
    }

    /// It wins for small vectors alone, in few chunks, which are made at once.
    fn share_of_time(&self, _: &TimedProblem) -> f64 {
        0.1
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        if collective.semantics() != Semantics::Reduce || !several {
            return Some("it is for reductions with several destinations only".into());
        }
        let ends = |m| collective.contributors(m).len() as u64 * collective.destinations(m).len() as u64;
        if collective.messages().map(ends).sum::<u64>() > MOST {
            return Some("the contributions are too many to be sent to all".into());
        }
        declines(problem).map(String::from)
    }

    fn looks_first(&self, _: &TimedProblem) -> bool {
        true
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        if TimedMethod::declines(self, problem).is_some() {
            return None;
        }
        let shares = Shares::of(problem)?;
        if TimedTrees.declines(&shares.problem).is_some() {
            return None;
        }
        let copies = packed(&shares.problem, &demands(&shares.problem), floor, run)?;
        Some(shares.merged(problem, &copies).into())
    }
}

/// The contributions as messages that are copied.
struct Shares {
    problem: TimedProblem,
    /// The chunk that each is a contribution to.
    chunk_of: Vec<Message>,
}

/// A contribution that comes to a node.
struct Came {
    tick: u64,
    /// Where it stands in the schedule.
    place: usize,
    share: Message,
}

impl Shares {
    fn of(problem: &TimedProblem) -> Option<Self> {
        let Contributions { copies, chunk_of } = Contributions::of(problem.collective())?;
        let (network, links) = (problem.network().clone(), problem.links().clone());
        let problem = TimedProblem::new(network, copies, false, links, problem.units()).ok()?;
        Some(Shares { problem, chunk_of })
    }

    /// The transfers of copies as those of the reduction.
    fn merged(&self, problem: &TimedProblem, Begun { tasks, begun }: &Begun) -> TimedSchedule {
        let (network, collective) = (problem.network(), problem.collective());
        let order = in_order(begun);
        let ends = |at: usize| {
            let path = &tasks.0[at].way.path;
            (network.from(path[0]), network.to(path[path.len() - 1]))
        };
        // Partial results of a chunk at a node are numbered as they come.
        let mut came: HashMap<(Message, Node), Vec<Came>> = HashMap::new();
        for (place, &at) in order.iter().enumerate() {
            let (share, tick) = (tasks.0[at].message, begun[at] + tasks.0[at].way.takes());
            came.entry((self.chunk_of[share.index()], ends(at).1)).or_default().push(Came { tick, place, share });
        }
        came.values_mut().for_each(|all| all.sort_unstable_by_key(|one| (one.tick, one.place)));
        let mut schedule = TimedSchedule::default();
        let mut last = None;
        for at in order {
            let (share, (from, to)) = (tasks.0[at].message, ends(at));
            let chunk = self.chunk_of[share.index()];
            let number = came.get(&(chunk, from)).and_then(|all| all.iter().position(|one| one.share == share));
            let partial = number.map_or(0, |number| number as u32 + 1);
            let op = if collective.destinations(chunk).contains(&to) { Op::Reduce } else { Op::Keep };
            if last.replace(begun[at]) != Some(begun[at]) {
                schedule.begin_step(begun[at]);
            }
            let path = &tasks.0[at].way.path;
            schedule.push(Transfer { messages: &[chunk], path, op, partials: &[partial] }, None, &[]);
        }
        schedule
    }
}
