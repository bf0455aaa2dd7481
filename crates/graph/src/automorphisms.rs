//! **What:** finds the automorphisms of a network: the ways to exchange nodes and channels that change nothing.
//!
//! An automorphism respects roles of nodes, transit, ports, capacities and half-duplex groups. Parallel channels are
//! exchanged in order of capacity and number, so that automorphisms compose as their maps of nodes do.
//!
//! **Method.** Colour refinement and individualisation. Colours are hashes built from the colours of neighbours, so two
//! copies of the network may be compared without renumbering. The fixed copy individualises a base of nodes one by one
//! until all colours differ; the other copy tries images of the base, and is abandoned when its colours differ from the
//! fixed copy's. Level by level from the last, one automorphism is sought for each image that is not yet in an orbit:
//! a strong generating set. Every leaf is compared with the network, so a collision of hashes cannot yield a false map.
//!
//! **When it loses.** Networks that refinement hardly splits and that have few automorphisms (strongly regular graphs)
//! end in backtracking; the budget then leaves the group incomplete, which only hides symmetry.

use kernel::{Channel, Network, Node};
use num_integer::gcd;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;
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

    /// The automorphisms that also respect labelled arcs `(from, to, label)` between nodes: a collective's messages, or
    /// another automorphism with which they are then to commute.
    pub fn with_arcs(network: &Network, arcs: &[(u32, u32, u32)], budget: &mut Budget<'_>) -> Self {
        Finder::new(network, arcs, budget).group()
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
        let mut root: Vec<u32> = (0..Node::new(self.identity.nodes.len()).0).collect();
        loop {
            let before = root.clone();
            for generator in &self.generators {
                for (v, &image) in generator.nodes.iter().enumerate() {
                    let least = root[v].min(root[image as usize]);
                    root[v] = least;
                    root[image as usize] = least;
                }
            }
            if root == before {
                return root.into_iter().map(Node).collect();
            }
        }
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

/// Mixes bits; equal inputs give equal outputs.
fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.rotate_left(29)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A colouring after the base nodes of a level were individualised.
struct Coloured {
    colours: Vec<u64>,
    sorted: Vec<u64>,
    rounds: usize,
    base: u32,
}

struct Finder<'a, 'b> {
    network: &'a Network,
    /// `(neighbour, label)` of each node, outgoing and incoming told apart by the label.
    adjacent: Vec<Vec<(u32, u64)>>,
    /// Channels (and arcs) from one node to another: what must agree.
    bundles: BTreeMap<(u32, u32), (Vec<u32>, Vec<u32>)>,
    groups: BTreeSet<Vec<u32>>,
    initial: Vec<u64>,
    chain: Vec<Coloured>,
    /// Looks at a channel.
    budget: &'a mut Budget<'b>,
}

impl<'a, 'b> Finder<'a, 'b> {
    fn new(network: &'a Network, arcs: &[(u32, u32, u32)], budget: &'a mut Budget<'b>) -> Self {
        let n = network.node_count();
        let mut bundles: BTreeMap<(u32, u32), (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for c in network.channels().take_while(|_| budget.spend(1)) {
            bundles.entry((network.from(c).0, network.to(c).0)).or_default().0.push(c.0);
        }
        for &(from, to, label) in arcs {
            bundles.entry((from, to)).or_default().1.push(label);
        }
        let mut adjacent: Vec<Vec<(u32, u64)>> = vec![Vec::new(); n];
        for (&(from, to), (channels, labels)) in &mut bundles {
            channels.sort_by_key(|&c| (network.capacity(Channel(c)), c));
            labels.sort_unstable();
            let capacities = channels.iter().map(|&c| u64::from(network.capacity(Channel(c))));
            let label = capacities.fold(1, mix);
            let label = labels.iter().fold(label, |l, &x| mix(l, u64::from(x) + (1 << 40)));
            adjacent[from as usize].push((to, label));
            adjacent[to as usize].push((from, mix(label, 2)));
        }
        let port = |p: Option<u32>| p.map_or(0, |p| u64::from(p) + 1);
        let colour = |v: Node| {
            let role = u64::from(network.is_terminal(v)) * 2 + u64::from(network.is_transit(v));
            mix(mix(role, port(network.send_ports(v))), port(network.receive_ports(v)))
        };
        let sorted = |g: &Vec<u32>| {
            let mut g = g.clone();
            g.sort_unstable();
            g
        };
        Finder {
            network,
            adjacent,
            bundles,
            groups: network.half_duplex().iter().map(sorted).collect(),
            initial: network.nodes().map(colour).collect(),
            chain: Vec::new(),
            budget,
        }
    }

    /// One round of refinement.
    fn round(&mut self, colours: &mut [u64]) {
        let mut next = Vec::with_capacity(colours.len());
        for (v, list) in self.adjacent.iter().enumerate() {
            if !self.budget.spend(list.len() as u64 + 1) {
                return;
            }
            let sum = list.iter().fold(0u64, |sum, &(u, label)| sum.wrapping_add(mix(label, colours[u as usize])));
            next.push(mix(colours[v], sum));
        }
        colours.copy_from_slice(&next);
    }

    /// Refines until no more colours appear; returns the rounds it took and the sorted colours.
    fn refine(&mut self, colours: &mut [u64]) -> (usize, Vec<u64>) {
        let mut classes = 0;
        let mut rounds = 0;
        loop {
            let sorted = sorted(colours);
            let now = 1 + sorted.windows(2).filter(|w| w[0] != w[1]).count();
            if now == classes || now == colours.len() || self.budget.is_over() {
                return (rounds, sorted);
            }
            classes = now;
            self.round(colours);
            rounds += 1;
        }
    }

    fn group(mut self) -> Group {
        let mut colours = self.initial.clone();
        let (_, mut classes) = self.refine(&mut colours);
        let start = colours.clone();
        // The chain of the fixed copy: individualise a node of the first smallest class that is not single.
        while let Some(base) = first_of_smallest(&colours, &classes) {
            if self.budget.is_over() {
                break;
            }
            colours[base] = mix(colours[base], u64::MAX);
            let (rounds, sorted) = self.refine(&mut colours);
            let base = u32::try_from(base).expect("ids are 32 bits wide");
            self.chain.push(Coloured { colours: colours.clone(), sorted: sorted.clone(), rounds, base });
            classes = sorted;
        }
        let identity = Automorphism {
            nodes: self.network.nodes().map(|v| v.0).collect(),
            channels: self.network.channels().map(|c| c.0).collect(),
        };
        let mut group = Group { generators: Vec::new(), levels: Vec::new(), identity, complete: true };
        if self.budget.is_over() {
            group.complete = false;
            return group;
        }
        for depth in (0..self.chain.len()).rev() {
            let before = match depth.checked_sub(1) {
                None => start.clone(),
                Some(above) => self.chain[above].colours.clone(),
            };
            let base = self.chain[depth].base;
            let mut reached = orbit(&group.generators, &group.identity, base, self.budget);
            let cell: Vec<u32> = class_of(&before, base);
            for &image in cell.iter().filter(|w| **w != base) {
                if reached.contains_key(&image) {
                    continue;
                }
                if self.budget.is_over() {
                    group.complete = false;
                    break;
                }
                if let Some(found) = self.descend(depth, &before, image) {
                    group.generators.push(found);
                    reached = orbit(&group.generators, &group.identity, base, self.budget);
                }
            }
            reached.remove(&base);
            group.levels.insert(0, Level { transversal: reached });
        }
        group.complete &= !self.budget.is_over();
        group
    }

    /// Looks for an automorphism that takes the base node of `depth` to `image` and agrees with `before` so far.
    fn descend(&mut self, depth: usize, before: &[u64], image: u32) -> Option<Automorphism> {
        if self.budget.is_over() {
            return None;
        }
        let mut colours = before.to_vec();
        colours[image as usize] = mix(colours[image as usize], u64::MAX);
        for _ in 0..self.chain[depth].rounds {
            self.round(&mut colours);
        }
        if sorted(&colours) != self.chain[depth].sorted {
            return None;
        }
        let Some(next) = self.chain.get(depth + 1) else { return self.leaf(&colours) };
        let wanted = self.chain[depth].colours[next.base as usize];
        let candidates: Vec<u32> = (0u32..).zip(&colours).filter(|(_, c)| **c == wanted).map(|(v, _)| v).collect();
        candidates.into_iter().find_map(|w| self.descend(depth + 1, &colours, w))
    }

    /// The map between two colourings without repetitions, if it respects everything.
    fn leaf(&mut self, colours: &[u64]) -> Option<Automorphism> {
        if !self.budget.spend(self.network.channel_count() as u64) {
            return None;
        }
        let last = &self.chain.last()?.colours;
        let to: BTreeMap<u64, u32> = colours.iter().copied().zip(0u32..).collect();
        let nodes: Vec<u32> = last.iter().map(|c| to.get(c).copied()).collect::<Option<_>>()?;
        let mut seen = vec![false; nodes.len()];
        for (v, &image) in nodes.iter().enumerate() {
            if std::mem::replace(&mut seen[image as usize], true) || self.initial[v] != self.initial[image as usize] {
                return None;
            }
        }
        let mut channels = vec![0; self.network.channel_count()];
        for (&(from, to), (list, labels)) in &self.bundles {
            let (images, wanted) = self.bundles.get(&(nodes[from as usize], nodes[to as usize]))?;
            if images.len() != list.len() || wanted != labels {
                return None;
            }
            for (&c, &image) in list.iter().zip(images) {
                if self.network.capacity(Channel(c)) != self.network.capacity(Channel(image)) {
                    return None;
                }
                channels[c as usize] = image;
            }
        }
        let kept = self.groups.iter().all(|group| {
            let mut image: Vec<u32> = group.iter().map(|&c| channels[c as usize]).collect();
            image.sort_unstable();
            self.groups.contains(&image)
        });
        kept.then_some(Automorphism { nodes, channels })
    }
}

fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut list = colours.to_vec();
    list.sort_unstable();
    list
}

fn class_of(colours: &[u64], node: u32) -> Vec<u32> {
    let wanted = colours[node as usize];
    (0u32..).zip(colours).filter(|(_, c)| **c == wanted).map(|(v, _)| v).collect()
}

/// The first node in the smallest class of several nodes.
fn first_of_smallest(colours: &[u64], sorted: &[u64]) -> Option<usize> {
    let sizes: BTreeMap<u64, usize> = sorted.chunk_by(|a, b| a == b).map(|c| (c[0], c.len())).collect();
    let size = |v: usize| sizes.get(&colours[v]).copied().unwrap_or(1);
    (0..colours.len()).filter(|&v| size(v) > 1).min_by_key(|&v| (size(v), v))
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

#[cfg(test)]
mod tests;
