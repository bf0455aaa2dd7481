//! **What:** whether each sender reaches whom its messages are for.
//!
//! **Idea:** where all senders reach one of them and that one reaches all receivers, two searches tell. Else senders are
//! searched from 64 at a time, a bit each.

use super::{Problem, ProblemError, numbered};
use crate::{Channel, Message, Node};
use std::collections::VecDeque;

/// Senders that are searched from at a time.
const BLOCK: usize = 64;

/// What of a message comes from a block of senders.
#[derive(Clone, Copy)]
struct Wanted {
    block: u32,
    message: Message,
    /// A bit for each sender of the block.
    senders: u64,
}

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
        let wanted = self.wanted(&senders);
        let mut wanted = wanted.iter().peekable();
        for (at, block) in (0u32..).zip(senders.chunks(BLOCK)) {
            let reached = self.reach(block, outgoing, to);
            let unreachable = |missed: u64, to, message| {
                let from = block[missed.trailing_zeros() as usize];
                Err(ProblemError::Unreachable { message, from, to })
            };
            if let Some(product) = self.collective().product() {
                for (bit, &from) in block.iter().enumerate() {
                    let to = receivers.iter().find(|v| **v != from && reached[v.index()] >> bit & 1 == 0);
                    if let Some((to, message)) = to.and_then(|to| Some((*to, product.number(from, *to)?))) {
                        return unreachable(1 << bit, to, numbered(message));
                    }
                }
            }
            while let Some(&Wanted { message, senders, .. }) = wanted.next_if(|wanted| wanted.block == at) {
                // Contributions meet at a destination, so each contributor needs a way to each destination.
                for &to in self.collective().destinations(message) {
                    let missed = senders & !reached[to.index()];
                    if missed > 0 {
                        return unreachable(missed, to, message);
                    }
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

    /// Which of each block of senders each message comes from, block by block, where messages are listed.
    fn wanted(&self, senders: &[Node]) -> Vec<Wanted> {
        let collective = self.collective();
        if collective.product().is_some() {
            return Vec::new();
        }
        let mut wanted: Vec<Wanted> = Vec::new();
        for message in collective.messages() {
            for origin in collective.contributors(message) {
                let at = senders.binary_search(origin).expect("whoever contributes is a sender");
                let block = u32::try_from(at / BLOCK).expect("senders have numbers below 2^32");
                let sender = 1 << (at % BLOCK);
                match wanted.last_mut().filter(|last| (last.block, last.message) == (block, message)) {
                    Some(last) => last.senders |= sender,
                    None => wanted.push(Wanted { block, message, senders: sender }),
                }
            }
        }
        wanted.sort_by_key(|wanted| wanted.block);
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
