//! **What:** a free abelian group of automorphisms of a network, such as the translations of a torus: the claim is a list
//! of [`Generator`]s, the fact [`Translations`].
//!
//! **What is proved:** every generator permutes nodes and channels and respects ends, roles, transit, capacities, ports and
//! half-duplex groups; the generators commute and have the orders claimed; and no element but the one that does nothing
//! leaves a terminal where it is. So the group has exactly as many elements as the product of the orders, every message
//! between terminals has as many images, all different, and each orbit of terminals has as many members.

use super::action::{Action, Radix};
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
        let mut sorted: Vec<(Node, Node, Channel)> =
            network.channels().map(|c| (network.from(c), network.to(c), c)).collect();
        sorted.sort_unstable();
        let image = |v: Node| nodes.get(v.index()).map(|&v| Node(v));
        let mut channels = vec![0; sorted.len()];
        for bundle in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (from, to) = (image(bundle[0].0)?, image(bundle[0].1)?);
            let first = sorted.partition_point(|c| (c.0, c.1) < (from, to));
            for (at, (.., channel)) in bundle.iter().enumerate() {
                let there = sorted.get(first + at).filter(|c| (c.0, c.1) == (from, to))?;
                channels[channel.index()] = there.2.0;
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
    #[error("generator {generator} has not the order {order}")]
    Order { generator: usize, order: u32 },
    #[error("an element of the group leaves terminal {node} where it is")]
    NotFree { node: Node },
    #[error("the group's tables would need too much memory")]
    TooLarge,
}

/// A free abelian group of automorphisms. Cheap to clone. Elements are numbered by the generators' exponents, the first
/// generator's varying fastest.
#[derive(Clone, Debug)]
pub struct Translations {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    network: Network,
    generators: Vec<Generator>,
    radix: Radix,
    nodes: Action,
    channels: Action,
    groups: Action,
}

impl Translations {
    /// Proves that the generators generate a free abelian group.
    ///
    /// # Errors
    /// The first fault found, as [`TranslationsError`].
    pub fn new(network: &Network, generators: Vec<Generator>) -> Result<Self, TranslationsError> {
        let mut groups = Vec::with_capacity(generators.len());
        for (at, generator) in generators.iter().enumerate() {
            groups.push(respects(network, at, generator)?);
        }
        for (at, generator) in generators.iter().enumerate() {
            has_order(at, generator)?;
            for (other, earlier) in generators[..at].iter().enumerate() {
                let commute = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(x, y)| b[*x as usize] == a[*y as usize]);
                if !commute(&generator.nodes, &earlier.nodes) || !commute(&generator.channels, &earlier.channels) {
                    return Err(TranslationsError::NotCommuting { first: other, second: at });
                }
            }
        }
        let too_large = TranslationsError::TooLarge;
        let radix = Radix::new(generators.iter().map(|g| g.order).collect()).ok_or(too_large.clone())?;
        if radix.size as usize > network.node_count() {
            // More elements than nodes: some element leaves the first terminal where it is.
            return Err(TranslationsError::NotFree { node: network.terminals()[0] });
        }
        let tables = |maps: Vec<&[u32]>, count| Action::new(&radix, &maps, count).ok_or(too_large.clone());
        let nodes = tables(generators.iter().map(|g| g.nodes.as_slice()).collect(), network.node_count())?;
        let free = |v: &&Node| nodes.fixing[nodes.class[v.index()] as usize].len() == 1;
        if let Some(&node) = network.terminals().iter().find(|v| !free(v)) {
            return Err(TranslationsError::NotFree { node });
        }
        let channels = tables(generators.iter().map(|g| g.channels.as_slice()).collect(), network.channel_count())?;
        let groups = tables(groups.iter().map(Vec::as_slice).collect(), network.half_duplex().len())?;
        let inner = Inner { network: network.clone(), generators, radix, nodes, channels, groups };
        Ok(Translations { inner: Arc::new(inner) })
    }

    /// The network it acts on.
    pub fn network(&self) -> &Network {
        &self.inner.network
    }

    /// The generators.
    pub fn generators(&self) -> &[Generator] {
        &self.inner.generators
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
        let bases = (0u32..).take(self.nodes().classes()).map(|class| Node(self.nodes().base(class)));
        bases.filter(|v| self.network().is_terminal(*v))
    }

    /// The pair of terminals that stands for all images of a pair: its first is the base of an orbit.
    pub fn representative(&self, from: Node, to: Node) -> (Node, Node) {
        let nodes = self.nodes();
        let back = nodes.element[from.index()];
        let there = self.radix().subtract(nodes.element[to.index()], back);
        (Node(nodes.base(nodes.class[from.index()])), Node(nodes.base_under(nodes.class[to.index()], there)))
    }

    /// The element that takes the base of a terminal's orbit to it.
    pub fn element_of(&self, terminal: Node) -> u32 {
        self.nodes().element[terminal.index()]
    }

    /// The number of a channel's orbit.
    pub fn channel_orbit(&self, channel: Channel) -> u32 {
        self.channels().class[channel.index()]
    }

    /// The number of the orbit of a half-duplex group, itself given by its position.
    pub fn group_orbit(&self, group: usize) -> u32 {
        self.groups().class[group]
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
            || (self.network() == other.network() && self.generators() == other.generators())
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

/// Checks that the lengths of all cycles divide the order claimed.
fn has_order(at: usize, generator: &Generator) -> Result<(), TranslationsError> {
    let wrong = Err(TranslationsError::Order { generator: at, order: generator.order });
    if generator.order == 0 {
        return wrong;
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
                return wrong;
            }
        }
    }
    Ok(())
}
