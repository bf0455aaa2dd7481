//! **What:** the method `timed-rotation`: machines of a network send to each other in rotation, and spread what comes inside.
//!
//! **Idea.** Terminals joined by wider channels than lead from one such group to another are machines (`graph::machines`), whatever the network is called and however it is numbered.
//! A chunk for all comes into each machine once, and spreads there. In round r every machine sends to the r-th after it, so that no two are in each other's way at a NIC;
//! inside, the next round is on its way while the last one spreads. What comes in is spread over the channels of its receiver, so that little is left after the last
//! round. Chunks that are merged do the same backwards in time. Alltoall goes in rotation of machines, and of the terminals of two machines among themselves. Which channels are used is a
//! matter of prices, as in `timed-trees`, so lost links and machines of different sizes are no special cases; transfers begin by the same list scheduling, once.
//! Where not every machine has something for many others (broadcast), chunks go from machine to machine in the fewest rounds (module `stream`).
//!
//! **Loses:** where several rounds of trees would balance channels better than one, and where chunks are few for the depth of trees.
//!
//! **Source:** rotations as in the pairwise exchange of MPI libraries (Thakur, Rabenseifner and Gropp 2005); hierarchy as in Sanders and Träff (2002); rounds of blocks as in
//! Träff (2023).

use super::begun::Begun;
use super::composition::{ENOUGH, backwards, one_after_another};
use super::leaving::leaving;
use super::list::{InStep, Order};
use super::net::{Net, Nets};
use super::spread::Spread;
use super::stream::{Entry, Rails, Stream, streams};
use super::tasks::Tasks;
use super::trees::{Packing, Tree};
use super::{Demand, declines, demands, list, rounds, written};
use graph::machines::Groups;
use kernel::timed::{TimedClaim, TimedProblem};
use kernel::{Channel, Node, Op, Semantics};
use run::{ONE_LOOK, Run, TimedMethod};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How urgent is what is alike but for the hops behind it.
const HOPS: u64 = 1 << 12;
/// Terminals from which on other methods make few schedules in time.
pub(super) const MANY: usize = 129;
/// The chunks that streams to so many begin with.
const FIRST_OF_MANY: u32 = 128;
/// What is tried, and of that in a look, or where nothing is both merged and copied. Among many terminals the manner is taken whose trees are balanced best.
const MANNERS: [Manner; 4] = [
    Manner { alpha: 1.0, spread: Spread::HandedOn, in_waves: false },
    Manner { alpha: 16.0, spread: Spread::HandedOn, in_waves: true },
    Manner { alpha: 16.0, spread: Spread::HandedOn, in_waves: false },
    Manner { alpha: 4.0, spread: Spread::HandedOn, in_waves: true },
];
const IN_A_LOOK: usize = 2;
/// What is tried for streams: high prices soon leave a channel for others that are as fast, so that what is urgent is not kept waiting. Among many terminals the first alone is tried.
const OF_STREAMS: [Manner; 2] = [
    Manner { alpha: 16.0, spread: Spread::HandedOn, in_waves: false },
    Manner { alpha: 4.0, spread: Spread::Directly, in_waves: false },
];
/// Loads so near to the bound are balanced.
const BALANCED: f64 = 1.02;

/// How trees are found, and in which order chunks go.
struct Manner {
    /// How fast prices grow with loads.
    alpha: f64,
    spread: Spread,
    /// Whether one chunk of every root goes all rounds before the next ones: so some are merged while others still are on their way, and can be copied.
    in_waves: bool,
}

/// The method.
pub struct TimedRotation;

impl TimedMethod for TimedRotation {
    fn name(&self) -> &'static str {
        "timed-rotation"
    }

    fn about(&self) -> &'static str {
        "machines, found in the network, send to each other in rotation and distribute what arrives inside"
    }

    fn source(&self) -> &'static str {
        "Thakur, Rabenseifner and Gropp 2005; Sanders and Träff 2002; Träff 2023"
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        if let Some(why) = declines(problem) {
            return Some(why.into());
        }
        let none = Groups::of(problem).is_none();
        none.then(|| "no narrower channels part the network into machines".into())
    }

    /// Where others have the time to do better, it has less.
    fn share_of_time(&self, problem: &TimedProblem) -> f64 {
        if are_many(problem) { 1.0 } else { 0.5 }
    }

    /// Where others take long, it may; and streams lose less the more chunks they have.
    fn most_deliveries(&self, problem: &TimedProblem) -> u64 {
        match problem.network().terminals().len() {
            MANY.. => 600_000,
            _ if is_stream(problem) => 300_000,
            _ => 30_000,
        }
    }

    /// Of what several merge for several, every rank has a part.
    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        super::ranks_with_parts(problem)
    }

    /// Among many terminals each number of chunks takes long, and streams of few lose several times as much as their bounds.
    fn doubles_from(&self, problem: &TimedProblem) -> Option<u32> {
        let is_long = are_many(problem) && super::ranks_with_parts(problem) == 1;
        (is_long && is_stream(problem)).then_some(FIRST_OF_MANY)
    }

    /// What was found once is made shorter afterwards.
    fn looks_first(&self, problem: &TimedProblem) -> bool {
        !are_many(problem)
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        let groups = Groups::of(problem).filter(|_| declines(problem).is_none())?;
        let nets = Nets::new(problem);
        let demands = demands(problem);
        let is_stream = has_few_roots(&demands, &groups);
        let (merged, copied): (Vec<Demand>, Vec<Demand>) = demands.into_iter().partition(|one| one.merged);
        let are_halves = !merged.is_empty() && !copied.is_empty();
        let half = if are_halves { floor.div_ceil(2) } else { floor };
        let are_many = are_many(problem);
        let is_a_look = are_many || run.settings.ticks == ONE_LOOK;
        let tried: Vec<&[Manner]> = match (is_stream, are_many) {
            (true, true) => vec![&OF_STREAMS[..1]],
            (true, false) => OF_STREAMS.chunks(1).collect(),
            (false, true) => vec![&MANNERS[..IN_A_LOOK]],
            (false, false) if is_a_look || !are_halves => MANNERS.chunks(1).take(IN_A_LOOK).collect(),
            (false, false) => MANNERS.chunks(1).collect(),
        };
        let mut best: Option<Begun> = None;
        for manners in tried {
            let begun = |demands: &[Demand]| begun(problem, &nets, &groups, demands, manners, half, run);
            let Some(away) = begun(&copied) else { break };
            let inwards = backwards(problem, &away).or_else(|| Some(begun(&merged)?.turned()));
            let Some(inwards) = inwards else { break };
            let found = one_after_another(&nets, inwards, away, floor, run);
            let is_enough = found.end() as f64 <= floor as f64 * ENOUGH;
            best = best.filter(|best| best.end() <= found.end()).or(Some(found));
            if is_enough {
                break;
            }
        }
        let best = best?;
        Some(written(&if is_a_look { best } else { rounds::shorter(&nets, best, floor, run) }).into())
    }
}

/// Whether a schedule takes long.
fn are_many(problem: &TimedProblem) -> bool {
    problem.network().terminals().len() >= MANY
}

/// Whether a problem's chunks are streams of few roots.
fn is_stream(problem: &TimedProblem) -> bool {
    Groups::of(problem).is_some_and(|groups| has_few_roots(&demands(problem), &groups))
}

/// Whether only some machines have something for many others.
fn has_few_roots(demands: &[Demand], groups: &Groups) -> bool {
    let several = demands.iter().filter(|demand| demand.to.len() > 1);
    let roots: BTreeSet<usize> = several.filter_map(|demand| groups.group(demand.from)).collect();
    (1..groups.count()).contains(&roots.len())
}

/// The trees of demands, all of them away from their roots, on the network turned round where they are merged, in the manner that balances them best.
fn begun(
    problem: &TimedProblem,
    nets: &Nets<'_>,
    groups: &Groups,
    demands: &[Demand],
    manners: &[Manner],
    floor: u64,
    run: &Run<'_>,
) -> Option<Begun> {
    let Some(first) = demands.first() else { return Some(Begun::default()) };
    let net = nets.of(first.merged);
    let rails = Rails::new(net, groups);
    let streams = match has_few_roots(demands, groups) {
        true => streams(demands, groups, &rails),
        false => BTreeMap::new(),
    };
    let mut best: Option<(f64, Vec<Tree>, &Manner)> = None;
    for manner in manners {
        let mut packing = Packing::new(nets, floor.max(1) as f64, 0.0);
        let streamed = (!streams.is_empty()).then_some((&streams, &rails, manner.spread));
        let trees = trees(&mut packing, net, groups, demands, streamed, manner.alpha, run)?;
        let load = packing.largest();
        best = best.filter(|(least, ..)| *least <= load).or(Some((load, trees, manner)));
        if load <= BALANCED {
            break;
        }
    }
    let (_, trees, manner) = best?;
    begun_trees(problem, net, groups, (demands, &trees), &streams, manner.in_waves, run)
}

/// Trees begun by the list.
fn begun_trees(
    problem: &TimedProblem,
    net: &Net<'_>,
    groups: &Groups,
    (demands, trees): (&[Demand], &[Tree]),
    streams: &BTreeMap<usize, Stream>,
    in_waves: bool,
    run: &Run<'_>,
) -> Option<Begun> {
    let copies = problem.collective().semantics() == Semantics::Copy;
    let numbers = numbers(demands);
    let most = numbers.iter().copied().max().unwrap_or(0);
    let (mut tasks, mut urgent) = (Tasks::default(), Vec::new());
    for (at, (demand, tree)) in demands.iter().zip(trees).enumerate() {
        let op = if demand.merged || copies { Op::Reduce } else { Op::Copy };
        let waves_after = if in_waves { most - numbers[at] } else { 0 };
        // Merged ones are turned when they have been begun.
        tasks.add(net, demand.message, op, tree, false);
        urgent.extend(urgency(groups, demand, tree, streams.get(&at), waves_after, |at| {
            let path = &tree[at].path;
            [net.network.from(path[0]), net.network.to(path[path.len() - 1])]
        }));
    }
    let behind = in_rounds(net, groups, trees, streams);
    // Between machines channels are to be in use all the time; inside, those of a round take turns at the ports of switches.
    let group = |v: Node| groups.group(v);
    let ends = |path: &[Channel]| [net.network.from(path[0]), net.network.to(path[path.len() - 1])].map(group);
    let through_switches = |path: &[Channel]| path.len() > 1 && ends(path)[0] == ends(path)[1];
    let stepped: Vec<bool> = tasks.0.iter().map(|one| through_switches(&one.way.path)).collect();
    let in_step = if streams.is_empty() { InStep::None } else { InStep::These(&stepped) };
    let order = Order { behind: &behind, in_step, ..Order::fixed(&urgent) };
    let begun = list::begin(net, &mut tasks, order, None, run)?;
    Some(Begun { tasks, begun })
}

/// Of every transfer, those that follow it by the channels between machines that it takes, in the order of the rounds: where one that is early
/// went before one that is late, whoever waits for that one would be late as well.
fn in_rounds(net: &Net<'_>, groups: &Groups, trees: &[Tree], streams: &BTreeMap<usize, Stream>) -> Vec<Vec<usize>> {
    let group = |v: Node| groups.group(v);
    // Of each channel, rounds and the transfers that take it in them.
    let mut lines: BTreeMap<Channel, Vec<(usize, usize)>> = BTreeMap::new();
    let mut count = 0;
    for (at, tree) in trees.iter().enumerate() {
        for (transfer, hop) in (count..).zip(tree) {
            let between = |c: &Channel| group(net.network.from(*c)) != group(net.network.to(*c));
            let ends = [net.network.from(hop.path[0]), net.network.to(hop.path[hop.path.len() - 1])].map(group);
            if ends[0] == ends[1] {
                continue;
            }
            let is_it = |entry: &&Entry| [Some(entry.from), Some(entry.group)] == ends;
            // Ways through third machines have no rounds.
            if let Some(entry) = streams.get(&at).and_then(|stream| stream.entries.iter().find(is_it)) {
                let ways = hop.path.iter().filter(|c| between(c));
                ways.for_each(|c| lines.entry(*c).or_default().push((entry.round, transfer)));
            }
        }
        count += tree.len();
    }
    let mut behind = vec![Vec::new(); count];
    for line in lines.values_mut() {
        line.sort_unstable();
        line.windows(2).for_each(|pair| behind[pair[0].1].push(pair[1].1));
    }
    behind
}

/// How urgent the transfers of a tree are: those of early rounds first.
fn urgency(
    groups: &Groups,
    demand: &Demand,
    tree: &Tree,
    stream: Option<&Stream>,
    waves_after: usize,
    ends: impl Fn(usize) -> [Node; 2],
) -> Vec<u64> {
    let sizes = groups.largest() as u64;
    let mut urgent = vec![0u64; tree.len()];
    let mut below = vec![0u64; tree.len()];
    // Later hops stand behind those that bring them the chunk.
    for at in (0..tree.len()).rev() {
        let [from, to] = ends(at);
        let group = groups.group(to);
        let left = match stream {
            Some(stream) => stream.rounds - stream.round(group),
            None => (1 + waves_after) * groups.count() - group.map_or(0, |group| groups.after(demand.from, group)),
        };
        let turn = match &demand.to[..] {
            &[only] => groups.places_after(demand.from, only) as u64,
            _ if groups.group(from) == groups.group(to) => groups.places_after(from, to) as u64,
            _ => 0,
        };
        let own = (left as u64 * sizes + sizes - turn) * HOPS + below[at].min(HOPS - 1);
        // What others wait for is as urgent as they are.
        urgent[at] = urgent[at].max(own);
        if let Some(after) = tree[at].after {
            urgent[after] = urgent[after].max(urgent[at].saturating_add(1));
            below[after] = below[after].max(below[at] + 1);
        }
    }
    urgent
}

/// How many chunks of the same root for several are before each.
fn numbers(demands: &[Demand]) -> Vec<usize> {
    let mut seen: HashMap<Node, usize> = HashMap::new();
    let number = |demand: &Demand| {
        let before = seen.entry(demand.from).or_insert(0);
        *before += usize::from(demand.to.len() > 1);
        before.saturating_sub(1)
    };
    demands.iter().map(number).collect()
}

/// A tree for every demand.
fn trees(
    packing: &mut Packing<'_>,
    net: &Net<'_>,
    groups: &Groups,
    demands: &[Demand],
    streamed: Option<(&BTreeMap<usize, Stream>, &Rails, Spread)>,
    alpha: f64,
    run: &Run<'_>,
) -> Option<Vec<Tree>> {
    let mut trees: Vec<Tree> = vec![Tree::new(); demands.len()];
    let mut chains: HashMap<Node, Vec<usize>> = HashMap::new();
    let leaving = leaving(net, groups);
    let mut order = Vec::new();
    for (at, (demand, number)) in demands.iter().zip(numbers(demands)).enumerate() {
        match demand.to.len() {
            0 => {}
            1 => chains.entry(demand.from).or_default().push(at),
            _ => order.push((groups.group(demand.from), number, leaving[demand.from.index()], at)),
        }
    }
    // A chunk of each terminal of a machine, then the next ones, so that its ways into others fill alike; those first that can leave it at once, so that these do not all enter by the same ways.
    order.sort_unstable();
    // What streams carry between machines comes first: no other channels can take it.
    if let Some((streams, rails, _)) = streamed {
        for (.., at) in &order {
            if run.stopped() {
                return None;
            }
            if let Some(stream) = streams.get(at) {
                trees[*at] = packing.enter(&demands[*at], groups, (stream, rails), alpha);
            }
        }
    }
    for (.., at) in order {
        if run.stopped() {
            return None;
        }
        trees[at] = match streamed.filter(|(streams, ..)| streams.contains_key(&at)) {
            Some((.., spread)) => {
                packing.spread_from(&demands[at], groups, std::mem::take(&mut trees[at]), spread, alpha)
            }
            None => packing.grow_by_groups(&demands[at], groups, alpha),
        };
    }
    // Some of every root, then the next ones, all of them in rotation.
    for of_one in chains.values_mut() {
        of_one.sort_by_key(|at| {
            let (from, to) = (demands[*at].from, demands[*at].to[0]);
            (groups.group(to).map(|group| groups.after(from, group)), groups.places_after(from, to))
        });
    }
    let of_roots = chains.values().flat_map(|of_one| of_one.chunks(AT_ONCE).enumerate());
    let mut parts: Vec<(usize, &[usize])> = of_roots.collect();
    parts.sort_unstable();
    for (_, group) in parts {
        if run.stopped() {
            return None;
        }
        packing.fill(demands, group, alpha, &mut trees);
    }
    Some(trees)
}

/// Chains from one node that are searched for at once.
const AT_ONCE: usize = 16;
