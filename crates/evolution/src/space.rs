//! **What:** the encodings: what the genes of a chromosome stand for and which values they may take.
//!
//! **Theory:** a gene is one delivery: message i to receiver j. In the *scatter* encoding it is a couple (path, step) with
//! the message's origin at the beginning of the path. In the *broadcast* encoding it is a triple (distributor, path, step);
//! as a stored path knows its ends, the distributor is the sender of the path and a gene is two numbers again. One-to-all,
//! all-to-all, M-to-N and arbitrary lists of transfers differ only in which genes there are.
//!
//! A step equal to the number of steps means *late*: not scheduled, and fined.
//!
//! **Source:** the dissertation, sections 6.2, 6.3 and 6.5.5 (restricted surroundings).

use super::Refusal;
use super::calls::Calls;
use super::parameters::Knobs;
use super::preprocess::{Limits, PathStore};
use graph::paths::distances_to;
use kernel::{Message, Node, Problem};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;
use std::ops::Range;

/// No gene.
pub(super) const NONE: u32 = u32::MAX;

/// Most entries of the tables of genes: 400 MB each.
const MOST_CELLS: usize = 100_000_000;

/// One delivery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub message: u32,
    pub receiver: u32,
}

/// The search space of one problem.
pub(super) struct Space {
    pub store: PathStore,
    /// Steps a schedule may have.
    pub steps: u16,
    pub genes: Vec<Delivery>,
    /// The genes of each message.
    pub of_message: Vec<Range<usize>>,
    pub origin: Vec<u32>,
    /// Whether receivers send messages on.
    pub broadcast: bool,
    /// The gene that delivers a message to a node: `messages × nodes`; empty in the scatter encoding.
    gene_at: Vec<u32>,
    /// The nodes that may send a gene's message to its receiver, gene by gene.
    distributors: Vec<u32>,
    distributors_from: Vec<u32>,
    /// The run of genes around each gene whose messages begin at the same node.
    pub same_origin: Vec<(u32, u32)>,
    /// Most deliveries a node sends, and then most it receives, in a step.
    pub ports: Vec<u16>,
    pub nodes: usize,
    /// Where messages are combined: a gene is a place to receive at in a step instead.
    pub calls: Option<Calls>,
}

impl Space {
    /// Finds the paths and lists the genes.
    ///
    /// # Errors
    /// [`Refusal`]: too many paths, or a delivery without one.
    pub(crate) fn new(problem: &Problem, knobs: &Knobs, slack: u32, rng: &mut Pcg64Mcg) -> Result<Self, Refusal> {
        let (network, collective) = (problem.network(), problem.collective());
        let nodes = network.node_count();
        let (mut genes, mut of_message, mut origin) = (Vec::new(), Vec::new(), Vec::new());
        for message in collective.messages() {
            let (from, begin) = (collective.origin(message), genes.len());
            let receivers = collective.destinations(message).iter().filter(|&&v| v != from);
            genes.extend(receivers.map(|v| Delivery { message: message.0, receiver: v.0 }));
            of_message.push(begin..genes.len());
            origin.push(from.0);
        }
        let broadcast = of_message.iter().any(|genes| genes.len() > 1);
        let limits = Limits { slack, sample: knobs.sample, most: knobs.paths };
        let radius = if broadcast { radius(problem, knobs.radius) } else { u32::MAX };
        let near = |to: Node, from: u32, distance: &[u32]| {
            from != to.0 && distance[from as usize] != u32::MAX && distance[from as usize] <= radius
        };
        let cells = collective.message_count().saturating_mul(nodes);
        if broadcast && cells > MOST_CELLS {
            return Err(Refusal::Deliveries { count: genes.len() as u64 });
        }
        let members = |m: usize| {
            let all = of_message[m].clone().map(|g: usize| genes[g].receiver);
            all.chain([origin[m]])
        };
        let mut pairs = BTreeSet::new();
        let mut distance_to: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for gene in &genes {
            let row = &mut distance_to[gene.receiver as usize];
            if row.is_empty() {
                *row = distances_to(problem, Node(gene.receiver));
            }
        }
        let (mut distributors, mut distributors_from) = (Vec::new(), vec![0u32]);
        for gene in &genes {
            let (m, to) = (gene.message as usize, Node(gene.receiver));
            let row = &distance_to[to.index()];
            if broadcast {
                distributors.extend(members(m).filter(|&v| near(to, v, row)));
            } else if row[origin[m] as usize] != u32::MAX {
                distributors.push(origin[m]);
            }
            let mine = &distributors[distributors_from[distributors_from.len() - 1] as usize..];
            pairs.extend(mine.iter().map(|&from| (Node(from), to)));
            distributors_from.push(distributors.len() as u32);
            if distributors.len() > MOST_CELLS {
                return Err(Refusal::Deliveries { count: genes.len() as u64 });
            }
        }
        let mut gene_at = Vec::new();
        if broadcast {
            gene_at = vec![NONE; cells];
            for (g, gene) in genes.iter().enumerate() {
                gene_at[gene.message as usize * nodes + gene.receiver as usize] = g as u32;
            }
        }
        let pairs: Vec<(Node, Node)> = pairs.into_iter().collect();
        let store = PathStore::new(problem, &pairs, limits, rng)?;
        let small = |n: u64| u16::try_from(n).unwrap_or(u16::MAX);
        let sends = network.nodes().map(|v| small(network.send_capacity(v)));
        let receives = network.nodes().map(|v| small(network.receive_capacity(v)));
        let ports = sends.chain(receives).collect();
        let mut same_origin = Vec::with_capacity(genes.len());
        for run in genes.chunk_by(|a, b| origin[a.message as usize] == origin[b.message as usize]) {
            let begin = same_origin.len() as u32;
            same_origin.extend(run.iter().map(|_| (begin, begin + run.len() as u32)));
        }
        let space = Space {
            store,
            steps: 1,
            genes,
            of_message,
            origin,
            broadcast,
            gene_at,
            distributors,
            distributors_from,
            same_origin,
            ports,
            nodes,
            calls: None,
        };
        space.all_within_reach()?;
        Ok(space)
    }

    /// The search space of calls, whose senders are listed place by place of a step.
    pub(crate) fn of_calls(store: PathStore, calls: Calls, senders: (Vec<u32>, Vec<u32>), problem: &Problem) -> Self {
        let nodes = problem.network().node_count();
        let mut space = Space {
            store,
            steps: 0,
            genes: Vec::new(),
            of_message: Vec::new(),
            origin: Vec::new(),
            broadcast: false,
            gene_at: Vec::new(),
            distributors: senders.0,
            distributors_from: senders.1,
            same_origin: Vec::new(),
            ports: vec![u16::MAX; 2 * nodes],
            nodes,
            calls: Some(calls),
        };
        space.set_steps(1);
        space
    }

    /// Asks for a schedule of so many steps.
    pub(crate) fn set_steps(&mut self, steps: u16) {
        self.steps = steps;
        if let Some(calls) = &self.calls {
            self.genes = calls.genes(steps);
        }
    }

    /// Every receiver can be told by the origin or by one that can.
    fn all_within_reach(&self) -> Result<(), Refusal> {
        for (m, genes) in self.of_message.iter().enumerate() {
            let mut told = vec![false; self.nodes];
            told[self.origin[m] as usize] = true;
            let mut left: Vec<usize> = genes.clone().collect();
            loop {
                let before = left.len();
                left.retain(|&g| {
                    let to = self.genes[g].receiver;
                    let mut from = self.distributors(g).iter();
                    let reached = from.any(|&d| told[d as usize] && !self.store.between(d, to).is_empty());
                    told[to as usize] |= reached;
                    !reached
                });
                match left.first() {
                    None => break,
                    Some(&g) if left.len() == before => {
                        let (from, to) = (Node(self.origin[m]), Node(self.genes[g].receiver));
                        return Err(Refusal::NoPath { from, to });
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The gene that delivers `message` to `node`.
    #[inline]
    pub(crate) fn gene_at(&self, message: u32, node: u32) -> Option<usize> {
        let gene = self.gene_at[message as usize * self.nodes + node as usize];
        (gene != NONE).then_some(gene as usize)
    }

    /// The nodes that may send the message of `gene` to its receiver; not empty for the origin's neighbours at least.
    #[inline]
    pub(crate) fn distributors(&self, gene: usize) -> &[u32] {
        let gene = self.calls.as_ref().map_or(gene, |calls| gene % calls.places());
        &self.distributors[self.distributors_from[gene] as usize..self.distributors_from[gene + 1] as usize]
    }

    /// Resources of a step.
    pub(crate) fn resources(&self) -> usize {
        self.store.capacity.len()
    }

    /// The message of a gene.
    pub(crate) fn message(&self, gene: usize) -> Message {
        Message(self.genes[gene].message)
    }
}

/// How far a delivery may reach: what the calls_search wants, or any distance for one message and a single channel for several;
/// never so little that a receiver cannot be told at all.
///
/// The dissertation advises half the diameter for one message, but then the ring of 8 has no broadcast in 2 steps.
fn radius(problem: &Problem, wanted: u32) -> u32 {
    let (network, collective) = (problem.network(), problem.collective());
    let mut reach = 0;
    let mut needed = 1;
    for message in collective.messages() {
        let members: Vec<Node> =
            [collective.origin(message)].into_iter().chain(collective.destinations(message).iter().copied()).collect();
        let mut told = vec![false; network.node_count()];
        told[members[0].index()] = true;
        if message.0 > 0 && members.len() == network.terminals().len() {
            // The same members as before: only the first message of all-to-all collectives is looked at.
            break;
        }
        let rows: Vec<Vec<u32>> = members.iter().map(|&v| distances_to(problem, v)).collect();
        // Prim's algorithm with the longest edge as its price.
        loop {
            let edges = members.iter().enumerate().filter(|(_, v)| !told[v.index()]);
            let nearest = edges.filter_map(|(i, v)| {
                members.iter().filter(|u| told[u.index()]).map(|u| rows[i][u.index()]).min().map(|d| (d, *v))
            });
            let Some((distance, node)) = nearest.min() else { break };
            told[node.index()] = true;
            if distance != u32::MAX {
                needed = needed.max(distance);
            }
        }
        reach = rows
            .iter()
            .flat_map(|row| members.iter().map(|v| row[v.index()]))
            .filter(|&d| d != u32::MAX)
            .fold(reach, u32::max);
    }
    let rule = match wanted {
        0 if collective.message_count() <= 1 => reach,
        0 => 1,
        wanted => wanted,
    };
    rule.max(needed)
}
