//! **What:** the method `arborescences`: one root's many messages for everybody, streamed down trees that share no channel.
//!
//! **Facts.** Where every receiver is joined to the root by k ways without a common channel, the channels hold k spanning
//! trees, directed away from the root, of which no two have a channel in common. Each tree passes on a message a step, so k
//! messages a step are on their way, which is as many as the smallest cut lets through: X messages take X/k steps and the
//! depth of a tree. Messages are given to the trees so that all end at the same time: deep ones get fewer.
//!
//! **Method.** Trees grow level by level, in turn (`packing`); again with the channels in other orders, for shallower trees;
//! and with fewer trees, where these are so much shallower that few messages gain by it.
//!
//! **Parameters.** Seed and ticks (for further orders).
//!
//! **When it loses.** Where messages are few: then the depth counts, and a schedule without fixed trees has less of it.
//!
//! **Source:** J. Edmonds, Edge-disjoint branchings, 1973; L. Lovász, On two minimax theorems in graphs, 1976.

mod packing;

use kernel::{Message, Problem, Schedule, Semantics, Switching};
use packing::{Ground, Tree};
use rand::seq::SliceRandom;
use run::{Budget, Method, Run};

/// The method.
pub struct Arborescences;

impl Method for Arborescences {
    fn name(&self) -> &'static str {
        "arborescences"
    }

    fn about(&self) -> &'static str {
        "store-and-forward: one root's many messages, streamed down trees that share no channel"
    }

    fn source(&self) -> &'static str {
        "J. Edmonds, Edge-disjoint branchings, 1973; L. Lovasz, On two minimax theorems in graphs, 1976"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        if problem.model().switching != Switching::StoreAndForward
            || collective.semantics() != Semantics::Copy
            || collective.message_count() < 2
            || !network.half_duplex().is_empty()
        {
            return false;
        }
        let free = |v| {
            let (out, into) = (network.outgoing(v).iter().copied(), network.incoming(v).iter().copied());
            network.send_capacity(v) == network.capacity_of(out)
                && network.receive_capacity(v) == network.capacity_of(into)
        };
        let first = Message(0);
        let alike = |m| {
            collective.origin(m) == collective.origin(first)
                && collective.destinations(m) == collective.destinations(first)
        };
        let needed = collective.destinations(first).iter().any(|v| *v != collective.origin(first));
        needed && collective.messages().all(alike) && network.nodes().all(free)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let messages = problem.collective().message_count() as u64;
        let budget = &mut Budget::new(run, run.settings.ticks);
        let ground = Ground::new(problem, budget)?;
        let depth = ground.depth(problem, budget)?;
        let mut best: Option<Vec<Tree>> = None;
        let mut least = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        // A single tree costs next to nothing.
        for trees in std::iter::once(1).chain((2..=ground.connectivity).rev()) {
            // No tree is shallower than the farthest node is far.
            let hope = messages.div_ceil(trees as u64) + depth - 1;
            let mut part = Budget::new(run, budget.left() / (trees as u64).max(2));
            for order in 0u64.. {
                if least <= run.goal(floor).max(hope) || !part.spend(ground.units.len() as u64) {
                    break;
                }
                let mut units: Vec<usize> = (0..ground.units.len()).collect();
                if order > 0 {
                    units.shuffle(&mut run.settings.seed.generator(order << 32 | trees as u64));
                }
                let Some(packed) = ground.pack(trees, &units, &mut part) else { break };
                let steps = duration(&packed, messages);
                if steps < least {
                    run.progress.found(self.name(), steps);
                    (least, best) = (steps, Some(packed));
                }
            }
            if !budget.spend(part.spent()) {
                break;
            }
        }
        best.map(|trees| written(&trees, messages, least))
    }
}

/// The messages of a tree of that depth that have arrived everywhere after so many steps.
fn carried(depth: u64, steps: u64) -> u64 {
    (steps + 1).saturating_sub(depth)
}

/// The fewest steps in which the trees deliver so many messages.
fn duration(trees: &[Tree], messages: u64) -> u64 {
    let enough = |steps: u64| trees.iter().map(|t| carried(t.depth, steps)).sum::<u64>() >= messages;
    let (mut few, mut many) = (0, messages + trees.iter().map(|t| t.depth).max().unwrap_or(0));
    while few + 1 < many {
        let middle = few.midpoint(many);
        if enough(middle) { many = middle } else { few = middle }
    }
    many
}

/// The stream: a tree's j-th message crosses a channel to depth h in step j + h − 1, counted from 0.
fn written(trees: &[Tree], messages: u64, steps: u64) -> Schedule {
    let mut schedule = Schedule::new();
    for step in 0..steps {
        schedule.begin_step();
        // The first message of each tree follows the last of the one before.
        let mut first = 0;
        for tree in trees {
            let share = carried(tree.depth, steps).min(messages - first);
            for hop in &tree.hops {
                let Some(number) = (step + 1).checked_sub(hop.depth).filter(|j| *j < share) else { continue };
                schedule.send(Message::new((first + number) as usize), &[hop.channel]);
            }
            first += share;
        }
    }
    schedule
}
