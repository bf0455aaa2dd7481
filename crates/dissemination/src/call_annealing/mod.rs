//! **What:** the method `call-annealing`: where transfers combine messages, who calls whom in each step, by simulated annealing.
//!
//! **Idea.** A transfer that takes everything its sender knows tells as much as any. So what has to be found is which nodes call which, along which
//! paths, in so few steps that everybody comes to know what is meant for them. Bitsets tell within microseconds what is still missing.
//!
//! **Method.** Every step is kept full of calls. A change adds a call along the cheapest way, where others in the way cost more, removes what is in the
//! way, and fills what becomes free. Some changes are aimed at a message that is missing: they lead from any node that knows it before a step to any
//! from which calls take it on to where it is missing. What makes things worse is taken back, at first seldom, later nearly always. The number of steps
//! goes down from the best schedule known, in strides that grow while they succeed.
//!
//! **When it loses.** Where the last step that can be saved needs a regular pattern, such as recursive doubling on hypercubes, and on networks of
//! many hundred nodes, where changes take long.
//!
//! **Source:** ours; S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by simulated annealing, 1983; gossiping by telephone: A. Hajnal,
//! E. C. Milner, E. Szemerédi, A cure for the telephone disease, 1972.

mod anneal;
mod known;
mod step;
mod ways;

use anneal::{Annealing, HOT, WARM, WORDS_A_TICK};
use kernel::{Problem, Schedule, Semantics, Verified};
use run::{Budget, Method, Run};
use search::resources::Resources;
use search::transform::spoken;

/// The method.
pub struct CallAnnealing;

/// Most entries of a table of messages by nodes.
const MOST_ENTRIES: usize = 1 << 20;

/// Changes below which annealing is not worth while.
const LEAST_CHANGES: u64 = 400;

/// Changes that a try makes at most, for each message and node.
const MOST_CHANGES: u64 = 256;

/// The temperatures at which tries for the next number of steps begin.
const TEMPERATURES: [f64; 2] = [WARM, HOT];

/// The part of the ticks for each try that may not be the last.
const PARTS: u64 = 8;

impl Method for CallAnnealing {
    fn name(&self) -> &'static str {
        "call-annealing"
    }

    fn about(&self) -> &'static str {
        "combining: who calls whom in each step, along which paths, by simulated annealing"
    }

    fn source(&self) -> &'static str {
        "ours; S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization by simulated annealing, 1983"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (model, collective) = (problem.model(), problem.collective());
        model.combining
            && !model.is_slotted()
            && collective.semantics() == Semantics::Copy
            && collective.message_count() > 1
            && collective.message_count().saturating_mul(problem.network().node_count()) <= MOST_ENTRIES
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut budget = Budget::new(run, run.settings.ticks);
        let resources = Resources::new(problem, &mut budget)?;
        let goal = usize::try_from(run.goal(floor).max(1)).ok()?;
        let mut descent = Descent { resources: &resources, run, budget, goal, tries: 0 };
        let first = if run.incumbent.is_none() { descent.first() } else { None };
        let known = first.as_ref().map(Schedule::step_count).or_else(|| run.incumbent.map(Verified::steps));
        let best = known.and_then(|known| descent.below(known)).or(first);
        let steps = best.as_ref().map(Schedule::step_count).or(known);
        if steps.is_none_or(|steps| steps > goal) {
            // Other random numbers may do better.
            run.note_wants_more();
        }
        best
    }
}

/// The search for fewer and fewer steps.
struct Descent<'a> {
    resources: &'a Resources<'a>,
    run: &'a Run<'a>,
    budget: Budget<'a>,
    /// The number of steps at which it may stop.
    goal: usize,
    tries: u64,
}

impl Descent<'_> {
    /// A schedule of more and more steps, where none is known.
    fn first(&mut self) -> Option<Schedule> {
        let mut steps = self.goal;
        while self.has_ticks(steps) {
            let part = (self.budget.left() / PARTS).max(self.least(steps));
            if let Some(found) = self.anneal(steps, WARM, part) {
                return Some(found);
            }
            steps += 1 + steps / 4;
        }
        None
    }

    /// The best schedule that has fewer steps than the one that is known.
    fn below(&mut self, known: usize) -> Option<Schedule> {
        let (mut best, mut steps) = (None, known);
        let (mut stride, mut failures) = (1, 0);
        while steps > self.goal && failures < TEMPERATURES.len() && self.has_ticks(steps) {
            let fewer = steps.saturating_sub(stride).max(self.goal);
            let part = match (stride, failures) {
                (1, 0) => self.budget.left() / 4,
                (1, _) => self.budget.left(),
                _ => self.budget.left() / PARTS,
            };
            match self.anneal(fewer, TEMPERATURES[failures], part.min(self.most(fewer))) {
                Some(found) => {
                    steps = found.step_count();
                    best = Some(found);
                    (stride, failures) = (2 * stride, 0);
                }
                None if stride > 1 => stride = 1,
                None => failures += 1,
            }
        }
        best
    }

    /// About the ticks of so many changes of that many steps.
    fn ticks(&self, changes: u64, steps: usize) -> u64 {
        let problem = self.resources.problem;
        let rows = problem.network().node_count() + self.resources.ends.len();
        let words = problem.collective().message_count().div_ceil(u64::BITS as usize);
        changes.saturating_mul((rows * words) as u64).saturating_mul(steps as u64) / WORDS_A_TICK
    }

    /// Ticks below which annealing of so many steps is not worth while.
    fn least(&self, steps: usize) -> u64 {
        self.ticks(LEAST_CHANGES, steps)
    }

    /// Ticks after which what annealing has not found it hardly finds.
    fn most(&self, steps: usize) -> u64 {
        let problem = self.resources.problem;
        let entries = problem.network().node_count() as u64 * problem.collective().message_count() as u64;
        self.ticks(MOST_CHANGES.saturating_mul(entries), steps)
    }

    /// Whether enough ticks are left for so many steps.
    fn has_ticks(&self, steps: usize) -> bool {
        !self.budget.is_over() && self.budget.left() >= self.least(steps)
    }

    /// A schedule of so many steps, if one is found within so many ticks.
    fn anneal(&mut self, steps: usize, start: f64, ticks: u64) -> Option<Schedule> {
        self.tries += 1;
        // Other random numbers in each round.
        let random =
            self.run.settings.seed.generator(self.tries << 8 | u64::from(self.run.settings.ticks.max(1).ilog2()));
        let (resources, slack) = (self.resources, self.run.settings.slack);
        self.budget.within(ticks, |budget| {
            let mut annealing = Annealing::new(resources, steps, slack, random, budget)?;
            let done = annealing.run(start, budget);
            self.run.progress.working("call-annealing", steps as u64, annealing.missing().into());
            done.then(|| spoken(resources.problem, &annealing.calls()))
        })
    }
}
