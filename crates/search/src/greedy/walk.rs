//! **What:** a walk of given length over free channels, back from a receiver to somebody who holds what it lacks, or on from a holder to
//! somebody who lacks what it holds.
//!
//! The length says in which slot the walk comes to each channel, so it goes depth first and meets no node twice.

use super::Filling;
use super::policy::Turn;
use graph::distances::Way;
use kernel::Node;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A walk from a node.
pub(super) struct Walk<'w, 'a> {
    pub filling: &'w Filling<'a>,
    pub turn: Turn,
    /// Its channels, in the order of the walk.
    pub path: Vec<kernel::Channel>,
    /// Nodes that it may still look at.
    pub looks: u32,
    /// How much longer than the shortest the path may be, with the distances between the first node and all others.
    pub longest: Option<(u32, &'w [u32])>,
}

impl Walk<'_, '_> {
    /// Goes on from `at`, to the node at the other end. As deep as the walk is long.
    pub(super) fn go(&mut self, at: Node, random: &mut Pcg64Mcg) -> Option<Node> {
        let Filling { problem, table, .. } = self.filling;
        let (network, Turn { node: start, way, length }) = (problem.network(), self.turn);
        let done = self.path.len();
        let (channels, position) = match way {
            Way::Back => (network.incoming(at), length - done - 1),
            Way::On => (network.outgoing(at), done),
        };
        let end = |channel| if way == Way::On { network.to(channel) } else { network.from(channel) };
        let rotation = random.random_range(0..channels.len().max(1));
        for i in 0..channels.len() {
            let channel = channels[(i + rotation) % channels.len()];
            let next = end(channel);
            self.looks = self.looks.checked_sub(1)?;
            let visited = next == start || self.path.iter().any(|c| end(*c) == next);
            let too_far = self
                .longest
                .is_some_and(|(slack, near)| done as u64 >= u64::from(near[next.index()]) + u64::from(slack));
            if visited || too_far || !table.is_free(position, channel) {
                continue;
            }
            self.path.push(channel);
            if done + 1 == length {
                if network.is_terminal(next) && self.is_end(next) {
                    return Some(next);
                }
            } else if problem.path_passes(next) {
                let found = self.go(next, random);
                if found.is_some() {
                    return found;
                }
            }
            self.path.pop();
        }
        None
    }

    /// Whether the one of both ends may send what the other lacks.
    fn is_end(&self, end: Node) -> bool {
        let Turn { node, way, length } = self.turn;
        let Filling { table, .. } = self.filling;
        let offers = |holder, receiver| self.filling.offered(holder, receiver, length).next().is_some();
        match way {
            Way::Back => table.can_send(end) && offers(end, node),
            Way::On => table.can_receive(end, length) && offers(node, end),
        }
    }
}
