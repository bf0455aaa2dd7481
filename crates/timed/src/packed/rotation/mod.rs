//! **What:** the method `timed-rotation`: machines of a network send to each other in rotation, and spread what comes inside.
//!
//! **Idea.** Terminals joined by wider channels than lead from one such group to another are machines (`graph::machines`), whatever the network is called and however it is numbered.
//! A chunk for all comes into each machine once, and spreads there. In round r every machine sends to the r-th after it, so that no two are in each other's way at a NIC;
//! inside, the next round is on its way while the last one spreads. What comes in is spread over the channels of its receiver, so that little is left after the last
//! round. Chunks that are merged do the same backwards in time. Alltoall goes in rotation of machines, and of the terminals of two machines among themselves. Which channels are used is a
//! matter of prices, as in `timed-trees`, so lost links and machines of different sizes are no special cases; transfers begin by the same list scheduling, and
//! are made shorter in rounds, but not among very many terminals. In an allreduce chunks go in waves, so that the first are merged, and spread, while others are on their way.
//! Where not every machine has something for many others (broadcast), chunks go from machine to machine in the fewest rounds (module `stream`).
//!
//! **Loses:** where several rounds of trees would balance channels better than one, and where chunks are few for the depth of trees.
//!
//! **Source:** rotations as in the pairwise exchange of MPI libraries (Thakur, Rabenseifner and Gropp 2005); hierarchy as in Sanders and Träff (2002); rounds of blocks as in
//! Träff (2023).

mod begin;
mod leaving;
mod trees;

use super::begun::Begun;
use super::composition::{ENOUGH, backwards, one_after_another};
use super::net::Nets;
use super::rarest;
use super::spread::Spread;
use super::stream::{Rails, streams};
use super::trees::{Packing, Tree};
use super::{Demand, declines, demands, rounds, written};
use begin::begun_trees;
use graph::machines::Groups;
use kernel::timed::{TimedClaim, TimedProblem};
use leaving::leaving;
use run::{ONE_LOOK, Run, TimedMethod};
use std::collections::{BTreeMap, BTreeSet};
use trees::trees;

/// Terminals from which on other methods make few schedules in time.
pub(super) const MANY: usize = 129;
/// The chunks that streams to so many begin with.
const FIRST_OF_MANY: u32 = 128;
/// What is tried, and of that in a look, or where nothing is both merged and copied. Among many terminals the variant is taken whose trees are balanced best.
const VARIANTS: [Variant; 4] = [
    Variant { alpha: 1.0, spread: Spread::HandedOn, in_waves: false },
    Variant { alpha: 16.0, spread: Spread::HandedOn, in_waves: true },
    Variant { alpha: 16.0, spread: Spread::HandedOn, in_waves: false },
    Variant { alpha: 4.0, spread: Spread::HandedOn, in_waves: true },
];
const IN_A_LOOK: usize = 2;
/// What is tried for streams: high prices soon leave a channel for others that are as fast, so that what is urgent is not kept waiting. Among many terminals the first alone is tried.
const OF_STREAMS: [Variant; 2] = [
    Variant { alpha: 16.0, spread: Spread::HandedOn, in_waves: false },
    Variant { alpha: 4.0, spread: Spread::Directly, in_waves: false },
];
/// Loads so near to the bound are balanced.
const BALANCED: f64 = 1.02;

/// How trees are found, and in which order chunks go.
struct Variant {
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

    /// Where others take long, it may; and streams lose less the more chunks they have.
    fn most_deliveries(&self, problem: &TimedProblem) -> u64 {
        match problem.network().terminals().len() {
            MANY.. => 600_000,
            _ if is_stream(problem) => 300_000,
            _ => 60_000,
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

    /// What was found once is made shorter afterwards; but streams lose less the more chunks they have.
    fn looks_first(&self, problem: &TimedProblem) -> bool {
        !are_many(problem) && !is_stream(problem)
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
        let is_a_look = are_many || is_stream || run.settings.ticks == ONE_LOOK;
        let tried: Vec<&[Variant]> = match (is_stream, are_many) {
            (true, true) => vec![&OF_STREAMS[..1]],
            (true, false) => OF_STREAMS.chunks(1).collect(),
            (false, true) => vec![&VARIANTS[..IN_A_LOOK]],
            (false, false) if is_a_look || !are_halves => VARIANTS.chunks(1).take(IN_A_LOOK).collect(),
            (false, false) => VARIANTS.chunks(1).collect(),
        };
        let mut best: Option<Begun> = None;
        for variants in tried {
            let begun = |demands: &[Demand]| begun(problem, &nets, &groups, demands, variants, half, run);
            let Some(away) = begun(&copied) else { break };
            let inwards = away.iter().map(|away| backwards(problem, away)).collect::<Option<Vec<Begun>>>();
            let turned = || Some(begun(&merged)?.into_iter().map(Begun::turned).collect());
            let Some(inwards) = inwards.or_else(turned) else { break };
            // Which is shorter alone need not be where both overlap.
            let of = |halves: &[Begun], at: usize| halves[at.min(halves.len() - 1)].clone();
            for at in 0..away.len().max(inwards.len()) {
                let found = one_after_another(&nets, of(&inwards, at), of(&away, at), floor, run);
                best = best.filter(|best| best.end() <= found.end()).or(Some(found));
            }
            if best.as_ref().is_some_and(|best| best.end() as f64 <= floor as f64 * ENOUGH) {
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

/// The trees of demands, all of them away from their roots, on the network turned round where they are merged, in the variant that balances them best: as they are, and where that is shorter with the rarest chunks
/// first.
fn begun(
    problem: &TimedProblem,
    nets: &Nets<'_>,
    groups: &Groups,
    demands: &[Demand],
    variants: &[Variant],
    floor: u64,
    run: &Run<'_>,
) -> Option<Vec<Begun>> {
    let Some(first) = demands.first() else { return Some(vec![Begun::default()]) };
    let net = nets.of(first.merged);
    let rails = Rails::new(net, groups);
    let streams = match has_few_roots(demands, groups) {
        true => streams(demands, groups, &rails),
        false => BTreeMap::new(),
    };
    let leaving = leaving(nets.of(!first.merged), groups);
    let mut best: Option<(f64, Vec<Tree>, &Variant)> = None;
    for variant in variants {
        let mut packing = Packing::new(nets, floor.max(1) as f64, 0.0);
        let streamed = (!streams.is_empty()).then_some((&streams, &rails, variant.spread));
        let trees = trees(&mut packing, &leaving, groups, demands, streamed, variant.alpha, run)?;
        let load = packing.largest();
        best = best.filter(|(least, ..)| *least <= load).or(Some((load, trees, variant)));
        if load <= BALANCED {
            break;
        }
    }
    let (_, trees, variant) = best?;
    let begun = begun_trees(problem, net, groups, (demands, &trees), &streams, variant.in_waves, run)?;
    let is_near = begun.end() as f64 <= floor as f64 * ENOUGH;
    let rarest = if is_near { None } else { rarest::begun(nets, &begun.tasks, first.merged, run) };
    let sooner = rarest.filter(|rarest| rarest.end() < begun.end());
    Some([begun].into_iter().chain(sooner).collect())
}
