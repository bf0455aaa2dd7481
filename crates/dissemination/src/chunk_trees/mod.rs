//! **What:** the method `chunk-trees`: allreduce and barrier in chunks, each merged up a tree and copied down another, chunk after chunk through the
//! network at once.
//!
//! **Facts.** A tree to a root and one from it take as many transfers as any schedule of reduce and broadcast, in whatever steps they are made, so what
//! counts is that no channel is idle for long. Chunks that meet at their roots one after the other keep the channels to them and from them
//! busy at the same time: k chunks down one pair of trees take k steps and twice its depth.
//!
//! Two roots that exchange what has come to them have all of it a step earlier than one of them alone, by as many transfers.
//!
//! **Method.** Chunk by chunk, a root, or by turns two, and the first step by which all contributions can have come to it over what earlier chunks left free: trees grow
//! backwards from that step, every node sending as late as it can, and then onwards from it, every node receiving as soon as it can. Nodes take the
//! nearest node of the tree, so under wormhole switching paths are as long as they must be. Restarts with other roots and orders.
//!
//! **Loses** where few chunks leave no time to go to a root and back ([`crate::Exchange`]), and where trees that are grown first leave the wrong channels to others.
//!
//! **Source:** pipelined trees as in P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan" (2009); ours in
//! how trees are found.

mod trees;

use graph::distances::hops;
use graph::paths::Way;
use kernel::{Node, Problem, Schedule, Semantics};
use run::{Budget, Method, Run};
use trees::{Made, Trees};

/// The method.
pub struct ChunkTrees;

const NAME: &str = "chunk-trees";

/// Nodes of the middle that roots are taken from in every third attempt; in others one, or all.
const MIDDLE: usize = 4;

/// Chunks times nodes at most.
const MOST_TRANSFERS: usize = 1 << 20;

/// The part of a run's ticks that it takes: it soon finds what it finds.
const SHARE: u64 = 2;

impl Method for ChunkTrees {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier in chunks: each up a tree and down another, all chunks through the network at once"
    }

    fn source(&self) -> &'static str {
        "pipelined trees as in P. Sanders, J. Speck, J. L. Traff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        let transfers = collective.message_count().saturating_mul(problem.network().node_count());
        collective.semantics() == Semantics::Reduce
            && several
            && transfers <= MOST_TRANSFERS
            && !problem.model().is_slotted()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let network = problem.network();
        let mut budget = Budget::new(run, run.settings.ticks / SHARE);
        let mut middle: Vec<(u64, Node)> = Vec::new();
        for &node in network.terminals() {
            let far = hops(network, &[node], Way::Back, |v| problem.passes(v), &mut budget)?;
            middle.push((network.terminals().iter().map(|v| u64::from(far[v.index()])).sum(), node));
        }
        middle.sort_unstable();
        let middle: Vec<Node> = middle.into_iter().map(|(_, node)| node).collect();
        let known = run.incumbent.map_or(usize::MAX, |known| known.steps().saturating_sub(1));
        let goal = run.goal(floor).max(1) as usize;
        let limit = known.min(problem.collective().message_count().saturating_mul(2 * network.node_count()));
        let mut trees = Trees::new(problem, &middle, limit, run);
        let mut best: Option<(Schedule, Vec<Vec<Made>>)> = None;
        // Where many chunks follow each other, a step less for each of them counts for little.
        let few = problem.collective().message_count() <= network.terminals().len();
        let among = [1, MIDDLE, middle.len()];
        for number in 0.. {
            if trees.limit < goal || budget.is_over() {
                break;
            }
            // By turns for trees that begin, every fourth time, and for those that are shortened.
            trees.pairs = few && (number ^ (number >> 2)) & 1 == 1;
            let known = best.as_ref().filter(|_| number >= among.len() && number % 4 != 0);
            let is_shorter = match known {
                Some((_, made)) => trees.shorten(made, &mut budget),
                None => {
                    trees.among = among[number % among.len()].min(middle.len());
                    trees.begin(&mut budget)
                }
            };
            if is_shorter {
                let found = trees.schedule();
                run.progress.found(NAME, found.step_count() as u64);
                trees.limit = found.step_count().saturating_sub(1);
                best = Some((found, trees.made.clone()));
            }
        }
        best.map(|(schedule, _)| schedule)
    }
}
