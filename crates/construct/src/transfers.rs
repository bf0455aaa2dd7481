//! **What:** collects transfers of representatives in any order, as walks over nodes, and makes a [`Claim`] of them.

use crate::claim::{Claim, OrbitClaim};
use crate::construction::Control;
use kernel::orbits::{Generator, OrbitSchedule};
use kernel::{Channel, Message, Network, Node, Schedule};

/// Transfers of representatives, not yet in the order of their steps.
pub struct Transfers<'a> {
    network: &'a Network,
    control: &'a Control<'a>,
    transfers: Vec<Transfer>,
    channels: Vec<Channel>,
}

struct Transfer {
    step: u64,
    message: Message,
    /// Where its path begins and ends in the list of channels.
    path: std::ops::Range<usize>,
}

/// A hop of a path: the node that it leads to, and by which of the parallel channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The node.
    pub to: u32,
    /// Which of the parallel channels.
    pub channel: u32,
}

impl<'a> Transfers<'a> {
    /// No transfers yet.
    pub fn new(network: &'a Network, control: &'a Control<'a>) -> Self {
        Transfers { network, control, transfers: Vec::new(), channels: Vec::new() }
    }

    /// Sends, in `step`, the message of the last node from the first along the nodes of a walk; a walk of one node is no
    /// message. The first node is the base of the `base`-th orbit of terminals; terminals are the first nodes.
    ///
    /// `None` where the network lacks a channel of the walk, or when it is time to stop.
    pub fn send(&mut self, step: u64, base: u32, walk: impl IntoIterator<Item = u32>) -> Option<()> {
        let mut walk = walk.into_iter();
        let first = walk.next()?;
        self.send_by(step, base, first, walk.map(|to| Hop { to, channel: 0 }))
    }

    /// As [`Transfers::send`], from `first` along the hops of a path.
    pub fn send_by(&mut self, step: u64, base: u32, first: u32, path: impl IntoIterator<Item = Hop>) -> Option<()> {
        let begin = self.channels.len();
        let mut at = first;
        for hop in path {
            self.channels.push(channel(self.network, at, hop)?);
            at = hop.to;
        }
        self.control.work(1 + self.channels.len() - begin)?;
        if at != first {
            let others = u32::try_from(self.network.terminals().len()).ok()? - 1;
            let message = Message(base.checked_mul(others)?.checked_add(at - u32::from(at > first))?);
            self.transfers.push(Transfer { step, message, path: begin..self.channels.len() });
        }
        Some(())
    }

    /// The schedule of so many steps, under generators that shift time as given; `None` where a transfer is in a later step, or
    /// when it is time to stop.
    pub fn claim(self, steps: u64, symmetry: Vec<(Generator, u64)>) -> Option<Claim> {
        // Transfers in the order of their steps, those of a step as they came.
        let mut begins = vec![0usize; usize::try_from(steps).ok()? + 1];
        for transfer in &self.transfers {
            *begins.get_mut(usize::try_from(transfer.step).ok()? + 1)? += 1;
            self.control.tick()?;
        }
        (1..begins.len()).for_each(|step| begins[step] += begins[step - 1]);
        let (mut free, mut order) = (begins.clone(), vec![0usize; self.transfers.len()]);
        for (at, transfer) in self.transfers.iter().enumerate() {
            let place = &mut free[usize::try_from(transfer.step).ok()?];
            order[*place] = at;
            *place += 1;
        }
        let mut schedule = Schedule::new();
        for step in begins.windows(2) {
            schedule.begin_step();
            for transfer in order[step[0]..step[1]].iter().map(|at| &self.transfers[*at]) {
                schedule.send(transfer.message, &self.channels[transfer.path.clone()]);
                self.control.tick()?;
            }
        }
        let (generators, shifts) = symmetry.into_iter().unzip();
        Some(Claim::Orbits(OrbitClaim { generators, schedule: OrbitSchedule { shifts, schedule } }))
    }
}

/// The channel of a hop.
pub fn channel(network: &Network, from: u32, hop: Hop) -> Option<Channel> {
    if from as usize >= network.node_count() {
        return None;
    }
    let outgoing = network.outgoing(Node(from));
    // Families sort their channels by ends; a network that does not is searched from the front.
    let sorted = outgoing.partition_point(|c| network.to(*c).0 < hop.to);
    let leads = |c: &&Channel| network.to(**c).0 == hop.to;
    let parallel = hop.channel as usize;
    outgoing.get(sorted + parallel).filter(leads).or_else(|| outgoing.iter().filter(leads).nth(parallel)).copied()
}

/// The automorphism that moves nodes by `image`; of parallel channels, the k-th goes to the k-th. `None` where it is none.
pub fn generator(network: &Network, order: u32, image: impl Fn(u32) -> u32) -> Option<Generator> {
    Generator::of_nodes(network, order, network.nodes().map(|v| image(v.0)).collect())
}
