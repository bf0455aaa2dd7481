//! **What:** the method `exact-sat`: small problems, decided by a satisfiability solver.
//!
//! **Method.** "A schedule of at most so many steps exists" is a formula ([`kernel::formula`]). From the floor upwards, a
//! solver finds values that satisfy it, which are a schedule, or shows that there are none; so the first schedule found is
//! optimal if every number of steps before it was decided. Where messages combine, the formula is of calls; of chunks
//! that several nodes are to have, it lets a node have one partial result at a time. Messages for one destination each are first given short lists
//! of paths (module `exact_paths`), which finds most schedules and decides nothing else.
//!
//! **Parameters.** The budget of ticks, counted in bytes of the solver's proof; when it is used up on one number of steps, the
//! next is tried with what the others left.
//!
//! **When it loses.** Formulas grow with messages × channels × steps, and counting arguments (so many messages through so
//! few channels) take a solver exponentially long; above `LARGEST` literals it does not begin.

use crate::resources::Resources;
use crate::transform::{reverse_slots, spoken, spoken_in_slots};
use crate::{exact_paths, exact_paths::ExactPaths};
use graph::distances::within_slack;
use graph::{sat::Answer, sat::decide};
use kernel::formula::{Beyond, Cnf, Formula, FormulaKind, Image};
use kernel::{Problem, Schedule, Semantics, verify};
use run::{Budget, Method, Run};

/// The method.
pub struct ExactSat;

/// Most literals of a formula.
const LARGEST: usize = 300_000;

/// Most messages of which each takes one of a list of paths.
const MOST_MESSAGES: usize = 1 << 12;

/// Ticks that a byte of proof takes the solver, in formulas of paths and in those of everything.
const TICKS_A_PATH_BYTE: u64 = 3;
const TICKS_A_BYTE: u64 = 20;

/// A budget below which nothing is tried.
const LEAST: u64 = 1000 * TICKS_A_BYTE;

impl Method for ExactSat {
    fn name(&self) -> &'static str {
        "exact-sat"
    }

    fn about(&self) -> &'static str {
        "small problems, decided step by step by a satisfiability solver"
    }

    fn source(&self) -> &'static str {
        "schedules as satisfiability: Z. Cai et al., Synthesizing optimal collective algorithms, 2021; solver varisat"
    }

    fn applies(&self, problem: &Problem) -> bool {
        is_small(problem, LARGEST)
            || problem.collective().message_count() <= MOST_MESSAGES && exact_paths::applies(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut left = run.settings.ticks;
        let resources = Resources::new(problem, &mut Budget::new(run, u64::MAX))?;
        let mut paths = exact_paths::applies(problem).then(|| ExactPaths::new(&resources, run)).flatten();
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        for steps in run.goal(floor)..known {
            // Half of what is left: should this number not be decided, the next, easier one may. The last gets all.
            let share = |left: u64| if steps + 1 == known { left } else { left / 2 };
            if let Some(paths) = &mut paths {
                run.progress.working(self.name(), steps, 0);
                let (found, spent) = paths.find(steps, share(left) / TICKS_A_PATH_BYTE);
                // Also where all its formulas are too large: larger numbers of steps do not make them smaller.
                left = left.saturating_sub((spent * TICKS_A_PATH_BYTE).max(left / 8));
                if found.is_some() {
                    return found;
                }
            }
            let formulas: Vec<_> = encode(problem, &[], steps, LARGEST).collect();
            if formulas.is_empty() && paths.is_none() {
                return None;
            }
            for (at, formula) in formulas.iter().enumerate() {
                run.progress.working(self.name(), steps, 0);
                let most = share(left) / (formulas.len() - at) as u64;
                let (answer, spent) = decide(&Cnf::new(formula), most / TICKS_A_BYTE, run);
                left = left.saturating_sub(spent * TICKS_A_BYTE);
                let found =
                    if let Answer::Solution(values) = answer { solution(problem, formula, &values) } else { None };
                // The formula knows nothing of slack, so its solutions may be of no use.
                let slack = run.settings.slack;
                let useful = |found: &Schedule| within_slack(problem, found, slack, &mut Budget::new(run, u64::MAX));
                match found {
                    Some(found) if useful(&found) => return Some(found),
                    // So may all be for larger numbers of steps, and each is found at once.
                    Some(_) => left -= left / 8,
                    None => {}
                }
            }
            if run.stopped() || run.is_spent(LEAST, left) {
                return None;
            }
        }
        None
    }
}

/// Whether there is a formula of everything that is not too large.
pub fn is_small(problem: &Problem, largest: usize) -> bool {
    let parts = travellers(problem) as u128 * problem.network().channel_count() as u128;
    // Each message, or caller, needs some literals a channel in every step.
    let copies = problem.collective().semantics() == Semantics::Copy;
    let turned = problem.model().is_slotted() && FormulaKind::of(problem) == FormulaKind::Reversed;
    (copies || turned || merges(problem)) && parts * 8 <= largest as u128
}

/// The schedule that values describe.
pub fn solution(problem: &Problem, formula: &Formula, values: &[bool]) -> Option<Schedule> {
    let claim = formula.decode(values);
    let schedule = match formula.kind() {
        FormulaKind::Calls => match problem.model().switching.slots() {
            Some(slots) => spoken_in_slots(problem, &claim, slots.hop),
            None => spoken(problem, &claim),
        },
        FormulaKind::Reversed => reverse_slots(&problem.reversed()?, &claim, problem.model().switching.slots()?.hop),
        FormulaKind::Copies | FormulaKind::Merging | FormulaKind::Partials => claim,
    };
    // The formula of slots does not know that a path crosses no channel twice.
    (!problem.model().is_slotted() || verify(problem, schedule.clone()).is_ok()).then_some(schedule)
}

/// Whether chunks are for several nodes, in transfers of one chunk each.
fn merges(problem: &Problem) -> bool {
    let collective = problem.collective();
    let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
    let single = !problem.model().combining || collective.message_count() == 1;
    collective.semantics() == Semantics::Reduce && several && single
}

/// Messages, or nodes that call others, or both.
fn travellers(problem: &Problem) -> u64 {
    let (callers, messages) = (problem.network().terminals().len(), problem.collective().message_count());
    match FormulaKind::of(problem) {
        _ if merges(problem) => callers as u64 * messages as u64,
        FormulaKind::Calls => callers as u64,
        _ => messages as u64,
    }
}

/// The formulas of everything that is made of images of a part, or of nothing in particular where no images are given, where they are small enough that nobody waits for them. Nodes with one partial result of a chunk have
/// fewer choices than those that keep all apart.
pub fn encode<'a>(
    problem: &'a Problem,
    images: &'a [Image],
    steps: u64,
    largest: usize,
) -> impl Iterator<Item = Formula> + use<'a> {
    let network = problem.network();
    // For every traveller and step, channels are looked through for every node.
    let looks = (network.node_count() * network.channel_count()) as u64;
    let looks = looks.saturating_mul(travellers(problem)).saturating_mul(steps);
    let ways: &[Encode] = match (looks / images.len().max(1) as u64 > MOST_LOOKS, merges(problem)) {
        (true, _) => &[],
        (false, true) => &[Formula::encode_merging, Formula::encode_partials],
        (false, false) => &[Formula::encode_to_search],
    };
    ways.iter().filter_map(move |way| way(problem, images, steps, largest).ok())
}

/// A way to say "in so many steps" as a formula of no more than so many literals.
type Encode = fn(&Problem, &[Image], u64, usize) -> Result<Formula, Beyond>;

/// Looks at a channel that a formula may take: some tenths of a second.
const MOST_LOOKS: u64 = 1 << 30;
