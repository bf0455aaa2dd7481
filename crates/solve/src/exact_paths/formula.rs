//! **What:** "every message has one of its paths in one step, and no place is taken beyond its capacity", as rules.
//!
//! A *choice* is a path in a block and layer of a part; it takes the places of its resources there ([`Fold`]). Rules: of
//! the choices of a message exactly one; of the choices that take a place at most its capacity. Two things make it easier
//! for a solver without losing what it looks for:
//!
//! - *Order.* Steps (where the group shifts them: layers) may be exchanged, so messages that all must take the same
//!   place, which holds one, take it in their order.
//! - *Fullness.* Where the shortest paths together take as much as there is, nothing may be left free.

use crate::packing::fold::{Fold, Part};
use crate::packing::lanes::Lanes;
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

/// The formula of one folding, number of steps and list of paths.
pub(super) struct PathFormula {
    variables: u32,
    rules: Vec<Rule>,
    /// By message, the variables before those of its choices, and the choices.
    choices: Vec<(usize, Vec<Choice>)>,
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
    pub fn new(lanes: &Lanes, fold: &Fold<'_>, paths: &[Vec<Vec<u32>>]) -> Option<Self> {
        let mut formula = PathFormula { variables: 0, rules: Vec::new(), choices: Vec::new() };
        let taken: Vec<Vec<Vec<u32>>> =
            paths.iter().map(|list| list.iter().map(|path| resources(lanes, path)).collect()).collect();
        let order = order(fold, &taken);
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
                let takes = |taken: &Vec<u32>| taken.iter().filter(|r| kinds[**r as usize] == kind).count() as u64;
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
    fn message(&mut self, fold: &Fold<'_>, list: &[Vec<u32>], turn: Option<u32>) -> Option<Vec<(u32, Literal)>> {
        let mut choices = Vec::new();
        let mut own: BTreeMap<(u32, u32), Vec<Literal>> = BTreeMap::new();
        let mut memory = Vec::new();
        let before = self.variables as usize;
        for (index, part) in fold.parts.iter().enumerate() {
            for (path, taken) in list.iter().enumerate() {
                if !fold.admits(part, taken, &mut memory) {
                    continue;
                }
                let steps = (0..part.blocks).flat_map(|b| (0..part.layers).map(move |l| (b, l)));
                for (block, layer) in steps.filter(|step| turn.is_none_or(|turn| *step == (0, turn))) {
                    let literal = self.variable();
                    choices.push(Choice { path, part: index, block, layer });
                    let mut here: Vec<u32> = taken.iter().map(|&r| place(part, r, block, layer)).collect();
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

fn resources(lanes: &Lanes, path: &[u32]) -> Vec<u32> {
    let mut taken = Vec::new();
    lanes.resources(path, |r| taken.push(r));
    taken
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
    slot.start + layer * slot.capacity
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
fn order(fold: &Fold<'_>, taken: &[Vec<Vec<u32>>]) -> BTreeMap<usize, u32> {
    let [part] = &fold.parts[..] else { return BTreeMap::new() };
    if part.blocks > 1 {
        // All steps may be shifted round together, and layers exchanged.
        return BTreeMap::from([(0, 0)]);
    }
    let mut forced: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (item, list) in taken.iter().enumerate() {
        let slots = |taken: &Vec<u32>| -> Vec<u32> {
            let slots = taken.iter().map(|&r| part.slots[r as usize]).filter(|slot| slot.capacity == 1);
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
