//! **What:** the routings of crate `routing`, as tables: for every destination, the next channel from every node or, where it matters,
//! from every channel by which a packet comes.

use crate::packets::NONE;
use crate::settings::SettingsError;
use crate::source::{Choice, Position, Routes};
use kernel::{Channel, Node};
use routing::{At, Kind, Routing, RoutingError};

/// A routing of crate `routing`.
#[derive(Clone, Debug)]
pub struct TableRoutes {
    name: &'static str,
    root: Option<Node>,
    kind: Kind,
    nodes: usize,
    /// The row of each terminal, or [`NONE`].
    row: Vec<u32>,
    /// Classes of sources, and that of each terminal.
    classes: usize,
    class_of: Vec<u32>,
    /// The next channel by row, class and place, or [`NONE`].
    next: Vec<u32>,
    /// Places: nodes, then channels where it matters how a packet came.
    places: usize,
}

/// Entries at most: 4 bytes each.
const MOST_ENTRIES: u64 = 1 << 28;

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The routing itself.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// Its size.
    #[error(transparent)]
    Size(#[from] SettingsError),
}

impl TableRoutes {
    /// The table of a routing; where that leaves a choice, the first way is taken.
    ///
    /// # Errors
    /// More entries than fit into memory.
    pub fn new(routing: &Routing) -> Result<Self, TableError> {
        let network = routing.network();
        let (nodes, terminals) = (network.node_count(), network.terminals());
        let classes: Vec<u64> = terminals.iter().map(|terminal| routing.class(*terminal)).collect();
        let mut known = classes.clone();
        known.sort_unstable();
        known.dedup();
        let places = nodes + if routing.kind() == Kind::Choice { network.channel_count() } else { 0 };
        let needed = (places as u64).saturating_mul(terminals.len() as u64).saturating_mul(known.len() as u64);
        if needed > MOST_ENTRIES {
            return Err(SettingsError::TooLarge { what: "the table of the routing", needed, most: MOST_ENTRIES }.into());
        }
        let (mut row, mut class_of) = (vec![NONE; nodes], vec![0; nodes]);
        for ((number, terminal), class) in (0u32..).zip(terminals).zip(&classes) {
            row[terminal.index()] = number;
            class_of[terminal.index()] =
                u32::try_from(known.partition_point(|k| k < class)).expect("classes of terminals");
        }
        let standing: Vec<Node> = known
            .iter()
            .filter_map(|class| classes.iter().position(|c| c == class).map(|place| terminals[place]))
            .collect();
        let mut next = Vec::with_capacity(usize::try_from(needed).expect("checked above"));
        let mut ways = Vec::new();
        for &terminal in terminals {
            let way = routing.towards(terminal);
            for &source in &standing {
                let mut ask = |node: Node, arrived: Option<Channel>| {
                    ways.clear();
                    if node != terminal && network.is_transit(node) | arrived.is_none() {
                        way(At { source, node, arrived }, &mut ways);
                    }
                    ways.first().map_or(NONE, |channel| channel.0)
                };
                next.extend(network.nodes().map(|node| ask(node, None)));
                if routing.kind() == Kind::Choice {
                    next.extend(network.channels().map(|channel| ask(network.to(channel), Some(channel))));
                }
            }
        }
        let (name, root, kind, classes) = (routing.name(), routing.root(), routing.kind(), standing.len());
        Ok(TableRoutes { name, root, kind, nodes, row, classes, class_of, next, places })
    }

    /// The next channel of a packet.
    pub(crate) fn next(&self, at: &Position) -> Option<Channel> {
        let row = self.row[at.target.index()] as usize;
        let class = if self.classes > 1 { self.class_of[at.source.index()] as usize } else { 0 };
        let place = match at.arrived {
            Some(channel) if self.kind == Kind::Choice => self.nodes + channel.index(),
            _ => at.node.index(),
        };
        let next = self.next[(row * self.classes + class) * self.places + place];
        (next != NONE).then_some(Channel(next))
    }
}

impl Routes for TableRoutes {
    fn name(&self) -> String {
        self.name.into()
    }

    fn root(&self) -> Option<Node> {
        self.root
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        choices.extend(self.next(at).map(|channel| Choice { channel, vcs: u32::MAX, is_escape: false }));
    }
}
