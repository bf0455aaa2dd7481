//! **What:** a set of nodes, with the messages and the capacity that cross its border either way, while nodes change sides.
//!
//! **Idea:** who changes sides changes what its own channels and messages do, and nothing else. So a node costs its channels and
//! messages, and all parts of an order together cost one pass over both. Messages between all pairs of two lists of nodes
//! are counted by the nodes of each list inside.

use kernel::{Channel, Network, Node, Problem};

/// What crosses a border in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Messages that must cross it.
    pub messages: u64,
    /// Capacity of the channels that cross it.
    pub capacity: u64,
}

impl Crossing {
    /// Whether it takes longer to cross, before rounding up.
    pub(super) fn exceeds(self, other: Crossing) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(self.messages, other.capacity) > product(other.messages, self.capacity)
    }
}

/// Amounts in both directions: out of the set and into it.
#[derive(Clone, Copy, Debug, Default)]
struct Both {
    out: u64,
    into: u64,
}

impl Both {
    fn replace(&mut self, before: Both, after: Both) {
        self.out = self.out - before.out + after.out;
        self.into = self.into - before.into + after.into;
    }
}

/// A set of nodes with what crosses its border.
pub struct Border<'a> {
    network: &'a Network,
    inside: Vec<bool>,
    capacity: Both,
    demands: Demands,
    /// The half-duplex groups with channels at each node; none where no channel has one.
    groups: Vec<Vec<usize>>,
}

/// What is known of the messages, and of those that cross.
enum Demands {
    /// One from each sender to each receiver, so many times.
    Pairs { lists: Vec<Ends>, within: Ends, all: Ends, repeats: u64 },
    /// Others; runs of equal ones are one.
    Listed { at: Vec<Vec<At>>, messages: Vec<Listed>, repeats: u64, cross: Both },
}

/// Numbers of senders and receivers.
#[derive(Clone, Copy, Default)]
struct Ends {
    from: u64,
    to: u64,
}

/// One end of a message: it begins or ends there.
#[derive(Clone, Copy)]
struct At {
    message: u32,
    begins: bool,
}

/// A message, by the numbers of its ends.
#[derive(Clone, Copy, Default)]
struct Listed {
    within: Ends,
    all: Ends,
}

impl Listed {
    /// Whether it must cross.
    fn crosses(&self) -> Both {
        let leaves = self.within.from > 0 && self.within.to < self.all.to;
        let enters = self.within.from < self.all.from && self.within.to > 0;
        Both { out: u64::from(leaves), into: u64::from(enters) }
    }
}

impl<'a> Border<'a> {
    /// The border of no nodes at all.
    pub fn new(problem: &'a Problem) -> Self {
        let network = problem.network();
        let mut groups = Vec::new();
        if !network.half_duplex().is_empty() {
            let around = |v| network.outgoing(v).iter().chain(network.incoming(v)).copied();
            let of = |v| {
                // What a group carries is said by the first that a channel is in, as in `Network::capacity_of`.
                let mut of: Vec<usize> = around(v).filter_map(|c| network.groups_of(c).next()).collect();
                of.sort_unstable();
                of.dedup();
                of
            };
            groups = network.nodes().map(of).collect();
        }
        let inside = vec![false; network.node_count()];
        Border { network, inside, capacity: Both::default(), demands: Demands::new(problem), groups }
    }

    /// The nodes inside.
    pub fn inside(&self) -> &[bool] {
        &self.inside
    }

    /// About how many ticks it takes to move a node.
    pub(super) fn ticks(&self, node: Node) -> u64 {
        let channels = self.network.outgoing(node).len() + self.network.incoming(node).len();
        let groups = self.groups.get(node.index()).into_iter().flatten();
        let grouped: usize = groups.map(|group| self.network.half_duplex()[*group].len()).sum();
        let messages = match &self.demands {
            Demands::Pairs { .. } => 0,
            Demands::Listed { at, .. } => at[node.index()].len(),
        };
        (1 + channels + grouped + messages) as u64
    }

    /// What leaves the set.
    pub fn leaving(&self) -> Crossing {
        Crossing { messages: self.demands.crossing().out, capacity: self.capacity.out }
    }

    /// What enters the set: what leaves all others.
    pub fn entering(&self) -> Crossing {
        Crossing { messages: self.demands.crossing().into, capacity: self.capacity.into }
    }

    /// Puts a node on the other side.
    pub fn turn(&mut self, node: Node) {
        let before = self.capacity_around(node);
        let enters = !self.inside[node.index()];
        self.inside[node.index()] = enters;
        self.capacity.replace(before, self.capacity_around(node));
        self.demands.turn(node, enters);
    }

    /// The part of the capacity that a node's channels make up.
    fn capacity_around(&self, node: Node) -> Both {
        let network = self.network;
        let mut sum = Both::default();
        for &channel in network.outgoing(node).iter().chain(network.incoming(node)) {
            if network.groups_of(channel).next().is_none() {
                let across = self.across(channel);
                sum.out += across.out;
                sum.into += across.into;
            }
        }
        for &group in self.groups.get(node.index()).into_iter().flatten() {
            let mut most = Both::default();
            let channels = network.half_duplex()[group].iter().map(|c| Channel(*c));
            for channel in channels.filter(|c| network.groups_of(*c).next() == Some(group)) {
                let across = self.across(channel);
                most = Both { out: most.out.max(across.out), into: most.into.max(across.into) };
            }
            sum.out += most.out;
            sum.into += most.into;
        }
        sum
    }

    /// The capacity of one channel, where it crosses.
    fn across(&self, channel: Channel) -> Both {
        let capacity = u64::from(self.network.capacity(channel));
        let ends = [self.network.from(channel), self.network.to(channel)];
        match ends.map(|v| self.inside[v.index()]) {
            [true, false] => Both { out: capacity, into: 0 },
            [false, true] => Both { out: 0, into: capacity },
            _ => Both::default(),
        }
    }
}

impl Demands {
    fn new(problem: &Problem) -> Self {
        let (collective, nodes) = (problem.collective(), problem.network().node_count());
        if let Some(pairs) = collective.all_pairs() {
            let mut lists = vec![Ends::default(); nodes];
            pairs.senders.iter().for_each(|v| lists[v.index()].from = 1);
            pairs.receivers.iter().for_each(|v| lists[v.index()].to = 1);
            let all = Ends { from: pairs.senders.len() as u64, to: pairs.receivers.len() as u64 };
            return Demands::Pairs { lists, within: Ends::default(), all, repeats: pairs.repeats.into() };
        }
        let mut at = vec![Vec::new(); nodes];
        let mut messages = Vec::new();
        let chunks = collective.chunks().max(1);
        for (message, first) in (0..).zip(collective.messages().step_by(chunks as usize)) {
            let (from, to) = (collective.contributors(first), collective.destinations(first));
            from.iter().for_each(|v| at[v.index()].push(At { message, begins: true }));
            to.iter().for_each(|v| at[v.index()].push(At { message, begins: false }));
            let all = Ends { from: from.len() as u64, to: to.len() as u64 };
            messages.push(Listed { within: Ends::default(), all });
        }
        Demands::Listed { at, messages, repeats: chunks.into(), cross: Both::default() }
    }

    /// Messages that must cross.
    fn crossing(&self) -> Both {
        match self {
            Demands::Pairs { within, all, repeats, .. } => Both {
                out: within.from.saturating_mul(all.to - within.to).saturating_mul(*repeats),
                into: within.to.saturating_mul(all.from - within.from).saturating_mul(*repeats),
            },
            Demands::Listed { cross, repeats, .. } => {
                Both { out: cross.out.saturating_mul(*repeats), into: cross.into.saturating_mul(*repeats) }
            }
        }
    }

    /// A node has changed sides.
    fn turn(&mut self, node: Node, enters: bool) {
        let moved = |count: &mut u64, by: u64| *count = if enters { *count + by } else { *count - by };
        match self {
            Demands::Pairs { lists, within, .. } => {
                moved(&mut within.from, lists[node.index()].from);
                moved(&mut within.to, lists[node.index()].to);
            }
            Demands::Listed { at, messages, cross, .. } => {
                for At { message, begins } in &at[node.index()] {
                    let message = &mut messages[*message as usize];
                    let before = message.crosses();
                    moved(if *begins { &mut message.within.from } else { &mut message.within.to }, 1);
                    cross.replace(before, message.crosses());
                }
            }
        }
    }
}
