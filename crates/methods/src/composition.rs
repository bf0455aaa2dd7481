//! **What:** the engine `composition`: chunks that several nodes must receive (allreduce, barrier), as a reduce to one root
//! followed by a broadcast from it.
//!
//! **Method.** Every chunk gets a root among its destinations; one problem reduces all chunks to their roots, another
//! copies the results to all other destinations, and the registry's engines solve both. A few choices of roots are tried, the
//! nearest to all others first, and the shortest composition is kept. In the second part arrivals replace (`op` copy).
//!
//! **When it loses.** A chunk travels to the root and back; exchanges in both directions (recursive doubling) can take
//! fewer steps.

use crate::nested::{bound, gains, quick_best_but};
use graph::distances::{Way, hops};
use kernel::{Collective, Model, Node, Op, Problem, Schedule, Semantics, Switching, Transfer};
use run::{Budget, Method, Run, Settings};

/// The engine.
pub struct Composition;

const NAME: &str = "composition";

/// Choices of roots tried.
const CHOICES: usize = 4;

/// Contributors of which each is asked how far it is, and as many as are asked where there are more: with all, the work would grow as the square of the nodes.
const FEW: usize = 1024;
const SOME: usize = 64;

impl Method for Composition {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier: a reduce to the best root, then a broadcast from it"
    }

    fn source(&self) -> &'static str {
        "folklore; R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, 2005"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        collective.semantics() == Semantics::Reduce && several
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let goal = run.goal(floor);
        let mut best: Option<Schedule> = None;
        let choices = choices(problem, run);
        // All parts together take about as many ticks as one of the run.
        let ticks = (run.settings.ticks / (2 * choices.len().max(1)) as u64).max(1);
        let part = run.part(Settings { ticks, ..run.settings });
        for choice in choices {
            let wanted = |steps: u64| gains(steps, best.as_ref(), run);
            if let Some(found) = compose(problem, &choice, wanted, &part)
                && best.as_ref().is_none_or(|b| found.step_count() < b.step_count())
            {
                run.progress.found(NAME, found.step_count() as u64);
                best = Some(found);
            }
            if run.stopped() || best.as_ref().is_some_and(|b| b.step_count() as u64 <= goal) {
                break;
            }
        }
        if part.wants_more() {
            run.note_wants_more();
        }
        best
    }
}

/// Choices of one root a chunk: the destinations of each chunk from the most central on, chunk after chunk shifted so that
/// many chunks do not share one root. Empty where the run stops first.
fn choices(problem: &Problem, run: &Run<'_>) -> Vec<Vec<Node>> {
    let collective = problem.collective();
    let mut known: Option<(&[Node], Vec<Distances>)> = None;
    let mut ranked: Vec<Vec<Node>> = Vec::new();
    for message in collective.messages() {
        let contributors = collective.contributors(message);
        if known.as_ref().is_none_or(|(of, _)| *of != contributors) {
            let Some(distances) = distances(problem, contributors, run) else { return Vec::new() };
            known = Some((contributors, distances));
        }
        let Some((_, distances)) = &known else { continue };
        let mut list = collective.destinations(message).to_vec();
        list.sort_by_key(|v| (distances[v.index()], *v));
        ranked.push(list);
    }
    let longest = ranked.iter().map(Vec::len).max().unwrap_or(0);
    let choice = |shift: usize| ranked.iter().enumerate().map(|(i, list)| list[(i + shift) % list.len()]).collect();
    (0..longest.min(CHOICES)).map(choice).collect()
}

/// How far contributors are from a node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Distances {
    largest: u32,
    sum: u64,
}

/// Of every node. Where contributors are many, some stand for all, each farthest from those before it.
fn distances(problem: &Problem, contributors: &[Node], run: &Run<'_>) -> Option<Vec<Distances>> {
    let network = problem.network();
    let is_few = contributors.len() <= FEW;
    let mut distances = vec![Distances::default(); network.node_count()];
    let mut nearest = vec![u32::MAX; network.node_count()];
    for at in 0..if is_few { contributors.len() } else { SOME } {
        let farthest = || contributors.iter().copied().rev().max_by_key(|v| nearest[v.index()]);
        let from = if is_few { contributors[at] } else { farthest()? };
        // Hop by hop from terminal to terminal, where no path passes them.
        let far = hops(network, &[from], Way::On, |v| problem.passes(v), &mut Budget::new(run, u64::MAX))?;
        for ((all, near), far) in distances.iter_mut().zip(&mut nearest).zip(far) {
            *all = Distances { largest: all.largest.max(far), sum: all.sum + u64::from(far) };
            *near = far.min(*near);
        }
    }
    Some(distances)
}

/// Reduces to `roots` and broadcasts from them, unless that takes more steps than are wanted.
fn compose(problem: &Problem, roots: &[Node], wanted: impl Fn(u64) -> bool, run: &Run<'_>) -> Option<Schedule> {
    let collective = problem.collective();
    let gather: Vec<(Vec<Node>, Vec<Node>)> = collective
        .messages()
        .zip(roots)
        .map(|(message, &root)| (collective.contributors(message).to_vec(), vec![root]))
        .collect();
    let spread: Vec<(Vec<Node>, Vec<Node>)> = collective
        .messages()
        .zip(roots)
        .map(|(message, &root)| (vec![root], others(collective.destinations(message), root)))
        .collect();
    let one = roots.first().copied().filter(|_| roots.len() == 1);
    let reduce = Stage::new(problem, Collective::new("reduce", Semantics::Reduce, one, gather).ok()?, run)?;
    let broadcast = Stage::new(problem, Collective::new("broadcast", Semantics::Copy, one, spread).ok()?, run)?;
    // Nothing begins in the last slots of what ends without wrapping round; where it may, they are those of the next period.
    let slots = problem.model().switching.slots().filter(|slots| slots.cyclic);
    let idle = slots.map_or(0, |slots| slots.hop as usize);
    let least = |reduced: u64| reduced + broadcast.floor.saturating_sub(idle as u64);
    if !wanted(least(reduce.floor)) {
        return None;
    }
    let mut schedule = reduce.schedule(run)?;
    if !wanted(least(schedule.step_count() as u64)) {
        return None;
    }
    let broadcast = broadcast.schedule(run)?;
    for step in broadcast.steps().take(broadcast.step_count().saturating_sub(idle)) {
        schedule.begin_step();
        for transfer in step {
            schedule.push(Transfer { op: Op::Copy, ..transfer });
        }
    }
    Some(schedule)
}

/// Without the root, which needs no copy of its own; all where there is nobody else.
fn others(destinations: &[Node], root: Node) -> Vec<Node> {
    let others: Vec<Node> = destinations.iter().copied().filter(|v| *v != root).collect();
    if others.is_empty() { destinations.to_vec() } else { others }
}

/// One of the two parts.
struct Stage {
    problem: Problem,
    floor: u64,
}

impl Stage {
    fn new(problem: &Problem, collective: Collective, run: &Run<'_>) -> Option<Self> {
        // A chunk that nobody else contributes to, or that only the root wants, needs no transfer and may leave no problem.
        // The one part must have ended when the other begins.
        let model = match problem.model() {
            Model { switching: Switching::Tdm { hop, .. }, combining } => {
                Model { switching: Switching::Tdm { hop, cyclic: false }, combining }
            }
            model => model,
        };
        let problem = Problem::new(problem.network().clone(), collective, model).ok()?;
        let floor = bound(&problem, run);
        Some(Stage { problem, floor })
    }

    /// The best schedule, by the methods of the registry.
    fn schedule(&self, run: &Run<'_>) -> Option<Schedule> {
        let best = quick_best_but(&[NAME], &self.problem, self.floor, run)?;
        Some(best.schedule.expanded().ok()?.into_owned())
    }
}
