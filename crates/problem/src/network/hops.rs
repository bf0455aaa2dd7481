//! **What:** which channel joins two nodes, and how many channels a shortest path has.

use super::{Channel, Network, Node};

impl Network {
    /// The first channel from one node to another.
    pub fn channel_between(&self, from: Node, to: Node) -> Option<Channel> {
        self.outgoing(from).iter().copied().find(|channel| self.to(*channel) == to)
    }

    /// Channels of a shortest path from `start` to every node, over nodes that paths may pass; `u32::MAX` where no path leads.
    pub fn hops_from(&self, start: Node) -> Vec<u32> {
        self.hops(start, |node| self.outgoing(node), |channel| self.to(channel))
    }

    /// Channels of a shortest path from every node to `end`, over nodes that paths may pass; `u32::MAX` where no path leads.
    pub fn hops_to(&self, end: Node) -> Vec<u32> {
        self.hops(end, |node| self.incoming(node), |channel| self.from(channel))
    }

    fn hops<'n>(
        &'n self,
        start: Node,
        channels: impl Fn(Node) -> &'n [Channel],
        end: impl Fn(Channel) -> Node,
    ) -> Vec<u32> {
        let mut far = vec![u32::MAX; self.node_count()];
        far[start.index()] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if node != start && !self.is_transit(node) {
                continue;
            }
            for next in channels(node).iter().map(|channel| end(*channel)) {
                if far[next.index()] == u32::MAX {
                    far[next.index()] = far[node.index()] + 1;
                    queue.push_back(next);
                }
            }
        }
        far
    }
}
