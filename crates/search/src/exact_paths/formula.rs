//! **What:** "every message has one of its paths in one step, and no slot is taken beyond its capacity", as rules.
//!
//! **Method.** A *choice* is a path and the step it begins in; it takes the slots of its resources ([`Part`]). Rules: of
//! the choices of a message exactly one; of the choices that take a slot at most its capacity. Under time-division a
//! path takes its slots one after the other, so many steps after it begins; the steps may go round in a circle. Where the
//! steps can be exchanged or turned round, the first message takes the first one.

use crate::path_lists::PathLists;
use crate::quotient::Part;
use crate::resources::Resources;
use kernel::Slots;
use kernel::formula::{Cnf, Literal, Rules};
use std::collections::BTreeMap;

/// A path, and the step it begins in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub path: u32,
    pub step: u32,
    /// Variables before the one that says so.
    before: usize,
}

/// A resource that a path takes, so many steps after it begins.
#[derive(Clone, Copy, Debug)]
struct Taken {
    resource: u32,
    later: u32,
}

/// The formula of one quotient, number of steps and lists of paths.
pub(super) struct PathFormula<'a> {
    resources: &'a Resources<'a>,
    part: &'a Part,
    slots: Option<Slots>,
    rules: Rules,
    /// Of each message.
    choices: Vec<Vec<Choice>>,
}

/// What says that a message takes each slot, by number, and so many times more than once.
type Takers = BTreeMap<(u32, u32), Vec<Literal>>;

impl<'a> PathFormula<'a> {
    /// The paths are of the quotient's messages; `None` where a message has no choice.
    pub(super) fn new(resources: &'a Resources<'a>, part: &'a Part, lists: &PathLists) -> Option<Self> {
        let slots = resources.problem.model().switching.slots();
        let mut formula = PathFormula { resources, part, slots, rules: Rules::new(u32::MAX), choices: Vec::new() };
        let mut takers: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
        for message in 0..lists.len() {
            let steps = if formula.wraps() && message == 0 { 1 } else { part.layers };
            for ((slot, time), literals) in formula.choose(lists, message, steps)? {
                let literal = formula.any_of(literals, time == 0)?;
                takers.entry(slot).or_default().push(literal);
            }
        }
        for resource in (0..).take(resources.capacity.len()) {
            for slot in (0..part.layers).map(|step| part.row(resource, 0).slot(step)) {
                if let Some(literals) = takers.remove(&slot.number) {
                    formula.rules.at_most(slot.capacity, literals);
                }
            }
        }
        Some(formula)
    }

    /// Whether steps may be exchanged, or turned round in a circle.
    fn wraps(&self) -> bool {
        self.slots.is_none_or(|slots| slots.cyclic)
    }

    /// The formula's clauses.
    pub(super) fn cnf(&self) -> Cnf {
        self.rules.cnf()
    }

    /// What each message chose.
    pub(super) fn decode(&self, values: &[bool]) -> Vec<Choice> {
        let chosen = |list: &Vec<Choice>| *list.iter().find(|choice| values[choice.before]).unwrap_or(&list[0]);
        self.choices.iter().map(chosen).collect()
    }

    /// Variables for the choices of a message in the first so many steps, of which it makes one; the slots they take.
    fn choose(&mut self, lists: &PathLists, message: usize, steps: u32) -> Option<Takers> {
        let mut takers = Takers::new();
        let (mut choices, mut all) = (Vec::new(), Vec::new());
        for path in lists.paths(message) {
            let lanes = lists.lanes(path);
            let taken = self.taken(lanes);
            if !self.admits(&taken) {
                continue;
            }
            let layers = self.part.layers;
            let ends = if self.wraps() { layers } else { layers.saturating_sub(self.after(lanes.len())) };
            for step in 0..steps.min(ends) {
                choices.push(Choice { path, step, before: self.rules.variables() as usize });
                let literal = self.rules.variable()?;
                all.push(literal);
                let layer = |later: u32| ((u64::from(step) + u64::from(later)) % u64::from(layers)) as u32;
                let number = |t: &Taken| self.part.row(t.resource, 0).slot(layer(t.later)).number;
                let mut here: Vec<u32> = taken.iter().map(number).collect();
                here.sort_unstable();
                // A path and its images may take a slot of larger capacity several times.
                for same in here.chunk_by(|a, b| a == b) {
                    (0u32..).zip(same).for_each(|(time, &slot)| takers.entry((slot, time)).or_default().push(literal));
                }
            }
        }
        choices.first()?;
        self.rules.at_most(1, all.clone());
        self.rules.one_of(all);
        self.choices.push(choices);
        Some(takers)
    }

    /// Steps after a path begins at which it has so many hops behind it.
    fn after(&self, hops: usize) -> u32 {
        self.slots.map_or(0, |slots| u32::try_from(hops).unwrap_or(u32::MAX).saturating_mul(slots.hop))
    }

    /// What a path takes, channel by channel, and its ports in the step it begins and the one it ends in.
    fn taken(&self, lanes: &[u32]) -> Vec<Taken> {
        let Resources { ends, taken, send, receive, .. } = self.resources;
        let of_lane = |(at, &lane): (usize, &u32)| {
            taken[lane as usize].iter().map(move |&resource| Taken { resource, later: self.after(at) })
        };
        let mut all: Vec<Taken> = lanes.iter().enumerate().flat_map(of_lane).collect();
        let (first, last) = (lanes.first(), lanes.last());
        let send = first.and_then(|l| send[ends[*l as usize].0.index()]);
        let receive = last.and_then(|l| receive[ends[*l as usize].1.index()]);
        all.extend(send.map(|resource| Taken { resource, later: 0 }));
        all.extend(receive.map(|resource| Taken { resource, later: self.after(lanes.len()) }));
        all
    }

    /// Whether a path and its images are disjoint, in every step they take something.
    fn admits(&self, taken: &[Taken]) -> bool {
        let mut by_step: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        taken.iter().for_each(|t| by_step.entry(t.later % self.part.layers).or_default().push(t.resource));
        by_step.into_values().all(|resources| self.part.admits(resources.into_iter(), &mut Vec::new()))
    }

    /// What says that one of the literals holds; itself where it is the only one and may stand for that.
    fn any_of(&mut self, literals: Vec<Literal>, may_stand: bool) -> Option<Literal> {
        if let ([only], true) = (&literals[..], may_stand) {
            return Some(*only);
        }
        let any = self.rules.variable()?;
        literals.iter().for_each(|literal| self.rules.implies(*literal, [any]));
        self.rules.one_of(literals.into_iter().chain([-any]));
        Some(any)
    }
}
