//! **What:** the channels of a network whose automorphisms include a group that takes any node to any other in one way, class by class: a
//! channel of node 0 and its images.

use construct::Control;
use kernel::orbits::Translations;
use kernel::{Channel, Message, Network, Node, Schedule};

/// The channels, one of each class at every node.
pub(super) struct Classes<'a> {
    pub network: &'a Network,
    pub count: usize,
    /// Node by node, in the order of those of node 0.
    channels: Vec<Channel>,
}

impl<'a> Classes<'a> {
    /// The classes of an abelian group that acts freely; `None` where it does not take node 0 to all nodes.
    pub(super) fn of_translations(network: &'a Network, translations: &Translations) -> Option<Self> {
        if translations.order() as usize != network.node_count() {
            return None;
        }
        let first = network.outgoing(Node(0));
        let at = |node| {
            let element = translations.element_of(node);
            first.iter().map(move |class| translations.image_channel(element, *class))
        };
        let channels = network.nodes().flat_map(at).collect();
        Some(Classes { network, count: first.len(), channels })
    }

    /// The classes of any group, given by where the automorphism that takes node 0 to one node takes another; `None` where
    /// channels do not follow.
    pub(super) fn of_product(network: &'a Network, product: impl Fn(Node, Node) -> Option<Node>) -> Option<Self> {
        let first = network.outgoing(Node(0));
        let mut channels = Vec::with_capacity(network.channel_count());
        for node in network.nodes() {
            for class in first {
                let to = product(node, network.to(*class))?;
                channels.push(network.channel_between(node, to)?);
            }
        }
        Some(Classes { network, count: first.len(), channels })
    }

    /// The channel of a class that leaves a node.
    pub(super) fn at(&self, node: Node, class: usize) -> Channel {
        self.channels[node.index() * self.count + class]
    }

    /// Classes of which only one may be used in a step, as the other is that of the channels back on half-duplex links. What would
    /// need both directions of a link itself is left out.
    pub(super) fn rivals(&self) -> Vec<Vec<usize>> {
        let network = self.network;
        let opposite = |class: usize| {
            let channel = self.at(Node(0), class);
            let back = network.groups_of(channel).next().and_then(|group| {
                network.half_duplex()[group].iter().copied().map(Channel).find(|other| *other != channel)
            })?;
            let from = network.from(back);
            (0..self.count).find(|class| self.at(from, *class) == back)
        };
        let of = |class: usize| match opposite(class) {
            None => Some(vec![class]),
            Some(other) if class < other => Some(vec![class, other]),
            Some(_) => None,
        };
        (0..self.count).filter_map(of).collect()
    }

    /// All images of a tree of node 0, whose transfers take one channel each: those of node v carry message v.
    pub(super) fn all_images(&self, tree: &Schedule, control: &Control<'_>) -> Option<Schedule> {
        let count = self.network.node_count();
        let mut schedule = Schedule::new();
        if !schedule.reserve(tree.transfer_count() * count, tree.transfer_count() * count) {
            return None;
        }
        // Of each node of the tree all its images, that under the automorphism that takes node 0 to v at place v.
        let mut images: Vec<Vec<Node>> = vec![Vec::new(); count];
        images[0] = self.network.nodes().collect();
        for step in tree.steps() {
            schedule.begin_step();
            for channel in step.flat_map(|transfer| transfer.path) {
                control.work(count)?;
                let (from, to) = (self.network.from(*channel), self.network.to(*channel));
                let class = (0..self.count).find(|class| self.at(from, *class) == *channel)?;
                let mut ends = Vec::with_capacity(count);
                for (message, place) in (0u32..).zip(&images[from.index()]) {
                    let image = self.at(*place, class);
                    ends.push(self.network.to(image));
                    schedule.send(Message(message), &[image]);
                }
                images[to.index()] = ends;
            }
        }
        Some(schedule)
    }
}
