//! **What:** the method `timed-waves`: chunks in waves along the same trees, where all transfers that use a channel at a time share its bandwidth evenly.
//!
//! **Idea.** Transfers that have channels to themselves wait for each other: one along several channels begins when all of them are free, and hardly any order keeps them all busy to the end.
//! Here nothing waits but for chunks. Trees for a few chunks of every origin are packed to the bandwidths (modules `trees` and `balance`), and all chunks follow in waves of so many, through
//! hops that share channels all the time (module `pipes`). A wave takes the time of the fullest channel, and the pipeline loses about one wave for each hop of the deepest tree, however many waves there are.
//! Of what several merge for several, chunks are on their way to their roots while others spread from there, so that what the one leaves of a channel serves the other.
//!
//! Waves may have several sizes, since channels carry whole chunks: of 1.9 that there is time for, one. Those are tried first in which nodes receive and send what they must soonest.
//!
//! **Loses:** where chunks are few, since trees are as deep as they are; where trees of a single root are deep, as in a broadcast among many machines.
//!
//! **Source:** periodic schedules in steady state, Beaumont, Legrand, Marchal and Robert (2005); trees as in `timed-trees`.

use super::balance::balance;
use super::begun::Begun;
use super::net::{Net, Nets};
use super::pipes::streamed;
use super::rotation::MANY;
use super::tasks::Tasks;
use super::trees;
use super::{Demand, declines, demands, ranks_with_parts, written};
use kernel::timed::{TimedClaim, TimedProblem};
use kernel::{Channel, Message, Node, Op, Semantics};
use run::{ONE_LOOK, Run, Settings, TimedMethod};
use std::collections::BTreeMap;
use std::time::Instant;

/// The more there are, the less the pipelines lose, and the larger a schedule is.
const MOST_TRANSFERS: u64 = 2_600_000;
/// Chunks of a rank to begin with: so many, or the most divided by the other, if that is less.
const FEWEST: u32 = 256;
const OF_MOST: u64 = 8;
/// Most chunks of an origin in a wave.
const LARGEST_WAVE: usize = 64;
/// Sizes of waves that are tried, and in a look.
const TRIES: usize = 6;
const IN_A_LOOK: usize = 1;
/// Hops of a tree, about.
const HOPS: usize = 2;
/// What depth costs in trees.
const DEPTH: f64 = 0.2;
/// A schedule is written and checked in so many times the time that its beginnings take.
const REST: f64 = 4.0;
/// So near to the bound is good enough.
const ENOUGH: f64 = 1.001;

/// The method.
pub struct TimedWaves;

impl TimedMethod for TimedWaves {
    fn name(&self) -> &'static str {
        "timed-waves"
    }

    fn about(&self) -> &'static str {
        "waves of chunks along the same trees, whose transfers share channels evenly"
    }

    fn source(&self) -> &'static str {
        "Beaumont, Legrand, Marchal and Robert 2005; Zhao et al. 2024"
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        declines(problem).map(String::from)
    }

    /// It is soon seen whether it is near to the fastest; if so, it goes on later. Where one wave has very many transfers, others come first.
    fn share_of_time(&self, problem: &TimedProblem) -> f64 {
        if problem.network().terminals().len() >= MANY { 0.0 } else { 0.3 }
    }

    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        ranks_with_parts(problem)
    }

    fn most_deliveries(&self, problem: &TimedProblem) -> u64 {
        // What several merge for several is sent twice.
        MOST_TRANSFERS / if ranks_with_parts(problem) > 1 { 2 } else { 1 }
    }

    fn doubles_from(&self, problem: &TimedProblem) -> Option<u32> {
        let most =
            self.most_deliveries(problem) / problem.collective().ends().max(1) / u64::from(ranks_with_parts(problem));
        Some(u32::try_from(most / OF_MOST).unwrap_or(u32::MAX).clamp(1, FEWEST))
    }

    fn looks_first(&self, _: &TimedProblem) -> bool {
        true
    }

    fn schedule(&self, problem: &TimedProblem, floor: u64, run: &Run<'_>) -> Option<TimedClaim> {
        let is_a_look = run.settings.ticks == ONE_LOOK;
        if declines(problem).is_some() || is_a_look && is_fine(problem, floor) {
            return None;
        }
        Some(written(&in_waves(&Nets::new(problem), &demands(problem), floor, run)?).into())
    }
}

/// Whether chunks are so fine that a latency is longer than the time in which each rank sends one of them to all: then it is latencies that count.
fn is_fine(problem: &TimedProblem, floor: u64) -> bool {
    let latency = problem.network().channels().map(|c| problem.latency(c)).max().unwrap_or(0);
    let chunks = u64::from(problem.collective().chunks()) / u64::from(ranks_with_parts(problem));
    floor / chunks.max(1) < latency
}

/// The transfers of all demands, with rates and beginnings.
fn in_waves(nets: &Nets<'_>, demands: &[Demand], floor: u64, run: &Run<'_>) -> Option<Begun> {
    let collective = nets.plain.problem.collective();
    // What is merged for the same others, and spreads to them, is in the same place of two groups that have as many chunks.
    let mut alike: BTreeMap<_, Vec<&Demand>> = BTreeMap::new();
    for demand in demands.iter().filter(|demand| !demand.to.is_empty()) {
        let ends = (collective.contributors(demand.message), collective.destinations(demand.message));
        alike.entry((demand.from, demand.merged, ends)).or_default().push(demand);
    }
    let groups: Vec<Vec<&Demand>> = alike.into_values().collect();
    let Some(most) = groups.iter().map(Vec::len).max() else { return Some(Begun::default()) };
    let of_all = |each| (least(&nets.plain, &groups, most, each), each);
    let mut sizes: Vec<(u64, usize)> = (1..=LARGEST_WAVE.min(most)).map(of_all).collect();
    sizes.sort_unstable();
    let tries = if run.settings.ticks == ONE_LOOK { IN_A_LOOK } else { TRIES };
    let mut best: Option<Begun> = None;
    // Seconds that a schedule takes from its trees to its checks, about.
    let mut rest = 0.0;
    // The fewest waves by which a schedule was longer than its loads. Others are taken to save no more than one of them, if their trees are flatter.
    let mut longer = f64::INFINITY;
    for (_, each) in sizes.into_iter().take(tries) {
        let least = floor as f64 * (1.0 + (longer - 1.0).max(0.0) * each as f64 / most as f64);
        if best.as_ref().is_some_and(|best| least >= best.end() as f64) {
            continue;
        }
        let in_first = |group: &Vec<&Demand>| in_a_wave(group, most, each);
        let of_a_wave: Vec<Demand> =
            groups.iter().flat_map(|group| group[..in_first(group)].iter().map(|demand| (*demand).clone())).collect();
        let time = (u128::from(floor) * each as u128 / most as u128) as u64;
        let part =
            run.part(Settings { seconds: run.seconds_left().map(|left| (left - rest).max(0.0)), ..run.settings });
        let Some(mut trees) = trees::pack(nets, &of_a_wave, time, DEPTH, &part) else { break };
        let load = balance(nets, &of_a_wave, &mut trees, time, each as f64 / most as f64, &part);
        if part.stopped() && best.is_some() {
            break;
        }
        let begun = Instant::now();
        // The chunks of a group take its trees in turn.
        let taken: Vec<Vec<Message>> = groups
            .iter()
            .flat_map(|group| {
                let trees = in_first(group);
                (0..trees).map(move |tree| group[tree..].iter().step_by(trees).map(|demand| demand.message).collect())
            })
            .collect();
        let (mut first, mut chunks) = (Tasks::default(), Vec::new());
        for ((demand, tree), taken) in of_a_wave.iter().zip(&trees).zip(&taken) {
            let reduces = demand.merged || collective.semantics() == Semantics::Copy;
            let op = if reduces { Op::Reduce } else { Op::Copy };
            first.add(&nets.plain, demand.message, op, tree, demand.merged);
            chunks.resize(first.0.len(), taken.as_slice());
        }
        let Some(found) = streamed(&nets.plain, first, &chunks) else { break };
        rest = REST * begun.elapsed().as_secs_f64();
        let is_enough = found.end() as f64 <= floor as f64 * ENOUGH;
        let waves = most as f64 / each as f64;
        longer = longer.min(waves * (found.end() as f64 / (load.max(1.0) * floor as f64) - 1.0).max(0.0));
        best = best.filter(|best| best.end() <= found.end()).or(Some(found));
        if is_enough {
            break;
        }
    }
    best
}

/// How many chunks of a group are in a wave that has so many of those with the most.
fn in_a_wave(group: &[&Demand], most: usize, each: usize) -> usize {
    (group.len() * each).div_ceil(most)
}

/// Ticks of all waves and of the pipeline before and after them, if channels into and out of nodes carry whole chunks, so many a wave of the groups with the most.
fn least(net: &Net<'_>, groups: &[Vec<&Demand>], most: usize, each: usize) -> u64 {
    let nodes = net.network.node_count();
    let (mut into, mut out) = (vec![0usize; nodes], vec![0usize; nodes]);
    for group in groups {
        let chunks = in_a_wave(group, most, each);
        let demand = group[0];
        let (at_root, at_others) = if demand.merged { (&mut into, &mut out) } else { (&mut out, &mut into) };
        at_root[demand.from.index()] += chunks;
        demand.to.iter().for_each(|to| at_others[to.index()] += chunks);
    }
    let of = |node: Node| {
        let network = &net.network;
        let into = ticks(net, network.incoming(node), into[node.index()] as u64);
        into.max(ticks(net, network.outgoing(node), out[node.index()] as u64))
    };
    let wave = net.network.terminals().iter().map(|node| of(*node)).max().unwrap_or(0);
    (u128::from(wave) * (most + HOPS * each) as u128 / each as u128).try_into().unwrap_or(u64::MAX)
}

/// Ticks in which some channels carry so many chunks, each of them whole.
fn ticks(net: &Net<'_>, channels: &[Channel], chunks: u64) -> u64 {
    let carried = |ticks: u64| channels.iter().map(|c| ticks / net.busy[c.index()].max(1)).sum::<u64>();
    let Some(fastest) = channels.iter().map(|c| net.busy[c.index()].max(1)).min().filter(|_| chunks > 0) else {
        return 0;
    };
    let (mut few, mut many) = (0, fastest.saturating_mul(chunks));
    while many - few > 1 {
        let half = few.midpoint(many);
        if carried(half) >= chunks { many = half } else { few = half }
    }
    many
}
