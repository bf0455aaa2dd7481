//! **What:** collects transfers of representatives in any order, as walks over nodes, and makes a [`Plan`] of them.

use crate::Plan;
use kernel::orbits::{Generator, OrbitSchedule};
use kernel::{Channel, Message, Model, Network, Node, Schedule};

/// Transfers of representatives, not yet in the order of their steps.
pub(crate) struct Draft<'a> {
    network: &'a Network,
    transfers: Vec<Transfer>,
    channels: Vec<Channel>,
}

struct Transfer {
    step: u64,
    message: Message,
    /// Where its path begins and ends in the list of channels.
    path: std::ops::Range<usize>,
}

impl<'a> Draft<'a> {
    /// No transfers yet.
    pub fn new(network: &'a Network) -> Self {
        Draft { network, transfers: Vec::new(), channels: Vec::new() }
    }

    /// Sends, in `step`, the message of the last node from the first along the nodes of a walk; a walk of one node is no
    /// message. The first node is the base of the `base`-th orbit of terminals; terminals are the first nodes.
    ///
    /// `None` where the network lacks a channel of the walk.
    pub fn send(&mut self, step: u64, base: u32, walk: impl IntoIterator<Item = u32>) -> Option<()> {
        let mut walk = walk.into_iter();
        let first = walk.next()?;
        self.send_cabled(step, base, first, walk.map(|node| (node, 0)))
    }

    /// As [`Draft::send`], from `first` along the nodes of a walk, to each by the channel of that number among the parallel
    /// ones.
    pub fn send_cabled(
        &mut self,
        step: u64,
        base: u32,
        first: u32,
        walk: impl IntoIterator<Item = (u32, u32)>,
    ) -> Option<()> {
        let begin = self.channels.len();
        let mut at = first;
        for (next, cable) in walk {
            self.channels.push(channel(self.network, at, next, cable)?);
            at = next;
        }
        if at != first {
            let others = u32::try_from(self.network.terminals().len()).ok()? - 1;
            let message = Message(base.checked_mul(others)?.checked_add(at - u32::from(at > first))?);
            self.transfers.push(Transfer { step, message, path: begin..self.channels.len() });
        }
        Some(())
    }

    /// The schedule of so many steps under wormhole switching, under generators that shift time as given.
    pub fn plan(mut self, steps: u64, symmetry: Vec<(Generator, u64)>) -> Option<Plan> {
        self.transfers.sort_by_key(|t| t.step);
        let mut schedule = Schedule::new();
        let mut next = self.transfers.iter().peekable();
        for step in 0..steps {
            schedule.begin_step();
            while let Some(transfer) = next.next_if(|t| t.step == step) {
                schedule.send(transfer.message, &self.channels[transfer.path.clone()]);
            }
        }
        let (generators, shifts) = symmetry.into_iter().unzip();
        let schedule = OrbitSchedule { shifts, schedule };
        next.next().is_none().then_some(Plan { generators, schedule, model: Model::wormhole() })
    }
}

/// One of the parallel channels between two nodes.
fn channel(network: &Network, from: u32, to: u32, cable: u32) -> Option<Channel> {
    if from as usize >= network.node_count() {
        return None;
    }
    let outgoing = network.outgoing(Node(from));
    // Families sort their channels by ends; a network that does not is searched from the front.
    let sorted = outgoing.partition_point(|c| network.to(*c).0 < to);
    let leads = |c: &&Channel| network.to(**c).0 == to;
    let cable = cable as usize;
    outgoing.get(sorted + cable).filter(leads).or_else(|| outgoing.iter().filter(leads).nth(cable)).copied()
}

/// The automorphism that moves nodes by `image`; of parallel channels, the k-th goes to the k-th. `None` where it is none.
pub(crate) fn generator(network: &Network, order: u32, image: impl Fn(u32) -> u32) -> Option<Generator> {
    Generator::of_nodes(network, order, network.nodes().map(|v| image(v.0)).collect())
}
