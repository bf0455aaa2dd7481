//! **What:** exact search for schedules in which every message takes one of a list of paths in one step, folded by
//! symmetries.
//!
//! **Idea.** The formula of all schedules ([`kernel::formula`]) lets messages rest at relays and take any way, which a
//! solver must reason about although few schedules need it. Here a message has a short list of paths, the shortest and
//! then longer ones, and a variable for each path in each step ([`formula`]). Where a group of symmetries keeps every message
//! moving, only one message of each orbit is asked about, and the group may shift steps; a formula of a sixteenth of the
//! size is decided at once where the whole one would take hours.
//!
//! **What it does not do.** A formula without solution says only that these paths, or this group, do not suffice: that
//! proves no floor. What is found is a schedule like any other.
//!
//! **Knobs.** Groups and clocks, largest first, and paths longer than the shortest; they take turns, with budgets of
//! proof that grow.

mod formula;
mod routes;
#[cfg(test)]
mod tests;

use crate::packing::lanes::Lanes;
use crate::{packing::fold::Fold, packing::fold::Folding};
use formula::{Choice, Pace, PathFormula};
use graph::{sat::Answer, sat::decide};
use graph::{symmetry::Clock, symmetry::Ends, symmetry::FreeGroup, symmetry::free_groups};
use kernel::{Message, Model, Problem, Schedule, Semantics, Switching};
use run::{Budget, Run};
use std::collections::BTreeMap;

/// Literals of a formula that take about as long to write down as a byte of proof to find.
const LITERALS_A_BYTE: u64 = 4;

/// Most literals of a formula: writing it down is not interrupted.
const MOST_LITERALS: u64 = 1 << 22;

/// Looks at a channel that take about as long as a byte of proof.
const LOOKS_A_BYTE: u64 = 3;

/// Most paths listed for a message.
const MOST_PATHS: usize = 60;

/// Most ticks for finding groups.
const MOST_TICKS_FOR_GROUPS: u64 = 4_000_000;

/// Groups tried, and ways in which each shifts steps.
const GROUPS: usize = 12;
const CLOCKS: usize = 4;

/// One way to ask.
#[derive(Clone)]
struct Configuration {
    folding: usize,
    clock: Clock,
    slack: u32,
}

/// An exact search of one problem, for one number of steps after another.
pub(crate) struct ExactPaths<'a> {
    problem: &'a Problem,
    lanes: Lanes,
    ends: Ends,
    run: &'a Run<'a>,
    /// The trivial group last.
    foldings: Vec<Folding>,
    /// Paths of each folding's messages by slack, once listed.
    paths: BTreeMap<(usize, u32), Vec<Vec<Vec<u32>>>>,
}

/// Whether messages have one destination each and do not rest on the way.
pub(crate) fn applies(problem: &Problem) -> bool {
    let (collective, model) = (problem.collective(), problem.model());
    collective.semantics() == Semantics::Copy
        && pace(model).is_some()
        && !model.combining
        && collective.messages().all(|m| collective.destinations(m).len() == 1)
}

/// How paths take their places; `None` where messages rest on the way.
fn pace(model: Model) -> Option<Pace> {
    match model.switching {
        Switching::Wormhole => Some(Pace::AtOnce),
        Switching::Tdm { hop, cyclic } => Some(Pace::Slots { hop, cyclic }),
        Switching::StoreAndForward => None,
    }
}

impl<'a> ExactPaths<'a> {
    /// `None` where there is nothing to send, or messages cannot be told apart by a folding.
    pub fn new(problem: &'a Problem, run: &'a Run<'a>) -> Option<Self> {
        let collective = problem.collective();
        let moves = |m: &Message| collective.destinations(*m)[0] != collective.origin(*m);
        let open: Vec<Message> = collective.messages().filter(moves).collect();
        if open.is_empty() {
            return None;
        }
        let mut budget = Budget::new(run, u64::MAX);
        let lanes = Lanes::new(problem.network(), &mut budget)?;
        let ends = Ends::new(problem, &open);
        let ticks = MOST_TICKS_FOR_GROUPS.min(run.settings.ticks / 4);
        let groups = free_groups(problem, &ends, run.settings.seed, &mut budget.part(ticks));
        let all = groups.into_iter().take(GROUPS).chain([FreeGroup::trivial(problem)]);
        let count = collective.message_count();
        let foldings =
            all.filter_map(|group| Folding::new(&lanes, (&ends, &open), count, group, &mut budget)).collect();
        Some(ExactPaths { problem, lanes, ends, run, foldings, paths: BTreeMap::new() })
    }

    /// A schedule of `steps` steps, if one is found with `budget` bytes of proof; also tells how many were spent.
    pub fn find(&mut self, steps: u64, budget: u64) -> (Option<Schedule>, u64) {
        let Ok(steps) = u32::try_from(steps) else { return (None, 0) };
        let mut configurations = self.configurations();
        let mut spent = 0;
        // A first look at small formulas, then a longer one at larger ones and those that are not decided.
        for share in [32, 4, 1] {
            let mut open = Vec::new();
            for configuration in configurations {
                let left = budget.saturating_sub(spent).min(budget / share);
                let mut listing = Budget::new(self.run, LOOKS_A_BYTE * left);
                let size = self.size(&configuration, steps, &mut listing);
                spent += listing.spent() / LOOKS_A_BYTE;
                if self.run.stopped() {
                    return (None, spent);
                }
                let Some(size) = size.filter(|size| *size <= left / 2) else {
                    open.push(configuration);
                    continue;
                };
                let (answer, bytes) = self.ask(&configuration, steps, left - size);
                spent += size + bytes + 1;
                match answer {
                    Answer::Solution(schedule) => return (Some(schedule), spent),
                    Answer::None(()) => {}
                    Answer::Open => open.push(configuration),
                }
            }
            configurations = open;
        }
        if !configurations.is_empty() {
            self.run.note_wants_more();
        }
        (None, spent)
    }

    fn configurations(&self) -> Vec<Configuration> {
        let mut configurations = Vec::new();
        let slacks = self.run.settings.slack.map_or(0..=2, |s| s..=s);
        for slack in slacks {
            for (folding, fold) in self.foldings.iter().enumerate() {
                // Where paths take time themselves, groups leave it alone.
                let still = || Clock { blocks: 1, shifts: vec![0; fold.group.elements.len()] };
                let timed = pace(self.problem.model()) != Some(Pace::AtOnce);
                for clock in if timed { vec![still()] } else { fold.group.clocks(64, CLOCKS) } {
                    configurations.push(Configuration { folding, clock, slack });
                }
            }
        }
        configurations
    }

    /// What it takes to write a configuration's formula down, in bytes of proof; `None` where it is too large, or its paths are
    /// too many for the budget.
    fn size(&mut self, configuration: &Configuration, steps: u32, budget: &mut Budget<'_>) -> Option<u64> {
        let key = (configuration.folding, configuration.slack);
        if !self.paths.contains_key(&key) {
            let messages = &self.foldings[configuration.folding].messages;
            let paths = routes::of_all(self.problem, &self.lanes, messages, configuration.slack, MOST_PATHS, budget)?;
            self.paths.insert(key, paths);
        }
        // A choice stands in the rules of its message and of every place it takes.
        let literals: usize = self.paths[&key].iter().flatten().map(|path| 3 * path.len() + 6).sum();
        let literals = literals as u64 * u64::from(steps);
        (literals <= MOST_LITERALS).then_some(literals / LITERALS_A_BYTE)
    }

    /// Whether the messages of a configuration have room in `steps` steps; its paths are listed.
    fn ask(&self, configuration: &Configuration, steps: u32, budget: u64) -> (Answer<(), Schedule>, u64) {
        let nothing = (Answer::None(()), 0);
        let (lanes, folding) = (&self.lanes, &self.foldings[configuration.folding]);
        let Some(fold) = Fold::new(lanes, folding, &configuration.clock, steps) else { return nothing };
        let Some(paths) = self.paths.get(&(configuration.folding, configuration.slack)) else { return nothing };
        let Some(pace) = pace(self.problem.model()) else { return nothing };
        let Some(formula) = PathFormula::new(lanes, &fold, paths, pace) else { return nothing };
        let (answer, bytes) = decide(&formula.cnf(), budget, self.run);
        let answer = match answer {
            Answer::Solution(values) => {
                let about = (self.problem, lanes, &self.ends);
                Answer::Solution(schedule(about, &fold, paths, &formula.decode(&values)))
            }
            Answer::None(()) => Answer::None(()),
            Answer::Open => Answer::Open,
        };
        (answer, bytes)
    }
}

/// Every message of every orbit, on the image of what was chosen for one.
fn schedule(
    (problem, lanes, ends): (&Problem, &Lanes, &Ends),
    fold: &Fold<'_>,
    paths: &[Vec<Vec<u32>>],
    chosen: &[Choice],
) -> Schedule {
    let mut list = Vec::new();
    for ((&message, choice), paths) in fold.folding.messages.iter().zip(chosen).zip(paths) {
        let part = &fold.parts[choice.part];
        for ((map, lane_map), &shift) in fold.folding.elements().zip(&part.shifts) {
            let Some(image) = ends.image(map, message) else { continue };
            let step = part.first + choice.layer * part.blocks + (choice.block + shift) % part.blocks;
            let path: Vec<u32> = paths[choice.path].iter().map(|&l| lane_map[l as usize]).collect();
            list.push((step, image, path));
        }
    }
    list.sort_unstable();
    let capacity = |c| problem.network().capacity(c);
    match pace(problem.model()) {
        Some(Pace::Slots { hop, .. }) => {
            let period = fold.parts.iter().map(|p| p.blocks * p.layers).sum();
            crate::packing::emit::slots(lanes, capacity, (hop, period), list)
        }
        _ => crate::packing::emit::schedule(lanes, capacity, list),
    }
}
