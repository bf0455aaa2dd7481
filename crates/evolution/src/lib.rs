//! **What:** the evolutionary design of the dissertation: engines "sga", "umda" and "mboa".
//!
//! **Theory:** for a given number of steps, a chromosome says of each delivery which path it takes in which step, and
//! evolution takes conflicts away until none is left; then the schedule is valid. Where that fails within a number of
//! generations, a step is added. Islands are populations that evolve side by side and send their best to the next one.
//!
//! **Tuning:** [`PARAMETERS`], and of every run: seed, slack, seconds and ticks. **Loses** against the engines of the portfolio
//! on all but the smallest networks, which is why the portfolio leaves it out: it is here to be compared with.
//!
//! **Source:** the dissertation, chapters 6 and 7.

mod calls;
mod fitness;
mod gossip;
mod heuristics;
mod islands;
mod mboa;
mod mutation;
pub mod parameters;
mod population;
mod preprocess;
mod refine;
mod rules;
mod sga;
mod space;
mod umda;

pub use gossip::Gossip;
use islands::Islands;
use kernel::{Node, Problem, Schedule, Semantics, Switching};
use parameters::Tuning;
pub use parameters::{PARAMETERS, Parameter, ParameterError, Parameters, parameters_of};
use population::Reproduction;
pub use rules::{Linkage, Rules, Selection, Survival, Ties};
pub use run::Generation;
use run::ranks::agree;
use run::{Decline, Method, Run};
use search::transform::reverse_schedule;
use search::transform::{bundles, tokens, unbundle};
use space::Space;
use std::collections::BTreeMap;

/// Why the evolutionary engines cannot work on a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// More paths than may be kept in memory.
    #[error("there are more than {most} paths with a slack of {slack}, and no more are kept in memory")]
    Paths {
        /// The limit.
        most: usize,
        /// Channels a path may be longer than the shortest.
        slack: u32,
    },
    /// A chromosome too long for the memory.
    #[error("{count} deliveries are too many for a chromosome")]
    Deliveries {
        /// Deliveries, one a gene.
        count: u64,
    },
    /// A delivery that no path of the store can make.
    #[error("no path within the slack and the radius from {from} to {to}")]
    NoPath {
        /// The message's origin.
        from: Node,
        /// The receiver.
        to: Node,
    },
    /// Time was up, or the user stopped it, while paths were listed.
    #[error("stopped while paths were listed")]
    Stopped,
    /// A model or a collective that chromosomes do not describe.
    #[error("only wormhole switching, and no collective that merges and scatters at once")]
    Model,
}

impl Refusal {
    /// What to do about it.
    fn hint(&self) -> &'static str {
        match self {
            Refusal::Paths { .. } => {
                "a smaller --param sample=N draws fewer paths a pair; a smaller --slack or a larger --param paths=N also helps"
            }
            Refusal::Deliveries { .. } => "choose fewer --senders or --receivers, or --method auto",
            Refusal::NoPath { .. } => "use a larger --param radius=N, or --method auto, which may relay",
            Refusal::Stopped => "allow more --time, or use a smaller --param sample=N",
            Refusal::Model => "--method auto tries all methods that apply",
        }
    }
}

/// Makes of a schedule that evolution has found one of the problem that was asked for.
type Finish<'a> = &'a dyn Fn(Schedule) -> Schedule;

/// How children are made.
struct Algorithm {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    breed: fn(&Tuning, Rules) -> Box<dyn Reproduction>,
}

const ALGORITHMS: [&Algorithm; 3] = [
    &Algorithm {
        name: "sga",
        about: "evolution: a genetic algorithm over paths and steps (only by name)",
        source: "the dissertation, section 7.1.1",
        breed: |tuning, rules| Box::new(sga::Crossover::new(tuning, rules)),
    },
    &Algorithm {
        name: "umda",
        about: "evolution: histograms of good paths and steps (only by name)",
        source: "the dissertation, section 7.1.3",
        breed: |tuning, rules| Box::new(umda::Marginals::new(tuning, rules)),
    },
    &Algorithm {
        name: "mboa",
        about: "evolution: decision trees of good paths and steps (only by name)",
        source: "the dissertation, section 7.1.2",
        breed: |tuning, _| Box::new(mboa::Trees::new(tuning)),
    },
];

/// An evolutionary engine with its parameters.
#[derive(Clone)]
pub struct Evolution {
    algorithm: &'static Algorithm,
    /// What was set; defaults for the rest.
    pub parameters: Parameters,
    /// The rules of a generation.
    pub rules: Rules,
}

/// The evolutionary engines. The portfolio does not try them; they are chosen by name.
pub const EVOLUTION: &[&dyn Method] = &[&Evolution::SGA, &Evolution::UMDA, &Evolution::MBOA];

/// The outcome of evolution for one number of steps.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The last generation.
    pub last: Generation,
    /// The schedule, where no conflict was left.
    pub schedule: Option<Schedule>,
    /// The best candidate's schedule: what is late or in conflict is put into the first steps with room for it, or into steps after the last.
    pub repaired: Schedule,
}

impl Evolution {
    /// The simple genetic algorithm with the usual parameters.
    pub const SGA: Evolution = Evolution::usual(ALGORITHMS[0]);
    /// The univariate marginal distribution algorithm with the usual parameters.
    pub const UMDA: Evolution = Evolution::usual(ALGORITHMS[1]);
    /// The mixed Bayesian optimization algorithm with the usual parameters.
    pub const MBOA: Evolution = Evolution::usual(ALGORITHMS[2]);

    const fn usual(algorithm: &'static Algorithm) -> Self {
        Evolution { algorithm, parameters: Parameters::DEFAULT, rules: Rules::USUAL }
    }

    /// The engine of that name with default parameters.
    pub fn named(name: &str) -> Option<Self> {
        ALGORITHMS.into_iter().find(|algorithm| algorithm.name == name).map(Evolution::usual)
    }

    fn space<'p>(&self, problem: &'p Problem, run: &Run<'_>) -> Result<Space<'p>, Refusal> {
        let wormhole = problem.model().switching == Switching::Wormhole;
        if !wormhole || problem.collective().semantics() != Semantics::Copy {
            return Err(Refusal::Model);
        }
        let slack = run.settings.slack.unwrap_or(0);
        let mut rng = run.settings.seed.generator(u64::MAX);
        // Several processes go on, since they must all come to where they agree to stop.
        let stopped = || run.ranks.count() == 1 && run.stopped();
        Space::new(problem, &self.parameters.tuning(), slack, &mut rng, &stopped)
    }

    /// Does `work` on what is left of a problem once reductions and gathers are run backwards and the messages of an origin
    /// travel together: that problem, and what makes a schedule of it one of `problem`.
    fn as_copies<T>(&self, problem: &Problem, work: &mut dyn FnMut(&Problem, Finish<'_>) -> T) -> T {
        let merges = problem.collective().semantics() == Semantics::Reduce;
        if (merges || (problem.model().combining && gathers(problem)))
            && let Some(reversed) = problem.reversed()
        {
            return self.as_copies(&reversed, &mut |copies, finish| {
                work(copies, &|schedule| reverse_schedule(&reversed, &finish(schedule)))
            });
        }
        if bundles(problem)
            && let Some(tokens) = tokens(problem)
        {
            return work(&tokens, &|schedule| unbundle(problem, &tokens, &schedule));
        }
        work(problem, &|schedule| schedule)
    }

    fn islands(&self, space: &Space<'_>, tuning: Tuning, run: &Run<'_>, steps: u64) -> Islands {
        let breed = || (self.algorithm.breed)(&tuning, self.rules);
        Islands::new(self.name(), space, tuning, self.rules, breed, run, steps)
    }

    /// Evolution for exactly `steps` steps, at least 1, which may be below the floor: then conflicts remain, and their
    /// number compares parameters. Ends without conflicts, after `generations` or when stopped.
    ///
    /// # Errors
    /// The engine cannot work on the problem.
    pub fn trial(&self, problem: &Problem, steps: u64, run: &Run<'_>) -> Result<Trial, Refusal> {
        self.as_copies(problem, &mut |copies, finish| self.trial_of_copies(copies, steps, run, finish))
    }

    fn trial_of_copies(
        &self,
        problem: &Problem,
        steps: u64,
        run: &Run<'_>,
        finish: Finish<'_>,
    ) -> Result<Trial, Refusal> {
        let mut space = self.space(problem, run)?;
        space.set_steps(u16::try_from(steps.max(1)).map_err(|_| Refusal::Model)?);
        let tuning = self.parameters.tuning();
        let mut islands = self.islands(&space, tuning, run, steps);
        let solved = islands.evolve(&space, run, u64::MAX, |_| ());
        let repaired = finish(islands.best().schedule(&space));
        Ok(Trial { last: islands.report(), schedule: solved.then(|| repaired.clone()), repaired })
    }

    /// The best schedule that is found; `finish` makes of it what the caller asked for.
    ///
    /// Numbers of steps share the ticks in rounds, each with twice the work of the one before: the goal first, then those halfway between what
    /// has failed in this round and the best known. Populations go on where they were in the round before.
    fn search(&self, problem: &Problem, floor: u64, run: &Run<'_>, finish: Finish<'_>) -> Option<Schedule> {
        let mut space = self.space(problem, run).ok()?;
        if space.genes.is_empty() {
            return Some(Schedule::new());
        }
        let tuning = self.parameters.tuning();
        let mut left = run.settings.ticks;
        let mut best: Option<Schedule> = None;
        // A clock may have given other floors to other processes.
        let goal = agree(run.ranks, run.goal(floor).max(1));
        let mut populations: BTreeMap<u64, Islands> = BTreeMap::new();
        let mut share = FIRST_SHARE * (tuning.islands * tuning.population * space.genes.len()) as u64;
        loop {
            let (mut failed, mut worked, mut tried) = (None, false, BTreeMap::new());
            while let Some(steps) = next(goal, failed, best.as_ref().map(|best| best.step_count() as u64)) {
                let Ok(number) = u16::try_from(steps) else { break };
                space.set_steps(number);
                let mut islands =
                    populations.remove(&steps).unwrap_or_else(|| self.islands(&space, tuning, run, steps));
                let before = islands.work();
                let own = if steps == goal { share } else { share / OTHERS };
                islands.evolve(&space, run, before + own.min(left), |who| {
                    run.progress.candidate(self.name(), &|| finish(who.schedule(&space)));
                });
                worked |= islands.work() > before;
                left = left.saturating_sub(islands.work() - before);
                let schedule = islands.best().schedule(&space);
                if best.as_ref().is_none_or(|b| schedule.step_count() < b.step_count()) {
                    run.progress.found(self.name(), schedule.step_count() as u64);
                    best = Some(schedule);
                }
                if left == 0 || islands.stopped() {
                    return best.map(finish);
                }
                if best.as_ref().is_some_and(|best| steps < best.step_count() as u64) {
                    failed = Some(steps);
                    tried.insert(steps, islands);
                }
            }
            // All have had their generations, or nothing is left to try.
            if !worked {
                return best.map(finish);
            }
            populations = tried;
            share = share.saturating_mul(2);
        }
    }
}

/// Work of the first round, in genes of a population.
const FIRST_SHARE: u64 = 32;

/// The goal has so many times the work of another number of steps.
const OTHERS: u64 = 4;

/// The number of steps to try when those up to `failed` have failed in this round.
fn next(goal: u64, failed: Option<u64>, best: Option<u64>) -> Option<u64> {
    let Some(best) = best else { return Some(goal) };
    match failed {
        None => (goal < best).then_some(goal),
        Some(failed) => (failed + 1 < best).then(|| failed.midpoint(best)),
    }
}

impl Method for Evolution {
    fn name(&self) -> &'static str {
        self.algorithm.name
    }

    fn about(&self) -> &'static str {
        self.algorithm.about
    }

    fn source(&self) -> &'static str {
        self.algorithm.source
    }

    fn applies(&self, problem: &Problem) -> bool {
        let merges = problem.collective().semantics() == Semantics::Reduce;
        problem.model().switching == Switching::Wormhole && (!merges || problem.reversed().is_some())
    }

    fn is_automatic(&self) -> bool {
        false
    }

    fn misfit(&self, _: &Problem) -> Option<Decline> {
        Some(Decline { why: Refusal::Model.to_string(), hint: Refusal::Model.hint().to_owned() })
    }

    fn declines(&self, problem: &Problem, run: &Run<'_>) -> Option<Decline> {
        let refusal = self.as_copies(problem, &mut |copies, _| self.space(copies, run).err())?;
        // Where time is up the search says so.
        if refusal == Refusal::Stopped {
            return None;
        }
        Some(Decline { why: refusal.to_string(), hint: refusal.hint().to_owned() })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        self.as_copies(problem, &mut |copies, finish| self.search(copies, floor, run, finish))
    }
}

/// Whether all messages end at one node and begin at several.
fn gathers(problem: &Problem) -> bool {
    let collective = problem.collective();
    let Some(first) = collective.messages().next() else { return false };
    let (origin, end) = (collective.origin(first), collective.destinations(first));
    let alone = end.len() == 1 && collective.messages().all(|m| collective.destinations(m) == end);
    alone && collective.messages().any(|m| collective.origin(m) != origin)
}
