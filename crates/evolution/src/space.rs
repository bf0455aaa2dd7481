//! **What:** the encodings: what the genes of a chromosome stand for and which values they may take.
//!
//! **Theory:** a gene is one delivery: message i to receiver j. In the *scatter* encoding it is a couple (path, step) with
//! the message's origin at the beginning of the path. In the *broadcast* encoding it is a triple (distributor, path, step);
//! as a stored path knows its ends, the distributor is the sender of the path and a gene is two numbers again. One-to-all,
//! all-to-all, M-to-N and arbitrary lists of transfers differ only in which genes there are. Where messages combine, a gene
//! is a place to receive at in a step ([`Calls`]), and every terminal may be its distributor.
//!
//! A step equal to the number of steps means *late*: not scheduled, and fined.
//!
//! **Source:** the dissertation, sections 6.2, 6.3 and 6.5.5 (restricted surroundings). It advises half the diameter for one
//! message, but then the ring of 8 has no broadcast in 2 steps.

use super::Refusal;
use super::calls::Calls;
use super::parameters::Tuning;
use super::preprocess::PathStore;
use graph::paths::distances_to;
use kernel::{Message, Node, Problem};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;
use std::ops::Range;

/// No gene.
const NONE: u32 = u32::MAX;

/// Most entries of the tables of genes: 400 MB each.
const MOST_CELLS: usize = 100_000_000;

/// One delivery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub message: u32,
    pub receiver: u32,
}

/// The search space of one problem.
pub(super) struct Space<'a> {
    pub problem: &'a Problem,
    pub store: PathStore<'a>,
    /// Steps a schedule may have.
    pub steps: u16,
    pub genes: Vec<Delivery>,
    /// The genes of each message; none of calls.
    pub of_message: Vec<Range<usize>>,
    /// Whether receivers send messages on.
    pub broadcast: bool,
    /// The gene that delivers a message to a node: `messages × nodes`; empty in the scatter encoding.
    gene_at: Vec<u32>,
    /// The nodes that may send a gene's message to its receiver, gene by gene.
    distributors: Vec<u32>,
    distributors_from: Vec<u32>,
    /// Most deliveries a node sends, and then most it receives, in a step.
    pub ports: Vec<u16>,
    pub nodes: usize,
    /// Where messages are combined.
    pub calls: Option<Calls>,
}

/// Whether every terminal beside a receiver holds the message some time: it begins with it or receives it too. Where some do
/// not, deliveries over one channel alone leave few ways to a receiver, and many steps.
fn all_neighbours_tell(problem: &Problem, genes: &[Delivery], gene_at: &[u32], rows: &[Vec<u32>]) -> bool {
    let nodes = problem.network().node_count();
    let terminals = problem.network().terminals();
    genes.iter().all(|gene| {
        let row = &rows[gene.receiver as usize];
        let origin = problem.collective().origin(Message(gene.message));
        let tells = |v: Node| v == origin || gene_at[gene.message as usize * nodes + v.index()] != NONE;
        terminals.iter().all(|&v| row[v.index()] != 1 || tells(v))
    })
}

impl<'a> Space<'a> {
    /// Finds the paths and lists the genes, for a single step. A delivery may reach as far as is wanted, or any distance; but a
    /// single channel for several messages that all neighbours of every receiver can tell. Always so far that all receivers can
    /// be told.
    ///
    /// # Errors
    /// [`Refusal`]: too many paths, a delivery without one, or `stopped` before all paths are listed.
    pub(crate) fn new(
        problem: &'a Problem,
        tuning: &Tuning,
        slack: u32,
        rng: &mut Pcg64Mcg,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        let (network, collective) = (problem.network(), problem.collective());
        let (nodes, messages) = (network.node_count(), collective.message_count());
        let calls = (problem.model().combining && messages > 1).then(|| Calls::new(problem));
        let (mut genes, mut of_message) = (Vec::new(), Vec::new());
        for message in collective.messages().take(if calls.is_some() { 0 } else { messages }) {
            let begin = genes.len();
            let receivers = collective.destinations(message).iter().filter(|&&v| v != collective.origin(message));
            genes.extend(receivers.map(|v| Delivery { message: message.0, receiver: v.0 }));
            of_message.push(begin..genes.len());
        }
        genes.extend(calls.iter().flat_map(|calls| calls.genes(1)));
        let broadcast = of_message.iter().any(|genes| genes.len() > 1);
        let cells = if broadcast { messages.saturating_mul(nodes) } else { 0 };
        if cells > MOST_CELLS {
            return Err(Refusal::Deliveries { count: genes.len() as u64 });
        }
        let mut gene_at = vec![NONE; cells];
        for (g, gene) in genes.iter().enumerate().filter(|_| broadcast) {
            gene_at[gene.message as usize * nodes + gene.receiver as usize] = g as u32;
        }
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for gene in &genes {
            let row = &mut rows[gene.receiver as usize];
            if row.is_empty() {
                *row = distances_to(problem, Node(gene.receiver));
            }
        }
        let farthest = rows.iter().flatten().copied().filter(|&d| d != u32::MAX).max().unwrap_or(0);
        let mut radius = match tuning.radius {
            0 if messages > 1 && broadcast && all_neighbours_tell(problem, &genes, &gene_at, &rows) => 1,
            wanted if wanted > 0 && (broadcast || calls.is_some()) => wanted.min(farthest),
            _ => farthest,
        };
        let small = |n: u64| u16::try_from(n).unwrap_or(u16::MAX);
        let sends = network.nodes().map(|v| small(network.send_capacity(v)));
        let ports: Vec<u16> = sends.chain(network.nodes().map(|v| small(network.receive_capacity(v)))).collect();
        let ports = if calls.is_some() { vec![u16::MAX; 2 * nodes] } else { ports };
        let mut space = Space {
            problem,
            store: PathStore::new(problem, Vec::new(), tuning, slack, rng, stopped)?,
            steps: 1,
            genes,
            of_message,
            broadcast,
            gene_at,
            distributors: Vec::new(),
            distributors_from: Vec::new(),
            ports,
            nodes,
            calls,
        };
        loop {
            let pairs = space.distribute(radius, &rows)?;
            space.store = PathStore::new(problem, pairs.into_iter().collect(), tuning, slack, rng, stopped)?;
            match space.beyond_reach() {
                None => return Ok(space),
                Some(refusal) if radius >= farthest => return Err(refusal),
                Some(_) => radius += 1,
            }
        }
    }

    /// Lists the distributors of each gene, none farther away than `radius`; returns the pairs that may need paths.
    fn distribute(&mut self, radius: u32, rows: &[Vec<u32>]) -> Result<BTreeSet<(Node, Node)>, Refusal> {
        let terminals = self.problem.network().terminals();
        let mut pairs = BTreeSet::new();
        self.distributors.clear();
        self.distributors_from.clear();
        self.distributors_from.push(0);
        for gene in &self.genes {
            let row = &rows[gene.receiver as usize];
            let near = |v: &u32| *v != gene.receiver && row[*v as usize] != u32::MAX && row[*v as usize] <= radius;
            let begin = self.distributors.len();
            if self.calls.is_some() {
                self.distributors.extend(terminals.iter().map(|v| v.0).filter(near));
            } else {
                let told = self.of_message[gene.message as usize].clone().filter(|_| self.broadcast);
                let members = told.map(|g| self.genes[g].receiver);
                self.distributors.extend(members.chain([self.origin(gene.message)]).filter(near));
            }
            pairs.extend(self.distributors[begin..].iter().map(|&from| (Node(from), Node(gene.receiver))));
            self.distributors_from.push(self.distributors.len() as u32);
            if self.distributors.len() > MOST_CELLS {
                return Err(Refusal::Deliveries { count: self.genes.len() as u64 });
            }
        }
        Ok(pairs)
    }

    /// A receiver that can be told neither by the origin nor by one that can, if there is any.
    fn beyond_reach(&self) -> Option<Refusal> {
        let collective = self.problem.collective();
        collective.messages().find_map(|message| {
            let mut told = vec![false; self.nodes];
            told[collective.origin(message).index()] = true;
            let all = self.of_message.get(message.index()).cloned().unwrap_or(0..self.genes.len());
            let mut left: Vec<usize> = all.collect();
            let mut before = usize::MAX;
            while left.len() < before {
                before = left.len();
                left.retain(|&g| {
                    let to = self.genes[g].receiver;
                    let mut from = self.distributors(g).iter();
                    let reached = from.any(|&d| told[d as usize] && !self.store.between(d, to).is_empty());
                    told[to as usize] |= reached;
                    !reached
                });
            }
            let to = *collective.destinations(message).iter().find(|v| !told[v.index()])?;
            Some(Refusal::NoPath { from: collective.origin(message), to })
        })
    }

    /// Asks for a schedule of so many steps.
    pub(crate) fn set_steps(&mut self, steps: u16) {
        self.steps = steps;
        if let Some(calls) = &self.calls {
            self.genes = calls.genes(steps);
        }
    }

    /// Where a message begins.
    pub(crate) fn origin(&self, message: u32) -> u32 {
        self.problem.collective().origin(Message(message)).0
    }

    /// The gene that delivers `message` to `node`; none to its origin, or where receivers send nothing on.
    #[inline]
    pub(crate) fn gene_at(&self, message: u32, node: u32) -> Option<usize> {
        let gene = *self.gene_at.get(message as usize * self.nodes + node as usize)?;
        (gene != NONE).then_some(gene as usize)
    }

    /// The nodes that may send the message of `gene` to its receiver; not empty for the origin's neighbours at least.
    #[inline]
    pub(crate) fn distributors(&self, gene: usize) -> &[u32] {
        let gene = self.calls.as_ref().map_or(gene, |calls| gene % calls.places());
        &self.distributors[self.distributors_from[gene] as usize..self.distributors_from[gene + 1] as usize]
    }

    /// Resources of a step.
    #[inline]
    pub(crate) fn resources(&self) -> usize {
        self.store.capacity.len()
    }
}
