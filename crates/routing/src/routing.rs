//! **What:** a routing, the rule behind it, and the walk of a message by it.

use crate::Dependencies;
use crate::registry::{self, RoutingError};
use kernel::{Channel, Network, Node};

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The node and the destination fix the next channel: a table a node holds it.
    Destination,
    /// Source and destination fix the path.
    Pair,
    /// There may be several channels to choose from, and the channel by which a message arrived may matter.
    Choice,
}

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Where it comes from; only rules of [`Kind::Pair`] look at it.
    pub source: Node,
    /// The node it is at, which is not its destination.
    pub node: Node,
    /// The channel by which it came, `None` at its source; only rules of [`Kind::Choice`] look at it.
    pub arrived: Option<Channel>,
}

/// The way to one destination: adds the channels that a message may take next, none where there is no way on.
pub type Way<'a> = Box<dyn Fn(At, &mut Vec<Channel>) + 'a>;

/// Which channels a message may take.
pub trait Rule {
    /// What it looks at.
    fn kind(&self) -> Kind;

    /// The way to a destination. Messages that keep to it arrive; nothing is asked of nodes where none of them comes.
    fn towards(&self, destination: Node) -> Way<'_>;

    /// Where it begins, if it has a root.
    fn root(&self) -> Option<Node> {
        None
    }

    /// A number that stands for all that the rule looks at in a source; 0 for all where it does not look.
    fn class(&self, _source: Node) -> u64 {
        0
    }
}

/// A rule for a network.
pub struct Routing {
    name: &'static str,
    network: Network,
    rule: Box<dyn Rule>,
}

/// Turns between channels beyond which dependencies are not collected.
const MOST_TURNS: u64 = 1 << 28;

impl Routing {
    /// The routing of that name; `root` is where up-down begins.
    ///
    /// # Errors
    /// A name that there is not, or a network that the routing is not for.
    pub fn new(network: &Network, name: &str, root: Option<Node>) -> Result<Self, RoutingError> {
        let entry = registry::entry(name)?;
        let named = || network.name().to_owned();
        if let Some(root) = root {
            if entry.name != "up-down" {
                return Err(RoutingError::NoRoot { routing: entry.name });
            }
            if root.index() >= network.node_count() || !network.is_transit(root) {
                return Err(RoutingError::Root { network: named(), root: network.name_of(root) });
            }
        }
        let rule = (entry.make)(network, root);
        let not_for = || RoutingError::NotFor { network: named(), routing: entry.name, needs: entry.needs };
        Ok(Routing { name: entry.name, network: network.clone(), rule: rule.ok_or_else(not_for)? })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The root of up-down, given or chosen: that of the first part of the network. None of other routings, and in a fat tree.
    pub fn root(&self) -> Option<Node> {
        self.rule.root()
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What its rule looks at.
    pub fn kind(&self) -> Kind {
        self.rule.kind()
    }

    /// The way to a destination.
    pub fn towards(&self, destination: Node) -> Way<'_> {
        self.rule.towards(destination)
    }

    /// A number that stands for all that the rule looks at in a source.
    pub fn class(&self, source: Node) -> u64 {
        self.rule.class(source)
    }

    pub(crate) fn rule(&self) -> &dyn Rule {
        &*self.rule
    }

    /// Walks from `source`, calling `visit` with every channel; `way` is that of the destination.
    pub(crate) fn walk(
        &self,
        way: &Way<'_>,
        (source, destination): (Node, Node),
        mut visit: impl FnMut(Channel),
    ) -> Result<usize, RoutingError> {
        let (mut at, mut hops) = (At { source, node: source, arrived: None }, 0);
        let mut next = Vec::new();
        while at.node != destination {
            next.clear();
            way(at, &mut next);
            match next.first() {
                // A path with more hops than nodes goes round in circles.
                Some(&channel) if hops < self.network.node_count() => {
                    visit(channel);
                    hops += 1;
                    at = At { node: self.network.to(channel), arrived: Some(channel), ..at };
                }
                _ => return Err(self.no_way(source, destination)),
            }
        }
        Ok(hops)
    }

    /// The path from a terminal to another, the first where there are several.
    ///
    /// # Errors
    /// No way from one to the other.
    pub fn path(&self, source: Node, destination: Node) -> Result<Vec<Channel>, RoutingError> {
        let mut path = Vec::new();
        self.walk(&self.rule.towards(destination), (source, destination), |channel| path.push(channel))?;
        Ok(path)
    }

    /// Which channels messages between terminals may wait for while they hold another.
    ///
    /// # Errors
    /// Terminals that have no way to each other, or more turns than fit into memory.
    pub fn dependencies(&self) -> Result<Dependencies, RoutingError> {
        let network = &self.network;
        let turns = |v| network.incoming(v).len() as u64 * network.outgoing(v).len() as u64;
        if self.kind() == Kind::Choice && network.nodes().map(turns).sum::<u64>() > MOST_TURNS {
            let what = "pairs of channels that follow each other";
            return Err(RoutingError::TooLarge { network: network.name().into(), what, most: MOST_TURNS });
        }
        let mut graph = Dependencies::new(network);
        let mut seen = vec![0u32; network.channel_count()];
        for (round, &destination) in (1u32..).zip(network.terminals()) {
            let way = self.rule.towards(destination);
            match self.kind() {
                Kind::Pair => self.one_by_one(&way, destination, &mut graph)?,
                Kind::Destination | Kind::Choice => self.together(&way, destination, (round, &mut seen), &mut graph)?,
            }
        }
        Ok(graph)
    }

    fn one_by_one(&self, way: &Way<'_>, destination: Node, graph: &mut Dependencies) -> Result<(), RoutingError> {
        for &source in self.network.terminals() {
            let mut last = None;
            self.walk(way, (source, destination), |channel| graph.follow(last.replace(channel), channel))?;
        }
        Ok(())
    }

    /// All messages to a destination at once: what a message does next depends on the channel by which it comes, if on any.
    fn together(
        &self,
        way: &Way<'_>,
        destination: Node,
        (round, seen): (u32, &mut [u32]),
        graph: &mut Dependencies,
    ) -> Result<(), RoutingError> {
        let (mut next, mut open) = (Vec::new(), Vec::new());
        let others = self.network.terminals().iter().filter(|source| **source != destination);
        let starts = others.map(|source| At { source: *source, node: *source, arrived: None });
        for start in starts {
            let mut at = Some(start);
            while let Some(here) = at {
                next.clear();
                way(here, &mut next);
                if next.is_empty() {
                    return Err(self.no_way(here.node, destination));
                }
                for &channel in &next {
                    graph.follow(here.arrived, channel);
                    if std::mem::replace(&mut seen[channel.index()], round) != round
                        && self.network.to(channel) != destination
                    {
                        open.push(channel);
                    }
                }
                at = open.pop().map(|channel| At {
                    source: start.source,
                    node: self.network.to(channel),
                    arrived: Some(channel),
                });
            }
        }
        Ok(())
    }

    pub(crate) fn no_way(&self, from: Node, to: Node) -> RoutingError {
        let [from, to] = [from, to].map(|node| self.network.name_of(node));
        RoutingError::NoWay { network: self.network.name().into(), routing: self.name, from, to }
    }
}
