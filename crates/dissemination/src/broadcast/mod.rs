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
mod spread;
mod step;

use graph::distances::{Distances, Way};
use graph::{layer::Layer, paths::Paths, residual::Residual};
use kernel::{Message, Node, Problem, Schedule, Semantics};
use repair::Repair;
use run::{Budget, Method, Run};
use search::transform::deliver_once;
use step::StepFlow;

/// The method "broadcast-levels".
pub struct BroadcastLevels;

const NAME: &str = "broadcast-levels";

/// Greedy attempts before any of them is repaired.
const GREEDY_ATTEMPTS: u64 = 12;

/// Ticks that a step takes at least, for each node and channel.
const FLOW_TICKS: u64 = 12;

/// Nodes and channels of the largest network whose flows fit in memory.
const LARGEST: usize = 1 << 23;

impl Method for BroadcastLevels {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "broadcast: which nodes are informed when, with an exact flow per step"
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
        let size = (problem.network().node_count() + problem.network().channel_count()) as u64;
        // Some flows a step; with fewer ticks the search would end before it has informed everybody.
        let least = FLOW_TICKS * size * floor.max(1);
        if !budget.spend(if least > ticks { ticks } else { 8 * size }) {
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
        let mut best = spread::from_a_spread(self, step, &mut seed.generator(0), budget);
        if steps_of(&best) > goal || !self.informs_all(&best) {
            let other = greedy::from_the_root(self, step, &mut seed.generator(0), budget);
            if self.informs_all(&other) && (steps_of(&other) < steps_of(&best) || !self.informs_all(&best)) {
                best = other;
            }
        }
        // A share of the budget for each repair, growing, so that easy cases end at once and hard ones are searched deeply.
        let mut share = run.settings.ticks / 200;
        // Only fewer steps than are known already are of use.
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        for attempt in 1u64.. {
            let least = steps_of(&best).min(known);
            if least <= goal || budget.is_over() {
                break;
            }
            let mut rng = seed.generator(attempt);
            // Whoever is informed for nothing is left out, from the end; what remains may need fewer steps.
            let start = match attempt % 4 {
                0 => Some(greedy::from_the_root(self, step, &mut rng, budget)),
                _ => greedy::from_the_end(self, step, &mut rng, budget),
            };
            // A search that the budget cut short has not informed everybody.
            if let Some(found) = start.as_ref().filter(|f| steps_of(f) < least && !budget.is_over()) {
                best = found.clone();
                continue;
            }
            if attempt <= GREEDY_ATTEMPTS && budget.spent() <= budget.left() / 3 {
                continue;
            }
            let target = (least - 1) as u32;
            run.progress.working(NAME, u64::from(target), 1);
            let start = match start {
                Some(levels) if attempt % 4 > 0 => earlier(levels, target),
                Some(levels) => levels,
                None => best.clone(),
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

    fn informs_all(&self, levels: &Levels) -> bool {
        self.receivers.iter().zip(levels).all(|(receives, level)| !receives || level.is_some())
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
        let (mut nearest, mut free) = (Paths::new(self.problem, Some(0)), Residual::new(network));
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
                let longest = match slack {
                    Some(slack) => u64::from(lengths.of(from, budget)?[to.index()]) + u64::from(slack),
                    None => u64::MAX,
                };
                if path.len() as u64 <= longest {
                    paths.push(path);
                }
            }
            if paths.is_empty() && last {
                // Some shortest path, of which a terminal on the way to a receiver may be the end.
                free.clear();
                let mut others = network.terminals().iter().filter(|v| !informed[v.index()]);
                let from = |v: Node| informed[v.index()].then_some(());
                let found = others.find_map(|&v| {
                    let found = nearest.nearest(&mut free, v, Way::Back, from, budget);
                    found.map(|((), path)| path.to_vec())
                });
                let Some(path) = found else { break };
                paths.push(path);
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
