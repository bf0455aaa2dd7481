//! **What:** schedules in time: trees of chunks packed to the bandwidths, then transfers begun one after the other.
//!
//! **Idea.** Every chunk gets a tree (a chain, where it has one destination) of transfers between terminals, by paths through switches. A price on each channel
//! grows with the work that trees already give it, so trees spread until no channel has more than the time that a bound says (module `trees`). What fits there by volume but not one after the other goes side by side (module `lanes`). Then
//! transfers are begun as soon as their sender holds the chunk and the channels have bandwidth left, those with most still to go first
//! (module `list`), forwards and backwards in turn, and trees are hung up anew where that lets a chunk come sooner (modules `rounds` and `others`), or wherever channels are as fast (module `rarest`). Chunks that are merged
//! come to one node by a tree of the network turned round; those that several are to have spread from there as soon as they are merged.
//!
//! **Loses:** the pipeline of each tree fills and empties, which costs some chunks' time along its depth; switches that copy are not used to copy; merging that takes
//! time, limited ports and half-duplex channels are not known. Prices know no time: that a channel into a far part of the network has nothing to send at first.
//!
//! **Source:** exponential prices as Shahrokhi and Matula (1990); trees of all roots as Zhao et al., "ForestColl" (2024); list scheduling, Graham (1966).

mod balance;
mod begun;
mod composition;
mod crossing;
mod exchange;
mod hung;
mod lanes;
mod list;
mod net;
mod one_shot;
mod others;
mod pipes;
mod places;
mod rarest;
mod rotation;
mod rounds;
mod spread;
mod stream;
mod tasks;
mod trees;
mod waves;

use begun::Begun;
pub use composition::TimedComposition;
use kernel::timed::{TimedClaim, TimedProblem, TimedSchedule};
use kernel::{Message, Node, Op, Ports, Semantics, Transfer};
use net::Nets;
pub use one_shot::TimedOneShot;
pub use rotation::TimedRotation;
use run::{ONE_LOOK, Run, TimedMethod};
use tasks::Tasks;
pub use waves::TimedWaves;

/// What depth costs in trees, at first and where the schedule is not near to its bound.
const DEPTHS: [f64; 3] = [0.2, 0.05, 20.0];
/// Of more transfers than these one schedule is made.
const TRANSFERS: usize = 100_000;
/// Of more none is made.
const MOST_TRANSFERS: u64 = 1 << 22;
/// So near to the bound is good enough.
const ENOUGH: f64 = 1.01;

/// A chunk that is to come from one node to others.
#[derive(Clone)]
struct Demand {
    message: Message,
    /// Whether the network is turned round, and the chunk is merged on its way to `from`.
    merged: bool,
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

    fn looks_first(&self, _: &TimedProblem) -> bool {
        true
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        if declines(problem).is_some() {
            return None;
        }
        Some(written(&packed(problem, &demands(problem), floor, run)?).into())
    }
}

fn declines(problem: &TimedProblem) -> Option<&'static str> {
    let (network, collective) = (problem.network(), problem.collective());
    if network.data().send_ports != Ports::All || network.data().receive_ports != Ports::All {
        return Some("it does not support limited ports");
    }
    if !network.half_duplex().is_empty() {
        return Some("it does not support half-duplex channels");
    }
    if collective.semantics() == Semantics::Reduce && problem.merging() > 0 {
        return Some("it does not support merging that takes time");
    }
    if collective.ends() > MOST_TRANSFERS {
        return Some("its trees would have too many transfers");
    }
    // One transfer after the other, each hop by itself, would come to so many ticks.
    let nodes = network.node_count() as u128;
    let busy = network.channels().map(|c| problem.duration_in_units(1, problem.bandwidth(c)));
    let longest = busy.map(|ticks| ticks.map_or(u128::MAX, u128::from)).max().unwrap_or(0);
    let farthest = network.channels().map(|c| u128::from(problem.latency(c))).max().unwrap_or(0);
    let transfers = u128::from(collective.deliveries()) + collective.message_count() as u128 * nodes;
    let all = longest.checked_add(farthest * nodes).and_then(|each| each.checked_mul(2 * transfers));
    all.is_none_or(|all| all > u128::from(u64::MAX / 4)).then_some("its times are too long for 64 bits")
}

/// How many ranks have a part each of a chunk that several merge for several; 1 for other messages.
#[must_use]
pub fn ranks_with_parts(problem: &TimedProblem) -> u32 {
    let collective = problem.collective();
    let ranks = collective.messages().next().map_or(1, |m| match collective.destinations(m).len() {
        0 | 1 => 1,
        several => several.min(collective.contributors(m).len()),
    });
    u32::try_from(ranks).unwrap_or(1)
}

/// Transfers of trees for all demands, with their beginnings.
fn packed(problem: &TimedProblem, demands: &[Demand], floor: u64, run: &Run<'_>) -> Option<Begun> {
    let nets = Nets::new(problem);
    let mut best: Option<Begun> = None;
    let depths = if run.settings.ticks == ONE_LOOK { &DEPTHS[..1] } else { &DEPTHS };
    for &depth in depths {
        let is_enough = |best: &Begun| best.end() as f64 <= floor as f64 * ENOUGH || best.tasks.0.len() > TRANSFERS;
        if best.as_ref().is_some_and(is_enough) {
            break;
        }
        let Some(trees) = trees::pack(&nets, demands, floor, depth, run) else { break };
        let mut tasks = Tasks::default();
        for (demand, tree) in demands.iter().zip(&trees) {
            let reduces = demand.merged || problem.collective().semantics() == Semantics::Copy;
            let op = if reduces { Op::Reduce } else { Op::Copy };
            tasks.add(&nets.plain, demand.message, op, tree, demand.merged);
        }
        lanes::share(&nets.plain, &mut tasks, floor);
        let Some(found) = rounds::begin(&nets, &tasks, floor, run) else { break };
        if best.as_ref().is_none_or(|best| found.end() < best.end()) {
            best = Some(found);
        }
    }
    best
}

/// A tree from the origin of every message that is copied; of every message that is merged, one to where it is merged and, if others want it, one from there.
fn demands(problem: &TimedProblem) -> Vec<Demand> {
    let collective = problem.collective();
    let demand = |message, merged, from: Node, to: &[Node]| Demand {
        message,
        merged,
        from,
        to: to.iter().copied().filter(|v| *v != from).collect(),
    };
    let mut demands = Vec::new();
    for message in collective.messages() {
        let destinations = collective.destinations(message).to_vec();
        if collective.semantics() == Semantics::Copy {
            demands.push(demand(message, false, collective.origin(message), &destinations));
            continue;
        }
        // The roots of chunks for several take turns.
        let root = destinations[message.index() % destinations.len()];
        demands.push(demand(message, true, root, collective.contributors(message)));
        if destinations.len() > 1 {
            demands.push(demand(message, false, root, &destinations));
        }
    }
    demands
}

/// The claim, in the order of ticks.
fn written(Begun { tasks, begun }: &Begun) -> TimedSchedule {
    let mut schedule = TimedSchedule::default();
    let mut last = None;
    for at in in_order(begun) {
        let one = &tasks.0[at];
        if last.replace(begun[at]) != Some(begun[at]) {
            schedule.begin_step(begun[at]);
        }
        schedule.push(Transfer { op: one.op, ..Transfer::new(&[one.message], &one.way.path) }, one.way.slowed, &[]);
    }
    schedule
}

/// Transfers by the tick at which they begin.
fn in_order(begun: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..begun.len()).collect();
    order.sort_by_key(|at| begun[*at]);
    order
}
