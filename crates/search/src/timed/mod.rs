//! **What:** schedules in time: trees of chunks packed to the bandwidths, then transfers begun one after the other.
//!
//! **Idea.** Every chunk gets a tree (a chain, where it has one destination) of transfers between terminals, by paths through switches. A price on each channel
//! grows with the work that trees already give it, so trees spread until no channel has more than the time that a bound says (module `trees`). Then
//! transfers are begun as soon as their sender holds the chunk and the channels have bandwidth left, those with most still to go first
//! (module `list`). Chunks that are merged at one node are the same on the network turned round, run backwards; chunks that are merged and given to several
//! are merged at one of them and spread from there, one phase after the other.
//!
//! **Loses:** the pipeline of each tree fills and empties, which costs some chunks' time along its depth; switches that copy are not used to copy; merging that takes
//! time, limited ports and half-duplex channels are not known; merging and spreading do not overlap.
//!
//! **Source:** exponential prices as Shahrokhi and Matula (1990); trees of all roots as Zhao et al., "ForestColl" (2024); list scheduling, Graham (1966).

mod list;
mod net;
mod trees;

use kernel::timed::{TimedProblem, TimedSchedule};
use kernel::{Channel, Message, Node, Op, Ports, Semantics, Transfer};
use list::Begun;
use net::Net;
use run::{Run, TimedMethod};

/// A chunk that is to come from one node to others.
struct Demand {
    message: Message,
    from: Node,
    to: Vec<Node>,
}

/// Trees packed to the bandwidths, and transfers begun by events.
pub struct TimedTrees;

impl TimedMethod for TimedTrees {
    fn name(&self) -> &'static str {
        "timed-trees"
    }

    fn about(&self) -> &'static str {
        "trees of chunks packed to the bandwidths, transfers begun as soon as channels are free"
    }

    fn source(&self) -> &'static str {
        "Shahrokhi and Matula 1990; Zhao et al. 2024; Graham 1966"
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        declines(problem).map(String::from)
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedSchedule> {
        if declines(problem).is_some() {
            return None;
        }
        schedule(problem, floor, run)
    }
}

fn declines(problem: &TimedProblem) -> Option<&'static str> {
    let (network, collective) = (problem.network(), problem.collective());
    if network.data().send_ports != Ports::All || network.data().receive_ports != Ports::All {
        return Some("it knows no limited ports");
    }
    if !network.half_duplex().is_empty() {
        return Some("it knows no half-duplex channels");
    }
    if collective.semantics() == Semantics::Reduce && problem.merging() > 0 {
        return Some("it knows no merging that takes time");
    }
    // One transfer after the other, each hop by itself, would come to so many ticks.
    let nodes = network.node_count() as u128;
    let busy = network.channels().map(|c| problem.duration_in_units(1, problem.bandwidth(c)));
    let longest = busy.map(|ticks| ticks.map_or(u128::MAX, u128::from)).max().unwrap_or(0);
    let farthest = network.channels().map(|c| u128::from(problem.latency(c))).max().unwrap_or(0);
    let deliveries = u128::from(collective.deliveries()) + collective.message_count() as u128 * nodes;
    let all = longest.checked_add(farthest).and_then(|each| each.checked_mul(nodes * nodes)?.checked_mul(deliveries));
    all.is_none_or(|all| all > u128::from(u64::MAX / 4)).then_some("its times are too long for 64 bits")
}

fn schedule(problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedSchedule> {
    let collective = problem.collective();
    let copies = collective.semantics() == Semantics::Copy;
    let to_one = |m| collective.destinations(m).len() == 1;
    let demands = |roots: &dyn Fn(Message) -> Node, others: &dyn Fn(Message) -> Vec<Node>| -> Vec<Demand> {
        let demand = |message| {
            let from = roots(message);
            Demand { message, from, to: others(message).into_iter().filter(|v| *v != from).collect() }
        };
        collective.messages().map(demand).collect()
    };
    let destinations = |m: Message| collective.destinations(m).to_vec();
    if copies {
        let begun = begin(&Net::new(problem, false), &demands(&|m| collective.origin(m), &destinations), floor, run)?;
        return Some(written(problem, &begun, |_| Op::Copy));
    }
    let whole = collective.messages().all(to_one);
    // The roots of chunks for several take turns.
    let root = |m: Message| {
        let to = collective.destinations(m);
        to[m.index() % to.len()]
    };
    let share = if whole { floor } else { floor.div_ceil(2) };
    let merged = Net::new(problem, true);
    let contributors = |m: Message| collective.contributors(m).to_vec();
    let mut begun = backwards(begin(&merged, &demands(&root, &contributors), share, run)?);
    let merging = begun.len();
    if !whole {
        let end = begun.iter().map(|one| one.held).max().unwrap_or(0);
        let spread = begin(&Net::new(problem, false), &demands(&root, &destinations), share, run)?;
        begun.extend(spread.into_iter().map(|one| Begun { tick: one.tick + end, held: one.held + end, ..one }));
    }
    Some(written(problem, &begun, |at| if at < merging { Op::Reduce } else { Op::Copy }))
}

/// Trees for all demands, and when each of their transfers begins.
fn begin(net: &Net<'_>, demands: &[Demand], floor: u64, run: &Run<'_>) -> Option<Vec<Begun>> {
    let trees = trees::pack(net, demands, floor, run)?;
    list::begin(net, demands, &trees, run)
}

/// What was begun on the network turned round, run backwards: what was held at a tick begins as long before the end. Every use of a channel is
/// shifted by the channel's own latency, so they are as far apart as they were.
fn backwards(begun: Vec<Begun>) -> Vec<Begun> {
    let end = begun.iter().map(|one| one.held).max().unwrap_or(0);
    let turned = |one: Begun| {
        let path: Vec<Channel> = one.path.iter().rev().copied().collect();
        Begun { message: one.message, tick: end - one.held, held: end - one.tick, path }
    };
    begun.into_iter().map(turned).collect()
}

/// The claim, in the order of ticks.
fn written(problem: &TimedProblem, begun: &[Begun], op: impl Fn(usize) -> Op) -> TimedSchedule {
    let mut order: Vec<usize> = (0..begun.len()).collect();
    order.sort_by_key(|at| begun[*at].tick);
    let mut schedule = TimedSchedule::default();
    let mut last = None;
    let copies = problem.collective().semantics() == Semantics::Copy;
    for at in order {
        let one = &begun[at];
        if last.replace(one.tick) != Some(one.tick) {
            schedule.begin_step(one.tick);
        }
        let op = if copies { Op::Reduce } else { op(at) };
        schedule.push(Transfer { op, ..Transfer::new(&[one.message], &one.path) }, None, &[]);
    }
    schedule
}
