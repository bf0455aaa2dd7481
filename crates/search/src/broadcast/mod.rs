//! **What:** broadcast in few steps: a search over which terminals are informed in which step.
//!
//! **Facts.** All copies are equal, so a step in which the informed set `I` informs the set `N` exists exactly if a flow
//! from `I` serves every node of `N`: one maximum flow a step decides, and only the levels need to be searched.
//!
//! **Method.** First greedily from the end and from the beginning, then local search one step below the best.
//!
//! **Parameters.** Seed, ticks and seconds; with `slack`, paths that are too long are left to later steps.
//!
//! **When it loses.** Where every channel of every step must be used and the network has little symmetry; there the answer may be
//! one step above the optimum.
//!
//! **Source:** the time-step model of the dissertation; gammoids as in the engine "scatter-flow".

mod greedy;
mod repair;
mod step;

use crate::transform::deliver_once;
use graph::distances::{Distances, Way};
use graph::layer::Layer;
use kernel::{Channel, Message, Node, Problem, Schedule, Semantics};
use repair::Repair;
use run::{Budget, Method, Run};
use std::collections::VecDeque;
use step::StepFlow;

/// The method "broadcast-levels".
pub struct BroadcastLevels;

const NAME: &str = "broadcast-levels";

/// Nodes and channels of the largest network whose flows fit in memory.
const LARGEST: usize = 1 << 23;

impl Method for BroadcastLevels {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "broadcast: who is informed when, with an exact flow a step"
    }

    fn source(&self) -> &'static str {
        "this project, on gammoids (Perfect 1968)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        Layer::fits(problem)
            && collective.semantics() == Semantics::Copy
            && collective.message_count() == 1
            && network.node_count() + network.channel_count() <= LARGEST
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let root = problem.collective().origin(Message(0));
        let mut receivers = vec![false; problem.network().node_count()];
        for &v in problem.collective().destinations(Message(0)) {
            receivers[v.index()] = v != root;
        }
        if !receivers.contains(&true) {
            return Some(Schedule::new());
        }
        // To write a schedule down takes a flow a step, which the search leaves ticks for.
        let ticks = run.settings.ticks;
        let budget = &mut Budget::new(run, ticks - ticks / 4);
        let size = problem.network().node_count() + problem.network().channel_count();
        if !budget.spend(8 * size as u64) {
            return None;
        }
        let broadcast = Broadcast { problem, root, receivers };
        let mut step = StepFlow::new(problem);
        let levels = broadcast.search(&mut step, run.goal(floor).max(1), budget, run);
        let mut rest = Budget::new(run, ticks.saturating_sub(budget.spent()));
        broadcast.realise(&mut step, &levels, run.settings.slack, &mut rest)
    }
}

/// Who has a message, and who is to have it.
struct Broadcast<'a> {
    problem: &'a Problem,
    root: Node,
    receivers: Vec<bool>,
}

/// The step that informs each node: 0 for the root, `None` for never.
type Levels = Vec<Option<u32>>;

fn steps_of(levels: &Levels) -> u64 {
    levels.iter().flatten().copied().max().map_or(0, u64::from)
}

impl<'a> Broadcast<'a> {
    fn search(&self, step: &mut StepFlow<'a>, goal: u64, budget: &mut Budget<'_>, run: &Run<'_>) -> Levels {
        let seed = run.settings.seed;
        let mut best = greedy::from_the_root(self, step, &mut seed.generator(0), budget);
        // Whoever is informed for nothing is left out; what remains may need fewer steps.
        for attempt in 1..=12u64 {
            if steps_of(&best) <= goal || budget.spent() > budget.left() / 3 || budget.is_over() {
                break;
            }
            let mut rng = seed.generator(attempt);
            let found = match attempt % 4 {
                0 => Some(greedy::from_the_root(self, step, &mut rng, budget)),
                _ => greedy::from_the_end(self, step, &mut rng, budget),
            };
            // A search that the budget cut short has not informed everybody.
            if let Some(found) = found.filter(|f| steps_of(f) < steps_of(&best) && !budget.is_over()) {
                best = found;
            }
        }
        // A share of the budget for each start, growing, so that easy cases end at once and hard ones are searched deeply.
        let mut share = run.settings.ticks / 200;
        // Only fewer steps than are known already are of use.
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        for attempt in 100.. {
            let least = steps_of(&best).min(known);
            if least <= goal || budget.is_over() {
                break;
            }
            let target = (least - 1) as u32;
            run.progress.working(NAME, u64::from(target), 1);
            let mut rng = seed.generator(attempt);
            let start = match attempt % 3 {
                0 => greedy::from_the_root(self, step, &mut rng, budget),
                _ => greedy::from_the_end(self, step, &mut rng, budget)
                    .map(|levels| earlier(levels, target))
                    .unwrap_or_else(|| best.clone()),
            };
            let mut repair = Repair::new(self, step, target, &start, budget);
            if repair.search(&mut rng, share, budget) {
                best = repair.levels();
                run.progress.found(NAME, u64::from(target));
            }
            share += share / 4;
        }
        best
    }

    /// The schedule of the levels. Where a path is longer than `slack` allows, its node waits for a later step. `None` where the
    /// budget ends first.
    fn realise(
        &self,
        step: &mut StepFlow<'_>,
        levels: &Levels,
        slack: Option<u32>,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let network = self.problem.network();
        let mut lengths = Distances::new(self.problem, Way::On);
        let mut informed = vec![false; levels.len()];
        informed[self.root.index()] = true;
        let mut schedule = Schedule::new();
        for time in 1u32.. {
            let last = steps_of(levels) <= u64::from(time);
            let open = |v: usize| self.receivers[v] && !informed[v];
            if last && time > 1 && !(0..levels.len()).any(open) {
                break;
            }
            let due = |v: usize| levels[v].is_some_and(|l| l <= time) || (last && self.receivers[v]);
            let wanted: Vec<bool> = (0..levels.len()).map(|v| !informed[v] && due(v)).collect();
            let mut paths = Vec::new();
            for path in step.paths(&informed, &wanted, budget)? {
                let (from, to) = (network.from(path[0]), network.to(path[path.len() - 1]));
                let short = match slack {
                    Some(slack) => {
                        path.len() as u64 <= u64::from(lengths.of(from, budget)?[to.index()]) + u64::from(slack)
                    }
                    None => true,
                };
                if short {
                    paths.push(path);
                }
            }
            if paths.is_empty() && last {
                paths.extend(nearest(self.problem, &informed));
                if paths.is_empty() {
                    break;
                }
            }
            schedule.begin_step();
            for path in paths {
                informed[network.to(path[path.len() - 1]).index()] = true;
                schedule.send(Message(0), &path);
            }
        }
        Some(deliver_once(self.problem, &schedule).without_empty_steps())
    }
}

/// The same sets counted from the end, so that the first step is to inform all that would come too early.
fn earlier(levels: Levels, target: u32) -> Levels {
    let over = levels.iter().flatten().max().map_or(0, |most| most.saturating_sub(target));
    levels.into_iter().map(|l| l.map(|l| if l == 0 { 0 } else { l.saturating_sub(over).max(1) })).collect()
}

/// A shortest path from an informed terminal to another.
fn nearest(problem: &Problem, informed: &[bool]) -> Option<Vec<Channel>> {
    let network = problem.network();
    let mut by: Vec<Option<Channel>> = vec![None; informed.len()];
    let mut queue: VecDeque<Node> = network.nodes().filter(|v| informed[v.index()]).collect();
    while let Some(node) = queue.pop_front() {
        if !informed[node.index()] && !problem.path_passes(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if informed[next.index()] || by[next.index()].is_some() {
                continue;
            }
            by[next.index()] = Some(channel);
            if network.is_terminal(next) {
                let mut path = vec![channel];
                let mut at = network.from(channel);
                while let Some(c) = by[at.index()] {
                    path.push(c);
                    at = network.from(c);
                }
                path.reverse();
                return Some(path);
            }
            queue.push_back(next);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Collective, Model, Network};
    use methods::Reversal;
    use proptest::prelude::*;
    use run::{Seed, Settings};
    use testing::*;

    fn broadcast(network: &Network, root: usize) -> Problem {
        let collective = Collective::broadcast(node(root), network.terminals());
        Problem::new(network.clone(), collective, Model::wormhole()).expect("reachable")
    }

    fn steps(network: &Network, root: usize, floor: u64) -> u64 {
        solved(&BroadcastLevels, &broadcast(network, root), floor).steps() as u64
    }

    proptest! {
        /// With every oddity of a network, schedules stay right, and backwards too.
        #[test]
        fn always_verified(parts in odd_network(8), model in models(), slack in prop::option::of(0u32..3), seed: u64) {
            let network = Network::new(parts).expect("sound");
            // Some terminals receive, the others may help.
            let some: Vec<Node> = network.terminals().iter().copied().filter(|v| seed >> v.0 & 1 == 0).collect();
            for collective in [Collective::broadcast(node(0), &some), Collective::reduce(node(0), &some)] {
                if collective.message_count() == 0 {
                    continue;
                }
                let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
                let engine: &dyn Method =
                    if problem.collective().name() == "reduce" { &Reversal } else { &BroadcastLevels };
                if engine.applies(&problem) {
                    let settings = Settings { slack, ticks: 300_000, seed: Seed(seed), ..Settings::default() };
                    solved_with(engine, &problem, 0, settings);
                }
            }
        }
    }

    #[test]
    fn published_numbers_of_steps() {
        for (d, published) in [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3)] {
            assert_eq!(steps(&hypercube(d), 0, published), published, "hypercube of dimension {d}");
        }
        for (n, published) in [(8, 2), (16, 3), (24, 3), (32, 4)] {
            assert_eq!(steps(&ring(n), 0, published), published, "ring of {n}");
        }
        for (n, published) in [(8, 3), (16, 4)] {
            assert_eq!(steps(&ring_uni(n), 0, published), published, "one-way ring of {n}");
        }
        for (side, published) in [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (8, 3), (9, 3)] {
            assert_eq!(steps(&torus(side, side), 0, published), published, "torus of side {side}");
        }
        for (n, leaf, published) in [(7, 6, 3), (15, 14, 3), (31, 30, 4), (63, 62, 5)] {
            assert_eq!(steps(&full_tree(n), leaf, published), published, "full tree of {n}");
        }
        let classes = |rows, columns| {
            let network = mesh(rows, columns);
            let mut found = std::collections::BTreeMap::new();
            (0..network.node_count()).for_each(|root| *found.entry(steps(&network, root, 2)).or_insert(0) += 1);
            found.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(classes(3, 3), [(2, 9)]);
        assert_eq!(classes(3, 4), [(2, 12)]);
        assert_eq!(classes(4, 4), [(2, 12), (3, 4)]);
        for (d, hosts, published) in [(2, 2, 3), (3, 2, 4), (4, 2, 5)] {
            let network = with_hosts(&hypercube(d), hosts);
            assert_eq!(steps(&network, 1 << d, published), published, "{hosts} hosts at each of 2^{d} routers");
        }
    }
}
