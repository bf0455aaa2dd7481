//! **What:** a routing as tables of its switches: for every address, the port that a message for it leaves by.
//!
//! **Facts:** ports of a node count from 1 in the order of the channels that leave it; port 0 is the node itself. A routing
//! that looks at the source as well has as many addresses a terminal as there are classes of sources; a source sends to
//! the address that stands for its class. In a network without switches every node has a table.

use crate::routing::{At, Kind};
use crate::{Routing, RoutingError};
use kernel::{Network, Node};

/// Something that a message can be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its terminal.
    pub terminal: Node,
    /// The class of sources that use it.
    pub class: u32,
}

/// One node's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The node.
    pub node: Node,
    /// A port an address, in the order of [`Tables::addresses`]; `None` where no way leads.
    pub ports: Vec<Option<u32>>,
}

/// The tables of all nodes that messages pass through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The routing's name.
    pub routing: &'static str,
    /// The network.
    pub network: Network,
    /// Terminal by terminal, class by class.
    pub addresses: Vec<Address>,
    /// Classes of sources.
    pub classes: u32,
    /// The class of each terminal as a source, in the order of the network's terminals.
    pub class_of: Vec<u32>,
    /// A table a node, ascending.
    pub tables: Vec<Table>,
}

/// Entries of all tables together at most.
const MOST_ENTRIES: u64 = 1 << 27;

impl Routing {
    /// The tables.
    ///
    /// # Errors
    /// A routing that leaves messages a choice, or more entries than fit into memory.
    pub fn tables(&self) -> Result<Tables, RoutingError> {
        if self.kind() == Kind::Choice {
            return Err(RoutingError::Choice {
                routing: self.name(),
                what: "no table of one port an address holds it",
            });
        }
        let network = self.network();
        let terminals = network.terminals();
        let found: Vec<u64> = terminals.iter().map(|t| self.rule().class(*t)).collect();
        let mut known = found.clone();
        known.sort_unstable();
        known.dedup();
        let place = |class: &u64| known.partition_point(|c| c < class);
        let class_of: Vec<u32> = found.iter().map(|c| u32::try_from(place(c)).expect("classes of terminals")).collect();
        // A source of each class stands for all.
        let standing: Vec<Node> = (0..known.len())
            .filter_map(|class| class_of.iter().position(|c| *c as usize == class).map(|t| terminals[t]))
            .collect();
        let nodes: Vec<Node> = network.nodes().filter(|v| network.is_transit(*v)).collect();
        let entries = (nodes.len() as u64).saturating_mul(terminals.len() as u64).saturating_mul(known.len() as u64);
        if entries > MOST_ENTRIES {
            let what = "the entries of all tables";
            return Err(RoutingError::TooLarge { network: network.name().into(), what, most: MOST_ENTRIES });
        }
        let mut tables: Vec<Table> = nodes.iter().map(|node| Table { node: *node, ports: Vec::new() }).collect();
        let (mut addresses, mut next) = (Vec::new(), Vec::new());
        for &terminal in terminals {
            let way = self.rule().towards(terminal);
            for (class, &source) in (0u32..).zip(&standing) {
                addresses.push(Address { terminal, class });
                for table in &mut tables {
                    next.clear();
                    if table.node != terminal {
                        way(At { source, node: table.node, arrived: None }, &mut next);
                    }
                    let outgoing = network.outgoing(table.node);
                    let port = |c| u32::try_from(outgoing.partition_point(|o| o < c) + 1).expect("ports of a node");
                    let own = (table.node == terminal).then_some(0);
                    table.ports.push(own.or_else(|| next.first().map(port)));
                }
            }
        }
        let classes = u32::try_from(known.len()).expect("classes of terminals");
        Ok(Tables { routing: self.name(), network: network.clone(), addresses, classes, class_of, tables })
    }
}
