//! **What:** the best calls at a node, by worths and prices.
//!
//! **Method.** Each channel into the node and out of it is a [gate](super::gates), in each step in which it may be of use: the last channel of an early call,
//! or the first of a late one, so a gate is used once. All sets of early calls are listed, each with the least that it costs; the late ones are an
//! assignment of gates to nodes, of which none needs two.

use super::gates::{Call, Gate, Use};
use super::matching::{Matching, matching};
use super::{Heard, TOO_MANY, TwoCalls, refuse};
use crate::{Node, Refused};
use std::collections::BTreeMap;

/// Most sets of early calls at a node.
const MOST_SETS: usize = 1 << 14;

/// Calls, with what they are worth and cost.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// What they are worth beyond what they cost.
    pub value: u64,
    /// What they make others hear.
    pub heard: Vec<Heard>,
    /// What they use.
    pub uses: Vec<Use>,
    /// Looks that it took to find them.
    pub looks: u64,
    /// Sets of calls that were looked at.
    pub(super) sets: usize,
}

/// Of whom a node knows, and the first step in which it may tell others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    of: Node,
    since: usize,
}

/// Early calls to a node, with what they cost.
#[derive(Clone, Default)]
struct Early {
    price: u64,
    calls: Vec<Place>,
}

/// Where a call stands.
#[derive(Clone, Copy)]
struct Place {
    gate: usize,
    call: usize,
}

/// The best set so far.
struct Best<'a> {
    set: &'a [Known],
    early: &'a Early,
    late: Matching,
}

impl TwoCalls<'_> {
    /// The best calls by which others hear of a node directly, and which nobody can follow; those that are worth nothing left out.
    pub fn direct(&self, from: Node, worth: &[Vec<u64>]) -> Choice {
        let mut choice = Choice::default();
        for call in self.unfollowed(from) {
            let value = worth[from.index()][call.other.index()].saturating_sub(call.price);
            if value > 0 {
                choice.value += value;
                choice.heard.push(Heard { from, to: call.other });
                choice.uses.extend(call.uses);
            }
        }
        choice
    }

    /// The best calls that meet at a node.
    ///
    /// # Errors
    /// Where there are too many sets of calls.
    pub fn best_at(&self, node: Node, worth: &[Vec<u64>]) -> Result<Choice, Refused> {
        let told = |v: Node| worth[v.index()].iter().sum::<u64>();
        let heard = |v: Node| worth.iter().map(|row| row[v.index()]).sum::<u64>();
        // A call that costs as much as it can be worth changes nothing.
        let (entries, exits) = (kept(self.entries(node), told), kept(self.exits(node), heard));
        let sets = sets(&entries)?;
        let looks = (sets.len() * (exits.len() + 1) * worth.len()) as u64;
        let mut choice = Choice { sets: sets.len(), looks, ..Choice::default() };
        let (mut most, mut best) = (0, None);
        for (set, early) in &sets {
            let gains = gains(node, set, &exits, worth);
            let here: u64 = set.iter().map(|known| worth[known.of.index()][node.index()]).sum();
            let alone = here as i64 - early.price as i64;
            // As much, were gates not for different nodes.
            let at_most = alone + gains.iter().map(|row| row.iter().max().copied().unwrap_or(0)).sum::<i64>();
            if at_most <= most {
                continue;
            }
            choice.looks += (exits.len() * exits.len() * worth.len()) as u64;
            let late = matching(&gains);
            if alone + late.value > most {
                (most, best) = (alone + late.value, Some(Best { set, early, late }));
            }
        }
        choice.value = most.unsigned_abs();
        if let Some(best) = best {
            choice.describe(node, &best, &entries, &exits);
            choice.heard.retain(|heard| worth[heard.from.index()][heard.to.index()] > 0);
        }
        Ok(choice)
    }
}

impl Choice {
    /// Takes down what is heard and used.
    fn describe(&mut self, node: Node, best: &Best<'_>, entries: &[Gate], exits: &[Gate]) {
        self.heard.extend(best.set.iter().map(|known| Heard { from: known.of, to: node }));
        let mut calls: Vec<&Call> = best.early.calls.iter().map(|at| &entries[at.gate].calls[at.call]).collect();
        for (gate, to) in exits.iter().zip(&best.late.columns) {
            let taken = to.and_then(|to| gate.calls.iter().find(|call| call.other.index() == to));
            let Some(call) = taken else { continue };
            calls.push(call);
            self.heard.extend(told(node, best.set, gate.step).map(|from| Heard { from, to: call.other }));
        }
        self.uses = calls.into_iter().flat_map(|call| call.uses.iter().copied()).collect();
    }
}

/// Of whom a call may tell that begins in a step.
fn told(node: Node, set: &[Known], step: usize) -> impl Iterator<Item = Node> {
    set.iter().filter(move |known| known.since <= step).map(|known| known.of).chain([node])
}

/// Of each late call what it gains beyond its price, gate by gate and node by node.
fn gains(node: Node, set: &[Known], exits: &[Gate], worth: &[Vec<u64>]) -> Vec<Vec<i64>> {
    let mut step = None;
    let mut sums: Vec<u64> = Vec::new();
    let of_gate = |gate: &Gate| {
        // Gates of the same step follow each other.
        if step != Some(gate.step) {
            step = Some(gate.step);
            sums = vec![0; worth.len()];
            for from in told(node, set, gate.step) {
                sums.iter_mut().zip(&worth[from.index()]).for_each(|(sum, worth)| *sum += worth);
            }
        }
        let mut gains = vec![0; worth.len()];
        for call in &gate.calls {
            gains[call.other.index()] = (sums[call.other.index()] as i64 - call.price as i64).max(0);
        }
        gains
    };
    exits.iter().map(of_gate).collect()
}

/// Gates without the calls that cost no less than they can be worth.
fn kept(gates: Vec<Gate>, most: impl Fn(Node) -> u64) -> Vec<Gate> {
    let worth_it = |gate: Gate| {
        let calls = gate.calls.into_iter().filter(|call| call.price < most(call.other)).collect();
        Gate { calls, ..gate }
    };
    gates.into_iter().map(worth_it).collect()
}

/// All sets of what early calls can make a node know, each with the calls that cost least.
fn sets(entries: &[Gate]) -> Result<BTreeMap<Vec<Known>, Early>, Refused> {
    let mut sets = BTreeMap::from([(Vec::new(), Early::default())]);
    for (gate, entry) in entries.iter().enumerate() {
        let mut more: BTreeMap<Vec<Known>, Early> = BTreeMap::new();
        for (set, early) in &sets {
            let others = |call: &Call| set.iter().all(|known: &Known| known.of != call.other);
            for (at, call) in entry.calls.iter().enumerate().filter(|(_, call)| others(call)) {
                let mut larger = set.clone();
                larger.push(Known { of: call.other, since: entry.step });
                larger.sort_unstable();
                let mut calls = early.calls.clone();
                calls.push(Place { gate, call: at });
                cheaper(&mut more, larger, Early { price: early.price + call.price, calls });
                // Not only when all are made, which takes memory.
                if more.len() > MOST_SETS {
                    return refuse(TOO_MANY);
                }
            }
        }
        more.into_iter().for_each(|(set, early)| cheaper(&mut sets, set, early));
        if sets.len() > MOST_SETS {
            return refuse(TOO_MANY);
        }
    }
    Ok(sets)
}

/// Takes down a set, if it is new or costs less than it did.
fn cheaper(sets: &mut BTreeMap<Vec<Known>, Early>, set: Vec<Known>, early: Early) {
    if sets.get(&set).is_none_or(|known| early.price < known.price) {
        sets.insert(set, early);
    }
}
