//! **What:** exact search for schedules in which every message takes one of a list of paths in one step, divided by
//! symmetries.
//!
//! **Method.** The formula of all schedules ([`kernel::formula`]) lets messages rest at relays and take any way, which a
//! solver must reason about although few schedules need it. Here a message has a short list of paths, the shortest and
//! then longer ones, and a variable for each path in each step ([`formula`]). Where a group of symmetries keeps every message
//! moving, only one message of each orbit is asked about; a formula of a sixteenth of the size is decided at once where
//! the whole one would take hours.
//!
//! **Parameters.** Groups, largest first, and channels that paths are longer than the shortest; each is asked with a budget of
//! proof that grows.
//!
//! **When it loses.** A formula without solution says only that these paths, or this group, do not suffice: that
//! proves no floor. What is found is a schedule like any other.

mod formula;

use crate::emit;
use crate::path_lists::{Limits, PathLists};
use crate::quotient::{OrbitQuotient, Placement, QuotientSteps};
use crate::resources::{Resources, open_messages};
use formula::PathFormula;
use graph::symmetry::{Ends, FreeGroup, free_groups};
use graph::{sat::Answer, sat::decide};
use kernel::{Message, Problem, Schedule, Semantics, Switching};
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

/// Groups tried.
const GROUPS: usize = 12;

/// One way to ask.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    slack: u32,
    quotient: usize,
}

/// An exact search of one problem, for one number of steps after another.
pub(crate) struct ExactPaths<'a> {
    resources: &'a Resources<'a>,
    ends: Ends,
    run: &'a Run<'a>,
    /// The trivial group last.
    quotients: Vec<OrbitQuotient>,
    /// Paths of each quotient's messages, once listed.
    paths: BTreeMap<Configuration, PathLists>,
}

/// Whether messages have one destination each and do not rest on the way.
pub(crate) fn applies(problem: &Problem) -> bool {
    let (collective, model) = (problem.collective(), problem.model());
    collective.semantics() == Semantics::Copy
        && model.switching != Switching::StoreAndForward
        && !model.combining
        && collective.messages().all(|m| collective.destinations(m).len() == 1)
}

impl<'a> ExactPaths<'a> {
    /// `None` where there is nothing to send, or messages cannot be told apart by a quotient.
    pub(crate) fn new(resources: &'a Resources<'a>, run: &'a Run<'a>) -> Option<Self> {
        let open: Vec<Message> = open_messages(resources.problem);
        if open.is_empty() {
            return None;
        }
        let mut budget = Budget::new(run, u64::MAX);
        let ends = Ends::new(resources.problem, &open);
        let ticks = MOST_TICKS_FOR_GROUPS.min(run.settings.ticks / 4);
        let groups = free_groups(resources.problem, &ends, run.settings.seed, &mut budget.part(ticks));
        let all = groups.into_iter().take(GROUPS).chain([FreeGroup::trivial(resources.problem)]);
        let quotient = |group| OrbitQuotient::new(resources, &ends, &open, group, &mut budget);
        let quotients = all.filter_map(quotient).collect();
        Some(ExactPaths { resources, ends, run, quotients, paths: BTreeMap::new() })
    }

    /// A schedule of `steps` steps, if one is found with `budget` bytes of proof; also tells how many were spent.
    pub(crate) fn find(&mut self, steps: u64, budget: u64) -> (Option<Schedule>, u64) {
        let Ok(steps) = u32::try_from(steps) else { return (None, 0) };
        let mut configurations = self.configurations();
        let mut spent = 0;
        // A first look at small formulas, then a longer one at larger ones and those that are not decided.
        for share in [32, 4, 1] {
            let mut open = Vec::new();
            for configuration in configurations {
                let left = budget.saturating_sub(spent).min(budget / share);
                let mut listing = Budget::new(self.run, LOOKS_A_BYTE * left);
                let size = self.size(configuration, steps, &mut listing);
                spent += listing.spent() / LOOKS_A_BYTE;
                if self.run.stopped() {
                    return (None, spent);
                }
                let Some(size) = size.filter(|size| *size <= left / 2) else {
                    open.push(configuration);
                    continue;
                };
                let (answer, bytes) = self.ask(configuration, steps, left - size);
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
        let slacks = self.run.settings.slack.map_or(0..=2, |s| s..=s);
        let all = |slack| (0..self.quotients.len()).map(move |quotient| Configuration { slack, quotient });
        slacks.flat_map(all).collect()
    }

    /// What it takes to write a configuration's formula down, in bytes of proof; `None` where it is too large, or its paths are
    /// too many for the budget.
    fn size(&mut self, configuration: Configuration, steps: u32, budget: &mut Budget<'_>) -> Option<u64> {
        let Configuration { slack, quotient } = configuration;
        if !self.paths.contains_key(&configuration) {
            let limits = Limits { slack, most: MOST_PATHS };
            let mut random = self.run.settings.seed.generator(u64::from(slack));
            let messages = &self.quotients[quotient].messages;
            let lists = PathLists::new(self.resources, messages, limits, &mut random, budget)?;
            self.paths.insert(configuration, lists);
        }
        // A choice stands in the rules of its message and of every slot it takes.
        let lists = &self.paths[&configuration];
        let all = (0..lists.len()).flat_map(|message| lists.paths(message));
        let literals: usize = all.map(|path| 3 * lists.lanes(path).len() + 6).sum();
        let literals = literals as u64 * u64::from(steps);
        (literals <= MOST_LITERALS).then_some(literals / LITERALS_A_BYTE)
    }

    /// Whether the messages of a configuration have room in `steps` steps; its paths are listed.
    fn ask(&self, configuration: Configuration, steps: u32, budget: u64) -> (Answer<(), Schedule>, u64) {
        let nothing = (Answer::None(()), 0);
        let quotient = &self.quotients[configuration.quotient];
        let Some(divided) = QuotientSteps::new(quotient, &quotient.no_shift(), steps) else { return nothing };
        let Some(lists) = self.paths.get(&configuration) else { return nothing };
        let Some(formula) = PathFormula::new(self.resources, &divided.parts[0], lists) else { return nothing };
        let (answer, bytes) = decide(&formula.cnf(), budget, self.run);
        let answer = match answer {
            Answer::Solution(values) => {
                let placed = formula
                    .decode(&values)
                    .into_iter()
                    .map(|choice| Placement { step: choice.step, path: lists.lanes(choice.path).to_vec() });
                let all = divided.expanded(&self.ends, placed.enumerate());
                Answer::Solution(emit::schedule(self.resources, steps, all))
            }
            Answer::None(()) => Answer::None(()),
            Answer::Open => Answer::Open,
        };
        (answer, bytes)
    }
}
