//! **What:** which terminals must hold a message on its way, where no single transfer leads to a destination.
//!
//! **Method.** Under store-and-forward every terminal on the way receives the message and sends it on; under the other models a node
//! that lets nothing pass does. A message's *route* to a destination is its origin, the relays and the destination, each
//! reached from the one before by one transfer. Routes are shortest in transfers and spread over the least used channels.

use kernel::{Channel, Message, Network, Node, Problem, Switching};
use run::Budget;

/// Finds routes; remembers the last origin, since messages mostly come sorted by origin.
pub(crate) struct Relays<'a> {
    problem: &'a Problem,
    needed: bool,
    origin: Option<Node>,
    /// Transfers from the origin, `u32::MAX` where it cannot reach.
    level: Vec<u32>,
    /// The terminal from which one transfer reaches the node.
    parent: Vec<Node>,
    /// Routes that use each channel so far (store-and-forward only).
    load: Vec<u32>,
}

impl<'a> Relays<'a> {
    /// For the messages of `problem`.
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let network = problem.network();
        let n = network.node_count();
        let needed = problem.model().switching == Switching::StoreAndForward
            || network.terminals().iter().any(|&v| !network.is_transit(v));
        Relays {
            problem,
            needed,
            origin: None,
            level: vec![u32::MAX; n],
            parent: vec![Node(0); n],
            load: vec![0; network.channel_count()],
        }
    }

    fn network(&self) -> &'a Network {
        self.problem.network()
    }

    /// Levels and parents from `origin`: passing on costs nothing, receiving and sending again costs one transfer. False where
    /// the budget ends first.
    fn search(&mut self, origin: Node, budget: &mut Budget<'_>) -> bool {
        if self.origin == Some(origin) {
            return true;
        }
        self.origin = None;
        self.level.fill(u32::MAX);
        self.level[origin.index()] = 0;
        self.parent[origin.index()] = origin;
        let network = self.network();
        let mut queue = std::collections::VecDeque::from([(origin, 0u32)]);
        while let Some((node, level)) = queue.pop_front() {
            if !budget.spend(1 + network.outgoing(node).len() as u64) {
                return false;
            }
            if level > self.level[node.index()] {
                continue;
            }
            let passes = node != origin && self.problem.path_passes(node);
            if !passes && !network.is_terminal(node) {
                continue;
            }
            let (next_level, sender) = if passes { (level, self.parent[node.index()]) } else { (level + 1, node) };
            for &channel in network.outgoing(node) {
                let next = network.to(channel);
                if next_level < self.level[next.index()] {
                    self.level[next.index()] = next_level;
                    self.parent[next.index()] = sender;
                    if passes {
                        queue.push_front((next, next_level));
                    } else {
                        queue.push_back((next, next_level));
                    }
                }
            }
        }
        self.origin = Some(origin);
        true
    }

    /// The terminals that hold `message` on its way to `destination`, destination included and origin left out, in
    /// the order of the way. `wanted` tells terminals that receive the message anyway: ways over them are preferred.
    ///
    /// `None` if there is no way, or the budget ends.
    pub(crate) fn route(
        &mut self,
        message: Message,
        destination: Node,
        wanted: impl Fn(Node) -> bool,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Node>> {
        let origin = self.problem.collective().origin(message);
        if !budget.spend(1) {
            return None;
        }
        if !self.needed {
            return Some(vec![destination]);
        }
        if !self.search(origin, budget) || self.level[destination.index()] == u32::MAX {
            return None;
        }
        let mut route = vec![destination];
        let mut at = destination;
        while at != origin {
            if !budget.spend(1 + self.network().incoming(at).len() as u64) {
                return None;
            }
            let before = match self.problem.model().switching {
                Switching::StoreAndForward => self.least_used(at, &wanted)?,
                Switching::Wormhole | Switching::Tdm { .. } => self.parent[at.index()],
            };
            if before != origin {
                route.push(before);
            }
            at = before;
        }
        route.reverse();
        Some(route)
    }

    fn least_used(&mut self, at: Node, wanted: &impl Fn(Node) -> bool) -> Option<Node> {
        let network = self.network();
        let level = self.level[at.index()];
        let before = |c: &Channel| {
            let from = network.from(*c);
            network.is_terminal(from) && self.level[from.index()].checked_add(1) == Some(level)
        };
        let key = |c: &Channel| (!wanted(network.from(*c)), self.load[c.index()] / network.capacity(*c));
        let channel = network.incoming(at).iter().copied().filter(before).min_by_key(key)?;
        self.load[channel.index()] += 1;
        Some(network.from(channel))
    }
}
