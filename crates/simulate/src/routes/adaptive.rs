//! **What:** minimal adaptive routing: at every node any channel that brings a packet nearer, with an escape that cannot deadlock.
//!
//! **Method.** The lowest virtual channels are the escape's: dimension order (with two classes where there are rings) on networks whose
//! nodes have coordinates, else up-down. All others may be had on every shortest path; the one with most room is taken. A packet that
//! finds none takes the escape. So what is on the escape may always wait for the escape only, which has no circle, and all others may wait for
//! it.
//!
//! **Leaving the escape.** Under wormhole and circuit switching a packet stays on it: behind another packet in a buffer off the escape it would wait for that one, and
//! still hold channels of the escape, so those would wait for any others. Where packets go on only into buffers with room for all of
//! them, a packet leaves behind it what it held, and whoever is first in a buffer may wait for the escape; so it leaves it whenever it can. It does so on
//! networks with coordinates only, where the escape is a shortest path as well and every hop brings it nearer; elsewhere it might go round for ever.
//!
//! **Source:** J. Duato, A new theory of deadlock-free adaptive routing in wormhole networks, IEEE Transactions on Parallel and Distributed
//! Systems 4, 1993

use super::base::Base;
use super::{RoutesError, all};
use crate::packets::NONE;
use crate::settings::{Flow, SettingsError};
use crate::source::{Choice, Position, Routes};
use kernel::{Network, Node};

/// Minimal adaptive routing.
pub struct Adaptive {
    network: Network,
    /// Hops to each terminal, by its row and node.
    far: Vec<u32>,
    row: Vec<u32>,
    escape: Base,
    vcs: u32,
    /// Whether packets may leave their escape.
    leaves: bool,
}

/// Entries of the table of distances at most.
const MOST_ENTRIES: u64 = 1 << 28;

impl Adaptive {
    /// For a network of links, with so many virtual channels, under a kind of switching.
    ///
    /// # Errors
    /// A network without links, and one whose distances are too many.
    pub fn new(network: &Network, vcs: u32, flow: Flow) -> Result<Self, RoutesError> {
        let (nodes, terminals) = (network.node_count(), network.terminals());
        let needed = (nodes as u64).saturating_mul(terminals.len() as u64);
        if needed > MOST_ENTRIES {
            let what = "the table of distances";
            return Err(SettingsError::TooLarge { what, needed, most: MOST_ENTRIES }.into());
        }
        let escape = Base::new(network, true)?;
        let mut row = vec![NONE; nodes];
        let mut far = Vec::with_capacity(nodes * terminals.len());
        for (number, terminal) in (0u32..).zip(terminals) {
            row[terminal.index()] = number;
            far.extend(network.hops_to(*terminal));
        }
        let leaves = matches!(flow, Flow::CutThrough | Flow::StoreAndForward) && matches!(escape, Base::Grid(_));
        Ok(Adaptive { network: network.clone(), far, row, escape, vcs, leaves })
    }
}

impl Routes for Adaptive {
    fn name(&self) -> String {
        format!("adaptive, escape by {}", self.escape.name())
    }

    fn root(&self) -> Option<Node> {
        self.escape.root()
    }

    fn least_vcs(&self) -> u32 {
        self.escape.classes() + 1
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        let lowest = self.escape.classes();
        let on_escape = at.arrived.is_some() && at.arrived_vc < lowest;
        if !on_escape || self.leaves {
            let far = &self.far[self.row[at.target.index()] as usize * self.network.node_count()..];
            let passes = |node: Node| node == at.target || self.network.is_transit(node);
            let nearer = |node: Node| far[node.index()].checked_add(1) == Some(far[at.node.index()]) && passes(node);
            let channels = self.network.outgoing(at.node).iter().filter(|channel| nearer(self.network.to(**channel)));
            let vcs = all(self.vcs) & !all(lowest);
            choices.extend(channels.map(|channel| Choice { channel: *channel, vcs, is_escape: false }));
        }
        // Whoever comes to the escape begins a path of its own there.
        let arrived = if on_escape { at.arrived } else { None };
        let escape = self.escape.next(&Position { arrived, ..*at }, lowest);
        choices.extend(escape.map(|choice| Choice { is_escape: !on_escape || self.leaves, ..choice }));
    }
}
