//! **What:** an abelian group of automorphisms of a network that acts freely on its terminals, such as the translations of a torus: the claim is a list
//! of [`Generator`]s, the fact [`Translations`].
//!
//! **What is proved:** every generator permutes nodes and channels and respects ends, roles, transit, capacities, ports and
//! half-duplex groups; the generators commute and have the orders claimed; and no element but the one that does nothing
//! leaves a terminal where it is. So the group has exactly as many elements as the product of the orders, every message
//! between terminals has as many images, all different, and each orbit of terminals has as many members.

use super::action::{Action, NoAction, Radix};
use crate::{Channel, Network, Node};
use std::sync::Arc;

/// The claim of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// Applied so many times it changes nothing; at least 1.
    pub order: u32,
    /// The image of each node.
    pub nodes: Vec<u32>,
    /// The image of each channel.
    pub channels: Vec<u32>,
}

impl Generator {
    /// The generator with these images of the nodes; of parallel channels, the k-th goes to the k-th. `None` where some
    /// channel has no image.
    pub fn of_nodes(network: &Network, order: u32, nodes: Vec<u32>) -> Option<Self> {
        const NONE: u32 = u32::MAX;
        let count = network.node_count();
        if nodes.len() != count || nodes.iter().any(|v| *v as usize >= count) {
            return None;
        }
        let mut channels = vec![0; network.channel_count()];
        // The first channel from the node at hand to each node that has found no partner, and after each the next parallel one.
        let mut first = vec![NONE; count];
        let mut after: Vec<u32> = Vec::new();
        for node in network.nodes() {
            let there = network.outgoing(Node(nodes[node.index()]));
            after.clear();
            after.resize(there.len(), NONE);
            for (at, channel) in there.iter().enumerate().rev() {
                let place = u32::try_from(at).expect("channels have 32-bit ids");
                after[at] = std::mem::replace(&mut first[network.to(*channel).index()], place);
            }
            let here = network.outgoing(node);
            for channel in here {
                let next = &mut first[nodes[network.to(*channel).index()] as usize];
                let at = *next as usize;
                channels[channel.index()] = there.get(at)?.0;
                *next = after[at];
            }
            if here.len() != there.len() {
                return None;
            }
        }
        Some(Generator { order, nodes, channels })
    }
}

/// Why generators were refused. Generators count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum TranslationsError {
    #[error("generator {generator} has {found} images of {what} where {expected} are needed")]
    Length { generator: usize, what: &'static str, found: usize, expected: usize },
    #[error("generator {generator} does not permute the {what}: {image} is the image of none or of several")]
    NoPermutation { generator: usize, what: &'static str, image: u32 },
    #[error("generator {generator} takes channel {channel} to channel {image}, whose ends are not the ends' images")]
    Ends { generator: usize, channel: Channel, image: Channel },
    #[error("generator {generator} takes {what} {id} to {image}, which differs in {property}")]
    Unlike { generator: usize, what: &'static str, id: u32, image: u32, property: &'static str },
    #[error("channels of several half-duplex groups cannot be folded")]
    OverlappingGroups,
    #[error("generators {first} and {second} do not commute")]
    NotCommuting { first: usize, second: usize },
    #[error("generator {generator} does not have order {order}")]
    Order { generator: usize, order: u32 },
    #[error("an element of the group leaves terminal {node} where it is")]
    NotFree { node: Node },
    #[error("the group's tables would need too much memory")]
    TooLarge,
}

/// An abelian group of automorphisms that acts freely. Cheap to clone. Elements are numbered by the generators' exponents, the first
/// generator's varying fastest.
#[derive(Clone, Debug)]
#[must_use]
pub struct Translations {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    network: Network,
    radix: Radix,
    nodes: Action,
    channels: Action,
    groups: Action,
}

impl Translations {
    /// Proves that the generators generate an abelian group that acts freely.
    ///
    /// # Errors
    /// The first fault found, as [`TranslationsError`].
    pub fn new(network: &Network, generators: Vec<Generator>) -> Result<Self, TranslationsError> {
        let mut groups = Vec::with_capacity(generators.len());
        for (at, generator) in generators.iter().enumerate() {
            groups.push(respects(network, at, generator)?);
        }
        let disorder = || disorder(&generators).unwrap_or(TranslationsError::TooLarge);
        let Some(radix) = Radix::new(generators.iter().map(|g| g.order).collect()).filter(|r| r.size > 0) else {
            return Err(disorder());
        };
        if radix.size as usize > network.node_count() {
            // With the right orders, more elements than nodes: some element leaves the first terminal where it is.
            let free = TranslationsError::NotFree { node: network.terminals()[0] };
            return Err(self::disorder(&generators).unwrap_or(free));
        }
        let tables = |maps: Vec<&[u32]>, count| {
            Action::new(&radix, &maps, count).map_err(|none| match none {
                NoAction::TooLarge => TranslationsError::TooLarge,
                NoAction::Disorder => disorder(),
            })
        };
        let nodes = tables(generators.iter().map(|g| g.nodes.as_slice()).collect(), network.node_count())?;
        let channels = tables(generators.iter().map(|g| g.channels.as_slice()).collect(), network.channel_count())?;
        let groups = tables(groups.iter().map(Vec::as_slice).collect(), network.half_duplex().len())?;
        let free = |v: &&Node| nodes.fixing(nodes.class(v.0)).len() == 1;
        if let Some(&node) = network.terminals().iter().find(|v| !free(v)) {
            return Err(TranslationsError::NotFree { node });
        }
        Ok(Translations { inner: Arc::new(Inner { network: network.clone(), radix, nodes, channels, groups }) })
    }

    /// The network it acts on.
    pub fn network(&self) -> &Network {
        &self.inner.network
    }

    /// The orders of the generators.
    pub fn orders(&self) -> &[u32] {
        &self.inner.radix.orders
    }

    /// The generators, written down anew from what is kept of them.
    pub fn generators(&self) -> Vec<Generator> {
        let generator = |(at, &order): (usize, &u32)| {
            let unit = self.radix().unit(at);
            let nodes = self.network().nodes().map(|v| self.image_node(unit, v).0).collect();
            let channels = self.network().channels().map(|c| self.image_channel(unit, c).0).collect();
            Generator { order, nodes, channels }
        };
        self.orders().iter().enumerate().map(generator).collect()
    }

    /// Number of elements.
    pub fn order(&self) -> u32 {
        self.inner.radix.size
    }

    /// Where an element takes a node.
    pub fn image_node(&self, element: u32, node: Node) -> Node {
        Node(self.inner.nodes.image(&self.inner.radix, element, node.0))
    }

    /// Where an element takes a channel.
    #[inline]
    pub fn image_channel(&self, element: u32, channel: Channel) -> Channel {
        Channel(self.inner.channels.image(&self.inner.radix, element, channel.0))
    }

    /// The least node of each orbit of terminals, ascending.
    pub fn bases(&self) -> impl Iterator<Item = Node> + '_ {
        let bases = (0..self.nodes().classes()).map(|class| Node(self.nodes().base(class)));
        bases.filter(|v| self.network().is_terminal(*v))
    }

    /// The least node of the orbit that a node is in.
    pub fn base_of(&self, node: Node) -> Node {
        Node(self.nodes().base(self.nodes().class(node.0)))
    }

    /// The pair of terminals that stands for all images of a pair: its first is the base of an orbit.
    pub fn representative(&self, from: Node, to: Node) -> (Node, Node) {
        let nodes = self.nodes();
        let there = self.radix().subtract(nodes.element(to.0), nodes.element(from.0));
        (Node(nodes.base(nodes.class(from.0))), Node(nodes.base_under(nodes.class(to.0), there)))
    }

    /// The element that takes the base of a terminal's orbit to it.
    pub fn element_of(&self, terminal: Node) -> u32 {
        self.nodes().element(terminal.0)
    }

    /// The number of the element that does once what a generator does.
    pub fn unit(&self, generator: usize) -> u32 {
        self.radix().unit(generator)
    }

    /// The least channel of a channel's orbit, and how many elements leave it where it is.
    pub fn base_channel(&self, channel: Channel) -> (Channel, u32) {
        let (base, fixing) = self.channels().counted(channel.0);
        (Channel(base), fixing)
    }

    /// The least half-duplex group of a group's orbit, both by their positions, and how many elements leave it where it is.
    pub fn base_group(&self, group: usize) -> (usize, u32) {
        let group = u32::try_from(group).expect("a group's number was read from a 32-bit one");
        let (base, fixing) = self.groups().counted(group);
        (base as usize, fixing)
    }

    /// The number of a channel's orbit.
    pub fn channel_orbit(&self, channel: Channel) -> u32 {
        self.channels().class(channel.0)
    }

    /// The number of the orbit of a half-duplex group, itself given by its position.
    pub fn group_orbit(&self, group: usize) -> u32 {
        self.groups().class(u32::try_from(group).expect("a group's number was read from a 32-bit one"))
    }

    pub(super) fn radix(&self) -> &Radix {
        &self.inner.radix
    }

    pub(super) fn nodes(&self) -> &Action {
        &self.inner.nodes
    }

    pub(super) fn channels(&self) -> &Action {
        &self.inner.channels
    }

    pub(super) fn groups(&self) -> &Action {
        &self.inner.groups
    }
}

impl PartialEq for Translations {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
            || (self.network() == other.network()
                && self.radix() == other.radix()
                && self.nodes() == other.nodes()
                && self.channels() == other.channels())
    }
}

impl Eq for Translations {}

/// Checks that `generator` is an automorphism; gives the image of each half-duplex group.
fn respects(network: &Network, at: usize, generator: &Generator) -> Result<Vec<u32>, TranslationsError> {
    permutes(at, "nodes", &generator.nodes, network.node_count())?;
    permutes(at, "channels", &generator.channels, network.channel_count())?;
    let unlike = |what, id, image, property| TranslationsError::Unlike { generator: at, what, id, image, property };
    for node in network.nodes() {
        let image = Node(generator.nodes[node.index()]);
        let differs = [
            (network.is_terminal(node) != network.is_terminal(image), "role"),
            (network.is_transit(node) != network.is_transit(image), "transit"),
            (network.send_ports(node) != network.send_ports(image), "send ports"),
            (network.receive_ports(node) != network.receive_ports(image), "receive ports"),
        ];
        if let Some((_, property)) = differs.into_iter().find(|(differs, _)| *differs) {
            return Err(unlike("node", node.0, image.0, property));
        }
    }
    for channel in network.channels() {
        let image = Channel(generator.channels[channel.index()]);
        let there = |v: Node| Node(generator.nodes[v.index()]);
        if (network.from(image), network.to(image)) != (there(network.from(channel)), there(network.to(channel))) {
            return Err(TranslationsError::Ends { generator: at, channel, image });
        }
        if network.capacity(channel) != network.capacity(image) {
            return Err(unlike("channel", channel.0, image.0, "capacity"));
        }
        if network.groups_of(channel).nth(1).is_some() {
            return Err(TranslationsError::OverlappingGroups);
        }
    }
    let group_of = |c: u32| network.groups_of(Channel(c)).next();
    let mut images = Vec::with_capacity(network.half_duplex().len());
    for (id, group) in (0u32..).zip(network.half_duplex()) {
        // An empty group means nothing and stays where it is.
        let there = group.first().and_then(|&c| group_of(generator.channels[c as usize]));
        let image = there.map_or(id, |g| u32::try_from(g).expect("a group's number was read from a 32-bit one"));
        let alike = network.half_duplex()[image as usize].len() == group.len()
            && group.iter().all(|&c| group_of(generator.channels[c as usize]) == Some(image as usize));
        if !alike {
            return Err(unlike("half-duplex group", id, image, "its channels"));
        }
        images.push(image);
    }
    permutes(at, "half-duplex groups", &images, network.half_duplex().len())?;
    Ok(images)
}

fn permutes(generator: usize, what: &'static str, images: &[u32], expected: usize) -> Result<(), TranslationsError> {
    if images.len() != expected {
        return Err(TranslationsError::Length { generator, what, found: images.len(), expected });
    }
    let mut met = vec![false; expected];
    for &image in images {
        match met.get_mut(image as usize) {
            Some(met) if !*met => *met = true,
            _ => return Err(TranslationsError::NoPermutation { generator, what, image }),
        }
    }
    Ok(())
}

/// What is wrong with generators of which some do not commute, or have other orders than they claim.
fn disorder(generators: &[Generator]) -> Option<TranslationsError> {
    let commute = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(x, y)| b[*x as usize] == a[*y as usize]);
    for (second, generator) in generators.iter().enumerate() {
        if !has_order(generator) {
            return Some(TranslationsError::Order { generator: second, order: generator.order });
        }
        let strays = |a: &Generator| !commute(&a.nodes, &generator.nodes) || !commute(&a.channels, &generator.channels);
        if let Some(first) = generators[..second].iter().position(strays) {
            return Some(TranslationsError::NotCommuting { first, second });
        }
    }
    None
}

/// Whether the lengths of all cycles divide the order claimed.
fn has_order(generator: &Generator) -> bool {
    if generator.order == 0 {
        return false;
    }
    for map in [&generator.nodes, &generator.channels] {
        let mut met = vec![false; map.len()];
        for start in 0..map.len() {
            let (mut length, mut next) = (0u32, start);
            while !std::mem::replace(&mut met[next], true) {
                length += 1;
                next = map[next] as usize;
            }
            if length > 0 && !generator.order.is_multiple_of(length) {
                return false;
            }
        }
    }
    true
}
