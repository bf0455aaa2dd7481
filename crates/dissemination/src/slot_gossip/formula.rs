//! **What:** "every node hears of all the others that it must", as rules about calls that tell what their senders know after the opening.
//!
//! **Rules.** A *caller* is a node and a slot in which it may begin calls. A variable says that a call of this caller crosses a lane as its l-th; another
//! that one ends at a node after l lanes. What leaves a node, or ends there, has come there on the lane before, and nothing comes that neither
//! leaves nor ends; a caller has one call at a node at a time, and no call comes back to a lane where ports are few. Lanes, groups and ports have room for what the
//! opening left, slot by slot. For each node and each other of whom it must hear, a call ends there whose caller knows of it.

use super::{Asked, Call, MOST_VARIABLES, Opening};
use graph::distances::{Way, distances};
use kernel::Node;
use kernel::formula::{Literal, Rules};
use run::Budget;
use search::resources::Resources;
use std::collections::BTreeMap;

/// Lanes that a path may be longer than the shortest, unless the run says otherwise.
const SLACK: u32 = 2;

/// A node and a slot, and of whom it knows then.
struct Caller {
    node: Node,
    slot: u32,
    knows: Vec<Node>,
    /// Of each number of lanes before, those that a call may cross next, and where it may end after them.
    crosses: Vec<BTreeMap<u32, Literal>>,
    ends: Vec<BTreeMap<Node, Literal>>,
}

/// The formula of one opening.
pub(super) struct CoverFormula {
    pub(super) rules: Rules,
    callers: Vec<Caller>,
    /// Of each resource and slot, what takes it.
    takers: BTreeMap<(u32, u32), Vec<Literal>>,
}

impl CoverFormula {
    /// `None` where it would be too large, or the run stops.
    pub(super) fn new(asked: &Asked<'_>, opening: &Opening) -> Option<Self> {
        let &Asked { resources, needs, run, .. } = asked;
        let mut formula =
            CoverFormula { rules: Rules::new(MOST_VARIABLES), callers: Vec::new(), takers: BTreeMap::new() };
        let first = opening.known.iter().flatten().map(|heard| heard.since).filter(|since| *since > 0).min();
        for &node in resources.problem.network().terminals() {
            let far = distances(resources.problem, node, Way::On, &mut Budget::new(run, u64::MAX))?;
            for slot in first.unwrap_or(0)..opening.period {
                let heard = opening.known[node.index()].iter().filter(|heard| heard.since <= slot);
                let knows: Vec<Node> = heard.map(|heard| heard.of).collect();
                if !knows.is_empty() {
                    let caller = Caller { node, slot, knows, crosses: Vec::new(), ends: Vec::new() };
                    formula.add(caller, asked, opening, &far)?;
                }
            }
        }
        for ((resource, slot), literals) in std::mem::take(&mut formula.takers) {
            let most = opening.room[resource as usize][slot as usize];
            formula.rules.at_most(most, literals);
        }
        let mut heard: BTreeMap<(Node, Node), Vec<Literal>> = BTreeMap::new();
        for caller in &formula.callers {
            for (to, literal) in caller.ends.iter().flatten() {
                caller.knows.iter().for_each(|of| heard.entry((*to, *of)).or_default().push(*literal));
            }
        }
        for to in resources.problem.network().terminals() {
            let told = &opening.known[to.index()];
            for of in needs.of[to.index()].iter().filter(|of| told.iter().all(|heard| heard.of != **of)) {
                let literals = heard.remove(&(*to, *of)).unwrap_or_default();
                formula.rules.one_of(literals);
            }
        }
        Some(formula)
    }

    /// The variables and rules of one caller, from which each node is `far`.
    fn add(&mut self, mut caller: Caller, asked: &Asked<'_>, opening: &Opening, far: &[u32]) -> Option<()> {
        let &Asked { resources, needs, slots, run } = asked;
        let slack = run.settings.slack.map_or(SLACK, |slack| slack.min(SLACK));
        let network = resources.problem.network();
        let has_room = |resource: u32, slot: u32| opening.room[resource as usize][slot as usize] > 0;
        let longest = far.iter().filter(|far| **far != u32::MAX).max().copied().unwrap_or(0).checked_add(slack)?;
        for hops in 0..longest {
            let after = |hops: u32| hops.checked_mul(slots.hop).and_then(|later| later.checked_add(caller.slot));
            let (now, then) = (after(hops)?, after(hops + 1)?);
            if !slots.cyclic && then >= opening.period {
                break;
            }
            let (now, arrives) = (now % opening.period, then % opening.period);
            // Where calls are before the next lane.
            let mut came: BTreeMap<Node, Vec<Literal>> = BTreeMap::new();
            match hops.checked_sub(1) {
                None => drop(came.insert(caller.node, Vec::new())),
                Some(before) => {
                    for (&lane, &literal) in &caller.crosses[before as usize] {
                        came.entry(resources.ends[lane as usize].1).or_default().push(literal);
                    }
                }
            }
            let (mut crosses, mut leaves): (BTreeMap<u32, Literal>, BTreeMap<Node, Vec<Literal>>) = Default::default();
            for &at in came.keys().filter(|at| hops == 0 || resources.problem.path_passes(**at)) {
                for &lane in &resources.out[at.index()] {
                    let to = resources.ends[lane as usize].1;
                    let near = hops < far[to.index()].saturating_add(slack);
                    if to == caller.node || !near || !resources.taken[lane as usize].iter().all(|&r| has_room(r, now)) {
                        continue;
                    }
                    let literal = self.rules.variable()?;
                    crosses.insert(lane, literal);
                    leaves.entry(at).or_default().push(literal);
                    resources.taken[lane as usize]
                        .iter()
                        .for_each(|&r| self.takers.entry((r, now)).or_default().push(literal));
                }
            }
            if hops == 0 {
                if let Some(ports) = resources.send[caller.node.index()] {
                    self.takers.entry((ports, caller.slot)).or_default().extend(crosses.values());
                }
            } else {
                self.pass(&came, &caller.ends[hops as usize - 1], &leaves);
            }
            // Where calls may end after this lane.
            let mut ends: BTreeMap<Node, Literal> = BTreeMap::new();
            for lane in crosses.keys() {
                let to = resources.ends[*lane as usize].1;
                let ports = resources.receive[to.index()];
                let hears = network.is_terminal(to) && !needs.of[to.index()].is_empty();
                if hears && !ends.contains_key(&to) && ports.is_none_or(|ports| has_room(ports, arrives)) {
                    let literal = self.rules.variable()?;
                    ends.insert(to, literal);
                    ports.into_iter().for_each(|r| self.takers.entry((r, arrives)).or_default().push(literal));
                }
            }
            caller.crosses.push(crosses);
            caller.ends.push(ends);
        }
        // What has crossed the last lane ends.
        if let (Some(crosses), Some(ends)) = (caller.crosses.last(), caller.ends.last()) {
            let mut came: BTreeMap<Node, Vec<Literal>> = BTreeMap::new();
            for (&lane, &literal) in crosses {
                came.entry(resources.ends[lane as usize].1).or_default().push(literal);
            }
            self.pass(&came, ends, &BTreeMap::new());
        }
        // A path that comes back to a lane, which takes two lanes at least, would cross a channel twice. The rule also keeps
        // different calls of a caller apart, which with all ports costs slots (allreduce on kautz:2,3).
        let few_ports = resources.send[caller.node.index()].is_some();
        for (hops, crosses) in caller.crosses.iter().enumerate().filter(|_| few_ports) {
            for again in caller.crosses.iter().skip(hops + 2) {
                let twice = crosses.iter().filter_map(|(lane, literal)| Some((*literal, *again.get(lane)?)));
                twice.for_each(|(first, second)| self.rules.at_most(1, vec![first, second]));
            }
        }
        self.callers.push(caller);
        Some(())
    }

    /// What comes to each node ends there or leaves it, and nothing else does.
    fn pass(
        &mut self,
        came: &BTreeMap<Node, Vec<Literal>>,
        ends: &BTreeMap<Node, Literal>,
        leaves: &BTreeMap<Node, Vec<Literal>>,
    ) {
        for (at, came) in came {
            let goes: Vec<Literal> = leaves.get(at).into_iter().flatten().chain(ends.get(at)).copied().collect();
            for literal in &goes {
                self.rules.one_of(came.iter().copied().chain([-literal]));
            }
            for literal in came {
                self.rules.one_of(goes.iter().copied().chain([-literal]));
            }
            self.rules.at_most(1, goes);
            self.rules.at_most(1, came.clone());
        }
    }

    /// The calls that values describe.
    pub(super) fn decode(&self, resources: &Resources<'_>, values: &[bool]) -> Vec<Call> {
        let holds = |literal: &Literal| usize::try_from(literal - 1).is_ok_and(|at| values[at]);
        let mut calls = Vec::new();
        for caller in &self.callers {
            let crossed = |hops: usize, at: Node| {
                let lanes = caller.crosses.get(hops).into_iter().flatten();
                lanes.filter(move |(lane, literal)| resources.ends[**lane as usize].0 == at && holds(literal))
            };
            for (&first, _) in crossed(0, caller.node) {
                let mut path = vec![first];
                let mut to = resources.ends[first as usize].1;
                while !caller.ends[path.len() - 1].get(&to).is_some_and(holds) {
                    let Some((&lane, _)) = crossed(path.len(), to).next() else { break };
                    path.push(lane);
                    to = resources.ends[lane as usize].1;
                }
                calls.push(Call { to, slot: caller.slot, path, of: caller.knows.clone() });
            }
        }
        calls
    }
}
