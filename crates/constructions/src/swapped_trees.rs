//! **What:** broadcast of X messages on the Swapped Dragonfly, hop by hop, by trees that headers with a counter of hops describe.
//!
//! **Promise:** `shallow-tree` X + 2 steps, `chained-trees` about 3X/M, `streamed-trees` ⌈X/(M − 1)⌉ + 4.
//!
//! **Construction:** from the root (c, d, p)
//! - the shallow tree has the hops of (3; \*; \*, \*): to all of the drawer, by all global ports, to all of the drawers.
//!   A message enters it in every step: its three levels use different channels, since the own drawer has all after the first.
//! - the tree of place x has those of (4; \*; \*, \*) from (c, d, x), to which the root delegates: all global ports, to all of the
//!   drawers, the swap alone, to all of the drawers. The M trees of a batch of M messages share no channel in any step. With
//!   batches that start in steps 0 and 1 of every six, all channels used in a step are local for the one and global for
//!   the other.
//! - The M − 1 trees of the places x ≠ d share no channel at all, since their second level uses local channels of routers of
//!   place d and their fourth those of place x, their first level global channels of the own drawer and their third those
//!   of others. So all start a message in every step. One channel needs care: the tree of the root's own place would bring the
//!   own drawer its message by the local channels over which the root delegates the others; instead it comes by global
//!   port 1 from the cabinet before, a step after the fourth level. With one cabinet that tree is left out.
//!
//! Of a tree every router takes the first copy it can get; the trees as published deliver some routers twice.
//!
//! **Source:** Draper, Broadcast Swapped Dragonfly: the first two. That the M trees share no channel holds in each step only; the
//! one of place d shares channels with all others. Streams are ours.
//!
//! **Example:** `swapped-dragonfly:3,4`, root 1, 30 messages: 32, 24, 14 steps

use crate::source_vectors::swapped_dragonfly;
use construct::{Builder, Claim, Construction, Control, MOST_USES, Pattern, PortUse, Request, Scope};
use kernel::{Channel, Message, Network, Node, Schedule};
use std::sync::OnceLock;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Port, Router};

const SCOPE: Scope = Scope { pattern: Pattern::Broadcast, ..Scope::store_and_forward().with(PortUse::All) };
const EXAMPLES: &[&str] = &["swapped-dragonfly:3,4", "swapped-dragonfly:2,2", "swapped-dragonfly:1,3"];

/// One tree of three hops.
pub(crate) const SHALLOW: Construction = Construction {
    name: "shallow-tree",
    about: "one tree of local, global and local hops; a message enters it in every step",
    source: "Draper, Broadcast Swapped Dragonfly",
    promise: "X+2",
    scope: SCOPE,
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| Some(Box::new(Trees::new(request, |d3, root| vec![shallow(d3, root)], |batch| batch)?)),
};

/// M trees, batches chained in pairs.
pub(crate) const CHAINED: Construction = Construction {
    name: "chained-trees",
    about: "M trees of four hops from the routers of the root's drawer, two batches of messages in six steps",
    source: "Draper, Broadcast Swapped Dragonfly",
    promise: "6 steps for every 2M messages; about 3X/M",
    scope: SCOPE,
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| {
        let trees = |d3: SwappedDragonfly, root| (0..d3.drawers()).map(|x| deep(d3, root, x, false)).collect();
        Some(Box::new(Trees::new(request, trees, |batch| 6 * (batch / 2) + batch % 2)?))
    },
};

/// Trees that share no channel.
pub(crate) const STREAMED: Construction = Construction {
    name: "streamed-trees",
    about: "M-1 trees of four hops that share no channel; a message enters each in every step",
    source: "ours, after Draper",
    promise: "X/(M-1)+4, rounded up",
    scope: SCOPE,
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| {
        let trees = |d3, root: Router| apart(d3, root).map(|x| deep(d3, root, x, x == root[2])).collect();
        let made = Trees::new(request, trees, |batch| batch)?;
        apart(made.d3, made.root).next()?;
        Some(Box::new(made))
    },
};

/// The places whose trees share no channel with each other.
fn apart(d3: SwappedDragonfly, [_, d, p]: Router) -> impl Iterator<Item = u32> {
    (0..d3.drawers()).filter(move |x| *x != d && (*x != p || d3.cabinets() > 1))
}

/// A hop of one message: how long after the message's start, and by which port of which router.
struct TreeHop {
    after: u32,
    from: Router,
    port: Port,
}

type Tree = Vec<TreeHop>;

/// The broadcast of some messages by some trees, in turn.
struct Trees {
    d3: SwappedDragonfly,
    root: Router,
    messages: u32,
    /// The trees from a root.
    make: fn(SwappedDragonfly, Router) -> Vec<Tree>,
    /// The step in which a batch starts, a message a tree.
    start: fn(u32) -> u32,
    /// Made when they are first asked for.
    trees: OnceLock<Vec<Tree>>,
}

impl Trees {
    /// `None` where the schedule is too large.
    fn new(
        request: &Request<'_>,
        make: fn(SwappedDragonfly, Router) -> Vec<Tree>,
        start: fn(u32) -> u32,
    ) -> Option<Self> {
        let (d3, messages) = (swapped_dragonfly(request)?, request.messages()?);
        let (nodes, root) = (request.network()?.node_count(), request.root()?);
        let fits = u64::from(messages) * nodes as u64 <= MOST_USES && request.has_size_of_name();
        fits.then(|| Trees { d3, root: d3.router(root.0), messages, make, start, trees: OnceLock::new() })
    }

    fn trees(&self) -> &[Tree] {
        self.trees.get_or_init(|| (self.make)(self.d3, self.root))
    }

    /// Of every message, the number of its tree and its first step.
    fn starts(&self) -> impl Iterator<Item = (usize, u32)> {
        let trees = u32::try_from(self.trees().len()).expect("no more trees than places in a drawer");
        (0..self.messages).map(move |i| ((i % trees) as usize, (self.start)(i / trees)))
    }
}

impl Builder for Trees {
    fn promise(&self) -> Option<u64> {
        let depth = |tree: &Tree| tree.iter().map(|hop| hop.after + 1).max().unwrap_or(0);
        let depths: Vec<u32> = self.trees().iter().map(depth).collect();
        self.starts().map(|(tree, start)| u64::from(start + depths[tree])).max()
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let channel = |hop: &TreeHop| {
            let to = Node(self.d3.node(hop.port.leads(self.d3, hop.from)));
            let outgoing = network.outgoing(Node(self.d3.node(hop.from)));
            Some((hop.after, *outgoing.iter().find(|c| network.to(**c) == to)?))
        };
        let trees: Vec<Vec<(u32, Channel)>> =
            self.trees().iter().map(|tree| tree.iter().map(channel).collect()).collect::<Option<_>>()?;
        let mut steps: Vec<Vec<(Message, Channel)>> = Vec::new();
        for (message, (tree, start)) in (0u32..).zip(self.starts()) {
            control.work(trees[tree].len())?;
            for (after, channel) in &trees[tree] {
                let step = (start + after) as usize;
                steps.resize(steps.len().max(step + 1), Vec::new());
                steps[step].push((Message(message), *channel));
            }
        }
        let mut schedule = Schedule::new();
        for step in steps {
            schedule.begin_step();
            control.work(step.len())?;
            step.into_iter().for_each(|(message, channel)| schedule.send(message, &[channel]));
        }
        Some(Claim::Plain(schedule))
    }
}

/// A tree as it grows: where its copies are, and who has one.
struct Growing {
    d3: SwappedDragonfly,
    met: Vec<bool>,
    /// Where the copies of the last level are; a copy stays where a port leads nowhere.
    copies: Vec<Router>,
    tree: Tree,
}

impl Growing {
    fn new(d3: SwappedDragonfly, root: Router) -> Self {
        let mut met = vec![false; (d3.cabinets() * d3.drawers() * d3.drawers()) as usize];
        met[d3.node(root) as usize] = true;
        Growing { d3, met, copies: vec![root], tree: Vec::new() }
    }

    /// A hop, unless its end has the message.
    fn hop(&mut self, after: u32, from: Router, port: Port) -> Router {
        let to = port.leads(self.d3, from);
        if !std::mem::replace(&mut self.met[self.d3.node(to) as usize], true) {
            self.tree.push(TreeHop { after, from, port });
        }
        to
    }

    /// All copies go on by all of these ports.
    fn level(&mut self, after: u32, ports: impl Iterator<Item = Port> + Clone) {
        for from in std::mem::take(&mut self.copies) {
            for port in ports.clone() {
                let to = self.hop(after, from, port);
                self.copies.push(to);
            }
        }
    }

    fn locals(&self) -> impl Iterator<Item = Port> + Clone + use<> {
        (0..self.d3.drawers()).map(Port::Local)
    }

    fn globals(&self) -> impl Iterator<Item = Port> + Clone + use<> {
        (0..self.d3.cabinets()).map(Port::Global)
    }
}

fn shallow(d3: SwappedDragonfly, root: Router) -> Tree {
    let mut grown = Growing::new(d3, root);
    grown.level(0, grown.locals());
    grown.level(1, grown.globals());
    grown.level(2, grown.locals());
    grown.tree
}

/// The tree of place x. Where `round` it is that of the root's own place, which starts at once and reaches the own drawer last,
/// from another cabinet.
fn deep(d3: SwappedDragonfly, root: Router, x: u32, round: bool) -> Tree {
    let ([c, d, p], m) = (root, d3.drawers());
    let mut grown = Growing::new(d3, root);
    let delegate = grown.hop(0, root, Port::Local((x + m - p) % m));
    grown.copies = vec![delegate];
    let begin = u32::from(!round);
    grown.level(begin, grown.globals());
    grown.level(begin + 1, grown.locals());
    grown.level(begin + 2, [Port::Global(0)].into_iter());
    if !round {
        grown.level(begin + 3, grown.locals());
        return grown.tree;
    }
    grown.copies.retain(|r| *r != root);
    grown.level(begin + 3, grown.locals());
    let before = (c + d3.cabinets() - 1) % d3.cabinets();
    for z in 0..m {
        grown.hop(begin + 4, [before, z, d], Port::Global(1));
    }
    grown.tree
}
