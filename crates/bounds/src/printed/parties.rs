//! **What:** who sends to whom, in the dissertation's terms: transmitters T, receivers R, and whether all get the same.

use kernel::{Network, Node, Problem};
use std::collections::BTreeSet;

/// Whether a sender has one message for all receivers or one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One for all: OAB, AAB, MNB.
    Broadcast,
    /// One for each: OAS, AOG, AAS, MNS.
    Scatter,
    /// Other messages with one destination each, of which only the loads of links are said.
    Pairs,
}

/// How transmitters and receivers lie among the P terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// From one to all others.
    OneToAll,
    /// From all others to one.
    AllToOne,
    /// From all to all.
    AllToAll,
    /// All transmit, some receive (section 3.5.2).
    ReceiversWithin,
    /// All receive, some transmit (section 3.5.3).
    SendersWithin,
    /// Together they are all, and some do both (section 3.5.1).
    Overlapping,
    /// Some do neither, or none does both (section 3.5.4).
    Apart,
}

/// Who sends to whom.
#[derive(Clone, Debug)]
pub struct Parties {
    /// One message for all or one for each.
    pub pattern: Pattern,
    /// How the two sets lie.
    pub relation: Relation,
    /// T.
    pub senders: BTreeSet<Node>,
    /// R.
    pub receivers: BTreeSet<Node>,
}

/// Destinations of all messages that are looked at one by one.
const MOST_LISTED: u64 = 1 << 24;

impl Parties {
    /// Those of a problem with semantics copy; `None` where its messages are of neither pattern, or too many to look at.
    pub fn of(problem: &Problem) -> Option<Self> {
        let (network, collective) = (problem.network(), problem.collective());
        if let Some(pairs) = collective.all_pairs() {
            let set = |list: &[Node]| list.iter().copied().collect();
            let pattern = if pairs.repeats == 1 { Pattern::Scatter } else { Pattern::Pairs };
            return Some(Self::lie(network, pattern, set(pairs.senders), set(pairs.receivers)));
        }
        if collective.is_allgather(network.terminals()) {
            let all: BTreeSet<Node> = network.terminals().iter().copied().collect();
            return Some(Self::lie(network, Pattern::Broadcast, all.clone(), all));
        }
        if collective.deliveries() > MOST_LISTED || collective.message_count() == 0 {
            return None;
        }
        let messages = || collective.messages().map(|m| (collective.origin(m), collective.destinations(m)));
        let senders: BTreeSet<Node> = messages().map(|(from, _)| from).collect();
        let receivers: BTreeSet<Node> = messages().flat_map(|(_, to)| to.iter().copied()).collect();
        let others = |from: &Node| receivers.len() - usize::from(receivers.contains(from));
        let single = messages().all(|(_, to)| to.len() == 1);
        let pattern = if messages().all(|(from, to)| to.len() == others(&from)) && senders.len() == messages().count() {
            // A message with one destination is one for all where there are several senders, and one for each else.
            if single { Pattern::Scatter } else { Pattern::Broadcast }
        } else if single {
            let pairs: BTreeSet<_> = messages().map(|(from, to)| (from, to[0])).collect();
            let all = senders.iter().map(others).sum::<usize>();
            if pairs.len() == all && all == messages().count() { Pattern::Scatter } else { Pattern::Pairs }
        } else {
            return None;
        };
        Some(Self::lie(network, pattern, senders, receivers))
    }

    fn lie(network: &Network, pattern: Pattern, senders: BTreeSet<Node>, receivers: BTreeSet<Node>) -> Self {
        let all = network.terminals().len();
        let union = senders.union(&receivers).count();
        let relation = match (senders.len(), receivers.len()) {
            (1, n) if n + 1 >= all && union == all => Relation::OneToAll,
            (m, 1) if m + 1 >= all && union == all => Relation::AllToOne,
            (m, n) if m == all && n == all => Relation::AllToAll,
            (m, _) if m == all => Relation::ReceiversWithin,
            (_, n) if n == all => Relation::SendersWithin,
            (m, n) if union == all && m + n > union => Relation::Overlapping,
            _ => Relation::Apart,
        };
        Parties { pattern, relation, senders, receivers }
    }

    /// T ∩ R.
    pub fn both(&self) -> BTreeSet<Node> {
        self.senders.intersection(&self.receivers).copied().collect()
    }
}
