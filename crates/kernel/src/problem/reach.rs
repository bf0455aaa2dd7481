//! **What:** whether each sender reaches whom its messages are for.
//!
//! **Idea:** where all senders reach one of them and that one reaches all receivers, two searches tell. Else senders are
//! searched from 64 at a time, a bit each.

use super::{Problem, ProblemError, numbered};
use crate::{Channel, Message, Node};
use std::collections::VecDeque;

impl Problem {
    pub(super) fn check_reach(&self) -> Result<(), ProblemError> {
        let network = self.network();
        let (senders, receivers) = self.ends();
        let Some(&hub) = senders.first() else { return Ok(()) };
        let (outgoing, to) = (|v| network.outgoing(v), |c| network.to(c));
        let (incoming, from) = (|v| network.incoming(v), |c| network.from(c));
        let all = |reached: Vec<u64>, nodes: &[Node]| nodes.iter().all(|v| reached[v.index()] > 0);
        if all(self.reach(&[hub], outgoing, to), &receivers)
            && (senders.len() == 1 || all(self.reach(&[hub], incoming, from), &senders))
        {
            return Ok(());
        }
        let wanted = self.wanted();
        for block in senders.chunks(64) {
            let reached = self.reach(block, outgoing, to);
            for (bit, &from) in block.iter().enumerate() {
                let missed = |v: Node| reached[v.index()] >> bit & 1 == 0;
                let unreachable = |to, message| Err(ProblemError::Unreachable { message, from, to });
                if let Some(product) = self.collective().product() {
                    let to = receivers.iter().find(|v| **v != from && missed(**v));
                    if let Some((to, message)) = to.and_then(|to| Some((*to, product.number(from, *to)?))) {
                        return unreachable(to, numbered(message));
                    }
                } else if let Some(&(to, message)) = wanted[from.index()].iter().find(|(to, _)| missed(*to)) {
                    return unreachable(to, message);
                }
            }
        }
        Ok(())
    }

    /// The nodes that start with something, and those that must end with something, each ascending.
    fn ends(&self) -> (Vec<Node>, Vec<Node>) {
        let (network, collective) = (self.network(), self.collective());
        if let Some(product) = collective.product() {
            return (product.senders().to_vec(), product.receivers().to_vec());
        }
        let (mut sends, mut receives) = (vec![false; network.node_count()], vec![false; network.node_count()]);
        for message in collective.messages() {
            collective.contributors(message).iter().for_each(|v| sends[v.index()] = true);
            collective.destinations(message).iter().for_each(|v| receives[v.index()] = true);
        }
        let marked = |marks: Vec<bool>| network.nodes().filter(|v| marks[v.index()]).collect();
        (marked(sends), marked(receives))
    }

    /// Of each node, whom it must reach, where messages are listed.
    fn wanted(&self) -> Vec<Vec<(Node, Message)>> {
        let collective = self.collective();
        let mut wanted = vec![Vec::new(); self.network().node_count()];
        if collective.product().is_none() {
            for message in collective.messages() {
                // Contributions meet at a destination, so each contributor needs a way to each destination.
                for origin in collective.contributors(message) {
                    wanted[origin.index()].extend(collective.destinations(message).iter().map(|&d| (d, message)));
                }
            }
        }
        wanted
    }

    /// Of each node, a bit for each of the terminals `from` (64 at most) that messages get to it from, by its channels and
    /// those of who lets them pass.
    fn reach<'a>(
        &'a self,
        from: &[Node],
        channels: impl Fn(Node) -> &'a [Channel],
        end: impl Fn(Channel) -> Node,
    ) -> Vec<u64> {
        let count = self.network().node_count();
        let (mut reached, mut fresh) = (vec![0; count], vec![0; count]);
        for (bit, node) in from.iter().enumerate() {
            (reached[node.index()], fresh[node.index()]) = (1 << bit, 1 << bit);
        }
        let mut queue: VecDeque<Node> = from.iter().copied().collect();
        while let Some(node) = queue.pop_front() {
            let bits = std::mem::take(&mut fresh[node.index()]);
            // Terminals receive and send on, so those that searches begin at do as well.
            if !self.passes(node) {
                continue;
            }
            for next in channels(node).iter().map(|c| end(*c)) {
                let more: u64 = bits & !reached[next.index()];
                if more > 0 {
                    reached[next.index()] |= more;
                    if fresh[next.index()] == 0 {
                        queue.push_back(next);
                    }
                    fresh[next.index()] |= more;
                }
            }
        }
        reached
    }
}
