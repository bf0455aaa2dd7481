//! **What:** a walk of given length over free channels, back from a receiver to somebody who holds what it lacks.
//!
//! The length says in which slot the walk comes to each channel, so it goes depth first and meets no node twice.

use super::Filling;
use kernel::{Channel, Node};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A walk back from a receiver.
pub(super) struct Walk<'w, 'a> {
    pub filling: &'w Filling<'a>,
    pub receiver: Node,
    /// Its channels, backwards.
    pub path: Vec<Channel>,
    /// Nodes that it may still look at.
    pub looks: u32,
    /// How much longer than the shortest the path may be, with the distances to the receiver.
    pub longest: Option<(u32, &'w [u32])>,
}

impl Walk<'_, '_> {
    /// Goes `left` channels back from `at`, to a node that holds something for the receiver. As deep as `left`.
    pub(super) fn back(&mut self, at: Node, left: usize, random: &mut Pcg64Mcg) -> Option<Node> {
        let Filling { problem, table, .. } = self.filling;
        let network = problem.network();
        let channels = network.incoming(at);
        let rotation = random.random_range(0..channels.len().max(1));
        for i in 0..channels.len() {
            let channel = channels[(i + rotation) % channels.len()];
            let from = network.from(channel);
            self.looks = self.looks.checked_sub(1)?;
            let visited = from == self.receiver || self.path.iter().any(|c| network.from(*c) == from);
            let too_far = self.longest.is_some_and(|(slack, near)| {
                self.path.len() as u64 >= u64::from(near[from.index()]) + u64::from(slack)
            });
            if visited || too_far || !table.is_free(left - 1, channel) {
                continue;
            }
            self.path.push(channel);
            if left == 1 {
                let offers = || self.filling.offered(from, self.receiver, self.path.len()).next().is_some();
                if table.can_send(from) && network.is_terminal(from) && offers() {
                    return Some(from);
                }
            } else if problem.path_passes(from) {
                let found = self.back(from, left - 1, random);
                if found.is_some() {
                    return found;
                }
            }
            self.path.pop();
        }
        None
    }
}
