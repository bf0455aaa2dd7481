//! **What:** finds the automorphisms of a network: the ways to exchange nodes and channels that change nothing.
//!
//! An automorphism respects roles of nodes, transit, ports, capacities and half-duplex groups. Parallel channels are
//! exchanged in order of capacity and number, so that automorphisms compose as their maps of nodes do.
//!
//! **Method.** An automorphism is an isomorphism of the network with itself ([`isomorphism`](crate::isomorphism)). A base of nodes is
//! individualised one by one until refinement tells all nodes apart. Level by level from the last, one automorphism is sought
//! for each image of the base node that is not yet in an orbit: a strong generating set. Every map is compared with the
//! network.
//!
//! **When it loses.** Networks that refinement hardly splits and that have few automorphisms (strongly regular graphs)
//! end in backtracking; the budget then leaves the group incomplete, which only hides symmetry.

use crate::isomorphism::{Digraph, LabelledArc, Orbits, Pair, Pairing, descend};
use kernel::{Channel, Network, Node};
use num_integer::gcd;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Spent};
use std::collections::{BTreeMap, BTreeSet};

/// A map of nodes and channels onto themselves that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automorphism {
    /// The image of each node.
    pub nodes: Vec<u32>,
    /// The image of each channel.
    pub channels: Vec<u32>,
}

impl Automorphism {
    /// First this, then `next`.
    pub fn then(&self, next: &Automorphism) -> Automorphism {
        let compose = |a: &[u32], b: &[u32]| a.iter().map(|&x| b[x as usize]).collect();
        Automorphism { nodes: compose(&self.nodes, &next.nodes), channels: compose(&self.channels, &next.channels) }
    }

    /// Whether it leaves everything in place.
    pub fn is_identity(&self) -> bool {
        let fixed = |list: &[u32]| list.iter().enumerate().all(|(i, &x)| i == x as usize);
        fixed(&self.nodes) && fixed(&self.channels)
    }

    /// Applied so many times.
    pub fn power(&self, times: u64) -> Automorphism {
        let advance = |list: &[u32]| {
            let mut result: Vec<u32> = vec![0; list.len()];
            for cycle in cycles(list) {
                for (i, &x) in cycle.iter().enumerate() {
                    let to = (i as u64 + times % cycle.len() as u64) as usize % cycle.len();
                    result[x as usize] = cycle[to];
                }
            }
            result
        };
        Automorphism { nodes: advance(&self.nodes), channels: advance(&self.channels) }
    }

    /// The least positive power that leaves everything in place; `None` where it is beyond measure.
    pub fn order(&self) -> Option<u64> {
        let lengths = cycles(&self.nodes).into_iter().chain(cycles(&self.channels)).map(|c| c.len() as u64);
        lengths
            .collect::<BTreeSet<u64>>()
            .into_iter()
            .try_fold(1u64, |all, length| all.checked_mul(length / gcd(all, length)))
    }
}

fn cycles(list: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; list.len()];
    let mut cycles = Vec::new();
    for start in 0..list.len() {
        let mut cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push(u32::try_from(at).expect("ids are 32 bits wide"));
            at = list[at] as usize;
        }
        if !cycle.is_empty() {
            cycles.push(cycle);
        }
    }
    cycles
}

/// One level of a stabiliser chain: the images of its base node under maps that fix all earlier base nodes.
#[derive(Clone, Debug)]
struct Level {
    /// An automorphism for each image of the base node but itself.
    transversal: BTreeMap<u32, Automorphism>,
}

/// A group of automorphisms of a network.
#[derive(Clone, Debug)]
pub struct Group {
    generators: Vec<Automorphism>,
    levels: Vec<Level>,
    identity: Automorphism,
    complete: bool,
}

impl Group {
    /// The automorphisms of `network`, within a budget of about `ticks` looks at a channel.
    pub fn new(network: &Network, ticks: u64) -> Self {
        Self::with_arcs(network, &[], &mut Budget::ticks(ticks))
    }

    /// The automorphisms that also respect labelled arcs between nodes: a collective's messages, or another automorphism with
    /// which they are then to commute.
    pub fn with_arcs(network: &Network, arcs: &[LabelledArc], budget: &mut Budget<'_>) -> Self {
        let identity = Automorphism {
            nodes: network.nodes().map(|v| v.0).collect(),
            channels: network.channels().map(|c| c.0).collect(),
        };
        let mut group = Group { generators: Vec::new(), levels: Vec::new(), identity, complete: false };
        group.complete = group.fill(network, arcs, budget).is_ok() && !budget.is_over();
        group
    }

    /// Looks for all automorphisms; what was found stays where the budget ends.
    fn fill(&mut self, network: &Network, arcs: &[LabelledArc], budget: &mut Budget<'_>) -> Result<(), Spent> {
        budget.take((network.channel_count() + arcs.len()) as u64)?;
        let graph = Digraph::labelled(network, arcs);
        let maps = ChannelMaps::new(network);
        let Some(mut pairing) = Pairing::new(&graph, &graph) else { return Ok(()) };
        pairing.refine(budget)?;
        let mut chain = Vec::new();
        while let Some(cell) = pairing.smallest_open() {
            let mut images: Vec<u32> = pairing.left_of(cell).collect();
            images.sort_unstable();
            let base = images[0];
            chain.push((pairing.mark(), images));
            pairing.individualise(base, base);
            pairing.refine(budget)?;
        }
        let ticks = network.channel_count() as u64;
        for (mark, images) in chain.into_iter().rev() {
            pairing.back_to(mark);
            let base = images[0];
            let mut reached = orbit(&self.generators, &self.identity, base, budget);
            let mut ended = Ok(());
            for &image in &images[1..] {
                if ended.is_err() || reached.contains_key(&image) {
                    continue;
                }
                let pair = Pair { left: base, right: image };
                let found = budget
                    .take(ticks)
                    .and_then(|()| descend(&mut pairing, pair, None, &mut |nodes| maps.automorphism(nodes), budget));
                match found {
                    Err(spent) => ended = Err(spent),
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        self.generators.push(found);
                        reached = orbit(&self.generators, &self.identity, base, budget);
                    }
                }
            }
            reached.remove(&base);
            self.levels.insert(0, Level { transversal: reached });
            ended?;
        }
        Ok(())
    }

    /// Whether the search was finished: then the generators generate all automorphisms.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Automorphisms that generate the group; none where it is trivial.
    pub fn generators(&self) -> &[Automorphism] {
        &self.generators
    }

    /// Number of elements found; `None` where it is beyond measure.
    pub fn order(&self) -> Option<u128> {
        self.levels.iter().try_fold(1u128, |n, l| n.checked_mul(1 + l.transversal.len() as u128))
    }

    /// The least node of the orbit of each node.
    pub fn orbits(&self) -> Vec<Node> {
        let mut orbits = Orbits::new(self.identity.nodes.len());
        self.generators.iter().for_each(|generator| orbits.join_all(&generator.nodes));
        self.identity.nodes.iter().map(|&v| Node(orbits.root(v))).collect()
    }

    /// A random element, every one found being as likely as any other.
    pub fn random(&self, random: &mut Pcg64Mcg) -> Automorphism {
        let mut element = self.identity.clone();
        for level in self.levels.iter().rev() {
            let pick = random.random_range(0..=level.transversal.len());
            if let Some(next) = pick.checked_sub(1).and_then(|i| level.transversal.values().nth(i)) {
                element = element.then(next);
            }
        }
        element
    }
}

/// How channels follow nodes.
struct ChannelMaps<'a> {
    network: &'a Network,
    /// Channels from one node to another, in order of capacity and number.
    bundles: BTreeMap<(u32, u32), Vec<u32>>,
    groups: BTreeSet<Vec<u32>>,
}

impl<'a> ChannelMaps<'a> {
    fn new(network: &'a Network) -> Self {
        let mut bundles: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for c in network.channels() {
            bundles.entry((network.from(c).0, network.to(c).0)).or_default().push(c.0);
        }
        bundles.values_mut().for_each(|list| list.sort_by_key(|&c| (network.capacity(Channel(c)), c)));
        ChannelMaps { network, bundles, groups: network.half_duplex().iter().map(|g| sorted(g.clone())).collect() }
    }

    /// The automorphism that takes nodes there, if channels can follow.
    fn automorphism(&self, nodes: Vec<u32>) -> Option<Automorphism> {
        let mut channels = vec![0; self.network.channel_count()];
        for (&(from, to), list) in &self.bundles {
            let images = self.bundles.get(&(nodes[from as usize], nodes[to as usize]))?;
            if images.len() != list.len() {
                return None;
            }
            for (&c, &image) in list.iter().zip(images) {
                if self.network.capacity(Channel(c)) != self.network.capacity(Channel(image)) {
                    return None;
                }
                channels[c as usize] = image;
            }
        }
        let image = |group: &Vec<u32>| sorted(group.iter().map(|&c| channels[c as usize]).collect());
        let kept = self.groups.iter().all(|group| self.groups.contains(&image(group)));
        kept.then_some(Automorphism { nodes, channels })
    }
}

fn sorted(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list
}

/// A map for each image of a node, as far as the budget goes.
fn orbit(
    generators: &[Automorphism],
    identity: &Automorphism,
    base: u32,
    budget: &mut Budget<'_>,
) -> BTreeMap<u32, Automorphism> {
    let mut reached = BTreeMap::from([(base, identity.clone())]);
    let mut queue = vec![base];
    let copied = (identity.nodes.len() + identity.channels.len()) as u64 / 4;
    while let Some(v) = queue.pop() {
        for generator in generators {
            let image = generator.nodes[v as usize];
            if !reached.contains_key(&image) {
                if !budget.spend(copied) {
                    return reached;
                }
                let map = reached[&v].then(generator);
                reached.insert(image, map);
                queue.push(image);
            }
        }
    }
    reached
}
