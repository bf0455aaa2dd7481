//! **What:** what the collective of a file asks for: of each address who contributes, and which ranks are to end with which contributions.

use super::{Source, Whole};
use crate::ReadError;
use kernel::{Collective, Message, Node, Semantics};
use std::collections::{BTreeMap, BTreeSet};

/// Ranks that contribute.
pub(super) type Ranks = BTreeSet<u32>;

/// The same contributions of an address, for some ranks.
pub(super) struct Goal {
    pub contributors: Ranks,
    pub receivers: Vec<u32>,
    /// The first of its messages, one a part.
    pub first: u32,
}

/// All that is asked for.
pub(super) struct Asked {
    pub ranks: u32,
    /// Parts of an address.
    pub parts: u32,
    /// Of each address, who has a contribution to it at first.
    pub origins: BTreeMap<u32, Ranks>,
    /// Of each address, what is to be where, in the order of the first receivers.
    pub goals: BTreeMap<u32, Vec<Goal>>,
    name: String,
}

impl Asked {
    pub(super) fn of(whole: &Whole, parts: u32, source: &Source<'_>) -> Result<Self, ReadError> {
        let mut origins: BTreeMap<u32, Ranks> = BTreeMap::new();
        // Of each address and rank, the contributions that it is to end with.
        let mut wanted: BTreeMap<u32, BTreeMap<u32, Ranks>> = BTreeMap::new();
        for (at, chunk) in whole.chunks.iter().enumerate() {
            let wrong = |why: String| source.wrong("collective.chunks", at, why);
            if let Some(rank) = chunk.pre.iter().chain(&chunk.post).find(|rank| **rank >= whole.nodes) {
                return Err(wrong(format!("names rank {rank}, but ranks are 0 to {}", whole.nodes.saturating_sub(1))));
            }
            let [origin] = chunk.pre[..] else {
                return Err(wrong(format!("begins at {} ranks, where a message begins at one", chunk.pre.len())));
            };
            if chunk.addr.checked_add(1).and_then(|next| next.checked_mul(parts)).is_none() {
                return Err(wrong(format!("has address {}, of which {parts} parts have no numbers", chunk.addr)));
            }
            if !origins.entry(chunk.addr).or_default().insert(origin) {
                return Err(wrong(format!("is a second contribution of rank {origin} to address {}", chunk.addr)));
            }
            let wanted = wanted.entry(chunk.addr).or_default();
            for rank in &chunk.post {
                wanted.entry(*rank).or_default().insert(origin);
            }
        }
        let (mut goals, mut first) = (BTreeMap::new(), 0);
        for (address, ranks) in wanted {
            let mut of_address: Vec<Goal> = Vec::new();
            for (rank, contributors) in ranks {
                match of_address.iter_mut().find(|goal| goal.contributors == contributors) {
                    Some(goal) => goal.receivers.push(rank),
                    None => of_address.push(Goal { contributors, receivers: vec![rank], first: 0 }),
                }
            }
            for goal in &mut of_address {
                if let Some(own) = goal.contributors.first().filter(|_| goal.contributors.len() == 1) {
                    goal.receivers.retain(|rank| rank != own);
                }
            }
            of_address.retain(|goal| !goal.receivers.is_empty());
            for goal in &mut of_address {
                goal.first = first;
                first += parts;
            }
            goals.insert(address, of_address);
        }
        Ok(Asked { ranks: whole.nodes, parts, origins, goals, name: name(whole) })
    }

    /// The collective on nodes that stand for the ranks.
    pub(super) fn collective(&self, nodes: &[Node]) -> Collective {
        let goals = || self.goals.values().flatten();
        let of = |ranks: &mut dyn Iterator<Item = u32>| ranks.map(|rank| nodes[rank as usize]).collect::<Vec<Node>>();
        let message =
            |goal: &Goal| (of(&mut goal.contributors.iter().copied()), of(&mut goal.receivers.iter().copied()));
        let all: Vec<_> = goals().map(message).collect();
        type Sides = (Vec<Node>, Vec<Node>);
        let common = |side: fn(&Sides) -> &Vec<Node>| {
            let ends: BTreeSet<&Vec<Node>> = all.iter().map(side).collect();
            ends.first().filter(|_| ends.len() == 1).and_then(|nodes| nodes.first()).copied()
        };
        let root = match self.name.as_str() {
            "broadcast" | "scatter" => common(|(from, _)| from),
            "gather" | "reduce" => common(|(_, to)| to),
            _ => None,
        };
        let sums = goals().any(|goal| goal.contributors.len() > 1);
        let semantics = if sums { Semantics::Reduce } else { Semantics::Copy };
        let parts = self.parts as usize;
        let messages = all.into_iter().flat_map(|message| std::iter::repeat_n(message, parts));
        let collective = Collective::new(&self.name, semantics, root, messages).expect("ranks of a goal are sets");
        collective.known_in_chunks(self.parts).expect("the parts of an address are alike")
    }
}

impl Goal {
    /// The message of a part.
    pub(super) fn message(&self, part: u32) -> Message {
        Message(self.first + part)
    }
}

/// The collective's name here: that of the runtime, or the beginning of its own, such as `Broadcast(n=8,root=0)`.
fn name(whole: &Whole) -> String {
    let own = whole.name.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    let runtime = whole.runtime_name.as_deref().filter(|name| *name != "custom");
    runtime.map_or(own.to_ascii_lowercase(), str::to_owned)
}
