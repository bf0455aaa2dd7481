//! Multirings: circulant networks whose lengths are chosen so that many walks lead from every node to every other.
//!
//! A multiring of N nodes has a channel from i to i + c for every length c of a list. What one node sees all see, so a row
//! of N numbers says all about it: how many walks of at most D hops lead from node 0 to each node. The least of them, node 0
//! itself included, is the *internal parallelism* σ. The paper asks how large N may be for given degree, D and σ.
//!
//! [`walks`] counts, [`tables`] compares with what the paper prints, [`composition`] joins two multirings to one of four
//! dimensions, [`bound`] proves how large N can be at most, [`search`] looks for lengths, [`known`] keeps the best ones found.
//!
//! **Source:** V. Podlazov, "An extended multiring with an incremented diameter" (in Russian)

pub mod bound;
pub mod composition;
pub mod known;
pub mod paper;
pub mod search;
pub mod tables;

use kernel::{Network, NetworkData};

/// A circulant network by its lengths: a channel from i to i + c for every c.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Circulant {
    nodes: u32,
    lengths: Vec<u32>,
}

/// Why lengths make no circulant network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CirculantError {
    /// A length outside 1 to N − 1.
    #[error("length {length} is not between 1 and {last}", last = nodes - 1)]
    Range {
        /// The length.
        length: u32,
        /// N.
        nodes: u32,
    },
    /// A length that is there already.
    #[error("length {length} is given twice")]
    Twice {
        /// The length.
        length: u32,
    },
    /// Fewer than two nodes, or more than the program handles.
    #[error("{nodes} nodes are not between 2 and {MOST_NODES}")]
    Nodes {
        /// N.
        nodes: u32,
    },
}

/// Most nodes of a circulant network here.
pub const MOST_NODES: u32 = 1 << 24;

impl Circulant {
    /// A circulant network of so many nodes with these lengths, which are brought into ascending order.
    ///
    /// # Errors
    /// A length out of range or repeated, or a number of nodes out of range.
    pub fn new(nodes: u32, lengths: impl IntoIterator<Item = u32>) -> Result<Self, CirculantError> {
        if !(2..=MOST_NODES).contains(&nodes) {
            return Err(CirculantError::Nodes { nodes });
        }
        let mut lengths: Vec<u32> = lengths.into_iter().collect();
        lengths.sort_unstable();
        if let Some(&length) = lengths.iter().find(|c| !(1..nodes).contains(*c)) {
            return Err(CirculantError::Range { length, nodes });
        }
        match lengths.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(CirculantError::Twice { length: pair[0] }),
            None => Ok(Circulant { nodes, lengths }),
        }
    }

    /// The same with every length in both directions.
    ///
    /// # Errors
    /// As [`Circulant::new`]; a length of half the nodes counts once.
    pub fn both_ways(nodes: u32, lengths: impl IntoIterator<Item = u32>) -> Result<Self, CirculantError> {
        let lengths: Vec<u32> = lengths.into_iter().collect();
        // What is out of range is left as it is, for `new` to refuse.
        let back = |c: &u32| (*c > 0 && *c < nodes && 2 * *c != nodes).then(|| nodes - c);
        let mirrors: Vec<u32> = lengths.iter().filter_map(back).collect();
        Circulant::new(nodes, lengths.into_iter().chain(mirrors))
    }

    /// The full multiring of two dimensions: 1 to k − 1 and k, 2k to (k − 1)k.
    ///
    /// # Errors
    /// Fewer nodes than lengths need.
    pub fn full(base: u32, nodes: u32) -> Result<Self, CirculantError> {
        Circulant::new(nodes, (1..base).chain((1..base).map(|i| i * base)))
    }

    /// The full multiring whose lengths go both ways: ±1 to ±h and ±k to ±hk with h = (k − 1)/2, for odd k.
    ///
    /// # Errors
    /// Fewer nodes than lengths need.
    pub fn full_both_ways(base: u32, nodes: u32) -> Result<Self, CirculantError> {
        let half = (base - 1) / 2;
        Circulant::both_ways(nodes, (1..=half).chain((1..=half).map(|i| i * base)))
    }

    /// A network that is circulant by its own numbers of nodes; `None` where it is not, or has parallel channels.
    pub fn of(network: &Network) -> Option<Self> {
        let nodes = u32::try_from(network.node_count()).ok()?;
        let from = |v: u32| {
            let mut lengths: Vec<u32> =
                network.outgoing(kernel::Node(v)).iter().map(|c| (network.to(*c).0 + nodes - v) % nodes).collect();
            lengths.sort_unstable();
            lengths
        };
        let first = Circulant::new(nodes, from(0)).ok()?;
        let alike = network.terminals().len() == network.node_count() && (1..nodes).all(|v| from(v) == first.lengths);
        alike.then_some(first)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The lengths, ascending.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Number of lengths: channels that leave a node.
    pub fn degree(&self) -> u32 {
        // At most as many as nodes.
        self.lengths.len() as u32
    }

    /// Whether every length goes both ways.
    pub fn is_symmetric(&self) -> bool {
        self.lengths.iter().all(|c| self.lengths.binary_search(&(self.nodes - c)).is_ok())
    }

    /// Its specification, such as `circulant:8;±1,±3`.
    pub fn spec(&self) -> String {
        let (mark, upto) = if self.is_symmetric() { ("±", self.nodes / 2) } else { ("", self.nodes) };
        let lengths = self.lengths.iter().take_while(|c| **c <= upto).map(|c| format!("{mark}{c}"));
        format!("circulant:{};{}", self.nodes, lengths.collect::<Vec<_>>().join(","))
    }

    /// The network, under its specification.
    pub fn network(&self) -> Network {
        let ends = |v: u32| self.lengths.iter().map(move |c| (v, (v + c) % self.nodes));
        let mut channels: Vec<(u32, u32)> = (0..self.nodes).flat_map(ends).collect();
        channels.sort_unstable();
        let parts = NetworkData { name: self.spec(), nodes: self.nodes, channels, ..NetworkData::default() };
        Network::new(parts).expect("lengths are between 1 and the last node")
    }
}

/// How many walks of 1 to `hops` hops lead from node 0 to each node; a walk may come by a node twice.
pub fn walks(circulant: &Circulant, hops: u32) -> Vec<u64> {
    let nodes = circulant.nodes as usize;
    let mut total = vec![0u64; nodes];
    let mut front = vec![0u64; nodes];
    front[0] = 1;
    for _ in 0..hops {
        let mut next = vec![0u64; nodes];
        for &length in &circulant.lengths {
            // Cyclic convolution with the lengths, one shift at a time.
            let (wrapped, straight) = next.split_at_mut(length as usize);
            let (head, tail) = front.split_at(nodes - length as usize);
            straight.iter_mut().zip(head).for_each(|(to, from)| *to = to.saturating_add(*from));
            wrapped.iter_mut().zip(tail).for_each(|(to, from)| *to = to.saturating_add(*from));
        }
        total.iter_mut().zip(&next).for_each(|(all, new)| *all = all.saturating_add(*new));
        front = next;
    }
    total
}

/// The internal parallelism σ: the least number of walks of 1 to `hops` hops between any two nodes, or from one to itself.
pub fn parallelism(circulant: &Circulant, hops: u32) -> u64 {
    walks(circulant, hops).into_iter().min().unwrap_or(0)
}
