//! **What:** "every message has one of its paths in one step, and no slot is taken beyond its capacity", as rules.
//!
//! **Method.** A *choice* is a path and the step it begins in; it takes the slots of its resources ([`Part`]). Rules: of
//! the choices of a message exactly one; of the choices that take a slot at most its capacity. Under time-division a
//! path takes its slots one after the other, so many steps after it begins; the steps may go round in a circle. Where the
//! steps can be exchanged or turned round, the first message takes the first one.

use crate::path_lists::PathLists;
use crate::quotient::Part;
use crate::resources::Resources;
use kernel::Switching;
use kernel::formula::{Cnf, Literal, Rule};
use std::collections::BTreeMap;

/// A path, and the step it begins in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub path: u32,
    pub step: u32,
}

/// A resource that a path takes, so many steps after it begins.
#[derive(Clone, Copy, Debug)]
struct Taken {
    resource: u32,
    later: u32,
}

/// The choices of a message.
struct Choices {
    /// Variables before theirs.
    before: usize,
    list: Vec<Choice>,
}

/// The formula of one quotient, number of steps and lists of paths.
pub(super) struct PathFormula<'a> {
    resources: &'a Resources<'a>,
    part: &'a Part,
    variables: u32,
    rules: Vec<Rule>,
    choices: Vec<Choices>,
}

/// What says that a message takes each slot, by number, and so many times more than once.
type Takers = BTreeMap<(u32, u32), Vec<Literal>>;

impl<'a> PathFormula<'a> {
    /// The paths are of the quotient's messages; `None` where a message has no choice.
    pub(super) fn new(resources: &'a Resources<'a>, part: &'a Part, lists: &PathLists) -> Option<Self> {
        let mut formula = PathFormula { resources, part, variables: 0, rules: Vec::new(), choices: Vec::new() };
        let turns = !matches!(resources.problem.model().switching, Switching::Tdm { cyclic: false, .. });
        let mut slots: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
        for message in 0..lists.len() {
            let steps = if turns && message == 0 { 1 } else { part.layers };
            let takers = formula.choose(lists, message, steps)?;
            for ((slot, time), literals) in takers {
                let literal = formula.any_of(literals, time == 0);
                slots.entry(slot).or_default().push(literal);
            }
        }
        for resource in (0..).take(resources.capacity.len()) {
            for slot in (0..part.layers).map(|step| part.row(resource, 0).slot(step)) {
                if let Some(literals) = slots.remove(&slot.number) {
                    formula.at_most(slot.capacity, &literals);
                }
            }
        }
        Some(formula)
    }

    /// The formula's clauses.
    pub(super) fn cnf(&self) -> Cnf {
        Cnf::of(self.variables, &self.rules)
    }

    /// What each message chose.
    pub(super) fn decode(&self, values: &[bool]) -> Vec<Choice> {
        let chosen = |choices: &Choices| {
            let mut values = choices.list.iter().zip(&values[choices.before..]);
            values.find(|(_, value)| **value).map_or(choices.list[0], |(choice, _)| *choice)
        };
        self.choices.iter().map(chosen).collect()
    }

    /// Variables for the choices of a message in the first so many steps, of which it makes one; the slots they take.
    fn choose(&mut self, lists: &PathLists, message: usize, steps: u32) -> Option<Takers> {
        let mut takers = Takers::new();
        let mut choices = Choices { before: self.variables as usize, list: Vec::new() };
        for path in lists.paths(message) {
            let (taken, lasts) = self.taken(lists, path);
            if !self.admits(&taken) {
                continue;
            }
            let wraps = !matches!(self.resources.problem.model().switching, Switching::Tdm { cyclic: false, .. });
            let ends = if wraps { self.part.layers } else { self.part.layers.saturating_sub(lasts) };
            for step in 0..steps.min(ends) {
                let literal = self.variable();
                choices.list.push(Choice { path, step });
                let slot = |t: &Taken| {
                    self.part
                        .row(t.resource, 0)
                        .slot(((u64::from(step) + u64::from(t.later)) % u64::from(self.part.layers)) as u32)
                };
                let mut here: Vec<u32> = taken.iter().map(|taken| slot(taken).number).collect();
                here.sort_unstable();
                // A path and its images may take a slot of larger capacity several times.
                for same in here.chunk_by(|a, b| a == b) {
                    (0u32..).zip(same).for_each(|(time, &slot)| takers.entry((slot, time)).or_default().push(literal));
                }
            }
        }
        choices.list.first()?;
        let first = choices.before + 1;
        let all: Vec<Literal> = (first..=self.variables as usize).filter_map(|v| Literal::try_from(v).ok()).collect();
        self.at_most(1, &all);
        self.rules.push(Rule { least: 1, literals: all });
        self.choices.push(choices);
        Some(takers)
    }

    /// What a path takes, and the steps after which it has ended.
    fn taken(&self, lists: &PathLists, path: u32) -> (Vec<Taken>, u32) {
        let Switching::Tdm { hop, .. } = self.resources.problem.model().switching else {
            return (lists.taken(path).iter().map(|&resource| Taken { resource, later: 0 }).collect(), 0);
        };
        let lanes = lists.lanes(path);
        let mut taken = Vec::new();
        let mut later = 0u32;
        for &lane in lanes {
            taken.extend(self.resources.taken[lane as usize].iter().map(|&resource| Taken { resource, later }));
            later = later.saturating_add(hop);
        }
        let (first, last) = (lanes.first(), lanes.last());
        let send = first.and_then(|l| self.resources.send[self.resources.ends[*l as usize].0.index()]);
        let receive = last.and_then(|l| self.resources.receive[self.resources.ends[*l as usize].1.index()]);
        taken.extend(send.map(|resource| Taken { resource, later: 0 }));
        taken.extend(receive.map(|resource| Taken { resource, later }));
        (taken, later)
    }

    /// Whether a path and its images are disjoint, in every step they take something.
    fn admits(&self, taken: &[Taken]) -> bool {
        let mut by_step: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        taken.iter().for_each(|t| by_step.entry(t.later % self.part.layers).or_default().push(t.resource));
        by_step.into_values().all(|resources| self.part.admits(resources.into_iter(), &mut Vec::new()))
    }

    /// What says that one of the literals holds; itself where it is the only one and may stand for that.
    fn any_of(&mut self, mut literals: Vec<Literal>, may_stand: bool) -> Literal {
        if let ([only], true) = (&literals[..], may_stand) {
            return *only;
        }
        let any = self.variable();
        for &literal in &literals {
            self.rules.push(Rule { least: 1, literals: vec![-literal, any] });
        }
        literals.push(-any);
        self.rules.push(Rule { least: 1, literals });
        any
    }

    fn variable(&mut self) -> Literal {
        self.variables += 1;
        // Choices are limited in number, so there are far fewer than 2^31.
        Literal::try_from(self.variables).unwrap_or(Literal::MAX)
    }

    fn at_most(&mut self, most: u32, literals: &[Literal]) {
        let least = u32::try_from(literals.len()).unwrap_or(u32::MAX).saturating_sub(most);
        if least > 0 {
            self.rules.push(Rule { least, literals: literals.iter().map(|l| -l).collect() });
        }
    }
}
