//! **What:** the method `timed-one-shot`: reductions for several in which sums go to all who are to merge them at once.
//!
//! **Idea.** What travels [apart](kernel::Transfer::partials) is copied as a message is. Where everybody sends its contribution to all, a schedule of allgather is one of allreduce: it takes the latency of one
//! way where merging and spreading take that of two, and n times the bytes. Where machines do so with their sums (module `exchange`), the channels between them are crossed once, and only those
//! carry as many times the bytes as there are other machines.
//!
//! **Loses** where messages are large.
//!
//! **Source:** the one-shot allreduce of accelerator libraries; Chan, Heimlich, Purkayastha and van de Geijn (2007) for short vectors; hierarchy as in Sanders and Träff (2002).

use super::begun::Begun;
use super::crossing::Crossing;
use super::exchange::Exchange;
use super::net::{Net, Nets};
use super::{TimedTrees, declines, demands, in_order, packed, rounds};
use graph::machines::Groups;
use kernel::timed::{TimedClaim, TimedProblem, TimedSchedule};
use kernel::{Message, Node, Op, Semantics, Transfer};
use run::{Run, TimedMethod};
use search::Contributions;
use std::collections::{BTreeSet, HashMap};

/// Most deliveries of contributions, or of sums.
const MOST: u64 = 1 << 17;
/// Sums that take more than so many times the latency between machines take too long.
const SHORT: u64 = 8;

/// The method.
pub struct TimedOneShot;

impl TimedMethod for TimedOneShot {
    fn name(&self) -> &'static str {
        "timed-one-shot"
    }

    fn about(&self) -> &'static str {
        "allreduce as allgather: every node merges all contributions, or every machine the sums of all"
    }

    fn source(&self) -> &'static str {
        "Chan, Heimlich, Purkayastha and van de Geijn 2007"
    }

    /// Contributions of everybody win for small vectors alone, in few chunks, which are made at once; sums of machines win for larger ones.
    fn share_of_time(&self, problem: &TimedProblem) -> f64 {
        let is_narrow = |groups: Groups| Crossing::new(&Net::new(problem, false), &groups).is_narrow();
        if machines(problem).is_some_and(is_narrow) { 1.0 } else { 0.1 }
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        if collective.semantics() != Semantics::Reduce || !several {
            return Some("it is for reductions with several destinations only".into());
        }
        if contributions(problem) > MOST && machines(problem).is_none() {
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
        let by_machines = machines(problem).and_then(|groups| among_machines(problem, &groups, floor, run));
        let apart = contributions(problem) <= MOST && by_machines.as_ref().is_none_or(|best| best.may_be_slower);
        let of_all = if apart { from_everybody(problem, floor, run) } else { None };
        let best = by_machines.into_iter().chain(of_all).min_by_key(|one| one.begun.end())?;
        Some(best.written(problem).into())
    }
}

/// Deliveries where every contribution goes to all.
fn contributions(problem: &TimedProblem) -> u64 {
    let collective = problem.collective();
    let ends = |m| collective.contributors(m).len() as u64 * collective.destinations(m).len() as u64;
    collective.messages().map(ends).sum()
}

/// The machines that may exchange sums: those of all ranks, where all who contribute receive and no others, and where sums are neither too many nor too long.
fn machines(problem: &TimedProblem) -> Option<Groups> {
    let (network, collective) = (problem.network(), problem.collective());
    let of = |nodes: &[Node]| nodes.iter().copied().collect::<BTreeSet<Node>>();
    let all = of(network.terminals());
    let is_for_all = |m| of(collective.contributors(m)) == all && of(collective.destinations(m)) == all;
    let groups = Groups::of(problem)?;
    let sums = collective.message_count() as u64 * (groups.count() as u64).pow(2);
    let may_exchange = sums <= MOST && collective.messages().all(is_for_all);
    (may_exchange && Crossing::new(&Net::new(problem, false), &groups).is_short(SHORT)).then_some(groups)
}

/// Every machine sends its sums to all others.
fn among_machines(problem: &TimedProblem, groups: &Groups, floor: u64, run: &Run<'_>) -> Option<Apart> {
    let nets = Nets::new(problem);
    let Exchange { tasks, own } = Exchange::new(&nets, groups, floor, run)?;
    let crossing = Crossing::new(&nets.plain, groups);
    // In whatever chunks, sums take their latencies and the time in which they cross.
    let latencies = tasks.chains_of(|way| way.latency).into_iter().max().unwrap_or(0);
    let may_be_slower =
        latencies.saturating_add(crossing.sums) > crossing.latency.saturating_add(crossing.contributions);
    Some(Apart { begun: rounds::begin(&nets, &tasks, floor, run)?, own, may_be_slower })
}

/// Everybody sends its contribution to all.
fn from_everybody(problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<Apart> {
    let shares = Shares::of(problem)?;
    if TimedTrees.declines(&shares.problem).is_some() {
        return None;
    }
    let mut begun = packed(&shares.problem, &demands(&shares.problem), floor, run)?;
    let own = begun.tasks.0.iter().map(|one| one.inner.is_none()).collect();
    let network = problem.network();
    for one in &mut begun.tasks.0 {
        let to = network.to(one.way.path[one.way.path.len() - 1]);
        one.message = shares.chunk_of[one.message.index()];
        one.op = if problem.collective().destinations(one.message).contains(&to) { Op::Reduce } else { Op::Keep };
        one.after.extend(one.inner.take());
    }
    Some(Apart { begun, own, may_be_slower: false })
}

/// The contributions as messages that are copied.
struct Shares {
    problem: TimedProblem,
    /// The chunk that each is a contribution to.
    chunk_of: Vec<Message>,
}

impl Shares {
    fn of(problem: &TimedProblem) -> Option<Self> {
        let Contributions { copies, chunk_of } = Contributions::of(problem.collective())?;
        let (network, links) = (problem.network().clone(), problem.links().clone());
        let problem = TimedProblem::new(network, copies, false, links, problem.units()).ok()?;
        Some(Shares { problem, chunk_of })
    }
}

/// Transfers of sums that nodes keep apart: each carries those that it waits for.
struct Apart {
    begun: Begun,
    /// Whether each carries its sender's own contribution.
    own: Vec<bool>,
    /// Whether contributions of everybody may come sooner.
    may_be_slower: bool,
}

impl Apart {
    /// The transfers as those of the reduction; those that copy carry all that their senders have.
    fn written(&self, problem: &TimedProblem) -> TimedSchedule {
        let Begun { tasks, begun } = &self.begun;
        let network = problem.network();
        let order = in_order(begun);
        // Partial results of a chunk at a node are numbered as they come, after its own.
        let mut came: HashMap<(Message, Node), Vec<(u64, usize)>> = HashMap::new();
        for (place, &at) in order.iter().enumerate() {
            let one = &tasks.0[at];
            let to = network.to(one.way.path[one.way.path.len() - 1]);
            came.entry((one.message, to)).or_default().push((begun[at] + one.way.takes(), place));
        }
        let mut number = vec![0u32; tasks.0.len()];
        for all in came.values_mut() {
            all.sort_unstable();
            (1..).zip(all).for_each(|(count, (_, place))| number[order[*place]] = count);
        }
        let mut schedule = TimedSchedule::default();
        let mut last = None;
        for at in order {
            let one = &tasks.0[at];
            let own = self.own[at].then_some(0);
            let partials: Vec<u32> = match one.op {
                Op::Copy => Vec::new(),
                _ => own.into_iter().chain(one.after.iter().map(|before| number[*before])).collect(),
            };
            if last.replace(begun[at]) != Some(begun[at]) {
                schedule.begin_step(begun[at]);
            }
            let transfer = Transfer { messages: &[one.message], path: &one.way.path, op: one.op, partials: &partials };
            schedule.push(transfer, one.way.slowed, &[]);
        }
        schedule
    }
}
