//! **What:** "every message has one of its paths in one step, and no place is taken beyond its capacity", as rules.
//!
//! Under time-division a path takes its places one after the other, so many steps after it begins; the steps may go round in a
//! circle.
//!
//! A *choice* is a path in a block and layer of a part; it takes the places of its resources there ([`Fold`]). Rules: of
//! the choices of a message exactly one; of the choices that take a place at most its capacity. Two things make it easier
//! for a solver without losing what it looks for:
//!
//! - *Order.* Steps (where the group shifts them: layers) may be exchanged, so messages that all must take the same
//!   place, which holds one, take it in their order.
//! - *Fullness.* Where the shortest paths together take as much as there is, nothing may be left free.

use crate::packing::lanes::Lanes;
use crate::{packing::fold::Fold, packing::fold::Part};
use kernel::formula::{Cnf, Literal, Rule};
use std::collections::BTreeMap;

/// A path in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The path's place among the message's.
    pub path: usize,
    pub part: usize,
    pub block: u32,
    pub layer: u32,
}

/// What a path takes, and so many steps after it begins.
struct Taken {
    places: Vec<(u32, u32)>,
    /// Steps after which it has ended.
    lasts: u32,
}

/// The formula of one folding, number of steps and list of paths.
pub(super) struct PathFormula {
    variables: u32,
    rules: Vec<Rule>,
    /// By message, the variables before those of its choices, and the choices.
    choices: Vec<(usize, Vec<Choice>)>,
    pace: Pace,
}

/// What a place holds, and which kind of resource it is of.
#[derive(Clone, Copy)]
struct Place {
    kind: usize,
    capacity: u32,
}

/// Channels and groups, send ports, receive ports.
const KINDS: usize = 3;

impl PathFormula {
    /// `paths` are of the folding's messages; `None` where a message has no choice, or all together too little room.
    pub fn new(lanes: &Lanes, fold: &Fold<'_>, paths: &[Vec<Vec<u32>>], pace: Pace) -> Option<Self> {
        let mut formula = PathFormula { variables: 0, rules: Vec::new(), choices: Vec::new(), pace };
        let taken: Vec<Vec<Taken>> =
            paths.iter().map(|list| list.iter().map(|path| pace.taken(lanes, path)).collect()).collect();
        let order = match pace {
            Pace::AtOnce => order(fold, &taken),
            // All may begin so many steps later.
            Pace::Slots { cyclic: true, .. } => BTreeMap::from([(0, 0)]),
            Pace::Slots { cyclic: false, .. } => BTreeMap::new(),
        };
        let mut takers: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
        for (item, list) in taken.iter().enumerate() {
            for (place, literal) in formula.message(fold, list, order.get(&item).copied())? {
                takers.entry(place).or_default().push(literal);
            }
        }
        let (places, kinds) = (all_places(lanes, fold), kinds(lanes));
        let mut room = [0u64; KINDS];
        places.values().for_each(|p| room[p.kind] += u64::from(p.capacity));
        let mut least = [0u64; KINDS];
        for list in &taken {
            for (kind, least) in least.iter_mut().enumerate() {
                let takes =
                    |taken: &Taken| taken.places.iter().filter(|(r, _)| kinds[*r as usize] == kind).count() as u64;
                *least += list.iter().map(takes).min().unwrap_or(0);
            }
        }
        for (at, place) in places {
            let literals = takers.remove(&at).unwrap_or_default();
            formula.at_most(place.capacity, &literals);
            if least[place.kind] == room[place.kind] {
                formula.rules.push(Rule { least: place.capacity, literals });
            }
        }
        (0..KINDS).all(|kind| least[kind] <= room[kind]).then_some(formula)
    }

    /// The formula's clauses.
    pub fn cnf(&self) -> Cnf {
        Cnf::of(self.variables, &self.rules)
    }

    /// What each message chose.
    pub fn decode(&self, values: &[bool]) -> Vec<Choice> {
        let chosen = |(before, choices): &(usize, Vec<Choice>)| {
            let mut values = choices.iter().zip(&values[*before..]);
            values.find(|(_, value)| **value).map_or(choices[0], |(choice, _)| *choice)
        };
        self.choices.iter().map(chosen).collect()
    }

    /// The choices of one message, whose paths take `list`; the places they take, each with what says so.
    fn message(&mut self, fold: &Fold<'_>, list: &[Taken], turn: Option<u32>) -> Option<Vec<(u32, Literal)>> {
        let mut choices = Vec::new();
        let mut own: BTreeMap<(u32, u32), Vec<Literal>> = BTreeMap::new();
        let mut memory = Vec::new();
        let before = self.variables as usize;
        for (index, part) in fold.parts.iter().enumerate() {
            for (path, taken) in list.iter().enumerate() {
                if !admits(fold, part, taken, &mut memory) {
                    continue;
                }
                let steps = (0..part.blocks).flat_map(|b| (0..part.layers).map(move |l| (b, l)));
                let ends = self.pace.ends(part.layers, taken.lasts);
                let steps = steps.filter(|step| turn.is_none_or(|turn| *step == (0, turn)));
                for (block, layer) in steps.filter(|(_, layer)| *layer < ends) {
                    let literal = self.variable();
                    choices.push(Choice { path, part: index, block, layer });
                    let mut here: Vec<u32> =
                        taken.places.iter().map(|&(r, later)| place(part, r, block, layer + later)).collect();
                    here.sort_unstable();
                    // A path and its images may take a place of larger capacity several times.
                    for same in here.chunk_by(|a, b| a == b) {
                        (0u32..)
                            .zip(same)
                            .for_each(|(time, &place)| own.entry((place, time)).or_default().push(literal));
                    }
                }
            }
        }
        choices.first()?;
        let all: Vec<Literal> =
            (before + 1..=self.variables as usize).filter_map(|v| Literal::try_from(v).ok()).collect();
        self.at_most(1, &all);
        self.rules.push(Rule { least: 1, literals: all });
        self.choices.push((before, choices));
        let mut takes = Vec::with_capacity(own.len());
        for ((place, time), mut literals) in own {
            let literal = match literals[..] {
                [only] if time == 0 => only,
                _ => {
                    let any = self.variable();
                    for &literal in &literals {
                        self.rules.push(Rule { least: 1, literals: vec![-literal, any] });
                    }
                    literals.push(-any);
                    self.rules.push(Rule { least: 1, literals });
                    any
                }
            };
            takes.push((place, literal));
        }
        Some(takes)
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

/// How a path takes its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// All in the step it begins.
    AtOnce,
    /// A channel every `hop` steps, the receiver's port after the last.
    Slots {
        /// Steps from one channel to the next.
        hop: u32,
        /// Whether the steps go round in a circle.
        cyclic: bool,
    },
}

impl Pace {
    fn taken(self, lanes: &Lanes, path: &[u32]) -> Taken {
        let mut places = Vec::new();
        let Pace::Slots { hop, .. } = self else {
            lanes.resources(path, |r| places.push((r, 0)));
            return Taken { places, lasts: 0 };
        };
        let lasts = path.iter().fold(0u32, |lasts, _| lasts.saturating_add(hop));
        for (lane, later) in path.iter().zip((0u32..).step_by(hop.max(1) as usize)) {
            places.extend(lanes.taken[*lane as usize].iter().map(|r| (*r, later)));
        }
        let (first, last) = (path.first(), path.last());
        let send = first.and_then(|l| lanes.send[lanes.ends[*l as usize].0.index()]);
        let receive = last.and_then(|l| lanes.receive[lanes.ends[*l as usize].1.index()]);
        places.extend(send.map(|r| (r, 0)));
        places.extend(receive.map(|r| (r, lasts)));
        Taken { places, lasts }
    }

    /// The steps, of so many, in which a path that lasts so long may begin are those before this one.
    fn ends(self, steps: u32, lasts: u32) -> u32 {
        if self == Pace::AtOnce || matches!(self, Pace::Slots { cyclic: true, .. }) {
            steps
        } else {
            steps.saturating_sub(lasts)
        }
    }
}

/// Whether a path and its images are disjoint, in every step they take something.
fn admits(fold: &Fold<'_>, part: &Part, taken: &Taken, memory: &mut Vec<(u32, u32)>) -> bool {
    let mut by_step: Vec<(u32, u32)> = taken.places.iter().map(|&(r, later)| (later % part.layers, r)).collect();
    by_step.sort_unstable();
    by_step.chunk_by(|a, b| a.0 == b.0).all(|same| {
        let here: Vec<u32> = same.iter().map(|(_, r)| *r).collect();
        fold.admits(part, &here, memory)
    })
}

/// The kind of each resource.
fn kinds(lanes: &Lanes) -> Vec<usize> {
    let mut kinds = vec![0; lanes.capacity.len()];
    lanes.send.iter().flatten().for_each(|&r| kinds[r as usize] = 1);
    lanes.receive.iter().flatten().for_each(|&r| kinds[r as usize] = 2);
    kinds
}

fn place(part: &Part, resource: u32, block: u32, layer: u32) -> u32 {
    let slot = part.slots[(resource * part.blocks + block) as usize];
    slot.start + layer % part.layers * slot.capacity
}

/// Every place once.
fn all_places(lanes: &Lanes, fold: &Fold<'_>) -> BTreeMap<u32, Place> {
    let kinds = kinds(lanes);
    let mut places = BTreeMap::new();
    for part in &fold.parts {
        for (at, slot) in part.slots.iter().enumerate().filter(|(_, slot)| slot.capacity > 0) {
            let kind = kinds[at / part.blocks as usize];
            let starts = (0..part.layers).map(|layer| slot.start + layer * slot.capacity);
            places.extend(starts.map(|start| (start, Place { kind, capacity: slot.capacity })));
        }
    }
    places
}

/// Messages whose step may be chosen for them, and the layer (of block 0) each then has.
fn order(fold: &Fold<'_>, taken: &[Vec<Taken>]) -> BTreeMap<usize, u32> {
    let [part] = &fold.parts[..] else { return BTreeMap::new() };
    if part.blocks > 1 {
        // All steps may be shifted round together, and layers exchanged.
        return BTreeMap::from([(0, 0)]);
    }
    let mut forced: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (item, list) in taken.iter().enumerate() {
        let slots = |taken: &Taken| -> Vec<u32> {
            let slots = taken.places.iter().map(|&(r, _)| part.slots[r as usize]).filter(|slot| slot.capacity == 1);
            slots.map(|slot| slot.start).collect()
        };
        let Some(mut common) = list.first().map(slots) else { continue };
        for other in &list[1..] {
            let here = slots(other);
            common.retain(|slot| here.contains(slot));
        }
        common.sort_unstable();
        common.dedup();
        common.into_iter().for_each(|slot| forced.entry(slot).or_default().push(item));
    }
    let most = forced.into_values().max_by_key(Vec::len).unwrap_or_default();
    most.into_iter().zip(0..).collect()
}
